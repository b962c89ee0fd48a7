"""``compare --data``: density measures of label columns, with features from files."""

import csv
import io
import json

import pytest

import clusterwise as cw
from helpers.pages import PRINTED

A = [0, 0, 0, 1, 1, 1, 2, 2]
B = ["u", "u", "v", "v", "v", "v", "w", "w"]
C = [1, 2, 1, 2, 1, 2, 1, 2]
X = [0.5, 0.75, 1.5, 4.5, 4.25, 5.5, 9.5, 8.25]
Y = [3, 3, 1, 1, 2, 1, 3, 2]
DENSITY = [measure.name for measure in cw.list_measures() if measure.family == "density"]
ON_DATA = [*DENSITY, "css_distance"]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        (tmp_path / name).write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        return name

    return write_file


@pytest.fixture
def labels(write):
    return write("labels.csv", a=A, b=B)


@pytest.fixture
def features(write):
    return write("features.csv", x=X, y=Y)


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def table(*columns):
    return [list(row) for row in zip(*columns, strict=True)]


def density(a, b, data, **options):
    return {name: getattr(cw, name)(a, b, data, **options) for name in DENSITY}


def found_density(result):
    measures = as_json(result)["measures"]
    return {name: measures[name] for name in DENSITY}


def test_the_density_measures_join_the_others(run, labels, features):
    result = run("compare", labels, "--data", features, "-f", "json")
    measures = as_json(result)["measures"]
    assert list(measures) == [measure.name for measure in cw.list_measures()]
    assert len(DENSITY) >= 3
    assert found_density(result) == density(A, B, table(X, Y))
    plain = as_json(run("compare", labels, "-f", "json"))["measures"]
    assert plain == {name: measures[name] for name in measures if name not in ON_DATA}
    assert result.err == ""


def test_distances_between_centres_join_where_all_features_are_numbers(
    run, labels, features, write
):
    found = as_json(run("compare", labels, "--data", features, "-f", "json"))["measures"]
    assert found["css_distance"] == cw.css_distance(A, B, table(X, Y))
    named = write("named.csv", x=X, colour=["red", "blue"] * 4)
    names = as_json(run("compare", labels, "--data", named, "-f", "json"))["measures"]
    assert list(names) == [name for name in found if name != "css_distance"]
    gaps = write("gaps.csv", x=["", *X[1:]])
    assert "css_distance" not in run("compare", labels, "--data", gaps, "-f", "csv").out


def test_the_table_is_that_of_compare(run, labels, features):
    expected = cw.compare(A, B, table(X, Y), names=("a", "b")).values
    lines = run("compare", labels, "-d", features).out.splitlines()
    shown = {line.split()[0]: line.split()[1] for line in lines if line.startswith("adco_score")}
    assert float(shown["adco_score"]) == pytest.approx(expected["adco_score"], abs=PRINTED)


@pytest.mark.parametrize("method", ["width", "auto", "frequency", "mdl", "nominal"])
@pytest.mark.parametrize("bins", [2, 10])
def test_how_features_are_binned(run, labels, features, method, bins):
    options = ["--binning", method, "--bins", bins, "-f", "json"]
    found = found_density(run("compare", labels, "--data", features, *options))
    expected = density(A, B, table(X, Y), binning=method, n_bins=bins)
    assert found == pytest.approx(expected, rel=1e-12)


def test_many_columns(run, write, features):
    three = write("three.csv", a=A, b=B, c=C)
    columns = {"a": A, "b": B, "c": C}
    options = ["-m", "adco_score", "-m", "rand_score", "-f", "json"]
    found = as_json(run("compare", three, "--data", features, *options))
    assert list(found["measures"]) == ["adco_score", "rand_score"]
    for i, p in enumerate(columns):
        for j, q in enumerate(columns):
            expected = cw.adco_score(columns[p], columns[q], table(X, Y))
            assert found["measures"]["adco_score"][i][j] == pytest.approx(expected, rel=1e-12)


def test_many_columns_get_both_kinds_by_default(run, write, features):
    three = write("three.csv", a=A, b=B, c=C)
    found = as_json(run("compare", three, "--data", features, "-f", "json"))
    assert list(found["measures"]) == ["adjusted_rand_score", "adco_score"]
    alone = as_json(run("compare", three, "-f", "json"))
    assert list(alone["measures"]) == ["adjusted_rand_score"]


def test_csv(run, labels, features):
    options = ["-m", "adco_score", "-m", "adco_distance", "-f", "csv"]
    result = run("compare", labels, "--data", features, *options)
    rows = list(csv.reader(io.StringIO(result.out)))
    score = cw.adco_score(A, B, table(X, Y))
    assert rows[1:] == [
        ["a", "b", "adco_score", str(score)],
        ["a", "b", "adco_distance", str(1 - score)],
    ]


def test_names_and_gaps_are_features_too(run, labels, write):
    colours = ["red", "red", "", "blue", "blue", "NA", "red", "red"]
    gaps = ["0.5", "", "1.5", "4.5", "4.25", "nan", "9.5", "8.25"]
    path = write("mixed.csv", colour=colours, x=gaps)
    found = found_density(run("compare", labels, "--data", path, "-f", "json"))
    names = [None if colour in ("", "NA") else colour for colour in colours]
    numbers = [None if text in ("", "nan") else float(text) for text in gaps]
    assert found == density(A, B, table(names, numbers))


def test_labels_and_features_in_one_file(run, write):
    both = write("both.csv", a=A, b=B, x=X)
    result = run("compare", both, "--data", both, "-f", "json")
    assert found_density(result) == density(A, B, table(X))
    assert result.err == ""


