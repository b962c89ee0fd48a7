"""The assignment problem by shortest augmenting paths, after Jonker and Volgenant.

R. Jonker, A. Volgenant: A shortest augmenting path algorithm for dense and sparse
linear assignment problems. Computing 38 (1987) 325-340,
https://doi.org/10.1007/BF02278710. Their row reduction assigns most rows cheaply
before any path is searched, which on contingency tables saves most of the work.

This is the library's one solver of dense assignment problems: it is faster than SciPy's
``linear_sum_assignment`` on contingency tables and starts without converting them. Large sparse
tables have another solver (``summaries.contingency.assignment``).
"""

import numpy as np

from clusterwise.kernels.jit import jit

# Row reductions per row; rows that are still free then are left to the paths.
REDUCTIONS = 6


@jit
def _two_least(gains, row, duals):
    """Return the two least reduced costs of a row, and their columns."""
    least, second = np.inf, np.inf
    where, where_second = -1, -1
    for column in range(duals.size):
        cost = -float(gains[row, column]) - duals[column]
        if cost < second:
            if cost < least:
                second, where_second = least, where
                least, where = cost, column
            else:
                second, where_second = cost, column
    return least, where, second, where_second


@jit
def _reduce_rows(gains, duals, row_of, column_of, free):
    """Assign free rows to their best columns; return the number of rows that stay free."""
    height = column_of.size
    left = height
    budget = REDUCTIONS * height
    for _ in range(2):
        pending, at, left = left, 0, 0
        while at < pending:
            row = free[at]
            at += 1
            if budget == 0:
                free[left] = row
                left += 1
                continue
            budget -= 1
            least, column, second, other = _two_least(gains, row, duals)
            better = least < second < np.inf
            if better:
                duals[column] -= second - least
            elif row_of[column] >= 0 and other >= 0:
                column = other
            displaced = row_of[column]
            row_of[column], column_of[row] = row, column
            if displaced >= 0:
                column_of[displaced] = -1
                if better:
                    at -= 1
                    free[at] = displaced
                else:
                    free[left] = displaced
                    left += 1
    return left


@jit
def _augment(gains, start, duals, row_of, column_of, distance, before, order):
    """Find the shortest augmenting path from a free row, and switch the assignment along it."""
    width = duals.size
    for column in range(width):
        distance[column] = -float(gains[start, column]) - duals[column]
        before[column] = start
        order[column] = column
    low = up = ready = 0  # order holds: ready columns, those at the least distance, the rest
    end = -1
    least = 0.0
    while end < 0:
        if up == low:
            ready = low
            least = distance[order[up]]
            up += 1
            for k in range(up, width):
                column = order[k]
                if distance[column] <= least:
                    if distance[column] < least:
                        up, least = low, distance[column]
                    order[k], order[up] = order[up], column
                    up += 1
            for k in range(low, up):
                if row_of[order[k]] < 0:
                    end = order[k]
                    break
        if end < 0:
            column = order[low]
            low += 1
            row = row_of[column]
            offset = -float(gains[row, column]) - duals[column] - least
            for k in range(up, width):
                column = order[k]
                through = -float(gains[row, column]) - duals[column] - offset
                if through < distance[column]:
                    before[column] = row
                    distance[column] = through
                    if through <= least:
                        if row_of[column] < 0:
                            end = column
                            break
                        order[k], order[up] = order[up], column
                        up += 1
    for k in range(ready):
        duals[order[k]] += distance[order[k]] - least
    while True:
        row = before[end]
        row_of[end] = row
        end, column_of[row] = column_of[row], end
        if row == start:
            return


@jit
def assign_rows(gains):
    """Return the column of each row; there must be at least as many columns as rows."""
    height, width = gains.shape
    duals = np.zeros(width)
    row_of = np.full(width, -1, np.int64)
    column_of = np.full(height, -1, np.int64)
    free = np.arange(height)
    left = _reduce_rows(gains, duals, row_of, column_of, free)
    distance = np.empty(width)
    before = np.empty(width, np.int64)
    order = np.empty(width, np.int64)
    for k in range(left):
        _augment(gains, free[k], duals, row_of, column_of, distance, before, order)
    return column_of


def solve_assignment(gains):
    """Return the column of each row in an assignment with the largest sum of gains.

    Rows without a column, if there are more rows than columns, have -1.
    """
    height, width = gains.shape
    if height <= width:
        return assign_rows(gains)
    columns = np.full(height, -1, np.int64)
    columns[assign_rows(np.ascontiguousarray(gains.T))] = np.arange(width)
    return columns
