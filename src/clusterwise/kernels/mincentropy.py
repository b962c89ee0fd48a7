"""Moves of single objects that raise the kernel within clusters and lower it within given ones.

The kernel of two objects is the dot product of their features, minus a weight for every given
clustering that has them in one cluster. The kernel matrix is never formed: the sum of the kernel
of one object with all objects of a cluster is a dot product with the sum of their features, minus
weighted counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit, jit_sum


class KernelData(NamedTuple):
    """The objects: ``features``, their clusters in each given clustering, and the kernel's terms.

    ``given`` has a row per object: a column of ``ClusterSums.counts`` for each given clustering,
    with ``weights``. ``own`` is the kernel of each object with itself.
    """

    features: NDArray[np.float64]
    given: NDArray[np.integer]
    weights: NDArray[np.float64]
    own: NDArray[np.float64]


class ClusterSums(NamedTuple):
    """Sums over the clusters.

    Sums of features, counts of objects in each given cluster, sizes, and ``inner``: the sum of the
    kernel over all pairs within a cluster.
    """

    sums: NDArray[np.float64]
    counts: NDArray[np.float64]
    sizes: NDArray[np.int64]
    inner: NDArray[np.float64]


@jit_sum
def _product(a, b):
    total = 0.0
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@jit
def sum_clusters(features, given, labels, sums, counts, sizes):
    """Sum the features of each cluster, and count its objects in each given cluster."""
    sums[:] = 0.0
    counts[:] = 0.0
    sizes[:] = 0
    for i in range(labels.size):
        k = labels[i]
        sizes[k] += 1
        for r in range(features.shape[1]):
            sums[k, r] += features[i, r]
        for g in range(given.shape[1]):
            counts[k, given[i, g]] += 1.0


@jit
def _kernel_sum(features, given, weights, i, sums, counts, k):
    """Return the sum of the kernel of object i and all objects of cluster k."""
    total = _product(features[i], sums[k])
    for g in range(given.shape[1]):
        total -= weights[g] * counts[k, given[i, g]]
    return total


@jit
def move_objects(data, order, labels, clusters, fewest, least_gain):
    """Move objects in turn to the cluster with the largest objective.

    The objective is the sum of ``inner[k] / sizes[k]``. A cluster of ``fewest`` objects loses
    none. Labels and sums are updated; returns the number of moves.
    """
    features, given, weights, own = data
    sums, counts, sizes, inner = clusters
    moved = 0
    for i in order:
        here = labels[i]
        if sizes[here] <= fewest:
            continue
        size = sizes[here]
        common_here = _kernel_sum(features, given, weights, i, sums, counts, here)
        without = inner[here] - 2.0 * common_here + own[i]
        loss = inner[here] / size - without / (size - 1)
        best, best_gain, best_common = here, least_gain, 0.0
        for k in range(sizes.size):
            if k == here:
                continue
            common = _kernel_sum(features, given, weights, i, sums, counts, k)
            with_it = inner[k] + 2.0 * common + own[i]
            gain = with_it / (sizes[k] + 1) - inner[k] / sizes[k] - loss
            if gain > best_gain:
                best, best_gain, best_common = k, gain, common
        if best == here:
            continue
        inner[here] = without
        inner[best] += 2.0 * best_common + own[i]
        for r in range(features.shape[1]):
            sums[here, r] -= features[i, r]
            sums[best, r] += features[i, r]
        for g in range(given.shape[1]):
            counts[here, given[i, g]] -= 1.0
            counts[best, given[i, g]] += 1.0
        sizes[here] -= 1
        sizes[best] += 1
        labels[i] = best
        moved += 1
    return moved
