"""The stability of clusterings with several numbers of clusters."""

from collections.abc import Iterator
from typing import Any

from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.results import RemembersData, Result
from clusterwise._utils.tables import TextTable, format_list, format_number, format_score
from clusterwise.stability.assessment import Assessment
from clusterwise.stability.null_models import WORDS

_MOST_NUMBERS = 12


class NumberAssessment(RemembersData, Result):
    """The result of :func:`assess` for several numbers of clusters: prints a row for each.

    Iterating over it, or ``[k]``, returns the assessments.

    Attributes
    ----------
    assessments : dict of int to Assessment
        The assessment of each number of clusters.
    stable : tuple of int
        The numbers of clusters that are more stable than the null models.
    suggested : int or None
        Of these, the one whose adjusted Rand index exceeds that of the null model most.
    data : array-like, frame or None
        The features, as they were passed; they are not pickled.
    """

    _print_summary = True

    def __init__(self, assessments: dict[int, Assessment], data: Any = None) -> None:
        self.assessments, self.data = assessments, data

    def __getitem__(self, n_clusters: int) -> Assessment:
        return self.assessments[n_clusters]

    def __iter__(self) -> Iterator[Assessment]:
        return iter(self.assessments.values())

    def __len__(self) -> int:
        return len(self.assessments)

    @property
    def stable(self) -> tuple[int, ...]:
        """The numbers of clusters that are more stable than the null models."""
        return tuple(number for number, one in self.assessments.items() if one.stable)

    @property
    def suggested(self) -> int | None:
        """The stable number whose adjusted Rand index exceeds the null model's most."""
        gains = {number: self[number].ari - self[number].null_ari for number in self.stable}
        return max(gains, key=lambda number: gains[number]) if gains else None

    def _sentences(self) -> list[str]:
        """Describe which numbers of clusters are stable."""
        tested = format_list([str(number) for number in self.assessments], _MOST_NUMBERS)
        best = self.suggested
        if best is None:
            closest = max(self, key=lambda one: one.ari - one.null_ari)
            return [
                f"None of {tested} clusters is more stable than chance.",
                f"The closest is {closest.n_clusters}, with an adjusted Rand index of "
                f"{format_score(closest.ari)} against {format_score(closest.null_ari)} for "
                f"{WORDS[closest.null.null]}.",
            ]
        numbers = format_list([str(number) for number in self.stable], _MOST_NUMBERS)
        are = "are" if len(self.stable) > 1 else "is"
        most = f"; {best} most clearly" if len(self.stable) > 1 else ""
        one = self[best]
        return [
            f"Of {tested} clusters, {numbers} {are} more stable than chance{most} (adjusted Rand "
            f"{format_score(one.ari)} against {format_score(one.null_ari)} for "
            f"{WORDS[one.null.null]}).",
            f"With {best} clusters: {' '.join(one._sentences())}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON; NaN becomes None."""
        return {
            "stable": list(self.stable),
            "suggested": self.suggested,
            "assessments": {str(number): one.to_dict() for number, one in self.assessments.items()},
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the stability of each number of clusters as plain Python values."""
        return [self._row(number) for number in self.assessments]

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per number of clusters."""
        rows = self.rows()
        return to_frame({name: [row[name] for row in rows] for name in rows[0]}, library)

    def text_table(self) -> TextTable:
        """Return a row per number of clusters."""
        rows = []
        for number, one in self.assessments.items():
            row = self._row(number)
            names = ("ari", "low", "high", "null_ari", "null_high", "p_value", "relative_pac")
            values = (format_number(row[name]) for name in names)
            stable = sum(cluster.stable for cluster in one.stability)
            rows.append(
                [
                    str(number),
                    *values,
                    f"{stable} / {one.n_clusters}",
                    "yes" if row["stable"] else "no",
                ]
            )
        header = [
            "clusters", "adjusted Rand", "low", "high", "chance", "high", "p-value",
            "relative PAC", "stable clusters", "beyond chance",
        ]  # fmt: skip
        left = frozenset({0, len(header) - 1})
        found = format_list([str(number) for number in self.stable] or ["none"], _MOST_NUMBERS)
        return TextTable(header, rows, f"Stable beyond chance: {found}", left=left, spare=7)

    def _row(self, number: int) -> dict[str, Any]:
        one = self[number]
        low, high = one.ari_interval
        return {
            "n_clusters": number,
            "ari": one.ari,
            "low": low,
            "high": high,
            "null_ari": one.null_ari,
            "null_high": one.null.high,
            "p_value": max(null.p_value for null in one.nulls.values()),
            "pac": one.pac,
            "relative_pac": one.relative_pac,
            "stable": one.stable,
        }

    def plot(self, *, ax: Any = None) -> Any:
        """Plot the stability of each number of clusters as a :class:`NumberAssessmentDisplay`."""
        return load_display("NumberAssessmentDisplay")(self).plot(ax=ax)
