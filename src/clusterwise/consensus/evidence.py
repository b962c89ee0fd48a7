"""Evidence accumulation: objects that clusterings put together often belong together."""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.linking import Linkage, link_averages, link_nearest
from clusterwise.consensus.phi.search import climb
from clusterwise.consensus.phi.state import Problem
from clusterwise.consensus.together import Together
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble

# Average linkage keeps a square table (200 MB), single linkage only takes its time.
_MOST = {"average": 5_000, "single": 50_000}
# Lifetimes that differ by less are equal but for rounding.
_ROUNDING = 9
# How often objects may move after the cut; a few times are the rule.
_ROUNDS = 100


class EvidenceAccumulation(Consensus):
    r"""Merge objects that are together in most clusterings.

    The co-association of two objects is the share of clusterings that put them into one cluster,
    among those that know both; 1 minus it is how far apart they are, and 1 if no clustering
    knows both. Average or single linkage merges the objects, and the dendrogram is cut where its
    number of clusters lives longest: over the largest range of heights.

    Objects with the same labels everywhere are at distance 0 and counted as one with a weight,
    so that the :math:`n \times n` matrix of co-associations is never made; that is exact.
    Single linkage keeps no matrix at all, but a spanning tree. Where clusters touch, a few objects
    between them are enough for it to merge them, the more so the more objects there are.

    If there are too many different objects all the same, a sample of them (those that stand for
    many are drawn more likely) is merged, and every other one joins the cluster with whose sampled
    objects it is together most often.

    Told a number of clusters, average linkage often has a few objects that go with nobody as
    clusters of their own, beside one with most of the others. With ``refine=True``, objects then
    move one by one as long as the mean co-association inside clusters grows, over all
    objects: where the cut was poor that mends it, and where it was good little moves.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to make. By default the number from 2 to the largest one of any
        member that lives longest, and the smaller one of two that live as long.
    linkage : {"average", "single"}, default="average"
        What the distance of two clusters is: the mean over all pairs, or that of the nearest pair.
    refine : bool, default=False
        Whether objects move after the cut.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.
    max_objects : int, optional
        How many different objects are merged at most, before a sample is taken. By default 5,000
        for average linkage, which needs 200 MB for them, and 50,000 for single linkage; time
        grows with the square.
    random_state : int, RandomState, Generator or None
        For the sample, if one is taken.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each object; -1 for objects that no clustering knows.
    n_clusters_ : int
        How many there are.
    linkage_ : ndarray of shape (u - 1, 4)
        How the u different objects merged, as SciPy's dendrograms take it: its sizes count
        different objects.
    merged_weights_ : ndarray of shape (u,)
        How many objects each of these stands for.
    lifetimes_ : dict of int to float
        How long each number of clusters lives, from 2 to the largest number of any member.
    n_different_ : int
        How many objects differ in some label.
    n_merged_ : int
        u, how many of them were merged; fewer than ``n_different_`` if a sample was taken.
    n_features_in_ : int
        The number of clusterings.

    References
    ----------
    .. [1] A. L. N. Fred, A. K. Jain. Combining multiple clusterings using evidence accumulation.
       IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005) 835-850.
       https://doi.org/10.1109/TPAMI.2005.113

    Examples
    --------
    Three clusterings, of which the last knows nothing of the first object:

    >>> from clusterwise import EvidenceAccumulation
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2], [None, "x", "x", "y", "y", "x"]]
    >>> model = EvidenceAccumulation().fit(ensemble)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> {count: round(life, 2) for count, life in model.lifetimes_.items()}
    {2: 0.51, 3: 0.08}
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        linkage: Literal["average", "single"] = "average",
        refine: bool = False,
        weights: Any = None,
        max_objects: int | None = None,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.refine = refine
        self.weights = weights
        self.max_objects = max_objects
        self.random_state = random_state
        self.progress = progress

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002
        """None: lifetimes decide."""
        return None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        ensemble, sizes, _ = collapsed
        found, some = self._link(collapsed, weights, self._most(count))
        labels = found.cut(count or _longest(self.lifetimes_))
        if some is not None:
            everyone = np.full(ensemble.n, -1)
            everyone[some] = labels
            labels = _join_others(ensemble, weights, everyone, sizes)
        return _refine(collapsed, weights, labels) if self.refine else labels

    def _link(
        self, collapsed: Collapsed, weights: Array, most: int
    ) -> tuple[Linkage, Array | None]:
        """How objects merge; which ones, if not all."""
        ensemble, sizes, _ = collapsed
        self.n_different_ = ensemble.n
        self.n_merged_ = min(most, ensemble.n)
        some = self._sample(sizes) if self.n_merged_ < ensemble.n else None
        codes = ensemble.codes if some is None else np.ascontiguousarray(ensemble.codes[:, some])
        self.merged_weights_ = sizes if some is None else sizes[some]
        if self.linkage == "single":
            found = link_nearest(codes, weights, self.progress)
        else:
            found = link_averages(codes, weights, self.merged_weights_)
        self.linkage_ = found.table()
        self.lifetimes_ = found.lifetimes(max(ensemble.sizes))
        return found, some

    def _most(self, count: int | None) -> int:
        if self.linkage not in _MOST:
            raise InputError(f"linkage={self.linkage!r} is unknown; use 'average' or 'single'.")
        most = _MOST[self.linkage] if self.max_objects is None else self.max_objects
        if most < max(2, count or 2):
            raise InputError(
                f"max_objects={most!r} are too few to merge; use at least 2, and not fewer than "
                "there are to be clusters."
            )
        return int(most)

    def _sample(self, sizes: Array) -> Array:
        random = as_random_state(self.random_state)
        chance = sizes / sizes.sum()
        return np.sort(random.choice(sizes.size, self.n_merged_, replace=False, p=chance))


def longest_lived(collapsed: Collapsed, weights: Array) -> int:
    """How many clusters average linkage finds, of a sample that is always the same if need be."""
    model = EvidenceAccumulation(random_state=0, progress=False)
    model._link(collapsed, weights, _MOST[model.linkage])
    return _longest(model.lifetimes_)


def _longest(lifetimes: dict[int, float]) -> int:
    """The number that lives longest; 1 if there is no other."""
    return max(lifetimes, key=lambda one: (round(lifetimes[one], _ROUNDING), -one), default=1)


def _join_others(ensemble: Ensemble, weights: Array, labels: Array, sizes: Array) -> Array:
    """Objects without a label join the cluster that they are together with most often."""
    counted = Together.of(ensemble, weights, labels, sizes)
    others = np.flatnonzero(labels < 0)
    for some, together, known in counted.blocks(ensemble.codes[:, others]):
        share = np.divide(together, known, out=np.zeros_like(known), where=known > 0)
        labels[others[some]] = share.argmax(axis=1)
    return labels


def _refine(collapsed: Collapsed, weights: Array, labels: Array) -> Array:
    """Move objects while their mean co-association with their clusters grows: φ without ECS."""
    ensemble, counts, _ = collapsed
    problem = Problem(ensemble, counts, weights, k1=1.0, k2=0.0, by_objects=True)
    return climb(problem, problem.state(labels, int(labels.max()) + 1), _ROUNDS).labels
