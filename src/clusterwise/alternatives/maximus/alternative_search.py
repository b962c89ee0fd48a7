"""The search for one alternative, by the object-level or the published program."""

from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise.alternatives.base import Candidate, join_small
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.multipliers import Groups, group_by_given
from clusterwise.alternatives.maximus.object_program import (
    ObjectProgram,
    solve_object_program,
)
from clusterwise.alternatives.maximus.published_program import solve_published
from clusterwise.alternatives.maximus.region_profiles import (
    Regions,
    profile_similarity,
    similarity_bound,
)
from clusterwise.alternatives.maximus.rounding import find_region_means, round_profile
from clusterwise.alternatives.maximus.subspaces import (
    find_independent_components,
    search_subspaces,
)
from clusterwise.alternatives.minimum_size import least_size
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.inputs.points import Points, centre_columns


class Outcome(NamedTuple):
    """How an alternative was found, and how similar it is to the given clusterings.

    Attributes
    ----------
    similarity : int
        The sum over given clusterings of the largest matching of profiles.
    lower_bound : float
        The least similarity of any clustering with as many clusters.
    status : str
        For ``program="objects"`` "feasible", or "infeasible" if a bound is violated. For
        ``program="published"`` "optimal" or "time limit".
    seconds : float
        The time it took.
    gap : float or None
        The relative gap of the integer program.
    profile_gap : float or None
        The fraction of objects by which the labels miss the target profile.
    ratio : float or None
        The largest deviation divided by its bound; at most 1 if feasible.
    n_iter : int
        Updates of the centroids, over all starts.
    evaluations : int or None
        Evaluations of the dual, over all starts.
    weights : ndarray or None
        The weights of the features (or components), if subspaces were searched.
    """

    similarity: int
    lower_bound: float
    status: str
    seconds: float
    gap: float | None = None
    profile_gap: float | None = None
    ratio: float | None = None
    n_iter: int = 1
    evaluations: int | None = None
    weights: Array | None = None


class SearchOptions(NamedTuple):
    """The options of a search; ``time_limit`` is in seconds, for each alternative."""

    program: str
    tolerance: float
    subspaces: bool | Literal["components"]
    min_cluster_size: float | None
    n_init: int
    progress: bool | None
    max_iter: int = 40
    mip_gap: float = 1e-3
    time_limit: float = 60.0


class Search:
    """The search for one alternative after the other, on the same objects."""

    def __init__(
        self,
        options: SearchOptions,
        objects: Points,
        regions: Regions,
        clusters: int,
        random: np.random.RandomState,
    ) -> None:
        self.options, self.regions, self.clusters = options, regions, clusters
        self.random = random
        # One scale for all features together: their units keep their relative weights.
        points = centre_columns(objects.points / (np.abs(objects.points).max() or 1.0))
        self.points = np.ascontiguousarray(points / (np.sqrt((points**2).mean()) or 1.0))
        self.owners = objects.owners
        self.n = len(self.points)
        self.size_bounds = self._find_size_bounds()

    def find(self, given: Given) -> Candidate:
        """Find one more alternative to the given clusterings."""
        began = perf_counter()
        profiles = self._find_profiles(given)
        labels, details = self._solve(given, profiles)
        labels = relabel_by_appearance(labels)
        outcome = Outcome(
            profile_similarity(profiles, self.regions.profile(labels, self.clusters)),
            similarity_bound(profiles, self.regions.sizes, self.clusters),
            seconds=perf_counter() - began,
            **details,
        )
        infeasible = outcome.status == "infeasible"
        return Candidate(labels, outcome, "violates the bounds" if infeasible else None)

    def _find_profiles(self, given: Given) -> list[Array]:
        pairs = zip(given.codes, given.sizes, strict=True)
        return [self.regions.profile(codes, size) for codes, size in pairs]

    def _solve(self, given: Given, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        """Return labels and the details of their outcome."""
        if self.options.program == "objects":
            return self._solve_object_program(self._make_program(given))
        return self._solve_published(profiles)

    def _make_program(self, given: Given) -> ObjectProgram:
        def constrain(groups: Groups) -> BalanceConstraints:
            bounds = self.size_bounds.scaled(len(groups.codes) / self.n)
            return BalanceConstraints(groups, bounds, self.options.tolerance)

        groups = group_by_given(given.codes, given.sizes)
        joint = given.joint.ravel()
        return ObjectProgram(self.points, groups, constrain, joint, self.clusters, self.random)

    def _solve_object_program(self, program: ObjectProgram) -> tuple[Array, dict[str, Any]]:
        options = self.options
        runs = solve_object_program(
            program, options.n_init, options.max_iter, options.time_limit, options.progress
        )
        best, weights = runs[-1], None
        if options.subspaces:
            owners, within = self.owners, program
            if options.subspaces == "components":
                within = program.with_points(find_independent_components(program))
                owners = np.arange(within.points.shape[1])
            found = search_subspaces(within, owners, best, options.max_iter, options.progress)
            runs += [one.run for one in found if one.run is not best]
            best, weights = found[-1].run, found[-1].weights
        return best.labels, {
            "status": "feasible" if best.ratio <= 1.0 else "infeasible",
            "ratio": best.ratio,
            "n_iter": sum(run.n_iter for run in runs),
            "evaluations": sum(run.evaluations for run in runs),
            "weights": weights,
        }

    def _solve_published(self, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        solution = solve_published(
            profiles, self.regions.sizes, self.clusters,
            gap=max(self.options.mip_gap, 1.0 / self.n), time_limit=self.options.time_limit,
        )  # fmt: skip
        means = find_region_means(self.points, self.regions, self.owners)
        labels, gap = round_profile(self.points, self.regions, means, solution.profile, self.random)
        return join_small(self.points, labels, float(self.size_bounds.low[0])), {
            "status": solution.status,
            "gap": solution.gap,
            "profile_gap": gap,
        }

    def _find_size_bounds(self) -> SizeBounds:
        least = least_size(self.options.min_cluster_size, self.clusters, self.n)
        return SizeBounds(
            np.full(self.clusters, float(least)), np.full(self.clusters, float(self.n))
        )
