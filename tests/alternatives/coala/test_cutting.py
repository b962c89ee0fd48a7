"""Small clusters join large ones."""

import numpy as np
import pytest

from clusterwise.alternatives.coala import cutting
from clusterwise.inputs.distances import read_distances


@pytest.mark.parametrize("block", [1, 100, 10_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_small_clusters_join_the_large_one_of_least_mean_distance(block, weighted, monkeypatch):
    monkeypatch.setattr(cutting, "_BLOCK", block)
    random = np.random.default_rng(1)
    X = random.normal(size=(40, 2))
    labels = np.repeat(np.arange(8), [12, 11, 9, 2, 2, 2, 1, 1])
    weights = random.integers(1, 4, 40) * 1.0 if weighted else None
    found = cutting.join_nearest(read_distances(X), weights)(labels, np.arange(3))
    of = np.ones(40) if weights is None else weights
    apart = np.linalg.norm(X[:, None] - X, axis=2)
    joined = {0: 0, 1: 1, 2: 2}
    for small in range(3, 8):
        rows = np.average(apart[labels == small], axis=0, weights=of[labels == small])
        means = [np.average(rows[labels == k], weights=of[labels == k]) for k in range(3)]
        joined[small] = int(np.argmin(means))
    assert len(set(joined.values())) > 1
    assert found.tolist() == [joined[label] for label in labels]
