"""A FILE as one table of the engine, whatever its format: its columns, and the location of rows.

Text is parsed once, into a table that DuckDB keeps in memory or, if it does not fit, in its
temporary folder. Parquet files stay where they are.
"""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.copies import local_copy
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.json_lines import (
    check_objects,
    field,
    line_of_object,
    list_fields,
    load_objects,
    open_json,
)
from clusterwise.cli.tables.named_files import InputFile, check_same_columns
from clusterwise.cli.tables.parquet_files import Type, scan_parquet
from clusterwise.cli.tables.text_files import TextFile, line_of, load_text, open_text


@dataclass(frozen=True)
class Source:
    """The files of one FILE as one table, and its name in queries.

    The table has the columns c0, c1, … and g, the number of the row in all files. Columns that are
    not ``read`` are NULL. ``starts`` are the numbers of the first rows of the files, and
    ``where(part, row)`` says where in a file a row is.
    """

    file: InputFile
    names: list[str]
    types: list[Type]
    rows: int
    query: str
    read: list[bool]
    starts: list[int]
    where: Callable[[int, int], str]

    @property
    def path(self) -> str:
        return self.file.name

    def location(self, row: int) -> str:
        """Return the location of a row."""
        part = bisect_right(self.starts, row) - 1
        return self.file.location(part, self.where(part, row - self.starts[part]))


@dataclass(frozen=True)
class LocalFile:
    """A FILE whose parts can be read more than once."""

    file: InputFile
    parts: list[Path]


def make_local(engine: Engine, files: Sequence[InputFile]) -> list[LocalFile]:
    """Copy standard input and pipes; call it in the main thread."""
    return [
        LocalFile(file, [local_copy(engine, part, file.name) for part in file.parts])
        for file in files
    ]


def open_source(
    engine: Engine,
    local: LocalFile,
    options: FileOptions,
    selected: frozenset[str] | None = None,
) -> Source:
    """Make a table of a FILE, with these columns or all."""
    if local.file.format == "parquet":
        source = _open_parquet(engine, local, selected)
    elif local.file.format == "jsonl":
        source = _load_json(engine, local, options, selected)
    else:
        source = _load_text(engine, local, options, selected)
    if not source.rows:
        what = "columns" if local.file.format == "parquet" else "a header"
        raise InputError(f"{source.path} has {what} but no rows; it needs one row per object.")
    return source


def _load_text(
    engine: Engine, local: LocalFile, options: FileOptions, selected: frozenset[str] | None
) -> Source:
    file = local.file
    delimiter = options.delimiter
    if delimiter is None and file.format == "tsv":
        delimiter = "\t"
    parts = [
        open_text(engine, part, file.part_name(i), delimiter, options.encoding)
        for i, part in enumerate(local.parts)
    ]
    names = parts[0].header
    for i, part in enumerate(parts[1:], 1):
        check_same_columns(file, [names, part.header], [0, i])
    read = [selected is None or name in selected for name in names]
    table, query = engine.fresh("text"), engine.fresh("t")
    columns = ", ".join(f"c{i} VARCHAR" for i in range(len(names)))
    engine.execute(f"CREATE TEMP TABLE {table} ({columns})")
    counts = [load_text(engine, part, table, _chosen(part, names, read)) for part in parts]
    engine.execute(f"CREATE TEMP VIEW {query} AS SELECT *, rowid AS g FROM {table}")
    return Source(
        file, names, ["text"] * len(names), sum(counts), query, read, _starts(counts),
        lambda part, row: f"line {line_of(parts[part], row)}",
    )  # fmt: skip


def _chosen(part: TextFile, names: Sequence[str], read: Sequence[bool]) -> list[int | None]:
    return [
        part.header.index(name) if is_read else None
        for name, is_read in zip(names, read, strict=True)
    ]


def _load_json(
    engine: Engine, local: LocalFile, options: FileOptions, selected: frozenset[str] | None
) -> Source:
    file = local.file
    parts = [
        open_json(engine, part, file.part_name(i), options.encoding)
        for i, part in enumerate(local.parts)
    ]
    objects, query = engine.fresh("json"), engine.fresh("t")
    engine.execute(f"CREATE TEMP TABLE {objects} (json JSON)")
    counts = [load_objects(engine, part, objects) for part in parts]
    check_objects(engine, parts, objects)
    names = list_fields(engine, objects)
    read = [selected is None or name in selected for name in names]
    columns = [
        f"{field(name) if is_read else 'NULL'} AS c{i}"
        for i, (name, is_read) in enumerate(zip(names, read, strict=True))
    ]
    engine.execute(
        f"CREATE TEMP TABLE fields_of_{query} AS SELECT {', '.join(columns)} FROM {objects}"
    )
    engine.execute(f"DROP TABLE {objects}")
    engine.execute(f"CREATE TEMP VIEW {query} AS SELECT *, rowid AS g FROM fields_of_{query}")
    return Source(
        file, names, ["json"] * len(names), sum(counts), query, read, _starts(counts),
        lambda part, row: f"line {line_of_object(parts[part], row)}",
    )  # fmt: skip


def _open_parquet(engine: Engine, local: LocalFile, selected: frozenset[str] | None) -> Source:
    file, query = local.file, engine.fresh("t")
    names, types, counts, scan = scan_parquet(engine, file, local.parts)
    read = [selected is None or name in selected for name in names]
    starts = _starts(counts)
    row = f"CAST({starts} AS BIGINT[])[CAST(file_index AS BIGINT) + 1] + file_row_number AS g"
    columns = ", ".join([*(f"c{i}" for i in range(len(names))), row])
    engine.execute(f"CREATE TEMP VIEW {query} AS SELECT {columns} FROM {scan}")
    return Source(
        file, names, types, sum(counts), query, read, starts, lambda _, row: f"row {row + 1}"
    )


def _starts(counts: Sequence[int]) -> list[int]:
    return list(accumulate(counts[:-1], initial=0))
