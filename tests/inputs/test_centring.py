"""Centring and scaling lose nothing, and columns of rounding errors become constant."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

import clusterwise as cw
from clusterwise.inputs.centring import ROUNDING, centre_and_scale
from clusterwise.inputs.distances import read_distances
from clusterwise.inputs.points import read_points

# Multiples of 1/8 below 1,000, so that sums with large offsets are exact.
eighths = arrays(np.int64, (5, 3), elements=st.integers(-8000, 8000)).map(lambda X: X / 8)


@given(X=eighths, offset=st.integers(-40, 40), exponent=st.integers(-900, 900))
def test_nothing_is_lost(X, offset, exponent):
    X = np.ldexp(X + np.ldexp(float(offset), 36), exponent)
    values, origin, scaled_by, rounding = centre_and_scale(X)
    assert not rounding.size
    assert np.abs(values).max() < 1
    np.testing.assert_array_equal(origin + np.ldexp(values, scaled_by), X)
    # What is left of an offset is at most as large as the range, or nearly so.
    varying = np.ptp(X, axis=0) > 0
    assert (np.abs(values).max(axis=0) <= 2 * np.ptp(values, axis=0))[varying].all()


def test_the_largest_numbers_do_not_overflow():
    largest = np.finfo(float).max
    found = centre_and_scale(np.array([[-largest], [largest]]))
    assert found.values.tolist() == [[-1 + 2**-53], [1 - 2**-53]]
    assert found.exponent == 1024


@pytest.mark.parametrize(
    ("column", "constant"),
    [
        ([1.0, 1.0 + 2**-52, 1.0 + 2**-51, 1.0], True),
        ([1.0, 1.0 + 2**-49, 1.0, 1.0], False),
        ([0.0, 1e-17, -2e-17, 3e-17], True),  # compared with the other column
        ([1e15, 1e15 + 1, 1e15 + 2, 1e15], False),
    ],
)
def test_columns_of_rounding_errors_are_constant(column, constant):
    X = np.column_stack([[0.0, 0.5, 0.75, 1.0], column])
    assert (centre_and_scale(X).rounding.tolist() == [1]) is constant
    message = (
        "column 'x1' of X varies by rounding errors only, compared with the size of the numbers or "
        "with other columns, and so counts as constant; subtract an offset or scale X first if "
        "that is wrong."
    )
    for read in (read_points, read_distances):
        if constant:
            with pytest.warns(UserWarning, match=f"^{re.escape(message)}$"):
                read(X)
        else:
            read(X)


def test_rounding_errors_beside_categories_are_constant():
    mixed = [[1.0, "a"], [1.0 + ROUNDING / 4, "b"], [1.0, "a"]]
    with pytest.warns(UserWarning, match=r"^column 'x0' of X varies by rounding errors only"):
        points = read_points(mixed).points
    assert not points[:, 0].any()


def test_rounding_errors_are_no_distance_of_gower():
    X = [[1.0, 0.0], [1.0 + 2**-52, 1.0], [1.0, 1e-30]]
    with pytest.warns(UserWarning, match=r"^column 'x0' of X varies by rounding errors only"):
        found = read_distances(X, "gower").between(slice(0, 1)).tolist()
    assert found == [[0.0, 0.5, 0.5e-30]]


def test_a_column_of_rounding_errors_does_not_change_a_quality():
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1], 20)
    X = random.normal(size=(40, 2)) + 4 * labels[:, None]
    noisy = np.column_stack([X, 1e-17 * labels])
    expected = cw.quality_score(X, labels, "canonical")
    with pytest.warns(UserWarning, match="rounding errors only"):
        found = cw.quality_score(noisy, labels, "canonical")
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev", "minkowski"])
@pytest.mark.parametrize("exponent", [-560, 0, 530])
def test_distances_are_in_the_units_of_the_features(metric, exponent):
    X = np.array([[0.0, 3.0], [4.0, 0.0], [1.5, 2.5]])
    found = read_distances(np.ldexp(X, exponent), metric).as_table()
    np.testing.assert_allclose(found, np.ldexp(cdist(X, X, metric), exponent), rtol=1e-15)


def test_points_at_extreme_scales_remember_their_units():
    X = np.array([[1.0, 2.0], [3.0, -4.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_points(X * 2.0**600)
    np.testing.assert_array_equal(found.in_units(), X * 2.0**600)
    assert np.abs(found.points).max() < 1


@given(
    columns=arrays(np.float64, (4, 2), elements=st.floats(1e-20, 1e20)),
    sign=st.sampled_from([-1.0, 1.0]),
)
def test_columns_of_one_sign_lose_nothing(columns, sign):
    """Columns are shifted only where differences are exact, above 0 as below."""
    found = centre_and_scale(sign * columns)
    if not found.rounding.size:
        whole = found.origin + np.ldexp(found.values, found.exponent)
        np.testing.assert_array_equal(whole, sign * columns)


def test_small_numbers_beside_large_ones_of_their_sign_are_not_lost():
    for sign in (-1.0, 1.0):
        found = centre_and_scale(sign * np.array([[1.0], [1e-20]]))
        whole = found.origin + np.ldexp(found.values, found.exponent)
        assert whole.ravel().tolist() == [sign, sign * 1e-20]
