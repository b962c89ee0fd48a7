"""What is held down: the dual against the exact linear program, and excess against its meaning."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusterwise.alternatives.maximus import holding as module
from clusterwise.alternatives.maximus.direct import Problem, draw_starts, find_directly, follow
from clusterwise.alternatives.maximus.holding import Room, choose_holding
from clusterwise.alternatives.maximus.multipliers import Priced, measure, tabulate
from clusterwise.alternatives.maximus.regions import find_regions
from clusterwise.inputs.binning.binning import Binned
from reference import maximus as naive

BALANCES = ("membership", "matching", "profile")
# Prices are made for so much of what is allowed.
MARGIN = 0.97
seeds = st.integers(0, 2**32 - 1)


class Case:
    """A few objects with given clusterings, as the module and as the definitions see them."""

    def __init__(self, seed, balance, sizes, clusters, n=30, tolerance=0.1, least=1.0, distinct=0):
        random = np.random.default_rng(seed)
        self.random, self.balance = random, balance
        self.clusters, self.tolerance = clusters, tolerance
        # Every given cluster has an object; points tell them apart, so that bounds matter.
        self.given = [random.permutation(np.arange(n) % size) for size in sizes]
        self.points = random.normal(size=(n, 2))
        for r, one in enumerate(self.given):
            self.points[:, r] += 3 * one
        if distinct:
            self.points = self.points[random.integers(0, distinct, n)]
        bins = [np.searchsorted(np.quantile(x, [0.25, 0.5, 0.75]), x) for x in self.points.T]
        regions = find_regions(Binned(bins, None, None))
        profiles = [regions.tally(one, size) for one, size in zip(self.given, sizes, strict=True)]
        self.room = Room(np.full(clusters, least), np.full(clusters, float(n)))
        self.links, self.hold = choose_holding(
            balance, np.array(self.given), tuple(sizes), regions, profiles, self.room, tolerance
        )
        if balance == "membership":
            self.parts = naive.memberships(self.given)
        else:
            self.parts = naive.overlaps(dict(enumerate(bins)), self.given)
        self.blocks = np.split(self.parts, np.cumsum(sizes)[:-1], axis=1)
        centroids = self.points[random.choice(n, clusters, replace=False)]
        self.costs, self.wide = measure(self.points, centroids)

    def ceilings(self):
        """What matchings may reach where prices are made, and the lower bounds."""
        bounds = np.array([naive.bound_of(parts, self.clusters) for parts in self.blocks])
        few = [min(self.clusters, parts.shape[1]) * parts.max() for parts in self.blocks]
        return bounds + MARGIN * np.maximum(self.tolerance * bounds, few), bounds

    def solve_exactly(self, shares):
        """The value of the linear program whose prices the holding looks for."""
        if self.balance == "matching":
            return naive.solve_matched(self.costs, self.blocks, *self.room, self.ceilings()[0])
        grain = self.parts.max(axis=0) / self.parts.sum(axis=0)
        bounds = MARGIN * np.maximum(self.tolerance * shares, grain[:, None])
        return naive.solve_evenly(self.costs, self.parts, *self.room, bounds)

    def even(self):
        """The same share for every cluster."""
        return np.full(self.clusters, 1 / self.clusters)

    def problem(self):
        joint = np.unique(np.array(self.given), axis=1, return_inverse=True)[1].ravel()
        random = np.random.RandomState(0)
        return Problem(self.points, self.links, self.hold, joint, self.clusters, random)

    def excess(self, labels):
        """From the definition, sizes included."""
        sizes = np.bincount(labels, minlength=self.clusters)
        if self.balance == "matching":
            worst = naive.overmatching(self.blocks, labels, self.clusters, self.tolerance)
        else:
            worst = naive.unevenness(self.parts, labels, self.clusters, self.tolerance)
        return max(worst, (self.room.low / sizes).max(), (sizes / self.room.high).max())


def solve_and_see(holding, costs, heat, steps):
    """Solve, and give back the function that was minimised: the negative dual and its slope."""
    seen = []
    real = module.minimize

    def watch(function, *arguments, **options):
        seen.append(function)
        return real(function, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "minimize", watch)
        holding.solve(costs, heat, steps)
    return seen[0]


each_balance = pytest.mark.parametrize("balance", BALANCES)
each_shape = pytest.mark.parametrize(
    ("sizes", "clusters"), [((2,), 2), ((3,), 3), ((2,), 4), ((4,), 2), ((2, 3), 2), ((3, 2), 3)]
)


@each_balance
@each_shape
def test_the_slope_of_the_dual_is_its_derivative(balance, sizes, clusters):
    case = Case(1, balance, sizes, clusters)
    holding = case.hold(case.links)
    dual = solve_and_see(holding, case.costs, 0.3 * case.wide, 3)
    x = case.random.random(holding.x.size)
    step = 1e-6
    slope = [(dual(x + step * e)[0] - dual(x - step * e)[0]) / (2 * step) for e in np.eye(x.size)]
    np.testing.assert_allclose(dual(x)[1], slope, rtol=1e-5, atol=1e-6)


@each_balance
@each_shape
def test_the_dual_reaches_the_linear_program(balance, sizes, clusters):
    binding = 0
    for seed in range(3):
        case = Case(seed, balance, sizes, clusters, least=4.0)
        exact = case.solve_exactly(case.even())
        binding += exact > naive.solve_evenly(case.costs, case.parts[:, :0], *case.room, []) + 1e-6
        holding = case.hold(case.links)
        for heat in case.wide * np.array([1e-1, 1e-2, 1e-3, 3e-4, 3e-4]):
            dual = solve_and_see(holding, case.costs, heat, 5000)
        # A soft minimum is below the least cost by so much at most, a soft maximum above.
        softness = heat * np.log(clusters)
        if balance == "matching":
            ceilings, bounds = case.ceilings()
            softness += heat * sum(ceilings / bounds * np.log(np.array(sizes) + clusters))
        reached = -dual(holding.x)[0]
        assert exact - softness - 1e-5 * case.wide <= reached <= exact + 1e-9
    assert binding


@settings(max_examples=60)
@given(seeds, st.sampled_from(BALANCES), st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_no_prices_beat_the_linear_program(seed, balance, size, clusters, count):
    case = Case(seed, balance, (size,) * count, clusters, n=8)
    holding = case.hold(case.links)
    shares = case.even()
    if case.random.random() < 0.5:
        shares = case.random.dirichlet(np.ones(clusters))
        holding.follow(shares * len(case.points) * np.ones((case.links.rows, 1)))
    dual = solve_and_see(holding, case.costs, 0.01 * case.wide + 1e-12, 20)
    exact = case.solve_exactly(shares)
    for scale in (0.0, 0.01, 1.0, 100.0):
        assert -dual(scale * case.random.random(holding.x.size))[0] <= exact + 1e-9
    assert -dual(holding.x)[0] <= exact + 1e-9


@settings(max_examples=60)
@given(
    seeds,
    st.sampled_from(BALANCES),
    st.sampled_from([(1,), (2,), (3,), (2, 3)]),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.05, 1.0]),
)
def test_excess_is_what_its_definition_says(seed, balance, sizes, clusters, tolerance):
    case = Case(seed, balance, sizes, clusters, n=12, tolerance=tolerance, least=2.5)
    labels = case.random.permutation(np.arange(12) % clusters)
    table = tabulate(case.links, labels, clusters)
    np.testing.assert_allclose(table[1:], case.parts.T @ np.eye(clusters)[labels], atol=1e-9)
    np.testing.assert_array_equal(table[0], np.bincount(labels, minlength=clusters))
    worst = case.hold(case.links).excess(table).worst
    assert worst == pytest.approx(case.excess(labels), rel=1e-9)


@pytest.mark.parametrize("balance", ["membership", "profile"])
@pytest.mark.parametrize("tolerance", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("least", [1.0, 9.0])
def test_the_slope_of_an_excess_is_its_derivative(balance, tolerance, least):
    case = Case(3, balance, (2, 3), 3, tolerance=tolerance, least=least)
    holding = case.hold(case.links)
    table = tabulate(case.links, case.random.permutation(np.arange(30) % 3), 3)
    table += 0.3 * case.random.random(table.shape)
    found = holding.excess(table)
    step = 1e-5
    slope = np.empty(table.shape)
    for cell in np.ndindex(table.shape):
        there, back = table.copy(), table.copy()
        there[cell] += step
        back[cell] -= step
        rise = holding.excess(there).potential - holding.excess(back).potential
        slope[cell] = rise / (2 * step)
    np.testing.assert_allclose(found.slope, slope, rtol=1e-4, atol=1e-6 * np.abs(slope).max())


@each_balance
def test_a_smaller_excess_has_a_smaller_potential(balance):
    case = Case(0, balance, (3,), 3)
    holding = case.hold(case.links)
    even = np.argsort(np.argsort(case.given[0], kind="stable"), kind="stable") % 3
    within, beyond = (
        holding.excess(tabulate(case.links, labels, 3)) for labels in (even, case.given[0])
    )
    assert within.worst <= 1 < beyond.worst
    assert within.potential < beyond.potential


@settings(max_examples=60)
@given(
    seeds,
    st.sampled_from(BALANCES),
    st.sampled_from([((2,), 2), ((3,), 3), ((5,), 2), ((2,), 4), ((2, 3), 2)]),
    st.sampled_from([0, 1, 3]),
)
def test_runs_end_within_bounds_and_say_how_far(seed, balance, shape, distinct):
    case = Case(seed, balance, *shape, n=60, least=5.0, distinct=distinct)
    run = find_directly(case.problem(), 4, 20)[-1]
    assert run.excess == pytest.approx(case.excess(run.labels), rel=1e-9)
    assert case.excess(run.labels) <= 1 + 1e-9
    assert run.excess <= 1
    centred = case.points - case.points.mean(axis=0)
    means = np.array([case.points[run.labels == k].mean(axis=0) for k in range(case.clusters)])
    np.testing.assert_allclose(run.centroids, means, atol=1e-9)
    left = ((case.points - means[run.labels]) ** 2).sum()
    whole = (centred**2).sum()
    assert run.spread == pytest.approx(left / whole if whole > 1e-20 else run.spread, rel=1e-6)


def test_lopsided_given_clusters_are_still_shared_out():
    """One given cluster of two objects, one of all others but ten."""
    random = np.random.default_rng(0)
    one = np.repeat([0, 1, 2], [2, 10, 108])
    points = random.normal(size=(120, 2)) + 4 * one[:, None]
    regions = find_regions(Binned([one], None, None))
    room = Room(np.full(3, 12.0), np.full(3, 120.0))
    links, hold = choose_holding(
        "membership", one[None, :], (3,), regions, [regions.tally(one, 3)], room, 0.05
    )
    problem = Problem(points, links, hold, one, 3, np.random.RandomState(0))
    for run in (follow(problem, start, 20) for start in draw_starts(problem, 4)):
        assert run.excess <= 1
        assert naive.unevenness(naive.memberships([one]), run.labels, 3, 0.05) <= 1 + 1e-9
        assert np.bincount(run.labels).min() >= 12


@each_balance
def test_prices_only_matter_where_bounds_bind(balance):
    """With all the room there is, nothing is charged, and objects are with the nearest."""
    case = Case(0, balance, (3,), 3, tolerance=1e3)
    case.room.low[:] = 0.0
    priced = case.hold(case.links).solve(case.costs, 1e-6 * case.wide, 50)
    assert isinstance(priced, Priced)
    assert np.abs(priced.prices).max() == 0
    nearest = priced.settle(np.zeros(case.costs.shape))
    np.testing.assert_array_equal(nearest, case.costs.argmin(axis=1))
