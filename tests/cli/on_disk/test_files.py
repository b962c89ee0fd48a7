"""The files that DuckDB reads, and errors for others."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from clusterwise._utils.errors import InputError
from clusterwise.cli.tables.engine import Engine, check_memory

TWO = ["-c", "kmeans", "-c", "em"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none/*.parquet"], "no file matches none/*.parquet; check the pattern and the folder."),
        (["empty"], "empty is a folder without data files; name a file in it."),
        (
            ["texts/*"],
            "texts/* stands for files of different formats, such as texts/a.csv and texts/b.tsv; "
            "use a longer pattern.",
        ),
        (["more/*"], "the format of more/a.xlsx is unknown; use an ending of .csv"),
        (
            ["runs", "texts/a.csv"],
            "DuckDB cannot match the rows of runs and texts/a.csv by position",
        ),
        (["runs", "-"], "DuckDB cannot match the rows of runs and standard input by position"),
        (["runs", "--input-format", "csv"], "runs/part-0.parquet is not UTF-8 on line 1; "),
        (["runs", "runs"], "runs is named 2 times; name each file once."),
        (["nowhere.parquet", "--memory", "1GB"], "there is no file nowhere.parquet"),
        (
            ["runs", "--memory", "lots"],
            "--memory lots is not an amount of memory; use a",
        ),
        (["runs", "--memory", "0GB"], "--memory 0GB is not an amount of memory"),
        (
            ["runs", "whole.parquet"],
            "DuckDB cannot match the rows of runs and whole.parquet by position",
        ),
        (
            ["runs", "--data", "whole.parquet"],
            "use --key to match them by a column that identifies",
        ),
    ],
)
def test_refusals(fails, files, arguments, words):
    files()
    for name in ("texts", "empty", "more"):
        Path(name).mkdir()
    for name in ("texts/a.csv", "texts/b.tsv", "more/a.xlsx"):
        Path(name).write_text("a,b\n1,2\n")
    assert words in fails("compare", *arguments, *TWO, stdin=b"a,b\n1,2\n")
    assert list(Path().glob("clusterwise-*")) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "runs has no value in column 'whole' on row 22 of runs/part-0.parquet (48 of 400"),
        (["-c", "em", "-c", "gone"], "runs has no value in column 'gone' on row "),
        (["-c", "em", "-c", "nested"], "--column nested contains lists or objects; name another"),
        (["-c", "em", "-c", "emm"], "there is no column 'emm' for --column; did you mean em?"),
        ([*TWO, "--weight", "y"], "runs has no value in column 'y' on row "),
        ([*TWO, "--weight", "x"], "has the weight -"),
        ([*TWO, "--weight", "colour"], "has the weight '"),
        ([*TWO, "--soft", "q_*"], "no column matches --soft 'q_*'"),
        ([*TWO, "--soft", "[xy]*"], "no column matches --soft '[xy]*'"),
        (["-c", "em", "--soft", "?", "--missing", "drop"], "memberships are numbers from 0 to 1"),
        (["-c", "em", "--soft", "?_?"], "that sum to 2 (400 of 400 objects), not 1;"),
        (["-c", "em", "-c", "empty", "--missing", "drop"], "--missing drop would drop all; choose"),
        (
            [*TWO, "--noise", "singletons", "--soft", "p_*"],
            "--noise singletons cannot be combined with --soft",
        ),
        (
            [*TWO, "--data", "runs", "--features", "x", "--noise", "singletons"],
            "--noise singletons cannot be combined with --data",
        ),
        (
            [*TWO, "--weight", "price", "--noise", "singletons"],
            "runs has the weight '4.88' in column 'price' on row 9 of runs/part-0.parquet, which "
            "is noise, but --noise singletons makes w clusters",
        ),
        ([*TWO, "--data", "runs", "--binning", "mdl"], "--binning mdl needs all values"),
        ([*TWO, "-m", "adco_score"], "adco_score needs features; name their file with --data."),
        ([*TWO, "-m", "nonsense"], "nonsense"),
    ],
)
def test_values_are_refused_with_their_place(fails, files, options, words):
    files()
    assert words in fails("compare", "runs", *options)


def test_infinite_features_are_refused_with_their_place(fails, files, rows):
    values = np.asarray(rows["x"].to_numpy()).copy()
    values[95] = np.inf
    files(rows.set_column(6, "x", pa.array(values)))
    line = fails("compare", "runs", *TWO, "--data", "runs", "--features", "x")
    assert "runs has inf in column 'x' on row 5 of runs/part-2.parquet, which cannot be" in line


def test_files_with_other_columns(fails, files, rows):
    files()
    parquet.write_table(rows.select(["kmeans"]).slice(0, 9), "runs/part-9.parquet")
    line = fails("compare", "runs/*.parquet", *TWO)
    assert "part-0.parquet has the column 'id', but runs/part-9.parquet has not" in line


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            ["a", "b"],
            "'kmeans' contains numbers in runs/part-0.parquet, but strings in runs/part-9",
        ),
        ([True, False], "but booleans in runs/part-9.parquet; write them with the same types."),
        ([[1], [2]], "but lists or objects in runs/part-9.parquet"),
    ],
)
def test_files_with_other_types(fails, files, rows, values, words):
    files(rows.select(["kmeans", "em"]))
    other = pa.table({"kmeans": values, "em": ["x", "y"]})
    parquet.write_table(other, "runs/part-9.parquet")
    assert words in fails("compare", "runs", *TWO)


def test_numbers_of_other_widths_and_orders_are_the_same(run, files, rows):
    """Integers with missing values are often written as floats, and columns in any order."""
    table = rows.select(["kmeans", "em"])
    files(table)
    part = parquet.read_table("runs/part-2.parquet")
    wide = part.set_column(0, "kmeans", part["kmeans"].cast(pa.float64()))
    parquet.write_table(wide.select(["em", "kmeans"]), "runs/part-2.parquet")
    options = [*TWO, "-f", "json"]
    assert run("compare", "runs", *options).out == run("compare", "whole.parquet", *options).out


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["a", "a"], "has two columns named 'a'; rename one of them."),
        (
            ["a", "file_row_number"],
            "has a column 'file_row_number', a name that DuckDB uses; rename it.",
        ),
    ],
)
def test_names_that_are_refused(fails, files, columns, words):
    files()
    table = pa.Table.from_arrays([pa.array([1, 2]), pa.array([1, 2])], names=columns)
    parquet.write_table(table, "odd.parquet")
    assert words in fails("compare", "odd.parquet", "--memory", "1GB")


def test_names_that_differ_in_case_only(run, fails, files):
    """One file is read by the positions of its columns, several by their names."""
    files()
    table = pa.table({"a": [1, 1, 2, 2], "A": ["x", "x", "y", "x"]})
    Path("odd").mkdir()
    for name in ("odd/0.parquet", "odd/1.parquet"):
        parquet.write_table(table, name)
    expected = run("compare", "odd/0.parquet", "-f", "json")
    assert json.loads(expected.out)["b"] == "A"
    assert run("compare", "odd/0.parquet", "--memory", "1GB", "-f", "json").out == expected.out
    line = fails("compare", "odd")
    assert "has columns 'a' and 'A', which DuckDB cannot distinguish in several files" in line


def test_unusual_names_are_allowed(run, close, files, rows):
    names = ['it\'s "odd".x', "filename", "naïve SELECT; --"]
    files(rows.select(["kmeans", "em", "x"]).rename_columns(names))
    Path("runs").rename("a 'folder' [1]")
    options = ["-c", names[0], "-c", names[1], "-f", "json", "--features", names[2]]
    found = run("compare", "a 'folder' [1]", "--data", "a 'folder' [1]", *options)
    assert found.status == 0, found.err
    whole = run("compare", "whole.parquet", "--data", "whole.parquet", *options)
    close(json.loads(found.out), json.loads(whole.out))


@pytest.mark.parametrize("damage", ["text", "cut", "inside"])
def test_damaged_files(fails, files, damage):
    files()
    path = Path("runs/part-2.parquet")
    data = path.read_bytes()
    inside = b"\xff" * 600
    path.write_bytes(
        {"text": b"a,b\n1,2\n", "cut": data[:-100], "inside": data[:4] + inside + data[604:]}[
            damage
        ]
    )
    line = fails("compare", "runs", "-c", "id", "-c", "kmeans")
    assert "runs cannot be read by DuckDB (" in line
    assert "check that its files are complete" in line


def test_files_without_rows(fails, files, rows):
    files()
    parquet.write_table(rows.slice(0, 0), "none.parquet")
    line = fails("compare", "none.parquet", "--memory", "1GB")
    assert "none.parquet has columns but no rows; it needs one row per object." in line


def test_empty_parts_are_allowed(run, files, rows):
    files()
    parquet.write_table(rows.slice(0, 0), "runs/part-9.parquet")
    options = [*TWO, "-f", "json"]
    assert run("compare", "runs", *options).out == run("compare", "whole.parquet", *options).out


def test_hidden_files_in_a_folder_are_not_read(run, files):
    files()
    Path("runs/_temporary").mkdir()
    Path("runs/_temporary/part-7.parquet").write_text("half")
    Path("runs/_SUCCESS").write_text("")
    options = [*TWO, "-f", "json"]
    assert run("compare", "runs", *options).out == run("compare", "whole.parquet", *options).out


@pytest.mark.parametrize("written", ["512MB", "1GB", "1.5 GiB", "2tb"])
def test_amounts_of_memory(written):
    with Engine("any", written) as engine:
        (limit,) = engine.row("SELECT current_setting('memory_limit')")
    assert limit[0] == {"512MB": "4", "1GB": "9", "1.5 GiB": "1", "2tb": "1"}[written]


def test_invalid_amounts_of_memory():
    assert check_memory(None) is None
    for written in ("1", "GB", "-1GB", "1 GB more"):
        with pytest.raises(InputError, match="is not an amount of memory"):
            check_memory(written)


def test_too_little_memory(fails, files):
    files()
    line = fails("compare", "runs", "-c", "id", "-c", "em", "--memory", "1KB")
    assert "--memory 1KB is not enough for these columns" in line
    assert "allow more with --memory, or name fewer columns." in line
