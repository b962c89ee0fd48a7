"""The greedy matching of the IRM-index, which assigns credits to pairs of clusters."""

import numpy as np

from clusterwise.kernels.jit import jit

# Scores whose relative difference is below this are tied up to rounding.
ROUNDING = 1e-12


@jit
def score_cells(row_sizes, cells, counts, row_sums, column_sums, rows, columns, scores):
    """Compute the Jaccard index of the clusters of every nonempty cell; return their number."""
    found = 0
    i = 0
    for row in range(row_sizes.size):
        for _ in range(row_sizes[row]):
            shared = float(counts[i])
            if shared > 0.0:
                column = cells[i]
                rows[found] = row
                columns[found] = column
                scores[found] = shared / (row_sums[row] + column_sums[column] - shared)
                found += 1
            i += 1
    return found


@jit
def give_credits(order, keys, rows, columns, scores, row_left, column_left, given):
    """Assign to every cell what its row and column have left, in decreasing order of scores.

    ``order`` sorts the cells by ``keys``, the rounded scores; cells with the same key are sorted by
    score only if their row and column have something left. Tied cells get credit at the same rate,
    until a row or a column of theirs has nothing left; so the order of the clusters does not
    matter.
    """
    row_load = np.zeros(row_left.size, np.int64)
    column_load = np.zeros(column_left.size, np.int64)
    active = np.empty(order.size, np.int64)
    at = order.size
    while at > 0 and row_left.max() > 0.0 and column_left.max() > 0.0:
        key = keys[order[at - 1]]
        count = 0
        while at > 0 and keys[order[at - 1]] == key:
            at -= 1
            i = order[at]
            if row_left[rows[i]] > 0.0 and column_left[columns[i]] > 0.0:
                active[count] = i
                count += 1
        near = active[:count]
        near = near[np.argsort(-scores[near])]
        start = 0
        while start < count:
            end = start + 1
            while end < count and scores[near[end]] >= scores[near[start]] * (1.0 - ROUNDING):
                end += 1
            left = end - start
            while left:
                left = _share_credit(
                    near[start : start + left], rows, columns, row_left, column_left, row_load,
                    column_load, given,
                )  # fmt: skip
            start = end


@jit
def _share_credit(active, rows, columns, row_left, column_left, row_load, column_load, given):
    """Assign equal credit to tied cells until a row or column has nothing left.

    Moves the cells that may get more to the front of ``active`` and returns their number.
    """
    count = 0
    for i in active:
        if row_left[rows[i]] > 0.0 and column_left[columns[i]] > 0.0:
            active[count] = i
            count += 1
            row_load[rows[i]] += 1
            column_load[columns[i]] += 1
    pace = np.inf
    left = 0
    for at in range(count):
        i = active[at]
        row, column = rows[i], columns[i]
        if row_load[row] == 1 and column_load[column] == 1:  # no other cell competes
            credit = min(row_left[row], column_left[column])
            given[i] += credit
            row_left[row] -= credit
            column_left[column] -= credit
            row_load[row] = column_load[column] = 0
        else:
            pace = min(
                pace, row_left[row] / row_load[row], column_left[column] / column_load[column]
            )
            active[left] = i
            left += 1
    for i in active[:left]:
        row, column = rows[i], columns[i]
        given[i] += pace
        if row_load[row]:
            row_left[row] = _subtract(row_left[row], pace * row_load[row])
            row_load[row] = 0
        if column_load[column]:
            column_left[column] = _subtract(column_left[column], pace * column_load[column])
            column_load[column] = 0
    return left


@jit
def _subtract(left, spent):
    """Return what is left, which is exactly 0 if the difference is rounding."""
    return left - spent if left > spent * (1.0 + ROUNDING) else 0.0
