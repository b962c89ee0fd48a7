"""Loops that sum the overlap of the clusters of two soft clusterings over objects.

Memberships are rows of n × K and n × J matrices, dense or in compressed rows. ``products``
gets Σ w p q and ``differences`` Σ w |p - q| of every pair of clusters; ``own`` gets Σ w |p|²|q|²,
Σ w |p|² and Σ w |q|², and ``masses_a`` and ``masses_b`` Σ w p and Σ w q.
"""

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit, jit_sum

# Rows that are transposed at once: enough for vectorised sums, and few enough that a block of
# twelve clusters stays in the first-level cache.
BLOCK = 64
# Memberships sum to 1 up to rounding in 32 bits.
TOLERANCE = 1e-5
# Rows whose sum differs from 1 by less than this sum to 1.
ROUNDING = 1e-13


class SparseRows(NamedTuple):
    """A matrix in compressed rows: row i has the entries ``starts[i]`` to ``starts[i + 1]``."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]


class SparseSums(NamedTuple):
    """Sums over objects; ``powers_a`` and ``powers_b`` are Σ w p^e and Σ w q^e.

    ``saved`` is Σ w (p^e + q^e - |p - q|^e), so that the differences are ``powers_a + powers_b -
    saved``.
    """

    products: NDArray[np.float64]
    saved: NDArray[np.float64]
    masses_a: NDArray[np.float64]
    masses_b: NDArray[np.float64]
    powers_a: NDArray[np.float64]
    powers_b: NDArray[np.float64]
    own: NDArray[np.float64]


@jit
def first_bad_row(values):
    """Return the first row that does not sum to 1 or has a negative value, or -1."""
    for i in range(values.shape[0]):
        total = 0.0
        negative = False
        for k in range(values.shape[1]):
            value = np.float64(values[i, k])
            total += value
            negative |= value < 0.0
        if not abs(total - 1.0) <= TOLERANCE or negative:
            return i
    return -1


@jit
def _transpose_block(values, start, rows, columns, squares):
    """Transpose a block of rows and sum their squares; return the largest deviation from sum 1.

    It is infinite if a row deviates by more than ``TOLERANCE``. Four rows are read at once. A block
    is always full: missing rows at the end of the matrix are zeros.
    """
    most = 0.0
    one, two, three = uint64(1), uint64(2), uint64(3)
    fours = rows // 4 * 4
    width = uint64(values.shape[1])
    invalid = False
    for i in range(uint64(0), uint64(fours), uint64(4)):
        at = uint64(start) + i
        s0 = s1 = s2 = s3 = 0.0
        q0 = q1 = q2 = q3 = 0.0
        for k in range(width):
            v0 = np.float64(values[at, k])
            v1 = np.float64(values[at + one, k])
            v2 = np.float64(values[at + two, k])
            v3 = np.float64(values[at + three, k])
            columns[k, i] = v0
            columns[k, i + one] = v1
            columns[k, i + two] = v2
            columns[k, i + three] = v3
            s0 += v0
            s1 += v1
            s2 += v2
            s3 += v3
            q0 += v0 * v0
            q1 += v1 * v1
            q2 += v2 * v2
            q3 += v3 * v3
        squares[i] = q0
        squares[i + one] = q1
        squares[i + two] = q2
        squares[i + three] = q3
        s0, s1, s2, s3 = abs(1.0 - s0), abs(1.0 - s1), abs(1.0 - s2), abs(1.0 - s3)
        most = max(most, s0, s1, s2, s3)
        invalid |= not (s0 <= TOLERANCE and s1 <= TOLERANCE and s2 <= TOLERANCE and s3 <= TOLERANCE)
    for i in range(fours, rows):
        total = 0.0
        square = 0.0
        for k in range(values.shape[1]):
            value = np.float64(values[start + i, k])
            columns[k, i] = value
            total += value
            square += value * value
        squares[i] = square
        most = max(most, abs(1.0 - total))
        invalid |= not abs(1.0 - total) <= TOLERANCE
    if rows < BLOCK:
        columns[:, rows:] = 0.0
        squares[rows:] = 0.0
    return np.inf if invalid else most


@jit
def _any_negative(columns):
    """Return whether a value is below zero; tests the sign bits first."""
    signs = np.int64(0)
    bits = columns.reshape(-1).view(np.int64)
    for i in range(bits.size):
        signs |= bits[i]
    return signs < 0 and columns.min() < 0.0


@jit
def _apply_weights(columns, weights, weighted):
    for k in range(columns.shape[0]):
        for i in range(weights.size):
            weighted[k, i] = columns[k, i] * weights[i]


@jit_sum
def _pair(p, q):
    """Return the sums of |p - q| and of p q over a block."""
    difference = 0.0
    product = 0.0
    for i in range(BLOCK):
        difference += abs(p[i] - q[i])
        product += p[i] * q[i]
    return difference, product


@jit_sum
def _weighted_pair(p, q, weighted_q):
    """Return the same sums where p is weighted."""
    difference = 0.0
    product = 0.0
    for i in range(BLOCK):
        difference += abs(p[i] - weighted_q[i])
        product += p[i] * q[i]
    return difference, product


@jit_sum
def _own_sums(squares_a, squares_b, weight, rows):
    both = 0.0
    first = 0.0
    second = 0.0
    for i in range(rows):
        both += weight[i] * squares_a[i] * squares_b[i]
        first += weight[i] * squares_a[i]
        second += weight[i] * squares_b[i]
    return both, first, second


@jit
def _add_rest(other, columns, masses):
    """Add to the masses the part that the products lack because the other rows do not sum to 1."""
    for i in range(BLOCK):
        rest = 1.0
        for k in range(other.shape[0]):
            rest -= other[k, i]
        for k in range(columns.shape[0]):
            masses[k] += rest * columns[k, i]


@jit
def add_dense(a, b, weights, start, stop, products, differences, masses_a, masses_b, own):
    """Add rows start…stop of two dense matrices; return the row at which it stopped.

    It stops before a block with a row that does not sum to 1. ``weights`` may be empty. Where
    rows sum to 1, the masses are the sums of the products.
    """
    height, width = products.shape
    weighted = weights.size > 0
    p, q = np.zeros((height, BLOCK)), np.zeros((width, BLOCK))
    p_weighted, q_weighted = np.zeros(p.shape), np.zeros(q.shape)
    weight, squares_a, squares_b = np.ones(BLOCK), np.zeros(BLOCK), np.zeros(BLOCK)
    found = np.zeros(products.shape)
    at = start
    while at < stop:
        rows = min(BLOCK, stop - at)
        deviation_a = _transpose_block(a, at, rows, p, squares_a)
        deviation_b = _transpose_block(b, at, rows, q, squares_b)
        if deviation_a == np.inf or deviation_b == np.inf:
            break
        if _any_negative(p) or _any_negative(q):
            break
        first, second = p, q
        if weighted:
            weight[:rows] = weights[at : at + rows]
            _apply_weights(p, weight, p_weighted)
            _apply_weights(q, weight, q_weighted)
            first, second = p_weighted, q_weighted
        if deviation_a > ROUNDING:
            _add_rest(p, second, masses_b)
        if deviation_b > ROUNDING:
            _add_rest(q, first, masses_a)
        both, of_a, of_b = _own_sums(squares_a, squares_b, weight, rows)
        own[0] += both
        own[1] += of_a
        own[2] += of_b
        for k in range(height):
            for j in range(width):
                if weighted:
                    difference, product = _weighted_pair(first[k], q[j], second[j])
                else:
                    difference, product = _pair(p[k], q[j])
                differences[k, j] += difference
                found[k, j] += product
        at += rows
    products += found
    masses_a += found.sum(axis=1)
    masses_b += found.sum(axis=0)
    return at


@jit
def add_powers(a, b, weights, exponent, differences, powers_a, powers_b):
    """Add Σ w |p - q|^e of every pair of clusters, and Σ w p^e and Σ w q^e."""
    for i in range(a.shape[0]):
        weight = weights[i] if weights.size else 1.0
        for j in range(b.shape[1]):
            powers_b[j] += weight * np.float64(b[i, j]) ** exponent
        for k in range(a.shape[1]):
            powers_a[k] += weight * np.float64(a[i, k]) ** exponent
            for j in range(b.shape[1]):
                distance = abs(np.float64(a[i, k]) - np.float64(b[i, j]))
                differences[k, j] += weight * distance**exponent


@jit
def add_labelled(labels, first, b, weights, products, masses_a, masses_b, own):
    """Add the rows of a dense matrix to the clusters of a hard clustering.

    The differences follow from these sums. Returns the first row that does not sum to 1, before
    which it stopped, or the number of rows.
    """
    for i in range(b.shape[0]):
        weight = weights[i] if weights.size else 1.0
        row = uint64(labels[i]) - first
        total = 0.0
        square = 0.0
        negative = False
        for j in range(b.shape[1]):
            value = np.float64(b[i, j])
            total += value
            square += value * value
            negative |= value < 0.0
        if not abs(total - 1.0) <= TOLERANCE or negative:
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
def add_sparse(a, b, weights, exponent, sums):
    """Add the rows of two matrices in compressed rows.

    Only pairs of clusters with positive memberships of an object are visited.
    """
    starts_a, columns_a, values_a = a
    starts_b, columns_b, values_b = b
    products, saved, masses_a, masses_b, powers_a, powers_b, own = sums
    for i in range(starts_a.size - 1):
        weight = weights[i] if weights.size else 1.0
        square_a = 0.0
        square_b = 0.0
        for y in range(starts_b[i], starts_b[i + 1]):
            q = np.float64(values_b[y])
            square_b += q * q
            masses_b[columns_b[y]] += weight * q
            powers_b[columns_b[y]] += weight * q**exponent
        for x in range(starts_a[i], starts_a[i + 1]):
            p = np.float64(values_a[x])
            k = columns_a[x]
            square_a += p * p
            masses_a[k] += weight * p
            powers_a[k] += weight * p**exponent
            for y in range(starts_b[i], starts_b[i + 1]):
                q = np.float64(values_b[y])
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


@jit
def add_moments(X, weights, mean, moments):
    """Update the mean, the total weight and the sum of squared deviations.

    Blocks are merged by the formula of Chan, Golub and LeVeque (1983), which does not cancel.
    Returns the first row with a value that is not finite, or -1.
    """
    features = X.shape[1]
    sums = np.empty(features)
    for start in range(0, X.shape[0], BLOCK):
        stop = min(start + BLOCK, X.shape[0])
        total = 0.0
        sums[:] = 0.0
        for i in range(start, stop):
            weight = weights[i] if weights.size else 1.0
            total += weight
            for r in range(features):
                if not np.isfinite(X[i, r]):
                    return i
                sums[r] += weight * X[i, r]
        if total == 0.0:
            continue
        before, after = moments[0], moments[0] + total
        squares = 0.0
        for i in range(start, stop):
            weight = weights[i] if weights.size else 1.0
            for r in range(features):
                squares += weight * (X[i, r] - sums[r] / total) ** 2
        for r in range(features):
            shift = sums[r] / total - mean[r]
            mean[r] += shift * (total / after)
            squares += shift * shift * (before * total / after)
        moments[0] = after
        moments[1] += squares
    return -1
