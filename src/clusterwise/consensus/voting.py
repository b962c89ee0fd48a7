"""Voting: match the clusters of all clusterings, and take the majority."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.consensus.base import Consensus, first_ranks
from clusterwise.consensus.linkage import longest_lived
from clusterwise.consensus.overlaps import Overlaps, count_ballots, count_overlaps
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels.assignment import solve_assignment

_NONE = -1


class VotingConsensus(Consensus):
    r"""Match the clusters of all clusterings, and assign each object by majority vote.

    One clustering is the reference. The others are aligned one by one with the votes so far: their
    clusters are assigned to those of the reference, one to one, with the largest total overlap; if
    a clustering has more clusters than the reference, each remaining one joins the cluster with
    the largest overlap. Then every clustering is aligned again with the votes of all others, while
    the agreement increases, so that the result depends less on the order of the clusterings. The
    best of several references is returned.

    All steps work on the table of overlaps of clusters: after one pass over the objects, the time
    does not depend on their number.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the clusterings, and if it differs between them,
        that of :class:`EvidenceAccumulation`. Clusters without a majority for any object are not
        counted in ``n_clusters_``; a warning is raised if a number was given and there are such.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    n_init : int, default=5
        The number of references: the clusterings with numbers of clusters nearest to
        ``n_clusters``; ties do not depend on the order of the ensemble.
    max_iter : int, default=100
        The largest number of passes in which all clusterings are aligned.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; ties go to the larger cluster. -1 for objects without any label.
    memberships_ : ndarray of shape (n, n_clusters)
        The proportion of votes for each cluster, among the clusterings that label the object: the
        clusters of ``labels_``, then those without a majority for any object.
    agreement_ : float
        The mean proportion of votes for the winning cluster.
    n_clusters_ : int
        The number of clusters with at least one object.
    n_iter_ : int
        The number of passes in which all clusterings were aligned.

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
        """The proportion of votes for each cluster."""
        votes = self._proportions
        return np.vstack([votes, np.zeros(votes.shape[1])])[self._of]

    def _default_count(self, ensemble: Ensemble) -> int | None:
        """Return the common number of clusters; None if the clusterings differ."""
        return ensemble.sizes[0] if len(set(ensemble.sizes)) == 1 else None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        count = count or longest_lived(collapsed, weights)
        ensemble = collapsed.ensemble
        overlaps = count_overlaps(collapsed)
        references = nearest_in_size(ensemble, count)[: self.n_init]
        found = [align_all(overlaps, weights, count, one, self.max_iter) for one in references]
        joins, _, self.n_iter_ = max(found, key=lambda one: one.agreement)
        votes = count_ballots(ensemble, joins, np.repeat(weights, ensemble.sizes), count)
        # The largest cluster first, because argmax takes the first of ties.
        votes = votes[:, np.argsort(-(collapsed.weights @ votes), kind="stable")]
        codes = votes.argmax(axis=1)
        ranks = first_ranks(codes, collapsed.of)[:-1]
        ranks = np.concatenate([ranks, np.arange(ranks.size, count)])
        proportions = np.empty_like(votes)
        proportions[:, ranks] = votes / votes.sum(axis=1, keepdims=True)
        self._proportions, self._of = proportions, collapsed.of
        self.agreement_ = float(np.average(proportions.max(axis=1), weights=collapsed.weights))
        return ranks[codes]


class Alignment(NamedTuple):
    """The cluster that each cluster votes for, the number of agreeing pairs of votes, passes."""

    joins: Array
    agreement: float
    n_iter: int


def nearest_in_size(ensemble: Ensemble, count: int) -> list[int]:
    """Return the clusterings, those with about ``count`` clusters first."""
    return np.argsort(np.abs(np.array(ensemble.sizes) - count), kind="stable").tolist()


def align_all(
    overlaps: Overlaps, weights: Array, count: int, reference: int, max_iter: int
) -> Alignment:
    """Align all clusterings with a reference, then with each other while agreement increases."""
    shared, first = overlaps
    m = first.size - 1
    joins = np.full(first[-1], _NONE)
    votes = np.zeros((first[-1], count))  # of each cluster of the ensemble

    def vote(i: int, choice: Array) -> None:
        rows = overlaps.rows(i)
        joins[rows] = choice
        votes[rows] = 0
        votes[rows][choice >= 0, choice[choice >= 0]] = weights[i]

    sizes = overlaps.sizes[overlaps.rows(reference)]
    choice = np.full(sizes.size, _NONE)
    largest = np.argsort(-sizes, kind="stable")[:count]
    choice[largest] = np.arange(largest.size)
    vote(reference, choice)
    order = [i for i in range(m) if i != reference] + [reference]
    n_iter = 0
    moved = True
    while moved and n_iter < max_iter:
        moved = False
        for i in order:
            rows = overlaps.rows(i)
            others = shared[rows] @ votes - shared[rows, rows] @ votes[rows]
            choice, at = assign_rows(others), np.arange(others.shape[0])
            if joins[rows].min() == _NONE or (
                others[at, choice].sum() > others[at, joins[rows]].sum() * (1 + 1e-12)
            ):
                vote(i, choice)
                moved = True
        n_iter += 1
    return Alignment(joins, float(np.vdot(votes, shared @ votes)), n_iter)


def assign_rows(overlap: Array) -> Array:
    """Assign rows to columns one to one; surplus rows get the column with the largest overlap."""
    columns = solve_assignment(overlap)
    return np.where(columns < 0, overlap.argmax(axis=1), columns)
