"""Distances by every metric, against SciPy and plain loops."""

import math
import threading

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy.spatial.distance import cdist, pdist, squareform

import clusterwise as cw
from clusterwise.inputs import distance_blocks as metrics
from clusterwise.inputs.distances import Distances, read_distances
from reference import internal as naive

NUMBERS = st.one_of(st.none(), st.integers(-4, 4), st.sampled_from([0.1, 2.5]))
NAMES = st.one_of(st.none(), st.sampled_from(["red", "green", "blue"]))
MIXED = st.lists(st.tuples(NUMBERS, NAMES, NUMBERS, NAMES), min_size=1, max_size=8)

METRICS = [
    "euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation", "canberra",
    "braycurtis", "minkowski", "hamming", "jensenshannon",
]  # fmt: skip
FROM_VARIANCES = ["seuclidean", "mahalanobis"]


@pytest.fixture
def small_blocks(monkeypatch):
    """Many blocks and parts, in threads."""
    monkeypatch.setattr(metrics, "SIDE", 3)
    monkeypatch.setattr(metrics, "SERIAL_BELOW", 0)


def points(n=11, features=5, seed=0):
    return np.random.default_rng(seed).random((n, features)) + 0.1


def table(distances, kind=np.float64):
    out = np.full((distances.n, distances.n), -1, kind)
    distances.fill(out)
    return out


def by_hand(X):
    return [[naive.gower(X, i, j) for j in range(len(X))] for i in range(len(X))]


@pytest.mark.parametrize("metric", [*METRICS, naive.cityblock])
def test_metrics_are_scipys(metric):
    X = points()
    distances = read_distances(X, metric)
    assert distances.n == 11
    wanted = cdist(X, X, metric)
    np.fill_diagonal(wanted, 0)
    np.testing.assert_allclose(distances.between(slice(None)), wanted, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("metric", FROM_VARIANCES)
def test_variances_are_those_of_all_objects(metric):
    X = points()
    wanted = squareform(pdist(X, metric))
    distances = read_distances(X, metric)
    np.testing.assert_allclose(distances.between(slice(2, 4)), wanted[2:4], rtol=1e-10)
    few = distances.take(np.array([7, 1, 3]))
    some = wanted[np.ix_([7, 1, 3], [7, 1, 3])]
    np.testing.assert_allclose(few.between(slice(None)), some, rtol=1e-10)


def mixed(X):
    return [[*row[:2], str(i % 3)] for i, row in enumerate(X.tolist())]


KINDS = {
    "euclidean": read_distances,
    "cityblock": lambda X: read_distances(X, "cityblock"),
    "gower": lambda X: read_distances(mixed(X), "gower"),
    "precomputed": lambda X: read_distances(cdist(X, X), "precomputed"),
}
every_kind = pytest.mark.parametrize("name", KINDS)


@every_kind
@pytest.mark.parametrize(
    "chosen",
    [
        slice(None),
        slice(3, 7),
        slice(8, 99),
        slice(None, None, 2),
        slice(5, 2),
        np.array([4, 4, 0, -1]),
        np.arange(11) % 2 == 0,
    ],
    ids=str,
)
def test_blocks_of_slices_places_and_masks(name, chosen):
    distances = KINDS[name](points())
    whole = distances.between(slice(None))
    assert not np.diagonal(whole).any()
    assert (whole + np.eye(11) > 0).all()
    np.testing.assert_array_equal(distances.between(chosen), whole[chosen])
    np.testing.assert_array_equal(distances.between(slice(2, 9), chosen), whole[2:9][:, chosen])
    np.testing.assert_array_equal(distances.between(chosen, slice(2, 9)), whole[chosen][:, 2:9])
    np.testing.assert_array_equal(distances.between(chosen, chosen), whole[chosen][:, chosen])


@every_kind
def test_some_objects_keep_their_distances(name):
    distances = KINDS[name](points())
    whole = distances.between(slice(None))
    first, second = np.array([9, 2, 2, 5, 0]), np.array([3, 0, 1])
    few = distances.take(first)
    assert (few.n, few.metric) == (5, name)
    # An object that is taken twice is two objects, at distance 0.
    np.testing.assert_array_equal(few.between(slice(None)), whole[np.ix_(first, first)])
    again = first[second]
    wanted = whole[np.ix_(again, again)]
    np.testing.assert_array_equal(few.take(second).between(slice(None)), wanted)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 10])
@pytest.mark.parametrize("metric", ["euclidean", "canberra", "gower", naive.cityblock])
def test_tables_are_filled_block_by_block(small_blocks, kind, n, metric):
    distances = read_distances(points(n), metric)
    out = table(distances, kind)
    np.testing.assert_array_equal(out, out.T)
    np.testing.assert_array_equal(out, distances.between(slice(None)).astype(kind))


