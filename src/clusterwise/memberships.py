"""Membership matrices: n objects × K clusters, rows summing to 1."""

import sys
from typing import Any

import numpy as np

from clusterwise.encoding import Array, Codes, as_names, read_only, smallest_unsigned
from clusterwise.errors import InputError


class Memberships:
    """A checked membership matrix and the names of its clusters."""

    __slots__ = ("names", "values")

    def __init__(self, values: Array, names: Array) -> None:
        self.values = values
        self.names = names

    @property
    def is_hard(self) -> bool:
        """Whether every object belongs to one cluster alone."""
        return bool(((self.values == 0) | (self.values == 1)).all())


def as_matrix(labels: Any, where: str) -> Memberships | None:
    """The input as a membership matrix, or None if it is one-dimensional."""
    if len(getattr(labels, "shape", ())) == 1:
        return None
    if hasattr(labels, "collect"):
        raise InputError(f"{where} is a lazy frame; collect it first.")
    columns = getattr(labels, "columns", None)
    if columns is not None and getattr(labels, "ndim", 2) == 2:
        names = getattr(labels, "column_names", columns)
        values = np.asarray(labels)
        return _checked(values, as_names([str(name) for name in names]), where)
    if isinstance(labels, np.ndarray):
        values = labels
    elif isinstance(labels, list | tuple) and labels and np.ndim(labels[0]) == 1:
        if isinstance(labels[0], tuple) and isinstance(labels, list):
            return None  # tuples are labels; rows of a matrix come as lists or arrays
        try:
            values = np.asarray(labels, dtype=np.float64)
        except (ValueError, TypeError):
            return None
    else:
        scipy_sparse = sys.modules.get("scipy.sparse")
        if scipy_sparse is None or not scipy_sparse.issparse(labels):
            return None
        values = labels.toarray()
    if values.ndim != 2:
        return None
    return _checked(values, np.arange(values.shape[1]), where)


def harden(memberships: Memberships, where: str) -> Codes:
    """Codes of a membership matrix in which every object has one cluster."""
    values = memberships.values
    columns = values.argmax(axis=1) if values.size else np.zeros(len(values), np.int64)
    soft = np.flatnonzero(values[np.arange(len(values)), columns] != 1)
    if soft.size:
        raise InputError(
            f"{where} is a soft membership matrix (object {soft[0]} belongs to several clusters), "
            f"but this comparison takes one label per object; pass {where}.argmax(axis=1)."
        )
    codes = columns.astype(smallest_unsigned(values.shape[1]))
    return Codes(read_only(codes), 0, values.shape[1], memberships.names)


def _checked(values: Array, names: Array, where: str) -> Memberships:
    if values.dtype.kind not in "iufb":
        raise InputError(
            f"{where} is a table of {values.dtype} with shape {values.shape}; pass one label "
            "per object, or a membership matrix of numbers."
        )
    values = values.astype(np.float64, copy=False)
    bad = ~np.isfinite(values)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InputError(
            f"{where} is not finite at row {row}, column {column}; memberships are numbers "
            "from 0 to 1."
        )
    if (values < 0).any():
        row, column = np.argwhere(values < 0)[0]
        raise InputError(
            f"{where} is {values[row, column]:g} at row {row}, column {column}; memberships "
            "cannot be negative."
        )
    sums = values.sum(axis=1)
    off = np.abs(sums - 1) > 1e-5
    if off.any():
        row = int(np.argmax(off))
        raise InputError(
            f"row {row} of {where} sums to {sums[row]:g}; rows of a membership matrix sum to 1 "
            "(for labels, pass a 1D array)."
        )
    return Memberships(values, names)
