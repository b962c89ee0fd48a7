"""Loops of evidence accumulation: co-associations of objects, and linkage by them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit


class PairWeights(NamedTuple):
    """The weights of co-associations.

    ``clusterings`` are the weights of the clusterings, ``clusters`` what a pair of objects in one
    cluster counts, at most the weight of its clustering, and ``first`` is the index of the first
    cluster of each clustering.
    """

    clusterings: NDArray[np.float64]
    clusters: NDArray[np.float64]
    first: NDArray[np.int64]


@jit
def _fill_row(codes, weights, one, out):
    """Compute 1 minus the co-association of object ``one`` with every object.

    ``codes`` is m × n with -1 for missing. The co-association of two objects is the total weight of
    the clusters that contain both, divided by that of the clusterings that label both; 0 if none
    does.
    """
    together = np.zeros(out.size)
    known = np.zeros(out.size)
    for c in range(codes.shape[0]):
        code = codes[c, one]
        if code < 0:
            continue
        weight = weights.clusterings[c]
        common = weights.clusters[weights.first[c] + code]
        line = codes[c]
        for j in range(line.size):
            together[j] += common * (line[j] == code)
            known[j] += weight * (line[j] >= 0)
    for j in range(out.size):
        out[j] = 1.0 - together[j] / known[j] if known[j] > 0 else 1.0


@jit
def fill_rows(codes, weights, start, stop, table):
    """Compute rows start…stop of the square table of 1 minus the co-associations."""
    for i in range(start, stop):
        _fill_row(codes, weights, i, table[i])


@jit
def grow_tree(codes, weights, steps, near, least, current, pairs, heights, done):
    """Make ``steps`` steps of Prim's algorithm after the ``done`` first; return the last object.

    Distances are computed row by row and never stored. ``near`` and ``least`` are the object of the
    tree that is nearest to each object, and its distance; ``least`` of objects in the tree is -1.
    """
    n = codes.shape[1]
    row = np.empty(n)
    for step in range(done, done + steps):
        _fill_row(codes, weights, current, row)
        least[current] = -1.0
        nearest = -1
        for j in range(n):
            if least[j] < 0:
                continue
            if row[j] < least[j]:
                least[j] = row[j]
                near[j] = current
            if nearest < 0 or least[j] < least[nearest]:
                nearest = j
        pairs[step, 0] = near[nearest]
        pairs[step, 1] = nearest
        heights[step] = least[nearest]
        current = nearest
    return current


@jit
def chain_averages(table, sizes, pairs, heights):
    """Average linkage by nearest-neighbour chains; ``table`` and ``sizes`` are overwritten.

    ``pairs`` gets an object of each of the two clusters that merge, not sorted by height.
    """
    n = table.shape[0]
    alive = np.ones(n, np.bool_)
    chain = np.empty(n, np.int64)
    length = 0
    first = 0
    for step in range(n - 1):
        if length == 0:
            while not alive[first]:
                first += 1
            chain[0] = first
            length = 1
        while True:
            tip = chain[length - 1]
            # Ties go to the tip's predecessor, so that the chain ends.
            best = chain[length - 2] if length > 1 else -1
            least = table[tip, best] if length > 1 else np.inf
            for j in range(n):
                if alive[j] and j != tip and table[tip, j] < least:
                    least = table[tip, j]
                    best = j
            if length > 1 and best == chain[length - 2]:
                break
            chain[length] = best
            length += 1
        length -= 2
        low, high = min(tip, best), max(tip, best)
        pairs[step, 0] = low
        pairs[step, 1] = high
        heights[step] = least
        whole = sizes[low] + sizes[high]
        for j in range(n):
            if alive[j] and j != low and j != high:
                mean = (sizes[low] * table[low, j] + sizes[high] * table[high, j]) / whole
                table[low, j] = mean
                table[j, low] = mean
        sizes[low] = whole
        alive[high] = False


@jit
def join_pairs(pairs, merges, counts):
    """Convert pairs of objects, sorted by height, to pairs of clusters numbered as in SciPy.

    ``merges`` gets the two clusters of each step, ``counts`` the size of the new one.
    """
    n = pairs.shape[0] + 1
    parent = np.arange(2 * n - 1)
    for step in range(n - 1):
        size = 0.0
        for side in range(2):
            at = pairs[step, side]
            while parent[at] != at:
                parent[at] = parent[parent[at]]
                at = parent[at]
            merges[step, side] = at
            parent[at] = n + step
            size += counts[at - n] if at >= n else 1.0
        if merges[step, 0] > merges[step, 1]:
            merges[step, 0], merges[step, 1] = merges[step, 1], merges[step, 0]
        counts[step] = size


@jit
def sum_co_associations(codes, weights, offsets, counts, members, together, known):
    """Sum over the objects of each of K clusters the clusterings that put them with an object.

    ``together`` (n × K) gets the total weight of the clusterings that have both in one cluster,
    ``known`` that of the clusterings that label both. ``counts`` has a row for each cluster of the
    ensemble, ``members`` a row for each clustering: the number of objects of the K clusters in it.
    """
    for i in range(codes.shape[1]):
        for k in range(counts.shape[1]):
            together[i, k] = 0.0
            known[i, k] = 0.0
        for c in range(codes.shape[0]):
            code = codes[c, i]
            if code >= 0:
                for k in range(counts.shape[1]):
                    together[i, k] += weights[c] * counts[offsets[c] + code, k]
                    known[i, k] += weights[c] * members[c, k]
