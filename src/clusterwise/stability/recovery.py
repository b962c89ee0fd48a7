"""What becomes of each cluster, and of each object, in clusterings of copies of the data."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.stability.clusterers import NOISE

# The label of objects that are not in a copy.
NOT_DRAWN = -2
# A cluster is recovered by a copy from this Jaccard index on, and lost below that one [Hennig].
RECOVERED, LOST = 0.75, 0.5
# A lost cluster has no partner if it was split rather than merged.
NO_PARTNER = -2


class Recovery(NamedTuple):
    """The clusters and objects of a clustering in m copies.

    ``jaccards`` (K × m) are the largest Jaccard indices of each cluster with one of a copy.
    ``partners`` (K × m) are the clusters that it is merged with: a code, ``NOISE``, or
    ``NO_PARTNER``. ``votes`` (n × (K + 1)) count for each object in which cluster it is; the last
    column is noise.
    """

    jaccards: Array
    partners: Array
    votes: Array


class CopyTable(NamedTuple):
    """The objects in each cluster of the data (rows) and of a copy (columns).

    The last row and the last column are noise.
    """

    counts: Array

    @classmethod
    def of(cls, codes: Array, size: int, copy: Array) -> "CopyTable":
        """Count the objects of a copy; ``codes`` are their clusters in the data."""
        width = int(copy.max(initial=NOISE)) + 1
        cells = np.where(codes == NOISE, size, codes) * (width + 1)
        cells += np.where(copy == NOISE, width, copy)
        found = np.bincount(cells, minlength=(size + 1) * (width + 1))
        return cls(found.reshape(size + 1, width + 1))

    def jaccards(self) -> Array:
        """Return the Jaccard index of each cluster of the data with each cluster of the copy."""
        both = self.counts[:-1, :-1]
        rows, columns = self.counts.sum(axis=1)[:-1], self.counts.sum(axis=0)[:-1]
        either = rows[:, None] + columns - both
        return np.asarray(both / np.maximum(either, 1))

    def partners(self) -> Array:
        """Return what each cluster of the data is merged with in the copy.

        If most of its objects are in one cluster of the copy, it is the other cluster that has most
        objects there; if most are noise, it is noise.
        """
        clusters = self.counts[:-1]
        found = np.full(len(clusters), NO_PARTNER)
        for k, counts in enumerate(clusters):
            most = int(counts.argmax())
            if 2 * counts[most] <= counts.sum():
                continue
            if most == counts.size - 1:
                found[k] = NOISE
                continue
            others = clusters[:, most].copy()
            others[k] = 0
            if others.any():
                found[k] = int(others.argmax())
        return found


def measure_recovery(codes: Array, size: int, copies: Array) -> Recovery:
    """Compare a clustering with those of m copies, each on the objects of the copy.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        The clusters of the data, 0 to ``size - 1``, or ``NOISE``.
    size : int
        Their number.
    copies : ndarray of shape (m, n)
        The clusters of the copies, or ``NOISE``, or ``NOT_DRAWN``.
    """
    m, n = copies.shape
    jaccards, partners = np.zeros((size, m)), np.full((size, m), NO_PARTNER)
    votes = np.zeros((n, size + 1), np.int32)
    for i, labels in enumerate(copies):
        drawn = np.flatnonzero(labels != NOT_DRAWN)
        copy = labels[drawn].astype(np.int64)
        table = CopyTable.of(codes[drawn], size, copy)
        found = table.jaccards()
        # Clusters of the copy as clusters of the data; the last one is noise.
        same = np.full(found.shape[1] + 1, size)
        if found.shape[1]:
            jaccards[:, i] = found.max(axis=1)
            same[:-1] = np.where(found.max(axis=0) > 0, found.argmax(axis=0), size)
        partners[:, i] = np.where(jaccards[:, i] < LOST, table.partners(), NO_PARTNER)
        votes[drawn, same[copy]] += 1
    return Recovery(jaccards, partners, votes)


def measure_agreement(one: Array, other: Array) -> float:
    """Return the adjusted Rand index of two clusterings; noise objects are with no other.

    It is 0 if one of them has less than two clusters, which any data have.
    """
    if min(np.count_nonzero(np.bincount(codes[codes >= 0])) for codes in (one, other)) < 2:
        return 0.0
    return float(adjusted_rand_score(one, other, noise="singletons"))
