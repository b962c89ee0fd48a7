"""The loops of evidence accumulation by themselves. Also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.cluster.hierarchy import is_valid_linkage, linkage
from scipy.spatial.distance import squareform

from clusterwise.consensus.co_association import ClusterCounts
from clusterwise.inputs.ensembles import Ensemble
from clusterwise.kernels import evidence as kernels
from helpers.strategies import max_examples


@st.composite
def codes_and_weights(draw):
    m, n = draw(st.integers(1, 5)), draw(st.integers(2, 10))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    codes = random.integers(draw(st.sampled_from([-1, 0])), 3, (m, n)).astype(np.int8)
    weights = random.uniform(0.5, 2, m)
    common = np.repeat(weights, 3) * random.uniform(draw(st.sampled_from([0.1, 1])), 1, 3 * m)
    return codes, kernels.PairWeights(weights, common, 3 * np.arange(m))


def naive_distances(codes, weights):
    n = codes.shape[1]
    apart = np.ones((n, n))
    for i in range(n):
        for j in range(n):
            both = (codes[:, i] >= 0) & (codes[:, j] >= 0)
            if both.any():
                same = np.flatnonzero(both & (codes[:, i] == codes[:, j]))
                together = weights.clusters[weights.first[same] + codes[same, i]].sum()
                apart[i, j] = 1 - together / weights.clusterings[both].sum()
    return apart


@given(case=codes_and_weights())
def test_distances(case):
    codes, weights = case
    table = np.empty((codes.shape[1],) * 2)
    kernels.fill_rows(codes, weights, 0, len(table), table)
    np.testing.assert_allclose(table, naive_distances(codes, weights), atol=1e-12)


@given(case=codes_and_weights(), stop=st.integers(0, 9))
def test_trees_are_single_linkage_in_stretches_too(case, stop):
    codes, weights = case
    n = codes.shape[1]
    stop = min(stop, n - 1)
    pairs, heights = np.zeros((n - 1, 2), np.int64), np.zeros(n - 1)
    near, least = np.zeros(n, np.int64), np.full(n, np.inf)
    last = kernels.grow_tree(codes, weights, stop, near, least, 0, pairs, heights, 0)
    kernels.grow_tree(codes, weights, n - 1 - stop, near, least, last, pairs, heights, stop)
    apart = naive_distances(codes, weights)
    np.testing.assert_allclose(heights, apart[pairs[:, 0], pairs[:, 1]], atol=1e-12)
    np.fill_diagonal(apart, 0.0)
    expected = linkage(squareform(apart, checks=False), "single")[:, 2]
    np.testing.assert_allclose(np.sort(heights), expected, atol=1e-12)


@given(n=st.integers(2, 10), seed=st.integers(0, 10**6))
def test_chains_are_average_linkage_of_repeated_objects(n, seed):
    random = np.random.default_rng(seed)
    apart = np.triu(random.random((n, n)) + 0.1, 1)
    apart += apart.T
    sizes = random.integers(1, 4, n)
    of = np.repeat(np.arange(n), sizes)
    expected = linkage(squareform(apart[np.ix_(of, of)], checks=False), "average")
    pairs, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    kernels.chain_averages(apart.copy(), sizes.astype(float), pairs, heights)
    np.testing.assert_allclose(np.sort(heights), expected[sizes.sum() - n :, 2])


@given(n=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_joined_pairs_are_what_scipy_makes_of_them(n, seed):
    random = np.random.default_rng(seed)
    apart = np.triu(random.random((n, n)), 1)
    apart += apart.T
    pairs, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    kernels.chain_averages(apart.copy(), np.ones(n), pairs, heights)
    order = np.argsort(heights)
    merges, counts = np.empty_like(pairs), np.empty(n - 1)
    kernels.join_pairs(pairs[order], merges, counts)
    found = np.column_stack([merges, heights[order], counts])
    assert is_valid_linkage(found)
    np.testing.assert_allclose(found, linkage(squareform(apart, checks=False), "average"))


@max_examples(30)
@given(case=codes_and_weights(), seed=st.integers(0, 99))
def test_sums_over_clusters_are_those_over_pairs(case, seed):
    codes, weights = case[0], case[1].clusterings
    m, n = codes.shape
    random = np.random.default_rng(seed)
    labels, sizes = random.integers(-1, 3, n), random.integers(1, 5, n)
    labels[0] = 0
    ensemble = Ensemble(codes, (3,) * m, tuple(map(str, range(m))))
    ((where, together, known),) = ClusterCounts.from_labels(
        ensemble, weights, labels, sizes
    ).blocks(codes)
    assert where == slice(0, n)
    for i in range(n):
        for k in range(labels.max() + 1):
            members = np.flatnonzero(labels == k)
            both = (codes[:, members] >= 0) & (codes[:, [i]] >= 0)
            same = both & (codes[:, members] == codes[:, [i]])
            assert together[i, k] == pytest.approx((weights @ same) @ sizes[members])
            assert known[i, k] == pytest.approx((weights @ both) @ sizes[members])