def test_tables_are_the_same_whatever_the_threads(small_blocks):
    distances = read_distances(points(40))
    with cw.threads(1):
        alone = table(distances)
    with cw.threads(3, oversubscribe=True):
        np.testing.assert_array_equal(table(distances), alone)


def test_python_metrics_stay_in_one_thread(small_blocks):
    seen = set()

    def metric(x, y):
        seen.add(threading.get_ident())
        return naive.euclid(x, y)

    with cw.threads(3, oversubscribe=True):
        np.testing.assert_allclose(table(read_distances(points(), metric)), cdist(*[points()] * 2))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((10, 11)), r"shape \(10, 11\)"),
        (np.empty((11, 11), np.int64), "dtype int64"),
        (np.empty((11, 11), order="F"), "C-contiguous"),
    ],
)
def test_tables_of_another_kind_are_refused(out, words):
    with pytest.raises(cw.InputError, match=words):
        read_distances(points()).fill(out)


@given(case=st.data())
def test_no_digits_are_lost_far_from_the_origin(case):
    """|x|² + |y|² - 2xy would have none left."""
    whole = st.lists(st.integers(-50, 50), min_size=4, max_size=4)
    X = np.array(case.draw(st.lists(whole, min_size=2, max_size=6)), float)
    np.testing.assert_array_equal(table(read_distances(X + 2.0**40)), table(read_distances(X)))


def test_the_same_metric_among_other_points():
    X = points()
    distances = read_distances(X, "seuclidean")
    middle = distances.vectors[:2].mean(axis=0)
    found = distances.at([distances.vectors[0], middle]).between(slice(0, 1), slice(1, 2))
    wanted = math.sqrt(sum((X[0] - X[1]) ** 2 / X.var(axis=0, ddof=1))) / 2
    assert found[0, 0] == pytest.approx(wanted)
    with pytest.raises(cw.InputError, match="no vectors"):
        read_distances(X, "gower").at(X)


def test_distances_are_read_once():
    distances = read_distances(points(), "cosine")
    assert isinstance(distances, Distances)
    assert read_distances(distances) is distances


@given(rows=MIXED)
def test_gower_by_its_definition(rows):
    distances = read_distances(rows, "gower")
    np.testing.assert_allclose(distances.between(slice(None)), by_hand(rows), atol=1e-15)


@given(rows=MIXED)
def test_gower_is_symmetric_and_from_0_to_1(rows):
    found = read_distances([*rows, *rows], "gower").between(slice(None))
    assert (found >= 0).all()
    assert (found <= 1).all()
    np.testing.assert_array_equal(found, found.T)
    for i, row in enumerate(rows):
        equal = found[i, i + len(rows)]
        assert equal == (1 if all(value is None for value in row) else 0)


def test_gower_is_1_for_objects_without_a_common_feature():
    """R's daisy has NA there."""
    found = read_distances([[1.0, None], [None, "p"], [3.0, "q"]], "gower").between(slice(None))
    np.testing.assert_array_equal(found, [[0, 1, 1], [1, 0, 1], [1, 1, 0]])


ROWS = [[1.0, "a", 7], [None, "b", 7], [4.0, None, 7], [2.0, "a", 7]]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_gower_of_frames(library):
    names, columns = ["size", "colour", "same"], zip(*ROWS, strict=True)
    frame = library({name: list(column) for name, column in zip(names, columns, strict=True)})
    distances = read_distances(frame, "gower")
    np.testing.assert_allclose(distances.between(slice(None)), by_hand(ROWS), rtol=1e-15)


def test_gower_by_hand():
    found = read_distances(ROWS, "gower").between(slice(0, 1))[0]
    np.testing.assert_allclose(found, [0, 1 / 2, 1 / 2, 1 / 9], rtol=1e-15)
    nothing = read_distances([[None, "a"], [3.0, None], [None, None]], "gower")
    assert nothing.between(slice(None)).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_gower_of_names_only_and_of_numbers_only():
    names = read_distances([["a", "x"], ["a", "y"], ["b", "x"]], "gower")
    assert names.between(slice(None)).tolist() == [[0, 0.5, 0.5], [0.5, 0, 1], [0.5, 1, 0]]
    numbers = read_distances(np.array([[0, 5], [1, 5], [4, 5]]), "gower")
    assert numbers.between(slice(0, 1)).tolist() == [[0, 0.125, 0.5]]


def test_gower_keeps_the_ranges_of_all_objects():
    few = read_distances([[0.0], [1.0], [4.0]], "gower").take(np.array([0, 1]))
    assert few.between(slice(0, 1)).tolist() == [[0, 0.25]]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_ready_tables(kind):
    X = np.arange(9)[:, None] ** 2
    ready = np.abs(X - X.T).astype(kind)
    found = read_distances(ready, "precomputed")
    assert found.vectors is None
    block = found.between(slice(2, 5))
    assert block.dtype == np.float64
    np.testing.assert_array_equal(block, ready[2:5])
    np.testing.assert_array_equal(table(found), ready)
    frame = pd.DataFrame(ready, columns=[f"o{i}" for i in range(9)])
    np.testing.assert_array_equal(table(read_distances(frame, "precomputed")), ready)


