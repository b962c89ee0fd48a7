"""Parquet files as tables of the engine: the types of columns, and the location of rows."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

import glob
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine, identifier, quoted
from clusterwise.cli.duckdb.parquet_files import LargeFile

Type = Literal["integer", "float", "decimal", "boolean", "date", "string", "nested", "other"]

# Names of the columns with the row number in a file, which is DuckDB's, and with the file.
_ROW, _FILE = "file_row_number", "file of clusterwise"
_NUMBERS = {"INT32", "INT64", "FLOAT", "DOUBLE"}
_TYPES: dict[str, Type] = {
    "float": "float", "double": "float", "decimal": "decimal", "boolean": "boolean",
    "varchar": "string", "enum": "string", "date": "date", "timestamp": "date",
    "timestamp_s": "date", "timestamp_ms": "date", "timestamp_ns": "date",
    "timestamp with time zone": "date",
    "list": "nested", "array": "nested", "struct": "nested", "map": "nested", "union": "nested",
}  # fmt: skip
_INTEGERS = ("tinyint", "smallint", "integer", "bigint", "hugeint")


@dataclass(frozen=True)
class LargeTable:
    """The files of one FILE as one table, and its name in queries."""

    file: LargeFile
    names: list[str]
    types: list[Type]
    rows: int
    query: str

    @property
    def path(self) -> str:
        return self.file.path


def open_table(engine: Engine, file: LargeFile) -> LargeTable:
    """Make a table of the files; only their schemas are read.

    The table has the columns c0, c1, …, the file f and the row r in it.
    """
    names = _one_schema(engine, file)
    query = engine.fresh("t")
    source = (
        f"read_parquet({_listed(file.parts)}, union_by_name = true, hive_partitioning = false, "
        f"filename = {quoted(_FILE)}, {_ROW} = true{_with_nan(engine)})"
    )
    found = engine.relation(f"SELECT * FROM {source}")
    types = dict(zip(found.columns, found.types, strict=True))
    renamed = [f"{identifier(name)} AS c{i}" for i, name in enumerate(names)]
    columns = ", ".join([*renamed, f"{identifier(_FILE)} AS f", f"{_ROW} AS r"])
    engine.execute(f"CREATE OR REPLACE TEMP VIEW {query} AS SELECT {columns} FROM {source}")
    counts = engine.table(
        f"SELECT file_name AS f, num_rows AS n FROM parquet_file_metadata({_listed(file.parts)})"
    )
    rows = dict(zip(counts["f"].to_pylist(), counts["n"].to_pylist(), strict=True))
    total = sum(rows.values())
    if not total:
        raise InputError(f"{file.path} has columns but no rows; it needs one row per object.")
    _keep_starts(engine, query, [(part, rows[part]) for part in file.parts])
    return LargeTable(file, names, [_type(types[name]) for name in names], total, query)


def row_of(table: LargeTable, file: str, row: int) -> str:
    """Return the location of an object."""
    where = f"row {row + 1}"
    return where if len(table.file.parts) == 1 else f"{where} of {file}"


def _keep_starts(engine: Engine, query: str, rows: Sequence[tuple[str, int]]) -> None:
    """Store a table with the number of rows before those of each file."""
    import pyarrow as pa

    starts = []
    before = 0
    for _, count in rows:
        starts.append(before)
        before += count
    parts = pa.table({"f": [part for part, _ in rows], "start": pa.array(starts, pa.int64())})
    engine.keep(f"parts_of_{query}", parts)


def _listed(parts: Sequence[str]) -> str:
    return "[" + ", ".join(quoted(glob.escape(part)) for part in parts) + "]"


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


def _one_schema(engine: Engine, file: LargeFile) -> list[str]:
    """Return the names of the columns, which all files must have, with the same types."""
    schemas: dict[str, dict[str, str]] = {}
    for path, names in _schemas(engine, file).items():
        repeated = [name for name, count in Counter(one for one, _ in names).items() if count > 1]
        if repeated:
            raise InputError(f"{path} has two columns named {repeated[0]!r}; rename one of them.")
        _check_names(path, [name for name, _ in names])
        schemas[path] = dict(names)
    first, *others = file.parts
    for other in others:
        for has, lacks in ((first, other), (other, first)):
            for name in schemas[has]:
                if name not in schemas[lacks]:
                    raise InputError(
                        f"{has} has the column {name!r}, but {lacks} has not; all files of "
                        f"{file.path} must have the same columns."
                    )
        for name, kind in schemas[first].items():
            if schemas[other][name] != kind:
                raise InputError(
                    f"column {name!r} contains {kind} in {first}, but {schemas[other][name]} in "
                    f"{other}; write them with the same types."
                )
    return list(schemas[first])


def _schemas(engine: Engine, file: LargeFile) -> dict[str, list[tuple[str, str]]]:
    """Return the columns of each file, each with the name of its type."""
    query = (
        "SELECT file_name, name, type, num_children, converted_type, logical_type "
        f"FROM parquet_schema({_listed(file.parts)})"
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
    return found


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


def _check_names(path: str, names: Sequence[str]) -> None:
    """Raise an error for names that differ in case only, and for names that DuckDB uses."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise InputError(
                f"{path} has columns {other!r} and {name!r}, which DuckDB cannot distinguish; "
                "rename one of them."
            )
    for own in (_ROW, _FILE):
        if own in seen:
            raise InputError(
                f"{path} has a column {seen[own]!r}, a name that DuckDB uses; rename it."
            )
