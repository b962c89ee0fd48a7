"""Who goes where: the plan that moves one clustering's weights to the other's at the largest gain.

A plan has the clusters' weights as its row and column sums. Where all clusters of both weigh the
same and there are as many of each, the best plan is a one-to-one matching and is found as
one, many times faster. Everything else is solved by POT's network simplex, with only the
cells that are not empty where the table is sparse. Both are exact.
"""

from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.summaries.cells import Cells, DenseCells
from clusterwise.summaries.matching import dense_partners, sparse_partners

Solver = Literal["assignment", "network simplex", "greedy"]
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
    supply, demand = _whole(supply), _whole(demand)
    # One scale for both: the sides must weigh exactly the same, and whole numbers do.
    supply, demand = supply * demand.sum(), demand * supply.sum()
    solve = _solve_dense if isinstance(gains, DenseCells) else _solve_sparse
    rows, columns, amounts = solve(supply, demand, gains)
    return Flow(rows, columns, amounts / supply.sum(), "network simplex")


def _is_even(weights: Array) -> bool:
    return bool((weights == weights[0]).all())


def _whole(weights: Array) -> Array:
    """Even weights as ones: their sums are exact."""
    return np.ones(weights.size) if _is_even(weights) else weights.astype(np.float64)


def _partners(gains: Cells) -> Array:
    """The column of every row; rows that gain nothing take the columns that are left."""
    if isinstance(gains, DenseCells):
        return dense_partners(gains.counts)
    partner = sparse_partners(gains)
    left = np.ones(gains.shape[1], bool)
    left[partner[partner >= 0]] = False
    partner[partner < 0] = np.flatnonzero(left)
    return partner


def _solve_dense(supply: Array, demand: Array, gains: Cells) -> tuple[Array, Array, Array]:
    counts = gains.counts.astype(np.float64)
    plan = _simplex(supply, demand, counts.max() - counts)
    rows, columns = np.nonzero(plan)
    return rows, columns, plan[rows, columns]


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
