"""Statistics of tables, and of tables without an object; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import assume, given

from clusterwise.kernels import table_statistics as kernels
from clusterwise.kernels.jackknife import describe_without_one
from clusterwise.kernels.partitions import log_stirling
from helpers.strategies import max_examples, tables
from reference import chance as naive, measures

WANTED = np.ones(kernels.N_STATISTICS, bool)


def describe(table):
    found = np.zeros(kernels.N_STATISTICS)
    rows, columns = (table.sum(axis=axis).astype(float) for axis in (1, 0))
    room = np.empty(table.shape)
    kernels.describe_table(table, rows, columns, rows.sum(), WANTED, room, found)
    return found


def without_empty(table):
    table = np.array(table, np.int64)
    return np.ascontiguousarray(table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0])


@given(table=tables(clusters=4))
def test_statistics_of_a_table(table):
    table = without_empty(table)
    found = describe(table)
    logs = sum(float(one) * np.log(one) for one in table.ravel() if one)
    assert found[kernels.SQUARES] == (table**2).sum()
    assert found[kernels.INFORMATION] == pytest.approx(logs)
    assert found[kernels.OVERLAP] == measures.best_overlap(table.tolist())
    assert found[kernels.ROW_MAX] == table.max(axis=1).sum()
    assert found[kernels.COLUMN_MAX] == table.max(axis=0).sum()
    sizes = table.sum(axis=1)[:, None] + table.sum(axis=0)
    f_scores = (2 * table / sizes).max(axis=1)
    assert found[kernels.F_SCORE] == pytest.approx(f_scores @ table.sum(axis=1) / table.sum())


@max_examples(40)
@given(table=tables(largest=6, clusters=4))
def test_leaving_an_object_out_is_describing_the_rest(table):
    table = without_empty(table)
    assume(table.sum() > 1)
    rows, columns = np.nonzero(table)
    found = np.zeros((rows.size, kernels.N_STATISTICS))
    kept = table.copy()
    describe_without_one(table, rows, columns, describe(table), WANTED, found)
    np.testing.assert_array_equal(table, kept)
    for one, row, column in zip(found, rows, columns, strict=True):
        rest = table.copy()
        rest[row, column] -= 1
        expected = describe(without_empty(rest))
        np.testing.assert_allclose(one, expected, rtol=1e-9, atol=1e-9)


def test_logarithms_of_stirling_numbers():
    """Count the clusterings of up to seven objects into each number of clusters."""
    for k in range(1, 6):
        counts = [sum(len(set(one)) == k for one in naive.partitions(n)) for n in range(8)]
        np.testing.assert_allclose(np.exp(log_stirling(7, k)), counts, rtol=1e-12)
