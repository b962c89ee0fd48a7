"""CSPA: the cluster-based similarity partitioning algorithm."""

import numpy as np

from clusterwise.consensus.graph.base import SampledConsensus, indicators
from clusterwise.consensus.graph.partition import partition_graph
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble


class CSPA(SampledConsensus):
    r"""Cluster-based similarity partitioning algorithm: partition the co-association graph.

    Objects are the vertices of a graph whose edges are weighted by the number of clusterings that
    put both into one cluster; METIS partitions it. Objects with the same labels in all clusterings
    are one vertex with their multiplicity as its weight. A part that METIS leaves empty, which
    happens if few objects have most of the weight, gets the object that is least connected with the
    heaviest part. The graph is quadratic in the number of distinct objects: if there are more than
    ``max_objects``, a sample is partitioned, and each other object joins the part with the largest
    mean co-association.

    Needs the extra ``graphs`` (pymetis). Ctrl-C takes effect when METIS has ended.

    Parameters
    ----------
    n_clusters : int, optional
        The number of parts; by default the median number of clusters of the clusterings, rounded
        down.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default. METIS takes whole numbers: if the weights of
        its graph are not whole, they are scaled to at most 1,000 and rounded to at least 1.
    imbalance : float, default=0.05
        METIS's target for how much the weight of a part may exceed the mean. It is not a bound: on
        noisy clusterings of 50 objects the heaviest part exceeded the mean by up to 20 %, of 1,000
        objects by up to 5.3 %.
    max_objects : int, default=2000
        The largest number of distinct objects to partition. If there are more, a sample is
        partitioned, drawn with probabilities proportional to their multiplicities.
    random_state : int, RandomState, Generator or None
        The seed of the sample and of METIS.

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

    >>> from clusterwise import CSPA
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], list("aabbbb")]
    >>> CSPA(random_state=0).fit(ensemble).labels_
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
        edges = co_occurrences(ensemble, weights) * sizes[:, None] * sizes
        np.fill_diagonal(edges, 0)
        return partition_graph(edges, sizes, count, self.imbalance, random)


def co_occurrences(ensemble: Ensemble, weights: Array) -> Array:
    """Return the total weight of the clusterings that have two objects in one cluster, n × n."""
    roots = indicators(ensemble, np.sqrt(weights))
    # Rounded: square roots of integers are inexact, but the sums of their squares must be exact.
    return np.round((roots @ roots.T).toarray(), 12)
