"""The IRM-index: the paper's values, its greedy credits, ties, and the optimal ones."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import clusterwise as cw
from helpers.soft_strategies import one_hot, several, shares
from helpers.strategies import forced, label_pairs
from reference import transport as naive

# Rajasekhara and Pujari (2010), section 3; test_papers_values.py has the other columns.
P1 = [1, 1, 2, 3, 4, 5, 6, 6]
P2 = [1, 1, 2, 3, 4, 5, 6, 7]
P3 = [1, 1, 2, 3, 3, 2, 4, 4]


def test_table_1():
    assert cw.irm_score(P1, P2) == 0.875
    assert cw.irm_score(P1, P3) == 0.75
    assert cw.irm_score(P1, P2, matching="optimal") == pytest.approx(0.875, abs=1e-12)
    assert cw.irm_score(P1, P3, matching="optimal") == pytest.approx(0.75, abs=1e-12)


@given(cases=several(2))
def test_definition(cases):
    a, b = cases
    greedy, best = (cw.irm_score(a.given, b.given, matching=kind) for kind in ("greedy", "optimal"))
    assert greedy == pytest.approx(float(naive.irm_at_one_pace(a.matrix, b.matrix)), abs=1e-12)
    assert best == pytest.approx(naive.irm_optimal(a.matrix, b.matrix), abs=1e-7)
    assert 0 < greedy <= best + 1e-12
    assert best <= 1


@given(pair=label_pairs(max_size=20))
def test_the_published_algorithm_where_nothing_is_tied(pair):
    a, b = map(one_hot, pair)
    scores = list(naive.irm_scores(a, b).values())
    assume(len(set(scores)) == len(scores))
    wanted = float(naive.irm_in_order(a, b))
    for route in ("dense", "sparse"):
        with forced(route):
            assert cw.irm_score(*pair) == pytest.approx(wanted, abs=1e-12)


@given(
    half=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8),
    data=st.data(),
)
def test_the_order_of_tied_clusters_does_not_matter(half, data):
    """Copies with new clusters make every score a tie; then clusters change their names."""
    a = np.array([k for k, _ in half] + [k + 4 for k, _ in half])
    b = np.array([j for _, j in half] + [j + 4 for _, j in half])
    new_a, new_b = (np.array(data.draw(st.permutations(range(8)))) for _ in range(2))
    value = cw.irm_score(a, b)
    assert cw.irm_score(new_a[a], new_b[b]) == pytest.approx(value, abs=1e-12)
    assert cw.irm_score(b, a) == pytest.approx(value, abs=1e-12)


def test_ties_that_the_published_algorithm_decides_by_the_order_of_clusters():
    """With all names turned round it gives 1/3 in place of 2/5; ours is 2/5 under either names."""
    pair = [1, 1, 2, 2, 3], [3, 2, 0, 3, 0]
    turned = [[-label for label in side] for side in pair]
    published = [naive.irm_in_order(*map(one_hot, sides)) for sides in (pair, turned)]
    assert published == [Fraction(2, 5), Fraction(1, 3)]
    assert cw.irm_score(*pair) == pytest.approx(2 / 5, abs=1e-12)
    assert cw.irm_score(*turned) == pytest.approx(2 / 5, abs=1e-12)


def test_greedy_credits_are_not_always_the_best():
    a, b = [0, 1, 1, 0, 1, 0], [0, 2, 2, 2, 1, 0]
    assert cw.irm_score(a, b) == pytest.approx(17 / 36, abs=1e-12)
    assert cw.irm_score(a, b, matching="optimal") == pytest.approx(43 / 90, abs=1e-12)


@given(matrix=st.integers(1, 8).flatmap(shares))
def test_a_soft_clustering_is_equal_to_itself(matrix):
    for kind in ("greedy", "optimal"):
        found = cw.irm_score(matrix, matrix[:, ::-1], matching=kind)
        assert found == pytest.approx(1, abs=1e-12)


def test_unknown_matchings_are_refused():
    with pytest.raises(cw.InputError, match="matching='fair' is unknown; use 'greedy' or"):
        cw.irm_score(P1, P2, matching="fair")
