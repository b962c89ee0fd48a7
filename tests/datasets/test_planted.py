"""Planted clusterings are independent and separated as specified, for all kinds of features."""

from math import prod

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_coala_set,
    make_ds1,
    make_ds2,
    make_mixed_alternatives,
    relabel,
)
from clusterwise.inputs.points import read_points

MAKERS = [make_alternatives, make_categorical_alternatives, make_mixed_alternatives]
WITH_CATEGORIES = MAKERS[1:]


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


@given(
    make=st.sampled_from(MAKERS),
    clusterings=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    features=st.integers(1, 3),
    extra=st.integers(0, 2),
    spare=st.integers(0, 30),
    balance=st.sampled_from([1.0, 0.5, 0.01]),
    seed=st.integers(0, 100),
)
def test_every_combination_occurs(make, clusterings, features, extra, spare, balance, seed):
    n = prod(clusterings) + spare
    data = make(
        n, clusterings, features=features, extra_features=extra, balance=balance, random_state=seed
    )
    kinds = 2 if make is make_mixed_alternatives else 1
    width = kinds * (features * len(clusterings) + extra)
    assert data.X.shape == (n, width)
    assert len(data.feature_names) == len(set(data.feature_names)) == width
    assert data.labels.shape == (n, len(clusterings)) == (n, len(data.names))
    assert len(np.unique(data.labels, axis=0)) == prod(clusterings)
    assert (data.labels.max(axis=0) == np.array(clusterings) - 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("balance", [0.8, 0.3, 0.1])
def test_sizes_decrease_geometrically_and_clusterings_are_independent(make, balance):
    data = make(20_000, (2, 4), balance=balance, random_state=0)
    first, second = (np.bincount(labels) for labels in data.labels.T)
    assert first[1] / first[0] == pytest.approx(balance, rel=0.01)
    factor = balance ** (1 / 3)
    np.testing.assert_allclose(second[1:] / second[:-1], factor, rtol=0.02)
    # As independent as whole objects can be.
    assert cw.mutual_info_score(*data.labels.T) < 1e-6


@pytest.mark.parametrize("make", MAKERS)
def test_a_single_cluster_has_all_objects(make):
    data = make(9, (1, 3), balance=0.5, random_state=0)
    assert (data.labels[:, 0] == 0).all()
    assert np.bincount(data.labels[:, 1]).tolist() == [4, 3, 2]


@pytest.mark.parametrize("make", MAKERS)
def test_without_crossing_clusters_are_drawn_independently(make):
    """The chi-square statistic of the contingency tables has the mean of independent draws."""
    statistics, sizes = [], []
    for seed in range(200):
        labels = make(200, (2, 3), balance=0.5, crossed=False, random_state=seed).labels
        table = np.bincount(labels[:, 0] * 3 + labels[:, 1], minlength=6).reshape(2, 3)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / 200
        statistics.append(((table - expected) ** 2 / expected).sum())
        sizes.append(np.bincount(labels[:, 1]))
    # The statistic has two degrees of freedom, so a mean of 2 and a variance of 4.
    assert np.mean(statistics) == pytest.approx(2, abs=3 * 2 / 200**0.5)
    proportions = np.array([1, 0.5**0.5, 0.5])
    np.testing.assert_allclose(
        np.mean(sizes, axis=0) / 200, proportions / proportions.sum(), atol=0.01
    )
    assert np.std(sizes, axis=0).min() > 3


@given(
    count=st.integers(2, 9),
    features=st.integers(1, 4),
    separation=st.floats(0.5, 50),
    seed=st.integers(0, 100),
)
@example(count=5, features=100, separation=3.0, seed=0)
def test_neighbouring_centres_are_at_the_distance_separation(count, features, separation, seed):
    data = make_alternatives(
        2 * count, (count, 2), features=features, separation=separation, noise=0, random_state=seed
    )
    own = data.X[:, columns_of(data, "c1")]
    centres = np.unique(own.round(9), axis=0)
    assert len(centres) == count
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    nearest = (apart + np.diag(np.full(count, np.inf))).min(axis=1)
    np.testing.assert_allclose(nearest, separation, rtol=1e-6)


def test_noise_is_the_standard_deviation_around_the_centres():
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
def test_each_clustering_depends_on_its_own_features_only(features):
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


def test_clusters_differ_in_every_feature_of_their_clustering():
    data = make_alternatives(100, (2, 2), features=3, noise=0, random_state=0)
    assert (data.X.std(axis=0) > 0.01).all()


def test_rotation_preserves_distances_and_mixes_features():
    plain, rotated = (
        make_alternatives(100, (2, 3), extra_features=2, rotated=rotated, random_state=0)
        for rotated in (False, True)
    )
    np.testing.assert_array_equal(plain.labels, rotated.labels)
    np.testing.assert_allclose(pdist(plain.X), pdist(rotated.X))
    assert rotated.feature_names == ("x1", "x2", "x3", "x4", "x5", "x6")
    # Every rotated feature depends on all original ones.
    loadings = np.linalg.lstsq(plain.X, rotated.X, rcond=None)[0]
    assert np.abs(loadings).min() > 1e-3
    np.testing.assert_allclose(loadings.T @ loadings, np.eye(6), atol=1e-9)


def test_coala_sets_differ_in_dimensions_and_clusters():
    shapes = {}
    for name in "ABCD":
        data = make_coala_set(name, random_state=0)
        assert data.labels.shape[1] == 2
        first, second = (cw.Contingency.from_labels(data.labels[:, 0], data.labels[:, 1])).shape
        assert first == second
        assert len(columns_of(data, "c1")) == len(columns_of(data, "c2"))
        assert cw.adjusted_rand_score(*data.labels.T) < 0.01
        shapes[name] = (data.X.shape[1], first)
    assert shapes == {"A": (2, 2), "B": (4, 3), "C": (6, 2), "D": (6, 4)}


def test_unknown_coala_sets_raise():
    with pytest.raises(InputError, match="name='E' is unknown; use 'A', 'B', 'C' or 'D'"):
        make_coala_set("E")


@pytest.mark.parametrize("reliability", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("values", [None, 5])
def test_reliability_is_the_proportion_of_categories_of_the_cluster(reliability, values):
    data = make_categorical_alternatives(
        30_000, (2, 3), features=2, values=values, reliability=reliability, extra_features=1,
        random_state=0,
    )  # fmt: skip
    for i, name in enumerate(data.names):
        size = values or i + 2
        own = reliability + (1 - reliability) / size
        for column in columns_of(data, name):
            leaders = set()
            for cluster in range(i + 2):
                inside = data.X[data.labels[:, i] == cluster, column]
                found, counts = np.unique(inside.astype(str), return_counts=True)
                proportions = np.sort(counts / inside.size)[::-1]
                assert proportions[0] == pytest.approx(own, abs=0.02)
                np.testing.assert_allclose(proportions[1:], (1 - reliability) / size, atol=0.02)
                leaders.add(found[counts.argmax()])
            if reliability:
                assert len(leaders) == i + 2
    extra = data.X[:, columns_of(data, "extra")[0]].astype(str)
    proportions = np.unique(extra, return_counts=True)[1] / 30_000
    np.testing.assert_allclose(proportions, np.full(values or 3, 1 / (values or 3)), atol=0.02)


@pytest.mark.parametrize("make", WITH_CATEGORIES)
def test_categories_are_independent_of_other_clusterings(make):
    data = make(2000, (3, 3), extra_features=1, random_state=0)
    for column, name in zip(data.X.T, data.feature_names, strict=True):
        if not isinstance(column[0], str):
            continue
        for i, clustering in enumerate(data.names):
            information = cw.mutual_info_score(data.labels[:, i], column.astype(str))
            assert (information > 0.2) == name.startswith(clustering)
            assert information > 0.2 or information < 0.01


def test_the_category_of_a_cluster_differs_between_features():
    data = make_categorical_alternatives(40, (4, 2), features=8, reliability=1, random_state=0)
    rows = data.X[data.labels[:, 0] == 0][:, columns_of(data, "c1")]
    assert len(np.unique(rows.astype(str), axis=0)) == 1
    assert len(set(rows[0])) > 1


def test_mixed_data_have_numeric_and_categorical_features():
    data = make_mixed_alternatives(
        2000, (2, 3), features=(1, 2), separation=6, noise=0.5, extra_features=1, random_state=0
    )
    kinds = [type(value).__name__ for value in data.X[0]]
    assert kinds == ["float", "str", "float", "float", "str", "str", "float", "str"]
    for i, numbers in enumerate([[0], [2, 3]]):
        own = data.X[:, numbers].astype(float)
        centres = [own[data.labels[:, i] == k].mean(axis=0) for k in range(i + 2)]
        assert pdist(centres).min() == pytest.approx(6, rel=0.05)
        for k in range(i + 2):
            spread = own[data.labels[:, i] == k].std(axis=0)
            np.testing.assert_allclose(spread, 0.5, rtol=0.1)
    assert data.X[:, 6].astype(float).std() == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize("make", WITH_CATEGORIES)
def test_categorical_and_mixed_data_can_be_read_as_points(make):
    data = make(50, (2, 2), random_state=0)
    read = read_points(data.X)
    assert len(read.points) == 50
    assert read.owners.max() + 1 == len(data.feature_names)


@pytest.mark.parametrize("make", [*MAKERS, lambda **seed: make_coala_set("D", **seed)])
def test_results_depend_on_the_seed_only(make):
    first, same, other = (make(random_state=seed) for seed in (3, np.random.default_rng(3), 4))
    np.testing.assert_array_equal(first.X, same.X)
    np.testing.assert_array_equal(first.labels, same.labels)
    assert not np.array_equal(first.labels, other.labels)
    assert not np.array_equal(make().X, make().X)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusterings": ()}, r"clusterings=\(\); pass a number of clusters for each"),
        ({"clusterings": (2, 0)}, r"clusterings=\(2, 0\)"),
        ({"features": (2, 2, 2)}, r"features=\(2, 2, 2\) for 2 clusterings"),
        ({"features": 0}, r"features=\(0, 0\).* at least 1"),
        ({"n": 3}, "n=3 objects for 4 combinations"),
        ({"extra_features": -1}, "extra_features=-1"),
        ({"balance": 0}, "balance=0; use a number above 0 and at most 1"),
        ({"balance": 1.5}, "balance=1.5"),
        ({"balance": float("nan")}, "balance=nan"),
    ],
)
def test_invalid_sizes_raise(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


@pytest.mark.parametrize("make", [make_alternatives, make_mixed_alternatives])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separation": -1.0}, "separation=-1.0; use a number of at least 0"),
        ({"noise": float("nan")}, "noise=nan"),
    ],
)
def test_invalid_numeric_options_raise(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


@pytest.mark.parametrize("make", WITH_CATEGORIES)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reliability": 1.1}, "reliability=1.1; use a number from 0 to 1"),
        ({"reliability": float("nan")}, "reliability=nan"),
        ({"values": 2, "clusterings": (2, 3)}, "values=2 for 3 clusters; pass at least one for"),
    ],
)
def test_invalid_categorical_options_raise(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: make_alternatives(20, random_state=seed).X,
        lambda seed: make_categorical_alternatives(20, random_state=seed).X,
        lambda seed: make_mixed_alternatives(20, random_state=seed).X,
        lambda seed: make_coala_set("A", random_state=seed).X,
        lambda seed: make_ds1(random_state=seed).X,
        lambda seed: make_ds2(random_state=seed).X,
        lambda seed: relabel(["A"] * 20 + ["B"], "A", "B", random_state=seed),
    ],
)
def test_every_kind_of_seed(make):
    for seed in (np.random.default_rng, np.random.RandomState):
        np.testing.assert_array_equal(make(seed(3)), make(seed(3)))
    np.testing.assert_array_equal(make(3), make(np.random.default_rng(3)))
    assert make(None).shape == make(3).shape
    with pytest.raises(InputError, match="random_state='x' is not a seed"):
        make("x")
