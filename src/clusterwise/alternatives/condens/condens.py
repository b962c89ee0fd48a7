"""CondEns: local clusterings inside each given cluster, combined into one of all objects."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    PointAlternative,
)
from clusterwise.alternatives.condens.quadratic import (
    maximize_quadratic_information,
    quadratic_information,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array, relabel_by_appearance, relabel_by_value
from clusterwise.models.kmeans import allow_equal_objects

Extend = Literal["auto", "predict", "centroid"]
# The parameters of clusterers for the number of clusters.
_N_CLUSTERS = ("n_clusters", "n_components")
# The number of distances that are computed at a time.
_BLOCK = 1 << 22


class CondEns(PointAlternative):
    r"""Conditional ensembles: local clusterings inside the given clusters, combined into one.

    Inside one given cluster the given clustering is constant, so that a clustering found there does
    not repeat it. A clusterer is run inside each given cluster; each of these local clusterings is
    extended to all objects; and the clustering is sought that has the most information about all
    local ones.

    The information of :math:`C` about a local clustering :math:`L` is the quadratic mutual
    information of [2]_,

    .. math:: U(C, L) = \sum_k p(k) \sum_l p(l|k)^2 - \sum_l p(l)^2.

    Write :math:`L` as centred one-hot columns. The mean of cluster :math:`k` is then
    :math:`p(l|k) - p(l)`, so the sum of squares between clusters is :math:`n \sum_{k,l} p(k)
    (p(l|k) - p(l))^2 = n U(C, L)`. The sum of squares within clusters is

    .. math:: n \sum_L \Bigl(1 - \sum_l p(l)^2\Bigr) - n \sum_L U(C, L),

    of which the first part does not depend on :math:`C`. So k-means on the columns of all local
    clusterings maximises the summed information. Objects with the same local labels are one
    weighted row, of which there are few. K-means may stop where moving a single object would
    still add information; such moves are made until there are none, which is not published.

    Time grows with :math:`n` times the number of given clusters, if that of the clusterer grows
    with :math:`n`.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    base : clusterer, optional
        Any clusterer of scikit-learn's API; k-means by default. Noise (label -1) is assigned to the
        nearest centroid. A clusterer whose ``random_state`` is None gets a seed.
    n_clusters_local : int, optional
        The number of clusters inside each given one; by default that of ``base``, which for k-means
        is ``n_clusters``.
    extend : {"auto", "predict", "centroid"}, default="auto"
        How a local clustering is extended to the other objects: by the clusterer's ``predict``, or
        to the nearest centroid. ``"auto"`` predicts if the clusterer can.
    n_init : int, default=10
        The number of starts of k-means, for the combination and for the default base.
    max_iter : int, default=300
        The largest number of iterations per start, and of passes that move single objects.
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those before
        (local clusterings are made inside the combinations of their clusters). The search stops
        early, with a warning, if the next one is degenerate, has less than ``quality_floor`` times
        the first one's quality, or the combinations are too small to be clustered.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        Objects of smaller clusters are assigned to the nearest centroid of the others, by their
        local labels, and no object leaves a cluster of this size.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The seed of all runs of clusterers, and of the first clustering, if none is given.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first by k-means, if none was given.
    local_labels_ : ndarray of shape (n_local, n)
        The extended local clusterings that the first alternative combines. Given clusters with no
        more objects than local clusters have none.
    quadratic_information_ : float
        The summed information :math:`\sum_L U(C, L)` of the first alternative.
    n_iter_ : int
        The iterations that k-means took to combine them.
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
    CIB : The conditional information bottleneck, by the same authors.

    References
    ----------
    .. [1] D. Gondek, T. Hofmann. Non-redundant clustering with conditional ensembles. KDD (2005)
       70-77. https://doi.org/10.1145/1081870.1081882
    .. [2] A. Topchy, A. K. Jain, W. Punch. Clustering ensembles: models of consensus and weak
       partitions. IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005)
       1866-1881. https://doi.org/10.1109/TPAMI.2005.237

    Examples
    --------
    Two rows of points, grouped left and right; the alternative is top and bottom:

    >>> from clusterwise import CondEns
    >>> X = [[0, 0], [1, 0], [0, 5], [1, 5], [9, 0], [8, 0], [9, 5], [8, 5]]
    >>> CondEns(random_state=0).fit(X, [0, 0, 0, 0, 1, 1, 1, 1]).labels_
    array([0, 0, 1, 1, 0, 0, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        base: Any = None,
        n_clusters_local: int | None = None,
        extend: Extend = "auto",
        n_init: int = 10,
        max_iter: int = 300,
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.base = base
        self.n_clusters_local = n_clusters_local
        self.extend = extend
        self.n_init = n_init
        self.max_iter = max_iter
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
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
        known = self._given_or_first(problem, random)
        count = self._resolve_n_clusters(problem, known)

        # The parameters of a clusterer, such as radii, are in the units of the features.
        points = problem.points if self.base is None else problem.objects.in_units()

        def find(given: Given) -> Candidate:
            local = self._cluster_locally(points, given, count, random)
            if not len(local) and given is known:
                raise InputError(
                    "no given cluster has more objects than there are local clusters to find; pass "
                    "a coarser y, or a smaller n_clusters_local."
                )
            if not len(local):
                labels = np.zeros(problem.n, np.int64)
                return Candidate(labels, (local, 0), "has no local clusterings to combine")
            found = maximize_quadratic_information(
                local, count, self.n_init, self.max_iter, random, self.min_cluster_size
            )
            if given is known and self.min_cluster_size is None:
                reason = "the local clusterings tell no more apart"
                self._warn_of_missing_clusters(problem, found.labels, count, reason)
            return Candidate(found.labels, (local, found.n_iter))

        details = self._find_all(known, find, self._centroid_quality(problem))
        self.local_labels_, self.n_iter_ = details[0]
        self.quadratic_information_ = quadratic_information(self.labels_, self.local_labels_)
        return self

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.extend == "predict" and not hasattr(self._clusterer(2), "predict"):
            raise InputError(
                f"extend='predict', but {type(self.base).__name__} cannot predict; use 'centroid'."
            )

    def _clusterer(self, count: int) -> Any:
        """Return a new clusterer for the number of local clusters."""
        model = KMeans(count, n_init=self.n_init) if self.base is None else clone(self.base)
        if self.n_clusters_local is not None:
            params = model.get_params()
            parameter = next((name for name in _N_CLUSTERS if name in params), None)
            if parameter is None:
                raise InputError(
                    f"n_clusters_local={self.n_clusters_local!r}, but {type(model).__name__} has "
                    "no n_clusters; leave it out."
                )
            model.set_params(**{parameter: self.n_clusters_local})
        return model

    def _cluster_locally(self, points: Array, given: Given, count: int, random: Any) -> Array:
        """Return the extended local clusterings of all combinations of given clusters."""
        joint = given.joint
        order = np.argsort(joint, kind="stable")
        cells = np.split(order, np.cumsum(np.bincount(joint))[:-1])
        found = []
        for inside in track(cells, len(cells), "clustering inside", self.progress):
            model = self._clusterer(count)
            params = model.get_params()
            clusters = next((params[name] for name in _N_CLUSTERS if name in params), 1)
            if inside.size <= max(clusters if isinstance(clusters, int | np.integer) else 1, 1):
                continue
            if params.get("random_state", 0) is None:
                model.set_params(random_state=random.randint(2**31 - 1))
            found.append(self._extend(model, points, inside))
        return np.array(found)

    def _extend(self, model: Any, points: Array, inside: Array) -> Array:
        with allow_equal_objects():
            labels = np.asarray(model.fit_predict(points[inside]))
        if self.extend != "centroid" and hasattr(model, "predict"):
            every = np.asarray(model.predict(points))
            every[inside] = labels
            if every.min() >= 0:
                return relabel_by_appearance(every)
        return relabel_by_appearance(_nearest_centroid(points, inside, labels))


def _nearest_centroid(points: Array, inside: Array, labels: Array) -> Array:
    """Assign objects to the nearest centroid; those inside keep their cluster, unless noise."""
    known = labels >= 0
    every = np.zeros(len(points), np.int64)
    if not known.any():
        return every
    codes = relabel_by_value(labels[known])
    sums = np.zeros((int(codes.max()) + 1, points.shape[1]))
    np.add.at(sums, codes, points[inside[known]])
    centres = sums / np.bincount(codes)[:, None]
    squares = (centres**2).sum(axis=1)
    step = max(1, _BLOCK // len(centres))
    for start in range(0, len(points), step):
        block = points[start : start + step]
        every[start : start + step] = (squares - 2 * block @ centres.T).argmin(axis=1)
    every[inside[known]] = codes
    return every
