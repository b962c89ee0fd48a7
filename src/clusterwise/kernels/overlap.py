"""Loops that sum over objects how much each cluster of one clustering overlaps each of another.

Memberships come as rows of n × K and n × J matrices, dense or in compressed rows. ``products``
gets Σ w p q and ``differences`` Σ w |p - q| of every pair of clusters; ``own`` gets Σ w |p|²|q|²,
Σ w |p|² and Σ w |q|², and ``masses_a`` and ``masses_b`` Σ w p and Σ w q.
"""

import numpy as np
from numba import uint64

from clusterwise.kernels.jit import jit, jit_sum

# Rows that are turned into columns at a time, at the least: enough for sums in several lanes.
BLOCK = 64
# Memberships of a block: few enough to stay in the first cache.
CACHED = 1536
# Memberships are shares; their sum may be off by what rounding in 32 bits leaves.
TOLERANCE = 1e-5


@jit
def first_bad_row(values):
    """The first row that is no share of one object, or -1."""
    for i in range(values.shape[0]):
        total = 0.0
        negative = 0.0
        for k in range(values.shape[1]):
            value = float(values[i, k])
            total += value
            negative += abs(value) - value
        if not abs(total - 1.0) <= TOLERANCE or negative > 0.0:
            return i
    return -1


@jit
def _turn(values, start, rows, columns, squares):
    """Columns of a block of rows, and the rows' squares; False if a row does not sum to 1."""
    strange = False
    for i in range(uint64(rows)):
        total = 0.0
        square = 0.0
        for k in range(uint64(values.shape[1])):
            value = float(values[uint64(start) + i, k])
            columns[k, i] = value
            total += value
            square += value * value
        squares[i] = square
        strange |= not abs(total - 1.0) <= TOLERANCE
    return not strange


@jit
def _weigh(columns, weights, rows, weighted):
    for k in range(columns.shape[0]):
        for i in range(rows):
            weighted[k, i] = columns[k, i] * weights[i]


@jit_sum
def _pair(p, q, weighted_q, rows):
    """Sums of |p - q| and of p q, where p is weighted."""
    difference = 0.0
    product = 0.0
    for i in range(rows):
        difference += abs(p[i] - weighted_q[i])
        product += p[i] * q[i]
    return difference, product


@jit_sum
def _add_up(values, weight, rows):
    """The weighted sum, and what negative values take from it."""
    total = 0.0
    negative = 0.0
    for i in range(rows):
        total += weight[i] * values[i]
        negative += abs(values[i]) - values[i]
    return total, negative


@jit
def _add_masses(columns, weight, rows, masses):
    """Add each column's sum; False if a value is negative."""
    negative = 0.0
    for k in range(columns.shape[0]):
        mass, missing = _add_up(columns[k], weight, rows)
        masses[k] += mass
        negative += missing
    return negative == 0.0


@jit
def _add_own(squares_a, squares_b, weight, rows, lanes):
    for i in range(rows):
        lanes[0, i] += weight[i] * squares_a[i] * squares_b[i]
        lanes[1, i] += weight[i] * squares_a[i]
        lanes[2, i] += weight[i] * squares_b[i]


