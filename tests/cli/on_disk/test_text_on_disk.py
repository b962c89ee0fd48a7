"""Text files on disk are read by the rules for those in memory: types, encodings, compression."""

import gzip
import json
import shlex
from datetime import date, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

ROWS = 300
DISK = ["--memory", "500MB"]


@pytest.fixture
def customers():
    """Labels, amounts and dates as people write them, with several words for missing."""
    random = np.random.default_rng(3)
    spent = random.gamma(2, 900, ROWS)
    label = (spent > 1500).astype(int) + (random.random(ROWS) < 0.2)
    german = [f"{value:,.2f} €".translate(str.maketrans(",.", ".,")) for value in spent]
    return {
        "Kunde": [f"K{i:04d}" for i in range(ROWS)],
        "kmeans": [str(one) for one in label],
        "run2": ["abc"[one] if i % 50 else "k.A." for i, one in enumerate(label[::-1])],
        "Umsatz": [text if i % 40 else "unbekannt" for i, text in enumerate(german)],
        "Größe": [f"{value:.2f}".replace(".", ",") for value in random.random(ROWS) + 1],
        "Seit": [(date(2022, 1, 1) + timedelta(i % 200)).strftime("%d.%m.%Y") for i in range(ROWS)],
        "PLZ": [f"{i % 4:05d}" for i in range(ROWS)],
        "aktiv": [["ja", "nein"][i % 2] for i in range(ROWS)],
    }


def write_csv(path, columns, rows=slice(None), end="\n"):
    lines = list(map(";".join, zip(*columns.values(), strict=True)))[rows]
    text = end.join([";".join(columns), *lines]) + end
    with (gzip.open if path.endswith(".gz") else open)(path, "wb") as file:
        file.write(text.encode("cp1252"))


