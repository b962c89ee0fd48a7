"""HBGF: the hybrid bipartite graph formulation."""

import numpy as np
from scipy import sparse

from clusterwise.consensus.graph.base import GraphConsensus, fill_empty_parts, indicators
from clusterwise.consensus.graph.partition import partition_graph
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed


class HBGF(GraphConsensus):
    r"""Hybrid bipartite graph formulation: partition objects and clusters at once.

    Objects and clusters are the vertices of a bipartite graph, with an edge between an object and
    each cluster that contains it. METIS partitions the graph into ``n_clusters`` parts of about
    the same number of vertices with a small cut. Objects with the same labels in all clusterings
    are one vertex with their multiplicity as its weight. A part without any object gets the one
    that is least connected with the heaviest part. Because parts are balanced, clusters of
    very different sizes are not found.

    Needs the extra ``graphs`` (pymetis). Time and memory are linear in the number of distinct
    objects times the number of clusterings. Ctrl-C takes effect when METIS has ended.

    Parameters
    ----------
    n_clusters : int, optional
        The number of parts; by default the median number of clusters of the clusterings, rounded
        down.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default. METIS takes whole numbers: if the weights of
        its graph are not whole, they are scaled to at most 1,000 and rounded to at least 1.
    imbalance : float, default=0.05
        METIS's target for how much the weight of a part, objects and clusters together, may exceed
        the mean. It is not a bound: on noisy clusterings of 50 objects the largest part exceeded
        the mean number of objects by up to 20 %, of 1,000 objects by up to 4 %.
    random_state : int, RandomState, Generator or None
        The seed of METIS.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of parts, ``n_clusters`` if it was given.

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

    def _partition(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        ensemble, sizes, _ = collapsed
        down = indicators(ensemble, weights)
        down.data *= np.repeat(sizes, np.diff(down.indptr))
        edges = sparse.block_array([[None, down], [down.T, None]], format="csr")
        vertices = np.concatenate([sizes, np.ones(down.shape[1], np.int64)])
        parts = partition_graph(edges, vertices, count, self.imbalance, random)[: ensemble.n]
        return fill_empty_parts(ensemble, sizes, weights, parts, count)
