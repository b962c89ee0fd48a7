"""Loops of the sequential information bottleneck, which moves objects between clusters in turn."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit

# Gains that differ by less than this are equal up to rounding.
SLACK = 1e-9
# The number of objects that are prefetched at once.
_AHEAD = 16


class Entries(NamedTuple):
    """The objects' values: object i has the entries ``starts[i]`` to ``starts[i + 1]``.

    ``values`` is the value of each entry, ``pairs`` its row of ``Counts.cells``, ``weights`` its
    weight; ``given`` is each object's combination of given clusters.
    """

    starts: NDArray[np.integer]
    values: NDArray[np.integer]
    pairs: NDArray[np.integer]
    weights: NDArray[np.number]
    given: NDArray[np.int64]


class Counts(NamedTuple):
    """Counts of a clustering, with a column per cluster.

    ``cells`` has the values within each combination of given clusters, ``totals`` those over all
    combinations; ``sizes`` and ``all_sizes`` are the numbers of objects likewise.
    """

    cells: NDArray[np.number]
    totals: NDArray[np.number]
    sizes: NDArray[np.int64]
    all_sizes: NDArray[np.int64]


@jit
def _xlogx(x):
    return x * math.log(x) if x > 0 else 0.0


@jit
def count_objects(entries, labels, counts):
    """Add all objects to counts of zeros."""
    starts, values, pairs, weights, given = entries
    cells, totals, sizes, all_sizes = counts
    for i in range(labels.size):
        k = labels[i]
        sizes[given[i], k] += 1
        all_sizes[k] += 1
        for e in range(starts[i], starts[i + 1]):
            cells[pairs[e], k] += weights[e]
            totals[values[e], k] += weights[e]


@jit
def sum_xlogx(table):
    """Return the sum of x log x over a table."""
    total = 0.0
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            total += _xlogx(table[i, k])
    return total


@jit
def _best(gains, old):
    """Return the cluster with the largest gain; the old one unless another is clearly better."""
    best = old
    for k in range(gains.size):
        if gains[k] > gains[best] + SLACK:
            best = k
    return best


@jit
def _prefetch(objects, starts, values, pairs, given, labels):
    """Prefetch objects from anywhere in memory, so that their cache misses overlap.

    Returns the sum of the values read, so that the compiler does not remove the reads.
    """
    total = 0
    for i in objects:
        first, last = starts[i], starts[i + 1] - 1
        if first <= last:
            total += values[first] + values[last] + pairs[first] + pairs[last]
        total += given[i] + labels[i]
    return total


@jit
def sweep_counts(order, entries, gamma, least, steps, labels, counts, gains):
    """Move each object to the cluster with the largest objective; every weight is 1.

    ``steps[m]`` is the growth of x log x from m to m + 1. A cluster of ``least`` objects loses
    none. Returns the value of :func:`_prefetch`.
    """
    starts, values, pairs, _, given = entries
    cells, totals, sizes, all_sizes = counts
    fetched = 0
    for begin in range(0, order.size, _AHEAD):
        objects = order[begin : begin + _AHEAD]
        fetched += _prefetch(objects, starts, values, pairs, given, labels)
        for i in objects:
            old, z = labels[i], given[i]
            if all_sizes[old] <= least:
                continue
            mass = starts[i + 1] - starts[i]
            sizes[z, old] -= 1
            all_sizes[old] -= 1
            for e in range(starts[i], starts[i + 1]):
                cells[pairs[e], old] -= 1
                totals[values[e], old] -= 1
            for k in range(gains.size):
                gains[k] = -mass * (steps[sizes[z, k]] + gamma * steps[all_sizes[k]])
            for e in range(starts[i], starts[i + 1]):
                pair, value = pairs[e], values[e]
                for k in range(gains.size):
                    gains[k] += steps[cells[pair, k]] + gamma * steps[totals[value, k]]
            new = _best(gains, old)
            labels[i] = new
            sizes[z, new] += 1
            all_sizes[new] += 1
            for e in range(starts[i], starts[i + 1]):
                cells[pairs[e], new] += 1
                totals[values[e], new] += 1
    return fetched


@jit
def sweep_weights(order, entries, gamma, least, steps, labels, counts, gains):
    """As :func:`sweep_counts`, for weights that add up to 1 for each object."""
    starts, values, pairs, weights, given = entries
    cells, totals, sizes, all_sizes = counts
    fetched = 0
    for begin in range(0, order.size, _AHEAD):
        objects = order[begin : begin + _AHEAD]
        fetched += _prefetch(objects, starts, values, pairs, given, labels)
        for i in objects:
            old, z = labels[i], given[i]
            if all_sizes[old] <= least:
                continue
            sizes[z, old] -= 1
            all_sizes[old] -= 1
            for e in range(starts[i], starts[i + 1]):
                # Rounding must not leave a negative count.
                cells[pairs[e], old] = max(cells[pairs[e], old] - weights[e], 0.0)
                totals[values[e], old] = max(totals[values[e], old] - weights[e], 0.0)
            for k in range(gains.size):
                gains[k] = -steps[sizes[z, k]] - gamma * steps[all_sizes[k]]
            for e in range(starts[i], starts[i + 1]):
                weight, pair, value = weights[e], pairs[e], values[e]
                for k in range(gains.size):
                    x = cells[pair, k]
                    gains[k] += _xlogx(x + weight) - _xlogx(x)
                    if gamma > 0:
                        x = totals[value, k]
                        gains[k] += gamma * (_xlogx(x + weight) - _xlogx(x))
            new = _best(gains, old)
            labels[i] = new
            sizes[z, new] += 1
            all_sizes[new] += 1
            for e in range(starts[i], starts[i + 1]):
                cells[pairs[e], new] += weights[e]
                totals[values[e], new] += weights[e]
    return fetched


@jit
def exchange_gains(first, last, value_of, mass, cells, totals, sizes_here, all_sizes, gains):
    """Compute the gain of I(C;Y) if clusters are relabelled within one combination of given ones.

    ``gains[k, l]`` is the gain of relabelling l as k. The combination has the rows ``first`` to
    ``last`` of ``cells``, whose values are ``value_of``.
    """
    count = all_sizes.size
    for k in range(count):
        rest = all_sizes[k] - sizes_here[k]
        for m in range(count):
            gains[k, m] = mass * (_xlogx(rest) - _xlogx(rest + sizes_here[m]))
    for pair in range(first, last):
        value = value_of[pair]
        for k in range(count):
            rest = max(totals[value, k] - cells[pair, k], 0)
            before = _xlogx(rest)
            for m in range(count):
                gains[k, m] += _xlogx(rest + cells[pair, m]) - before
