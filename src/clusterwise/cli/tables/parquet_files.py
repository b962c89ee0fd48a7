"""Parquet files, which DuckDB leaves on disk: their columns and types."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.engine import Engine, identifier, quoted
from clusterwise.cli.tables.named_files import InputFile, check_same_columns
from clusterwise.cli.tables.text_files import check_unique_names

# "text" and "json" are strings of files without types.
Type = Literal[
    "integer", "float", "decimal", "boolean", "date", "string", "nested", "other", "text", "json",
]  # fmt: skip

# Columns that DuckDB adds.
_OWN = ("file_row_number", "file_index")
_NUMBERS = {"INT32", "INT64", "FLOAT", "DOUBLE"}
_TYPES: dict[str, Type] = {
    "float": "float", "double": "float", "decimal": "decimal", "boolean": "boolean",
    "varchar": "string", "enum": "string", "date": "date", "timestamp": "date",
    "timestamp_s": "date", "timestamp_ms": "date", "timestamp_ns": "date",
    "timestamp with time zone": "date",
    "list": "nested", "array": "nested", "struct": "nested", "map": "nested", "union": "nested",
}  # fmt: skip
_INTEGERS = ("tinyint", "smallint", "integer", "bigint", "hugeint")


def scan_parquet(
    engine: Engine, file: InputFile, parts: Sequence[Path]
) -> tuple[list[str], list[Type], list[int], str]:
    """Return the columns and their types, the rows of each file, and a query for all rows.

    The query has the columns c0, c1, …, file_index and file_row_number; only schemas are read.
    """
    paths = [glob.escape(engine.readable(part)) for part in parts]
    listed = "[" + ", ".join(map(quoted, paths)) + "]"
    try:
        names = _one_schema(engine, file, listed)
    except engine.refusals as error:
        if len(parts) > 1:
            raise
        said = str(error).partition("\n")[0].replace(paths[0], file.name)
        raise InputError(
            f"{file.name} cannot be read as Parquet ({said}); check that it is complete."
        ) from error
    call = (
        f"read_parquet({listed}, union_by_name = {len(parts) > 1}, hive_partitioning = false"
        f"{_with_nan(engine)})"
    )
    found = engine.relation(f"SELECT * FROM {call}")
    if len(parts) > 1:  # their columns may be in another order, so names count
        at = {name: i for i, name in enumerate(found.columns)}
        kinds = [found.types[at[name]] for name in names]
        columns = [f"{identifier(name)} AS c{i}" for i, name in enumerate(names)]
        source = call
    else:
        kinds = found.types
        columns = [f"c{i}" for i in range(len(names))]
        source = f"{call} AS parquet({', '.join(columns)})"
    counts = engine.execute(f"SELECT num_rows FROM parquet_file_metadata({listed})").fetchall()
    scan = f"(SELECT {', '.join(columns)}, file_index, file_row_number FROM {source})"
    return names, [_type(kind) for kind in kinds], [int(n) for (n,) in counts], scan


def _with_nan(engine: Engine) -> str:
    """Return an option for NaN, which the statistics of Parquet files do not count."""
    known = engine.execute(
        "SELECT DISTINCT unnest(parameters) FROM duckdb_functions() "
        "WHERE function_name = 'read_parquet'"
    ).fetchall()
    return ", can_have_nan = true" if ("can_have_nan",) in known else ""


def _type(column_type: Any) -> Type:
    name = str(column_type.id)
    if name.removeprefix("u") in _INTEGERS:
        return "integer"
    return _TYPES.get(name, "other")


def _one_schema(engine: Engine, file: InputFile, listed: str) -> list[str]:
    """Return the names of the columns, which all files must have, with the same types."""
    schemas: list[dict[str, str]] = []
    for part, columns in enumerate(_schemas(engine, listed)):
        names = [name for name, _ in columns]
        check_unique_names(names, file.part_name(part))
        _check_names(file, part, names)
        schemas.append(dict(columns))
    first, *others = schemas
    for part, other in enumerate(others, 1):
        check_same_columns(file, [list(first), list(other)], [0, part])
        for name, kind in first.items():
            if other[name] != kind:
                raise InputError(
                    f"column {name!r} contains {kind} in {file.parts[0]}, but {other[name]} in "
                    f"{file.parts[part]}; write them with the same types."
                )
    return list(first)


def _schemas(engine: Engine, listed: str) -> list[list[tuple[str, str]]]:
    """Return the columns of each file, each with the name of its type."""
    query = (
        "SELECT file_name, name, type, num_children, converted_type, logical_type "
        f"FROM parquet_schema({listed})"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    inside = 0  # nested columns are followed by their parts
    for path, name, *kind in engine.execute(query).fetchall():
        if path not in found:
            found[path] = []
            continue
        if not inside:
            found[path].append((name, _type_name(*kind)))
        inside = max(0, inside - 1) + (kind[1] or 0)
    return list(found.values())


def _type_name(
    physical: str | None, children: int | None, converted: str | None, logical: Any
) -> str:
    if children:
        return "lists or objects"
    if converted in ("UTF8", "ENUM", "JSON"):
        return "strings"
    if converted == "DECIMAL" or (
        physical in _NUMBERS
        and (converted is None or "INT_" in converted)
        and not str(logical).startswith(("Time", "Date"))
    ):
        return "numbers"
    return {"BOOLEAN": "booleans"}.get(physical or "", (converted or physical or "values").lower())


def _check_names(file: InputFile, part: int, names: Sequence[str]) -> None:
    """Raise an error for names that differ in case only, and for names that DuckDB uses."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name and len(file.parts) > 1:
            raise InputError(
                f"{file.parts[part]} has columns {other!r} and {name!r}, which DuckDB cannot "
                "distinguish in several files; rename one of them."
            )
    for own in _OWN:
        if own in seen:
            raise InputError(
                f"{file.part_name(part)} has a column {seen[own]!r}, a name that DuckDB uses; "
                "rename it."
            )
