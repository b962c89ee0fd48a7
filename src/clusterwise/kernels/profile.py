"""Loops that count the values of every cluster in each bin.

A profile is a flat table: ``width`` bins per cluster, those of feature r from
``offsets[r]`` on, the last of them for missing values. Bins of equal width need no
search: the cells of a block of rows are found by vectorised code, and counted while
they are still in the cache.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, uint16, uint32, uint64
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit

# Cells of a block; 32 KiB of them stay in the cache between finding and counting.
BLOCK = 16384
# Cells are kept in 16 bits, so a cluster may not have more bins than this.
MOST_BINS = 1 << 16


class EvenBins(NamedTuple):
    """Bins of equal width: the range, scale, number and first bin of each feature.

    ``probe`` is the scale with which values are looked up first; a position that is not below
    ``limit``, which is slightly less than the largest number of bins, is looked up again.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    scale: NDArray[np.float64]
    bins: NDArray[np.float64]
    offsets: NDArray[np.int32]
    probe: NDArray[np.float64]
    limit: float


class BinCounts(NamedTuple):
    """Counts of bins, of values below and above the range, and the largest absolute value.

    ``farthest`` considers values outside and at the ends of the range only; it is infinite if a
    value is.
    """

    counts: NDArray[np.uint32]
    below: NDArray[np.int64]
    above: NDArray[np.int64]
    farthest: NDArray[np.float64]


class ClusterRange(NamedTuple):
    """The first label, the number of clusters, and the number of bins of each cluster."""

    first: np.uint64
    clusters: np.uint64
    width: np.uint64


@jit
def _find_cells(values, low, probe, limit, offsets, cells):
    """Find the cells of values of all features in turn; return whether all are exact.

    They may be wrong for missing values and those at the ends of the range or outside it.
    """
    uncertain = 0
    for i in range(values.size):
        position = (float(values[i]) - low[i]) * probe[i]
        uncertain |= (not (position >= 0.0)) | (not (position < limit))
        cells[i] = uint16(offsets[i] + int32(position))
    return uncertain == 0


@jit
def _find_cells_of_one(values, low, probe, limit, offset, cells):
    """Find the cells of values of one feature; return whether all are exact."""
    uncertain = 0
    for i in range(values.size):
        position = (float(values[i]) - low) * probe
        uncertain |= (not (position >= 0.0)) | (not (position < limit))
        cells[i] = uint16(offset + int32(position))
    return uncertain == 0


@jit
def _find_cells_exactly(values, r, even, cells, found):
    """Find the cells of any values of one feature, and count those outside the range.

    Missing values get the bin after the last; values outside the range the end bins.
    """
    low, high, scale, bins = even.low[r], even.high[r], even.scale[r], even.bins[r]
    offset = even.offsets[r]
    last = bins - 1.0
    under = 0
    over = 0
    most = found.farthest[r]
    for i in range(values.size):
        value = float(values[i])
        under += value < low
        over += value > high
        most = max(most, abs(value) if value == value else 0.0)
        position = (value - low) * scale
        # Infinity times zero is NaN.
        position = min(max(position, 0.0), last) if position == position else 0.0
        cells[i] = uint16(offset + int32(bins if value != value else position))
    found.below[r] += under
    found.above[r] += over
    found.farthest[r] = most


@jit
def _largest(labels, first):
    """Return the largest difference of a label and the first one, in wrapping arithmetic."""
    largest = uint64(0)
    for i in range(labels.size):
        largest = max(largest, uint64(labels[i]) - first)
    return largest


@jit
def count_rows(values, labels, start, stop, span, tile, even, found):
    """Add rows start…stop, stored one after the other, to a flat uint32 profile.

    The bins of all features are repeated ``tile`` times, so that the inner loop is long enough to
    be vectorised. Returns the row at which it stopped: before a block with a label out of range.
    """
    first, clusters, width = span
    low, probe, offsets, limit = even.low, even.probe, even.offsets, even.limit
    counts = found.counts
    features = low.size // tile
    step = low.size
    cells = np.empty(max(1, BLOCK // step) * step, np.uint16)
    height = cells.size // features
    at = start
    while at < stop:
        rows = min(height, stop - at)
        if _largest(labels[at : at + rows], first) >= clusters:
            return at
        block = values[at * features : (at + rows) * features]
        for k in range(0, block.size, step):
            end = min(k + step, block.size)
            if not _find_cells(block[k:end], low, probe, limit, offsets, cells[k:end]):
                for r in range(features):
                    _find_cells_exactly(
                        block[k + r : end : features], r, even, cells[k + r : end : features], found
                    )
        at_cell = uint64(0)
        for i in range(at, at + rows):
            base = (uint64(labels[i]) - first) * width
            for _ in range(features):
                counts[base + uint64(cells[at_cell])] += uint32(1)
                at_cell += uint64(1)
        at += rows
    return at


@jit
def find_bases(labels, start, stop, span, bases):
    """Find the first bin of each object's cluster; return False if a label is out of range."""
    first, clusters, width = span
    if _largest(labels[start:stop], first) >= clusters:
        return False
    for i in range(stop - start):
        bases[i] = uint32((uint64(labels[start + i]) - first) * width)
    return True


@jit
def count_column(values, start, stop, bases, r, even, found):
    """Add the values start…stop of feature r, whose bases are ``bases``, to a flat profile."""
    low, probe, offset, limit = even.low[r], even.probe[r], even.offsets[r], even.limit
    counts = found.counts
    height = BLOCK // 4
    cells = np.empty(height, np.uint16)
    for at in range(start, stop, height):
        block = values[at : min(at + height, stop)]
        if not _find_cells_of_one(block, low, probe, limit, offset, cells):
            _find_cells_exactly(block, r, even, cells[: block.size], found)
        for i in range(uint64(block.size)):
            base = uint64(bases[uint64(at - start) + i])
            counts[base + uint64(cells[i])] += uint32(1)


@jit
def count_codes(codes, labels, first, width, offset, counts):
    """Add the bins of one feature to a flat profile."""
    for i in range(uint64(codes.size)):
        counts[(uint64(labels[i]) - first) * width + uint64(codes[i]) + offset] += 1


@jit
def add_codes(codes, labels, weights, first, width, offset, sums):
    """Add the objects' weights to the bins of one feature."""
    for i in range(uint64(codes.size)):
        sums[(uint64(labels[i]) - first) * width + uint64(codes[i]) + offset] += weights[i]


@jit
def add_memberships(codes, memberships, weights, offset, sums):
    """Add weights times memberships to the bins of one feature.

    ``sums`` is bins × clusters here, so that an object's memberships are contiguous.
    """
    for i in range(codes.size):
        row = uint64(codes[i]) + offset
        for k in range(memberships.shape[1]):
            sums[row, k] += weights[i] * memberships[i, k]
