"""MinCEntropy: objects move one by one to where kernels agree and given clusterings do not."""

from math import ceil
from typing import Any, NamedTuple, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    StandaloneAlternative,
    check_n_alternatives,
    check_positive,
    judge_by_centroids,
    relabel_by_appearance,
    resolve_n_clusters,
    validate_features,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.mincentropy.objective import Objective, make_features
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points


class _Run(NamedTuple):
    """What one start led to."""

    labels: Array
    trace: list[float]
    weights: Array


class MinCEntropy(StandaloneAlternative):
    r"""Minimum conditional entropy: clusters of what is alike, that tell little of what is given.

    With the quadratic entropy of Havrda and Charvát, what a clustering :math:`C` of n objects
    tells of them is

    .. math:: I(C; X) = \frac{1}{n} \sum_k \frac{1}{n_k} \sum_{i, j \in k} K(x_i, x_j)
        - \frac{1}{n^2} \sum_{i, j} K(x_i, x_j),

    densities being estimated by the kernel :math:`K(x, y) = \exp(-\|x - y\|^2 / w^2)`, and what it
    tells of a given clustering :math:`Z`, where :math:`n_{kz}` objects are in both clusters, is

    .. math:: I(C; Z) = \frac{1}{n} \sum_{k, z} \frac{n_{kz}^2}{n_k} - \frac{1}{n^2} \sum_z n_z^2.

    Maximised is :math:`I(C; X) - \sum_g \lambda_g I(C; Z_g)`, over all given clusterings. Both
    parts are of one kind: the second is the first with a kernel that is 1 for two objects of the
    same given cluster, so the whole is k-means with one, indefinite kernel. It starts from
    clusters of chance; then objects move one by one to the cluster where it grows most, until
    none moves.

    The objective, the kernel and the moves are those of minCEntropy+ in the authors' own program;
    several given clusterings and the weights are not. There the weight is the ratio of both
    parts in the first random start, divided by a factor. Here :math:`\lambda_g` is ``penalty``
    times the largest eigenvalue of the products of mean features of the given clusters, centred.
    With a penalty from 1 on, neither the given clustering nor any that joins its clusters is
    worth more than a single cluster is, which is 0.

    If nothing is given it is the plain minCEntropy of the paper, :math:`I(C; X)` alone: what it
    finds first is a clustering like any other, and what comes next are alternatives to that.

    The table of kernels is not made for more objects than ``n_landmarks``. It is replaced by
    products of Nyström features, one for each landmark, an object chosen by chance; time and
    memory (8 bytes a feature) then grow with the number of objects times that of landmarks.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    penalty : float, default=2.0
        How much the given clusterings weigh, in the unit above. On most planted data, 1.5 to 10
        find the same; at 1 and below what is given may come back in part. With hundreds, hardly an
        object moves, since almost every move by itself tells something of what is given.
    width : float, optional
        The width w of the kernel; by default the mean distance between landmarks (the authors'
        default, there between all objects).
    n_landmarks : int, default=200
        How many objects represent the others; with no more objects than that the kernel is exact.
    n_init : int, default=10
        How many starts; the best one by the objective is kept.
    max_iter : int, default=100
        How often each start goes through all objects at most.
    tol : float, default=1e-7
        A start has ended once going through all objects gains no more than this.
    min_cluster_size : int or float, optional
        Clusters of this many objects (or this share of them, below 1) lose none, as far as there
        are objects enough; by default only clusters of one object.
    n_alternatives : int, default=1
        How many to find, each different from what is given and from those before. It stops early,
        with a warning, when the next one is degenerate, has an objective that is not positive, or
        has less than ``quality_floor`` times the first one's quality.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is ``quality_score(points, labels, "dunn_centroids")``.
    random_state : int, RandomState, Generator or None
        For landmarks and starts.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; one cluster of all objects, if none was given.
    objective_ : float
        That of the first alternative. 0 is that of a single cluster.
    objective_trace_ : ndarray of shape (n_iter_ + 1,)
        The objective at its start, and after each time that all objects had their turn.
    n_iter_ : int
        How often they had.
    weights_ : ndarray of shape (m,)
        The weight of each given clustering.
    width_ : float
        The width of the kernel.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    COALA : Hierarchical, with constraints in place of a penalty.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps. minCEntropy: a novel information theoretic approach for the
       generation of alternative clusterings. ICDM (2010).
    .. [2] C. K. I. Williams, M. Seeger. Using the Nyström method to speed up kernel machines.
       NIPS 13 (2000) 682-688.

    Examples
    --------
    Four corners of a rectangle, grouped left and right; the other way is top and bottom:

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
            The objects: numbers, names, or both.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        points = read_points(validate_features(self, X)).points
        random = as_random_state(self.random_state)
        given = self._given_or_one_cluster(y, len(points))
        count = resolve_n_clusters(self.n_clusters, given, len(points))
        features, self.width_ = make_features(points, self.n_landmarks, self.width, random)

        def find(given: Given) -> Candidate:
            run = self._find(Objective(features, given, self.penalty), count, random)
            nothing = None if run.trace[-1] > 0 else "tells nothing that is not given"
            return Candidate(relabel_by_appearance(run.labels), run, nothing)

        first = self._find_all(given, find, judge_by_centroids(points))[0]
        self.objective_trace_ = np.array(first.trace)
        self.objective_ = first.trace[-1]
        self.n_iter_ = len(first.trace) - 1
        self.weights_ = first.weights
        return self

    def _check(self) -> None:
        check_n_alternatives(self.n_alternatives)
        check_positive(self, "n_landmarks", "n_init", "max_iter")
        for name in ("penalty", "tol", "min_cluster_size"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < np.inf:
                raise InputError(f"{name}={value!r}; use a number that is not negative.")
        if self.width is not None and not 0 < self.width < np.inf:
            raise InputError(f"width={self.width!r}; use a positive number.")

    def _find(self, aim: Objective, count: int, random: np.random.RandomState) -> _Run:
        """The best of all starts."""
        best: _Run | None = None
        for _ in track(range(self.n_init), self.n_init, "moving objects", self.progress):
            run = self._climb(aim, count, random)
            if best is None or run.trace[-1] > best.trace[-1]:
                best = run
        assert best is not None
        return best

    def _climb(self, aim: Objective, count: int, random: np.random.RandomState) -> _Run:
        """Move objects from a start of chance until none moves, or too little is gained."""
        n = aim.n
        labels = random.permutation(n) % count
        order = random.permutation(n)
        fewest = self._fewest(n, count)
        clusters = aim.tally(labels, count)
        trace = [aim.value(clusters)]
        for _ in range(self.max_iter):
            if not aim.sweep(order, labels, clusters, fewest):
                break
            # Afresh, so that rounding errors of many small steps do not add up.
            clusters = aim.tally(labels, count)
            trace.append(aim.value(clusters))
            if trace[-1] - trace[-2] <= self.tol:
                break
        return _Run(labels, trace, aim.weights)

    def _fewest(self, n: int, count: int) -> int:
        size = self.min_cluster_size or 0
        asked = size * n if size < 1 else size
        return max(1, min(ceil(asked), n // count))
