"""Labels of every kind give the same table as a dictionary of Python objects."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

from clusterwise import Contingency, InputError
from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.encoding import MISSING_LABEL, for_kernel, name_list
from helpers.strategies import label_pairs
from reference import measures as naive

SMALL = [-3, 0, 1, 7, 100]
TEXTS = ["", "b", "a", "zebra ü", "a\x01"]
FLOATS = [-1.5, 0.0, 0.25, 3.0, 60000.0]
DAYS = np.array(["2020-01-01", "1969-05-05", "2021-02-03", "2022-02-02", "2100-01-01"], "M8[D]")


def dtype_kind(dtype, names):
    return names, lambda labels: np.array(labels, dtype)


def chunked(labels, kind, encode=False):
    """Several Arrow chunks, each with its own dictionary if they are to be encoded."""
    middle = len(labels) // 2
    parts = [pa.array(part, kind) for part in (labels[:middle], labels[middle:])]
    return pa.chunked_array([part.dictionary_encode() for part in parts] if encode else parts)


def strided(labels):
    array = np.zeros(2 * len(labels), np.int64)
    array[::2] = labels
    return array[::2]


def locked(labels):
    array = np.array(labels)
    array.flags.writeable = False
    return array


# Each kind: five distinct labels as Python knows them, and how to hold a list of them.
KINDS = {
    "list": (SMALL, list),
    "tuple": (SMALL, tuple),
    "generator": (SMALL, iter),
    "list of texts": (TEXTS, list),
    "list of floats": (FLOATS, list),
    "list of huge integers": ([2**70, -(2**70), 0, 2**53, 2**53 + 1], list),
    "list of integers and floats": ([2**60, 2**60 + 1, 0.5, 1, 2.5], list),
    "list around 2^63": ([2**63, 2**63 - 1, -1, 0, 2**64 - 1], list),
    "mixed objects": ([0, "0", (1, 2), 2.5, b"x"], list),
    "list of tuples": ([(0, 0), (0, 1), (1, 0), (2,), ()], list),
    "list of dates": (DAYS.tolist(), list),
    "list of NumPy integers": ([np.int32(i) for i in SMALL], list),
    **{f"int{w}": dtype_kind(f"i{w // 8}", SMALL) for w in (8, 16, 32, 64)},
    **{f"uint{w}": dtype_kind(f"u{w // 8}", [0, 1, 5, 200, 255]) for w in (8, 16, 32, 64)},
    "extremes of int8": dtype_kind("i1", [-128, 127, 0, -1, 1]),
    "extremes of int64": dtype_kind("i8", [-(2**63), 2**63 - 1, 0, -1, 1]),
    "uint64 beyond 2^63": dtype_kind("u8", [2**64 - 1, 2**63, 2**63 - 1, 0, 1]),
    "sparse ids": dtype_kind("i8", [10**15, -(10**12), 7, 10**9, 3]),
    **{f"float{w}": dtype_kind(f"f{w // 8}", FLOATS) for w in (16, 32, 64)},
    "complex": dtype_kind("c16", [1j, 2j, 1 + 1j, 0j, 5 + 0j]),
    "U": dtype_kind("U8", TEXTS),
    "S": dtype_kind("S8", [b"", b"b", b"a", b"zebra", b"a\x01"]),
    "object": dtype_kind(object, TEXTS),
    "StringDType": dtype_kind(np.dtypes.StringDType(), TEXTS),
    "datetime64": dtype_kind("M8[D]", list(DAYS)),
    "timedelta64": dtype_kind("m8[s]", [np.timedelta64(i, "s") for i in SMALL]),
    "big-endian integers": dtype_kind(">i4", SMALL),
    "big-endian floats": dtype_kind(">f8", FLOATS),
    "big-endian U": dtype_kind(">U8", TEXTS),
    "strided": (SMALL, strided),
    "backwards": (SMALL, lambda labels: np.array(labels[::-1])[::-1]),
    "read-only": (SMALL, locked),
    "masked": (SMALL, np.ma.array),
    "pandas int64": (SMALL, pd.Series),
    "pandas Int64": (SMALL, lambda labels: pd.Series(labels, dtype="Int64")),
    "pandas float": (FLOATS, pd.Series),
    "pandas string": (TEXTS, lambda labels: pd.Series(labels, dtype="string")),
    "pandas str": (TEXTS, lambda labels: pd.Series(labels, dtype="str")),
    "pandas object": ([0, "x", 2.5, (1,), True + 8], lambda x: pd.Series(x, dtype=object)),
    "pandas category": (TEXTS, lambda labels: pd.Series(labels, dtype="category")),
    "pandas category of integers": (SMALL, lambda labels: pd.Series(labels, dtype="category")),
    "pandas Index": (TEXTS, pd.Index),
    "pandas Categorical": (TEXTS, pd.Categorical),
    "pandas array": (SMALL, lambda labels: pd.array(labels, dtype="Int16")),
    "pandas arrow": (TEXTS, lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string()))),
    "pandas arrow dictionary": (
        TEXTS,
        lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
    ),
    "polars int": (SMALL, pl.Series),
    "polars String": (TEXTS, pl.Series),
    "polars Categorical": (TEXTS, lambda labels: pl.Series(labels, dtype=pl.Categorical)),
    "polars Enum": (TEXTS, lambda labels: pl.Series(labels, dtype=pl.Enum(TEXTS))),
    "polars UInt64": ([2**64 - 1, 0, 1, 2, 3], lambda x: pl.Series(x, dtype=pl.UInt64)),
    "polars Date": (DAYS.tolist(), pl.Series),
    "arrow int": (SMALL, lambda labels: pa.array(labels, pa.int16())),
    "arrow string": (TEXTS, lambda labels: pa.array(labels, pa.string())),
    "arrow dictionary": (TEXTS, lambda x: pa.array(x, pa.string()).dictionary_encode()),
    "arrow chunks": (SMALL, lambda labels: chunked(labels, pa.int64())),
    "arrow chunks of texts": (TEXTS, lambda labels: chunked(labels, pa.large_string())),
    "arrow chunks with dictionaries": (TEXTS, lambda x: chunked(x, pa.string(), encode=True)),
}
TWO_VALUED = {
    "list": list,
    "bool": lambda labels: np.array(labels, bool),
    "pandas bool": lambda labels: pd.Series(labels, dtype=bool),
    "pandas boolean": lambda labels: pd.Series(labels, dtype="boolean"),
    "polars Boolean": lambda labels: pl.Series(labels, dtype=pl.Boolean),
    "arrow bool": lambda labels: pa.array(labels, pa.bool_()),
}


def names_of(names):
    """Names as scalars that equal and hash like what went in."""
    return [name.item() if isinstance(name, np.generic) else name for name in names]


def cells(table):
    rows, columns, counts = table.nonzero
    row_names, column_names = names_of(table.row_names), names_of(table.column_names)
    return {
        (row_names[row], column_names[column]): count
        for row, column, count in zip(rows, columns, counts.tolist(), strict=True)
    }


@pytest.mark.parametrize("kind", KINDS)
@given(pair=label_pairs())
def test_every_kind_gives_the_same_table(kind, pair):
    names, hold = KINDS[kind]
    labels = [names[label] for label in pair.a]
    found = cells(Contingency.from_labels(hold(labels), pair.b))
    assert found == naive.contingency(names_of(labels), pair.b)


@pytest.mark.parametrize("kind", TWO_VALUED)
@given(pair=label_pairs(clusters=2))
def test_booleans(kind, pair):
    labels = [bool(label) for label in pair.a]
    table = Contingency.from_labels(TWO_VALUED[kind](labels), pair.b)
    assert cells(table) == naive.contingency(labels, pair.b)
    assert [str(name) for name in table.row_names] == [str(name) for name in sorted(set(labels))]


@pytest.mark.parametrize("kind", KINDS)
def test_no_object_of_any_kind(kind):
    table = Contingency.from_labels(KINDS[kind][1]([]), [])
    assert (table.n, table.shape) == (0, (0, 0))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "mixed" not in kind])
def test_names_are_sorted_unless_the_library_orders_them(kind):
    names, hold = KINDS[kind]
    found = names_of(Contingency.from_labels(hold(names), names).row_names)
    assert set(found) == set(names_of(names))
    if not any(word in kind for word in ("Categorical", "Enum", "dictionar", "object", "complex")):
        assert found == sorted(names_of(names))


def test_ranges():
    assert (
        Contingency.from_labels(range(5), range(0, 10, 2)).to_array().tolist() == np.eye(5).tolist()
    )


@pytest.mark.parametrize("hold", [list, np.array, pd.Series, pl.Series, pa.array])
def test_both_zeros_are_one_label(hold):
    table = Contingency.from_labels(hold([0.0, -0.0, 1.0]), [1, 1, 1])
    assert table.row_sums.tolist() == [2, 1]


def test_long_texts_that_differ_at_the_end_only():
    labels = np.array(["x" * 300 + end for end in "abca"])
    assert Contingency.from_labels(labels, [0] * 4).row_sums.tolist() == [2, 1, 1]


def test_many_distinct_texts():
    labels = [f"cluster {i % 3000}" for i in range(9000)]
    expected = {(name, 0): 3 for name in labels}
    for hold in (list, np.array, pd.Series, pl.Series, pa.array):
        assert cells(Contingency.from_labels(hold(labels), [0] * 9000)) == expected


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u4", "u8"])
@pytest.mark.parametrize("n", [100, 50_000])
def test_integers_in_a_small_range_are_neither_copied_nor_sorted(dtype, n):
    labels = (np.arange(n) * 7 % 100 + 3).astype(dtype)
    codes = encode(labels, "a").exact()
    assert np.shares_memory(codes.values, labels)
    assert codes.values.tolist() == labels.tolist()
    assert codes.names is None
    assert (codes.first, codes.size) == (3, 100)


def test_booleans_are_not_copied():
    labels = np.array([True, False, True])
    assert np.shares_memory(encode(labels, "a").values, labels)


def test_series_of_integers_are_not_copied():
    array = np.arange(100)
    assert np.shares_memory(encode(pd.Series(array, copy=False), "a").values, array)
    column = pl.Series(array)
    assert np.shares_memory(encode(column, "a").values, column.to_numpy())
    arrow = pa.array(array)
    assert np.shares_memory(encode(arrow, "a").values, arrow.to_numpy())


def test_categoricals_keep_their_codes():
    labels = ["b", "a", "b", "c"]
    column = pd.Categorical(labels, categories=["c", "b", "a", "unused"])
    codes = encode(column, "a")
    assert np.shares_memory(codes.values, column.codes)
    assert codes.names_at(codes.positions()).tolist() == labels
    enum = encode(pl.Series(labels, dtype=pl.Enum(["c", "b", "a"])), "a")
    assert enum.values.tolist() == [1, 2, 1, 0]
    dictionary = pa.array(labels).dictionary_encode()
    codes = encode(dictionary, "a")
    assert codes.values.tolist() == [0, 1, 0, 2]
    assert np.shares_memory(codes.values, dictionary.indices.to_numpy())


def test_arrow_may_list_a_category_twice():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["x", "y", "x"]))
    assert cells(Contingency.from_labels(column, [0, 0, 0])) == {("x", 0): 2, ("y", 0): 1}


def test_unused_categories_are_no_clusters():
    column = pd.Categorical(["b", "a"], categories=["c", "b", "a"])
    assert Contingency.from_labels(column, [0, 0]).row_names.tolist() == ["b", "a"]


NAT = np.datetime64("NaT")
MISSING = {
    "None in a list": [0, None, 1, None],
    "NaN in a list": [0.5, float("nan"), 1.0, float("nan")],
    "NaN among texts": ["x", float("nan"), "y", None],
    "pandas.NA in a list": ["x", pd.NA, "y", pd.NA],
    "NaN in an array": np.array([0, np.nan, 1, np.nan]),
    "None in an object array": np.array(["x", None, "y", None], object),
    "NaT in an array": np.array([DAYS[0], NAT, DAYS[1], NAT]),
    "NaT of timedelta": np.array([1, "NaT", 2, "NaT"], "m8[s]"),
    "NA in StringDType": np.array(["x", None, "y", None], np.dtypes.StringDType(na_object=None)),
    "masked": np.ma.array([0, 1, 2, 3], mask=[0, 1, 0, 1]),
    "pandas float": pd.Series([0, np.nan, 1, np.nan]),
    "pandas Int64": pd.Series([0, None, 1, None], dtype="Int64"),
    "pandas string": pd.Series(["x", None, "y", None], dtype="string"),
    "pandas object": pd.Series(["x", None, 1, np.nan], dtype=object),
    "pandas category": pd.Series(["x", None, "y", None], dtype="category"),
    "pandas boolean": pd.Series([True, None, False, None], dtype="boolean"),
    "pandas Index": pd.Index([0, np.nan, 1, np.nan]),
    "pandas Categorical": pd.Categorical(["x", None, "y", None]),
    "polars int": pl.Series([0, None, 1, None]),
    "polars NaN": pl.Series([0.0, float("nan"), 1.0, float("nan")]),
    "polars String": pl.Series(["x", None, "y", None]),
    "polars Categorical": pl.Series(["x", None, "y", None], dtype=pl.Categorical),
    "arrow int": pa.array([0, None, 1, None]),
    "arrow string": pa.array(["x", None, "y", None]),
    "arrow dictionary": pa.array(["x", None, "y", None]).dictionary_encode(),
    "arrow chunks": pa.chunked_array([[0, None], [1, None]]),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels_are_refused_with_their_place(kind):
    message = r"^b has no label at position 1 \(2 of 4 are missing\); drop those objects"
    with pytest.raises(InputError, match=message):
        Contingency.from_labels([0, 0, 1, 1], MISSING[kind])


@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels_of_every_kind_can_be_dropped_or_counted(kind):
    a = [0, 0, 1, 1]
    dropped = Contingency.from_labels(a, MISSING[kind], missing="drop")
    assert sorted(dropped.to_array().tolist()) == [[0, 1], [1, 0]]
    counted = Contingency.from_labels(a, MISSING[kind], missing="label")
    assert counted.to_array()[:, :2].tolist() == dropped.to_array().tolist()
    assert counted.to_array()[:, 2].tolist() == [1, 1]
    names = name_list(dropped.column_names)
    assert MISSING_LABEL not in names
    assert counted.column_names.tolist() == [*names, MISSING_LABEL]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("abc", "a is one string, not labels"),
        (b"abc", "a is one string, not labels"),
        (5, "a is an int, not labels"),
        (dt.date(2020, 1, 1), "a is a date, not labels"),
        ([{}, {}, {}], "a has labels that cannot be hashed"),
        (np.zeros((3, 1, 1)), r"a must be 1D: shape is \(3, 1, 1\)"),
        (np.array(5), r"a must be 1D: shape is \(\)"),
    ],
)
def test_what_is_not_labels(labels, message):
    with pytest.raises(InputError, match=message):
        Contingency.from_labels(labels, [0, 1, 2])


def test_kernels_get_short_arrays_in_one_layout_and_long_ones_as_they_are():
    short = np.arange(40, dtype=np.int16)[::2]
    ready = for_kernel(short, np.int64)
    assert ready.dtype == np.int64
    assert ready.flags.c_contiguous
    np.testing.assert_array_equal(ready, short)
    for n, copied in ((8192, True), (8193, False)):
        array = np.zeros(n, np.int16)
        ready = for_kernel(array, np.int64)
        assert np.shares_memory(ready, array) is not copied
        assert not ready.flags.writeable
        assert array.flags.writeable


@pytest.mark.parametrize(
    "labels",
    [
        [float("inf")] * 2,
        [0.5, float("-inf")][::-1],
        np.array([np.inf, 1.0]),
        np.array([np.inf, 1.0], np.float16),
        np.array([np.inf, 1.0], np.longdouble),
        np.array([np.inf, "x"], object),
        [Decimal("Infinity"), 1],
        pd.Series([np.inf, 1.0]),
        pd.Categorical([np.inf, 1.0]),
        pd.Series([np.inf, 1.0], dtype="category"),
        pl.Series([float("inf"), 1.0]),
        pa.array([float("inf"), 1.0]),
        pa.array([float("inf"), 1.0]).dictionary_encode(),
    ],
)
def test_infinite_labels_are_refused(labels):
    message = r"^b is -?[iI]nf(inity)? at position 0; replace it by a label, or by NaN if it is"
    with pytest.raises(InputError, match=message):
        Contingency.from_labels([0, 1], labels)


def test_infinite_categories_that_do_not_occur_are_no_labels():
    labels = pd.Categorical([2.5, 0.5], categories=[np.inf, 2.5, 0.5])
    table = Contingency.from_labels([0, 1], labels)
    assert table.column_names.tolist() == [2.5, 0.5]
    np.testing.assert_array_equal(table.to_array(), np.eye(2))


def test_integers_that_python_does_not_write_are_refused():
    huge = 10**5000
    message = "^b has an integer with too many digits to be written at position 1; use other labels"
    lists = [1, huge], [1, -huge], np.array([1, huge], object), [(1, 2), (3, huge)]
    for labels in (*lists, pd.Categorical([1, huge])):
        with pytest.raises(InputError, match=message):
            Contingency.from_labels([0, 1], labels)
    table = Contingency.from_labels([0, 1], [1, 10**4000])
    assert f"{10**4000}" in table.column_names.astype(str)
