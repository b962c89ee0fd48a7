"""JSON Lines: a JSON object per line, whose fields are loaded as JSON text."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

import glob
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.columns import LONGEST_VALUE, NESTED
from clusterwise.cli.tables.copies import as_utf8, compression, copy_lines, open_lines
from clusterwise.cli.tables.engine import Engine, quoted

# The longest objects in bytes where memory is scarce: DuckDB reserves twice as much per thread.
_SHORT = 1 << 20


@dataclass(frozen=True)
class JsonFile:
    """A file of JSON Lines in UTF-8, and its name in errors."""

    name: str
    path: Path


def open_json(engine: Engine, path: Path, name: str, encoding: str) -> JsonFile:
    """Return the file in UTF-8."""
    return JsonFile(name, as_utf8(engine, path, name, encoding))


def load_objects(engine: Engine, file: JsonFile, table: str) -> int:
    """Add the JSON objects to a table of one column, and return their number."""
    query = f"INSERT INTO {table} SELECT json FROM "
    try:
        try:
            (count,) = engine.row(query + _scan(engine, file.path, file.name))
        except engine.out_of_memory:  # even the buffers for the longest objects exceed --memory
            (count,) = engine.row(query + _scan(engine, file.path, file.name, _SHORT))
    except engine.refusals:  # an invalid line, or a byte order mark
        copy = copy_lines(engine, file.name, lambda target: _rewrite(file, target))
        (count,) = engine.row(query + _scan(engine, copy, file.name))
    if not count:
        raise InputError(f"{file.name} is empty; it needs a JSON object per line.")
    return int(count)


def check_objects(engine: Engine, files: list[JsonFile], table: str) -> None:
    """Raise an error for lines that are JSON, but not objects."""
    if engine.row(f"SELECT count(*) FROM {table} WHERE json_type(json) <> 'OBJECT'") != (0,):
        for file in files:
            for _ in _objects(file):
                pass


def list_fields(engine: Engine, table: str) -> list[str]:
    """Return the names of all fields, in the order in which they first occur."""
    found = engine.execute(
        f"SELECT json_keys(json) AS names, min(rowid) AS first FROM {table} "
        "GROUP BY names ORDER BY first"
    ).fetchall()
    return list(dict.fromkeys(name for names, _ in found for name in names))


def field(name: str) -> str:
    """Return the SQL expression for a field as JSON text."""
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    return f"CAST(json_extract(json, {quoted(pointer)}) AS VARCHAR)"


def parse_value(text: str) -> Any:
    """Return the value of a field; lists and objects are one marker."""
    value = json.loads(text)
    return NESTED if isinstance(value, list | dict) else value


def line_of_object(file: JsonFile, row: int) -> int:
    """Return the line of a row."""
    for i, (line, _) in enumerate(_objects(file)):
        if i == row:
            return line
    raise IndexError(row)


def _scan(engine: Engine, path: Path, name: str, longest: int = 4 * LONGEST_VALUE) -> str:
    return (
        f"read_json_objects({quoted(glob.escape(engine.readable(path)))}, "
        f"format = 'newline_delimited', compression = '{compression(path, name)}', "
        f"maximum_object_size = {longest})"
    )


def _objects(file: JsonFile) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers; raise an error for invalid ones."""
    with open_lines(file.path, file.name) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                _check_line(line, file.name, number)
                yield number, line


def _rewrite(file: JsonFile, target: IO[str]) -> None:
    target.writelines(line for _, line in _objects(file))


def _check_line(line: str, path: str, number: int) -> None:
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
