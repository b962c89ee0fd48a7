"""The numbers of a contingency table, dense or row by row, and their sums.

Both kinds answer the same questions, so measures need not know which they have.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.kernels import contingency as kernels

# The square of a larger total does not fit a signed 64-bit integer.
LARGEST_SQUARE = 3_037_000_499


class Nonzero(NamedTuple):
    """The cells that are not empty: where they are, and what they hold."""

    rows: Array
    columns: Array
    counts: Array


class _Cells:
    """What both kinds share."""

    shape: tuple[int, int]
    counts: Array
    row_sums: Array
    column_sums: Array

    @property
    def weighted(self) -> bool:
        """Whether cells hold fractional weights rather than counts."""
        return self.counts.dtype.kind == "f"

    @cached_property
    def total(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.row_sums.sum().item()

    @cached_property
    def sum_of_squares(self) -> int | float:
        """Sum of the squared cells: exact for counts, whatever their size."""
        return exact_sum_of_squares(self.counts.ravel(), self.total)


class DenseCells(_Cells):
    """A K × J array."""

    sparse = False

    def __init__(self, counts: Array) -> None:
        self.counts = counts
        self.shape = counts.shape

    @cached_property
    def row_sums(self) -> Array:  # type: ignore[override]
        return self.counts.sum(axis=1, dtype=_sum_type(self.counts))

    @cached_property
    def column_sums(self) -> Array:  # type: ignore[override]
        return self.counts.sum(axis=0, dtype=_sum_type(self.counts))

    @cached_property
    def nonzero(self) -> Nonzero:
        rows, columns = np.nonzero(self.counts)
        counts = self.counts[rows, columns]
        return Nonzero(rows, columns, counts.astype(_sum_type(self.counts), copy=False))

    @cached_property
    def row_max(self) -> Array:
        return self.counts.max(axis=1, initial=0)

    @cached_property
    def column_max(self) -> Array:
        return self.counts.max(axis=0, initial=0)

    def dense(self) -> Array:
        return self.counts.astype(_sum_type(self.counts))

    def select(self, rows: Array, columns: Array) -> "DenseCells":
        """The cells of some rows and columns."""
        return DenseCells(self.counts[np.ix_(rows, columns)])

    def transpose(self) -> "DenseCells":
        return DenseCells(np.ascontiguousarray(self.counts.T))


class SparseCells(_Cells):
    """Rows one behind the other: their sizes, their columns, their counts."""

    sparse = True

    def __init__(self, row_sizes: Array, columns: Array, counts: Array, width: int) -> None:
        self.row_sizes = row_sizes
        self.columns = columns
        self.counts = counts
        self.shape = (row_sizes.size, width)

    @cached_property
    def row_sums(self) -> Array:  # type: ignore[override]
        ends = np.cumsum(self.row_sizes)
        sums = np.zeros(self.counts.size + 1, _sum_type(self.counts))
        np.cumsum(self.counts, out=sums[1:])
        return sums[ends] - sums[ends - self.row_sizes]

    @cached_property
    def column_sums(self) -> Array:  # type: ignore[override]
        sums = np.zeros(self.shape[1], _sum_type(self.counts))
        kernels.add_labels(self.columns, self.counts, np.uint64(0), sums)
        return sums

    @cached_property
    def nonzero(self) -> Nonzero:
        rows = np.repeat(np.arange(self.shape[0], dtype=np.uint32), self.row_sizes)
        return Nonzero(rows, self.columns, self.counts.astype(_sum_type(self.counts), copy=False))

    @cached_property
    def _largest(self) -> tuple[Array, Array]:
        row_max = np.zeros(self.shape[0], self.counts.dtype)
        column_max = np.zeros(self.shape[1], self.counts.dtype)
        kernels.largest_per_row_and_column(
            self.row_sizes, self.columns, self.counts, row_max, column_max
        )
        return row_max, column_max

    @property
    def row_max(self) -> Array:
        return self._largest[0]

    @property
    def column_max(self) -> Array:
        return self._largest[1]

    def dense(self) -> Array:
        table = np.zeros(self.shape, _sum_type(self.counts))
        table[self.nonzero.rows, self.columns] = self.counts
        return table

    def select(self, rows: Array, columns: Array) -> "SparseCells":
        """The cells of rows and columns that hold all that is not empty."""
        place = np.zeros(self.shape[1], np.uint32)
        place[columns] = np.arange(columns.size)
        return SparseCells(self.row_sizes[rows], place[self.columns], self.counts, columns.size)

    def transpose(self) -> "SparseCells":
        order = np.argsort(self.columns, kind="stable")
        sizes = np.bincount(self.columns, minlength=self.shape[1])
        return SparseCells(sizes, self.nonzero.rows[order], self.counts[order], self.shape[0])


Cells = DenseCells | SparseCells


def exact_sum_of_squares(counts: Array, total: int | float) -> int | float:
    """Σ counts², as a Python integer for whole counts: it never overflows."""
    if counts.dtype.kind == "f":
        return float(counts @ counts)
    if total <= LARGEST_SQUARE:
        return int(kernels.sum_of_squares(counts))
    return sum(count * count for count in counts.tolist())


def _sum_type(counts: Array) -> type[np.generic]:
    return np.float64 if counts.dtype.kind == "f" else np.int64
