"""``again``: input files, and files of labels."""

import json
from pathlib import Path

import pytest

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from helpers.again_files import SCALED, as_json, columns_of, read_labels

COLOURS = ["red", "blue"]


def messy(n=80):
    """Decimal commas, missing values, categories, row numbers, empty and constant columns."""
    data = make_alternatives(n, (2, 2), features=1, random_state=3)
    weights = [str(round(x, 3)).replace(".", ",") for x in data.X[:, 0]]
    colours = [COLOURS[label] for label in data.labels[:, 1]]
    weights[3] = weights[10] = ""
    colours[5] = "NA"
    return data, {
        "row": range(1, n + 1), "class": data.labels[:, 0], "weight": weights, "colour": colours,
        "empty": [""] * n, "same": ["k"] * n,
    }  # fmt: skip


def test_an_irregular_file(run, write):
    data, columns = messy()
    path = write("messy.csv", ";", **columns)
    options = ["-g", "class", "-m", "coala", "-o", "labels.csv", "-f", "json"]
    result = run("again", path, *options)
    found = as_json(result)
    assert (found["features"], found["metric"]) == (["weight", "colour"], "gower")
    assert (found["scaled"], found["quality_measure"]) == (False, "silhouette")
    assert "left out row: every value is different, as in an identifier" in result.err
    assert "left out empty: all values are missing" in result.err
    assert "left out same: it is constant." in result.err
    reason = "because colour is categorical and weight has missing values."
    assert f"Gower's distance is used, {reason}" in result.err
    assert SCALED not in result.err
    written = read_labels("labels.csv")["alternative_1"]
    assert cw.adjusted_rand_score(data.labels[:, 1], written) >= 0.9
    numbers = [float(w.replace(",", ".")) if w else None for w in columns["weight"]]
    names = [None if name == "NA" else name for name in columns["colour"]]
    rows = [list(row) for row in zip(numbers, names, strict=True)]
    (expected,) = cw.cluster_again(
        rows, data.labels[:, 0], "coala", metric="gower", quality="silhouette"
    )
    assert written == [str(label) for label in expected.labels]
    assert found["alternatives"][0]["dq"] == pytest.approx(expected.dq, rel=1e-9)


def test_a_constant_with_missing_values_does_not_decide_the_metric(run, write, planted):
    gaps = ["", *["5"] * (len(planted.X) - 1)]
    path = write("gaps.csv", c1=planted.labels[:, 0], **columns_of(planted), g=gaps)
    assert as_json(run("again", path, "-g", "c1", "-f", "json"))["metric"] == "euclidean"


def test_rows_of_several_files_are_matched_by_key_and_keep_it(run, write, planted):
    names = [f"p{i}" for i in range(160)]
    features = write("features.csv", id=names, **columns_of(planted))
    labels = write("labels.csv", id=[*names[:0:-1], "q"], c1=[*planted.labels[:0:-1, 0], 0])
    result = run("again", features, labels, "-g", "c1", "--key", "id", "-n", "1", "-o", "out.csv")
    assert result.status == 0
    written = read_labels("out.csv")
    assert list(written) == ["id", "c1", "alternative_1"]
    assert (written["id"], written["c1"]) == (names[1:], planted.labels[1:, 0].astype(str).tolist())


def test_dropped_objects_have_no_alternative(run, write, planted):
    given = ["", *planted.labels[1:, 0]]
    path = write("gaps.csv", c1=given, **columns_of(planted))
    options = ["-m", "orthogonal", "--missing", "drop", "-o", "out.csv"]
    assert run("again", path, "-g", "c1", *options).status == 0
    first, *others = read_labels("out.csv")["alternative_1"]
    assert first == ""
    assert set(others) == {"0", "1"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["class", "data.class"])
def test_the_output_can_be_given_again(run, data, planted, name):
    """The output repeats the class, which is not a second given clustering or a feature."""
    run("again", data, "-g", "class", "--key", "id", "-n", "1", "-o", "first.csv")
    options = ["-g", name, "-g", "alternative_1", "--key", "id", "-n", "1", "-f", "json"]
    found = as_json(run("again", data, "first.csv", *options, "-o", "second.csv"))
    assert found["features"] == list(planted.feature_names)
    written = read_labels("second.csv")
    assert list(written) == ["id", "data.class", "alternative_1", "alternative_2"]
    assert written["alternative_1"] == read_labels("first.csv")["alternative_1"]
    known = [written["data.class"], written["alternative_1"]]
    assert max(cw.adjusted_rand_score(one, written["alternative_2"]) for one in known) < 0.1


