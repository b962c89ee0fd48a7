"""Small problems with balance constraints, and what must hold for every kind of them."""

import numpy as np
import pytest

from clusterwise.alternatives.maximus import constraints as module
from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.multipliers import group_by_given, squared_distances
from clusterwise.alternatives.maximus.object_program import ObjectProgram, solve_object_program
from clusterwise.alternatives.maximus.region_profiles import find_regions
from clusterwise.inputs.binning.binning import Binned
from reference import maximus as naive

# The dual is solved for this fraction of the bounds.
MARGIN = 0.97
SHAPES = [((2,), 2), ((3,), 3), ((2,), 4), ((4,), 2), ((2, 3), 2), ((3, 2), 3)]


class Case:
    """A few objects with given clusterings, and balanced memberships as the constraint."""

    def __init__(self, seed, sizes, clusters, n=30, tolerance=0.1, least=1.0, distinct=0):
        random = np.random.default_rng(seed)
        self.random, self.sizes, self.clusters = random, tuple(sizes), clusters
        self.tolerance = tolerance
        # Every given cluster has an object; points separate them, so that the bounds bind.
        self.given = [random.permutation(np.arange(n) % size) for size in sizes]
        self.points = random.normal(size=(n, 2))
        for r, one in enumerate(self.given):
            self.points[:, r] += 3 * one
        if distinct:
            self.points = self.points[random.integers(0, distinct, n)]
        self.bins = [np.searchsorted(np.quantile(x, [0.25, 0.5, 0.75]), x) for x in self.points.T]
        self.regions = find_regions(Binned(self.bins, None, None))
        self.size_bounds = SizeBounds(np.full(clusters, least), np.full(clusters, float(n)))
        self.groups, self.parts = self.make_groups()
        self.blocks = np.split(self.parts, np.cumsum(sizes)[:-1], axis=1)
        centroids = self.points[random.choice(n, clusters, replace=False)]
        self.costs, self.mean_range = squared_distances(self.points, centroids)

    def make_groups(self):
        """The groups, and what objects add to each of them by definition."""
        groups = group_by_given(np.array(self.given), self.sizes)
        return groups, naive.memberships(self.given)

    def make_constraints(self, groups, bounds):
        return BalanceConstraints(groups, bounds, self.tolerance)

    def constrain(self, groups=None):
        groups = self.groups if groups is None else groups
        bounds = self.size_bounds.scaled(len(groups.codes) / len(self.points))
        return self.make_constraints(groups, bounds)

    def solve_exactly(self, proportions):
        """The value of the linear program whose dual is solved."""
        grain = self.parts.max(axis=0) / self.parts.sum(axis=0)
        bounds = MARGIN * np.maximum(self.tolerance * proportions, grain[:, None])
        return naive.solve_evenly(self.costs, self.parts, *self.size_bounds, bounds)

    def softness(self, temperature):
        """How far the smooth dual may be below the exact one."""
        return temperature * np.log(self.clusters)

    def even(self):
        """The same proportion for every cluster."""
        return np.full(self.clusters, 1 / self.clusters)

    def program(self):
        joint = np.unique(np.array(self.given), axis=1, return_inverse=True)[1].ravel()
        random = np.random.RandomState(0)
        return ObjectProgram(self.points, self.groups, self.constrain, joint, self.clusters, random)

    def balance_ratio(self, labels):
        return naive.unevenness(self.parts, labels, self.clusters, self.tolerance)

    def ratio(self, labels):
        """The largest deviation divided by its bound by definition, sizes included."""
        sizes = np.bincount(labels, minlength=self.clusters)
        low, high = self.size_bounds
        return max(self.balance_ratio(labels), (low / sizes).max(), (sizes / high).max())


def solve_and_watch(constraints, costs, temperature, steps):
    """Solve, and return the function that was minimised: the negative dual and its gradient."""
    seen = []
    real = module.minimize

    def watch(function, *arguments, **options):
        seen.append(function)
        return real(function, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "minimize", watch)
        constraints.solve(costs, temperature, steps)
    return seen[0]


def check_gradient_of_the_dual(case):
    constraints = case.constrain()
    dual = solve_and_watch(constraints, case.costs, 0.3 * case.mean_range, 3)
    x = case.random.random(constraints.x.size)
    step = 1e-6  # differences have about half the digits of their terms
    slope = [(dual(x + step * e)[0] - dual(x - step * e)[0]) / (2 * step) for e in np.eye(x.size)]
    np.testing.assert_allclose(dual(x)[1], slope, rtol=1e-5, atol=1e-6)


