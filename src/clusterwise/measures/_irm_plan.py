"""Credits that clusters get for each other, by which the IRM-index weighs how alike they are."""

from typing import Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.irm import give_credits, score_cells
from clusterwise.measures.transport_plans import TransportPlan, cluster_weights
from clusterwise.summaries.contingency.cells import Cells, DenseCells
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.flow import Flow, best_flow, complete
from clusterwise.summaries.overlap.overlap import SoftOverlap

Credits = Literal["greedy", "optimal"]


def irm_plan(table: Contingency | SoftOverlap, how: Credits = "greedy") -> TransportPlan:
    """The credits of the IRM-index as a plan; what it costs is one minus how alike clusters are."""
    if how not in ("greedy", "optimal"):
        raise InputError(f"credits={how!r} is unknown; use 'greedy' or 'optimal'.")
    cells = table.cells
    if isinstance(table, SoftOverlap) and table.explicit_differences is not None:
        cells = DenseCells(table.minima)
    sizes = table.row_sums.astype(np.float64), table.column_sums.astype(np.float64)
    if how == "optimal":
        flow = best_flow(*sizes, _scored(cells, sizes))
    else:
        flow = _greedy(cells, sizes, table.n)
    shared = cells.at(flow.rows, flow.columns)
    costs = 1 - shared / (sizes[0][flow.rows] + sizes[1][flow.columns] - shared)
    value = min(1.0, float(flow.amounts @ (1 - costs)))
    value = 1.0 if table.is_one_to_one else value
    return TransportPlan(
        "irm_score", value, table, cluster_weights("size", table), flow, costs,
        lambda: 1 - _scored(cells, sizes).dense(),
    )  # fmt: skip


def _scored(cells: Cells, sizes: tuple[Array, Array]) -> Cells:
    """What the clusters of each cell share, of what they hold together."""
    rows, columns, shared = cells.nonzero
    return cells.with_counts(shared / (sizes[0][rows] + sizes[1][columns] - shared))


def _greedy(cells: Cells, sizes: tuple[Array, Array], n: int | float) -> Flow:
    full = cells.filled
    rows, columns = np.empty((2, full), np.uint32)
    scores, given = np.empty(full), np.zeros(full)
    score_cells(*cells.by_row, *sizes, rows, columns, scores)
    # The leading bits of a positive number sort it roughly, by a radix sort of 16 bits.
    keys = (scores.view(np.uint64) >> np.uint64(48)).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    give_credits(order, keys, rows, columns, scores, sizes[0].copy(), sizes[1].copy(), given)
    used = np.flatnonzero(given)
    credit = complete((rows[used], columns[used], given[used]), *sizes)
    return Flow(credit[0], credit[1], credit[2] / (n or 1), "greedy")