def test_labels_and_features_from_standard_input(run, write, tmp_path):
    both = tmp_path / write("both.csv", a=A, b=B, x=X)
    result = run("compare", "-", "--data", "-", "-f", "json", stdin=both.read_bytes())
    assert found_density(result) == density(A, B, table(X))


def test_without_data_a_note_says_what_it_would_add(run, write):
    both = write("both.csv", a=A, b=B, x=X, z=X)
    result = run("compare", both, "-f", "json")
    assert result.status == 0
    assert result.err.splitlines()[-1] == (
        f"clusterwise: to compare the density profiles of x and z, add --data {both}."
    )
    assert run("compare", both, "-c", "a", "-c", "b").err == ""


def test_compared_columns_and_weights_are_no_features(run, labels, write):
    path = write("all.csv", a=A, b=B, w=[1] * 7 + [2], x=X)
    found = found_density(run("compare", labels, "--data", path, "--features", "x", "-f", "json"))
    assert found == density(A, B, table(X))
    assert found == found_density(
        run("compare", path, "--columns", "a,b", "--data", path, "--features", "x", "-f", "json")
    )
    weighted = run("compare", path, "--columns", "a,b", "--weight", "w", "-d", path, "-f", "json")
    expected = density(A, B, table(X), sample_weight=[1] * 7 + [2])
    assert found_density(weighted) == pytest.approx(expected, rel=1e-12)


def test_labels_keep_their_names_if_the_features_repeat_them(run, labels, write):
    path = write("all.csv", a=A, b=B, x=X)
    found = as_json(run("compare", labels, "--data", path, "-f", "json"))
    assert (found["a"], found["b"]) == ("a", "b")


def test_some_features(run, labels, features):
    found = found_density(run("compare", labels, "-d", features, "--features", "y", "-f", "json"))
    assert found == density(A, B, table(Y))


def test_features_of_several_files(run, labels, write):
    first, second = write("first.csv", x=X), write("second.csv", x=Y)
    result = run("compare", labels, "--data", first, "--data", second, "-f", "json")
    assert found_density(result) == density(A, B, table(X, Y))


def test_rows_are_matched_by_key(run, write):
    ids = [f"p{i}" for i in range(8)]
    labels = write("labels.csv", id=ids, a=A, b=B)
    backwards = write("features.csv", id=[*ids[:0:-1], "q"], x=[*X[:0:-1], 0.0])
    result = run("compare", labels, "--data", backwards, "--key", "id", "-f", "json")
    assert as_json(result)["objects"] == 7
    assert found_density(result) == density(A[1:], B[1:], table(X[1:]))
    assert "7 objects matched by id; not matched: 1 of 8 in labels.csv, 1 of 8" in result.err


def test_a_feature_that_repeats_in_common_rows_only_is_kept(run, write):
    """Rows that are not matched have another value, so the values left would seem unique."""
    ids = [f"p{i}" for i in range(3)]
    labels = write("labels.csv", id=ids, a=[0, 0, 1], b=[0, 1, 1])
    data = write("features.csv", id=["p0", "p1", "p2", "q"], x=["u", "v", "v", "w"])
    result = run("compare", labels, "-d", data, "-k", "id", "-f", "json", "-c", "a", "-c", "b")
    expected = density([0, 0, 1], [0, 1, 1], table(["u", "v", "v"]))
    assert found_density(result) == expected


def test_objects_without_labels_are_dropped_with_their_features(run, write, features):
    gaps = write("gaps.csv", a=["", *A[1:]], b=[*B[:-1], ""])
    result = run("compare", gaps, "--data", features, "--missing", "drop", "-f", "json")
    assert as_json(result)["objects"] == 6
    assert found_density(result) == density(A[1:-1], B[1:-1], table(X[1:-1], Y[1:-1]))


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_noise(run, write, features, noise):
    a = [-1, *A[1:]]
    path = write("noise.csv", a=a, b=B)
    result = run("compare", path, "--data", features, "--noise", noise, "-f", "json")
    expected = cw.compare(a, B, table(X, Y), noise=noise).values
    assert as_json(result)["measures"] == pytest.approx(expected, rel=1e-12)


def test_ids_in_another_order_are_not_lined_up_in_silence(fails, run, write):
    ids = [f"p{i}" for i in range(8)]
    labels = write("labels.csv", id=ids, a=A, b=B)
    shuffled = write("features.csv", id=ids[::-1], x=X[::-1])
    assert "use --key id to match the rows" in fails("compare", labels, "--data", shuffled)
    columns = ["--columns", "a,b"]
    assert "use --key id" in fails("compare", labels, *columns, "--data", shuffled)
    on_purpose = run("compare", labels, *columns, "--data", shuffled, "--features", "x")
    assert on_purpose.status == 0


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"x": X[1:]}, [], "different numbers of rows (labels.csv has 8, data.csv has 7)"),
        ({"x": X}, ["--key", "id"], "has no column 'id' for --key"),
        ({"x": [*X[:-1], "inf"]}, [], "data.csv has inf in column 'x' on line 9"),
        ({"a": A}, [], "data.csv has no features besides the labels"),
        ({"x": X}, ["--features", "z"], "there is no column 'z' for --features"),
        ({"x": X}, ["--bins", "0"], "--bins must be at least 1, not 0"),
        ({"x": X}, ["--data", "nothing.csv"], "there is no file nothing.csv"),
        ({"x": X}, ["--data", "data.csv"], "data.csv is named 2 times"),
    ],
)
def test_what_cannot_be_used(fails, labels, write, columns, options, message):
    data = write("data.csv", **columns)
    assert message in fails("compare", labels, "--data", data, *options)


def test_density_measures_need_data(fails, labels):
    line = fails("compare", labels, "-m", "adco_score")
    assert "adco_score needs features; name their file with --data" in line
    assert "add --data FILE" in fails("compare", labels, "--features", "x")
