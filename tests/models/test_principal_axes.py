"""Uncorrelated directions of objects, by their definition."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.models.principal_axes import find_principal_axes


def naive(centred):
    """By singular values: how many directions are left, and the variance of each, rising."""
    n = len(centred)
    variances = np.linalg.svd(centred, compute_uv=False) ** 2 / n
    there = [v for v in variances if v > 1e-10 * variances[0]]
    most = (n - 1) // 2
    while len(there) > most:
        weakest = there[-1]
        there = [v for v in there if v > weakest * (1 + 1e-9)]
    return there[::-1]


@st.composite
def objects(draw):
    """Of any shape, with mean 0."""
    shape = draw(st.integers(2, 12)), draw(st.integers(1, 25))
    X = np.random.default_rng(draw(st.integers(0, 99))).normal(size=shape)
    X[:, : draw(st.integers(0, shape[1]))] *= draw(st.sampled_from([0.0, 1e-3, 1e6]))
    return X - X.mean(axis=0)


@given(objects())
def test_the_strongest_directions_up_to_half_as_many_as_objects(centred):
    axes, variances = find_principal_axes(centred)
    # The weakest direction has 1e-10 of the largest variance: it is left 6 of 16 digits.
    assert variances == pytest.approx(naive(centred), rel=1e-5)
    np.testing.assert_allclose(axes.T @ axes, np.eye(variances.size), atol=1e-12)
    white = centred @ axes / np.sqrt(variances)
    np.testing.assert_allclose(white.T @ white / len(centred), np.eye(variances.size), atol=1e-5)


@pytest.mark.parametrize("n", [9, 10, 40])
def test_columns_of_zeros_change_nothing(n):
    """Many columns go another way than few."""
    centred = np.random.default_rng(n).normal(size=(n, 8))
    centred -= centred.mean(axis=0)
    wide = np.hstack([centred, np.zeros((n, 50))])
    axes, variances = find_principal_axes(centred)
    others, same = find_principal_axes(wide)
    assert variances.size == min(8, (n - 1) // 2)
    np.testing.assert_allclose(same, variances)
    np.testing.assert_allclose(np.abs(others[:8]), np.abs(axes), atol=1e-9)
    np.testing.assert_allclose(others[8:], 0, atol=1e-12)


def test_of_directions_that_are_equally_strong_all_or_none_stay():
    even = np.eye(8) - 1 / 8
    assert find_principal_axes(even).variances.size == 0
    first = np.array([3.0, -3, 0, 0, 0, 0, 0, 0])[:, None]
    assert find_principal_axes(np.hstack([even, first])).variances == pytest.approx([19 / 8])


def test_constant_objects_have_none():
    for width in (1, 3, 9):
        assert find_principal_axes(np.zeros((5, width))).axes.shape == (width, 0)
