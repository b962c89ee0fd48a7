"""Encode series of dataframe libraries without conversion to Python objects.

Categorical columns have codes already; strings are encoded by their own library, whose hash tables
work on the column's memory; numeric columns become a NumPy view.
"""

import sys
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import (
    Array,
    Codes,
    are_labels,
    as_names,
    encode_array,
    encode_objects,
    name_order,
    read_only,
    refuse_missing,
    smallest_unsigned,
)

_WIDE = ("Int128", "UInt128")


def encode_series(labels: Any, where: str) -> Codes | None:
    """Return the codes of a pandas, Polars or Arrow column; None if it is none of these."""
    import narwhals as nw

    numeric = _numeric_array(labels)
    if numeric is not None:
        return encode_array(numeric, where)
    series = _as_series(labels)
    if series is None:
        return None
    native = series.to_native()
    if _may_have_nulls(native):
        refuse_missing(series.is_null().to_numpy(), where)
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        categories = _categories(native)
        if not are_labels(categories.all_names()):
            encode_objects(series.to_list(), where)  # refuses those that occur
        return categories
    if isinstance(dtype, nw.String):
        codes, names = factorize_strings(native)
        refuse_missing(codes < 0, where)
        return _sorted_by_name(codes, names)
    if is_wide(series):
        return encode_objects(series.to_list(), where)
    values = series.to_numpy()
    if values.dtype == object:
        return encode_objects(values.tolist(), where)
    return encode_array(values, where)


def is_wide(series: Any) -> bool:
    """Return whether a series has integers of 128 bits, which NumPy does not have."""
    return str(getattr(series, "dtype", "")) in _WIDE


def filter_series(labels: Any, kept: Array) -> Any:
    """Return the values of a column at which ``kept`` is true; None for other labels."""
    series = _as_series(labels)
    return None if series is None else series.filter(kept.tolist()).to_native()


