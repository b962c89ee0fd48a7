"""Loops of k-means whose clusters are coupled by prices.

An object pays its squared distance to a centroid, and the prices of what it is part of: row
``codes[i, j]`` of the prices for every j, and row ``first + g`` times ``weights[i, g]`` for every
g. Its share of the clusters is a softmax of what it saves, at a low heat.
"""

from math import exp, log

import numpy as np

from clusterwise.kernels.jit import jit, jit_sum

# A share below exp of this is nothing.
_COLDEST = -40.0


@jit_sum
def _square(points, i, centroids, k):
    total = 0.0
    for d in range(points.shape[1]):
        step = points[i, d] - centroids[k, d]
        total += step * step
    return total


@jit
def measure(points, centroids, begin, end, costs):
    """Squared distances to centroids; returns the sum over objects of the range of theirs."""
    wide = 0.0
    for i in range(begin, end):
        low, high = np.inf, 0.0
        for k in range(len(centroids)):
            cost = _square(points, i, centroids, k)
            costs[i, k] = cost
            low, high = min(low, cost), max(high, cost)
        wide += high - low
    return wide


@jit
def _price(costs, i, codes, weights, prices, first, row):
    """What object i pays in each cluster."""
    for k in range(row.size):
        row[k] = costs[i, k]
    for j in range(codes.shape[1]):
        for k in range(row.size):
            row[k] += prices[codes[i, j], k]
    for g in range(weights.shape[1]):
        for k in range(row.size):
            row[k] += weights[i, g] * prices[first + g, k]


@jit
def _soften(row, heat):
    """Turn costs into shares; returns the soft minimum of the costs."""
    low = row.min()
    total = 0.0
    for k in range(row.size):
        power = (low - row[k]) / heat
        row[k] = exp(power) if power > _COLDEST else 0.0
        total += row[k]
    for k in range(row.size):
        row[k] /= total
    return low - heat * log(total)


@jit
def press(costs, codes, weights, prices, heat, begin, end, table):
    """Add to the table what each cluster holds of each row; returns the sum of soft minima."""
    first = len(prices) - weights.shape[1]
    row = np.empty(costs.shape[1])
    value = 0.0
    for i in range(begin, end):
        _price(costs, i, codes, weights, prices, first, row)
        value += _soften(row, heat)
        for k in range(row.size):
            if row[k] > 0.0:
                for j in range(codes.shape[1]):
                    table[codes[i, j], k] += row[k]
                for g in range(weights.shape[1]):
                    table[first + g, k] += weights[i, g] * row[k]
    return value


@jit
def gather(points, costs, codes, weights, prices, heat, begin, end, sums, sizes):
    """Add up the objects of each cluster by their shares; returns the sum of their costs."""
    first = len(prices) - weights.shape[1]
    row = np.empty(costs.shape[1])
    spread = 0.0
    for i in range(begin, end):
        _price(costs, i, codes, weights, prices, first, row)
        _soften(row, heat)
        for k in range(row.size):
            if row[k] > 0.0:
                sizes[k] += row[k]
                spread += row[k] * costs[i, k]
                for d in range(points.shape[1]):
                    sums[k, d] += row[k] * points[i, d]
    return spread


@jit
def settle(costs, codes, weights, prices, noise, begin, end, labels):
    """Put each object where it pays least, costs being changed by the noise."""
    first = len(prices) - weights.shape[1]
    row = np.empty(costs.shape[1])
    for i in range(begin, end):
        _price(costs, i, codes, weights, prices, first, row)
        best = 0
        for k in range(row.size):
            row[k] -= noise[i, k]
            if row[k] < row[best]:
                best = k
        labels[i] = best


@jit
def find_move(costs, codes, weights, prices, slope, labels, full, kinds, barred):
    """The object and the cluster to move it to that costs least for what it gains.

    ``slope`` says how much is lost by each unit of each row in each cluster. A cluster that is not
    ``full`` enough gives nothing away, and what an object of some kind may not do is
    ``barred[kind, from, to]``. Returns -1, -1 if no move gains.
    """
    first = len(prices) - weights.shape[1]
    row, loss = np.empty(costs.shape[1]), np.empty(costs.shape[1])
    best, moved, to = np.inf, -1, -1
    nothing = np.zeros((1, costs.shape[1]))
    for i in range(len(costs)):
        here = labels[i]
        if not full[here]:
            continue
        _price(nothing, 0, codes[i : i + 1], weights[i : i + 1], slope, first, loss)
        if loss[here] <= loss.min():
            continue
        _price(costs, i, codes, weights, prices, first, row)
        for k in range(row.size):
            gain = loss[here] - loss[k]
            if gain > 0.0 and not barred[kinds[i], here, k]:
                price = (row[k] - row[here]) / gain
                if price < best:
                    best, moved, to = price, i, k
    return moved, to
