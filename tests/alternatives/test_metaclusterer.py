"""The meta level against its definitions, and the alternatives that it finds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.cluster.hierarchy import fcluster, is_valid_linkage
from sklearn.cluster import KMeans
from sklearn.metrics import rand_score as sklearn_rand_score

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives.metaclusterer import MetaClusterer, compactness, rand_distances
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.encoding import relabel_by_appearance
from helpers.strategies import max_examples


@st.composite
def clusterings(draw):
    m, n, size = draw(st.integers(1, 6)), draw(st.integers(2, 40)), draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = [relabel_by_appearance(random.integers(0, size, n)) for _ in range(m)]
    return np.array(labels, draw(st.sampled_from([np.uint8, np.int16, np.int64])))


@given(labels=clusterings())
def test_distances_are_one_minus_rand(labels):
    found = rand_distances(labels)
    for i, one in enumerate(labels):
        for j, other in enumerate(labels):
            assert found[i, j] == 1.0 - cw.rand_score(one, other)
            assert found[i, j] == pytest.approx(1.0 - sklearn_rand_score(one, other))


@given(labels=clusterings(), seed=st.integers(0, 100))
def test_compactness_is_the_share_of_variance_between(labels, seed):
    points = np.random.default_rng(seed).normal(size=(labels.shape[1], 3)) * [1, 5, 0.2]
    points -= points.mean(axis=0)
    for one, value in zip(labels, compactness(points, labels), strict=True):
        within = sum(((points[one == k] - points[one == k].mean(0)) ** 2).sum() for k in set(one))
        assert value == pytest.approx(1 - within / (points**2).sum())


def test_compactness_of_objects_that_are_all_the_same():
    assert compactness(np.zeros((3, 2)), np.array([[0, 1, 1]])) == [1.0]


def fitted(**options):
    data = make_alternatives(90, (3, 3), extra_features=2, random_state=1)
    model = MetaClusterer(n_base=30, random_state=0, **options)
    return data, model.fit(data.X, data.labels[:, 0])


def test_the_meta_level():
    data, model = fitted()
    assert model.base_labels_.shape == (30, 90)
    assert model.base_labels_.dtype == np.uint8
    np.testing.assert_array_equal(model.meta_distances_, rand_distances(model.base_labels_))
    assert is_valid_linkage(model.meta_linkage_)
    np.testing.assert_array_equal(model.after_pca_, np.arange(30) % 2)
    np.testing.assert_allclose(model.exponents_[:6], [0, 0, 0.25, 0.25, 0.5, 0.5])
    mean = model.meta_distances_[np.triu_indices(30, 1)].mean()
    expected = fcluster(model.meta_linkage_, 0.25 * mean, "distance")
    assert cw.rand_score(model.meta_labels_, expected) == 1
    for group, one in enumerate(model.representatives_):
        members = np.flatnonzero(model.meta_labels_ == group)
        assert one in members
        assert model.base_compactness_[one] == model.base_compactness_[members].max()
        jaccard = cw.pair_jaccard_score(model.base_labels_[one], data.labels[:, 0])
        assert model.difference_[group] == 1 - jaccard


def test_two_orders():
    _, model = fitted()
    everyone = sorted(model.representatives_)
    assert sorted(model.by_compactness_) == sorted(model.by_difference_) == everyone
    assert (np.diff(model.base_compactness_[model.by_compactness_]) <= 0).all()
    different = dict(zip(model.representatives_, model.difference_, strict=True))
    assert (np.diff([different[one] for one in model.by_difference_]) <= 0).all()


@pytest.mark.parametrize("n_meta", [1, 2, 7, 30])
def test_so_many_meta_clusters(n_meta):
    _, model = fitted(n_meta=n_meta)
    assert len(set(model.meta_labels_)) == len(model.representatives_) == n_meta


def test_alternatives_are_the_best_representatives_against_all_before():
    data, model = fitted(n_alternatives=3, quality_floor=0.0)
    known = [data.labels[:, 0]]

    def worth(one):
        different = min(1 - cw.pair_jaccard_score(model.base_labels_[one], k) for k in known)
        compact = model.base_compactness_[one]
        return 2 * different * compact / (different + compact) if different else 0.0

    assert len(model.alternatives_) == 3
    for labels in model.alternatives_:
        best = max(model.representatives_, key=worth)
        np.testing.assert_array_equal(labels, model.base_labels_[best])
        np.testing.assert_array_equal(labels, relabel_by_appearance(labels))
        known.append(labels)


def test_it_stops_when_all_are_known():
    X = np.repeat([[0.0, 0.0], [50.0, 0.0]], 5, axis=0) + np.arange(10)[:, None] % 5
    model = MetaClusterer(n_base=6, n_alternatives=2, random_state=0)
    with pytest.warns(
        UserWarning, match="after 1 of 2 alternatives: the next one is a given cluste"
    ):
        model.fit(X, np.repeat([0, 1], 5))
    assert len(model.alternatives_) == 1


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_hidden_clustering_is_found(clusters, seed):
    data = make_alternatives(200, (clusters, clusters), random_state=seed)
    model = MetaClusterer(random_state=0).fit(data.X, data.labels[:, 0])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) > 0.99


def test_several_given_clusterings():
    data = make_alternatives(160, (2, 2, 2), random_state=0)
    model = MetaClusterer(random_state=0).fit(data.X, data.labels[:, :2])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 2]) > 0.99
    assert model.given_.shape == (2, 160)


def test_without_a_given_clustering_one_is_made():
    data = make_alternatives(100, (2, 2), random_state=0)
    model = MetaClusterer(random_state=0).fit(data.X)
    pair = {
        int(np.argmax([cw.adjusted_rand_score(one, true) for true in data.labels.T]))
        for one in (model.given_[0], model.labels_)
    }
    assert pair == {0, 1}


def test_every_run_is_plain_k_means_if_asked():
    data = make_alternatives(80, (2, 2), random_state=3)
    model = MetaClusterer(4, n_base=8, exponents=[0.0], pca=False, random_state=0)
    model.fit(data.X, data.labels[:, 0])
    assert not model.after_pca_.any()
    for run in model.base_labels_:
        centres = np.array([data.X[run == k].mean(axis=0) for k in range(4)])
        again = KMeans(4, init=centres, n_init=1).fit(data.X).labels_
        assert cw.rand_score(run, again) == 1  # nothing moves: the run had converged


def test_scaling_makes_units_irrelevant():
    data = make_alternatives(80, (2, 2), random_state=3)
    units = np.array([1000.0, 1e-3, 1.0, 10.0])
    for scale, alike in ((True, True), (False, False)):
        one, other = (
            MetaClusterer(3, n_base=20, scale=scale, random_state=0).fit(X, data.labels[:, 0])
            for X in (data.X, data.X * units)
        )
        assert np.array_equal(one.base_labels_, other.base_labels_) == alike


def test_names_and_missing_values():
    random = np.random.default_rng(0)
    colour, shape = random.integers(0, 2, (2, 100))
    rows = [
        [["red", "blue"][c], ["warm", "cold"][c], ["round", "square"][s], ["o", "x"][s], float(s)]
        for c, s in zip(colour, shape, strict=True)
    ]
    rows[3][2] = None
    rows[5][4] = float("nan")
    model = MetaClusterer(n_base=40, random_state=0).fit(np.array(rows, object), colour)
    assert cw.adjusted_rand_score(model.labels_, shape) > 0.95


def test_objects_that_are_all_the_same():
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        model = MetaClusterer(n_base=4, random_state=0).fit(np.ones((6, 2)), [0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(model.labels_, np.zeros(6))
    assert model.degenerate_


def test_no_small_clusters():
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(size=(60, 2)), [[80.0, 80.0]]])
    options = {"n_base": 20, "random_state": 0}
    plain = MetaClusterer(3, **options).fit(X, np.arange(61) % 2)
    assert min(np.bincount(run).min() for run in plain.base_labels_) == 1
    guarded = MetaClusterer(3, min_cluster_size=5, **options).fit(X, np.arange(61) % 2)
    assert min(np.bincount(run).min() for run in guarded.base_labels_) >= 5


@given(seed=st.integers(0, 1000))
@max_examples(10)
def test_seeds_decide_and_threads_do_not(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    y = np.arange(40) % 2
    first = MetaClusterer(3, n_base=10, random_state=seed).fit(X, y)
    with cw.threads(1):
        second = MetaClusterer(3, n_base=10, random_state=seed).fit(X, y)
    np.testing.assert_array_equal(first.base_labels_, second.base_labels_)
    np.testing.assert_array_equal(first.labels_, second.labels_)
    other = MetaClusterer(3, n_base=10, random_state=seed + 1).fit(X, y)
    assert not np.array_equal(first.base_labels_, other.base_labels_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_base": 1}, "n_base=1; use an integer from 2 to 100000"),
        ({"exponents": ()}, r"exponents=\(\); use a list of 1 or more"),
        ({"exponents": [-1.0]}, r"exponents=\[-1.0\]; use .* \(each a number of at least 0\)"),
        ({"n_meta": 0}, "n_meta=0; use an integer of at least 1"),
        ({"n_meta": 101}, "n_meta=101 for 100 base clusterings"),
        ({"n_alternatives": 0}, "n_alternatives=0"),
        ({"n_clusters": 5}, "n_clusters=5 for 4 objects"),
    ],
)
def test_impossible_wishes_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        MetaClusterer(**options).fit([[0], [1], [5], [6]], [0, 0, 1, 1])
