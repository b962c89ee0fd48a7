"""The best one-to-one matching of clusters, dense and sparse, against every other way."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment

from clusterwise import Contingency
from clusterwise.summaries.contingency.assignment import best_matching
from helpers.strategies import forced, tables
from reference import measures as naive

ROUTES = pytest.mark.parametrize("route", ["dense", "sparse"])


def table_by(route, counts):
    with forced(route):
        table = Contingency.from_table(counts)
    assert table.is_sparse == (route == "sparse")
    return table


def check_one_to_one(table, matching):
    assert len(set(matching.rows.tolist())) == matching.rows.size
    assert len(set(matching.columns.tolist())) == matching.columns.size
    counts = table.to_array()
    assert matching.overlaps.tolist() == counts[matching.rows, matching.columns].tolist()
    assert (matching.overlaps > 0).all()


@ROUTES
@given(counts=tables(largest=9))
def test_as_good_as_every_permutation(route, counts):
    table = table_by(route, counts)
    check_one_to_one(table, table.matching)
    assert table.matching.overlap == naive.best_overlap(counts)


@ROUTES
@given(
    height=st.integers(1, 40),
    width=st.integers(1, 40),
    largest=st.sampled_from([1, 2, 10, 10**6]),
    filled=st.floats(0.02, 1.0),
    seed=st.integers(0, 2**32 - 1),
)
def test_as_good_as_scipy(route, height, width, largest, filled, seed):
    random = np.random.default_rng(seed)
    counts = random.integers(1, largest + 1, (height, width))
    counts[random.random((height, width)) > filled] = 0
    counts[0, 0] = 1
    rows, columns = linear_sum_assignment(counts, maximize=True)
    table = table_by(route, counts)
    check_one_to_one(table, table.matching)
    assert table.matching.overlap == counts[rows, columns].sum()


@ROUTES
@given(counts=tables(largest=9), scale=st.sampled_from([0.5, 0.1, 3.7]))
def test_fractional_weights(route, counts, scale):
    table = table_by(route, scale * np.array(counts))
    check_one_to_one(table, table.matching)
    assert table.matching.overlap == pytest.approx(scale * naive.best_overlap(counts))


@ROUTES
def test_ties_everywhere(route):
    """No pair is sure, so the sparse search has to solve all of it."""
    table = table_by(route, np.ones((6, 9), np.int64))
    assert table.matching.overlap == 6
    check_one_to_one(table, table.matching)


@ROUTES
def test_greedy_would_be_wrong(route):
    """Taking the largest cell first gives 10 + 1; the best is 9 + 9."""
    assert table_by(route, [[10, 9], [9, 1]]).matching.overlap == 18


@ROUTES
def test_transposed_table_matches_as_well(route):
    counts = [[5, 0, 2], [1, 1, 4]]
    table = table_by(route, counts)
    assert table.T.matching.overlap == table.matching.overlap == 9


@ROUTES
def test_counts_beyond_32_bits(route):
    counts = [[2**40 + 1, 2**40], [2**40, 0]]
    assert table_by(route, counts).matching.overlap == 2**41


@ROUTES
def test_no_object_no_match(route):
    with forced(route):
        table = Contingency.from_labels([], [])
    assert best_matching(table.cells).overlap == 0


def test_many_clusters_that_barely_moved():
    """The sparse search at a size where a dense one would need 10^9 cells."""
    random = np.random.default_rng(5)
    a = random.permutation(np.repeat(np.arange(30_000), 5))
    b = np.where(random.random(a.size) < 0.1, random.integers(0, 30_000, a.size), a)
    table = Contingency.from_labels(a, b)
    assert table.is_sparse
    assert table.matching.overlap >= np.count_nonzero(a == b)
    assert table.T.matching.overlap == table.matching.overlap
