"""Ranges and hash tables of labels, against plain Python; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels.encoding import hash_rows, value_range

# Kernels subtract in wrapping 64-bit arithmetic; without the JIT, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


@given(values=st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_range_of_labels(values):
    assert value_range(read_only(np.array(values))) == (min(values), max(values))


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
