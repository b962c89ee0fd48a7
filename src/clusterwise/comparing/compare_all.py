"""Comparison of every pair of several clusterings by one measure."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import isfinite
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import choose_display
from clusterwise._utils.parameter_constraints import Integer, type_words
from clusterwise._utils.progress import track
from clusterwise._utils.results import Result
from clusterwise._utils.tables import TextTable, format_number
from clusterwise.comparing.applicable import check_measures, needs_centroids, needs_profiles
from clusterwise.comparing.compare import NO_OBJECTS, compare, name_of
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.corrections import (
    CORRECTIONS,
    CorrectedChance,
    Correction,
    correct_p_values,
)
from clusterwise.comparing.feature_sources import ArraySource, FrameSource, Source
from clusterwise.comparing.frames import (
    FrameData,
    list_label_columns,
    name_columns,
    read_distinct_rows,
    read_eager_columns,
    with_string_names,
)
from clusterwise.comparing.matches import MatchBy
from clusterwise.comparing.significance import (
    N_PERMUTATIONS,
    SEED,
    ChanceOptions,
    pair_p_values,
)
from clusterwise.comparing.significance_sentences import LEVEL, say_significant_pairs
from clusterwise.comparing.text import format_p_value
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import (
    Align,
    LabelOptions,
    Missing,
    Noise,
    Pair,
    SoftClustering,
    align_clusterings,
    as_clustering,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import used_categories
from clusterwise.inputs.frames import as_eager, as_lazy
from clusterwise.measures._label_options import documented, label_options, summarise
from clusterwise.measures.catalogue import Measure, find_measure
from clusterwise.measures.chance.permutation import FEWEST_PERMUTATIONS
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap, table_of
from clusterwise.summaries.profile.profile import DensityProfile

_DISPLAYS = {
    "similarity": "SimilarityDisplay",
    "map": "ClusteringMapDisplay",
    "tree": "FlowDisplay",
}


class ComparisonMatrix(Result):
    """The result of :func:`compare_all`.

    Attributes
    ----------
    names : list of str
        The names of the clusterings.
    values : ndarray of shape (m, m)
        ``values[i, j]`` is the measure of clusterings i and j.
    measure : str
        The name of the measure.
    match : {"auto", "name", "overlap"}
        How clusters are matched in ``compare`` and in plots.
    p_values : ndarray of shape (m, m) or None
        With ``significance=True``, the p-value of each pair, as in :func:`compare`; NaN on the
        diagonal.
    chance : CorrectedChance or None
        How the p-values were computed, and how they are corrected for many comparisons.
    """

    def __init__(
        self,
        clusterings: Mapping[str, AnyClustering],
        values: Array,
        measure: str,
        options: LabelOptions,
        *,
        match: MatchBy = "auto",
        p_values: Array | None = None,
        chance: CorrectedChance | None = None,
    ) -> None:
        self.names = list(clusterings)
        self.values = values
        self.measure = measure
        self.match = match
        self.p_values = p_values
        self.chance = chance
        self._clusterings = clusterings
        self._options = options

    @property
    def clusterings(self) -> Mapping[str, AnyClustering]:
        """The clusterings by name, as they were read."""
        return self._clusterings

    @property
    def label_options(self) -> LabelOptions:
        """How the labels are aligned, weighted and handled if they are noise or missing."""
        return self._options

    def compare(self, a: str, b: str) -> Comparison:
        """Compare two of the clusterings, given by name, by all measures."""
        for name in (a, b):
            if name not in self._clusterings:
                raise InputError(f"there is no clustering {name!r}; use {self.names}.")
        return compare(
            self._clusterings[a], self._clusterings[b], names=(a, b), match=self.match,
            **self._options,
        )  # fmt: skip

    @cached_property
    def n_clusters(self) -> list[int]:
        """The number of clusters of each clustering."""
        return [_count_clusters(one) for one in self._clusterings.values()]

    @cached_property
    def adjusted_p_values(self) -> Array | None:
        """The p-values, corrected for the number of comparisons; None without p-values.

        Pairs with an adjusted p-value of at most 5% agree more than by chance: with Holm's
        correction, the probability of naming one that does not is at most 5%; with that of
        Benjamini and Hochberg, at most 5% of those named are expected not to.
        """
        if self.p_values is None or self.chance is None:
            return None
        tested = self._tested
        adjusted = np.full(self.p_values.shape, np.nan)
        adjusted[tested] = correct_p_values(self.p_values[tested], self.chance.correction)
        if find_measure(self.measure).symmetric:
            adjusted = np.where(np.isnan(adjusted), adjusted.T, adjusted)
        return adjusted

    @property
    def _tested(self) -> Array:
        """The pairs that are different tests, in both directions if the measure is asymmetric."""
        size = len(self.names)
        if find_measure(self.measure).symmetric:
            return np.triu(np.ones((size, size), bool), 1)
        return ~np.eye(size, dtype=bool)

    def pairs(self) -> list[tuple[str, str, float]]:
        """Return all pairs of names with their value, most similar first."""
        found = [
            (self.names[i], self.names[j], float(self.values[i, j]))
            for i, j in combinations(range(len(self.names)), 2)
        ]
        sign = 1 if self._is_distance else -1
        return sorted(found, key=lambda pair: sign * pair[2])

    def _sentences(self) -> list[str]:
        """Name the most and the least similar pair, and the mean over all pairs."""
        pairs = self.pairs()
        better = "smaller" if self._is_distance else "larger"
        first = (
            f"{len(self.names)} clusterings compared by {self.measure} ({better} is more similar)."
        )
        (a, b, best), (c, d, worst) = pairs[0], pairs[-1]
        if best == worst:
            which = f"{a} and {b}" if len(pairs) == 1 else "all pairs"
            found = [first, f"The value is {format_number(best)} for {which}."]
            return [*found, *self._say_significance()]
        mean = float(np.mean([value for *_, value in pairs]))
        return [
            first,
            f"The most similar are {a} and {b} ({format_number(best)}), the least similar {c} and "
            f"{d} ({format_number(worst)}).",
            f"The mean over all pairs is {format_number(mean)}.",
            *self._say_significance(),
        ]

    def _say_significance(self) -> list[str]:
        """Count the pairs that agree more than by chance, after the correction."""
        adjusted = self.adjusted_p_values
        if adjusted is None or self.chance is None:
            return []
        tested = adjusted[self._tested]
        return say_significant_pairs(
            int(np.count_nonzero(tested <= LEVEL)), tested.size, self.chance.correction
        )

    def plot(self, kind: str = "similarity", *, ax: Any = None, **options: Any) -> Any:
        """Plot the matrix (needs the extra ``plots``).

        Parameters
        ----------
        kind : {"similarity", "map", "tree"}, default="similarity"
            A heat map with similar clusterings beside each other; a map with similar
            clusterings near each other; or the flow of objects through all clusterings in
            their order, such as those of increasing numbers of clusters.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Options of ``from_matrix`` of the display: a map takes ``quality`` and ``given``, a
            tree ``clusterings``, the names of those to draw in this order, and ``most``, the
            largest number of blocks per clustering.

        Returns
        -------
        Display
            A display of :mod:`clusterwise.plots`.
        """
        return choose_display(kind, _DISPLAYS).from_matrix(self, **options).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return the measure, the names, the values and the p-values as plain values."""
        found = {"measure": self.measure, "names": self.names, "values": self.values.tolist()}
        if self.p_values is None or self.adjusted_p_values is None or self.chance is None:
            return found
        p_values, adjusted = (
            [[p if isfinite(p) else None for p in row] for row in matrix.tolist()]
            for matrix in (self.p_values, self.adjusted_p_values)
        )
        correction = {"correction": self.chance.correction, "adjusted_p_values": adjusted}
        return {**found, "p_values": p_values, **correction}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row and a column per clustering.

        The names of the clusterings are the index in pandas, and the column ``clustering`` in
        the other libraries.
        """
        if library is None:
            libraries = (getattr(one, "library", None) for one in self._clusterings.values())
            library = next((name for name in libraries if name), None)
        columns = {name: self.values[:, i].tolist() for i, name in enumerate(self.names)}
        return to_frame(columns, library, index=self.names, index_name="clustering")

    def text_table(self) -> TextTable:
        """Return the matrix as a table."""
        rows = [
            [name, *(format_number(float(value)) for value in line)]
            for name, line in zip(self.names, self.values, strict=True)
        ]
        return TextTable([self.measure, *self.names], rows)

    def text_tables(self) -> list[TextTable]:
        """Return the matrix, and that of the adjusted p-values if there are some."""
        adjusted = self.adjusted_p_values
        if adjusted is None or self.chance is None:
            return [self.text_table()]
        rows = [
            [name, *(format_p_value(float(p), 0.0) for p in line)]
            for name, line in zip(self.names, adjusted, strict=True)
        ]
        title = f"p-values, adjusted by {CORRECTIONS[self.chance.correction]}"
        return [self.text_table(), TextTable(["p-value", *self.names], rows, title)]

    @property
    def _is_distance(self) -> bool:
        return find_measure(self.measure).direction == "distance"


@documented(n_permutations=Integer(FEWEST_PERMUTATIONS))
def compare_all(
    clusterings: Any = None,
    X: Any = None,
    *,
    frame: Any = None,
    features: Sequence[str] | None = None,
    measure: str = "adjusted_rand_score",
    match: MatchBy = "auto",
    significance: bool = False,
    correction: Correction = "holm",
    n_permutations: int = N_PERMUTATIONS,
    random_state: Any = SEED,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
    progress: bool | None = None,
) -> ComparisonMatrix:
    """Compare every pair of several clusterings of the same objects by one measure.

    Each clustering is read once, and each pair takes one pass.

    Parameters
    ----------
    clusterings : frame, dict or list
        Labels of the same objects, or membership matrices (n × K): a frame with a column of
        labels per clustering, a dict by name, or a list, in which the names are those of the
        series or 0, 1, …. With ``frame``, the names of its label columns.
    X : array-like or frame of shape (n, R), optional
        The features of the objects, for the measures that need them.
    frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark, optional
        An eager or lazy frame with the columns in ``clusterings`` and possibly others. Then
        ``sample_weight`` is the name of its weight column. The engine of a lazy frame returns
        only the distinct rows of labels and their counts.
    features : list of str, optional
        The feature columns of the frame, in place of ``X``.
    measure : str, default="adjusted_rand_score"
        A name from :func:`list_measures`. For soft clusterings prefer ``irm_score`` or
        ``mallows_distance``, which do not count softness as disagreement.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched in plots and in comparisons of two, as in :func:`compare`.
    significance : bool, default=False
        Also compute the p-value of each pair, as in :func:`compare`, for measures of labels.
    correction : {"holm", "benjamini-hochberg"}, default="holm"
        How p-values are corrected for the number of pairs: Holm's method controls the probability
        of any false positive [1]_, that of Benjamini and Hochberg their expected proportion [2]_.
    n_permutations, random_state
        As in :func:`compare`.
    {label_options}
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    ComparisonMatrix
        The values of all pairs.

    References
    ----------
    .. [1] S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of
       Statistics 6 (1979) 65-70. https://www.jstor.org/stable/4615733
    .. [2] Y. Benjamini, Y. Hochberg. Controlling the false discovery rate. Journal of the Royal
       Statistical Society B 57 (1995) 289-300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    Three runs, of which the first two agree:

    >>> from clusterwise import compare_all
    >>> compare_all({"one": [0, 0, 1, 1], "two": [1, 1, 0, 0], "three": [0, 1, 0, 1]})
    adjusted_rand_score      one      two    three
    one                        1        1  -0.5000
    two                        1        1  -0.5000
    three                -0.5000  -0.5000        1

    A frame with a column of labels per run:

    >>> import polars as pl
    >>> runs = pl.DataFrame({"one": [0, 0, 1, 1], "two": [1, 1, 0, 0], "three": [0, 1, 0, 1]})
    >>> compare_all(runs).values[0].tolist()
    [1.0, 1.0, -0.5]
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    chance = None
    if significance:
        refuse_features([measure])
        chance = CorrectedChance(ChanceOptions(n_permutations, random_state), correction)
    if frame is None and is_frame(clusterings):
        frame, clusterings = with_string_names(clusterings), None
    if frame is None:
        if features is not None:
            raise InputError("features are the names of columns of a frame; pass it as frame.")
        named = name_clusterings(clusterings)
        return compare_each(
            named, [measure], X, match=match, chance=chance, progress=progress, **options
        )[0]
    if X is not None and (features is not None or as_lazy(frame) is not None):
        raise InputError("X and frame are both given; name the frame's columns as features.")
    if clusterings is None:
        clusterings = list_label_columns(frame, features, sample_weight)
    sides = name_columns(clusterings)
    eager = read_eager_columns(frame, sides, features, options)
    if eager is not None:
        X = eager.features if X is None else X
        options = eager.label_options
        return compare_each(
            eager.columns, [measure], X, match=match, chance=chance, progress=progress, **options
        )[0]
    data = FrameData(frame, features, options)
    for name, side in sides.items():
        if not isinstance(side, str):
            raise InputError(f"{name} is soft; compare it in pairs, or collect the frame first.")
    columns = {name: str(side) for name, side in sides.items()}
    read, options = read_distinct_rows(data, list(dict.fromkeys(columns.values())))
    named = {name: read[column] for name, column in columns.items()}
    source = None if features is None else FrameSource(data, columns)
    return _compare_pairs(
        named, [measure], source, options, match=match, chance=chance, progress=progress
    )[0]


