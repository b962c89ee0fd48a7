"""Loops that search for the clustering with the highest normalised φ, one object at a time.

Values are those of the normalised φ times the number of objects and the total weight of the
clusterings, so that a move changes the terms of the clusters only.
"""

import numpy as np

from clusterwise.kernels.jit import jit
from clusterwise.kernels.phi import co_associations, make_move


@jit
def normalised_value(sums, phi):
    """Return the value of at least two clusters."""
    _, sizes, inner, outer, _, _ = sums
    value = 0.0
    for k in range(sizes.size):
        nearest = 0.0
        for other in range(sizes.size):
            if other != k:
                nearest = max(nearest, outer[k, other] / sizes[other])
        value += _term(sizes[k], inner[k], nearest / sizes[k], phi)
    return value


@jit
def _term(size, inner, nearest, phi):
    """Return the term of a cluster."""
    return size * (phi.k1 * inner / max(size * (size - 1.0) / 2.0, 1.0) + phi.k2 * nearest)


@jit
def _find_nearest(a, sums, means, nearest):
    """Find for each cluster the two other ones, except ``a``, with the largest means.

    ``means[k]`` are ``outer[k, l] / sizes[l]`` of both, and ``nearest[k]`` is the first one.
    """
    _, sizes, _, outer, _, _ = sums
    for k in range(sizes.size):
        means[k, 0] = 0.0
        means[k, 1] = 0.0
        nearest[k] = -1
        for other in range(sizes.size):
            if other == k or other == a:
                continue
            mean = outer[k, other] / sizes[other]
            if nearest[k] < 0 or mean > means[k, 0]:
                means[k, 1] = means[k, 0]
                means[k, 0] = mean
                nearest[k] = other
            elif mean > means[k, 1]:
                means[k, 1] = mean


@jit
def _value_after(move, dots, sums, phi, means, nearest):
    """Return the value after a move; ``means`` and ``nearest`` are those without its source."""
    a, b, weight, known, _ = move
    _, sizes, inner, outer, _, _ = sums
    new_a = sizes[a] - weight
    new_b = sizes[b] + weight
    both = outer[a, b] + weight * (dots[a] - dots[b] - weight * known)
    nearest_a = both / new_b
    nearest_b = both / new_a
    value = 0.0
    for k in range(sizes.size):
        if k == a or k == b:
            continue
        with_a = outer[a, k] - weight * dots[k]
        with_b = outer[b, k] + weight * dots[k]
        nearest_a = max(nearest_a, with_a / sizes[k])
        nearest_b = max(nearest_b, with_b / sizes[k])
        own = means[k, 1] if nearest[k] == b else means[k, 0]
        own = max(own, with_a / new_a, with_b / new_b)
        value += _term(sizes[k], inner[k], own / sizes[k], phi)
    inside_a = inner[a] - weight * dots[a] + weight * (weight + 1.0) / 2.0 * known
    inside_b = inner[b] + weight * dots[b] + weight * (weight - 1.0) / 2.0 * known
    value += _term(new_a, inside_a, nearest_a / new_a, phi)
    return value + _term(new_b, inside_b, nearest_b / new_b, phi)


@jit
def sweep_normalised(data, labels, sums, phi, least):
    """Move each object to the cluster with the largest value; return the number of moves.

    No cluster is emptied, and a gain of at most ``least`` is ignored.
    """
    rows, starts, factors, weights = data
    sizes = sums.sizes
    dots = np.empty(sizes.size)
    means = np.empty((sizes.size, 2))
    nearest = np.empty(sizes.size, np.int64)
    value = normalised_value(sums, phi)
    moved = 0
    for i in range(labels.size):
        a = labels[i]
        weight = weights[i]
        if sizes[a] - weight < 0.5:
            continue
        known = co_associations(rows[i], starts, factors, sums.table, dots)
        _find_nearest(a, sums, means, nearest)
        best = value + least
        target = a
        for b in range(sizes.size):
            if b != a:
                after = _value_after((a, b, weight, known, 0.0), dots, sums, phi, means, nearest)
                if after > best:
                    best = after
                    target = b
        if target != a:
            make_move((a, target, weight, known, 0.0), rows[i], starts, factors, dots, sums)
            labels[i] = target
            value = best
            moved += 1
    return moved


@jit
def anneal_normalised(objects, targets, uniform, temperature, data, labels, sums, phi):
    """Try random moves; one with a loss is made with probability exp(gain / temperature)."""
    rows, starts, factors, weights = data
    sizes = sums.sizes
    dots = np.empty(sizes.size)
    means = np.empty((sizes.size, 2))
    nearest = np.empty(sizes.size, np.int64)
    value = normalised_value(sums, phi)
    for step in range(objects.size):
        i = objects[step]
        b = targets[step]
        a = labels[i]
        weight = weights[i]
        if a == b or sizes[a] - weight < 0.5:
            continue
        known = co_associations(rows[i], starts, factors, sums.table, dots)
        _find_nearest(a, sums, means, nearest)
        move = (a, b, weight, known, 0.0)
        after = _value_after(move, dots, sums, phi, means, nearest)
        if after > value or uniform[step] < np.exp((after - value) / temperature):
            make_move(move, rows[i], starts, factors, dots, sums)
            labels[i] = b
            value = after
