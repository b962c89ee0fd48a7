"""Balance constraints on profiles, and on the matching of profiles."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from clusterwise.alternatives.maximus.constraints import (
    MARGIN,
    BalanceConstraints,
    SizeBounds,
    Violation,
)
from clusterwise.inputs.encoding import Array
from experiments.maximus.variants.weighted_groups import WeightedGroups


class ProfileConstraints(BalanceConstraints):
    """Each cluster's profile has about the same dot product with every given cluster's.

    As proportions of the total, within the tolerance or one object where that is more.
    """

    groups: WeightedGroups

    def _one_object(self) -> Array:
        return self.groups.largest


class MatchingConstraints(BalanceConstraints):
    """The largest matching with each given clustering is at most a multiple of its lower bound.

    ``blocks`` are the numbers of clusters of the given clusterings. In the dual each has
    non-negative multipliers that cost the largest sum of a row or column of theirs, softened at the
    temperature: the weights of this soft maximum are the u and v of the matching's own dual.
    """

    groups: WeightedGroups

    def __init__(
        self,
        groups: WeightedGroups,
        size_bounds: SizeBounds,
        tolerance: float,
        blocks: Sequence[int],
    ) -> None:
        ends = 1 + np.cumsum(blocks)
        self.blocks = [slice(end - size, end) for end, size in zip(ends, blocks, strict=True)]
        super().__init__(groups, size_bounds, tolerance)

    def update_sizes(self, table: Array) -> None:
        """Nothing depends on the sizes."""

    def _prepare(self) -> None:
        # In units of each lower bound; one object more in each cluster is allowed.
        self.unit = np.empty((self.groups.count - 1, 1))
        self.allowed = []
        for block in self.blocks:
            matched = min(self.clusters, block.stop - block.start)
            least = np.sort(self.totals[block])[::-1][:matched].sum() / self.clusters
            self.unit[block.start - 1 : block.stop - 1] = least
            largest = self.groups.largest[block.start - 1 : block.stop - 1].max()
            self.allowed.append(max(self.tolerance, matched * largest / least))

    def _n_balance_multipliers(self) -> int:
        return (self.groups.count - 1) * self.clusters

    def _add_multipliers(self, x: Array, multipliers: Array) -> None:
        multipliers[1:] += x.reshape(-1, self.clusters) * self.n / self.unit

    def _balance_adjoint(self, table: Array) -> Array:
        return (table[1:] * self.n / self.unit).ravel()

    def _cost_of_balance(self, x: Array, temperature: float) -> tuple[float, Array]:
        each = x.reshape(-1, self.clusters)
        slope = np.empty(each.shape)
        cost = 0.0
        for block, allowed in zip(self.blocks, self.allowed, strict=True):
            rows = slice(block.start - 1, block.stop - 1)
            sums = np.concatenate([each[rows].sum(axis=1), each[rows].sum(axis=0)]) / temperature
            largest = sums.max()
            parts = np.exp(sums - largest)
            total = parts.sum()
            bound = 1.0 + MARGIN * allowed
            cost += bound * temperature * (largest + np.log(total))
            u, v = np.split(bound * parts / total, [block.stop - block.start])
            slope[rows] = u[:, None] + v
        return cost, slope.ravel()

    def _balance_violation(self, table: Array) -> Violation:
        worst, gradient = 0.0, np.zeros(table.shape)
        for block, allowed in zip(self.blocks, self.allowed, strict=True):
            part = table[block] / self.unit[block.start - 1]
            rows, columns = linear_sum_assignment(part, maximize=True)
            reached = float(part[rows, columns].sum()) / (1.0 + allowed)
            if reached > worst:
                worst, gradient[1:] = reached, 0.0
                gradient[block.start + rows, columns] = 1.0 / self.unit[block.start - 1]
        return Violation(worst, worst, gradient)
