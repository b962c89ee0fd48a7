"""Sums over soft clusterings, against plain Python; also run with NUMBA_DISABLE_JIT=1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import overlap as kernels
from helpers.soft_strategies import shares
from reference import transport as naive

# Kernels subtract in wrapping 64-bit arithmetic; without the JIT, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

EXPONENTS = pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])


@st.composite
def weighted_pairs(draw):
    """Two membership matrices, with weights or none."""
    n = draw(st.integers(1, 6))
    weights = draw(
        st.one_of(st.none(), st.lists(st.sampled_from([0, 1, 3, 0.5]), min_size=n, max_size=n))
    )
    return draw(shares(n)), draw(shares(n)), weights


def as_weights(weights):
    return read_only(np.array([] if weights is None else weights, np.float64))


def plain(weights, n):
    return [1] * n if weights is None else weights


def zeros(a, b):
    """Products, differences, masses of both and own pairs, all nothing."""
    size = a.shape[1], b.shape[1]
    return [np.zeros(size), np.zeros(size), np.zeros(size[0]), np.zeros(size[1]), np.zeros(3)]


def expected(a, b, weights):
    w = plain(weights, len(a))
    return [
        naive.products(a, b, w),
        naive.differences(a, b, w),
        naive.masses(a, w),
        naive.masses(b, w),
        naive.own_pairs(a, b, w),
    ]


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(case=weighted_pairs())
def test_dense_sums(kind, case):
    a, b, weights = case
    sums = zeros(a, b)
    first, second = (read_only(side.astype(kind)) for side in (a, b))
    assert kernels.add_dense(first, second, as_weights(weights), 0, len(a), *sums) == len(a)
    assert_same(sums, expected(a, b, weights))


@pytest.mark.slow
@pytest.mark.parametrize("n", [*range(1, 20), 63, 64, 65, 66, 67, 194, 195])
def test_dense_sums_of_every_length(n):
    """Shares that are no round numbers: what rounding leaves must not pass for a bad row."""
    rng = np.random.default_rng(n)
    a, b = rng.dirichlet([1, 1, 1], n), rng.dirichlet([1, 1, 1, 1], n)
    sums = zeros(a, b)
    assert kernels.add_dense(a, b, np.empty(0), 0, n, *sums) == n
    assert_same(sums, expected(a, b, None))


@pytest.mark.parametrize("weighted", [False, True])
def test_dense_sums_of_several_blocks_and_of_some_rows(weighted):
    rng = np.random.default_rng(0)
    a, b = rng.dirichlet([1, 1, 1], 700), rng.dirichlet([0.1, 1], 700)
    weights = rng.random(700) if weighted else None
    start, stop = 17, 650
    sums = zeros(a, b)
    assert kernels.add_dense(a, b, as_weights(weights), start, stop, *sums) == stop
    rows = slice(start, stop)
    assert_same(sums, expected(a[rows], b[rows], weights if weights is None else weights[rows]))


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("row", [[0.5, 0.6], [1.5, -0.5], [np.nan, 1.0], [np.inf, 0.0], [0.0, 0.0]])
def test_dense_sums_stop_before_the_block_with_a_bad_row(side, row):
    matrices = [np.full((1200, 2), 0.5), np.full((1200, 2), 0.5)]
    matrices[side][1000] = row
    reached = kernels.add_dense(*matrices, np.empty(0), 0, 1200, *zeros(*matrices))
    assert 500 < reached <= 1000
    matrices[side][1000] = [0.25, 0.75]
    assert kernels.add_dense(*matrices, np.empty(0), 0, 1200, *zeros(*matrices)) == 1200


@EXPONENTS
@given(case=weighted_pairs())
def test_powers(exponent, case):
    a, b, weights = case
    w = plain(weights, len(a))
    differences, powers_a, powers_b = zeros(a, b)[1:4]
    kernels.add_powers(a, b, as_weights(weights), exponent, differences, powers_a, powers_b)
    wanted = [
        naive.differences(a, b, w, exponent),
        naive.masses(a**exponent, w),
        naive.masses(b**exponent, w),
    ]
    assert_same([differences, powers_a, powers_b], wanted)


@pytest.mark.parametrize("first", [0, -2])
@given(case=weighted_pairs(), data=st.data())
def test_labelled_sums(first, case, data):
    _, b, weights = case
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(b), max_size=len(b)))
    products, _, masses_a, masses_b, own = zeros(np.zeros((1, 3)), b)
    codes = read_only(np.array(labels) + first)
    reached = kernels.add_labelled(
        codes,
        np.uint64(first % (1 << 64)),
        b,
        as_weights(weights),
        products,
        masses_a,
        masses_b,
        own,
    )
    assert reached == len(b)
    wanted = expected(np.eye(3)[labels], b, weights)
    assert_same([products, masses_a, masses_b, own], [wanted[0], *wanted[2:]])


@pytest.mark.parametrize("row", [[0.5, 0.6], [1.5, -0.5], [np.nan, 1.0], [np.inf, 0.0], [0.0, 0.0]])
def test_labelled_sums_and_checks_stop_at_a_bad_row(row):
    b = np.full((9, 2), 0.5)
    assert kernels.first_bad_row(b) == -1
    b[5] = row
    b[7] = row
    assert kernels.first_bad_row(b) == 5
    products, _, masses_a, masses_b, own = zeros(b, b)
    labels = read_only(np.zeros(9, np.int64))
    arguments = (labels, np.uint64(0), b, np.empty(0), products, masses_a, masses_b, own)
    assert kernels.add_labelled(*arguments) == 5
    assert masses_a.tolist() == [5, 0]


def test_rows_may_be_off_by_rounding_in_32_bits():
    assert kernels.first_bad_row(np.array([[0.5, 0.5 + 9e-6], [1.0, -0.0]])) == -1
    assert kernels.first_bad_row(np.array([[0.5, 0.5 - 2e-5]])) == 0


@EXPONENTS
@given(case=weighted_pairs())
def test_sparse_sums(exponent, case):
    a, b, weights = case
    w = plain(weights, len(a))
    compressed = []
    for side in (a, b):
        rows = sparse.csr_array(side)
        starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        compressed.append(kernels.SparseRows(starts, columns, rows.data))
    products, saved, masses_a, masses_b, own = zeros(a, b)
    powers_a, powers_b = np.zeros_like(masses_a), np.zeros_like(masses_b)
    sums = kernels.SparseSums(products, saved, masses_a, masses_b, powers_a, powers_b, own)
    kernels.add_sparse(*compressed, as_weights(weights), exponent, sums)
    wanted = expected(a, b, weights)
    wanted[1] = naive.differences(a, b, w, exponent)
    found = [products, powers_a[:, None] + powers_b - saved, masses_a, masses_b, own]
    assert_same(found, wanted)
    assert_same([powers_a, powers_b], [naive.masses(a**exponent, w), naive.masses(b**exponent, w)])


@given(case=weighted_pairs(), data=st.data())
def test_rows_are_added_to_their_clusters(case, data):
    X, _, weights = case
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(X), max_size=len(X)))
    sums = np.zeros((3, X.shape[1]))
    first = np.uint64(-4 % (1 << 64))
    kernels.add_rows(read_only(np.array(labels) - 4), first, X, as_weights(weights), sums)
    assert_same([sums], [naive.products(np.eye(3)[labels], X, plain(weights, len(X)))])
