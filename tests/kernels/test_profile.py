"""The kernels of density profiles against plain loops; also run without compiling."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.kernels import profile as kernels
from helpers.strategies import max_examples

# Without compiling, NumPy warns where a missing value becomes a number that is never used.
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")

values = st.one_of(st.floats(-1.5, 2.5), st.sampled_from([0.0, 1.0, float("nan"), -0.0]))


@st.composite
def cases(draw):
    n, features = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    X = draw(st.lists(values, min_size=n * features, max_size=n * features))
    labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    return np.array(X).reshape(n, features), np.array(labels)


def expected(X, labels, bins):
    """Range 0…1 for every feature."""
    width = sum(bins) + len(bins)
    counts = np.zeros((3, width), np.int64)
    below, above = np.zeros((2, len(bins)), np.int64)
    for row, label in zip(X.tolist(), labels.tolist(), strict=True):
        offset = 0
        for r, (value, most) in enumerate(zip(row, bins, strict=True)):
            if value != value:
                place = most
            else:
                below[r] += value < 0
                above[r] += value > 1
                place = min(max(int(value * most), 0), most - 1) if value >= 0 else 0
            counts[label, offset + place] += 1
            offset += most + 1
    return counts, below, above


@pytest.mark.parametrize("tile", [1, 2, 5])
@pytest.mark.parametrize("route", ["rows", "columns"])
@max_examples(40)
@given(case=cases())
def test_counting_values_of_even_bins(route, tile, case):
    X, labels = case
    features = X.shape[1]
    bins = [3] * features
    owned = np.array(bins) + 1
    width = int(owned.sum())
    low, high = np.zeros(features), np.ones(features)
    offsets = (np.cumsum(owned) - owned).astype(np.int32)
    sizes = np.array(bins, float)
    numbers = (low, high, sizes, sizes, offsets, sizes)
    counts = np.zeros(3 * width, np.uint32)
    below, above = np.zeros((2, features), np.int64)
    limit = 3 * (1 - 1e-15)
    found = kernels.BinCounts(counts, below, above, np.zeros(features))
    span = kernels.ClusterRange(np.uint64(0), np.uint64(3), np.uint64(width))
    if route == "rows":
        even = kernels.EvenBins(*(np.tile(part, tile) for part in numbers), limit)
        reached = kernels.count_rows(X.reshape(-1), labels, 0, len(X), span, tile, even, found)
        assert reached == len(X)
    else:
        # In two blocks, each with the bases of its own objects.
        even = kernels.EvenBins(*numbers, limit)
        bases = np.empty(len(X), np.uint32)
        half = len(X) // 2
        for start, stop in ((0, half), (half, len(X))):
            assert kernels.find_bases(labels, start, stop, span, bases)
            for r in range(features):
                kernels.count_column(X[:, r], start, stop, bases, r, even, found)
    wanted = expected(X, labels, bins)
    assert counts.reshape(3, width).tolist() == wanted[0].tolist()
    assert (below.tolist(), above.tolist()) == (wanted[1].tolist(), wanted[2].tolist())


def test_labels_that_were_not_announced_have_no_bases():
    labels, bases = np.array([5, 6, 7]), np.empty(3, np.uint32)
    span = kernels.ClusterRange(np.uint64(5), np.uint64(2), np.uint64(10))
    assert kernels.find_bases(labels, 0, 2, span, bases)
    assert bases[:2].tolist() == [0, 10]
    assert not kernels.find_bases(labels, 0, 3, span, bases)


@given(case=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=20))
def test_counting_codes(case):
    codes, labels = (np.array(part) for part in zip(*case, strict=True))
    weights = np.arange(len(case)) / 4
    shares = np.eye(3)[labels]
    counts, sums = np.zeros(3 * 7, np.int64), np.zeros(3 * 7)
    soft = np.zeros((7, 3))
    kernels.count_codes(codes, labels + 5, np.uint64(5), np.uint64(7), np.uint64(2), counts)
    kernels.add_codes(codes, labels, weights, np.uint64(0), np.uint64(7), np.uint64(2), sums)
    kernels.add_memberships(codes, shares, weights, np.uint64(2), soft)
    wanted, weighed = np.zeros((3, 7), np.int64), np.zeros((3, 7))
    for code, label, weight in zip(codes, labels, weights, strict=True):
        wanted[label, code + 2] += 1
        weighed[label, code + 2] += weight
    assert counts.reshape(3, 7).tolist() == wanted.tolist()
    assert sums.reshape(3, 7) == pytest.approx(weighed)
    assert soft.transpose() == pytest.approx(weighed)
