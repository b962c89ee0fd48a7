"""The cells of a contingency table, dense or sparse, and their sums.

Both storages have the same interface, so measures need not distinguish them.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TextTable, format_objects
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import contingency, table_rows as rows

# The square of a larger total does not fit a signed 64-bit integer.
LARGEST_SQUARE = 3_037_000_499
# Integers up to this one are exact as floats; larger totals of weights are rescaled.
LARGEST_EXACT = 2.0**53
# The largest numbers of rows and columns that are printed.
_SHOWN = 12


class Nonzero(NamedTuple):
    """The nonzero cells: their rows, columns and counts."""

    rows: Array
    columns: Array
    counts: Array


class ByRow(NamedTuple):
    """The cells in row-major order, as kernels read them; some may be zero."""

    row_sizes: Array
    columns: Array
    counts: Array


class SelfPairs(NamedTuple):
    """Expected number of pairs of an object with itself that share a cluster: in both, a and b.

    Labels are drawn twice by the memberships. For hard clusterings, each is the number of objects.
    """

    both: int | float
    a: int | float
    b: int | float


class Cells(ABC):
    """Cells of a table, dense or sparse."""

    counts: Array
    shape: tuple[int, int]
    is_sparse: bool
    partners: Array | None = None

    @property
    def weighted(self) -> bool:
        """Whether cells hold fractional weights rather than counts."""
        return self.counts.dtype.kind == "f"

    @cached_property
    def has_whole_sizes(self) -> bool:
        """Whether the sizes of all clusters are integers."""
        sizes = (self.row_sums, self.column_sums)
        return not self.weighted or all(np.array_equal(np.rint(one), one) for one in sizes)

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
        """The cells in row-major order, for kernels."""

    @property
    @abstractmethod
    def nonzero(self) -> Nonzero:
        """The nonzero cells."""

    @abstractmethod
    def at(self, rows: Array, columns: Array) -> Array:
        """Return the counts of these cells."""

    @abstractmethod
    def with_counts(self, counts: Array) -> "Cells":
        """Return a table with the same nonzero cells and other counts in them."""

    @abstractmethod
    def dense(self) -> Array:
        """Return a new K × J array."""

    @abstractmethod
    def select(self, rows: Array, columns: Array) -> "Cells":
        """Return the cells of some rows and columns, which must include all nonzero cells."""

    @abstractmethod
    def transpose(self) -> "Cells":
        """Return the transposed table."""

    def indices(self, rows: Array, columns: Array) -> Array:
        """Return the indices of these cells among the nonzero cells; -1 for zero cells."""
        width = self.shape[1]
        known = self.nonzero.rows.astype(np.int64) * width + self.nonzero.columns
        wanted = rows.astype(np.int64) * width + columns
        if not known.size:
            return np.full(wanted.size, -1)
        order = np.argsort(known)
        found = order[np.minimum(np.searchsorted(known, wanted, sorter=order), known.size - 1)]
        return np.where(known[found] == wanted, found, -1)

    @cached_property
    def total(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.row_sums.sum().item()

    @cached_property
    def unit(self) -> float:
        """The unit of weights in products, see :func:`unit_of_weights`; 1 for counts."""
        return unit_of_weights(self.total) if self.weighted else 1.0

    @cached_property
    def rescaled(self) -> "Cells":
        """The cells in units of ``unit``, for what depends on the ratios of weights only."""
        if self.unit == 1.0:
            return self
        return self.with_counts(self.nonzero.counts / self.unit)

    @cached_property
    def filled(self) -> int:
        """Number of nonzero cells."""
        return int(np.count_nonzero(self.counts))

    @cached_property
    def sum_of_squares(self) -> int | float:
        """Sum of the squared cells: an exact integer for counts, squared units for weights."""
        return exact_sum_of_squares(self.rescaled.counts.ravel(), self.total)

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
        """The dtype of sums of cells."""
        return np.float64 if self.weighted else np.int64


class DenseCells(Cells):
    """Cells as a K × J array."""

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
    """Nonzero cells only, row by row."""

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
        rows = np.repeat(np.arange(self.shape[0], dtype=np.uint32), self._by_row.row_sizes)
        counts = self.counts.astype(self.sum_type, copy=False)
        return Nonzero(rows, self._by_row.columns, counts)

    def without_zeros(self) -> "SparseCells":
        """Return the table without cells whose weights are zero."""
        full = self.counts != 0
        if full.all():
            return self
        sizes = np.bincount(self.nonzero.rows[full], minlength=self.shape[0])
        by_row = ByRow(sizes, self._by_row.columns[full], self.counts[full])
        return SparseCells(by_row, self.shape[1])

    def at(self, rows: Array, columns: Array) -> Array:
        indices = self.indices(rows, columns)
        return np.where(indices >= 0, self.nonzero.counts[indices], 0)

    def with_counts(self, counts: Array) -> "SparseCells":
        return SparseCells(
            ByRow(self._by_row.row_sizes, self._by_row.columns, counts), self.shape[1]
        )

    def dense(self) -> Array:
        table = np.zeros(self.shape, self.sum_type)
        table[self.nonzero.rows, self.nonzero.columns] = self.counts
        return table

    def select(self, rows: Array, columns: Array) -> "SparseCells":
        new_row, new_column = (np.full(size, -1, np.int64) for size in self.shape)
        new_row[rows], new_column[columns] = np.arange(rows.size), np.arange(columns.size)
        in_rows, in_columns = new_row[self.nonzero.rows], new_column[self._by_row.columns]
        kept = np.flatnonzero((in_rows >= 0) & (in_columns >= 0))
        kept = kept[np.lexsort((in_columns[kept], in_rows[kept]))]
        sizes = np.bincount(in_rows[kept], minlength=rows.size)
        by_row = ByRow(sizes, in_columns[kept].astype(np.uint32), self.counts[kept])
        return SparseCells(by_row, columns.size)

    def transpose(self) -> "SparseCells":
        columns = self._by_row.columns
        order = np.argsort(columns, kind="stable")
        sizes = np.bincount(columns, minlength=self.shape[1])
        return SparseCells(
            ByRow(sizes, self.nonzero.rows[order], self.counts[order]), self.shape[0]
        )


def unit_of_weights(total: float) -> float:
    """Return a power of two by which weights are divided, so that their products do not overflow.

    It is 1 unless weights add up to more than 2^53; then they add up to nearly that many units.
    """
    return 1.0 if total <= LARGEST_EXACT else float(np.ldexp(1.0, np.frexp(total)[1] - 53))


def exact_sum_of_squares(counts: Array, total: int | float) -> int | float:
    """Return Σ counts²: for integer counts a Python integer, which cannot overflow."""
    if counts.dtype.kind == "f":
        return float(counts @ counts)
    if total <= LARGEST_SQUARE:
        return int(contingency.sum_of_squares(counts))
    return sum(count * count for count in counts.tolist())


def drop_rounding_errors(counts: Array, total: float, summary: str) -> None:
    """Set rounding errors of a difference of counts to zero, in place; refuse negative counts."""
    if counts.dtype.kind == "f":
        counts[np.abs(counts) <= 1e-12 * total] = 0
    if counts.size and counts.min() < 0:
        raise InputError(
            f"cannot subtract: the second {summary} has objects that the first does not have."
        )


def cells_text_table(
    title: str, cells: Cells, row_names: Array, column_names: Array, n: int | float
) -> TextTable:
    """Return the first rows and columns of a table as text, under a title with its size."""
    height, width = cells.shape
    rows, columns, counts = cells.nonzero
    shown = np.zeros((min(height, _SHOWN), min(width, _SHOWN)), counts.dtype)
    inside = (rows < shown.shape[0]) & (columns < shown.shape[1])
    shown[rows[inside], columns[inside]] = counts[inside]
    more = ["…"] if width > _SHOWN else []
    header = ["", *(str(name) for name in column_names[:_SHOWN]), *more]
    lines = [
        [
            str(name),
            *(f"{count:g}" if counts.dtype.kind == "f" else str(count) for count in row),
            *more,
        ]
        for name, row in zip(row_names[:_SHOWN], shown, strict=True)
    ]
    if height > _SHOWN:
        lines.append(["…"] * len(header))
    sparse = ", sparse" if cells.is_sparse else ""
    title = f"{title}: {format_objects(n)}, {height} x {width} clusters{sparse}"
    return TextTable(header, lines, title)
