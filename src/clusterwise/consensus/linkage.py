"""Hierarchical clustering of the distinct objects of an ensemble, or of a sample of them."""

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_interruptibly
from clusterwise.consensus.base import Consensus, draw_sample
from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.co_association import (
    ClusterCounts,
    co_association_distances,
    weigh_pairs,
)
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels import evidence as kernels

# Average linkage needs a square matrix: 200 MB for this many objects.
MAX_AVERAGED = 5_000
# Lifetimes are compared to this number of decimals.
_DECIMALS = 9
# Pairs of objects between two updates of the progress bar.
_PAIRS_PER_STEP = 1 << 26


class LinkageConsensus(Consensus):
    """A consensus that cuts a dendrogram of the distinct objects, or of a sample of them."""

    max_objects: int | None
    random_state: Any
    linkage_: Array
    merged_weights_: Array
    _sample: Array | None

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002
        """Return None: lifetimes decide."""
        return None

    @abstractmethod
    def _confidence(self, collapsed: Collapsed, weights: Array) -> Array | None:
        """Return a factor of the co-associations in each cluster of the ensemble; None for 1."""

    def _merge(self, codes: Array, weights: kernels.PairWeights, sizes: Array) -> "Dendrogram":
        """Merge objects with multiplicities ``sizes``."""
        return average_linkage(codes, weights, sizes)

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        ensemble, sizes, _ = collapsed
        limit = self._check_limit(count)
        confidence = self._confidence(collapsed, weights)
        found = self._link(collapsed, weigh_pairs(ensemble, weights, confidence), limit)
        labels = found.cut(count or _longest(self.lifetimes_))
        if self._sample is None:
            return labels
        all_labels = np.full(ensemble.n, -1)
        all_labels[self._sample] = labels
        counts = ClusterCounts.from_labels(ensemble, weights, all_labels, sizes)
        if confidence is not None:
            counts = counts.weigh(confidence)
        return _assign_others(ensemble, counts, all_labels)

    def _restore_order(self, order: CanonicalOrder) -> None:
        """Number the merged rows, and the leaves of the dendrogram, by their first objects."""
        merged = order.rows if self._sample is None else order.rows[self._sample]
        given = np.argsort(merged)
        self.merged_weights_ = self.merged_weights_[given]
        ends = self.linkage_[:, :2]
        names = np.arange(2.0 * merged.size)
        names[given] = np.arange(merged.size)
        ends[:] = np.sort(names[ends.astype(np.int64)], axis=1)

    def _link(
        self, collapsed: Collapsed, weights: kernels.PairWeights, max_objects: int
    ) -> "Dendrogram":
        """Return the dendrogram of all rows, or of a sample."""
        ensemble, sizes, _ = collapsed
        self.n_distinct_ = ensemble.n
        self.n_merged_ = min(max_objects, ensemble.n)
        some = None
        if self.n_merged_ < ensemble.n:
            some = draw_sample(sizes, self.n_merged_, as_random_state(self.random_state))
        codes = ensemble.codes if some is None else np.ascontiguousarray(ensemble.codes[:, some])
        self.merged_weights_ = sizes if some is None else sizes[some]
        found = self._merge(codes, weights, self.merged_weights_)
        self.linkage_ = found.to_scipy()
        self.lifetimes_ = found.lifetimes(max(ensemble.sizes))
        self._sample = some
        return found

    def _default_limit(self) -> int:
        """Return the default of ``max_objects``."""
        return MAX_AVERAGED

    def _check_limit(self, count: int | None) -> int:
        """Return the largest number of objects to merge."""
        limit = self._default_limit() if self.max_objects is None else self.max_objects
        if limit < max(2, count or 2):
            raise InputError(
                f"max_objects={limit!r} are too few to merge; use at least 2, and at least "
                "n_clusters."
            )
        return int(limit)


class Dendrogram(NamedTuple):
    """The merges of a hierarchical clustering by height, and the sizes of the merged clusters."""

    merges: Array
    heights: Array
    sizes: Array

    def to_scipy(self) -> Array:
        """Return the linkage matrix in SciPy's format."""
        return np.column_stack([self.merges, self.heights, self.sizes])

    def cut(self, count: int) -> Array:
        """Return the labels of ``count`` clusters."""
        n = len(self.merges) + 1
        left = n - count
        cluster = np.arange(n + left)
        # A later cluster contains earlier ones, so one pass back from the last merge suffices.
        for step in range(left - 1, -1, -1):
            cluster[self.merges[step]] = cluster[n + step]
        return relabel_by_value(cluster[:n])

    def lifetimes(self, most: int) -> dict[int, float]:
        """Return the range of heights of each number of clusters from 2 to ``most``."""
        n = len(self.merges) + 1
        steps = np.diff(self.heights, prepend=0.0)
        return {count: float(steps[n - count]) for count in range(2, min(most, n) + 1)}


def average_linkage(codes: Array, weights: kernels.PairWeights, sizes: Array) -> Dendrogram:
    """Average linkage of objects with multiplicities ``sizes``."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    distances = co_association_distances(codes, weights)
    run_interruptibly(
        10.0 * u * u, kernels.chain_averages, distances, sizes.astype(np.float64), pairs, heights
    )
    return _sort_merges(pairs, heights)


def single_linkage(
    codes: Array, weights: kernels.PairWeights, progress: bool | None = None
) -> Dendrogram:
    """Single linkage by a minimum spanning tree, without a matrix of distances."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    near, least, current = np.zeros(u, np.int64), np.full(u, np.inf), 0
    steps = range(0, u - 1, max(1, _PAIRS_PER_STEP // u))
    for start in track(steps, len(steps), "merging", progress):
        more = min(steps.step, u - 1 - start)
        current = kernels.grow_tree(
            codes, weights, more, near, least, current, pairs, heights, start
        )
    return _sort_merges(pairs, heights)


def longest_lived(collapsed: Collapsed, weights: Array) -> int:
    """Return the number of clusters that average linkage finds, deterministically."""
    ensemble, sizes, _ = collapsed
    codes = ensemble.codes
    if ensemble.n > MAX_AVERAGED:
        some = draw_sample(sizes, MAX_AVERAGED, as_random_state(0))
        codes, sizes = np.ascontiguousarray(codes[:, some]), sizes[some]
    found = average_linkage(codes, weigh_pairs(ensemble, weights), sizes)
    return _longest(found.lifetimes(max(ensemble.sizes)))


def _sort_merges(pairs: Array, heights: Array) -> Dendrogram:
    order = np.argsort(heights, kind="stable")
    merges, counts = np.empty_like(pairs), np.empty(len(pairs))
    kernels.join_pairs(pairs[order], merges, counts)
    return Dendrogram(merges, heights[order], counts)


def _longest(lifetimes: dict[int, float]) -> int:
    """Return the number with the longest lifetime; 1 if there is none."""
    return max(lifetimes, key=lambda one: (round(lifetimes[one], _DECIMALS), -one), default=1)


def _assign_others(ensemble: Ensemble, counts: ClusterCounts, labels: Array) -> Array:
    """Assign objects without a label to the cluster with the largest mean co-association."""
    others = np.flatnonzero(labels < 0)
    for some, together, known in counts.blocks(ensemble.codes[:, others]):
        means = np.divide(together, known, out=np.zeros_like(known), where=known > 0)
        labels[others[some]] = means.argmax(axis=1)
    return labels
