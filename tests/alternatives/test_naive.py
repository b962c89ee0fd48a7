"""The naive baseline: the run with the largest DQ, by brute force."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.cluster import KMeans

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives.naive import NaiveAlternative
from clusterwise.datasets import make_alternatives
from clusterwise.measures.dq import dq_parts, dq_score
from clusterwise.measures.quality import quality_score

SEEDS = range(8)


def data_of(seed):
    """Four groups, which k-means with two clusters divides in one way or the other."""
    return make_alternatives(40, (2, 2), separation=4.0, random_state=seed)


def same(a, b):
    return cw.adjusted_rand_score(a, b) == 1


@pytest.mark.slow
@pytest.mark.parametrize("quality", ["dunn", "silhouette", "davies_bouldin"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_run_with_the_largest_dq_is_returned(seed, quality):
    data = data_of(seed)
    known = data.labels[:, 0]
    model = NaiveAlternative(n_runs=6, quality=quality, random_state=seed).fit(data.X, known)
    assert model.runs_.shape == (6, 40)
    scores = [dq_score(data.X, known, run, quality=quality) for run in model.runs_]
    np.testing.assert_array_equal(model.labels_, model.runs_[int(np.argmax(scores))])
    np.testing.assert_array_equal(model.given_, [known])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_pair_without_a_given_clustering(seed):
    data = data_of(seed)
    model = NaiveAlternative(3, n_runs=5, random_state=seed).fit(data.X)
    best = -1.0
    for better, other in permutations(model.runs_, 2):
        if quality_score(data.X, better) >= quality_score(data.X, other):
            best = max(best, dq_score(data.X, better, other))
    found = dq_parts(data.X, model.given_[0], model.labels_)
    assert found.dq == pytest.approx(best)
    assert quality_score(data.X, model.given_[0]) >= found.quality
    assert model.runs_.max() == 2


def test_the_pair_is_not_only_the_first_two_runs():
    """Otherwise the test above would be trivial."""
    others = 0
    for seed in range(20):
        data = data_of(seed)
        model = NaiveAlternative(n_runs=5, random_state=seed).fit(data.X)
        first = dq_score(data.X, model.runs_[0], model.runs_[1])
        others += dq_score(data.X, model.given_[0], model.labels_) > first
    assert others > 3


def test_with_many_runs_the_other_planted_clustering_is_among_them():
    data = make_alternatives(80, (2, 2), random_state=0)
    model = NaiveAlternative(n_runs=30, random_state=0)
    for given, other in (data.labels.T, data.labels.T[::-1]):
        assert same(model.fit(data.X, given).labels_, other)


def test_one_run_may_find_the_given_clustering_again():
    data = make_alternatives(80, (2, 2), random_state=0)
    found = [
        NaiveAlternative(n_runs=1, random_state=seed).fit(data.X, data.labels[:, 0]).labels_
        for seed in range(20)
    ]
    agreed = {same(labels, data.labels[:, 0]) for labels in found}
    assert agreed == {True, False}


def test_runs_are_those_of_k_means():
    data = data_of(0)
    model = NaiveAlternative(4, n_runs=3, random_state=5).fit(data.X, data.labels[:, 0])
    for run in model.runs_:
        centres = np.array([data.X[run == k].mean(axis=0) for k in range(4)])
        again = KMeans(4, init=centres, n_init=1, max_iter=300).fit(data.X).labels_
        assert same(run, again)  # nothing moves: the run had converged


def test_more_alternatives_differ_from_all_before():
    data = make_alternatives(90, (3, 3), separation=5.0, random_state=1)
    model = NaiveAlternative(n_runs=20, n_alternatives=3, random_state=1)
    model.fit(data.X, data.labels[:, 0])
    known = [data.labels[:, 0]]
    assert len(model.alternatives_) == len(model.sizes_) == 3
    for labels in model.alternatives_:
        best = max(dq_score(data.X, known, run) for run in model.runs_)
        assert dq_score(data.X, known, labels) == pytest.approx(best)
        assert not any(same(labels, one) for one in known)
        known.append(labels)


@pytest.mark.parametrize("given", [None, [0, 0, 0, 1, 1, 1]])
def test_no_more_alternatives_than_runs_that_differ(given):
    X = [[0], [1], [2], [50], [51], [52]]
    model = NaiveAlternative(n_runs=4, n_alternatives=2, random_state=0)
    with pytest.warns(UserWarning, match="stopped after 1 of 2 alternatives: no run is left"):
        model.fit(X, given)
    np.testing.assert_array_equal(model.alternatives_, [[0, 0, 0, 1, 1, 1]])
    np.testing.assert_array_equal(model.given_, [[0, 0, 0, 1, 1, 1]])


def test_several_given_clusterings():
    data = make_alternatives(120, (2, 2, 2), random_state=0)
    model = NaiveAlternative(n_runs=40, random_state=0).fit(data.X, data.labels[:, :2])
    assert same(model.labels_, data.labels[:, 2])
    assert model.given_.shape == (2, 120)


@pytest.mark.parametrize("given", [True, False])
def test_seeds_decide(given):
    data = data_of(1)
    y = data.labels[:, 0] if given else None
    runs = [
        NaiveAlternative(5, random_state=seed).fit(data.X, y)
        for seed in (3, 3, np.random.RandomState(3), 4)
    ]
    for other in runs[1:3]:
        np.testing.assert_array_equal(runs[0].runs_, other.runs_)
        np.testing.assert_array_equal(runs[0].labels_, other.labels_)
    assert not np.array_equal(runs[0].runs_, runs[3].runs_)


@pytest.mark.parametrize(
    ("options", "given", "message"),
    [
        ({"n_runs": 0}, [0, 0, 1, 1], "n_runs=0; use an integer from 1 to 100000"),
        ({"n_runs": 1}, None, "n_runs=1 without a given clustering; use at least 2"),
        ({"n_alternatives": 0}, None, "n_alternatives=0"),
        ({"n_clusters": 5}, None, "n_clusters=5 for 4 objects"),
        ({"quality": "done"}, None, "unknown quality 'done'; did you mean 'dunn'"),
        ({}, [0, 1], "2 labels for 4 objects"),
    ],
)
def test_invalid_parameters_are_refused(options, given, message):
    with pytest.raises(InputError, match=message):
        NaiveAlternative(**options).fit([[0], [1], [5], [6]], given)


def test_many_objects_are_judged_by_centroids(monkeypatch):
    """By default, as by cluster_again; both qualities choose different runs of these objects."""
    X, known = np.random.default_rng(1).normal(size=(60, 2)), np.arange(60) % 3
    model = NaiveAlternative(3, n_runs=8, random_state=1)
    exact, centroids = (
        NaiveAlternative(3, n_runs=8, quality=quality, random_state=1).fit(X, known).labels_
        for quality in ("dunn", "dunn_centroids")
    )
    assert not same(exact, centroids)
    np.testing.assert_array_equal(model.fit(X, known).labels_, exact)
    monkeypatch.setattr("clusterwise.alternatives.methods.MANY_OBJECTS", 60)
    np.testing.assert_array_equal(model.fit(X, known).labels_, exact)
    monkeypatch.setattr("clusterwise.alternatives.methods.MANY_OBJECTS", 59)
    np.testing.assert_array_equal(model.fit(X, known).labels_, centroids)
    (found,) = cw.cluster_again(
        X, known, "naive", n_clusters=3, n_runs=8, random_state=1, scale=False
    )
    np.testing.assert_array_equal(found.labels, centroids)
    assert found.quality == quality_score(X, centroids, "dunn_centroids")
