"""The loop that hands out credits to pairs of clusters, the most alike first."""

import numpy as np

from clusterwise.kernels.jit import jit

# Scores closer than this are ties: what tells them apart is rounding.
ROUNDING = 1e-12


@jit
def score_cells(row_sizes, cells, counts, row_sums, column_sums, rows, columns, scores):
    """Gather the cells that are not empty, and what their clusters share; return how many."""
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
    """Give every cell as much as its row and column have left, in falling order of scores.

    ``order`` sorts the cells by their keys, which fall into the order of the scores but leave
    near ones together: these are told apart only if they still have something to get. Cells with
    the same score are served at once, at the same pace, until a row or a column of theirs has
    nothing left; so the order of the clusters does not matter.
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
                left = _serve(
                    near[start : start + left], rows, columns, row_left, column_left, row_load,
                    column_load, given,
                )  # fmt: skip
            start = end


@jit
def _serve(active, rows, columns, row_left, column_left, row_load, column_load, given):
    """Serve tied cells until something runs out; keep those that can go on, return how many."""
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
        if row_load[row] == 1 and column_load[column] == 1:  # nobody competes for either
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
        if row_left[row] <= pace * row_load[row] * (1.0 + ROUNDING):
            row_left[row] = pace * row_load[row]
        if column_left[column] <= pace * column_load[column] * (1.0 + ROUNDING):
            column_left[column] = pace * column_load[column]
    for i in active[:left]:
        given[i] += pace
    for i in active[:left]:
        row, column = rows[i], columns[i]
        if row_load[row]:
            spent = pace * row_load[row]
            row_left[row] = 0.0 if row_left[row] == spent else row_left[row] - spent
            row_load[row] = 0
        if column_load[column]:
            spent = pace * column_load[column]
            column_left[column] = (
                0.0 if column_left[column] == spent else column_left[column] - spent
            )
            column_load[column] = 0
    return left