def test_ready_tables_may_be_off_by_rounding():
    ready = np.array([[1e-17, 2.0], [2.0 + 1e-9, 0.0]])
    out = table(read_distances(ready, "precomputed"))
    assert out.tolist() == [[0, 2], [2, 0]]
    block = read_distances(ready, "precomputed").between(slice(None))
    assert block.tolist() == [[0, 2], [2 + 1e-9, 0]]


@pytest.mark.parametrize(
    ("i", "j", "value", "words"),
    [
        (3, 1, 7.0, "X is .* at row 1, column 3, but 7.0 at row 3, column 1"),
        (2, 2, 0.5, "X is 0.5 at row 2, column 2, but the distance of an object from itself is 0"),
        (4, 0, -1.0, "X is -1.0 at row 4, column 0, but distances cannot be negative"),
        (4, 0, math.inf, "X is inf at row 4, column 0, but distances must be finite"),
        (4, 0, math.nan, "X is nan at row 4, column 0, but distances must be finite"),
    ],
)
@pytest.mark.parametrize("rows", [2, 256])
def test_ready_tables_that_are_none_are_refused(monkeypatch, rows, i, j, value, words):
    monkeypatch.setattr("clusterwise.inputs.distances.ROWS", rows)
    ready = cdist(points(5), points(5))
    ready[i, j] = value
    with pytest.raises(cw.InputError, match=words):
        read_distances(ready, "precomputed")


HUGE = [[0.0], [1.7e308], [-1.7e308]]


@pytest.mark.parametrize(
    ("X", "metric", "words"),
    [
        ([[1.0, "a"], [2.0, "b"]], "euclidean", "'x1' of X is categorical.*metric=\"gower\""),
        ([[1.0], [None]], "euclidean", "'x0' of X is missing at position 1.*metric=\"gower\""),
        ([[1.0], [math.nan]], "cosine", "'x0' of X is missing at position 1"),
        ([[1.0, 3], [1, math.inf]], "euclidean", "'x1' of X is inf at position 1"),
        ([[math.inf], [-math.inf]], "euclidean", "'x0' of X is inf at position 0"),
        ([[1.0, 3], [1, math.inf]], "gower", "'x1' of X is inf at position 1"),
        (points(), "nonsense", "metric='nonsense' cannot be used"),
        (points(), 3, "metric is an int"),
        (np.empty((0, 2)), "euclidean", "no objects"),
        (np.arange(3.0), "euclidean", "must be 2D"),
        (np.zeros((2, 3)), "precomputed", r"shape \(2, 3\)"),
        ([["a", "b"], ["c", "d"]], "precomputed", "distances are numbers"),
        ([[1.0, 2.0]], "seuclidean", "one object"),
        ([[0.0, 0], [1, 1], [5, 5]], "mahalanobis", "linearly independent features"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refusals(X, metric, words):
    with pytest.raises(cw.InputError, match=words):
        read_distances(X, metric)


def test_huge_numbers():
    with pytest.raises(cw.InputError, match="so large that distances overflow; scale"):
        read_distances(HUGE).between(slice(None))
    assert read_distances(HUGE, "gower").between(slice(0, 1)).tolist() == [[0, 0.5, 0.5]]
    assert cw.dunn_score(HUGE, [0, 1, 0]) == 1.0


def test_huge_numbers_that_are_near_each_other():
    X = [[1.7e308, 0.0], [1.7e308, 1.0]]
    for metric in ("euclidean", "cityblock", "gower"):
        wanted = 0.5 if metric == "gower" else 1
        assert read_distances(X, metric).between(slice(0, 1)).tolist() == [[0, wanted]]


@pytest.mark.parametrize(
    ("metric", "words"),
    [("cosine", "gives nan for the objects 0 and 2"), (lambda x, y: -1.0, "gives -1.0 for the")],
)
def test_distances_that_are_none_are_refused(metric, words):
    X = np.array([[1.0, 1.0], [3.0, 1.0], [0.0, 0.0]])
    distances = read_distances(X, metric)
    with pytest.raises(cw.InputError, match=words):
        distances.between(slice(None))


def test_refusals_name_objects_by_their_place_in_the_data():
    X = np.array([[1.0, 1.0], [3.0, 1.0], [0.0, 0.0]])
    few = read_distances(X, "cosine").take(np.array([2, 1]))
    with pytest.raises(cw.InputError, match="gives nan for the objects 2 and 1 of X"):
        few.between(slice(None))
