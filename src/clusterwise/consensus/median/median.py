"""Median partition: the clustering with the smallest total distance to an ensemble."""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_parts
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.median.candidates import (
    Candidate,
    LabelRows,
    Solution,
    make_candidate,
    nearer,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble

Search = Literal["best", "moves", "annealing"]
_SEARCHES = ("best", "moves", "annealing")
# The first temperature of annealing, as a fraction of the mean loss of a move; and the last, as a
# fraction of the first.
_FIRST_TEMPERATURE = 0.2
_LAST_TEMPERATURE = 1e-3


class MedianPartition(Consensus):
    r"""Search for the clustering with the smallest total Mirkin distance to the ensemble.

    .. math:: D(\pi) = \sum_j w_j \, |\{x < y : \pi \text{ and } \pi_j \text{ disagree on whether }
       x, y \text{ are together}\}|

    over the pairs of objects with labels in :math:`\pi_j`. Finding the minimum is NP-hard; a local
    search starts from the nearest clusterings of the ensemble. A move changes two columns of the
    table of overlaps, and evaluating it costs O(m).

    Objects with the same labels in all clusterings move together. That does not exclude the optimum
    unless ``n_clusters`` is given: the nearest clustering with more clusters than the others have
    may be one that takes single objects from their equals. Nothing tells which, and so equal
    objects stay together here, at a larger distance.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters. By default the distance decides: clusters are opened and closed
        while that decreases it. Two objects that fewer than half of the clusterings put together
        are better apart, so clusterings that hardly agree lead to many clusters, at most twice the
        largest number in the ensemble.
    search : {"moves", "best", "annealing"}, default="moves"
        ``"best"`` returns the nearest clustering of the ensemble. ``"moves"`` moves every object
        in turn to the cluster with the smallest distance, until none moves, and merges clusters
        where that decreases the distance. ``"annealing"`` then anneals the result and repeats the
        moves.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    n_init : int, default=3
        The number of starts: the clusterings nearest to all others.
    max_iter : int, default=100
        The largest number of sweeps over all objects per start.
    n_temperatures : int, default=50
        The number of temperatures of annealing; at each, as many moves as objects are tried.
    random_state : int, RandomState, Generator or None
        The seed of annealing; the other searches are deterministic.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    distance_ : float
        The proportion of pairs with labels on which it disagrees with the clusterings. Without
        missing labels, 1 minus the mean Rand index.
    n_clusters_ : int
        The number of clusters.
    n_iter_ : int
        The number of sweeps over all objects, from the best start.

    Notes
    -----
    Clusterings with another number of clusters than ``n_clusters`` are starts too: if they have
    more, clusters are merged; if they have fewer, clusters are first split by those of the next
    clusterings. Objects with missing labels join the cluster with the smallest distance.

    References
    ----------
    .. [1] V. Filkov, S. Skiena: Integrating microarray data by consensus clustering. International
       Journal on Artificial Intelligence Tools 13 (2004) 863-880,
       https://doi.org/10.1142/S0218213004001867
    .. [2] A. Goder, V. Filkov: Consensus clustering algorithms: comparison and refinement.
       ALENEX (2008) 109-117, https://doi.org/10.1137/1.9781611972887.11

    Examples
    --------
    The median need not be in the ensemble:

    >>> from clusterwise import MedianPartition
    >>> ensemble = [[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 1], [0, 1, 0, 1, 1, 1]]
    >>> best = MedianPartition(search="best").fit(ensemble)
    >>> best.labels_, round(best.distance_, 3)
    (array([0, 1, 0, 1, 1, 1]), 0.356)
    >>> model = MedianPartition().fit(ensemble)
    >>> model.labels_, round(model.distance_, 3)
    (array([0, 0, 0, 1, 1, 1]), 0.333)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        search: Search = "moves",
        weights: Any = None,
        n_init: int = 3,
        max_iter: int = 100,
        n_temperatures: int = 50,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.search = search
        self.weights = weights
        self.n_init = n_init
        self.max_iter = max_iter
        self.n_temperatures = n_temperatures
        self.random_state = random_state
        self.progress = progress

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002
        return None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        objects = LabelRows.from_collapsed(collapsed, weights)
        m = len(objects.factors)
        distances = np.empty(m)

        def evaluate(i: int) -> None:
            distances[i] = make_candidate(objects, i, count).distance()

        run_parts(evaluate, m)
        starts = np.argsort(distances, kind="stable").tolist()
        best = make_candidate(objects, starts[0], count).solution()
        if self.search != "best":
            random = as_random_state(self.random_state)
            first = starts[: self.n_init]
            for i in track(first, len(first), "median partition", self.progress):
                improved = self._improve(make_candidate(objects, i, count), random)
                best = nearer(best, improved)
        pairs = objects.pairs()
        self.distance_ = best.distance / pairs if pairs else 0.0
        self.n_iter_ = best.n_iter
        return best.labels

    def _improve(self, candidate: Candidate, random: np.random.RandomState) -> Solution:
        candidate.descend(self.max_iter)
        found = candidate.solution()
        if self.search == "annealing":
            first = _FIRST_TEMPERATURE * candidate.mean_loss(random)
            for temperature in first * np.geomspace(1, _LAST_TEMPERATURE, self.n_temperatures):
                candidate.anneal(random, temperature)
            candidate.descend(self.max_iter)
            found = nearer(found, candidate.solution())
        return found
