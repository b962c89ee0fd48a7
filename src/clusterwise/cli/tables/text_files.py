"""Delimited text (CSV, TSV): its delimiter and header, and the query by which DuckDB reads it.

DuckDB reads the rows. What it refuses is read once more in plain Python, which knows the line of
an error; if there is none, as in a file with several kinds of line ends, DuckDB reads a copy.
"""

import csv
import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import LONGEST_VALUE, is_number
from clusterwise.cli.tables.copies import (
    as_utf8,
    compression,
    copy_bytes,
    copy_lines,
    ends_in_long_line,
    open_bytes,
    open_lines,
)
from clusterwise.cli.tables.engine import Engine, quoted

csv.field_size_limit(LONGEST_VALUE)

_PIECE = 1 << 20
_DELIMITERS = (",", ";", "\t", "|")
# A tab is hard to type in a shell.
_SPELLED = {"\\t": "\t", "tab": "\t"}
# Spreadsheets may put a line such as "sep=;" above the header.
_DECLARED_DELIMITER = re.compile('"?sep=([\x00-\x7f])"?\n')
# Longer lines than this are no data; they would have to be in memory as a whole.
_LONGEST_LINE = 2 * LONGEST_VALUE
# Lines that DuckDB reads at once, and its buffers, which count towards the limit of memory.
_LONG_LINE, _BUFFER = 1 << 21, 1 << 24


@dataclass(frozen=True)
class TextFile:
    """A text file: its name in errors, where it is in UTF-8, and what precedes its rows.

    ``skip`` is the number of records before the first row, ``lines_before`` that of lines. DuckDB
    does not say that it cannot read an ``irregular`` file.
    """

    name: str
    path: Path
    header: list[str]
    delimiter: str
    skip: int
    lines_before: int
    irregular: bool


def open_text(
    engine: Engine, path: Path, name: str, delimiter: str | None, encoding: str
) -> TextFile:
    """Detect the delimiter and read the header."""
    path = as_utf8(engine, path, name, encoding)
    before = 0
    with open_lines(path, name) as file:
        lines = iter(lambda: file.readline(_LONGEST_LINE), "")
        for first in lines:
            declared = None if before else _DECLARED_DELIMITER.fullmatch(first)
            if declared:
                delimiter = delimiter or declared[1]
            elif first.strip():
                break
            before += 1
        else:
            raise InputError(f"{name} is empty; it needs a header and one row per object.")
        delimiter = _sniff(first) if delimiter is None else _check(delimiter)
        reader = csv.reader(chain([first], lines), delimiter=delimiter, skipinitialspace=True)
        try:
            record = next(reader)
        except csv.Error as error:
            raise _unreadable(name, before + 1, error) from error
    header = [title.strip() or f"column {i}" for i, title in enumerate(record, 1)]
    check_unique_names(header, name)
    if all(is_number(title) for title in header):
        shown = ", ".join(header)
        say(f"{name} seems to have no header: its first line ({shown}) is used as column names.")
    # DuckDB 2.0 skips too much after line ends in names, and leaves out a last line that is longer
    # than its buffers.
    irregular = any("\n" in title for title in header) or ends_in_long_line(path, name, _BUFFER)
    text = TextFile(name, path, header, delimiter, before + 1, before + reader.line_num, irregular)
    return _without_last_lines(engine, text) if len(header) == 1 else text


def load_text(engine: Engine, text: TextFile, table: str, chosen: Sequence[int | None]) -> int:
    """Add the rows to a table of the engine, and return their number.

    ``chosen`` are the columns of the file for those of the table; None for one that is not read.
    """
    values = ["NULL" if i is None else _value(f"c{i}") for i in chosen]
    query = f"INSERT INTO {table} SELECT {', '.join(values)} FROM "  # noqa: S608
    if not text.irregular:
        with suppress(*engine.refusals):
            return int(engine.row(query + _scan(engine, text))[0])
    path = copy_lines(engine, text.name, lambda file: _rewrite(text, file))
    copy = replace(text, path=path, skip=0)
    return int(engine.row(query + _scan(engine, copy, _LONGEST_LINE))[0])


def line_of(text: TextFile, row: int) -> int:
    """Return the line on which a row begins; rows with quoted line ends take several."""
    for i, (line, _) in enumerate(_records(text)):
        if i == row:
            return line
    raise IndexError(row)


