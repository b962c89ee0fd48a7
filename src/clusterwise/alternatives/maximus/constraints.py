"""Constraints of the object-level program: balance with respect to the given clusters, and sizes.

The constraints are enforced by Lagrange multipliers, found by minimising the negative dual, which
is smooth at a positive temperature.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, minimize

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.maximus.multipliers import Groups, SoftAssignment
from clusterwise.inputs.encoding import Array

# The dual is solved for slightly tighter bounds, since its solution is approximate.
MARGIN = 0.97
# The exponent of the potential: the larger, the more the worst violations count.
_POWER = 8
# A ratio above 1 by no more than this is rounding.
_ROUNDING = 1e-9


class SizeBounds(NamedTuple):
    """The least and the largest size of each cluster."""

    low: Array
    high: Array

    def scaled(self, factor: float) -> "SizeBounds":
        """Return the bounds for a sample with this fraction of the objects."""
        return SizeBounds(self.low * factor, self.high * factor)


class Violation(NamedTuple):
    """How far a clustering is from the bounds.

    ``ratio`` is the largest deviation divided by its bound, at most 1 if all bounds are satisfied.
    ``potential`` is a smooth function that grows with the violations, ``gradient`` its derivative
    by the cells of the group × cluster table.
    """

    ratio: float
    potential: float
    gradient: Array


class BalanceConstraints:
    """Each cluster has about the same proportion of every given cluster.

    The proportion of given cluster k that is in cluster l differs from the proportion s_l of all
    objects by at most ``tolerance`` times s_l, or by one object where that is more. Cluster sizes
    lie within their bounds.

    The vector ``x`` of multipliers, all non-negative, has those of the upper and the lower balance
    bounds, then those of the lower and the upper size bounds.
    """

    def __init__(self, groups: Groups, size_bounds: SizeBounds, tolerance: float) -> None:
        self.groups, self.size_bounds, self.tolerance = groups, size_bounds, tolerance
        self.n, self.clusters = len(groups.codes), size_bounds.low.size
        self.totals = np.maximum(groups.sizes, 1e-300)
        self.size_limits = np.concatenate([-size_bounds.low, size_bounds.high]) / self.n
        self.evaluations = 0
        self.x = np.zeros(self._n_balance_multipliers() + 2 * self.clusters)
        self.domain = Bounds(np.zeros(self.x.size), np.full(self.x.size, np.inf))
        self._prepare()

    def solve(self, costs: Array, temperature: float, steps: int) -> SoftAssignment:
        """Return the soft assignment at the best multipliers, starting from the last ones."""

        def negative_dual(x: Array) -> tuple[float, Array]:
            self.evaluations += 1
            value, table = self._assign(costs, x, temperature).expected_crosstab()
            cost, slope = self._cost_of_bounds(x, temperature)
            return cost - value, slope - self._adjoint(table / self.n)

        with one_library_thread_if_small(self.x.size):
            found = minimize(
                negative_dual, self.x, jac=True, method="L-BFGS-B", bounds=self.domain,
                options={"maxiter": steps, "ftol": 1e-9},
            )  # fmt: skip
        self.x = found.x
        return self._assign(costs, self.x, temperature)

    def update_sizes(self, table: Array) -> None:
        """Set the balance bounds for the cluster sizes of this table."""
        self._set_proportions(table[0] / self.n)

    def violation(self, table: Array) -> Violation:
        """Return how far the table of a clustering is from the bounds."""
        balance = self._balance_violation(table)
        sizes = np.maximum(table[0], 1e-9)
        low = self.size_bounds.low / sizes
        high = sizes / np.maximum(self.size_bounds.high, 1e-9)
        balance.gradient[0] += (_slope(high) * high - _slope(low) * low) / sizes
        ratio = max(balance.ratio, float(low.max()), float(high.max()))
        return Violation(
            1.0 if 1.0 < ratio <= 1.0 + _ROUNDING else ratio,
            balance.potential + _power_sum(low) + _power_sum(high),
            balance.gradient,
        )

    def _assign(self, costs: Array, x: Array, temperature: float) -> SoftAssignment:
        low, high = x[-2 * self.clusters :].reshape(2, -1)
        multipliers = np.zeros((self.groups.count, self.clusters))
        multipliers[0] = high - low
        self._add_multipliers(x[: -2 * self.clusters], multipliers)
        return self.groups.soft_assignment(costs, multipliers, temperature)

    def _adjoint(self, table: Array) -> Array:
        """Return the constraint functions at this table, one for each multiplier."""
        return np.concatenate([self._balance_adjoint(table), -table[0], table[0]])

    def _cost_of_bounds(self, x: Array, temperature: float) -> tuple[float, Array]:
        cost, slope = self._cost_of_balance(x[: -2 * self.clusters], temperature)
        cost += float(self.size_limits @ x[-2 * self.clusters :])
        return cost, np.concatenate([slope, self.size_limits])

    def _prepare(self) -> None:
        totals = self.totals[1:, None]
        self.rate = self.n / totals
        self.grain = self._one_object()[:, None] / totals
        # Preconditioning: the multipliers are all of one scale.
        self.scale = np.sqrt(self.rate)
        self._set_proportions(np.full(self.clusters, 1.0 / self.clusters))

    def _one_object(self) -> Array:
        """Return what one object adds at most to each group, but for the first."""
        return np.ones(self.groups.count - 1)

    def _set_proportions(self, proportions: Array) -> None:
        bound = (MARGIN * self._bound(proportions) / self.scale).ravel()
        self.bounds = np.concatenate([bound, bound])

    def _bound(self, proportions: Array) -> Array:
        return np.maximum(self.tolerance * proportions, self.grain)

    def _n_balance_multipliers(self) -> int:
        return 2 * (self.groups.count - 1) * self.clusters

    def _add_multipliers(self, x: Array, multipliers: Array) -> None:
        upper, lower = x.reshape(2, -1, self.clusters)
        each = (upper - lower) / self.scale
        multipliers[1:] += each * self.rate
        multipliers[0] -= each.sum(axis=0)

    def _balance_adjoint(self, table: Array) -> Array:
        deviations = ((table[1:] * self.rate - table[0]) / self.scale).ravel()
        return np.concatenate([deviations, -deviations])

    def _cost_of_balance(self, x: Array, temperature: float) -> tuple[float, Array]:  # noqa: ARG002
        """Return what the bounds contribute to the negative dual, and its gradient."""
        return float(self.bounds @ x), self.bounds

    def _balance_violation(self, table: Array) -> Violation:
        proportions = table[0] / self.n
        bound = self._bound(proportions)
        ratios = (table[1:] / self.totals[1:, None] - proportions) / bound
        ratios[self.totals[1:] < 1e-100] = 0.0
        gradient = np.zeros(table.shape)
        each = np.sign(ratios) * _slope(np.abs(ratios)) / bound
        gradient[1:] = each / self.totals[1:, None]
        size = np.abs(ratios)
        # Where the bound is proportional to the size, a larger cluster has a wider bound.
        proportional = self.tolerance * proportions > self.grain
        widening = np.where(proportional, size * _slope(size), 0.0) / np.maximum(
            proportions, 1e-300
        )
        gradient[0] = -(each + widening).sum(axis=0) / self.n
        return Violation(float(size.max(initial=0.0)), _power_sum(size), gradient)


def _power_sum(ratios: Array) -> float:
    """Return a smooth stand-in for the largest ratio."""
    return float((ratios**_POWER).sum()) / _POWER


def _slope(ratios: Array) -> Array:
    """Return the derivative of the power sum."""
    return ratios ** (_POWER - 1)
