"""The sentences on two clusterings: how much they agree, and what became of the clusters.

Every number in them is a count or a proportion of the contingency table.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from clusterwise._utils.tables import (
    format_amount,
    format_count,
    format_list,
    format_share,
)
from clusterwise.comparing.change_sentences import (
    plural,
    say_event,
    say_name,
    say_noise,
    say_objects,
)
from clusterwise.comparing.events import Changes, Kind, Move
from clusterwise.comparing.matches import ClusterMatching, is_number, match_clusters
from clusterwise.comparing.significance import AGREEMENT as AGREEMENT_MEASURE, Significance
from clusterwise.comparing.significance_sentences import UNRELATED, say_significant_agreement
from clusterwise.inputs.clusterings import DroppedObjects, LabelOptions
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.measures.transport_plans import TransportPlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

# Words for the adjusted Rand index, from the largest; docs/results/agreement.md shows what
# they mean when objects change clusters at random.
AGREEMENT = (
    (0.95, "are almost the same"),
    (0.7, "agree well"),
    (0.35, "agree moderately"),
    (0.1, "agree weakly"),
    (0.02, "have almost nothing in common"),
)
# A cluster with at least this proportion of the objects is mentioned.
_DOMINANT = 0.9
# Names have changed meaning if matching by overlap keeps this proportion of the objects more.
_RENAMED = 0.1
# Which objects an option leaves out, and why.
_LEFT_OUT = {
    "noise": ("noise objects", "as noise"),
    "missing": ("objects without a label", "without a label"),
}
# The largest numbers of events of a kind, of clusters and of moves in sentences.
_MAX_EVENTS, _MAX_CLUSTERS, _MAX_MOVES = 3, 6, 3


class ComparisonParts(Protocol):
    """The attributes of a comparison that the sentences use."""

    names: tuple[str, str]
    values: dict[str, float]
    table: Contingency | SoftOverlap
    options: LabelOptions
    dropped: DroppedObjects | None
    significance: dict[str, Significance] | None

    @property
    def matching(self) -> ClusterMatching:
        """The matched clusters."""

    @property
    def changes(self) -> Changes:
        """What became of the clusters."""

    @property
    def transport(self) -> TransportPlan:
        """The optimal transport plan."""

    @property
    def noise_label(self) -> Any:
        """The label of noise."""


def agreement_words(score: float) -> str:
    """Return the words for an adjusted Rand index."""
    return next((words for least, words in AGREEMENT if score >= least), UNRELATED)


def sentences(comparison: ComparisonParts) -> list[str]:
    """Describe how much two clusterings agree, how they are related and where they differ."""
    return [*_compared(comparison), *say_dropped(comparison)]


def say_dropped(comparison: ComparisonParts) -> list[str]:
    """Say how many objects were left out as noise or without a label."""
    dropped, options = comparison.dropped, comparison.options
    reasons = [_LEFT_OUT[option] for option in _LEFT_OUT if options.get(option) == "drop"]
    if not reasons or (dropped is not None and not dropped.objects):
        return []
    if dropped is None:
        which = " and ".join(objects for objects, _ in reasons)
        return [f"{which.capitalize()} were left out."]
    n, why = dropped.objects, " or ".join(reason for _, reason in reasons)
    share = (
        f"{format_amount(n)} of {say_objects(dropped.total)} ({format_share(n / dropped.total)})"
    )
    return [f"{share} {'was' if n == 1 else 'were'} left out {why}."]


def _compared(comparison: ComparisonParts) -> list[str]:
    """Describe the comparison of the objects that were not left out."""
    table, (a, b) = comparison.table, comparison.names
    matching = comparison.matching
    if table.is_one_to_one and _noise_stays(comparison):
        return [_same(comparison)]
    if isinstance(table, SoftOverlap):
        return [*_shared_memberships(comparison), *_transported(comparison)]
    found = [
        *_agreement(comparison, table),
        *_dominant_cluster(a, table.row_sums[~matching.noise_rows], table.n),
        *_dominant_cluster(b, table.column_sums[~matching.noise_columns], table.n),
    ]
    if _is_unrelated(table):
        found += _spread(comparison, table)
    else:
        found += [
            *_stay(comparison, table),
            *_changed_names(comparison, table),
            *_events(comparison, table),
            *_refinement(comparison, table),
        ]
    return [*found, *say_noise(comparison.changes.noise, comparison.names, table.n)]


def count_clusters(names: Sequence[Any] | Array, noise: Array, sizes: Array) -> str:
    """Return "3 clusters", or "2 clusters and 69 noise objects"."""
    clusters = format_count(len(names) - int(np.count_nonzero(noise)), "cluster")
    objects = sizes[noise].sum().item()
    if not objects:
        return clusters
    return f"{clusters} and {format_amount(objects)} noise {plural('object', objects)}"


def say_noise_as(matching: ClusterMatching) -> str:
    """Return what noise is to the measures: "noise as a cluster"; empty if there is none."""
    most = int(max(matching.noise_rows.sum(), matching.noise_columns.sum()))
    return ["", "noise as a cluster", "each noise object as a cluster"][min(most, 2)]


def _noise_stays(comparison: ComparisonParts) -> bool:
    rows, columns, _ = comparison.table.cells.nonzero
    matching = comparison.matching
    return bool((matching.noise_rows[rows] == matching.noise_columns[columns]).all())


def _same(comparison: ComparisonParts) -> str:
    (a, b), table = comparison.names, comparison.table
    names, others = name_list(table.row_names), name_list(table.column_names)
    rows, columns, _ = table.cells.nonzero
    renamed = [
        (names[i], others[j])
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        if names[i] != others[j]
    ]
    if not renamed:
        return f"{a} and {b} are the same clustering."
    if all(is_number(name) or name not in others for name, _ in renamed):
        return f"{a} and {b} are the same clustering, up to the names of the clusters."
    each = [f'"{say_name(old)}" is now called "{say_name(new)}"' for old, new in renamed]
    return (
        f"{a} and {b} are the same clustering, but the names have changed meaning: "
        f"{format_list(each, _MAX_CLUSTERS)}."
    )


def _agreement(comparison: ComparisonParts, table: Contingency) -> list[str]:
    a, b = comparison.names
    for name, noise, n_clusters in (
        (a, comparison.matching.noise_rows, table.shape[0]),
        (b, comparison.matching.noise_columns, table.shape[1]),
    ):
        if n_clusters == 1:
            has = "no cluster but noise" if noise.any() else "a single cluster"
            return [f"{name} has {has}, so there is nothing to agree on."]
        if n_clusters == table.n and not table.cells.weighted:
            return [
                f"Each object is a cluster of its own in {name}, so there is nothing to agree on."
            ]
    score = adjusted_rand_score(table)
    rounded = round(score, 2) + 0.0  # not "-0.00"
    words = agreement_words(rounded)
    counted = say_noise_as(comparison.matching)
    index = f"adjusted Rand index {rounded:.2f}{f' with {counted}' if counted else ''}"
    if comparison.significance is None:
        return [f"{a} and {b} {words} ({index}; 0 is chance, 1 is identical)."]
    return say_significant_agreement(
        comparison.names, index, words, comparison.significance[AGREEMENT_MEASURE]
    )


def _is_unrelated(table: Contingency) -> bool:
    return 1 in table.shape or round(adjusted_rand_score(table), 2) < AGREEMENT[-1][0]


def _spread(comparison: ComparisonParts, table: Contingency) -> list[str]:
    """Say that clusters are spread over all others, if they are."""
    if 1 in table.shape or table.cells.filled < table.shape[0] * table.shape[1]:
        return []
    a, b = comparison.names
    return [f"Each cluster of {a} is spread over all clusters of {b}."]


def _dominant_cluster(name: str, sizes: Array, n: float) -> list[str]:
    if sizes.size < 2 or sizes.max().item() / n < _DOMINANT:
        return []
    return [f"{name} puts {format_share(sizes.max().item() / n)} of the objects in one cluster."]


def _stay(comparison: ComparisonParts, table: Contingency) -> list[str]:
    matching = comparison.matching
    n, stay = table.n, matching.overlap
    share = f"{format_amount(stay)} of {say_objects(n)} ({format_share(stay / n)})"
    if matching.by == "name":
        kept = dict(zip(matching.rows.tolist(), matching.overlaps.tolist(), strict=True))
        names, sizes = name_list(table.row_names), table.row_sums.tolist()
        known = set(name_list(table.column_names))
        each = [
            f"{say_name(names[i])} {format_share(kept.get(i, 0) / sizes[i])}"
            for i in np.argsort(-table.row_sums, kind="stable").tolist()
            if not matching.noise_rows[i] and (names[i] in known or i in kept)
        ]
        same = matching.rows.size == len(
            known.intersection(name_list(table.row_names[matching.rows]))
        )
        how = "Matched by name" if same else "Matched by name, and others by overlap"
        found = [f"{how}, {share} stay: {format_list(each, _MAX_CLUSTERS)}."]
    elif _is_all_said(comparison.changes):
        return []
    else:
        found = [f"{share} are in matching clusters."]
    return [*found, *_moves(comparison)]


def _is_all_said(changes: Changes) -> bool:
    """Return whether sentences on splits and merges say what became of every object."""
    n_events = (len(changes.of_kind(kind)) for kind in ("split", "merged"))
    return _only_splits(changes) and max(n_events) <= _MAX_EVENTS


def _only_splits(changes: Changes) -> bool:
    """Return whether all clusters are kept, split or merged, and no other object moved."""
    noise = changes.noise
    return (
        not changes.moves
        and not changes.of_kind("dissolved")
        and not changes.of_kind("appeared")
        and noise.before == noise.after == noise.both
        and bool(changes.of_kind("split") or changes.of_kind("merged"))
    )


def _moves(comparison: ComparisonParts) -> list[str]:
    """Describe the objects that moved, other than those of clusters that dissolved or are new."""
    changes, matching, (a, b) = comparison.changes, comparison.matching, comparison.names
    dissolved = [event.cluster for event in changes.of_kind("dissolved")]
    appeared = [event.cluster for event in changes.of_kind("appeared")]
    moves = [
        move
        for move in changes.moves
        if move.source not in dissolved and move.target not in appeared
    ]
    if not moves:
        return []
    each = [
        f"{format_amount(move.objects)} from {say_name(move.source)} to {say_name(move.target)}"
        for move in moves[:_MAX_MOVES]
    ]
    same = matching.by == "overlap" and _means_another(moves, comparison)
    moved = f"{say_objects(sum(move.objects for move in moves))} moved"
    if len(moves) == 1:
        source, target = (say_name(cluster) for cluster in moves[0][:2])
        if same:
            source, target = f"cluster {source} of {a}", f"cluster {target} of {b}"
        return [f"{moved} from {source} to {target}."]
    moved += f" from clusters of {a} to those of {b}" * same
    if len(moves) > _MAX_MOVES:
        return [f"{moved}; the largest group: {each[0]}."]
    return [f"{moved}: {format_list(each)}."]


def _means_another(moves: Sequence[Move], comparison: ComparisonParts) -> bool:
    """Return whether the name of a cluster that lost or got objects is that of another cluster."""
    matching, table = comparison.matching, comparison.table
    names = name_list(table.row_names), name_list(table.column_names)
    partners = {
        (names[0][i], names[1][j])
        for i, j in zip(matching.rows.tolist(), matching.columns.tolist(), strict=True)
    }
    both = {name for name in set(names[0]).intersection(names[1]) if (name, name) not in partners}
    return any(move.source in both or move.target in both for move in moves)


def _changed_names(comparison: ComparisonParts, table: Contingency) -> list[str]:
    """Say so if clusters of the same name seem to be different clusters."""
    matching = comparison.matching
    if matching.by != "name":
        return []
    best = match_clusters(table, "overlap", noise_label=comparison.noise_label)
    names, others = name_list(table.row_names), name_list(table.column_names)
    renamed = [
        (names[i], others[j], count / table.row_sums[i].item())
        for i, j, count in zip(
            best.rows.tolist(), best.columns.tolist(), best.overlaps.tolist(), strict=True
        )
        if names[i] != others[j] and names[i] in others and 2 * count > table.row_sums[i].item()
    ]
    if not renamed or best.overlap - matching.overlap < _RENAMED * table.n:
        return []
    each = [
        f'"{say_name(old)}" is now called "{say_name(new)}" ({format_share(share)})'
        for old, new, share in renamed
    ]
    return [
        f"The names seem to have changed meaning: most of {format_list(each, _MAX_EVENTS)}. If "
        'they only number the clusters of two runs, compare with match="overlap"; by overlap, '
        f"{format_share(best.overlap / table.n)} of the objects stay."
    ]


def _events(comparison: ComparisonParts, table: Contingency) -> Iterator[str]:
    a, b = comparison.names
    changes = comparison.changes
    more: dict[Kind, str] = {
        "split": f"of {a} split",
        "merged": f"of {b} merged from several",
        "dissolved": f"of {a} dissolved",
        "appeared": f"of {b} appeared",
    }
    for kind, others in more.items():
        events = changes.of_kind(kind)
        for event in events[:_MAX_EVENTS]:
            yield say_event(event, (a, b))
        if len(events) > _MAX_EVENTS:
            yield f"{format_count(len(events) - _MAX_EVENTS, 'more cluster')} {others}."
    if comparison.matching.by == "name":
        yield from _renamed(comparison, table)
    else:
        yield from _remaining(changes)
    if _rest_is_unchanged(changes):
        yield "Everything else is unchanged."


def _rest_is_unchanged(changes: Changes) -> bool:
    """Return whether there are only clean splits and merges, and clusters that are the same."""
    clean = all(
        sum(part.objects for part in event.parts) == event.objects for event in changes.events
    )
    return clean and bool(changes.of_kind("kept")) and _only_splits(changes)


def _remaining(changes: Changes) -> Iterator[str]:
    """Match the clusters that are left where others were lost to noise, unless by their names."""
    kept = changes.of_kind("kept")
    if all(event.cluster == event.parts[0].cluster for event in kept):
        return
    others = changes.of_kind("split") + changes.of_kind("merged") + changes.of_kind("appeared")
    lost = changes.noise.sources and changes.of_kind("dissolved")
    if not lost or others or len(kept) > _MAX_CLUSTERS:
        return
    each = [
        f"{format_share(event.parts[0].share)} of {say_name(event.cluster)} is in "
        f"{say_name(event.parts[0].cluster)}"
        for event in kept
    ]
    yield f"The remaining clusters match: {format_list(each, len(each))}."


def _renamed(comparison: ComparisonParts, table: Contingency) -> Iterator[str]:
    """Name the matched clusters whose names are different."""
    names, others = name_list(table.row_names), name_list(table.column_names)
    for event in comparison.changes.of_kind("kept"):
        part = event.parts[0]
        if event.cluster not in others and part.cluster not in names:
            share = format_share(part.share)
            yield f"{share} of {say_name(event.cluster)} is now in {say_name(part.cluster)}."


def _refinement(comparison: ComparisonParts, table: Contingency) -> list[str]:
    a, b = comparison.names
    matching = comparison.matching
    if matching.noise_rows.any() or matching.noise_columns.any():
        return []
    if table.cells.filled == table.shape[1]:
        return [f"{b} is a refinement of {a}: each cluster of {b} lies inside one of {a}."]
    if table.cells.filled == table.shape[0]:
        return [f"{a} is a refinement of {b}: each cluster of {a} lies inside one of {b}."]
    return []


def _shared_memberships(comparison: ComparisonParts) -> list[str]:
    (a, b), table = comparison.names, comparison.table
    shared = format_share(comparison.matching.overlap / table.n)
    found = [f"{a} and {b} share {shared} of their memberships in matched clusters."]
    if "variation_of_information" in comparison.values or "rand_score" in comparison.values:
        found.append(
            "Measures of pairs and of information take memberships as label probabilities, so "
            "they count softness as disagreement; mallows_distance and irm_score do not."
        )
    return found


def _transported(comparison: ComparisonParts) -> list[str]:
    """Describe the clusters of soft clusterings that the optimal transport plan splits."""
    split = comparison.transport.sentences(split=True)
    if not split:
        return []
    more = f" ({len(split) - _MAX_EVENTS} more)" if len(split) > _MAX_EVENTS else ""
    return [f"By the optimal transport plan, {' '.join(split[:_MAX_EVENTS])}{more}"]
