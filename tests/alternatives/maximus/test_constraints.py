"""Balance constraints: the dual against the exact linear program, violations by definition."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.multipliers import group_by_given
from clusterwise.alternatives.maximus.object_program import (
    ObjectProgram,
    draw_initial_centroids,
    optimise_from,
)
from helpers import maximus_cases as checks
from helpers.maximus_cases import SHAPES, Case
from helpers.strategies import max_examples
from reference import maximus as naive

seeds = st.integers(0, 2**32 - 1)
each_shape = pytest.mark.parametrize(("sizes", "clusters"), SHAPES)


@each_shape
def test_the_gradient_of_the_dual_is_its_derivative(sizes, clusters):
    checks.check_gradient_of_the_dual(Case(1, sizes, clusters))


@each_shape
def test_the_dual_reaches_the_linear_program(sizes, clusters):
    cases = [Case(seed, sizes, clusters, least=4.0) for seed in range(3)]
    assert sum(checks.check_dual_reaches_the_linear_program(case) for case in cases)


@max_examples(60)
@given(seeds, st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_no_multipliers_beat_the_linear_program(seed, size, clusters, count):
    checks.check_weak_duality(Case(seed, (size,) * count, clusters, n=8))


@max_examples(60)
@given(
    seeds,
    st.sampled_from([(1,), (2,), (3,), (2, 3)]),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.05, 1.0]),
)
def test_violations_follow_the_definition(seed, sizes, clusters, tolerance):
    case = Case(seed, sizes, clusters, n=12, tolerance=tolerance, least=2.5)
    checks.check_violation_by_definition(case, 12)


@pytest.mark.parametrize("tolerance", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("least", [1.0, 9.0])
def test_the_gradient_of_a_violation_is_its_derivative(tolerance, least):
    checks.check_gradient_of_the_violation(Case(3, (2, 3), 3, tolerance=tolerance, least=least))


def test_a_smaller_violation_has_a_smaller_potential():
    checks.check_potential_grows_with_the_violation(Case(0, (3,), 3))


@max_examples(60)
@given(
    seeds,
    st.sampled_from([((2,), 2), ((3,), 3), ((5,), 2), ((2,), 4), ((2, 3), 2)]),
    st.sampled_from([0, 1, 3]),
)
def test_runs_end_feasible_and_report_the_ratio(seed, shape, distinct):
    checks.check_runs_end_feasible(Case(seed, *shape, n=60, least=5.0, distinct=distinct))


def test_multipliers_are_zero_where_no_bound_binds():
    checks.check_multipliers_vanish_where_nothing_binds(Case(0, (3,), 3, tolerance=1e3))


def test_unbalanced_given_clusters_are_still_balanced_over_the_new_ones():
    """One given cluster of two objects, one of all others but ten."""
    random = np.random.default_rng(0)
    one = np.repeat([0, 1, 2], [2, 10, 108])
    points = random.normal(size=(120, 2)) + 4 * one[:, None]
    bounds = SizeBounds(np.full(3, 12.0), np.full(3, 120.0))
    program = ObjectProgram(
        points, group_by_given(one[None, :], (3,)),
        lambda groups: BalanceConstraints(groups, bounds, 0.05), one, 3, np.random.RandomState(0),
    )  # fmt: skip
    for run in (optimise_from(program, start, 20) for start in draw_initial_centroids(program, 4)):
        assert run.ratio <= 1
        assert naive.unevenness(naive.memberships([one]), run.labels, 3, 0.05) <= 1 + 1e-9
        assert np.bincount(run.labels).min() >= 12


def test_tables_follow_moves():
    case = Case(1, (2,), 3, n=40)
    labels = case.random.permutation(np.arange(40) % 3)
    after = labels.copy()
    moves = [(0, after[0], (after[0] + 1) % 3), (5, after[5], (after[5] + 2) % 3)]
    for i, _, there in moves:
        after[i] = there
    found = case.groups.crosstab_after(case.groups.crosstab(labels, 3), moves)
    np.testing.assert_array_equal(found, case.groups.crosstab(after, 3))
