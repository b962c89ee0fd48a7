"""One iteration of k-means, against NumPy; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest

from clusterwise.kernels.kmeans import assign_to_nearest, find_farthest


def test_one_iteration():
    random = np.random.default_rng(0)
    points, centres = random.normal(size=(30, 3)).astype(np.float32), random.normal(size=(4, 3))
    squares = np.array([1.0, 0.25, 4.0])
    nearest = (((points[:, None] - centres) ** 2) * squares).sum(axis=2)
    labels, sums, counts = np.full(30, -1), np.zeros((4, 3)), np.zeros(4, np.int64)
    weighted = centres * squares
    offsets = (weighted * centres).sum(axis=1)
    state = (points, weighted.astype(np.float32), offsets.astype(np.float32), labels)
    assert assign_to_nearest(*state, sums, counts) == 30
    np.testing.assert_array_equal(labels, nearest.argmin(axis=1))
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=4))
    expected = [points[labels == k].sum(axis=0, dtype=float) for k in range(4)]
    np.testing.assert_allclose(sums, expected, atol=1e-12)
    assert assign_to_nearest(*state, sums, counts) == 0
    own = nearest[np.arange(30), labels]
    farthest, distance = find_farthest(points, squares, centres, labels)
    assert farthest == own.argmax()
    assert distance == pytest.approx(own.max())


def test_the_first_of_equally_far_objects_is_the_farthest():
    centres, squares = np.array([[0.0], [5.0]]), np.ones(1)
    points = np.array([[1.0], [-2.0], [3.0], [2.0]], np.float32)
    found = find_farthest(points, squares, centres, np.array([0, 0, 1, 0]))
    assert found == (1, 4.0)
    assert find_farthest(points[:0], squares, centres, np.empty(0, int)) == (-1, 0.0)
    assert find_farthest(points[:1] - 1, squares, centres, np.zeros(1, int)) == (-1, 0.0)