@jit
def add_dense(a, b, weights, start, stop, products, differences, masses_a, masses_b, own):
    """Add rows start…stop of two dense matrices; return how far it came.

    It stops before a block with a row that does not sum to 1. ``weights`` may be empty.
    """
    height, width = products.shape
    block = max(BLOCK, min(8 * BLOCK, CACHED // (height + width)) // BLOCK * BLOCK)
    weighted = weights.size > 0
    p, q = np.empty((height, block)), np.empty((width, block))
    p_weighted = np.empty((height if weighted else 0, block))
    q_weighted = np.empty((width if weighted else 0, block))
    lanes = np.zeros((3, block))
    ones = np.ones(block)
    squares_a, squares_b = np.empty(block), np.empty(block)
    at = start
    while at < stop:
        rows = min(block, stop - at)
        if not (_turn(a, at, rows, p, squares_a) and _turn(b, at, rows, q, squares_b)):
            break
        first, second, weight = p, q, ones
        if weighted:
            weight = weights[at : at + rows]
            _weigh(p, weight, rows, p_weighted)
            _weigh(q, weight, rows, q_weighted)
            first, second = p_weighted, q_weighted
        if not (_add_masses(p, weight, rows, masses_a) and _add_masses(q, weight, rows, masses_b)):
            break
        _add_own(squares_a, squares_b, weight, rows, lanes)
        for k in range(height):
            for j in range(width):
                difference, product = _pair(first[k], q[j], second[j], rows)
                differences[k, j] += difference
                products[k, j] += product
        at += rows
    for kind in range(3):
        own[kind] += lanes[kind].sum()
    return at


@jit
def add_powers(a, b, weights, exponent, differences, powers_a, powers_b):
    """Add Σ w |p - q|^e of every pair of clusters, and Σ w p^e and Σ w q^e."""
    for i in range(a.shape[0]):
        weight = weights[i] if weights.size else 1.0
        for j in range(b.shape[1]):
            powers_b[j] += weight * float(b[i, j]) ** exponent
        for k in range(a.shape[1]):
            powers_a[k] += weight * float(a[i, k]) ** exponent
            for j in range(b.shape[1]):
                distance = abs(float(a[i, k]) - float(b[i, j]))
                differences[k, j] += weight * distance**exponent


@jit
def add_labelled(labels, first, b, weights, products, masses_a, masses_b, own):
    """Add the rows of a dense matrix to the clusters that hard labels put them in.

    The differences follow from these sums. Returns how far it came: it stops before a
    row that does not sum to 1.
    """
    for i in range(b.shape[0]):
        weight = weights[i] if weights.size else 1.0
        row = uint64(labels[i]) - first
        total = 0.0
        square = 0.0
        negative = 0.0
        for j in range(b.shape[1]):
            value = float(b[i, j])
            total += value
            square += value * value
            negative += abs(value) - value
        if not abs(total - 1.0) <= TOLERANCE or negative > 0.0:
            return i
        for j in range(b.shape[1]):
            products[row, j] += weight * b[i, j]
            masses_b[j] += weight * b[i, j]
        masses_a[row] += weight
        own[0] += weight * square
        own[1] += weight
        own[2] += weight * square
    return b.shape[0]


@jit
def add_sparse(
    starts_a, columns_a, values_a, starts_b, columns_b, values_b, weights, exponent,
    products, saved, masses_a, masses_b, powers_a, powers_b, own,
):  # fmt: skip
    """Add the rows of two matrices in compressed rows.

    Only pairs of clusters that an object has a share in both of are looked at: ``saved`` gets
    Σ w (p^e + q^e - |p - q|^e), so that the differences are ``powers_a + powers_b - saved``.
    """
    for i in range(starts_a.size - 1):
        weight = weights[i] if weights.size else 1.0
        square_a = 0.0
        square_b = 0.0
        for y in range(starts_b[i], starts_b[i + 1]):
            q = float(values_b[y])
            square_b += q * q
            masses_b[columns_b[y]] += weight * q
            powers_b[columns_b[y]] += weight * q**exponent
        for x in range(starts_a[i], starts_a[i + 1]):
            p = float(values_a[x])
            k = columns_a[x]
            square_a += p * p
            masses_a[k] += weight * p
            powers_a[k] += weight * p**exponent
            for y in range(starts_b[i], starts_b[i + 1]):
                q = float(values_b[y])
                j = columns_b[y]
                products[k, j] += weight * p * q
                if exponent == 1.0:
                    saved[k, j] += weight * 2.0 * min(p, q)
                else:
                    gain = p**exponent + q**exponent - abs(p - q) ** exponent
                    saved[k, j] += weight * gain
        own[0] += weight * square_a * square_b
        own[1] += weight * square_a
        own[2] += weight * square_b


@jit
def add_rows(labels, first, X, weights, sums):
    """Add each object's row to its cluster's sums."""
    for i in range(X.shape[0]):
        row = uint64(labels[i]) - first
        weight = weights[i] if weights.size else 1.0
        for r in range(X.shape[1]):
            sums[row, r] += weight * X[i, r]
