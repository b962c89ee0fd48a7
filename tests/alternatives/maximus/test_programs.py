"""The programs on profiles: equal to the printed ones, and what they promise holds exactly."""

from itertools import count, permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import LinearConstraint, milp

import clusterwise as cw
from clusterwise._utils import threads as threading
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus import marginal
from clusterwise.alternatives.maximus.marginal import find_by_profile
from clusterwise.alternatives.maximus.profile_program import ProfileProgram, place_regions
from clusterwise.alternatives.maximus.published import solve_published
from clusterwise.alternatives.maximus.regions import find_regions
from clusterwise.alternatives.maximus.rounding import profile_gap, share_out, vote
from clusterwise.alternatives.maximus.similarity import even_split, lower_bound, similarity
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binned, Binning

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
    profiles = [regions.tally(random.integers(0, size, n), size) for size in sizes]
    return regions, profiles, int(random.integers(1, most + 1))


@settings(max_examples=50)
@given(seeds)
def test_regions_are_the_bins_that_hold_objects(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    columns = random.integers(0, 5, (3, n)).astype(np.uint8)
    regions = regions_of(columns)
    assert regions.feature_count == 3
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
    profile = regions.tally(labels, 3)
    expected = [[int((labels[mask] == k).sum()) for mask in inside] for k in range(3)]
    np.testing.assert_array_equal(profile, expected)
    points = random.normal(size=(n, 2))
    means = [points[mask].mean(axis=0) for mask in inside]
    np.testing.assert_allclose(regions.means(points), means)
    # What objects weigh adds up to the dot products of two profiles.
    weights = regions.weigh(profile)
    others = random.integers(0, 2, n)
    sums = [weights[others == j].sum(axis=0) for j in range(2)]
    np.testing.assert_array_equal(sums, regions.tally(others, 2) @ profile.T)


@settings(max_examples=60)
@given(seeds, st.integers(1, 2))
def test_the_dual_equals_a_row_for_every_matching(seed, known):
    regions, profiles, clusters = draw_problem(seed, known=known)
    found = solve_published(profiles, regions.sizes, clusters, gap=0.0, time_limit=60)
    assert found.value == solve_literally(profiles, regions.sizes, clusters)
    # The value is counted from the profile; the program itself must say the same.
    assert found.proved == pytest.approx(found.value, abs=1e-4)


def test_the_dual_equals_a_row_for_every_matching_of_five_clusters():
    regions = regions_of(np.random.default_rng(0).integers(0, 3, (2, 12)))
    known = [regions.tally(np.arange(12) % 5, 5)]
    found = solve_published(known, regions.sizes, 5, gap=0.0, time_limit=60)
    assert found.value == solve_literally(known, regions.sizes, 5)


@settings(max_examples=60)
@given(seeds, st.integers(1, 3))
def test_no_profile_beats_the_bound_and_sums_hold(seed, known):
    regions, profiles, clusters = draw_problem(seed, most=6, known=known)
    found = solve_published(profiles, regions.sizes, clusters, gap=0.1, time_limit=60)
    assert found.status == "optimal"
    assert found.profile.dtype == np.int64
    assert found.profile.min() >= 0
    np.testing.assert_array_equal(found.profile.sum(axis=0), regions.sizes)
    assert found.value == similarity(profiles, found.profile)
    assert found.lower_bound <= found.proved <= found.value + 1e-6
    assert found.lower_bound == lower_bound(profiles, regions.sizes, clusters)
    chance = np.random.default_rng(seed).integers(0, clusters, len(regions.codes))
    assert similarity(profiles, regions.tally(chance, clusters)) >= found.lower_bound


@given(seeds, st.integers(1, 3))
def test_the_even_split_attains_the_bound_where_it_is_whole(seed, known):
    regions, profiles, clusters = draw_problem(seed, most=6, known=known)
    sizes, larger = regions.sizes * clusters, [one * clusters for one in profiles]
    split = even_split(sizes, clusters)
    assert similarity(larger, split) == pytest.approx(lower_bound(larger, sizes, clusters))


@given(st.lists(st.integers(1, 20), min_size=1, max_size=9), st.integers(1, 7))
def test_the_even_split_is_even(sizes, clusters):
    split = even_split(np.array(sizes), clusters)
    np.testing.assert_array_equal(split.sum(axis=0), sizes)
    assert np.ptp(split, axis=0).max() <= 1
    assert np.ptp(split.sum(axis=1)) <= 1


def test_the_similarity_of_a_million_objects_is_exact():
    known = np.array([[999_999, 1], [0, 1_000_000]])
    assert similarity([known, known], known) == 2 * (999_999**2 + 1 + 1_000_000**2)


def test_without_time_the_published_profile_is_the_even_split():
    regions, profiles, _ = draw_problem(1)
    found = solve_published(profiles, regions.sizes, 3, gap=1e-3, time_limit=0.0)
    assert found.status == "time limit"
    np.testing.assert_array_equal(found.profile, even_split(regions.sizes, 3))


def draw_search(X, labels, clusters, *, tolerance=0.05, smallest=1):
    regions = regions_by_width(X, 6)
    known = [regions.tally(codes, codes.max() + 1) for codes in labels]
    places = place_regions(X, regions, np.arange(X.shape[1]))
    options = {"tolerance": tolerance, "smallest": smallest, "gap": 1e-3}
    return regions, ProfileProgram(known, regions, places, clusters, **options)


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
    assert found.value == similarity(search.known, found.profile)


def test_a_profile_is_nearer_to_its_centroids_than_others_that_may_be():
    data = make_alternatives(60, (2, 2), separation=6, random_state=3)
    regions, search = draw_search(data.X, [data.labels[:, 0]], 2, tolerance=0.5)
    centroids = np.array([data.X[data.labels[:, 1] == k].mean(axis=0) for k in range(2)])
    found = search.find(centroids, 60)
    costs = search.places.costs(centroids)
    planted = regions.tally(data.labels[:, 1], 2)
    assert similarity(search.known, planted) <= search.ceiling
    assert (costs * found.profile).sum() <= (costs * planted).sum() * (1 + 1e-9)


def test_rounding_leaves_more_room_until_it_holds(monkeypatch):
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


@settings(max_examples=30)
@given(seeds)
def test_small_data_get_what_was_asked_or_a_refusal(seed):
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
            assert small or similarity(search.known, regions.tally(labels, 2)) > search.ceiling
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


def find(data, given, **options):
    X = data.X
    chosen = {
        "program": "profile", "tolerance": 0.05, "smallest": 10, "assignment": "exact",
        "gap": 1e-3, "time_limit": 60.0, "starts": 2, "random": np.random.RandomState(0),
    } | options  # fmt: skip
    regions = regions_by_width(X, 8)
    codes = data.labels[:, [given]].T
    sizes = [int(codes.max()) + 1]
    return regions, find_by_profile(X, np.arange(X.shape[1]), regions, codes, sizes, 2, **chosen)


@pytest.mark.parametrize("assignment", ["exact", "greedy"])
@pytest.mark.parametrize("program", ["published", "profile"])
def test_same_seed_same_labels_whatever_the_threads(program, assignment, monkeypatch):
    data = make_alternatives(300, (3, 2), separation=6, random_state=1)
    regions, first = find(data, 0, program=program, assignment=assignment)
    monkeypatch.setattr(threading, "SERIAL_BELOW", 1)
    with cw.threads(3):
        _, again = find(data, 0, program=program, assignment=assignment)
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.solution.profile, again.solution.profile)
    assert first.profile_gap == profile_gap(regions, first.solution.profile, first.labels)
    assert first.labels.shape == (300,)
    assert set(first.labels.tolist()) <= {0, 1}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_centroids_of_the_voted_labels_make_better_profiles(seed, monkeypatch):
    data = make_alternatives(300, (3, 2), separation=8, random_state=seed)
    _, later = find(data, 0, starts=1)
    monkeypatch.setattr(marginal, "_TURNS", 1)
    _, first = find(data, 0, starts=1)
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
    found = [marginal.Marginal(labels[name], solution, 0.0) for name in turns]
    monkeypatch.setattr(marginal._Steps, "take_turns", lambda *_: iter(found))
    assert find(data, 0, starts=1)[1] is found[turns.index(best)]


