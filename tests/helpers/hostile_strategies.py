"""What nobody should pass, and somebody will: hostile labels, weights, tables, frames and files."""

import datetime as dt
import gzip
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

# Escapes, markup, formulas, separators and text directions that have done harm somewhere.
ODD_STRINGS = [
    "",
    " ",
    "\x1b]52;c;aGk=\x07",
    "\x1b[31mred",
    "[bold]x[/bold]",
    "<script>alert(1)</script>",
    "=1+1",
    "-1",
    "NaN",
    "a,b",
    'say "a"',
    "line\nbreak",
    "\u202eright",
    "\x00",
    "\ud800",
    "$\\frac{",
    "1",
    "None",
]
ODD_NUMBERS = [0, -1, 1, True, 2**31, 2**63, -(2**63), 2**64, 10**400, 1e308, 5e-324, -0.0]
STRINGS = st.one_of(st.sampled_from(ODD_STRINGS), st.text(max_size=4))
FLOATS = st.one_of(st.sampled_from([0.0, 1.0, 1e308, 5e-324, -1.0]), st.floats(width=64))
NUMBERS = st.one_of(st.sampled_from(ODD_NUMBERS), st.integers(-2, 5), FLOATS)
MISSING = st.sampled_from([None, float("nan"), np.datetime64("NaT"), pd.NA])
OBJECTS = st.sampled_from(
    [b"x", (1, 2), Decimal("1.5"), Fraction(1, 3), dt.date(2020, 1, 1), 1j, [1], {}, object]
)
LABELS = st.one_of(st.integers(-1, 3), STRINGS, NUMBERS, MISSING, OBJECTS)
SIZES = st.integers(0, 12)
# What libraries raise, or warn of, for values that they cannot hold.
_UNHOLDABLE = (
    TypeError,
    ValueError,
    OverflowError,
    Warning,
    np.ma.MaskError,
    pa.ArrowException,
    pl.exceptions.PolarsError,
)


