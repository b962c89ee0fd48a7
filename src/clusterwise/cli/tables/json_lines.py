"""Read JSON Lines: one object per line; values keep their JSON type."""

import json
from array import array
from collections import defaultdict
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.columns import NESTED, ColumnReading, Table, typed_column


def read_json_lines(
    data: bytes, path: str, selected: frozenset[str] | None, column_options: ColumnReading
) -> Table:
    """Read columns, in the order in which their names first occur."""
    names: dict[str, None] = {}
    codes: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
    values_of: defaultdict[str, dict[Any, int]] = defaultdict(dict)
    lines: array[int] = array("q")
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        row = _parsed(line, path, number)
        names.update(dict.fromkeys(row))
        for name, value in row.items():
            if selected is None or name in selected:
                codes_of = values_of[name]
                codes[name].extend([-1] * (len(lines) - len(codes[name])))
                codes[name].append(codes_of.setdefault(_hashable(value), len(codes_of)))
        lines.append(number)
    if not lines:
        raise InputError(f"{path} is empty; it needs a JSON object per line.")
    columns = {}
    for name, column in codes.items():
        column.extend([-1] * (len(lines) - len(column)))
        values = [value for _, value in values_of[name]]
        codes_of_rows = np.array(column, np.int64)
        columns[name] = typed_column(name, codes_of_rows, values, *column_options(name))
    return Table(path, list(names), columns, len(lines), lambda row: f"line {lines[row]}")


def _hashable(value: Any) -> tuple[type, Any]:
    """Return the value with its type (True == 1 in Python); lists and objects as one marker."""
    return (list, NESTED) if isinstance(value, list | dict) else (type(value), value)


def _parsed(line: bytes, path: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} has invalid JSON on line {number} ({error}); correct that line."
        ) from None
    if not isinstance(value, dict):
        raise InputError(
            f"{path} has a JSON {type(value).__name__} on line {number}, not an object; write "
            'lines such as {"a": 1, "b": 2}.'
        )
    return value
