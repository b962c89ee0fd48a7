"""HGPA: the hypergraph partitioning algorithm."""

import numpy as np

from clusterwise.consensus.graph.base import SampledConsensus
from clusterwise.consensus.graph.partition import partition_hypergraph
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble


class HGPA(SampledConsensus):
    r"""Hypergraph partitioning algorithm: cut as few clusters (hyperedges) as possible.

    Objects are the vertices and clusters the hyperedges of a hypergraph. Mt-KaHyPar partitions it
    into ``n_clusters`` parts of about the same size and minimises the connectivity: the number of
    parts that a cluster is in, less one, summed over the clusters. Strehl and Ghosh [1]_ minimise
    the number of clusters that are cut, in however many parts; for two parts both are the same.
    Objects with the same labels in all clusterings are one vertex with their multiplicity as its
    weight. A part that Mt-KaHyPar leaves empty gets the object that is least connected with the
    heaviest part. If there are more than ``max_objects`` distinct objects, a sample is partitioned,
    and each other object joins the part with the largest mean co-association.

    The connectivity of a cut cluster is the same whether one of its objects or half of them are in
    another part. With label noise of one object in five in every clustering, meaningless balanced
    parts are therefore optimal: on 500 objects in five classes the adjusted Rand index is below
    0.5, where :class:`MCLA` and :class:`CSPA` reach more than 0.9. Use it if clusterings differ
    only by whole clusters.

    Needs the extra ``graphs`` (mtkahypar). Ctrl-C takes effect when Mt-KaHyPar has ended.

    Parameters
    ----------
    n_clusters : int, optional
        The number of parts; by default the median number of clusters of the clusterings, rounded
        down.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default. Mt-KaHyPar takes whole numbers: weights that
        are not whole are scaled to at most 1,000 and rounded to at least 1.
    imbalance : float, default=0.05
        By how much the weight of a part may exceed the mean, as far as the multiplicities of the
        objects permit.
    max_objects : int, default=2000
        The largest number of distinct objects to partition. If there are more, a sample is
        partitioned, drawn with probabilities proportional to their multiplicities.
    random_state : int, RandomState, Generator or None
        The seed of the sample and of Mt-KaHyPar.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of parts, ``n_clusters`` if it was given.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh: Cluster ensembles, a knowledge reuse framework for combining
       multiple partitions. Journal of Machine Learning Research 3 (2002) 583-617,
       https://www.jmlr.org/papers/v3/strehl02a.html

    Examples
    --------
    Three clusterings name the same two clusters differently, and disagree on one object:

    >>> from clusterwise import HGPA
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], list("aabbbb")]
    >>> HGPA(random_state=0).fit(ensemble).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def _partition_objects(
        self,
        ensemble: Ensemble,
        sizes: Array,
        weights: Array,
        count: int,
        random: np.random.RandomState,
    ) -> Array:
        hyperedges, edge_weights = [], []
        for codes, size, weight in zip(ensemble.codes, ensemble.sizes, weights, strict=True):
            clusters = [np.flatnonzero(codes == k) for k in range(size)]
            several = [one for one in clusters if one.size > 1]  # single vertices cannot be cut
            hyperedges += several
            edge_weights += [weight] * len(several)
        return partition_hypergraph(
            hyperedges, np.array(edge_weights), sizes, count, self.imbalance, random
        )
