"""``again`` for files that stay on disk: a sample is searched, and all objects are labelled."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import clusterwise as cw
from clusterwise.cli.tables import named_files
from clusterwise.datasets import make_alternatives
from helpers.again_files import as_json, read_labels

ROWS = 4_400


@pytest.fixture(scope="module")
def rows():
    """Ids, a given clustering with noise and missing labels, and features of several types."""
    planted = make_alternatives(ROWS, (2, 2), features=2, random_state=0)
    random = np.random.default_rng(0)
    segment = [["left", "right"][label] for label in planted.labels[:, 0]]
    hidden = planted.labels[:, 1]
    noisy = np.where(np.arange(ROWS) % 10 == 0, -1, planted.labels[:, 0])
    return pa.table(
        {
            "id": [f"o{i}" for i in range(ROWS)],
            "segment": segment,
            "noisy": pa.array(noisy, mask=np.arange(ROWS) % 10 == 1),
            "x": planted.X[:, 0],
            "y": pa.array(planted.X[:, 2], mask=np.arange(ROWS) % 13 == 0),
            "price": [f"{value:.2f}" for value in planted.X[:, 3]],
            "colour": np.array(["red", "green"])[np.where(random.random(ROWS) < 0.9, hidden, 0)],
            "hidden": hidden,
        }
    )


@pytest.fixture
def files(rows, tmp_path, monkeypatch):
    """The rows in two files, in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    Path("big").mkdir()
    parquet.write_table(rows.slice(0, 3_000), "big/part-0.parquet")
    parquet.write_table(rows.slice(3_000), "big/part-1.parquet")
    return "big/*.parquet"


FEATURES = ("--features", "x,y,price,colour")
ON_DISK = (*FEATURES, "--memory", "500MB")
SEARCH = ("--given", "segment", *ON_DISK)
# Only this number of clusters is tried.
TWO = ("--n-clusters", "2")


def test_the_hidden_clustering_is_found_and_written(run, files, rows):
    result = run("again", files, *SEARCH, "--output", "labels.parquet")
    assert result.status == 0, result.err
    assert "Searched in a sample of 2,000 of 4,400 objects" in result.out
    assert "1 alternative to segment: 4,400 objects, 4 features" in result.out
    written = parquet.read_table("labels.parquet")
    assert written.column_names == ["id", "segment", "alternative_1"]
    assert written["id"].to_pylist() == rows["id"].to_pylist()
    assert written["segment"].to_pylist() == rows["segment"].to_pylist()
    found = written["alternative_1"].to_numpy()
    assert cw.adjusted_rand_score(rows["hidden"].to_numpy(), found) > 0.9
    sizes = sorted(np.bincount(found).tolist(), reverse=True)
    assert ", ".join(map(str, sizes)) in result.out


def test_json_has_the_numbers_of_all_objects_and_a_seed_fixes_them(run, files):
    first, second = (
        run("again", files, *SEARCH, *TWO, "--format", "json", "--output", name)
        for name in ("first.csv", "second.csv")
    )
    assert first.out == second.out
    assert Path("first.csv").read_text() == Path("second.csv").read_text()
    found = as_json(first)
    assert (found["objects"], found["sample"]) == (4_400, 2_000)
    (given,), (one,) = found["given"], found["alternatives"]
    assert sum(given["sizes"]) == sum(one["sizes"]) == 4_400
    assert given["name"] == "segment"
    assert list(one["adjusted_rand_score"]) == ["segment"]
    assert found["features"] == ["x", "y", "price", "colour"]


def test_noise_and_missing_labels_have_no_alternative(run, files, rows):
    arguments = ("--given", "noisy", *ON_DISK, *TWO, "-o", "labels.csv")
    refused = run("again", files, *arguments)
    assert refused.status == 2
    assert "use --missing drop or --missing label" in refused.err.replace("\n", " ")
    dropping = ("--missing", "drop", "--noise", "drop")
    result = run("again", files, *arguments, *dropping)
    assert result.status == 0, result.err
    assert "440 of 4400 objects dropped: a label is missing." in result.err
    assert "3,520 objects" in result.out
    labels = np.array(read_labels("labels.csv")["alternative_1"])
    left_out = np.arange(ROWS) % 10 < 2
    assert (labels[left_out] == "").all()
    hidden = rows["hidden"].to_numpy()[~left_out]
    assert cw.adjusted_rand_score(hidden, labels[~left_out]) > 0.9


def test_missing_labels_may_be_a_cluster(run, files):
    arguments = ("--given", "noisy", "--missing", "label", *ON_DISK, *TWO)
    found = as_json(run("again", files, *arguments, "-f", "json"))
    assert found["given"][0]["sizes"][-2:] == [440, 440]
    assert found["objects"] == 4_400


def test_large_files_stay_on_disk(run, files, monkeypatch):
    in_memory = run("again", files, "--given", "segment", *FEATURES, *TWO)
    assert "Searched in a sample" not in in_memory.out
    monkeypatch.setattr(named_files, "LARGE", 100_000)
    on_disk = run("again", files, "--given", "segment", *FEATURES, *TWO)
    assert "Searched in a sample" in on_disk.out
    assert on_disk.err == in_memory.err
    other = run("again", files, "--given", "segment", "--features", "x,y", "-m", "orthogonal", *TWO)
    assert other.status == 0
    assert "Searched in a sample" not in other.out


def test_two_files_are_joined_by_key(run, files, rows):
    parquet.write_table(rows.select(["id", "hidden"]).slice(0, 4_000), "other.parquet")
    arguments = ("--key", "id", "--memory", "500MB", *TWO, "-o", "labels.csv")
    result = run("again", files, "other.parquet", "-g", "segment", "--features", "x,y", *arguments)
    assert result.status == 0, result.err
    assert len(read_labels("labels.csv")["id"]) == 4_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "need a given clustering; name its column with --given"),
        (("-g", "segment", "-m", "coala"), "--method coala needs all objects in memory"),
        (("-g", "segment", "--omega", "0.5"), "--method coala needs all objects in memory"),
        (("-g", "segment", "--report", "r.html"), "--report plots the objects, but DuckDB leaves"),
        (("-g", "segment", "-o", "labels.xlsx"), "labels cannot be written in this format"),
        (("-g", "segmnt"), "there is no column 'segmnt' for --given; did you mean segment?"),
        (("-g", "segment", "--features", "segment"), "segment is the --given column"),
        (("-g", "segment", "--noise", "singletons"), "--noise singletons would make every noise"),
    ],
    ids=lambda value: "-".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_refusals(fails, files, arguments, message):
    assert message in fails("again", files, *arguments, "--memory", "500MB")
