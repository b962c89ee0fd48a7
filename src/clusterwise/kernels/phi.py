"""Loops that search for the clustering with the highest φ, one object or cluster at a time.

``totals`` is empty for φ as published. For φ by objects it has the sum of ``inner``, the sum of
squared sizes, the number of objects, all co-associated pairs, and the total weight of the
clusterings.
"""

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit


class PhiData(NamedTuple):
    """The objects as rows of codes with weights, and the clusterings.

    ``starts`` are the first columns of the clusterings, ``factors`` their weights.
    """

    rows: NDArray[np.integer]
    starts: NDArray[np.int64]
    factors: NDArray[np.float64]
    weights: NDArray[np.float64]


class PhiSums(NamedTuple):
    """The sums of a clustering that φ is computed from.

    ``table`` (C × K) has for each cluster c of the ensemble and k of the clustering the objects
    shared, times the weight of c's clustering; ``inner`` the co-associated pairs within k;
    ``outer`` (K × K) those between k and l; ``reach`` the sum of ``outer[k, l] / sizes[l]``.
    """

    table: NDArray[np.float64]
    sizes: NDArray[np.float64]
    inner: NDArray[np.float64]
    outer: NDArray[np.float64]
    reach: NDArray[np.float64]
    totals: NDArray[np.float64]


class PhiWeights(NamedTuple):
    """The weights of pairs within and between clusters."""

    k1: float
    k2: float


@jit
def count_clusters(data, labels, table, sizes):
    """Fill the table and the sizes of all clusters."""
    rows, starts, factors, weights = data
    table[:] = 0.0
    sizes[:] = 0.0
    for i in range(rows.shape[0]):
        k = labels[i]
        sizes[k] += weights[i]
        for j in range(rows.shape[1]):
            if rows[i, j] >= 0:
                table[starts[j] + rows[i, j], k] += factors[j] * weights[i]


@jit
def sum_pairs(sums, by_column):
    """Compute the co-associated pairs within and between clusters from the table."""
    table, sizes, inner, outer, reach, _ = sums
    count = sizes.size
    inner[:] = 0.0
    outer[:] = 0.0
    for c in range(table.shape[0]):
        for k in range(count):
            value = table[c, k]
            if value == 0.0:
                continue
            share = value / by_column[c]
            inner[k] += value * (share - 1.0) / 2.0
            for other in range(count):
                outer[k, other] += share * table[c, other]
    for k in range(count):
        outer[k, k] = 0.0
        reach[k] = 0.0
        for other in range(count):
            reach[k] += outer[k, other] / sizes[other]


@jit
def objective(sizes, inner, reach, k1, k2):
    """Return φ."""
    total = 0.0
    for k in range(sizes.size):
        total += k1 * inner[k] / (sizes[k] * sizes[k]) + k2 * reach[k] / (2.0 * sizes[k])
    return total


@jit
def objective_by_objects(within, inside, squares, totals, k1, k2):
    """Return φ by objects, from the sum of inner / sizes, of inner, and of squared sizes."""
    n = totals[2]
    value = 2.0 * k1 * within / n
    between = n * n - squares
    if between > 0.5:
        value += 2.0 * k2 * (totals[3] - inside) / between
    return value / totals[4]


@jit
def co_associations(row, starts, factors, table, dots):
    """Sum the co-associations of an object with each cluster; return its clusterings' weight."""
    known = 0.0
    dots[:] = 0.0
    for j in range(row.size):
        if row[j] >= 0:
            known += factors[j]
            c = uint64(starts[j] + row[j])
            for k in range(uint64(dots.size)):
                dots[k] += table[c, k]
    return known


