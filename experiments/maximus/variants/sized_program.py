"""The profile of least inertia among those about as dissimilar as possible."""

from collections.abc import Sequence
from math import ceil
from time import perf_counter

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.published_program import (
    ProfileProgram,
    Solution,
    SolverResult,
    Status,
    describe_solution,
    run_solver,
)
from clusterwise.alternatives.maximus.region_profiles import (
    Regions,
    profile_similarity,
    similarity_bound,
)
from clusterwise.alternatives.maximus.rounding import RegionMeans
from clusterwise.inputs.encoding import Array

# The tolerance of the solver for integers.
_SLACK = 1e-7


class SizedProgram(ProfileProgram):
    """Profiles whose clusters have the same size in every feature: the last K variables."""

    def __init__(
        self, given: Sequence[Array], regions: Regions, clusters: int, smallest: int
    ) -> None:
        super().__init__(given, regions.sizes, clusters, n_extra=clusters)
        self.low, self.high = np.zeros(self.width), np.full(self.width, np.inf)
        self.low[-clusters:] = smallest
        features = regions.features
        numbers = np.arange(features.size)
        member = sparse.csr_array((np.ones(features.size), (features, numbers)))
        counts = sparse.kron(sparse.eye_array(clusters), member)
        skipped = sparse.csr_array((counts.shape[0], self.duals))
        size = sparse.kron(sparse.eye_array(clusters), np.ones((member.shape[0], 1)))
        self.sums.append(self._rows(sparse.hstack([counts, skipped, -size]), 0.0, 0.0))

    def solve(
        self,
        cost: Array,
        *,
        time_limit: float,
        ceiling: float,
        gap: float | None = None,
        sizes: Array | None = None,
    ) -> SolverResult:
        """Solve with a ceiling on the similarity.

        A ``gap`` asks for an integer profile, and ``sizes`` fixes those of the clusters.
        """
        low, high = self.low.copy(), self.high.copy()
        if sizes is not None:
            low[-self.clusters :] = high[-self.clusters :] = sizes
        limit = self._rows(self.dual_sum[None, :], -np.inf, ceiling / self.scale)
        rows = [*self.sums, *self.matchings, limit]
        options = {"time_limit": max(0.0, time_limit)}
        if gap is None:
            return run_solver(cost, rows, Bounds(low, high), np.zeros(self.width), **options)
        return run_solver(cost, rows, Bounds(low, high), self.integral, **options, mip_rel_gap=gap)

    def round_keeping_sums(self, x: Array) -> Array:
        """Return the nearest integer profile with the same sums, each number up or down.

        The rows of the sums alone are those of a network, so that every vertex is integral.
        """
        floor = np.floor(x + _SLACK)
        part = np.maximum(x - floor, 0.0)
        high = floor + (part > _SLACK)
        floor[self.cells : self.cells + self.duals] = 0.0
        high[self.cells : self.cells + self.duals] = 0.0
        cost = np.zeros(self.width)
        cost[: self.cells] = 1.0 - 2.0 * part[: self.cells]
        result = run_solver(cost, self.sums, Bounds(floor, high))
        assert result.x is not None
        return self.round_profile(result.x)


def region_costs(means: RegionMeans, centroids: Array) -> Array:
    """Return the squared distance of each region to each centroid in its own columns, K × V."""
    own = means.means * means.own
    return (own**2).sum(1) - 2 * centroids @ own.T + centroids**2 @ means.own.T


class CompactProfiles:
    """Integer profiles near given centroids.

    Their similarity is at most (1 + tolerance) times the least, clusters have the same size in
    every feature, and no cluster has fewer than ``smallest`` objects.
    """

    def __init__(
        self,
        given: Sequence[Array],
        regions: Regions,
        means: RegionMeans,
        clusters: int,
        *,
        tolerance: float,
        smallest: float,
        gap: float,
    ) -> None:
        self.given, self.means, self.gap = given, means, gap
        self.program = SizedProgram(given, regions, clusters, ceil(smallest))
        self.least = similarity_bound(given, regions.sizes, clusters)
        self.ceiling = (1.0 + tolerance) * self.least
        self.description = (
            f"a profile of {clusters} clusters within tolerance={tolerance:g} of the least "
            f"similarity, each of at least {ceil(smallest)} objects"
        )

    def find(self, centroids: Array, time_limit: float) -> Solution | None:
        """Return the profile of least inertia around centroids; None if the time is over before.

        Integers come from rounding: once sizes are integers, nothing but the similarity ties
        features together, and all sums can be kept. The integer program takes far longer, so
        it is left for the few objects of small data, where rounding may find nothing.
        """
        end = perf_counter() + time_limit
        cost = np.zeros(self.program.width)
        cost[: self.program.cells] = region_costs(self.means, centroids).ravel()
        profile, status = self._choose(cost, len(centroids), end)
        if profile is None:
            return None
        return describe_solution(self.given, profile, self.least, status)

    def _choose(self, cost: Array, clusters: int, end: float) -> tuple[Array | None, Status]:
        result = self._solve(cost, end)
        if result.x is None:
            return None, result.status
        profile = self._round(cost, _round_keeping_sum(result.x[-clusters:]), end)
        if profile is not None:
            return profile, result.status
        result = self._solve(cost, end, gap=self.gap)
        return None if result.x is None else self.program.round_profile(result.x), result.status

    def _round(self, cost: Array, sizes: Array, end: float) -> Array | None:
        """Return an integer profile of these sizes below the ceiling, if one is found.

        Rounding may exceed the ceiling by a little, so the margin below it is doubled each time.
        """
        margin = 0.0
        while margin <= self.ceiling - self.least:
            left = end - perf_counter()
            below = self.ceiling - margin
            result = self.program.solve(cost, ceiling=below, sizes=sizes, time_limit=left)
            if result.x is None:
                break
            profile = self.program.round_keeping_sums(result.x)
            excess = profile_similarity(self.given, profile) - self.ceiling
            if excess <= 0:
                return profile
            margin = 2 * max(margin, excess, 1.0)
        return None

    def _solve(self, cost: Array, end: float, gap: float | None = None) -> SolverResult:
        left = end - perf_counter()
        result = self.program.solve(cost, ceiling=self.ceiling, gap=gap, time_limit=left)
        if result.status == "infeasible":
            raise InputError(
                f"{self.description} does not exist; raise the tolerance, or allow smaller "
                "clusters."
            )
        return result


def _round_keeping_sum(numbers: Array) -> Array:
    """Return integers with the same sum, those with the largest remainders rounded up."""
    rounded = np.floor(numbers + 1e-7)
    missing = round(float(numbers.sum() - rounded.sum()))
    rounded[np.argsort(rounded - numbers, kind="stable")[:missing]] += 1
    return rounded
