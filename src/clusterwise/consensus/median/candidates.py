"""Candidates for a median partition, which know how far they are from an ensemble."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.consensus.overlaps import first_clusters
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed
from clusterwise.kernels.median import changes, fill, shake, sweep

# A table of so many cells takes a quarter of a GB.
_CELLS = 2**25
# A start has at most so many clusters, or four for each that is asked for, before any are merged.
_ENOUGH = 64
_TRIALS = 1000


class Objects(NamedTuple):
    """The different objects, and all that is known of them.

    ``rows`` are their labels, objects × clusterings; ``known`` is how many objects
    there are in each cluster of the ensemble, ``shares`` how much each clustering counts.
    """

    rows: Array
    weights: Array
    first: Array
    shares: Array
    known: Array

    @classmethod
    def read(cls, collapsed: Collapsed, shares: Array) -> "Objects":
        """What is known of the different objects of an ensemble."""
        ensemble, weights, _ = collapsed
        known = [
            np.bincount(codes[codes >= 0], weights[codes >= 0], size)
            for codes, size in zip(ensemble.codes, ensemble.sizes, strict=True)
        ]
        rows = np.ascontiguousarray(ensemble.codes.T)
        first = first_clusters(ensemble)
        return cls(rows, weights.astype(np.float64), first, shares, np.concatenate(known))

    @property
    def sizes(self) -> Array:
        """How many clusters each clustering has."""
        return np.diff(self.first)

    def pairs(self) -> float:
        """How many pairs of objects the clusterings know, each as often as it counts."""
        n = np.add.reduceat(self.known, self.first[:-1])
        return float(self.shares @ (n * (n - 1) / 2))


class Found(NamedTuple):
    """A clustering, its distance from the ensemble, and how often all objects could move."""

    distance: float
    labels: Array
    rounds: int


def nearer(one: Found, other: Found) -> Found:
    """The nearer of two; the first one if they are the same."""
    return other if other.distance < one.distance else one


class Candidate:
    """A clustering of the different objects; ``free`` if its number of clusters may change."""

    def __init__(self, objects: Objects, labels: Array, width: int, free: bool) -> None:
        if width * int(objects.first[-1]) > _CELLS:
            raise InputError(
                f"a clustering into {width} clusters cannot be held against the "
                f"{objects.first[-1]} clusters of the ensemble; pass clusterings with fewer."
            )
        self.objects = objects
        self.labels = labels
        self.free = free
        self.rounds = 1
        self.table = np.zeros((objects.first[-1], width))
        self.known = np.zeros((objects.shares.size, width))
        self.members = np.zeros(width, np.int64)
        rows, weights, first, _, _ = objects
        fill(rows, first, weights, labels, self.table, self.known, self.members)

    def distance(self) -> float:
        """Pairs of objects on which it disagrees with the clusterings."""
        rows = np.repeat(self.objects.shares, self.objects.sizes)
        own = self.objects.shares @ (self.known**2).sum(axis=1)
        theirs = rows @ self.objects.known**2
        both = rows @ np.einsum("ij,ij->i", self.table, self.table)
        return float(own + theirs - 2 * both) / 2

    def found(self) -> Found:
        """What it is now."""
        return Found(self.distance(), self.labels.copy(), self.rounds)

    def sweep(self, placed: bool = True) -> int:
        """Let each object join the cluster where it costs least; return how many moved.

        Unless ``placed``, only those that are in no cluster yet.
        """
        rows, weights, first, shares, _ = self.objects
        return int(
            sweep(
                *(rows, first, weights, shares),
                *(self.labels, self.table, self.known, self.members, self.free, placed),
            )
        )

    def descend(self, rounds: int) -> None:
        """Move objects, and merge clusters if their number is free, as long as that helps."""
        for self.rounds in range(1, rounds + 1):
            moved = self.sweep()
            if not moved and not (self.free and self.merge()):
                return

    def merge(self, count: int | None = None) -> bool:
        """Merge clusters down to ``count``, or while that helps; return whether any were."""
        shares = self.objects.shares
        rows = np.repeat(shares, self.objects.sizes)
        costs = (self.known.T * shares) @ self.known - 2 * (self.table.T * rows) @ self.table
        empty = self.members == 0
        costs[empty] = costs[:, empty] = np.inf
        np.fill_diagonal(costs, np.inf)
        into = np.arange(empty.size)
        left = empty.size - np.count_nonzero(empty)
        while left > (count or 1):
            k, j = np.unravel_index(costs.argmin(), costs.shape)
            if count is None and costs[k, j] >= 0:
                break
            # The pairs of a merged cluster with another are those of both.
            costs[k] += costs[j]
            costs[:, k] = costs[k]
            costs[j] = costs[:, j] = costs[k, k] = np.inf
            into[into == j] = k
            left -= 1
        if (into == np.arange(into.size)).all():
            return False
        self._relabel(into)
        return True

    def _relabel(self, into: Array) -> None:
        placed = self.labels >= 0
        self.labels[placed] = into[self.labels[placed]]
        for counts in (self.table, self.known, self.members):
            merged = np.zeros_like(counts)
            np.add.at(merged.T, into, counts.T)
            counts[:] = merged

    def usual_loss(self, random: np.random.RandomState) -> float:
        """What a move costs that costs something, on average."""
        picks, targets = self._draw(random, _TRIALS)
        rows, weights, first, shares, _ = self.objects
        found = np.empty(picks.size)
        changes(
            *(rows, first, weights, shares, self.labels, self.table, self.known),
            *(picks, targets, found),
        )
        return float(found[found > 0].mean()) if (found > 0).any() else 0.0

    def shake(self, random: np.random.RandomState, temperature: float) -> None:
        """Try as many moves as there are objects, which may cost about ``temperature``."""
        picks, targets = self._draw(random, self.labels.size)
        rows, weights, first, shares, _ = self.objects
        shake(
            *(rows, first, weights, shares),
            *(self.labels, self.table, self.known, self.members, self.free),
            *(picks, targets, temperature * random.standard_exponential(picks.size)),
        )

    def _draw(self, random: np.random.RandomState, size: int) -> tuple[Array, Array]:
        return random.randint(self.labels.size, size=size), random.randint(
            self.members.size, size=size
        )


def make_candidate(objects: Objects, i: int, count: int | None) -> Candidate:
    """Clustering ``i`` of the ensemble, with ``count`` clusters; with as many as it has if None."""
    if count is None:
        labels = objects.rows[:, i].astype(np.int64)
        # As many clusters again may be opened.
        width = min(labels.size, 2 * int(objects.sizes.max()))
        candidate = Candidate(objects, labels, width, free=True)
    else:
        labels = _largest(_split(objects, i, count), objects.weights, max(_ENOUGH, 4 * count))
        wide = Candidate(objects, labels, int(labels.max()) + 1, free=False)
        wide.merge(count)
        labels = _largest(wide.labels, objects.weights, count)
        candidate = Candidate(objects, labels, count, free=False)
    candidate.sweep(placed=False)
    return candidate


def _split(objects: Objects, i: int, count: int) -> Array:
    """Clustering ``i``, if need be split by those after it until it has ``count`` clusters."""
    labels = objects.rows[:, i].astype(np.int64)
    size = int(objects.sizes[i])
    if size >= count:
        return labels
    labels += 1  # what it does not know is one more cluster
    for j in range(i + 1, i + objects.shares.size):
        if size >= count:
            break
        other = j % objects.shares.size
        crossed = labels * (objects.sizes[other] + 1) + objects.rows[:, other] + 1
        found, labels = np.unique(crossed, return_inverse=True)
        size = found.size
    return labels


def _largest(labels: Array, weights: Array, most: int) -> Array:
    """The largest clusters numbered from zero, others as -1."""
    sizes = np.bincount(labels[labels >= 0], weights[labels >= 0])
    order = np.argsort(-sizes, kind="stable")[:most]
    ranks = np.full(sizes.size + 1, -1)
    ranks[order[sizes[order] > 0]] = np.arange(np.count_nonzero(sizes[order] > 0))
    return ranks[labels]
