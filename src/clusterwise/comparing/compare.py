"""Comparison of two clusterings of the same objects by all measures, in one pass."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import json_row, to_frame
from clusterwise._utils.lazy import choose_display
from clusterwise._utils.results import Result
from clusterwise._utils.tables import TextTable
from clusterwise.comparing.applicable import (
    applicable_measures,
    check_measures,
    needs_centroids,
    needs_profiles,
    wants_centroids,
    wants_profiles,
)
from clusterwise.comparing.compare_profiles import ProfileComparison
from clusterwise.comparing.contributions import Contribution, contributions
from clusterwise.comparing.events import Changes, Event, Move, NoiseFlow, find_changes
from clusterwise.comparing.frames import FrameData, read_eager_columns
from clusterwise.comparing.matches import (
    ClusterMatching,
    Match,
    MatchBy,
    find_matches,
    find_unmatched,
    match_clusters,
)
from clusterwise.comparing.text import match_tables, measure_table
from clusterwise.comparing.verdict import sentences
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import (
    Align,
    LabelOptions,
    Missing,
    Noise,
    Pair,
    read_any_pair,
)
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.features import has_means, take_rows
from clusterwise.measures._label_options import (
    documented,
    first_changed,
    label_options,
    summarise,
)
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.density import fit_binning, read_profiles
from clusterwise.measures.transport import mallows_plan
from clusterwise.measures.transport_plans import TransportPlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap, table_of
from clusterwise.summaries.profile.profile import DensityProfile

_DISPLAYS = {
    "flow": "FlowDisplay",
    "contingency": "ContingencyDisplay",
    "profiles": "ProfileDisplay",
    "scatter": "ScatterPairDisplay",
}
NO_OBJECTS = "there are no objects to compare; pass at least one."


class Comparison(Result):
    """The result of :func:`compare`.

    Attributes
    ----------
    values : dict of str to float
        The value of each measure.
    table : Contingency or SoftOverlap
        The contingency table, or the overlap if a clustering is soft.
    names : tuple of str
        The names of the two clusterings.
    profiles : tuple of DensityProfile or None
        The density profiles of both, if density measures were computed.
    overlap : SoftOverlap or None
        The overlap with the centroids of the clusters, if ``css_distance`` was computed.
    pair : Pair or None
        The aligned clusterings; None for a ready table or a lazy frame.
    data : object or None
        ``X`` as it was passed, with all rows (``pair.kept`` are the indices of those compared).
    options : dict
        The label options of the comparison.
    match : {"auto", "name", "overlap"}
        How clusters are matched.
    """

    _print_summary = True

    def __init__(
        self,
        table: Contingency | SoftOverlap,
        measures: Sequence[str],
        names: tuple[str, str],
        profiles: tuple[DensityProfile, DensityProfile] | None = None,
        overlap: SoftOverlap | None = None,
        pair: Pair[AnyClustering] | None = None,
        *,
        data: Any = None,
        options: LabelOptions | None = None,
        match: MatchBy = "auto",
    ) -> None:
        self.table = table
        self.match = match
        self.names = names
        self.profiles = profiles
        self.overlap = overlap
        self.pair = pair
        self.data = data
        self.options: LabelOptions = {} if options is None else options
        chosen = check_measures(
            measures,
            soft="a clustering" if self.is_soft else None,
            with_profiles=profiles is not None,
            with_centroids=overlap is not None,
        )
        self.values: dict[str, float] = {}
        for measure in chosen:
            if needs_profiles(measure):
                assert profiles is not None
                self.values[measure.name] = measure.function(*profiles)
            else:
                summary = overlap if needs_centroids(measure) else table
                self.values[measure.name] = measure.function(summary)

    @property
    def noise_label(self) -> Any:
        """The label of noise."""
        return self.options.get("noise_label", -1)

    @property
    def is_soft(self) -> bool:
        """Whether objects may be members of several clusters."""
        return isinstance(self.table, SoftOverlap)

    @cached_property
    def density(self) -> ProfileComparison:
        """The comparison of the density profiles (with ``X``).

        Clusters are matched as in ``matches``. With ``binning="width"``, the default of ADCO,
        differences of skewed features are shown in bins of equal counts (``"auto"``, see
        :class:`~clusterwise.Binning`). Those of a lazy frame, and of a binning that was fitted to
        other data, are shown in the bins of the measures.
        """
        if self.profiles is None:
            raise InputError("density needs the features of the objects; pass X to compare.")
        a, b = self.profiles
        pairs = (
            _indices(a, self.table.row_names[self.matching.rows]),
            _indices(b, self.table.column_names[self.matching.columns]),
        )
        n_clusters = sum(self.table.shape) - int(
            self.matching.noise_rows.sum() + self.matching.noise_columns.sum()
        )
        return ProfileComparison(
            a, b, self.names, pairs=pairs, n_clusters=n_clusters, shown=self._shown_profiles()
        )

    def _shown_profiles(self) -> tuple[DensityProfile, DensityProfile] | None:
        assert self.profiles is not None
        if self.pair is None or self.data is None:
            return None
        binning = self.profiles[0].binning.with_skewed_features(self.data)
        if binning is None:
            return None
        rows = self.data if self.pair.kept is None else take_rows(self.data, self.pair.kept)
        return read_profiles(
            self.pair.a, self.pair.b, rows, binning=binning, sample_weight=self.pair.weights
        )

    @cached_property
    def transport(self) -> TransportPlan:
        """The optimal transport plan between the clusters, weighted by size."""
        return mallows_plan(self.table, "size")

    def contributors(self, count: int = 10) -> list[Contribution]:
        """Return the objects that contribute most to the CSS distance (with ``X``)."""
        if self.overlap is None or self.pair is None:
            raise InputError("contributors needs the features of the objects; pass X to compare.")
        return contributions(self.pair, self.overlap, count)

    @cached_property
    def matching(self) -> ClusterMatching:
        """The matched clusters as indices, which all tables, sentences and plots use."""
        return match_clusters(self.table, self.match, noise_label=self.noise_label)

    @cached_property
    def matches(self) -> list[Match]:
        """The matched clusters, largest overlap first."""
        return find_matches(self.table, self.matching)

    @cached_property
    def unmatched(self) -> tuple[list[Any], list[Any]]:
        """The clusters of a and of b that are neither matched nor noise."""
        return find_unmatched(self.table, self.matching)

    @cached_property
    def changes(self) -> Changes:
        """What became of the clusters; see ``events``, ``moves`` and ``noise``."""
        if isinstance(self.table, Contingency):
            return find_changes(self.table, self.matching)
        return Changes([], [], NoiseFlow(0, 0, 0, (), ()))

    @property
    def events(self) -> list[Event]:
        """The clusters that were kept, split, merged, dissolved or appeared.

        - **kept**: matched clusters with a Jaccard index of at least 1/3, the value of two
          clusters of equal size that share half of their objects;
        - **split**: a cluster of a with at least 80% of its objects in two or more clusters of b
          that each have at least 5% of it and consist of its objects for at least two thirds;
        - **merged**: the reverse, for a cluster of b;
        - **dissolved**, **appeared**: the other clusters of a, and those of b.

        Noise is no cluster. Empty for soft clusterings.
        """
        return self.changes.events

    @property
    def moves(self) -> list[Move]:
        """The groups of objects that moved between clusters, largest first.

        These are the objects that are neither in matched clusters, nor in the parts of a cluster
        that was split or merged, nor noise. Empty for soft clusterings, where ``transport`` has the
        flow between the clusters.
        """
        return self.changes.moves

    @property
    def noise(self) -> NoiseFlow:
        """The number of noise objects, and where they come from."""
        return self.changes.noise

    def _sentences(self) -> list[str]:
        return sentences(self)

    def plot(self, kind: str = "flow", *, ax: Any = None, **options: Any) -> Any:
        """Plot the comparison (needs the extra ``plots``).

        Parameters
        ----------
        kind : {"flow", "contingency", "profiles", "scatter"}, default="flow"
            The flow of objects between the clusters, the contingency table with matched clusters
            on the diagonal, the density profiles of matched clusters, or a scatter plot of the
            objects in the colours of both clusterings. The last two need ``X``.
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Options of ``from_comparison`` of the display.

        Returns
        -------
        Display
            A display of :mod:`clusterwise.plots`.
        """
        return choose_display(kind, _DISPLAYS).from_comparison(self, **options).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return names, sizes, measures, matches, moves and transport as plain values."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "objects": self.table.n,
            "clusters": list(self.table.shape),
            "measures": dict(self.values),
            "matched_by": self.matching.by,
            "matches": [json_row(match._asdict()) for match in self.matches],
            "events": [
                {**event._asdict(), "parts": [json_row(part._asdict()) for part in event.parts]}
                for event in self.events
            ],
            "noise": {
                "before": self.noise.before,
                "after": self.noise.after,
                "both": self.noise.both,
            },
            "moves": [json_row(move._asdict()) for move in self.moves],
            "transport": self.transport.to_dict()["matches"],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row per measure."""
        columns = {
            "measure": list(self.values),
            "value": list(self.values.values()),
            "family": [CATALOGUE[name].family for name in self.values],
            "range": [CATALOGUE[name].range for name in self.values],
        }
        return to_frame(columns, library or self.table.library)

    def text_table(self) -> TextTable:
        """Return the table of measures."""
        return measure_table(self)

    def text_tables(self) -> list[TextTable]:
        """Return the tables of measures, matched clusters and moved objects."""
        return [self.text_table(), *match_tables(self)]


