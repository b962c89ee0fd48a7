"""Everything about two clusterings of the same objects, from one pass."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import json_row, to_frame
from clusterwise._utils.lazy import choose_display, write_report
from clusterwise.comparing.compare_profiles import ProfileComparison, compare_profiles
from clusterwise.comparing.contributions import Contribution, contributions
from clusterwise.comparing.frames import FrameData, taken_out
from clusterwise.comparing.matches import Match, Move, find_matches, find_moves, find_unmatched
from clusterwise.comparing.text import grids, sentences
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import LabelOptions, Pair, align_clusterings, as_clustering
from clusterwise.inputs.features import has_means, take_rows
from clusterwise.measures._label_options import summarise
from clusterwise.measures.catalogue import CATALOGUE, Measure, find_measure
from clusterwise.measures.density import fit_binning, read_profiles
from clusterwise.measures.transport import mallows_plan
from clusterwise.measures.transport_plans import TransportPlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap, table_of
from clusterwise.summaries.profile.profile import DensityProfile

_KINDS = {
    "flow": "FlowDisplay",
    "contingency": "ContingencyDisplay",
    "profiles": "ProfileDisplay",
    "scatter": "ScatterPairDisplay",
}


class Comparison:
    """The result of :func:`compare`: prints as a table, here and in notebooks.

    Attributes
    ----------
    values : dict of str to float
        Every measure's value, by name.
    table : Contingency or SoftOverlap
        The contingency table (of soft clusterings the overlap) they come from.
    names : tuple of str
        What the two clusterings are called.
    pair : Pair or None
        The clusterings themselves, lined up; None if it was made of a ready table.
    data : object or None
        ``X`` as it was passed, all rows of it (``pair.kept`` are those that count).
    noise_label : object
        The label that means noise.
    """

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
        noise_label: Any = -1,
    ) -> None:
        self.table = table
        self.names = names
        self.profiles = profiles
        self.overlap = overlap
        self.pair = pair
        self.data = data
        self.noise_label = noise_label
        self.values = {name: self._value(find_measure(name)) for name in measures}

    def _value(self, measure: Measure) -> float:
        if measure.family == "density":
            if self.profiles is None:
                raise InputError(f"{measure.name} looks at the data; pass X.")
            return measure.function(*self.profiles)
        if measure.needs_data:
            if self.overlap is None:
                raise InputError(f"{measure.name} looks at the data; pass X.")
            return measure.function(self.overlap)
        if self.is_soft and not measure.soft:
            raise InputError(
                f"{measure.name} takes one label per object, but a clustering is soft; leave it "
                "out, or pass labels such as the memberships' argmax(axis=1)."
            )
        return measure.function(self.table)

    @property
    def is_soft(self) -> bool:
        """Whether objects may have shares in several clusters."""
        return isinstance(self.table, SoftOverlap)

    @cached_property
    def density(self) -> ProfileComparison:
        """Which clusters are dense in the same places, and where they differ (with ``X``)."""
        if self.profiles is None:
            raise InputError("density looks at the data; pass X to compare.")
        return compare_profiles(*self.profiles, names=self.names)

    @cached_property
    def transport(self) -> TransportPlan:
        """Where the clusters' weights go by the cheapest plan, clusters weighed by size."""
        return mallows_plan(self.table, "size")

    def contributors(self, count: int = 10) -> list[Contribution]:
        """The objects that add most to the CSS distance (with ``X``)."""
        if self.overlap is None or self.pair is None:
            raise InputError("contributors looks at the data; pass X to compare.")
        return contributions(self.pair, self.overlap, count)

    @cached_property
    def matches(self) -> list[Match]:
        """Which cluster matches which, largest overlap first."""
        return find_matches(self.table)

    @cached_property
    def moves(self) -> list[Move]:
        """Groups of objects outside the matching; none between soft clusterings.

        There the transport plan says where clusters went.
        """
        return find_moves(self.table) if isinstance(self.table, Contingency) else []

    @cached_property
    def unmatched(self) -> tuple[list[Any], list[Any]]:
        """Clusters of a and of b that have no partner."""
        return find_unmatched(self.table)

    def summary(self) -> str:
        """What the numbers say, in plain sentences."""
        return " ".join(sentences(self))

    def plot(self, kind: str = "flow", *, ax: Any = None, **options: Any) -> Any:
        """Draw it, with the extra ``plots``.

        Parameters
        ----------
        kind : {"flow", "contingency", "profiles", "scatter"}, default="flow"
            Who went where, the table ordered by the matching, where matched clusters are dense
            or all objects in both colours (the last two with ``X``).
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of ``from_comparison`` of the display.

        Returns
        -------
        Display
            From :mod:`clusterwise.plots`, drawn.
        """
        return choose_display(kind, _KINDS).from_comparison(self, **options).plot(ax=ax)

    def report(self, path: Any, *, title: str | None = None) -> Path:
        """Write it as one page of HTML with pictures, which needs the extra ``report``."""
        return write_report(self, path, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "objects": self.table.n,
            "clusters": list(self.table.shape),
            "measures": dict(self.values),
            "matches": [json_row(match._asdict()) for match in self.matches],
            "moves": [json_row(move._asdict()) for move in self.moves],
            "transport": self.transport.to_dict()["matches"],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Measures and values as a frame of the caller's dataframe library."""
        columns = {
            "measure": list(self.values),
            "value": list(self.values.values()),
            "family": [CATALOGUE[name].family for name in self.values],
            "range": [CATALOGUE[name].range for name in self.values],
        }
        return to_frame(columns, library or self.table.library)

    def __repr__(self) -> str:
        return "\n\n".join(grid.text() for grid in grids(self)) + "\n\n" + self.summary()

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        return Group(*grids(self), Text(self.summary()))

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(grid.html() for grid in grids(self)) + f"<p>{escape(self.summary())}</p>"


def compare(
    a: Any,
    b: Any = None,
    X: Any = None,
    *,
    frame: Any = None,
    features: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    **label_options: Unpack[LabelOptions],
) -> Comparison:
    """Compare two clusterings of the same objects: all measures from one pass.

    Parameters
    ----------
    a, b : array-like of shape (n,), or memberships of shape (n, K)
        Labels of the same objects, in any form; or membership matrices, dense or sparse,
        which the measures that know soft clusterings compare; or a ready
        :class:`~clusterwise.Contingency` or :class:`~clusterwise.SoftOverlap` as ``a``.
    X : array-like or frame of shape (n, R), optional
        The objects' features; with them the measures that look at the data are included
        (``css_distance`` if all are numbers and none is missing).
    frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark, optional
        Eager or lazy; ``a`` and ``b`` are then the names of its columns of labels (or lists of
        columns of memberships), ``sample_weight`` that of its column of weights. Of a lazy
        frame nothing but tables and profiles leave the engine.
    features : list of str, optional
        The columns of ``frame`` with the objects' features, in place of ``X``.
    measures : sequence of str, optional
        Names from :func:`list_measures`; all that apply by default.
    names : tuple of two str, optional
        What to call the clusterings; a series' own name by default.
    binning, n_bins
        How to bin the features, as in :func:`adco_score`.
    **label_options
        ``sample_weight``, ``noise``, ``noise_label`` and ``align``, as in every measure.

    Returns
    -------
    Comparison
        Values, who matches whom, which groups of objects moved, where clusters went by the
        cheapest plan, and on request which objects make the difference.

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

    Columns of a frame, which its own engine counts:

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"last": last, "this": this})
    >>> compare("last", "this", frame=frame, measures=["rand_score"]).values
    {'rand_score': 0.6}
    """
    if frame is not None:
        return _compare_frame(
            a, b, X, frame, features, measures, names, binning, n_bins, label_options
        )
    if features is not None:
        raise InputError("features names columns of a frame; pass it as frame.")
    if names is None:
        names = (_name_of(a, "a"), _name_of(b, "b"))
        if names[0] == names[1]:
            names = ("a", "b")
    if isinstance(a, Contingency | SoftOverlap):
        return _compare_ready(a, b, X, measures, names)
    pair = align_clusterings(as_clustering(a, "a"), as_clustering(b, "b"), **label_options)
    if not len(pair.a):
        raise InputError("there are no objects to compare; pass at least one.")
    noise = label_options.get("noise_label", -1)
    if X is None:
        table = summarise(pair)
        return Comparison(table, _chosen(measures, table), names, pair=pair, noise_label=noise)
    overlap = None
    if "css_distance" in (measures or ()) or (measures is None and has_means(X)):
        overlap = SoftOverlap.from_pair(pair, X)
    table = summarise(pair) if overlap is None else table_of(overlap)
    chosen = _chosen(measures, table, with_data=True, with_centres=overlap is not None)
    profiles = None
    if any(CATALOGUE[name].family == "density" for name in chosen if name in CATALOGUE):
        # Bins are those of all objects, also of those that are left out as noise.
        bins = fit_binning(X, a, binning, n_bins)
        rows = X if pair.kept is None else take_rows(X, pair.kept)
        profiles = read_profiles(pair.a, pair.b, rows, binning=bins, sample_weight=pair.weights)
    return Comparison(table, chosen, names, profiles, overlap, pair, data=X, noise_label=noise)


def _compare_frame(
    a: Any, b: Any, X: Any, frame: Any, features: Sequence[str] | None,
    measures: Sequence[str] | None, names: tuple[str, str] | None, binning: Binning | Method,
    n_bins: int, label_options: LabelOptions,
) -> Comparison:  # fmt: skip
    if X is not None:
        raise InputError("X and frame are both given; name the frame's columns as features.")
    if names is None:
        names = (a, b) if isinstance(a, str) and isinstance(b, str) and a != b else ("a", "b")
    eager = taken_out(frame, {"a": a, "b": b}, features, label_options)
    if eager is not None:
        columns, X, label_options = eager
        return compare(
            columns["a"], columns["b"], X, measures=measures, names=names, binning=binning,
            n_bins=n_bins, **label_options,
        )  # fmt: skip
    data = FrameData(frame, features, label_options)
    overlap = None
    if features is not None and (
        "css_distance" in (measures or ()) or (measures is None and data.has_means())
    ):
        overlap = data.overlap(a, b)
    table = data.table(a, b) if overlap is None else table_of(overlap)
    if table.n == 0:
        raise InputError("there are no objects to compare; pass at least one.")
    chosen = _chosen(
        measures, table, with_data=features is not None, with_centres=overlap is not None
    )
    profiles = None
    if features is not None and any(
        CATALOGUE[name].family == "density" for name in chosen if name in CATALOGUE
    ):
        data.fit(binning, n_bins)
        profiles = data.profiles(a, b)
    noise = label_options.get("noise_label", -1)
    return Comparison(table, chosen, names, profiles, overlap, noise_label=noise)


def _compare_ready(
    a: Contingency | SoftOverlap,
    b: Any,
    X: Any,
    measures: Sequence[str] | None,
    names: tuple[str, str],
) -> Comparison:
    if b is not None:
        raise InputError("a is a ready table that stands for both clusterings; leave b out.")
    if X is not None:
        raise InputError("X needs the labels of its objects; pass them in place of a table.")
    if a.n == 0:
        raise InputError("there are no objects to compare; pass at least one.")
    overlap = a if isinstance(a, SoftOverlap) and a.centres is not None else None
    table = table_of(a) if isinstance(a, SoftOverlap) else a
    chosen = _chosen(measures, table, with_centres=overlap is not None)
    return Comparison(table, chosen, names, overlap=overlap)


def _chosen(
    measures: Sequence[str] | None,
    table: Contingency | SoftOverlap,
    *,
    with_data: bool = False,
    with_centres: bool = False,
) -> list[str]:
    """The measures asked for, or all that apply."""
    if measures is not None:
        return list(measures)
    hard = isinstance(table, Contingency)
    return [
        one.name
        for one in CATALOGUE.values()
        if (hard or one.soft)
        and (not one.needs_data or (with_data if one.family == "density" else with_centres))
    ]


def _name_of(labels: Any, otherwise: str) -> str:
    name = getattr(labels, "name", None)
    return name if isinstance(name, str) and name else otherwise
