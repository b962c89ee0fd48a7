"""Series of the dataframe libraries that narwhals knows, read without a detour.

Categoricals hand over their codes; texts are encoded by their own library,
whose hash tables work on the column's memory; numbers become a NumPy view.
"""

import sys
from typing import Any

import numpy as np

from clusterwise.encoding import (
    Array,
    Codes,
    as_names,
    encode_array,
    encode_objects,
    read_only,
    refuse_missing,
    smallest_unsigned,
    sort_names,
)
from clusterwise.errors import InputError


def encode_series(labels: Any, where: str) -> Codes | None:
    """Codes of a pandas, Polars or Arrow column; None if it is none of these."""
    import narwhals as nw

    native = _as_series(labels)
    if native is None:
        return None
    series = nw.from_native(native, series_only=True)
    if len(series) and series.is_null().any():
        refuse_missing(series.is_null().to_numpy(), where)
    if isinstance(series.dtype, nw.Categorical | nw.Enum):
        return _from_categories(*_categories(native))
    if isinstance(series.dtype, nw.String):
        return _sorted_by_name(*_factorized(native))
    values = series.to_numpy()
    if values.dtype == object:
        return encode_objects(values.tolist(), where)
    return encode_array(values, where)


def index_of(labels: Any) -> Any:
    """The index of a pandas series; None for everything that has none."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(labels, pandas.Series):
        return labels.index
    return None


def library_of(labels: Any) -> str | None:
    """The dataframe library that the labels come from, by name."""
    root = type(labels).__module__.partition(".")[0]
    return root if root in {"pandas", "polars", "pyarrow"} else None


def match_by_index(a: Any, b: Any) -> tuple[Array, Array]:
    """Positions in two pandas indexes of the objects that both hold."""
    for index, where in ((a, "a"), (b, "b")):
        if not index.is_unique:
            twice = index[index.duplicated()][0]
            raise InputError(
                f"the index of {where} holds {twice!r} more than once, so objects cannot be "
                "matched by index; make the index unique."
            )
    places = b.get_indexer(a)
    found = np.flatnonzero(places >= 0)
    return found, places[found]


def _as_series(labels: Any) -> Any:
    """The column as something that narwhals takes, or None."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(
        labels, pandas.Index | pandas.api.extensions.ExtensionArray
    ):
        return pandas.Series(labels)
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(labels, pyarrow.Array):
        return pyarrow.chunked_array([labels])
    import narwhals as nw

    wrapped = nw.from_native(labels, allow_series=True, pass_through=True)
    return labels if isinstance(wrapped, nw.Series) else None


def _categories(column: Any) -> tuple[Array, list[Any]]:
    """Codes and categories as the library keeps them."""
    match library_of(column):
        case "pandas":
            return column.cat.codes.to_numpy(), column.cat.categories.tolist()
        case "polars":
            categories = getattr(column.dtype, "categories", None)
            if hasattr(categories, "to_series"):
                categories = categories.to_series()
            if categories is None:  # releases that keep the categories to themselves
                return _arrow_dictionary(column.to_arrow())
            return column.to_physical().to_numpy(), categories.to_list()
        case _:
            return _arrow_dictionary(column)


def _factorized(column: Any) -> tuple[Array, list[Any]]:
    """Codes and distinct texts, encoded by the library itself."""
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
            return _arrow_dictionary(column.dictionary_encode())


def _arrow_dictionary(column: Any) -> tuple[Array, list[Any]]:
    joined = column
    if hasattr(column, "unify_dictionaries"):
        joined = column.unify_dictionaries().combine_chunks()
    return joined.indices.to_numpy(zero_copy_only=False), joined.dictionary.to_pylist()


def _from_categories(codes: Array, names: list[Any]) -> Codes:
    """Codes as they are; of the names only the range that occurs, for some are shared."""
    if not codes.size:
        return Codes(read_only(codes), 0, 0)
    low, high = int(codes.min()), int(codes.max())
    return Codes(read_only(codes), low, high - low + 1, as_names(names[low : high + 1]))


def _sorted_by_name(codes: Array, names: list[Any]) -> Codes:
    ordered = sort_names(names)
    position = {name: code for code, name in enumerate(ordered)}
    rank = np.array([position[name] for name in names], smallest_unsigned(len(names)))
    return Codes(read_only(rank[codes]), 0, len(names), as_names(ordered))
