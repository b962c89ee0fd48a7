"""Average linkage under constraints: against a naive version, SciPy, and invariances."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.cluster.hierarchy import is_valid_linkage, linkage
from scipy.spatial.distance import pdist, squareform

from clusterwise.alternatives.coala.merging import agglomerate
from clusterwise.alternatives.given import read_given
from reference.alternatives import as_sets, coala, may_merge

OMEGAS = [0.0, 0.3, 0.6, 1.0, 5.0]


@st.composite
def cases(draw, *, most=14):
    """Whole distances with many ties, and one to three given clusterings."""
    n = draw(st.integers(2, most))
    largest = draw(st.sampled_from([1, 3, 20]))
    size = n * (n - 1) // 2
    distances = draw(st.lists(st.integers(0, largest), min_size=size, max_size=size))
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return squareform(np.array(distances)), draw(st.lists(labels, min_size=1, max_size=3))


def masks_of(clusterings):
    return read_given(np.array(clusterings).T, len(clusterings[0])).masks()


def merge(distances, clusterings, omega, dtype=np.float64, **options):
    return agglomerate(distances.astype(dtype), masks_of(clusterings), omega, **options)


def assert_same(merges, expected):
    assert as_sets(merges) == [(step.one, step.other) for step in expected]
    assert merges.distances.tolist() == [step.distance for step in expected]
    assert merges.dissimilar.tolist() == [step.dissimilar for step in expected]
    assert merges.sizes.tolist() == [len(step.one | step.other) for step in expected]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("omega", OMEGAS)
@given(case=cases())
def test_merges_equal_the_naive_rule(omega, dtype, case):
    assert_same(merge(*case, omega, dtype), coala(*case, omega))


@pytest.mark.slow
@pytest.mark.parametrize("n", [31, 32, 33, 48])
@pytest.mark.parametrize("omega", OMEGAS)
def test_merges_equal_the_naive_rule_when_the_table_is_compacted(omega, n):
    random = np.random.default_rng(n)
    distances = squareform(random.integers(1, 9, n * (n - 1) // 2))
    clusterings = random.integers(0, 6, (2, n)).tolist()
    assert_same(merge(distances, clusterings, omega), coala(distances, clusterings, omega))


@pytest.mark.slow
@pytest.mark.parametrize("omega", [0.0, 0.6])
def test_more_given_clusters_than_a_word_has_bits(omega):
    n = 72
    random = np.random.default_rng(5)
    distances = squareform(random.integers(1, 30, n * (n - 1) // 2))
    # 70 clusters of which only the last two have two objects, then 36 of two: 106 bits.
    clusterings = [[*range(70), 68, 69], [i // 2 for i in range(n)]]
    assert masks_of(clusterings).shape == (n, 2)
    merges = merge(distances, clusterings, omega)
    assert_same(merges, coala(distances, clusterings, omega))
    free = merge(distances, [[*clusterings[0][:70], 70, 71]], omega)
    assert as_sets(merges) != as_sets(free)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 130))
def test_a_large_omega_is_average_linkage(seed, n):
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, 3))
    merges = merge(squareform(pdist(points)), random.integers(0, 3, (1, n)), 1.5)
    expected = linkage(points, "average")
    found = merges.to_linkage()
    assert is_valid_linkage(found)
    np.testing.assert_array_equal(np.sort(found[:, :2]), np.sort(expected[:, :2]))
    np.testing.assert_allclose(found[:, 2:], expected[:, 2:], rtol=1e-12)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 40), count=st.integers(1, 2))
def test_omega_zero_prefers_dissimilar_merges(seed, n, count):
    random = np.random.default_rng(seed)
    clusterings = random.integers(0, 4, (count, n)).tolist()
    merges = merge(squareform(pdist(random.normal(size=(n, 2)))), clusterings, 0.0)
    clusters = {frozenset([i]) for i in range(n)}
    for (one, other), dissimilar in zip(as_sets(merges), merges.dissimilar, strict=True):
        feasible = [
            (a, b) for a in clusters for b in clusters if a != b and may_merge(a, b, clusterings)
        ]
        assert dissimilar == bool(feasible)
        assert dissimilar == may_merge(one, other, clusterings)
        clusters = (clusters - {one, other}) | {one | other}


@given(seed=st.integers(0, 10_000), n=st.integers(2, 20), omega=st.sampled_from([0.3, 0.6, 2.0]))
def test_weights_are_objects_that_merged_before(seed, n, omega):
    random = np.random.default_rng(seed)
    weights = random.integers(1, 4, n)
    distances = squareform(random.permutation(n * (n - 1) // 2) + 1.0)
    labels = random.integers(0, 3, n)
    of = np.repeat(np.arange(n), weights)
    every = merge(distances[np.ix_(of, of)], [labels[of]], omega)
    few = merge(distances * np.outer(weights, weights), [labels], omega, weights=weights)
    before = of.size - n
    assert (every.distances[:before] == 0).all()
    np.testing.assert_array_equal(every.distances[before:], few.distances)
    np.testing.assert_array_equal(every.dissimilar[before:], few.dissimilar)
    np.testing.assert_array_equal(every.sizes[before:], few.sizes)
    for count in range(1, n + 1):
        np.testing.assert_array_equal(every.cut(count), few.cut(count)[of])


@given(case=cases(), omega=st.sampled_from(OMEGAS))
def test_cuts_are_the_clusters_after_the_merges(case, omega):
    merges = merge(*case, omega)
    n = len(case[0])
    clusters = [frozenset([i]) for i in range(n)]
    for count, step in zip(range(n, 0, -1), [None, *as_sets(merges)], strict=True):
        if step:
            clusters = [cluster for cluster in clusters if cluster not in step]
            clusters.append(step[0] | step[1])
        labels = merges.cut(count)
        assert {frozenset(np.flatnonzero(labels == k).tolist()) for k in range(count)} == set(
            clusters
        )
        firsts = [int(np.argmax(labels == k)) for k in range(count)]
        assert firsts == sorted(firsts)
