"""Labels as bytes and bits, and moves of objects and clusters; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels import ensemble, phi

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


@st.composite
def codes_of(draw, *, missing=True):
    """Codes m × n, some -1, and the numbers of clusters."""
    n, m = draw(st.integers(1, 70)), draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=m, max_size=m))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    low = -1 if missing else 0
    codes = np.array([random.integers(low, size, n) for size in sizes], np.int8)
    return codes, sizes


@given(st.integers(0, 2**64 - 1))
def test_ones(word):
    assert ensemble.count_ones(np.uint64(word)) == word.bit_count()


@given(codes_of(missing=False), st.integers(-3, 3))
def test_narrow_rows_turns_labels_into_bytes(one, low):
    codes, _ = one
    labels = np.ascontiguousarray(codes.T).astype(np.int64) + low
    m, n = codes.shape
    eights = np.zeros((m, -(-n // 64) * 8), np.uint64)
    masks, spread = np.zeros(m, np.uint64), np.zeros(m, np.uint64)
    lows = np.full(m, low).astype(np.uint64)
    ensemble.narrow_rows(labels, lows, eights, masks, spread)
    assert np.array_equal(eights.view(np.int8)[:, :n], codes)
    assert masks.tolist() == [sum(1 << value for value in set(row)) for row in codes.tolist()]
    for j in range(m):
        narrow = np.empty(n, np.int8)
        mask, bits = ensemble.narrow_column(labels[:, j], lows[j], narrow)
        assert np.array_equal(narrow, codes[j])
        assert mask == masks[j]
        assert bits == spread[j] == np.bitwise_or.reduce(codes[j])


def shared(ours, theirs, size, their_size, weights):
    return [
        [int(weights[(ours == k) & (theirs == c)].sum()) for c in range(their_size)]
        for k in range(size)
    ]


@given(codes_of())
def test_bits_and_labels_count_the_same(one):
    codes, sizes = one
    ours, size = codes[0], sizes[0]
    weights = np.arange(1, ours.size + 1)
    words = []
    for row, wide in zip(codes, sizes, strict=True):
        filled = np.full(-(-row.size // 64) * 64, -1, np.int8)
        filled[: row.size] = row
        words.append(np.empty((wide, filled.size // 64), np.uint64))
        ensemble.pack_bits(filled.view(np.uint64), words[-1])
    for theirs, wide, bits in zip(codes, sizes, words, strict=True):
        expected = shared(ours, theirs, size, wide, np.ones_like(weights))
        table = np.zeros((size, wide), np.int64)
        ensemble.count_bits(words[0], bits, table)
        assert table.tolist() == expected
        counts = np.zeros((2, size + 1, wide + 1), np.uint32)
        ensemble.count_label_pairs(ours, theirs, counts)
        assert counts.sum(axis=0)[1:, 1:].tolist() == expected
        sums = np.zeros((size + 1, wide + 1), np.int64)
        ensemble.add_label_pairs(ours, theirs, weights, sums)
        assert sums[1:, 1:].tolist() == shared(ours, theirs, size, wide, weights)


@given(codes_of(missing=False))
def test_raw_rows_count_the_same(one):
    codes, sizes = one
    labels = np.ascontiguousarray(codes.T).astype(np.int64)
    counts = np.zeros((sizes[0], 4 * len(sizes)), np.uint32)
    lows = np.zeros(len(sizes), np.uint64)
    assert ensemble.count_raw_labels(codes[0], labels, lows, 4, counts) < 4
    for j, theirs in enumerate(codes):
        expected = shared(codes[0], theirs, sizes[0], 4, np.ones(theirs.size, int))
        assert counts[:, 4 * j : 4 * j + 4].tolist() == expected


def likeness(codes, factors):
    """The weight of clusterings that have two objects together."""
    alike = (codes[:, :, None] == codes[:, None, :]) & (codes >= 0)[:, :, None]
    alike = np.tensordot(factors, alike, 1)
    np.fill_diagonal(alike, 0)
    return alike


def objective_by_pairs(codes, factors, weights, labels, k1, k2):
    """φ from all pairs of objects, each object repeated as often as its weight says."""
    every = np.repeat(np.arange(labels.size), weights.astype(int))
    codes, labels = codes[:, every], labels[every]
    alike = likeness(codes, factors)
    sizes = np.bincount(labels)
    part = alike / sizes[labels][:, None] / sizes[labels][None, :]
    same = labels[:, None] == labels[None, :]
    return k1 * part[same].sum() / 2 + k2 * part[~same].sum() / 2


@st.composite
def states(draw):
    codes, sizes = draw(codes_of())
    codes = codes[:, :9]
    n, count = codes.shape[1], draw(st.integers(1, 4))
    count = min(count, n)
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    weights = random.integers(1, 4, n).astype(float)
    labels = random.permutation(n) % count
    factors = random.choice([0.5, 1.0, 2.0], len(sizes))
    return codes, sizes, weights, labels, factors


class Sums:
    """A state made from nothing, for φ as published or by objects."""

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
    alike, labels = likeness(codes[:, every], factors) / factors.sum(), labels[every]
    same = labels[:, None] == labels[None, :]
    within = (alike * same / same.sum(axis=1)).sum() / labels.size
    return within - (alike[~same].mean() if not same.all() else 0)


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


def test_objects_join_those_that_they_are_with():
    rows = np.array([[0, 0], [0, 1], [1, 1], [1, -1]], np.int8)
    labels = np.array([0, 9, 1, 9])
    table = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    starts, factors = np.array([0, 2]), np.array([2.0, 1.0])
    data = phi.PhiData(rows, starts, factors, np.ones(4))
    phi.assign_by_co_association(data, np.array([1, 3]), table, np.ones(2), labels)
    assert labels.tolist() == [0, 0, 1, 1]
    shares = np.empty(4)
    phi.co_associations_with(rows, factors, 3, shares)
    assert shares.tolist() == [0.0, 0.0, 2.0, 2.0]


@given(codes_of(missing=False))
def test_squared_overlaps_are_those_of_the_tables(one):
    codes, sizes = one
    m, size = len(codes), max(sizes)
    sums = np.zeros((m, m), np.int64)
    for row in range(m):
        ensemble.sum_squared_overlaps(codes, row, size, sums)
    hot = np.eye(size)[codes]
    tables = np.einsum("ink,jnl->ijkl", hot, hot)
    np.testing.assert_array_equal(sums, (tables**2).sum(axis=(2, 3)))
