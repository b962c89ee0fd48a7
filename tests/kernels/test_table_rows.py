"""Loops over the rows of contingency tables; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels import table_rows as kernels
from helpers.strategies import tables
from reference import measures as naive


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


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables())
def test_largest_cells(table, empty_cells):
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    row_max = np.zeros(len(table), np.uint32)
    column_max = np.zeros(len(table[0]), np.uint32)
    kernels.largest(sizes, columns, counts, row_max, column_max)
    assert row_max.tolist() == [max(row) for row in table]
    assert column_max.tolist() == [max(column) for column in zip(*table, strict=True)]


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=9), scale=st.sampled_from([1, 10_000]))
def test_entropies(table, empty_cells, scale):
    a, b = labels_from(table)
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    # Rows and columns without an object have no logarithm; callers leave them out.
    in_a, in_b = (np.maximum(sums, 1).astype(np.float64) * scale for sums in sums_of(table))
    total = float(len(a) * scale)
    scaled = counts * np.int64(scale)
    found = kernels.conditional_entropies(sizes, columns, scaled, in_a, in_b, total)
    expected = (naive.conditional_entropy(a, b), naive.conditional_entropy(b, a))
    assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=9))
def test_best_f_scores(table, empty_cells):
    in_a, in_b = (np.maximum(sums, 1) for sums in sums_of(table))
    best = np.zeros(len(table))
    kernels.best_f_scores(*by_row(table, empty_cells=empty_cells), in_a, in_b, best)
    expected = [
        max(2 * count / (in_a[k] + in_b[j]) for j, count in enumerate(row))
        for k, row in enumerate(table)
    ]
    assert best.tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("empty_cells", [False, True])
@given(table=tables(largest=6, clusters=4))
def test_dominant_pairs_belong_to_a_best_matching(table, empty_cells):
    sizes, columns, counts = by_row(table, empty_cells=empty_cells)
    height, width = len(table), len(table[0])
    partner = np.full(height, -1, np.int64)
    row_open, column_open = np.ones(height, bool), np.ones(width, bool)
    found = kernels.match_dominant(sizes, columns, counts, partner, row_open, column_open)
    assert found == np.count_nonzero(partner >= 0) == np.count_nonzero(~row_open)
    assert sorted(partner[partner >= 0]) == np.flatnonzero(~column_open).tolist()
    sure = sum(table[row][column] for row, column in enumerate(partner) if column >= 0)
    rest = [[table[i][j] for j in np.flatnonzero(column_open)] for i in np.flatnonzero(row_open)]
    left = naive.best_overlap(rest) if rest and rest[0] else 0
    assert sure + left == naive.best_overlap(table)
