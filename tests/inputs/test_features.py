"""Features of every kind are read as they are, or refused with a sentence."""

from datetime import timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from clusterwise._utils.errors import InputError
from clusterwise.inputs.features import read_features


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8", "u2", "u8"])
def test_arrays_of_numbers_are_never_copied(dtype, order):
    X = np.ones((5, 3), dtype, order=order)
    matrix = read_features(X).matrix
    assert np.shares_memory(matrix, X)
    assert (matrix.dtype, matrix.strides) == (X.dtype, X.strides)
    assert not matrix.flags.writeable
    assert X.flags.writeable


def test_arrays_of_odd_numbers_become_plain_ones():
    for dtype, plain in (("f2", "f4"), ("g", "f8"), (">f8", "f8"), (">i4", "i4")):
        matrix = read_features(np.array([[1, 2], [3, 4]], dtype)).matrix
        assert matrix.dtype == np.dtype(plain)
        assert matrix.dtype.isnative
        assert matrix.tolist() == [[1, 2], [3, 4]]


def test_columns_of_arrays_are_called_by_their_number():
    features = read_features(np.zeros((2, 3)))
    assert features.names == ["x0", "x1", "x2"]
    assert (features.n, features.labelled) == (2, False)


def test_rows_of_numbers_are_a_matrix_with_gaps():
    features = read_features([[1, 2.5], [None, 3], [4, float("nan")]])
    np.testing.assert_array_equal(features.matrix, [[1, 2.5], [np.nan, 3], [4, np.nan]])
    assert read_features([np.arange(2), np.arange(2)]).matrix.dtype.kind == "i"
    assert read_features([[2**70], [1]]).matrix.tolist() == [[2.0**70], [1.0]]


@pytest.mark.parametrize("make", [list, lambda rows: np.array(rows, dtype=object)])
def test_every_column_of_mixed_rows_has_its_own_kind(make):
    features = read_features(make([[1, "a", True], [2.5, None, False], [None, "b", True]]))
    kinds = [column.kind for column in features.columns]
    assert kinds == ["numeric", "nominal", "nominal"]
    np.testing.assert_array_equal(features.columns[0].numbers(), [1, 2.5, np.nan])
    codes, values = features.columns[1].categories()
    assert (codes.tolist(), values) == ([0, -1, 1], ["a", "b"])
    assert features.columns[2].categories().values == [False, True]


def test_masked_values_are_missing():
    numbers = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    np.testing.assert_array_equal(read_features(numbers).matrix, [[1, np.nan], [3, 4]])
    texts = np.ma.array([["a"], ["b"]], mask=[[1], [0]])
    assert read_features(texts).columns[0].categories().codes.tolist() == [-1, 0]
    assert read_features(np.ma.array([[1, 2]])).matrix.dtype.kind == "i"


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1, None, 3]),
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype="float32"),
        pd.Series([1, None, 3], dtype="int64[pyarrow]"),
        pl.Series([1, None, 3]),
        pl.Series([1.0, float("nan"), 3.0]),
        pl.Series([Decimal(1), None, Decimal(3)]),
        pl.Series([1, None, 3], dtype=pl.Int128),
        pa.chunked_array([[1], [None, 3]]),
        pa.chunked_array([pa.array([1.0, None, 3.0], pa.float16())]),
        pa.chunked_array([[Decimal(1), None, Decimal(3)]]),
    ],
    ids=lambda series: f"{type(series).__module__}-{getattr(series, 'dtype', None)}",
)
def test_numeric_columns_of_frames(series):
    if isinstance(series, pa.ChunkedArray):
        frame = pa.table({"a": series})
    else:
        frame = {"pandas": pd, "polars": pl}[type(series).__module__.partition(".")[0]].DataFrame(
            {"a": series}
        )
    features = read_features(frame)
    (column,) = features.columns
    assert (features.names, features.labelled, column.kind) == (["a"], True, "numeric")
    np.testing.assert_array_equal(column.numbers(), [1, np.nan, 3])
    codes, values = column.categories()
    assert (codes.tolist(), values) == ([0, -1, 1], [1, 3])


