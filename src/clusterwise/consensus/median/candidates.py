"""Candidates for the median partition, with their distances from the ensemble."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_interruptibly
from clusterwise.consensus.overlaps import first_clusters
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed
from clusterwise.kernels import median as kernels

# A table of this many cells takes 0.25 GB.
_MAX_CELLS = 2**25
# The largest number of clusters of a start before merging, or four times that of the result.
_MAX_START_CLUSTERS = 64
# Moves that are drawn to estimate the mean loss of a move.
_N_TRIALS = 1000


class LabelRows(NamedTuple):
    """The distinct objects of an ensemble, as the search for the median partition needs them.

    ``rows`` are their labels, objects × clusterings, and ``weights`` their multiplicities;
    ``factors`` are the weights of the clusterings, ``first`` the first cluster of each, and
    ``known`` the number of objects in each cluster of the ensemble.
    """

    rows: Array
    weights: Array
    first: Array
    factors: Array
    known: Array

    @classmethod
    def from_collapsed(cls, collapsed: Collapsed, factors: Array) -> "LabelRows":
        """Return the rows of the distinct objects of an ensemble."""
        ensemble, weights, _ = collapsed
        known = [
            np.bincount(codes[codes >= 0], weights[codes >= 0], size)
            for codes, size in zip(ensemble.codes, ensemble.sizes, strict=True)
        ]
        rows = np.ascontiguousarray(ensemble.codes.T)
        first = first_clusters(ensemble)
        return cls(rows, weights.astype(np.float64), first, factors, np.concatenate(known))

    @property
    def sizes(self) -> Array:
        """The number of clusters of each clustering."""
        return np.diff(self.first)

    def pairs(self) -> float:
        """Return the weighted number of pairs of objects with labels, over all clusterings."""
        n = np.add.reduceat(self.known, self.first[:-1])
        return float(self.factors @ (n * (n - 1) / 2))


class Solution(NamedTuple):
    """A clustering, its distance from the ensemble, and the number of sweeps over all objects."""

    distance: float
    labels: Array
    n_iter: int


def nearer(one: Solution, other: Solution) -> Solution:
    """Return the solution with the smaller distance; the first one in case of a tie."""
    return other if other.distance < one.distance else one


class Candidate:
    """A clustering of the distinct objects; ``free`` if its number of clusters may change."""

    def __init__(self, objects: LabelRows, labels: Array, width: int, *, free: bool) -> None:
        if width * int(objects.first[-1]) > _MAX_CELLS:
            raise InputError(
                f"the table of {width} clusters and the {objects.first[-1]} clusters of the "
                "ensemble is too large; pass clusterings with fewer clusters."
            )
        self.objects = objects
        self.labels = labels
        self.free = free
        self.n_iter = 1
        self.table = np.zeros((objects.first[-1], width))
        self.known = np.zeros((objects.factors.size, width))
        self.members = np.zeros(width, np.int64)
        kernels.count_candidate(self._ensemble, self._counts)

    @property
    def _ensemble(self) -> kernels.EnsembleRows:
        objects = self.objects
        return kernels.EnsembleRows(objects.rows, objects.first, objects.weights, objects.factors)

    @property
    def _counts(self) -> kernels.CandidateCounts:
        return kernels.CandidateCounts(self.labels, self.table, self.known, self.members)

    def distance(self) -> float:
        """Return the weighted number of pairs on which it disagrees with the clusterings."""
        rows = np.repeat(self.objects.factors, self.objects.sizes)
        own = self.objects.factors @ (self.known**2).sum(axis=1)
        theirs = rows @ self.objects.known**2
        both = rows @ np.einsum("ij,ij->i", self.table, self.table)
        return float(own + theirs - 2 * both) / 2

    def solution(self) -> Solution:
        """Return the current clustering and its distance."""
        return Solution(self.distance(), self.labels.copy(), self.n_iter)

    def sweep(self, *, all_objects: bool = True) -> int:
        """Move each object to the cluster with the smallest distance; return how many moved.

        With ``all_objects=False`` only objects that are not yet in a cluster.
        """
        return int(
            run_interruptibly(
                self._steps, kernels.move_rows, self._ensemble, self._counts, self.free, all_objects
            )
        )

    @property
    def _steps(self) -> float:
        """The number of steps of a pass over all objects."""
        return float(self.objects.rows.size) * self.members.size

    def descend(self, max_iter: int) -> None:
        """Move objects, and merge clusters if their number is free, while the distance shrinks."""
        for self.n_iter in range(1, max_iter + 1):
            moved = self.sweep()
            if not moved and not (self.free and self.merge()):
                return

    def merge(self, count: int | None = None) -> bool:
        """Merge clusters down to ``count``, or while that helps; return whether any were."""
        factors = self.objects.factors
        rows = np.repeat(factors, self.objects.sizes)
        costs = (self.known.T * factors) @ self.known - 2 * (self.table.T * rows) @ self.table
        empty = self.members == 0
        costs[empty] = costs[:, empty] = np.inf
        np.fill_diagonal(costs, np.inf)
        into = np.arange(empty.size)
        left = empty.size - np.count_nonzero(empty)
        while left > (count or 1):
            k, j = np.unravel_index(costs.argmin(), costs.shape)
            if count is None and costs[k, j] >= 0:
                break
            # The cost of merging a union with another cluster is the sum of the costs of its parts.
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
        assigned = self.labels >= 0
        self.labels[assigned] = into[self.labels[assigned]]
        for counts in (self.table, self.known, self.members):
            merged = np.zeros_like(counts)
            np.add.at(merged.T, into, counts.T)
            counts[:] = merged

    def mean_loss(self, random: np.random.RandomState) -> float:
        """Return the mean increase of the distance over random moves that increase it."""
        picks, targets = self._draw(random, _N_TRIALS)
        found = np.empty(picks.size)
        kernels.distance_changes(self._ensemble, self._counts, picks, targets, found)
        return float(found[found > 0].mean()) if (found > 0).any() else 0.0

    def anneal(self, random: np.random.RandomState, temperature: float) -> None:
        """Try as many random moves as there are objects at a temperature."""
        picks, targets = self._draw(random, self.labels.size)
        allowed = temperature * random.standard_exponential(picks.size)
        run_interruptibly(
            self._steps, kernels.anneal_rows, self._ensemble, self._counts, self.free, picks,
            targets, allowed,
        )  # fmt: skip

    def _draw(self, random: np.random.RandomState, size: int) -> tuple[Array, Array]:
        return random.randint(self.labels.size, size=size), random.randint(
            self.members.size, size=size
        )


def make_candidate(objects: LabelRows, i: int, count: int | None) -> Candidate:
    """Return clustering ``i`` with ``count`` clusters; with its own number if None."""
    if count is None:
        labels = objects.rows[:, i].astype(np.int64)
        # Clusters may be opened, up to this number.
        width = min(labels.size, 2 * int(objects.sizes.max()))
        candidate = Candidate(objects, labels, width, free=True)
    else:
        labels = _largest(
            _split(objects, i, count), objects.weights, max(_MAX_START_CLUSTERS, 4 * count)
        )
        wide = Candidate(objects, labels, int(labels.max()) + 1, free=False)
        wide.merge(count)
        labels = _largest(wide.labels, objects.weights, count)
        candidate = Candidate(objects, labels, count, free=False)
    candidate.sweep(all_objects=False)
    return candidate


def _split(objects: LabelRows, i: int, count: int) -> Array:
    """Return clustering ``i``, split by the next ones until it has ``count`` clusters."""
    labels = objects.rows[:, i].astype(np.int64)
    size = int(objects.sizes[i])
    if size >= count:
        return labels
    labels += 1  # missing labels are one more cluster
    for j in range(i + 1, i + objects.factors.size):
        if size >= count:
            break
        other = j % objects.factors.size
        crossed = labels * (objects.sizes[other] + 1) + objects.rows[:, other] + 1
        found, labels = np.unique(crossed, return_inverse=True)
        size = found.size
    return labels


def _largest(labels: Array, weights: Array, most: int) -> Array:
    """Number the ``most`` largest clusters from 0; the labels of the others become -1."""
    sizes = np.bincount(labels[labels >= 0], weights[labels >= 0])
    order = np.argsort(-sizes, kind="stable")[:most]
    ranks = np.full(sizes.size + 1, -1)
    ranks[order[sizes[order] > 0]] = np.arange(np.count_nonzero(sizes[order] > 0))
    return ranks[labels]
