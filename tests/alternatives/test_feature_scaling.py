"""Scaling of features: the same rule in the function and the command, and units do not matter."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.cli.app import run as run_command
from clusterwise.datasets import make_alternatives, make_mixed_alternatives
from clusterwise.inputs.features import read_features
from clusterwise.inputs.points import standardise

DATA = make_alternatives(60, (2, 2), separation=5, extra_features=1, random_state=0)
GIVEN = DATA.labels[:, 0]
UNITS = 10.0 ** np.array([-3, 2, 0, 3, -1])
NUMERIC = ["auto", "cib", "coala", "condens", "maximus", "mincentropy", "naive", "orthogonal"]


def search(X, method="auto", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return cw.cluster_again(X, GIVEN, method, random_state=0, progress=False, **options)


@pytest.mark.parametrize("method", NUMERIC)
def test_units_do_not_matter(method):
    one, other = search(DATA.X, method), search(DATA.X * UNITS, method)
    assert one.scaling == other.scaling == "standard"
    assert [found.labels.tolist() for found in one] == [found.labels.tolist() for found in other]
    assert [found.dq for found in one] == pytest.approx([found.dq for found in other])
    assert one.summary().endswith(" Features were scaled to unit variance.")


@given(st.lists(st.integers(-3, 3), min_size=5, max_size=5), st.integers(-5, 5))
def test_random_units_and_offsets_do_not_matter(exponents, offset):
    X = DATA.X * 10.0 ** np.array(exponents) + offset
    assert (search(X, "coala")[0].labels == search(DATA.X, "coala")[0].labels).all()


def test_without_scaling_they_do():
    plain = search(DATA.X, "coala", scale=False)
    assert plain.scaling == "none"
    assert plain.summary().endswith(" Features were not scaled.")
    assert plain.parameters["scale"] is False
    in_units = search(DATA.X * UNITS, "coala", scale=False)
    assert (plain[0].labels != in_units[0].labels).any()


@pytest.mark.parametrize("method", ["coala", "maximus", "orthogonal"])
def test_without_scaling_it_is_what_the_estimator_finds(method):
    models = {"coala": cw.COALA, "maximus": cw.MAXIMUS, "orthogonal": cw.OrthogonalAlternative}
    model = models[method]()
    if method != "coala":
        model.set_params(random_state=0)
    for found in (search(DATA.X, model, scale=False), search(DATA.X, method, scale=False)):
        parameters = found[0].parameters
        expected = models[method](**parameters).fit(DATA.X, GIVEN)
        assert (found[0].labels == expected.labels_).all()


def test_scores_are_those_of_the_scaled_features():
    found = search(DATA.X * UNITS, "coala")
    scaled = (DATA.X - DATA.X.mean(axis=0)) / DATA.X.std(axis=0)
    assert found[0].quality == pytest.approx(cw.dunn_score(scaled, found[0].labels), abs=1e-7)
    seen = []
    search(DATA.X * UNITS, "coala", quality=lambda X, labels: seen.append(X) or 0.5)
    assert np.asarray(seen[0]) == pytest.approx(scaled, abs=1e-8)


@pytest.mark.parametrize(
    ("metric", "scale", "scaling"),
    [
        ("euclidean", None, "standard"),
        ("cityblock", None, "standard"),
        ("cosine", None, "none"),
        ("cosine", True, "standard"),
        ("gower", None, None),
        ("gower", True, None),
    ],
)
def test_metrics_that_depend_on_units_are_scaled(metric, scale, scaling):
    found = search(DATA.X, "coala", metric=metric, scale=scale, quality="silhouette")
    assert found.scaling == scaling
    assert ("scaled" in found.summary()) == (scaling is not None)


def test_distances_and_categories_are_not_scaled():
    distances = np.abs(DATA.X[:, :1] - DATA.X[:, :1].T)
    assert search(distances, "coala", metric="precomputed", scale=True).scaling is None
    rows = search(np.abs(DATA.X), "cib", relation="rows", scale=True)
    expected = search(np.abs(DATA.X), "cib", relation="rows", scale=False)
    assert rows.scaling is None
    assert (rows[0].labels == expected[0].labels).all()
    few = (DATA.X > 0).astype(int)
    scaled, plain = search(few, "coalacat", scale=True), search(few, "coalacat", scale=False)
    assert scaled.scaling is plain.scaling is None
    assert (scaled[0].labels == plain[0].labels).all()


def test_numbers_beside_categories_are_always_scaled():
    mixed = make_mixed_alternatives(60, features=1, random_state=0)
    X = pd.DataFrame(mixed.X).infer_objects()
    X.columns = list("abcd")
    found = [
        cw.cluster_again(X, mixed.labels[:, 0], random_state=0, progress=False, scale=scale)
        for scale in (None, False)
    ]
    assert found[0].scaling == found[1].scaling == "mixed"
    assert (found[0][0].labels == found[1][0].labels).all()
    assert (
        found[0]
        .summary()
        .endswith(" Numeric features were scaled to unit variance, and categories one-hot encoded.")
    )


def test_missing_values_stay_missing_and_constants_are_zero():
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0, 5.0], "b": [7.0] * 4})
    scaled = standardise(read_features(X))
    filled = np.array([1.0, 3.0, 3.0, 5.0])
    expected = (filled - filled.mean()) / filled.std()
    assert np.isnan(scaled[1, 0])
    assert scaled[[0, 2, 3], 0] == pytest.approx(expected[[0, 2, 3]])
    assert (scaled[:, 1] == 0).all()
    holes = DATA.X.copy()
    holes[0, 0] = np.nan
    one, other = search(holes, "maximus"), search(holes * UNITS, "maximus")
    assert (one[0].labels == other[0].labels).all()


@pytest.mark.parametrize("method", ["auto", "coala", "maximus", "condens"])
@pytest.mark.parametrize("scale", [None, False])
def test_function_and_command_find_the_same(method, scale, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    X = pd.DataFrame(DATA.X * UNITS, columns=list("abcde"))
    X.assign(known=GIVEN).to_csv("data.csv", index=False)
    options = ["--no-scale"] if scale is False else []
    command = ["again", "data.csv", "-g", "known", "-m", method, "-o", "labels.csv", "-f", "json"]
    assert run_command([*command, *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = search(X, method, scale=scale)
    written = pd.read_csv("labels.csv")
    for i, one in enumerate(found):
        assert (written[f"alternative_{i + 1}"] == one.labels).all()
        assert printed["alternatives"][i]["dq"] == pytest.approx(one.dq)
    assert found.sentences()[-1] in printed["summary"]
    assert printed["scaled"] == (scale is None)
