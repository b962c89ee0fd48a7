"""Counts of a window: they add up, and equal values are in the same bucket."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.batches import read_batch
from clusterwise.streams.window_counts import N_BUCKETS, WindowCounts, bucket_of

BINNING = Binning().fit(np.array([["a", "x"], ["b", None]], object))


def counts(rows):
    X = np.array([row[:2] for row in rows], object).reshape(-1, 2)
    return WindowCounts.from_batch(read_batch(X, [row[2] for row in rows]), BINNING)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d", None]),
        st.sampled_from(["x", "y", "z"]),
        st.sampled_from([0, 1]),
    ),
    min_size=1,
)


@given(ROWS, ROWS)
def test_counts_add_up(first, second):
    whole = counts(first + second)
    assert counts(first) + counts(second) == whole
    assert whole - counts(second) == counts(first)
    expected = Counter(
        (r, row[2], bucket_of(row[r]))
        for row in first + second
        for r, known in enumerate(("ab", "x"))
        if row[r] is not None and row[r] not in known
    )
    assert whole.unseen == expected


def test_counts_that_are_not_known_stay_unknown():
    one, other = counts([("c", "x", 0)]), WindowCounts(counts([("d", "x", 0)]).profile, None)
    assert (one + other).unseen is None
    assert (one + other - one).unseen is None
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'WindowCounts'"):
        one + 1
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for -: 'WindowCounts'"):
        one - 1


def test_equal_values_are_in_the_same_bucket():
    for equal in ([2, 2.0, np.float64(2.0)], [1, True, 1.0], [0, False, -0.0]):
        assert len({bucket_of(value) for value in equal}) == 1
    assert bucket_of("\ud800") in range(N_BUCKETS)


def test_buckets_are_filled_evenly_and_are_the_same_in_every_process():
    found = np.bincount([bucket_of(f"id{i}") for i in range(6400)], minlength=N_BUCKETS)
    assert found.size == N_BUCKETS
    assert 60 < found.min() < found.max() < 145
    assert [bucket_of(value) for value in ("a", "b", 1, 1.5, None)] == [
        30, 43, 36, 20, 11
    ]  # fmt: skip
