"""Irregular CSV files: what is read from them, and the errors with their lines."""

import csv
import gzip
import io
import re
from contextlib import suppress
from encodings.aliases import aliases
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise._utils.visible import visible
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.columns import LONGEST_VALUE
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.read_file import read_file


@pytest.fixture
def read(tmp_path):
    """Read these bytes as a file; its columns as lists, None where a value is missing."""

    def read_bytes(data, *, name="labels.csv", wanted=None, **how):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        table = read_file(str(path), FileOptions(**how), wanted)
        return {column.name: values_of(column) for column in table.columns.values()}

    return read_bytes


def values_of(column):
    return [None if code < 0 else column.values[code] for code in column.codes.tolist()]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found_in_the_header(read, separator):
    rows = ["a,b", "1,x", "2,y", ""]
    assert read("\n".join(rows).replace(",", separator)) == {"a": [1, 2], "b": ["x", "y"]}


def test_separators_inside_quotes_are_not_counted(read):
    assert read('"a;b;c;d",e\n1,2\n') == {"a;b;c;d": [1], "e": [2]}


@pytest.mark.parametrize("spelling", [":", "\\t", "tab"])
def test_delimiter_overrides(read, spelling):
    separator = ":" if spelling == ":" else "\t"
    assert read(f"a,b{separator}c\n1{separator}2\n", delimiter=spelling) == {"a,b": [1], "c": [2]}


def test_a_separator_declared_by_a_spreadsheet(read):
    assert read("sep=;\r\na,x;b\r\n1;2\r\n") == {"a,x": [1], "b": [2]}
    with pytest.raises(InputError, match="has 1 field on line 4"):
        read("sep=;\na;b\n1;2\n3\n")


def test_tsv_is_separated_by_tabs_only(read):
    assert read("a,b,c\td\n1\t2\n", name="labels.tsv") == {"a,b,c": [1], "d": [2]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends(read, line_end):
    assert read(line_end.join(["a,b", "1,x", "2,y"])) == {"a": [1, 2], "b": ["x", "y"]}


def test_byte_order_mark_is_not_part_of_the_first_name(read):
    assert read(b"\xef\xbb\xbfa,b\n1,2\n") == {"a": [1], "b": [2]}


def test_quoted_fields_contain_separators_quotes_and_line_ends(read):
    assert read('a,b\n"x,y","say ""hi"""\n"two\nlines",z\n') == {
        "a": ["x,y", "two\nlines"],
        "b": ['say "hi"', "z"],
    }


def test_spaces_around_names_and_values_are_trimmed(read):
    assert read(" a , b\n1, x\n 2,x \n") == {"a": [1, 2], "b": ["x", "x"]}


def test_columns_without_a_name_are_numbered(read):
    assert read(",a,\n0,x,\n1,y,\n") == {
        "column 1": [0, 1],
        "a": ["x", "y"],
        "column 3": [None, None],
    }


def test_blank_lines_are_not_rows(read):
    assert read("\n\na,b\n\n1,2\n\n3,4\n\n") == {"a": [1, 3], "b": [2, 4]}


def test_in_one_column_a_blank_line_is_a_missing_label(read):
    assert read("a\nx\n\ny\n\n") == {"a": ["x", None, "y"]}


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (["1", "-2", "0"], [1, -2, 0]),
        (["1.0", "2.00", "1"], [1, 2, 1]),
        (["007", "7"], ["007", "7"]),
        (["1", "x"], ["1", "x"]),
        (["1.5", "2"], ["1.5", "2"]),
        (["9" * 30, "1"], ["9" * 30, "1"]),
        (["+1", "1"], ["+1", "1"]),
        (["true", "false"], ["true", "false"]),
        (["é", "日本"], ["é", "日本"]),
    ],
)
def test_integral_numbers_become_integers_and_other_values_stay_strings(read, fields, values):
    assert read("a,b\n" + "".join(f"{field},0\n" for field in fields))["a"] == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        '""',
        "NA",
        "N/A",
        "NaN",
        "nan",
        "null",
        "None",
        "<NA>",
        "none",
        "na",
        "-",
        "unknown",
        "?",
        "k.A.",
        "N.A.",
    ],
)
def test_missing_values(read, text):
    assert read(f"a,b\n{text},0\n3,0\n")["a"] == [None, 3]


