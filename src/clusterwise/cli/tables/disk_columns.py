"""Columns that stay on disk: what they are taken as, and SQL expressions for their values."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from clusterwise.cli.tables.columns import Column, HowRead
from clusterwise.cli.tables.engine import Engine, quoted
from clusterwise.cli.tables.joining import LocatedColumn
from clusterwise.cli.tables.parquet_files import Type
from clusterwise.cli.tables.raw_columns import factorize, make_column
from clusterwise.cli.tables.value_expressions import (
    key_string,
    missing_condition,
    number_of,
    parsed_number,
    string_of,
)
from clusterwise.inputs.columns.column_types import NEARLY_ALL, TypedColumn
from clusterwise.inputs.encoding import Array

# The most distinct values, or distinct rows of labels, that are fetched.
MOST = 1 << 20
# The rows of a sample, which stand for all if there are more distinct values.
_SAMPLE = 100_000
_NO_CODES: Array = np.empty(0, np.int64)


class Objects(Protocol):
    """The objects that have the columns, as a view of the engine."""

    engine: Engine
    view: str
    rows: int

    def approximate_distinct(self, column: str) -> int:
        """Return the approximate number of distinct values of a column."""


@dataclass(frozen=True)
class Lookup:
    """The distinct values of a column: in memory with their counts, and as a table (v, n, i)."""

    table: str
    raw: list[Any]
    counts: Array


@dataclass(frozen=True, eq=False)
class DiskTyping:
    """What a column on disk is taken as; ``sql`` is its name in the view of the objects."""

    name: str
    objects: Objects
    sql: str
    type: Type
    table: int
    reading: HowRead

    @cached_property
    def lookup(self) -> Lookup | None:
        """The distinct values; None if there are too many."""
        objects, engine = self.objects, self.objects.engine
        if objects.approximate_distinct(self.sql) > 2 * MOST:
            return None
        table = engine.fresh("distinct")
        engine.execute(
            f"CREATE TEMP TABLE {table} AS "
            "SELECT v, n, row_number() OVER (ORDER BY first) - 1 AS i "
            f"FROM (SELECT {self.sql} AS v, count(*) AS n, min(g{self.table}) AS first "
            f"FROM {objects.view} GROUP BY v LIMIT {MOST + 1})"
        )
        raw = engine.column(f"SELECT v FROM {table} ORDER BY i")
        if len(raw) > MOST:
            return None
        counts = engine.execute(f"SELECT n FROM {table} ORDER BY i").fetchnumpy()["n"]
        return Lookup(table, raw, np.asarray(counts, np.int64))

    @cached_property
    def distinct(self) -> Column:
        """The distinct values by the rules for files in memory; of a sample if there are many."""
        if self.lookup is not None:
            return self.column_of(self.lookup.raw, self.lookup.counts)
        found = self.objects.engine.execute(
            f"SELECT v, count(*) FROM (SELECT {self.sql} AS v, g{self.table} AS g "
            f"FROM {self.objects.view} USING SAMPLE reservoir({_SAMPLE} ROWS) REPEATABLE (0)) "
            "GROUP BY v ORDER BY min(g)"
        ).fetchall()
        return self.column_of([v for v, _ in found], np.array([n for _, n in found], np.int64))

    def column_of(self, raw: Sequence[Any], counts: Array | None = None) -> Column:
        """Return a column with a row for each of these values, which are distinct."""
        there = [value for value in raw if value is not None]
        absent = np.array([value is None for value in raw], bool)
        codes = np.where(absent, -1, np.cumsum(~absent) - 1)
        return make_column(self.name, self.type, codes, there, self.reading, counts)

    def column_of_rows(self, raw: Sequence[Any]) -> Column:
        """Return a column with these values."""
        return make_column(self.name, self.type, *factorize(raw), self.reading)

    @cached_property
    def typed(self) -> TypedColumn:
        """The decision, by the rules for columns in memory."""
        found = self.distinct.typed
        return found if self.lookup is not None else self._of_all_rows(found)

    def _of_all_rows(self, found: TypedColumn) -> TypedColumn:
        """Return what a sample is taken as, with the numbers of all rows."""
        engine, view, rows = self.objects.engine, self.objects.view, self.objects.rows
        distinct = self.objects.approximate_distinct(self.sql)
        is_number = found.type in ("numeric", "date")
        value = parsed_number(self.sql, self.type, found) if is_number else self.present
        span = f"max({value}) - min({value})" if is_number else "NULL"
        filled, present, there, span_found = engine.row(
            f"SELECT count({self.sql}), count({self.present}), count({value}), {span} FROM {view}"
        )
        typed = replace(
            found, rows=rows, missing=rows - there, distinct=distinct, misfits=present - there,
            nulls=filled - present,
        )  # fmt: skip
        successive = span_found == rows - 1 and there == rows and distinct > NEARLY_ALL * rows
        if found.type == "numeric" and not found.declared and successive:
            return replace(typed, type="identifier")
        return typed

    @property
    def is_missing(self) -> str:
        """The condition that the value is missing."""
        return missing_condition(self.sql, self.type, self.reading)

    @property
    def present(self) -> str:
        """The value, or NULL where it is missing."""
        return f"CASE WHEN NOT {self.is_missing} THEN {self.sql} END"


@dataclass(frozen=True, eq=False)
class DiskColumn(Column):
    """A column that stays on disk."""

    codes: Array = field(default_factory=lambda: _NO_CODES)
    values: Sequence[Any] = ()
    on_disk: DiskTyping | None = None

    @property
    def facts(self) -> DiskTyping:
        """Where the column is, and what it is taken as."""
        assert self.on_disk is not None
        return self.on_disk

    def __len__(self) -> int:
        return self.facts.objects.rows

    @property
    def too_many(self) -> bool:
        return self.facts.lookup is None and len(self) > MOST

    @property
    def n_distinct(self) -> int:
        return self.typed.distinct

    @property
    def sql(self) -> str:
        """The name of the column in the view of the objects."""
        return self.facts.sql

    @property
    def type(self) -> Type:
        """The type of its values on disk."""
        return self.facts.type

    @property
    def is_missing(self) -> str:
        """The condition that the value is missing."""
        return self.facts.is_missing

    @property
    def number(self) -> str:
        """The value as a number, or NULL if it is not a number."""
        return number_of(self.facts.present, self.type)

    def is_label(self, label: int | str) -> str:
        """Return the condition that the value is this label, by the rule for labels in memory."""
        if self.type in ("integer", "float"):
            return f"{self.sql} = {label}" if isinstance(label, int) else "FALSE"
        if self.type == "boolean":
            return f"{self.sql} = {label}" if label in ("True", "False") else "FALSE"
        text = string_of(self.sql, self.type)
        text = key_string(text) if self.type in ("text", "json") else text
        return f"coalesce({text} = {quoted(str(label))}, FALSE)"


def on_disk(one: LocatedColumn) -> DiskColumn:
    """Return a column that stays on disk."""
    assert isinstance(one.column, DiskColumn)
    return one.column
