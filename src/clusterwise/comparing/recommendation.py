"""The result of recommending measures."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

from clusterwise._utils.export import to_frame
from clusterwise._utils.results import Described
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_list,
    format_number,
    format_score,
)
from clusterwise.comparing.failings import PARTS, Failings
from clusterwise.measures.catalogue import find_measure

# By chance, a measure that is not adjusted is said to be as high from this value on.
_BY_CHANCE = 0.05
# A measure is said to favour many clusters if it grows by this much.
_FAVOURS = 0.05
# A lost cluster is said to be hardly noticed from this value on.
_HARDLY_NOTICED = 0.9


class Advice(NamedTuple):
    """A measure, the reasons to use it (none if it is not recommended), and its failings.

    ``failings`` is None if they are not known: without cluster sizes, and for measures of features.
    """

    measure: str
    reasons: tuple[str, ...]
    failings: Failings | None

    @property
    def recommended(self) -> bool:
        """Whether the measure is recommended."""
        return bool(self.reasons)


class Recommendation(Described, TableRepr):
    """The result of :func:`recommend`: prints measures, reasons and failings.

    Attributes
    ----------
    advice : list of Advice
        The recommended measures, then those that are often used but misleading for these sizes.
    measures : tuple of str
        The recommended measures.
    """

    def __init__(self, advice: Sequence[Advice], smallest: int | None = None) -> None:
        self.advice = list(advice)
        self._smallest = smallest

    @property
    def measures(self) -> tuple[str, ...]:
        """The recommended measures."""
        return tuple(one.measure for one in self.advice if one.recommended)

    def _sentences(self) -> list[str]:
        """Name the measures, the reasons, and what to know of each."""
        found = [f"Use {format_list(self.measures)}."]
        for one in self.advice:
            if one.recommended:
                found.append(f"{one.measure}: {', and '.join(one.reasons)}.")
                found += self._say_failings(one)
        for one in self.advice:
            if not one.recommended:
                found.append(f"Avoid {one.measure}: {self._say_chance(one)}.")
        return found

    def _say_failings(self, one: Advice) -> Iterator[str]:
        measure, failings = find_measure(one.measure), one.failings
        if failings is None or measure.direction == "distance" or measure.high != "1":
            return
        if not measure.adjusted and failings.by_chance >= _BY_CHANCE:
            yield f"It is not adjusted for chance: {self._say_chance(one)}."
        lost, smallest = failings.if_smallest_lost, self._smallest
        if isfinite(lost) and lost >= _HARDLY_NOTICED and measure.symmetric and smallest:
            size = format_count(smallest, "object")
            yield (
                f"It hardly notices small clusters: it is {format_score(lost)} if the smallest one "
                f"({size}) joins the largest."
            )

    def _say_chance(self, one: Advice) -> str:
        assert one.failings is not None
        chance, finer = one.failings.by_chance, one.failings.by_chance_if_finer
        said = f"independent clusterings of these sizes score {format_score(chance)}"
        if finer >= chance + _FAVOURS:
            said += f", and {format_score(finer)} if one has {PARTS} times as many clusters"
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        return {"measures": self._rows()}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per measure."""
        rows = self._rows()
        return to_frame({name: [row[name] for row in rows] for name in rows[0]}, library)

    def text_table(self) -> TextTable:
        """Return a row per measure, with its failings if they are known."""
        known = any(one.failings is not None for one in self.advice)
        rows = []
        for one in self.advice:
            values = ["" if value is None else format_number(value) for value in _values(one)]
            use = "yes" if one.recommended else "no"
            rows.append([one.measure, use, *values * known, "; ".join(one.reasons)])
        failings = ["by chance", "if finer", "smallest lost"] * known
        header = ["measure", "use", *failings, "why"]
        last = len(header) - 1
        return TextTable(header, rows, "Recommended measures", frozenset({0, 1, last}), spare=last)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "measure": one.measure,
                "recommended": one.recommended,
                **dict(zip(Failings._fields, _values(one), strict=True)),
                "reasons": "; ".join(one.reasons),
            }
            for one in self.advice
        ]


def _values(one: Advice) -> list[float | None]:
    values = (None,) * len(Failings._fields) if one.failings is None else one.failings
    return [value if value is not None and isfinite(value) else None for value in values]
