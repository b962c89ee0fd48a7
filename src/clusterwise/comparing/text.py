"""The tables and the sentences that describe the comparison of two clusterings."""

from collections.abc import Sequence
from typing import Protocol

from clusterwise._utils.tables import TextTable, format_count, format_number, format_percent
from clusterwise.comparing.matches import Match, Move
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.measures.transport_plans import TransportPlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

MAX_ROWS = 10
_MAX_SPLITS = 3
# A cluster with at least this proportion of the objects is mentioned.
_DOMINANT = 0.9
# Steinley's rules of thumb for the adjusted Rand index (Psychological Methods 9, 2004), with the
# range below his "poor" divided in two.
_AGREEMENT = (
    (0.9, "are almost the same"),
    (0.8, "agree well"),
    (0.65, "agree moderately"),
    (0.3, "agree poorly"),
    (0.1, "have little in common"),
)


class ComparisonParts(Protocol):
    """The attributes of a comparison that the tables and sentences use."""

    values: dict[str, float]
    names: tuple[str, str]
    table: Contingency | SoftOverlap

    @property
    def is_soft(self) -> bool:
        """Whether a clustering is soft."""

    @property
    def matches(self) -> list[Match]:
        """The matched clusters."""

    @property
    def moves(self) -> list[Move]:
        """The groups of objects outside the matching."""

    @property
    def transport(self) -> TransportPlan:
        """The optimal transport plan."""


def measure_table(comparison: ComparisonParts) -> TextTable:
    """Return a table with the value, range and meaning of each measure."""
    table, (a, b) = comparison.table, comparison.names
    rows = [
        [name, format_number(value), CATALOGUE[name].range, CATALOGUE[name].meaning]
        for name, value in comparison.values.items()
    ]
    objects = "1 object" if table.n == 1 else f"{format_number(table.n)} objects"
    if table.matched is not None:
        objects = f"matched by index, {table.matched}"
    in_a, in_b = (format_count(size, "cluster") for size in table.shape)
    title = f"{a} ({in_a}) against {b} ({in_b}): {objects}"
    header = ["measure", "value", "range", "meaning"]
    return TextTable(header, rows, title, frozenset({0, 2, 3}), spare=3)


def match_tables(comparison: ComparisonParts, max_rows: int = MAX_ROWS) -> list[TextTable]:
    """Return the tables of matched clusters and of moved objects that are not empty."""
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
        title = f"Matched clusters{_range_shown(matches, comparison.matches)}"
        header = [f"cluster of {a}", f"cluster of {b}", "shared", f"of {a}'s", f"of {b}'s"]
        tables.append(TextTable(header, lines, title, frozenset({0, 1})))
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


def sentences(comparison: ComparisonParts) -> list[str]:
    """Describe how much two clusterings agree, how they are related and where they differ."""
    table, (a, b) = comparison.table, comparison.names
    if table.is_one_to_one:
        return [f"{a} and {b} are the same clustering, up to the names of the clusters."]
    if comparison.is_soft:
        return [*_shared_memberships(comparison), *_splits(comparison)]
    found = [
        _agreement(comparison),
        *_dominant_cluster(a, table.row_sums, table.n),
        *_dominant_cluster(b, table.column_sums, table.n),
    ]
    if table.cells.filled == table.shape[1]:
        found.append(f"Every cluster of {b} lies inside a cluster of {a}: {b} splits {a}.")
    elif table.cells.filled == table.shape[0]:
        found.append(f"Every cluster of {a} lies inside a cluster of {b}: {b} merges {a}.")
    overlap = table.matching.overlap
    found.append(
        f"{format_number(overlap)} of {format_number(table.n)} objects "
        f"({format_percent(overlap / table.n)}) stay in matched clusters."
    )
    if comparison.moves:
        move = comparison.moves[0]
        found.append(
            f"The largest group that moved: {format_number(move.objects)} from cluster "
            f"{move.source} of {a} to cluster {move.target} of {b}."
        )
    return [*found, *_splits(comparison)]


def _shared_memberships(comparison: ComparisonParts) -> list[str]:
    (a, b), table = comparison.names, comparison.table
    shared = format_percent(table.matching.overlap / table.n)
    found = [f"{a} and {b} share {shared} of their memberships in matched clusters."]
    if "variation_of_information" in comparison.values or "rand_score" in comparison.values:
        found.append(
            "Measures of pairs and of information take memberships as label probabilities, so "
            "they count softness as disagreement; mallows_distance and irm_score do not."
        )
    return found


def _splits(comparison: ComparisonParts) -> list[str]:
    """Describe the clusters that the optimal transport plan splits."""
    split = comparison.transport.sentences(split=True)
    if not split:
        return []
    more = f" ({len(split) - _MAX_SPLITS} more)" if len(split) > _MAX_SPLITS else ""
    return [f"By optimal transport, {' '.join(split[:_MAX_SPLITS])}{more}"]


def _dominant_cluster(name: str, sizes: Array, n: float) -> list[str]:
    largest = sizes.max().item() / n
    if sizes.size == 1 or largest < _DOMINANT:
        return []
    return [f"{name} puts {format_percent(largest)} of the objects in one cluster."]


def _agreement(comparison: ComparisonParts) -> str:
    a, b = comparison.names
    if 1 in comparison.table.shape:
        single = a if comparison.table.shape[0] == 1 else b
        return f"{single} has a single cluster, so there is nothing to agree on."
    score = adjusted_rand_score(comparison.table)
    words = next(
        (words for least, words in _AGREEMENT if score >= least), "agree no more than chance"
    )
    rounded = round(score, 2) + 0.0  # not "-0.00"
    return f"{a} and {b} {words} (adjusted Rand index {rounded:.2f}; 1 is identical, 0 is chance)."


def _range_shown(shown: Sequence[object], rows: Sequence[object]) -> str:
    return "" if len(shown) == len(rows) else f" (first {len(shown)} of {len(rows)})"
