"""Columns from the distinct values that the engine returns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterwise.cli.declared_types import declared_types
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.columns import (
    Column,
    ColumnReading,
    HowRead,
    text_column,
    typed_column,
)
from clusterwise.cli.tables.json_lines import parse_value
from clusterwise.cli.tables.parquet_files import Type
from clusterwise.inputs.encoding import Array


def column_reading(title: str, options: FileOptions) -> ColumnReading:
    """Return how columns are read; --as names a column, also with the title of its file."""
    types, null = declared_types(options.types), tuple(options.null or ())
    return lambda name: (types.get(name) or types.get(f"{title}.{name}"), null)


def factorize(values: Sequence[Any]) -> tuple[Array, list[Any]]:
    """Return codes and distinct values; -1 where there is none."""
    codes: dict[Any, int] = {}
    found = [-1 if one is None else codes.setdefault(one, len(codes)) for one in values]
    return np.array(found, np.int64), list(codes)


def make_column(
    name: str,
    kind: Type,
    codes: Array,
    raw: Sequence[Any],
    reading: HowRead = (None, ()),
    counts: Array | None = None,
) -> Column:
    """Return a column from codes and the distinct values of the engine.

    ``counts`` are the numbers of rows of each code; by default there is a code for each row.
    """
    if kind == "nested":
        return Column(name, codes, [], nested=True)
    if kind == "text":
        return text_column(name, codes, raw, reading, counts)
    values = [parse_value(text) for text in raw] if kind == "json" else raw
    return typed_column(name, codes, values, reading, counts)
