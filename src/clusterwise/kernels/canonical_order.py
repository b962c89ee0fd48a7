"""Colours of the rows and clusters of an ensemble, refined by each other.

Colours are 64-bit hashes. Sums of hashes do not depend on the order of their terms, nor on the
numbers that clusters have.
"""

import numpy as np
from numba import uint64

from clusterwise.kernels.jit import jit

# Rows whose colours stay in the cache while all clusterings are read.
_ROWS = 256
# The multiplier that separates an old colour from what is added to it: an odd number.
_OLD = np.uint64(0x9E3779B97F4A7C15)
# The finaliser of splitmix64.
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@jit
def _mix(value):
    value = (value ^ (value >> uint64(30))) * _FIRST
    value = (value ^ (value >> uint64(27))) * _SECOND
    return value ^ (value >> uint64(31))


@jit
def mix_colours(colours, added):
    """Make new colours of the old ones and what is added to each, in place."""
    for i in range(colours.size):
        colours[i] = _mix(colours[i] * _OLD + added[i])


@jit
def refine_colours(codes, first, rows, clusters, members):
    """Refine the colours of rows, clusters and clusterings by one round, in place.

    ``codes`` is m × n with -1 for missing, ``first`` the index of each clustering's first cluster.
    A cluster gets the colours of its rows, a clustering those of its clusters, a cluster that of
    its clustering, and a row those of its clusters.
    """
    m, n = codes.shape
    sums = np.zeros(clusters.size, np.uint64)
    totals = np.zeros(_ROWS, np.uint64)
    for i in range(m):
        for x in range(n):
            if codes[i, x] >= 0:
                sums[first[i] + codes[i, x]] += rows[x]
    mix_colours(clusters, sums)
    for i in range(m):
        total = uint64(0)
        for k in range(first[i], first[i + 1]):
            total += clusters[k]
        members[i] = _mix(members[i] * _OLD + total)
        for k in range(first[i], first[i + 1]):
            clusters[k] = _mix(clusters[k] * _OLD + members[i])
    for begin in range(0, n, _ROWS):
        size = min(_ROWS, n - begin)
        totals[:size] = uint64(0)
        for i in range(m):
            for x in range(size):
                code = codes[i, begin + x]
                if code >= 0:
                    totals[x] += clusters[first[i] + code]
        mix_colours(rows[begin : begin + size], totals)


@jit
def number_by_appearance(codes, rows, ranks, out):
    """Write the codes in the order ``rows``, numbered as they first appear; -1 stays.

    ``ranks`` gets the new number of each code; it must be -1 everywhere before.
    """
    used = 0
    for x in range(rows.size):
        code = codes[rows[x]]
        if code >= 0:
            if ranks[code] < 0:
                ranks[code] = used
                used += 1
            out[x] = ranks[code]
        else:
            out[x] = code
