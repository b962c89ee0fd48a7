"""Read files into memory: each column as codes and distinct values."""

# ruff: noqa: S608 (the names in queries are ours)

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.columns import Table
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.named_files import InputFile, find_files
from clusterwise.cli.tables.raw_columns import column_reading, factorize, make_column
from clusterwise.cli.tables.sources import LocalFile, Source, make_local, open_source
from clusterwise.inputs.encoding import Array

# Up to so many rows, all values are fetched at once; a query per column takes longer.
_FEW_ROWS = 20_000
# The columns to read of a file, by its title; None for all.
Needed = Callable[[str], frozenset[str] | None]


@contextmanager
def open_tables(
    files: Sequence[InputFile], options: FileOptions, needed: Needed = lambda _: None
) -> Iterator[list[Table]]:
    """Read columns (all by default) of files, or of standard input.

    Within the block, the location of a row can be found in copies too.
    """
    with Engine(" and ".join(file.name for file in files), spill=False) as engine:
        local = make_local(engine, files)
        yield engine.run(
            lambda: [_read(engine, one, options, needed(one.file.title)) for one in local]
        )


def read_file(path: str, options: FileOptions, selected: frozenset[str] | None = None) -> Table:
    """Read columns (all by default) of one file."""
    with open_tables(
        find_files([path], options.input_format), options, lambda _: selected
    ) as tables:
        return tables[0]


def _read(
    engine: Engine, local: LocalFile, options: FileOptions, selected: frozenset[str] | None
) -> Table:
    source = open_source(engine, local, options, selected)
    reading = column_reading(source.file.title, options)
    flat = [i for i, kind in enumerate(source.types) if source.read[i] and kind != "nested"]
    found = dict(zip(flat, _fetch(engine, source, flat), strict=True))
    none = np.zeros(source.rows, np.int64), list[Any]()
    columns = {}
    for i, name in enumerate(source.names):
        if source.read[i]:
            codes, raw = found.get(i, none)
            columns[name] = make_column(name, source.types[i], codes, raw, reading(name))
    return Table(source.path, source.names, columns, source.rows, source.location)


def _fetch(engine: Engine, source: Source, chosen: Sequence[int]) -> list[tuple[Array, list[Any]]]:
    """Return codes and distinct values of columns; -1 where there is none."""
    if not chosen:
        return []
    if source.rows > _FEW_ROWS:
        return [_fetch_column(engine, source, i) for i in chosen]
    columns = ", ".join(f"c{i}" for i in chosen)
    rows = engine.execute(f"SELECT {columns} FROM {source.query} ORDER BY g").fetchall()
    return [factorize(values) for values in zip(*rows, strict=True)]


def _fetch_column(engine: Engine, source: Source, i: int) -> tuple[Array, list[Any]]:
    """Return codes and distinct values, which the engine finds."""
    distinct = engine.fresh("distinct")
    engine.execute(
        f"CREATE TEMP TABLE {distinct} AS SELECT v, row_number() OVER (ORDER BY first) - 1 AS k "
        f"FROM (SELECT c{i} AS v, min(g) AS first FROM {source.query} WHERE c{i} IS NOT NULL "
        "GROUP BY v)"
    )
    values = engine.column(f"SELECT v FROM {distinct} ORDER BY k")
    codes = engine.execute(
        f"SELECT coalesce(k, -1) AS k FROM {source.query} LEFT JOIN {distinct} ON c{i} = v "
        "ORDER BY g"
    ).fetchnumpy()["k"]
    engine.execute(f"DROP TABLE {distinct}")
    return np.asarray(codes, np.int64), values
