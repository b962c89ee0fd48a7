"""Loops of coupled k-means against plain definitions; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusterwise.kernels import maximus_multipliers as coupling
from reference import maximus as naive


class Case:
    """Random objects, prices, and what the objects are part of."""

    def __init__(self, seed, n, clusters, joined, weighed, heat):
        random = np.random.default_rng(seed)
        self.random, self.heat = random, heat
        self.points = random.normal(size=(n, 2))
        self.centroids = random.normal(size=(clusters, 2))
        self.costs = random.random((n, clusters))
        self.codes = random.integers(0, 3, (n, joined)).astype(np.int32)
        self.weights = random.random((n, weighed)) * (random.random((n, weighed)) < 0.8)
        self.prices = random.normal(size=(3 + weighed, clusters))
        # Objects outside this stretch must not be touched.
        self.begin, self.end = sorted(random.integers(0, n + 1, 2).tolist())
        self.links = self.codes, self.weights
        self.paid = naive.pay(self.costs, *self.links, self.prices)

    def shares(self):
        """Shares of the objects of the stretch; zero for others."""
        shares = np.zeros(self.costs.shape)
        for i in range(self.begin, self.end):
            shares[i] = naive.soften(self.paid[i], self.heat)[0]
        return shares


cases = st.builds(
    Case,
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 9),
    clusters=st.integers(1, 4),
    joined=st.integers(1, 3),
    weighed=st.integers(0, 2),
    heat=st.sampled_from([1e-3, 0.1, 3.0]),
)


@given(cases)
def test_distances_and_how_far_they_range(case):
    costs = np.full(case.costs.shape, -1.0)
    wide = coupling.measure(case.points, case.centroids, case.begin, case.end, costs)
    expected = ((case.points[:, None, :] - case.centroids) ** 2).sum(axis=2)
    inside = slice(case.begin, case.end)
    np.testing.assert_allclose(costs[inside], expected[inside], atol=1e-12)
    assert (np.delete(costs, np.arange(case.begin, case.end), axis=0) == -1).all()
    assert wide == pytest.approx(np.ptp(expected[inside], axis=1).sum(), abs=1e-12)


@given(cases)
def test_pressing_adds_up_shares_and_soft_minima(case):
    table = np.ones(case.prices.shape)
    value = coupling.press(
        case.costs, *case.links, case.prices, case.heat, case.begin, case.end, table
    )
    minima = [naive.soften(row, case.heat)[1] for row in case.paid[case.begin : case.end]]
    assert value == pytest.approx(sum(minima), abs=1e-9)
    expected = naive.table_of(case.shares(), *case.links, len(case.prices))
    np.testing.assert_allclose(table, 1 + expected, atol=1e-9)


@given(cases)
def test_gathering_adds_up_objects_by_their_shares(case):
    sums, sizes = np.ones(case.centroids.shape), np.ones(len(case.centroids))
    spread = coupling.gather(
        case.points, case.costs, *case.links, case.prices, case.heat, case.begin, case.end, sums,
        sizes,
    )  # fmt: skip
    shares = case.shares()
    np.testing.assert_allclose(sums, 1 + shares.T @ case.points, atol=1e-9)
    np.testing.assert_allclose(sizes, 1 + shares.sum(axis=0), atol=1e-9)
    assert spread == pytest.approx((shares * case.costs).sum(), abs=1e-9)


@given(cases)
def test_objects_settle_where_they_pay_least(case):
    noise = case.random.gumbel(size=case.costs.shape)
    labels = np.full(len(case.costs), -1)
    coupling.settle(case.costs, *case.links, case.prices, noise, case.begin, case.end, labels)
    inside = slice(case.begin, case.end)
    np.testing.assert_array_equal(labels[inside], (case.paid - noise).argmin(axis=1)[inside])
    assert (np.delete(labels, np.arange(case.begin, case.end)) == -1).all()


@settings(max_examples=200)
@given(cases, st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_the_move_is_the_cheapest_of_those_that_gain(case, closed, apart):
    n, clusters = case.costs.shape
    random = case.random
    slope = random.normal(size=case.prices.shape)
    labels = random.integers(0, clusters, n)
    full = random.random(clusters) >= closed / 2
    kinds = np.arange(n) if apart else random.integers(0, 2, n)
    barred = random.random((n + 1, clusters, clusters)) < closed
    arguments = slope, labels, full, kinds, barred
    moved, to = coupling.find_move(case.costs, *case.links, case.prices, *arguments)
    moves = naive.explore_moves(case.paid, *case.links, *arguments)
    if not moves:
        assert (moved, to) == (-1, -1)
    else:
        assert moves[moved, to] == pytest.approx(min(moves.values()), rel=1e-9, abs=1e-12)
