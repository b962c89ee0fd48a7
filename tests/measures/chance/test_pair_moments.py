"""Closed moments of pair counts against all permutations of the labels."""

import numpy as np
import pytest
from hypothesis import given

from clusterwise.measures.chance.pair_moments import pair_moments
from clusterwise.measures.chance.pearson import upper_tail
from helpers.strategies import label_pairs, max_examples
from reference import chance as naive, measures


def sizes_of(labels):
    return np.unique(labels, return_counts=True)[1]


@max_examples(30)
@given(pair=label_pairs(max_size=7, clusters=3))
def test_moments_are_those_of_all_permutations(pair):
    def both(a, b):
        return 2 * measures.pair_counts(a, b).both

    expected = naive.by_permutation(*pair, both)
    found = pair_moments(sizes_of(pair.a), sizes_of(pair.b))
    assert found == pytest.approx(expected[:3], abs=1e-9)


def test_moments_of_listed_tables_with_larger_clusters():
    """Six objects in a component need clusters of at least six."""
    a, b = [7, 3, 2], [6, 6]
    total = np.zeros(3)
    from clusterwise.kernels.random_tables import list_tables

    tables, logs = np.zeros((1000, 3, 2), np.int64), np.zeros(1000)
    count = list_tables(np.array(a), np.array(b), tables, logs)
    weights = np.exp(logs[:count])
    weights /= weights.sum()
    pairs = (tables[:count] * (tables[:count] - 1)).sum(axis=(1, 2))
    mean = weights @ pairs
    deviation = (weights @ (pairs - mean) ** 2) ** 0.5
    total = mean, deviation, weights @ (pairs - mean) ** 3 / deviation**3
    assert pair_moments(np.array(a), np.array(b)) == pytest.approx(total, rel=1e-12)


def test_moments_of_a_billion_objects_do_not_cancel():
    """The distribution tends to that of a chi-square variable with (K - 1)(J - 1) degrees."""
    sizes = np.full(10, 10**8)
    found = pair_moments(sizes, sizes)
    assert found.skewness == pytest.approx((8 / 81) ** 0.5, rel=1e-6)
    assert found.deviation == pytest.approx(10**7 * (2 * 81) ** 0.5, rel=1e-6)


@pytest.mark.parametrize("skewness", [-2.0, -0.5, 1e-5, 0.0, 0.3, 2.5])
@pytest.mark.parametrize("z", [-4.0, -1.0, 0.0, 2.0, 6.0])
def test_tail_against_scipy(z, skewness):
    from scipy.stats import pearson3

    assert upper_tail(z, skewness) == pytest.approx(pearson3.sf(z, skewness), rel=1e-9, abs=1e-15)


def test_tail_of_infinite_values():
    assert upper_tail(np.inf, 1.0) == 0.0
    assert upper_tail(-np.inf, 1.0) == 1.0
