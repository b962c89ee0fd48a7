"""What became of the clusters: kept, split, merged, dissolved, appeared; objects that moved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise.comparing.matches import ClusterMatching
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.summaries.contingency.contingency import Contingency

# Matched clusters are the same cluster from this Jaccard index on: that of two clusters of equal
# size that share half of their objects. Objects that are noise in the other clustering do not
# count, but at least half of the smaller cluster is shared (without noise this follows).
KEPT, SHARED = 1 / 3, 0.5
# A cluster splits into clusters of which at least two thirds are its objects, each with at least a
# twentieth of it, and together with at least four fifths. Merging is the reverse.
MOSTLY, PIECE, TOGETHER = 2 / 3, 0.05, 0.8

Kind = Literal["kept", "split", "merged", "dissolved", "appeared"]


class Move(NamedTuple):
    """Objects that changed clusters: from one of a to one of b.

    ``share`` is their proportion of all objects.
    """

    source: Any
    target: Any
    objects: int | float
    share: float


class Part(NamedTuple):
    """A part of a cluster: where it went or came from, and its proportion of the cluster."""

    cluster: Any
    objects: int | float
    share: float


class Event(NamedTuple):
    """What became of a cluster.

    Attributes
    ----------
    kind : {"kept", "split", "merged", "dissolved", "appeared"}
        A cluster of a was kept, split or dissolved; a cluster of b was merged or appeared.
    cluster : object
        The name of the cluster.
    objects : int or float
        The number of its objects.
    parts : tuple of Part
        Where they went (of a cluster of a), or where they came from (of a cluster of b), largest
        part first. For ``"split"`` and ``"merged"`` those of the definition, for ``"kept"`` the
        matched cluster, for the others all, without noise. Of a merged cluster, ``share`` is the
        proportion of the part's own cluster.
    """

    kind: Kind
    cluster: Any
    objects: int | float
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class NoiseFlow:
    """How many objects are noise in a and in b, and where those come from that became noise.

    Attributes
    ----------
    before, after, both : int or float
        The number of noise objects in a, in b, and in both.
    sources : tuple of Part
        The clusters of a with objects that are noise in b, largest number first; ``share`` is the
        proportion of the cluster.
    targets : tuple of Part
        The clusters of b with objects that are noise in a.
    """

    before: int | float
    after: int | float
    both: int | float
    sources: tuple[Part, ...]
    targets: tuple[Part, ...]


@dataclass(frozen=True)
class Changes:
    """All that became of the clusters of a comparison."""

    events: list[Event]
    moves: list[Move]
    noise: NoiseFlow

    def of_kind(self, kind: Kind) -> list[Event]:
        """Return the events of one kind, those with the most objects first."""
        return [event for event in self.events if event.kind == kind]


class _Side(NamedTuple):
    """The clusters that objects leave (or come from), and those at the other end."""

    own: Array
    other: Array
    names: list[Any]
    other_names: list[Any]
    sizes: Array
    other_sizes: Array
    noise: Array


def find_changes(table: Contingency, matching: ClusterMatching) -> Changes:
    """Return what became of the clusters, from the contingency table alone."""
    rows, columns, counts = table.nonzero
    names = name_list(table.row_names), name_list(table.column_names)
    sizes = table.row_sums, table.column_sums
    noise = matching.noise_rows, matching.noise_columns
    forward = _Side(rows, columns, *names, *sizes, noise[0])
    backward = _Side(columns, rows, *names[::-1], *sizes[::-1], noise[1])
    clustered = ~noise[0][rows] & ~noise[1][columns]
    split = _pieces(forward, counts, clustered)
    merged = _pieces(backward, counts, clustered)
    partner = np.full(len(names[0]), -1, np.int64)
    partner[matching.rows] = matching.columns
    matched = clustered & (partner[rows] == columns)
    same = matched & _are_same(forward, counts, clustered)
    in_events = _marked(rows[split], names[0]), _marked(columns[merged], names[1])
    pieces = _marked(columns[split], names[1]), _marked(rows[merged], names[0])
    kept = same & ~in_events[0][rows] & ~in_events[1][columns]
    known = (
        in_events[0] | pieces[1] | _marked(rows[kept], names[0]),
        in_events[1] | pieces[0] | _marked(columns[kept], names[1]),
    )
    if matching.by == "name":  # a name that stays has neither dissolved nor appeared
        both = set(names[0]).intersection(names[1])
        known = tuple(
            one | np.array([name in both for name in side], bool)
            for one, side in zip(known, names, strict=True)
        )
    events = [
        *_events("kept", forward, counts, kept),
        *_events("split", forward, counts, split),
        *_events("merged", backward, counts, merged),
        *_events("dissolved", forward, counts, clustered, ~known[0] & ~noise[0]),
        *_events("appeared", backward, counts, clustered, ~known[1] & ~noise[1]),
    ]
    moved = np.flatnonzero(clustered & ~matched & ~split & ~merged)
    moved = moved[np.argsort(-counts[moved], kind="stable")]
    parts = (
        table.row_names[rows[moved]],
        table.column_names[columns[moved]],
        counts[moved],
        counts[moved] / table.n,
    )
    moves = [Move(*row) for row in zip(*map(name_list, parts), strict=True)]
    return Changes(events, moves, _noise_flow(forward, backward, counts))


def _are_same(side: _Side, counts: Array, clustered: Array) -> Array:
    """Return the cells whose clusters are the same, as far as their objects are not noise."""
    inside = [
        np.bincount(ends[clustered], weights=counts[clustered], minlength=len(names))[ends]
        for ends, names in ((side.own, side.names), (side.other, side.other_names))
    ]
    smaller = np.minimum(side.sizes[side.own], side.other_sizes[side.other])
    # Where a cell is noise there may be no object left.
    union = np.where(clustered, inside[0] + inside[1] - counts, np.inf)
    return (counts >= KEPT * union) & (counts >= SHARED * smaller)


def _pieces(side: _Side, counts: Array, clustered: Array) -> Array:
    """Return the cells by which clusters split into several."""
    piece = (
        clustered
        & (counts >= MOSTLY * side.other_sizes[side.other])
        & (counts >= PIECE * side.sizes[side.own])
    )
    n = len(side.names)
    several = np.bincount(side.own[piece], minlength=n) > 1
    together = np.bincount(side.own[piece], weights=counts[piece], minlength=n)
    return piece & (several & (together >= TOGETHER * side.sizes))[side.own]


def _marked(indices: Array, names: list[Any]) -> Array:
    marked = np.zeros(len(names), bool)
    marked[indices] = True
    return marked


def _events(
    kind: Kind, side: _Side, counts: Array, cells: Array, clusters: Array | None = None
) -> Iterator[Event]:
    """Yield an event for each cluster with chosen cells, or for each chosen cluster."""
    chosen = np.flatnonzero(cells)
    if clusters is None:
        clusters = _marked(side.own[chosen], side.names)
    chosen = chosen[clusters[side.own[chosen]]]
    parts: dict[int, list[Part]] = {k: [] for k in np.flatnonzero(clusters).tolist()}
    for cell in chosen[np.argsort(-counts[chosen], kind="stable")].tolist():
        own, other, count = side.own[cell], side.other[cell], counts[cell].item()
        whole = side.other_sizes[other] if kind == "merged" else side.sizes[own]
        parts[int(own)].append(Part(side.other_names[other], count, count / whole.item()))
    order = sorted(parts, key=lambda k: -side.sizes[k])
    for k in order:
        yield Event(kind, side.names[k], side.sizes[k].item(), tuple(parts[k]))


def _noise_flow(forward: _Side, backward: _Side, counts: Array) -> NoiseFlow:
    in_a, in_b = forward.noise[forward.own], backward.noise[backward.own]

    def total(cells: Array) -> int | float:
        return counts[cells].sum().item()

    return NoiseFlow(
        total(in_a),
        total(in_b),
        total(in_a & in_b),
        _sums(forward, counts, ~in_a & in_b),
        _sums(backward, counts, in_a & ~in_b),
    )


def _sums(side: _Side, counts: Array, cells: Array) -> tuple[Part, ...]:
    """Return the clusters of some cells; noise may be many clusters of single objects."""
    sums = np.zeros(len(side.names), counts.dtype)
    np.add.at(sums, side.own[cells], counts[cells])
    order = np.argsort(-sums, kind="stable")[: np.count_nonzero(sums)].tolist()
    return tuple(
        Part(side.names[k], sums[k].item(), (sums[k] / side.sizes[k]).item()) for k in order
    )
