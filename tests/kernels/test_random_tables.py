"""Random contingency tables against SciPy's probabilities; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import chisquare, hypergeom, random_table

from clusterwise.kernels.random_tables import (
    draw_hypergeometric,
    draw_table,
    list_tables,
    log_factorial,
)
from helpers.strategies import tables

# Of a right sampler, one seed in a thousand has a smaller p-value.
LEVEL = 1e-3


def all_tables(rows, columns, room=5000):
    found, logs = np.zeros((room, len(rows), len(columns)), np.int64), np.zeros(room)
    count = list_tables(np.array(rows), np.array(columns), found, logs)
    return count, found[:count], logs[:count]


@pytest.mark.parametrize("x", [0, 1, 2, 100, 127, 128, 129, 10_000, 10**9])
def test_log_factorial(x):
    from scipy.special import gammaln

    assert log_factorial(x) == pytest.approx(gammaln(x + 1.0), rel=1e-14, abs=1e-14)


@given(table=tables(largest=3, clusters=3))
def test_all_tables_are_listed_once_with_their_probabilities(table):
    table = np.array(table)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    count, found, logs = all_tables(rows, columns)
    assert len({one.tobytes() for one in found}) == count
    assert (found.sum(axis=2) == rows).all()
    assert (found.sum(axis=1) == columns).all()
    assert (found >= 0).all()
    assert any((one == table).all() for one in found)
    weights = np.exp(logs - logs.max())
    # They add up to 1, so none is missing.
    expected = random_table(rows, columns).pmf(found)
    np.testing.assert_allclose(weights / weights.sum(), expected, rtol=1e-9)
    assert expected.sum() == pytest.approx(1)


def test_too_many_tables_are_counted_up_to_the_first_that_does_not_fit():
    count, _, _ = all_tables([3, 3, 3], [3, 3, 3])
    assert count == 55
    found, logs = np.zeros((10, 3, 3), np.int64), np.zeros(10)
    assert list_tables(np.full(3, 3), np.full(3, 3), found, logs) == 11


@pytest.mark.parametrize(
    ("good", "bad", "sample"),
    [(5, 7, 4), (50, 70, 30), (700, 50, 60), (40, 800, 700), (3, 500, 480), (500, 3, 480),
     (1000, 1000, 11), (20, 20, 20), (400, 500, 450)],
)  # fmt: skip
def test_hypergeometric_numbers(good, bad, sample):
    rng = np.random.default_rng(1)
    drawn = [draw_hypergeometric(good, bad, sample, rng) for _ in range(4000)]
    expected = 4000 * hypergeom(good + bad, good, sample).pmf(np.arange(sample + 1))
    observed = np.bincount(drawn, minlength=sample + 1)
    assert not observed[expected == 0].any()
    usual = expected >= 5
    observed, expected = (np.append(one[usual], one[~usual].sum()) for one in (observed, expected))
    assert chisquare(observed[expected > 0], expected[expected > 0]).pvalue > LEVEL


@pytest.mark.parametrize(
    ("rows", "columns"), [([3, 4, 2], [5, 4]), ([2, 2, 3], [1, 4, 2]), ([13, 15], [14, 14])]
)
def test_random_tables_have_the_probabilities_of_permuted_labels(rows, columns):
    rng = np.random.default_rng(2)
    rows, columns = np.array(rows), np.array(columns)
    _, listed, logs = all_tables(rows, columns)
    index = {one.tobytes(): i for i, one in enumerate(listed)}
    table, left = np.zeros((rows.size, columns.size), np.int64), np.zeros(columns.size, np.int64)
    observed = np.zeros(len(listed))
    for _ in range(4000):
        draw_table(rows, columns, rng, left, table)
        observed[index[table.tobytes()]] += 1
    expected = np.exp(logs - logs.max())
    expected *= 4000 / expected.sum()
    usual = expected >= 5
    observed, expected = (np.append(one[usual], one[~usual].sum()) for one in (observed, expected))
    assert chisquare(observed[expected > 0], expected[expected > 0]).pvalue > LEVEL


def test_random_tables_keep_the_sums_of_large_ones():
    rng = np.random.default_rng(3)
    rows, columns = rng.integers(1, 10**6, 7), rng.integers(1, 10**6, 5)
    columns[-1] += rows.sum() - columns.sum() + 10**7
    rows[0] += 10**7
    table, left = np.zeros((7, 5), np.int64), np.zeros(5, np.int64)
    draw_table(rows, columns, rng, left, table)
    assert (table >= 0).all()
    np.testing.assert_array_equal(table.sum(axis=1), rows)
    np.testing.assert_array_equal(table.sum(axis=0), columns)
