"""Who goes where: the plan that moves one clustering's weights to the other's at the largest gain.

A plan has the clusters' weights as its row and column sums. Where all clusters of both weigh the
same and there are as many of each, the best plan is a one-to-one matching and is found as
one, many times faster. Other plans between few clusters are found by shortest paths, those between
many by POT's network simplex (which takes a second to load), with only the cells that are
not empty where the table is sparse. All are exact.
"""

from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.transport import solve_transport
from clusterwise.summaries.contingency.assignment import find_partners
from clusterwise.summaries.contingency.cells import Cells, DenseCells

Solver = Literal["assignment", "shortest paths", "network simplex", "greedy"]
# Beyond this many cells the network simplex is faster.
FEW_CELLS = 1 << 12
# Smaller shares of the whole come from rounding.
_ROUNDING = 1e-15
# Whole numbers up to this one are exact as floats.
_LARGEST_WHOLE = 2.0**53
_STEPS = 1 << 40


class Flow(NamedTuple):
    """The cells of a plan that are not empty, as shares of the whole weight."""

    rows: Array
    columns: Array
    amounts: Array
    solver: Solver


def best_flow(supply: Array, demand: Array, gains: Cells) -> Flow:
    """The plan with the largest Σ amount · gain, for gains that are not negative.

    ``supply`` and ``demand`` are the clusters' weights, on any scale.
    """
    height, width = gains.shape
    if not height or not width:
        nothing = np.empty(0, np.int64)
        return Flow(nothing, nothing, np.empty(0), "assignment")
    if height == width and _is_even(supply) and _is_even(demand):
        rows = np.arange(height)
        return Flow(rows, _partners(gains), np.full(height, 1 / height), "assignment")
    supply, demand = _on_one_scale(_whole(supply), _whole(demand))
    whole = supply.sum()
    if not isinstance(gains, DenseCells):
        return Flow(*_scaled(_solve_sparse(supply, demand, gains), whole), "network simplex")
    cost = gains.counts.max() - gains.counts.astype(np.float64)
    if cost.size <= FEW_CELLS:
        plan = np.zeros(cost.shape)
        solve_transport(cost, supply.copy(), demand.copy(), plan)
        return Flow(*_scaled(_cells(plan), whole), "shortest paths")
    return Flow(*_scaled(_cells(_simplex(supply, demand, cost)), whole), "network simplex")


def _on_one_scale(supply: Array, demand: Array) -> tuple[Array, Array]:
    """Weights with exactly the same sum: whole numbers where that is possible, or else 1."""
    first, second = float(supply.sum()), float(demand.sum())
    if _is_whole(supply) and _is_whole(demand):
        if first == second:
            return supply, demand
        if first * second <= _LARGEST_WHOLE:
            return supply * second, demand * first
    supply, demand = supply / first, demand / second
    demand[np.argmax(demand)] += supply.sum() - demand.sum()
    return supply, demand


def _is_whole(weights: Array) -> bool:
    return bool((weights == np.floor(weights)).all()) and weights.sum() <= _LARGEST_WHOLE


def _cells(plan: Array) -> tuple[Array, Array, Array]:
    rows, columns = np.nonzero(plan)
    return rows, columns, plan[rows, columns]


def _scaled(cells: tuple[Array, Array, Array], whole: float) -> tuple[Array, Array, Array]:
    """Amounts as shares of the whole; what is left by rounding is nothing."""
    amounts = cells[2] / whole
    real = amounts > _ROUNDING
    return cells[0][real], cells[1][real], amounts[real]


def _is_even(weights: Array) -> bool:
    return bool((weights == weights[0]).all())


def _whole(weights: Array) -> Array:
    """Even weights as ones: their sums are exact."""
    return np.ones(weights.size) if _is_even(weights) else weights.astype(np.float64)


def _partners(gains: Cells) -> Array:
    """The column of every row; rows that gain nothing take the columns that are left."""
    partner = find_partners(gains).copy()
    left = np.ones(gains.shape[1], bool)
    left[partner[partner >= 0]] = False
    partner[partner < 0] = np.flatnonzero(left)
    return partner


def _solve_sparse(supply: Array, demand: Array, gains: Cells) -> tuple[Array, Array, Array]:
    """Only cells with a gain are offered; all else goes by way of a cluster that stands between."""
    from scipy.sparse import coo_array

    height, width = gains.shape
    cells = gains.nonzero
    top = float(cells.counts.max())
    rows = np.concatenate([cells.rows, np.arange(height), np.full(width + 1, height)])
    columns = np.concatenate([cells.columns, np.full(height, width), np.arange(width + 1)])
    cost = np.concatenate([top - cells.counts, np.full(height + width + 1, top)])
    offered = coo_array((cost, (rows, columns)), shape=(height + 1, width + 1))
    whole = supply.sum()
    plan = _simplex(np.append(supply, whole), np.append(demand, whole), offered).tocoo()
    inside = (plan.row < height) & (plan.col < width) & (plan.data > 0)
    return complete((plan.row[inside], plan.col[inside], plan.data[inside]), supply, demand)


def complete(
    cells: tuple[Array, Array, Array], supply: Array, demand: Array
) -> tuple[Array, Array, Array]:
    """The plan with what it leaves over, which gains nothing, filled in in the clusters' order."""
    rows, columns, amounts = cells
    rest = _fill(
        supply - np.bincount(rows, amounts, supply.size),
        demand - np.bincount(columns, amounts, demand.size),
        1e-12 * float(supply.sum()),
    )
    joined = [np.concatenate(parts) for parts in zip(cells, rest, strict=True)]
    return joined[0], joined[1], joined[2]


def _fill(supply: Array, demand: Array, nothing: float) -> tuple[Array, Array, Array]:
    rows = np.flatnonzero(supply > nothing)
    columns = np.flatnonzero(demand > nothing)
    if not rows.size or not columns.size:
        return rows[:0], columns[:0], supply[:0]
    ends_a, ends_b = np.cumsum(supply[rows]), np.cumsum(demand[columns])
    ends = np.union1d(ends_a, ends_b)
    amounts = np.diff(ends, prepend=0.0)
    real = amounts > nothing
    at_a = np.minimum(np.searchsorted(ends_a, ends - amounts / 2), rows.size - 1)
    at_b = np.minimum(np.searchsorted(ends_b, ends - amounts / 2), columns.size - 1)
    return rows[at_a[real]], columns[at_b[real]], amounts[real]


def _simplex(supply: Array, demand: Array, cost: Any) -> Any:
    from ot.lp import emd

    plan, log = emd(supply, demand, cost, numItermax=_STEPS, log=True, check_marginals=False)
    if log["warning"] is not None:
        raise InputError(f"no transport plan was found: {log['warning']}.")
    return plan
