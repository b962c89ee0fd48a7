"""OrthogonalAlternative: remove what the given clusters explain, and cluster the rest."""

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    PointAlternative,
    join_small,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import Approach, CentredData, remove
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import relabel_by_appearance
from clusterwise.models.kmeans import allow_equal_objects


class OrthogonalAlternative(PointAlternative):
    r"""Remove what the given clusters explain, and cluster the rest with any clusterer.

    Let :math:`T` be the covariance of the objects :math:`X` (with mean 0) and :math:`W` the
    covariance within the given clusters. The clusterer is fitted to one of

    - ``"whiten"``: :math:`X T^{-1} W`. Davidson and Qi [2]_ learn a metric that separates the given
      clusters, and transform the data by its inverse. Here the metric has a closed form: in
      whitened data it stretches a direction of which the given clusters explain the proportion
      :math:`\eta^2` of the variance by :math:`1 / (1 - \eta^2)`. Its inverse shrinks this
      direction by :math:`1 - \eta^2`: to 0 if the clusters explain all of the variance, and not at
      all if they explain none. In other words, the mean of its given cluster, as predicted by a
      linear model of the features, is subtracted from each object. What is removed does not depend
      on the units of the features.
    - ``"project"``: :math:`X` projected onto the orthogonal complement of the directions in which
      the means of the given clusters differ [1]_.
    - ``"residual"``: the residuals from the means of the given clusters.

    With several given clusterings the means are those of an additive model, with an effect for each
    cluster of each clustering.

    The default found most on planted data. All three do well where the given clustering is
    independent of the hidden one. Where it is not, the means differ in directions that the
    hidden one needs: projecting removes these entirely, and leaves nothing if the means differ
    in all of them.

    Time and memory grow with :math:`n`; time with the cube of the number of features (or of n, if
    that is less).

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given),
        or that of ``base``.
    approach : {"whiten", "project", "residual"}, default="whiten"
        How the given clusterings are removed.
    base : clusterer, optional
        Any clusterer of scikit-learn's API with ``fit_predict``; k-means with 10 starts by
        default. It is fitted to the principal components of the rest. Noise counts as a cluster.
    explained_variance : float, default=0.95
        For ``"project"``: the directions removed explain at least this proportion of the variance
        of the means of each given clustering. The weakest directions are often noise, and
        removing them would remove part of the hidden clustering.
    n_components : int, optional
        The number of principal components of the rest that are clustered, those of largest
        variance; all by default.
    scale_components : bool, default=False
        Whether these are scaled to unit variance. Then clusters are found that differ in a
        component of small variance, which others without clusters would hide: light in images,
        sequencing depth of cells. Components of noise count as much, so set ``n_components`` if
        there are many features.
    n_alternatives : int, default=1
        The number of alternatives; the given clusterings and those before are removed for each. The
        search stops early, with a warning, if the next one is degenerate, has less than
        ``quality_floor`` times the first one's quality, or nothing is left to cluster.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        Objects of smaller clusters are assigned to the nearest centroid of the others.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The seed of ``base``, if it has none, and of the first clustering, if none is given.
    progress : bool, optional
        Not used, since nothing takes long; present for a common interface.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first by k-means, if none was given.
    components_ : ndarray of shape (r, D)
        The principal axes of the rest that were clustered for the first alternative, by decreasing
        variance, in the space of the points (a categorical feature has a coordinate for each of its
        values).
    explained_ : ndarray of shape (r,)
        The variance along each axis as a proportion of the variance of the data.
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
    COALA : Average linkage with constraints from the given clusters.

    References
    ----------
    .. [1] Y. Cui, X. Z. Fern, J. G. Dy. Non-redundant multi-view clustering via
       orthogonalization. ICDM (2007) 133-142. https://doi.org/10.1109/ICDM.2007.94
    .. [2] I. Davidson, Z. Qi. Finding alternative clusterings using constraints. ICDM (2008)
       773-778. https://doi.org/10.1109/ICDM.2008.141

    Examples
    --------
    Four corners of a rectangle, grouped left and right; the alternative is top and bottom:

    >>> from clusterwise import OrthogonalAlternative
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> model = OrthogonalAlternative(random_state=0).fit(X, [0, 0, 1, 1])
    >>> model.labels_
    array([0, 1, 0, 1])

    The rest is the height, with a tenth of the variance:

    >>> abs(model.components_), model.explained_
    (array([[0., 1.]]), array([0.1]))
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        approach: Approach = "whiten",
        base: Any = None,
        explained_variance: float = 0.95,
        n_components: int | None = None,
        scale_components: bool = False,
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.approach = approach
        self.base = base
        self.explained_variance = explained_variance
        self.n_components = n_components
        self.scale_components = scale_components
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
        base = self._make_base(count, random)
        # The parameters of a clusterer, such as radii, are in the units of the features.
        in_units = self.base is not None
        data = CentredData.read(problem.objects.in_units()) if in_units else problem.centred
        options = self.approach, self.explained_variance

        def find(given: Given) -> Candidate:
            rest = remove(data, given, *options) if in_units else problem.remove(given, *options)
            if not rest.variances.size:
                if given is known:
                    raise InputError(_nothing_left(self.approach, data))
                return Candidate(given.codes[-1], rest, "has no variance left to cluster")
            rest = rest.select(self.n_components, scaled=self.scale_components)
            with allow_equal_objects():
                labels = relabel_by_appearance(np.asarray(clone(base).fit_predict(rest.scores)))
            if self.base is None and given is known:
                reason = "without the given clusters, no more objects differ"
                self._warn_of_missing_clusters(problem, labels, count, reason)
            return Candidate(join_small(rest.scores, labels, self.min_cluster_size), rest)

        rest = self._find_all(known, find, self._centroid_quality(problem))[0]
        self.components_ = rest.components
        self.explained_ = rest.variances / np.trace(data.covariance)
        return self

    def _make_base(self, count: int, random: np.random.RandomState) -> Any:
        if self.base is None:
            return KMeans(count, n_init=10, random_state=random.randint(1 << 30))
        base = clone(self.base)
        options = base.get_params(deep=False)
        if self.n_clusters is not None:
            if "n_clusters" not in options:
                raise InputError(
                    f"n_clusters={count}, but {type(base).__name__} has no such parameter; leave "
                    "it out."
                )
            base.set_params(n_clusters=count)
        if options.get("random_state", 0) is None:
            base.set_params(random_state=random.randint(1 << 30))
        return base


def _nothing_left(approach: str, data: CentredData) -> str:
    if not data.covariance.any():
        return (
            "all objects of X are equal, so that there is nothing to cluster; pass features that "
            "vary."
        )
    if approach == "project":
        return (
            "the means of the given clusters differ in every direction of the data, so that nothing"
            " is left to cluster; use approach='whiten', or a smaller explained_variance."
        )
    return (
        "the given clusters explain all of the data, so that nothing is left to cluster; pass a "
        "coarser clustering."
    )
