"""The search for one alternative by any variant."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import join_small
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.alternative_search import Search
from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.object_program import ObjectProgram
from clusterwise.alternatives.maximus.published_program import solve_published
from clusterwise.alternatives.maximus.rounding import find_region_means, round_profile
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.maximus_rounding import assign_regions
from experiments.maximus.variants.compact_profiles import Objects, find_compact_profile
from experiments.maximus.variants.constraints import MatchingConstraints, ProfileConstraints
from experiments.maximus.variants.greedy import assign_regions_greedily
from experiments.maximus.variants.local_search import search_locally
from experiments.maximus.variants.weighted_groups import WeightedGroups, group_by_profiles

_ROUNDING = 1e-9


class VariantOptions(NamedTuple):
    """The options that the library does not have; see the estimator."""

    balance: str
    size_proportions: Any
    local_search: bool
    assignment: str


class VariantSearch(Search):
    """The search with other constraints, other profiles, or a final local search."""

    def __init__(self, variant: VariantOptions, *arguments: Any) -> None:
        self.variant = variant
        super().__init__(*arguments)

    def _solve(self, given: Given, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        if self.options.program == "profile":
            return self._solve_compact(profiles)
        return super()._solve(given, profiles)

    def _make_program(self, given: Given) -> ObjectProgram:
        program = super()._make_program(given)
        if self.variant.balance == "membership":
            return program

        def constrain(groups: WeightedGroups) -> BalanceConstraints:
            bounds = self.size_bounds.scaled(len(groups.codes) / self.n)
            if self.variant.balance == "matching":
                return MatchingConstraints(groups, bounds, self.options.tolerance, given.sizes)
            return ProfileConstraints(groups, bounds, self.options.tolerance)

        groups = group_by_profiles(self.regions, self._find_profiles(given))
        return program._replace(groups=groups, constrain=constrain)

    def _solve_object_program(self, program: ObjectProgram) -> tuple[Array, dict[str, Any]]:
        end = perf_counter() + self.options.time_limit
        labels, details = super()._solve_object_program(program)
        if self.variant.local_search:
            labels, ratio = search_locally(program, labels, end - perf_counter())
            details |= {"ratio": ratio, "status": "feasible" if ratio <= 1.0 else "infeasible"}
        return labels, details

    def _solve_compact(self, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        options = self.options
        found = find_compact_profile(
            Objects(self.points, self.owners, self.regions, self._assign), profiles, self.clusters,
            tolerance=options.tolerance, smallest=float(self.size_bounds.low[0]), gap=self._gap,
            time_limit=options.time_limit, n_init=options.n_init, random=self.random,
            progress=options.progress,
        )  # fmt: skip
        return self._describe(found.labels, found.solution, found.profile_gap)

    def _solve_published(self, profiles: list[Array]) -> tuple[Array, dict[str, Any]]:
        solution = solve_published(
            profiles, self.regions.sizes, self.clusters, gap=self._gap,
            time_limit=self.options.time_limit,
        )  # fmt: skip
        means = find_region_means(self.points, self.regions, self.owners)
        labels, gap = round_profile(
            self.points, self.regions, means, solution.profile, self.random, assign=self._assign
        )
        return self._describe(labels, solution, gap)

    def _describe(self, labels: Array, solution: Any, gap: float) -> tuple[Array, dict[str, Any]]:
        labels = join_small(self.points, labels, float(self.size_bounds.low[0]))
        return labels, {"status": solution.status, "gap": solution.gap, "profile_gap": gap}

    @property
    def _gap(self) -> float:
        return max(self.options.mip_gap, 1.0 / self.n)

    @property
    def _assign(self) -> Any:
        return assign_regions if self.variant.assignment == "exact" else assign_regions_greedily

    def _find_size_bounds(self) -> SizeBounds:
        low, high = super()._find_size_bounds()
        given = self.variant.size_proportions
        if given is not None:
            proportions = np.asarray(given, np.float64)
            if (
                proportions.shape != (self.clusters,)
                or not (proportions > 0).all()
                or abs(proportions.sum() - 1) > 1e-6
            ):
                raise InputError(
                    f"size_proportions={given!r}: pass {self.clusters} positive numbers that add "
                    "up to 1."
                )
            slack = self.options.tolerance * proportions * self.n
            low = np.maximum(low, np.floor(proportions * self.n - slack + _ROUNDING))
            high = np.ceil(proportions * self.n + slack - _ROUNDING)
            if (low > high).any() or low.sum() > self.n:
                raise InputError(
                    f"size_proportions={given!r} leave less than min_cluster_size="
                    f"{self.options.min_cluster_size!r} for a cluster; change one of them."
                )
        return SizeBounds(low, high)
