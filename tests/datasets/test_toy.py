"""Planted clusterings are there, independent, and as far apart as asked for."""

from math import prod

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from sklearn.cluster import KMeans

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_coala_set,
    make_mixed_alternatives,
)

SETS = "ABCD"


def columns_of(data, name):
    return [i for i, feature in enumerate(data.feature_names) if feature.startswith(f"{name}_")]


@given(
    clusterings=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    features=st.integers(1, 3),
    extra=st.integers(0, 2),
    spare=st.integers(0, 30),
    seed=st.integers(0, 100),
)
def test_every_combination_occurs_equally_often(clusterings, features, extra, spare, seed):
    n = prod(clusterings) + spare
    data = make_alternatives(
        n, clusterings, features=features, extra_features=extra, random_state=seed
    )
    width = features * len(clusterings) + extra
    assert data.X.shape == (n, width)
    assert len(data.feature_names) == len(set(data.feature_names)) == width
    assert data.labels.shape == (n, len(clusterings)) == (n, len(data.names))
    combinations, sizes = np.unique(data.labels, axis=0, return_counts=True)
    assert len(combinations) == prod(clusterings)
    assert sizes.max() - sizes.min() <= 1
    assert (data.labels.max(axis=0) == np.array(clusterings) - 1).all()


MAKERS = (make_alternatives, make_categorical_alternatives, make_mixed_alternatives)


@pytest.mark.parametrize("make", MAKERS)
def test_without_a_plan_clusterings_meet_as_chance_has_it(make):
    """Their tables are those of independent draws: chi-squared has the mean that it should have."""
    statistics, sizes = [], []
    for seed in range(200):
        labels = make(200, (2, 3), balance=0.5, crossed=False, random_state=seed).labels
        table = np.bincount(labels[:, 0] * 3 + labels[:, 1], minlength=6).reshape(2, 3)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / 200
        statistics.append(((table - expected) ** 2 / expected).sum())
        sizes.append(np.bincount(labels[:, 1]))
    # The statistic has two degrees of freedom, so a mean of 2 and a variance of 4.
    assert np.mean(statistics) == pytest.approx(2, abs=3 * 2 / 200**0.5)
    shares = np.array([1, 0.5**0.5, 0.5])
    np.testing.assert_allclose(np.mean(sizes, axis=0) / 200, shares / shares.sum(), atol=0.01)
    assert np.std(sizes, axis=0).min() > 3


@given(
    count=st.integers(2, 9),
    features=st.integers(1, 4),
    separation=st.floats(0.5, 50),
    seed=st.integers(0, 100),
)
@example(count=5, features=100, separation=3.0, seed=0)
def test_neighbouring_centres_are_as_far_apart_as_asked(count, features, separation, seed):
    data = make_alternatives(
        2 * count, (count, 2), features=features, separation=separation, noise=0, random_state=seed
    )
    own = data.X[:, columns_of(data, "c1")]
    centres = np.unique(own.round(9), axis=0)
    assert len(centres) == count
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    nearest = (apart + np.diag(np.full(count, np.inf))).min(axis=1)
    np.testing.assert_allclose(nearest, separation, rtol=1e-6)


def test_objects_scatter_around_their_centres_by_the_noise():
    data = make_alternatives(4000, (2, 3), noise=0.5, extra_features=2, random_state=0)
    for i, name in enumerate(data.names):
        for cluster in np.unique(data.labels[:, i]):
            inside = data.X[data.labels[:, i] == cluster][:, columns_of(data, name)]
            np.testing.assert_allclose(inside.std(axis=0), 0.5, rtol=0.1)
    extra = data.X[:, columns_of(data, "extra")]
    assert extra.shape == (4000, 2)
    np.testing.assert_allclose(extra.std(axis=0), 0.5, rtol=0.1)
    np.testing.assert_allclose(extra.mean(axis=0), 0, atol=0.05)


@pytest.mark.parametrize("features", [2, (1, 3, 2)])
def test_each_clustering_lives_in_its_own_features(features):
    data = make_alternatives(480, (2, 3, 4), features=features, random_state=0)
    widths = (2, 2, 2) if features == 2 else features
    for i, (name, width) in enumerate(zip(data.names, widths, strict=True)):
        own = columns_of(data, name)
        assert len(own) == width
        model = KMeans(i + 2, n_init=10, random_state=0)
        found = model.fit_predict(data.X[:, own])
        assert cw.adjusted_rand_score(data.labels[:, i], found) > 0.99
        for j in {0, 1, 2} - {i}:
            assert abs(cw.adjusted_rand_score(data.labels[:, j], found)) < 0.02


def test_every_feature_of_a_clustering_tells_its_clusters_apart():
    data = make_alternatives(100, (2, 2), features=3, noise=0, random_state=0)
    assert (data.X.std(axis=0) > 0.01).all()


@pytest.mark.parametrize("make", [make_alternatives, lambda **seed: make_coala_set("D", **seed)])
def test_seeds_decide(make):
    first, same, other = (make(random_state=seed) for seed in (3, np.random.default_rng(3), 4))
    np.testing.assert_array_equal(first.X, same.X)
    np.testing.assert_array_equal(first.labels, same.labels)
    assert not np.array_equal(first.labels, other.labels)
    assert not np.array_equal(make().X, make().X)


def test_the_sets_of_the_paper_differ_in_dimensions_and_clusters():
    shapes = {}
    for name in SETS:
        data = make_coala_set(name, random_state=0)
        assert data.labels.shape[1] == 2
        first, second = (cw.Contingency.from_labels(data.labels[:, 0], data.labels[:, 1])).shape
        assert first == second
        assert len(columns_of(data, "c1")) == len(columns_of(data, "c2"))
        assert cw.adjusted_rand_score(*data.labels.T) < 0.01
        shapes[name] = (data.X.shape[1], first)
    assert shapes == {"A": (2, 2), "B": (4, 3), "C": (6, 2), "D": (6, 4)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusterings": ()}, r"clusterings=\(\); pass a number of clusters for each"),
        ({"clusterings": (2, 0)}, r"clusterings=\(2, 0\)"),
        ({"features": (2, 2, 2)}, r"features=\(2, 2, 2\) for 2 clusterings"),
        ({"features": 0}, r"features=\(0, 0\).* at least 1"),
        ({"n": 3}, "n=3 objects for 4 combinations"),
        ({"separation": -1.0}, "separation=-1.0; pass a number that is not negative"),
        ({"noise": float("nan")}, "noise=nan"),
        ({"extra_features": -1}, "extra_features=-1"),
    ],
)
def test_impossible_data_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        make_alternatives(**options)


def test_unknown_sets_are_refused():
    with pytest.raises(InputError, match="no set 'E'; use one of A, B, C, D"):
        make_coala_set("E")
