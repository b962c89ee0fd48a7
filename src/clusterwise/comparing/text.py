"""A comparison for people: three small tables, and what they say."""

from typing import TYPE_CHECKING

from clusterwise._utils.tables import TextTable, format_count, format_number, format_percent
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.pairs import adjusted_rand_score

if TYPE_CHECKING:
    from clusterwise.comparing.compare import Comparison
    from clusterwise.inputs.encoding import Array

_ROWS = 10
_SPLITS = 3
# A largest cluster beyond this share of the objects is worth a sentence.
_LOPSIDED = 0.9
# Steinley's rules of thumb for the adjusted Rand index (Psychological Methods 9, 2004),
# with the range below his "poor" told apart from chance.
_WORDS = (
    (0.9, "are almost the same"),
    (0.8, "agree well"),
    (0.65, "agree moderately"),
    (0.3, "agree poorly"),
    (0.1, "have little in common"),
)


def grids(comparison: "Comparison", rows: int = _ROWS) -> list[TextTable]:
    """Measures, matched clusters and moves, of which at most so many are shown."""
    a, b = comparison.names
    found = [_measures(comparison)]
    matches = comparison.matches[:rows]
    if matches:
        lines = [
            [
                str(m.a),
                str(m.b),
                format_number(m.shared),
                format_percent(m.share_of_a),
                format_percent(m.share_of_b),
            ]
            for m in matches
        ]
        title = f"Who matches whom{_of(len(matches), len(comparison.matches))}"
        header = [f"cluster of {a}", f"cluster of {b}", "shared", f"of {a}'s", f"of {b}'s"]
        found.append(TextTable(header, lines, title, frozenset({0, 1})))
    moves = comparison.moves[:rows]
    if moves:
        lines = [
            [str(m.source), str(m.target), format_number(m.objects), format_percent(m.share)]
            for m in moves
        ]
        title = f"Who moved{_of(len(moves), len(comparison.moves))}"
        header = [f"from {a}", f"to {b}", "objects", "of all"]
        found.append(TextTable(header, lines, title, frozenset({0, 1})))
    return found


def sentences(comparison: "Comparison") -> list[str]:
    """How alike, in what way, and where the difference lies."""
    table, (a, b) = comparison.table, comparison.names
    if table.is_one_to_one:
        return [f"{a} and {b} are the same clustering, but perhaps for the clusters' names."]
    if comparison.is_soft:
        return [*_shared_memberships(comparison), *_splits(comparison)]
    said = [
        _agreement(comparison),
        *_lopsided(a, table.row_sums, table.n),
        *_lopsided(b, table.column_sums, table.n),
    ]
    if table.cells.filled == table.shape[1]:
        said.append(f"Every cluster of {b} lies inside a cluster of {a}: {b} splits {a}.")
    elif table.cells.filled == table.shape[0]:
        said.append(f"Every cluster of {a} lies inside a cluster of {b}: {b} merges {a}.")
    overlap = table.matching.overlap
    said.append(
        f"{format_number(overlap)} of {format_number(table.n)} objects "
        f"({format_percent(overlap / table.n)}) stay in "
        "matched clusters."
    )
    if comparison.moves:
        move = comparison.moves[0]
        said.append(
            f"The largest group that moved: {format_number(move.objects)} from cluster "
            f"{move.source} of {a} to cluster {move.target} of {b}."
        )
    return [*said, *_splits(comparison)]


def _shared_memberships(comparison: "Comparison") -> list[str]:
    (a, b), table = comparison.names, comparison.table
    share = table.matching.overlap / table.n
    said = [f"{a} and {b} share {format_percent(share)} of their memberships, clusters matched."]
    if "variation_of_information" in comparison.values or "rand_score" in comparison.values:
        said.append(
            "Measures of pairs and of information draw each object's label by its memberships, so "
            "they count softness as disagreement; mallows_distance and irm_score do not."
        )
    return said


def _splits(comparison: "Comparison") -> list[str]:
    """Where clusters went that the cheapest plan shares out."""
    split = comparison.transport.sentences(split=True)
    if not split:
        return []
    more = f" ({len(split) - _SPLITS} more)" if len(split) > _SPLITS else ""
    return [f"By the cheapest plan, {' '.join(split[:_SPLITS])}{more}"]


def _lopsided(name: str, sizes: "Array", n: float) -> list[str]:
    share = sizes.max().item() / n
    if sizes.size == 1 or share < _LOPSIDED:
        return []
    return [f"{name} puts {format_percent(share)} of the objects in one cluster."]


def _agreement(comparison: "Comparison") -> str:
    a, b = comparison.names
    if 1 in comparison.table.shape:
        single = a if comparison.table.shape[0] == 1 else b
        return f"{single} has a single cluster, so there is nothing to agree on."
    score = adjusted_rand_score(comparison.table)
    words = next((words for least, words in _WORDS if score >= least), "agree no more than chance")
    # Not "-0.00".
    shown = round(score, 2) + 0.0
    return f"{a} and {b} {words} (adjusted Rand index {shown:.2f}; 1 is identical, 0 is chance)."


def _measures(comparison: "Comparison") -> TextTable:
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
    return TextTable(
        ["measure", "value", "range", "meaning"], rows, title, frozenset({0, 2, 3}), spare=3
    )


def _of(shown: int, total: int) -> str:
    return "" if shown == total else f" (first {shown} of {total})"
