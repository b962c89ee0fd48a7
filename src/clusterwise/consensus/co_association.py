"""Co-associations: how often objects are in one cluster of the clusterings of an ensemble."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterwise._utils.threads import run_parts
from clusterwise.consensus.overlaps import first_clusters
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble
from clusterwise.kernels.evidence import PairWeights, fill_rows, sum_co_associations

# The largest block of objects × clusters that is held in memory.
_MAX_CELLS = 1 << 20
# Pairs of objects per task.
_PAIRS_PER_TASK = 1 << 26


class ClusterCounts(NamedTuple):
    """The objects of each of K clusters, counted in every cluster of an ensemble.

    ``counts`` has a row per cluster of the ensemble, ``members`` a row per clustering, and
    ``offsets`` are the first rows of the clusterings in ``counts``.
    """

    counts: Array
    members: Array
    offsets: Array
    weights: Array

    @classmethod
    def from_labels(
        cls, ensemble: Ensemble, weights: Array, labels: Array, counts: Array | None = None
    ) -> "ClusterCounts":
        """Count the objects of the clusters ``labels``; those with label -1 are left out.

        ``weights`` are those of the clusterings, ``counts`` the multiplicities of the objects.
        """
        size = int(labels.max()) + 1
        offsets = np.concatenate([[0], np.cumsum(ensemble.sizes)])
        table = np.zeros((offsets[-1], size))
        for c, codes in enumerate(ensemble.codes):
            both = (codes >= 0) & (labels >= 0)
            cells = codes[both].astype(np.int64) * size + labels[both]
            multiplicities = None if counts is None else counts[both]
            found = np.bincount(cells, multiplicities, minlength=ensemble.sizes[c] * size)
            table[offsets[c] : offsets[c + 1]] = found.reshape(-1, size)
        members = np.add.reduceat(table, offsets[:-1], axis=0)
        return cls(table, members, offsets[:-1], weights)

    def weigh(self, confidence: Array) -> "ClusterCounts":
        """Return the counts with a factor for each cluster of the ensemble.

        ``members``, and so the number of pairs with both labels, stay as they are.
        """
        return self._replace(counts=self.counts * confidence[:, None])

    def blocks(self, codes: Array) -> Iterator[tuple[slice, Array, Array]]:
        """Yield blocks of objects: their positions, and two tables objects × clusters.

        The first table is the total weight of the pairs (object of the block, object of the
        cluster) in one cluster of the ensemble; the second that of the pairs with both labels.
        """
        size = self.counts.shape[1]
        block = max(1, _MAX_CELLS // size)
        for start in range(0, codes.shape[1], block):
            some = np.ascontiguousarray(codes[:, start : start + block])
            together, known = (np.empty((some.shape[1], size)) for _ in range(2))
            sum_co_associations(
                some, self.weights, self.offsets, self.counts, self.members, together, known
            )
            yield slice(start, start + some.shape[1]), together, known


def weigh_pairs(ensemble: Ensemble, weights: Array, confidence: Array | None = None) -> PairWeights:
    """Return the weights of co-associations, from those of the clusterings.

    ``confidence`` is a factor for each cluster of the ensemble; 1 by default.
    """
    clusters = np.repeat(np.asarray(weights, np.float64), ensemble.sizes)
    if confidence is not None:
        clusters *= confidence
    return PairWeights(weights, clusters, first_clusters(ensemble)[:-1])


def co_association_distances(codes: Array, weights: PairWeights) -> Array:
    """Return the square matrix of 1 minus the co-associations of all pairs of objects."""
    u = codes.shape[1]
    table = np.empty((u, u))
    parts = max(1, u * u // _PAIRS_PER_TASK)

    def fill(part: int) -> None:
        fill_rows(codes, weights, part * u // parts, (part + 1) * u // parts, table)

    run_parts(fill, parts)
    return table
