"""Profiles of least inertia, and the labels that are found from them."""

from itertools import count

import numpy as np
import pytest
from experiments.maximus.variants.compact_profiles import Objects, find_compact_profile
from experiments.maximus.variants.greedy import assign_regions_greedily
from experiments.maximus.variants.sized_program import CompactProfiles, region_costs
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils import threads as threading
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.published_program import solve_published
from clusterwise.alternatives.maximus.region_profiles import find_regions, profile_similarity
from clusterwise.alternatives.maximus.rounding import (
    assign_all_regions,
    find_region_means,
    majority_vote,
    profile_gap,
)
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binning
from clusterwise.kernels.maximus_rounding import assign_regions
from experiments.maximus.variants import compact_profiles as module
from helpers.strategies import max_examples

seeds = st.integers(0, 2**32 - 1)


def regions_by_width(X, bins):
    return find_regions(Binning("width", bins).fit(X).bins(X))


def draw_search(X, labels, clusters, *, tolerance=0.05, smallest=1):
    regions = regions_by_width(X, 6)
    known = [regions.profile(codes, codes.max() + 1) for codes in labels]
    means = find_region_means(X, regions, np.arange(X.shape[1]))
    options = {"tolerance": tolerance, "smallest": smallest, "gap": 1e-3}
    return regions, CompactProfiles(known, regions, means, clusters, **options)


@pytest.mark.parametrize("tolerance", [0.01, 0.2])
@pytest.mark.parametrize("clusters", [(2, 2), (3, 3), (2, 4), (4, 2)])
def test_the_profile_keeps_sizes_minimum_and_tolerance(clusters, tolerance):
    data = make_alternatives(200, clusters, separation=6, random_state=0)
    labels = [data.labels[:, 0], np.arange(200) % 3]
    wanted = clusters[1]
    regions, search = draw_search(data.X, labels, wanted, tolerance=tolerance, smallest=19.5)
    found = search.find(data.X[:wanted], 60)
    assert found.profile.min() >= 0
    np.testing.assert_array_equal(found.profile.sum(axis=0), regions.sizes)
    sizes = np.array([found.profile[:, regions.features == r].sum(axis=1) for r in range(4)])
    assert (sizes == sizes[0]).all()
    assert sizes.min() >= 20
    assert found.lower_bound <= found.value <= (1 + tolerance) * found.lower_bound
    assert found.value == profile_similarity(search.given, found.profile)


def test_a_profile_is_nearer_to_its_centroids_than_others_that_may_be():
    data = make_alternatives(60, (2, 2), separation=6, random_state=3)
    regions, search = draw_search(data.X, [data.labels[:, 0]], 2, tolerance=0.5)
    centroids = np.array([data.X[data.labels[:, 1] == k].mean(axis=0) for k in range(2)])
    found = search.find(centroids, 60)
    costs = region_costs(search.means, centroids)
    planted = regions.profile(data.labels[:, 1], 2)
    assert profile_similarity(search.given, planted) <= search.ceiling
    assert (costs * found.profile).sum() <= (costs * planted).sum() * (1 + 1e-9)


def test_rounding_leaves_a_larger_margin_until_the_ceiling_holds(monkeypatch):
    data = make_alternatives(600, (3, 3), features=2, separation=6, random_state=0)
    _, search = draw_search(data.X, [data.labels[:, 0]], 3)
    calls = []
    solve = search.program.solve

    def note(cost, **options):
        calls.append(options)
        return solve(cost, **options)

    monkeypatch.setattr(search.program, "solve", note)
    for i in range(0, 30, 3):
        assert search.find(data.X[i : i + 3], 60).value <= search.ceiling
    # One program without sizes and one with them for each profile, and some again.
    assert len(calls) > 20
    assert all(options.get("gap") is None for options in calls)


@max_examples(30)
@given(seeds)
def test_small_data_get_a_profile_within_the_bounds_or_a_refusal(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(int(random.integers(4, 12)), 2))
    regions, search = draw_search(X, [np.arange(len(X)) % 2], 2, tolerance=0.02, smallest=2)
    try:
        found = search.find(X[:2], 60)
    except InputError:
        # Then no split of the objects is one either.
        for code in range(1 << len(X)):
            labels = code >> np.arange(len(X)) & 1
            small = min(labels.sum(), len(X) - labels.sum()) < 2
            assert (
                small
                or profile_similarity(search.given, regions.profile(labels, 2)) > search.ceiling
            )
    else:
        assert found.value <= search.ceiling
        np.testing.assert_array_equal(found.profile.sum(axis=0), regions.sizes)


def test_a_profile_that_cannot_be_is_refused():
    data = make_alternatives(40, (2, 2), random_state=0)
    _, search = draw_search(data.X, [data.labels[:, 0]], 2, smallest=21)
    with pytest.raises(InputError) as caught:
        search.find(data.X[:2], 60)
    assert str(caught.value) == (
        "a profile of 2 clusters within tolerance=0.05 of the least similarity, each of at least "
        "21 objects does not exist; raise the tolerance, or allow smaller clusters."
    )


