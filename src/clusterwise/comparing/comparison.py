"""Everything about two clusterings of the same objects, from one pass."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np

from clusterwise.binning import Binning, Method
from clusterwise.clusterings import Reading
from clusterwise.comparing.profiles import ProfileComparison, compare_profiles
from clusterwise.comparing.render import grids, sentences
from clusterwise.dataframes import to_frame
from clusterwise.encoding import name_list
from clusterwise.errors import InputError
from clusterwise.measures.catalogue import CATALOGUE, OF_LABELS, Measure, find_measure
from clusterwise.measures.density import read_profiles
from clusterwise.summaries.contingency import Contingency
from clusterwise.summaries.profile import DensityProfile


class Match(NamedTuple):
    """Two clusters that belong together in the best one-to-one matching."""

    a: Any
    b: Any
    shared: int | float
    share_of_a: float
    share_of_b: float
    jaccard: float


class Move(NamedTuple):
    """A group of objects that left their matched cluster."""

    source: Any
    target: Any
    objects: int | float
    share: float


class Comparison:
    """The result of :func:`compare`: prints as a table, here and in notebooks.

    Attributes
    ----------
    values : dict of str to float
        Every measure's value, by name.
    table : Contingency
        The contingency table they all come from.
    names : tuple of str
        What the two clusterings are called.
    """

    def __init__(
        self,
        table: Contingency,
        measures: Sequence[str],
        names: tuple[str, str],
        profiles: tuple[DensityProfile, DensityProfile] | None = None,
    ) -> None:
        self.table = table
        self.names = names
        self.profiles = profiles
        self.values = {name: self._value(find_measure(name)) for name in measures}

    def _value(self, measure: Measure) -> float:
        if not measure.needs_data:
            return measure.function(self.table)
        if self.profiles is None:
            raise InputError(f"{measure.name} looks at the data; pass X.")
        return measure.function(*self.profiles)

    @cached_property
    def density(self) -> ProfileComparison:
        """Which clusters are dense in the same places, and where they differ (with ``X``)."""
        if self.profiles is None:
            raise InputError("density looks at the data; pass X to compare.")
        return compare_profiles(*self.profiles, names=self.names)

    @cached_property
    def matches(self) -> list[Match]:
        """Which cluster matches which, largest overlap first."""
        table, (rows, columns, shared) = self.table, self.table.matching
        in_a, in_b = table.row_sums[rows], table.column_sums[columns]
        order = np.argsort(-shared, kind="stable")
        parts = (
            table.row_names[rows],
            table.column_names[columns],
            shared,
            shared / in_a,
            shared / in_b,
            shared / (in_a + in_b - shared),
        )
        return [
            Match(*row) for row in zip(*(name_list(part[order]) for part in parts), strict=True)
        ]

    @cached_property
    def moves(self) -> list[Move]:
        """Groups of objects outside the matching: from where, to where, how many."""
        table = self.table
        rows, columns, counts = table.nonzero
        partner = np.full(table.shape[0], -1, np.int64)
        partner[table.matching.rows] = table.matching.columns
        moved = np.flatnonzero(partner[rows] != columns)
        moved = moved[np.argsort(-counts[moved], kind="stable")]
        parts = (
            table.row_names[rows[moved]],
            table.column_names[columns[moved]],
            counts[moved],
            counts[moved] / table.n,
        )
        return [Move(*row) for row in zip(*map(name_list, parts), strict=True)]

    @cached_property
    def unmatched(self) -> tuple[list[Any], list[Any]]:
        """Clusters of a and of b that have no partner."""
        left = []
        for names, used in (
            (self.table.row_names, self.table.matching.rows),
            (self.table.column_names, self.table.matching.columns),
        ):
            alone = np.ones(len(names), bool)
            alone[used] = False
            left.append(name_list(names[alone]))
        return left[0], left[1]

    def reading(self) -> str:
        """What the numbers say, in plain sentences."""
        return " ".join(sentences(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "objects": self.table.n,
            "clusters": list(self.table.shape),
            "measures": dict(self.values),
            "matches": [_plain(match._asdict()) for match in self.matches],
            "moves": [_plain(move._asdict()) for move in self.moves],
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
        return "\n\n".join(grid.text() for grid in grids(self)) + "\n\n" + self.reading()

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        return Group(*grids(self), Text(self.reading()))

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(grid.html() for grid in grids(self)) + f"<p>{escape(self.reading())}</p>"


def compare(
    a: Any,
    b: Any = None,
    X: Any = None,
    *,
    measures: Sequence[str] | None = None,
    names: tuple[str, str] | None = None,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    **reading: Unpack[Reading],
) -> Comparison:
    """Compare two clusterings of the same objects: all measures from one pass.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Labels of the same objects, in any form; or a ready
        :class:`~clusterwise.Contingency` as ``a``.
    X : array-like or frame of shape (n, R), optional
        The objects' attributes; with them the density measures are included.
    measures : sequence of str, optional
        Names from :func:`list_measures`; all that apply by default.
    names : tuple of two str, optional
        What to call the clusterings; a series' own name by default.
    binning, n_bins
        How to bin the attributes, as in :func:`adco_score`.
    **reading
        ``sample_weight``, ``noise``, ``noise_label`` and ``align``, as in every measure.

    Returns
    -------
    Comparison
        Values, who matches whom, and which groups of objects moved.

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
    """
    if isinstance(a, Contingency):
        if b is not None:
            raise InputError("a is a ready table that stands for both clusterings; leave b out.")
        table = a
    else:
        table = Contingency.from_labels(a, b, **reading)
    if table.n == 0:
        raise InputError("there are no objects to compare; pass at least one.")
    if names is None:
        names = (_name_of(a, "a"), _name_of(b, "b"))
        if names[0] == names[1]:
            names = ("a", "b")
    profiles = None
    if X is not None:
        if isinstance(a, Contingency):
            raise InputError("X needs the labels of its objects; pass them in place of a table.")
        options: Reading = {**reading}
        options.pop("align", None)
        profiles = read_profiles(a, b, X, binning=binning, n_bins=n_bins, **options)
    if measures is None:
        measures = list(OF_LABELS if X is None else CATALOGUE)
    return Comparison(table, list(measures), names, profiles)


def _name_of(labels: Any, otherwise: str) -> str:
    name = getattr(labels, "name", None)
    return name if isinstance(name, str) and name else otherwise


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Names that JSON does not know become texts."""
    return {
        key: value if isinstance(value, str | int | float | bool) else str(value)
        for key, value in values.items()
    }
