"""Expected mutual information, against exact sums; also run with NUMBA_DISABLE_JIT=1."""

from collections import Counter
from math import log

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels.expected_mutual_info import TABLE, _excess, _step, expected_information
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
