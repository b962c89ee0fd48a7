"""The profile of least spread among those that are about as different as can be."""

from collections.abc import Sequence
from math import ceil
from time import perf_counter
from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.linear import Answer, Program, Solution, Status, describe
from clusterwise.alternatives.maximus.regions import Regions
from clusterwise.alternatives.maximus.similarity import lower_bound, similarity
from clusterwise.inputs.encoding import Array


class Places(NamedTuple):
    """Where regions are: means (V × D), and the columns of D that belong to each one (0 or 1)."""

    means: Array
    counted: Array

    def centroids(self, profile: Array) -> Array:
        """The centroids that a profile implies, K × D; an empty cluster is put in the middle."""
        own = self.means * self.counted
        weights = profile @ self.counted
        middle = own.sum(0) / np.maximum(self.counted.sum(0), 1)
        return np.where(weights > 0, profile @ own / np.where(weights > 0, weights, 1), middle)

    def costs(self, centroids: Array) -> Array:
        """Squared distance of each region from each centroid in its own columns, K × V."""
        own = self.means * self.counted
        return (own**2).sum(1) - 2 * centroids @ own.T + centroids**2 @ self.counted.T


def place_regions(points: Array, regions: Regions, owners: Array) -> Places:
    """Places by the columns of a region's own feature; ``owners`` names that of each column."""
    counted = (regions.features[:, None] == owners).astype(np.float64)
    return Places(regions.means(points), counted)


class ProfileProgram:
    """Whole profiles near given centroids.

    Their similarity is at most (1 + tolerance) times the least, clusters have the same size in
    every feature, and no cluster has fewer than ``smallest`` objects.
    """

    def __init__(
        self,
        known: Sequence[Array],
        regions: Regions,
        places: Places,
        clusters: int,
        *,
        tolerance: float,
        smallest: float,
        gap: float,
    ) -> None:
        self.known, self.places, self.gap = known, places, gap
        self.program = Program(known, regions.sizes, clusters)
        self.program.keep_sizes(regions.features, ceil(smallest))
        self.least = lower_bound(known, regions.sizes, clusters)
        self.ceiling = (1.0 + tolerance) * self.least
        self.asked = (
            f"a profile of {clusters} clusters within tolerance={tolerance:g} of the least "
            f"similarity, each of at least {ceil(smallest)} objects"
        )

    def find(self, centroids: Array, time_limit: float) -> Solution | None:
        """The profile of least spread around centroids; None if the time is over before.

        Whole numbers come from rounding: once sizes are whole, nothing but the similarity ties
        features together, and all sums can be kept. The integer program takes far longer, so
        it is left for the few objects of small data, where rounding may find nothing.
        """
        begin = perf_counter()
        end = begin + time_limit
        cost = np.zeros(self.program.width)
        cost[: self.program.cells] = self.places.costs(centroids).ravel()
        profile, status = self._choose(cost, len(centroids), end)
        if profile is None:
            return None
        return describe(self.known, profile, self.least, status, perf_counter() - begin)

    def _choose(self, cost: Array, clusters: int, end: float) -> tuple[Array | None, Status]:
        answer = self._solve(cost, end)
        if answer.x is None:
            return None, answer.status
        profile = self._round(cost, _round_sum(answer.x[-clusters:]), end)
        if profile is not None:
            return profile, answer.status
        answer = self._solve(cost, end, gap=self.gap)
        return None if answer.x is None else self.program.whole(answer.x), answer.status

    def _round(self, cost: Array, sizes: Array, end: float) -> Array | None:
        """A whole profile of these sizes below the ceiling, if one is found.

        Rounding may break the ceiling by a little, so twice as much room is left below it
        each time.
        """
        room = 0.0
        while room <= self.ceiling - self.least:
            left = end - perf_counter()
            below = self.ceiling - room
            answer = self.program.solve(cost, ceiling=below, sizes=sizes, time_limit=left)
            if answer.x is None:
                break
            profile = self.program.round(answer.x)
            excess = similarity(self.known, profile) - self.ceiling
            if excess <= 0:
                return profile
            room = 2 * max(room, excess, 1.0)
        return None

    def _solve(self, cost: Array, end: float, gap: float | None = None) -> Answer:
        left = end - perf_counter()
        answer = self.program.solve(cost, ceiling=self.ceiling, gap=gap, time_limit=left)
        if answer.status == "infeasible":
            raise InputError(
                f"{self.asked} does not exist; raise the tolerance, or allow smaller clusters."
            )
        return answer


def _round_sum(numbers: Array) -> Array:
    """Whole numbers with the same sum, those with the largest remainders up."""
    rounded = np.floor(numbers + 1e-7)
    missing = round(float(numbers.sum() - rounded.sum()))
    rounded[np.argsort(rounded - numbers, kind="stable")[:missing]] += 1
    return rounded
