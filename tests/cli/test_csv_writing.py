"""CSV that is read back exactly, and CSV without formulas for spreadsheets."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet

from clusterwise.cli.csv_writing import csv_text, safe_cell
from clusterwise.cli.options import FileOptions
from clusterwise.cli.output import write_columns
from clusterwise.cli.tables.read_file import read_file

FORMULAS = [
    "=1+1", "=cmd|' /C calc'!A0", "+1+1", "-1+2", "-x", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
    "＝1", "＋1", "－1", "＠1", "-", "+", "=", "-1 ", "+1.5.5",
]  # fmt: skip
HARMLESS = ["-1", "+1", "-0.5", "-1e-05", "-1,5", "1+1", "a=b", "", "'=1", "a-b", "é", '"=1"']
TEXT = st.text(st.characters(blacklist_categories=["Cs"]))


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1))
def test_any_cell_is_read_back(rows):
    text = csv_text(("a", "b"), rows)
    assert [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))][1:] == rows


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_labels_are_read_back(tmp_path, ending):
    """By pandas and by the command, which strips spaces and takes carriage returns as line ends."""
    labels = [one.strip() for one in (*FORMULAS, *HARMLESS, "a;b", "a,b", "a\tb", "a\nb") if one]
    path = tmp_path / f"labels.{ending}"
    write_columns({"=a": labels, "n": list(range(len(labels)))}, str(path))
    table = read_file(str(path), FileOptions(types=["=a=categorical"]))
    assert table.columns["=a"].to_list() == labels
    read = pd.read_csv(path, sep="," if ending == "csv" else "\t", dtype={"=a": str})
    assert read["=a"].tolist() == labels


def test_carriage_returns_do_not_end_lines():
    text = csv_text(("a", "b"), [("x\ry", 1), ("x\r\ny", 2)])
    assert text == 'a,b\n"x\ry",1\n"x\r\ny",2\n'
    assert pd.read_csv(io.StringIO(text, newline=""))["a"].tolist() == ["x\ry", "x\r\ny"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_get_an_apostrophe(formula):
    assert safe_cell(formula) == f"'{formula}"


@pytest.mark.parametrize("cell", [*HARMLESS, -1, -0.5, None, True])
def test_other_cells_stay(cell):
    assert safe_cell(cell) == cell


def test_strings_are_quoted_for_spreadsheets_that_split_at_semicolons():
    text = csv_text(("=a", "b"), [("x;=1", -1.5), ("@", None)], excel_safe=True)
    assert text == '"\'=a","b"\n"x;=1",-1.5\n"\'@",""\n'


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.jsonl"
    rows = [
        {"id": f"={i}", "=a": "@x" if i % 2 else "-y", "+b": "=1" if i % 3 else "+z"}
        for i in range(12)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["compare"], {"'=a", "'+b"}),
        (["profile", "-l", "=a", "--features", "+b"], {"'@x", "'-y", "'+b"}),
        (["stream", "-l", "id", "--features", "+b", "-w", "4"], {"'=4;=5;=6;=7"}),
        (["combine", "-k", "id", "-m", "voting"], {"'=a", "'+b"}),
        (["measures"], {"rand_score"}),
    ],
)
def test_every_verb_has_the_switch(run, labels, arguments, written):
    verb, *options = arguments
    files = [] if verb == "measures" else [labels]
    result = run(verb, *files, *options, "-f", "csv", "--excel-safe")
    assert result.status == 0, result.err
    cells = {cell for row in csv.reader(io.StringIO(result.out)) for cell in row}
    assert written <= cells
    assert result.out.startswith('"')
    assert all(safe_cell(cell) == cell for cell in cells)


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_files_of_labels_have_it_too(run, labels, tmp_path, ending):
    output = tmp_path / f"out.{ending}"
    options = ["-k", "id", "-m", "voting", "-o", output]
    result = run("combine", labels, *options, "--excel-safe")
    assert result.status == 0, result.err
    assert output.read_text().splitlines()[1].startswith('"\'=0"')
    run("combine", labels, *options)
    assert output.read_text().splitlines()[1].startswith("=0")


def test_and_those_that_duckdb_writes(run, tmp_path, monkeypatch):
    """The same bytes as from memory."""
    monkeypatch.chdir(tmp_path)
    ids = [f"{one}{i}" for i, one in enumerate((*FORMULAS, *HARMLESS))]
    names = list("ab" * (len(ids) // 2))
    table = pa.table({"=id": ids, "a": names, "b": names[::-1]})
    parquet.write_table(table, "labels.parquet")
    options = ["combine", "labels.parquet", "-c", "a", "-c", "b", "-k", "=id", "-m", "voting"]
    written = []
    for extra in ([], ["--memory", "1GB"]):
        result = run(*options, *extra, "--excel-safe", "-o", "out.csv")
        assert result.status == 0, result.err
        with Path("out.csv").open(newline="", encoding="utf-8") as file:
            written.append([row[0] for row in csv.reader(file)])
    assert written[0] == written[1] == [safe_cell(one) for one in ("=id", *ids)]
