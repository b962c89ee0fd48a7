"""The table of two clusterings: every way to make one gives the same."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from clusterwise import Contingency, InputError, pair_confusion_matrix, threads
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.summaries.contingency.cells import LARGEST_SQUARE, exact_sum_of_squares
from helpers.strategies import forced, label_pairs, tables
from reference import measures as naive

ROUTES = pytest.mark.parametrize("route", ["dense", "sparse"])


def cells(table):
    """The table as a dict from names to counts, as the naive one."""
    rows, columns, counts = table.nonzero
    names = zip(table.row_names[rows].tolist(), table.column_names[columns].tolist(), strict=True)
    return dict(zip(names, counts.tolist(), strict=True))


@ROUTES
@given(pair=label_pairs(min_size=0))
def test_counts(route, pair):
    with forced(route):
        table = Contingency.from_labels(*pair)
    assert cells(table) == naive.contingency(*pair)
    assert table.n == len(pair.a)
    assert table.shape == (len(set(pair.a)), len(set(pair.b)))
    assert table.row_sums.tolist() == [pair.a.count(name) for name in table.row_names]
    assert table.column_sums.tolist() == [pair.b.count(name) for name in table.column_names]
    assert table.to_array().sum() == table.to_sparse().sum() == table.n


@ROUTES
@given(pair=label_pairs(), data=st.data())
def test_whole_weights_count_exactly(route, pair, data):
    n = len(pair.a)
    weights = data.draw(st.lists(st.integers(0, 2**40), min_size=n, max_size=n))
    with forced(route):
        table = Contingency.from_labels(*pair, sample_weight=weights)
    assert cells(table) == naive.contingency(*pair, weights)
    assert table.n == sum(weights)
    assert isinstance(table.n, int)


@ROUTES
@given(pair=label_pairs(), data=st.data())
def test_fractional_weights(route, pair, data):
    n = len(pair.a)
    weights = data.draw(st.lists(st.floats(0.1, 100), min_size=n, max_size=n))
    with forced(route):
        table = Contingency.from_labels(*pair, sample_weight=weights)
    assert cells(table) == pytest.approx(naive.contingency(*pair, weights))
    assert table.row_sums.sum() == pytest.approx(sum(weights))


@given(pair=label_pairs(min_size=0), weighted=st.booleans())
def test_both_routes_are_equal(pair, weighted):
    weights = [i % 3 + 0.5 for i in range(len(pair.a))] if weighted else None
    with forced("dense"):
        dense = Contingency.from_labels(*pair, sample_weight=weights)
    with forced("sparse"):
        other = Contingency.from_labels(*pair, sample_weight=weights)
    assert other.is_sparse or not pair.a
    assert not dense.is_sparse
    assert dense == other
    assert dense.T == other.T
    for sums in ("row_sums", "column_sums"):
        assert getattr(dense, sums).tolist() == pytest.approx(getattr(other, sums).tolist())
    for largest in ("row_max", "column_max"):
        ours, theirs = (getattr(table.cells, largest).tolist() for table in (dense, other))
        assert ours == theirs


@ROUTES
@given(pair=label_pairs(min_size=0), cuts=st.lists(st.integers(0, 30), max_size=3))
def test_chunks_add_up_to_the_whole(route, pair, cuts):
    ends = sorted({0, len(pair.a), *(cut for cut in cuts if cut < len(pair.a))})
    pieces = [slice(start, stop) for start, stop in itertools.pairwise(ends)]
    with forced(route):
        whole = Contingency.from_labels(*pair)
        added = Contingency.from_chunks((pair.a[piece], pair.b[piece]) for piece in pieces)
        assert added == whole
        for piece in pieces:
            part = Contingency.from_labels(pair.a[piece], pair.b[piece])
            rest = whole - part
            assert rest + part == whole
            assert rest.n == whole.n - part.n
            assert rest.shape == (np.count_nonzero(rest.row_sums), rest.column_sums.size)
            assert all(rest.nonzero.counts > 0)


def test_chunks_with_weights():
    chunks = [([0, 1], ["x", "y"], [2, 3]), ([1, 2], ["y", "x"], [4, 1])]
    table = Contingency.from_chunks(chunks)
    assert cells(table) == {(0, "x"): 2, (1, "y"): 7, (2, "x"): 1}
    assert Contingency.from_chunks([]).n == 0


def test_merging_goes_by_name_not_by_place():
    first = Contingency.from_labels(["x", "y"], [1, 1])
    second = Contingency.from_labels(["y", "z"], [1, 0])
    assert cells(first + second) == {("x", 1): 1, ("y", 1): 2, ("z", 0): 1}
    assert first + second == second + first


def test_merging_keeps_the_kind_of_names():
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-02"], "M8[ns]")
    whole = Contingency.from_labels(days, [0, 0, 1])
    added = Contingency.from_chunks([(days[:1], [0]), (days[1:], [0, 1])])
    assert [str(name) for name in added.row_names] == [str(name) for name in whole.row_names]


@ROUTES
def test_fractional_weights_leave_without_a_trace(route):
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1, but no object is left either way."""
    weights = [0.1, 0.2, 0.3]
    with forced(route):
        up = Contingency.from_labels([0] * 3, [0] * 3, sample_weight=weights)
        down = Contingency.from_labels([0] * 3, [0] * 3, sample_weight=weights[::-1])
        assert up.n != down.n
        assert (up - down).shape == (down - up).shape == (0, 0)


