"""CondEns: clusterings made inside each given cluster, combined into one of all objects."""

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
    check_n_alternatives,
    check_positive,
    judge_by_centroids,
    relabel_by_appearance,
    resolve_n_clusters,
    validate_features,
)
from clusterwise.alternatives.condens.quadratic import combine, quadratic_information
from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points

Extend = Literal["auto", "predict", "centroid"]
_EXTENDS = ("auto", "predict", "centroid")
_NUMBERS = ("n_clusters", "n_components")
# Distances that are looked at in one go.
_CELLS = 1 << 22


class CondEns(PointAlternative):
    r"""Conditional ensembles: clusterings inside the given clusters, combined into one.

    Inside one given cluster the given clustering says nothing any more, so what a clusterer
    finds there is new. It is run inside each of them; each of these local clusterings
    is extended to all objects; and the clustering is sought that tells most about
    all local ones together.

    How much :math:`C` tells about a local clustering :math:`L` is the quadratic mutual information
    of [2]_,

    .. math:: U(C, L) = \sum_k p(k) \sum_l p(l|k)^2 - \sum_l p(l)^2.

    Write :math:`L` as columns of 0 and 1, centred. The mean of cluster :math:`k` is then
    :math:`p(l|k) - p(l)`, so the squares between clusters are :math:`n \sum_{k,l} p(k) (p(l|k) -
    p(l))^2 = n U(C, L)`. Those within are the rest of a sum that does not depend on :math:`C`:

    .. math:: n \sum_L \Bigl(1 - \sum_l p(l)^2\Bigr) - n \sum_L U(C, L).

    So k-means on the columns of all local clusterings maximises the summed information. Objects
    with the same local labels are one weighted row, of which there are few.

    Time grows with :math:`n` times the number of given clusters, if that of the clusterer grows
    with :math:`n`.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    base : estimator, optional
        Any of scikit-learn's clusterers; k-means by default. Noise (label -1) joins the nearest
        centroid. A clusterer without a fixed ``random_state`` gets one.
    n_clusters_local : int, optional
        How many clusters to find inside each given one; as many as ``base`` asks for, which for
        the default is ``n_clusters``.
    extend : {"auto", "predict", "centroid"}, default="auto"
        How a local clustering is extended to the other objects: by the clusterer's ``predict``, or
        to the nearest centroid. ``"auto"`` predicts if the clusterer can.
    n_init : int, default=10
        How many starts of k-means, for the combination and for the default base.
    max_iter : int, default=300
        How many rounds each start may take.
    n_alternatives : int, default=1
        How many to find, each against what is given and those before (local clusterings are made
        inside the combinations of their clusters). It stops early, with a warning,
        when the next one is degenerate, has less than ``quality_floor`` times the first one's
        quality, or the combinations are too small to be clustered.
    min_cluster_size : int or float, optional
        Clusters that are smaller (than this share of the objects, if below 1) are dissolved:
        each object joins the nearest other centre among local labels.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The source of chance.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the one that k-means made first, if none was given.
    local_labels_ : ndarray of shape (n_local, n)
        The extended local clusterings that the first alternative combines. Given clusters with no
        more objects than local clusters have none.
    quadratic_information_ : float
        The summed information :math:`\sum_L U(C, L)` of the first alternative.
    n_iter_ : int
        The rounds that k-means took to combine it.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    CIB : The information bottleneck, by the same authors.

    References
    ----------
    .. [1] D. Gondek, T. Hofmann. Non-redundant clustering with conditional ensembles. KDD (2005)
       70-77. https://doi.org/10.1145/1081870.1081882
    .. [2] A. Topchy, A. K. Jain, W. Punch. Clustering ensembles: models of consensus and weak
       partitions. IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005)
       1866-1881. https://doi.org/10.1109/TPAMI.2005.237

    Examples
    --------
    Two rows of points, grouped left and right; the other way is top and bottom:

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
            The objects.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        points = read_points(validate_features(self, X)).points
        n, random = len(points), as_random_state(self.random_state)
        known = self._given_or_first(points, y, random)
        count = resolve_n_clusters(self.n_clusters, known, n)

        def find(given: Given) -> Candidate:
            local = self._local(points, given, count, random)
            if not len(local) and given is known:
                raise InputError(
                    "no given cluster has more objects than there are local clusters to find; pass "
                    "a coarser y, or a smaller n_clusters_local."
                )
            if not len(local):
                return Candidate(np.zeros(n, np.int64), (local, 0), "has nothing to combine")
            found = combine(local, count, self.n_init, self.max_iter, random, self.min_cluster_size)
            return Candidate(found.labels, (local, found.n_iter))

        how = self._find_all(known, find, judge_by_centroids(points))
        self.local_labels_, self.n_iter_ = how[0]
        self.quadratic_information_ = quadratic_information(self.labels_, self.local_labels_)
        return self

    def _check(self) -> None:
        check_n_alternatives(self.n_alternatives)
        if self.extend not in _EXTENDS:
            raise InputError(
                f"extend={self.extend!r} is unknown; use 'auto', 'predict' or 'centroid'."
            )
        if self.extend == "predict" and not hasattr(self._clusterer(2), "predict"):
            raise InputError(
                f"extend='predict', but {type(self.base).__name__} cannot predict; use 'centroid'."
            )
        check_positive(self, "n_init", "max_iter")
        if self.n_clusters_local is not None and self.n_clusters_local < 1:
            raise InputError(f"n_clusters_local={self.n_clusters_local!r}; use at least 1.")

    def _clusterer(self, count: int) -> Any:
        """A fresh clusterer that looks for as many clusters as asked."""
        model = KMeans(count, n_init=self.n_init) if self.base is None else clone(self.base)
        if self.n_clusters_local is not None:
            number = _number_of(model)
            if number is None:
                raise InputError(
                    f"n_clusters_local={self.n_clusters_local!r}, but {type(model).__name__} has "
                    "no n_clusters; leave it out."
                )
            model.set_params(**{number: self.n_clusters_local})
        return model

    def _local(self, points: Array, given: Given, count: int, random: Any) -> Array:
        """Labels of all objects by what is found inside each combination of given clusters."""
        joint = given.joint
        order = np.argsort(joint, kind="stable")
        cells = np.split(order, np.cumsum(np.bincount(joint))[:-1])
        found = []
        for inside in track(cells, len(cells), "clustering inside", self.progress):
            model = self._clusterer(count)
            number = _number_of(model)
            wanted = model.get_params()[number] if number else 1
            if inside.size <= max(wanted if isinstance(wanted, int | np.integer) else 1, 1):
                continue
            if model.get_params().get("random_state", 0) is None:
                model.set_params(random_state=random.randint(2**31 - 1))
            found.append(self._extended(model, points, inside))
        return np.array(found)

    def _extended(self, model: Any, points: Array, inside: Array) -> Array:
        labels = np.asarray(model.fit_predict(points[inside]))
        if self.extend != "centroid" and hasattr(model, "predict"):
            every = np.asarray(model.predict(points))
            every[inside] = labels
            if every.min() >= 0:
                return relabel_by_appearance(every)
        return relabel_by_appearance(_nearest_centroid(points, inside, labels))


def _number_of(model: Any) -> str | None:
    """The parameter for the number of clusters."""
    return next((name for name in _NUMBERS if name in model.get_params()), None)


def _nearest_centroid(points: Array, inside: Array, labels: Array) -> Array:
    """The nearest centroid of each object; those inside keep their cluster, unless it is noise."""
    known = labels >= 0
    every = np.zeros(len(points), np.int64)
    if not known.any():
        return every
    _, codes = np.unique(labels[known], return_inverse=True)
    sums = np.zeros((int(codes.max()) + 1, points.shape[1]))
    np.add.at(sums, codes, points[inside[known]])
    centres = sums / np.bincount(codes)[:, None]
    squares = (centres**2).sum(axis=1)
    step = max(1, _CELLS // len(centres))
    for start in range(0, len(points), step):
        block = points[start : start + step]
        every[start : start + step] = (squares - 2 * block @ centres.T).argmin(axis=1)
    every[inside[known]] = codes
    return every
