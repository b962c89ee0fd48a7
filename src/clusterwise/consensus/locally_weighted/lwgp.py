"""LWGP: locally weighted graph partitioning."""

from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.consensus.base import Consensus, draw_sample
from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.co_association import weigh_pairs
from clusterwise.consensus.graph.base import fill_empty_parts, indicators
from clusterwise.consensus.locally_weighted.confidence import DEFAULT_THETA, cluster_confidence
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.models.kmeans import allow_equal_objects

# K-means is run on at most this many distinct objects; the others join the nearest centre.
_MAX_OBJECTS = 20_000
# Smaller weights of edges, relative to the largest, are this one: their squares do not underflow.
_SMALLEST = 1e-100
# Rows of the embedding that are shorter are rounding errors.
_ROUNDING = 1e-10


class LWGP(Consensus):
    r"""Locally weighted graph partitioning: a spectral cut of objects and clusters.

    Objects and clusters are the vertices of a bipartite graph, with an edge between an object and
    each cluster that contains it. As in :class:`LWEA`, an edge weighs
    :math:`\exp(-H(C) / \theta)`, where the uncertainty :math:`H(C)` of a cluster is the mean, over
    all clusterings, of the entropy in bits of the labels of its objects. The normalised cut of the
    graph is relaxed to eigenvectors, and k-means on these finds the clusters. A transfer cut
    computes the eigenvectors from a matrix of clusters × clusters, and those of the objects follow.
    Clusters may be of very different sizes and shapes.

    Objects with the same labels in all clusterings are one object with a weight. Time and memory
    are linear in the number of distinct objects; the number of clusters of all clusterings together
    may be 10,000.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default the median number of clusters of the clusterings, rounded
        down.
    theta : float, default=0.4
        The smaller, the less uncertain clusters count; with ``inf`` all edges weigh the same: the
        unweighted spectral cut, which finds convex clusters well, but few other shapes.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    n_init : int, default=10
        The number of starts of k-means.
    random_state : int, RandomState, Generator or None
        The seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of clusters, ``n_clusters`` if it was given.
    confidences_ : ndarray of shape (total number of clusters,)
        The weight of each cluster of the ensemble, clustering by clustering, in the order of their
        labels.
    n_features_in_ : int
        The number of clusterings.

    See Also
    --------
    LWEA, HBGF

    References
    ----------
    .. [1] D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Transactions
       on Cybernetics 48 (2018) 1460-1473, https://doi.org/10.1109/TCYB.2017.2702343
    .. [2] Z. Li, X.-M. Wu, S.-F. Chang: Segmentation using superpixels: a bipartite graph
       partitioning approach. CVPR (2012) 789-796, https://doi.org/10.1109/CVPR.2012.6247750

    Examples
    --------
    The second clustering joins objects that the others separate, so its first cluster counts less:

    >>> from clusterwise import LWGP
    >>> ensemble = [[0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]
    >>> model = LWGP(3, random_state=0).fit(ensemble)
    >>> model.labels_
    array([0, 0, 1, 1, 2, 2])
    >>> model.confidences_.round(2)
    array([1.  , 1.  , 1.  , 0.19, 1.  , 1.  , 1.  , 1.  ])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        theta: float = DEFAULT_THETA,
        weights: Any = None,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.theta = theta
        self.weights = weights
        self.n_init = n_init
        self.random_state = random_state

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        assert count is not None
        random = as_random_state(self.random_state)
        ensemble, sizes, _ = collapsed
        self.confidences_ = cluster_confidence(collapsed, weights, self.theta)
        count = min(count, ensemble.n)
        if count == 1:
            return np.zeros(ensemble.n, np.int64)
        edges = weigh_pairs(ensemble, weights, self.confidences_).clusters
        points = embed_objects(ensemble, sizes, edges, count)
        parts = self._cluster(points, sizes, count, random)
        return fill_empty_parts(ensemble, sizes, weights, parts, count)

    def _restore_order(self, order: CanonicalOrder) -> None:
        self.confidences_ = self.confidences_[order.clusters]

    def _cluster(
        self, points: Array, sizes: Array, count: int, random: np.random.RandomState
    ) -> Array:
        """Run k-means on points with multiplicities, or on a sample of them."""
        some: Any = slice(None)
        if len(points) > max(_MAX_OBJECTS, count):
            some = draw_sample(sizes, max(_MAX_OBJECTS, count), random)
        model = KMeans(count, n_init=self.n_init, random_state=random)
        with allow_equal_objects(), one_library_thread_if_small(0):
            model.fit(points[some], sample_weight=sizes[some].astype(np.float64))
            return np.asarray(model.predict(points), np.int64)


def embed_objects(ensemble: Ensemble, sizes: Array, edges: Array, count: int) -> Array:
    """Return ``count`` eigenvectors of the bipartite graph as points of unit length.

    ``sizes`` are the multiplicities of the objects, ``edges`` the weights of the edges of each
    cluster of the ensemble.
    """
    graph = indicators(ensemble, np.ones(ensemble.m))
    graph.data *= np.maximum(edges / edges.max(), _SMALLEST)[graph.indices]
    degrees = graph.sum(axis=1)
    scaled = graph.copy()
    scaled.data *= np.repeat(sizes / degrees, np.diff(graph.indptr))
    # The random walk from cluster to cluster by way of an object (Li et al., Eq. 6).
    walk = (graph.T @ scaled).toarray()
    inverse = 1.0 / np.sqrt(walk.sum(axis=1))
    walk *= inverse[:, None]
    walk *= inverse
    last = len(walk) - 1
    with one_library_thread_if_small(0):
        _, vectors = eigh((walk + walk.T) / 2, subset_by_index=[max(0, last - count + 1), last])
        points = graph @ (vectors * inverse[:, None]) / degrees[:, None]
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / (lengths + _ROUNDING * lengths.max()))
