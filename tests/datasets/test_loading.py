"""Data sets are read as they are in the files; damaged files raise an error."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import load_dataset

FOLDER = os.environ.get("CLUSTERWISE_DATA")

FRUIT = {"weight": "numeric", "colour": "nominal", "class": "nominal"}
FRUIT_TEXT = 'weight,colour,class\n0.2,red,apple\n,green,pear\n1e-3,,"plum, dry"\n'


@pytest.fixture
def fruit(tmp_path):
    """A folder with one small data set."""
    write(tmp_path, "fruit", FRUIT_TEXT, FRUIT, rows=3)
    return tmp_path


def write(folder, name, text, columns, rows):
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    schema = folder / "schema.json"
    known = json.loads(schema.read_text()) if schema.exists() else {}
    schema.write_text(json.dumps({**known, name: {"rows": rows, "columns": columns}}))


def test_mixed_columns_keep_their_kinds(fruit):
    data = load_dataset("fruit", fruit)
    assert data.name == "fruit"
    assert data.feature_names == ("weight", "colour")
    assert data.kinds == ("numeric", "nominal")
    assert data.labels.tolist() == ["apple", "pear", "plum, dry"]
    assert data.X.dtype == object
    assert data.X[:, 1].tolist() == ["red", "green", None]
    np.testing.assert_array_equal(data.X[:, 0].astype(float), [0.2, np.nan, 1e-3])


def test_mixed_columns_can_be_binned(fruit):
    data = load_dataset("fruit", fruit)
    binning = cw.Binning().fit(data.X)
    profile = cw.DensityProfile.from_data(data.X, data.labels, binning=binning)
    assert profile.n == 3


def test_numeric_columns_are_floats(tmp_path):
    columns = {"x": "numeric", "class": "nominal", "y": "numeric"}
    write(tmp_path, "plane", "x,class,y\n1,a,2\n3,b,\n", columns, rows=2)
    data = load_dataset("plane", str(tmp_path))
    assert data.X.dtype == np.float64
    np.testing.assert_array_equal(data.X, [[1, 2], [3, np.nan]])
    assert data.labels.tolist() == ["a", "b"]
    assert data.feature_names == ("x", "y")


def test_the_folder_comes_from_the_environment(fruit, monkeypatch, tmp_path):
    monkeypatch.setenv("CLUSTERWISE_DATA", str(fruit))
    assert load_dataset("fruit").labels.size == 3
    monkeypatch.setenv("CLUSTERWISE_DATA", str(tmp_path / "nowhere"))
    assert load_dataset("fruit", fruit).labels.size == 3
    with pytest.raises(InputError, match=r"no schema\.json in .*nowhere; pass the folder"):
        load_dataset("fruit")
    with pytest.raises(InputError, match=r"no schema\.json in .*fruit\.csv\.gz; pass the folder"):
        load_dataset("fruit", fruit / "fruit.csv.gz")


def test_a_missing_folder_raises(monkeypatch):
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    with pytest.raises(InputError, match=r"'sonar'; pass folder, or set CLUSTERWISE_DATA to .*"):
        load_dataset("sonar")


def test_unknown_data_sets_and_missing_files_raise(fruit):
    with pytest.raises(InputError, match=r"no data set 'sonar' in .* or pass one of: fruit\."):
        load_dataset("sonar", fruit)
    (fruit / "fruit.csv.gz").unlink()
    with pytest.raises(InputError, match=r"no data set 'fruit' in .*: \(none\)\."):
        load_dataset("fruit", fruit)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weight,class\n1,a\n", "columns weight, class, but schema.json has weight, colour, class"),
        ("weight,colour,class\n1,red\n", "row 1 of .* has 2 values, but there are 3 columns"),
        ("weight,colour,class\n1,,a\nheavy,,b\n2,,c\n", "column 'weight' of .* numeric .*'heavy'"),
        ("weight,colour,class\n1,red,a\n", "has 1 rows, but schema.json says 3; get the file"),
        ("", "cannot be read"),
    ],
)
def test_damaged_files_raise(fruit, text, message):
    write(fruit, "fruit", text, FRUIT, rows=3)
    with pytest.raises(InputError, match=message):
        load_dataset("fruit", fruit)


@pytest.mark.parametrize("cut", [5, 15, -9])
def test_truncated_files_raise(fruit, cut):
    file = fruit / "fruit.csv.gz"
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"cannot be read .*; get the file again"):
        load_dataset("fruit", fruit)


def test_other_files_raise(fruit):
    (fruit / "fruit.csv.gz").write_text(FRUIT_TEXT)
    with pytest.raises(InputError, match="cannot be read"):
        load_dataset("fruit", fruit)
    (fruit / "schema.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        load_dataset("fruit", fruit)


@pytest.mark.slow
@pytest.mark.skipif(
    FOLDER is None or not (Path(FOLDER) / "schema.json").exists(),
    reason="CLUSTERWISE_DATA names no folder with schema.json",
)
def test_data_sets_of_the_papers_are_complete():
    schema = json.loads((Path(FOLDER) / "schema.json").read_text())
    for name in ("bupa", "colic", "diabetes", "mushroom", "sequoia", "sonar"):
        data = load_dataset(name)
        n, width = schema[name]["rows"], len(schema[name]["columns"]) - 1
        assert data.X.shape == (n, width)
        names, sizes = np.unique(data.labels, return_counts=True)
        assert dict(zip(names, sizes, strict=True)) == schema[name]["classes"]
        missing = sum(value is None or value != value for value in data.X.ravel().tolist())
        assert missing == schema[name]["missing_cells"]
