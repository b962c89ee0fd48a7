"""OrthogonalAlternative: the residual data by definition, invariances, and planted clusterings."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.linear_model import LinearRegression
from sklearn.mixture import GaussianMixture

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives.base import join_small
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.least_squares import CentredData, remove
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.encoding import relabel_by_appearance
from helpers.strategies import max_examples

APPROACHES = ["whiten", "project", "residual"]


def naive_left(X, labels, approach):
    """One given clustering, all directions of its means: straight from the definitions."""
    X = X - X.mean(axis=0)
    n = len(X)
    means = np.array([X[labels == k].mean(axis=0) for k in labels])
    if approach == "residual":
        return X - means
    if approach == "whiten":
        indicators = np.eye(labels.max() + 1)[labels]
        predicted = LinearRegression().fit(X, indicators).predict(X)
        centres = np.array([X[labels == k].mean(axis=0) for k in range(labels.max() + 1)])
        # A linear model foresees the cluster, and the mean that goes with it is taken off.
        return X - (predicted - indicators.sum(axis=0) / n) @ centres
    basis, lengths, _ = np.linalg.svd(means.T, full_matrices=False)
    basis = basis[:, lengths > 1e-9 * np.linalg.norm(X)]
    return X - X @ basis @ basis.T


def distances(points):
    return np.linalg.norm(points[:, None] - points, axis=2)


def left_of(X, y, approach, share=1.0):
    return remove(CentredData.read(np.asarray(X, float)), read_given(y, len(X)), approach, share)


@st.composite
def objects(draw, features=4):
    seed = draw(st.integers(0, 10**6))
    n = draw(st.integers(8, 30))
    random = np.random.default_rng(seed)
    labels = relabel_by_appearance(random.integers(0, draw(st.integers(2, 3)), n))
    X = random.normal(size=(n, features)) + 3 * random.normal(size=(4, features))[labels]
    return X * np.exp(random.normal(size=features)), labels


@pytest.mark.parametrize("approach", APPROACHES)
@given(data=objects())
def test_the_residual_data_equal_the_definition(approach, data):
    X, labels = data
    left = left_of(X, labels, approach)
    expected = naive_left(X, labels, approach)
    np.testing.assert_allclose(distances(left.scores), distances(expected), atol=1e-7)
    np.testing.assert_allclose(left.scores @ left.components, expected, atol=1e-7)
    np.testing.assert_allclose(left.scores.var(axis=0), left.variances, atol=1e-9)
    assert (np.diff(left.variances) <= 0).all()
    np.testing.assert_allclose(left.components @ left.components.T, np.eye(len(left.components)),
                               atol=1e-9)  # fmt: skip


@given(data=objects(), seed=st.integers(0, 1000))
def test_whitening_is_equivariant_under_linear_maps(data, seed):
    X, labels = data
    change = np.random.default_rng(seed).normal(size=(4, 4)) + 3 * np.eye(4)
    one, other = left_of(X, labels, "whiten"), left_of(X @ change, labels, "whiten")
    expected = one.scores @ one.components @ change
    np.testing.assert_allclose(other.scores @ other.components, expected, atol=1e-6)


@given(data=objects())
def test_projecting_and_residuals_leave_equal_means(data):
    X, labels = data
    for approach in ("project", "residual"):
        scores = left_of(X, labels, approach).scores
        for k in np.unique(labels):
            np.testing.assert_allclose(scores[labels == k].mean(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("approach", APPROACHES)
@given(data=objects())
def test_a_repeated_given_clustering_changes_nothing(approach, data):
    X, labels = data
    once = left_of(X, labels, approach)
    twice = left_of(X, np.column_stack([labels, labels.max() - labels]), approach)
    np.testing.assert_allclose(
        twice.scores @ twice.components, once.scores @ once.components, atol=1e-7
    )


def test_several_given_clusterings_are_removed_jointly():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, (50, 2))
    X = random.normal(size=(50, 5)) + random.normal(size=(3, 5))[y[:, 0]] * 4
    indicators = np.hstack([np.eye(3)[y[:, 0]], np.eye(3)[y[:, 1]]])
    expected = X - LinearRegression().fit(indicators, X).predict(indicators)
    left = left_of(X, y, "residual")
    np.testing.assert_allclose(left.scores @ left.components, expected, atol=1e-9)
    covariance = np.cov(X.T, bias=True)
    shrunk = np.linalg.inv(covariance) @ np.cov(expected.T, bias=True)
    left = left_of(X, y, "whiten")
    np.testing.assert_allclose(left.scores @ left.components, (X - X.mean(0)) @ shrunk, atol=1e-9)


@pytest.mark.parametrize("approach", APPROACHES)
def test_more_features_than_objects(approach):
    random = np.random.default_rng(1)
    X, labels = random.normal(size=(12, 40)), np.arange(12) % 3
    left = left_of(X, labels, approach)
    expected = naive_left(X, labels, "residual" if approach == "whiten" else approach)
    # With so many features a linear model foresees every label.
    np.testing.assert_allclose(left.scores @ left.components, expected, atol=1e-9)
    assert left.components.shape[1] == 40
    assert len(left.components) == 9


def test_small_numbers_are_not_treated_as_rounding_errors():
    data = make_alternatives(80, (2, 2), random_state=0)
    units = np.array([1e3, 1e3, 1e-3, 1e-3])
    left = left_of(data.X * units, data.labels[:, 0], "whiten")
    expected = naive_left(data.X, data.labels[:, 0], "whiten")
    np.testing.assert_allclose(left.scores @ left.components / units, expected, atol=1e-9)


def test_explained_variance_leaves_noise_directions():
    """Four clusters in two features: the third direction of their means is noise."""
    data = make_alternatives(400, (4, 4), random_state=0)
    assert len(left_of(data.X, data.labels[:, 0], "project", 1.0).components) == 1
    left = left_of(data.X, data.labels[:, 0], "project", 0.95)
    assert len(left.components) == 2
    found = OrthogonalAlternative(approach="project", explained_variance=1.0, random_state=0)
    worse = cw.adjusted_rand_score(found.fit(data.X, data.labels[:, 0]).labels_, data.labels[:, 1])
    assert worse < 0.9


@pytest.mark.parametrize("approach", APPROACHES)
@pytest.mark.parametrize("clusters", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_hidden_clustering_is_found(approach, clusters, seed):
    data = make_alternatives(200, (clusters, clusters), extra_features=3, random_state=seed)
    model = OrthogonalAlternative(approach=approach, random_state=0)
    model.fit(data.X, data.labels[:, 0])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) > 0.99
    np.testing.assert_array_equal(model.labels_, relabel_by_appearance(model.labels_))


@pytest.mark.parametrize("approach", APPROACHES)
def test_components_of_the_rest(approach):
    """The first components are clustered, in their units or with unit variance."""
    random = np.random.default_rng(0)
    X, given = random.normal(size=(90, 6)) * [5, 4, 3, 2, 1, 1], np.arange(90) % 3
    rest = left_of(X, given, approach)
    for count, scaled in [(2, False), (3, True), (None, True), (9, False)]:
        scores = rest.scores[:, :count]
        scores = scores / scores.std(axis=0) if scaled else scores
        model = OrthogonalAlternative(
            4, approach=approach, explained_variance=1.0, n_components=count,
            scale_components=scaled, random_state=3,
        ).fit(X, given)  # fmt: skip
        seed = np.random.RandomState(3).randint(1 << 30)
        expected = KMeans(4, n_init=10, random_state=seed).fit_predict(scores)
        assert cw.rand_score(expected, model.labels_) == 1.0
        np.testing.assert_array_equal(model.components_, rest.components[:count])
        assert len(model.explained_) == scores.shape[1]


def test_clusters_beside_a_component_of_large_variance():
    """Clusters in two directions of ten are hidden by a third one, until all are scaled."""
    random = np.random.default_rng(1)
    given, hidden = random.integers(0, 3, (2, 400))
    X = random.normal(size=(400, 10))
    X[:, :2] += 5 * np.eye(3, 2)[given]
    X[:, 2:4] += 6 * np.eye(3, 2)[hidden]
    X[:, 4] *= 20
    X = X @ np.linalg.qr(random.normal(size=(10, 10)))[0]

    def recovery(**options):
        model = OrthogonalAlternative(3, random_state=0, **options).fit(X, given)
        return cw.adjusted_rand_score(model.labels_, hidden)

    assert recovery() < 0.1
    assert recovery(scale_components=True) > 0.95
    # The portfolio does so, and chooses it by the evidence.
    found = cw.cluster_again(X, given, scale=False, random_state=0)
    assert cw.adjusted_rand_score(found[0].labels, hidden) > 0.95


def test_alternatives_are_found_one_after_the_other():
    data = make_alternatives(240, (2, 2, 2), random_state=0)
    model = OrthogonalAlternative(n_alternatives=2, random_state=0).fit(data.X, data.labels[:, 0])
    found = {
        int(np.argmax([cw.adjusted_rand_score(one, true) for true in data.labels.T]))
        for one in model.alternatives_
    }
    assert found == {1, 2}
    again = OrthogonalAlternative(random_state=0).fit(
        data.X, np.column_stack([data.labels[:, 0], model.labels_])
    )
    np.testing.assert_array_equal(again.labels_, model.alternatives_[1])


def test_it_stops_if_no_variance_is_left():
    X = np.array([[0.0, 0], [0, 1], [3, 0], [3, 1]])
    model = OrthogonalAlternative(n_alternatives=3, approach="project", random_state=0)
    with pytest.warns(UserWarning, match="after 1 of 3 alternatives: the next one has no variance"):
        model.fit(X, [0, 0, 1, 1])
    np.testing.assert_array_equal(model.alternatives_, [[0, 1, 0, 1]])


def test_without_a_given_clustering_one_is_made():
    X = np.array([[0.0, 0], [0, 1], [3, 0], [3, 1]])
    model = OrthogonalAlternative(random_state=0).fit(X)
    assert cw.adjusted_rand_score(model.given_[0], [0, 0, 1, 1]) == 1
    np.testing.assert_array_equal(model.labels_, [0, 1, 0, 1])
    assert model.explained_.sum() == pytest.approx(0.1)


def test_any_clusterer_can_be_the_base():
    data = make_alternatives(120, (2, 3), random_state=2)
    known, hidden = data.labels.T
    bases = [
        AgglomerativeClustering(3),
        GaussianMixture(3, n_init=3),
        KMeans(2, n_init=5),
    ]
    for base in bases:
        asked = 3 if isinstance(base, KMeans) else None
        model = OrthogonalAlternative(asked, base=base, random_state=0).fit(data.X, known)
        assert cw.adjusted_rand_score(model.labels_, hidden) > 0.99
    assert bases[2].n_clusters == 2  # the one passed in stays as it is
    assert bases[1].random_state is None


def test_categorical_features_and_missing_values():
    random = np.random.default_rng(0)
    colour, shape = random.integers(0, 2, (2, 100))
    rows = [
        [["red", "blue"][c], ["warm", "cold"][c], ["round", "square"][s], ["o", "x"][s], float(s)]
        for c, s in zip(colour, shape, strict=True)
    ]
    rows[3][2] = None
    rows[5][4] = float("nan")
    X = np.array(rows, object)
    model = OrthogonalAlternative(random_state=0).fit(X, colour)
    assert cw.adjusted_rand_score(model.labels_, shape) > 0.95
    assert model.n_features_in_ == 5
    assert model._read(X, colour).points.shape == (100, model.components_.shape[1])
    numbers = make_alternatives(60, (2, 2), random_state=0)
    numbers.X[4, 1] = np.nan
    assert OrthogonalAlternative(random_state=0).fit(numbers.X, numbers.labels[:, 0])


def test_small_clusters_join_the_nearest():
    points = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [4.0], [0.9]])
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 3])
    np.testing.assert_array_equal(join_small(points, labels, 2), [0, 0, 0, 1, 1, 1, 1, 0])
    np.testing.assert_array_equal(join_small(points, labels, 0.25), [0, 0, 0, 1, 1, 1, 1, 0])
    np.testing.assert_array_equal(join_small(points, labels, 1), labels)
    np.testing.assert_array_equal(join_small(points, labels, 7), labels)
    data = make_alternatives(100, (2, 2), random_state=0)
    data.X[0] += 300
    alone = OrthogonalAlternative(random_state=0).fit(data.X, data.labels[:, 0])
    assert min(alone.sizes_[0].sizes) == 1
    joined = OrthogonalAlternative(3, min_cluster_size=0.1, random_state=0)
    assert min(joined.fit(data.X, data.labels[:, 0]).sizes_[0].sizes) >= 10


@given(seed=st.integers(0, 1000), approach=st.sampled_from(APPROACHES))
@max_examples(10)
def test_the_same_seed_gives_the_same_labels(seed, approach):
    X = np.random.default_rng(seed).normal(size=(30, 3))
    first, second = (
        OrthogonalAlternative(3, approach=approach, random_state=seed).fit(X, np.arange(30) % 2)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.labels_, second.labels_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"approach": "rotate"}, "approach='rotate' is unknown; use 'whiten', 'project' or"),
        ({"explained_variance": 0.0}, "explained_variance=0.0; use a number above 0"),
        ({"n_alternatives": 0}, "n_alternatives=0"),
        ({"n_clusters": 9}, "n_clusters=9 for 4 objects"),
        ({"base": 3}, "base=3; use a clusterer with fit_predict or None"),
        ({"n_clusters": 2, "base": GaussianMixture(2)}, "GaussianMixture has no such parameter"),
        (
            {"approach": "project", "explained_variance": 1.0},
            "differ in every direction",
        ),
    ],
)
def test_invalid_parameters_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        OrthogonalAlternative(**options).fit([[0, 0], [0, 2], [5, 0], [5, 1]], [0, 1, 2, 2])


@pytest.mark.parametrize("approach", ["whiten", "residual"])
def test_clusters_that_explain_everything_are_refused(approach):
    X = np.repeat([[0.0, 1.0], [0.3, 7.7], [5.1, 2.9]], 3, axis=0)
    with pytest.raises(InputError, match="explain all of the data, so that nothing is left"):
        OrthogonalAlternative(approach=approach).fit(X, np.repeat([0, 1, 2], 3))