@pytest.fixture
def same_on_disk(run, close, tmp_path, monkeypatch):
    """Run a command on a file in memory and on files on disk; check that all is the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def check(verb, whole, disk, *options):
        in_memory = run(verb, whole, *options, "-f", "json")
        on_disk = run(verb, disk, *options, *DISK, "-f", "json")
        assert in_memory.status == 0, in_memory.err
        assert on_disk.status == 0, on_disk.err
        found = on_disk.err.replace(shlex.quote(disk), whole).replace(disk, whole)
        assert found == in_memory.err
        close(json.loads(on_disk.out), json.loads(in_memory.out))
        assert list(tmp_path.glob("clusterwise*")) == []
        return on_disk

    return check


ENCODED = ["--encoding", "cp1252"]


@pytest.mark.parametrize(
    "options",
    [
        ["profile", "-l", "kmeans"],
        ["profile", "-l", "run2", "--missing", "label", "--binning", "frequency"],
        ["compare", "--missing", "drop"],
        ["compare", "-c", "kmeans", "-c", "run2", "--missing", "label"],
        ["combine", "-m", "voting"],
    ],
    ids=" ".join,
)
def test_a_german_file_in_gzipped_parts(same_on_disk, customers, options):
    Path("runs").mkdir()
    write_csv("whole.csv", customers)
    write_csv("runs/a.csv.gz", customers, slice(0, 120))
    write_csv("runs/b.csv.gz", customers, slice(120, None), end="\r\n")
    verb, *others = options
    found = same_on_disk(verb, "whole.csv", "runs/*.csv.gz", *others, *ENCODED)
    if verb == "profile":
        assert 'such as "12.' in found.err or "numbers such as" in found.err
        assert "dates (day.month.year) such as" in found.err


def test_columns_in_another_order(same_on_disk, customers):
    Path("runs").mkdir()
    write_csv("whole.csv", customers)
    write_csv("runs/a.csv", customers, slice(0, 120))
    write_csv("runs/b.csv", dict(reversed(customers.items())), slice(120, None))
    same_on_disk("profile", "whole.csv", "runs", "-l", "kmeans", *ENCODED)


@pytest.mark.parametrize("verb", ["profile", "compare"])
def test_strings_of_parquet_files(same_on_disk, customers, verb):
    """Dates, currencies and decimal commas are read from strings of any file."""
    Path("runs").mkdir()
    table = pa.table(customers)
    parquet.write_table(table, "whole.parquet")
    parquet.write_table(table.slice(0, 111), "runs/0.parquet")
    parquet.write_table(table.slice(111), "runs/1.parquet")
    options = {"profile": ["-l", "kmeans"], "compare": ["-c", "kmeans", "-c", "aktiv"]}[verb]
    same_on_disk(verb, "whole.parquet", "runs/*.parquet", *options)


def test_more_values_than_are_fetched(same_on_disk, customers, monkeypatch):
    """Then the engine parses the strings, as a sample shows how."""
    write_csv("whole.csv", customers)
    Path("large.csv").write_bytes(Path("whole.csv").read_bytes())
    monkeypatch.setattr("clusterwise.cli.tables.disk_columns.MOST", 50)
    features = ["--features", "Umsatz,Größe,Seit,PLZ"]
    same_on_disk("profile", "whole.csv", "large.csv", "-l", "kmeans", *features, *ENCODED)


@pytest.mark.parametrize(
    "options", [["--as", "PLZ=numeric"], ["--as", "Seit=categorical"], ["--null", "ja"]]
)
def test_declared_types_and_missing_words(same_on_disk, customers, options):
    write_csv("whole.csv", customers)
    Path("large.csv").write_bytes(Path("whole.csv").read_bytes())
    same_on_disk("profile", "whole.csv", "large.csv", "-l", "kmeans", *options, *ENCODED)


def test_json_lines_within_little_memory(run, tmp_path):
    """The buffers for the longest objects that are read alone take 128 MiB."""
    path = tmp_path / "little.jsonl"
    path.write_text("".join(f'{{"a": {i % 3}, "x": {i % 7 / 2}}}\n' for i in range(90)))
    command = ("profile", path, "-l", "a", "--format", "csv")
    found = run(*command, "--memory", "120MB")
    assert found == run(*command)
    assert found.status == 0


def test_json_lines_on_disk(same_on_disk):
    rows = [
        {"id": f"o{i}", "a": i % 3, "b": "xyz"[i % 3] if i % 7 else None, "x": i / 7, "l": [i]}
        for i in range(90)
    ]
    Path("runs").mkdir()
    Path("whole.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("runs/0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:40]))
    Path("runs/1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[40:]))
    found = same_on_disk("compare", "whole.jsonl", "runs", "--missing", "drop")
    assert "not taken as labels: l (lists or objects)." in found.err
    same_on_disk("profile", "whole.jsonl", "runs", "-l", "a")


def test_zstd(run, customers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = {name: customers[name] for name in ("kmeans", "aktiv")}
    write_csv("whole.csv", columns)
    source = "read_csv('whole.csv', all_varchar = true, header = true)"
    duckdb.sql(f"COPY (FROM {source}) TO 'small.csv.zst' (DELIMITER ';')")
    expected = run("compare", "whole.csv", "-f", "json")
    for options in ([], DISK):
        found = run("compare", "small.csv.zst", "-f", "json", *options)
        assert found.err == expected.err
        assert found.out == expected.out


@pytest.mark.parametrize("options", [[], DISK])
def test_standard_input(run, fails, options):
    data = "a;b\n" + "".join(f"{i % 3};{'é' if i % 2 else 'x'}\n" for i in range(30))
    arguments = ["compare", "-", "--encoding", "latin-1", *options]
    found = run(*arguments, "-f", "json", stdin=data.encode("latin-1"))
    assert json.loads(found.out)["objects"] == 30
    line = fails(*arguments, stdin=(data + "1;\n").encode("latin-1"))
    assert "standard input has no value in column 'b' on line 32 (1 of 31 objects)" in line


def test_a_file_larger_than_the_memory_limit(run, tmp_path, monkeypatch):
    """Distinct identifiers do not fit into the limit, so they are on disk."""
    monkeypatch.chdir(tmp_path)
    rows = 600_000
    with gzip.open("large.csv.gz", "wt", compresslevel=1) as file:
        file.write("id,a,b\n")
        file.writelines(f"{i * 7919:040d},{i % 5},{i % 3}\n" for i in range(rows))
    options = ["-c", "a", "-c", "b", "-f", "json"]
    found = run("compare", "large.csv.gz", "--memory", "60MB", *options)
    assert found.status == 0, found.err
    assert json.loads(found.out)["objects"] == rows
    assert found.out == run("compare", "large.csv.gz", *options).out


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a,b\n1,2\n3\n", "runs/1.csv has 1 field on line 3, but its header names 2"),
        ('a,b\n1,"x\n', "runs/1.csv opens a quote on line 2 that is never closed"),
        ("a,c\n1,2\n", "runs/0.csv has the column 'b', but runs/1.csv has not; all files of runs"),
        ("a,b\n1,\n", "runs has no value in column 'b' on line 2 of runs/1.csv (1 of 3 objects)"),
    ],
)
def test_errors_name_the_file_and_the_line(fails, tmp_path, monkeypatch, body, words):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/0.csv").write_text("a,b\n1,2\n1,3\n")
    Path("runs/1.csv").write_text(body)
    assert words in fails("compare", "runs", "-c", "a", "-c", "b")


def test_other_verbs_read_folders_too(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    lines = [f"{i % 2},{i * i % 17},{i % 5}.5\n" for i in range(60)]
    Path("whole.csv").write_text("k,x,y\n" + "".join(lines))
    Path("runs/0.csv").write_text("k,x,y\n" + "".join(lines[:20]))
    Path("runs/1.csv").write_text("k,x,y\n" + "".join(lines[20:]))
    for verb in (["stream", "-l", "k", "--window", "20"], ["again", "--given", "k"]):
        expected = run(verb[0], "whole.csv", *verb[1:], "-f", "json")
        assert expected.status == 0, expected.err
        assert run(verb[0], "runs", *verb[1:], "-f", "json").out == expected.out
