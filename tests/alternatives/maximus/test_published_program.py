"""Profiles and the published program: equal to the formulation in the paper, and exact."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.optimize import LinearConstraint, milp

import clusterwise as cw
from clusterwise._utils import threads as threading
from clusterwise.alternatives.maximus.published_program import solve_published
from clusterwise.alternatives.maximus.region_profiles import (
    even_split,
    find_regions,
    profile_similarity,
    similarity_bound,
)
from clusterwise.alternatives.maximus.rounding import (
    assign_all_regions,
    find_region_means,
    majority_vote,
    profile_gap,
)
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binned, Binning
from clusterwise.kernels import maximus_rounding as kernels
from helpers.strategies import max_examples

seeds = st.integers(0, 2**32 - 1)


def solve_literally(known, sizes, clusters):
    """The least similarity by a row for every matching, as printed."""
    V = sizes.size
    width = clusters * V + len(known)
    rows = []
    for h, one in enumerate(known):
        few = min(len(one), clusters)
        for matched in permutations(range(len(one)), few):
            for wanted in permutations(range(clusters), few):
                row = np.zeros(width)
                for k, chosen in zip(matched, wanted, strict=True):
                    row[chosen * V : (chosen + 1) * V] += one[k]
                row[clusters * V + h] = -1.0
                rows.append(row)
    whole = np.hstack([np.tile(np.eye(V), clusters), np.zeros((V, len(known)))])
    result = milp(
        np.arange(width) >= clusters * V,
        integrality=np.arange(width) < clusters * V,
        constraints=[
            LinearConstraint(whole, sizes, sizes),
            LinearConstraint(np.array(rows), -np.inf, 0.0),
        ],
        options={"mip_rel_gap": 0.0},
    )
    return round(result.fun)


def regions_of(columns):
    return find_regions(Binned([np.asarray(column) for column in columns], None, None))


def regions_by_width(X, bins):
    return find_regions(Binning("width", bins).fit(X).bins(X))


def draw_problem(seed, most=4, known=1):
    """Regions of a few random objects, profiles of known clusterings, and how many to find."""
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 13))
    regions = regions_of(random.integers(0, 3, (int(random.integers(1, 3)), n)))
    sizes = random.integers(1, most + 1, known)
    profiles = [regions.profile(random.integers(0, size, n), size) for size in sizes]
    return regions, profiles, int(random.integers(1, most + 1))


@max_examples(50)
@given(seeds)
def test_regions_are_the_non_empty_bins(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    columns = random.integers(0, 5, (3, n)).astype(np.uint8)
    regions = regions_of(columns)
    assert regions.codes.shape[1] == 3
    assert regions.codes.dtype == np.int32
    assert regions.codes.flags.c_contiguous
    bins = [(r, code) for r in range(3) for code in sorted(set(columns[r].tolist()))]
    np.testing.assert_array_equal(regions.features, [r for r, _ in bins])
    inside = np.array([columns[r] == code for r, code in bins])
    np.testing.assert_array_equal(regions.sizes, inside.sum(axis=1))
    for r in range(3):
        expected = [bins.index((r, code)) for code in columns[r].tolist()]
        np.testing.assert_array_equal(regions.codes[:, r], expected)
    labels = random.integers(0, 3, n)
    profile = regions.profile(labels, 3)
    expected = [[int((labels[mask] == k).sum()) for mask in inside] for k in range(3)]
    np.testing.assert_array_equal(profile, expected)
    points = random.normal(size=(n, 2))
    means = [points[mask].mean(axis=0) for mask in inside]
    np.testing.assert_allclose(regions.means(points), means)


@pytest.mark.slow
@max_examples(60)
@given(seeds, st.integers(1, 2))
def test_the_dual_equals_a_row_for_every_matching(seed, known):
    regions, profiles, clusters = draw_problem(seed, known=known)
    found = solve_published(profiles, regions.sizes, clusters, gap=0.0, time_limit=20)
    # A proof may take minutes, even of a few objects.
    assume(found.status == "optimal")
    assert found.value == solve_literally(profiles, regions.sizes, clusters)
    # The value is counted from the profile; the program itself must say the same, up to the
    # tolerance of the solver, 1e-6 for each constraint.
    assert found.proved == pytest.approx(found.value, abs=1e-5)


@pytest.mark.slow
def test_the_dual_equals_a_row_for_every_matching_of_five_clusters():
    regions = regions_of(np.random.default_rng(0).integers(0, 3, (2, 12)))
    known = [regions.profile(np.arange(12) % 5, 5)]
    found = solve_published(known, regions.sizes, 5, gap=0.0, time_limit=60)
    assert found.value == solve_literally(known, regions.sizes, 5)


@pytest.mark.slow
@max_examples(60)
@given(seeds, st.integers(1, 3))
def test_no_profile_is_below_the_bound_and_sums_are_exact(seed, known):
    regions, profiles, clusters = draw_problem(seed, most=6, known=known)
    found = solve_published(profiles, regions.sizes, clusters, gap=0.1, time_limit=60)
    assert found.status == "optimal"
    assert found.profile.dtype == np.int64
    assert found.profile.min() >= 0
    np.testing.assert_array_equal(found.profile.sum(axis=0), regions.sizes)
    assert found.value == profile_similarity(profiles, found.profile)
    assert found.lower_bound <= found.proved <= found.value + 1e-6
    assert found.lower_bound == similarity_bound(profiles, regions.sizes, clusters)
    chance = np.random.default_rng(seed).integers(0, clusters, len(regions.codes))
    assert profile_similarity(profiles, regions.profile(chance, clusters)) >= found.lower_bound


@given(seeds, st.integers(1, 3))
def test_the_even_split_attains_the_bound_where_it_is_whole(seed, known):
    regions, profiles, clusters = draw_problem(seed, most=6, known=known)
    sizes, larger = regions.sizes * clusters, [one * clusters for one in profiles]
    split = even_split(sizes, clusters)
    assert profile_similarity(larger, split) == pytest.approx(
        similarity_bound(larger, sizes, clusters)
    )


@given(st.lists(st.integers(1, 20), min_size=1, max_size=9), st.integers(1, 7))
def test_the_even_split_is_even(sizes, clusters):
    split = even_split(np.array(sizes), clusters)
    np.testing.assert_array_equal(split.sum(axis=0), sizes)
    assert np.ptp(split, axis=0).max() <= 1
    assert np.ptp(split.sum(axis=1)) <= 1


def test_the_similarity_of_a_million_objects_is_exact():
    known = np.array([[999_999, 1], [0, 1_000_000]])
    assert profile_similarity([known, known], known) == 2 * (999_999**2 + 1 + 1_000_000**2)


def test_without_time_the_published_profile_is_the_even_split():
    regions, profiles, _ = draw_problem(1)
    found = solve_published(profiles, regions.sizes, 3, gap=1e-3, time_limit=0.0)
    assert found.status == "time limit"
    np.testing.assert_array_equal(found.profile, even_split(regions.sizes, 3))


def test_a_nominal_feature_owns_several_columns():
    random = np.random.default_rng(0)
    codes = random.integers(0, 3, 90)
    X = np.column_stack([np.eye(3)[codes], random.normal(size=90)])
    numbers = regions_of([codes, (X[:, 3] > 0).astype(int)])
    means = find_region_means(X, numbers, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(means.means[:3, :3], np.eye(3), atol=1e-12)
    np.testing.assert_array_equal(means.own, [[1, 1, 1, 0]] * 3 + [[0, 0, 0, 1]] * 2)
    labels = random.integers(0, 2, 90)
    # A clustering's own profile implies its own shares of the values.
    implied = means.centroids(numbers.profile(labels, 2))
    for k in range(2):
        np.testing.assert_allclose(implied[k, :3], X[labels == k, :3].mean(axis=0))


def test_the_centroid_of_an_empty_cluster_is_the_mean():
    regions = regions_of([[0, 0, 1]])
    means = find_region_means(np.array([[0.0], [2.0], [5.0]]), regions, np.array([0]))
    np.testing.assert_allclose(means.centroids(np.array([[2, 1], [0, 0]])), [[7 / 3], [3.0]])


@pytest.mark.parametrize("clusters", [2, 3, 4])
def test_the_profile_of_a_planted_clustering_leads_back_to_it(clusters):
    data = make_alternatives(360, (clusters, clusters), separation=8, random_state=clusters)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    asked = regions.profile(truth, clusters)
    centroids = find_region_means(data.X, regions, np.arange(4)).centroids(asked)
    votes = assign_all_regions(data.X, regions, asked, centroids)
    np.testing.assert_array_equal(votes.sum(axis=1), 4)
    np.testing.assert_array_equal(votes.sum(axis=0), asked.sum(axis=1))
    labels = majority_vote(votes, np.zeros(360))
    np.testing.assert_array_equal(labels, truth)
    assert profile_gap(regions, asked, labels) == 0.0


def test_centroids_follow_the_profile():
    data = make_alternatives(360, (3, 3), separation=8, random_state=1)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    asked = regions.profile(truth, 3)
    right = []
    for max_iter in (1, 30):
        votes = assign_all_regions(data.X, regions, asked, data.X[:3], max_iter=max_iter)
        right.append((majority_vote(votes, np.zeros(360)) == truth).mean())
    assert right[0] < 0.8
    assert right[1] == 1.0


def test_assignments_end_when_the_sum_of_squares_no_longer_decreases():
    data = make_alternatives(120, (3, 3), separation=8, random_state=1)
    regions = regions_by_width(data.X, 10)
    asked = regions.profile(data.labels[:, 1], 3)
    sums = []

    def note(*arguments):
        kernels.assign_regions(*arguments)
        sums.append(arguments[-1].sum())

    assign_all_regions(data.X, regions, asked, data.X[:3], assign=note)
    assert 2 < len(sums) < 30
    assert (np.diff(sums[:-1]) < 0).all()
    assert sums[-1] == pytest.approx(sums[-2])


def test_ties_are_broken_uniformly():
    draws = np.random.default_rng(0).random(9000)
    won = np.bincount(majority_vote(np.tile([2, 0, 2, 2], (9000, 1)), draws), minlength=4)
    assert won[1] == 0
    assert np.abs(won[[0, 2, 3]] - 3000).max() < 200


def test_the_gap_is_the_proportion_of_misplaced_objects():
    regions = regions_of([[0, 0, 1, 1]])
    assert profile_gap(regions, np.array([[2, 0], [0, 2]]), np.array([0, 0, 1, 0])) == 0.25


def test_labels_depend_on_the_seed_and_not_on_threads(monkeypatch):
    data = make_alternatives(300, (3, 2), separation=6, random_state=1)
    how = {"program": "published", "n_clusters": 2, "random_state": 0}
    first = cw.MAXIMUS(**how).fit(data.X, data.labels[:, 0])
    monkeypatch.setattr(threading, "SERIAL_BELOW", 1)
    with cw.threads(3, oversubscribe=True):
        again = cw.MAXIMUS(**how).fit(data.X, data.labels[:, 0])
    np.testing.assert_array_equal(first.labels_, again.labels_)
    assert first.profile_gap_ == again.profile_gap_
