"""Moves of objects that raise the Dunn index by means, within bounds."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusterwise import MAXIMUS, dunn_score
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.direct import Problem
from clusterwise.alternatives.maximus.holding import Evenness, Room
from clusterwise.alternatives.maximus.local_search import polish
from clusterwise.alternatives.maximus.multipliers import link_clusters, retabulate, tabulate
from clusterwise.kernels import maximus_local_search as kernels

seeds = st.integers(0, 2**32 - 1)


def by_means(X, labels):
    return dunn_score(X, labels, between="average", within="average")


class Case:
    def __init__(self, seed, clusters, tolerance, n=40):
        random = np.random.default_rng(seed)
        self.X = random.normal(size=(n, 3))
        self.known = random.integers(0, 2, n)
        self.known[:2] = 0, 1
        self.labels = random.permutation(np.arange(n) % clusters)
        links = link_clusters(self.known[None], (2,))
        room = Room(np.full(clusters, 5.0), np.full(clusters, float(n)))
        self.holding = Evenness(links, room, tolerance)
        self.problem = Problem(
            self.X, links, lambda _: self.holding, self.known, clusters, np.random.RandomState(0)
        )

    def excess(self, labels):
        links, clusters = self.problem.links, self.problem.clusters
        return self.holding.excess(tabulate(links, labels, clusters)).worst


@settings(max_examples=25)
@given(seeds, st.integers(2, 4), st.sampled_from([0.3, 1.0, 3.0]))
def test_polishing_ends_where_no_move_within_bounds_gains(seed, clusters, tolerance):
    case = Case(seed, clusters, tolerance)
    before = case.labels.copy()
    found, excess = polish(case.problem, case.labels)
    assert (case.labels == before).all()
    assert excess == pytest.approx(case.excess(found))
    if case.excess(before) > 1:
        assert (found == before).all()
        return
    reached = by_means(case.X, found)
    assert excess <= 1
    assert reached >= by_means(case.X, before) * (1 - 1e-9)
    for i in range(len(found)):
        for k in range(clusters):
            other = found.copy()
            other[i] = k
            if case.excess(other) <= 1:
                assert by_means(case.X, other) <= reached * (1 + 1e-6)


def test_labels_beyond_bounds_and_no_time_change_nothing():
    case = Case(0, 2, 0.3)
    assert (polish(case.problem, case.known)[0] == case.known).all()
    assert (polish(case.problem, case.labels, 0.0)[0] == case.labels).all()


@given(seeds, st.integers(2, 4))
def test_shifting_one_object_is_counting_again(seed, clusters):
    random = np.random.default_rng(seed)
    X, labels = random.normal(size=(12, 2)), random.permutation(np.arange(12) % clusters)

    def count(labels):
        members = np.eye(clusters)[labels]
        sums = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)) @ members
        return sums, members.T @ sums, members.sum(axis=0)

    sums, pairs, sizes = count(labels)
    assert kernels.dunn(pairs, sizes) == pytest.approx(by_means(X, labels))
    i, there = int(random.integers(12)), int(random.integers(clusters))
    here = labels[i]
    if here == there:
        return
    kernels.shift(sums[i].copy(), here, there, pairs, sizes)
    kernels.follow(X, i, here, there, sums)
    labels[i] = there
    for ours, counted in zip((sums, pairs, sizes), count(labels), strict=True):
        np.testing.assert_allclose(ours, counted, atol=1e-9)


def test_tables_follow_moves():
    case = Case(1, 3, 1.0)
    links, after = case.problem.links, case.labels.copy()
    moves = [(0, after[0], (after[0] + 1) % 3), (5, after[5], (after[5] + 2) % 3)]
    for i, _, there in moves:
        after[i] = there
    found = retabulate(links, tabulate(links, case.labels, 3), moves)
    np.testing.assert_array_equal(found, tabulate(links, after, 3))


def test_polished_answers_are_better_and_within_bounds():
    random = np.random.default_rng(0)
    X, known = random.normal(size=(120, 4)), random.integers(0, 2, 120)
    plain, polished = (
        MAXIMUS(polish=polish, random_state=0).fit(X, known) for polish in (False, True)
    )
    assert by_means(X, polished.labels_) > 1.001 * by_means(X, plain.labels_)
    assert polished.outcomes_[0].status == "within bounds"


def test_only_the_program_on_objects_polishes():
    with pytest.raises(InputError, match="polish"):
        MAXIMUS(program="profile", polish=True).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
