"""Loops of the information bottleneck: objects drawn out of their clusters and put back.

Objects are described by entries ``starts[i]`` to ``starts[i + 1]``: what value each is about, and
its weight. ``cells`` counts the values within each combination of given clusters, ``totals`` over
all of them, both with a column per cluster; ``sizes`` and ``all_sizes`` count objects likewise.
"""

import math

from clusterwise.kernels.jit import jit

# Gains that differ less than this are a matter of rounding.
SLACK = 1e-9
# So many objects are fetched at once.
_AHEAD = 16


@jit
def _xlogx(x):
    return x * math.log(x) if x > 0 else 0.0


@jit
def recount(starts, values, pairs, weights, given, labels, cells, totals, sizes, all_sizes):
    """Add all objects to tables of zeros."""
    for i in range(labels.size):
        k = labels[i]
        sizes[given[i], k] += 1
        all_sizes[k] += 1
        for e in range(starts[i], starts[i + 1]):
            cells[pairs[e], k] += weights[e]
            totals[values[e], k] += weights[e]


@jit
def sum_xlogx(table):
    """Sum of x log x over a table."""
    total = 0.0
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            total += _xlogx(table[i, k])
    return total


@jit
def _best(gains, old):
    """The cluster that gains most; the old one unless another gains clearly more."""
    best = old
    for k in range(gains.size):
        if gains[k] > gains[best] + SLACK:
            best = k
    return best


@jit
def _fetch(objects, starts, values, pairs, given, labels):
    """Read a little of objects that lie anywhere in memory, to wait for all of them at once.

    Returns the sum of what was read: compilers leave out what is read for nothing.
    """
    total = 0
    for i in objects:
        first, last = starts[i], starts[i + 1] - 1
        if first <= last:
            total += values[first] + values[last] + pairs[first] + pairs[last]
        total += given[i] + labels[i]
    return total


@jit
def sweep_counts(
    order, starts, values, pairs, given, gamma, least, steps, labels, cells, totals, sizes,
    all_sizes, gains,
):  # fmt: skip
    """Draw each object out and put it where the objective grows most; every weight is 1.

    ``steps[m]`` is how much x log x grows from m to m + 1. An object stays in a cluster of
    ``least`` objects. Returns what :func:`_fetch` does.
    """
    fetched = 0
    for begin in range(0, order.size, _AHEAD):
        objects = order[begin : begin + _AHEAD]
        fetched += _fetch(objects, starts, values, pairs, given, labels)
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
def sweep_weights(
    order, starts, values, pairs, weights, given, gamma, least, steps, labels, cells, totals,
    sizes, all_sizes, gains,
):  # fmt: skip
    """As :func:`sweep_counts`, for weights that add up to 1 for each object."""
    fetched = 0
    for begin in range(0, order.size, _AHEAD):
        objects = order[begin : begin + _AHEAD]
        fetched += _fetch(objects, starts, values, pairs, given, labels)
        for i in objects:
            old, z = labels[i], given[i]
            if all_sizes[old] <= least:
                continue
            sizes[z, old] -= 1
            all_sizes[old] -= 1
            for e in range(starts[i], starts[i + 1]):
                # Rounding must not leave less than nothing.
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
    """What I(C;Y) gains if the clusters within one combination of given ones change names.

    ``gains[k, l]`` is for the objects called l, which are called k from now on. The combination
    has the rows ``first`` to ``last`` of ``cells``, which are about ``value_of`` each.
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
