"""The assignment solver, against the best of all matchings; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given

from clusterwise.kernels.assignment import solve_assignment
from helpers.strategies import tables
from reference import measures as naive


@pytest.mark.parametrize("dtype", [np.uint32, np.float64])
@given(table=tables(largest=9))
def test_assignment_gains_most(table, dtype):
    gains = np.array(table, dtype)
    columns = solve_assignment(gains)
    rows = np.flatnonzero(columns >= 0)
    assert len(set(columns[rows].tolist())) == len(rows) == min(gains.shape)
    assert gains[rows, columns[rows]].sum() == naive.best_overlap(table)


def test_assignment_where_every_row_wants_the_same_column():
    wanted = np.outer(np.arange(12), np.arange(12)).astype(np.uint32)
    assert solve_assignment(wanted).tolist() == list(range(12))
    assert len(set(solve_assignment(np.zeros((5, 7), np.uint32)).tolist())) == 5
