"""Files for the command ``again``."""

import pytest

from clusterwise.datasets import make_alternatives
from helpers.again_files import columns_of


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, separator=",", **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        (tmp_path / name).write_text("".join(separator.join(map(str, row)) + "\n" for row in rows))
        return name

    return write_file


@pytest.fixture(scope="module")
def planted():
    """Three independent clusterings, each of two clusters in one feature."""
    return make_alternatives(160, (2, 2, 2), features=1, random_state=0)


@pytest.fixture
def data(write, planted):
    """Ids, the first clustering, the features, and a constant."""
    names = [f"p{i}" for i in range(len(planted.X))]
    classes = ["ab"[label] for label in planted.labels[:, 0]]
    fields = {"id": names, "class": classes, **columns_of(planted), "constant": [7] * len(names)}
    return write("data.csv", **fields)


@pytest.fixture
def things(write):
    """Categorical features: grouped by colour, with shape as the alternative."""
    colours, shapes = ["red", "red", "blue", "blue"] * 5, ["round", "square"] * 10
    return write("things.csv", kind=[c[0] for c in colours], colour=colours, shape=shapes)
