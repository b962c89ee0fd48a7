"""Loops for matching clusters in tables that are kept row by row."""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def match_dominant(row_sizes, columns, counts, partner, row_open, column_open):
    """Match the pairs that some best matching surely holds; return how many.

    A cell that is at least the sum of the next largest cell of its row and of
    its column is one: forcing it in displaces at most those two.
    """
    height, width = row_open.size, column_open.size
    first = np.zeros(height, counts.dtype)
    second = np.zeros(height, counts.dtype)
    best = np.full(height, -1, np.int64)
    column_first = np.zeros(width, counts.dtype)
    column_second = np.zeros(width, counts.dtype)
    i = 0
    for row in range(height):
        for _ in range(row_sizes[row]):
            column, count = columns[i], counts[i]
            i += 1
            if not (row_open[row] and column_open[column]):
                continue
            if count > first[row]:
                second[row], first[row], best[row] = first[row], count, column
            elif count > second[row]:
                second[row] = count
            if count > column_first[column]:
                column_second[column], column_first[column] = column_first[column], count
            elif count > column_second[column]:
                column_second[column] = count
    found = 0
    for row in range(height):
        column = best[row]
        if column < 0 or not column_open[column] or first[row] < column_first[column]:
            continue
        if first[row] - second[row] >= column_second[column]:
            partner[row] = column
            row_open[row] = False
            column_open[column] = False
            found += 1
    return found
