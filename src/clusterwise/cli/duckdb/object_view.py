"""The objects of one or several large tables, and summaries of their columns."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine, quoted
from clusterwise.cli.duckdb.parquet_tables import LargeTable, Type, row_of
from clusterwise.cli.tables.columns import (
    MEASUREMENT,
    Column,
    Kind,
    Table,
    integers_are_labels,
)
from clusterwise.cli.tables.feature_columns import CODE, NEVER
from clusterwise.cli.tables.joining import LocatedColumn, locate_columns
from clusterwise.inputs.columns.column_types import (
    FEW,
    NEARLY_ALL,
    names_identifier,
    too_many_categories,
)
from clusterwise.inputs.encoding import Array

# The most distinct values, or distinct rows of labels, that are fetched.
MOST = 1 << 20
_NO_CODES: Array = np.empty(0, np.int64)


class ColumnSummary(NamedTuple):
    """The number of rows with a value and of distinct values, and their types.

    ``distinct`` is exact if there are at most ``MOST`` rows, and approximate otherwise.
    """

    there: int
    distinct: int
    fractions: bool = False
    numbers: bool = False
    span: float | None = None
    low: float | None = None


@dataclass(frozen=True, eq=False)
class LargeColumn(Column):
    """A column that stays on disk; ``sql`` is its name in the view of the objects."""

    codes: Array = field(default_factory=lambda: _NO_CODES)
    values: Sequence[Any] = ()
    sql: str = ""
    type: Type = "other"
    table: int = 0
    objects: "ObjectView | None" = None

    @cached_property
    def kind(self) -> Kind:
        """What the column seems to contain, by the rule for columns in memory."""
        if self.nested:
            return "nested"
        found = self.summary
        if not found.there:
            return "empty"
        if self.type == "date":
            return "dates"
        if found.fractions:
            return "features"
        assert self.objects is not None
        if self.objects.rows > MOST < found.distinct:
            return "many"
        if found.distinct == self.objects.rows:
            return "ids"
        if found.low is not None and found.span is not None:
            bounds = found.low, found.low + found.span
            labels = integers_are_labels(self.name, found.distinct, found.there, *bounds)
            return "labels" if labels else "counts"
        return "many" if too_many_categories(found.distinct, found.there) else "labels"

    @property
    def identifies(self) -> bool:
        """Whether the column identifies the rows: an identifier without repeated values."""
        assert self.objects is not None
        if self.kind != "ids":
            return False
        if self.type == "string":
            return True
        return self.summary.span == self.objects.rows - 1 or names_identifier(self.name)

    @property
    def summary(self) -> ColumnSummary:
        """The summary of the column; all columns are summarized in one query."""
        assert self.objects is not None
        return self.objects.column_summaries[self.sql]

    @property
    def present(self) -> str:
        """The value, or NULL where it is missing or NaN."""
        if self.type != "float":
            return self.sql
        return f"CASE WHEN NOT isnan({self.sql}) THEN {self.sql} END"

    @property
    def is_missing(self) -> str:
        """The condition that the value is missing."""
        if self.type != "float":
            return f"{self.sql} IS NULL"
        return f"({self.sql} IS NULL OR isnan({self.sql}))"

    def is_label(self, label: int | str) -> str:
        """Return the condition that the value is this label, by the rule for labels in memory."""
        if self.type in ("integer", "float"):
            return f"{self.sql} = {label}" if isinstance(label, int) else "FALSE"
        if self.type == "boolean":
            return f"{self.sql} = {label}" if label in ("True", "False") else "FALSE"
        return f"CAST({self.sql} AS VARCHAR) = {quoted(str(label))}"

    @property
    def number(self) -> str:
        """The value as a number, or NULL if it is not a number."""
        if self.type in ("integer", "float", "decimal"):
            return f"CAST({self.present} AS DOUBLE)"
        if self.type == "string":
            return f"TRY_CAST(replace({self.sql}, ',', '.') AS DOUBLE)"
        if self.type == "date":
            return f"epoch(CAST({self.sql} AS TIMESTAMP)) / 86400"
        return "CAST(NULL AS DOUBLE)"


class ObjectView:
    """All columns of the joined tables, as a view of the engine.

    If ``kept``, the join is stored as a table, so that it is computed once.

    The columns are called c0_0, c0_1, … and of the second table c1_0 and so on; f0 and r0 are
    the file and the row of an object in the first table.
    """

    def __init__(
        self,
        engine: Engine,
        tables: Sequence[LargeTable],
        key: str | None,
        joined: str,
        *,
        kept: bool = False,
    ) -> None:
        self.engine = engine
        self.large = tables
        self.view = f"objects_of_{tables[0].query}"
        self.key: LargeColumn | None = None
        lines = []
        for t, table in enumerate(tables):
            lines += [
                f"{table.query}.c{i} AS c{t}_{i}"
                for i, kind in enumerate(table.types)
                if kind != "nested"
            ]
            lines += [f"{table.query}.f AS f{t}", f"{table.query}.r AS r{t}"]
        what = "TABLE" if kept else "VIEW"
        engine.execute(f"CREATE TEMP {what} {self.view} AS SELECT {', '.join(lines)} FROM {joined}")
        self.rows = tables[0].rows
        if kept:
            (self.rows,) = engine.row(f"SELECT count(*) FROM {self.view}")
        self.tables = [self._table(t, table) for t, table in enumerate(tables)]
        titles = [table.file.title for table in tables]
        self.located = locate_columns(self.tables, titles, [None] * len(tables), key)
        if key is not None:
            first = self.tables[0].columns[key]
            assert isinstance(first, LargeColumn)
            self.key = first

    def _table(self, t: int, table: LargeTable) -> Table:
        columns: dict[str, Column] = {
            name: LargeColumn(
                name, nested=kind == "nested", sql=f"c{t}_{i}", type=kind, table=t, objects=self
            )
            for i, (name, kind) in enumerate(zip(table.names, table.types, strict=True))
        }
        return Table(table.path, table.names, columns, table.rows, lambda row: f"row {row + 1}")

    def first(
        self, column: LargeColumn, condition: str, where: str = "TRUE", value: str | None = None
    ) -> tuple[str, Any]:
        """Return the location of the first object for which the condition holds, and a value."""
        t = column.table
        file, row, found = self.engine.row(
            f"SELECT f{t}, r{t}, {value or column.sql} FROM {self.view} "
            f"WHERE ({condition}) AND {where} ORDER BY f{t}, r{t} LIMIT 1"
        )
        return row_of(self.large[t], file, row), found

    def check_missing(self, one: LocatedColumn, missing: int, otherwise: str) -> None:
        """Raise an error for a column with missing values."""
        if not missing:
            return
        location, _ = self.first(large(one), large(one).is_missing)
        raise InputError(
            f"{one.source.path} has no value in column {one.original!r} on {location} "
            f"({missing} of {self.rows} objects); fill it in, {otherwise}."
        )

    @cached_property
    def column_summaries(self) -> dict[str, ColumnSummary]:
        """The summaries of all columns except the key, from one query."""
        return self.summarize_columns([large(one) for one in self.located if not one.column.nested])

    def summarize_columns(self, columns: Sequence[LargeColumn]) -> dict[str, ColumnSummary]:
        """Summarize these columns in one query."""
        if not columns:
            return {}
        aggregates = [_aggregates(column, exact=self.rows <= MOST) for column in columns]
        query = ", ".join(sql for one in aggregates for sql in one.values())
        answers = iter(self.engine.row(f"SELECT {query} FROM {self.view}"))
        found = {}
        for column, names in zip(columns, aggregates, strict=True):
            answer = {name: next(answers) for name in names}
            found[column.sql] = ColumnSummary(
                answer["there"],
                answer["distinct"],
                bool(answer.get("fractions")) and bool(answer.get("all_numbers", True)),
                column.type in ("integer", "float", "decimal", "date")
                or (bool(answer.get("all_numbers")) and not answer["codes"]),
                answer.get("span"),
                answer.get("low"),
            )
        return found


def large(one: LocatedColumn) -> LargeColumn:
    """Return a column that stays on disk."""
    assert isinstance(one.column, LargeColumn)
    return one.column


def why_no_feature(column: Column) -> str | None:
    """Return why a column cannot be a feature, by the rule for columns in memory."""
    assert isinstance(column, LargeColumn)
    assert column.objects is not None
    if column.kind in NEVER or column.kind in ("features", "dates"):
        return NEVER.get(column.kind)
    found, rows = column.summary, column.objects.rows
    different = "every value is different, as in an identifier"
    nearly = found.there >= FEW and found.distinct >= NEARLY_ALL * found.there
    if nearly and found.distinct < found.there:
        different = f"nearly {different}"
    if found.numbers:
        unique = found.distinct == rows if rows <= MOST else found.distinct > NEARLY_ALL * rows
        successive = found.span == rows - 1 and found.there == rows and unique
        named = nearly and found.low is not None and names_identifier(column.name)
        return different if rows > 1 and (successive or named) else None
    if rows > 1 and (found.distinct == rows or nearly):
        return different
    too_many = too_many_categories(found.distinct, found.there)
    return "too many different values for categories, as in text" if too_many else None


def _aggregates(column: LargeColumn, *, exact: bool) -> dict[str, str]:
    """Return the SQL aggregates that summarize a column."""
    value = column.present
    aggregates = {
        "there": f"count({value})",
        "distinct": f"count(DISTINCT {value})" if exact else f"approx_count_distinct({value})",
    }
    number = column.number
    integral = f"({number} = trunc({number}) AND NOT isinf({number}))"
    if column.type == "float":
        aggregates["fractions"] = f"bool_or(NOT {integral})"
    if column.type == "string":
        is_number = f"regexp_full_match({value}, {quoted(MEASUREMENT)})"
        aggregates["all_numbers"] = f"bool_and({is_number})"
        # Other strings are not cast, which would take longer than this test.
        aggregates["fractions"] = f"bool_or(CASE WHEN {is_number} THEN {integral} IS NOT TRUE END)"
        aggregates["codes"] = f"bool_or(regexp_full_match({value}, {quoted(CODE)}))"
    if column.type in ("integer", "float"):
        kind = "HUGEINT" if column.type == "integer" else "DOUBLE"
        aggregates["span"] = f"max(CAST({value} AS {kind})) - min(CAST({value} AS {kind}))"
        aggregates["low"] = f"min(CAST({value} AS {kind}))"
    return aggregates
