"""Blocks of distances, against plain Python; also run with NUMBA_DISABLE_JIT=1."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import distances as kernels
from reference import internal as naive


def turned(X):
    return read_only(np.ascontiguousarray(np.array(X, float).T))


@pytest.mark.parametrize("features", [1, 2, 3, 4, 5, 8, 11])
def test_euclidean_blocks(features):
    rng = np.random.default_rng(features)
    X = rng.normal(size=(13, features))
    for rows, start, stop in [(slice(0, 13), 0, 13), (slice(4, 7), 2, 9), (slice(5, 5), 0, 3)]:
        first = read_only(X[rows])
        out = np.full((len(first), stop - start), np.nan)
        kernels.euclidean(first, turned(X), start, stop, out)
        wanted = [[naive.euclid(x, y) for y in X[start:stop]] for x in X[rows]]
        np.testing.assert_allclose(out, np.reshape(wanted, out.shape), rtol=1e-14)


def test_euclidean_blocks_of_several_chunks():
    X = np.random.default_rng(0).normal(size=(2 * kernels.CHUNK + 5, 3))
    start, stop = 3, len(X) - 1
    out = np.full((2, stop - start), np.nan)
    kernels.euclidean(read_only(X[:2]), turned(X), start, stop, out)
    wanted = [[naive.euclid(x, y) for y in X[start:stop]] for x in X[:2]]
    np.testing.assert_allclose(out, wanted, rtol=1e-14)


@given(
    points=st.lists(
        st.lists(st.integers(-1000, 1000), min_size=5, max_size=5), min_size=1, max_size=6
    )
)
def test_whole_numbers_have_exact_distances(points):
    out = np.empty((len(points), len(points)))
    kernels.euclidean(read_only(np.array(points, float)), turned(points), 0, len(points), out)
    for i, x in enumerate(points):
        for j, y in enumerate(points):
            square = sum((s - t) ** 2 for s, t in zip(x, y, strict=True))
            assert out[i, j] == math.sqrt(square)


@given(
    rows=st.lists(
        st.tuples(
            st.one_of(st.none(), st.integers(-3, 3)),
            st.one_of(st.none(), st.sampled_from([0.0, 0.1, 7.5])),
            st.one_of(st.none(), st.sampled_from("abc")),
            st.one_of(st.none(), st.sampled_from("xy")),
        ),
        min_size=1,
        max_size=7,
    )
)
def test_gower_blocks(rows):
    columns = list(zip(*rows, strict=True))
    numbers = np.array([[math.nan if x is None else x for x in c] for c in columns[:2]], float)
    codes = np.array([[-1 if x is None else "abcxy".index(x) for x in c] for c in columns[2:]])
    spans = []
    for column in columns[:2]:
        there = [x for x in column if x is not None]
        spans.append((max(there) - min(there) if there else 0) or 1.0)
    out = np.full((len(rows), len(rows)), np.nan)
    kernels.gower(numbers, codes, numbers, codes, np.array(spans), out)
    for i in range(len(rows)):
        for j in range(len(rows)):
            if i != j:
                assert out[i, j] == pytest.approx(naive.gower(rows, i, j), abs=1e-15)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("side", [1, 5, 16, 17, 40])
def test_blocks_are_placed_with_their_mirror_images(kind, side):
    n = 41
    upper = np.triu(np.random.default_rng(0).random((n, n)), 1).astype(kind)
    whole = upper + upper.T
    # What lies below the diagonal does not count.
    blocks = whole + np.tril(np.ones((n, n)), -1)
    out = np.zeros((n, n), kind)
    for top in range(0, n, side):
        for left in range(top, n, side):
            block = blocks[top : top + side, left : left + side].astype(np.float64)
            kernels.write_block(np.ascontiguousarray(block), top, left, out)
    np.testing.assert_array_equal(out, whole)
