"""Data without clusters that resemble given data."""

import numpy as np
import pytest
from scipy.stats import kstest, skew, spearmanr

from clusterwise.stability.null_models import WORDS, fit_null

RANDOM = np.random.default_rng(0)
MIXING = RANDOM.normal(size=(3, 3))
NORMAL = RANDOM.normal(size=(4000, 3)) @ MIXING + [5.0, 0.0, -9.0]


def draw(name, points, seed=0, owners=None):
    owners = np.arange(points.shape[1]) if owners is None else owners
    model = fit_null(name, points, owners, np.random.RandomState(7))
    return model(np.random.RandomState(seed))


@pytest.mark.parametrize("name", WORDS)
def test_as_many_objects_from_the_seed(name):
    one, same, other = (draw(name, NORMAL, seed) for seed in (0, 0, 1))
    assert one.shape == NORMAL.shape
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_gaussian_has_the_mean_and_the_covariance():
    found = draw("gaussian", NORMAL)
    np.testing.assert_allclose(found.mean(axis=0), NORMAL.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(np.cov(found.T), np.cov(NORMAL.T), atol=0.25)


@pytest.mark.parametrize("name", ["gaussian", "unimodal"])
def test_fewer_objects_than_features(name):
    wide = np.random.default_rng(1).normal(size=(30, 80))
    found = draw(name, wide)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.var(), wide.var(), rtol=0.25)


def test_unimodal_keeps_shape_and_rank_correlations():
    skewed = np.exp(NORMAL[:, :2] / 2)
    found = draw("unimodal", skewed)
    assert skew(np.log(found[:, 0])) == pytest.approx(0, abs=0.2)
    np.testing.assert_allclose(spearmanr(found).statistic, spearmanr(skewed).statistic, atol=0.05)
    for r in range(2):
        assert kstest(found[:, r], skewed[:, r]).statistic < 0.05


def test_unimodal_fills_the_gap_between_two_clusters():
    random = np.random.default_rng(2)
    column = np.r_[random.normal(0, 1, 500), random.normal(12, 1, 500)]
    points = np.column_stack([column, random.normal(size=1000)])
    inside = (points[:, 0] > 4) & (points[:, 0] < 8)
    assert not inside.any()
    found = draw("unimodal", points)
    assert ((found[:, 0] > 4) & (found[:, 0] < 8)).mean() > 0.15
    assert found[:, 0].min() >= column.min() - 1e-9
    assert found[:, 0].max() <= column.max() + 1e-9


def test_unimodal_keeps_discrete_values():
    numbers = np.random.default_rng(3).integers(0, 5, 400)
    points = np.column_stack([numbers, np.full(400, 3), np.arange(400)])
    found = draw("unimodal", points.astype(float))
    assert set(found[:, 0]) == {0.0, 1.0, 2.0, 3.0, 4.0}
    counts = np.bincount(found[:, 0].astype(int)) / 400
    np.testing.assert_allclose(counts, 0.2, atol=0.08)
    assert (found[:, 1] == 3).all()


def test_independent_features_are_permuted_with_their_columns_together():
    one_hot = np.eye(3)[np.random.default_rng(4).integers(0, 3, 200)]
    points = np.column_stack([np.arange(200.0), one_hot])
    found = draw("independent", points, owners=np.array([0, 1, 1, 1]))
    np.testing.assert_array_equal(np.sort(found[:, 0]), points[:, 0])
    np.testing.assert_array_equal(found[:, 1:].sum(axis=1), 1)
    np.testing.assert_array_equal(found[:, 1:].sum(axis=0), one_hot.sum(axis=0))
    assert not np.array_equal(found[:, 1:], one_hot)
