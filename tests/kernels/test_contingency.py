"""Loops that count pairs of labels, against plain Python; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import contingency as kernels
from helpers.strategies import label_pairs, tables
from reference import measures as naive

# Kernels subtract in wrapping 64-bit arithmetic; without the JIT, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

WIDTHS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32]


def u64(number):
    return np.uint64(number % (1 << 64))


def labels_of(values, dtype=np.int64):
    return read_only(np.array(values, dtype))


def counted(a, b, first, size):
    table = np.zeros(size * size, np.uint32)
    reached = kernels.count_dense(
        a, b, 0, a.size, u64(first), u64(first), u64(size), u64(size), table
    )
    return reached, table.reshape(size, size)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", WIDTHS)
@given(pair=label_pairs(max_size=20))
def test_dense_count_of_every_width(pair, dtype):
    first = 0 if np.dtype(dtype).kind == "u" else -2
    a, b = (labels_of([label + first for label in side], dtype) for side in pair)
    reached, table = counted(a, b, first, 5)
    assert reached == a.size
    expected = naive.contingency(pair.a, pair.b)
    assert {cell: table[cell] for cell in zip(*np.nonzero(table), strict=True)} == expected


def test_dense_count_stops_before_the_block_with_a_label_out_of_range():
    a = np.zeros(3 * kernels.BLOCK, np.int64)
    b = np.zeros_like(a)
    b[kernels.BLOCK + 7] = 9
    reached, table = counted(read_only(a), read_only(b), 0, 2)
    assert reached == kernels.BLOCK
    assert table[0, 0] == kernels.BLOCK


def test_dense_count_refuses_labels_below_the_range():
    reached, table = counted(labels_of([0, -1]), labels_of([0, 0]), 0, 2)
    assert reached == 0
    assert not table.any()


@given(pair=label_pairs(max_size=20), data=st.data())
def test_dense_sums_of_weights(pair, data):
    n = len(pair.a)
    weights = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    table = np.zeros(25, np.int64)
    kernels.add_dense(
        labels_of(pair.a), labels_of(pair.b), labels_of(weights), u64(0), u64(0), u64(5), table
    )
    found = {divmod(i, 5): count for i, count in enumerate(table.tolist()) if count}
    assert found == naive.contingency(pair.a, pair.b, weights)


@given(values=st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_counts_and_sums_of_labels(values):
    labels = labels_of(values)
    counts = np.zeros(7, np.int64)
    kernels.count_labels(labels, 0, labels.size, u64(-3), counts)
    assert counts.tolist() == [values.count(label) for label in range(-3, 4)]
    sums = np.zeros(7, np.float64)
    kernels.add_labels(labels, read_only(np.full(labels.size, 0.5)), u64(-3), sums)
    assert (2 * sums).tolist() == counts.tolist()


@given(pair=label_pairs())
def test_counting_sort_and_row_counts(pair):
    a, b = labels_of(pair.a), labels_of(pair.b)
    starts = np.searchsorted(np.sort(a), np.arange(6)).astype(np.int64)
    columns = np.empty(a.size, np.uint32)
    kernels.scatter(a, b, 0, a.size, u64(0), u64(0), starts[:-1].copy(), columns)
    for row in range(5):
        mine = [j for k, j in zip(pair.a, pair.b, strict=True) if k == row]
        assert columns[starts[row] : starts[row + 1]].tolist() == mine
    counts, sizes = np.empty(a.size, np.uint32), np.zeros(5, np.int64)
    end = kernels.squeeze_rows(starts, 0, 5, columns, counts, sizes, 5)
    rows = np.repeat(np.arange(5), sizes).tolist()
    cells = zip(rows, columns[:end].tolist(), strict=True)
    assert dict(zip(cells, counts[:end].tolist(), strict=True)) == naive.contingency(*pair)


@given(pair=label_pairs(), data=st.data())
def test_counting_sort_with_weights(pair, data):
    a, b = labels_of(pair.a), labels_of(pair.b)
    weights = data.draw(st.lists(st.integers(1, 9), min_size=a.size, max_size=a.size))
    starts = np.searchsorted(np.sort(a), np.arange(6)).astype(np.int64)
    columns, sums = np.empty(a.size, np.uint32), np.empty(a.size, np.int64)
    cursor = starts[:-1].copy()
    kernels.scatter_weighted(a, b, labels_of(weights), u64(0), u64(0), cursor, columns, sums)
    sizes = np.zeros(5, np.int64)
    end = kernels.squeeze_rows_weighted(starts, columns, sums, sizes, 5)
    cells = zip(np.repeat(np.arange(5), sizes).tolist(), columns[:end].tolist(), strict=True)
    found = dict(zip(cells, sums[:end].tolist(), strict=True))
    assert found == naive.contingency(pair.a, pair.b, weights)


@given(table=tables())
def test_sum_of_squares(table):
    counts = np.array(table, np.uint32).ravel()
    assert kernels.sum_of_squares(counts) == sum(count**2 for row in table for count in row)


def test_sum_of_squares_near_its_limit():
    assert kernels.sum_of_squares(np.array([3_037_000_499], np.uint32)) == 3_037_000_499**2


@pytest.mark.parametrize(("a", "b", "reached"), [(1, 2, 6), (2, 0, 0), (0, 3, 0)])
def test_counting_stops_at_labels_outside_the_announced_range(a, b, reached):
    """Of two rows and three columns."""
    rows, columns = labels_of([0, 0, 1, 1, 0, a]), labels_of([0, 1, 2, 2, 0, b])
    table = np.zeros(9, np.uint32)
    sizes = (np.uint64(0), np.uint64(0), np.uint64(2), np.uint64(3))
    assert kernels.count_dense(rows, columns, 0, 6, *sizes, table) == reached
    assert table.sum() == reached