def compare_each(
    clusterings: Mapping[str, Any],
    measures: Sequence[str],
    X: Any = None,
    *,
    match: MatchBy = "auto",
    binning: Binning | Method = "width",
    n_bins: int = 10,
    chance: CorrectedChance | None = None,
    progress: bool | None = None,
    **options: Unpack[LabelOptions],
) -> list[ComparisonMatrix]:
    """Return a matrix per measure; each pair of clusterings is tabulated once for all measures."""
    missing = options.get("missing", "error")
    read = {
        str(name): as_clustering(one, str(name), missing=missing)
        for name, one in clusterings.items()
    }
    source = None if X is None else ArraySource(read, X, options)
    bins = binning, n_bins
    return _compare_pairs(
        read, measures, source, options, match=match, bins=bins, chance=chance, progress=progress
    )


def _compare_pairs(
    read: Mapping[str, AnyClustering],
    measures: Sequence[str],
    source: Source | None,
    options: LabelOptions,
    *,
    match: MatchBy = "auto",
    bins: tuple[Binning | Method, int] = ("width", 10),
    chance: CorrectedChance | None = None,
    progress: bool | None = None,
) -> list[ComparisonMatrix]:
    if len(read) < 2:
        raise InputError(f"compare_all got {len(read)} clusterings; pass at least two.")
    soft = next((name for name, one in read.items() if isinstance(one, SoftClustering)), None)
    with_data = source is not None
    chosen = check_measures(measures, soft=soft, with_profiles=with_data, with_centroids=with_data)
    _refuse_alignment(chosen, options)
    if source is not None and any(map(needs_profiles, chosen)):
        source.fit(*bins)
    with_centroids = any(map(needs_centroids, chosen))
    names = list(read)
    values = np.empty((len(chosen), len(names), len(names)))
    p_values = None if chance is None else np.full(values.shape, np.nan)
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    for i, j in track(pairs, len(pairs), "comparing", progress):
        try:
            pair = align_clusterings(read[names[i]], read[names[j]], **options)
            some = source if with_centroids else None
            overlap = None if some is None else some.overlap(names[i], names[j], pair)
            table = _require_objects(summarise(pair) if overlap is None else table_of(overlap))
            profiles = () if source is None else source.profiles(names[i], names[j], pair)
            swapped = None
            if i != j and not all(one.symmetric for one in chosen):
                swapped = _swap(pair, table)
            for matrix, one in zip(values, chosen, strict=True):
                matrix[i, j] = matrix[j, i] = _value(one, table, overlap, profiles)
                if swapped is not None and not one.symmetric:
                    matrix[j, i] = one.function(swapped)
            if p_values is not None and chance is not None and i != j:
                p_values[:, i, j], p_values[:, j, i] = pair_p_values(
                    table, measures, chance.options
                )
        except InputError as error:
            raise InputError(f"{names[i]} (a) and {names[j]} (b): {error}") from None
    return make_matrices(read, measures, values, p_values, chance, options, match)