@pytest.mark.parametrize("text", ["0", "no", "noise", "-1", "not"])
def test_other_values_are_not_missing(read, text):
    assert str(read(f"a,b\n{text},0\n")["a"][0]) == text


def test_very_long_fields(read):
    assert read(f"a,b\n{'x' * 3_000_000},1\n") == {"a": ["x" * 3_000_000], "b": [1]}


def test_only_selected_columns_are_read(read):
    assert read("a,b,c\n1,2,3\n", wanted=frozenset({"c"})) == {"c": [3]}


def test_gzip(read):
    assert read(gzip.compress(b"a,b\n1,2\n"), name="labels.csv.gz") == {"a": [1], "b": [2]}


def test_other_encodings(read):
    text = "nom,b\né,1\n"
    assert read(text.encode("latin-1"), encoding="latin-1")["nom"] == ["é"]
    for encoding in ("latin-1", "ISO-8859-1", "cp1252"):  # as browsers read what is called so
        assert read("nom\n5 €\n".encode("cp1252"), encoding=encoding)["nom"] == ["5 €"]
    assert read(b"nom\n\x81\n", encoding="latin-1")["nom"] == ["\x81"]
    assert read(text.encode("utf-16"), encoding="utf-16")["nom"] == ["é"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", r"labels\.csv is empty"),
        ("\n \n", r"labels\.csv is empty"),
        ("sep=;\n\n", r"labels\.csv is empty"),
        ("a,b\n", r"labels\.csv has a header but no rows"),
        ("a,b,a\n1,2,3\n", r"labels\.csv has two columns named 'a'"),
        ("a, a \n1,2\n", r"labels\.csv has two columns named 'a'"),
        ("a,b\n1,2\n3\n", r"has 1 field on line 3, but its header names 2"),
        ("a,b\n1,2\n\n3,4,5\n", r"has 3 fields on line 4, but its header names 2"),
        ('a,b\n"x\ny",2\n3,4,5\n', r"has 3 fields on line 4"),
        ("a, b;c, d\n1,5;2\n", r"has 2 fields on .*; with --delimiter ';' both have 2\."),
        ("a,x\tb,y\n1\t2\n", r"with --delimiter 'tab' both have 2\."),
        ('a,b\n1,2\n3,"open\n5,6\n', r"opens a quote on line 3 that is never closed"),
        (b"a,b\n1,2\ncaf\xe9,3\n", r"is not UTF-8 on line 3; .* --encoding latin-1"),
        ("a,b\n1,2\n".encode("utf-16"), r"is not UTF-8 on line 1; .* --encoding utf-16"),
    ],
)
def test_broken_files_are_refused_with_their_line(read, data, message):
    with pytest.raises(InputError, match=message):
        read(data)


@pytest.mark.parametrize("delimiter", ["::", '"', "\n", "§"])
def test_a_delimiter_is_one_plain_character(read, delimiter):
    with pytest.raises(InputError, match=r"--delimiter .* is not a single character"):
        read("a,b\n1,2\n", delimiter=delimiter)


@pytest.mark.parametrize(
    "encoding", ["klingon", "base64", "undefined", "", "a\0b", "\udcff", "x" * 5000]
)
def test_unknown_encoding(read, encoding):
    shown = re.escape(visible(encoding))
    with pytest.raises(InputError, match=f"^--encoding {shown} is unknown, or not an encoding of"):
        read("a,b\n1,2\n", encoding=encoding)


def test_text_that_has_no_characters(read):
    """UTF-7 may spell half a character, which UTF-8 cannot."""
    with pytest.raises(InputError, match="--encoding utf-7 is unknown, or not an encoding of text"):
        read(b"a,b\n+2AA-,2\n", encoding="utf-7")


@pytest.mark.parametrize("encoding", sorted({*aliases.values(), "idna", "punycode"}))
def test_every_encoding_is_read_or_refused(tmp_path, encoding):
    path = tmp_path / "labels.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with suppress(InputError):
        assert read_file(str(path), FileOptions(encoding=encoding)).rows >= 1


@pytest.mark.parametrize("delimiter", ["", ",,", "\n", '"', "é"])
@pytest.mark.parametrize("name", ["labels.csv", "labels.tsv"])
def test_delimiters_that_are_none(read, name, delimiter):
    message = f"--delimiter {delimiter!r} is not a single character; use one such as ',' or ';'."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read("a,b\n1,2\n", name=name, delimiter=delimiter)


