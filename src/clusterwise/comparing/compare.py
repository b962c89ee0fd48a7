"""Comparison of two clusterings of the same objects by all measures, in one pass."""

from collections.abc import Sequence
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Integer
from clusterwise.comparing.applicable import (
    applicable_measures,
    wants_centroids,
    wants_profiles,
)
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.frames import FrameData, read_eager_columns
from clusterwise.comparing.matches import MatchBy
from clusterwise.comparing.significance import N_PERMUTATIONS, SEED, ChanceOptions
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import (
    Align,
    LabelOptions,
    Missing,
    Noise,
    read_any_pair,
)
from clusterwise.inputs.features import has_means, take_rows
from clusterwise.measures._label_options import (
    documented,
    first_changed,
    label_options,
    summarise,
)
from clusterwise.measures.chance.permutation import FEWEST_PERMUTATIONS
from clusterwise.measures.density import fit_binning, read_profiles
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap, table_of
from clusterwise.summaries.profile.profile import DensityProfile

NO_OBJECTS = "there are no objects to compare; pass at least one."


@documented(n_permutations=Integer(FEWEST_PERMUTATIONS))
def compare(
    a: Any,
    b: Any = None,
    X: Any = None,
    *,
    frame: Any = None,
    features: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
    match: MatchBy = "auto",
    binning: Binning | Method = "width",
    n_bins: int = 10,
    significance: bool = False,
    n_permutations: int = N_PERMUTATIONS,
    random_state: Any = SEED,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> Comparison:
    """Compare two clusterings of the same objects by all measures, in one pass.

    Parameters
    ----------
    a, b : array-like of shape (n,), or memberships of shape (n, K)
        Labels of the same objects; or membership matrices, dense or sparse, to which the measures
        for soft clusterings apply; or a ready :class:`~clusterwise.Contingency` or
        :class:`~clusterwise.SoftOverlap` as ``a``.
    X : array-like or frame of shape (n, R), optional
        The features of the objects. With them the density measures are included, and
        ``css_distance`` if all features are numeric and none is missing.
    frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark, optional
        An eager or lazy frame. Then ``a`` and ``b`` are the names of its label columns (or lists
        of membership columns), and ``sample_weight`` is the name of its weight column. The engine
        of a lazy frame returns contingency tables and profiles only.
    features : list of str, optional
        The feature columns of ``frame``, in place of ``X``.
    measures : sequence of str, optional
        Names from :func:`list_measures`; all that apply by default (weights that are not
        integers exclude the adjusted mutual information).
    names : tuple of two str, optional
        The names of the clusterings; by default those of the series or columns.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched: ``"overlap"`` maximises the number of objects in matched clusters,
        ``"name"`` matches clusters of the same name, and the others by overlap. ``"auto"`` matches
        by name if at least two thirds of the names are in both clusterings and are not just
        numbers. Noise is never matched.
    binning, n_bins
        How the features are binned, as in :func:`adco_score`.
    significance : bool, default=False
        Also compute, for each measure, its expected value and its p-value if the labels of one
        clustering are permuted, and a 95% confidence interval. They follow from the contingency
        table, so that their cost does not depend on the number of objects; measures of features
        take up to 250 passes over ``X``. Not for soft clusterings and fractional weights.
    n_permutations : int, default=500
        The number of random contingency tables, for measures whose p-value is not known in closed
        form (those of pairs are), if the tables with the same cluster sizes are too many to list.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random tables.
    {label_options}

    Returns
    -------
    Comparison
        The values of the measures, the matched clusters, the groups of objects that moved, the
        transport plan, and the objects that contribute most to the difference; with
        ``significance``, the chance levels and intervals of the measures.

    Notes
    -----
    The interval is that of the delete-one jackknife [1]_. It is for the value of the measure in the
    population that the objects are a sample of. Measures of information are biased by small
    overlaps, for which their intervals are corrected, so that they need not contain the value. The
    p-value is the probability that a measure is at least as similar as observed if the labels of
    one clustering are permuted, by a Pearson type III distribution with the first three moments
    [2]_, or exact if there are few tables. Two clusterings that were made from the same data are
    nearly always dependent, so a small p-value does not say that their clusters are real:
    :func:`~clusterwise.assess` tells whether they are stable.
    docs/results/significance.md has the coverage of the intervals and the sizes of the tests.

    NaN stands for what is not defined: intervals of a single cluster or of singletons, and of
    values that no object changes. It also stands for what is not computed: measures of features
    without the objects in memory, with weights or of at most 50 objects; and with more than 65,536
    pairs of clusters, the p-values of all measures but those of pairs, and the intervals of
    measures that match clusters.

    References
    ----------
    .. [1] B. Efron, C. Stein. The jackknife estimate of variance. Annals of Statistics 9 (1981)
       586-596. https://doi.org/10.1214/aos/1176345462
    .. [2] P. W. Mielke, K. J. Berry. Permutation Methods: A Distance Function Approach. Springer
       (2007). https://doi.org/10.1007/978-0-387-69813-7

    Examples
    --------
    Five customers, in last year's and this year's segments:

    >>> from clusterwise import compare
    >>> last = ["gold", "gold", "basic", "basic", "basic"]
    >>> this = ["A", "A", "A", "B", "B"]
    >>> result = compare(last, this, measures=["rand_score", "clustering_error"])
    >>> result.values
    {'rand_score': 0.6, 'clustering_error': 0.2}
    >>> result.matches[0]
    Match(a='basic', b='B', shared=2, share_of_a=0.6..., share_of_b=1.0, jaccard=0.6...)
    >>> result.moves
    [Move(source='basic', target='A', objects=1, share=0.2)]

    Columns of a lazy frame, counted by its engine:

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"last": last, "this": this})
    >>> compare("last", "this", frame=frame, measures=["rand_score"]).values
    {'rand_score': 0.6}

    How much is that? Random segments of these sizes would agree as much in four of ten cases:

    >>> result = compare(last, this, measures=["rand_score"], significance=True)
    >>> round(result.significance["rand_score"].p_value, 2)
    0.4
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    chance = ChanceOptions(n_permutations, random_state) if significance else None
    names = names or _default_names(a, b, in_frame=frame is not None)
    if frame is not None:
        if X is not None:
            raise InputError("X and frame are both given; name the frame's columns as features.")
        eager = read_eager_columns(frame, {"a": a, "b": b}, features, options)
        if eager is None:
            data = FrameData(frame, features, options)
            return _compare_lazy(
                data, a, b, measures, names, match, binning, n_bins, options, chance
            )
        a, b, X, options = (
            eager.columns["a"], eager.columns["b"], eager.features, eager.label_options
        )  # fmt: skip
    elif features is not None:
        raise InputError("features are the names of columns of a frame; pass it as frame.")
    if isinstance(a, Contingency | SoftOverlap):
        _check_ready(a, b, X, options)
        return _compare_ready(a, measures, names, match, chance)
    pair = read_any_pair(a, b, **options)
    if not len(pair.a):
        raise InputError(NO_OBJECTS)
    with_data = X is not None
    overlap = None
    if with_data and wants_centroids(measures, lambda: has_means(X)):
        overlap = SoftOverlap.from_pair(pair, X)
    table = summarise(pair) if overlap is None else table_of(overlap)
    profiles = None
    if with_data and wants_profiles(measures):
        # The bins are fitted on all objects, including those left out as noise.
        bins = fit_binning(X, a, binning, n_bins, missing)
        rows = X if pair.kept is None else take_rows(X, pair.kept)
        profiles = read_profiles(pair.a, pair.b, rows, binning=bins, sample_weight=pair.weights)
    chosen = _choose(measures, table, profiles, overlap)
    return Comparison(
        table, chosen, names, profiles, overlap, pair, data=X, options=options, match=match,
        chance=chance,
    )  # fmt: skip


def _compare_lazy(
    data: FrameData, a: Any, b: Any, measures: Sequence[str] | None, names: tuple[str, str],
    match: MatchBy, binning: Binning | Method, n_bins: int, options: LabelOptions,
    chance: ChanceOptions | None,
) -> Comparison:  # fmt: skip
    """Compare two columns of a lazy frame."""
    with_data = data.features is not None
    overlap = None
    if with_data and wants_centroids(measures, data.has_means):
        overlap = data.overlap(a, b)
    table = data.table(a, b) if overlap is None else table_of(overlap)
    if table.n == 0:
        raise InputError(NO_OBJECTS)
    profiles = None
    if with_data and wants_profiles(measures):
        data.fit(binning, n_bins)
        profiles = data.profiles(a, b)
    chosen = _choose(measures, table, profiles, overlap)
    return Comparison(
        table, chosen, names, profiles, overlap, options=options, match=match, chance=chance
    )


def _check_ready(a: Contingency | SoftOverlap, b: Any, X: Any, options: LabelOptions) -> None:
    """Raise an error for arguments that cannot be combined with a ready table."""
    if b is not None:
        raise InputError("a is a ready table that stands for both clusterings; leave b out.")
    if X is not None:
        raise InputError("X needs the labels of its objects; pass them in place of a table.")
    extra = first_changed(options)
    if extra is not None:
        raise InputError(f"a is a ready table that stands for both clusterings; leave {extra} out.")
    if a.n == 0:
        raise InputError(NO_OBJECTS)


def _compare_ready(
    a: Contingency | SoftOverlap,
    measures: Sequence[str] | None,
    names: tuple[str, str],
    match: MatchBy,
    chance: ChanceOptions | None,
) -> Comparison:
    overlap = a if isinstance(a, SoftOverlap) and a.centroid_sums is not None else None
    table = table_of(a) if isinstance(a, SoftOverlap) else a
    return Comparison(
        table, _choose(measures, table, None, overlap), names, overlap=overlap, match=match,
        chance=chance,
    )  # fmt: skip


def _choose(
    measures: Sequence[str] | None,
    table: Contingency | SoftOverlap,
    profiles: tuple[DensityProfile, DensityProfile] | None,
    overlap: SoftOverlap | None,
) -> Sequence[str]:
    """Return the requested measures, by default all that apply."""
    if measures is not None:
        return measures
    return applicable_measures(
        soft=isinstance(table, SoftOverlap),
        with_profiles=profiles is not None,
        with_centroids=overlap is not None,
        fractional_weights=isinstance(table, Contingency) and not table.cells.has_whole_sizes,
    )


def _default_names(a: Any, b: Any, *, in_frame: bool) -> tuple[str, str]:
    """Return the names of two columns or series, or ``("a", "b")`` if they are the same."""
    if in_frame:
        names = (a, b) if isinstance(a, str) and isinstance(b, str) else ("a", "b")
    else:
        names = name_of(a, "a"), name_of(b, "b")
    return ("a", "b") if names[0] == names[1] else names


def name_of(labels: Any, default: str) -> str:
    """Return the name of a series, or ``default`` if it has none."""
    name = getattr(labels, "name", None)
    return name if isinstance(name, str) and name else default