def test_float_columns_are_views():
    values = np.arange(6.0)
    frame = pd.DataFrame({"a": values}, copy=False)
    assert np.shares_memory(read_features(frame).columns[0].numbers(), values)


def nominal_frames(texts):
    return [
        pd.DataFrame({"a": pd.Series(texts, dtype="str")}),
        pd.DataFrame({"a": pd.Series(texts, dtype=object)}),
        pd.DataFrame({"a": pd.Categorical(texts, categories=["z", "b", "unused", "a"])}),
        pl.DataFrame({"a": texts}),
        pl.DataFrame({"a": pl.Series(texts, dtype=pl.Categorical)}),
        pl.DataFrame({"a": pl.Series(texts, dtype=pl.Enum(["z", "b", "unused", "a"]))}),
        pa.table({"a": texts}),
        pa.table({"a": pa.array(texts).dictionary_encode()}),
    ]


@pytest.mark.parametrize("kind", range(8))
def test_texts_of_frames_without_unused_categories(kind):
    frame = nominal_frames(["b", None, "a", "b"])[kind]
    (column,) = read_features(frame).columns
    assert column.kind == "nominal"
    codes, values = column.categories()
    assert sorted(values) == ["a", "b"]
    assert [values[code] if code >= 0 else None for code in codes] == ["b", None, "a", "b"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [None, None]}, dtype=object),
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": [None, None]}),
    ],
)
def test_columns_without_a_value_are_numbers_and_names(frame):
    (column,) = read_features(frame).columns
    assert np.isnan(column.numbers()).tolist() == [True, True]
    assert column.categories().codes.tolist() == [-1, -1]


def test_frames_are_searched_by_name():
    features = read_features(pl.DataFrame({"a": [1], "b": [2], "c": [3]}))
    chosen = features.select(["c", "a"])
    assert [column.numbers().tolist() for column in chosen.columns] == [[3], [1]]
    assert read_features(pd.DataFrame({0: [1], 1: [2]})).names == ["0", "1"]


def test_reading_twice_changes_nothing():
    features = read_features([[1.0]])
    assert read_features(features) is features


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), r"X must be 2D: shape is \(3,\); pass X.reshape\(-1, 1\)"),
        (np.zeros((2, 2, 2)), r"X must be 2D: shape is \(2, 2, 2\)"),
        (np.zeros((3, 0)), "X has no columns"),
        (np.zeros((2, 2), complex), "column 'x0' of X is of type complex128"),
        (np.array([["2020-01-01"]], "M8[D]"), "column 'x0' of X is of type datetime64"),
        ([], "X has no objects"),
        ([[], []], "X has no columns"),
        ([1, 2], "X must be 2D: it is a list of single values"),
        (["ab", "cd"], "X must be 2D: it is a list of single values"),
        ([[1, 2], [3]], "row 1 of X has 1 values, but row 0 has 2"),
        (3.5, "X is a float, not features"),
        ({"a": [1]}, "X is a dict, not features"),
        (csr_array(np.eye(2)), "X is a sparse matrix"),
        (pd.Series([1, 2]), "X must be 2D: it is a single column"),
        (pl.LazyFrame({"a": [1]}), "X is a lazy frame"),
        (pd.DataFrame(index=[0, 1]), "X has no columns"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns called 'a'"),
        (pl.DataFrame({"took": [timedelta(1)]}), "column 'took' of X is of type Duration"),
    ],
)
def test_refusals(X, message):
    with pytest.raises(InputError, match=message):
        read_features(X)


def test_values_that_cannot_be_hashed_are_refused():
    features = read_features(pd.DataFrame({"a": [[1], [2]]}))
    with pytest.raises(InputError, match="column 'a' of X"):
        features.columns[0].categories()
