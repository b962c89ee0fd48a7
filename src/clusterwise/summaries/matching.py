"""Who matches whom: the one-to-one matching of clusters with the largest overlap."""

from typing import NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.summaries.cells import Cells, DenseCells, SparseCells


class Matching(NamedTuple):
    """Matched rows and columns, and how many objects each pair shares."""

    rows: Array
    columns: Array
    overlaps: Array

    @property
    def overlap(self) -> int | float:
        """Objects in matched clusters, all pairs together."""
        return self.overlaps.sum().item()


def best_matching(cells: Cells) -> Matching:
    """An optimal assignment; pairs that share no object are left out."""
    if isinstance(cells, SparseCells):
        return _sparse_matching(cells)
    return _dense_matching(cells)


def _dense_matching(cells: DenseCells) -> Matching:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cells.counts, maximize=True)
    overlaps = cells.counts[rows, columns]
    found = overlaps > 0
    return Matching(rows[found], columns[found], _widened(overlaps[found]))


def _sparse_matching(cells: SparseCells) -> Matching:
    """Settle the sure pairs first; solve what is left as a sparse assignment."""
    from clusterwise.kernels.matching import match_dominant

    height, width = cells.shape
    partner = np.full(height, -1, np.int64)
    row_open, column_open = np.ones(height, bool), np.ones(width, bool)
    while match_dominant(
        cells.row_sizes, cells.columns, cells.counts, partner, row_open, column_open
    ):
        pass
    rows, columns, counts = cells.nonzero
    left = np.flatnonzero(row_open[rows] & column_open[columns])
    if left.size:
        _assign_rest(rows[left], columns[left], counts[left], partner)
    chosen = np.flatnonzero(partner[rows] == columns)
    return Matching(rows[chosen], columns[chosen], counts[chosen])


def _assign_rest(rows: Array, columns: Array, counts: Array, partner: Array) -> None:
    """Sparse assignment in which every row may also stay alone, at no gain."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    row_ids, row = np.unique(rows, return_inverse=True)
    column_ids, column = np.unique(columns, return_inverse=True)
    height, width = row_ids.size, column_ids.size
    ceiling = float(counts.max()) + 1.0
    alone = np.arange(height)
    graph = coo_array(
        (
            np.concatenate([ceiling - counts, np.full(height, ceiling)]),
            (np.concatenate([row, alone]), np.concatenate([column, width + alone])),
        ),
        shape=(height, width + height),
    )
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph.tocsr())
    real = matched_columns < width
    partner[row_ids[matched_rows[real]]] = column_ids[matched_columns[real]]


def _widened(counts: Array) -> Array:
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64)
