"""Kernels of soft assignment with weighted groups, and of objects' overlaps with profiles.

As :mod:`clusterwise.kernels.maximus_multipliers`, but every object also belongs to the last groups,
by ``weights[i]``: group ``first + g`` adds ``weights[i, g]`` times its multipliers.
"""

import numpy as np

from clusterwise.kernels.jit import jit
from clusterwise.kernels.maximus_multipliers import softmin


@jit
def overlap_with_profiles(codes, table, weights):
    """Sum ``table``, which has a row per region, over the regions of each object."""
    for i in range(len(codes)):
        for k in range(table.shape[1]):
            weights[i, k] = 0.0
        for r in range(codes.shape[1]):
            for k in range(table.shape[1]):
                weights[i, k] += table[codes[i, r], k]


@jit
def _penalise(costs, i, codes, weights, multipliers, row):
    """Fill in the penalised costs of object i."""
    first = len(multipliers) - weights.shape[1]
    for k in range(row.size):
        row[k] = costs[i, k]
    for j in range(codes.shape[1]):
        for k in range(row.size):
            row[k] += multipliers[codes[i, j], k]
    for g in range(weights.shape[1]):
        for k in range(row.size):
            row[k] += weights[i, g] * multipliers[first + g, k]


@jit
def add_expected_counts(costs, codes, weights, multipliers, temperature, begin, end, table):
    """Add the memberships to the group × cluster table; return the sum of soft minima."""
    first = len(multipliers) - weights.shape[1]
    row = np.empty(costs.shape[1])
    value = 0.0
    for i in range(begin, end):
        _penalise(costs, i, codes, weights, multipliers, row)
        value += softmin(row, temperature)
        for k in range(row.size):
            if row[k] > 0.0:
                for j in range(codes.shape[1]):
                    table[codes[i, j], k] += row[k]
                for g in range(weights.shape[1]):
                    table[first + g, k] += weights[i, g] * row[k]
    return value


@jit
def add_to_centroids(
    points, costs, codes, weights, multipliers, temperature, begin, end, sums, sizes
):
    """Add objects to their clusters by membership; return the sum of their expected costs."""
    row = np.empty(costs.shape[1])
    inertia = 0.0
    for i in range(begin, end):
        _penalise(costs, i, codes, weights, multipliers, row)
        softmin(row, temperature)
        for k in range(row.size):
            if row[k] > 0.0:
                sizes[k] += row[k]
                inertia += row[k] * costs[i, k]
                for d in range(points.shape[1]):
                    sums[k, d] += row[k] * points[i, d]
    return inertia


@jit
def assign_cheapest(costs, codes, weights, multipliers, noise, begin, end, labels):
    """Assign each object to the cluster of least penalised cost minus noise."""
    row = np.empty(costs.shape[1])
    for i in range(begin, end):
        _penalise(costs, i, codes, weights, multipliers, row)
        best = 0
        for k in range(row.size):
            row[k] -= noise[i, k]
            if row[k] < row[best]:
                best = k
        labels[i] = best


@jit
def find_move(costs, codes, weights, multipliers, gradient, labels, can_leave, patterns, tabu):
    """Return the object and the target cluster with the least cost per unit of improvement."""
    row, potential = np.empty(costs.shape[1]), np.empty(costs.shape[1])
    best, moved, target = np.inf, -1, -1
    no_costs = np.zeros((1, costs.shape[1]))
    for i in range(len(costs)):
        here = labels[i]
        if not can_leave[here]:
            continue
        _penalise(no_costs, 0, codes[i : i + 1], weights[i : i + 1], gradient, potential)
        if potential[here] <= potential.min():
            continue
        _penalise(costs, i, codes, weights, multipliers, row)
        for k in range(row.size):
            gain = potential[here] - potential[k]
            if gain > 0.0 and not tabu[patterns[i], here, k]:
                rate = (row[k] - row[here]) / gain
                if rate < best:
                    best, moved, target = rate, i, k
    return moved, target
