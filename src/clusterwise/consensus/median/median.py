"""Median partition: the clustering that is nearest to all clusterings of an ensemble."""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_parts
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.median.candidates import (
    Candidate,
    Found,
    Objects,
    make_candidate,
    nearer,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble

Search = Literal["best", "moves", "annealing"]
_SEARCHES = ("best", "moves", "annealing")
# Annealing begins where this share of the usual loss is accepted, and cools down to so much of it.
_HOT = 0.2
_COLD = 1e-3


class MedianPartition(Consensus):
    r"""The clustering with the least total Mirkin distance to those of the ensemble.

    .. math:: D(\pi) = \sum_j w_j \, |\{x < y : \pi \text{ and } \pi_j \text{ disagree on whether }
       x, y \text{ are together}\}|

    over the pairs of objects that :math:`\pi_j` knows. To find the best one is NP-hard, so it is
    searched for, from the nearest clusterings of the ensemble. One move changes two columns of the
    table of shared objects, and costs O(m) to judge. Objects with the same labels everywhere
    move together: no clustering says that they should not, so the optimum is not lost.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find. By default the distance decides: clusters are
        opened and given up as long as that brings the clustering nearer to the others. Objects that
        fewer than half of the clusterings put together are nearer to them apart, so
        clusterings that hardly agree lead to many clusters, at most twice as many as the largest
        number in the ensemble.
    search : {"moves", "best", "annealing"}, default="moves"
        ``"best"`` takes the nearest clustering of the ensemble. ``"moves"`` lets every
        object in turn join the cluster where it costs least, until none moves any more, and merges
        clusters where that helps. ``"annealing"`` then also tries moves that cost something, less
        and less of them, and moves again.
    weights : array-like of shape (m,), optional
        How much each clustering counts.
    n_init : int, default=3
        From how many clusterings to search: those nearest to all others.
    max_iter : int, default=100
        How often every object may move, for each start.
    n_temperatures : int, default=50
        How many steps annealing takes; in each, as many moves as there are objects are tried.
    random_state : int, RandomState, Generator or None
        For annealing, which alone is random.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 where no clustering knows an object.
    distance_ : float
        The share of pairs, of those that the clusterings know, on which it disagrees with them. If
        all labels are known, one minus the mean Rand index.
    n_clusters_ : int
        How many clusters there are.
    n_iter_ : int
        How often every object could move, from the start that led to it.

    Notes
    -----
    Clusterings with another number of clusters than asked for are starts too: clusters of one with
    more are merged, those of one with fewer are split by those of the next ones first. Their
    objects with missing labels join where they cost least.

    References
    ----------
    .. [1] V. Filkov, S. Skiena: Integrating microarray data by consensus clustering. International
       Journal on Artificial Intelligence Tools 13 (2004) 863-880,
       https://doi.org/10.1142/S0218213004001867
    .. [2] A. Goder, V. Filkov: Consensus clustering algorithms: comparison and refinement.
       ALENEX (2008) 109-117, https://doi.org/10.1137/1.9781611972887.11

    Examples
    --------
    Nobody in the ensemble is nearest to all of it:

    >>> from clusterwise import MedianPartition
    >>> ensemble = [[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 1], [0, 1, 0, 1, 1, 1]]
    >>> best = MedianPartition(search="best").fit(ensemble)
    >>> best.labels_, round(best.distance_, 3)
    (array([0, 0, 0, 1, 1, 0]), 0.356)
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

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002 (free)
        return None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        if self.search not in _SEARCHES:
            raise InputError(f"search={self.search!r}; use one of {', '.join(_SEARCHES)}.")
        for name in ("n_init", "max_iter", "n_temperatures"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}={getattr(self, name)!r}; use at least 1.")
        objects = Objects.read(collapsed, weights)
        m = len(objects.shares)
        distances = np.empty(m)

        def judge(i: int) -> None:
            distances[i] = make_candidate(objects, i, count).distance()

        run_parts(judge, m)
        starts = np.argsort(distances, kind="stable").tolist()
        best = make_candidate(objects, starts[0], count).found()
        if self.search != "best":
            random = as_random_state(self.random_state)
            tried = starts[: self.n_init]
            for i in track(tried, len(tried), "median partition", self.progress):
                improved = self._improve(make_candidate(objects, i, count), random)
                best = nearer(best, improved)
        pairs = objects.pairs()
        self.distance_ = best.distance / pairs if pairs else 0.0
        self.n_iter_ = best.rounds
        return best.labels

    def _improve(self, candidate: Candidate, random: np.random.RandomState) -> Found:
        candidate.descend(self.max_iter)
        found = candidate.found()
        if self.search == "annealing":
            loss = candidate.usual_loss(random)
            for temperature in _HOT * loss * np.geomspace(1, _COLD, self.n_temperatures):
                candidate.shake(random, temperature)
            candidate.descend(self.max_iter)
            found = nearer(found, candidate.found())
        return found
