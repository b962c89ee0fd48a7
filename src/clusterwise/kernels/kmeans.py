"""Loops of k-means, and the comparison of all pairs of many clusterings."""

import numpy as np
from numba import int64, uint32, uint64

from clusterwise.kernels.jit import jit, jit_sum


@jit
def sum_squared_overlaps(labels, one, size, sums):
    """Sum the squared cells of the contingency tables of clustering ``one`` and each later one.

    ``labels`` is m × n, with labels 0 … ``size`` - 1; both triangles of ``sums`` are filled.
    """
    m, n = labels.shape
    table = np.zeros(size * size, np.uint32)
    for other in range(one, m):
        for i in range(n):
            table[uint64(labels[one, i]) * uint64(size) + uint64(labels[other, i])] += uint32(1)
        total = int64(0)
        if table.size <= n:
            for cell in range(table.size):
                total += int64(table[cell]) * int64(table[cell])
                table[cell] = uint32(0)
        else:
            # Most cells are empty: visit and clear only those that hold an object.
            for i in range(n):
                cell = uint64(labels[one, i]) * uint64(size) + uint64(labels[other, i])
                total += int64(table[cell]) * int64(table[cell])
                table[cell] = uint32(0)
        sums[one, other] = total
        sums[other, one] = total


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
        apart = 0.0
        for r in range(points.shape[1]):
            gap = points[i, r] - centres[labels[i], r]
            apart += squares[r] * gap * gap
        if apart > largest:
            largest = apart
            farthest = i
    return farthest, largest
