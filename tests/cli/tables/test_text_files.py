"""Irregular CSV files: both readers return the same columns and raise the same errors."""

import gzip
import re
from contextlib import suppress
from encodings.aliases import aliases

import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise._utils.visible import visible
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.arrow_tables import read_rows_fast
from clusterwise.cli.tables.columns import LONGEST_VALUE
from clusterwise.cli.tables.read_file import read_file
from clusterwise.cli.tables.text_tables import prepare, read_rows

pytest.importorskip("pyarrow", reason="one of the two readers is pyarrow's")


@pytest.fixture(params=["arrow", "plain"])
def read(request, tmp_path):
    """Read these bytes as a file; its columns as lists, None where a value is missing."""

    def read_bytes(data, *, name="labels.csv", wanted=None, **how):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        table = read_file(str(path), FileOptions(**how), wanted, route=request.param)
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
    with pytest.raises(InputError, match="has 1 fields on line 4"):
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
        ("a,b\n1,2\n3\n", r"has 1 fields on line 3, but its header names 2"),
        ("a,b\n1,2\n\n3,4,5\n", r"has 3 fields on line 4, but its header names 2"),
        ('a,b\n"x\ny",2\n3,4,5\n', r"has 3 fields on line 4"),
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
    """pyarrow leaves rows of more than a megabyte to the other reader."""
    path, longest = tmp_path / "labels.csv.gz", "x" * LONGEST_VALUE
    path.write_bytes(gzip.compress(text.format(longest).encode()))
    if line is None:
        assert read_file(str(path), FileOptions()).columns["b"].values == [longest]
    else:
        message = f"labels.csv.gz has a field of more than 16,777,216 characters on line {line}; "
        with pytest.raises(InputError, match=message):
            read_file(str(path), FileOptions())


def test_a_file_that_decompresses_to_more_than_the_memory(read, monkeypatch):
    data = b"a,b\n" + b"1,2\n" * 5000
    monkeypatch.setattr("clusterwise.cli.tables.read_file.machine_memory", lambda: len(data))
    assert len(read(gzip.compress(data), name="labels.csv.gz")["a"]) == 5000
    message = (
        "labels.csv.gz decompresses to more than the 1.86e-05 GiB of the machine's memory; con"
    )
    with pytest.raises(InputError, match=f"{message}vert it to Parquet, which is read from disk"):
        read(gzip.compress(data + b"\n"), name="labels.csv.gz")


def test_a_gzip_file_that_was_cut_short(read):
    with pytest.raises(InputError, match="is truncated or damaged"):
        read(gzip.compress(b"a,b\n1,2\n" * 100)[:-12], name="labels.csv.gz")


def test_the_line_of_a_row_counts_quoted_line_ends(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text('\na,b\n"x\ny",1\n\nz,2\n')
    table = read_file(str(path), FileOptions())
    assert [table.location(row) for row in range(table.rows)] == ["line 3", "line 6"]


@given(st.integers(1, 3), st.text('ab1",; \n', max_size=30))
def test_both_readers_agree_on_anything(width, body):
    header = ",".join("abc"[:width]).encode()

    def outcome(reader):
        try:
            text = prepare(header + b"\n" + body.encode(), "labels.csv", ",")
            columns = reader(text, range(width))
        except InputError as error:
            return str(error)
        return [[names[code] for code in codes] for codes, names in columns]

    assert outcome(read_rows) == outcome(read_rows_fast)
