"""The objects of one or several files that stay on disk, as a view of the engine."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.columns import Column, Table
from clusterwise.cli.tables.disk_columns import DiskColumn, DiskTyping, on_disk
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.joining import LocatedColumn, locate_columns
from clusterwise.cli.tables.raw_columns import column_reading
from clusterwise.cli.tables.selection import missing_value_error
from clusterwise.cli.tables.sources import Source


class ObjectView:
    """All columns of the joined files, as a view of the engine.

    If ``kept``, the join is stored as a table, so that it is computed once.

    The columns are called c0_0, c0_1, … and of the second file c1_0 and so on; g0 is the row of an
    object in the first file.
    """

    def __init__(
        self,
        engine: Engine,
        sources: Sequence[Source],
        reading: FileOptions,
        joined: str,
        *,
        kept: bool = False,
    ) -> None:
        self.engine = engine
        self.sources = sources
        self.view = f"objects_of_{sources[0].query}"
        self.key: DiskColumn | None = None
        lines = []
        for t, source in enumerate(sources):
            lines += [
                f"{source.query}.c{i} AS c{t}_{i}"
                for i, kind in enumerate(source.types)
                if kind != "nested"
            ]
            lines.append(f"{source.query}.g AS g{t}")
        what = "TABLE" if kept else "VIEW"
        engine.execute(f"CREATE TEMP {what} {self.view} AS SELECT {', '.join(lines)} FROM {joined}")
        self.rows = sources[0].rows
        if kept:
            (self.rows,) = engine.row(f"SELECT count(*) FROM {self.view}")
        self.tables = [self._table(t, source, reading) for t, source in enumerate(sources)]
        titles = [source.file.title for source in sources]
        self.located = locate_columns(self.tables, titles, [None] * len(sources), reading.key)
        if reading.key is not None:
            first = self.tables[0].columns[reading.key]
            assert isinstance(first, DiskColumn)
            self.key = first

    def _table(self, t: int, source: Source, reading: FileOptions) -> Table:
        how = column_reading(source.file.title, reading)
        columns: dict[str, Column] = {}
        for i, (name, kind) in enumerate(zip(source.names, source.types, strict=True)):
            typing = DiskTyping(name, self, f"c{t}_{i}", kind, t, how(name))
            nested = kind == "nested" or self._has_lists(typing.sql, kind)
            columns[name] = DiskColumn(name, nested=nested, typing=typing, on_disk=typing)
        return Table(source.path, source.names, columns, source.rows, source.location)

    def _has_lists(self, column: str, kind: str) -> bool:
        """Return whether a column of JSON has lists or objects."""
        if kind != "json":
            return False
        found = self.engine.row(
            f"SELECT count(*) FROM {self.view} WHERE {column}[1] IN ('[', '{{')"
        )
        return found != (0,)

    def first(
        self, column: DiskColumn, condition: str, where: str = "TRUE", value: str | None = None
    ) -> tuple[str, Any]:
        """Return the location of the first object for which the condition holds, and a value."""
        t = column.facts.table
        row, found = self.engine.row(
            f"SELECT g{t}, {value or column.sql} FROM {self.view} "
            f"WHERE ({condition}) AND {where} ORDER BY g{t} LIMIT 1"
        )
        return self.sources[t].location(row), found

    def check_missing(self, one: LocatedColumn, missing: int, otherwise: str) -> None:
        """Raise an error for a column with missing values."""
        if missing:
            location, _ = self.first(on_disk(one), on_disk(one).is_missing)
            raise missing_value_error(one, location, missing, otherwise)

    def approximate_distinct(self, column: str) -> int:
        """Return the approximate number of distinct values of a column."""
        return self._distinct_counts[column]

    @cached_property
    def _distinct_counts(self) -> dict[str, int]:
        """The numbers of all columns, from one query."""
        columns = [on_disk(one).sql for one in self.located if not one.column.nested]
        if not columns:
            return {}
        counts = ", ".join(f"approx_count_distinct({column})" for column in columns)
        found = self.engine.row(f"SELECT {counts} FROM {self.view}")
        return dict(zip(columns, map(int, found), strict=True))
