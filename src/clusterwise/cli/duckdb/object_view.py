"""The objects of one or several large tables, and what their columns look like."""

# ruff: noqa: S608 (the names in queries are ours, and texts are quoted)

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine, quoted
from clusterwise.cli.duckdb.parquet_tables import LargeTable, Type, row_of
from clusterwise.cli.tables.columns import MEASUREMENT, Column, Kind, Table
from clusterwise.cli.tables.feature_columns import CODE, NEVER
from clusterwise.cli.tables.joining import LocatedColumn, locate_columns
from clusterwise.inputs.encoding import Array

# Different values, or kinds of objects, that are fetched at most.
MOST = 1 << 20
_NO_CODES: Array = np.empty(0, np.int64)


class ColumnSummary(NamedTuple):
    """What a column holds: rows with a value, different values, and what these are like.

    ``different`` is exact if there are at most ``MOST`` rows, and else within some percent.
    """

    there: int
    different: int
    fractions: bool = False
    numbers: bool = False
    span: float | None = None


@dataclass(frozen=True, eq=False)
class LargeColumn(Column):
    """A column that stays where it is; ``sql`` is its name among the objects."""

    codes: Array = field(default_factory=lambda: _NO_CODES)
    values: Sequence[Any] = ()
    sql: str = ""
    type: Type = "other"
    table: int = 0
    objects: "ObjectView | None" = None

    @cached_property
    def kind(self) -> Kind:
        """What the column seems to hold, by the rule for columns in memory."""
        if self.nested:
            return "nested"
        found = self.summary
        if not found.there:
            return "empty"
        if found.fractions:
            return "features"
        assert self.objects is not None
        if self.objects.rows > MOST < found.different:
            return "many"
        return "ids" if found.different == self.objects.rows else "labels"

    @property
    def summary(self) -> ColumnSummary:
        """What the column holds; all columns are looked at together."""
        assert self.objects is not None
        return self.objects.column_summaries[self.sql]

    @property
    def present(self) -> str:
        """The value, or NULL where it is missing, which NaN is too."""
        if self.type != "float":
            return self.sql
        return f"CASE WHEN NOT isnan({self.sql}) THEN {self.sql} END"

    @property
    def is_missing(self) -> str:
        """The condition that there is no value."""
        if self.type != "float":
            return f"{self.sql} IS NULL"
        return f"({self.sql} IS NULL OR isnan({self.sql}))"

    def is_label(self, label: int | str) -> str:
        """The condition that the value is this label, by the rule for labels in memory."""
        if self.type in ("whole", "float"):
            return f"{self.sql} = {label}" if isinstance(label, int) else "FALSE"
        if self.type == "flag":
            return f"{self.sql} = {label}" if label in ("True", "False") else "FALSE"
        return f"CAST({self.sql} AS VARCHAR) = {quoted(str(label))}"

    @property
    def number(self) -> str:
        """The value as a number; NULL where it is none."""
        if self.type in ("whole", "float", "decimal"):
            return f"CAST({self.present} AS DOUBLE)"
        if self.type == "text":
            return f"TRY_CAST(replace({self.sql}, ',', '.') AS DOUBLE)"
        return "CAST(NULL AS DOUBLE)"


class ObjectView:
    """All columns of the tables, lined up, as a view of the engine.

    Those of several are ``kept`` as a table, so that they are matched once.

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
        self.placed = locate_columns(self.tables, titles, [None] * len(tables), key)
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
        """Where the first object is for which the condition holds, and a value of it."""
        t = column.table
        file, row, found = self.engine.row(
            f"SELECT f{t}, r{t}, {value or column.sql} FROM {self.view} "
            f"WHERE ({condition}) AND {where} ORDER BY f{t}, r{t} LIMIT 1"
        )
        return row_of(self.large[t], file, row), found

    def refuse_missing(self, one: LocatedColumn, missing: int, otherwise: str) -> None:
        """Refuse a column that lacks values."""
        if not missing:
            return
        place, _ = self.first(large(one), large(one).is_missing)
        raise InputError(
            f"{one.source.path} has no value in column {one.original!r} on {place} ({missing} of "
            f"{self.rows} objects); fill it in, {otherwise}."
        )

    @cached_property
    def column_summaries(self) -> dict[str, ColumnSummary]:
        """What all columns but the key hold, found in one scan."""
        return self.summarize_columns([large(one) for one in self.placed if not one.column.nested])

    def summarize_columns(self, columns: Sequence[LargeColumn]) -> dict[str, ColumnSummary]:
        """What these columns hold."""
        if not columns:
            return {}
        asked = [_aggregates(column, exact=self.rows <= MOST) for column in columns]
        query = ", ".join(question for questions in asked for question in questions.values())
        answers = iter(self.engine.row(f"SELECT {query} FROM {self.view}"))
        found = {}
        for column, questions in zip(columns, asked, strict=True):
            answer = {name: next(answers) for name in questions}
            found[column.sql] = ColumnSummary(
                answer["there"],
                answer["different"],
                bool(answer.get("fractions")) and bool(answer.get("all_numbers", True)),
                column.type in ("whole", "float", "decimal")
                or (bool(answer.get("all_numbers")) and not answer["codes"]),
                answer.get("span"),
            )
        return found


def large(one: LocatedColumn) -> LargeColumn:
    """The column of a place, which is one that stays on disk."""
    assert isinstance(one.column, LargeColumn)
    return one.column


def why_no_feature(column: Column) -> str | None:
    """Why a column is no feature, by the rule for columns in memory."""
    assert isinstance(column, LargeColumn)
    assert column.objects is not None
    if column.kind in NEVER or column.kind == "features":
        return NEVER.get(column.kind)
    found, rows = column.summary, column.objects.rows
    if found.numbers:
        unique = found.different == rows if rows <= MOST else found.different > 0.9 * rows
        successive = found.span == rows - 1 and found.there == rows and unique
        return "it numbers the rows" if rows > 1 and successive else None
    if rows > 1 and found.different == rows:
        return "no value repeats, as in a name"
    return f"more than {MOST} different values" if found.different > MOST else None


def _aggregates(column: LargeColumn, *, exact: bool) -> dict[str, str]:
    """What to ask of a column."""
    value = column.present
    asked = {
        "there": f"count({value})",
        "different": f"count(DISTINCT {value})" if exact else f"approx_count_distinct({value})",
    }
    number = column.number
    whole = f"({number} = trunc({number}) AND NOT isinf({number}))"
    if column.type == "float":
        asked["fractions"] = f"bool_or(NOT {whole})"
    if column.type == "text":
        is_number = f"regexp_full_match({value}, {quoted(MEASUREMENT)})"
        asked["all_numbers"] = f"bool_and({is_number})"
        # The numbers of others are not read: it takes longer than to tell that they are none.
        asked["fractions"] = f"bool_or(CASE WHEN {is_number} THEN {whole} IS NOT TRUE END)"
        asked["codes"] = f"bool_or(regexp_full_match({value}, {quoted(CODE)}))"
    if column.type in ("whole", "float"):
        kind = "HUGEINT" if column.type == "whole" else "DOUBLE"
        asked["span"] = f"max(CAST({value} AS {kind})) - min(CAST({value} AS {kind}))"
    return asked
