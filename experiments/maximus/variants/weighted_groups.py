"""Groups to which objects belong with weights: the profiles of the given clusters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clusterwise.alternatives.maximus.multipliers import (
    Groups,
    Move,
    SoftAssignment,
    by_blocks,
    mean_of_blocks,
)
from clusterwise.alternatives.maximus.region_profiles import Regions
from clusterwise.inputs.encoding import Array
from experiments.maximus.variants import weighted_kernels as kernels


@dataclass(frozen=True)
class WeightedGroups(Groups):
    """Group 0 contains all objects; object i belongs to the others with ``weights[i]``."""

    weights: Array

    @property
    def patterns(self) -> Array:
        return np.arange(len(self.codes))

    @property
    def sizes(self) -> Array:
        return np.concatenate([[float(len(self.codes))], self.weights.sum(axis=0)])

    @property
    def largest(self) -> Array:
        """The largest weight of an object in each group except the first."""
        return np.asarray(self.weights.max(axis=0))

    def take(self, objects: Array) -> "WeightedGroups":
        return WeightedGroups(self.codes[objects], self.count, self.weights[objects])

    def crosstab(self, labels: Array, clusters: int) -> Array:
        table = np.zeros((self.count, clusters))
        table[0] = np.bincount(labels, minlength=clusters)
        for k in range(clusters):
            table[1:, k] = self.weights[labels == k].sum(axis=0)
        return table

    def crosstab_after(self, table: Array, moves: Sequence[Move]) -> Array:
        after = table.copy()
        for i, here, there in moves:
            for sign, k in ((-1.0, here), (1.0, there)):
                after[0, k] += sign
                after[1:, k] += sign * self.weights[i]
        return after

    def soft_assignment(
        self, costs: Array, multipliers: Array, temperature: float
    ) -> "WeightedAssignment":
        return WeightedAssignment(costs, self, multipliers, temperature)


def group_by_profiles(regions: Regions, profiles: Sequence[Array]) -> WeightedGroups:
    """Return the groups of given profiles: an object's weight is its dot product with each."""
    weights = np.hstack([overlap_with_profile(regions, profile) for profile in profiles])
    n, groups = weights.shape
    return WeightedGroups(np.zeros((n, 1), np.int32), 1 + groups, weights)


def overlap_with_profile(regions: Regions, profile: Array) -> Array:
    """Return what each object adds to the dot product with each cluster of a profile, n × K'."""
    table = np.ascontiguousarray(profile.T, np.float64)
    weights = np.empty((len(regions.codes), len(profile)))
    kernels.overlap_with_profiles(regions.codes, table, weights)
    return weights


class WeightedAssignment(SoftAssignment):
    """Memberships by costs and the multipliers of weighted groups."""

    groups: WeightedGroups

    def expected_crosstab(self) -> tuple[float, Array]:
        def work(begin: int, end: int) -> tuple[float, Array]:
            table = np.zeros(self.multipliers.shape)
            value = kernels.add_expected_counts(
                self.costs, *self._groups, self.multipliers, self.temperature, begin, end, table
            )
            return value, table

        done = by_blocks(len(self.costs), work)
        tables = [table for _, table in done]
        return sum(value for value, _ in done) / len(self.costs), sum(tables[1:], tables[0])

    def centroids(self, points: Array) -> tuple[Array, float]:
        def work(begin: int, end: int) -> tuple[Array, Array, float]:
            sums, sizes = np.zeros((clusters, points.shape[1])), np.zeros(clusters)
            inertia = kernels.add_to_centroids(
                points, self.costs, *self._groups, self.multipliers, self.temperature, begin, end,
                sums, sizes,
            )  # fmt: skip
            return sums, sizes, inertia

        clusters = self.costs.shape[1]
        return mean_of_blocks(by_blocks(len(self.costs), work), len(points))

    def round(self, noise: Array) -> Array:
        labels = np.empty(len(self.costs), np.int64)
        scaled = noise * self.temperature

        def work(begin: int, end: int) -> None:
            kernels.assign_cheapest(
                self.costs, *self._groups, self.multipliers, scaled, begin, end, labels
            )

        by_blocks(len(self.costs), work)
        return labels

    def find_move(
        self, gradient: Array, labels: Array, can_leave: Array, patterns: Array, tabu: Array
    ) -> tuple[int, int]:
        return kernels.find_move(
            self.costs, *self._groups, self.multipliers, gradient, labels, can_leave, patterns,
            tabu,
        )  # fmt: skip

    @property
    def _groups(self) -> tuple[Array, Array]:
        return self.groups.codes, self.groups.weights
