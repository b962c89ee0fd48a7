"""Expected mutual information of two clusterings with given cluster sizes.

For clusters of sizes a and b among n objects, the overlap X of a random pair is
hypergeometric with mean m = ab/n, and the expected information is the sum over
all pairs of E[X log(X/m)]/n. It is computed to full precision:

* E[X - m] = 0, so the term may be X log(X/m) - X + m, which is never negative:
  nothing cancels.
* From one overlap to the next the term grows by log(x/m) + (x + 1) log(1 + 1/x) - 1,
  and the logarithm by log(1 + 1/x): both are small where the term is.
* Probabilities are computed from the mode outwards by their ratios and divided by
  their own sum: no factorials, no lgamma.
* Ratios fall away from the mode (the distribution is log-concave), so a geometric
  series bounds the tail; the sum ends when the tail is below the fraction CUT of it.

The number of terms grows as √m. From m = LARGE on, the expectation is the Taylor series of the
term in 1/m instead, whose coefficients are central moments of X. Its relative error is below
ERROR/m³, less than the rounding of the sum. So the work of a pair is bounded, whatever n.
"""

import numpy as np
from numba import int64

from clusterwise.kernels.jit import jit

# The largest relative weight of the tail that is left out on each side.
CUT = 1e-16
# Below this overlap, the steps of logarithms come from a table.
TABLE = 4096
# From this mean overlap on, the expectation is a series in 1/mean.
LARGE = 2.0**18
# The relative error of the series is at most this, divided by the cube of the mean overlap.
ERROR = 1.0


def _steps(x):
    """Return log(1 + 1/x) and (x + 1) log(1 + 1/x) - 1, by the series of 2 atanh(1/(2x + 1))."""
    u = 1.0 / (2.0 * x + 1.0)
    tail = np.zeros_like(x)
    for odd in range(39, 1, -2):
        tail = tail * u**2 + 1.0 / odd
    tail *= u**3
    return 2.0 * (u + tail), u + 2.0 * (x + 1.0) * tail


# The entry of x = 0 is not used.
LOGS, GAINS = (np.concatenate([[0.0], steps]) for steps in _steps(np.arange(1.0, TABLE)))


@jit
def _step(x):
    """Return log(1 + 1/x) and (x + 1) log(1 + 1/x) - 1."""
    if x < TABLE:
        return LOGS[int64(x)], GAINS[int64(x)]
    u = 1.0 / (2.0 * x + 1.0)
    tail = u * u * u * (1.0 / 3.0 + 0.2 * u * u)
    return 2.0 * (u + tail), u + 2.0 * (x + 1.0) * tail


@jit
def _excess(x, mean):
    """Return x log(x/mean) - x + mean, precisely also for x close to the mean."""
    if x == 0.0:
        return mean
    distance = x - mean
    v = distance / (x + mean)
    if abs(v) > 0.1:
        return x * np.log(x / mean) - distance
    # log(x/mean) = 2 atanh(v); the first term of its series is subtracted analytically.
    square = v * v
    power = v * square
    tail = 0.0
    for odd in range(3, 21, 2):
        tail += power / odd
        power *= square
    return distance * v + 2.0 * x * tail


@jit
def _tail_bound(weight, value, ratio, distance):
    """Return a bound on the sum of all further terms, whose weights fall at least by ``ratio``.

    Values grow at most as the squared distance from the mean (twice that on
    the lower side), so three power series suffice.
    """
    if ratio >= 1.0:
        return np.inf
    rest = 1.0 / (1.0 - ratio)
    slope = ratio * rest / distance
    return (
        2.0 * weight * value * rest * (1.0 + 2.0 * slope + (1.0 + ratio) * slope * rest / distance)
    )


@jit
def _ratio_above(x, a, b, n):
    """Return the probability of the overlap x + 1 divided by that of x."""
    return (a - x) / (n - a - b + x + 1.0) * ((b - x) / (x + 1.0))


@jit
def _ratio_below(x, a, b, n):
    """Return the probability of the overlap x - 1 divided by that of x."""
    return x / (a - x + 1.0) * ((n - a - b + x) / (b - x + 1.0))


