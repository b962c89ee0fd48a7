"""The kernels of regions against plain loops; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment

from clusterwise.kernels import maximus_rounding as kernels
from helpers.strategies import max_examples

seeds = st.integers(0, 2**32 - 1)


def draw_costs(seed, whole):
    """Costs of objects in clusters, capacities for all of them, and potentials to start from."""
    random = np.random.default_rng(seed)
    shape = int(random.integers(1, 25)), int(random.integers(1, 6))
    costs = random.integers(0, 4, shape).astype(float) if whole else random.random(shape)
    capacities = random.multinomial(shape[0], random.dirichlet(np.ones(shape[1])))
    return costs, capacities, random.normal(size=shape[1])


@max_examples(60)
@given(seeds, st.booleans())
def test_the_assignment_costs_least_and_keeps_capacities(seed, whole):
    costs, capacities, potentials = draw_costs(seed, whole)
    labels = np.empty(len(costs), np.int32)
    kernels.assign_within_capacities(costs, capacities, potentials, labels)
    np.testing.assert_array_equal(np.bincount(labels, minlength=capacities.size), capacities)
    slots = np.repeat(costs, capacities, axis=1)
    objects = np.arange(len(costs))
    assert costs[objects, labels].sum() == pytest.approx(slots[linear_sum_assignment(slots)].sum())
    # At the potentials no move has a negative reduced cost: a certificate of optimality.
    least = (costs + potentials).min(axis=1)
    np.testing.assert_allclose((costs + potentials)[objects, labels], least, atol=1e-9)


def draw_regions(seed):
    """Objects in regions 0…2 of one feature and 3…4 of another, and points in the plane."""
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 20))
    codes = np.column_stack([random.integers(0, 3, n), random.integers(3, 5, n)]).astype(np.int32)
    return codes, random.normal(size=(n, 2)), random


@max_examples(30)
@given(seeds)
def test_tables_of_regions(seed):
    codes, points, random = draw_regions(seed)
    labels = random.integers(0, 4, len(codes))
    profile = np.zeros((4, 5), np.int64)
    kernels.count_cells(codes, labels, profile)
    inside = (codes[:, :, None] == np.arange(5)).any(axis=1)
    for k in range(4):
        np.testing.assert_array_equal(profile[k], inside[labels == k].sum(axis=0))
    sums = np.zeros((5, 2))
    kernels.add_points(codes, points, sums)
    np.testing.assert_allclose(sums, [points[inside[:, v]].sum(axis=0) for v in range(5)])


@max_examples(20)
@given(seed=seeds)
def test_capacities_hold_in_every_region(seed):
    codes, points, random = draw_regions(seed)
    sizes = np.bincount(codes.ravel(), minlength=5)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    order = np.empty(codes.size, np.int32)
    kernels.list_members(codes, starts, order)
    for v in range(5):
        members = np.flatnonzero((codes == v).any(axis=1))
        np.testing.assert_array_equal(order[starts[v] : starts[v + 1]], members)
    capacities = np.array([random.multinomial(size, [0.5, 0.3, 0.2]) for size in sizes])
    centroids = random.normal(size=(3, 2))
    labels = np.full(order.size, -1, np.int32)
    inertias = np.zeros(5)
    for first, last in ((0, 2), (2, 5)):
        potentials = np.zeros((5, 3))
        kernels.assign_regions(
            points, order, starts, first, last, capacities, centroids, potentials, labels,
            inertias,
        )  # fmt: skip
    of = np.repeat(np.arange(5), sizes)
    np.testing.assert_array_equal(
        np.bincount(of * 3 + labels, minlength=15).reshape(5, 3), capacities
    )
    apart = ((points[order] - centroids[labels]) ** 2).sum(axis=1)
    np.testing.assert_allclose(inertias, np.bincount(of, apart, minlength=5))
    votes = np.zeros((len(points), 3), np.int32)
    kernels.count_votes(order, labels, votes)
    np.testing.assert_array_equal(votes.sum(axis=1), 2)
    np.testing.assert_array_equal(votes.sum(axis=0), capacities.sum(axis=0))
    sums = np.zeros((3, 2))
    kernels.add_by_votes(points, votes, sums)
    np.testing.assert_allclose(sums, votes.T @ points, atol=1e-12)


@given(seeds)
def test_most_votes_win_and_draws_decide_ties(seed):
    random = np.random.default_rng(seed)
    votes = random.multinomial(3, np.ones(4) / 4, size=8).astype(np.int32)
    draws = random.random(8)
    labels = np.empty(8, np.int64)
    kernels.majority_vote(votes, draws, labels)
    for row, draw, label in zip(votes, draws, labels, strict=True):
        winners = np.flatnonzero(row == row.max())
        assert label == winners[int(draw * winners.size)]
