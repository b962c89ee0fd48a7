"""The loops of overlaps, credits and transport against plain Python; also run without compiling."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import sparse

from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import overlap as kernels
from clusterwise.kernels.irm import give_credits, score_cells
from clusterwise.kernels.transport import solve_transport
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


def credits_of(a, b, order):
    """Credits by the kernel, which gets the cells sorted by score, ties in this order."""
    scores = naive.irm_scores(a, b)
    cells = sorted(scores, key=lambda cell: (-scores[cell], order.random()))
    rows, columns = np.array(cells).T
    given_out = np.zeros(len(cells))
    left = np.array(naive.masses(a, [1] * len(a))), np.array(naive.masses(b, [1] * len(b)))
    sorted_scores = np.array([float(scores[cell]) for cell in cells])
    hand_out(rows, columns, sorted_scores, *left, given_out)
    for side, places, sizes in ((a, rows, left[0]), (b, columns, left[1])):
        used = np.bincount(places, given_out, minlength=sizes.size)
        np.testing.assert_allclose(used + sizes, naive.masses(side, [1] * len(side)), atol=1e-12)
    assert (given_out >= 0).all()
    return float(given_out @ sorted_scores) / len(a)


def hand_out(rows, columns, scores, *left_and_given):
    """Credits by keys that leave most scores together, to be told apart by the kernel."""
    keys = np.floor(scores * 3).astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    give_credits(order, keys, rows, columns, scores, *left_and_given)


def without_empty(matrix):
    return matrix[:, matrix.sum(axis=0) > 0]


@given(case=weighted_pairs(), order=st.randoms(use_true_random=False))
def test_credits_with_ties_are_given_at_one_pace(case, order):
    a, b = map(without_empty, case[:2])
    wanted = float(naive.irm_at_one_pace(a, b))
    assert credits_of(a, b, order) == pytest.approx(wanted, abs=1e-12)


@given(case=weighted_pairs(), order=st.randoms(use_true_random=False))
def test_credits_without_ties_are_the_published_ones(case, order):
    a, b = map(without_empty, case[:2])
    scores = list(naive.irm_scores(a, b).values())
    assume(len(set(scores)) == len(scores))
    assert naive.irm_in_order(a, b) == naive.irm_at_one_pace(a, b)
    assert credits_of(a, b, order) == pytest.approx(float(naive.irm_in_order(a, b)), abs=1e-12)


def test_tied_cells_that_compete_share_and_others_do_not_wait():
    """Row 0 (2 left) feeds three tied columns, of which one can take a quarter only."""
    rows, columns = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 3])
    given_out, left = np.zeros(4), np.array([2.0, 5.0])
    room = np.array([0.25, 2.0, 2.0, 4.0])
    hand_out(rows, columns, np.full(4, 0.5), left, room, given_out)
    assert given_out.tolist() == [0.25, 0.875, 0.875, 4.0]
    assert left.tolist() == [0.0, 1.0]


@given(
    cost=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=4),
    data=st.data(),
)
def test_cheapest_paths(cost, data):
    amounts = st.integers(0, 6)
    supply = data.draw(st.lists(amounts, min_size=len(cost), max_size=len(cost)))
    demand = data.draw(st.lists(amounts, min_size=4, max_size=4))
    gap = sum(supply) - sum(demand)
    (demand if gap > 0 else supply)[0] += abs(gap)
    assume(sum(supply))
    sent = np.zeros((len(cost), 4))
    solve_transport(np.array(cost, float), np.array(supply, float), np.array(demand, float), sent)
    assert sent.min() >= 0
    assert sent.sum(axis=1).tolist() == supply
    assert sent.sum(axis=0).tolist() == demand
    wanted = naive.cheapest(supply, demand, cost)
    assert (sent * np.array(cost)).sum() == pytest.approx(wanted, abs=1e-7)


def test_the_plain_credits_of_the_paper():
    """Rajasekhara and Pujari (2010): 12|3|4|5|6|78 against 12|36|45|78."""
    first, third = [1, 1, 2, 3, 4, 5, 6, 6], [1, 1, 2, 3, 3, 2, 4, 4]
    matrices = [
        [[Fraction(x == y) for y in sorted(set(side))] for x in side] for side in (first, third)
    ]
    assert naive.irm_at_one_pace(*matrices) == naive.irm_in_order(*matrices) == Fraction(3, 4)


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=4))
def test_scores_of_cells_leave_out_the_empty_ones(table):
    counts = np.array(table)
    row_sums, column_sums = counts.sum(axis=1) + 1.0, counts.sum(axis=0) + 1.0
    full = np.count_nonzero(counts)
    rows, columns, scores = np.empty(full, np.uint32), np.empty(full, np.uint32), np.empty(full)
    cells = np.tile(np.arange(3, dtype=np.uint32), len(table))
    sizes = np.full(len(table), 3)
    args = (sizes, cells, counts.ravel(), row_sums, column_sums, rows, columns, scores)
    assert score_cells(*args) == full
    found = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), scores, strict=True))
    assert found == {
        (k, j): counts[k, j] / (row_sums[k] + column_sums[j] - counts[k, j])
        for k, j in zip(*map(np.ndarray.tolist, np.nonzero(counts)), strict=True)
    }
