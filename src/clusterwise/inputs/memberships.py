"""Membership matrices: n objects × K clusters, rows summing to 1, dense or sparse."""

import sys
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import (
    Array,
    Codes,
    as_names,
    is_sequence_label,
    read_only,
    refuse_lazy,
    refuse_masked,
    smallest_unsigned,
    to_array,
)

# Rows that are checked at once.
_ROWS = 1 << 14


class Memberships:
    """A membership matrix and the names of its clusters.

    ``values`` is an array, or a SciPy CSR array if the matrix is sparse. :meth:`check` or the
    kernel that sums over the rows checks that they sum to 1.
    """

    __slots__ = ("names", "values", "where")

    def __init__(self, values: Any, names: Array, where: str) -> None:
        self.values = values
        self.names = names
        self.where = where

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def is_sparse(self) -> bool:
        """Whether the matrix is sparse."""
        return not isinstance(self.values, np.ndarray)

    @property
    def is_hard(self) -> bool:
        """Whether every object belongs to exactly one cluster."""
        if self.is_sparse:
            data = self.values.data
            return bool(((data == 0) | (data == 1)).all())
        blocks = (self.values[at : at + _ROWS] for at in range(0, len(self), _ROWS))
        return all(((block == 0) | (block == 1)).all() for block in blocks)

    def take(self, objects: Array) -> "Memberships":
        """Return the memberships of some of the objects."""
        return Memberships(self.values[objects], self.names, self.where)

    def rows(self, start: int, stop: int) -> Array:
        """Return some rows as a dense, contiguous array of 32- or 64-bit floats."""
        block = self.values[start:stop]
        block = block.toarray() if self.is_sparse else block
        kind = np.float32 if block.dtype == np.float32 else np.float64
        with np.errstate(over="ignore"):
            return np.ascontiguousarray(block, kind)

    def missing_rows(self) -> Array:
        """Return a mask of the objects with a NaN membership."""
        missing = np.zeros(len(self), bool)
        if self.values.dtype.kind != "f":
            return missing
        if self.is_sparse:
            entries = np.flatnonzero(np.isnan(self.values.data))
            missing[np.searchsorted(self.values.indptr, entries, "right") - 1] = True
            return missing
        for at in range(0, len(self), _ROWS):
            missing[at : at + _ROWS] = np.isnan(self.values[at : at + _ROWS]).any(axis=1)
        return missing

    def check(self) -> "Memberships":
        """Refuse rows that do not sum to 1, and values that are negative or not finite."""
        row = self.first_invalid_row(0, len(self))
        if row is not None:
            raise self.invalid_row_error(row)
        return self

    def first_invalid_row(self, start: int, stop: int) -> int | None:
        """Return the first of some rows that does not sum to 1 or has a negative value."""
        from clusterwise.kernels.overlap import TOLERANCE, first_bad_row

        if self.is_sparse:
            block = self.values[start:stop]
            with np.errstate(over="ignore"):
                wrong = ~(np.abs(block.sum(axis=1) - 1) <= TOLERANCE)
            negative = np.flatnonzero(block.data < 0)
            wrong[np.searchsorted(block.indptr, negative, "right") - 1] = True
            return start + int(np.argmax(wrong)) if wrong.any() else None
        for at in range(start, stop, _ROWS):
            row = first_bad_row(self.rows(at, min(at + _ROWS, stop)))
            if row >= 0:
                return at + int(row)
        return None

    def invalid_row_error(self, row: int) -> InputError:
        """Return the error that says what is wrong with a row."""
        where, values = self.where, self.rows(row, row + 1)[0]
        for column, value in enumerate(values.tolist()):
            if not np.isfinite(value):
                return InputError(
                    f"{where} is not finite at row {row}, column {column}; memberships are numbers "
                    "from 0 to 1."
                )
            if value < 0:
                return InputError(
                    f"{where} is {value:g} at row {row}, column {column}; memberships cannot be "
                    "negative."
                )
        with np.errstate(over="ignore"):  # of numbers near the largest float
            total = values.sum()
        return InputError(
            f"row {row} of {where} sums to {total:g}; rows of a membership matrix sum to 1 "
            "(for labels, pass a 1D array)."
        )


def as_memberships(labels: Any, where: str) -> Memberships | None:
    """Return the input as a membership matrix, or None if it is one-dimensional."""
    if len(getattr(labels, "shape", ())) == 1:
        return None
    refuse_lazy(labels, where)
    columns = getattr(labels, "columns", None)
    if columns is not None and getattr(labels, "ndim", 2) == 2:
        names = getattr(labels, "column_names", columns)
        values = to_array(labels, f"{where} is a frame that NumPy cannot read; pass numbers.")
        return _check_numeric(values, as_names([str(name) for name in names]), where)
    refuse_masked(labels, where)
    if isinstance(labels, np.ndarray):
        values = np.asarray(labels)
    elif isinstance(labels, list | tuple) and labels and is_sequence_label(labels[0]):
        if isinstance(labels[0], tuple) and isinstance(labels, list):
            return None  # tuples are labels; rows of a matrix come as lists or arrays
        try:
            values = np.asarray(labels, dtype=np.float64)
        except (ValueError, TypeError, OverflowError):
            return None
    else:
        values = _compressed_rows(labels)
    if values is None or values.ndim != 2:
        return None
    return _check_numeric(values, np.arange(values.shape[1]), where)


def _compressed_rows(labels: Any) -> Any:
    """Return a SciPy sparse matrix in CSR form, as a copy if it must be changed; else None."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    if scipy_sparse is None or not scipy_sparse.issparse(labels):
        return None
    values = scipy_sparse.csr_array(labels)
    if not values.has_canonical_format:
        values = values.copy()
        values.sum_duplicates()
    return values


def harden(memberships: Memberships) -> Codes:
    """Return the codes of a hard membership matrix; refuse soft ones."""
    memberships.check()
    if not memberships.is_hard:
        raise InputError(
            f"{memberships.where} is a soft membership matrix (object {_first_soft(memberships)} "
            "belongs to several clusters), but this comparison takes one label per object; pass "
            f"{memberships.where}.argmax(axis=1)."
        )
    n, width = memberships.values.shape
    columns = np.empty(n, smallest_unsigned(width))
    if memberships.is_sparse:
        columns[:] = memberships.values.indices[memberships.values.data == 1]
    else:
        for at in range(0, n, _ROWS):
            columns[at : at + _ROWS] = memberships.values[at : at + _ROWS].argmax(axis=1)
    return Codes(read_only(columns), 0, width, memberships.names)


def _first_soft(memberships: Memberships) -> int:
    values = memberships.values
    if memberships.is_sparse:
        soft = (values.data > 0) & (values.data < 1)
        return int(np.searchsorted(values.indptr, np.argmax(soft), "right")) - 1
    return int(np.argmax(((values > 0) & (values < 1)).any(axis=1)))


def _check_numeric(values: Any, names: Array, where: str) -> Memberships:
    if values.dtype.kind not in "iufb":
        raise InputError(
            f"{where} is a table of {values.dtype} with shape {values.shape}; pass one label "
            "per object, or a membership matrix of numbers."
        )
    return Memberships(values, names, where)
