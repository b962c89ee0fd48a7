"""Kernels of the local search on the Dunn index by mean distances."""

import numpy as np

from clusterwise.kernels.jit import jit, jit_sum


@jit
def mean_dunn(pairs, sizes):
    """Return the least mean distance between clusters over the largest mean distance within one.

    ``pairs[a, b]`` adds up the distances from every object of a to every object of b.
    """
    least, widest = np.inf, 0.0
    for a in range(sizes.size):
        widest = max(widest, pairs[a, a] / max(sizes[a] * (sizes[a] - 1.0), 1.0))
        for b in range(a):
            least = min(least, pairs[a, b] / (sizes[a] * sizes[b]))
    return least / widest if widest > 0.0 else np.inf


@jit
def move_object(sums, a, b, pairs, sizes):
    """Update pairs and sizes for an object with these sums of distances that moves from a to b."""
    sizes[a] -= 1.0
    sizes[b] += 1.0
    for c in range(sizes.size):
        if c != a and c != b:
            pairs[a, c] -= sums[c]
            pairs[c, a] = pairs[a, c]
            pairs[b, c] += sums[c]
            pairs[c, b] = pairs[b, c]
    pairs[a, a] -= 2.0 * sums[a]
    pairs[b, b] += 2.0 * sums[b]
    pairs[a, b] += sums[a] - sums[b]
    pairs[b, a] = pairs[a, b]


@jit
def find_best_moves(sums, labels, groups, pairs, sizes, values, movers):
    """Find the best object to move for each group and each two clusters.

    ``sums`` are of distances from objects to clusters. ``values[g, a, b]`` becomes the index
    after that move, ``movers[g, a, b]`` the object.
    """
    values[:] = -np.inf
    movers[:] = -1
    trial, counts = pairs.copy(), sizes.copy()
    for i in range(labels.size):
        a = labels[i]
        if sizes[a] < 2.0:
            continue
        for b in range(sizes.size):
            if b != a:
                move_object(sums[i], a, b, trial, counts)
                value = mean_dunn(trial, counts)
                trial[:] = pairs
                counts[:] = sizes
                if value > values[groups[i], a, b]:
                    values[groups[i], a, b] = value
                    movers[groups[i], a, b] = i


@jit_sum
def _squared_distance(points, i, j):
    total = 0.0
    for d in range(points.shape[1]):
        step = points[i, d] - points[j, d]
        total += step * step
    return total


@jit
def update_sums(points, i, a, b, sums):
    """Update the sums of distances for object i, which moved from a to b."""
    for j in range(len(points)):
        distance = np.sqrt(_squared_distance(points, i, j))
        sums[j, a] -= distance
        sums[j, b] += distance
