"""Loops that move single objects between clusters for the sake of mean distances."""

import numpy as np

from clusterwise.kernels.jit import jit, jit_sum


@jit
def dunn(pairs, sizes):
    """The least mean distance between clusters, of the largest mean distance within one.

    ``pairs[a, b]`` adds up the distances from every object of a to every object of b.
    """
    least, widest = np.inf, 0.0
    for a in range(sizes.size):
        widest = max(widest, pairs[a, a] / max(sizes[a] * (sizes[a] - 1.0), 1.0))
        for b in range(a):
            least = min(least, pairs[a, b] / (sizes[a] * sizes[b]))
    return least / widest if widest > 0.0 else np.inf


@jit
def shift(sums, a, b, pairs, sizes):
    """Move an object with these sums of distances from a to b."""
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
def find_best(sums, labels, groups, pairs, sizes, values, movers):
    """For each group and each way from one cluster to another: the best object to move.

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
                shift(sums[i], a, b, trial, counts)
                value = dunn(trial, counts)
                trial[:] = pairs
                counts[:] = sizes
                if value > values[groups[i], a, b]:
                    values[groups[i], a, b] = value
                    movers[groups[i], a, b] = i


@jit_sum
def _square(points, i, j):
    total = 0.0
    for d in range(points.shape[1]):
        step = points[i, d] - points[j, d]
        total += step * step
    return total


@jit
def follow(points, i, a, b, sums):
    """Bring the sums of distances up to date after object i went from a to b."""
    for j in range(len(points)):
        apart = np.sqrt(_square(points, i, j))
        sums[j, a] -= apart
        sums[j, b] += apart
