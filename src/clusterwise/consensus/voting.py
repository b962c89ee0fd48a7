"""Voting: clusters of all clusterings are matched with each other, and the majority decides."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.consensus.base import Consensus, first_ranks
from clusterwise.consensus.evidence import longest_lived
from clusterwise.consensus.overlaps import Overlaps, count_ballots, count_overlaps
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels.assignment import assign

_NOBODY = -1


class VotingConsensus(Consensus):
    r"""Match the clusters of all clusterings, and let every object join what most vote for.

    A clustering becomes the reference. Every other one in turn is aligned with the votes so
    far: its clusters are assigned to those of the reference, one to one, so that they
    share as many objects as possible; if it has more clusters than the reference, each left
    over joins the one that it shares most with. Then every clustering in turn is
    aligned again with the votes of all others, as long as any of them agrees better after that, so
    the result does not depend on the order in a single pass. The best of several
    references is kept.

    All of this happens on the table of how many objects any two clusters share, so that after
    one pass over the objects the time does not depend on their number.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to vote on; by default as many as all clusterings have, and if their
        numbers differ, as many as :class:`EvidenceAccumulation` finds. One that wins no object
        is not among the ``n_clusters_`` found.
    weights : array-like of shape (m,), optional
        How much each clustering counts.
    n_init : int, default=5
        How many clusterings are tried as the first reference: those whose numbers of
        clusters are nearest to the number asked for, in the order of the ensemble.
    max_iter : int, default=100
        How often all clusterings are aligned again at most.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; among equally many votes the larger cluster wins. -1 where no clustering
        knows an object.
    memberships_ : ndarray of shape (n, n_clusters)
        The share of votes for each cluster, from those that know the object: the clusters of
        ``labels_``, then those that won no object.
    agreement_ : float
        Mean share of the votes that the winning cluster has.
    n_clusters_ : int
        How many clusters won an object.
    n_iter_ : int
        How often all clusterings were aligned.

    References
    ----------
    .. [1] S. Dudoit, J. Fridlyand: Bagging to improve the accuracy of a clustering procedure.
       Bioinformatics 19 (2003) 1090-1099, https://doi.org/10.1093/bioinformatics/btg038
    .. [2] E. Dimitriadou, A. Weingessel, K. Hornik: A combination scheme for fuzzy clustering.
       International Journal of Pattern Recognition and Artificial Intelligence 16 (2002)
       901-912, https://doi.org/10.1142/S0218001402002052

    Examples
    --------
    Three clusterings name the same two clusters differently, and disagree on one object:

    >>> from clusterwise import VotingConsensus
    >>> model = VotingConsensus().fit([[0, 0, 1, 1], [1, 1, 0, 0], ["a", "b", "b", "b"]])
    >>> model.labels_
    array([0, 0, 1, 1])
    >>> model.memberships_.round(2)
    array([[1.  , 0.  ],
           [0.67, 0.33],
           [0.  , 1.  ],
           [0.  , 1.  ]])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        weights: Any = None,
        n_init: int = 5,
        max_iter: int = 100,
    ) -> None:
        self.n_clusters = n_clusters
        self.weights = weights
        self.n_init = n_init
        self.max_iter = max_iter

    @property
    def memberships_(self) -> Array:
        """The share of votes for each cluster."""
        return np.vstack([self._shares, np.zeros(self._shares.shape[1])])[self._of]

    def _default_count(self, ensemble: Ensemble) -> int | None:
        """None, if the numbers of clusters differ: objects that are often together decide."""
        return ensemble.sizes[0] if len(set(ensemble.sizes)) == 1 else None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        count = count or longest_lived(collapsed, weights)
        for name in ("n_init", "max_iter"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}={getattr(self, name)!r}; use at least 1.")
        ensemble = collapsed.ensemble
        overlaps = count_overlaps(collapsed)
        references = nearest_in_size(ensemble, count)[: self.n_init]
        tried = [align(overlaps, weights, count, one, self.max_iter) for one in references]
        joins, _, self.n_iter_ = max(tried, key=lambda one: one.agreement)
        votes = count_ballots(ensemble, joins, np.repeat(weights, ensemble.sizes), count)
        # The largest first, because the first of equals wins.
        votes = votes[:, np.argsort(-(collapsed.weights @ votes), kind="stable")]
        codes = votes.argmax(axis=1)
        ranks = first_ranks(codes, collapsed.of)[:-1]
        ranks = np.concatenate([ranks, np.arange(ranks.size, count)])
        shares = np.empty_like(votes)
        shares[:, ranks] = votes / votes.sum(axis=1, keepdims=True)
        self._shares, self._of = shares, collapsed.of
        self.agreement_ = float(np.average(shares.max(axis=1), weights=collapsed.weights))
        return ranks[codes]


class Alignment(NamedTuple):
    """What each cluster of the ensemble votes for, how many pairs of votes agree, after what."""

    joins: Array
    agreement: float
    rounds: int


def nearest_in_size(ensemble: Ensemble, count: int) -> list[int]:
    """The clusterings, those with nearly ``count`` clusters first."""
    return np.argsort(np.abs(np.array(ensemble.sizes) - count), kind="stable").tolist()


def align(overlaps: Overlaps, weights: Array, count: int, reference: int, rounds: int) -> Alignment:
    """Align all clusterings with a reference, then with each other until nothing gets better."""
    shared, first = overlaps
    m = first.size - 1
    joins = np.full(first[-1], _NOBODY)
    votes = np.zeros((first[-1], count))  # how much each cluster of the ensemble votes for each

    def vote(i: int, choice: Array) -> None:
        rows = overlaps.rows(i)
        joins[rows] = choice
        votes[rows] = 0
        votes[rows][choice >= 0, choice[choice >= 0]] = weights[i]

    sizes = overlaps.sizes[overlaps.rows(reference)]
    choice = np.full(sizes.size, _NOBODY)
    largest = np.argsort(-sizes, kind="stable")[:count]
    choice[largest] = np.arange(largest.size)
    vote(reference, choice)
    order = [i for i in range(m) if i != reference] + [reference]
    done = 0
    moved = True
    while moved and done < rounds:
        moved = False
        for i in order:
            rows = overlaps.rows(i)
            others = shared[rows] @ votes - shared[rows, rows] @ votes[rows]
            choice, places = match(others), np.arange(others.shape[0])
            if joins[rows].min() == _NOBODY or (
                others[places, choice].sum() > others[places, joins[rows]].sum() * (1 + 1e-12)
            ):
                vote(i, choice)
                moved = True
        done += 1
    return Alignment(joins, float(np.vdot(votes, shared @ votes)), done)


def match(overlap: Array) -> Array:
    """For each row a column, one to one; rows too many go where their overlap is largest."""
    height, width = overlap.shape
    if height <= width:
        return assign(overlap)
    choice = overlap.argmax(axis=1)
    choice[assign(np.ascontiguousarray(overlap.T))] = np.arange(width)
    return choice
