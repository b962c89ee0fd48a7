"""Join several files: rows are matched by key or by position."""

from collections import Counter
from collections.abc import Sequence, Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import Column, Table, key_text
from clusterwise.inputs.columns.column_types import names_identifier
from clusterwise.inputs.encoding import Array

_DIFFERENT = "use clusterwise profile --different-objects for clusterings of different objects"


@dataclass(frozen=True, eq=False)
class LocatedColumn:
    """A column under its final name, in the common order of rows, with its source."""

    column: Column
    source: Table
    original: str
    rows: Array | None

    @property
    def name(self) -> str:
        return self.column.name

    def location(self, position: int) -> str:
        """Return the location in its file of the object at this position."""
        row = position if self.rows is None else int(self.rows[position])
        return self.source.location(row)

    def row_name(self, position: int) -> str:
        """Return the row of the object in its file, from 1, without counting the header."""
        return f"row {(position if self.rows is None else int(self.rows[position])) + 1}"


def join(tables: Sequence[Table], titles: Sequence[str], key: str | None) -> list[LocatedColumn]:
    """Return all columns except the key, of the objects that are in every file."""
    rows = _match(tables, key) if key is not None else [None] * len(tables)
    if key is None:
        _require_same_length(tables)
    return locate_columns(tables, titles, rows, key)


def locate_columns(
    tables: Sequence[Table],
    titles: Sequence[str],
    rows: Sequence[Array | None],
    key: str | None,
) -> list[LocatedColumn]:
    """Return these rows of all columns except the key; the file's title prefixes repeated names."""
    repeated = Counter(name for table in tables for name in table.names if name != key)
    located = []
    for table, prefix, kept in zip(tables, titles, rows, strict=True):
        for column in table.columns.values():
            if column.name != key:
                name = column.name if repeated[column.name] == 1 else f"{prefix}.{column.name}"
                aligned = column if kept is None else column.take(kept)
                located.append(LocatedColumn(replace(aligned, name=name), table, column.name, kept))
    if len({one.name for one in located}) < len(located):
        twice = next(n for n, c in Counter(one.name for one in located).items() if c > 1)
        raise InputError(f"two columns would be called {twice!r}; rename one of them.")
    return located


def check_same_order(located: Sequence[LocatedColumn], otherwise: str) -> None:
    """Raise an error if files matched by position list the same ids in another order."""
    first: dict[str, LocatedColumn] = {}
    for one in located:
        if one.column.kind != "ids":
            continue
        before = first.setdefault(one.original, one)
        if before is one:
            continue
        ours, theirs = _keys(one.column), _keys(before.column)
        if ours != theirs:
            row = next(
                i for i, pair in enumerate(zip(ours, theirs, strict=True)) if len({*pair}) > 1
            )
            if set(ours).isdisjoint(theirs):
                raise InputError(
                    f"{before.source.path} and {one.source.path} have no {one.original} in common, "
                    f"so their rows are not the same objects; {_DIFFERENT}, or {otherwise} to "
                    f"compare by position{_parts_hint([before.source, one.source])}."
                )
            raise InputError(
                f"{before.source.path} and {one.source.path} do not list the same objects in the "
                f"same order: {one.original} is {theirs[row]!r} in one and {ours[row]!r} in the "
                f"other ({one.location(row)}); use --key {one.original} to match the rows, or "
                f"{otherwise} to compare by position{_parts_hint([before.source, one.source])}."
            )


def note_position(tables: Sequence[Table]) -> None:
    """Say that rows are matched by position if the names of columns suggest a key."""
    common = set.intersection(*(set(table.names) for table in tables))
    key = next((name for name in tables[0].names if name in common and names_identifier(name)), "")
    if len(tables) > 1 and key:
        say(f"the rows of the files are matched by position; use --key {key} to match them by it.")


def _match(tables: Sequence[Table], key: str) -> list[Array | None]:
    """Return for each file the rows of the common objects, in the order of the first file."""
    rows_of = [_rows_by_key(table, key) for table in tables]
    common = [name for name in rows_of[0] if all(name in rows for rows in rows_of[1:])]
    if len(tables) == 1:
        return [None]
    note_common_objects([(table.path, table.rows) for table in tables], key, len(common))
    return [np.array([rows[name] for name in common], np.int64) for rows in rows_of]


def note_common_objects(rows: Sequence[tuple[str, int]], key: str, common: int) -> None:
    """Print the number of rows that are not matched; raise an error if no row is."""
    if not common:
        paths = " and ".join(path for path, _ in rows)
        raise InputError(
            f"{paths} have no value of {key!r} in common; check that it is the key of both, or "
            f"{_DIFFERENT}."
        )
    left_out = ", ".join(f"{count - common} of {count} in {path}" for path, count in rows)
    say(f"{common} objects matched by {key}; not matched: {left_out}.")


def _rows_by_key(table: Table, key: str) -> dict[str, int]:
    if key not in table.columns:
        raise InputError(
            f"{table.path} has no column {key!r} for --key; it has {', '.join(table.names)}."
        )
    column = table.columns[key]
    if column.missing.size:
        raise InputError(
            f"{table.path} has no {key} on {table.location(int(column.missing[0]))} "
            f"({column.missing.size} of {table.rows} rows); fill it in, or remove those rows."
        )
    rows: dict[str, int] = {}
    for row, name in enumerate(_keys(column)):
        if rows.setdefault(name, row) != row:
            raise InputError(
                f"{table.path} has the {key} {name!r} twice, on {table.location(rows[name])} and "
                f"{table.location(row)}; a key must be unique."
            )
    return rows


def _keys(column: Column) -> list[str]:
    texts = [key_text(value) for value in column.values]
    return [texts[code] for code in column.codes.tolist()]


def _require_same_length(tables: Sequence[Table]) -> None:
    if len({table.rows for table in tables}) > 1:
        counts = ", ".join(f"{table.path} has {table.rows}" for table in tables)
        raise InputError(
            f"the files have different numbers of rows ({counts}); use --key to match them by a "
            f"column that identifies the objects{_parts_hint(tables)}."
        )


def _parts_hint(tables: Sequence[Table]) -> str:
    """Say how to read parts of one table, which the files seem to be if their columns agree."""
    if any(table.names != tables[0].names for table in tables):
        return ""
    return ", or a folder or a quoted pattern to read parts of one table"


def identifying_column(
    located: Sequence[LocatedColumn], key: str | None, taken: AbstractSet[str]
) -> Column | None:
    """Return the key of the matched rows, or the first column that is an identifier, or None.

    ``taken`` are the names of other columns of the output.
    """
    if key is None:
        for one in located:
            if one.column.identifies and one.original not in taken:
                return replace(one.column, name=one.original)
        return None
    one = located[0]
    column = one.source.columns[key]
    return column if one.rows is None else column.take(one.rows)
