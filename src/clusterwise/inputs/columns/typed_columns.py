"""Decide what each column of a frame in memory is taken as."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, get_args

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.columns.column_types import (
    ColumnType,
    TypedColumn,
    decide_type,
    names_identifier,
    numeric_type,
)
from clusterwise.inputs.columns.declared import DeclaredType
from clusterwise.inputs.columns.frame_dates import as_days, is_date
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Categories, Column
from clusterwise.inputs.frames import as_eager, as_lazy, column_names, require_frame
from clusterwise.inputs.series import factorize_strings


class TypedSeries(NamedTuple):
    """What a column is taken as, and its distinct values with the code of each row (-1 missing).

    ``numbers`` are the numbers of a numeric column or of typed dates, one per row.
    """

    typed: TypedColumn
    codes: Array | None = None
    values: list[Any] | None = None
    numbers: Array | None = None


def type_columns(
    frame: Any, types: Mapping[str, DeclaredType], null: Collection[str]
) -> list[TypedSeries]:
    """Decide what each column of a frame is taken as."""
    if as_lazy(frame) is not None:
        raise InputError("frame is lazy, so it is not in memory; collect it, or a sample of it.")
    eager = as_eager(frame)
    if eager is None:
        eager = require_frame(frame)  # raises
    names = column_names(eager)
    for name, declared in types.items():
        if name not in names:
            raise InputError(f"types has {name!r}, but the frame has no such column; remove it.")
        if declared not in get_args(DeclaredType):
            known = ", ".join(map(repr, get_args(DeclaredType)))
            raise InputError(f"types has {declared!r} for {name!r}; use one of {known}.")
    return [type_series(name, eager[name], types.get(name), null) for name in names]


def type_series(
    name: str, series: Any, declared: DeclaredType | None = None, null: Collection[str] = ()
) -> TypedSeries:
    """Decide what a narwhals series is taken as."""
    import narwhals.stable.v2 as nw

    dtype, rows = series.dtype, len(series)
    if bool(series.is_null().all()):
        return TypedSeries(TypedColumn(name, "empty", rows, rows, 0, np.empty(0, bool)))
    if is_date(dtype):
        return _numbers(name, as_days(series), declared or "date")
    if dtype.is_numeric() and declared in (None, "numeric"):
        if isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128):
            series = series.cast(nw.Float64)
        return _numbers(name, series.to_numpy().astype(np.float64), declared)
    if not (
        dtype.is_numeric()
        or isinstance(dtype, nw.Boolean | nw.String | nw.Categorical | nw.Enum | nw.Object)
    ):
        return TypedSeries(TypedColumn(name, "nested", rows, 0, 0, np.empty(0, bool)))
    if isinstance(dtype, nw.String):
        found = _distinct_strings(series)
    else:
        found = Column(name, series, "numeric" if dtype.is_numeric() else "nominal").categories()
    counts = np.bincount(found.codes[found.codes >= 0], minlength=len(found.values))
    category = isinstance(dtype, nw.Categorical | nw.Enum)
    typed = decide_type(
        name, found.values, counts, rows, declared=declared, null=null, typed=category
    )
    return TypedSeries(typed, found.codes, found.values)


def _distinct_strings(series: Any) -> Categories:
    """Return codes and distinct strings, not sorted, which would take longer than all the rest."""
    missing = series.is_null().to_numpy()
    if not missing.any():
        return Categories(*factorize_strings(series.to_native()))
    codes = np.full(missing.size, -1)
    codes[~missing], values = factorize_strings(series.filter((~missing).tolist()).to_native())
    return Categories(codes, values)


def _numbers(name: str, numbers: Array, declared: DeclaredType | None) -> TypedSeries:
    """Return a column of numbers; their distinct values are counted only where they matter."""
    present = numbers[~np.isnan(numbers)]
    rows = numbers.size
    low, high = (present.min(), present.max()) if present.size else (np.nan, np.nan)
    with np.errstate(over="ignore", invalid="ignore"):  # infinity, or numbers of its size
        whole_span = high - low == rows - 1
    kind: ColumnType = "empty"
    distinct = 0
    if present.size:
        kind = "constant" if low == high and rows > 1 else declared or "numeric"
        distinct = 1 if low == high else present.size
    if declared is None and kind == "numeric" and (whole_span or names_identifier(name)):
        unique = np.unique(present)
        distinct = unique.size
        kind = numeric_type(name, unique, present.size, rows)
    typed = TypedColumn(
        name, kind, rows, rows - present.size, distinct, np.empty(0, bool),
        declared=declared is not None,
    )  # fmt: skip
    return TypedSeries(typed, numbers=numbers)
