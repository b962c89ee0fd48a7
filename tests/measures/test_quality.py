"""Qualities by name against scikit-learn, and those of categorical data by their definition."""

import inspect
import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, strategies as st
from scipy.spatial.distance import cdist

import clusterwise as cw
from clusterwise.measures.internal import entropy_quality_score
from clusterwise.measures.quality import QUALITIES, find_quality, quality_score
from reference import internal as naive


def random_case():
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 3)), rng.integers(0, 5, 60)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, 1], "labels has 2 labels, but X has 3 objects"),
        ([[0.5, 0.5], [1, 0], [0, 1]], "soft membership matrix"),
        ([0, None, 1], "no label at position 1"),
    ],
)
@pytest.mark.parametrize("quality", QUALITIES)
def test_labels_that_are_refused(quality, labels, words):
    with pytest.raises(cw.InputError, match=words):
        quality_score([[0.0], [1.0], [5.0]], labels, quality)


def test_qualities_are_scikit_learns():
    X, labels = random_case()
    found = {name: quality_score(X, labels, name) for name in QUALITIES}
    assert found["dunn"] == naive.dunn(X, labels)
    wanted = naive.dunn(X, labels, "centroid", "centroid")
    assert found["dunn_centroids"] == pytest.approx(wanted)
    assert found["silhouette"] == pytest.approx(sklearn.metrics.silhouette_score(X, labels))
    wanted = sklearn.metrics.calinski_harabasz_score(X, labels)
    assert found["calinski_harabasz"] == pytest.approx(wanted)
    wanted = sklearn.metrics.davies_bouldin_score(X, labels)
    assert found["davies_bouldin"] == pytest.approx(wanted)
    assert found["entropy"] == entropy_quality_score(X, labels)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "gower", "precomputed"])
@pytest.mark.parametrize("name", [name for name in QUALITIES if name != "entropy"])
def test_metrics_that_qualities_are_defined_for(name, metric):
    X, labels = random_case()
    X = cdist(X, X) if metric == "precomputed" else X
    if find_quality(name).allows(metric):
        assert np.isfinite(quality_score(X, labels, name, metric=metric))
    else:
        with pytest.raises(cw.InputError, match="centroids"):
            quality_score(X, labels, name, metric=metric)


@pytest.mark.parametrize("metric", ["cityblock", "cosine"])
def test_silhouettes_by_other_metrics(metric):
    X, labels = random_case()
    wanted = sklearn.metrics.silhouette_score(X, labels, metric=metric)
    assert quality_score(X, labels, "silhouette", metric=metric) == pytest.approx(wanted)
    ready = cdist(X, X, metric)
    np.fill_diagonal(ready, 0)
    found = quality_score((ready + ready.T) / 2, labels, "silhouette", metric="precomputed")
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("quality", QUALITIES.values(), ids=lambda quality: quality.name)
def test_directions_and_merits(quality):
    X = np.repeat([[0.0], [1.0], [5.0], [6.0]], 3, axis=0)
    good = quality.function(X, [0] * 6 + [1] * 6)
    bad = quality.function(X, [0, 1] * 6)
    assert (good > bad) == quality.higher_is_better
    assert good != bad
    assert quality.merit(good) > quality.merit(bad) >= 0


def test_merits_have_the_ends_that_they_should():
    assert [QUALITIES["silhouette"].merit(end) for end in (-1, 1)] == [0, 1]
    assert [QUALITIES["davies_bouldin"].merit(end) for end in (math.inf, 0)] == [0, 1]
    assert QUALITIES["dunn"].merit(2.5) == 2.5


@pytest.mark.parametrize(
    ("quality", "value"),
    [("silhouette", 0), ("calinski_harabasz", 0), ("davies_bouldin", math.inf)],
)
def test_qualities_of_clusterings_that_say_nothing(quality, value):
    X = [[0.0], [1.0], [5.0]]
    assert quality_score(X, [0, 0, 0], quality) == value
    assert quality_score(X, [0, 1, 2], quality) == value
    assert quality_score(X, [0, 0, 1], quality) != value
    assert quality_score([*X, [7.0]], [0, 0, 1, -1], quality, noise="drop") == quality_score(
        X, [0, 0, 1], quality
    )


