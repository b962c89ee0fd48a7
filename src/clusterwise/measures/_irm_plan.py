"""The transport plan of the IRM-index, which its authors call credits."""

from typing import Literal

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.irm import give_credits, score_cells
from clusterwise.measures._transport_solver import SparsePlan, complete_plan, solve_transport
from clusterwise.measures.transport_plans import TransportPlan, cluster_weights
from clusterwise.summaries.contingency.cells import Cells, DenseCells
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

IRMMatching = Literal["greedy", "optimal"]


def irm_plan(table: Contingency | SoftOverlap, matching: IRMMatching = "greedy") -> TransportPlan:
    """Return the plan of the IRM-index; the cost of a pair of clusters is 1 - Jaccard index."""
    cells = table.cells
    if isinstance(table, SoftOverlap) and table.explicit_differences is not None:
        cells = DenseCells(table.minima)
    sizes = table.row_sums.astype(np.float64), table.column_sums.astype(np.float64)
    if matching == "optimal":
        plan = solve_transport(*sizes, _jaccard(cells, sizes))
    else:
        plan = _match_greedily(cells, sizes, table.n)
    common = cells.at(plan.rows, plan.columns)
    costs = 1 - common / (sizes[0][plan.rows] + sizes[1][plan.columns] - common)
    value = min(1.0, float(plan.amounts @ (1 - costs)))
    value = 1.0 if table.is_one_to_one else value
    return TransportPlan(
        "irm_score", value, table, cluster_weights("size", table), plan, costs,
        lambda: 1 - _jaccard(cells, sizes).dense(),
    )  # fmt: skip


def _jaccard(cells: Cells, sizes: tuple[Array, Array]) -> Cells:
    """Return the Jaccard index of every pair of clusters."""
    rows, columns, common = cells.nonzero
    return cells.with_counts(common / (sizes[0][rows] + sizes[1][columns] - common))


def _match_greedily(cells: Cells, sizes: tuple[Array, Array], n: int | float) -> SparsePlan:
    """Assign the weights of clusters to pairs in the order of decreasing Jaccard index."""
    count = cells.filled
    rows, columns = np.empty((2, count), np.uint32)
    scores, amounts = np.empty(count), np.zeros(count)
    score_cells(*cells.by_row, *sizes, rows, columns, scores)
    # The leading bits of positive floats sort them roughly, by a radix sort of 16 bits.
    keys = (scores.view(np.uint64) >> np.uint64(48)).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    left = sizes[0].copy(), sizes[1].copy()
    run_interruptibly(
        16.0 * count, give_credits, order, keys, rows, columns, scores, *left, amounts
    )
    used = np.flatnonzero(amounts)
    plan = complete_plan((rows[used], columns[used], amounts[used]), *sizes)
    return SparsePlan(plan[0], plan[1], plan[2] / (n or 1), "greedy")
