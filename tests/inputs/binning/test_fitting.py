"""The quantile sketch: exact while small, and its stated rank error afterwards."""

from functools import reduce
from math import log2
from operator import add

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.binning.fitting import QuantileSketch


def bound(n, capacity):
    """The bound of the docstring."""
    return n / capacity * (1 + log2(n / capacity)) if n >= capacity else 0


def worst_rank_error(sketch, values):
    """Largest difference of ranks, over all values, those just above them included."""
    kept, counts = sketch.values()
    ends = np.concatenate([[0], np.cumsum(counts)])
    values = np.sort(values)
    worst = 0
    for side in ("left", "right"):
        true = np.searchsorted(values, values, side)
        worst = max(worst, int(np.abs(ends[np.searchsorted(kept, values, side)] - true).max()))
    return worst


def joined(chunks):
    return [value for chunk in chunks for value in chunk]


numbers = st.integers(-30, 30).map(float)


@given(values=st.lists(numbers, max_size=40))
def test_small_sketches_are_exact(values):
    sketch = QuantileSketch(64).update(np.array(values))
    kept, counts = sketch.values()
    distinct = sorted(set(values))
    assert kept.tolist() == distinct
    assert counts.tolist() == [values.count(value) for value in distinct]
    assert sketch.rank_error == 0
    assert sketch.n == len(values)


@given(chunks=st.lists(st.lists(numbers, max_size=30), max_size=30), capacity=st.integers(2, 9))
def test_rank_error_of_chunks_is_within_the_bound(chunks, capacity):
    sketch = QuantileSketch(capacity)
    for chunk in chunks:
        sketch.update(np.array(chunk))
    check(sketch, joined(chunks), capacity)


@given(chunks=st.lists(st.lists(numbers, max_size=30), min_size=1, max_size=30))
def test_rank_error_of_merged_sketches_is_within_the_bound(chunks):
    sketches = [QuantileSketch(4).update(np.array(chunk)) for chunk in chunks]
    check(reduce(add, sketches), joined(chunks), 4)


def check(sketch, values, capacity):
    assert sketch.n == len(values) == sketch.values()[1].sum()
    assert sketch.rank_error <= bound(len(values), capacity)
    if values:
        assert (sketch.low, sketch.high) == (min(values), max(values))
        assert worst_rank_error(sketch, np.array(values)) <= sketch.rank_error


@pytest.mark.slow
@pytest.mark.parametrize("order", ["ascending", "descending", "shuffled", "halves"])
@pytest.mark.parametrize("chunk", [7, 100, 5000])
def test_a_long_stream_in_any_order(order, chunk):
    n, capacity = 50_000, 128
    values = np.arange(n, dtype=float)
    if order == "descending":
        values = values[::-1]
    elif order == "shuffled":
        values = np.random.default_rng(5).permutation(values)
    elif order == "halves":
        values = values.reshape(2, -1).T.ravel()
    sketches = [QuantileSketch(capacity).update(values[i : i + chunk]) for i in range(0, n, chunk)]
    merged = reduce(add, sketches)
    assert 0 < worst_rank_error(merged, values) <= merged.rank_error <= bound(n, capacity)
    # Fewer than two full levels' worth of room at each level, plus one that waits.
    assert merged.values()[0].size <= 2 * capacity * (1 + log2(n / capacity))


def test_the_parts_of_a_sum_stay_as_they_were():
    first = QuantileSketch(4).update(np.arange(3.0))
    second = QuantileSketch(4).update(np.arange(3.0, 6.0))
    _ = first + second
    first.update(np.array([9.0]))
    assert (second.n, second.high) == (3, 5.0)
    assert first.values()[1].sum() == 4
    assert (first + second).n == 7


def test_nothing_has_no_range():
    sketch = QuantileSketch().update(np.empty(0))
    assert (sketch.n, sketch.low, sketch.high) == (0, np.inf, -np.inf)
    assert sketch.values()[0].size == 0


def test_only_sketches_add_up():
    with pytest.raises(TypeError, match="'QuantileSketch' and 'int'"):
        _ = QuantileSketch() + 1
