"""Stability: what is planted is found again, noise is not."""

import numpy as np
import pytest

from clusterwise import InputError, adjusted_rand_score, cluster_again
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.portfolio.choice import ChoiceResult, Chosen
from clusterwise.alternatives.portfolio.members import Attempt, Deadline
from clusterwise.alternatives.portfolio.repeated_searches import (
    REPEATS,
    RepeatedSearch,
    measure_stability,
    repeat_searches,
)
from clusterwise.alternatives.portfolio.sample_search import SampleSearch, SearchSettings
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.model import MixedObjects
from clusterwise.datasets import make_alternatives

LABELS = np.arange(200) % 2
OTHER = np.arange(200) // 100


def chosen(*labels):
    return [Chosen(Attempt(one, "Method", {}), 1.0, {}) for one in labels]


def measure(every, search, deadline=3600.0, most=1000):
    repeated = repeat_searches(
        lambda rows, seed: chosen(*search(rows, seed)),
        200,
        np.random.RandomState(0),
        most_objects=most,
        deadline=Deadline.after(deadline),
    )
    return measure_stability(every, repeated)


def test_what_is_always_found_again():
    seen = []

    def search(rows, seed):
        seen.append((rows, seed))
        return [OTHER[rows], 1 - LABELS[rows]]

    one, other = measure(chosen(LABELS, OTHER), search)
    assert one == other == (REPEATS, REPEATS, 1.0)
    assert len({seed for _, seed in seen}) == REPEATS
    for rows, _ in seen:
        assert np.unique(rows).size == rows.size == 180
        assert (np.diff(rows) > 0).all()


def test_the_most_similar_one_counts():
    def search(rows, seed):
        wrong = LABELS[rows].copy()
        wrong[:60] ^= 1
        return [np.zeros(rows.size, int), wrong]

    (found,) = measure(chosen(LABELS), search)
    assert (found.found, found.repeats) == (0, REPEATS)
    wrong = LABELS[:180].copy()
    wrong[:60] ^= 1
    assert found.mean == pytest.approx(adjusted_rand_score(LABELS[:180], wrong), abs=0.02)


def test_searches_that_find_nothing():
    def refuse(rows, seed):
        raise InputError("these objects cannot be clustered")

    assert measure(chosen(LABELS), refuse) == [(0, REPEATS, 0.0)]
    assert measure(chosen(LABELS), lambda *_: []) == [(0, REPEATS, 0.0)]
    assert measure([], refuse) == []


def test_without_time_nothing_is_known():
    assert measure(chosen(LABELS, OTHER), lambda *_: [], deadline=-1.0) == [None, None]


def test_at_most_so_many_objects():
    sizes = []

    def search(rows, seed):
        sizes.append(rows.size)
        return []

    measure(chosen(LABELS), search, most=50)
    assert sizes == [50] * REPEATS


# --- in cluster_again


@pytest.mark.parametrize("counts", [(2, 2), (2, 3)])
def test_planted_clusterings_are_found_again(counts):
    data = make_alternatives(200, counts, separation=7, random_state=0)
    (found,) = cluster_again(data.X, data.labels[:, 0], random_state=0)
    assert found.found_again == (5, 5)
    assert found.stability > 0.95
    assert found.convincing


@pytest.mark.parametrize("seed", range(3))
def test_one_of_several_that_are_as_good_is_found_again(seed):
    data = make_alternatives(160, (2, 2, 2), features=1, random_state=0)
    (found,) = cluster_again(data.X, data.labels[:, 0], n_alternatives=1, random_state=seed)
    assert found.found_again == (5, 5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", ["normal", "lognormal", "standard_t"])
def test_noise_is_not_convincing(shape, seed):
    random = np.random.default_rng(seed)
    degrees = (3,) if shape == "standard_t" else ()
    X = getattr(random, shape)(*degrees, size=(150, 3))
    found = cluster_again(X, random.integers(2, size=150), random_state=seed)
    assert list(found) == []
    assert found.unconvincing


@pytest.mark.parametrize("size", [0.28, 7])
def test_the_smallest_cluster_is_found_again(size):
    """Among some of the objects it has fewer."""
    labels = np.repeat([0, 1], [7, 18])
    X = 9.0 * labels[:, None] + 0.1 * np.random.default_rng(0).normal(size=(25, 1))
    (found,) = cluster_again(
        X, np.arange(25) % 2, n_clusters=2, min_cluster_size=size, random_state=0
    )
    assert found.sizes == (18, 7)
    assert found.found_again == (5, 5)


@pytest.mark.slow
def test_small_clusters_of_many_objects_are_found_again():
    """Searches are repeated on 1,000 of 2,000 objects, where clusters have half the size."""
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [1730, 150, 120])
    X = np.array([[0, 0], [9, 0], [0, 9]])[labels] + random.normal(size=(2000, 2))
    found = cluster_again(X, random.integers(2, size=2000), random_state=0)
    assert found[0].sizes == (1730, 150, 120)
    assert found[0].found_again == (5, 5)


@pytest.mark.parametrize("better", [True, False])
def test_what_a_repeated_search_finds_is_a_candidate(better):
    """It is chosen if it has more evidence; otherwise nothing changes."""
    made = make_alternatives(200, (2, 2, 2), features=1, separation=9, random_state=0)
    known, weak, strong = made.labels.T
    X = made.X + np.random.default_rng(0).normal(size=made.X.shape) * [0, 2, 0]
    problem = AlternativeProblem(X, 200, read_given(known, 200))
    data = MixedObjects(problem.features, problem.objects).take()
    settings = SearchSettings(None, 2, None, guard=True, refine=True)
    search = SampleSearch(problem, data, settings, Deadline.after(3600))
    first, again = (weak, strong) if better else (strong, weak)
    model = EvidenceModel(data, problem.given)
    before = ChoiceResult([Chosen(Attempt(first, "Method", {}), model.evidence(first), {})], [])
    rows = np.arange(0, 200, 2)
    after = search.choose_again(before, [RepeatedSearch(rows, chosen(again[rows]))])
    if better:
        assert adjusted_rand_score(after.convincing[0].labels, strong) > 0.95
    else:
        assert after is before
    assert search.choose_again(before, []) is before
