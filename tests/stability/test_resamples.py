"""Copies of data."""

import numpy as np
import pytest

from clusterwise.stability.resamples import Resampler, take_some

X = np.random.default_rng(0).normal(size=(200, 3)) * [1.0, 10.0, 0.0]


def draw(method, seed=0, **options):
    settings = {"object_fraction": 0.7, "noise_scale": 0.1} | options
    return Resampler(method, **settings).draw(X, np.random.RandomState(seed))


@pytest.mark.parametrize("method", ["bootstrap", "subsample", "noise"])
def test_objects_are_distinct_in_order_and_from_the_seed(method):
    one, same, other = draw(method), draw(method), draw(method, 1)
    assert (np.diff(one.objects) > 0).all()
    np.testing.assert_array_equal(one.points, same.points)
    assert not np.array_equal(one.points, other.points)
    if method != "noise":
        np.testing.assert_array_equal(one.points, X[one.objects])


def test_a_bootstrap_has_two_thirds_of_the_objects():
    sizes = [draw("bootstrap", seed).objects.size for seed in range(50)]
    assert abs(np.mean(sizes) / 200 - (1 - np.exp(-1))) < 0.01


def test_sizes_of_subsamples():
    assert draw("subsample").objects.size == 140
    assert draw("subsample", object_fraction=0.001).objects.size == 2
    assert draw("subsample", object_fraction=1.0).objects.size == 200


def test_noise_is_relative_to_each_feature():
    found = draw("noise", noise_scale=0.5)
    np.testing.assert_array_equal(found.objects, np.arange(200))
    added = (found.points - X).std(axis=0)
    np.testing.assert_allclose(added[:2], 0.5 * X.std(axis=0)[:2], rtol=0.15)
    assert added[2] == 0


def test_few_objects_of_many():
    random = np.random.RandomState(0)
    assert take_some(np.arange(5), None, random).size == 5
    assert take_some(np.arange(5), 5, random).size == 5
    some = take_some(np.arange(50) * 2, 7, random)
    assert some.size == 7
    assert (np.diff(some) > 0).all()
    assert (some % 2 == 0).all()
    assert draw("bootstrap", most_objects=30).objects.size == 30
