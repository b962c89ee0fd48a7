"""The transport problem by successive shortest paths, for few clusters.

Each path starts at a row with supply left, ends at the nearest column with demand left, and may
undo earlier flow on its way. Dual variables keep all reduced costs non-negative, so that
Dijkstra's algorithm finds the paths (Edmonds and Karp, Journal of the ACM 19, 1972,
https://doi.org/10.1145/321694.321699).
"""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def _reach(row, distance, costs, row_dual, column_dual, nearest, before, visited):
    """Relax the edges from a row at this distance to all columns."""
    for column in range(nearest.size):
        if not visited[column]:
            # Rounding must not make a step negative, which would break the order.
            step = max(0.0, costs[row, column] - row_dual[row] - column_dual[column])
            through = distance + step
            if through < nearest[column]:
                nearest[column] = through
                before[column] = row


@jit
def _find_path(start, costs, demand, sent, row_dual, column_dual, before, came_from):
    """Return the nearest column with demand; ``before`` and ``came_from`` hold the path."""
    height, width = costs.shape
    nearest = np.full(width, np.inf)
    distance = np.full(height, np.inf)
    visited = np.zeros(width, np.bool_)
    distance[start] = 0.0
    _reach(start, 0.0, costs, row_dual, column_dual, nearest, before, visited)
    while True:
        end = -1
        least = np.inf
        for column in range(width):
            if not visited[column] and nearest[column] < least:
                end, least = column, nearest[column]
        if demand[end] > 0.0:
            break
        visited[end] = True
        for row in range(height):
            if sent[row, end] > 0.0 and distance[row] == np.inf:
                distance[row] = least
                came_from[row] = end
                _reach(row, least, costs, row_dual, column_dual, nearest, before, visited)
    for row in range(height):
        if distance[row] < least:
            row_dual[row] += least - distance[row]
    for column in range(width):
        if visited[column]:
            column_dual[column] -= least - nearest[column]
    return end


@jit
def _initial_duals(costs):
    """Return duals with a reduced cost of zero in every row and every column."""
    height, width = costs.shape
    row_dual, column_dual = np.empty(height), np.full(width, np.inf)
    for row in range(height):
        row_dual[row] = costs[row].min()
        for column in range(width):
            column_dual[column] = min(column_dual[column], costs[row, column] - row_dual[row])
    return row_dual, column_dual


@jit
def solve_transport(costs, supply, demand, sent):
    """Send all supply to the demand at the least cost; costs are non-negative.

    ``supply`` and ``demand`` are overwritten; the flow from each row to each column is written to
    ``sent``.
    """
    height, width = costs.shape
    row_dual, column_dual = _initial_duals(costs)
    before, came_from = np.full(width, -1), np.full(height, -1)
    for start in range(height):
        while supply[start] > 0.0 and demand.max() > 0.0:
            end = _find_path(start, costs, demand, sent, row_dual, column_dual, before, came_from)
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
