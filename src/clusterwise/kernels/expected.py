"""Expected mutual information of two clusterings with given cluster sizes.

For clusters of sizes a and b among n objects, the overlap X of a random pair is
hypergeometric with mean m = ab/n, and the expected information is the sum over
all pairs of E[X log(X/m)]/n. Three things keep every digit:

* E[X - m] = 0, so the term may be X log(X/m) - X + m, which is never negative:
  nothing cancels.
* Probabilities are carried from the mode outwards by their ratios and divided by
  their own sum: no factorials, no lgamma.
* Ratios fall away from the mode (the distribution is log-concave), so a geometric
  series bounds what is left out; the walk ends when that is below CUT of the sum.
"""

import numpy as np
from numba import int64

from clusterwise.kernels.jit import jit

# Relative weight of the tails that are left out, at most, on each side.
CUT = 1e-16
# Below this overlap, logarithms come from a table.
TABLE = 4096


@jit
def _excess(x, mean):
    """Return x log(x/mean) - x + mean, precisely also for x close to the mean."""
    if x == 0.0:
        return mean
    distance = x - mean
    v = distance / (x + mean)
    if abs(v) > 0.1:
        return x * np.log(x / mean) - distance
    # 2 atanh(v) = log(x/mean): the first term cancels against the distance by hand.
    square = v * v
    power = v * square
    tail = 0.0
    for odd in range(3, 21, 2):
        tail += power / odd
        power *= square
    return distance * v + 2.0 * x * tail


@jit
def _left_out(weight, value, ratio, distance):
    """Bound on the sum of all further terms, whose weights fall at least by ratio.

    Values grow at most like the squared distance from the mean (twice that on
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
def _mean_excess(a, b, n, logs):
    """E[X log(X/m) - X + m] for the overlap X of clusters of sizes a and b."""
    mean = a * b / n
    low = max(0.0, a + b - n)
    high = min(a, b)
    mode = min(max(np.floor((a + 1.0) * (b + 1.0) / (n + 2.0)), low), high)
    from_table = mean < 0.5 * TABLE
    log_mean = np.log(mean)
    total = 1.0
    excess = _excess(mode, mean)
    for side in range(2):
        x = mode
        weight = 1.0
        while True:
            if side == 0:
                if x >= high:
                    break
                weight *= (a - x) * (b - x) / ((x + 1.0) * (n - a - b + x + 1.0))
                x += 1.0
            else:
                if x <= low:
                    break
                weight *= x * (n - a - b + x) / ((a - x + 1.0) * (b - x + 1.0))
                x -= 1.0
            if from_table and x < TABLE:
                value = x * (logs[int64(x)] - log_mean) - (x - mean)
            else:
                value = _excess(x, mean)
            total += weight
            term = weight * value
            excess += term
            if term < CUT * excess:
                if side == 0:
                    ratio = (a - x) * (b - x) / ((x + 1.0) * (n - a - b + x + 1.0))
                else:
                    ratio = x * (n - a - b + x) / ((a - x + 1.0) * (b - x + 1.0))
                distance = abs(x - mean)
                if distance >= 1.0 and _left_out(weight, value, ratio, distance) < CUT * excess:
                    break
    return excess / total


@jit
def expected_information(sizes_a, times_a, sizes_b, times_b, n):
    """Sum over all pairs of distinct sizes, each as often as it occurs."""
    if n == 0.0:
        return 0.0
    logs = np.zeros(TABLE)
    for x in range(1, TABLE):
        logs[x] = np.log(float(x))
    total = 0.0
    for i in range(sizes_a.size):
        row = 0.0
        for j in range(sizes_b.size):
            row += times_b[j] * _mean_excess(sizes_a[i], sizes_b[j], n, logs)
        total += times_a[i] * row
    return total / n
