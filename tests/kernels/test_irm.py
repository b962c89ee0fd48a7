"""Greedy credits of the IRM-index, against exact fractions; also run with NUMBA_DISABLE_JIT=1."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from clusterwise.kernels.irm import give_credits, score_cells
from helpers.soft_strategies import shares
from reference import transport as naive


def pairs():
    """Two membership matrices of the same objects."""
    return st.integers(1, 6).flatmap(lambda n: st.tuples(shares(n), shares(n)))


def credits_of(a, b, order):
    """Credits by the kernel, which gets the cells sorted by score, ties in this order."""
    scores = naive.irm_scores(a, b)
    cells = sorted(scores, key=lambda cell: (-scores[cell], order.random()))
    rows, columns = np.array(cells).T
    given_out = np.zeros(len(cells))
    left = np.array(naive.masses(a, [1] * len(a))), np.array(naive.masses(b, [1] * len(b)))
    sorted_scores = np.array([float(scores[cell]) for cell in cells])
    hand_out(rows, columns, sorted_scores, *left, given_out)
    for side, indices, sizes in ((a, rows, left[0]), (b, columns, left[1])):
        used = np.bincount(indices, given_out, minlength=sizes.size)
        np.testing.assert_allclose(used + sizes, naive.masses(side, [1] * len(side)), atol=1e-12)
    assert (given_out >= 0).all()
    return float(given_out @ sorted_scores) / len(a)


def hand_out(rows, columns, scores, *left_and_given):
    """Credits with coarse keys, so that the kernel has to sort most cells by score."""
    keys = np.floor(scores * 3).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    give_credits(order, keys, rows, columns, scores, *left_and_given)


def without_empty(matrix):
    return matrix[:, matrix.sum(axis=0) > 0]


@given(case=pairs(), order=st.randoms(use_true_random=False))
def test_credits_with_ties_are_given_at_one_pace(case, order):
    a, b = map(without_empty, case)
    wanted = float(naive.irm_at_one_pace(a, b))
    assert credits_of(a, b, order) == pytest.approx(wanted, abs=1e-12)


@given(case=pairs(), order=st.randoms(use_true_random=False))
def test_credits_without_ties_are_the_published_ones(case, order):
    a, b = map(without_empty, case)
    scores = list(naive.irm_scores(a, b).values())
    assume(len(set(scores)) == len(scores))
    assert naive.irm_in_order(a, b) == naive.irm_at_one_pace(a, b)
    assert credits_of(a, b, order) == pytest.approx(float(naive.irm_in_order(a, b)), abs=1e-12)


def test_tied_cells_that_compete_share_and_others_do_not_wait():
    """Row 0 (2 left) feeds three tied columns, of which one has a quarter left."""
    rows, columns = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 3])
    given_out, left = np.zeros(4), np.array([2.0, 5.0])
    column_left = np.array([0.25, 2.0, 2.0, 4.0])
    hand_out(rows, columns, np.full(4, 0.5), left, column_left, given_out)
    assert given_out.tolist() == [0.25, 0.875, 0.875, 4.0]
    assert left.tolist() == [0.0, 1.0]


def test_the_plain_credits_of_the_paper():
    """Rajasekhara and Pujari (2010): 12|3|4|5|6|78 against 12|36|45|78."""
    first, third = [1, 1, 2, 3, 4, 5, 6, 6], [1, 1, 2, 3, 3, 2, 4, 4]
    matrices = [
        [[Fraction(x == y) for y in sorted(set(side))] for x in side] for side in (first, third)
    ]
    assert naive.irm_at_one_pace(*matrices) == naive.irm_in_order(*matrices) == Fraction(3, 4)


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=4))
def test_scores_of_cells_leave_out_the_empty_ones(table):
    counts = np.array(table)
    row_sums, column_sums = counts.sum(axis=1) + 1.0, counts.sum(axis=0) + 1.0
    full = np.count_nonzero(counts)
    rows, columns, scores = np.empty(full, np.uint32), np.empty(full, np.uint32), np.empty(full)
    cells = np.tile(np.arange(3, dtype=np.uint32), len(table))
    sizes = np.full(len(table), 3)
    args = (sizes, cells, counts.ravel(), row_sums, column_sums, rows, columns, scores)
    assert score_cells(*args) == full
    found = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), scores, strict=True))
    assert found == {
        (k, j): counts[k, j] / (row_sums[k] + column_sums[j] - counts[k, j])
        for k, j in zip(*map(np.ndarray.tolist, np.nonzero(counts)), strict=True)
    }