def index_of(labels: Any) -> Any:
    """Return the index of a pandas series or frame; None for other objects."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(labels, pandas.Series | pandas.DataFrame):
        return labels.index
    return None


def names_of(table: Any) -> list[str] | None:
    """Return the names of the columns of a frame, or the name of a series; None without names."""
    if table is None or isinstance(table, np.ndarray | list | tuple):
        return None
    if hasattr(table, "columns") and not callable(table.columns):
        return [str(name) for name in getattr(table, "column_names", list(table.columns))]
    name = getattr(table, "name", None)
    return [name] if isinstance(name, str) and name else None


def library_of(labels: Any) -> str | None:
    """Return the name of the dataframe library that the labels come from, or None."""
    root = type(labels).__module__.partition(".")[0]
    return root if root in {"pandas", "polars", "pyarrow"} else None


def match_by_index(a: Any, b: Any) -> tuple[Array, Array]:
    """Return the positions in two pandas indexes of the objects that both have."""
    require_unique(a, "a")
    require_unique(b, "b")
    positions = b.get_indexer(a)
    found = np.flatnonzero(positions >= 0)
    return found, positions[found]


def require_unique(index: Any, where: str) -> None:
    """Refuse an index with duplicates."""
    if not index.is_unique:
        twice = index[index.duplicated()].tolist()[0]
        raise InputError(
            f"the index of {where} has {twice!r} more than once, so objects cannot be "
            "matched by index; make the index unique."
        )


def _numeric_array(labels: Any) -> Array | None:
    """Return a plain numeric column without missing values as an array; else None.

    Narwhals would give the same, but takes as long as a kernel for 10^5 objects.
    """
    match type(labels).__module__.partition(".")[0], type(labels).__name__:
        case "pandas", "Series":
            plain = isinstance(labels.dtype, np.dtype) and labels.dtype.kind in "iuf"
        case "polars", "Series":
            kind = labels.dtype
            plain = (
                (kind.is_integer() or kind.is_float())
                and not is_wide(labels)
                and not labels.null_count()
            )
        case "pyarrow", "ChunkedArray":
            kind = str(labels.type)
            plain = kind.startswith(("int", "uint", "float", "double")) and not labels.null_count
        case _:
            return None
    return labels.to_numpy() if plain else None


def _as_series(labels: Any) -> Any:
    """Return the column as a narwhals series, or None."""
    import narwhals as nw

    pandas = sys.modules.get("pandas")
    if pandas is not None:
        if isinstance(labels, pandas.MultiIndex):
            return None  # tuples, which are encoded as objects
        bare = (pandas.Index, pandas.api.extensions.ExtensionArray)
        if isinstance(labels, bare):
            labels = pandas.Series(labels, copy=False)
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(labels, pyarrow.Array):
        labels = pyarrow.chunked_array([labels])
    series = nw.from_native(labels, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _may_have_nulls(column: Any) -> bool:
    """Return whether the column may have nulls, by the cheapest check."""
    match library_of(column):
        case "pandas":
            if isinstance(column.dtype, np.dtype):
                return False  # NaN and None are found when the values are read
            if hasattr(column, "cat"):
                return bool(len(column)) and bool(column.array.codes.min() < 0)
            return True
        case "polars":
            return bool(column.null_count())
        case _:
            return bool(column.null_count) or _is_dictionary(column)


def _is_dictionary(column: Any) -> bool:
    """Return whether a column is an Arrow dictionary, whose values may include a null."""
    return hasattr(column.type, "value_type") and hasattr(column.type, "index_type")


def _categories(column: Any) -> Codes:
    """Return the codes and categories of a categorical column."""
    match library_of(column):
        case "pandas":
            if not hasattr(column, "cat"):  # an Arrow dictionary in pandas
                return _coded(*_arrow_dictionary(column.array.__arrow_array__()))
            return _coded(column.array.codes, 0, column.cat.categories.tolist())
        case "polars":
            return _polars_categories(column)
        case _:
            return _coded(*_arrow_dictionary(column))


def _polars_categories(column: Any) -> Codes:
    """Return the physical codes and their names, which come from one pool for the process."""
    import polars as pl

    from clusterwise.kernels.encoding import value_range

    if not len(column):
        return _coded(np.empty(0, np.uint32), 0, [])
    codes = read_only(column.to_physical().to_numpy())
    first, last = map(int, value_range(codes))
    pool: Any = getattr(column.dtype, "categories", None)
    if isinstance(pool, pl.Series):
        return _coded(codes, first, pool[first : last + 1].to_list())
    if pool is None:  # older releases
        return _coded(*_arrow_dictionary(column.to_arrow()))
    try:
        names = [pool[code] for code in range(first, last + 1)]
    except IndexError:  # another thread has reserved a code, but not set its name yet
        names = [pool[code] if code in pool else None for code in range(first, last + 1)]  # noqa: SIM401
    return _coded(codes, first, names)


def _coded(codes: Array, first: int, names: list[Any]) -> Codes:
    return Codes(read_only(codes), first, len(names), as_names(names))


def factorize_strings(column: Any) -> tuple[Array, list[Any]]:
    """Return the codes and distinct strings of a column, encoded by its library."""
    match library_of(column):
        case "pandas":
            codes, names = column.factorize()
            return codes, names.tolist()
        case "polars":
            import polars as pl

            names = column.unique(maintain_order=True)
            codes = column.cast(pl.Enum(names)).to_physical()
            return codes.to_numpy(), names.to_list()
        case _:
            codes, _, names = _arrow_dictionary(column.dictionary_encode())
            return codes, names


def _arrow_dictionary(column: Any) -> tuple[Array, int, list[Any]]:
    if hasattr(column, "unify_dictionaries"):
        column = column.unify_dictionaries()
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    codes, names = column.indices.to_numpy(zero_copy_only=False), column.dictionary.to_pylist()
    distinct = list(dict.fromkeys(names))
    if len(distinct) < len(names):  # Arrow dictionaries may have duplicate values
        position = {name: code for code, name in enumerate(distinct)}
        codes = np.array([position[name] for name in names])[codes]
    return codes, 0, distinct


def _sorted_by_name(codes: Array, names: list[Any]) -> Codes:
    order = name_order(names)
    rank = np.empty(len(names), smallest_unsigned(len(names)))
    rank[order] = np.arange(len(names))
    return _coded(rank[codes], 0, [names[i] for i in order])