def _require_objects(table: Contingency | SoftOverlap) -> Contingency | SoftOverlap:
    if table.n == 0:
        raise InputError(NO_OBJECTS)
    return table


def _value(
    measure: Measure,
    table: Contingency | SoftOverlap,
    overlap: SoftOverlap | None,
    profiles: tuple[DensityProfile, ...],
) -> float:
    """Return the value of a measure of the summary that it needs."""
    if needs_profiles(measure):
        return measure.function(*profiles)
    return measure.function(overlap if needs_centroids(measure) else table)


def refuse_features(measures: Sequence[str]) -> None:
    """Raise an error for measures of features, whose significance takes many passes."""
    for name in measures:
        if find_measure(name).needs_data:
            raise InputError(
                f"{name} takes features, so its significance takes many passes over them; compare "
                "two clusterings at a time, or use a measure of labels."
            )


def make_matrices(
    clusterings: Mapping[str, AnyClustering],
    measures: Sequence[str],
    values: Array,
    p_values: Array | None,
    chance: CorrectedChance | None,
    options: LabelOptions,
    match: MatchBy,
) -> list[ComparisonMatrix]:
    """Return a matrix for each measure, from arrays of shape (measures, m, m)."""
    return [
        ComparisonMatrix(
            clusterings, values[i], measure, options, match=match, chance=chance,
            p_values=None if p_values is None else p_values[i],
        )
        for i, measure in enumerate(measures)
    ]  # fmt: skip