def check_unique_names(names: Sequence[str], path: str) -> None:
    """Raise an error if two columns have the same name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{path} has two columns named {name!r}; rename one of them.")
        seen.add(name)


def _scan(engine: Engine, text: TextFile, longest: int = _LONG_LINE) -> str:
    """Return the function call that reads the rows, all columns as strings."""
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(text.header)))
    return (
        f"read_csv({quoted(glob.escape(engine.readable(text.path)))}, auto_detect = false, "
        f"strict_mode = true, header = false, skip = {text.skip}, columns = {{{columns}}}, "
        f"delim = {quoted(text.delimiter)}, quote = '\"', escape = '\"', "
        f"compression = '{compression(text.path, text.name)}', max_line_size = {longest}, "
        f"buffer_size = {max(_BUFFER, 2 * longest)})"
    )


def _value(column: str) -> str:
    """Return a field without spaces at its ends, NULL if it is empty."""
    long = f"strlen({column}) > {LONGEST_VALUE}"
    return f"CASE WHEN {long} THEN error('a long field') ELSE nullif(trim({column}), '') END"


def _records(text: TextFile, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line on which it begins."""
    width = len(text.header)
    blank = [""] if width == 1 else None
    with open_lines(text.path, text.name) as file:
        for _ in range(text.lines_before):
            file.readline()
        lines = iter(lambda: file.readline(_LONGEST_LINE), "")
        reader = csv.reader(lines, delimiter=text.delimiter, strict=strict, skipinitialspace=True)
        line = text.lines_before + 1
        try:
            for fields in reader:
                record = fields or blank
                if record and len(record) != width and not strict:
                    raise InputError(
                        f"{text.name} has {format_count(len(record), 'field')} on line {line}, but "
                        f"its header names {width}; {_hint(text, record)}."
                    )
                if record:
                    yield line, record
                line = text.lines_before + reader.line_num + 1
        except csv.Error as error:
            raise _unreadable(text.name, line, error) from error


def _hint(text: TextFile, record: Sequence[str]) -> str:
    """Return what to do about a row with more or fewer fields than the header."""
    for delimiter in _DELIMITERS:
        rows = [text.delimiter.join(one) for one in (text.header, record)]
        widths = {len(one) for one in csv.reader(rows, delimiter=delimiter)}
        if delimiter != text.delimiter and len(widths) == 1 and max(widths) > 1:
            spelled = "tab" if delimiter == "\t" else delimiter
            return f"with --delimiter '{spelled}' both have {max(widths)}"
    return "correct that line (a field that contains the delimiter needs quotes)"


def _rewrite(text: TextFile, file: IO[str]) -> None:
    """Write the rows as DuckDB reads them, or raise an error for the first invalid one."""
    _check_open_quote(text)
    writer = csv.writer(file, delimiter=text.delimiter, lineterminator="\n")
    writer.writerows(record for _, record in _records(text))


def _check_open_quote(text: TextFile) -> None:
    """Raise an error for a quote that is never closed, which would hide the rest of the file."""
    last: Iterable[tuple[int, list[str]]] = _records(text, strict=True)
    try:
        for _ in last:
            pass
    except InputError as error:
        if "unexpected end of data" not in str(error):
            return
        line = re.search(r"on line ([0-9]+) ", str(error))
        assert line is not None
        raise InputError(
            f"{text.name} opens a quote on line {line[1]} that is never closed; close it, or "
            "double it if it is part of the field."
        ) from None


def _unreadable(name: str, line: int, error: csv.Error) -> InputError:
    """Return the error for a row that begins on this line."""
    if "field limit" in str(error):
        what = f"a field of more than {LONGEST_VALUE:,} characters"
        return InputError(f"{name} has {what} on line {line}; shorten it, or remove the column.")
    return InputError(f"{name} cannot be read on line {line} ({error}); correct that line.")


def _without_last_lines(engine: Engine, text: TextFile) -> TextFile:
    """Return a file of one column without blank lines at its end, which are no rows."""

    def pieces() -> Iterator[bytes]:
        held = b""
        with open_bytes(text.path, text.name) as file:
            while piece := file.read(_PIECE):
                held += piece
                body = held.rstrip(b"\r\n")
                if body:
                    yield body
                held = held[len(body) :]
        yield b"\n"

    return replace(text, path=copy_bytes(engine, text.name, pieces()))


def _sniff(header: str) -> str:
    """Return the delimiter that occurs most often in the header, outside of quotes."""
    bare = re.sub(r'"[^"]*"', "", header)
    return max(_DELIMITERS, key=bare.count)


def _check(delimiter: str) -> str:
    """Return a delimiter that is a single character."""
    delimiter = _SPELLED.get(delimiter, delimiter)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\n\r':
        raise InputError(
            f"--delimiter {delimiter!r} is not a single character; use one such as ',' or ';'."
        )
    return delimiter
