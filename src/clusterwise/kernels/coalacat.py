"""Entropy linkage: the cost of a merge is the growth of the description length of its objects.

The cost of merging p and q is n·H(p ∪ q) - n_p·H(p) - n_q·H(q), with H summed over features. Each
cluster has a row of counts, and n·H is a weighted sum of x·log2 x over that row. Columns in which
p has no count cancel, so that a cost is a sum over the nonzero counts of p.

x·log2 x is stored in fixed point, as an integer number of tiny parts of a bit, and the logarithm of
a product is exactly the sum of its factors' logarithms: equal costs are equal to the last bit, in
any order of addition.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.coala import GONE, choose_pair, record_merge, update_after_merge
from clusterwise.kernels.jit import jit


class EntropyScale(NamedTuple):
    """The weight of each column of counts, the table of x·log2 x, and its parts per bit."""

    weights: NDArray[np.int64]
    logs: NDArray[np.int64]
    unit: float


@jit
def fill_differences(codes, table):
    """Write the costs of merging two objects: two bits per feature that both have and differ in.

    ``codes`` has a row per feature, with -1 for missing. Only the lower triangle is written.
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
    """Return x·log2 x for 0 … n in parts of a bit, from the rounded logarithms of primes."""
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
def merge_costs(own, filled, counts, born, scale, costs):
    """Write the costs of merging a row of counts with each of the clusters that are left."""
    weights, logs = scale.weights, scale.logs
    own_length = np.int64(0)
    for column in filled:
        own_length += weights[column] * logs[own[column]]
    for k in range(born.size):
        if born[k] == GONE:
            continue
        row = counts[k]
        cost = -own_length
        for column in filled:
            cost += weights[column] * (logs[own[column] + row[column]] - logs[row[column]])
        # Sums of rounded logarithms may be slightly negative.
        costs[k] = max(cost, 0) / scale.unit


@jit
def merge_entropies(clusters, omega, objects, start, stop, history, counts, scale):
    """Make the merges start…stop of entropy linkage; ``clusters.sums`` are the merge costs."""
    born = clusters.born
    for step in range(start, stop):
        x, y, history.distances[step], history.dissimilar[step] = choose_pair(clusters, omega)
        record_merge(step, x, y, clusters, objects, history)
        x, y = min(x, y), max(x, y)
        counts[x] += counts[y]
        filled = np.flatnonzero(counts[x])
        born[x] = born[y] = GONE
        merge_costs(counts[x], filled, counts, born, scale, clusters.sums[x])
        update_after_merge(x, y, objects + step, clusters)
