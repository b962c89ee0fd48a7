"""Loops that sum over objects how much each cluster of one clustering overlaps each of another.

Memberships come as rows of n × K and n × J matrices, dense or in compressed rows. ``products``
gets Σ w p q and ``differences`` Σ w |p - q| of every pair of clusters; ``own`` gets Σ w |p|²|q|²,
Σ w |p|² and Σ w |q|², and ``masses_a`` and ``masses_b`` Σ w p and Σ w q.
"""

import numpy as np
from numba import uint64

from clusterwise.kernels.jit import jit, jit_sum

# Rows that are turned into columns at a time: enough for sums in several lanes, and few enough
# for a dozen clusters each to stay in the first cache.
BLOCK = 64
# Memberships are shares; their sum may be off by what rounding in 32 bits leaves.
TOLERANCE = 1e-5
# Rows that lack less than this to 1 sum to 1.
ROUNDING = 1e-13


@jit
def first_bad_row(values):
    """The first row that is no share of one object, or -1."""
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
def _turn(values, start, rows, columns, squares):
    """Columns of a block of rows and the rows' squares; the most that a row lacks to 1.

    That is infinite if a row does not sum to 1 at all. Four rows are worked on side by side. A
    block is always full: rows that the matrix does not have are zeros.
    """
    most = 0.0
    one, two, three = uint64(1), uint64(2), uint64(3)
    fours = rows // 4 * 4
    width = uint64(values.shape[1])
    strange = False
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
        strange |= not (s0 <= TOLERANCE and s1 <= TOLERANCE and s2 <= TOLERANCE and s3 <= TOLERANCE)
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
        strange |= not abs(1.0 - total) <= TOLERANCE
    if rows < BLOCK:
        columns[:, rows:] = 0.0
        squares[rows:] = 0.0
    return np.inf if strange else most


@jit
def _any_negative(columns):
    """Whether a number has its sign set, and if so, whether it is below zero."""
    signs = np.int64(0)
    bits = columns.reshape(-1).view(np.int64)
    for i in range(bits.size):
        signs |= bits[i]
    return signs < 0 and columns.min() < 0.0


@jit
def _weigh(columns, weights, weighted):
    for k in range(columns.shape[0]):
        for i in range(weights.size):
            weighted[k, i] = columns[k, i] * weights[i]


@jit_sum
def _pair(p, q):
    """Sums of |p - q| and of p q over a block."""
    difference = 0.0
    product = 0.0
    for i in range(BLOCK):
        difference += abs(p[i] - q[i])
        product += p[i] * q[i]
    return difference, product


@jit_sum
def _weighted_pair(p, q, weighted_q):
    """The same where p is weighted."""
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
    """Add what the products leave out of the masses, since the other side's rows lack it."""
    for i in range(BLOCK):
        rest = 1.0
        for k in range(other.shape[0]):
            rest -= other[k, i]
        for k in range(columns.shape[0]):
            masses[k] += rest * columns[k, i]


@jit
def add_dense(a, b, weights, start, stop, products, differences, masses_a, masses_b, own):
    """Add rows start…stop of two dense matrices; return how far it came.

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
        lacking_a = _turn(a, at, rows, p, squares_a)
        lacking_b = _turn(b, at, rows, q, squares_b)
        if lacking_a == np.inf or lacking_b == np.inf:
            break
        if _any_negative(p) or _any_negative(q):
            break
        first, second = p, q
        if weighted:
            weight[:rows] = weights[at : at + rows]
            _weigh(p, weight, p_weighted)
            _weigh(q, weight, q_weighted)
            first, second = p_weighted, q_weighted
        if lacking_a > ROUNDING:
            _add_rest(p, second, masses_b)
        if lacking_b > ROUNDING:
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
    """Add the rows of a dense matrix to the clusters that hard labels put them in.

    The differences follow from these sums. Returns how far it came: it stops before a
    row that does not sum to 1.
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
    """Add objects to their mean, and to their weight and spread around it; the first bad row.

    Blocks are merged by the rule of Chan, Golub and LeVeque (1983), which does not cancel. A row
    is bad that holds something else than finite numbers; -1 if none does.
    """
    features = X.shape[1]
    sums = np.empty(features)
    for start in range(0, X.shape[0], BLOCK):
        stop = min(start + BLOCK, X.shape[0])
        weight = 0.0
        sums[:] = 0.0
        for i in range(start, stop):
            share = weights[i] if weights.size else 1.0
            weight += share
            for r in range(features):
                if not np.isfinite(X[i, r]):
                    return i
                sums[r] += share * X[i, r]
        if weight == 0.0:
            continue
        before, whole = moments[0], moments[0] + weight
        spread = 0.0
        for i in range(start, stop):
            share = weights[i] if weights.size else 1.0
            for r in range(features):
                spread += share * (X[i, r] - sums[r] / weight) ** 2
        for r in range(features):
            apart = sums[r] / weight - mean[r]
            mean[r] += apart * (weight / whole)
            spread += apart * apart * (before * weight / whole)
        moments[0] = whole
        moments[1] += spread
    return -1
