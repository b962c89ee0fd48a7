"""PhiConsensus: the clustering with the highest φ that a search finds."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.phi.annealing import search_annealing
from clusterwise.consensus.phi.genetic import search_genetic
from clusterwise.consensus.phi.objective import check_factors
from clusterwise.consensus.phi.search import climb, climb_all, search_local
from clusterwise.consensus.phi.state import Problem, State
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels import phi as kernels

Search = Callable[[Problem, list[State], int, np.random.RandomState], State]
_SEARCHES: Mapping[str, Search] = {
    "local": search_local,
    "annealing": search_annealing,
    "genetic": search_genetic,
}
# With more different objects than this, and than so many for each cluster, the search is made on
# a sample of them, and objects of all then move from where that leads.
_SAMPLE, _PER_CLUSTER = 20_000, 100
# Numbers of clusters that are looked at closely, and starts from which they are guessed.
_CLOSELY, _ROUGHLY = 3, 3


class PhiConsensus(Consensus):
    r"""The clustering that agrees most with an ensemble, by the objective φ = k1·ICS + k2·ECS.

    A search over clusterings, never over pairs of objects: what φ needs is a table of the objects
    that our clusters share with those of the ensemble, and moving one object changes two rows of
    it. Objects with the same labels in all clusterings are one object with a weight.

    It starts from clusterings of the ensemble (merged or split to the number of clusters) and from
    objects that are seldom together. From each start, objects move one by one to where φ gains
    most; then a cluster is split and two others are merged as long as that gains. ``"annealing"``
    and ``"genetic"`` go on from there. More than 20,000 different objects (and 100 for each
    cluster) are searched in a sample first, then moved among the clusters found.

    **What is maximised.** φ as published says little about the number of clusters K, and its
    highest value for a given K is often not what is wanted: every cluster counts the same, so
    many tiny ones of objects that are always together, beside one with all the rest, may beat
    the clusters that made the ensemble (see ``consensus_objective``). So by default clusters count
    by their objects. Objects move to where the mean share of clusterings that have an object
    together with those of its cluster, times k1, plus that of all pairs between clusters,
    times k2, gains most; results are compared, with each other and across K, by the
    normalised φ of ``consensus_objective``. ``normalized=False`` maximises φ as published.

    With ``n_clusters=None`` the clusters of a result with the largest K of the ensemble are merged
    down to one; the three K that are best on that way are searched, and the best result is taken.

    **Never less than the best member.** No clustering of the ensemble that knows all objects, and
    has as many clusters if a number is asked for, has a higher normalised φ than the result
    (a higher φ if ``normalized=False``).

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters; by default the number with the highest normalised φ, from 1 to
        the most that a clustering of the ensemble has.
    search : {"local", "annealing", "genetic"}, default="local"
        How to search.
    k1 : float, default=1.0
        The weight of ICS, positive.
    k2 : float, default=-1.0
        The weight of ECS, negative.
    normalized : bool, default=True
        Whether clusters count by their objects, or all the same as published.
    weights : array-like of shape (m,), optional
        How much each clustering counts; 1 by default.
    n_init : int, default=8
        How many starts.
    max_iter : int, default=100
        How often each start goes through all objects at most; also the temperatures of
        annealing, and the children of the genetic search.
    random_state : int, RandomState, Generator or None
        For starts, splits, annealing and breeding.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects that no clustering knows.
    n_clusters_ : int
        Its number of clusters.
    objective_ : float
        Its φ.
    score_ : float
        Its normalised φ: k1 is full agreement.
    member_objectives_ : ndarray of shape (m,)
        φ of the clusterings of the ensemble, NaN for those that do not know all objects.
    member_scores_ : ndarray of shape (m,)
        Their normalised φ.
    scores_ : dict
        The normalised φ for each number of clusters that was looked at closely.
    n_iter_ : int
        How often all objects had their turn to move, on the way to the best result of the search.
    n_features_in_ : int
        The number of clusterings.

    References
    ----------
    .. [1] S. Mimaroglu, A. M. Yagci. A binary method for fast computation of inter and intra
       cluster similarities for combining multiple clusterings.

    Examples
    --------
    Three clusterings of six objects, each with another mistake:

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
        self._check()
        random = as_random_state(self.random_state)
        ensemble, counts, _ = collapsed
        problem = Problem(
            ensemble, counts, weights, k1=self.k1, k2=self.k2, by_objects=self.normalized
        )
        members = [
            problem.member(j)
            for j in track(range(ensemble.m), ensemble.m, "judging clusterings", self.progress)
        ]
        self.member_objectives_ = np.array([problem.phi(one) if one else np.nan for one in members])
        self.member_scores_ = np.array([problem.score(one) if one else np.nan for one in members])
        largest = max(_SAMPLE, _PER_CLUSTER * (count or max(ensemble.sizes)))
        if problem.n <= largest:
            found = self._find(problem, count, random)
        else:
            some = random.choice(problem.n, largest, replace=False)
            few = problem.take(np.sort(some))
            found = self._spread(problem, self._find(few, count, random), np.sort(some))
        self.n_iter_ = found.n_iter
        for one in members:
            if one and (count is None or one.count == count):
                found = max(found, one, key=self._worth(problem))
        self.objective_ = problem.phi(found)
        self.score_ = problem.score(found)
        return found.labels

    def _check(self) -> None:
        check_factors(self.k1, self.k2)
        if self.search not in _SEARCHES:
            raise InputError(
                f"search={self.search!r} is unknown; use 'local', 'annealing' or 'genetic'."
            )
        for name in ("n_init", "max_iter"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise InputError(f"{name}={value!r}; use a whole number of at least 1.")

    def _worth(self, problem: Problem) -> Callable[[State], float]:
        """What results are compared by."""
        return problem.score if self.normalized else problem.phi

    def _find(self, problem: Problem, count: int | None, random: np.random.RandomState) -> State:
        search = _SEARCHES[self.search]
        self.scores_ = {}
        if count is not None:
            starts = self._starts(problem, count, self.n_init, random)
            found = search(problem, starts, self.max_iter, random)
            self.scores_[found.count] = problem.score(found)
            return found
        worth = self._worth(problem)
        most = min(max(problem.ensemble.sizes), problem.n)
        rough = climb_all(
            problem, self._starts(problem, most, _ROUGHLY, random), self.max_iter, random
        )[0]
        ways = [rough, *(problem.joined(rough, of) for of in problem.merged(rough, 1))]
        ways.sort(key=lambda state: -worth(state))
        best: list[State] = []
        for way in track(ways[:_CLOSELY], _CLOSELY, "searching", self.progress):
            starts = [way, *self._starts(problem, way.count, self.n_init - 1, random)]
            found = search(problem, starts, self.max_iter, random)
            self.scores_[found.count] = problem.score(found)
            best.append(found)
        return max(best, key=worth)

    def _starts(
        self, problem: Problem, count: int, wanted: int, random: np.random.RandomState
    ) -> list[State]:
        """Half from the best members, those first that have as many clusters; half from seeds."""
        order = np.argsort(-np.nan_to_num(self.member_scores_, nan=-np.inf), kind="stable")
        known = [j for j in order if not np.isnan(self.member_scores_[j])]
        known.sort(key=lambda j: problem.ensemble.sizes[j] != count)
        starts = []
        for j in known[: (wanted + 1) // 2]:
            labels = np.unique(problem.ensemble.codes[j], return_inverse=True)[1]
            state = problem.state(labels, int(labels.max()) + 1)
            starts.append(problem.resized(state, count, random))
        while len(starts) < wanted:
            starts.append(problem.seeded(count, random))
        return starts

    def _spread(self, problem: Problem, found: State, some: Array) -> State:
        """From a sample to all objects: to the nearest cluster each, then they move."""
        labels = np.empty(problem.n, np.int64)
        labels[some] = found.labels
        others = np.ones(problem.n, np.bool_)
        others[some] = False
        kernels.assign(
            problem.rows, problem.starts, problem.factors, np.flatnonzero(others),
            found.table, found.sizes, labels,
        )  # fmt: skip
        return climb(problem, problem.state(labels, found.count), self.max_iter)
