"""The numbers of a contingency table, dense or row by row, and their sums.

Both kinds answer the same questions, so measures need not know which they have.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.kernels import contingency, table_rows as rows

# The square of a larger total does not fit a signed 64-bit integer.
LARGEST_SQUARE = 3_037_000_499


class Nonzero(NamedTuple):
    """The cells that are not empty: where they are, and what they hold."""

    rows: Array
    columns: Array
    counts: Array


class ByRow(NamedTuple):
    """Cells one behind the other, as kernels walk them: some may be empty."""

    row_sizes: Array
    columns: Array
    counts: Array


class OwnPairs(NamedTuple):
    """How often an object agrees with itself, if its labels are drawn twice: in both, a and b.

    Hard clusterings always do: each is the number of objects.
    """

    both: int | float
    a: int | float
    b: int | float


class Cells(ABC):
    """What both kinds share."""

    counts: Array
    shape: tuple[int, int]
    is_sparse: bool
    partners: Array | None = None

    @property
    def weighted(self) -> bool:
        """Whether cells hold fractional weights rather than counts."""
        return self.counts.dtype.kind == "f"

    @property
    @abstractmethod
    def row_sums(self) -> Array:
        """Sizes of the first clustering's clusters."""

    @property
    @abstractmethod
    def column_sums(self) -> Array:
        """Sizes of the second clustering's clusters."""

    @property
    @abstractmethod
    def by_row(self) -> ByRow:
        """All cells, for kernels."""

    @property
    @abstractmethod
    def nonzero(self) -> Nonzero:
        """The cells that are not empty."""

    @abstractmethod
    def at(self, rows: Array, columns: Array) -> Array:
        """What these cells hold."""

    @abstractmethod
    def with_counts(self, counts: Array) -> "Cells":
        """The same cells that are not empty, holding something else."""

    @abstractmethod
    def dense(self) -> Array:
        """A K × J array of its own."""

    @abstractmethod
    def select(self, rows: Array, columns: Array) -> "Cells":
        """The cells of some rows and columns, which hold all that is not empty."""

    @abstractmethod
    def transpose(self) -> "Cells":
        """Rows and columns exchanged."""

    def places(self, rows: Array, columns: Array) -> Array:
        """Where these cells are among those that are not empty; -1 for empty ones."""
        width = self.shape[1]
        known = self.nonzero.rows.astype(np.int64) * width + self.nonzero.columns
        asked = rows.astype(np.int64) * width + columns
        if not known.size:
            return np.full(asked.size, -1)
        order = np.argsort(known)
        found = order[np.minimum(np.searchsorted(known, asked, sorter=order), known.size - 1)]
        return np.where(known[found] == asked, found, -1)

    @cached_property
    def total(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.row_sums.sum().item()

    @cached_property
    def filled(self) -> int:
        """Number of cells that are not empty."""
        return int(np.count_nonzero(self.counts))

    @cached_property
    def sum_of_squares(self) -> int | float:
        """Sum of the squared cells: exact for counts, whatever their size."""
        return exact_sum_of_squares(self.counts.ravel(), self.total)

    @cached_property
    def _largest(self) -> tuple[Array, Array]:
        row_max = np.zeros(self.shape[0], self.counts.dtype)
        column_max = np.zeros(self.shape[1], self.counts.dtype)
        rows.largest(*self.by_row, row_max, column_max)
        return row_max, column_max

    @property
    def row_max(self) -> Array:
        """Largest cell of every row."""
        return self._largest[0]

    @property
    def column_max(self) -> Array:
        """Largest cell of every column."""
        return self._largest[1]

    @property
    def sum_type(self) -> type[np.generic]:
        """The type that holds sums of cells."""
        return np.float64 if self.weighted else np.int64


class DenseCells(Cells):
    """A K × J array."""

    is_sparse = False

    def __init__(self, counts: Array) -> None:
        self.counts = counts
        self.shape = counts.shape

    @cached_property
    def row_sums(self) -> Array:
        return self.counts.sum(axis=1, dtype=self.sum_type)

    @cached_property
    def column_sums(self) -> Array:
        return self.counts.sum(axis=0, dtype=self.sum_type)

    @cached_property
    def by_row(self) -> ByRow:
        height, width = self.shape
        columns = np.tile(np.arange(width, dtype=np.uint32), height)
        return ByRow(np.full(height, width), columns, self.counts.ravel())

    @cached_property
    def nonzero(self) -> Nonzero:
        rows, columns = np.nonzero(self.counts)
        counts = self.counts[rows, columns].astype(self.sum_type, copy=False)
        return Nonzero(rows, columns, counts)

    def at(self, rows: Array, columns: Array) -> Array:
        return self.counts[rows, columns].astype(self.sum_type)

    def with_counts(self, counts: Array) -> "DenseCells":
        table = np.zeros(self.shape, counts.dtype)
        table[self.nonzero.rows, self.nonzero.columns] = counts
        return DenseCells(table)

    def dense(self) -> Array:
        return self.counts.astype(self.sum_type)

    def select(self, rows: Array, columns: Array) -> "DenseCells":
        return DenseCells(self.counts[np.ix_(rows, columns)])

    def transpose(self) -> "DenseCells":
        return DenseCells(np.ascontiguousarray(self.counts.T))


class SparseCells(Cells):
    """Only the cells that are not empty, one row behind the other."""

    is_sparse = True

    def __init__(self, by_row: ByRow, width: int, row_sums: Array | None = None) -> None:
        self._by_row = by_row
        self._row_sums = row_sums
        self.counts = by_row.counts
        self.shape = (by_row.row_sizes.size, width)

    @property
    def by_row(self) -> ByRow:
        return self._by_row

    @cached_property
    def row_sums(self) -> Array:
        if self._row_sums is not None:
            return self._row_sums
        sums = np.zeros(self.shape[0], self.sum_type)
        contingency.add_labels(self.nonzero.rows, self.counts, np.uint64(0), sums)
        return sums

    @cached_property
    def column_sums(self) -> Array:
        sums = np.zeros(self.shape[1], self.sum_type)
        contingency.add_labels(self._by_row.columns, self.counts, np.uint64(0), sums)
        return sums

    @cached_property
    def nonzero(self) -> Nonzero:
        places = np.repeat(np.arange(self.shape[0], dtype=np.uint32), self._by_row.row_sizes)
        counts = self.counts.astype(self.sum_type, copy=False)
        return Nonzero(places, self._by_row.columns, counts)

    def without_zeros(self) -> "SparseCells":
        """The same, with cells left out whose weights are or add up to zero."""
        full = self.counts != 0
        if full.all():
            return self
        sizes = np.bincount(self.nonzero.rows[full], minlength=self.shape[0])
        by_row = ByRow(sizes, self._by_row.columns[full], self.counts[full])
        return SparseCells(by_row, self.shape[1])

    def at(self, rows: Array, columns: Array) -> Array:
        places = self.places(rows, columns)
        return np.where(places >= 0, self.nonzero.counts[places], 0)

    def with_counts(self, counts: Array) -> "SparseCells":
        return SparseCells(
            ByRow(self._by_row.row_sizes, self._by_row.columns, counts), self.shape[1]
        )

    def dense(self) -> Array:
        table = np.zeros(self.shape, self.sum_type)
        table[self.nonzero.rows, self.nonzero.columns] = self.counts
        return table

    def select(self, rows: Array, columns: Array) -> "SparseCells":
        place = np.zeros(self.shape[1], np.uint32)
        place[columns] = np.arange(columns.size)
        kept = ByRow(self._by_row.row_sizes[rows], place[self._by_row.columns], self.counts)
        return SparseCells(kept, columns.size)

    def transpose(self) -> "SparseCells":
        columns = self._by_row.columns
        order = np.argsort(columns, kind="stable")
        sizes = np.bincount(columns, minlength=self.shape[1])
        return SparseCells(
            ByRow(sizes, self.nonzero.rows[order], self.counts[order]), self.shape[0]
        )


def exact_sum_of_squares(counts: Array, total: int | float) -> int | float:
    """Σ counts², as a Python integer for whole counts: it never overflows."""
    if counts.dtype.kind == "f":
        return float(counts @ counts)
    if total <= LARGEST_SQUARE:
        return int(contingency.sum_of_squares(counts))
    return sum(count * count for count in counts.tolist())
