"""Join several large tables by key, in DuckDB."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine, quoted
from clusterwise.cli.duckdb.object_view import ObjectView
from clusterwise.cli.duckdb.parquet_files import LargeFile
from clusterwise.cli.duckdb.parquet_tables import LargeTable, open_table, row_of
from clusterwise.cli.tables.joining import note_common_objects


def open_objects(engine: Engine, files: Sequence[LargeFile], key: str | None) -> ObjectView:
    """Return the objects that are in every FILE, matched by key."""
    tables = [open_table(engine, file) for file in files]
    if key is None:
        if len(tables) > 1:
            paths = " and ".join(table.path for table in tables)
            raise InputError(
                f"DuckDB cannot match the rows of {paths} by position; use --key to match them by "
                "a column that identifies the objects."
            )
        return ObjectView(engine, tables, None, tables[0].query)
    keys = [_key(engine, table, key) for table in tables]
    joined = tables[0].query + "".join(
        f" JOIN {table.query} ON {keys[0]} = {own}"
        for table, own in zip(tables[1:], keys[1:], strict=True)
    )
    if len(tables) == 1:
        return ObjectView(engine, tables, key, joined)
    objects = ObjectView(engine, tables, key, joined, kept=True)
    note_common_objects([(table.path, table.rows) for table in tables], key, objects.rows)
    return objects


def _key(engine: Engine, table: LargeTable, key: str) -> str:
    """Return the key as a string that is equal in all files; check that it is unique."""
    if key not in table.names:
        raise InputError(
            f"{table.path} has no column {key!r} for --key; it has {', '.join(table.names)}."
        )
    position = table.names.index(key)
    kind = table.types[position]
    if kind == "nested":
        raise InputError(f"--key {key} contains lists or objects; name another column.")
    column = f"{table.query}.c{position}"
    missing = f"{column} IS NULL" + (f" OR isnan({column})" if kind == "float" else "")
    (n_missing,) = engine.row(f"SELECT count(*) FROM {table.query} WHERE {missing}")
    if n_missing:
        (where,) = _locations(engine, table, missing, 1)
        raise InputError(
            f"{table.path} has no {key} on {where} ({n_missing} of {table.rows} rows); fill it "
            "in, or remove those rows."
        )
    text = _key_string(column, kind)
    twice = engine.execute(
        f"SELECT {text} AS k FROM {table.query} GROUP BY k HAVING count(*) > 1 ORDER BY k LIMIT 1"
    ).fetchall()
    if twice:
        name = twice[0][0]
        first, second = _locations(engine, table, f"{text} = {quoted(name)}", 2)
        raise InputError(
            f"{table.path} has the {key} {name!r} twice, on {first} and {second}; a key must be "
            "unique."
        )
    return text


def _key_string(column: str, kind: str) -> str:
    """Return an SQL expression for the key as a string: 7, 7.0 and "7" are the same key."""
    if kind == "integer":
        return f"CAST({column} AS VARCHAR)"
    text = f"trim(CAST({column} AS VARCHAR))"
    shorter = f"regexp_replace({text}, '^(-?(0|[1-9][0-9]{{0,17}}))\\.0+$', '\\1')"
    return f"CASE WHEN contains({text}, '.') THEN {shorter} ELSE {text} END"


def _locations(engine: Engine, table: LargeTable, condition: str, count: int) -> list[str]:
    found = engine.execute(
        f"SELECT f, r FROM {table.query} WHERE {condition} ORDER BY f, r LIMIT {count}"
    ).fetchall()
    return [row_of(table, file, row) for file, row in found]