@jit
def _gain_by_objects(move, dots, sums, phi):
    """Return the gain of φ by objects for a move."""
    a, b, weight, known, _ = move
    _, sizes, inner, _, _, totals = sums
    less = -weight * dots[a] + weight * (weight + 1.0) / 2.0 * known
    more = weight * dots[b] + weight * (weight - 1.0) / 2.0 * known
    new_a = sizes[a] - weight
    new_b = sizes[b] + weight
    within = (inner[a] + less) / new_a + (inner[b] + more) / new_b
    within -= inner[a] / sizes[a] + inner[b] / sizes[b]
    inside = totals[0] + less + more
    squares = totals[1] + new_a * new_a + new_b * new_b - sizes[a] * sizes[a] - sizes[b] * sizes[b]
    before = objective_by_objects(0.0, totals[0], totals[1], totals, phi.k1, phi.k2)
    after = objective_by_objects(within, inside, squares, totals, phi.k1, phi.k2)
    return after - before


@jit
def _gain(move, dots, sums, phi):
    """Return the gain of φ for a move."""
    a, b, weight, known, all_dots = move
    _, sizes, inner, outer, reach, _ = sums
    old_a = sizes[a]
    old_b = sizes[b]
    new_a = old_a - weight
    new_b = old_b + weight
    inside_a = inner[a] - weight * dots[a] + weight * (weight + 1.0) / 2.0 * known
    inside_b = inner[b] + weight * dots[b] + weight * (weight - 1.0) / 2.0 * known
    intra = inside_a / (new_a * new_a) + inside_b / (new_b * new_b)
    intra -= inner[a] / (old_a * old_a) + inner[b] / (old_b * old_b)
    both = outer[a, b]
    rest = weight * (all_dots - dots[a] / old_a - dots[b] / old_b)
    inter = (reach[a] - both / old_b - rest) / new_a + (reach[b] - both / old_a + rest) / new_b
    inter += (both + weight * (dots[a] - dots[b] - weight * known)) / (new_a * new_b)
    inter -= reach[a] / old_a + reach[b] / old_b - both / (old_a * old_b)
    return phi.k1 * intra + phi.k2 * inter


@jit
def make_move(move, row, starts, factors, dots, sums):
    """Update two columns of the table and two rows of pairs."""
    a, b, weight, known, _ = move
    table, sizes, inner, outer, reach, totals = sums
    if totals.size:
        totals[0] += weight * (dots[b] - dots[a]) + weight * weight * known
        totals[1] += 2.0 * weight * (sizes[b] - sizes[a] + weight)
    inner[a] += -weight * dots[a] + weight * (weight + 1.0) / 2.0 * known
    inner[b] += weight * dots[b] + weight * (weight - 1.0) / 2.0 * known
    both = outer[a, b] + weight * (dots[a] - dots[b] - weight * known)
    new_a = sizes[a] - weight
    new_b = sizes[b] + weight
    for k in range(sizes.size):
        if k != a and k != b:
            reach[k] -= outer[a, k] / sizes[a] + outer[b, k] / sizes[b]
            outer[a, k] -= weight * dots[k]
            outer[b, k] += weight * dots[k]
            outer[k, a] = outer[a, k]
            outer[k, b] = outer[b, k]
            reach[k] += outer[a, k] / new_a + outer[b, k] / new_b
    outer[a, b] = both
    outer[b, a] = both
    sizes[a] = new_a
    sizes[b] = new_b
    reach[a] = 0.0
    reach[b] = 0.0
    for k in range(sizes.size):
        reach[a] += outer[a, k] / sizes[k]
        reach[b] += outer[b, k] / sizes[k]
    for j in range(row.size):
        if row[j] >= 0:
            table[starts[j] + row[j], a] -= factors[j] * weight
            table[starts[j] + row[j], b] += factors[j] * weight


@jit
def sweep_objects(order, data, labels, sums, phi, least):
    """Move each object to the cluster with the largest φ; return the number of moves.

    No cluster is emptied, and a gain of at most ``least`` is ignored.
    """
    rows, starts, factors, weights = data
    table, sizes, totals = sums.table, sums.sizes, sums.totals
    count = sizes.size
    dots = np.empty(count)
    moved = 0
    for i in order:
        a = labels[i]
        weight = weights[i]
        if sizes[a] - weight < 0.5 or count == 1:
            continue
        known = co_associations(rows[i], starts, factors, table, dots)
        all_dots = 0.0
        for k in range(count):
            all_dots += dots[k] / sizes[k]
        best = least
        target = a
        for b in range(count):
            if b == a:
                continue
            if totals.size:
                gain = _gain_by_objects((a, b, weight, known, all_dots), dots, sums, phi)
            else:
                gain = _gain((a, b, weight, known, all_dots), dots, sums, phi)
            if gain > best:
                best = gain
                target = b
        if target != a:
            make_move((a, target, weight, known, all_dots), rows[i], starts, factors, dots, sums)
            labels[i] = target
            moved += 1
    return moved


