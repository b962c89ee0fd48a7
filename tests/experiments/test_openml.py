"""Data sets from OpenML: what comes is checked, converted, and kept whole or not at all."""

import gzip
import hashlib
import json
from pathlib import Path
from urllib.error import URLError
from urllib.request import HTTPSHandler, build_opener, install_opener

import numpy as np
import pytest
from experiments.catalogue import list_experiments
from experiments.common.datasets import cache_folder, find_dataset
from experiments.common.openml import (
    ELSEWHERE,
    SOURCES,
    Columns,
    Source,
    check_columns,
    fetch_dataset,
    read_bunch,
    write_set,
)
from sklearn.utils import Bunch

from clusterwise._utils.errors import InputError
from clusterwise.datasets import load_dataset

pytestmark = pytest.mark.slow

FRUIT = Source("fruit", 7, 4, 2, 2, 2)
ARFF = """\
@relation fruit
@attribute id numeric
@attribute weight real
@attribute 'skin colour' {red,'pale green'}
@attribute class {small,large}
@attribute seeds integer
@attribute kind {apple,pear}
@data
1,0.5,red,large,3,apple
2,?,'pale green',?,2,pear
3,1e-05,?,small,?,pear
4,12,red,small,10,apple
"""


def make_bunch(**changes):
    """What fetch_openml gives for the file above."""
    nan = np.nan
    data = [[0.5, 0, 1, 3], [nan, 1, nan, 2], [1e-5, nan, 0, nan], [12, 0, 0, 10]]
    whole = {
        "data": np.array(data),
        "feature_names": ["weight", "skin colour", "class", "seeds"],
        "categories": {"skin colour": ["red", "pale green"], "class": ["small", "large"]},
        "target": np.array(["apple", "pear", "pear", "apple"], dtype=object),
    }
    return Bunch(**whole | changes)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of scikit-learn's data sets, empty."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    return tmp_path


def keep_arff(home, data_id=7, arff=ARFF, rows=4):
    """Put a set where scikit-learn keeps what it has got from OpenML."""
    names = ["id", "weight", "skin colour", "class", "seeds", "kind"]
    kinds = ["numeric", "numeric", "nominal", "nominal", "numeric", "nominal"]
    features = [
        {
            "index": str(i),
            "name": name,
            "data_type": kind,
            "is_target": "true" if name == "kind" else "false",
            "is_ignore": "false",
            "is_row_identifier": "true" if name == "id" else "false",
            "number_of_missing_values": "0",
        }
        for i, (name, kind) in enumerate(zip(names, kinds, strict=True))
    ]
    about = {
        "id": str(data_id),
        "name": "fruit",
        "version": "1",
        "description": "Fruit.",
        "format": "ARFF",
        "status": "active",
        "file_id": "70",
        "url": "https://www.openml.org/data/v1/download/70/fruit.arff",
        "md5_checksum": hashlib.md5(arff.encode(), usedforsecurity=False).hexdigest(),
    }
    qualities = [{"name": "NumberOfInstances", "value": f"{rows}.0"}]
    files = {
        f"api/v1/json/data/{data_id}": json.dumps({"data_set_description": about}),
        f"api/v1/json/data/features/{data_id}": json.dumps(
            {"data_features": {"feature": features}}
        ),
        f"api/v1/json/data/qualities/{data_id}": json.dumps(
            {"data_qualities": {"quality": qualities}}
        ),
        "data/v1/download/70/fruit.arff": arff,
    }
    for path, text in files.items():
        file = home / "openml" / "openml.org" / f"{path}.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(text.encode()))


def assert_is_fruit(data):
    assert data.feature_names == ("weight", "skin colour", "class_", "seeds")
    assert data.kinds == ("numeric", "nominal", "nominal", "numeric")
    assert data.labels.tolist() == ["apple", "pear", "pear", "apple"]
    assert data.X[0].tolist() == [0.5, "red", "large", 3.0]
    assert np.isnan(data.X[1, 0])
    assert data.X[1, 1:].tolist() == ["pale green", None, 2.0]
    assert data.X[2, :3].tolist() == [1e-5, None, "small"]
    assert np.isnan(data.X[2, 3])


