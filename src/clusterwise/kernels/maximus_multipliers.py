"""Kernels of k-means with Lagrange multipliers on groups of objects.

Object i belongs to the groups ``codes[i]``. Its penalised cost in cluster k is its squared distance
to the centroid plus the multipliers ``multipliers[group, k]`` of all its groups. Its memberships
are the softmin of these costs at a low temperature. Every kernel works on the objects from
``begin`` to before ``end``, so that blocks can run in parallel.
"""

from math import exp, log

import numpy as np

from clusterwise.kernels.jit import jit, jit_sum

# A membership below exp of this is zero.
_SMALLEST_EXPONENT = -40.0


@jit_sum
def _squared_distance(points, i, centroids, k):
    total = 0.0
    for d in range(points.shape[1]):
        step = points[i, d] - centroids[k, d]
        total += step * step
    return total


@jit
def squared_distances(points, centroids, begin, end, costs):
    """Fill in the squared distances to centroids; return the sum of every object's range."""
    ranges = 0.0
    for i in range(begin, end):
        low, high = np.inf, 0.0
        for k in range(len(centroids)):
            cost = _squared_distance(points, i, centroids, k)
            costs[i, k] = cost
            low, high = min(low, cost), max(high, cost)
        ranges += high - low
    return ranges


@jit
def _penalise(costs, i, codes, multipliers, row):
    """Fill in the penalised costs of object i."""
    for k in range(row.size):
        row[k] = costs[i, k]
    for j in range(codes.shape[1]):
        for k in range(row.size):
            row[k] += multipliers[codes[i, j], k]


@jit
def softmin(row, temperature):
    """Replace costs by memberships; return the soft minimum of the costs."""
    low = row.min()
    total = 0.0
    for k in range(row.size):
        exponent = (low - row[k]) / temperature
        row[k] = exp(exponent) if exponent > _SMALLEST_EXPONENT else 0.0
        total += row[k]
    for k in range(row.size):
        row[k] /= total
    return low - temperature * log(total)


@jit
def add_expected_counts(costs, codes, multipliers, temperature, begin, end, table):
    """Add the memberships to the group × cluster table; return the sum of soft minima."""
    row = np.empty(costs.shape[1])
    value = 0.0
    for i in range(begin, end):
        _penalise(costs, i, codes, multipliers, row)
        value += softmin(row, temperature)
        for k in range(row.size):
            if row[k] > 0.0:
                for j in range(codes.shape[1]):
                    table[codes[i, j], k] += row[k]
    return value


@jit
def add_to_centroids(points, costs, codes, multipliers, temperature, begin, end, sums, sizes):
    """Add objects to their clusters by membership; return the sum of their expected costs."""
    row = np.empty(costs.shape[1])
    inertia = 0.0
    for i in range(begin, end):
        _penalise(costs, i, codes, multipliers, row)
        softmin(row, temperature)
        for k in range(row.size):
            if row[k] > 0.0:
                sizes[k] += row[k]
                inertia += row[k] * costs[i, k]
                for d in range(points.shape[1]):
                    sums[k, d] += row[k] * points[i, d]
    return inertia


@jit
def assign_cheapest(costs, codes, multipliers, noise, begin, end, labels):
    """Assign each object to the cluster of least penalised cost minus noise."""
    row = np.empty(costs.shape[1])
    for i in range(begin, end):
        _penalise(costs, i, codes, multipliers, row)
        best = 0
        for k in range(row.size):
            row[k] -= noise[i, k]
            if row[k] < row[best]:
                best = k
        labels[i] = best


@jit
def find_move(costs, codes, multipliers, gradient, labels, can_leave, patterns, tabu):
    """Return the object and the target cluster with the least cost per unit of improvement.

    ``gradient`` is that of the constraint potential by the cells of the group × cluster table.
    Objects leave a cluster only where ``can_leave`` is true, and moves with
    ``tabu[pattern, from, to]`` are excluded. Returns -1, -1 if no move improves the potential.
    """
    row, potential = np.empty(costs.shape[1]), np.empty(costs.shape[1])
    best, moved, target = np.inf, -1, -1
    no_costs = np.zeros((1, costs.shape[1]))
    for i in range(len(costs)):
        here = labels[i]
        if not can_leave[here]:
            continue
        _penalise(no_costs, 0, codes[i : i + 1], gradient, potential)
        if potential[here] <= potential.min():
            continue
        _penalise(costs, i, codes, multipliers, row)
        for k in range(row.size):
            gain = potential[here] - potential[k]
            if gain > 0.0 and not tabu[patterns[i], here, k]:
                rate = (row[k] - row[here]) / gain
                if rate < best:
                    best, moved, target = rate, i, k
    return moved, target