@pytest.mark.slow
def test_objects_without_a_given_label(fails, run, write, planted):
    classes = ["", *planted.labels[1:, 0]]
    path = write("gaps.csv", c1=classes, **columns_of(planted))
    assert "gaps.csv has no value in column 'c1' on line 2" in fails("again", path, "-g", "c1")
    dropped = run("again", path, "-g", "c1", "--missing", "drop", "-o", "out.csv", "-f", "json")
    assert as_json(dropped)["objects"] == 159
    written = read_labels("out.csv")
    assert (written["c1"][0], written["alternative_1"][0]) == ("", "")
    assert set(written["alternative_1"][1:]) == {"0", "1"}
    labelled = run("again", path, "-g", "c1", "--missing", "label", "-o", "out.csv", "-f", "json")
    assert as_json(labelled)["given"][0]["sizes"] == [80, 79, 1]
    assert read_labels("out.csv")["c1"][0] == "(missing)"


@pytest.mark.slow
def test_labels_as_tsv_and_json_lines(run, data):
    run("again", data, "-g", "class", "-o", "labels.csv")
    expected = read_labels("labels.csv")
    run("again", data, "-g", "class", "-o", "labels.tsv")
    assert read_labels("labels.tsv", "\t") == expected
    run("again", data, "-g", "class", "-o", "labels.jsonl")
    lines = [json.loads(line) for line in Path("labels.jsonl").read_text().splitlines()]
    assert [line["class"] for line in lines] == expected["class"]
    assert [str(line["alternative_1"]) for line in lines] == expected["alternative_1"]


@pytest.mark.slow
def test_standard_input(run, data, tmp_path):
    piped = run("again", "-", "-g", "class", stdin=(tmp_path / data).read_bytes())
    assert piped.out == run("again", data, "-g", "class").out


@pytest.mark.slow
def test_noise_of_the_given_clustering(run, fails, write, planted):
    given = [-1, -1, *planted.labels[2:, 0].tolist()]
    path = write("noise.csv", c1=given, **columns_of(planted))
    kept = as_json(run("again", path, "-g", "c1", "-f", "json"))
    assert (kept["objects"], len(kept["given"][0]["sizes"])) == (160, 3)
    result = run("again", path, "-g", "c1", "--noise", "drop", "-o", "out.csv", "-f", "json")
    dropped = as_json(result)
    assert "2 of 160 objects dropped: they are noise." in result.err
    assert (dropped["objects"], len(dropped["given"][0]["sizes"])) == (158, 2)
    written = read_labels("out.csv")
    assert (written["c1"][:2], written["alternative_1"][:2]) == (["-1", "-1"], ["", ""])
    assert set(written["alternative_1"][2:]) == {"0", "1"}
    line = fails("again", path, "-g", "c1", "--noise", "singletons")
    assert "--noise singletons would make every noise object a given cluster" in line
    unused = run("again", path, "-g", "c1", "--noise", "drop", "--noise-label", "9")
    assert "no object is labelled 9, so --noise drop has no effect." in unused.err


def test_infinite_numbers_are_null_in_json(run, write):
    path = write("equal.csv", x=[0, 0, 0, 5, 5, 5], y=list("abaaba"))
    result = run("again", path, "-g", "y", "--omega", "inf", "-f", "json")

    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    (found,) = json.loads(result.out, parse_constant=refuse)["alternatives"]
    assert found["quality"] is None
    assert found["parameters"]["omega"] is None


def test_a_column_of_rounding_errors_is_left_out(run, write):
    data = make_alternatives(40, (2, 2), features=1, random_state=3)
    noise = 1 + 2.0**-52 * data.labels[:, 1]  # which scaling would make the clearest feature
    columns = {"class": data.labels[:, 0], "a": data.X[:, 0], "b": data.X[:, 1], "noise": noise}
    path = write(
        "noise.csv",
        ",",
        **{name: map(repr, map(float, values)) for name, values in columns.items()},
    )
    result = run("again", path, "-g", "class", "-m", "orthogonal", "-f", "json")
    assert as_json(result)["features"] == ["a", "b"]
    assert (
        "clusterwise: left out noise: it varies by rounding errors only; subtract an offset or "
        "scale it first if that is wrong.\n"
    ) in result.err
