"""Loops of k-means: assignment to the nearest centre, and the farthest object."""

import numpy as np

from clusterwise.kernels.jit import jit, jit_sum


@jit_sum
def assign_to_nearest(points, centres, offsets, labels, sums, counts):
    """Assign each object to the cluster with the least offset - 2 · point · centre.

    Adds the objects to ``sums`` and ``counts``, and returns the number of changed labels.
    """
    n, d = points.shape
    changed = 0
    for i in range(n):
        best = 0
        least = np.float32(np.inf)
        for k in range(offsets.size):
            product = np.float32(0.0)
            for r in range(d):
                product += points[i, r] * centres[k, r]
            value = offsets[k] - np.float32(2.0) * product
            if value < least:
                least = value
                best = k
        if labels[i] != best:
            labels[i] = best
            changed += 1
        counts[best] += 1
        for r in range(d):
            sums[best, r] += points[i, r]
    return changed


@jit
def find_farthest(points, squares, centres, labels):
    """Return the object farthest from its centre in weighted features, and its squared distance."""
    farthest = -1
    largest = 0.0
    for i in range(points.shape[0]):
        distance = 0.0
        for r in range(points.shape[1]):
            difference = points[i, r] - centres[labels[i], r]
            distance += squares[r] * difference * difference
        if distance > largest:
            largest = distance
            farthest = i
    return farthest, largest
