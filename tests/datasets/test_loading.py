"""The generators keep what the paper says, and the reader gives back what is in the files."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import load_dataset, make_ds1, make_ds2, relabel

FOLDER = os.environ.get("CLUSTERWISE_DATA")
SEEDS = range(5)

FRUIT = {"weight": "numeric", "colour": "nominal", "class": "nominal"}
FRUIT_TEXT = 'weight,colour,class\n0.2,red,apple\n,green,pear\n1e-3,,"plum, dry"\n'


def centroids(data):
    return {name: data.X[data.labels == name].mean(axis=0) for name in np.unique(data.labels)}


def normalised_vi(a, b):
    found = cw.variation_of_information(a, b)
    return found / (np.log(len(set(a))) + np.log(len(set(b))))


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


@pytest.mark.parametrize("seed", SEEDS)
def test_ds1_is_as_described(seed):
    data = make_ds1(seed)
    assert data.X.shape == (1200, 2)
    assert data.labels.tolist() == ["A"] * 400 + ["B"] * 400 + ["C"] * 400
    place = centroids(data)
    near = np.linalg.norm(place["A"] - place["B"])
    assert np.linalg.norm(place["A"] - place["C"]) == pytest.approx(2 * near)
    assert np.linalg.norm(place["B"] - place["C"]) > 2 * near


@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_errs_on_ds1_as_much_as_in_the_paper(seed):
    data = make_ds1(seed)
    found = KMeans(3, n_init=10, random_state=0).fit_predict(data.X)
    assert cw.rand_score(data.labels, found) == pytest.approx(0.931, abs=0.03)
    assert normalised_vi(data.labels, found) == pytest.approx(0.186, abs=0.05)


@pytest.mark.parametrize("seed", SEEDS)
def test_ds2_is_as_described(seed):
    data = make_ds2(seed)
    assert data.X.shape == (2000, 2)
    names, sizes = np.unique(data.labels, return_counts=True)
    assert dict(zip(names, sizes, strict=True)) == {
        "centre": 1000, "north": 250, "east": 250, "south": 250, "west": 250,
    }  # fmt: skip
    place = centroids(data)
    np.testing.assert_allclose(place["centre"], 0, atol=1e-12)
    np.testing.assert_allclose(place["north"], -place["south"], atol=1e-12)
    np.testing.assert_allclose(place["east"], -place["west"], atol=1e-12)
    assert place["north"][1] == pytest.approx(place["east"][0])
    assert place["north"][1] > 0


def test_the_printed_values_of_ds2_are_those_of_a_larger_centre():
    printed = {"vi": 0.58, "rand": 0.57}
    for sizes, agrees in (((1000, 250), False), ((1488, 128), True)):
        labels = make_ds2(0, n_centre=sizes[0], n_satellite=sizes[1]).labels
        assert labels.size == 2000
        one = np.zeros(labels.size, int)
        found = {"vi": normalised_vi(labels, one), "rand": cw.rand_score(labels, one)}
        assert (found == pytest.approx(printed, abs=0.01)) == agrees


@pytest.mark.parametrize("make", [make_ds1, make_ds2])
def test_seeds_decide(make):
    np.testing.assert_array_equal(make(3).X, make(3).X)
    np.testing.assert_array_equal(make(3).X, make(np.random.default_rng(3)).X)
    assert not np.array_equal(make(3).X, make(4).X)
    assert not np.array_equal(make().X, make().X)


@pytest.mark.parametrize("option", ["n_centre", "n_satellite"])
def test_ds2_refuses_empty_clusters(option):
    with pytest.raises(InputError, match=f"{option}=0.*: pass at least 1"):
        make_ds2(**{option: 0})


@pytest.mark.parametrize("target", ["B", "C"])
def test_relabel_moves_a_third_of_one_cluster(target):
    before = make_ds1(0).labels
    after = relabel(before, "A", target, random_state=1)
    moved = before != after
    assert moved.sum() == 133
    assert set(before[moved]) == {"A"}
    assert set(after[moved]) == {target}
    assert before.tolist().count("A") == 400
    np.testing.assert_array_equal(after, relabel(before, "A", target, random_state=1))
    assert not np.array_equal(after, relabel(before, "A", target, random_state=2))


def test_relabel_takes_other_labels_and_shares():
    assert relabel([1, 1, 2], 1, 7, share=1).tolist() == [7, 7, 2]
    assert relabel([1, 1, 2], 1, 7, share=0).tolist() == [1, 1, 2]
    assert relabel(["A", "B"], "A", "elsewhere", share=1).tolist() == ["elsewhere", "B"]
    assert relabel(np.array([None, 3], object), 3, "new", share=1).tolist() == [None, "new"]


@pytest.mark.parametrize(
    ("labels", "source", "target", "share", "message"),
    [
        (["A", "B"], "C", "B", 0.5, "no object has the label 'C'"),
        (["A", "B"], "A", "B", 1.5, "share is 1.5; pass a number from 0 to 1"),
        (["A", "B"], "A", "B", float("nan"), "share is nan"),
        ([0, 1], 0, "B", 0.5, "target is 'B', but labels are of type int64"),
        (["A", "B"], "A", 7, 0.5, "target is 7, but labels are of type <U1"),
        ([0, 1], 0, 0.5, 0.5, "target is 0.5"),
        ([[0, 1]], 0, 1, 0.5, r"labels have shape \(1, 2\)"),
    ],
)
def test_relabel_refuses(labels, source, target, share, message):
    with pytest.raises(InputError, match=message):
        relabel(labels, source, target, share=share)


def test_mixed_columns_keep_their_kinds(fruit):
    data = load_dataset("fruit", fruit)
    assert data.name == "fruit"
    assert data.feature_names == ("weight", "colour")
    assert data.kinds == ("numeric", "nominal")
    assert data.labels.tolist() == ["apple", "pear", "plum, dry"]
    assert data.X.dtype == object
    assert data.X[:, 1].tolist() == ["red", "green", None]
    np.testing.assert_array_equal(data.X[:, 0].astype(float), [0.2, np.nan, 1e-3])


def test_mixed_columns_are_read_as_such_by_the_library(fruit):
    data = load_dataset("fruit", fruit)
    binning = cw.Binning().fit(data.X)
    profile = cw.DensityProfile.from_data(data.X, data.labels, binning=binning)
    assert profile.n == 3


def test_numbers_alone_are_floats_wherever_the_class_column_is(tmp_path):
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


def test_no_folder_is_said(monkeypatch):
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    with pytest.raises(InputError, match=r"'sonar'; pass folder, or set CLUSTERWISE_DATA to .*"):
        load_dataset("sonar")


def test_unknown_sets_and_missing_files_are_said(fruit):
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
def test_damaged_files_are_said(fruit, text, message):
    write(fruit, "fruit", text, FRUIT, rows=3)
    with pytest.raises(InputError, match=message):
        load_dataset("fruit", fruit)


@pytest.mark.parametrize("cut", [5, 15, -9])
def test_cut_files_are_said(fruit, cut):
    file = fruit / "fruit.csv.gz"
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"cannot be read .*; get the file again"):
        load_dataset("fruit", fruit)


def test_other_files_are_said(fruit):
    (fruit / "fruit.csv.gz").write_text(FRUIT_TEXT)
    with pytest.raises(InputError, match="cannot be read"):
        load_dataset("fruit", fruit)
    (fruit / "schema.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        load_dataset("fruit", fruit)


@pytest.mark.skipif(
    FOLDER is None or not (Path(FOLDER) / "schema.json").exists(),
    reason="CLUSTERWISE_DATA names no folder with schema.json",
)
def test_the_papers_data_sets_are_whole():
    schema = json.loads((Path(FOLDER) / "schema.json").read_text())
    for name in ("bupa", "colic", "diabetes", "mushroom", "sequoia", "sonar"):
        data = load_dataset(name)
        n, width = schema[name]["rows"], len(schema[name]["columns"]) - 1
        assert data.X.shape == (n, width)
        names, sizes = np.unique(data.labels, return_counts=True)
        assert dict(zip(names, sizes, strict=True)) == schema[name]["classes"]
        missing = sum(value is None or value != value for value in data.X.ravel().tolist())
        assert missing == schema[name]["missing_cells"]
