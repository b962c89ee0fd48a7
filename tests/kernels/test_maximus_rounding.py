"""The kernels of regions against plain loops; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linear_sum_assignment

from clusterwise.kernels import maximus_rounding as kernels

seeds = st.integers(0, 2**32 - 1)


def draw_costs(seed, whole):
    """Costs of objects in clusters, room for just all of them, and any prices to start from."""
    random = np.random.default_rng(seed)
    shape = int(random.integers(1, 25)), int(random.integers(1, 6))
    costs = random.integers(0, 4, shape).astype(float) if whole else random.random(shape)
    room = random.multinomial(shape[0], random.dirichlet(np.ones(shape[1])))
    return costs, room, random.normal(size=shape[1])


@settings(max_examples=60)
@given(seeds, st.booleans())
def test_exact_sharing_costs_least_and_keeps_capacities(seed, whole):
    costs, room, prices = draw_costs(seed, whole)
    labels = np.empty(len(costs), np.int32)
    kernels.share_exactly(costs, room, prices, labels)
    np.testing.assert_array_equal(np.bincount(labels, minlength=room.size), room)
    places = np.repeat(costs, room, axis=1)
    objects = np.arange(len(costs))
    assert costs[objects, labels].sum() == pytest.approx(
        places[linear_sum_assignment(places)].sum()
    )
    # Nobody wants to move at the prices that are left behind, which is why it is the least.
    wanted = (costs + prices).min(axis=1)
    np.testing.assert_allclose((costs + prices)[objects, labels], wanted, atol=1e-9)


def share_naively(costs, room):
    """Algorithm 2: the smallest number of the matrix, again and again."""
    matrix, left, labels = costs.copy(), room.copy(), np.full(len(costs), -1)
    while (labels < 0).any():
        i, k = np.unravel_index(matrix.argmin(), matrix.shape)
        if left[k] > 0:
            labels[i] = k
            left[k] -= 1
            matrix[i] = np.inf
        else:
            matrix[i, k] = np.inf
    return labels


@settings(max_examples=60)
@given(seeds, st.booleans())
def test_greedy_sharing_is_algorithm_2(seed, whole):
    costs, room, _ = draw_costs(seed, whole)
    labels = np.empty(len(costs), np.int32)
    kernels.share_greedily(costs, room, labels)
    np.testing.assert_array_equal(labels, share_naively(costs, room))


def draw_regions(seed):
    """Objects in regions 0…2 of one feature and 3…4 of another, and points in the plane."""
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 20))
    codes = np.column_stack([random.integers(0, 3, n), random.integers(3, 5, n)]).astype(np.int32)
    return codes, random.normal(size=(n, 2)), random


@settings(max_examples=30)
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
    table = random.random((5, 4))
    weights = np.full((len(codes), 4), np.nan)
    kernels.gather(codes, table, weights)
    np.testing.assert_allclose(weights, table[codes].sum(axis=1))


@pytest.mark.parametrize("exact", [True, False])
@settings(max_examples=20)
@given(seed=seeds)
def test_capacities_hold_in_every_region(exact, seed):
    codes, points, random = draw_regions(seed)
    sizes = np.bincount(codes.ravel(), minlength=5)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    order = np.empty(codes.size, np.int32)
    kernels.list_members(codes, starts, order)
    for v in range(5):
        members = np.flatnonzero((codes == v).any(axis=1))
        np.testing.assert_array_equal(order[starts[v] : starts[v + 1]], members)
    room = np.array([random.multinomial(size, [0.5, 0.3, 0.2]) for size in sizes])
    centroids = random.normal(size=(3, 2))
    labels = np.full(order.size, -1, np.int32)
    spreads = np.zeros(5)
    for first, last in ((0, 2), (2, 5)):
        prices = np.zeros((5, 3))
        kernels.share_regions(
            points, order, starts, first, last, room, centroids, prices, exact, labels, spreads
        )
    of = np.repeat(np.arange(5), sizes)
    np.testing.assert_array_equal(np.bincount(of * 3 + labels, minlength=15).reshape(5, 3), room)
    apart = ((points[order] - centroids[labels]) ** 2).sum(axis=1)
    np.testing.assert_allclose(spreads, np.bincount(of, apart, minlength=5))
    votes = np.zeros((len(points), 3), np.int32)
    kernels.count_votes(order, labels, votes)
    np.testing.assert_array_equal(votes.sum(axis=1), 2)
    np.testing.assert_array_equal(votes.sum(axis=0), room.sum(axis=0))
    sums = np.zeros((3, 2))
    kernels.add_voters(points, votes, sums)
    np.testing.assert_allclose(sums, votes.T @ points, atol=1e-12)


@given(seeds)
def test_most_votes_win_and_draws_decide_ties(seed):
    random = np.random.default_rng(seed)
    votes = random.multinomial(3, np.ones(4) / 4, size=8).astype(np.int32)
    draws = random.random(8)
    labels = np.empty(8, np.int64)
    kernels.decide(votes, draws, labels)
    for row, draw, label in zip(votes, draws, labels, strict=True):
        winners = np.flatnonzero(row == row.max())
        assert label == winners[int(draw * winners.size)]
