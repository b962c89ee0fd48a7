"""Take what the given clusters explain out of the data, and cluster what is left."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    PointAlternative,
    check_n_alternatives,
    join_small,
    judge_by_centroids,
    relabel_by_appearance,
    resolve_n_clusters,
    validate_features,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import Data, remove
from clusterwise.inputs.points import read_points

Approach = Literal["whiten", "project", "residual"]
_APPROACHES = ("whiten", "project", "residual")


class OrthogonalAlternative(PointAlternative):
    r"""Remove what the given clusters explain, and cluster what is left.

    The strongest simple way to an alternative: no constraints, no search, any clusterer. Let
    :math:`T` be the covariance of the objects :math:`X` (with mean 0), :math:`W` that within the
    given clusters. What is left is one of

    - ``"whiten"``: :math:`X T^{-1} W`. Davidson and Qi [2]_ learn a metric that sets the given
      clusters apart, and stretch the data by its inverse. Here the metric is not learnt by
      iteration but known: where the data are white, it stretches a direction of which the given
      clusters explain the share :math:`\eta^2` by :math:`1 / (1 - \eta^2)`. Its inverse
      shrinks this direction by :math:`1 - \eta^2`, to nothing if the clusters explain all of it,
      and leaves alone what they say nothing of. In other words, each object loses the mean of
      its given cluster as a linear model predicts it. Units do not matter for what is
      removed.
    - ``"project"``: :math:`X` without the directions in which the means of the given clusters
      differ [1]_.
    - ``"residual"``: each object without the mean of its own cluster.

    Several given clusterings are removed together: means are then those of a model in which
    each clustering adds its own part.

    The default is the one that found most on planted data. All three do well where the given
    clustering says nothing of the hidden one. Where it does, means differ in directions that the
    hidden one needs: projecting takes these away entirely, and leaves nothing if means differ
    in all of them.

    Time and memory grow with :math:`n`; time with the cube of the features (or of n, if that is
    less).

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given), or as many as ``base`` says.
    approach : {"whiten", "project", "residual"}, default="whiten"
        How to remove what is given.
    base : clusterer, optional
        Any of scikit-learn's manner, with ``fit_predict``; k-means with 10 starts by default. It
        sees the principal components of what is left. Noise counts as a cluster.
    share : float, default=0.95
        For ``"project"``: the directions removed hold at least this share of the variance of the
        means of each given clustering, strongest first. The weakest ones often are
        chance, and would take from what is to be found.
    n_alternatives : int, default=1
        How many to find, each without what is given and what was found before. It stops early,
        with a warning, when the next one is degenerate, has less than ``quality_floor``
        times the first one's quality, or nothing is left to cluster.
    min_cluster_size : int or float, optional
        Objects of clusters that are smaller (than a share of all objects, if below 1) join the
        nearest centroid of the others.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is ``"dunn_centroids"`` of
        :func:`~clusterwise.quality_score`.
    random_state : int, RandomState, Generator or None
        For the first clustering, if none is given, and for the base if it has none of its own.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the one made first, if none was given.
    components_ : ndarray of shape (r, D)
        Principal directions of what was left for the first alternative, strongest first, in the
        space of the points (D is R for numbers; a name has a column for each of its values).
    explained_ : ndarray of shape (r,)
        The variance left in each, of the variance of the data. Their sum says how much is left.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    COALA : Keeps objects of a given cluster apart by constraints.

    References
    ----------
    .. [1] Y. Cui, X. Z. Fern, J. G. Dy. Non-redundant multi-view clustering via
       orthogonalization. ICDM (2007) 133-142. https://doi.org/10.1109/ICDM.2007.94
    .. [2] I. Davidson, Z. Qi. Finding alternative clusterings using constraints. ICDM (2008)
       773-778. https://doi.org/10.1109/ICDM.2008.141

    Examples
    --------
    Four corners of a rectangle, grouped left and right; the other way is top and bottom:

    >>> from clusterwise import OrthogonalAlternative
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> model = OrthogonalAlternative(random_state=0).fit(X, [0, 0, 1, 1])
    >>> model.labels_
    array([0, 1, 0, 1])

    What is left is the height, a tenth of the variance:

    >>> abs(model.components_), model.explained_
    (array([[0., 1.]]), array([0.1]))
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        approach: Approach = "whiten",
        base: Any = None,
        share: float = 0.95,
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.approach = approach
        self.base = base
        self.share = share
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.quality_floor = quality_floor
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects: numbers, names or both. A missing number is the mean of its feature, a
            missing name a value of its own.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        points = read_points(validate_features(self, X)).points
        random = as_random_state(self.random_state)
        known = self._given_or_first(points, y, random)
        base = self._make_base(resolve_n_clusters(self.n_clusters, known, len(points)), random)
        data = Data.read(points)

        def find(given: Given) -> Candidate:
            left = remove(data, given, self.approach, self.share)
            if not left.variances.size:
                if given is known:
                    raise InputError(_nothing_left(self.approach))
                return Candidate(given.codes[-1], left, "would have nothing left to be found in")
            labels = relabel_by_appearance(np.asarray(clone(base).fit_predict(left.scores)))
            return Candidate(join_small(left.scores, labels, self.min_cluster_size), left)

        left = self._find_all(known, find, judge_by_centroids(points))[0]
        self.components_ = left.components
        self.explained_ = left.variances / np.trace(data.covariance)
        return self

    def _check(self) -> None:
        check_n_alternatives(self.n_alternatives)
        if self.approach not in _APPROACHES:
            raise InputError(
                f"approach={self.approach!r} is unknown; use one of {', '.join(_APPROACHES)}."
            )
        if not 0 < self.share <= 1:
            raise InputError(f"share={self.share!r}; use a number above 0, and at most 1.")

    def _make_base(self, count: int, random: np.random.RandomState) -> Any:
        if self.base is None:
            return KMeans(count, n_init=10, random_state=random.randint(1 << 30))
        if not hasattr(self.base, "fit_predict"):
            raise InputError(f"base={self.base!r} is no clusterer; pass one with fit_predict.")
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


def _nothing_left(approach: str) -> str:
    if approach == "project":
        return (
            "the means of the given clusters differ in every direction of the data, so that nothing"
            " is left to cluster; use approach='whiten', or a smaller share."
        )
    return (
        "the given clusters explain all of the data, so that nothing is left to cluster; pass a "
        "coarser clustering."
    )
