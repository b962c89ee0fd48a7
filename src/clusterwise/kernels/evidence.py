"""Loops over pairs of objects that say how often many clusterings put them together."""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def fill_apart(codes, weights, one, start, stop, out):
    """1 minus the share of the clusterings knowing both that put object ``one`` with start…stop.

    ``codes`` is m × n with -1 for missing. Objects that no clustering knows both of are 1 apart.
    """
    together = np.zeros(stop - start)
    known = np.zeros(stop - start)
    for c in range(codes.shape[0]):
        code = codes[c, one]
        if code < 0:
            continue
        weight = weights[c]
        line = codes[c, start:stop]
        for j in range(line.size):
            together[j] += weight * (line[j] == code)
            known[j] += weight * (line[j] >= 0)
    for j in range(out.size):
        out[j] = 1.0 - together[j] / known[j] if known[j] > 0 else 1.0


@jit
def fill_rows(codes, weights, start, stop, table):
    """Rows start…stop of the square table of how far apart objects are."""
    for i in range(start, stop):
        fill_apart(codes, weights, i, 0, codes.shape[1], table[i])


@jit
def grow_tree(codes, weights, steps, near, least, current, pairs, heights, done):
    """Some steps of Prim's minimum spanning tree, whose distances are never kept.

    ``near`` and ``least`` say which object of the tree each other one is nearest to, and how
    near; ``least`` of those in the tree is -1. Returns the object that came last.
    """
    n = codes.shape[1]
    row = np.empty(n)
    for step in range(done, done + steps):
        fill_apart(codes, weights, current, 0, n, row)
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
    """Average linkage by chains of nearest neighbours; ``table`` and ``sizes`` are used up.

    ``pairs`` name an object of each of the two clusters that merge, in no order of heights.
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
            # Of those as near, the one that the tip came from: so chains end.
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
    """Pairs of objects, in order of heights, as pairs of clusters numbered as SciPy does.

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
def sum_together(codes, weights, offsets, counts, members, together, known):
    """How often objects are together with those of each of K clusters, and could have been.

    ``counts`` has a row for each cluster of the ensemble and ``members`` one for each clustering:
    how many objects of the K clusters are in it. ``together`` and ``known`` are n × K.
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
