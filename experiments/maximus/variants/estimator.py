"""MAXIMUS with all the variants that its study tries."""

from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.alternative_search import SearchOptions
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.maximus.region_profiles import Regions
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import Points
from experiments.maximus.variants.search import VariantOptions, VariantSearch


class VariantMAXIMUS(MAXIMUS):
    """MAXIMUS with further parameters; those of the library have the same meaning.

    Parameters
    ----------
    program : {"objects", "profile", "published"}, default="objects"
        ``"profile"`` chooses a profile of least inertia among those about as dissimilar as
        possible.
    balance : {"membership", "matching", "profile"}, default="membership"
        The constraint of ``"objects"``. ``"membership"``: every new cluster has the same proportion
        of each given cluster. ``"profile"``: the same of each given cluster's profile.
        ``"matching"``: the similarity of profiles is at most (1 + ``tolerance``) times its lower
        bound, as in the paper, or one object in each cluster more.
    size_proportions : array-like of shape (K,), optional
        The sizes of clusters for ``"objects"``, as proportions of all objects, within
        ``tolerance``.
    local_search : bool, default=False
        Whether ``"objects"`` ends with a local search on the Dunn index by mean distances, within
        the bounds.
    n_bins : int, default=10
        Bins per numeric feature.
    assignment : {"exact", "greedy"}, default="exact"
        How the objects of a region are assigned to fit a profile: at the least cost, or the nearest
        first as in the paper.
    max_iter : int, default=40
        The most updates of the centroids from each start of ``"objects"``.
    mip_gap : float, default=0.001
        The relative gap of the integer program.
    time_limit : float, default=60.0
        Seconds for each alternative.
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        program: Literal["objects", "profile", "published"] = "objects",
        balance: Literal["membership", "matching", "profile"] = "membership",
        tolerance: float = 0.05,
        n_alternatives: int = 1,
        subspaces: bool | Literal["components"] | None = None,
        size_proportions: Any = None,
        local_search: bool = False,
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
        super().__init__(
            n_clusters, program=program, tolerance=tolerance, n_alternatives=n_alternatives,
            subspaces=subspaces, min_cluster_size=min_cluster_size, binning=binning, n_init=n_init,
            quality_floor=quality_floor, random_state=random_state, progress=progress,
        )  # fmt: skip
        self.balance = balance
        self.size_proportions = size_proportions
        self.local_search = local_search
        self.n_bins = n_bins
        self.assignment = assignment
        self.max_iter = max_iter
        self.mip_gap = mip_gap
        self.time_limit = time_limit

    def _validate_params(self) -> None:
        super()._validate_params()
        of_objects = self.size_proportions is not None or self.local_search
        if self.program != "objects" and of_objects:
            raise InputError(
                f"program={self.program!r} has no size_proportions and local_search; use "
                "program='objects'."
            )

    def _make_search(
        self, objects: Points, regions: Regions, clusters: int, random: np.random.RandomState
    ) -> VariantSearch:
        subspaces = self.n_alternatives > 1 if self.subspaces is None else self.subspaces
        options = SearchOptions(
            self.program, self.tolerance, subspaces, self.min_cluster_size, self.n_init,
            self.progress, self.max_iter, self.mip_gap, self.time_limit,
        )  # fmt: skip
        variant = VariantOptions(
            self.balance, self.size_proportions, self.local_search, self.assignment
        )
        return VariantSearch(variant, options, objects, regions, clusters, random)

    def _fit_binning(self, features: Features, given: Given) -> Binning:
        if isinstance(self.binning, Binning):
            return self.binning
        reference = given.codes[0] if self.binning == "mdl" else None
        return Binning(self.binning, self.n_bins).fit(features, reference)