@pytest.mark.parametrize("quality", ["calinski_harabasz", "davies_bouldin"])
@pytest.mark.parametrize("metric", ["cityblock", "gower"])
def test_qualities_of_centroids_know_one_metric(quality, metric):
    with pytest.raises(cw.InputError, match=f"{quality}.*not by metric='{metric}'"):
        quality_score([[0.0], [1.0], [5.0]], [0, 0, 1], quality, metric=metric)


def test_unknown_qualities_get_a_suggestion():
    assert find_quality("dunn") is QUALITIES["dunn"]
    with pytest.raises(
        cw.InputError, match="unknown quality 'siluette'; did you mean 'silhouette'"
    ):
        quality_score([[0.0]], [0], "siluette")
    with pytest.raises(cw.InputError, match="use one of dunn, dunn_centroids, silhouette"):
        find_quality("zzz")


CATEGORIES = st.tuples(
    st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y", "z"]), st.sampled_from([1, 2])
)


@st.composite
def categorised(draw):
    rows = draw(st.lists(CATEGORIES, min_size=1, max_size=12))
    labels = draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    return rows, labels


@pytest.mark.parametrize("missing", ["category", "ignore"])
@given(case=categorised())
def test_entropy_quality_by_its_definition(missing, case):
    rows, labels = case
    found = entropy_quality_score(rows, labels, missing_values=missing)
    assert 0 <= found <= 1
    assert found == pytest.approx(naive.entropy_quality(rows, labels, missing), abs=1e-12)


@pytest.mark.parametrize("missing", ["category", "ignore"])
@given(case=categorised(), data=st.data())
def test_entropy_quality_never_falls_where_clusters_are_divided(missing, case, data):
    rows, labels = case
    parts = data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    finer = [2 * label + part for label, part in zip(labels, parts, strict=True)]
    coarse = entropy_quality_score(rows, labels, missing_values=missing)
    assert entropy_quality_score(rows, finer, missing_values=missing) >= coarse - 1e-12


def test_entropy_quality_of_clusterings_that_say_little():
    rows = [["a", "x"], ["a", "y"], ["b", "x"], [None, "y"]]
    assert entropy_quality_score(rows, [0, 0, 0, 0]) == 0
    assert entropy_quality_score(rows, [0, 1, 2, 3]) == 1
    assert entropy_quality_score([["a"], ["a"]], [0, 0]) == 1
    assert entropy_quality_score([[None], [None]], [0, 1], missing_values="ignore") == 1


def test_noise_and_names_of_entropy_quality():
    rows, labels = [["a", 1], ["b", 1], ["a", 2], ["c", 2]], ["u", "v", "u", -1]
    wanted = naive.entropy_quality(rows[:3], [0, 1, 0])
    assert entropy_quality_score(rows, labels, noise="drop") == pytest.approx(wanted)
    assert entropy_quality_score(rows, labels) == pytest.approx(
        naive.entropy_quality(rows, [0, 1, 0, 2])
    )
    with pytest.raises(cw.InputError, match="missing_values='drop' is unknown; use 'category' or"):
        entropy_quality_score(rows, labels, missing_values="drop")


@pytest.mark.parametrize("name", QUALITIES)
def test_defaults_are_those_of_dunn_score(name):
    dunn = inspect.signature(cw.dunn_score).parameters
    own = inspect.signature(QUALITIES[name].function).parameters
    shared = set(own) & set(dunn) - {"between", "within"}
    assert {"noise", "noise_label"} <= shared
    for option in shared:
        assert own[option].default == dunn[option].default
    parts, score = (inspect.signature(one).parameters for one in (cw.dq_parts, cw.dq_score))
    assert {key: one.default for key, one in parts.items()} == {
        key: one.default for key, one in score.items()
    }
    assert (score["noise"].default, score["noise_label"].default) == ("cluster", -1)
