"""LWEA: locally weighted evidence accumulation."""

from typing import Any

from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.linkage import LinkageConsensus
from clusterwise.consensus.locally_weighted.confidence import DEFAULT_THETA, cluster_confidence
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed


class LWEA(LinkageConsensus):
    r"""Locally weighted evidence accumulation: average linkage with clusters weighted.

    Clusters that the other clusterings split are uncertain, and count less. The uncertainty
    :math:`H(C)` of a cluster is the mean, over all clusterings, of the entropy in bits of the
    labels of its objects; its weight, the ensemble-driven cluster index, is
    :math:`\exp(-H(C) / \theta)`. The locally weighted co-association of two objects is the sum of
    the weights of the clusters that contain both, divided by the number of clusterings in which
    both have labels. Average linkage merges the objects by 1 minus it, and the dendrogram is cut.

    Objects with the same labels in all clusterings are merged beforehand, with a weight, so that
    the :math:`n \times n` matrix is never made. Without missing labels such objects are nearest to
    each other, and average linkage merges them first in any case.

    If there are more than ``max_objects`` distinct objects, a sample is merged, drawn with
    probabilities proportional to their multiplicities. Every other object joins the cluster with
    the largest mean locally weighted co-association.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters. By default the number with the longest lifetime, from 2 to the
        largest number of clusters of any clustering; the smaller one in case of ties.
    theta : float, default=0.4
        The smaller, the less uncertain clusters count; with ``inf`` all count alike, as in
        :class:`EvidenceAccumulation`.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    max_objects : int, optional
        The largest number of distinct objects to merge; 5,000 by default, which need 200 MB.
    random_state : int, RandomState, Generator or None
        The seed of the sample.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of clusters.
    confidences_ : ndarray of shape (total number of clusters,)
        The weight of each cluster of the ensemble, clustering by clustering, in the order of their
        labels.
    linkage_ : ndarray of shape (u - 1, 4)
        The merges of the u distinct objects, in SciPy's format; sizes count distinct objects.
        They are numbered in the order in which they first occur.
    merged_weights_ : ndarray of shape (u,)
        The multiplicities of the distinct objects that were merged, in the same order.
    lifetimes_ : dict of int to float
        The lifetime of each number of clusters, from 2 to the largest number of any clustering.
    n_distinct_ : int
        The number of distinct objects.
    n_merged_ : int
        u, the number of distinct objects that were merged; fewer than ``n_distinct_`` if a sample
        was drawn.
    n_features_in_ : int
        The number of clusterings.

    See Also
    --------
    LWGP, EvidenceAccumulation

    References
    ----------
    .. [1] D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Transactions
       on Cybernetics 48 (2018) 1460-1473, https://doi.org/10.1109/TCYB.2017.2702343

    Examples
    --------
    The second clustering joins objects that the others separate, so its first cluster counts less:

    >>> from clusterwise import LWEA
    >>> ensemble = [[0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]
    >>> model = LWEA(3).fit(ensemble)
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
        max_objects: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.theta = theta
        self.weights = weights
        self.max_objects = max_objects
        self.random_state = random_state

    def _confidence(self, collapsed: Collapsed, weights: Array) -> Array | None:
        self.confidences_ = cluster_confidence(collapsed, weights, self.theta)
        return self.confidences_

    def _restore_order(self, order: CanonicalOrder) -> None:
        super()._restore_order(order)
        self.confidences_ = self.confidences_[order.clusters]
