"""The transport problem by successive shortest paths: for few clusters, without further ado.

Each path starts at a row that has something left, goes to the nearest column that has room, and
may take back on its way what was sent before. Prices keep all reduced costs from going below zero,
so that Dijkstra's rule finds the paths (Edmonds and Karp, Journal of the ACM 19, 1972,
https://doi.org/10.1145/321694.321699).
"""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def _reach(row, distance, costs, row_price, column_price, nearest, before, settled):
    """Look at all columns from a row that is so far away."""
    for column in range(nearest.size):
        if not settled[column]:
            # Rounding must not make a step shorter than nothing, which would break the order.
            step = max(0.0, costs[row, column] - row_price[row] - column_price[column])
            through = distance + step
            if through < nearest[column]:
                nearest[column] = through
                before[column] = row


@jit
def _find_path(start, costs, room, sent, row_price, column_price, before, came_from):
    """The nearest column with room; the way back is in ``before`` and ``came_from``."""
    height, width = costs.shape
    nearest = np.full(width, np.inf)
    distance = np.full(height, np.inf)
    settled = np.zeros(width, np.bool_)
    distance[start] = 0.0
    _reach(start, 0.0, costs, row_price, column_price, nearest, before, settled)
    while True:
        end = -1
        least = np.inf
        for column in range(width):
            if not settled[column] and nearest[column] < least:
                end, least = column, nearest[column]
        if room[end] > 0.0:
            break
        settled[end] = True
        for row in range(height):
            if sent[row, end] > 0.0 and distance[row] == np.inf:
                distance[row] = least
                came_from[row] = end
                _reach(row, least, costs, row_price, column_price, nearest, before, settled)
    for row in range(height):
        if distance[row] < least:
            row_price[row] += least - distance[row]
    for column in range(width):
        if settled[column]:
            column_price[column] -= least - nearest[column]
    return end


@jit
def _start_prices(costs):
    """Prices that leave a column without cost in every row, and a row in every column."""
    height, width = costs.shape
    row_price, column_price = np.empty(height), np.full(width, np.inf)
    for row in range(height):
        row_price[row] = costs[row].min()
        for column in range(width):
            column_price[column] = min(column_price[column], costs[row, column] - row_price[row])
    return row_price, column_price


@jit
def send(costs, supply, demand, sent):
    """Send all supply to where demand is, at the least cost; costs are not negative.

    ``supply`` and ``demand`` are used up; ``sent`` gets what goes from each row to each column.
    """
    height, width = costs.shape
    row_price, column_price = _start_prices(costs)
    before, came_from = np.full(width, -1), np.full(height, -1)
    for start in range(height):
        while supply[start] > 0.0 and demand.max() > 0.0:
            end = _find_path(start, costs, demand, sent, row_price, column_price, before, came_from)
            amount = min(supply[start], demand[end])
            row = before[end]
            while row != start:
                amount = min(amount, sent[row, came_from[row]])
                row = before[came_from[row]]
            supply[start] -= amount
            demand[end] -= amount
            column = end
            while True:
                row = before[column]
                sent[row, column] += amount
                if row == start:
                    break
                column = came_from[row]
                sent[row, column] -= amount
