"""Loops over the cells of a contingency table, row by row: maxima, entropies, matches.

``row_sizes`` is the number of cells of each row; ``columns`` and ``counts`` have the
cells of all rows in turn. Cells may be zero.
"""

import numpy as np

from clusterwise.kernels.jit import jit

# Logarithms of smaller counts come from a table.
TABLE = 4096


@jit
def largest(row_sizes, columns, counts, row_max, column_max):
    """Update the largest count of every row and column."""
    i = 0
    for row in range(row_sizes.size):
        best = row_max[row]
        for _ in range(row_sizes[row]):
            count = counts[i]
            best = max(best, count)
            column_max[columns[i]] = max(column_max[columns[i]], count)
            i += 1
        row_max[row] = best


@jit
def _log_ratio(whole, log_whole, part, log_part):
    """Return log(whole/part), without cancellation of the logarithms."""
    return log_whole - log_part if 2.0 * part < whole else np.log(whole / part)


@jit
def conditional_entropies(row_sizes, columns, counts, row_sums, column_sums, total):
    """Return H(a|b) and H(b|a): sums of p log(b/c) and p log(a/c) over all cells c."""
    logs = np.log(np.arange(TABLE).astype(np.float64) + 1e-300)
    row_logs, column_logs = np.log(row_sums), np.log(column_sums)
    a_given_b = 0.0
    b_given_a = 0.0
    i = 0
    for row in range(row_sizes.size):
        for _ in range(row_sizes[row]):
            count, column = float(counts[i]), columns[i]
            i += 1
            if count == 0.0:
                continue
            whole = np.int64(count)
            log_count = logs[whole] if count < TABLE and whole == count else np.log(count)
            a, b = row_sums[row], column_sums[column]
            a_given_b += count * _log_ratio(b, column_logs[column], count, log_count)
            b_given_a += count * _log_ratio(a, row_logs[row], count, log_count)
    return a_given_b / total, b_given_a / total


@jit
def best_f_scores(row_sizes, columns, counts, row_sums, column_sums, best):
    """Compute the largest F-score 2c/(a + b) of every row with a column."""
    i = 0
    for row in range(row_sizes.size):
        found = 0.0
        for _ in range(row_sizes[row]):
            score = 2.0 * counts[i] / (row_sums[row] + column_sums[columns[i]])
            found = max(found, score)
            i += 1
        best[row] = found


@jit
def match_dominant(row_sizes, columns, counts, partner, row_open, column_open):
    """Match the pairs that certainly belong to an optimal matching; return their number.

    A cell that is at least the sum of the next largest cells of its row and of
    its column is one: matching it displaces at most those two.
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
