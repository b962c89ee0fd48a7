"""Moves of single objects, against a table of kernels; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels.mincentropy import ClusterSums, KernelData, move_objects, sum_clusters


@st.composite
def states(draw):
    """Features, places of given clusters, weights, labels without an empty cluster."""
    n, clusters = draw(st.integers(2, 9)), draw(st.integers(1, 4))
    clusters = min(n, clusters)
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    features = random.normal(size=(n, draw(st.integers(1, 3))))
    clusterings = draw(st.integers(0, 2))
    codes = random.integers(2, size=(n, clusterings)) + 2 * np.arange(clusterings)
    weights = random.random(clusterings) * draw(st.sampled_from([0.0, 0.5, 5.0]))
    labels = random.permutation(n) % clusters
    return features, codes, weights, labels


def kernels_of(features, codes, weights):
    together = codes[:, None, :] == codes[None, :, :]
    return features @ features.T - together @ weights


def added_up(table, labels, k):
    inside = labels == k
    return table[np.ix_(inside, inside)].sum()


def objective(table, labels):
    return sum(added_up(table, labels, k) / (labels == k).sum() for k in np.unique(labels))


def tallied(features, codes, labels):
    clusters = labels.max() + 1
    sums = np.full((clusters, features.shape[1]), np.nan)
    counts = np.full((clusters, 2 * codes.shape[1]), np.nan)
    sizes = np.full(clusters, -1)
    sum_clusters(features, codes, labels, sums, counts, sizes)
    return sums, counts, sizes


@given(state=states())
def test_tallies(state):
    features, codes, _, labels = state
    sums, counts, sizes = tallied(features, codes, labels)
    for k in range(sizes.size):
        inside = labels == k
        assert sizes[k] == inside.sum()
        np.testing.assert_allclose(sums[k], features[inside].sum(axis=0), atol=1e-12)
        wanted = np.bincount(codes[inside].ravel(), minlength=counts.shape[1])
        np.testing.assert_array_equal(counts[k], wanted)


@given(state=states(), fewest=st.integers(1, 3))
def test_each_object_goes_where_the_objective_grows_most(state, fewest):
    features, codes, weights, labels = state
    table = kernels_of(features, codes, weights)
    sums, counts, sizes = tallied(features, codes, labels)
    inner = np.array([added_up(table, labels, k) for k in range(sizes.size)])
    order = np.arange(labels.size)[::-1].copy()

    wanted, moved = labels.copy(), 0
    for i in order:
        if (wanted == wanted[i]).sum() <= fewest:
            continue
        values = []
        for k in range(sizes.size):
            there = wanted.copy()
            there[i] = k
            values.append(objective(table, there))
        if max(values) > values[wanted[i]] + 1e-9:
            wanted[i] = int(np.argmax(values))
            moved += 1

    own = np.diag(table).copy()
    data = KernelData(features, codes, weights, own)
    clusters = ClusterSums(sums, counts, sizes, inner)
    found = move_objects(data, order, labels, clusters, fewest, 1e-9)
    np.testing.assert_array_equal(labels, wanted)
    assert found == moved
    # What is kept of clusters has moved along.
    again = tallied(features, codes, labels)
    for kept, fresh in zip((sums, counts, sizes), again, strict=True):
        np.testing.assert_allclose(kept, fresh, atol=1e-9)
    for k in range(sizes.size):
        assert inner[k] == pytest.approx(added_up(table, labels, k), abs=1e-9)
