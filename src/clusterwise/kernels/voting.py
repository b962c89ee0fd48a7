"""How many objects any two clusters of an ensemble share."""

import numpy as np

from clusterwise.kernels.jit import jit

BLOCK = 256


@jit
def count_shared(codes, first, weights, start, stop, shared):
    """Add objects from ``start`` to ``stop`` to the lower triangle of clusters × clusters.

    ``first`` is the number of the first cluster of each clustering.
    """
    m = codes.shape[0]
    known = np.empty((BLOCK, m), np.int64)
    many = np.empty(BLOCK, np.int64)
    for begin in range(start, stop, BLOCK):
        size = min(BLOCK, stop - begin)
        many[:size] = 0
        for i in range(m):
            for x in range(size):
                code = codes[i, begin + x]
                if code >= 0:
                    known[x, many[x]] = first[i] + code
                    many[x] += 1
        for x in range(size):
            weight = weights[begin + x]
            for i in range(many[x]):
                row = known[x, i]
                for j in range(i + 1):
                    shared[row, known[x, j]] += weight


@jit
def count_votes(codes, first, joins, weights, votes):
    """Add to ``votes`` (objects × clusters) that of every clustering.

    ``joins`` is the cluster that each cluster of the ensemble votes for.
    """
    m, n = codes.shape
    for begin in range(0, n, BLOCK):
        end = min(begin + BLOCK, n)
        for i in range(m):
            for x in range(begin, end):
                code = codes[i, x]
                if code >= 0:
                    votes[x, joins[first[i] + code]] += weights[first[i] + code]
