"""Loops that count pairs of labels: into a dense table, or row by row.

Labels arrive as integers of any width; ``first`` is the value of the first
cluster, so ``label - first`` (in wrapping 64-bit arithmetic, which serves signed
and unsigned labels alike) is a position. Unsigned positions spare the
wrap-around test that numba otherwise makes at every access.
"""

import numpy as np
from numba import int64, uint32, uint64

from clusterwise.kernels.jit import jit

# A block's positions stay in the cache between finding them (which the processor does
# eight at a time, at the speed of memory) and counting them (one at a time).
BLOCK = 4096


@jit
def _find_cells(a, b, first_a, first_b, size_b, cells):
    """Each object's cell, and the largest position in a and in b."""
    largest_a = uint64(0)
    largest_b = uint64(0)
    for i in range(a.size):
        row = uint64(a[i]) - first_a
        column = uint64(b[i]) - first_b
        largest_a = max(largest_a, row)
        largest_b = max(largest_b, column)
        cells[i] = uint32(row * size_b + column)
    return largest_a, largest_b


@jit
def count_dense(a, b, start, stop, first_a, first_b, size_a, size_b, table):
    """Add objects start…stop to a flat uint32 table; return how far it came.

    It stops before the first block that holds a label outside the announced
    range, so that the range may be a guess: one pass over memory in place of two.
    """
    cells = np.empty(BLOCK, np.uint32)
    at = start
    while at < stop:
        end = min(at + BLOCK, stop)
        largest_a, largest_b = _find_cells(a[at:end], b[at:end], first_a, first_b, size_b, cells)
        if largest_a >= size_a or largest_b >= size_b:
            return at
        for i in range(uint64(end - at)):
            table[uint64(cells[i])] += uint32(1)
        at = end
    return at


@jit
def add_dense(a, b, weights, first_a, first_b, size_b, table):
    """Add each object's weight to a flat table of the weights' type."""
    base = first_a * size_b + first_b
    for i in range(uint64(a.size)):
        table[uint64(a[i]) * size_b + uint64(b[i]) - base] += weights[i]


@jit
def count_labels(labels, start, stop, first, counts):
    """Add one to the count of each label."""
    for i in range(uint64(start), uint64(stop)):
        counts[uint64(labels[i]) - first] += 1


@jit
def add_labels(labels, weights, first, sums):
    """Add each object's weight to its label's sum."""
    for i in range(uint64(labels.size)):
        sums[uint64(labels[i]) - first] += weights[i]


@jit
def scatter(a, b, start, stop, first_a, first_b, cursor, out):
    """Counting sort: put each object's b-position into its row of ``out``."""
    for i in range(uint64(start), uint64(stop)):
        row = uint64(a[i]) - first_a
        place = cursor[row]
        out[uint64(place)] = uint32(uint64(b[i]) - first_b)
        cursor[row] = place + 1


@jit
def scatter_weighted(a, b, weights, first_a, first_b, cursor, out, out_weights):
    """The same, carrying the weights along."""
    for i in range(uint64(a.size)):
        row = uint64(a[i]) - first_a
        place = uint64(cursor[row])
        out[place] = uint32(uint64(b[i]) - first_b)
        out_weights[place] = weights[i]
        cursor[row] += 1


@jit
def squeeze_rows(starts, row_begin, row_end, columns, counts, row_sizes, size_b):
    """Turn each row's unsorted columns into distinct columns and their counts.

    Works in place (a row never has more distinct columns than objects), packing
    the rows of one part behind each other. Columns appear in the order of
    their first object. Returns the position behind the last one.
    """
    tally = np.zeros(size_b, np.uint32)
    write = uint64(starts[row_begin])
    for row in range(row_begin, row_end):
        begin = write
        for i in range(uint64(starts[row]), uint64(starts[row + 1])):
            column = columns[i]
            before = tally[column]
            tally[column] = before + uint32(1)
            if before == uint32(0):
                columns[write] = column
                write += uint64(1)
        for i in range(begin, write):
            column = columns[i]
            counts[i] = tally[column]
            tally[column] = uint32(0)
        row_sizes[row] = int64(write - begin)
    return int64(write)


@jit
def squeeze_rows_weighted(starts, columns, weights, row_sizes, size_b):
    """The same for weights, which may be zero: a column is new if its row is."""
    seen_in = np.full(size_b, -1, np.int64)
    place_of = np.empty(size_b, np.int64)
    write = 0
    for row in range(row_sizes.size):
        begin = write
        for i in range(starts[row], starts[row + 1]):
            column = columns[i]
            if seen_in[column] == row:
                weights[place_of[column]] += weights[i]
            else:
                seen_in[column] = row
                place_of[column] = write
                columns[write] = column
                weights[write] = weights[i]
                write += 1
        row_sizes[row] = write - begin
    return write


@jit
def sum_of_squares(counts):
    """Exact while the total stays below 3·10^9 (its square fits 63 bits)."""
    total = int64(0)
    for i in range(counts.size):
        total += int64(counts[i]) * int64(counts[i])
    return total
