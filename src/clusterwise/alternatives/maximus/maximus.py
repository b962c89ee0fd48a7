"""MAXIMUS: clusters whose profiles are as unlike those of known clusters as can be."""

import warnings
from math import inf
from typing import Any, Literal, Self

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    PointAlternative,
    check_n_alternatives,
    check_positive,
    judge_by_centroids,
    resolve_n_clusters,
    validate_features,
)
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.holding import Balance
from clusterwise.alternatives.maximus.regions import find_regions
from clusterwise.alternatives.maximus.search import Outcome, Search
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import read_points

_CHOICES: dict[str, tuple[str, ...]] = {
    "program": ("direct", "profile", "published"),
    "balance": ("membership", "matching", "profile"),
    "assignment": ("exact", "greedy"),
}


class MAXIMUS(PointAlternative):
    r"""Maximised dissimilarity in multiple clusterings: others that say nothing of the given one.

    Clusters are described by density profiles, the counts of their objects in the bins of
    every feature. With :math:`V_k` the profile of a given cluster and :math:`V'_l` that of a
    wanted one, :math:`V_k \cdot V'_l = \sum_n z_{nl} w_{kn}` is linear in the memberships
    :math:`z` of the objects: :math:`w_{kn}` adds up how many objects of k are in the bins of
    object n. So the objects themselves can be chosen. ``program="direct"`` minimises the
    spread within clusters, as k-means does, while what they tell about the given clusters is
    held down (see ``balance``). Its Lagrangian costs :math:`O(nK)` a step: an object pays its
    squared distance to a centroid, and a price for each given cluster that it is part of.

    The paper chooses profiles first: an integer program finds one that is least similar to
    the given ones (``"published"``), objects of every bin are dealt out to fit it, and the
    features vote. Its optimum is known in closed form, :math:`\frac{1}{K} \sum dens^2` for equal
    numbers of clusters, and a whole face of profiles attains it, most of which mean no
    clusters at all. ``"profile"`` stays near that face and minimises the spread; but a profile does
    not tie the features of an object together, so both are here to compare with.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    program : {"direct", "profile", "published"}, default="direct"
        What is chosen: objects, a profile of little spread, or any least similar profile.
    balance : {"membership", "matching", "profile"}, default="membership"
        What ``"direct"`` holds down. ``"membership"``: every new cluster takes the same share of
        each given cluster. ``"profile"``: the same of each given cluster's profile. Both
        within ``tolerance``, or one object where that is more. ``"matching"``: the similarity of
        profiles is at most (1 + ``tolerance``) times its lower bound, as in the paper, or one
        object in each cluster more. The
        default is the one that controls pairs of objects: profiles can be alike while objects
        are not, and a matching leaves room for blends, the more so where many clusters are given
        and few are wanted, since only as many of them enter it.
    tolerance : float, default=0.05
        From 0, as different as can be, to 1 and above, which allows more for less spread.
    n_alternatives : int, default=1
        How many to find, each different from what is given and from those before. It stops
        early, with a warning, when the next one is degenerate, cannot be kept within bounds, or
        has less than ``quality_floor`` times the first one's quality.
    subspaces : bool or "components", optional
        Whether ``"direct"`` also looks for clusters in some of the features, weighing them by
        how much of each the clusters explain. By default if several alternatives are wanted: where
        several structures hide in different features, a blend has less spread than each.
        It starts from pairs of features; if there are more than 300, of the 300 with the least
        kurtosis: clusters have little, noise and objects that stand out have more.
        ``"components"`` looks into independent components (ICA), where each structure
        is spread over all features.
    shares : array-like of shape (K,), optional
        How large clusters should be, as shares of all objects, for ``"direct"``; within
        ``tolerance``. K-means prefers even clusters, and this asks for others.
    polish : bool, default=False
        Whether ``"direct"`` moves objects in the end, one or two at a time, as long as this raises
        the least mean distance between clusters, of the largest mean distance within one (the Dunn
        index by means), and stays within bounds. The spread around centroids, which the program
        lowers, is not quite the same. Its time grows with the square of n.
    min_cluster_size : int or float, optional
        The least number of objects in a cluster, or a share of all below 1. Where a vote breaks
        it, small clusters join their nearest.
    binning : {"width", "frequency", "mdl", "nominal"} or Binning, default="width"
        How numbers are cut for profiles; names have a bin per value. ``"mdl"`` takes the first
        given clustering as its reference.
    n_bins : int, default=10
        Bins per feature of numbers.
    assignment : {"exact", "greedy"}, default="exact"
        How the objects of a bin are dealt out to fit a profile: at the least cost, or the nearest
        first as in the paper.
    n_init : int, default=6
        Starts of the search.
    max_iter : int, default=40
        Rounds of centroids from each start of ``"direct"``.
    mip_gap : float, default=0.001
        How far from the least a similarity may be, as a share, for ``"published"``; of few objects
        at least the share of one of them, since no more can be proved in reasonable time.
    time_limit : float, default=60.0
        Seconds for each alternative, after which no new start is made, and the solver stops.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is ``"dunn_centroids"`` of
        :func:`~clusterwise.quality_score`.
    random_state : int, RandomState, Generator or None
        The source of chance: starts and ties.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the one made first, if none was given.
    similarity_, lower_bound_ : float
        How similar the profiles of the first alternative and the given ones are, and the least
        that any clustering can have.
    profile_gap_ : float or None
        The share of objects by which it misses the profile that was asked for.
    n_iter_ : int
        Rounds of centroids, from all starts, that led to it.
    outcomes_ : list of Outcome
        How each alternative was found: status, gap and time of the solver, and more.
    binning_ : Binning
        The bins of the profiles.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    COALA : Alternatives by average linkage.

    Notes
    -----
    Distances are Euclidean. Numbers alone are taken as they are, so scale them first if they
    have different units. Beside names they are standardised, and a name becomes a column of 0 and
    1 per value: two objects with different values are 2 apart, squared, as two standardised
    numbers are on average. A missing number is the mean of its feature, a missing name is a
    value of its own; both have a bin of their own.

    Time and memory grow with n. Starts compete on a sample of 20,000 objects.

    References
    ----------
    .. [1] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and
       its application to the discovery of alternate clusterings. Data Mining and Knowledge
       Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z

    Examples
    --------
    Four groups at the corners of a square, grouped left and right; the other way is top and bottom:

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
        program: Literal["direct", "profile", "published"] = "direct",
        balance: Balance = "membership",
        tolerance: float = 0.05,
        n_alternatives: int = 1,
        subspaces: bool | Literal["components"] | None = None,
        shares: Any = None,
        polish: bool = False,
        min_cluster_size: float | None = None,
        binning: Binning | Method = "width",
        n_bins: int = 10,
        assignment: Literal["exact", "greedy"] = "exact",
        n_init: int = 6,
        max_iter: int = 40,
        mip_gap: float = 1e-3,
        time_limit: float = 60.0,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.program = program
        self.balance = balance
        self.tolerance = tolerance
        self.n_alternatives = n_alternatives
        self.subspaces = subspaces
        self.shares = shares
        self.polish = polish
        self.min_cluster_size = min_cluster_size
        self.binning = binning
        self.n_bins = n_bins
        self.assignment = assignment
        self.n_init = n_init
        self.max_iter = max_iter
        self.mip_gap = mip_gap
        self.time_limit = time_limit
        self.quality_floor = quality_floor
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects: numbers, names or both.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        features = validate_features(self, X)
        random = as_random_state(self.random_state)
        given = self._given_or_first(read_points(features).points, y, random)
        count = resolve_n_clusters(self.n_clusters, given, features.n)
        self.binning_ = self._fit_binning(features, given)
        regions = find_regions(self.binning_.bins(features))
        objects = read_points(_in_order_of(self.binning_, features))
        search = Search(self, objects, regions, count, random)
        quality = judge_by_centroids(objects.points)
        self.outcomes_: list[Outcome] = self._find_all(given, search.find, quality)
        first = self.outcomes_[0]
        self.similarity_, self.lower_bound_ = first.similarity, first.lower_bound
        self.profile_gap_, self.n_iter_ = first.profile_gap, first.rounds
        if first.status == "beyond bounds":
            warnings.warn(
                f"what the clusters tell about those given is {first.excess:.3g} times what the "
                "bounds allow; raise the tolerance, or allow smaller clusters.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def _check(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(
                    f"{name}={getattr(self, name)!r} is unknown; use one of "
                    f"{', '.join(map(repr, choices))}."
                )
        check_n_alternatives(self.n_alternatives)
        if not 0 <= self.tolerance < inf:
            raise InputError(f"tolerance={self.tolerance!r}; use a number from 0 on.")
        check_positive(self, "n_init", "max_iter")
        if self.subspaces not in (None, False, True, "components"):
            raise InputError(f"subspaces={self.subspaces!r}; use True, False or 'components'.")
        if self.program != "direct" and (self.shares is not None or self.subspaces or self.polish):
            raise InputError(
                f"shares, subspaces and polish are not for program={self.program!r}; use 'direct'."
            )

    def _fit_binning(self, features: Any, given: Given) -> Binning:
        if isinstance(self.binning, Binning):
            return self.binning
        reference = given.codes[0] if self.binning == "mdl" else None
        return Binning(self.binning, self.n_bins).fit(features, reference)


def _in_order_of(binning: Binning, features: Features) -> Features:
    """All features, those of a binning first and in its order."""
    if not features.labelled:
        return features
    rest = [name for name in features.names if name not in set(binning.names)]
    return features.select([*binning.names, *rest])
