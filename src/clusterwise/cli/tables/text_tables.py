"""Read delimited text (CSV, TSV): header, delimiter, encoding, and the rows in plain Python.

The header is always read here. The rows are read here if pyarrow is not installed, or if a
file is invalid, because this reader knows the line of an error.
"""

import csv
import io
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.columns import LONGEST_VALUE
from clusterwise.inputs.encoding import Array

# The default limit is lower than what pyarrow reads.
csv.field_size_limit(LONGEST_VALUE)

_DELIMITERS = (",", ";", "\t", "|")
# Spreadsheets may put a line such as "sep=;" above the header.
_DECLARED_DELIMITER = re.compile(rb'"?sep=([\x00-\x7f])"?\n')
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

RawColumn = tuple[Array, Sequence[str]]


@dataclass(frozen=True)
class TextFile:
    """A text file in UTF-8 with line feeds, without its header."""

    path: str
    header: list[str]
    rows: bytes
    delimiter: str
    lines_before: int


def prepare(data: bytes, path: str, delimiter: str | None) -> TextFile:
    """Detect the delimiter and read the header."""
    declared = _DECLARED_DELIMITER.match(data)
    if declared:
        delimiter = delimiter or declared[1].decode()
        data = data[declared.end() :]
    if not data.strip():
        raise InputError(f"{path} is empty; it needs a header and one row per object.")
    if delimiter is None:
        delimiter = _sniff(data)
    elif len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\n\r':
        raise InputError(
            f"--delimiter {delimiter!r} is not a single character; use one such as ',' or ';'."
        )
    offset = 0

    def lines() -> Iterator[str]:
        nonlocal offset
        while offset < len(data):
            begin, offset = offset, data.find(b"\n", offset) + 1 or len(data)
            yield data[begin:offset].decode()

    reader = csv.reader(lines(), delimiter=delimiter)
    try:
        record = next(record for record in reader if record)
    except csv.Error as error:
        raise _unreadable(path, 1, error) from error
    header = _column_names(record, path)
    # Blank lines at the end are not rows, not even in a file with one column.
    lines_before = reader.line_num + (1 if declared else 0)
    text = TextFile(path, header, data[offset:].rstrip(b"\n"), delimiter, lines_before)
    _check_open_quote(text)
    return text


def read_rows(text: TextFile, chosen: Sequence[int]) -> list[RawColumn]:
    """Return codes and distinct strings of the chosen columns."""
    code_of: list[dict[str, int]] = [{} for _ in chosen]
    codes = [array("q") for _ in chosen]
    parts = list(zip(chosen, code_of, codes, strict=True))
    for _, record in _records(text):
        for i, known, code in parts:
            code.append(known.setdefault(record[i], len(known)))
    return [
        (np.array(code, np.int64), list(known)) for known, code in zip(code_of, codes, strict=True)
    ]


def line_of(text: TextFile, row: int) -> int:
    """Return the line on which a row begins; rows with quoted line ends take several."""
    for i, (line, _) in enumerate(_records(text)):
        if i == row:
            return line
    raise IndexError(row)


def _records(text: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line on which it begins."""
    width = len(text.header)
    reader = csv.reader(io.StringIO(text.rows.decode(), newline="\n"), delimiter=text.delimiter)
    blank = [""] if width == 1 else None
    line = text.lines_before + 1
    try:
        for fields in reader:
            record = fields or blank
            if record and len(record) != width:
                raise InputError(
                    f"{text.path} has {len(record)} fields on line {line}, but its header names "
                    f"{width}; correct that line (a field that contains the delimiter needs "
                    "quotes)."
                )
            if record:
                yield line, record
            line = text.lines_before + reader.line_num + 1
    except csv.Error as error:
        raise _unreadable(text.path, line, error) from error


def _unreadable(path: str, line: int, error: csv.Error) -> InputError:
    """Return the error for a row that begins on this line."""
    if "field limit" in str(error):
        what = f"a field of more than {LONGEST_VALUE:,} characters"
        return InputError(f"{path} has {what} on line {line}; shorten it, or remove the column.")
    return InputError(f"{path} cannot be read on line {line} ({error}); correct that line.")


def as_utf8(data: bytes, path: str, encoding: str) -> bytes:
    """Return the text in UTF-8, without byte order mark and with line feeds."""
    try:
        if encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
            if not data.isascii():
                data.decode()
        else:
            data = data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        other = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
        raise InputError(
            f"{path} is not {encoding.upper()} on line {line}; save it as UTF-8, or try "
            f"--encoding {other}."
        ) from None
    except (LookupError, ValueError):  # also for encodings of something else than text
        raise InputError(
            f"--encoding {encoding} is unknown, or not an encoding of text; use one such as "
            "latin-1 or utf-16."
        ) from None
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _sniff(data: bytes) -> str:
    """Return the delimiter that occurs most often in the header, outside of quotes."""
    header = data.lstrip(b"\n").partition(b"\n")[0].decode()
    bare = re.sub(r'"[^"]*"', "", header)
    return max(_DELIMITERS, key=bare.count)


def _column_names(record: list[str], path: str) -> list[str]:
    names = [name.strip() or f"column {i}" for i, name in enumerate(record, 1)]
    check_unique_names(names, path)
    return names


def check_unique_names(names: Sequence[str], path: str) -> None:
    """Raise an error if two columns have the same name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{path} has two columns named {name!r}; rename one of them.")
        seen.add(name)


def _check_open_quote(text: TextFile) -> None:
    """Raise an error for a quote that is never closed, which would hide the rest of the file."""
    if text.rows.count(b'"') % 2 == 0:
        return
    lines = io.StringIO(text.rows.decode(), newline="\n")
    reader = csv.reader(lines, delimiter=text.delimiter, strict=True)
    line = 0
    try:
        for _ in reader:
            line = reader.line_num
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise InputError(
                f"{text.path} opens a quote on line {text.lines_before + line + 1} that is never "
                "closed; close it, or double it if it is part of the field."
            ) from None
