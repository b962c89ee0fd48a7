"""Searches in a sample, and clusters of all objects by the mixture model."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.portfolio import sampling
from clusterwise.alternatives.portfolio.sampling import Extension, draw_sample
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.gaussian import GaussianSums
from clusterwise.alternatives.refinement.model import (
    MixedData,
    MixedObjects,
    ModelData,
    find_components,
)
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_mixed_alternatives,
)

N = 6_000
MAKERS = {
    "numeric": lambda counts: make_alternatives(N, counts, separation=7, random_state=0),
    "categorical": lambda counts: make_categorical_alternatives(
        N, counts, features=8, random_state=0
    ),
    "mixed": lambda counts: make_mixed_alternatives(N, counts, separation=6, random_state=0),
}


def read(data, given):
    problem = AlternativeProblem(data.X, N, given)
    return MixedObjects(problem.features, problem.objects)


# --- the sample


def test_few_objects_are_all_used():
    assert draw_sample(read_given(np.arange(2000) % 2, 2000), 3, np.random.RandomState(0)) is None


@pytest.mark.parametrize(
    ("cells", "width", "size"), [(2, 3, 2_000), (150, 3, 3_000), (2, 200, 4_000), (2, 900, 10_000)]
)
def test_the_size_of_a_sample(cells, width, size):
    given = read_given(np.arange(20_000) % cells, 20_000)
    rows = draw_sample(given, width, np.random.RandomState(0))
    assert rows.size == size
    assert (np.diff(rows) > 0).all()
    assert 0 <= rows[0] < rows[-1] < 20_000


@given(st.integers(0, 1000), st.integers(1, 4))
def test_every_given_cluster_is_in_the_sample(seed, rare):
    codes = np.zeros((2, 5_000), np.int64)
    random = np.random.default_rng(seed)
    for cluster in range(1, 4):
        codes[0, random.permutation(5_000)[:rare]] = cluster
    codes[1] = random.permutation(5_000) % 2
    known = read_given(codes.T, 5_000)
    rows = draw_sample(known, 2, np.random.RandomState(seed))
    for one, count in zip(known.codes, known.sizes, strict=True):
        every, sampled = np.bincount(one, minlength=count), np.bincount(one[rows], minlength=count)
        assert (sampled >= np.minimum(every, 3)).all()
    assert 2_000 <= rows.size <= 2_000 + 9


# --- labels of all objects


@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("kind", MAKERS)
def test_labels_are_extended_to_all_objects(kind, known):
    data = MAKERS[kind]((2,) * known + (3,))
    given, truth = read_given(data.labels[:, :known], N), data.labels[:, known]
    rows = np.sort(np.random.default_rng(0).permutation(N)[:1_000])
    found = Extension(read(data, given), given, rows, None).extend(truth[rows])
    assert cw.adjusted_rand_score(found, truth) > 0.93


@pytest.mark.parametrize("kind", MAKERS)
def test_chunks_do_not_matter(monkeypatch, kind):
    data = MAKERS[kind]((2, 3))
    given, truth = read_given(data.labels[:, 0], N), data.labels[:, 1]
    rows = np.arange(0, N, 4)
    whole = Extension(read(data, given), given, rows, None).extend(truth[rows])
    monkeypatch.setattr(sampling, "_CHUNK", 700)
    parts = Extension(read(data, given), given, rows, None).extend(truth[rows])
    np.testing.assert_array_equal(parts, whole)


def test_many_features_are_projected():
    random = np.random.default_rng(0)
    known, truth = random.integers(2, size=N), random.integers(3, size=N)
    X = random.normal(size=(2, 150))[known] + random.normal(size=(3, 150))[truth]
    X += 2 * random.normal(size=(N, 150))
    given, rows = read_given(known, N), np.arange(0, N, 5)
    problem = AlternativeProblem(X, N, given)
    objects = MixedObjects(problem.features, problem.objects)
    axes = find_components(objects.take(rows), given.take(rows))
    assert axes.shape == (150, 50)
    np.testing.assert_allclose(axes.T @ axes, np.eye(50), atol=1e-9)
    found = Extension(objects, given, rows, axes).extend(truth[rows])
    assert cw.adjusted_rand_score(found, truth) > 0.95


def test_cells_that_the_sample_lacks():
    """One combination of given clusters has no object in the sample."""
    data = MAKERS["mixed"]((2, 2, 3))
    given, truth = read_given(data.labels[:, :2], N), data.labels[:, 2]
    rows = np.flatnonzero(given.joint > 0)[::3]
    found = Extension(read(data, given), given, rows, None).extend(truth[rows])
    assert cw.adjusted_rand_score(found[given.joint == 0], truth[given.joint == 0]) > 0.9


def test_categories_that_the_sample_lacks():
    data = MAKERS["categorical"]((2, 3))
    given, truth = read_given(data.labels[:, 0], N), data.labels[:, 1]
    objects = read(data, given)
    columns = [
        np.where(np.arange(N) % 50 == 0, codes.max() + 1, codes)
        for codes in objects.take().categorical
    ]
    rows = np.flatnonzero(np.arange(N) % 50)[::3]
    everything = MixedData(np.empty((N, 0)), columns)
    found = Extension(everything, given, rows, None).extend(truth[rows])
    kept = np.arange(N) % 50 != 0
    assert cw.adjusted_rand_score(found[kept], truth[kept]) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKERS)
def test_cluster_again_labels_all_objects(kind):
    data = MAKERS[kind]((2, 3))
    found = cw.cluster_again(data.X, data.labels[:, 0], random_state=0)
    assert cw.adjusted_rand_score(found[0].labels, data.labels[:, 1]) > 0.9
    assert sorted(found[0].sizes) == sorted(np.bincount(found[0].labels))


# --- sums


def draw(seed, n=150):
    random = np.random.default_rng(seed)
    codes = np.array([random.permutation(n) % 2, random.permutation(n) % 3])
    numeric = random.normal(size=(n, 3)) @ random.normal(size=(3, 3))
    responsibilities = random.dirichlet(np.ones(3), n).T
    return numeric, Given(codes, (2, 3)), responsibilities


@given(st.integers(0, 10_000), st.integers(1, 149))
def test_sums_of_parts_add_up(seed, cut):
    numeric, given, responsibilities = draw(seed)
    whole = GaussianSums.of(ModelData(MixedData(numeric, []), given), responsibilities)
    first, second = (
        GaussianSums.of(
            ModelData(MixedData(numeric[rows], []), given.take(rows)), responsibilities[:, rows]
        )
        for rows in (np.arange(cut), np.arange(cut, 150))
    )
    added = first + second
    assert (added.n, added.clusters) == (whole.n, whole.clusters)
    np.testing.assert_allclose(added.overlaps, whole.overlaps, atol=1e-9)
    np.testing.assert_allclose(added.sums, whole.sums, atol=1e-9)
    np.testing.assert_allclose(added.squares, whole.squares, atol=1e-9)
    np.testing.assert_allclose(
        added.fit().log_likelihoods(numeric, given),
        whole.fit().log_likelihoods(numeric, given),
        atol=1e-6,
    )


@given(st.integers(0, 10_000))
def test_the_model_of_sums_is_that_of_least_squares(seed):
    numeric, given, _ = draw(seed)
    labels = np.random.default_rng(seed).permutation(150) % 3
    model = GaussianSums.of(ModelData(MixedData(numeric, []), given), np.eye(3)[:, labels]).fit()
    marks = np.hstack([given.indicators.toarray(), np.eye(3)[labels]])
    effects = np.linalg.lstsq(marks, numeric, rcond=None)[0]
    own = given.indicators @ model.given_effects + model.centres[labels]
    np.testing.assert_allclose(own, marks @ effects, atol=1e-8)
    residuals = numeric - marks @ effects
    if model.covariance.inverse.ndim == 2:
        expected = residuals.T @ residuals / 150 + 1e-6 * np.diag((numeric**2).mean(axis=0))
        np.testing.assert_allclose(np.linalg.inv(model.covariance.inverse), expected, atol=1e-8)
