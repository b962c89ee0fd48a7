"""Expected mutual information, against exact sums; also run with NUMBA_DISABLE_JIT=1."""

from collections import Counter
from math import log

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels.expected_mutual_info import (
    ERROR,
    LARGE,
    TABLE,
    _excess,
    _mean_excess,
    _mean_excess_of_large,
    _step,
    expected_information,
)
from helpers.strategies import tables
from reference import measures as naive


def sums_of(table):
    return [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]


@given(x=st.floats(0.5, 1e6), mean=st.floats(0.5, 1e6))
def test_excess_is_never_negative(x, mean):
    expected = x * log(x / mean) - x + mean
    assert _excess(x, mean) >= 0
    assert _excess(x, mean) == pytest.approx(expected, rel=1e-9, abs=1e-9 * (x + mean))


@given(x=st.integers(1, TABLE + 10) | st.integers(1, 10**9))
def test_steps_of_logarithms_keep_every_digit(x):
    with mpmath.workdps(40):
        step = mpmath.log1p(mpmath.mpf(1) / x)
        expected = float(step), float((x + 1) * step - 1)
    assert _step(float(x)) == pytest.approx(expected, rel=1e-15)


@given(table=tables())
def test_expected_information_of_small_tables(table):
    sums_a, sums_b = ([size for size in sums if size] for sums in sums_of(table))
    arguments = []
    for sums in (sums_a, sums_b):
        sizes = Counter(sums)
        arguments += [np.array([*sizes], np.float64), np.array([*sizes.values()], np.float64)]
    found = expected_information(*arguments, float(sum(sums_a)))
    assert found == pytest.approx(float(naive.expected_information(sums_a, sums_b)), abs=1e-14)


def test_expected_information_without_objects():
    nothing = np.empty(0)
    assert expected_information(nothing, nothing, nothing, nothing, 0.0) == 0.0


@given(
    fractions=st.tuples(st.floats(0.01, 0.999), st.floats(0.01, 0.999)),
    mean=st.integers(20, 2000),
)
def test_the_series_of_large_overlaps_has_the_stated_error(fractions, mean):
    n = float(round(mean / (fractions[0] * fractions[1])))
    a, b = (min(n - 1, max(1.0, float(round(n * part)))) for part in fractions)
    exact, m = _mean_excess(a, b, n), a * b / n
    # The sum itself is exact to about 1e-13, by the rounding of its many terms.
    assert _mean_excess_of_large(a, b, n) == pytest.approx(exact, rel=ERROR / m**3 + 1e-13)


def test_the_sum_and_the_series_meet():
    n = 2.0**24
    for a, b in ((2.0**22, 2.0**19), (2.0**18, 2.0**23), (n - 5, 2.0**17)):
        assert LARGE / 4 < a * b / n < LARGE
        assert _mean_excess_of_large(a, b, n) == pytest.approx(_mean_excess(a, b, n), rel=1e-13)


def test_overlaps_beyond_all_integers():
    half, n = 2.0**999, 2.0**1000
    # Independent: the expected excess is half the variance divided by the mean.
    assert _mean_excess(half, half, n) == pytest.approx(1 / 8, rel=1e-15)
    # One object falls into half of all objects or not.
    assert _mean_excess(1.0, half, n) == pytest.approx(log(2) / 2, rel=1e-15)
    assert _mean_excess(3.0, 5.0, n) == pytest.approx(15 / n * (log(n) - log(15)), rel=1e-12)
