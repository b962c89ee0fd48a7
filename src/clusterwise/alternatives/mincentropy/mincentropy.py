"""MinCEntropy: kernel clusters with little information about the given clusterings."""

from typing import Any, NamedTuple, Self

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    StandaloneAlternative,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.mincentropy.objective import Objective, make_nystroem_features
from clusterwise.alternatives.minimum_size import as_n_objects
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array, relabel_by_appearance


class _Run(NamedTuple):
    """The result of one start."""

    labels: Array
    trace: list[float]
    weights: Array


class MinCEntropy(StandaloneAlternative):
    r"""Minimum conditional entropy: similar objects, with a penalty for the given clusterings.

    With the quadratic entropy of Havrda and Charvát, the information of a clustering :math:`C` of n
    objects about these is

    .. math:: I(C; X) = \frac{1}{n} \sum_k \frac{1}{n_k} \sum_{i, j \in k} K(x_i, x_j)
        - \frac{1}{n^2} \sum_{i, j} K(x_i, x_j),

    with densities estimated by the kernel :math:`K(x, y) = \exp(-\|x - y\|^2 / w^2)`. Its
    information about a given clustering :math:`Z`, where :math:`n_{kz}` objects are in both
    clusters, is

    .. math:: I(C; Z) = \frac{1}{n} \sum_{k, z} \frac{n_{kz}^2}{n_k} - \frac{1}{n^2} \sum_z n_z^2.

    The objective is :math:`I(C; X) - \sum_g \lambda_g I(C; Z_g)`, summed over all given
    clusterings. The second part equals the first with a kernel that is 1 for two objects of the
    same given cluster, so the whole is kernel k-means with one indefinite kernel. The search starts
    from random clusters and moves one object after another to the cluster where the objective
    grows most, until none moves.

    The objective and the kernel are those of minCEntropy+ in the authors' own program; several
    given clusterings, the weights and the gains of moves (see Notes) are not. There the weight is
    the ratio of both parts in the first random start, divided by a factor. Here :math:`\lambda_g`
    is ``penalty`` times the largest eigenvalue of the Gram matrix of the centred mean features of
    the given clusters. With a penalty of at least 1, neither the given clustering nor any that
    merges its clusters has a larger objective than a single cluster, which has 0.

    Without a given clustering this is minCEntropy, :math:`I(C; X)` alone: the first result is an
    ordinary clustering, and the next ones are alternatives to it.

    For more objects than ``n_landmarks`` the kernel matrix is approximated by products of Nyström
    features, one for each landmark, a random object; time and memory (8 bytes a feature) then grow
    with the number of objects times that of landmarks.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    penalty : float, default=2.0
        The weight of the given clusterings, in the unit above. On most planted data, 1.5 to 10
        find the same; at 1 and below the given clustering may be found again in part. With
        hundreds, hardly any object moves, since almost every single move adds information about
        the given clustering.
    width : float, optional
        The width w of the kernel; by default the mean distance between landmarks (the authors'
        default is the mean distance between all objects).
    n_landmarks : int, default=200
        The number of landmarks; with no more objects than this the kernel is exact.
    n_init : int, default=10
        The number of random starts; the one with the largest objective is kept.
    max_iter : int, default=100
        The largest number of sweeps over all objects per start.
    tol : float, default=1e-7
        A start ends when a sweep adds no more than this to the objective.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        No object leaves a cluster of this size. It is at most ``n // n_clusters``, and 1 by
        default.
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those before.
        The search stops early, with a warning, if the next one is degenerate, has an objective that
        is not positive, or has less than ``quality_floor`` times the first one's quality.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The seed of landmarks and starts.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; one cluster of all objects, if none was given.
    objective_ : float
        The objective of the first alternative; that of a single cluster is 0.
    objective_trace_ : ndarray of shape (n_iter_ + 1,)
        The objective at the start and after each sweep.
    n_iter_ : int
        The number of sweeps.
    weights_ : ndarray of shape (m,)
        The weight of each given clustering.
    width_ : float
        The width of the kernel.
    n_clusters_ : int
        The number of clusters of the first alternative.
    sizes_ : list of Sizes
        Cluster sizes, effective number of clusters and whether it is degenerate, for each
        alternative.
    degenerate_ : bool
        Whether nearly all objects are in one cluster of the first alternative.
    effective_n_clusters_ : float
        The effective number of clusters of the first alternative.

    See Also
    --------
    COALA : Average linkage with constraints in place of a penalty.

    Notes
    -----
    Results are not move for move those of the authors' program. It leaves the kernel of an object
    with itself out of the gain of a move, and divides by :math:`n^2`, so that a move may lower the
    objective. Here the gain of a move is exactly the change of the objective.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps. minCEntropy: a novel information theoretic approach for the
       generation of alternative clusterings. ICDM (2010).
    .. [2] C. K. I. Williams, M. Seeger. Using the Nyström method to speed up kernel machines.
       NIPS 13 (2000) 682-688.

    Examples
    --------
    Four corners of a rectangle, grouped left and right; the alternative is top and bottom:

    >>> from clusterwise import MinCEntropy
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> MinCEntropy(random_state=0).fit(X, [0, 0, 1, 1]).labels_
    array([0, 1, 0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        penalty: float = 2.0,
        width: float | None = None,
        n_landmarks: int = 200,
        n_init: int = 10,
        max_iter: int = 100,
        tol: float = 1e-7,
        min_cluster_size: float | None = None,
        n_alternatives: int = 1,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.width = width
        self.n_landmarks = n_landmarks
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.min_cluster_size = min_cluster_size
        self.n_alternatives = n_alternatives
        self.quality_floor = quality_floor
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects, with numeric or categorical features. Missing numeric values are replaced
            by the mean of the feature; a missing category is a category of its own.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns.

        Returns
        -------
        self
        """
        return self._fit(self._read(X, y))

    def _fit(self, problem: AlternativeProblem) -> Self:
        random = as_random_state(self.random_state)
        given = self._given_or_one_cluster(problem)
        count = self._resolve_n_clusters(problem, given)
        exponent = problem.objects.exponent
        width = None if self.width is None else float(np.ldexp(self.width, -exponent))
        features, width = make_nystroem_features(problem.points, self.n_landmarks, width, random)
        with np.errstate(over="ignore"):  # infinite if it exceeds the largest float
            self.width_ = float(np.ldexp(width, exponent))

        def find(given: Given) -> Candidate:
            run = self._find_best(Objective(features, given, self.penalty), count, random)
            objection = None if run.trace[-1] > 0 else "has an objective that is not positive"
            return Candidate(relabel_by_appearance(run.labels), run, objection)

        first = self._find_all(given, find, self._centroid_quality(problem))[0]
        self.objective_trace_ = np.array(first.trace)
        self.objective_ = first.trace[-1]
        self.n_iter_ = len(first.trace) - 1
        self.weights_ = first.weights
        return self

    def _find_best(self, objective: Objective, count: int, random: np.random.RandomState) -> _Run:
        """Return the best of all starts."""
        best: _Run | None = None
        for _ in track(range(self.n_init), self.n_init, "moving objects", self.progress):
            run = self._climb(objective, count, random)
            if best is None or run.trace[-1] > best.trace[-1]:
                best = run
        assert best is not None
        return best

    def _climb(self, objective: Objective, count: int, random: np.random.RandomState) -> _Run:
        """Move objects from a random start until none moves, or a sweep gains too little."""
        n = objective.n
        labels = random.permutation(n) % count
        order = random.permutation(n)
        least = self._least_size(n, count)
        clusters = objective.tally(labels, count)
        trace = [objective.value(clusters)]
        for _ in range(self.max_iter):
            if not objective.sweep(order, labels, clusters, least):
                break
            # Computed again, so that the rounding errors of many moves do not add up.
            clusters = objective.tally(labels, count)
            trace.append(objective.value(clusters))
            if trace[-1] - trace[-2] <= self.tol:
                break
        return _Run(labels, trace, objective.weights)

    def _least_size(self, n: int, count: int) -> int:
        return max(1, min(as_n_objects(self.min_cluster_size or 0, n), n // count))
