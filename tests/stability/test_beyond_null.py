"""The comparison with null models."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from clusterwise.stability.beyond_null import compare_with_nulls, find_interval, hardest
from clusterwise.stability.repeated_clustering import NullRuns, Runs


def runs_of(aris, **nulls):
    aris = np.full(8, aris)
    null_runs = {name: NullRuns(np.array(values), np.zeros(len(values)))
                 for name, values in nulls.items()}  # fmt: skip
    return Runs(np.zeros((8, 2)), aris, 0.0, 0.0, null_runs)


def test_the_data_are_compared_by_ranks():
    nulls = np.linspace(0.1, 0.5, 19)
    for value, count in ((0.9, 0), (0.5, 1), (0.0, 19)):
        one = compare_with_nulls(runs_of(value, gaussian=nulls))["gaussian"]
        assert (one.reached, one.n_sets) == (count, 19)
        assert one.p_value == pytest.approx((1 + count) / 20)
        assert one.ari == pytest.approx(0.3)
        assert 0.1 <= one.low < one.high <= 0.5


def test_equal_data_sets_are_as_stable():
    found = compare_with_nulls(runs_of(1.0, gaussian=np.ones(19)))
    assert found["gaussian"].p_value == 1
    rounded = compare_with_nulls(runs_of(0.1 + 0.2, gaussian=np.full(19, 0.3)))
    assert rounded["gaussian"].p_value == 1


@given(arrays(float, 20, elements=st.floats(-0.2, 1)))
def test_p_values_are_those_of_a_permutation_test(values):
    one = compare_with_nulls(runs_of(values[0], gaussian=values[1:]))["gaussian"]
    assert one.p_value == pytest.approx(np.mean(values >= values[0] - 1e-9))
    assert one.low <= np.median(values[1:]) <= one.high


def test_the_hardest_null_model():
    found = compare_with_nulls(runs_of(0.6, gaussian=[0.5] * 18 + [0.7], unimodal=[0.55] * 19))
    assert hardest(found).null == "gaussian"
    found = compare_with_nulls(runs_of(0.9, gaussian=[0.5] * 19, unimodal=[0.55] * 19))
    assert hardest(found).null == "unimodal"


def test_intervals():
    assert find_interval(np.arange(101)) == pytest.approx((2.5, 97.5))
