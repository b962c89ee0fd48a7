"""Local search on the Dunn index by means, within bounds."""

import numpy as np
import pytest
from experiments.maximus.variants.estimator import VariantMAXIMUS
from experiments.maximus.variants.local_search import search_locally
from hypothesis import given, strategies as st

from clusterwise import dunn_score
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.maximus.constraints import BalanceConstraints, SizeBounds
from clusterwise.alternatives.maximus.multipliers import group_by_given
from clusterwise.alternatives.maximus.object_program import ObjectProgram
from experiments.maximus.variants import local_search_kernels as kernels
from helpers.strategies import max_examples

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
        groups = group_by_given(self.known[None], (2,))
        bounds = SizeBounds(np.full(clusters, 5.0), np.full(clusters, float(n)))
        self.constraints = BalanceConstraints(groups, bounds, tolerance)
        self.program = ObjectProgram(
            self.X, groups, lambda _: self.constraints, self.known, clusters,
            np.random.RandomState(0),
        )  # fmt: skip

    def ratio(self, labels):
        table = self.program.groups.crosstab(labels, self.program.clusters)
        return self.constraints.violation(table).ratio


@max_examples(25)
@given(seeds, st.integers(2, 4), st.sampled_from([0.3, 1.0, 3.0]))
def test_it_ends_where_no_feasible_move_gains(seed, clusters, tolerance):
    case = Case(seed, clusters, tolerance)
    before = case.labels.copy()
    found, ratio = search_locally(case.program, case.labels)
    assert (case.labels == before).all()
    assert ratio == pytest.approx(case.ratio(found))
    if case.ratio(before) > 1:
        assert (found == before).all()
        return
    reached = by_means(case.X, found)
    assert ratio <= 1
    assert reached >= by_means(case.X, before) * (1 - 1e-9)
    for i in range(len(found)):
        for k in range(clusters):
            other = found.copy()
            other[i] = k
            if case.ratio(other) <= 1:
                assert by_means(case.X, other) <= reached * (1 + 1e-6)


def test_infeasible_labels_and_no_time_change_nothing():
    case = Case(0, 2, 0.3)
    assert (search_locally(case.program, case.known)[0] == case.known).all()
    assert (search_locally(case.program, case.labels, 0.0)[0] == case.labels).all()


@given(seeds, st.integers(2, 4))
def test_moving_one_object_is_counting_again(seed, clusters):
    random = np.random.default_rng(seed)
    X, labels = random.normal(size=(12, 2)), random.permutation(np.arange(12) % clusters)

    def count(labels):
        members = np.eye(clusters)[labels]
        sums = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)) @ members
        return sums, members.T @ sums, members.sum(axis=0)

    sums, pairs, sizes = count(labels)
    assert kernels.mean_dunn(pairs, sizes) == pytest.approx(by_means(X, labels))
    i, there = int(random.integers(12)), int(random.integers(clusters))
    here = labels[i]
    if here == there:
        return
    kernels.move_object(sums[i].copy(), here, there, pairs, sizes)
    kernels.update_sums(X, i, here, there, sums)
    labels[i] = there
    for ours, counted in zip((sums, pairs, sizes), count(labels), strict=True):
        np.testing.assert_allclose(ours, counted, atol=1e-9)


def test_answers_are_better_and_feasible():
    random = np.random.default_rng(0)
    X, known = random.normal(size=(120, 4)), random.integers(0, 2, 120)
    plain, searched = (
        VariantMAXIMUS(local_search=local_search, random_state=0).fit(X, known)
        for local_search in (False, True)
    )
    assert by_means(X, searched.labels_) > 1.001 * by_means(X, plain.labels_)
    assert searched.outcomes_[0].status == "feasible"


def test_only_the_object_level_program_has_a_local_search():
    model = VariantMAXIMUS(program="profile", local_search=True)
    with pytest.raises(InputError, match="local_search"):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
