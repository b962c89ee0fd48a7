"""Optimal transport plans between the clusters of two clusterings.

A plan has the clusters' weights as its row and column sums. If both clusterings have the same
number of clusters, all with the same weight, the optimal plan is a one-to-one matching and is
found as an assignment, which is many times faster. Other plans between few clusters are found by
successive shortest paths, those between many clusters by POT's network simplex (which takes a
second to import), restricted to nonzero cells if the table is sparse. All solvers are exact.
"""

from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import transport as kernels
from clusterwise.summaries.contingency.assignment import find_partners
from clusterwise.summaries.contingency.cells import Cells, DenseCells

Solver = Literal["assignment", "shortest paths", "network simplex", "greedy"]
# With more cells the network simplex is faster.
FEW_CELLS = 1 << 12
# Smaller fractions of the total weight are rounding errors.
_ROUNDING = 1e-15
# Integers up to this one are exact as floats.
_LARGEST_INTEGER = 2.0**53
_MAX_ITERATIONS = 1 << 40


class SparsePlan(NamedTuple):
    """The nonzero cells of a transport plan, with amounts as fractions of the total weight."""

    rows: Array
    columns: Array
    amounts: Array
    solver: Solver


def solve_transport(supply: Array, demand: Array, gains: Cells) -> SparsePlan:
    """Return the plan with the largest Σ amount · gain, for nonnegative gains.

    ``supply`` and ``demand`` are the clusters' weights, each on any scale.
    """
    height, width = gains.shape
    if not height or not width:
        empty = np.empty(0, np.int64)
        return SparsePlan(empty, empty, np.empty(0), "assignment")
    if height == width and _is_uniform(supply) and _is_uniform(demand):
        rows = np.arange(height)
        return SparsePlan(rows, _assign_all(gains), np.full(height, 1 / height), "assignment")
    supply, demand = _equalize_totals(_as_floats(supply), _as_floats(demand))
    total = supply.sum()
    if not isinstance(gains, DenseCells):
        cells = _solve_sparse(supply, demand, gains)
        return SparsePlan(*_as_fractions(cells, total), "network simplex")
    cost = gains.counts.max() - gains.counts.astype(np.float64)
    if cost.size <= FEW_CELLS:
        plan = np.zeros(cost.shape)
        kernels.solve_transport(cost, supply.copy(), demand.copy(), plan)
        return SparsePlan(*_as_fractions(_nonzero(plan), total), "shortest paths")
    plan = _network_simplex(supply, demand, cost)
    return SparsePlan(*_as_fractions(_nonzero(plan), total), "network simplex")


def complete_plan(
    cells: tuple[Array, Array, Array], supply: Array, demand: Array
) -> tuple[Array, Array, Array]:
    """Distribute the weights that a partial plan leaves over, by the northwest corner rule."""
    rows, columns, amounts = cells
    rest = _northwest_corner(
        supply - np.bincount(rows, amounts, supply.size),
        demand - np.bincount(columns, amounts, demand.size),
        1e-12 * float(supply.sum()),
    )
    joined = [np.concatenate(parts) for parts in zip(cells, rest, strict=True)]
    return joined[0], joined[1], joined[2]


def _is_uniform(weights: Array) -> bool:
    return bool((weights == weights[0]).all())


def _as_floats(weights: Array) -> Array:
    """Return float weights; uniform weights become ones, whose sums are exact."""
    return np.ones(weights.size) if _is_uniform(weights) else weights.astype(np.float64)


def _equalize_totals(supply: Array, demand: Array) -> tuple[Array, Array]:
    """Scale weights to exactly the same total: by integers if possible, otherwise to 1."""
    first, second = float(supply.sum()), float(demand.sum())
    if _is_integer(supply) and _is_integer(demand):
        if first == second:
            return supply, demand
        if first * second <= _LARGEST_INTEGER:
            return supply * second, demand * first
    supply, demand = supply / first, demand / second
    demand[np.argmax(demand)] += supply.sum() - demand.sum()
    return supply, demand


def _is_integer(weights: Array) -> bool:
    return bool((weights == np.floor(weights)).all()) and weights.sum() <= _LARGEST_INTEGER


def _nonzero(plan: Array) -> tuple[Array, Array, Array]:
    rows, columns = np.nonzero(plan)
    return rows, columns, plan[rows, columns]


def _as_fractions(cells: tuple[Array, Array, Array], total: float) -> tuple[Array, Array, Array]:
    """Divide amounts by the total weight, and drop rounding errors."""
    amounts = cells[2] / total
    real = amounts > _ROUNDING
    return cells[0][real], cells[1][real], amounts[real]


def _assign_all(gains: Cells) -> Array:
    """Return the column of every row; rows without a gain are assigned the remaining columns."""
    partner = find_partners(gains).copy()
    free = np.ones(gains.shape[1], bool)
    free[partner[partner >= 0]] = False
    partner[partner < 0] = np.flatnonzero(free)
    return partner


def _solve_sparse(supply: Array, demand: Array, gains: Cells) -> tuple[Array, Array, Array]:
    """Solve with an arc per nonzero gain; all other weight passes through a transshipment node."""
    from scipy.sparse import coo_array

    height, width = gains.shape
    cells = gains.nonzero
    largest = float(cells.counts.max())
    rows = np.concatenate([cells.rows, np.arange(height), np.full(width + 1, height)])
    columns = np.concatenate([cells.columns, np.full(height, width), np.arange(width + 1)])
    cost = np.concatenate([largest - cells.counts, np.full(height + width + 1, largest)])
    arcs = coo_array((cost, (rows, columns)), shape=(height + 1, width + 1))
    total = supply.sum()
    plan = _network_simplex(np.append(supply, total), np.append(demand, total), arcs).tocoo()
    inside = (plan.row < height) & (plan.col < width) & (plan.data > 0)
    return complete_plan((plan.row[inside], plan.col[inside], plan.data[inside]), supply, demand)


def _northwest_corner(supply: Array, demand: Array, tolerance: float) -> tuple[Array, Array, Array]:
    rows = np.flatnonzero(supply > tolerance)
    columns = np.flatnonzero(demand > tolerance)
    if not rows.size or not columns.size:
        return rows[:0], columns[:0], supply[:0]
    ends_a, ends_b = np.cumsum(supply[rows]), np.cumsum(demand[columns])
    ends = np.union1d(ends_a, ends_b)
    amounts = np.diff(ends, prepend=0.0)
    real = amounts > tolerance
    at_a = np.minimum(np.searchsorted(ends_a, ends - amounts / 2), rows.size - 1)
    at_b = np.minimum(np.searchsorted(ends_b, ends - amounts / 2), columns.size - 1)
    return rows[at_a[real]], columns[at_b[real]], amounts[real]


def _network_simplex(supply: Array, demand: Array, cost: Any) -> Any:
    from ot.lp import emd

    plan, log = run_interruptibly(
        cost.shape[0] * float(cost.shape[1]) * min(cost.shape),
        emd,
        supply,
        demand,
        cost,
        numItermax=_MAX_ITERATIONS,
        log=True,
        check_marginals=False,
    )
    if log["warning"] is not None:
        raise InputError(f"the network simplex found no transport plan: {log['warning']}.")
    return plan