@documented
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
        Names from :func:`list_measures`; all that apply by default.
    names : tuple of two str, optional
        The names of the clusterings; by default those of the series or columns.
    match : {"auto", "name", "overlap"}, default="auto"
        How clusters are matched: ``"overlap"`` maximises the number of objects in matched clusters,
        ``"name"`` matches clusters of the same name, and the others by overlap. ``"auto"`` matches
        by name if at least two thirds of the names are in both clusterings and are not just
        numbers. Noise is never matched.
    binning, n_bins
        How the features are binned, as in :func:`adco_score`.
    {label_options}

    Returns
    -------
    Comparison
        The values of the measures, the matched clusters, the groups of objects that moved, the
        transport plan, and the objects that contribute most to the difference.

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
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    names = names or _default_names(a, b, in_frame=frame is not None)
    if frame is not None:
        if X is not None:
            raise InputError("X and frame are both given; name the frame's columns as features.")
        eager = read_eager_columns(frame, {"a": a, "b": b}, features, options)
        if eager is None:
            data = FrameData(frame, features, options)
            return _compare_lazy(data, a, b, measures, names, match, binning, n_bins, options)
        a, b, X, options = (
            eager.columns["a"], eager.columns["b"], eager.features, eager.label_options
        )  # fmt: skip
    elif features is not None:
        raise InputError("features are the names of columns of a frame; pass it as frame.")
    if isinstance(a, Contingency | SoftOverlap):
        _check_ready(a, b, X, options)
        return _compare_ready(a, measures, names, match)
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
        table, chosen, names, profiles, overlap, pair, data=X, options=options, match=match
    )


def _compare_lazy(
    data: FrameData, a: Any, b: Any, measures: Sequence[str] | None, names: tuple[str, str],
    match: MatchBy, binning: Binning | Method, n_bins: int, options: LabelOptions,
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
    return Comparison(table, chosen, names, profiles, overlap, options=options, match=match)


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
) -> Comparison:
    overlap = a if isinstance(a, SoftOverlap) and a.centroid_sums is not None else None
    table = table_of(a) if isinstance(a, SoftOverlap) else a
    return Comparison(
        table, _choose(measures, table, None, overlap), names, overlap=overlap, match=match
    )


def _indices(profile: DensityProfile, names: Array) -> Array:
    """Return the rows of clusters in a profile."""
    index = {name: k for k, name in enumerate(name_list(profile.names))}
    return np.array([index[name] for name in name_list(names)], np.int64)


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