def test_every_set_of_the_experiments_has_an_answer():
    needed = {name for one in list_experiments() for name in one.sets}
    assert needed
    assert needed <= set(SOURCES) | set(ELSEWHERE)
    assert not set(SOURCES) & set(ELSEWHERE)


def test_sources_are_distinct():
    known = [(one.name, one.version) if one.data_id is None else one.data_id
             for one in SOURCES.values()]  # fmt: skip
    assert len(set(known)) == len(SOURCES)


def test_conversion_of_mixed_kinds(tmp_path):
    columns = read_bunch(make_bunch())
    assert columns.features["weight"] == ["0.5", "", "1e-05", "12"]
    assert columns.features["skin colour"] == ["red", "pale green", "", "red"]
    write_set("fruit", check_columns("fruit", columns, FRUIT), tmp_path)
    assert_is_fruit(load_dataset("fruit", tmp_path))


def test_the_class_comes_last_and_missing_values_are_empty(tmp_path):
    write_set("fruit", read_bunch(make_bunch()), tmp_path)
    lines = gzip.decompress((tmp_path / "fruit.csv.gz").read_bytes()).decode().splitlines()
    assert lines[0] == "weight,skin colour,class_,seeds,class"
    assert lines[2] == ",pale green,,2,pear"


def test_values_that_csv_must_quote(tmp_path):
    hard = ['a,b', 'say "x"', "two\nlines", "ü"]  # fmt: skip
    columns = Columns({"x": hard}, {"x": "nominal"}, ["p", "q", "p", "q"])
    write_set("hard", columns, tmp_path)
    assert load_dataset("hard", tmp_path).X[:, 0].tolist() == hard


def test_numeric_labels_become_strings():
    target = np.array([1.0, 2.0, 2.5, np.nan])
    assert read_bunch(make_bunch(target=target)).labels == ["1", "2", "2.5", ""]


@pytest.mark.parametrize(("numeric", "kind"), [(4, "numeric"), (0, "nominal")])
def test_sets_of_one_kind_are_of_that_kind(numeric, kind):
    source = FRUIT._replace(numeric=numeric, nominal=4 - numeric)
    checked = check_columns("fruit", read_bunch(make_bunch()), source)
    assert set(checked.kinds.values()) == {kind}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": 5}, "4 rows, 2 classes and 4 features, 2 of them numeric, in place of 5 rows"),
        ({"nominal": 3}, "in place of 4 rows, 2 classes and 5 features"),
        ({"classes": 3}, "in place of 4 rows, 3 classes"),
        ({"numeric": 1, "nominal": 3}, "2 of them numeric, in place of 4 rows, 2 classes and 4 "
         "features, 1 of them numeric"),
    ],
)  # fmt: skip
def test_another_set_is_refused(change, said):
    with pytest.raises(InputError) as caught:
        check_columns("fruit", read_bunch(make_bunch()), FRUIT._replace(**change))
    assert said in str(caught.value)
    assert "fruit, data id 7" in str(caught.value)
    assert "--data" in str(caught.value)


def test_the_same_set_is_the_same_bytes_and_others_stay(tmp_path):
    columns = read_bunch(make_bunch())
    write_set("fruit", columns, tmp_path)
    before = (tmp_path / "fruit.csv.gz").read_bytes()
    write_set("more", columns, tmp_path)
    write_set("fruit", columns, tmp_path)
    assert (tmp_path / "fruit.csv.gz").read_bytes() == before
    assert load_dataset("more", tmp_path).X.shape == load_dataset("fruit", tmp_path).X.shape
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fruit.csv.gz", "more.csv.gz", "schema.json"
    ]  # fmt: skip


