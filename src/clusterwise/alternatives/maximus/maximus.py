"""MAXIMUS: clusters whose density profiles are least similar to those of the given clusters."""

from typing import Any, Literal, Self

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.base import (
    PointAlternative,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.alternative_search import Outcome, Search, SearchOptions
from clusterwise.alternatives.maximus.region_profiles import Regions, find_regions
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import Points, read_points

# Bins per numeric feature, unless a fitted Binning is passed.
_N_BINS = 10


class MAXIMUS(PointAlternative):
    r"""Maximised dissimilarity in multiple clusterings: k-means independent of the given one.

    Clusters are described by density profiles, the counts of their objects in the bins of
    every feature. With :math:`V_k` the profile of a given cluster and :math:`V'_l` that of a
    new one, :math:`V_k \cdot V'_l = \sum_n z_{nl} w_{kn}` is linear in the memberships
    :math:`z` of the objects: :math:`w_{kn}` adds up how many objects of k are in the bins of
    object n. So the objects can be assigned directly. ``program="objects"`` minimises the
    within-cluster inertia, as k-means does, under the constraint that every new cluster has the
    same proportion of each given cluster. It is solved with Lagrange multipliers, one for each pair
    of a given and a new cluster, in :math:`O(nK)` per iteration.

    The paper first finds a profile (``program="published"``): an integer program minimises the
    similarity to the given profiles, the objects of every bin are assigned to fit the solution, and
    each object gets the label that most features vote for. The optimum is known in closed form,
    :math:`\frac{1}{K} \sum dens^2` for equal numbers of clusters, and many profiles attain it, most
    of which do not correspond to compact clusters.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    program : {"objects", "published"}, default="objects"
        What is optimised: the assignment of objects, or the profile, as published.
    tolerance : float, default=0.05
        For ``"objects"``: how much the proportion of a given cluster in a new one may differ from
        the size of the new one, relative to that size; at least one object may differ. 0 is as
        different as possible, 1 and above allow less inertia.
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those
        before. The search stops early, with a warning, if the next one is degenerate, violates the
        bounds, or has less than ``quality_floor`` times the first one's quality.
    subspaces : bool or "components", optional
        Whether ``"objects"`` also searches subspaces, weighting each feature by the variance that
        the clusters explain. By default only if ``n_alternatives`` is more than 1: if several
        cluster structures exist in different features, a mixture of them may have less inertia than
        each. The search starts from pairs of features; if there are more than 300, of the 300 with
        the least kurtosis, which is low for features with clusters. ``"components"`` searches the
        independent components (ICA) instead, for structures that involve all features.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects. For
        ``"published"``, objects of smaller clusters are assigned to the nearest centroid of the
        others.
    binning : {"width", "auto", "frequency", "mdl", "nominal"} or Binning, default="width"
        How numeric features are cut for profiles, into 10 bins, or a fitted
        :class:`~clusterwise.Binning`. Categorical features have a bin per value. ``"mdl"`` takes
        the first given clustering as its reference.
    n_init : int, default=6
        The number of starts for ``"objects"``; the one with the least inertia is kept.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The seed of starts and ties, and of the first clustering, if none is given.
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
    similarity_, lower_bound_ : float
        The similarity of the profiles of the first alternative and the given ones, and the least
        similarity of any clustering.
    profile_gap_ : float or None
        The fraction of objects by which its labels miss the target profile.
    n_iter_ : int
        Updates of the centroids, over all starts.
    outcomes_ : list of Outcome
        How each alternative was found: status, gap and time of the solver, and more.
    binning_ : Binning
        The bins of the profiles.
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
    COALA : Alternatives by average linkage.

    Notes
    -----
    Distances are Euclidean. If all features are numeric they are not scaled: scale them first if
    they have different units. If there are categorical features, numeric ones are standardised and
    categorical ones are one-hot encoded: two objects with different categories have a squared
    distance of 2, as two standardised numbers have on average. Missing values have a bin of their
    own.

    Time and memory grow with n. Starts compete on a sample of 20,000 objects. Each alternative has
    60 seconds, after which no further start begins, and the integer program stops.

    References
    ----------
    .. [1] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and
       its application to the discovery of alternate clusterings. Data Mining and Knowledge
       Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z

    Examples
    --------
    Four groups at the corners of a square, given as left and right; the alternative is top and
    bottom:

    >>> import numpy as np
    >>> from clusterwise import MAXIMUS
    >>> corners = np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 3, axis=0)
    >>> X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    >>> model = MAXIMUS(random_state=0).fit(X, np.repeat(["left", "right"], 6))
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
    >>> model.similarity_, model.lower_bound_
    (56, 56.0)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        program: Literal["objects", "published"] = "objects",
        tolerance: float = 0.05,
        n_alternatives: int = 1,
        subspaces: bool | Literal["components"] | None = None,
        min_cluster_size: float | None = None,
        binning: Binning | Method = "width",
        n_init: int = 6,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.program = program
        self.tolerance = tolerance
        self.n_alternatives = n_alternatives
        self.subspaces = subspaces
        self.min_cluster_size = min_cluster_size
        self.binning = binning
        self.n_init = n_init
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
        features = problem.features
        random = as_random_state(self.random_state)
        given = self._given_or_first(problem, random)
        clusters = self._resolve_n_clusters(problem, given)
        self.binning_ = self._fit_binning(features, given)
        regions = find_regions(self.binning_.bins(features))
        ordered = _in_order_of(self.binning_, features)
        objects = problem.objects if ordered is features else read_points(ordered)
        search = self._make_search(objects, regions, clusters, random)
        quality = self._centroid_quality(problem)
        self.outcomes_: list[Outcome] = self._find_all(given, search.find, quality)
        first = self.outcomes_[0]
        self.similarity_, self.lower_bound_ = first.similarity, first.lower_bound
        self.profile_gap_, self.n_iter_ = first.profile_gap, first.n_iter
        if first.status == "infeasible":
            warn_user(
                f"the largest deviation from balance is {first.ratio:.3g} times its bound; raise "
                "the tolerance, or allow smaller clusters.",
            )
        return self

    def _make_search(
        self, objects: Points, regions: Regions, clusters: int, random: np.random.RandomState
    ) -> Search:
        subspaces = self.n_alternatives > 1 if self.subspaces is None else self.subspaces
        options = SearchOptions(
            self.program, self.tolerance, subspaces, self.min_cluster_size, self.n_init,
            self.progress,
        )  # fmt: skip
        return Search(options, objects, regions, clusters, random)

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.program != "objects" and self.subspaces:
            raise InputError(f"program={self.program!r} has no subspaces; use program='objects'.")

    def _fit_binning(self, features: Features, given: Given) -> Binning:
        if isinstance(self.binning, Binning):
            return self.binning
        reference = given.codes[0] if self.binning == "mdl" else None
        return Binning(self.binning, _N_BINS).fit(features, reference)


def _in_order_of(binning: Binning, features: Features) -> Features:
    """Return all features, those of a binning first and in its order."""
    if not features.labelled:
        return features
    rest = [name for name in features.names if name not in set(binning.names)]
    return features.select([*binning.names, *rest])
