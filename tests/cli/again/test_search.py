"""``again``: which alternatives are found, by which method, metric and quality."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from helpers.again_files import SCALED, as_json, columns_of, read_labels, standardised


def test_the_other_planted_clusterings_are_found(run, data, planted):
    result = run("again", data, "--given", "class", "-n", "2", "--output", "labels.csv")
    assert result.status == 0
    written = read_labels("labels.csv")
    assert list(written) == ["id", "class", "alternative_1", "alternative_2"]
    assert written["class"] == ["ab"[label] for label in planted.labels[:, 0]]
    for i in (1, 2):
        scores = [
            cw.adjusted_rand_score(planted.labels[:, i], written[name])
            for name in ("alternative_1", "alternative_2")
        ]
        assert max(scores) >= 0.95


def test_by_default_several_methods_are_tried(run, data, planted):
    result = run("again", data, "-g", "class", "-f", "json", "-o", "labels.csv")
    found = as_json(result)
    assert (found["method"], found["quality_measure"]) == ("auto", "canonical")
    assert found["dissimilarity_measure"] == "adjusted_mutual_info_score"
    best = read_labels("labels.csv")["alternative_1"]
    assert max(cw.adjusted_rand_score(one, best) for one in planted.labels[:, 1:].T) >= 0.95
    shown = run("again", data, "-g", "class").out
    assert f"by {found['alternatives'][0]['method']}" in shown.splitlines()[3]
    assert "dissimilarity is 1 - the adjusted mutual information" in shown


def test_permuted_data_are_searched_too(run, write):
    planted = make_alternatives(120, (2, 2), features=2, random_state=0)
    name = write("two.csv", **{"class": planted.labels[:, 0]}, **columns_of(planted))
    result = run("again", name, "-g", "class", "-n", "1", "--permutations", "2", "-f", "json")
    (found,) = as_json(result)["alternatives"]
    assert found["better_than"] == [2, 2]
    summary = " ".join(as_json(result)["summary"])
    assert "There is more evidence than in 2 of 2 permuted data sets." in summary


def test_the_budget_limits_the_search(run, data):
    result = run("again", data, "-g", "class", "--budget", "0", "-f", "json")
    assert "there was no time to search again" in result.err
    found, *_ = as_json(result)["alternatives"]
    assert (found["stability"], found["found_again"]) == (None, None)


@pytest.mark.parametrize(
    "method", ["cib", "condens", "metaclusterer", "mincentropy", "naive", "orthogonal"]
)
def test_every_method_has_its_name(run, data, method):
    result = run("again", data, "-g", "class", "-m", method, "-f", "json")
    (found,) = as_json(result)["alternatives"]
    assert method in found["method"].lower()
    assert found["adjusted_rand_score"]["class"] < 0.1


def test_maximus_finds_them_too(run, data, planted):
    result = run("again", data, "-g", "class", "-m", "maximus", "-n", "2", "-o", "labels.csv")
    assert result.status == 0
    assert SCALED in result.err
    written = read_labels("labels.csv")
    found = [written["alternative_1"], written["alternative_2"]]
    for i in (1, 2):
        assert max(cw.adjusted_rand_score(planted.labels[:, i], one) for one in found) >= 0.95


def test_the_tolerance_of_maximus_is_passed_on(run, data):
    result = run("again", data, "-g", "class", "-m", "maximus", "--tolerance", "0.5", "-f", "json")
    (found,) = as_json(result)["alternatives"]
    assert (found["method"], found["parameters"]["tolerance"]) == ("MAXIMUS", 0.5)


@pytest.mark.parametrize("method", ["maximus", "naive"])
def test_categories_are_encoded_and_missing_values_imputed(run, write, method):
    """Colours are given; shapes and weights imply the alternative, and one weight is missing."""
    colours, shapes = ["red", "red", "blue", "blue"] * 10, ["round", "square"] * 20
    weights = [1 + i % 3 + 90 * (shape == "square") for i, shape in enumerate(shapes)]
    columns = {"kind": [c[0] for c in colours], "shape": shapes, "weight": ["", *weights[1:]]}
    path = write("things.csv", **columns, shade=["dark", "light"] * 20)
    result = run("again", path, "-g", "kind", "-m", method, "-f", "json", "-o", "labels.csv")
    assert result.status == 0
    assert "shape and shade are one-hot encoded" in result.err
    assert "missing values of weight are replaced by the mean" in result.err
    assert cw.adjusted_rand_score(shapes, read_labels("labels.csv")["alternative_1"]) == 1.0
    assert as_json(result)["scaled"] is True


def test_missing_values_are_imputed(run, write, planted):
    columns = columns_of(planted)
    name = next(iter(columns))
    columns[name] = ["", *list(columns[name])[1:]]
    path = write("gaps.csv", c1=planted.labels[:, 0], **columns)
    result = run("again", path, "-g", "c1", "-m", "maximus", "--no-scale", "-f", "json")
    assert as_json(result)["scaled"] is False
    assert f"missing values of {name} are replaced by the mean" in result.err


def test_several_given_leave_the_last_one(run, write, planted):
    c1, c2, c3 = planted.labels.T
    path = write("two.csv", c1=c1, c2=c2, **columns_of(planted))
    result = run("again", path, "-g", "c1", "-g", "c2", "-o", "labels.csv", "-f", "json")
    (found,) = as_json(result)["alternatives"]
    assert next(iter(found["separation"])) == "c3_1"
    assert set(found["adjusted_rand_score"]) == {"c1", "c2"}
    written = read_labels("labels.csv")
    assert list(written) == ["c1", "c2", "alternative_1"]
    assert cw.adjusted_rand_score(c3, written["alternative_1"]) >= 0.95


def test_features_are_chosen_and_left_unscaled(run, write, planted):
    """Without scaling, the feature with the largest unit decides."""
    X = planted.X * [1, 1, 1000]
    path = write("units.csv", c1=planted.labels[:, 0], x=X[:, 0], y=X[:, 1], z=X[:, 2])
    options = ["again", path, "-g", "c1", "--omega", "0", "-f", "json"]
    result = run(*options, "--no-scale", "--features", "x,z")
    found = as_json(result)
    assert (found["scaled"], found["features"]) == (False, ["x", "z"])
    assert SCALED not in result.err
    expected = cw.cluster_again(X[:, [0, 2]], planted.labels[:, 0], "coala", omega=0.0, scale=False)
    assert found["alternatives"][0]["dq"] == pytest.approx(expected[0].dq, rel=1e-9)
    scaled = as_json(run(*options, "--scale", "--features", "x,z"))
    assert scaled["alternatives"][0]["quality"] != found["alternatives"][0]["quality"]


@pytest.mark.parametrize("method", ["coala", "coalacat"])
def test_categorical_features_only(run, things, method):
    options = ["again", things, "-g", "kind", "-m", method, "--omega", "0.3", "-f", "json"]
    result = run(*options, "-o", "labels.csv")
    (found,) = as_json(result)["alternatives"]
    assert next(iter(found["separation"].items())) == ("shape", pytest.approx(1.0))
    assert ("Gower" in result.err) == (method == "coala")
    quality = "silhouette" if method == "coala" else "entropy"
    assert as_json(result)["quality_measure"] == quality
    assert read_labels("labels.csv")["alternative_1"] == ["0", "1"] * 10


def test_coalacat_notes_that_numbers_are_categories(run, data):
    err = run("again", data, "-g", "class", "-m", "coalacat").err
    assert "--method coalacat takes each of the 160 values of c1_1 as a category" in err
    assert SCALED not in err


@pytest.mark.slow
def test_without_given_a_first_clustering_is_computed(run, write, planted):
    path = write("plain.csv", **columns_of(planted))
    result = run("again", path, "--n-clusters", "2", "-n", "1", "-o", "labels.csv", "-f", "json")
    found = as_json(result)
    assert found["made_first"]
    assert "no clustering is given, so first is computed by k-means (2 clusters)." in (result.err)
    written = read_labels("labels.csv")
    assert list(written) == ["first", "alternative_1"]
    assert written == read_again(run, path)
    (one,) = found["alternatives"]
    rand = cw.adjusted_rand_score(written["first"], written["alternative_1"])
    assert one["adjusted_rand_score"] == {"first": pytest.approx(rand)}


def read_again(run, path):
    """The same command gives the same result, because the seed is fixed."""
    run("again", path, "--n-clusters", "2", "-n", "1", "-o", "second.csv")
    return read_labels("second.csv")


@pytest.mark.parametrize(
    ("method", "how"),
    [("coala", "average linkage"), ("coalacat", "entropy linkage")],
)
def test_a_first_clustering_of_categorical_features(run, things, method, how):
    result = run("again", things, "-m", method, "--features", "colour,shape", "-f", "json")
    assert as_json(result)["given"][0]["name"] == "first"
    assert f"so first is computed by {how} (2 clusters)." in result.err


@pytest.fixture
def outlier(write):
    """Two groups, and an outlier that linkage makes a cluster."""
    x = [*np.linspace(0, 1, 30), *np.linspace(9, 10, 30), 60]
    y = [*np.linspace(0, 1, 15), *np.linspace(6, 7, 15)] * 2
    return write("outlier.csv", side=[0] * 30 + [1] * 31, x=x, y=[*y, 60])


@pytest.mark.slow
def test_singletons_are_clusters_only_on_request(run, outlier):
    search = ("again", outlier, "-g", "side", "-m", "maximus", "-f", "json")
    guarded = as_json(run(*search))["alternatives"][0]
    assert (guarded["degenerate"], min(guarded["sizes"]) > 1) == (False, True)
    for option in (["--as-published"], ["--min-cluster-size", "0"]):
        result = run("again", outlier, "-g", "side", "-m", "coala", *option)
        row = next(line for line in result.out.splitlines() if line.startswith("alternative_1"))
        assert ("60, 1" in row, row.split()[-1]) == (True, "degenerate")
        assert (
            "Found one alternative, but it is degenerate: nearly all objects are in one cluster "
            "(60, 1)."
        ) in result.out
    sized = as_json(run(*search, "--min-cluster-size", "0.3"))
    assert min(sized["alternatives"][0]["sizes"]) >= 0.3 * 61


def test_fewer_alternatives_than_requested_are_noted(run, write):
    square = make_alternatives(40, (2, 2), features=1, random_state=0)
    path = write("square.csv", c1=square.labels[:, 0], **columns_of(square))
    result = run("again", path, "-g", "c1", "-m", "coala", "-n", "9", "-f", "json")
    found = as_json(result)["alternatives"]
    assert f"COALA stopped after {len(found)} of 9 alternatives" in result.err
    assert len(found) < 9


def test_naive_chooses_its_run_by_the_chosen_quality(run, data, planted):
    options = [
        "again",
        data,
        "-g",
        "class",
        "-m",
        "naive",
        "--n-clusters",
        "5",
        "--seed",
        "4",
        "-f",
        "json",
    ]
    (one,) = as_json(run(*options, "--quality", "silhouette"))["alternatives"]
    X, given = standardised(planted.X), planted.labels[:, 0]
    by_silhouette, by_dunn = (
        cw.NaiveAlternative(5, quality=quality, random_state=4).fit(X, given).labels_
        for quality in ("silhouette", "dunn")
    )
    assert not np.array_equal(by_silhouette, by_dunn)
    expected = cw.dq_parts(X, given, by_silhouette, quality="silhouette")
    assert (one["quality"], one["dq"]) == pytest.approx((expected.quality, expected.dq))


@pytest.mark.parametrize("scale", [[], ["--scale"]])
def test_other_metrics_scale_on_request(run, data, planted, scale):
    """Cosine distance depends on where 0 is, so features are scaled on request only."""
    options = ["again", data, "-g", "class", "--metric", "cosine", "-f", "json", *scale]
    found = as_json(run(*options))
    assert (found["metric"], found["scaled"]) == ("cosine", bool(scale))
    X = standardised(planted.X) if scale else planted.X
    (expected,) = cw.cluster_again(X, planted.labels[:, 0], "coala", metric="cosine")
    (one,) = found["alternatives"]
    assert (one["quality"], one["dq"]) == pytest.approx((expected.quality, expected.dq))


def test_prototypes(run, data, planted):
    found = as_json(run("again", data, "-g", "class", "--prototypes", "40", "-f", "json"))
    assert found["alternatives"][0]["parameters"]["prototypes"] == 40
    assert next(iter(found["alternatives"][0]["separation"].values())) > 0.9


def test_very_many_objects_use_prototypes(run, write):
    many = make_alternatives(10_001, (2, 2), features=1, random_state=0)
    path = write("many.csv", c1=many.labels[:, 0], **columns_of(many))
    result = run("again", path, "-g", "c1", "-m", "coala", "-f", "json")
    found = as_json(result)
    assert found["quality_measure"] == "dunn_centroids"
    assert found["alternatives"][0]["parameters"]["prototypes"] == 1000
    assert "the 10001 objects are represented by 1000 centroids; see --prototypes." in result.err
    assert next(iter(found["alternatives"][0]["separation"])) == "c2_1"


def test_no_prototypes(run, data):
    found = as_json(run("again", data, "-g", "class", "--prototypes", "0", "-f", "json"))
    assert found == as_json(run("again", data, "-g", "class", "-m", "coala", "-f", "json"))
    assert found["alternatives"][0]["parameters"]["prototypes"] is None


def test_objects_without_label_are_left_out_where_there_is_no_noise(run, write):
    labels = ["a", "", "b", *"ab" * 12]
    X = [i % 7 + 10 * (i % 2) for i in range(27)]
    write("holes.csv", kind=labels, x=X, y=[i * i % 11 for i in range(27)])
    options = ("--noise", "drop", "--missing", "drop", "-m", "naive", "-o", "labels.csv")
    result = run("again", "holes.csv", "--given", "kind", *options)
    assert result.status == 0, result.err
    written = read_labels("labels.csv")
    assert len(written["alternative_1"]) in (26, 27)
    assert "1 of 27 objects" in result.err


@pytest.mark.parametrize(("passed", "size"), [([], 8), (["--min-cluster-size", "30"], 30)])
@pytest.mark.parametrize("method", ["coala", "maximus", "mincentropy"])
def test_the_smallest_size_reaches_the_method(run, data, method, passed, size):
    options = ("-m", method, "-f", "json", *passed)
    (found,) = as_json(run("again", data, "-g", "class", *options))["alternatives"]
    assert found["parameters"]["min_cluster_size"] == size
    assert min(found["sizes"]) >= size
