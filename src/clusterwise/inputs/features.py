"""Read the features of objects: numeric and categorical columns of arrays, lists and frames.

:func:`read_features` reads all of them. Arrays stay as they are; frames are read column by column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.columns.frame_dates import as_days, is_date
from clusterwise.inputs.encoding import (
    Array,
    Codes,
    encode_array,
    is_missing,
    name_list,
    read_only,
)
from clusterwise.inputs.frames import as_lazy
from clusterwise.inputs.series import encode_series

_NUMBERS = (int, float, np.integer, np.floating)
# What estimators say of a frame with dates, say, which NumPy makes no matrix of.
NOT_NUMBERS = "X has columns that are not numbers; convert them, or leave them out."
Kind = Literal["numeric", "nominal"]


class Categories(NamedTuple):
    """A categorical column: codes of its distinct values, -1 if missing."""

    codes: Array
    values: list[Any]


@dataclass(frozen=True)
class Column:
    """One feature: a one-dimensional NumPy array, or a narwhals series.

    If ``date``, its numbers are days since 1970-01-01.
    """

    name: str
    data: Any
    kind: Kind
    date: bool = False

    def numbers(self) -> Array:
        """Return the values as numbers, missing ones as NaN."""
        if self.kind == "nominal":
            if self.categories().values:
                raise InputError(
                    f"column {self.name!r} of X is categorical, but its bins were fitted to "
                    "numbers; pass numbers, or fit the binning again."
                )
            return np.full(len(self.data), np.nan)
        if isinstance(self.data, np.ndarray):
            return self.data
        return read_only(_plain(self.data.to_numpy()))

    def categories(self) -> Categories:
        """Return the values as categories, missing ones with code -1."""
        return self._nominal if self.kind == "nominal" else self._encode()

    @cached_property
    def _nominal(self) -> Categories:
        """The categories, which take long to encode if they are strings."""
        return self._encode()

    def _encode(self) -> Categories:
        if self.kind == "numeric":
            refuse_infinite(self.name, self.numbers())
        where = f"column {self.name!r} of X"
        missing = self._missing()
        if isinstance(self.data, np.ndarray):
            present = self.data if missing is None else self.data[~missing]
            codes = encode_array(present, where)
        else:
            series = self.data if missing is None else self.data.filter((~missing).tolist())
            found = encode_series(series.to_native(), where)
            assert found is not None
            codes = found
        named = used_categories(codes)
        if missing is None:
            return named
        all_codes = np.full(missing.size, -1)
        all_codes[~missing] = named.codes
        return Categories(all_codes, named.values)

    def _missing(self) -> Array | None:
        """Return a mask of the missing values; None if there are none."""
        if self.kind == "numeric":
            mask = np.isnan(self.numbers())
        elif not isinstance(self.data, np.ndarray):
            mask = self.data.is_null().to_numpy()
        else:
            mask = np.fromiter(map(is_missing, self.data), bool, self.data.size)
        return mask if mask.any() else None


@dataclass(frozen=True)
class Features:
    """The features of n objects.

    ``matrix`` is the array itself if all features are in one numeric array; else None.
    ``labelled`` is true if the names come from a frame, so that columns are selected by name.
    ``dates`` are the names of the columns of ``matrix`` that are days since 1970-01-01.
    """

    n: int
    names: list[str]
    matrix: Array | None = None
    labelled: bool = False
    _columns: Sequence[Column] = field(default=(), repr=False)
    dates: frozenset[str] = frozenset()

    @cached_property
    def columns(self) -> Sequence[Column]:
        """The features as columns."""
        if self.matrix is None:
            return self._columns
        return [
            Column(name, self.matrix[:, r], "numeric", name in self.dates)
            for r, name in enumerate(self.names)
        ]

    def as_matrix(self) -> Array:
        """Return numeric features as one matrix, without a copy if they are one array."""
        if self.matrix is not None:
            return self.matrix
        return read_only(np.column_stack([column.numbers() for column in self.columns]))

    def __len__(self) -> int:
        return self.n

    def take(self, rows: Any) -> "Features":
        """Return the features of some of the objects."""
        if self.matrix is not None:
            some = self.matrix[rows]
            return Features(len(some), self.names, some, self.labelled, dates=self.dates)
        columns = [replace(column, data=column.data[rows]) for column in self.columns]
        return Features(len(columns[0].data), self.names, None, self.labelled, columns)

    def select(self, names: Sequence[str]) -> "Features":
        """Select features in this order: those of frames by name, of arrays by position."""
        if not self.labelled:
            if len(names) != len(self.names):
                raise InputError(
                    f"X has {len(self.names)} columns, but the binning has {len(names)} "
                    "features; pass the columns it was fitted on."
                )
            return self
        if list(names) == self.names:
            return self
        by_name = dict(zip(self.names, self.columns, strict=True))
        for name in names:
            if name not in by_name:
                raise InputError(
                    f"X has no column {name!r}, which the binning was fitted on; add it."
                )
        columns = [by_name[name] for name in names]
        return Features(self.n, list(names), None, True, columns)


def used_categories(codes: Codes) -> Categories:
    """Return codes renumbered 0 … K-1 and their names, without unused ones."""
    codes = codes.exact()
    used = np.zeros(codes.size, bool)
    used[codes.positions()] = True
    rank = np.cumsum(used) - 1
    return Categories(rank[codes.positions()], name_list(codes.names_at(np.flatnonzero(used))))


def read_features(X: Any) -> Features:
    """Read the features of objects: one row per object, one column per feature.

    Raises
    ------
    InputError
        One sentence that says what is wrong, where, and what to do.
    """
    if isinstance(X, Features):
        return X
    if hasattr(X, "tocsr"):
        raise InputError("X is a sparse matrix; pass X.toarray().")
    if not isinstance(X, np.ndarray | list | tuple):
        frame = _read_frame(X)
        if frame is not None:
            return frame
        if not hasattr(X, "__array__"):
            raise InputError(
                f"X is {type_words(X)}, not features; pass a 2D array, a list of rows or a "
                "frame with a row per object."
            )
        X = np.asarray(X)
    if isinstance(X, np.ndarray):
        return _read_array(X)
    return _read_rows(X)


def has_rows(X: Any) -> bool:
    """Return whether X has two dimensions; whether its values can be read is not checked."""
    # Of the type: the columns of a lazy frame take time.
    if isinstance(X, Features) or hasattr(type(X), "columns"):
        return True
    if isinstance(X, list | tuple):
        return bool(X) and hasattr(X[0], "__len__") and not isinstance(X[0], str | bytes)
    return len(getattr(X, "shape", ())) == 2


def read_vectors(X: Any) -> Array:
    """Read the objects as a numeric matrix; missing values are not checked.

    Raises
    ------
    InputError
        If a column is categorical.
    """
    features = read_features(X)
    for column in features.columns:
        if column.kind == "nominal":
            raise InputError(
                f"column {column.name!r} of X is categorical and has no mean; leave it out, or "
                "convert it to numbers."
            )
    return features.as_matrix()


def has_means(X: Any) -> bool:
    """Return whether all features are numeric, and their sums finite, so that means are defined."""
    features = read_features(X)
    if any(column.kind == "nominal" for column in features.columns):
        return False
    parts = (
        [column.numbers() for column in features.columns]
        if features.matrix is None
        else [features.matrix]
    )
    with np.errstate(over="ignore", invalid="ignore"):
        return all(bool(np.isfinite(part.sum(dtype=np.float64))) for part in parts)


def take_rows(X: Any, rows: Any) -> Any:
    """Return some rows of an array, a list, a frame or :class:`Features`."""
    if isinstance(X, np.ndarray):
        return X[rows]
    if isinstance(X, Features):
        return X.take(rows)
    if isinstance(X, list | tuple):
        return X[rows] if isinstance(rows, slice) else [X[i] for i in rows]
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    return frame[rows].to_native()


def refuse_infinite(name: str, values: Array) -> None:
    """Raise an error with the position of the first infinite value, if there is one."""
    infinite = np.isinf(values)
    if infinite.any():
        i = int(np.argmax(infinite))
        raise InputError(
            f"column {name!r} of X is {values[i]} at position {i}; replace it by a number, or by "
            "NaN if it is missing."
        )


def _read_array(X: Array) -> Features:
    if X.ndim != 2:
        hint = "X.reshape(-1, 1) for one feature" if X.ndim == 1 else "a row per object"
        raise InputError(f"X must be 2D: shape is {X.shape}; pass {hint}.")
    n, width = X.shape
    if not width:
        raise InputError("X has no columns; pass at least one feature.")
    names = [f"x{r}" for r in range(width)]
    X = fill_masked(X)
    if X.dtype.kind in "iuf":
        return Features(n, names, read_only(_plain(np.asarray(X))))
    columns = [_array_column(name, X[:, r]) for r, name in enumerate(names)]
    return Features(n, names, None, False, columns)


def is_plain(dtype: np.dtype[Any]) -> bool:
    """Return whether kernels read numbers of this type: native, floats of 32 or 64 bits only."""
    return dtype.isnative and (
        dtype.kind in "iu" or (dtype.kind == "f" and dtype.itemsize in (4, 8))
    )


def _plain(values: Array) -> Array:
    """Return numbers of a type that kernels read."""
    if is_plain(values.dtype):
        return values
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        with np.errstate(over="ignore"):
            return values.astype(np.float32 if values.dtype.itemsize == 2 else np.float64)
    return values.astype(values.dtype.newbyteorder("="))


def fill_masked(X: Any) -> Any:
    """Return a masked array with its masked values missing, and everything else as it is."""
    if isinstance(X, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        X = np.ma.stack(X)
    if not isinstance(X, np.ma.MaskedArray):
        return X
    mask = np.ma.getmaskarray(X)
    if not mask.any():
        return np.asarray(X.data)
    numeric = X.dtype.kind in "iuf"
    values = X.data.astype(np.result_type(X.dtype, np.float32) if numeric else object)
    values[mask] = np.nan if numeric else None
    return np.asarray(values)


def _array_column(name: str, values: Array) -> Column:
    """Read a column of an array that is not numeric; objects may still be numbers."""
    if values.dtype.kind == "O":
        return _list_column(name, values.tolist())
    if values.dtype.kind in "bUS":
        return Column(name, values, "nominal")
    raise unreadable_column_error(name, str(values.dtype))


def _list_column(name: str, values: list[Any]) -> Column:
    """Read a column of Python values: numeric if all values present are numbers."""
    missing = np.fromiter(map(is_missing, values), bool, len(values))
    types = {type(value) for value, lacks in zip(values, missing, strict=True) if not lacks}
    if all(issubclass(one, _NUMBERS) and one is not bool for one in types):
        filled = [np.nan if lacks else value for value, lacks in zip(values, missing, strict=True)]
        numbers = np.asarray(filled)
        if numbers.dtype == object:  # integers beyond 64 bits
            try:
                numbers = numbers.astype(np.float64)
            except OverflowError:
                raise InputError(
                    f"column {name!r} of X has an integer of more than 308 digits; scale it."
                ) from None
        return Column(name, _plain(numbers), "numeric")
    return Column(name, np.fromiter(values, object, len(values)), "nominal")


def _read_rows(rows: Sequence[Any]) -> Features:
    """Read a list of rows; each column is numeric or categorical by its values."""
    if not len(rows):
        raise InputError("X has no objects; pass at least one row.")
    for i, row in enumerate(rows):
        if isinstance(row, str) or not hasattr(row, "__len__"):
            raise InputError("X must be 2D: it is a list of single values; pass a list of rows.")
        if len(row) != len(rows[0]):
            raise InputError(
                f"row {i} of X has {len(row)} values, but row 0 has {len(rows[0])}; pass equal "
                "numbers."
            )
    if all(isinstance(row, np.ndarray) and row.ndim == 1 for row in rows):
        return _read_array(np.asarray(fill_masked(rows)))
    width = len(rows[0])
    if not width:
        raise InputError("X has no columns; pass at least one feature.")
    names = [f"x{r}" for r in range(width)]
    columns = list(map(_list_column, names, map(list, zip(*rows, strict=True))))
    if all(column.kind == "numeric" for column in columns):
        matrix = np.column_stack([column.data for column in columns])
        return Features(len(rows), names, read_only(matrix))
    return Features(len(rows), names, None, False, columns)


def _lazy() -> InputError:
    return InputError("X is a lazy frame, which is not in memory; collect it, or a sample of it.")


def _read_frame(X: Any) -> Features | None:
    """Read the columns of a frame; None if narwhals does not support it."""
    import narwhals as nw

    if hasattr(X, "collect"):
        raise _lazy()
    names = [str(name) for name in getattr(X, "column_names", getattr(X, "columns", ()))]
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"X has two columns called {twice!r}; rename one.")
    if as_lazy(X) is not None:
        raise _lazy()
    frame = nw.from_native(X, allow_series=True, pass_through=True)
    if isinstance(frame, nw.Series):
        raise InputError("X must be 2D: it is a single column; pass a frame with a column of it.")
    if not isinstance(frame, nw.DataFrame):
        return None
    if not names:
        raise InputError("X has no columns; pass at least one feature.")
    columns = list(map(_frame_column, names, frame.iter_columns()))
    return Features(len(frame), names, None, True, columns)


def _frame_column(name: str, series: Any) -> Column:
    import narwhals as nw

    dtype = series.dtype
    if isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128):  # which NumPy does not have
        series = series.cast(nw.Float64)
    if dtype.is_numeric():
        return Column(name, series, "numeric")
    if isinstance(dtype, nw.Boolean | nw.String | nw.Categorical | nw.Enum | nw.Object):
        return Column(name, series, "nominal")
    if is_date(dtype):
        return Column(name, as_days(series), "numeric", date=True)
    if bool(series.is_null().all()):
        return Column(name, np.full(len(series), np.nan), "numeric")
    raise unreadable_column_error(name, str(dtype))


def unreadable_column_error(name: str, dtype: str) -> InputError:
    """Return the error for a column that is neither numeric nor categorical."""
    return InputError(
        f"column {name!r} of X is of type {dtype}, which cannot be read; convert it to numbers or "
        "strings, or leave it out."
    )
