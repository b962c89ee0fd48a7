"""Where features are cut, against plain loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import load_iris

from clusterwise._utils.threads import threads
from clusterwise.inputs.binning.edge_text import format_edges
from clusterwise.inputs.binning.edges import (
    bin_numeric,
    even_edges,
    frequency_edges,
    is_skewed,
    mdl_edges,
    value_ranges,
)
from clusterwise.inputs.encoding import read_only
from reference import measures as naive

DTYPES = [np.float64, np.float32, np.int64, np.int8, np.uint16, np.uint64]
whole = st.integers(-20, 20).map(float)
finite = st.floats(allow_nan=False, allow_infinity=False)
labelled = st.lists(st.tuples(st.integers(0, 12), st.sampled_from("abc")), min_size=1, max_size=40)


def counted(values):
    return np.unique(np.array(values, float), return_counts=True)


@given(low=finite, high=finite, n_bins=st.integers(1, 20))
def test_even_edges_cover_the_range(low, high, n_bins):
    low, high = min(low, high), max(low, high)
    edges = even_edges(low, high, n_bins)
    assert (edges[0], edges[-1]) == (low, high)
    assert np.isfinite(edges).all()
    assert edges.size - 1 <= n_bins
    if low < high:
        assert (np.diff(edges / 2) >= 0).all()
        assert np.unique(edges).size == edges.size


@pytest.mark.parametrize(("low", "high"), [(0.0, 5e-324), (-1e308, 1.7e308), (3.0, 3.0)])
def test_ranges_without_a_usable_width_are_searched(low, high):
    feature = bin_numeric("a", even_edges(low, high, 10))
    assert not feature.even
    assert feature.scale == 0


def test_fewer_bins_where_floats_are_sparse():
    assert even_edges(1e16, 1e16 + 4, 10).tolist() == [1e16, 1e16 + 2, 1e16 + 4]


@given(values=st.lists(whole, min_size=1, max_size=40), n_bins=st.integers(1, 8))
def test_frequency_edges_against_the_nearest_gaps(values, n_bins):
    edges = frequency_edges(*counted(values), n_bins)
    places = [naive.position(value, edges) for value in values]
    sizes = [places.count(i) for i in range(edges.size - 1)]
    assert sizes == naive.frequency_sizes(values, n_bins)
    assert all(sizes)
    assert (edges[0], edges[-1]) == (min(values), max(values))
    if len(set(values)) > 1:
        assert (np.diff(edges) > 0).all()


def test_without_ties_the_counts_are_equal():
    edges = frequency_edges(*counted(np.random.default_rng(0).permutation(100)), 4)
    assert edges.tolist() == [0, 24.5, 49.5, 74.5, 99]


def test_neighbouring_floats_are_still_told_apart():
    low, high = 1.0, np.nextafter(1.0, 2)
    edges = frequency_edges(*counted([low, high]), 2)
    assert [naive.position(value, edges) for value in (low, high)] == [0, 1]


@given(objects=labelled)
def test_mdl_edges_against_the_recursion(objects):
    values, labels = zip(*objects, strict=True)
    codes = np.array(["abc".index(label) for label in labels])
    edges = mdl_edges(np.array(values), codes, 3)
    assert edges[1:-1].tolist() == naive.mdl_cuts(values, labels)
    assert (edges[0], edges[-1]) == (min(values), max(values))


@given(objects=labelled, data=st.data())
def test_mdl_edges_do_not_depend_on_the_order_of_objects_or_classes(objects, data):
    shuffled = data.draw(st.permutations(objects))
    found = []
    for order, letters in ((objects, "abc"), (shuffled, "cab")):
        values = np.array([value for value, _ in order])
        codes = np.array([letters.index(label) for _, label in order])
        found.append(mdl_edges(values, codes, 3).tolist())
    assert found[0] == found[1]


def test_mdl_cuts_where_many_classes_change():
    values = np.repeat(np.arange(30.0), 40)
    classes = np.repeat(np.arange(10), 120)
    cuts = mdl_edges(values, classes, 10)[1:-1]
    assert cuts.tolist() == [3 * k - 0.5 for k in range(1, 10)]


def test_mdl_accepts_no_cut_in_noise():
    rng = np.random.default_rng(3)
    edges = mdl_edges(rng.normal(size=2000), rng.integers(0, 3, 2000), 3)
    assert edges.size == 2


@pytest.mark.slow
def test_mdl_with_as_many_classes_as_objects():
    n = 660  # 3^660 is beyond floats
    edges = mdl_edges(np.arange(n), np.arange(n), n)
    assert edges[1:-1].tolist() == naive.mdl_cuts(range(n), range(n))


def test_petal_length_of_iris_is_cut_where_the_textbooks_cut_it():
    iris = load_iris()
    edges = mdl_edges(iris.data[:, 2], iris.target, 3)
    assert edges.tolist() == pytest.approx([1.0, 2.45, 4.75, 6.9])


def test_no_value_and_one_value():
    nothing = np.empty(0)
    for edges in (frequency_edges(*counted([]), 3), mdl_edges(nothing, np.empty(0, int), 2)):
        assert edges.tolist() == [-np.inf, np.inf]
    assert mdl_edges(np.ones(4), np.array([0, 1, 0, 1]), 2).tolist() == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F", "strided", "reversed"])
@given(n=st.integers(1, 150), width=st.integers(1, 5), seed=st.integers(0, 99))
def test_ranges_of_every_layout_and_type(dtype, order, n, width, seed):
    plain = np.random.default_rng(seed).integers(0, 100, (n, width)).astype(dtype)
    matrix = {
        "C": plain,
        "F": np.asfortranarray(plain),
        "strided": np.repeat(np.repeat(plain, 2, axis=0), 3, axis=1)[::2, ::3],
        "reversed": plain[::-1, ::-1].copy()[::-1, ::-1],
    }[order]
    low, high = value_ranges(read_only(matrix))
    assert low.tolist() == [min(column) for column in plain.T.tolist()]
    assert high.tolist() == [max(column) for column in plain.T.tolist()]


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ranges_pass_over_gaps_and_keep_infinities(order, dtype):
    matrix = np.array([[np.nan, 1, np.nan], [2, np.nan, np.nan], [5, np.inf, np.nan]] * 50, dtype)
    low, high = value_ranges(np.asarray(matrix, order=order))
    assert low.tolist() == [2, 1, np.inf]
    assert high.tolist() == [5, np.inf, -np.inf]


@pytest.mark.parametrize("order", "CF")
def test_ranges_do_not_depend_on_the_number_of_threads(order, monkeypatch):
    monkeypatch.setattr("clusterwise._utils.threads.SERIAL_BELOW", 1)
    matrix = np.asarray(np.random.default_rng(1).normal(size=(1001, 3)), order=order)
    with threads(3, oversubscribe=True):
        low, high = value_ranges(matrix)
    assert (low == matrix.min(axis=0)).all()
    assert (high == matrix.max(axis=0)).all()


@given(edges=st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=12, unique=True).map(sorted))
def test_texts_of_edges_tell_them_apart(edges):
    texts = format_edges(np.array(edges))
    assert len(set(texts)) == len(edges)
    numbers = [float(text.replace(",", "")) for text in texts]
    assert numbers == sorted(numbers)
    widths = [later / 2 - before / 2 for before, later in pairwise(edges)]
    narrower = [min(pair) for pair in pairwise([np.inf, *widths, np.inf])]
    for number, edge, width in zip(numbers, edges, narrower, strict=True):
        # Half of the widths, which do not overflow; and the rounding error of a float.
        assert abs(number - edge) <= 0.0201 * width + 2e-16 * abs(edge)


@pytest.mark.parametrize(
    ("edges", "texts"),
    [
        ([1253.2, 27_213.3, 41_982.0], ["1,300", "27,200", "42,000"]),
        ([-27_213.3, 0.0, 41_982.0], ["-27,200", "0", "42,000"]),
        ([1998.0, 2005.0, 2020.0], ["1998", "2005", "2020"]),
        ([18.0, 65.0, 120.0], ["18", "65", "120"]),
        ([1e-9, 2e-9, 3.3e-9], ["1e-9", "2e-9", "3.3e-9"]),
        ([0.0, 1e20, 2.5e20], ["0", "1e+20", "2.5e+20"]),
        ([-np.inf, 5.25, np.inf], ["-inf", "5.25", "inf"]),
        ([3.14159, 3.14159], ["3.142", "3.142"]),
        ([123_456.7, 123_456.7], ["123,457", "123,457"]),
        ([0.0, 0.0], ["0", "0"]),
        ([-1.7e308, 1.7e308], ["-1.7e+308", "1.7e+308"]),
    ],
)
def test_edges_are_written_as_people_do(edges, texts):
    assert format_edges(np.array(edges)) == texts


@pytest.mark.parametrize(
    ("counts", "skewed"),
    [
        ([97, 1, 1, 1, 0, 0], True),
        ([51, 49, 0, 0, 0, 0, 0], True),
        ([50, 50, 0, 0, 0, 0, 0], False),
        ([100, 0], False),
        ([90, 5, 5], False),
        ([76, 8, 8, 8], True),
        ([75, 9, 8, 8], False),
        ([100], False),
    ],
)
def test_skewed_features(counts, skewed):
    assert is_skewed(np.array(counts)) is skewed
