"""PhiConsensus: search for the clustering with the highest φ."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_interruptibly
from clusterwise.consensus.base import Consensus, read_weights
from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.phi.objective import check_factors
from clusterwise.consensus.phi.search import (
    climb,
    climb_all,
    climb_by_criterion,
    search_annealing,
    search_genetic,
    search_local,
)
from clusterwise.consensus.phi.state import PhiProblem, PhiState
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels import phi as kernels

Search = Callable[[PhiProblem, list[PhiState], int, np.random.RandomState], PhiState]
_SEARCHES: Mapping[str, Search] = {
    "local": search_local,
    "annealing": search_annealing,
    "genetic": search_genetic,
}
# With more distinct objects than this, and than this many per cluster, a sample is searched first.
_MAX_OBJECTS, _PER_CLUSTER = 20_000, 100
# Numbers of clusters that are searched, and starts of the search that selects them.
_N_NUMBERS, _N_ROUGH_STARTS = 3, 3


class PhiConsensus(Consensus):
    r"""Search for the clustering with the highest objective φ = k1·ICS + k2·ECS.

    φ is computed from the table of the objects that clusters have in common with those of the
    ensemble; moving an object changes two rows of it, and no pair of objects is visited. Objects
    with the same labels in all clusterings are one object with a weight.

    The search starts from clusterings of the ensemble (merged or split to the number of clusters)
    and from seeds that are seldom together. From each start, objects move one by one to the cluster
    with the largest gain of φ; then a cluster is split and two others are merged while φ increases.
    ``"annealing"`` continues by random moves, ``"genetic"`` by crossing the results. With more than
    20,000 distinct objects (and 100 per cluster) a sample is searched first, and then all objects
    move.

    **The objective.** φ as published is not comparable across numbers of clusters K, and for a
    given K its maximum is often a few tiny clusters of objects that are always together beside one
    with all the others (see :func:`consensus_objective`). By default, therefore, the normalised φ
    of :func:`consensus_objective` is maximised, also across K. It has many local optima: from each
    start, objects first move to increase k1 times the mean co-association within clusters plus k2
    times that between clusters, and then, as in annealing and the genetic search, the normalised φ
    itself, until no move of a single object increases it. (The local search leaves this out where
    it moves all objects after a sample.) ``normalized=False`` maximises φ as published.

    With ``n_clusters=None`` the clusters of a result with the largest K of the ensemble are merged
    down to one; the three best K on that path are searched, and the best result is returned.

    **Never worse than the best clustering of the ensemble.** No clustering of the ensemble without
    missing labels, and with ``n_clusters`` clusters if a number is given, has a higher normalised φ
    than the result (a higher φ if ``normalized=False``).

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default the one with the highest normalised φ, from 1 to the
        largest number of clusters in the ensemble.
    search : {"local", "annealing", "genetic"}, default="local"
        The search algorithm.
    k1 : float, default=1.0
        The weight of ICS, positive.
    k2 : float, default=-1.0
        The weight of ECS, negative.
    normalized : bool, default=True
        Whether to maximise the normalised φ, or φ as published.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    n_init : int, default=8
        The number of starts.
    max_iter : int, default=100
        The largest number of sweeps over all objects per start; also the number of temperatures of
        annealing and of children of the genetic search.
    random_state : int, RandomState, Generator or None
        The seed of starts and of the search.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of clusters.
    objective_ : float
        φ of the consensus, as published.
    score_ : float
        Its normalised φ; k1 is perfect agreement.
    member_objectives_ : ndarray of shape (m,)
        φ of the clusterings of the ensemble; NaN for those with missing labels.
    member_scores_ : ndarray of shape (m,)
        Their normalised φ.
    scores_ : dict of int to float
        The normalised φ of each number of clusters that was searched.
    n_iter_ : int
        The number of sweeps over all objects that led to the best result of the search.
    n_features_in_ : int
        The number of clusterings.

    References
    ----------
    .. [1] S. Mimaroglu, A. M. Yagci. A binary method for fast computation of inter and intra
       cluster similarities for combining multiple clusterings.

    Examples
    --------
    Three clusterings of six objects, each with a different error:

    >>> import numpy as np
    >>> from clusterwise import PhiConsensus
    >>> ensemble = np.array([[0, 0, 1], [0, 0, 1], [1, 0, 1], [1, 1, 0], [1, 1, 0], [1, 1, 1]])
    >>> found = PhiConsensus(random_state=0).fit(ensemble)
    >>> found.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        search: Literal["local", "annealing", "genetic"] = "local",
        k1: float = 1.0,
        k2: float = -1.0,
        normalized: bool = True,
        weights: Any = None,
        n_init: int = 8,
        max_iter: int = 100,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.search = search
        self.k1 = k1
        self.k2 = k2
        self.normalized = normalized
        self.weights = weights
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.progress = progress

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002
        return None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        random = as_random_state(self.random_state)
        ensemble, counts, _ = collapsed
        problem = PhiProblem(
            ensemble, counts, weights, k1=self.k1, k2=self.k2, by_objects=self.normalized
        )
        members = [
            problem.member(j)
            for j in track(range(ensemble.m), ensemble.m, "evaluating clusterings", self.progress)
        ]
        self.member_objectives_ = np.array([problem.phi(one) if one else np.nan for one in members])
        self.member_scores_ = np.array([problem.score(one) if one else np.nan for one in members])
        largest = max(_MAX_OBJECTS, _PER_CLUSTER * (count or max(ensemble.sizes)))
        if problem.n <= largest:
            found = self._find(problem, count, random)
        else:
            some = random.choice(problem.n, largest, replace=False)
            few = problem.take(np.sort(some))
            found = self._spread(problem, self._find(few, count, random), np.sort(some))
        self.n_iter_ = found.n_iter
        same = [one for one in members if one and (count is None or one.count == count)]
        best = max([found, *same], key=problem.criterion)
        if best is not found:
            best = climb_by_criterion(problem, best, self.max_iter)
        found = best
        # In the units of the weights that were passed; φ of the largest weights may be infinite.
        largest = read_weights(self.weights, ensemble.m).max()
        exponent = np.frexp(largest)[1] - np.frexp(weights.max())[1]
        with np.errstate(over="ignore"):
            self.member_objectives_ = np.ldexp(self.member_objectives_, exponent)
            self.objective_ = float(np.ldexp(problem.phi(found), exponent))
        self.score_ = problem.score(found)
        return found.labels

    def _restore_order(self, order: CanonicalOrder) -> None:
        self.member_objectives_ = order.restore_members(self.member_objectives_)
        self.member_scores_ = order.restore_members(self.member_scores_)

    def _validate_params(self) -> None:
        super()._validate_params()
        check_factors(self.k1, self.k2)

    def _find(
        self, problem: PhiProblem, count: int | None, random: np.random.RandomState
    ) -> PhiState:
        search = _SEARCHES[self.search]
        self.scores_ = {}
        if count is not None:
            starts = self._starts(problem, count, self.n_init, random)
            found = search(problem, starts, self.max_iter, random)
            self.scores_[found.count] = problem.score(found)
            return found
        most = min(max(problem.ensemble.sizes), problem.n)
        rough = climb_all(
            problem, self._starts(problem, most, _N_ROUGH_STARTS, random), self.max_iter, random
        )[0]
        paths = [rough, *(problem.merge_clusters(rough, of) for of in problem.merge_path(rough, 1))]
        paths.sort(key=lambda state: -problem.criterion(state))
        best: list[PhiState] = []
        for start in track(paths[:_N_NUMBERS], _N_NUMBERS, "searching", self.progress):
            starts = [start, *self._starts(problem, start.count, self.n_init - 1, random)]
            found = search(problem, starts, self.max_iter, random)
            self.scores_[found.count] = problem.score(found)
            best.append(found)
        return max(best, key=problem.criterion)

    def _starts(
        self, problem: PhiProblem, count: int, n_starts: int, random: np.random.RandomState
    ) -> list[PhiState]:
        """Return starts: half from the best members, preferably of that size; half from seeds."""
        order = np.argsort(-np.nan_to_num(self.member_scores_, nan=-np.inf), kind="stable")
        known = [j for j in order if not np.isnan(self.member_scores_[j])]
        known.sort(key=lambda j: problem.ensemble.sizes[j] != count)
        starts = []
        for j in known[: (n_starts + 1) // 2]:
            labels = relabel_by_value(problem.ensemble.codes[j])
            state = problem.state(labels, int(labels.max()) + 1)
            starts.append(problem.resize(state, count, random))
        while len(starts) < n_starts:
            starts.append(problem.seed_clusters(count, random))
        return starts

    def _spread(self, problem: PhiProblem, found: PhiState, some: Array) -> PhiState:
        """Assign the other objects to the nearest clusters, and let all objects move."""
        labels = np.empty(problem.n, np.int64)
        labels[some] = found.labels
        others = np.ones(problem.n, np.bool_)
        others[some] = False
        run_interruptibly(
            float(problem.rows.size) * found.count, kernels.assign_by_co_association,
            problem.data, np.flatnonzero(others), found.table, found.sizes, labels,
        )  # fmt: skip
        state = climb(problem, problem.state(labels, found.count), self.max_iter)
        if self.search == "local":  # sweeps by the normalised φ take several times longer
            return state
        return climb_by_criterion(problem, state, self.max_iter)
