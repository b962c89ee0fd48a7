"""Objects as points: numbers as they are, or standardised beside names."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs.points import read_points

numbers = st.integers(-(10**6), 10**6).map(lambda eighths: eighths / 8)


@given(st.integers(1, 6).flatmap(lambda r: st.lists(st.tuples(*[numbers] * r), min_size=1)))
def test_numbers_alone_stay_as_they_are(rows):
    X = np.array(rows)
    for form in (X, rows, pd.DataFrame(X), pl.DataFrame(X)):
        points, owners, origin, exponent = read_points(form)
        np.testing.assert_array_equal(origin + points, X)
        # Only large offsets are subtracted.
        assert (origin[np.abs(X).max(axis=0) < 2**16 * np.ptp(X, axis=0)] == 0).all()
        assert exponent == 0
        np.testing.assert_array_equal(owners, np.arange(X.shape[1]))
        assert not points.flags.writeable
    assert X.flags.writeable


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float16, np.float32, ">f8"])
def test_numbers_of_every_kind_become_doubles(kind):
    points = read_points(np.array([[1, 2], [3, 4]], kind)).points
    assert points.dtype == np.float64
    np.testing.assert_array_equal(points, [[1, 2], [3, 4]])


def test_missing_numbers_are_the_mean_of_their_feature():
    X = np.array([[1.0, np.nan, 5.0], [np.nan, np.nan, 6.0], [4.0, np.nan, 7.0]])
    expected = [[1, 0, 5], [2.5, 0, 6], [4, 0, 7]]
    for form in (X, pd.DataFrame(X), X.tolist(), pl.DataFrame(X, nan_to_null=True)):
        np.testing.assert_array_equal(read_points(form).points, expected)


def test_numbers_beside_names_are_standardised():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(5, 3, 50), "b": random.random(50) * 1e9})
    frame.loc[::7, "a"] = np.nan
    frame["c"] = list("xy" * 25)
    points, owners, *_ = read_points(frame)
    np.testing.assert_array_equal(owners, [0, 1, 2, 2])
    np.testing.assert_allclose(points[:, :2].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(points[:, :2].std(axis=0), 1)
    np.testing.assert_allclose(points[::7, 0], 0, atol=1e-12)
    assert np.corrcoef(points[:, 1], frame["b"])[0, 1] == pytest.approx(1)
    # Different names are as far apart as two standardised numbers are on average.
    apart = (points[:, None, :2] - points[:, :2]) ** 2
    np.testing.assert_allclose(apart.mean(axis=(0, 1)), 2)


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=9), st.booleans())
def test_different_names_are_two_apart_squared(names, as_frame):
    rows = [[name, 7.0] for name in names]
    present = any(name is not None for name in names)
    form = (
        pl.DataFrame(
            {"n": names, "x": [7.0] * len(names)}, schema={"n": pl.String, "x": pl.Float64}
        )
        if as_frame
        else rows
    )
    points, owners, *_ = read_points(form)
    if present:
        assert points.shape[1] == len(set(names)) + 1
        np.testing.assert_array_equal(owners, [0] * len(set(names)) + [1])
        np.testing.assert_array_equal(points[:, -1], 0)
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            apart = ((points[i] - points[j]) ** 2).sum()
            assert apart == (0.0 if one == other else 2.0)


@given(numbers, st.integers(2, 40), st.integers(1, 39))
def test_a_constant_feature_keeps_all_objects_together(value, n, missing):
    """Whether some of it is missing or not, and however its mean is rounded."""
    column = np.full(n, value)
    column[: min(missing, n - 1)] = np.nan
    names = [("x", "y")[i % 2] for i in range(n)]
    for form in (column[:, None], pd.DataFrame({"flat": column, "name": names})):
        points, owners, *_ = read_points(form)
        assert np.ptp(points[:, owners == 0]) == 0


def test_truth_values_and_categories_are_names():
    frame = pd.DataFrame({"t": [True, False, True], "c": pd.Categorical(["u", None, "v"])})
    points, owners, *_ = read_points(frame)
    np.testing.assert_array_equal(owners, [0, 0, 1, 1, 1])
    np.testing.assert_array_equal(points[:, 2:], [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
    np.testing.assert_array_equal(points[:, :2], [[0, 1], [1, 0], [0, 1]])


@pytest.mark.parametrize("others", [[0.0], [-np.inf], [np.nan], [1.0, -np.inf]])
def test_infinite_numbers_are_refused(others):
    X = np.array([[np.inf], *[[other] for other in others]])
    with pytest.raises(cw.InputError, match=r"column 'x0' of X is inf at position 0; replace it"):
        read_points(X)
    frame = pd.DataFrame({"a": X[:, 0], "b": ["n"] * len(X)})
    with pytest.raises(cw.InputError, match="column 'a' of X is inf at position 0"):
        read_points(frame)
