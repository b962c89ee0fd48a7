"""Counting of two clusterings into cells, dense or sparse.

The dense algorithm keeps a counter per cell. The sparse algorithm sorts the objects by their
first label (a counting sort) and counts every row separately: linear in the number of objects
and clusters, without memory for empty cells.
"""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.threads import parts_for, run_interruptibly, run_parts
from clusterwise.inputs.encoding import Array, Codes
from clusterwise.kernels import contingency as kernels
from clusterwise.summaries.contingency.cells import ByRow, Cells, DenseCells, SparseCells

# Beyond this many cells the counters leave the cache, and sorting first is faster.
DENSE_CELLS = 1 << 21
# Emptier tables than this many cells per object cost more to clear than to sort.
CELLS_PER_OBJECT = 2
FEW_CELLS = 1 << 13


class Tabulated(NamedTuple):
    """Cells of the nonempty clusters, and the labels of the clusters."""

    cells: Cells
    row_names: Array
    column_names: Array


def tabulate(a: Codes, b: Codes, weights: Array | None) -> Tabulated:
    """Count the objects (or sum their weights) in every pair of clusters."""
    if weights is None and _fits_dense(a.size, b.size, a.values.size):
        table = _count_dense(a, b)
        if table is not None:
            return drop_empty(DenseCells(table), a, b)
    a, b = a.exact(), b.exact()
    return drop_empty(count_cells(a, b, weights), a, b)


def count_cells(a: Codes, b: Codes, weights: Array | None) -> Cells:
    """Return the cells of all clusters of two exact codes, including empty clusters."""
    if _fits_dense(a.size, b.size, a.values.size):
        return DenseCells(_dense(a, b, weights))
    return _count_rows(a, b) if weights is None else _add_rows(a, b, weights)


def drop_empty(cells: Cells, a: Codes, b: Codes) -> Tabulated:
    """Leave out empty clusters and look up the names of the others."""
    rows, columns = np.flatnonzero(cells.row_sums), np.flatnonzero(cells.column_sums)
    if (rows.size, columns.size) != cells.shape:
        cells = cells.select(rows, columns)
    return Tabulated(cells, a.names_at(rows), b.names_at(columns))


def _fits_dense(size_a: int, size_b: int, n: int) -> bool:
    return size_a * size_b <= max(FEW_CELLS, min(DENSE_CELLS, CELLS_PER_OBJECT * n))


def _dense(a: Codes, b: Codes, weights: Array | None) -> Array:
    if weights is None:
        table = _count_dense(a, b)
        assert table is not None, "the range of exact codes holds every label"
        return table
    flat = np.zeros(a.size * b.size, weights.dtype)
    run_interruptibly(
        weights.size, kernels.add_dense, a.kernel_values(), b.kernel_values(), weights,
        a.kernel_first(), b.kernel_first(), np.uint64(b.size), flat,
    )  # fmt: skip
    return flat.reshape(a.size, b.size)


def _count_dense(a: Codes, b: Codes) -> Array | None:
    """Return a table of counts, or None if a label lies outside the codes' range."""
    n = a.values.size
    parts = parts_for(n)
    # A uint32 counter holds 4·10^9 objects; more of them take more tables.
    tables = max(parts, -(-n // ((1 << 32) - 1)))
    flats = np.zeros((tables, a.size * b.size), np.uint32)
    ends = _cuts(n, tables)
    reached = np.zeros(tables, np.int64)
    labels_a, labels_b = a.kernel_values(), b.kernel_values()
    first_a, first_b = a.kernel_first(), b.kernel_first()
    size_a, size_b = np.uint64(a.size), np.uint64(b.size)

    def count(part: int) -> None:
        for one in range(part, tables, parts):
            reached[one] = kernels.count_dense(
                labels_a, labels_b, ends[one], ends[one + 1],
                first_a, first_b, size_a, size_b, flats[one],
            )  # fmt: skip

    run_parts(count, parts)
    if np.any(reached < ends[1:]):
        return None
    flat = flats[0] if tables == 1 else flats.sum(axis=0, dtype=_count_type(n))
    return flat.reshape(a.size, b.size)


def _count_rows(a: Codes, b: Codes) -> SparseCells:
    n = a.values.size
    parts = parts_for(n)
    ends = _cuts(n, parts)
    labels_a, labels_b = a.kernel_values(), b.kernel_values()
    first_a, first_b = a.kernel_first(), b.kernel_first()
    in_part = np.zeros((parts, a.size), np.int64)
    run_parts(
        lambda part: kernels.count_labels(
            labels_a, ends[part], ends[part + 1], first_a, in_part[part]
        ),
        parts,
    )
    starts = np.zeros(a.size + 1, np.int64)
    np.cumsum(in_part.sum(axis=0), out=starts[1:])
    # In every row, each part writes its entries after those of the previous parts.
    cursors = starts[:-1] + np.cumsum(in_part, axis=0) - in_part
    columns = np.empty(n, np.uint32)
    run_parts(
        lambda part: kernels.scatter(
            labels_a, labels_b, ends[part], ends[part + 1], first_a, first_b, cursors[part], columns
        ),
        parts,
    )
    cuts = np.searchsorted(starts, ends)
    cuts[0], cuts[-1] = 0, a.size
    row_sizes = np.zeros(a.size, np.int64)
    counts = np.empty(n, np.uint32)
    packed = np.zeros(parts, np.int64)

    def squeeze(part: int) -> None:
        packed[part] = kernels.squeeze_rows(
            starts, cuts[part], cuts[part + 1], columns, counts, row_sizes, b.size
        )

    run_parts(squeeze, parts)
    end = int(packed[0])
    for part in range(1, parts):
        begin = int(starts[cuts[part]])
        size = int(packed[part]) - begin
        columns[end : end + size] = columns[begin : begin + size]
        counts[end : end + size] = counts[begin : begin + size]
        end += size
    by_row = ByRow(row_sizes, _trim(columns, end), _trim(counts, end))
    return SparseCells(by_row, b.size, row_sums=np.diff(starts))


def _add_rows(a: Codes, b: Codes, weights: Array) -> SparseCells:
    n = a.values.size
    first_a, first_b = a.kernel_first(), b.kernel_first()
    starts = np.zeros(a.size + 1, np.int64)
    labels_a, labels_b = a.kernel_values(), b.kernel_values()
    kernels.count_labels(labels_a, 0, n, first_a, starts[1:])
    np.cumsum(starts, out=starts)
    columns = np.empty(n, np.uint32)
    sums = np.empty(n, weights.dtype)
    run_interruptibly(
        n, kernels.scatter_weighted,
        labels_a, labels_b, weights, first_a, first_b, starts[:-1].copy(), columns, sums,
    )  # fmt: skip
    row_sizes = np.zeros(a.size, np.int64)
    end = run_interruptibly(
        n, kernels.squeeze_rows_weighted, starts, columns, sums, row_sizes, b.size
    )
    return SparseCells(ByRow(row_sizes, columns[:end], sums[:end]), b.size).without_zeros()


def _cuts(n: int, parts: int) -> Array:
    """Return the boundaries of parts of n objects of nearly equal size."""
    return np.array([n * part // parts for part in range(parts + 1)], np.int64)


def _count_type(n: int) -> type[np.generic]:
    return np.uint32 if n < 1 << 32 else np.int64


def _trim(array: Array, end: int) -> Array:
    """Return the used part, copied if that frees more than half of the memory."""
    return array[:end].copy() if 2 * end < array.size else array[:end]
