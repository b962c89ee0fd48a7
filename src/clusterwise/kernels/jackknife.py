"""The statistics of a contingency table without one of its objects, for each nonzero cell.

Objects of one cell are alike, so there are as many different tables as there are nonzero cells.
Sums change by a term or two; what depends on a matching is computed anew only where it can change.
"""

import numpy as np

from clusterwise.kernels.jit import jit
from clusterwise.kernels.table_statistics import (
    COLUMN_MAX,
    F_SCORE,
    GAIN,
    INFORMATION,
    IRM,
    OVERLAP,
    ROW_MAX,
    SQUARES,
    find_partners,
    irm,
    sum_partners,
    transport_gain,
    x_log_x,
)


@jit
def _two_largest(values):
    """Return the largest value, and whether only one is as large."""
    largest, times = values[0], 0
    for value in values:
        if value > largest:
            largest, times = value, 1
        elif value == largest:
            times += 1
    return largest, times == 1


@jit
def _f_scores(table, rows, columns, best):
    """Compute the best ratio count / (size + size) of every row."""
    for row in range(rows.size):
        best[row] = 0.0
        for column in range(columns.size):
            best[row] = max(best[row], table[row, column] / (rows[row] + columns[column]))


@jit
def _f_score_without(table, rows, columns, best, k, j):
    """Return Σ size · best ratio without an object of a cell.

    In other rows only the ratio of column j changes, and it grows.
    """
    total = 0.0
    for row in range(rows.size):
        if row != k:
            ratio = table[row, j] / (rows[row] + columns[j] - 1.0)
            total += rows[row] * max(best[row], ratio)
    largest = 0.0
    for column in range(columns.size):
        count, size = float(table[k, column]), columns[column]
        if column == j:
            count, size = count - 1.0, size - 1.0
        if count > 0.0:
            largest = max(largest, count / (rows[k] - 1.0 + size))
    return 2.0 * (total + (rows[k] - 1.0) * largest)


@jit
def describe_without_one(table, cell_rows, cell_columns, full, wanted, found):
    """Write the statistics without an object of each cell; ``full`` are those of all objects."""
    height, width = table.shape
    rows, columns = table.sum(axis=1).astype(np.float64), table.sum(axis=0).astype(np.float64)
    n = rows.sum()
    best = np.empty(height)
    _f_scores(table, rows, columns, best)
    partners = np.empty(0, np.int64)
    if wanted[OVERLAP]:
        partners = find_partners(table)
    plan = np.empty((height, width))
    if wanted[GAIN] and height != width:
        transport_gain(table, plan)
    used = plan > 0.0
    for i in range(cell_rows.size):
        k, j = cell_rows[i], cell_columns[i]
        count = table[k, j]
        out = found[i]
        out[SQUARES] = full[SQUARES] - 2.0 * count + 1.0
        out[INFORMATION] = full[INFORMATION] - x_log_x(count) + x_log_x(count - 1)
        largest, only = _two_largest(table[k])
        out[ROW_MAX] = full[ROW_MAX] - (count == largest and only)
        largest, only = _two_largest(table[:, j])
        out[COLUMN_MAX] = full[COLUMN_MAX] - (count == largest and only)
        if wanted[F_SCORE]:
            out[F_SCORE] = _f_score_without(table, rows, columns, best, k, j) / (n - 1.0)
        table[k, j] -= 1
        if wanted[OVERLAP]:
            matched = partners[k] == j if height <= width else partners[j] == k
            out[OVERLAP] = full[OVERLAP]
            if matched:  # other matchings are as good as before
                out[OVERLAP] = sum_partners(table, find_partners(table))
        if wanted[GAIN]:
            if rows[k] == 1.0 or columns[j] == 1.0:  # a cluster is gone
                out[GAIN] = _gain_without_empty(table)
            elif height == width:
                out[GAIN] = out[OVERLAP] / height
            else:
                out[GAIN] = transport_gain(table, plan) if used[k, j] else full[GAIN]
        if wanted[IRM]:
            out[IRM] = _irm_without_one(table, rows, columns, k, j, n)
        table[k, j] += 1


@jit
def _gain_without_empty(table):
    """Return the gain of the optimal plan between the clusters that have objects."""
    kept = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if kept.size == 0:
        return 0.0
    if kept.shape[0] == kept.shape[1]:
        return sum_partners(kept, find_partners(kept)) / kept.shape[0]
    return transport_gain(np.ascontiguousarray(kept), np.empty(kept.shape))


@jit
def _irm_without_one(table, rows, columns, k, j, n):
    """Return the IRM-index of a table from which an object of row k and column j is gone."""
    rows[k] -= 1.0
    columns[j] -= 1.0
    value = irm(table, rows, columns, n - 1.0)
    rows[k] += 1.0
    columns[j] += 1.0
    return value
