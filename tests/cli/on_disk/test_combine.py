"""``combine`` of Parquet files on disk: distinct rows are weighted by their counts."""

import json
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pytest
from pyarrow import parquet

from clusterwise.consensus.methods import Method

COLUMNS = ["--columns", "kmeans,em,whole,colour"]
NEEDS = {"cspa": "pymetis", "hbgf": "pymetis", "mcla": "pymetis", "hgpa": "mtkahypar"}


@pytest.mark.slow
@pytest.mark.parametrize("output_format", ["table", "csv", "json", "markdown"])
def test_formats(same, output_format):
    assert same("combine", "FILE", *COLUMNS, "-f", output_format).out


@pytest.mark.slow
@pytest.mark.parametrize("method", get_args(Method))
def test_all_methods(same, method):
    if method in NEEDS:
        pytest.importorskip(NEEDS[method])
    options = ["-m", method, "--n-clusters", "3", "--seed", "1", "--key", "id"]
    same("combine", "FILE", *COLUMNS, *options, "-f", "json")


def test_columns_by_looks(same):
    assert (
        "not taken as labels: id, number (every value is different" in same("combine", "FILE").err
    )


def test_objects_without_any_label(same):
    """null and NaN are both missing."""
    found = json.loads(same("combine", "FILE", "--columns", "whole,gone", "-f", "json").out)
    assert found["unknown"] > 0
    assert found["objects"] == 400


def test_ambiguous_objects(same):
    found = same("combine", "FILE", "--columns", "flag,colour", "-m", "voting")
    assert "ambiguous: their mean co-association" in found.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.txt"])
@pytest.mark.parametrize("key", [[], ["--key", "id"]], ids=["place", "key"])
def test_texts_are_those_of_memory(run, files, name, key):
    files()
    written = []
    for file in ("whole.parquet", "runs"):
        assert run("combine", file, *COLUMNS, *key, "--output", name).status == 0
        written.append(Path(name).read_bytes())
    assert written[0] == written[1]
    assert written[0].count(b"\n") == 401


def test_json_lines_hold_the_same(run, files):
    files()
    lines = []
    for file in ("whole.parquet", "runs"):
        run("combine", file, "--columns", "whole,gone", "-k", "id", "-o", "out.jsonl")
        lines.append([json.loads(line) for line in Path("out.jsonl").read_text().splitlines()])
    assert lines[0] == lines[1]
    assert {"consensus": None, "agreement": None}.items() <= next(
        line for line in lines[1] if line["consensus"] is None
    ).items()


def test_parquet_has_a_row_per_object(run, files, rows):
    files()
    assert run("combine", "runs", *COLUMNS, "--key", "id", "-o", "out.parquet").status == 0
    run("combine", "whole.parquet", *COLUMNS, "--key", "id", "-o", "out.csv")
    from pyarrow import csv

    found = parquet.read_table("out.parquet")
    assert found.column_names == ["id", "consensus", "agreement"]
    assert found["id"].to_pylist() == rows["id"].to_pylist()
    assert found.to_pylist() == csv.read_csv("out.csv").to_pylist()
    assert [path.name for path in Path().iterdir() if "clusterwise" in path.name] == []


def test_rows_of_several_files_are_matched_by_key(run, files, rows):
    files()
    Path("more").mkdir()
    more = rows.select(["id", "colour"]).rename_columns(["id", "shade"])
    more = more.take(pa.array(range(399, 9, -1)))
    parquet.write_table(more, "more/0.parquet")
    options = ["--columns", "em,shade", "-k", "id", "-o", "out.csv", "-f", "json"]
    results, written = [], []
    for names in (("whole.parquet", "more/0.parquet"), ("runs", "more")):
        results.append(run("combine", *names, *options).out)
        written.append(Path("out.csv").read_text())
    assert results[0] == results[1]
    assert written[0] == written[1]
    assert written[0].splitlines()[1].startswith("o10,")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["--n-clusters", "401"],
            "--n-clusters 401 for 400 objects; use a whole number from 1 to 400.",
        ),
        (["--columns", "em"], "two columns of labels are needed, but there is only em"),
        (["--columns", "em,empty"], "--column empty contains no labels; leave it out."),
        (["--key", "em"], "twice, on row "),
        (["--key", "whole"], "runs has no whole on row "),
        (["--key", "nothing"], "runs has no column 'nothing' for --key; it has id, kmeans"),
        (["--key", "nested"], "--key nested contains lists or objects"),
        (["--output", "out.json"], "use .csv, .tsv or .jsonl."),
        (["--output", "/dev/null"], "is not a regular file"),
        (["--report", "out.html"], "--report plots the objects, but DuckDB leaves them on disk"),
        (["--seed", "-1"], "--seed must be from 0 to 4294967295, not -1."),
    ],
)
def test_refusals(fails, files, options, words):
    files()
    columns = [] if "--columns" in options else COLUMNS
    assert words in fails("combine", "runs", *columns, *options)
    assert sorted(path.name for path in Path().iterdir()) == ["runs", "whole.parquet"]


def test_too_many_kinds(fails, files, monkeypatch):
    files()
    monkeypatch.setattr("clusterwise.cli.combine.on_disk.MOST", 20)
    assert "have more than 20 distinct rows of labels" in fails("combine", "runs", *COLUMNS)
