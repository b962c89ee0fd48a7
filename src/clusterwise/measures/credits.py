"""Credits that clusters get for each other, by which the IRM-index weighs how alike they are."""

from typing import Literal

import numpy as np

from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.kernels.credits import give_credits
from clusterwise.measures.plans import TransportPlan, cluster_weights
from clusterwise.summaries.cells import DenseCells
from clusterwise.summaries.contingency import Contingency
from clusterwise.summaries.overlap import SoftOverlap
from clusterwise.summaries.transport import Flow, best_flow, complete

Credits = Literal["greedy", "optimal"]


def irm_plan(table: Contingency | SoftOverlap, how: Credits = "greedy") -> TransportPlan:
    """The credits of the IRM-index as a plan; what it costs is one minus how alike clusters are."""
    if how not in ("greedy", "optimal"):
        raise InputError(f"credits={how!r} is unknown; use 'greedy' or 'optimal'.")
    cells = table.cells
    if isinstance(table, SoftOverlap) and table.explicit_differences is not None:
        cells = DenseCells(table.shared)
    rows, columns, shared = cells.nonzero
    scores = _alike(table, rows, columns, shared)
    if how == "optimal":
        flow = best_flow(table.row_sums, table.column_sums, cells.with_counts(scores))
    else:
        flow = _greedy(table, rows, columns, scores)
    costs = 1 - _alike(table, flow.rows, flow.columns, cells.at(flow.rows, flow.columns))
    value = min(1.0, float(flow.amounts @ (1 - costs)))
    value = 1.0 if table.is_one_to_one else value
    return TransportPlan(
        "irm_score", value, table, cluster_weights("size", table), flow, costs,
        lambda: 1 - cells.with_counts(scores).dense(),
    )  # fmt: skip


def _alike(table: Contingency | SoftOverlap, rows: Array, columns: Array, shared: Array) -> Array:
    """What two clusters share, of what they hold together."""
    return shared / (table.row_sums[rows] + table.column_sums[columns] - shared)


def _greedy(table: Contingency | SoftOverlap, rows: Array, columns: Array, scores: Array) -> Flow:
    # The leading bits of a positive number sort it roughly, by a radix sort of 16 bits.
    keys = (scores.view(np.uint64) >> np.uint64(48)).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    sizes = table.row_sums.astype(np.float64), table.column_sums.astype(np.float64)
    given = np.zeros(scores.size)
    give_credits(order, keys, rows, columns, scores, sizes[0].copy(), sizes[1].copy(), given)
    full = np.flatnonzero(given)
    credit = complete((rows[full], columns[full], given[full]), *sizes)
    return Flow(credit[0], credit[1], credit[2] / (table.n or 1), "greedy")