@ROUTES
def test_taking_away_what_is_not_there(route):
    with forced(route):
        table = Contingency.from_labels([0, 1], [0, 1])
        with pytest.raises(InputError, match="does not"):
            _ = table - Contingency.from_labels([0], [1])
        with pytest.raises(InputError, match="does not"):
            _ = table - Contingency.from_labels([0, 0], [0, 0])


def test_adding_something_else():
    table = Contingency.from_labels([0, 1], [0, 1])
    with pytest.raises(TypeError, match=r"for \+: 'Contingency' and 'int'"):
        _ = table + 1
    with pytest.raises(TypeError, match="for -: 'Contingency' and 'int'"):
        _ = table - 1


@ROUTES
@given(counts=tables())
def test_ready_tables(route, counts):
    array = np.array(counts)
    with forced(route):
        table = Contingency.from_table(array)
        assert Contingency.from_table(sparse.csr_array(array)) == table
        assert Contingency.from_table(sparse.coo_matrix(array)) == table
        assert Contingency.from_table(array.tolist()) == table
        with_zeros = sparse.coo_array((array.ravel(), np.indices(array.shape).reshape(2, -1)))
        assert Contingency.from_table(with_zeros) == table
        assert Contingency.from_table(table) is table
        turned = Contingency.from_table(array.T)
    kept = array[array.any(axis=1)][:, array.any(axis=0)]
    assert table.to_array().tolist() == kept.tolist()
    assert table.row_names.tolist() == np.flatnonzero(array.any(axis=1)).tolist()
    assert turned == table.T
    assert table == table.T.T


def test_names_of_ready_tables():
    table = Contingency.from_table([[1, 2], [0, 0]], ["x", "y"], [("p", 1), ("q", 2)])
    assert cells(table) == {("x", ("p", 1)): 1, ("x", ("q", 2)): 2}


@pytest.mark.parametrize(
    ("table", "names", "message"),
    [
        ([1, 2], None, "table has 1 dimensions; pass one with 2"),
        ([[1, -2]], None, "table holds the negative count -2"),
        ([[np.nan, 1]], None, "table must hold finite numbers"),
        ([["x"]], None, "table must hold finite numbers"),
        ([[1, 2]], ["x", "y"], "2 row names for 1 rows"),
    ],
)
def test_tables_that_are_none(table, names, message):
    with pytest.raises(InputError, match=message):
        Contingency.from_table(table, names)


def test_equality():
    table = Contingency.from_labels([0, 1], [0, 1])
    assert table == Contingency.from_labels([1, 0], [1, 0])
    assert table != Contingency.from_labels([0, 2], [0, 1])
    assert table != Contingency.from_labels([0, 1], [1, 0])
    assert table != Contingency.from_labels([0, 1, 1], [0, 1, 1])
    assert table != "table"
    with pytest.raises(TypeError, match="unhashable"):
        hash(table)