@pytest.mark.parametrize(
    ("text", "line"), [("a,b\n1,2\n1,{}x\n", 3), ("a,{}x\n1,2\n", 1), ("a,b\n1,{}\n", None)]
)
def test_fields_of_any_length_up_to_the_limit(tmp_path, text, line):
    """And what is longer is refused with its line."""
    path, longest = tmp_path / "labels.csv.gz", "x" * LONGEST_VALUE
    path.write_bytes(gzip.compress(text.format(longest).encode()))
    if line is None:
        assert read_file(str(path), FileOptions()).columns["b"].values == [longest]
    else:
        message = f"labels.csv.gz has a field of more than 16,777,216 characters on line {line}; "
        with pytest.raises(InputError, match=message):
            read_file(str(path), FileOptions())


def test_a_file_that_decompresses_to_more_than_the_memory(read, monkeypatch):
    """There is no spilling to disk, because all has to be in memory in the end."""
    small = partial(Engine, memory="20MB")
    monkeypatch.setattr("clusterwise.cli.tables.read_file.Engine", small)
    data = b"a,b\n" + b"".join(b"%d,x\n" % i for i in range(4_000_000))
    message = "labels.csv.gz does not fit into the machine's memory; compare, combine and profile"
    with pytest.raises(InputError, match=f"{message} can leave it on disk with --memory"):
        read(gzip.compress(data, 1), name="labels.csv.gz")


@pytest.mark.parametrize("last", ["\n", "", "\n\n"])
@pytest.mark.parametrize("before", ["", "1,2\n" * 5])
@pytest.mark.parametrize("name", ["labels.csv.gz", "labels.csv"])
def test_a_last_line_that_is_longer_than_the_buffers(read, name, before, last):
    """DuckDB 2.0 leaves it out without a word."""
    for length in (2**24 - 20, 2**24 + 20):
        data = f"a,b\n{before}{'y' * 3000},{'x' * length}{last}".encode()
        packed = gzip.compress(data, 1) if name.endswith(".gz") else data
        if length < 2**24:
            assert len(read(packed, name=name)["b"][-1]) == length
        else:
            line = 2 + before.count("\n")
            with pytest.raises(InputError, match=f"16,777,216 characters on line {line}; "):
                read(packed, name=name)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("inside", ["\n", "\r", "\r\n"])
def test_line_ends_in_names(read, inside, end):
    text = end.join([f'a,"b{inside}c"', "1,x", "2,y", ""])
    assert read(text) == {"a": [1, 2], "b\nc": ["x", "y"]}


def test_a_gzip_file_that_was_cut_short(read):
    with pytest.raises(InputError, match="is truncated or damaged"):
        read(gzip.compress(b"a,b\n1,2\n" * 100)[:-12], name="labels.csv.gz")


def test_the_line_of_a_row_counts_quoted_line_ends(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text('\na,b\n"x\ny",1\n\nz,2\n')
    table = read_file(str(path), FileOptions())
    assert [table.location(row) for row in range(table.rows)] == ["line 3", "line 6"]


@given(st.integers(1, 3), st.text('ab1",;\n', max_size=30))
def test_rows_are_those_of_the_csv_module(width, body):
    """All rows that have as many fields as the header are read, whatever their quotes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        path.write_text(",".join("abc"[:width]) + "\n" + body)
        found = None
        with suppress(InputError):
            found = read_file(str(path), FileOptions(delimiter=",")).columns.values()
    closed = '"' not in body or is_closed(body)
    rows = [
        record or ([""] if width == 1 else None)
        for record in csv.reader(io.StringIO(body.rstrip("\n")), skipinitialspace=True)
    ]
    rows = [row for row in rows if row]
    if closed and rows and {*map(len, rows)} == {width}:
        assert found is not None
        expected = [[text.strip() for text in column] for column in zip(*rows, strict=True)]
        assert [["" if v is None else str(v) for v in values_of(one)] for one in found] == expected


def is_closed(body):
    """Whether every quote is closed, if there is no other error."""
    try:
        list(csv.reader(io.StringIO(body), strict=True, skipinitialspace=True))
    except csv.Error as error:
        return "unexpected end" not in str(error)
    return True
