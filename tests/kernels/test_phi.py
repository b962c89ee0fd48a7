"""Sums and moves of φ, against all pairs of objects; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels import phi

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def co_associations(codes, factors):
    """The weight of the clusterings that have two objects in one cluster."""
    together = (codes[:, :, None] == codes[:, None, :]) & (codes >= 0)[:, :, None]
    together = np.tensordot(factors, together, 1)
    np.fill_diagonal(together, 0)
    return together


def objective_by_pairs(codes, factors, weights, labels, k1, k2):
    """φ from all pairs of objects, each object repeated by its weight."""
    every = np.repeat(np.arange(labels.size), weights.astype(int))
    codes, labels = codes[:, every], labels[every]
    together = co_associations(codes, factors)
    sizes = np.bincount(labels)
    part = together / sizes[labels][:, None] / sizes[labels][None, :]
    same = labels[:, None] == labels[None, :]
    return k1 * part[same].sum() / 2 + k2 * part[~same].sum() / 2


@st.composite
def states(draw):
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=m, max_size=m))
    count = min(draw(st.integers(1, 4)), n)
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    codes = np.array([random.integers(-1, size, n) for size in sizes], np.int8)
    weights = random.integers(1, 4, n).astype(float)
    labels = random.permutation(n) % count
    factors = random.choice([0.5, 1.0, 2.0], len(sizes))
    return codes, sizes, weights, labels, factors


class Sums:
    """The sums of a clustering, for φ as published or by objects."""

    def __init__(self, codes, sizes, weights, labels, factors, by_objects=False):
        count = labels.max() + 1
        rows, starts = np.ascontiguousarray(codes.T), np.cumsum([0, *sizes[:-1]])
        self.data = phi.PhiData(rows, starts, factors, weights)
        self.table, self.sizes = np.empty((sum(sizes), count)), np.empty(count)
        self.inner, self.reach = np.empty(count), np.empty(count)
        self.outer = np.empty((count, count))
        phi.count_clusters(self.data, labels, self.table, self.sizes)
        self.totals = np.array([])
        phi.sum_pairs(self.sums, np.repeat(factors, sizes))
        inside = self.inner.sum()
        together = inside + self.outer.sum() / 2
        squares, n = (self.sizes**2).sum(), self.sizes.sum()
        totals = [inside, squares, n, together, factors.sum()]
        self.totals = np.array(totals if by_objects else [])

    @property
    def sums(self):
        return phi.PhiSums(self.table, self.sizes, self.inner, self.outer, self.reach, self.totals)

    def value(self, k1, k2):
        if self.totals.size:
            within = (self.inner / self.sizes).sum()
            return phi.objective_by_objects(within, *self.totals[:2], self.totals, k1, k2)
        return phi.objective(self.sizes, self.inner, self.reach, k1, k2)


def value_by_pairs(codes, factors, weights, labels, by_objects):
    """The objective with k1 = 1 and k2 = -1 from all pairs of objects."""
    if not by_objects:
        return objective_by_pairs(codes, factors, weights, labels, 1.0, -1.0)
    every = np.repeat(np.arange(labels.size), weights.astype(int))
    together, labels = co_associations(codes[:, every], factors) / factors.sum(), labels[every]
    same = labels[:, None] == labels[None, :]
    within = (together * same / same.sum(axis=1)).sum() / labels.size
    return within - (together[~same].mean() if not same.all() else 0)


by_both = pytest.mark.parametrize("by_objects", [False, True])


@given(states())
def test_objective_equals_all_pairs(one):
    codes, _, weights, labels, factors = one
    expected = objective_by_pairs(codes, factors, weights, labels, 1.0, -0.5)
    assert Sums(*one).value(1.0, -0.5) == pytest.approx(expected, abs=1e-9)


@by_both
@given(one=states())
def test_a_sweep_gains_and_keeps_sums(by_objects, one):
    codes, sizes, weights, labels, factors = one
    labels = labels.copy()
    sums = Sums(codes, sizes, weights, labels, factors, by_objects)
    before = sums.value(1.0, -1.0)
    order = np.arange(labels.size)
    moved = phi.sweep_objects(order, sums.data, labels, sums.sums, phi.PhiWeights(1.0, -1.0), 1e-9)
    assert np.bincount(labels, minlength=sums.sizes.size).all()
    after = value_by_pairs(codes, factors, weights, labels, by_objects)
    assert sums.value(1.0, -1.0) == pytest.approx(after, abs=1e-9)
    fresh = Sums(codes, sizes, weights, labels, factors, by_objects)
    for kept, again in zip(sums.sums, fresh.sums, strict=True):
        np.testing.assert_allclose(kept, again, atol=1e-9)
    if moved:
        assert after > before
    else:
        assert_no_move_gains(codes, factors, weights, labels, by_objects)


def assert_no_move_gains(codes, factors, weights, labels, by_objects):
    value = value_by_pairs(codes, factors, weights, labels, by_objects)
    count = labels.max() + 1
    for i in range(labels.size):
        for k in range(count):
            other = labels.copy()
            other[i] = k
            if np.bincount(other, minlength=count).all():
                there = value_by_pairs(codes, factors, weights, other, by_objects)
                assert there <= value + 1e-8


@by_both
@given(one=states(), seed=st.integers(0, 100))
def test_random_moves_keep_sums(by_objects, one, seed):
    codes, sizes, weights, labels, factors = one
    labels = labels.copy()
    sums = Sums(codes, sizes, weights, labels, factors, by_objects)
    random = np.random.default_rng(seed)
    objects = random.integers(labels.size, size=30)
    targets = random.integers(sums.sizes.size, size=30)
    temperature = 1e6  # so that every move is made
    uniform = np.zeros(30)
    phi.anneal_objects(
        objects, targets, uniform, temperature, sums.data, labels, sums.sums,
        phi.PhiWeights(1.0, -1.0),
    )  # fmt: skip
    fresh = Sums(codes, sizes, weights, labels, factors, by_objects)
    for kept, again in zip(sums.sums, fresh.sums, strict=True):
        np.testing.assert_allclose(kept, again, atol=1e-9)


@by_both
@given(one=states().filter(lambda one: one[3].max() > 0))
def test_the_best_two_clusters_merge(by_objects, one):
    codes, sizes, weights, labels, factors = one
    sums = Sums(codes, sizes, weights, labels, factors, by_objects)
    count = sums.sizes.size
    alive = np.ones(count, np.bool_)
    first, second = phi.merge_best(
        sums.sizes, sums.inner, sums.outer, sums.totals, 1.0, -1.0, alive
    )

    def merged(a, b):
        other = np.where(labels == b, a, labels)
        other = np.unique(other, return_inverse=True)[1]
        return value_by_pairs(codes, factors, weights, other, by_objects)

    values = [merged(a, b) for a in range(count) for b in range(a + 1, count)]
    assert merged(first, second) == pytest.approx(max(values), abs=1e-9)
    assert alive.tolist() == [k != second for k in range(count)]


def test_objects_join_the_cluster_of_largest_co_association():
    rows = np.array([[0, 0], [0, 1], [1, 1], [1, -1]], np.int8)
    labels = np.array([0, 9, 1, 9])
    table = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    starts, factors = np.array([0, 2]), np.array([2.0, 1.0])
    data = phi.PhiData(rows, starts, factors, np.ones(4))
    phi.assign_by_co_association(data, np.array([1, 3]), table, np.ones(2), labels)
    assert labels.tolist() == [0, 0, 1, 1]
    found = np.empty(4)
    phi.co_associations_with(rows, factors, 3, found)
    assert found.tolist() == [0.0, 0.0, 2.0, 2.0]
