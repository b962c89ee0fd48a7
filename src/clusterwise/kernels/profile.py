"""Loops that count, for every cluster, how many values fall into each bin.

A profile is a flat table: ``width`` bins per cluster, feature r owning the bins from
``offsets[r]`` on, the last of them for missing values. Bins of equal width need no
search: the processor finds the cells of a block of rows several at a time, and they
are counted while they are still in the cache.
"""

import numpy as np
from numba import int32, uint16, uint32, uint64

from clusterwise.kernels.jit import jit

# Cells of a block; 32 KiB of them stay in the cache between finding and counting.
BLOCK = 16384
# Cells are kept in 16 bits, so a cluster may not have more bins than this.
MOST_BINS = 1 << 16


@jit
def _find_cells(values, low, probe, limit, offsets, cells):
    """Cells of values that belong to features in turn; False if one needs a closer look.

    Nothing is looked at twice here: ``limit`` is a hair below the number of bins, so that
    values at the end of the range count as strange, like those outside and missing ones.
    """
    strange = 0
    for i in range(values.size):
        place = (float(values[i]) - low[i]) * probe[i]
        strange |= (not (place >= 0.0)) | (not (place < limit))
        cells[i] = uint16(offsets[i] + int32(place))
    return strange == 0


@jit
def _find_cells_of_one(values, low, probe, limit, offset, cells):
    """The same for values of one feature."""
    strange = 0
    for i in range(values.size):
        place = (float(values[i]) - low) * probe
        strange |= (not (place >= 0.0)) | (not (place < limit))
        cells[i] = uint16(offset + int32(place))
    return strange == 0


@jit
def _look_closer(values, r, low, high, scale, bins, offset, cells, below, above, farthest):
    """Cells of one feature's values, whatever they are; those outside are counted.

    Missing values get the bin behind the last; values outside of the range the end bins.
    """
    last = bins - 1.0
    under = 0
    over = 0
    most = farthest[r]
    for i in range(values.size):
        value = float(values[i])
        under += value < low
        over += value > high
        most = max(most, abs(value) if value == value else 0.0)
        place = (value - low) * scale
        place = min(max(place, 0.0), last) if place == place else 0.0  # infinity times zero
        cells[i] = uint16(offset + int32(bins if value != value else place))
    below[r] += under
    above[r] += over
    farthest[r] = most


@jit
def _largest(labels, first):
    """The largest position of a label, in wrapping arithmetic."""
    largest = uint64(0)
    for i in range(labels.size):
        largest = max(largest, uint64(labels[i]) - first)
    return largest


@jit
def count_rows(
    values, labels, start, stop, first, clusters, width, tile, low, high, scale, bins, offsets,
    probe, limit, counts, below, above, farthest,
):  # fmt: skip
    """Add rows start…stop, stored one behind the other, to a flat uint32 profile.

    The features' numbers come repeated ``tile`` times, which makes the inner loop
    long enough to pay. ``farthest`` gets the largest absolute value of those looked at
    closely, which is infinite if one of them is. Returns how far it came: it stops
    before a block with a label outside of the announced clusters.
    """
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
                    _look_closer(
                        block[k + r : end : features], r, low[r], high[r], scale[r], bins[r],
                        offsets[r], cells[k + r : end : features], below, above, farthest,
                    )  # fmt: skip
        at_cell = uint64(0)
        for i in range(at, at + rows):
            base = (uint64(labels[i]) - first) * width
            for _ in range(features):
                counts[base + uint64(cells[at_cell])] += uint32(1)
                at_cell += uint64(1)
        at += rows
    return at


@jit
def find_bases(labels, start, stop, first, clusters, width, bases):
    """Where the bins of the objects' clusters begin; False if a label is not as announced."""
    if _largest(labels[start:stop], first) >= clusters:
        return False
    for i in range(stop - start):
        bases[i] = uint32((uint64(labels[start + i]) - first) * width)
    return True


@jit
def count_column(
    values, start, stop, bases, r, low, high, scale, bins, offsets, probe, limit, counts,
    below, above, farthest,
):  # fmt: skip
    """Add the values start…stop of feature r to a flat profile; ``bases`` is theirs alone."""
    height = BLOCK // 4
    cells = np.empty(height, np.uint16)
    for at in range(start, stop, height):
        block = values[at : min(at + height, stop)]
        if not _find_cells_of_one(block, low[r], probe[r], limit, offsets[r], cells):
            _look_closer(
                block, r, low[r], high[r], scale[r], bins[r],
                offsets[r], cells[: block.size], below, above, farthest,
            )  # fmt: skip
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
    """The same with the objects' weights."""
    for i in range(uint64(codes.size)):
        sums[(uint64(labels[i]) - first) * width + uint64(codes[i]) + offset] += weights[i]


@jit
def add_memberships(codes, memberships, weights, offset, sums):
    """The same for soft clusterings: every cluster gets its share of the object.

    ``sums`` is bins × clusters here, so that an object's shares lie side by side.
    """
    for i in range(codes.size):
        row = uint64(codes[i]) + offset
        for k in range(memberships.shape[1]):
            sums[row, k] += weights[i] * memberships[i, k]
