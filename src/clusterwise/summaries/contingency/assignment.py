"""The one-to-one matching of clusters with the largest overlap (linear sum assignment)."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.contingency.cells import Cells, DenseCells, Nonzero


class Matching(NamedTuple):
    """Matched rows and columns, and the number of objects that each pair has in common."""

    rows: Array
    columns: Array
    overlaps: Array

    @property
    def overlap(self) -> int | float:
        """Total number of objects in matched clusters."""
        return self.overlaps.sum().item()


def best_matching(cells: Cells) -> Matching:
    """Return an optimal matching, without pairs that have no object in common."""
    partner = find_partners(cells)
    rows = np.flatnonzero(partner >= 0)
    overlaps = cells.at(rows, partner[rows])
    found = overlaps > 0
    return Matching(rows[found], partner[rows][found], overlaps[found])


def find_partners(cells: Cells) -> Array:
    """Return the column of every row in an optimal assignment, or -1; cached with the cells."""
    if cells.partners is None:
        from clusterwise.kernels.assignment import solve_assignment

        scaled = cells.rescaled
        if isinstance(scaled, DenseCells):
            steps = scaled.counts.size * min(scaled.shape)
            cells.partners = run_interruptibly(steps, solve_assignment, scaled.counts)
        else:
            cells.partners = _sparse_partners(scaled)
    return cells.partners


def _sparse_partners(cells: Cells) -> Array:
    """Solve a sparse assignment: dominant pairs first, then the rest by SciPy."""
    from clusterwise.kernels.table_rows import match_dominant

    height, width = cells.shape
    partner = np.full(height, -1, np.int64)
    row_open, column_open = np.ones(height, bool), np.ones(width, bool)
    while match_dominant(*cells.by_row, partner, row_open, column_open):
        pass
    _assign_sparse(cells.nonzero, row_open, column_open, partner)
    return partner


def _assign_sparse(cells: Nonzero, row_open: Array, column_open: Array, partner: Array) -> None:
    """Assign the remaining rows, each of which may also stay unmatched at gain 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    left = np.flatnonzero(row_open[cells.rows] & column_open[cells.columns])
    if not left.size:
        return
    row_ids, rows = np.unique(cells.rows[left], return_inverse=True)
    column_ids, columns = np.unique(cells.columns[left], return_inverse=True)
    counts = cells.counts[left]
    height, width = row_ids.size, column_ids.size
    ceiling = float(counts.max()) + 1.0
    unmatched = np.arange(height)
    graph = coo_array(
        (
            np.concatenate([ceiling - counts, np.full(height, ceiling)]),
            (np.concatenate([rows, unmatched]), np.concatenate([columns, width + unmatched])),
        ),
        shape=(height, width + height),
    )
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph.tocsr())
    real = matched_columns < width
    partner[row_ids[matched_rows[real]]] = column_ids[matched_columns[real]]
