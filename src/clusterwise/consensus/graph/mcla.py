"""MCLA: the meta-clustering algorithm."""

import numpy as np

from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.graph.base import GraphConsensus
from clusterwise.consensus.graph.partition import partition_graph
from clusterwise.consensus.overlaps import count_ballots, count_overlaps
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed


class MCLA(GraphConsensus):
    r"""Meta-clustering algorithm: cluster the clusters, then assign objects to the meta-clusters.

    The clusters of all clusterings are the vertices of a graph, weighted by their numbers of
    objects; edges are weighted by the Jaccard index of two clusters. METIS partitions the graph
    into ``n_clusters`` meta-clusters of about the same weight. The association of an object with
    a meta-cluster is the mean of the indicators of its clusters, and each object joins the
    meta-cluster with the largest association. Ties go to the one with the larger sum over all
    objects, so that the assignment is deterministic.

    Needs the extra ``graphs`` (pymetis). After one pass over the objects, the time does not depend
    on their number.

    Parameters
    ----------
    n_clusters : int, optional
        The number of meta-clusters; by default the median number of clusters of the clusterings,
        rounded down.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default. METIS takes whole numbers: if the weights of
        its graph are not whole, they are scaled to at most 1,000 and rounded to at least 1.
    imbalance : float, default=0.05
        METIS's target for how much the weight of a meta-cluster may exceed the mean. It does not
        bound the sizes of the clusters: on noisy clusterings of 1,000 objects in classes of the
        same size the largest one exceeded the mean by up to 36 %.
    random_state : int, RandomState, Generator or None
        The seed of METIS.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of meta-clusters that some object joins. A warning is raised if there are fewer
        than ``n_clusters``.
    meta_labels_ : ndarray
        The meta-cluster of each cluster of the ensemble, clustering by clustering.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh: Cluster ensembles, a knowledge reuse framework for combining
       multiple partitions. Journal of Machine Learning Research 3 (2002) 583-617,
       https://www.jmlr.org/papers/v3/strehl02a.html

    Examples
    --------
    Three clusterings name the same two clusters differently, and disagree on one object:

    >>> from clusterwise import MCLA
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], list("aabbbb")]
    >>> MCLA(random_state=0).fit(ensemble).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        self.meta_labels_ = np.zeros(sum(collapsed.ensemble.sizes), np.int64)
        return super()._combine(collapsed, weights, count)

    def _partition(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        ensemble = collapsed.ensemble
        by_cluster = np.repeat(weights, ensemble.sizes)
        shared, _ = overlaps = count_overlaps(collapsed)
        sizes = overlaps.sizes
        edges = shared / (sizes[:, None] + sizes - shared) * by_cluster[:, None] * by_cluster
        np.fill_diagonal(edges, 0)
        groups = partition_graph(
            edges, sizes * by_cluster, min(count, sizes.size), self.imbalance, random
        )
        self.meta_labels_ = groups
        total = np.bincount(groups, by_cluster, count)
        votes = count_ballots(ensemble, groups, by_cluster, count) / np.where(total > 0, total, 1)
        order = np.argsort(-(collapsed.weights @ votes), kind="stable")
        return order[votes[:, order].argmax(axis=1)]

    def _restore_order(self, order: CanonicalOrder) -> None:
        self.meta_labels_ = self.meta_labels_[order.clusters]
