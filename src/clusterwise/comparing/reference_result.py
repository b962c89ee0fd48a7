"""The result of a comparison of several clusterings with a reference."""

from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import Result
from clusterwise._utils.tables import TextTable, format_count, format_list, format_number
from clusterwise.comparing.corrections import correct_p_values
from clusterwise.comparing.significance_sentences import LEVEL, say_p_value, say_range
from clusterwise.comparing.text import format_p_value
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.intervals import Difference, Interval


class ReferenceComparison(Result):
    """The result of :func:`compare_to`.

    Attributes
    ----------
    reference : str
        The name of the reference.
    names : list of str
        The names of the clusterings.
    measure : str
        The measure of how close they are to the reference.
    values : ndarray of shape (m,)
        The measure of the reference and each clustering.
    intervals : list of Interval
        The 95% confidence interval of each value.
    differences : list of lists of Difference
        ``differences[i][j]`` is the value of i minus that of j, with the ends of its interval and
        the p-value of no difference.
    n : int
        The number of objects.
    """

    def __init__(
        self,
        reference: str,
        names: Sequence[str],
        measure: str,
        values: Array,
        intervals: Sequence[Interval],
        differences: Sequence[Sequence[Difference]],
        n: int,
        library: str | None = None,
    ) -> None:
        self.reference = reference
        self.names = list(names)
        self.measure = measure
        self.values = values
        self.intervals = list(intervals)
        self.differences = [list(row) for row in differences]
        self.n = n
        self._library = library

    @property
    def p_values(self) -> Array:
        """The p-values of no difference, of shape (m, m); NaN on the diagonal."""
        found = np.array([[one.p_value for one in row] for row in self.differences])
        np.fill_diagonal(found, np.nan)
        return found

    @cached_property
    def adjusted_p_values(self) -> Array:
        """The p-values, corrected for the number of pairs by Holm's method."""
        upper = np.triu_indices(len(self.names), 1)
        found = np.full(self.p_values.shape, np.nan)
        found[upper] = found.T[upper] = correct_p_values(self.p_values[upper], "holm")
        return found

    @cached_property
    def ranks(self) -> list[int]:
        """1 plus the number of clusterings that are closer to the reference by more than chance.

        That is if the adjusted p-value is at most 5%. Clusterings with the same rank are tied.
        """
        sign = -1.0 if find_measure(self.measure).direction == "distance" else 1.0
        better = [
            [
                bool(sign * other.value > 0 and self.adjusted_p_values[j, i] <= LEVEL)
                for j, other in enumerate(row[i] for row in self.differences)
            ]
            for i in range(len(self.names))
        ]
        return [1 + sum(row) for row in better]

    @cached_property
    def order(self) -> list[int]:
        """The clusterings by rank, and within a rank from the closest on."""
        sign = 1.0 if find_measure(self.measure).direction == "distance" else -1.0
        return sorted(range(len(self.names)), key=lambda i: (self.ranks[i], sign * self.values[i]))

    def _sentences(self) -> list[str]:
        """Name the closest clustering, or those that are tied, and the ranking."""
        first = [i for i in self.order if self.ranks[i] == 1]
        closest = self.order[0]
        value = f"{self.measure} {format_number(float(self.values[closest]))}"
        interval = self.intervals[closest]
        if isfinite(interval.low):
            value += f", 95% interval {say_range(interval.low, interval.high)}"
        if len(first) == 1:
            found = [f"{self.names[closest]} is closest to {self.reference} ({value})."]
        else:
            tied = format_list([self.names[i] for i in first])
            found = [
                f"Which clustering is closest to {self.reference} is open: {tied} are tied; the "
                f"best value is that of {self.names[closest]} ({value})."
            ]
        if len(self.names) == 2:
            return [*found, self._say_difference(closest, self.order[1])]
        ranked = format_list(
            [f"{self.names[i]} ({self.ranks[i]})" for i in self.order], len(self.names)
        )
        pairs = format_count(len(self.names) * (len(self.names) - 1) // 2, "pair")
        return [
            *found,
            f"By rank: {ranked}. A rank is 1 plus the number of clusterings that are closer at the "
            f"{LEVEL:.0%} level (p-values corrected for {pairs} by Holm).",
        ]

    def _say_difference(self, i: int, j: int) -> str:
        found = self.differences[i][j]
        if found.low == found.high:
            return "Both have the same value, also without any one of the objects."
        if not isfinite(found.low):
            return "Their difference has no interval: leaving out any object changes nothing."
        ends = f"{format_number(found.low)} to {format_number(found.high)}"
        return (
            f"Its value differs from that of {self.names[j]} by {format_number(found.value)} (95% "
            f"interval {ends}, {say_p_value(found.p_value)})."
        )

    def plot(self, *, ax: Any = None) -> Any:
        """Plot the values with their intervals (needs the extra ``plots``).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        """
        return load_display("ReferenceDisplay")(self).plot(ax=ax)

    def to_dict(self) -> dict[str, Any]:
        """Return names, values, intervals, ranks and differences as plain values."""
        return {
            "reference": self.reference,
            "measure": self.measure,
            "objects": self.n,
            "clusterings": [
                {
                    "name": self.names[i],
                    "rank": self.ranks[i],
                    "value": float(self.values[i]),
                    "low": _plain(self.intervals[i].low),
                    "high": _plain(self.intervals[i].high),
                }
                for i in self.order
            ],
            "differences": [
                {
                    "a": self.names[i],
                    "b": self.names[j],
                    **{key: _plain(one) for key, one in self.differences[i][j]._asdict().items()},
                    "adjusted_p_value": _plain(float(self.adjusted_p_values[i, j])),
                }
                for i, j in self._pairs
            ],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row per clustering, by rank."""
        rows = self.to_dict()["clusterings"]
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        return to_frame(columns, library or self._library)

    def text_table(self) -> TextTable:
        """Return the clusterings by rank."""
        rows = [
            [
                str(self.ranks[i]),
                self.names[i],
                format_number(float(self.values[i])),
                _range(self.intervals[i].low, self.intervals[i].high),
            ]
            for i in self.order
        ]
        title = f"{self.measure} of {self.reference} and each clustering"
        header = ["rank", "clustering", "value", "95% interval"]
        return TextTable(header, rows, title, frozenset({1}))

    def text_tables(self) -> list[TextTable]:
        """Return the clusterings by rank, and the differences of all pairs."""
        rows = []
        for i, j in self._pairs:
            found = self.differences[i][j]
            rows.append(
                [
                    self.names[i],
                    self.names[j],
                    format_number(found.value),
                    _range(found.low, found.high),
                    format_p_value(found.p_value, 0.0),
                    format_p_value(float(self.adjusted_p_values[i, j]), 0.0),
                ]
            )
        header = ["clustering", "minus", "difference", "95% interval", "p-value", "adjusted"]
        return [
            self.text_table(),
            TextTable(header, rows, "Differences, p-values adjusted by Holm", frozenset({0, 1})),
        ]

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """The pairs, the one of the smaller rank first."""
        return [(i, j) for k, i in enumerate(self.order) for j in self.order[k + 1 :]]


def _plain(value: float) -> float | None:
    return value if isfinite(value) else None


def _range(low: float, high: float) -> str:
    return f"{format_number(low)} … {format_number(high)}" if isfinite(low) else "–"
