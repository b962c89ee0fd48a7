"""The order and positions of the blocks in columns, with few crossings of bands."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.optimize import isotonic_regression

from clusterwise.inputs.encoding import Array

_SWEEPS = 12
# The largest number of passes of swaps in one column; each reduces the crossings.
_PASSES = 100


def count_crossings(flows: Sequence[Array], orders: Sequence[Array]) -> float:
    """Return the sum of products of sizes over all pairs of bands that cross."""
    total = 0.0
    for flow, (first, second) in zip(flows, pairwise(orders), strict=True):
        ordered = flow[np.ix_(first, second)].astype(float)
        total += float(_above(ordered)[np.triu_indices(len(ordered), 1)].sum())
    return total


def order_columns(flows: Sequence[Array], last: Sequence[int] | None = None) -> list[Array]:
    """Order the blocks of every column to reduce crossings, by sweeps in both directions.

    ``flows`` are the flows from every block of a column to every block of the next one; ``last``
    is the block of every column that stays at its end, or -1. The result has no more crossings
    than the original order.
    """
    sizes = [flows[0].sum(axis=1), *(flow.sum(axis=0) for flow in flows)]
    last = [-1] * len(sizes) if last is None else last
    best = [_with_last(np.arange(len(size)), end) for size, end in zip(sizes, last, strict=True)]
    least = count_crossings(flows, best)
    by_size = [
        _with_last(np.argsort(-size, kind="stable"), end)
        for size, end in zip(sizes, last, strict=True)
    ]
    for start in (best, by_size):
        orders, before = list(start), np.inf
        for _ in range(_SWEEPS):
            for column in (*range(1, len(sizes)), *range(len(sizes) - 2, -1, -1)):
                order = _reorder(flows, sizes, orders, column)
                orders[column] = _with_last(order, last[column])
            crossings = count_crossings(flows, orders)
            if crossings < least:
                best, least = list(orders), crossings
            if crossings >= before:
                break
            before = crossings
    return best


def _with_last(order: Array, block: int) -> Array:
    return order if block < 0 else np.append(order[order != block], block)


def _reorder(
    flows: Sequence[Array], sizes: Sequence[Array], orders: Sequence[Array], column: int
) -> Array:
    """Order one column by the barycentres of its neighbours, then swap neighbouring blocks."""
    joined = []
    if column:
        joined.append((flows[column - 1].T, column - 1))
    if column < len(flows):
        joined.append((flows[column], column + 1))
    sums, costs = np.zeros(len(sizes[column])), np.zeros((len(sizes[column]),) * 2)
    for flow, other in joined:
        size = sizes[other][orders[other]]
        centres = np.empty(len(size))
        centres[orders[other]] = np.cumsum(size) - size / 2
        sums += flow @ centres
        costs += _above(flow[:, orders[other]].astype(float))
    barycentres = sums / np.maximum(sizes[column] * len(joined), np.finfo(float).tiny)
    order = orders[column][np.argsort(barycentres[orders[column]], kind="stable")]
    for _ in range(_PASSES):
        swapped = False
        for at in range(len(order) - 1):
            upper, lower = order[at], order[at + 1]
            if costs[upper, lower] > costs[lower, upper] * (1 + 1e-9):
                order[at], order[at + 1] = lower, upper
                swapped = True
        if not swapped:
            break
    return order


def _above(ordered: Array) -> Array:
    """Return the crossings between every two blocks if the first is above the second."""
    return ordered @ (np.cumsum(ordered, axis=1) - ordered).T


def spread_out(targets: Array, heights: Array, gap: float, weights: Array | None = None) -> Array:
    """Return centres as near as possible to ``targets``, in order and without overlaps."""
    half = heights / 2
    steps = np.concatenate([[0.0], half[:-1] + half[1:] + gap])
    offsets = np.cumsum(steps)
    return np.asarray(isotonic_regression(targets - offsets, weights=weights).x + offsets)


def place_columns(
    flows: Sequence[Array], orders: Sequence[Array], matches: Sequence[dict[int, int]], gap: float
) -> list[Array]:
    """Return the centre of every block, as near to that of its match as possible."""
    sizes = [flows[0].sum(axis=1), *(flow.sum(axis=0) for flow in flows)]
    stacked = sizes[0][orders[0]]
    centres = [np.empty(len(size)) for size in sizes]
    centres[0][orders[0]] = np.cumsum(stacked + gap) - gap - stacked / 2
    for column, flow in enumerate(flows):
        targets = flow.T @ centres[column] / np.maximum(sizes[column + 1], np.finfo(float).tiny)
        for row, block in matches[column].items():
            targets[block] = centres[column][row]
        order, size = orders[column + 1], sizes[column + 1]
        centres[column + 1][order] = spread_out(targets[order], size[order], gap, size[order])
    return centres
