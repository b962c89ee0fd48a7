"""A frame whose strings are the numbers, dates and categories that they mean."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.columns.column_notes import column_note
from clusterwise.inputs.columns.typed_columns import TypedSeries, type_series
from clusterwise.inputs.features import Features
from clusterwise.inputs.frames import as_eager


def type_frame(X: Any) -> Any:
    """Return a frame with typed strings, without identifiers and texts; other objects as they are.

    Columns that are not strings stay what they are. What is not evident is a warning.
    """
    import narwhals.stable.v2 as nw

    frame = None if isinstance(X, Features) else as_eager(X)
    if frame is None or len(set(map(str, frame.columns))) < len(frame.columns):
        return X  # repeated names are refused where the frame is read
    strings = [name for name, dtype in frame.schema.items() if isinstance(dtype, nw.String)]
    changed: list[Any] = []
    left_out: list[str] = []
    for name in strings:
        found = type_series(str(name), frame.get_column(name))
        if found.typed.type in ("identifier", "text"):
            left_out.append(name)
        elif (values := _typed_values(found)) is not None:
            backend = frame.implementation
            dtype: Any = nw.Float64 if values.dtype == np.float64 else nw.String
            if found.typed.type == "date":
                dtype, values = nw.Datetime("us"), _moments(values)
            changed.append(nw.new_series(name, values.tolist(), dtype, backend=backend))
        note = "" if found.typed.type in ("constant", "empty") else column_note(found.typed, _hint)
        if note:
            warn_user(note)
    if len(left_out) == len(frame.columns):
        raise InputError(
            "X has no features besides identifiers and text; convert columns to numbers or to a "
            "categorical type."
        )
    if not changed and not left_out:
        return X
    return frame.with_columns(*changed).drop(*left_out).to_native()


def _typed_values(found: TypedSeries) -> Any:
    """Return a value per row, None or NaN if it is missing; None if the strings stay."""
    typed = found.typed
    if found.codes is None or found.values is None or typed.type in ("constant", "empty"):
        return None
    if typed.numbers is not None:
        return np.append(typed.numbers, np.nan)[found.codes]
    if not typed.nulls:
        return None
    values = np.array([*found.values, None], object)
    values[:-1][typed.absent] = None
    return values[found.codes]


def _moments(days: Any) -> Any:
    """Return days since 1970-01-01, NaN if missing, as dates with times."""
    missing = np.isnan(days)
    microseconds = np.rint(np.where(missing, 0, days) * 86_400e6).astype(np.int64)
    return np.where(missing, np.datetime64("NaT"), microseconds.astype("datetime64[us]"))


def _hint(name: str, declared: str) -> str:
    wanted = "numbers" if declared == "numeric" else "a categorical type"
    return f"Convert {name!r} to {wanted}"
