"""Entropy linkage: a merge costs the bits by which it lengthens the description of its objects.

The cost of merging p and q is n·H(p ∪ q) - n_p·H(p) - n_q·H(q), with H summed over features. Each
cluster has a row of counts, and n·H is a weighted sum of x·log2 x over that row. Where p counts
nothing both sides are the same, so a cost is found by a walk over the counts that p has.

x·log2 x is kept as a whole number of tiny parts of a bit, with the logarithm of a product being
exactly the sum of its factors' logarithms: costs that are equal are equal to the last bit, in
whatever order they are added up.
"""

import numpy as np

from clusterwise.kernels.coala import GONE, choose, settle
from clusterwise.kernels.jit import jit


@jit
def fill_differences(codes, table):
    """The costs of merging two objects: two bits for each feature that both have and differ in.

    ``codes`` has a row per feature, with -1 for nothing. Only elders are written.
    """
    differing = np.empty(codes.shape[1], np.int32)
    for i in range(codes.shape[1]):
        differing[:i] = 0
        for r in range(codes.shape[0]):
            code = codes[r, i]
            if code < 0:
                continue
            row = codes[r]
            for j in range(i):
                differing[j] += (row[j] != code) & (row[j] >= 0)
        for j in range(i):
            table[i, j] = 2 * differing[j]


@jit
def scaled_logs(n, unit):
    """x·log2 x for 0 … n in parts of a bit, from the rounded logarithms of primes."""
    factor = np.zeros(n + 1, np.int64)
    table = np.zeros(n + 1, np.int64)
    for x in range(2, n + 1):
        if not factor[x]:
            for multiple in range(x, n + 1, x):
                if not factor[multiple]:
                    factor[multiple] = x
            table[x] = np.int64(np.rint(np.log2(x) * unit))
        else:
            table[x] = table[factor[x]] + table[x // factor[x]]
    for x in range(n + 1):
        table[x] *= x
    return table


@jit
def walk_costs(own, filled, counts, born, weights, logs, unit, costs):
    """The costs of merging a row of counts with each of the clusters that are left."""
    alone = np.int64(0)
    for column in filled:
        alone += weights[column] * logs[own[column]]
    for k in range(born.size):
        if born[k] == GONE:
            continue
        row = counts[k]
        cost = -alone
        for column in filled:
            cost += weights[column] * (logs[own[column] + row[column]] - logs[row[column]])
        # What is left of rounded logarithms may be less than nothing.
        costs[k] = max(cost, 0) / unit


@jit
def merge_entropies(
    table, born, sizes, masks, least, near, permitted, near_permitted, names,
    omega, objects, start, stop, pairs, distances, dissimilar, counts, weights, logs, unit,
):  # fmt: skip
    """Make merges start…stop of entropy linkage; note who merged, at what cost, in which way."""
    for step in range(start, stop):
        x, y, distances[step], dissimilar[step] = choose(
            table, born, sizes, masks, least, near, permitted, near_permitted, omega
        )
        pairs[step, 0], pairs[step, 1] = min(names[x], names[y]), max(names[x], names[y])
        x, y = min(x, y), max(x, y)
        names[x] = objects + step
        counts[x] += counts[y]
        filled = np.flatnonzero(counts[x])
        born[x] = born[y] = GONE
        walk_costs(counts[x], filled, counts, born, weights, logs, unit, table[x])
        settle(
            x, y, objects + step, table, born, sizes, masks, least, near, permitted,
            near_permitted,
        )  # fmt: skip
