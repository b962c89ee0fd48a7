"""Loops over feature values: ranges, bins, and the entropy cuts of MDL."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit

# Rows that stay in the cache while all features are read.
BLOCK = 512
# Gains in bits that differ by less are equal up to rounding: the lower cut wins.
SAME_GAIN = 1e-10


class BinEdges(NamedTuple):
    """The bins of all features.

    Features with a scale above zero have bins of equal width. For the others the bin of a value is
    the number of cuts, from ``cut_starts[r]`` on, that are not above it. ``regular`` is the number
    of bins, without the one for missing values.
    """

    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    scales: NDArray[np.float64]
    cuts: NDArray[np.float64]
    cut_starts: NDArray[np.int64]
    regular: NDArray[np.int64]


@jit
def fold_range(rows, start, stop, low, high):
    """Update the smallest and largest value of every column, without NaN."""
    width = rows.shape[1]
    for i in range(start, stop):
        for j in range(width):
            value = rows[i, j]
            low[j] = min(low[j], value)  # a NaN is never below
            high[j] = max(high[j], value)


@jit
def find_bins(rows, start, stop, edges, codes, below, above):
    """Find the bin of every value; values outside the range go to the end bins.

    NaN gets bin ``regular``.
    """
    lows, highs, scales, cuts, cut_starts, regular = edges
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        for r in range(rows.shape[1]):
            low, high, scale, top = lows[r], highs[r], scales[r], regular[r] - 1
            under = 0
            over = 0
            for i in range(first, last):
                value = float(rows[i, r])
                if value != value:
                    codes[r, i] = top + 1
                    continue
                if value < low:
                    under += 1
                    value = low
                elif value > high:
                    over += 1
                    value = high
                if scale > 0.0:
                    codes[r, i] = min(int((value - low) * scale), top)
                else:
                    left, right = cut_starts[r], cut_starts[r + 1]
                    while left < right:
                        middle = (left + right) // 2
                        if cuts[middle] <= value:
                            left = middle + 1
                        else:
                            right = middle
                    codes[r, i] = left - cut_starts[r]
            below[r] += under
            above[r] += over


@jit
def _bits(count):
    return count * np.log2(count) if count > 0 else 0.0


@jit
def _best_cut(values, classes, start, stop, whole, left):
    """Find the cut of values[start:stop] with the largest information gain.

    ``whole`` has the class counts of the segment; ``left`` is a buffer of the same size.
    Returns the cut, its gain in bits per object, and Σ c log2 c of both sides.
    """
    n = stop - start
    in_left, in_right = 0.0, 0.0
    for k in range(whole.size):
        in_right += _bits(whole[k])
        left[k] = 0
    total = in_right
    best, gain, best_left, best_right = -1, 0.0, 0.0, 0.0
    for i in range(start, stop - 1):
        k = classes[i]
        before, after = left[k], whole[k] - left[k]
        in_left += _bits(before + 1) - _bits(before)
        in_right += _bits(after - 1) - _bits(after)
        left[k] = before + 1
        if values[i] == values[i + 1]:
            continue
        m = i + 1 - start
        here = (_bits(n) - total - _bits(m) + in_left - _bits(n - m) + in_right) / n
        if best < 0 or here > gain + SAME_GAIN:
            best, gain, best_left, best_right = i + 1, here, in_left, in_right
    return best, gain, best_left, best_right


@jit
def _n_classes(counts):
    found = 0
    for k in range(counts.size):
        if counts[k] > 0:
            found += 1
    return found


@jit
def mdl_cuts(values, classes, n_classes):
    """Return the positions at which Fayyad and Irani's rule cuts sorted values.

    A cut is kept if its gain exceeds (log2(n - 1) + Δ) / n, where
    Δ = log2(3^k - 2) - k H(S) + k1 H(S1) + k2 H(S2), H in bits, k counting classes.
    """
    n_values = values.size
    is_cut = np.zeros(n_values + 1, np.bool_)
    starts = np.empty(n_values + 1, np.int64)
    stops = np.empty(n_values + 1, np.int64)
    starts[0], stops[0] = 0, n_values
    waiting = 1
    whole = np.empty(n_classes, np.int64)
    left = np.empty(n_classes, np.int64)
    while waiting > 0:
        waiting -= 1
        start, stop = starts[waiting], stops[waiting]
        n = stop - start
        if n < 2 or values[start] == values[stop - 1]:
            continue
        whole[:] = 0
        for i in range(start, stop):
            whole[classes[i]] += 1
        k = _n_classes(whole)
        if k < 2:
            continue
        total = 0.0
        for c in range(n_classes):
            total += _bits(whole[c])
        cut, gain, in_left, in_right = _best_cut(values, classes, start, stop, whole, left)
        left[:] = 0
        for i in range(start, cut):
            left[classes[i]] += 1
            whole[classes[i]] -= 1
        n1, n2 = cut - start, stop - cut
        h = (_bits(n) - total) / n
        h1 = (_bits(n1) - in_left) / n1
        h2 = (_bits(n2) - in_right) / n2
        # log2(3^k - 2), which stays finite for any number of classes
        log_splits = k * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0 ** (-k))
        delta = log_splits - k * h + _n_classes(left) * h1 + _n_classes(whole) * h2
        if gain <= (np.log2(n - 1.0) + delta) / n:
            continue
        is_cut[cut] = True
        starts[waiting], stops[waiting] = start, cut
        starts[waiting + 1], stops[waiting + 1] = cut, stop
        waiting += 2
    return np.flatnonzero(is_cut)
