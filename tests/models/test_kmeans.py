"""K-means on weighted features, against scikit-learn; its weights and principal components."""

import numpy as np
from hypothesis import assume, given, strategies as st
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from clusterwise.inputs.encoding import relabel_by_appearance
from clusterwise.models.kmeans import (
    draw_weights_and_starts,
    principal_components,
    run_weighted_kmeans,
)

# A bound on the rounding of single precision in the difference of two squared distances, relative
# to the squared norms of object and centre: 8 machine epsilons for up to four features.
ROUNDING = 10 * np.finfo(np.float32).eps


def run_lloyd(points, centres):
    """Lloyd's algorithm in double precision: the labels, and the smallest relative margin.

    The margin of an object is the difference of its squared distances to the nearest and the second
    nearest centre, relative to the squared norms of object and centre. It is 0 if a cluster becomes
    empty: how it is filled again is not part of Lloyd's algorithm.
    """
    labels, margin = None, np.inf
    while True:
        squares = ((points[:, None] - centres) ** 2).sum(axis=2)
        norms = (points**2).sum(axis=1) + (centres**2).sum(axis=1).max()
        if len(centres) > 1:
            nearest, second = np.sort(squares, axis=1)[:, :2].T
            margin = min(margin, ((second - nearest) / norms).min())
        before, labels = labels, squares.argmin(axis=1)
        if np.array_equal(labels, before):
            return labels, margin
        if not np.bincount(labels, minlength=len(centres)).all():
            return labels, 0.0
        centres = np.array([points[labels == k].mean(axis=0) for k in range(len(centres))])


@given(seed=st.integers(0, 10**6), count=st.integers(1, 5), features=st.integers(1, 4))
def test_k_means_of_weighted_features_is_scikit_learns(seed, count, features):
    random = np.random.default_rng(seed)
    points = random.normal(size=(40, features)).astype(np.float32)
    weights = random.permutation(np.arange(1.0, features + 1)) ** -1.0
    starts = random.choice(40, count, replace=False)
    weighted = points * weights
    labels, margin = run_lloyd(weighted, weighted[starts])
    assume(margin > ROUNDING)
    found = run_weighted_kmeans(points, weights, starts)
    np.testing.assert_array_equal(found, labels)
    peer = KMeans(count, init=weighted[starts], n_init=1, max_iter=100, tol=0.0).fit(weighted)
    np.testing.assert_array_equal(found, peer.labels_)


def test_empty_clusters_get_the_farthest_object():
    points = np.array([[0], [0], [0], [0.1], [9], [20]], np.float32)
    labels = run_weighted_kmeans(points, np.ones(1), np.array([0, 1, 2]))
    np.testing.assert_array_equal(relabel_by_appearance(labels), [0, 0, 0, 0, 1, 2])
    same = np.zeros((5, 2), np.float32)
    assert len(set(run_weighted_kmeans(same, np.ones(2), np.array([0, 1])).tolist())) == 1


def test_weights_follow_zipfs_law_and_belong_to_features():
    """Columns of one feature share a weight, and exponent 0 makes all weights equal."""
    space, owners = np.zeros((20, 5), np.float32), np.array([0, 1, 1, 1, 2])
    for exponent in (0.0, 0.5, 1.5):
        weights, starts = draw_weights_and_starts(
            space, owners, exponent, 3, np.random.RandomState(0)
        )
        assert weights[1] == weights[2] == weights[3]
        law = np.arange(1.0, 4.0) ** -exponent
        np.testing.assert_allclose(np.sort(weights[[0, 1, 4]])[::-1], law)
        assert len(set(starts)) == 3


def test_components_explain_most_of_the_variance():
    X = np.random.default_rng(0).normal(size=(60, 6)) * [9, 5, 3, 1, 0.5, 0.1]
    X -= X.mean(axis=0)
    scores = principal_components(X.astype(np.float32))
    explained = np.cumsum(PCA().fit(X).explained_variance_ratio_)
    assert scores.shape[1] == np.searchsorted(explained, 0.95) + 1
