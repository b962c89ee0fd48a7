"""The tables that describe the comparison of two clusterings."""

from collections.abc import Sequence
from math import isfinite
from typing import Protocol

from clusterwise._utils.tables import TextTable, format_number, format_percent
from clusterwise.comparing.change_sentences import say_objects
from clusterwise.comparing.events import Event, Move
from clusterwise.comparing.matches import ClusterMatching, Match
from clusterwise.comparing.significance import Significance
from clusterwise.comparing.verdict import count_clusters, say_noise_as
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

MAX_ROWS = 10
_PARTS = 5


class ComparisonParts(Protocol):
    """The attributes of a comparison that the tables and sentences use."""

    values: dict[str, float]
    names: tuple[str, str]
    table: Contingency | SoftOverlap
    significance: dict[str, Significance] | None

    @property
    def matching(self) -> ClusterMatching:
        """The matched clusters, by index."""

    @property
    def matches(self) -> list[Match]:
        """The matched clusters."""

    @property
    def events(self) -> list[Event]:
        """What became of the clusters."""

    @property
    def moves(self) -> list[Move]:
        """The groups of objects that moved."""


def measure_table(comparison: ComparisonParts) -> TextTable:
    """Return a table with the value, range and meaning of each measure."""
    table, (a, b) = comparison.table, comparison.names
    rows = [
        [
            name,
            format_number(value),
            *_significance_cells(comparison, name),
            CATALOGUE[name].range,
            CATALOGUE[name].meaning,
        ]
        for name, value in comparison.values.items()
    ]
    objects = say_objects(table.n)
    if table.matched is not None:
        objects = f"matched by index, {table.matched}"
    matching = comparison.matching
    in_a = count_clusters(table.row_names, matching.noise_rows, table.row_sums)
    in_b = count_clusters(table.column_names, matching.noise_columns, table.column_sums)
    title = f"{a} ({in_a}) against {b} ({in_b}): {objects}{say_measured_noise(matching)}"
    more = [] if comparison.significance is None else ["by chance", "p-value", "95% interval"]
    header = ["measure", "value", *more, "range", "meaning"]
    last = len(header) - 1
    return TextTable(header, rows, title, frozenset({0, last - 1, last}), spare=last)


def _significance_cells(comparison: ComparisonParts, name: str) -> list[str]:
    """Return the expected value, the p-value and the interval of a measure, if they are known."""
    if comparison.significance is None:
        return []
    found = comparison.significance[name]
    interval = f"{format_number(found.low)} … {format_number(found.high)}"
    return [
        format_number(found.expected) if isfinite(found.expected) else "–",
        format_p_value(found.p_value, found.p_error),
        interval if isfinite(found.low) else "–",
    ]


def format_p_value(p: float, error: float) -> str:
    """Return a p-value with four decimals, and its standard error if it has one."""
    if not isfinite(p):
        return "–"
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f} ± {error:.4f}" if error else f"{p:.4f}"


def say_measured_noise(matching: ClusterMatching) -> str:
    """Return what noise is to the measures, for the title of their table; empty without noise."""
    noise = say_noise_as(matching)
    return f"; the measures take {noise}" if noise else ""


def match_tables(comparison: ComparisonParts, max_rows: int = MAX_ROWS) -> list[TextTable]:
    """Return the tables of matched clusters, changed ones and moved objects that have rows."""
    a, b = comparison.names
    tables = []
    matches = comparison.matches[:max_rows]
    if matches:
        lines = [
            [
                str(match.a),
                str(match.b),
                format_number(match.shared),
                format_percent(match.share_of_a),
                format_percent(match.share_of_b),
            ]
            for match in matches
        ]
        shown = _range_shown(matches, comparison.matches)
        title = f"Matched clusters, by {comparison.matching.by}{shown}"
        header = [f"cluster of {a}", f"cluster of {b}", "shared", f"of {a}'s", f"of {b}'s"]
        tables.append(TextTable(header, lines, title, frozenset({0, 1})))
    events = [event for event in comparison.events if event.kind != "kept"]
    if events:
        tables.append(_event_table(events, comparison.names, max_rows))
    moves = comparison.moves[:max_rows]
    if moves:
        lines = [
            [
                str(move.source),
                str(move.target),
                format_number(move.objects),
                format_percent(move.share),
            ]
            for move in moves
        ]
        title = f"Moved objects{_range_shown(moves, comparison.moves)}"
        header = [f"from {a}", f"to {b}", "objects", "of all"]
        tables.append(TextTable(header, lines, title, frozenset({0, 1})))
    return tables


def _list_parts(event: Event) -> list[str]:
    """Return where the objects of a cluster went or came from, noise last."""
    listed = [f"{part.cluster} ({format_number(part.objects)})" for part in event.parts[:_PARTS]]
    if len(event.parts) > _PARTS:
        listed.append("…")
    rest = event.objects - sum(part.objects for part in event.parts)
    if event.kind in ("dissolved", "appeared") and rest > 0:
        listed.append(f"noise ({format_number(rest)})")
    return listed


def _event_table(events: list[Event], names: tuple[str, str], max_rows: int) -> TextTable:
    """Return a table of the clusters that were split, merged, dissolved or appeared."""
    a, b = names
    lines = [
        [
            str(event.cluster),
            b if event.kind in ("merged", "appeared") else a,
            event.kind,
            format_number(event.objects),
            ", ".join(_list_parts(event)),
        ]
        for event in events[:max_rows]
    ]
    title = f"Clusters that changed{_range_shown(lines, events)}"
    header = ["cluster", "of", "change", "objects", "to or from clusters"]
    return TextTable(header, lines, title, frozenset({0, 1, 2, 4}))


def _range_shown(shown: Sequence[object], rows: Sequence[object]) -> str:
    return "" if len(shown) == len(rows) else f" (first {len(shown)} of {len(rows)})"