def find(data, given, assign=assign_regions, **options):
    X = data.X
    chosen = {
        "tolerance": 0.05, "smallest": 10, "gap": 1e-3, "time_limit": 60.0, "n_init": 2,
        "random": np.random.RandomState(0),
    } | options  # fmt: skip
    regions = regions_by_width(X, 8)
    codes = data.labels[:, given]
    profiles = [regions.profile(codes, int(codes.max()) + 1)]
    objects = Objects(X, np.arange(X.shape[1]), regions, assign)
    return regions, find_compact_profile(objects, profiles, 2, **chosen)


@pytest.mark.parametrize("assign", [assign_regions, assign_regions_greedily])
def test_labels_do_not_depend_on_the_number_of_threads(assign, monkeypatch):
    data = make_alternatives(300, (3, 2), separation=6, random_state=1)
    regions, first = find(data, 0, assign)
    monkeypatch.setattr(threading, "SERIAL_BELOW", 1)
    with cw.threads(3, oversubscribe=True):
        _, again = find(data, 0, assign)
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.solution.profile, again.solution.profile)
    assert first.profile_gap == profile_gap(regions, first.solution.profile, first.labels)
    assert first.labels.shape == (300,)
    assert set(first.labels.tolist()) <= {0, 1}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_centroids_of_the_voted_labels_make_better_profiles(seed, monkeypatch):
    data = make_alternatives(300, (3, 2), separation=8, random_state=seed)
    _, later = find(data, 0, n_init=1)
    monkeypatch.setattr(module, "_TURNS", 1)
    _, first = find(data, 0, n_init=1)
    planted = data.labels[:, 1]
    scores = [cw.adjusted_rand_score(found.labels, planted) for found in (first, later)]
    assert scores[1] > scores[0] + 0.3


@pytest.mark.parametrize(
    ("turns", "best"),
    [
        (["given", "even", "other", "one"], "other"),  # within the tolerance, the least spread
        (["given", "even", "one"], "even"),  # the given one has less spread, but is too similar
        (["given", "nearly"], "nearly"),  # both too similar
        (["one", "given"], "given"),  # one cluster is as dissimilar as can be
    ],
)
def test_which_turn_is_best(turns, best, monkeypatch):
    data = make_alternatives(300, (2, 2), separation=8, random_state=0)
    given, other = data.labels.T
    labels = {
        "given": given,
        "other": other,
        "even": np.arange(300) % 2,
        "one": np.zeros(300, int),
        "nearly": np.where(np.arange(300) % 5 == 0, 1 - given, given),
    }
    solution = solve_published([np.ones((2, 1), int)], np.array([2]), 2, gap=0.0, time_limit=60)
    found = [module.RoundedProfile(labels[name], solution, 0.0) for name in turns]
    monkeypatch.setattr(module, "take_turns", lambda *_: iter(found))
    assert find(data, 0, n_init=1)[1] is found[turns.index(best)]


def test_turns_between_profile_and_labels_find_a_planted_clustering():
    data = make_alternatives(300, (2, 2), separation=8, random_state=0)
    regions, found = find(data, 0, n_init=4)
    assert cw.adjusted_rand_score(found.labels, data.labels[:, 1]) > 0.7
    assert np.bincount(found.labels).min() >= 10
    known = [regions.profile(data.labels[:, 0], 2)]
    ceiling = 1.05 * found.solution.lower_bound
    assert profile_similarity(known, regions.profile(found.labels, 2)) <= ceiling


def test_without_time_there_is_no_profile():
    data = make_alternatives(60, (2, 2), random_state=0)
    with pytest.raises(InputError, match=r"was not found in 0 s; allow more time\."):
        find(data, 0, time_limit=0.0)


def test_when_the_time_is_over_the_best_so_far_is_kept(monkeypatch):
    data = make_alternatives(60, (2, 2), random_state=0)
    clock = count(0.0, 25.0)
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    _, found = find(data, 0, time_limit=60.0)
    assert found.solution.status == "time limit"
    # The end, two turns, one more that did not begin, another start, and the last look.
    assert next(clock) == 6 * 25.0


@pytest.mark.parametrize("assign", [assign_regions_greedily])
@pytest.mark.parametrize("clusters", [2, 3, 4])
def test_the_profile_of_a_planted_clustering_leads_back_to_it(clusters, assign):
    data = make_alternatives(360, (clusters, clusters), separation=8, random_state=clusters)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    target = regions.profile(truth, clusters)
    centroids = find_region_means(data.X, regions, np.arange(4)).centroids(target)
    votes = assign_all_regions(data.X, regions, target, centroids, assign=assign)
    np.testing.assert_array_equal(votes.sum(axis=1), 4)
    np.testing.assert_array_equal(votes.sum(axis=0), target.sum(axis=1))
    labels = majority_vote(votes, np.zeros(360))
    np.testing.assert_array_equal(labels, truth)
    assert profile_gap(regions, target, labels) == 0.0


@pytest.mark.parametrize("assign", [assign_regions_greedily])
def test_centroids_move_to_where_the_profile_wants_them(assign):
    data = make_alternatives(360, (3, 3), separation=8, random_state=1)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    target = regions.profile(truth, 3)
    right = []
    for max_iter in (1, 30):
        votes = assign_all_regions(
            data.X, regions, target, data.X[:3], assign=assign, max_iter=max_iter
        )
        right.append((majority_vote(votes, np.zeros(360)) == truth).mean())
    assert right[0] < 0.8
    assert right[1] == 1.0