def is_frame(clusterings: Any) -> bool:
    """Return whether these are the columns of a frame."""
    return as_lazy(clusterings) is not None or as_eager(clusterings) is not None


def name_clusterings(clusterings: Any) -> dict[str, Any]:
    """Return clusterings by name, from a dict or a list."""
    if isinstance(clusterings, Mapping):
        return {str(name): one for name, one in clusterings.items()}
    if not isinstance(clusterings, list | tuple):
        raise InputError(
            f"clusterings is {type_words(clusterings)}; pass a frame with a column of labels "
            "per clustering, a dict or a list."
        )
    if any(isinstance(one, str) for one in clusterings):
        raise InputError("clusterings are names of columns; pass the frame they are in as frame.")
    names = [name_of(one, str(i)) for i, one in enumerate(clusterings)]
    if len(set(names)) < len(names):
        names = [str(i) for i in range(len(names))]
    return dict(zip(names, clusterings, strict=True))


def _refuse_alignment(chosen: Sequence[Measure], options: LabelOptions) -> None:
    for one in chosen:
        if one.needs_data and options.get("align") == "index":
            raise InputError(
                f"{one.name} takes the rows of X in the order of the objects, which align='index' "
                "changes from pair to pair; leave align out, and pass all clusterings in the "
                "order of X."
            )


def _count_clusters(one: AnyClustering) -> int:
    """Return the number of clusters that have members."""
    if isinstance(one, SoftClustering):
        return int(np.count_nonzero(one.memberships.values.sum(axis=0)))
    return len(used_categories(one.codes).values)


def _swap(pair: Pair[AnyClustering], table: Contingency | SoftOverlap) -> Contingency | SoftOverlap:
    """Return the table of (b, a)."""
    if isinstance(table, Contingency):
        return table.T
    return summarise(Pair(pair.b, pair.a, pair.weights))
