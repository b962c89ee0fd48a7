"""JSON Lines and Parquet files, whose values have types, and unknown formats."""

import datetime as dt
import json
import sys

import pytest

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.named_files import title
from clusterwise.cli.tables.read_file import read_file


def values_of(column):
    return [None if code < 0 else column.values[code] for code in column.codes.tolist()]


def columns_of(path, wanted=None, **how):
    table = read_file(str(path), FileOptions(**how), wanted)
    return {column.name: values_of(column) for column in table.columns.values()}


@pytest.fixture
def json_lines(tmp_path):
    def write(text):
        path = tmp_path / "labels.jsonl"
        path.write_text(text)
        return path

    return write


def test_json_values_keep_their_type(json_lines):
    path = json_lines('{"a": 1, "b": "1"}\n{"a": 2.0, "b": "x"}\n{"a": true, "b": "NA"}\n')
    columns = columns_of(path)
    assert columns == {"a": [1, 2, True], "b": ["1", "x", "NA"]}
    assert [type(value) for value in columns["a"]] == [int, int, bool]


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_values_that_are_too_long(tmp_path, monkeypatch, ending):
    monkeypatch.setattr("clusterwise.cli.tables.columns.LONGEST_VALUE", 1000)
    path = tmp_path / f"labels.{ending}"
    for length in (1000, 1001):
        values = ["x", "y" * length]
        if ending == "jsonl":
            path.write_text("".join(json.dumps({"a": value}) + "\n" for value in values))
        else:
            pa = pytest.importorskip("pyarrow")
            from pyarrow import parquet

            parquet.write_table(pa.table({"a": values}), path)
        if length == 1000:
            assert columns_of(path) == {"a": values}
        else:
            message = "column 'a' has a value of more than 1,000 characters; shorten it, or remove"
            with pytest.raises(InputError, match=message):
                columns_of(path)


def test_true_and_one_are_two_labels(json_lines):
    table = read_file(str(json_lines('{"a": 1}\n{"a": true}\n{"a": 1}\n')), FileOptions())
    assert table.columns["a"].codes.tolist() == [0, 1, 0]


def test_json_missing_keys_nulls_and_nan_are_missing(json_lines):
    path = json_lines('{"a": 1}\n\n{"b": null}\n{"a": NaN, "b": 3}\n')
    assert columns_of(path) == {"a": [1, None, None], "b": [None, None, 3]}
    assert read_file(str(path), FileOptions()).location(1) == "line 3"


def test_json_lists_and_objects_are_not_labels(json_lines):
    table = read_file(str(json_lines('{"a": [1, 2], "b": 1}\n{"a": 1, "b": 1}\n')), FileOptions())
    assert {name: column.kind for name, column in table.columns.items()} == {
        "a": "nested",
        "b": "labels",
    }


def test_json_only_selected_columns_are_read(json_lines):
    table = read_file(str(json_lines('{"a": 1, "b": 2}\n')), FileOptions(), frozenset({"b"}))
    assert (table.names, list(table.columns)) == (["a", "b"], ["b"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n{"a": \n', "has invalid JSON on line 2"),
        ('{"a": 1}\n\n[1, 2]\n', "has a JSON list on line 3, not an object"),
        ("\n", "is empty"),
    ],
)
def test_broken_json_lines_are_refused_with_their_line(json_lines, text, message):
    with pytest.raises(InputError, match=message):
        columns_of(json_lines(text))


@pytest.fixture
def parquet(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow import parquet

    def write(columns):
        path = tmp_path / "labels.parquet"
        parquet.write_table(pa.table(columns), path)
        return path

    write.pa = pa
    return write


def test_parquet_columns_of_many_types(parquet):
    pa = parquet.pa
    day = dt.date(2024, 1, 1)
    columns = {
        "integers": pa.array([3, 1, None], pa.int16()),
        "whole": [1.0, 2.0, None],
        "nan": [1.0, float("nan"), 2.0],
        "texts": ["x", "y", "x"],
        "categories": pa.array(["u", None, "u"]).dictionary_encode(),
        "flags": [True, False, None],
        "days": [day, day, None],
    }
    assert columns_of(parquet(columns)) == {
        "integers": [3, 1, None],
        "whole": [1, 2, None],
        "nan": [1, None, 2],
        "texts": ["x", "y", "x"],
        "categories": ["u", None, "u"],
        "flags": [True, False, None],
        "days": [day, day, None],
    }


def test_parquet_nested_columns_are_not_labels(parquet):
    table = read_file(str(parquet({"a": [[1, 2], [3]], "b": [1, 1]})), FileOptions())
    assert table.columns["a"].kind == "nested"


def test_parquet_reads_only_selected_columns_and_names_rows(parquet):
    table = read_file(str(parquet({"a": [1], "b": [2]})), FileOptions(), frozenset({"b"}))
    assert (table.names, list(table.columns), table.location(0)) == (["a", "b"], ["b"], "row 1")


def test_a_file_that_is_not_parquet(tmp_path, parquet):
    path = tmp_path / "broken.parquet"
    path.write_text("a,b\n")
    with pytest.raises(InputError, match=r"broken\.parquet cannot be read as Parquet"):
        columns_of(path)


@pytest.mark.parametrize("rows", [3, 30_000])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_no_file_needs_pyarrow(tmp_path, monkeypatch, ending, rows):
    path = tmp_path / f"labels.{ending}"
    a, b = [i % 7 for i in range(rows)], ["x", "y", "z"] * (rows // 3)
    if ending == "csv":
        path.write_text("a,b\n" + "".join(f"{i},{x}\n" for i, x in zip(a, b, strict=True)))
    elif ending == "jsonl":
        lines = (json.dumps({"a": i, "b": x}) for i, x in zip(a, b, strict=True))
        path.write_text("\n".join(lines))
    else:
        pa = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pa.table({"a": a, "b": b}), path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert columns_of(path) == {"a": a, "b": b}


def test_a_name_without_a_known_format(tmp_path):
    path = tmp_path / "labels.xlsx"
    path.write_text('{"a": 1}\n')
    with pytest.raises(InputError, match=r"labels\.xlsx is unknown; use an ending.*--input-format"):
        columns_of(path)
    assert columns_of(path, input_format="jsonl") == {"a": [1]}


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(InputError, match=r"there is no file .*nowhere\.csv"):
        columns_of(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="is a folder"):
        columns_of(tmp_path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [("data/2024.csv", "2024"), ("2024.CSV.gz", "2024"), ("v1.2.tsv", "v1.2"), ("-", "stdin")],
)
def test_titles(path, expected):
    assert title(path) == expected