@jit
def _mean_excess_of_large(a, b, n):
    """Return E[X log(X/m) - X + m] by its series, for a large mean overlap m.

    With d = X - m the term is d²/2m - d³/6m² + d⁴/12m³ - d⁵/20m⁴ + d⁶/30m⁵ - …. The second,
    third and fourth moments of the hypergeometric distribution are exact: m·ratio, m·ratio·third
    and 3(m·ratio)² + m·ratio·fourth. Of the fifth and sixth only the leading terms count.
    """
    p, q = a / n, b / n
    mean = a * q
    rest_a, rest_b = (n - a) / n, (n - b) / n
    products = p * rest_a, q * rest_b
    ratio = rest_a * rest_b / (1.0 - 1.0 / n)
    third = (rest_a - p) * (rest_b - q) / (1.0 - 2.0 / n)
    fourth = (1.0 - 1.0 / n) * (1.0 + 1.0 / n - 6.0 * (products[0] + products[1]))
    fourth += 6.0 * products[0] * products[1] * (5.0 - 6.0 / n)
    fourth /= (1.0 - 1.0 / n) * (1.0 - 2.0 / n) * (1.0 - 3.0 / n)
    first_order = ratio / 4.0 - third / 6.0
    second_order = fourth / 12.0 - ratio * third / 2.0 + ratio * ratio / 2.0
    return ratio * (0.5 + (first_order + second_order / mean) / mean)


@jit
def _mean_excess(a, b, n):
    """Return E[X log(X/m) - X + m] for the overlap X of clusters of sizes a and b."""
    mean = a * (b / n)  # the product of both sizes may overflow
    if mean >= LARGE:
        return _mean_excess_of_large(a, b, n)
    low = max(0.0, a + b - n)
    high = min(a, b)
    mode = min(max(np.floor((a + 1.0) * ((b + 1.0) / (n + 2.0))), low), high)
    at_mode = _excess(mode, mean)
    log_at_mode = np.log1p((mode - mean) / mean) if mode > 0.0 else -np.inf
    total = 1.0
    excess = at_mode
    for side in range(2):
        x = mode
        weight = 1.0
        value = at_mode
        log = log_at_mode
        while True:
            if side == 0:
                if x >= high:
                    break
                weight *= _ratio_above(x, a, b, n)
                if x == 0.0:
                    log = -np.log(mean)
                    value = log - 1.0 + mean
                else:
                    step, gain = _step(x)
                    value += log + gain
                    log += step
                x += 1.0
            else:
                if x <= low:
                    break
                weight *= _ratio_below(x, a, b, n)
                x -= 1.0
                if x == 0.0:
                    value = mean
                else:
                    step, gain = _step(x)
                    log -= step
                    value -= log + gain
            total += weight
            term = weight * value
            excess += term
            if term < CUT * excess:
                ratio = _ratio_above(x, a, b, n) if side == 0 else _ratio_below(x, a, b, n)
                distance = abs(x - mean)
                if distance >= 1.0 and _tail_bound(weight, value, ratio, distance) < CUT * excess:
                    break
    return excess / total


@jit
def expected_information(sizes_a, times_a, sizes_b, times_b, n):
    """Return the expected mutual information, summed over all pairs of distinct sizes.

    ``times_a`` and ``times_b`` are the numbers of clusters of each size.
    """
    if n == 0.0:
        return 0.0
    total = 0.0
    for i in range(sizes_a.size):
        row = 0.0
        for j in range(sizes_b.size):
            row += times_b[j] * _mean_excess(sizes_a[i], sizes_b[j], n)
        total += times_a[i] * row
    return total / n


@jit
def _mean_excess_or_zero(a, b, n):
    return 0.0 if a == 0.0 or b == 0.0 else _mean_excess(a, b, n)


@jit
def expected_information_without_one(sizes_a, times_a, sizes_b, times_b, n, expected):
    """Write the expected mutual information of n - 1 objects, of which one left a cluster each.

    ``expected[i, j]`` is that without an object of clusters of the sizes ``sizes_a[i]`` and
    ``sizes_b[j]``. Only the terms of these two clusters have other sizes than before.
    """
    rest = n - 1.0
    height, width = expected.shape
    row, row_less = np.zeros(height), np.zeros(height)
    column, column_less = np.zeros(width), np.zeros(width)
    total = 0.0
    for i in range(height):
        for j in range(width):
            a, b = sizes_a[i], sizes_b[j]
            kept = _mean_excess_or_zero(a, b, rest)
            less_a = _mean_excess_or_zero(a - 1.0, b, rest)
            less_b = _mean_excess_or_zero(a, b - 1.0, rest)
            both = _mean_excess_or_zero(a - 1.0, b - 1.0, rest)
            row[i] += times_b[j] * kept
            row_less[i] += times_b[j] * less_a
            column[j] += times_a[i] * kept
            column_less[j] += times_a[i] * less_b
            total += times_a[i] * times_b[j] * kept
            expected[i, j] = kept - less_a - less_b + both
    for i in range(height):
        for j in range(width):
            changed = total - row[i] + row_less[i] - column[j] + column_less[j]
            expected[i, j] = (expected[i, j] + changed) / rest