@ROUTES
@pytest.mark.parametrize("n", [1, 2, 3, 7, 100, 5000])
def test_threads_do_not_change_the_table(route, n, monkeypatch):
    random = np.random.default_rng(n)
    a, b = random.integers(-3, 40, n), random.integers(0, 9, n)
    with forced(route):
        alone = Contingency.from_labels(a, b)
        monkeypatch.setattr("clusterwise._utils.threads.SERIAL_BELOW", 1)
        for count in (2, 3, 8):
            with threads(count, oversubscribe=True):
                assert Contingency.from_labels(a, b) == alone
    assert cells(alone) == naive.contingency(a.tolist(), b.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("late", [-1, 7, 10**6, -(2**60)])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_late_label_outside_the_sampled_range(late, parts, monkeypatch):
    monkeypatch.setattr("clusterwise._utils.threads.SERIAL_BELOW", 1)
    n = 20_011
    a, b = np.arange(n) % 3, np.arange(n) % 2
    place = next(i for i in range(n - 5, 0, -1) if i % (n // 1024))
    a[place] = late
    with threads(parts, oversubscribe=True):
        table = Contingency.from_labels(a, b)
        turned = Contingency.from_labels(b, a)
    assert cells(table) == naive.contingency(a.tolist(), b.tolist())
    assert turned == table.T


def test_many_clusters_need_memory_for_the_objects_only():
    n = clusters = 50_000
    n *= 6
    random = np.random.default_rng(0)
    a, b = random.integers(0, clusters, n), random.integers(0, clusters, n)
    Contingency.from_labels(a[:100], b[:100])
    tracemalloc.start()
    try:
        table = Contingency.from_labels(a, b)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.is_sparse
    assert table.n == n
    assert peak < 100 * (n + 2 * clusters)


HUGE = {
    "10^9": [[400_000_000, 100_000_000], [200_000_000, 300_000_001]],
    "as many as fit": [[3_037_000_498, 0], [0, 1]],
    "one too many": [[3_037_000_499, 0], [0, 1]],
    "beyond 32 bits": [[5 * 10**9, 1, 0], [2, 6 * 10**9, 10**9]],
    "beyond 64 bits when squared": [[10**12, 3], [10**15, 10**12]],
}


@ROUTES
@pytest.mark.parametrize("size", HUGE)
def test_pair_counts_of_huge_tables_are_exact(route, size):
    counts = HUGE[size]
    with forced(route):
        table = Contingency.from_table(counts)
    n = sum(map(sum, counts))
    together = sum(count**2 for row in counts for count in row)
    in_a = sum(sum(row) ** 2 for row in counts)
    in_b = sum(sum(column) ** 2 for column in zip(*counts, strict=True))
    neither = n * n - in_a - in_b + together
    expected = [[neither, in_b - together], [in_a - together, together - n]]
    assert table.n == n
    assert pair_confusion_matrix(table).tolist() == expected


@ROUTES
@pytest.mark.parametrize("size", HUGE)
@pytest.mark.parametrize("name", [n for n, measure in CATALOGUE.items() if not measure.needs_data])
def test_no_measure_overflows(route, size, name):
    measure = CATALOGUE[name]
    with forced(route):
        table = Contingency.from_table(HUGE[size])
        value = measure.function(table)
    assert np.isfinite(value)
    assert measure.low <= value <= measure.upper_end(table.n)


def test_how_it_looks():
    table = Contingency.from_labels(["<x>", "y"], [1, 2])
    assert "2 objects, 2 x 2 clusters" in repr(table)
    assert "&lt;x&gt;" in table._repr_html_()
    assert "<x>" not in table._repr_html_()
    wide = Contingency.from_labels(range(30), range(30))
    assert "…" in repr(wide)
    assert "weight 1.5" in repr(Contingency.from_labels([0], [0], sample_weight=[1.5]))
    assert "0 objects" in repr(Contingency.from_labels([], []))


@pytest.mark.parametrize("total", [LARGEST_SQUARE, LARGEST_SQUARE + 1, 2**62])
def test_sums_of_squares_are_exact(total):
    """The square of the largest total just fits into an integer of 64 bits; others do not."""
    assert LARGEST_SQUARE**2 < 2**63 <= (LARGEST_SQUARE + 1) ** 2
    counts = np.array([total - 3, 3])
    assert exact_sum_of_squares(counts, total) == (total - 3) ** 2 + 9
    assert exact_sum_of_squares(np.array([total]), total) == total**2


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((["x", "x"], None), "^row_names has 'x' twice; pass a different name for each row"),
        ((None, [1, True]), "^column_names has True twice; pass a different name for each column"),
        ((["x", None], None), "^row_names has no name at position 1; pass a different name for"),
        ((None, [np.nan, 1.0]), "^column_names has no name at position 0; pass a different name"),
        ((None, [np.inf, 1.0]), "^column_names is inf at position 0; replace it by a label"),
        (([[1], [2]], None), "^row_names has labels that cannot be hashed"),
    ],
)
def test_names_of_a_table_are_different_and_present(names, message):
    with pytest.raises(InputError, match=message):
        Contingency.from_table([[1, 2], [3, 4]], *names)
