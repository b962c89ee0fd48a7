"""The sums of a contingency table that measures depend on, for many tables at once.

They are computed for random tables, and for the table without one of its objects (the delete-one
jackknife). The columns of the results are in the order of the constants below.
"""

import numpy as np

from clusterwise.kernels.assignment import assign_rows
from clusterwise.kernels.irm import give_credits, score_cells
from clusterwise.kernels.jit import jit
from clusterwise.kernels.random_tables import draw_table
from clusterwise.kernels.transport import solve_transport

# Sum of squares; sum of x log x; objects in matched clusters; sums of the largest cell of each row
# and each column; F-score; IRM-index; Σ amount · count of the optimal plan with uniform weights.
SQUARES, INFORMATION, OVERLAP, ROW_MAX, COLUMN_MAX, F_SCORE, IRM, GAIN = range(8)
N_STATISTICS = 8
# Logarithms of smaller counts come from a table.
_TABLE = 4096
_X_LOG_X = np.arange(_TABLE) * np.log(np.maximum(np.arange(_TABLE), 1))


@jit
def x_log_x(x):
    """Return x log x, 0 for x = 0."""
    return _X_LOG_X[x] if x < _TABLE else x * np.log(x)


@jit
def find_partners(table):
    """Return the columns of matched rows; of the transposed table if there are more rows."""
    height, width = table.shape
    return assign_rows(table) if height <= width else assign_rows(np.ascontiguousarray(table.T))


@jit
def sum_partners(table, partners):
    """Return the number of objects in matched clusters."""
    height, width = table.shape
    total = 0
    for i in range(partners.size):
        total += table[i, partners[i]] if height <= width else table[partners[i], i]
    return total


@jit
def _f_score(table, rows, columns, n):
    total = 0.0
    for row in range(rows.size):
        best = 0.0
        for column in range(columns.size):
            best = max(best, table[row, column] / (rows[row] + columns[column]))
        total += 2.0 * best * rows[row]
    return total / n


@jit
def irm(table, rows, columns, n):
    """Return the IRM-index of a table without empty rows and columns."""
    height, width = table.shape
    size = height * width
    at_row, at_column = np.empty(size, np.uint32), np.empty(size, np.uint32)
    scores, given = np.empty(size), np.zeros(size)
    cells = np.arange(size) % width
    count = score_cells(
        np.full(height, width), cells, table.ravel(), rows, columns, at_row, at_column, scores
    )
    scores = scores[:count]
    keys = np.empty(count, np.uint16)
    bits = scores.view(np.uint64)
    for i in range(count):
        keys[i] = bits[i] >> np.uint64(48)
    give_credits(
        np.argsort(keys), keys, at_row[:count], at_column[:count], scores, rows.copy(),
        columns.copy(), given,
    )  # fmt: skip
    total = 0.0
    for i in range(count):
        total += given[i] * scores[i]
    return min(1.0, total / n)


@jit
def transport_gain(table, plan):
    """Return Σ amount · count of the optimal plan between clusters of equal weight."""
    height, width = table.shape
    costs = float(table.max()) - table.astype(np.float64)
    plan[:] = 0.0
    solve_transport(costs, np.full(height, float(width)), np.full(width, float(height)), plan)
    return (plan * table).sum() / (height * width)


@jit
def describe_table(table, rows, columns, n, wanted, plan, found):
    """Write the wanted statistics of a table."""
    height, width = table.shape
    squares = information = row_max = 0.0
    for row in range(height):
        largest = 0
        for column in range(width):
            count = table[row, column]
            squares += float(count) * count
            if wanted[INFORMATION]:
                information += x_log_x(count)
            largest = max(largest, count)
        row_max += largest
    found[SQUARES], found[INFORMATION], found[ROW_MAX] = squares, information, row_max
    column_max = 0.0
    for column in range(width):
        largest = 0
        for row in range(height):
            largest = max(largest, table[row, column])
        column_max += largest
    found[COLUMN_MAX] = column_max
    if wanted[OVERLAP]:
        found[OVERLAP] = sum_partners(table, find_partners(table))
    if wanted[F_SCORE]:
        found[F_SCORE] = _f_score(table, rows, columns, n)
    if wanted[IRM]:
        found[IRM] = irm(table, rows, columns, n)
    if wanted[GAIN]:
        found[GAIN] = found[OVERLAP] / height if height == width else transport_gain(table, plan)


@jit
def describe_tables(tables, rows, columns, wanted, found):
    """Write the statistics of tables with the same row and column sums."""
    plan = np.empty(tables.shape[1:])
    n = rows.sum()
    for i in range(len(tables)):
        describe_table(tables[i], rows, columns, n, wanted, plan, found[i])


@jit
def describe_random_tables(row_sums, column_sums, rng, wanted, found):
    """Draw a table for each row of ``found``, and write its statistics."""
    table = np.empty((row_sums.size, column_sums.size), np.int64)
    left = np.empty(column_sums.size, np.int64)
    plan = np.empty(table.shape)
    rows, columns = row_sums.astype(np.float64), column_sums.astype(np.float64)
    for i in range(len(found)):
        draw_table(row_sums, column_sums, rng, left, table)
        describe_table(table, rows, columns, rows.sum(), wanted, plan, found[i])