@jit
def anneal_objects(objects, targets, uniform, temperature, data, labels, sums, phi):
    """Try random moves by φ as published; a loss has probability exp(gain / temperature)."""
    rows, starts, factors, weights = data
    table, sizes = sums.table, sums.sizes
    dots = np.empty(sizes.size)
    for step in range(objects.size):
        i = objects[step]
        b = targets[step]
        a = labels[i]
        weight = weights[i]
        if a == b or sizes[a] - weight < 0.5:
            continue
        known = co_associations(rows[i], starts, factors, table, dots)
        all_dots = 0.0
        for k in range(sizes.size):
            all_dots += dots[k] / sizes[k]
        move = (a, b, weight, known, all_dots)
        gain = _gain(move, dots, sums, phi)
        if gain > 0.0 or uniform[step] < np.exp(gain / temperature):
            make_move(move, rows[i], starts, factors, dots, sums)
            labels[i] = b


@jit
def merge_best(sizes, inner, outer, totals, k1, k2, alive):
    """Merge the two clusters with the largest gain of φ into the first of them; return both."""
    count = sizes.size
    reach = np.zeros(count)
    for k in range(count):
        if alive[k]:
            for other in range(count):
                if alive[other]:
                    reach[k] += outer[k, other] / sizes[other]
    best = -np.inf
    first = -1
    second = -1
    for a in range(count):
        if not alive[a]:
            continue
        for b in range(a + 1, count):
            if not alive[b]:
                continue
            s = sizes[a]
            t = sizes[b]
            both = outer[a, b]
            if totals.size:
                within = (inner[a] + inner[b] + both) / (s + t) - inner[a] / s - inner[b] / t
                gain = objective_by_objects(
                    within, totals[0] + both, totals[1] + 2.0 * s * t, totals, k1, k2
                )  # fmt: skip
            else:
                intra = (inner[a] + inner[b] + both) / ((s + t) * (s + t))
                intra -= inner[a] / (s * s) + inner[b] / (t * t)
                inter = (reach[a] + reach[b] - both / s - both / t) / (s + t)
                inter -= reach[a] / s + reach[b] / t - both / (s * t)
                gain = k1 * intra + k2 * inter
            if gain > best:
                best = gain
                first = a
                second = b
    if totals.size:
        totals[0] += outer[first, second]
        totals[1] += 2.0 * sizes[first] * sizes[second]
    inner[first] += inner[second] + outer[first, second]
    sizes[first] += sizes[second]
    alive[second] = False
    for k in range(count):
        outer[first, k] += outer[second, k]
        outer[k, first] = outer[first, k]
    outer[first, first] = 0.0
    return first, second


@jit
def assign_by_co_association(data, objects, table, sizes, labels):
    """Assign objects to the cluster with the largest mean co-association."""
    rows, starts, factors, _ = data
    dots = np.empty(sizes.size)
    for i in objects:
        co_associations(rows[i], starts, factors, table, dots)
        best = -1.0
        for k in range(sizes.size):
            if dots[k] / sizes[k] > best:
                best = dots[k] / sizes[k]
                labels[i] = k


@jit
def co_associations_with(rows, factors, one, found):
    """Compute the weight of the clusterings that put each object in a cluster with ``one``."""
    for i in range(rows.shape[0]):
        total = 0.0
        for j in range(rows.shape[1]):
            if rows[i, j] >= 0 and rows[i, j] == rows[one, j]:
                total += factors[j]
        found[i] = total