def _lists(elements: st.SearchStrategy[Any], size: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(elements, min_size=size, max_size=size)


def _or_list(make: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """The list itself where the library cannot hold these values."""

    def build(values: list[Any]) -> Any:
        try:
            return make(values)
        except _UNHOLDABLE:
            return values

    return build


# Ways to hold a sequence of labels or weights.
HOLDERS = [
    list,
    tuple,
    _or_list(lambda values: np.array(values, object)),
    _or_list(np.array),
    _or_list(lambda values: np.ma.masked_array(values, [i == 1 for i in range(len(values))])),
    _or_list(pd.Series),
    _or_list(lambda values: pd.Series(values, dtype="category")),
    _or_list(lambda values: pd.Series(values, index=range(len(values), 0, -1))),
    _or_list(pl.Series),
    _or_list(pa.array),
    iter,
    _or_list(set),
    lambda values: dict.fromkeys(range(len(values)), 0),
    lambda values: [values],
]


@st.composite
def clusterings(draw: st.DrawFn, size: int) -> Any:
    """Labels of about this number of objects, in any container, or an array of any dtype."""
    size = draw(st.sampled_from([size] * 8 + [size + 1]))
    simple = st.one_of(st.integers(0, 3), st.sampled_from(["a", "b", ""]))
    kind = draw(st.sampled_from(["simple", "odd", "strings", "dtype", "nothing"]))
    if kind == "nothing":
        return draw(
            st.sampled_from([None, 3, "abc", np.array(1), np.zeros((size, 2)), pl.LazyFrame()])
        )
    if kind == "dtype":
        return draw(hnp.arrays(hnp.scalar_dtypes(), size))
    elements = {"simple": simple, "odd": LABELS, "strings": STRINGS}[kind]
    return draw(st.sampled_from(HOLDERS))(draw(_lists(elements, size)))


@st.composite
def weights(draw: st.DrawFn, size: int) -> Any:
    """Weights of objects, most often none."""
    kind = draw(st.sampled_from(["none"] * 4 + ["whole", "any", "labels"]))
    if kind == "none":
        return None
    elements = {"whole": st.integers(0, 4), "any": NUMBERS, "labels": LABELS}[kind]
    return draw(st.sampled_from(HOLDERS))(draw(_lists(elements, size)))


@st.composite
def matrices(draw: st.DrawFn, *, largest: int = 6) -> Any:
    """A table of numbers in any container: negative, infinite, ragged, masked, of any dtype."""
    height, width = draw(st.integers(0, largest)), draw(st.integers(0, largest))
    shape = (height, width)
    kind = draw(st.sampled_from(["counts", "floats", "any", "dtype", "ragged", "dimensions"]))
    if kind == "dtype":
        return draw(hnp.arrays(hnp.scalar_dtypes(), shape))
    if kind == "dimensions":
        return draw(hnp.arrays(np.float64, hnp.array_shapes(min_dims=0, max_dims=3, max_side=3)))
    elements = {"counts": st.integers(0, 9), "floats": FLOATS, "any": LABELS, "ragged": NUMBERS}[
        kind
    ]
    rows = [draw(_lists(elements, width)) for _ in range(height)]
    if kind == "ragged" and rows:
        rows[0] = rows[0][:-1]
    holders = [
        list,
        _or_list(np.array),
        _or_list(np.asfortranarray),
        _or_list(lambda rows: np.array(rows, np.longdouble)),
        _or_list(lambda rows: np.ma.masked_array(rows, np.indices(np.shape(rows)).sum(0) == 1)),
        _or_list(lambda rows: sparse.csr_array(np.array(rows, np.float64))),
        _or_list(pd.DataFrame),
        _or_list(lambda rows: pl.DataFrame(rows, orient="row")),
    ]
    return draw(st.sampled_from(holders))(rows)


@st.composite
def frames(draw: st.DrawFn) -> Any:
    """A dataframe whose columns and names may be anything."""
    size = draw(SIZES)
    elements = [st.integers(0, 2), st.floats(-3, 3), STRINGS, NUMBERS, LABELS, st.booleans()]
    columns = [
        draw(_lists(draw(st.sampled_from(elements)), size)) for _ in range(draw(st.integers(0, 4)))
    ]
    names = draw(_lists(st.one_of(st.sampled_from(["a", "b", "c", "d"]), STRINGS), len(columns)))
    library = draw(st.sampled_from(["pandas", "polars", "arrow"]))
    try:
        if library == "polars":
            return pl.DataFrame([pl.Series(n, c) for n, c in zip(names, columns, strict=True)])
        if library == "arrow":
            return pa.table([pa.array(column) for column in columns], names=names)
    except _UNHOLDABLE:
        pass
    frame = pd.DataFrame({i: pd.Series(column, dtype=object) for i, column in enumerate(columns)})
    frame.columns = pd.Index(names, dtype=object)
    return frame


_CELLS = st.one_of(
    STRINGS, st.sampled_from(["1", "2", "0.5", "a", "b", "inf", "1e999", "1,5", "#"])
)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, bytes]:
    """The name and the bytes of a file: nearly right, or wrong in one of many ways."""
    height, width = draw(st.integers(0, 8)), draw(st.integers(1, 4))
    suffix = draw(st.sampled_from([".csv"] * 4 + [".tsv", ".jsonl", ".csv.gz", ".txt", ".parquet"]))
    cells = draw(st.sampled_from([st.sampled_from(["1", "2", "x"]), _CELLS]))
    header = draw(_lists(st.one_of(st.sampled_from(["a", "b", "c", "d"]), _CELLS), width))
    rows = [header, *(draw(_lists(cells, width)) for _ in range(height))]
    if ".jsonl" in suffix:
        lines = [json.dumps(dict(zip(header, row, strict=True))) for row in rows[1:]]
    else:
        separator = draw(st.sampled_from([",", ",", ";", "\t", "|"]))
        lines = [separator.join(row) for row in rows]
    text = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])).join(lines)
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"]))
    data = text.encode(
        encoding, "surrogatepass" if "8" in encoding and "1" not in encoding else "replace"
    )
    damage = draw(st.sampled_from(["none"] * 5 + ["cut", "zeros", "noise"]))
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "zeros":
        data += bytes(9)
    elif damage == "noise":
        data += draw(st.binary(max_size=20))
    if suffix.endswith(".gz"):
        data = gzip.compress(data)[: draw(st.sampled_from([None, 30]))]
    return f"data{suffix}", data