def test_nothing_is_left_of_a_set_that_cannot_be_written(tmp_path, monkeypatch):
    def fill_disk(draft, target):
        if target.name != "schema.json":
            raise OSError(28, "No space left on device")
        rename(draft, target)

    rename = Path.replace
    monkeypatch.setattr(Path, "replace", fill_disk)
    with pytest.raises(InputError, match=r"fruit.csv.gz cannot be written \(the disk is full\)"):
        write_set("fruit", read_bunch(make_bunch()), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["schema.json"]
    with pytest.raises(InputError, match="there is no data set 'fruit'"):
        load_dataset("fruit", tmp_path)


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_set("fruit", read_bunch(make_bunch()), file / "folder")


def test_a_damaged_schema_is_not_overwritten(tmp_path):
    (tmp_path / "schema.json").write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        write_set("fruit", read_bunch(make_bunch()), tmp_path)
    assert (tmp_path / "schema.json").read_text() == "{"


def test_fetched_through_scikit_learn_and_found_again(home, monkeypatch):
    """The real fetch, of files that scikit-learn has in its cache already."""
    monkeypatch.setitem(SOURCES, "fruit", FRUIT)
    keep_arff(home)
    assert_is_fruit(find_dataset("fruit", fetch=True))
    assert (cache_folder() / "fruit.csv.gz").is_file()
    assert cache_folder().parent == home
    (home / "openml" / "openml.org" / "data/v1/download/70/fruit.arff.gz").unlink()
    assert_is_fruit(find_dataset("fruit"))


def test_the_target_can_be_another_column(home, monkeypatch):
    """Of three nominal columns, the two that are features then."""
    monkeypatch.setitem(SOURCES, "fruit", FRUIT._replace(target="skin colour"))
    keep_arff(home, arff=ARFF.replace("3,1e-05,?", "3,1e-05,red"))
    assert find_dataset("fruit", fetch=True).labels.tolist() == ["red", "pale green", "red", "red"]


class Unreachable(HTTPSHandler):
    def https_open(self, req):
        raise URLError("no route to host")


@pytest.fixture
def offline(monkeypatch):
    """No connection, and no pauses between attempts."""
    install_opener(build_opener(Unreachable))
    monkeypatch.setattr("time.sleep", lambda _: None)
    yield
    install_opener(None)


@pytest.mark.filterwarnings("error")
@pytest.mark.usefixtures("offline")
def test_a_damaged_download_is_one_sentence(home, monkeypatch):
    monkeypatch.setitem(SOURCES, "fruit", FRUIT)
    keep_arff(home)
    file = home / "openml" / "openml.org" / "data/v1/download/70/fruit.arff.gz"
    file.write_bytes(gzip.compress(b"nonsense"))
    with pytest.raises(
        InputError, match=r"'fruit' cannot be downloaded from OpenML \(fruit, data id 7: "
    ):
        fetch_dataset("fruit", home / "kept")
    assert not (home / "kept").exists()


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["sonar", "new-thyroid"])
def test_without_a_connection(home, name):
    with pytest.raises(InputError) as caught:
        find_dataset(name, fetch=True)
    message = str(caught.value)
    assert (
        f"the data set '{name}' cannot be downloaded from OpenML ({SOURCES[name].name}, " in message
    )
    assert "no route to host); try again with a connection, or pass its folder" in message
    assert not cache_folder().exists()


@pytest.mark.parametrize("name", ELSEWHERE)
def test_sets_that_openml_lacks_say_where_they_are_from(home, name):
    with pytest.raises(InputError) as caught:
        find_dataset(name, fetch=True)
    assert ELSEWHERE[name] in str(caught.value)
    assert "pass its folder with --data" in str(caught.value)


def test_unknown_sets(home):
    with pytest.raises(InputError, match="unknown data set 'nonsense'; use one of: australian"):
        find_dataset("nonsense", fetch=True)
