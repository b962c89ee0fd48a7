"""The features of a frame, with strings as the numbers, dates and categories they mean."""

from dataclasses import replace
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.columns.column_notes import column_note
from clusterwise.inputs.columns.typed_columns import FrameColumn, type_series
from clusterwise.inputs.features import Column, Features, read_features


def read_typed_features(X: Any) -> Features:
    """Read features; strings in a frame are typed, and identifiers and texts left out.

    Columns that are not strings stay what they are. What is not evident is a warning.
    """
    features = read_features(X)
    if not features.labelled or not any(map(_has_strings, features.columns)):
        return features
    kept: list[Column] = []
    for column in features.columns:
        if not _has_strings(column):
            kept.append(column)
            continue
        found = type_series(column.name, column.data)
        note = column_note(found.typed, _python_hint)
        if note:
            warn_user(note)
        if found.typed.type in ("identifier", "text"):
            continue
        kept.append(_typed(column, found))
    if not kept:
        raise InputError(
            "X has no features besides identifiers and text; convert columns to numbers or "
            "categories."
        )
    return Features(features.n, [one.name for one in kept], None, True, kept)


def _python_hint(name: str, declared: str) -> str:
    if declared == "categorical":
        return f"Convert {name!r} to a categorical type"
    return f"Convert {name!r} to numbers"


def _has_strings(column: Column) -> bool:
    import narwhals as nw

    return not isinstance(column.data, np.ndarray) and isinstance(column.data.dtype, nw.String)


def _typed(column: Column, found: FrameColumn) -> Column:
    typed = found.typed
    if typed.numbers is not None and found.codes is not None:
        numbers = np.append(typed.numbers, np.nan)[found.codes]
        return replace(column, data=numbers, kind="numeric")
    if not typed.nulls or found.codes is None or found.values is None:
        return column
    values = np.array([*found.values, None], object)
    values[:-1][typed.absent] = None
    return replace(column, data=values[found.codes])
