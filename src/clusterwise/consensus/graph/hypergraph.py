"""The ensemble as a graph of clusters, or of objects and clusters: MCLA and HBGF."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.graph.partition import part_graph
from clusterwise.consensus.overlaps import count_ballots, count_overlaps, first_clusters
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble


class GraphConsensus(Consensus):
    """A consensus by balanced parts of a graph."""

    imbalance: float
    random_state: Any

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        assert count is not None
        if not self.imbalance > 0:
            raise InputError(f"imbalance={self.imbalance!r}; use a number above 0.")
        if count == 1:
            return np.zeros(collapsed.ensemble.n, np.int64)
        return self._part(collapsed, weights, count, as_random_state(self.random_state))

    @abstractmethod
    def _part(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        """A part of the graph for each different object."""


class MCLA(GraphConsensus):
    r"""Meta-clustering algorithm: cluster the clusters, then let objects join the groups.

    All clusters of the ensemble are the vertices of a graph, weighted by how many objects they
    have. Edges are weighted by Jaccard's measure of their objects. METIS parts it into
    ``n_clusters`` groups of about the same weight. An object's association with a group is the mean
    of the indicators of the group's clusters, and it joins the group with the largest; among
    equals the one with more objects in all, so that nothing is left to chance.

    Needs the extra ``graphs`` (pymetis). After one pass over the objects, the time does not depend
    on their number.

    Parameters
    ----------
    n_clusters : int, optional
        How many groups; by default the median of the members' numbers, rounded down. A
        group that wins no object is not among the ``n_clusters_`` found.
    weights : array-like of shape (m,), optional
        How much each clustering counts.
    imbalance : float, default=0.05
        By how much a group may outweigh the mean.
    random_state : int, RandomState, Generator or None
        METIS tries things at random.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 where no clustering knows an object.
    n_clusters_ : int
        How many groups won an object.
    meta_labels_ : ndarray
        The group of each cluster of the ensemble, clustering by clustering.

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

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        weights: Any = None,
        imbalance: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weights = weights
        self.imbalance = imbalance
        self.random_state = random_state

    def _part(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        ensemble = collapsed.ensemble
        shares = np.repeat(weights, ensemble.sizes)
        shared, _ = overlaps = count_overlaps(collapsed)
        sizes = overlaps.sizes
        edges = shared / (sizes[:, None] + sizes - shared) * shares[:, None] * shares
        np.fill_diagonal(edges, 0)
        groups = part_graph(edges, sizes * shares, min(count, sizes.size), self.imbalance, random)
        self.meta_labels_ = groups
        total = np.bincount(groups, shares, count)
        votes = count_ballots(ensemble, groups, shares, count) / np.where(total > 0, total, 1)
        order = np.argsort(-(collapsed.weights @ votes), kind="stable")
        return order[votes[:, order].argmax(axis=1)]


class HBGF(GraphConsensus):
    r"""Hybrid bipartite graph formulation: objects and clusters are parted together.

    Objects and clusters are the vertices of one graph, with an edge between an object and each
    cluster that it is in. METIS parts it into ``n_clusters`` parts of about the same
    number of vertices so that few edges are cut. Objects with the same labels everywhere are one
    vertex with their weight. Clusters of different sizes are not found: objects of the larger ones
    fill up the smaller ones.

    Needs the extra ``graphs`` (pymetis). Time and memory grow with the number of different
    objects times that of clusterings.

    Parameters
    ----------
    n_clusters : int, optional
        How many parts; by default the median of the members' numbers, rounded down.
    weights : array-like of shape (m,), optional
        How much each clustering counts.
    imbalance : float, default=0.05
        By how much a part may outweigh the mean.
    random_state : int, RandomState, Generator or None
        METIS tries things at random.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 where no clustering knows an object.
    n_clusters_ : int
        How many parts hold an object.

    References
    ----------
    .. [1] X. Z. Fern, C. E. Brodley: Solving cluster ensemble problems by bipartite graph
       partitioning. ICML (2004) 36, https://doi.org/10.1145/1015330.1015414

    Examples
    --------
    Three clusterings name the same two clusters differently, and disagree on one object:

    >>> from clusterwise import HBGF
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], list("aabbbb")]
    >>> HBGF(random_state=0).fit(ensemble).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        weights: Any = None,
        imbalance: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weights = weights
        self.imbalance = imbalance
        self.random_state = random_state

    def _part(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        n = collapsed.ensemble.n
        down = indicators(collapsed.ensemble, weights)
        down.data *= np.repeat(collapsed.weights, np.diff(down.indptr))
        edges = sparse.block_array([[None, down], [down.T, None]], format="csr")
        vertices = np.concatenate([collapsed.weights, np.ones(down.shape[1], np.int64)])
        return part_graph(edges, vertices, count, self.imbalance, random)[:n]


def indicators(ensemble: Ensemble, weights: Array) -> Any:
    """Objects × clusters of the ensemble: the weight of the clustering if it is inside, sparse."""
    known = ensemble.codes.T >= 0
    columns = ensemble.codes.T + first_clusters(ensemble)[:-1]
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    data = np.broadcast_to(weights, known.shape)[known]
    return sparse.csr_array((data, columns[known], ends), (ensemble.n, int(sum(ensemble.sizes))))