def test_turns_between_profile_and_labels_find_a_planted_clustering():
    data = make_alternatives(300, (2, 2), separation=8, random_state=0)
    regions, found = find(data, 0, starts=4)
    assert cw.adjusted_rand_score(found.labels, data.labels[:, 1]) > 0.7
    assert np.bincount(found.labels).min() >= 10
    known = [regions.tally(data.labels[:, 0], 2)]
    ceiling = 1.05 * found.solution.lower_bound
    assert similarity(known, regions.tally(found.labels, 2)) <= ceiling


def test_a_nominal_feature_owns_several_columns():
    random = np.random.default_rng(0)
    codes = random.integers(0, 3, 90)
    X = np.column_stack([np.eye(3)[codes], random.normal(size=90)])
    numbers = regions_of([codes, (X[:, 3] > 0).astype(int)])
    places = place_regions(X, numbers, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(places.means[:3, :3], np.eye(3), atol=1e-12)
    np.testing.assert_array_equal(places.counted, [[1, 1, 1, 0]] * 3 + [[0, 0, 0, 1]] * 2)
    labels = random.integers(0, 2, 90)
    # A clustering's own profile implies its own shares of the values.
    implied = places.centroids(numbers.tally(labels, 2))
    for k in range(2):
        np.testing.assert_allclose(implied[k, :3], X[labels == k, :3].mean(axis=0))


def test_an_empty_cluster_is_put_in_the_middle():
    regions = regions_of([[0, 0, 1]])
    places = place_regions(np.array([[0.0], [2.0], [5.0]]), regions, np.array([0]))
    np.testing.assert_allclose(places.centroids(np.array([[2, 1], [0, 0]])), [[7 / 3], [3.0]])


def test_without_time_there_is_no_profile():
    data = make_alternatives(60, (2, 2), random_state=0)
    with pytest.raises(InputError, match=r"was not found in 0 s; allow more time\."):
        find(data, 0, time_limit=0.0)


def test_when_the_time_is_over_the_best_so_far_is_kept(monkeypatch):
    data = make_alternatives(60, (2, 2), random_state=0)
    clock = count(0.0, 25.0)
    monkeypatch.setattr(marginal, "perf_counter", lambda: next(clock))
    _, found = find(data, 0, time_limit=60.0)
    assert found.solution.status == "time limit"
    # The end, two turns, one more that did not begin, another start, and the last look.
    assert next(clock) == 6 * 25.0


@pytest.mark.parametrize("assignment", ["exact", "greedy"])
@pytest.mark.parametrize("clusters", [2, 3, 4])
def test_the_profile_of_a_planted_clustering_leads_back_to_it(clusters, assignment):
    data = make_alternatives(360, (clusters, clusters), separation=8, random_state=clusters)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    asked = regions.tally(truth, clusters)
    centroids = place_regions(data.X, regions, np.arange(4)).centroids(asked)
    votes = share_out(data.X, regions, asked, centroids, assignment=assignment)
    np.testing.assert_array_equal(votes.sum(axis=1), 4)
    np.testing.assert_array_equal(votes.sum(axis=0), asked.sum(axis=1))
    labels = vote(votes, np.zeros(360))
    np.testing.assert_array_equal(labels, truth)
    assert profile_gap(regions, asked, labels) == 0.0


@pytest.mark.parametrize("assignment", ["exact", "greedy"])
def test_centroids_move_to_where_the_profile_wants_them(assignment):
    data = make_alternatives(360, (3, 3), separation=8, random_state=1)
    regions = regions_by_width(data.X, 10)
    truth = data.labels[:, 1]
    asked = regions.tally(truth, 3)
    right = []
    for rounds in (1, 30):
        votes = share_out(data.X, regions, asked, data.X[:3], assignment=assignment, rounds=rounds)
        right.append((vote(votes, np.zeros(360)) == truth).mean())
    assert right[0] < 0.8
    assert right[1] == 1.0


def test_all_that_tie_win_about_as_often():
    draws = np.random.default_rng(0).random(9000)
    won = np.bincount(vote(np.tile([2, 0, 2, 2], (9000, 1)), draws), minlength=4)
    assert won[1] == 0
    assert np.abs(won[[0, 2, 3]] - 3000).max() < 200


def test_the_gap_is_the_share_of_misplaced_objects():
    regions = regions_of([[0, 0, 1, 1]])
    assert profile_gap(regions, np.array([[2, 0], [0, 2]]), np.array([0, 0, 1, 0])) == 0.25