def check_dual_reaches_the_linear_program(case):
    """Whether the bounds bind, too."""
    exact = case.solve_exactly(case.even())
    free = naive.solve_evenly(case.costs, case.parts[:, :0], *case.size_bounds, [])
    constraints = case.constrain()
    for temperature in case.mean_range * np.array([1e-1, 1e-2, 1e-3, 3e-4, 3e-4]):
        dual = solve_and_watch(constraints, case.costs, temperature, 5000)
    reached = -dual(constraints.x)[0]
    # A soft minimum is below the least cost by so much at most, a soft maximum above; the solver
    # stops where a step gains a billionth.
    softness = case.softness(temperature)
    assert exact - softness - 1e-5 * case.mean_range <= reached <= exact + 1e-9
    return exact > free + 1e-6


def check_weak_duality(case):
    constraints = case.constrain()
    proportions = case.even()
    if case.random.random() < 0.5:
        proportions = case.random.dirichlet(np.ones(case.clusters))
        sizes = proportions * len(case.points)
        constraints.update_sizes(sizes * np.ones((case.groups.count, 1)))
    dual = solve_and_watch(constraints, case.costs, 0.01 * case.mean_range + 1e-12, 20)
    exact = case.solve_exactly(proportions)
    for scale in (0.0, 0.01, 1.0, 100.0):
        assert -dual(scale * case.random.random(constraints.x.size))[0] <= exact + 1e-9
    assert -dual(constraints.x)[0] <= exact + 1e-9


def check_violation_by_definition(case, n):
    labels = case.random.permutation(np.arange(n) % case.clusters)
    table = case.groups.crosstab(labels, case.clusters)
    expected = case.parts.T @ np.eye(case.clusters)[labels]
    np.testing.assert_allclose(table[1:], expected, atol=1e-9)
    np.testing.assert_array_equal(table[0], np.bincount(labels, minlength=case.clusters))
    ratio = case.constrain().violation(table).ratio
    assert ratio == pytest.approx(case.ratio(labels), rel=1e-9)


def check_gradient_of_the_violation(case):
    constraints = case.constrain()
    table = case.groups.crosstab(case.random.permutation(np.arange(30) % 3), 3)
    table += 0.3 * case.random.random(table.shape)
    found = constraints.violation(table)
    step = 1e-5  # differences have about half the digits of their terms
    slope = np.empty(table.shape)
    for cell in np.ndindex(table.shape):
        there, back = table.copy(), table.copy()
        there[cell] += step
        back[cell] -= step
        rise = constraints.violation(there).potential - constraints.violation(back).potential
        slope[cell] = rise / (2 * step)
    np.testing.assert_allclose(found.gradient, slope, rtol=1e-4, atol=1e-6 * np.abs(slope).max())


def check_potential_grows_with_the_violation(case):
    constraints = case.constrain()
    even = np.argsort(np.argsort(case.given[0], kind="stable"), kind="stable") % 3
    within, beyond = (
        constraints.violation(case.groups.crosstab(labels, 3)) for labels in (even, case.given[0])
    )
    assert within.ratio <= 1 < beyond.ratio
    assert within.potential < beyond.potential


def check_runs_end_feasible(case):
    run = solve_object_program(case.program(), 4, 20)[-1]
    assert run.ratio == pytest.approx(case.ratio(run.labels), rel=1e-9)
    assert case.ratio(run.labels) <= 1 + 1e-9
    assert run.ratio <= 1
    centred = case.points - case.points.mean(axis=0)
    means = np.array([case.points[run.labels == k].mean(axis=0) for k in range(case.clusters)])
    np.testing.assert_allclose(run.centroids, means, atol=1e-9)
    within = ((case.points - means[run.labels]) ** 2).sum()
    total = (centred**2).sum()
    assert run.inertia == pytest.approx(within / total if total > 1e-20 else run.inertia, rel=1e-6)


def check_multipliers_vanish_where_nothing_binds(case):
    """With wide bounds all multipliers are 0, and objects are with the nearest centroid."""
    case.size_bounds.low[:] = 0.0
    assignment = case.constrain().solve(case.costs, 1e-6 * case.mean_range, 50)
    assert np.abs(assignment.multipliers).max() == 0
    nearest = assignment.round(np.zeros(case.costs.shape))
    np.testing.assert_array_equal(nearest, case.costs.argmin(axis=1))
