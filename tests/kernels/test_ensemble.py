"""Labels as bytes and bits, and counts of overlaps; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels import ensemble

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
