"""Constraints on profiles and on their matching: as for balanced memberships."""

import numpy as np
import pytest
from experiments.maximus.variants.constraints import MatchingConstraints, ProfileConstraints
from experiments.maximus.variants.weighted_groups import group_by_profiles, overlap_with_profile
from hypothesis import given, strategies as st

from helpers import maximus_cases as checks
from helpers.maximus_cases import MARGIN, SHAPES, Case
from helpers.strategies import max_examples
from reference import maximus as naive

seeds = st.integers(0, 2**32 - 1)


class ProfileCase(Case):
    def make_groups(self):
        profiles = [
            self.regions.profile(one, size)
            for one, size in zip(self.given, self.sizes, strict=True)
        ]
        groups = group_by_profiles(self.regions, profiles)
        return groups, naive.overlaps(dict(enumerate(self.bins)), self.given)

    def make_constraints(self, groups, bounds):
        return ProfileConstraints(groups, bounds, self.tolerance)


class MatchingCase(ProfileCase):
    def make_constraints(self, groups, bounds):
        return MatchingConstraints(groups, bounds, self.tolerance, self.sizes)

    def ceilings(self):
        """The bounds on matchings for which the dual is solved, and the lower bounds."""
        bounds = np.array([naive.bound_of(parts, self.clusters) for parts in self.blocks])
        few = [min(self.clusters, parts.shape[1]) * parts.max() for parts in self.blocks]
        return bounds + MARGIN * np.maximum(self.tolerance * bounds, few), bounds

    def solve_exactly(self, proportions):
        return naive.solve_matched(self.costs, self.blocks, *self.size_bounds, self.ceilings()[0])

    def softness(self, temperature):
        ceilings, bounds = self.ceilings()
        widths = np.array(self.sizes) + self.clusters
        return super().softness(temperature) + temperature * sum(ceilings / bounds * np.log(widths))

    def balance_ratio(self, labels):
        return naive.overmatching(self.blocks, labels, self.clusters, self.tolerance)


CASES = (MatchingCase, ProfileCase)
each_case = pytest.mark.parametrize("case", CASES)
each_shape = pytest.mark.parametrize(("sizes", "clusters"), SHAPES)


@each_case
@each_shape
def test_the_gradient_of_the_dual_is_its_derivative(case, sizes, clusters):
    checks.check_gradient_of_the_dual(case(1, sizes, clusters))


@each_case
@each_shape
def test_the_dual_reaches_the_linear_program(case, sizes, clusters):
    cases = [case(seed, sizes, clusters, least=4.0) for seed in range(3)]
    assert sum(checks.check_dual_reaches_the_linear_program(one) for one in cases)


@max_examples(60)
@given(seeds, st.sampled_from(CASES), st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_no_multipliers_beat_the_linear_program(seed, case, size, clusters, count):
    checks.check_weak_duality(case(seed, (size,) * count, clusters, n=8))


@max_examples(60)
@given(
    seeds,
    st.sampled_from(CASES),
    st.sampled_from([(1,), (2,), (3,), (2, 3)]),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.05, 1.0]),
)
def test_violations_follow_the_definition(seed, case, sizes, clusters, tolerance):
    posed = case(seed, sizes, clusters, n=12, tolerance=tolerance, least=2.5)
    checks.check_violation_by_definition(posed, 12)


@pytest.mark.parametrize("tolerance", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("least", [1.0, 9.0])
def test_the_gradient_of_a_violation_is_its_derivative(tolerance, least):
    checks.check_gradient_of_the_violation(
        ProfileCase(3, (2, 3), 3, tolerance=tolerance, least=least)
    )


@each_case
def test_a_smaller_violation_has_a_smaller_potential(case):
    checks.check_potential_grows_with_the_violation(case(0, (3,), 3))


@max_examples(60)
@given(
    seeds,
    st.sampled_from(CASES),
    st.sampled_from([((2,), 2), ((3,), 3), ((5,), 2), ((2,), 4), ((2, 3), 2)]),
    st.sampled_from([0, 1, 3]),
)
def test_runs_end_feasible_and_report_the_ratio(seed, case, shape, distinct):
    checks.check_runs_end_feasible(case(seed, *shape, n=60, least=5.0, distinct=distinct))


@each_case
def test_multipliers_are_zero_where_no_bound_binds(case):
    checks.check_multipliers_vanish_where_nothing_binds(case(0, (3,), 3, tolerance=1e3))


def test_weights_of_objects_add_up_to_dot_products_of_profiles():
    case = ProfileCase(0, (3,), 3)
    profile = case.regions.profile(case.given[0], 3)
    weights = overlap_with_profile(case.regions, profile)
    others = case.random.integers(0, 2, len(case.points))
    sums = [weights[others == j].sum(axis=0) for j in range(2)]
    np.testing.assert_array_equal(sums, case.regions.profile(others, 2) @ profile.T)
