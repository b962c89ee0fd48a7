"""CondEns: the combination by definition, planted clusterings, and invalid parameters."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, Birch, KMeans
from sklearn.mixture import GaussianMixture

from clusterwise import adjusted_rand_score
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.condens.quadratic import (
    _move_objects,
    maximize_quadratic_information,
    quadratic_information,
)
from clusterwise.datasets import make_alternatives
from helpers.strategies import max_examples
from reference import alternatives as naive


@st.composite
def ensembles(draw):
    """Several clusterings of a few objects, m × n, each label in use."""
    n, m = draw(st.integers(2, 12)), draw(st.integers(1, 4))
    labels = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    rows = draw(st.lists(labels, min_size=m, max_size=m))
    return np.array([np.unique(row, return_inverse=True)[1] for row in rows])


def centred(ensemble):
    """The columns of all clusterings, of 0 and 1, centred, a row per object."""
    columns = [one == value for one in ensemble for value in sorted(set(one))]
    full = np.array(columns, float).T
    return full - full.mean(axis=0)


def squares_within(full, labels):
    return sum(
        ((full[labels == k] - full[labels == k].mean(axis=0)) ** 2).sum() for k in set(labels)
    )


@given(ensemble=ensembles(), seed=st.integers(0, 1000))
def test_inertia_is_a_constant_minus_the_information(ensemble, seed):
    n = ensemble.shape[1]
    labels = np.random.default_rng(seed).integers(0, 4, n)
    expected = naive.quadratic_information(labels, ensemble)
    assert quadratic_information(labels, ensemble) == pytest.approx(expected, abs=1e-12)
    constant = sum(1 - sum(np.mean(one == value) ** 2 for value in set(one)) for one in ensemble)
    within = squares_within(centred(ensemble), labels)
    assert within == pytest.approx(n * (constant - expected), abs=1e-9)


@max_examples(40)
@given(ensemble=ensembles(), count=st.integers(1, 3), seed=st.integers(0, 100))
def test_the_combination_is_a_fixed_point_of_k_means_on_centred_columns(ensemble, count, seed):
    labels = maximize_quadratic_information(ensemble, count, 2, 300, seed, None).labels
    full = centred(ensemble)
    count = labels.max() + 1
    means = np.array([full[labels == k].mean(axis=0) for k in range(count)])
    apart = ((full[:, None] - means) ** 2).sum(axis=2)
    own = apart[np.arange(len(full)), labels]
    np.testing.assert_allclose(own, apart.min(axis=1), atol=1e-9)
    same = (full[:, None] == full).all(axis=2)
    assert (labels[:, None] == labels)[same].all()


def best_move(labels, ensemble, fewest=1):
    """The most information that moving one object adds, by its definition."""
    now, gains = naive.quadratic_information(labels, ensemble), [0]
    for i, k in product(range(labels.size), range(labels.max() + 1)):
        moved = labels.copy()
        moved[i] = k
        if np.count_nonzero(labels == labels[i]) > fewest:
            gains.append(naive.quadratic_information(moved, ensemble) - now)
    return max(gains)


@pytest.mark.parametrize("seed", range(60))
def test_no_move_of_one_object_adds_information(seed):
    random = np.random.default_rng(seed)
    n, m, count = random.integers(6, 13), random.integers(1, 5), random.integers(2, 5)
    ensemble = np.array(
        [np.unique(row, return_inverse=True)[1] for row in random.integers(0, 4, (m, n))]
    )
    labels = maximize_quadratic_information(ensemble, count, 1, 300, seed, None).labels
    assert best_move(labels, ensemble) <= 1e-12
    guarded = maximize_quadratic_information(ensemble, count, 1, 300, seed, 2).labels
    assert best_move(guarded, ensemble, 2) <= 1e-12
    assert np.bincount(guarded).min() >= 2


def test_objects_stay_in_clusters_of_the_smallest_size():
    """The first object belongs to the others, but its cluster has the smallest size."""
    ensemble = np.array([[1, 0, 0, 1, 1, 1, 1, 1]])
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    np.testing.assert_array_equal(_move_objects(ensemble, labels, 3, 300), labels)
    freed = _move_objects(ensemble, labels, 2, 300)
    np.testing.assert_array_equal(freed, ensemble[0])


def test_passes_over_all_objects_are_limited():
    ensemble = noisy(0.3, 0)
    labels = np.arange(200) % 3
    one = _move_objects(ensemble, labels, 1, 1)
    two = _move_objects(ensemble, one, 1, 1)
    assert quadratic_information(one, ensemble) < quadratic_information(two, ensemble)
    np.testing.assert_array_equal(_move_objects(ensemble, labels, 1, 2), two)


def noisy(noise, seed):
    """Four copies of a clustering, in which some labels are those of another."""
    random = np.random.default_rng(seed)
    truth, other = random.integers(0, 3, (2, 200))
    return np.array([np.where(random.random(200) < noise, other, truth) for _ in range(4)])


@pytest.mark.parametrize("noise", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_k_means_on_the_centred_columns_keeps_the_combination(noise, seed):
    ensemble = noisy(noise, seed)
    labels = maximize_quadratic_information(ensemble, 3, 10, 300, seed, None).labels
    full = centred(ensemble)
    means = np.array([full[labels == k].mean(axis=0) for k in range(3)])
    plain = KMeans(3, init=means, n_init=1, tol=0.0).fit(full)
    np.testing.assert_array_equal(plain.labels_, labels)
    assert squares_within(full, labels) == pytest.approx(plain.inertia_, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_combination_is_the_best_of_k_means_on_the_centred_columns(seed):
    # The best is reached from one start in fifteen or so, so both get many.
    ensemble = noisy(0.05, seed)
    labels = maximize_quadratic_information(ensemble, 3, 100, 300, seed, None).labels
    full = centred(ensemble)
    plain = KMeans(3, n_init=100, tol=0.0, random_state=seed).fit(full)
    assert squares_within(full, labels) == pytest.approx(plain.inertia_, rel=1e-12)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_the_other_planted_clustering_is_found(count, seed):
    data = make_alternatives(300, (count, count), extra_features=2, random_state=seed)
    model = CondEns(random_state=0).fit(data.X, data.labels[:, 0])
    assert adjusted_rand_score(data.labels[:, 1], model.labels_) > 0.95
    assert model.local_labels_.shape == (count, 300)
    expected = naive.quadratic_information(model.labels_, model.local_labels_)
    assert model.quadratic_information_ == pytest.approx(expected)
    np.testing.assert_array_equal(model.given_[0], data.labels[:, 0])
    again = clone(model).fit_predict(data.X, data.labels[:, 0])
    np.testing.assert_array_equal(model.labels_, again)


@pytest.mark.parametrize(
    "base",
    [
        KMeans(2, n_init=3),
        AgglomerativeClustering(2),
        Birch(n_clusters=2),
        GaussianMixture(2),
        DBSCAN(eps=3.0),
    ],
    ids=lambda base: type(base).__name__,
)
@pytest.mark.parametrize("extend", ["auto", "centroid"])
def test_any_clusterer_can_be_used(base, extend):
    data = make_alternatives(200, (2, 2), separation=15, random_state=1)
    before = base.get_params()
    model = CondEns(base=base, extend=extend, random_state=0).fit(data.X, data.labels[:, 0])
    assert adjusted_rand_score(data.labels[:, 1], model.labels_) > 0.95
    assert base.get_params() == before


def test_local_labels_are_those_of_the_clusterer_and_the_nearest_centroid_elsewhere():
    X = np.array([[0.0], [1], [10], [11], [2], [30], [7], [-5]])
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    model = CondEns(base=AgglomerativeClustering(2), random_state=0).fit(X, y)
    # Centroids 0.5 and 10.5; then 30 against the mean 4/3 of the others.
    np.testing.assert_array_equal(model.local_labels_[0], [0, 0, 1, 1, 0, 1, 1, 0])
    np.testing.assert_array_equal(model.local_labels_[1], [0, 0, 0, 0, 0, 1, 0, 0])
    three = CondEns(base=AgglomerativeClustering(2), n_clusters_local=3).fit(X, y)
    assert three.local_labels_.max(axis=1).tolist() == [2, 2]


def test_noise_joins_the_nearest_centroid():
    X = np.array([[0.0], [0.1], [5], [5.1], [3], [0], [0.1], [5], [5.1], [2]])
    y = np.repeat([0, 1], 5)
    model = CondEns(2, base=DBSCAN(eps=0.5, min_samples=2)).fit(X, y)
    np.testing.assert_array_equal(model.labels_, [0, 0, 1, 1, 1, 0, 0, 1, 1, 0])


def test_given_clusters_that_are_too_small_have_no_local_clustering():
    data = make_alternatives(100, (2, 2), separation=15, random_state=0)
    y = data.labels[:, 0].copy()
    y[:2] = 7
    model = CondEns(2, random_state=0).fit(data.X, y)
    assert model.local_labels_.shape == (2, 100)
    with pytest.raises(InputError, match="no given cluster has more objects"):
        CondEns(2).fit(data.X, np.arange(100) // 2)


def test_several_alternatives_and_several_given_clusterings():
    data = make_alternatives(400, (2, 2, 2), separation=15, random_state=3)
    model = CondEns(n_alternatives=2, random_state=0).fit(data.X, data.labels[:, 0])
    for i in (1, 2):
        found = [adjusted_rand_score(data.labels[:, i], one) for one in model.alternatives_]
        assert max(found) > 0.95
    third = CondEns(random_state=0).fit(data.X, data.labels[:, :2])
    assert adjusted_rand_score(data.labels[:, 2], third.labels_) > 0.95
    few = [[0, 0], [0, 9], [9, 0], [9, 9], [1, 1], [1, 8], [8, 1], [8, 8]]
    with pytest.warns(UserWarning, match="after 1 of 2 alternatives: the next one has no local"):
        CondEns(n_alternatives=2, random_state=0).fit(few, [0, 0, 1, 1] * 2)


def test_categorical_features_and_missing_values():
    frame = pd.DataFrame(
        {"colour": ["r", "r", "b", "b"] * 6, "shape": ["o", "x", "o", "x"] * 6, "size": 1.0}
    )
    frame.loc[3, "size"] = np.nan
    model = CondEns(random_state=0).fit(frame, frame["colour"])
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(model.labels_, [0, 1, 0, 1] * 6)
    without = CondEns(random_state=0).fit(frame)
    assert without.given_.shape == (1, 24)


def test_small_clusters_join_the_nearest():
    data = make_alternatives(200, (2, 2), separation=15, random_state=0)
    X = np.vstack([data.X, data.X[:4] + 200])
    y = np.append(data.labels[:, 0], [0, 0, 1, 1])
    plain = CondEns(3, random_state=0).fit(X, y)
    assert min(plain.sizes_[0].sizes) == 4
    for size in (10, 0.1):
        model = CondEns(3, min_cluster_size=size, random_state=0).fit(X, y)
        assert min(model.sizes_[0].sizes) > 90
    none = CondEns(3, min_cluster_size=500, random_state=0).fit(X, y)
    np.testing.assert_array_equal(none.labels_, plain.labels_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"extend": "nearest"}, "extend='nearest' is unknown"),
        ({"extend": "predict", "base": DBSCAN()}, "DBSCAN cannot predict"),
        ({"n_clusters_local": 2, "base": DBSCAN()}, "DBSCAN has no n_clusters"),
        ({"n_clusters_local": 0}, "n_clusters_local=0"),
        ({"n_init": 0}, "n_init=0; use an integer from 1 to 100000"),
        ({"max_iter": 0}, "max_iter=0; use an integer of at least 1"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"n_clusters": 7}, "n_clusters=7 for 6 objects"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        CondEns(**options).fit(np.eye(6), [0, 0, 0, 1, 1, 1])
