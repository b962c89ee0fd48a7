"""The loops by themselves, against plain Python. Also run with NUMBA_DISABLE_JIT=1."""

from collections import Counter
from math import log

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import contingency as kernels, table_rows as row_kernels
from clusterwise.kernels.assignment import solve_assignment
from clusterwise.kernels.encoding import hash_rows, value_range
from clusterwise.kernels.expected_mutual_info import TABLE, _excess, _step, expected_information
from helpers.strategies import label_pairs, tables
from reference import measures as naive

# Kernels subtract in wrapping 64-bit arithmetic; without the JIT, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

WIDTHS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32]


def u64(number):
    return np.uint64(number % (1 << 64))


def labels_of(values, dtype=np.int64):
    return read_only(np.array(values, dtype))


def by_row(table, *, empty_cells=False):
    """Row sizes, columns and counts; with the cells that are empty, or without."""
    table = np.array(table)
    rows, columns = np.nonzero(table >= 0 if empty_cells else table)
    sizes = np.bincount(rows, minlength=len(table))
    return sizes, columns.astype(np.uint32), table[rows, columns].astype(np.uint32)


def sums_of(table):
    return [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]


def labels_from(table):
    """Two clusterings that have this table."""
    a, b = [], []
    for k, row in enumerate(table):
        for j, count in enumerate(row):
            a += [k] * count
            b += [j] * count
    return a, b


def counted(a, b, first, size):
    table = np.zeros(size * size, np.uint32)
    reached = kernels.count_dense(
        a, b, 0, a.size, u64(first), u64(first), u64(size), u64(size), table
    )
    return reached, table.reshape(size, size)


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
def test_counts_sums_and_range_of_labels(values):
    labels = labels_of(values)
    assert value_range(labels) == (min(values), max(values))
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


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables())
def test_largest_cells_and_sum_of_squares(table, empty_cells):
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    row_max = np.zeros(len(table), np.uint32)
    column_max = np.zeros(len(table[0]), np.uint32)
    row_kernels.largest(sizes, columns, counts, row_max, column_max)
    assert row_max.tolist() == [max(row) for row in table]
    assert column_max.tolist() == [max(column) for column in zip(*table, strict=True)]
    assert kernels.sum_of_squares(counts) == sum(count**2 for row in table for count in row)


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=9), scale=st.sampled_from([1, 10_000]))
def test_entropies(table, empty_cells, scale):
    a, b = labels_from(table)
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    # Rows and columns without an object have no logarithm; callers leave them out.
    in_a, in_b = (np.maximum(sums, 1).astype(np.float64) * scale for sums in sums_of(table))
    total = float(len(a) * scale)
    scaled = counts * np.int64(scale)
    found = row_kernels.conditional_entropies(sizes, columns, scaled, in_a, in_b, total)
    expected = (naive.conditional_entropy(a, b), naive.conditional_entropy(b, a))
    assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=9))
def test_best_f_scores(table, empty_cells):
    in_a, in_b = (np.maximum(sums, 1) for sums in sums_of(table))
    best = np.zeros(len(table))
    row_kernels.best_f_scores(*by_row(table, empty_cells=empty_cells), in_a, in_b, best)
    expected = [
        max(2 * count / (in_a[k] + in_b[j]) for j, count in enumerate(row))
        for k, row in enumerate(table)
    ]
    assert best.tolist() == pytest.approx(expected, abs=1e-15)


def test_sum_of_squares_near_its_limit():
    assert kernels.sum_of_squares(np.array([3_037_000_499], np.uint32)) == 3_037_000_499**2


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)), max_size=40))
def test_hash_numbers_rows_by_first_appearance(rows):
    codes = np.empty(len(rows), np.uint32)
    firsts = hash_rows(read_only(np.array(rows, np.int64).reshape(len(rows), 2)), codes)
    distinct = list(dict.fromkeys(rows))
    assert codes.tolist() == [distinct.index(row) for row in rows]
    assert firsts.tolist() == [rows.index(row) for row in distinct]


def test_hash_table_grows():
    values = (np.arange(5000) * 2**40 + 1) % (2**62 + 3)
    codes = np.empty(10_000, np.uint32)
    firsts = hash_rows(read_only(np.concatenate([values, values]).reshape(-1, 1)), codes)
    assert firsts.tolist() == list(range(5000))
    assert codes.tolist() == [*range(5000)] * 2


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=6, clusters=4))
def test_dominant_pairs_belong_to_a_best_matching(table, empty_cells):
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    height, width = len(table), len(table[0])
    partner = np.full(height, -1, np.int64)
    row_open, column_open = np.ones(height, bool), np.ones(width, bool)
    found = row_kernels.match_dominant(sizes, columns, counts, partner, row_open, column_open)
    assert found == np.count_nonzero(partner >= 0) == np.count_nonzero(~row_open)
    assert sorted(partner[partner >= 0]) == np.flatnonzero(~column_open).tolist()
    sure = sum(table[row][column] for row, column in enumerate(partner) if column >= 0)
    rest = [[table[i][j] for j in np.flatnonzero(column_open)] for i in np.flatnonzero(row_open)]
    left = naive.best_overlap(rest) if rest and rest[0] else 0
    assert sure + left == naive.best_overlap(table)


@given(x=st.floats(0.5, 1e6), mean=st.floats(0.5, 1e6))
def test_excess_is_never_negative(x, mean):
    expected = x * log(x / mean) - x + mean
    assert _excess(x, mean) >= 0
    assert _excess(x, mean) == pytest.approx(expected, rel=1e-9, abs=1e-9 * (x + mean))


@given(x=st.integers(1, TABLE + 10) | st.integers(1, 10**9))
def test_steps_of_logarithms_keep_every_digit(x):
    with mpmath.workdps(40):
        step = mpmath.log1p(mpmath.mpf(1) / x)
        expected = float(step), float((x + 1) * step - 1)
    assert _step(float(x)) == pytest.approx(expected, rel=1e-15)


@given(table=tables())
def test_expected_information_of_small_tables(table):
    sums_a, sums_b = ([size for size in sums if size] for sums in sums_of(table))
    arguments = []
    for sums in (sums_a, sums_b):
        sizes = Counter(sums)
        arguments += [np.array([*sizes], np.float64), np.array([*sizes.values()], np.float64)]
    found = expected_information(*arguments, float(sum(sums_a)))
    assert found == pytest.approx(float(naive.expected_information(sums_a, sums_b)), abs=1e-14)


def test_expected_information_without_objects():
    nothing = np.empty(0)
    assert expected_information(nothing, nothing, nothing, nothing, 0.0) == 0.0


@pytest.mark.parametrize("dtype", [np.uint32, np.float64])
@given(table=tables(largest=9))
def test_assignment_gains_most(table, dtype):
    gains = np.array(table, dtype)
    if gains.shape[0] > gains.shape[1]:
        gains = np.ascontiguousarray(gains.T)
    columns = solve_assignment(gains)
    assert len(set(columns.tolist())) == len(gains)
    assert gains[np.arange(len(gains)), columns].sum() == naive.best_overlap(table)


def test_assignment_where_every_row_wants_the_same_column():
    wanted = np.outer(np.arange(12), np.arange(12)).astype(np.uint32)
    assert solve_assignment(wanted).tolist() == list(range(12))
    assert len(set(solve_assignment(np.zeros((5, 7), np.uint32)).tolist())) == 5
