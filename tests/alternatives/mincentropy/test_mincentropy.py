"""MinCEntropy: the objective by definition, monotone moves, and planted clusterings."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.utils.estimator_checks import check_clustering

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.mincentropy.mincentropy import MinCEntropy
from clusterwise.alternatives.mincentropy.objective import Objective, make_nystroem_features
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_mixed_alternatives,
)


def kernel_table(X, width):
    return np.array([[np.exp(-np.sum((x - y) ** 2) / width**2) for y in X] for x in X])


def naive_objective(table, labels, given_labels, weights):
    """As the documentation defines it, pair by pair."""
    n = len(labels)

    def told(table):
        total = 0.0
        for k in set(labels):
            inside = [i for i in range(n) if labels[i] == k]
            total += sum(table[i][j] for i in inside for j in inside) / len(inside)
        return total / n - np.sum(table) / n**2

    value = told(table)
    for weight, z in zip(weights, given_labels, strict=True):
        value -= weight * told([[float(a == b) for b in z] for a in z])
    return value


def naive_weight(table, z):
    """The largest eigenvalue of mean kernels between given clusters, centred."""
    means = np.array([[table[np.ix_(z == a, z == b)].mean() for b in set(z)] for a in set(z)])
    centred = means - means.mean(axis=0) - means.mean(axis=1)[:, None] + means.mean()
    return np.linalg.eigvalsh(centred)[-1]


@st.composite
def tasks(draw):
    """A few objects and one or two given clusterings of them."""
    n = draw(st.integers(4, 14))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    X = random.normal(size=(n, 2)).round(draw(st.sampled_from([0, 3])))
    y = random.integers(draw(st.integers(1, 3)), size=(n, draw(st.integers(1, 2))))
    return X, y


@pytest.mark.filterwarnings("ignore:(all|X has . distinct) objects:UserWarning")
@given(task=tasks(), clusters=st.integers(1, 4), penalty=st.sampled_from([0.0, 0.5, 2.0, 9.0]))
def test_the_objective_is_that_of_the_definition_and_never_falls(task, clusters, penalty):
    X, y = task
    model = MinCEntropy(clusters, penalty=penalty, n_init=2, tol=0, random_state=0).fit(X, y)
    table = kernel_table(X, model.width_)
    weights = [penalty * naive_weight(table, z) for z in y.T]
    np.testing.assert_allclose(model.weights_, weights, atol=1e-9)
    wanted = naive_objective(table, model.labels_, y.T, weights)
    assert model.objective_ == pytest.approx(wanted, abs=1e-9)
    assert (np.diff(model.objective_trace_) >= 0).all()
    assert model.objective_trace_[-1] == model.objective_
    assert model.n_iter_ == len(model.objective_trace_) - 1
    assert np.unique(model.labels_).tolist() == list(range(clusters))


@given(task=tasks())
def test_no_single_move_is_left_that_raises_it(task):
    X, y = task
    model = MinCEntropy(2, n_init=1, tol=0, random_state=0).fit(X, y)
    table = kernel_table(X, model.width_)
    for i, here in enumerate(model.labels_):
        if (model.labels_ == here).sum() > 1:
            moved = model.labels_.copy()
            moved[i] = 1 - here
            value = naive_objective(table, moved, y.T, model.weights_)
            assert value <= model.objective_ + 1e-9


@given(task=tasks(), seed=st.integers(0, 99), penalty=st.sampled_from([1.0, 1.5, 4.0]))
def test_no_union_of_given_clusters_has_a_positive_objective(task, seed, penalty):
    X, y = task
    features = make_nystroem_features(X, len(X), None, np.random.RandomState(0)).features
    known = read_given(y, len(X))
    aim = Objective(features, known, penalty)
    joined = np.random.default_rng(seed).integers(3, size=3)[known.codes[0]]
    labels = np.unique(joined, return_inverse=True)[1]
    assert aim.value(aim.tally(labels, labels.max() + 1)) <= 1e-9


@pytest.mark.parametrize("width", [None, 0.7])
def test_features_with_all_landmarks_are_exact(width):
    X = np.random.default_rng(0).normal(size=(40, 3))
    features, found = make_nystroem_features(X, 40, width, np.random.RandomState(0))
    apart = [np.linalg.norm(x - y) for i, x in enumerate(X) for y in X[:i]]
    assert found == pytest.approx(np.mean(apart) if width is None else width)
    np.testing.assert_allclose(features @ features.T, kernel_table(X, found), atol=1e-9)


@pytest.mark.slow
def test_features_of_a_few_landmarks_are_near():
    X = np.random.default_rng(0).normal(size=(300, 2))
    table = kernel_table(X, 2.0)
    errors = []
    for n_landmarks in (5, 20, 80):
        features = make_nystroem_features(X, n_landmarks, 2.0, np.random.RandomState(0)).features
        assert len(features) == 300
        assert features.shape[1] <= n_landmarks
        errors.append(np.abs(features @ features.T - table).mean())
    # Of single pairs far out the error is larger.
    assert errors[2] < errors[1] < 1e-3 < errors[0]


def test_features_do_not_depend_on_blocks(monkeypatch):
    X = np.random.default_rng(0).normal(size=(50, 2))
    at_once = make_nystroem_features(X, 10, None, np.random.RandomState(0)).features
    monkeypatch.setattr("clusterwise.alternatives.mincentropy.objective._BLOCK", 70)
    in_blocks = make_nystroem_features(X, 10, None, np.random.RandomState(0)).features
    np.testing.assert_allclose(at_once, in_blocks, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_other_planted_clustering_is_found(clusters, seed):
    data = make_alternatives(400, (clusters, clusters), random_state=seed)
    for known, hidden in (data.labels.T, data.labels.T[::-1]):
        found = MinCEntropy(random_state=seed).fit(data.X, known).labels_
        assert cw.adjusted_rand_score(hidden, found) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "least"),
    [
        (lambda: make_alternatives(400, (3, 3), separation=5, random_state=0), 0.93),
        (lambda: make_alternatives(400, (3, 3), separation=5, rotated=True, random_state=0), 0.93),
        (lambda: make_alternatives(400, (3, 3), separation=5, balance=0.3, random_state=0), 0.93),
        (lambda: make_alternatives(400, (2, 3), separation=5, random_state=0), 0.93),
        (lambda: make_categorical_alternatives(400, (3, 3), random_state=0), 0.85),
        (lambda: make_mixed_alternatives(400, (3, 3), separation=5, random_state=0), 0.93),
    ],
    ids=["near", "rotated", "unbalanced", "of another number", "categorical", "mixed"],
)
def test_harder_clusterings_are_nearly_found(make, least):
    data = make()
    found = MinCEntropy(3, random_state=0).fit(data.X, data.labels[:, 0]).labels_
    assert cw.adjusted_rand_score(data.labels[:, 1], found) > least
    assert abs(cw.adjusted_rand_score(data.labels[:, 0], found)) < 0.02


def test_without_a_penalty_the_given_clustering_is_found_again():
    data = make_alternatives(200, (2, 2), random_state=0)
    X = data.X * [3, 3, 1, 1]
    plain = MinCEntropy(penalty=0, random_state=0).fit(X, data.labels[:, 0]).labels_
    assert cw.adjusted_rand_score(data.labels[:, 0], plain) == 1
    other = MinCEntropy(random_state=0).fit(X, data.labels[:, 0]).labels_
    assert cw.adjusted_rand_score(data.labels[:, 0], other) < 0.02


def test_several_given_clusterings_and_several_alternatives():
    data = make_alternatives(300, (2, 2, 2), random_state=0)
    model = MinCEntropy(random_state=0).fit(data.X, data.labels[:, :2])
    assert cw.adjusted_rand_score(data.labels[:, 2], model.labels_) == 1
    assert model.weights_.shape == (2,)

    model = MinCEntropy(n_alternatives=2, random_state=0).fit(data.X, data.labels[:, 0])
    scores = [
        [cw.adjusted_rand_score(hidden, found) for hidden in data.labels.T[1:]]
        for found in model.alternatives_
    ]
    assert np.sort(np.argmax(scores, axis=1)).tolist() == [0, 1]
    assert np.max(scores, axis=1).tolist() == [1, 1]
    assert len(model.sizes_) == 2


def test_it_stops_if_the_objective_is_not_positive():
    X = np.repeat([[0.0], [9.0]], 5, axis=0)
    model = MinCEntropy(n_alternatives=3, random_state=0)
    with pytest.warns(
        UserWarning, match="stopped after 1 of 3.* has an objective that is not positive"
    ):
        model.fit(X, np.repeat([0, 1], 5))
    assert len(model.alternatives_) == 1


def test_without_a_given_clustering_it_is_mincentropy():
    data = make_alternatives(200, (2, 2), random_state=0)
    X = data.X * [1.2, 1.2, 1, 1]
    model = MinCEntropy(n_alternatives=2, random_state=0).fit(X)
    np.testing.assert_array_equal(model.given_, np.zeros((1, 200)))
    np.testing.assert_array_equal(model.weights_, [0])
    for known, found in zip(data.labels.T, model.alternatives_, strict=True):
        assert cw.adjusted_rand_score(known, found) == 1


def test_names_of_given_clusters_do_not_matter():
    data = make_alternatives(90, (3, 2), separation=3, random_state=0)
    codes = data.labels[:, 0]
    first = MinCEntropy(random_state=0).fit(data.X, codes)
    other = MinCEntropy(random_state=0).fit(data.X, np.array(["z", "a", "k"])[codes])
    np.testing.assert_array_equal(first.labels_, other.labels_)


@pytest.mark.parametrize("n_landmarks", [20, 200])
def test_seeds_decide(n_landmarks):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 2
    runs = [
        MinCEntropy(3, n_landmarks=n_landmarks, n_init=1, random_state=seed).fit(X, y)
        for seed in (3, 3, np.random.RandomState(3), 4)
    ]
    for other in runs[1:3]:
        np.testing.assert_array_equal(runs[0].labels_, other.labels_)
        assert runs[0].objective_ == other.objective_
    assert not np.array_equal(runs[0].labels_, runs[3].labels_)


def test_more_starts_are_no_worse():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 2
    few, many = (
        MinCEntropy(4, n_init=starts, random_state=0).fit(X, y).objective_ for starts in (1, 12)
    )
    assert many > few


def test_max_iter_limits_the_sweeps():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 2
    short = MinCEntropy(4, n_init=1, max_iter=1, random_state=0).fit(X, y)
    long = MinCEntropy(4, n_init=1, tol=0, random_state=0).fit(X, y)
    assert short.n_iter_ == 1 < long.n_iter_
    np.testing.assert_array_equal(short.objective_trace_, long.objective_trace_[:2])
    # All that is gained after the first round is less than this.
    loose = MinCEntropy(4, n_init=1, tol=1.0, random_state=0).fit(X, y)
    assert loose.n_iter_ == 1


@pytest.mark.parametrize(("size", "fewest"), [(None, 1), (6, 6), (0.2, 8), (0.9, 13), (1.0, 1)])
def test_clusters_keep_the_smallest_size(size, fewest):
    # One far object, which would be alone.
    X = np.append(np.random.default_rng(0).normal(size=39), 100.0)[:, None]
    y = np.arange(40) % 2
    model = MinCEntropy(3, width=5.0, min_cluster_size=size, random_state=0).fit(X, y)
    assert min(model.sizes_[0].sizes) == fewest


def test_categorical_features_and_missing_values():
    data = make_mixed_alternatives(200, (2, 2), random_state=0)
    columns = dict(zip(data.feature_names, data.X.T, strict=True))
    frame = pd.DataFrame(columns).convert_dtypes()
    frame.loc[::20, "c2_1"] = None
    frame.loc[::21, "c2_3"] = None
    frame.loc[::22, "c1_1"] = None
    model = MinCEntropy(random_state=0).fit(frame, data.labels[:, 0])
    assert model.feature_names_in_.tolist() == list(data.feature_names)
    assert model.n_features_in_ == 8
    assert cw.adjusted_rand_score(data.labels[:, 1], model.labels_) > 0.95


def test_missing_numbers_are_means():
    data = make_alternatives(60, (2, 2), random_state=0)
    X = data.X.copy()
    X[::7, 1] = np.nan
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    for given_ in data.labels.T:
        found, wanted = (MinCEntropy(random_state=0).fit(x, given_) for x in (X, filled))
        np.testing.assert_array_equal(found.labels_, wanted.labels_)
        assert found.objective_ == pytest.approx(wanted.objective_)


def test_identical_points():
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        model = MinCEntropy(2, random_state=0).fit(np.ones((6, 2)), [0, 0, 0, 1, 1, 1])
    assert model.width_ == 1
    assert model.objective_ == pytest.approx(0)
    assert np.unique(model.labels_).size == 2


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({"n_clusters": 5}, None, "n_clusters=5 for 4 objects"),
        ({"n_alternatives": 0}, None, "n_alternatives=0"),
        ({"n_landmarks": 0}, None, "n_landmarks=0; use an integer of at least 1"),
        ({"n_init": 0}, None, "n_init=0; use an integer from 1 to 100000"),
        ({"max_iter": 0}, None, "max_iter=0; use an integer of at least 1"),
        ({"penalty": -1.0}, None, "penalty=-1.0; use a number of at least 0"),
        ({"tol": float("nan")}, None, "tol=nan"),
        ({"min_cluster_size": -1}, None, "min_cluster_size=-1"),
        ({"width": 0.0}, None, "width=0.0; use a number above 0"),
        ({}, [0, 1], "2 labels for 4 objects"),
    ],
)
def test_invalid_parameters_are_refused(options, y, message):
    with pytest.raises(InputError, match=message):
        MinCEntropy(**options).fit([[0], [1], [5], [6]], y)


def test_one_object_and_infinite_numbers_are_refused():
    with pytest.raises(InputError, match="n_samples=1 in X; pass at least two"):
        MinCEntropy().fit([["red"]], [0])
    with pytest.raises(ValueError, match="contains infinity"):
        MinCEntropy().fit(np.array([[0.0], [np.inf], [1.0]]), [0, 0, 1])


@pytest.mark.parametrize("readonly", [False, True])
def test_without_a_penalty_scikit_learn_finds_its_blobs(readonly):
    check_clustering("MinCEntropy", MinCEntropy(penalty=0), readonly_memmap=readonly)
