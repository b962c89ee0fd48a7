"""Classification EM: against a plain one, its laws, and what scikit-learn asks of estimators."""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, strategies as st
from scipy.stats import norm
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from clusterwise import InputError
from clusterwise.models.mixture import CEM

TYPES = ["full", "tied", "diag", "spherical"]
STARTS = ["kmeans", "k-means++", "random", "random_from_data"]


def blobs(seed, *, size=60, distance=3.0, features=2):
    random = np.random.default_rng(seed)
    centres = distance * random.normal(size=(3, features))
    return np.concatenate([random.normal(centre, 1.0, (size, features)) for centre in centres])


def fit_quietly(model, X):
    """Fit a model whose start may be a bad one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def plain_covariances(X, labels, means, kind):
    n, d = X.shape
    within = []
    for k, mean in enumerate(means):
        scatter = np.zeros((d, d))
        for x in X[labels == k]:
            scatter += np.outer(x - mean, x - mean)
        within.append(scatter)
    sizes = np.bincount(labels)
    if kind == "tied":
        return [sum(within) / n] * len(means)
    found = [scatter / size for scatter, size in zip(within, sizes, strict=True)]
    if kind == "diag":
        found = [np.diag(np.diag(matrix)) for matrix in found]
    if kind == "spherical":
        found = [np.eye(d) * np.trace(matrix) / d for matrix in found]
    return found


def plain_cem(X, labels, kind, steps=200):
    """CEM from a partition, as its definition says; the labels, model and likelihood at the end."""
    n, d = X.shape
    for _ in range(steps):
        weights = np.bincount(labels) / n
        means = [X[labels == k].mean(axis=0) for k in range(weights.size)]
        covariances = plain_covariances(X, labels, means, kind)
        logs = np.empty((n, weights.size))
        for k, (weight, mean, matrix) in enumerate(zip(weights, means, covariances, strict=True)):
            gap = X - mean
            far = np.einsum("ij,jk,ik->i", gap, np.linalg.inv(matrix), gap)
            size = d * np.log(2 * np.pi) + np.log(np.linalg.det(matrix))
            logs[:, k] = np.log(weight) - (size + far) / 2
        before, labels = labels, logs.argmax(axis=1)
        if np.array_equal(before, labels):
            return labels, weights, np.array(means), covariances, logs.max(axis=1).mean()
    raise AssertionError("the plain CEM did not come to rest")


def as_matrices(model):
    d = model.means_.shape[1]
    return {
        "full": list,
        "tied": lambda found: [found] * model.n_components,
        "diag": lambda found: [np.diag(row) for row in found],
        "spherical": lambda found: [np.eye(d) * value for value in found],
    }[model.covariance_type](model.covariances_)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_plain_cem_from_the_same_start(kind, seed):
    X = blobs(seed, distance=1.5)
    # Without a step the model is that of the start's own k-means partition.
    start = CEM(3, covariance_type=kind, reg_covar=0, max_iter=0, random_state=seed).fit(X)
    partition = KMeans(3, n_init=1, random_state=np.random.RandomState(seed)).fit(X).labels_
    np.testing.assert_allclose(start.weights_, np.bincount(partition) / len(X))

    model = CEM(3, covariance_type=kind, reg_covar=0, tol=0, random_state=seed).fit(X)
    labels, weights, means, covariances, likelihood = plain_cem(X, partition, kind)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-12)
    np.testing.assert_allclose(model.means_, means, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(as_matrices(model), covariances, rtol=1e-8, atol=1e-12)
    assert model.lower_bound_ == pytest.approx(likelihood, rel=1e-12)
    assert model.converged_


@pytest.mark.parametrize("kind", TYPES)
@given(seed=st.integers(0, 10_000), distance=st.floats(0.5, 4), features=st.integers(1, 3))
def test_no_step_lowers_the_classification_likelihood(kind, seed, distance, features):
    X = blobs(seed, distance=distance, features=features)
    model = CEM(3, covariance_type=kind, reg_covar=0, tol=0, random_state=seed)
    fit_quietly(model, X)
    assert model.converged_
    assert len(model.lower_bounds_) == model.n_iter_
    assert np.diff(model.lower_bounds_).min(initial=0.0) > -1e-11
    # At rest the last step's partition is the final one.
    own = np.log(model.predict_proba(X).max(axis=1)) + model.score_samples(X)
    assert own.mean() == pytest.approx(model.lower_bound_, abs=1e-10)


@pytest.mark.parametrize("kind", TYPES)
@given(seed=st.integers(0, 10_000))
def test_the_model_is_estimated_from_the_labels_alone(kind, seed):
    X = blobs(seed, distance=1.5)
    model = fit_quietly(CEM(2, covariance_type=kind, reg_covar=0, tol=0, random_state=seed), X)
    # A component that lost all its objects has no estimate.
    assume(np.bincount(model.labels_, minlength=2).all())
    means = [X[model.labels_ == k].mean(axis=0) for k in range(2)]
    np.testing.assert_allclose(model.means_, means, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.weights_, np.bincount(model.labels_) / len(X))
    expected = plain_covariances(X, model.labels_, means, kind)
    np.testing.assert_allclose(as_matrices(model), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", TYPES)
def test_labels_memberships_and_predictions_agree(kind, start):
    X = blobs(5, distance=1.5)
    model = CEM(3, covariance_type=kind, init_params=start, random_state=3)
    labels = fit_quietly(model, X).labels_
    memberships = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), labels)
    np.testing.assert_array_equal(memberships.argmax(axis=1), labels)
    np.testing.assert_allclose(memberships.sum(axis=1), 1.0)
    assert ((memberships > 0.01) & (memberships < 0.99)).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        np.testing.assert_array_equal(clone(model).fit_predict(X), labels)


@pytest.mark.slow
def test_components_lie_farther_apart_than_those_of_em():
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(centre, 1.0, (20_000, 1)) for centre in (-1.0, 1.0)])
    options = {"means_init": [[-1.0], [1.0]], "covariance_type": "tied", "tol": 1e-7}
    em = GaussianMixture(2, max_iter=1000, **options).fit(X)
    cem = CEM(2, **options).fit(X)
    # Cut in the middle, the mixture has the mean E|x| on either side, and the variance 2 - E|x|².
    half = 2 * norm.pdf(1) + 2 * norm.cdf(1) - 1
    np.testing.assert_allclose(em.means_.ravel(), [-1, 1], atol=0.05)
    np.testing.assert_allclose(cem.means_.ravel(), [-half, half], atol=0.05)
    assert em.covariances_[0, 0] == pytest.approx(1, abs=0.05)
    assert cem.covariances_[0, 0] == pytest.approx(2 - half**2, abs=0.05)


def test_it_does_not_matter_where_components_are_far_apart():
    random = np.random.default_rng(1)
    X = np.concatenate([random.normal(centre, 0.1, (50, 2)) for centre in (0.0, 5.0, 10.0)])
    em = GaussianMixture(3, random_state=0).fit(X)
    cem = CEM(3, random_state=0).fit(X)
    np.testing.assert_array_equal(cem.labels_, em.predict(X))
    np.testing.assert_allclose(cem.means_, em.means_, atol=1e-9)
    np.testing.assert_allclose(cem.predict_proba(X), em.predict_proba(X), atol=1e-9)


def test_the_best_of_several_starts_is_kept():
    X = blobs(2, distance=1.0)
    seeds = np.random.RandomState(7)
    options = {"init_params": "random_from_data", "tol": 0, "covariance_type": "tied"}
    singles = [fit_quietly(CEM(3, random_state=seeds, **options), X) for _ in range(5)]
    several = fit_quietly(CEM(3, random_state=7, n_init=5, **options), X)
    bounds = [single.lower_bound_ for single in singles]
    assert len(set(np.round(bounds, 9))) > 1
    assert several.lower_bound_ == max(bounds)
    np.testing.assert_array_equal(several.labels_, singles[int(np.argmax(bounds))].labels_)


def test_tol_zero_stops_when_no_label_changes_and_stays_zero():
    X = blobs(3, distance=1.0)
    model = CEM(3, tol=0, random_state=0, max_iter=1000).fit(X)
    assert model.converged_
    assert model.tol == 0
    assert model.lower_bounds_[-1] == model.lower_bounds_[-2]
    loose = CEM(3, tol=0.05, random_state=0).fit(X)
    assert loose.converged_
    assert loose.n_iter_ < model.n_iter_


def test_too_few_steps_are_said():
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        model = CEM(3, tol=0, max_iter=1, random_state=0).fit(blobs(3, distance=1.0))
    assert not model.converged_


@pytest.mark.parametrize("X", [np.ones((6, 2)), np.repeat([[0.0, 1.0], [5.0, 7.0]], 4, axis=0)])
def test_equal_objects_give_one_warning_which_is_ours(X):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = len(set(CEM(3, random_state=0).fit(X).labels_))
    (warning,) = caught
    assert str(warning.message).startswith(f"CEM found fewer clusters ({found}) than n_components")
    assert warning.filename == __file__


def test_a_warm_start_goes_on_from_the_last_fit():
    X = blobs(3, distance=1.0)
    whole = CEM(3, tol=0, random_state=0).fit(X)
    model = CEM(3, tol=0, random_state=0, max_iter=2, warm_start=True)
    for _ in range(whole.n_iter_):
        fit_quietly(model, X)
    np.testing.assert_array_equal(model.labels_, whole.labels_)
    assert model.lower_bound_ == whole.lower_bound_


@pytest.mark.parametrize("given_precisions", [False, True])
@pytest.mark.parametrize("kind", TYPES)
def test_an_empty_component_stays_where_it_was(kind, given_precisions):
    X = blobs(4)
    precisions = {
        "full": np.stack([np.eye(2) * 2.0] * 3),
        "tied": np.eye(2) * 2.0,
        "diag": np.full((3, 2), 2.0),
        "spherical": np.full(3, 2.0),
    }[kind]
    far = X.max(axis=0) + 100.0
    model = CEM(
        3,
        covariance_type=kind,
        weights_init=[0.4, 0.2, 0.4],
        means_init=[X[0], far, X[100]],
        precisions_init=precisions if given_precisions else None,
        reg_covar=0,
        tol=0,
        random_state=0,
    )
    with pytest.warns(ConvergenceWarning, match=r"fewer clusters \(2\) than n_components \(3\)"):
        model.fit(X)
    assert set(model.labels_) == {0, 2}
    assert 0 < model.weights_[1] < 1e-15
    assert model.weights_.sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(model.means_[1], far)
    if given_precisions and kind != "tied":
        np.testing.assert_allclose(model.precisions_[1], precisions[1])
    inverse = np.linalg.inv if kind in ("full", "tied") else np.reciprocal
    np.testing.assert_allclose(inverse(model.precisions_), model.covariances_, rtol=1e-9)
    assert np.diff(model.lower_bounds_).min(initial=0.0) > -1e-11
    # What is left is where CEM with two components comes to rest, too.
    two = model.labels_ // 2
    labels, weights, means, _, likelihood = plain_cem(X, two, kind)
    np.testing.assert_array_equal(labels, two)
    np.testing.assert_allclose(model.means_[[0, 2]], means)
    np.testing.assert_allclose(model.weights_[[0, 2]], weights)
    assert model.lower_bound_ == pytest.approx(likelihood)


def test_float32_stays_float32():
    X = blobs(6).astype(np.float32)
    model = CEM(3, random_state=0).fit(X)
    assert model.means_.dtype == np.float32
    assert model.covariances_.dtype == np.float32


def test_defaults_and_parameters_are_those_of_the_gaussian_mixture():
    assert CEM().get_params() == GaussianMixture().get_params()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "n_components"),
        ({"covariance_type": "round"}, "covariance_type"),
        ({"tol": -1.0}, "tol"),
        ({"tol": None}, "tol"),
        ({"n_components": 1000}, "n_samples >= n_components"),
        ({"n_components": 2, "means_init": [[0.0, 0.0]]}, "means"),
    ],
)
def test_wrong_options_are_refused(options, message):
    model = CEM(**options)
    with pytest.raises(ValueError, match=message):
        model.fit(blobs(0))
    assert model.tol == options.get("tol", 1e-3)


def test_a_component_without_a_covariance_is_refused_unless_regularised():
    X = np.concatenate([np.zeros((5, 2)), blobs(0)])
    options = {"means_init": [[0.0, 0.0], [9.0, 9.0]], "precisions_init": [1e6, 1e-3]}
    model = CEM(2, covariance_type="spherical", reg_covar=0, **options)
    with pytest.raises(ValueError, match="ill-defined empirical covariance"):
        model.fit(X)
    model.set_params(reg_covar=1e-6).fit(X)
    assert np.bincount(model.labels_).tolist() == [5, 180]


@pytest.mark.parametrize("seed", [np.random.default_rng, np.random.RandomState, int])
def test_every_kind_of_seed(seed):
    X = np.random.default_rng(0).normal(size=(40, 2))
    given = [seed(3), seed(3)]
    models = [CEM(2, init_params="random", random_state=one).fit(X) for one in given]
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)
    assert models[0].random_state is given[0]
    samples = [model.sample(5)[0] for model in models]
    np.testing.assert_array_equal(*samples)


def test_types_that_numpy_does_not_have():
    X = pl.DataFrame({"x": pl.Series([0, 2**63, 5], dtype=pl.Int128)})
    with pytest.raises(InputError, match="X cannot be read as numbers"):
        CEM(2).fit(X)


@pytest.mark.parametrize(
    ("dtype", "large"), [(np.float64, 1e160), (np.float64, -1e300), (np.float32, 1e20)]
)
def test_numbers_whose_squares_overflow_are_refused(dtype, large):
    X = blobs(0).astype(dtype)
    X[3, 1] = large
    with pytest.raises(InputError, match=r"^X has a number of the size of 1e\+\d+, the square of"):
        CEM(3).fit(X)


@pytest.mark.parametrize("factor", [1e140, 1e-100])
def test_the_unit_does_not_matter_without_regularisation(factor):
    X, options = blobs(0, distance=9.0), {"reg_covar": 0, "random_state": 0}
    labels = CEM(3, **options).fit(X).labels_
    np.testing.assert_array_equal(CEM(3, **options).fit(X * factor).labels_, labels)
