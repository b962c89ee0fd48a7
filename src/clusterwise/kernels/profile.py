"""Loops that count, for every cluster, how many values fall into each bin.

A profile is a flat table: ``width`` bins per cluster, attribute r owning the bins from
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
def _find_cells(values, low, high, scale, bins, offsets, cells):
    """Cells of values that belong to attributes in turn; False if some lie outside.

    Missing values get the bin behind the last; values outside of the range the end bins.
    """
    outside = 0
    for i in range(values.size):
        value = float(values[i])
        outside |= (value < low[i]) | (value > high[i])
        place = (value - low[i]) * scale[i]
        inside = min(max(place, 0.0), bins[i] - 1.0)
        cells[i] = uint16(offsets[i] + int32(bins[i] if place != place else inside))
    return outside == 0


@jit
def _find_cells_of_one(values, low, high, scale, bins, offset, cells):
    """The same for values of one attribute."""
    outside = 0
    last = bins - 1.0
    for i in range(values.size):
        value = float(values[i])
        outside |= (value < low) | (value > high)
        place = (value - low) * scale
        inside = min(max(place, 0.0), last)
        cells[i] = uint16(offset + int32(bins if place != place else inside))
    return outside == 0


@jit
def _count_outside(values, low, high, below, above):
    """Count values of attributes in turn that lie below and above their ranges."""
    attributes = below.size
    for begin in range(0, values.size, attributes):
        for r in range(attributes):
            value = float(values[begin + r])
            below[r] += value < low[r]
            above[r] += value > high[r]


@jit
def _count_outside_of_one(values, low, high):
    """The same for values of one attribute."""
    below = 0
    above = 0
    for i in range(values.size):
        below += float(values[i]) < low
        above += float(values[i]) > high
    return below, above


@jit
def count_rows(
    values, labels, start, stop, first, width, tile, low, high, scale, bins, offsets,
    counts, below, above,
):  # fmt: skip
    """Add rows start…stop, stored one behind the other, to a flat uint32 profile.

    The attributes' numbers come repeated ``tile`` times, which makes the inner loop
    long enough to pay.
    """
    attributes = low.size // tile
    step = low.size
    cells = np.empty(max(1, BLOCK // step) * step, np.uint16)
    height = cells.size // attributes
    at = start
    while at < stop:
        rows = min(height, stop - at)
        block = values[at * attributes : (at + rows) * attributes]
        fine = True
        for k in range(0, block.size, step):
            end = min(k + step, block.size)
            fine &= _find_cells(block[k:end], low, high, scale, bins, offsets, cells[k:end])
        if not fine:
            _count_outside(block, low, high, below, above)
        at_cell = uint64(0)
        for i in range(at, at + rows):
            base = (uint64(labels[i]) - first) * width
            for _ in range(attributes):
                counts[base + uint64(cells[at_cell])] += uint32(1)
                at_cell += uint64(1)
        at += rows


@jit
def count_columns(
    columns, labels, start, stop, first, width, low, high, scale, bins, offsets,
    counts, below, above,
):  # fmt: skip
    """The same for attributes stored one behind the other: attributes × objects."""
    height = BLOCK // 4
    cells = np.empty(height, np.uint16)
    bases = np.empty(height, np.uint32)
    at = start
    while at < stop:
        end = min(at + height, stop)
        for i in range(end - at):
            bases[i] = uint32((uint64(labels[at + i]) - first) * width)
        for r in range(low.size):
            block = columns[r, at:end]
            if not _find_cells_of_one(block, low[r], high[r], scale[r], bins[r], offsets[r], cells):
                under, over = _count_outside_of_one(block, low[r], high[r])
                below[r] += under
                above[r] += over
            for i in range(uint64(end - at)):
                counts[uint64(bases[i]) + uint64(cells[i])] += uint32(1)
        at = end


@jit
def count_codes(codes, labels, first, width, offset, counts):
    """Add the bins of one attribute to a flat profile."""
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
