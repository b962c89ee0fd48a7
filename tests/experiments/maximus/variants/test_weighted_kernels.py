"""Kernels with weighted groups by definition."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from experiments.maximus.variants import weighted_kernels as kernels
from helpers.strategies import max_examples
from reference import maximus as naive


class Case:
    """Random objects, their groups, and multipliers."""

    def __init__(self, seed, n, clusters, joined, weighed, temperature):
        random = np.random.default_rng(seed)
        self.random, self.temperature = random, temperature
        self.points = random.normal(size=(n, 2))
        self.costs = random.random((n, clusters))
        self.codes = random.integers(0, 3, (n, joined)).astype(np.int32)
        self.weights = random.random((n, weighed)) * (random.random((n, weighed)) < 0.8)
        self.multipliers = random.normal(size=(3 + weighed, clusters))
        # Objects outside this range must not be touched.
        self.begin, self.end = sorted(random.integers(0, n + 1, 2).tolist())
        self.groups = self.codes, self.weights
        self.penalised = naive.penalised_costs(self.costs, *self.groups, self.multipliers)

    def memberships(self):
        """Memberships of the objects of the range; zero for others."""
        memberships = np.zeros(self.costs.shape)
        for i in range(self.begin, self.end):
            memberships[i] = naive.softmin(self.penalised[i], self.temperature)[0]
        return memberships


cases = st.builds(
    Case,
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 9),
    clusters=st.integers(1, 4),
    joined=st.integers(1, 3),
    weighed=st.integers(0, 2),
    temperature=st.sampled_from([1e-3, 0.1, 3.0]),
)


@given(cases)
def test_expected_counts_and_soft_minima(case):
    table = np.ones(case.multipliers.shape)
    value = kernels.add_expected_counts(
        case.costs, *case.groups, case.multipliers, case.temperature, case.begin, case.end, table
    )
    minima = [
        naive.softmin(row, case.temperature)[1] for row in case.penalised[case.begin : case.end]
    ]
    assert value == pytest.approx(sum(minima), abs=1e-9)
    expected = naive.expected_crosstab(case.memberships(), *case.groups, len(case.multipliers))
    np.testing.assert_allclose(table, 1 + expected, atol=1e-9)


@given(cases)
def test_centroids_add_up_objects_by_membership(case):
    sums, sizes = np.ones((case.costs.shape[1], 2)), np.ones(case.costs.shape[1])
    inertia = kernels.add_to_centroids(
        case.points, case.costs, *case.groups, case.multipliers, case.temperature, case.begin,
        case.end, sums, sizes,
    )  # fmt: skip
    memberships = case.memberships()
    np.testing.assert_allclose(sums, 1 + memberships.T @ case.points, atol=1e-9)
    np.testing.assert_allclose(sizes, 1 + memberships.sum(axis=0), atol=1e-9)
    assert inertia == pytest.approx((memberships * case.costs).sum(), abs=1e-9)


@given(cases)
def test_objects_go_where_the_penalised_cost_is_least(case):
    noise = case.random.gumbel(size=case.costs.shape)
    labels = np.full(len(case.costs), -1)
    kernels.assign_cheapest(
        case.costs, *case.groups, case.multipliers, noise, case.begin, case.end, labels
    )
    inside = slice(case.begin, case.end)
    np.testing.assert_array_equal(labels[inside], (case.penalised - noise).argmin(axis=1)[inside])
    assert (np.delete(labels, np.arange(case.begin, case.end)) == -1).all()


@max_examples(200)
@given(cases, st.sampled_from([0.0, 0.5, 1.0]), st.booleans())
def test_the_move_has_the_least_cost_per_improvement(case, closed, apart):
    n, clusters = case.costs.shape
    random = case.random
    gradient = random.normal(size=case.multipliers.shape)
    labels = random.integers(0, clusters, n)
    can_leave = random.random(clusters) >= closed / 2
    patterns = np.arange(n) if apart else random.integers(0, 2, n)
    tabu = random.random((n + 1, clusters, clusters)) < closed
    arguments = gradient, labels, can_leave, patterns, tabu
    moved, target = kernels.find_move(case.costs, *case.groups, case.multipliers, *arguments)
    moves = naive.list_moves(case.penalised, *case.groups, *arguments)
    if not moves:
        assert (moved, target) == (-1, -1)
    else:
        assert moves[moved, target] == pytest.approx(min(moves.values()), rel=1e-9, abs=1e-12)
