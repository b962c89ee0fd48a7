"""Frames of any dataframe library or engine, and the differences between engines.

Narwhals has one interface for all of them. The differences that remain are handled here:

- columns are renamed before anything is computed: names may have dots, quotes or capitals;
- in DuckDB, Polars and Spark NaN is larger than any number, so it becomes null. DuckDB's test for
  NaN is avoided: for Parquet files it uses their statistics, which exclude NaN;
- Dask ignores expressions inside a sum over groups, so columns are computed first, then summed;
  and since it computes each of many columns separately, its workers run the kernels instead;
- Spark evaluates a column again for each condition on it, so it groups rows instead of testing
  many conditions;
- Spark cannot sum booleans, DuckDB sums integers to decimals, Polars overflows narrow ones.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import EngineError, InputError, MissingExtraError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.encoding import LARGEST_TOTAL, Array

_ARRAYS = (np.ndarray, list, tuple, Mapping, str, type(None))
# Frames in memory, and the attribute with the names of their columns.
_KNOWN = {
    ("pandas", "DataFrame"): "columns",
    ("polars", "DataFrame"): "columns",
    ("pyarrow", "Table"): "column_names",
}
WEIGHT = "w"
# The number of partial sums that are added in one task.
_FEW = 8


@dataclass(frozen=True)
class SelectedColumns:
    """Some columns of a frame, renamed to c0, c1, … for the engine.

    ``frame`` is a lazy narwhals frame, ``names`` are the original names of the columns and
    ``dtypes`` their types. The column ``w`` has the weights, if there are any.
    """

    frame: Any
    names: tuple[str, ...]
    dtypes: tuple[Any, ...]
    weighting: "Weighting | None" = None


@dataclass(frozen=True)
class Weighting:
    """The column of weights, and whether they are integers."""

    name: str
    whole: bool


def as_lazy(frame: Any) -> Any:
    """Return the frame as a narwhals frame if it is lazy; else None."""
    if isinstance(frame, _ARRAYS):
        return None
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    return found if isinstance(found, nw.LazyFrame) else None


def as_eager(frame: Any) -> Any:
    """Return the frame as a narwhals frame if it is in memory; else None."""
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    return found if isinstance(found, nw.DataFrame) else None


def column_names(frame: Any) -> list[str]:
    """Return the names of all columns of a frame, eager or lazy."""
    import narwhals.stable.v2 as nw

    found = require_frame(frame)
    if isinstance(found, nw.DataFrame):
        return found.columns
    native = found.to_native()
    if _is_spark(native):
        return list(native.columns)
    return list(found.collect_schema().names())


def require_frame(frame: Any) -> Any:
    """Return the frame as a narwhals frame; refuse other objects."""
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    if isinstance(found, nw.DataFrame | nw.LazyFrame):
        return found
    raise InputError(
        f"frame is {type_words(frame)}, not a frame; pass one of pandas, Polars, PyArrow, "
        "DuckDB, Ibis, Dask or PySpark."
    )


def eager_column(frame: Any, name: str) -> Any:
    """Return a column of an eager frame, as a series of its own library."""
    require_columns(frame, [name])
    return frame.to_native()[name]


def eager_columns(frame: Any, names: Sequence[str]) -> list[Any] | None:
    """Return columns of a frame in memory, as series of its library; None if it is lazy.

    Frames of a known type are not converted by narwhals, which takes as long as kernels take for
    10^5 objects.
    """
    kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    if kind in _KNOWN:
        _refuse_unknown(list(getattr(frame, _KNOWN[kind])), names)
        return [frame[name] for name in names]
    eager = as_eager(frame)
    return None if eager is None else [eager_column(eager, name) for name in names]


def require_columns(frame: Any, names: Sequence[str]) -> None:
    """Refuse names that the frame does not have, and names that it has twice."""
    _refuse_unknown(column_names(frame), names)


def _refuse_unknown(there: list[str], names: Sequence[str]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{name!r} is not the name of a column; pass its name as a string.")
        if name not in there:
            shown = ", ".join(there[:8]) + (", …" if len(there) > 8 else "")
            raise InputError(f"the frame has no column {name!r}; it has {shown or 'none'}.")
        if there.count(name) > 1:
            raise InputError(f"the frame has two columns called {name!r}; rename one.")


def select_columns(frame: Any, names: Sequence[str], weights: str | None = None) -> SelectedColumns:
    """Select columns of a frame, under names that are safe in every engine."""
    import narwhals.stable.v2 as nw

    found = require_frame(frame)
    wanted = [*names, *([] if weights is None else [weights])]
    require_columns(found, wanted)
    there = column_names(found)
    native = found.to_native()
    if _is_spark(native):  # where a dot in a name selects a field of a struct
        found = nw.from_native(native.toDF(*(f"s{i}" for i in range(len(there)))))
        sources = {name: f"s{i}" for i, name in enumerate(there)}
    else:
        found = found.lazy() if isinstance(found, nw.DataFrame) else found
        sources = {name: name for name in there}
    schema = found.collect_schema()
    dtypes = tuple(schema[sources[name]] for name in names)
    columns = [nw.col(sources[name]).alias(f"c{i}") for i, name in enumerate(names)]
    weighting = None
    if weights is not None:
        weighting = Weighting(weights, _is_whole(schema[sources[weights]], weights))
        kind = nw.Int64 if weighting.whole else nw.Float64
        columns.append(nw.col(sources[weights]).cast(kind).alias(WEIGHT))
    return SelectedColumns(found.select(*columns), tuple(names), dtypes, weighting)


def nan_to_null(column: Any, dtype: Any) -> Any:
    """Return a numeric column as 64-bit floats, with nulls in place of NaN."""
    import narwhals.stable.v2 as nw

    number = column.cast(nw.Float64)
    if not dtype.is_float():
        return number
    there = (number - number == 0) | (number == np.inf) | (number == -np.inf)
    return nw.when(there).then(number)


def as_names(column: Any, dtype: Any) -> Any:
    """Return a categorical column as strings, which all engines compare alike."""
    import narwhals.stable.v2 as nw

    return column.cast(nw.String) if isinstance(dtype, nw.Categorical | nw.Enum) else column


def prefers_grouping(frame: Any) -> bool:
    """Return whether the engine groups many rows faster than it tests many conditions."""
    return _is_spark(frame.to_native())


def engine_of(frame: Any) -> str:
    """Return the name of the package of a lazy narwhals frame, such as "duckdb"."""
    name = type(frame.to_native()).__module__.partition(".")[0]
    return {"_duckdb": "duckdb", "dask_expr": "dask", "sqlframe": "pyspark"}.get(name, name)


def collect_query(query: Any) -> Any:
    """Run a query, and return its result as an eager narwhals frame."""
    import narwhals.stable.v2 as nw

    if query.implementation is nw.Implementation.POLARS:
        return query.collect(engine="streaming")
    with _explain_lost_workers():
        try:
            return query.collect()
        except ImportError as error:
            missing = "pyarrow" if "pyarrow" in str(error) else error.name
            raise MissingExtraError(
                f"results of {query.implementation.value} are collected with {missing}, which is "
                "not installed; run pip install 'clusterwise[engines]'."
            ) from error


def partitions(frame: Any, columns: Sequence[str]) -> list[Any] | None:
    """Return the delayed partitions of a Dask frame with these columns; None for other frames."""
    found = require_frame(frame)
    native = found.to_native()
    if type(native).__module__.partition(".")[0] != "dask":
        return None
    require_columns(found, columns)
    return list(native[list(dict.fromkeys(columns))].to_delayed())


def reduce_parts(
    parts: Sequence[Any], one: Callable[[Any], Any], add: Callable[[list[Any]], Any]
) -> Any:
    """Apply ``one`` to each part on its worker, and add the results up in a tree."""
    from dask import config
    from dask.delayed import delayed

    sums = [delayed(one)(part) for part in parts]
    while len(sums) > 1:
        sums = [delayed(add)(sums[i : i + _FEW]) for i in range(0, len(sums), _FEW)]
    # A part and its result are one task, so that no part is sent to another worker.
    with _explain_lost_workers(), config.set({"optimization.fuse.delayed": True}):
        return sums[0].compute()


def integers(column: Any) -> Array:
    """Return a column of counts or sums of integers as an array."""
    import narwhals.stable.v2 as nw

    if isinstance(column.dtype, nw.Decimal) or column.dtype.is_float():
        if float(column.cast(nw.Float64).sum()) >= LARGEST_TOTAL:
            raise InputError(
                "the weights add up to more than the largest 64-bit integer (9·10^18); divide "
                "them, or convert them to floating-point numbers."
            )
        column = column.cast(nw.Int64)
    return np.array(column.to_numpy(), np.int64)


def floats(column: Any) -> Array:
    """Return a numeric column as an array of floats; nulls are NaN."""
    import narwhals.stable.v2 as nw

    if isinstance(column.dtype, nw.Decimal):
        column = column.cast(nw.Float64)
    return np.array(column.to_numpy(), np.float64)


def _as_narwhals(frame: Any) -> Any:
    import narwhals.stable.v2 as nw

    if isinstance(frame, _ARRAYS):
        return None
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        return frame
    if type(frame).__module__.partition(".")[0] == "narwhals":
        frame = nw.to_native(frame, pass_through=True)
    try:
        return nw.from_native(frame, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        names = list(map(str, getattr(frame, "column_names", frame.columns)))
        repeated = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"the frame has several columns {repeated!r}; rename them so that all names differ."
        ) from error


@contextmanager
def _explain_lost_workers() -> Iterator[None]:
    """Raise an EngineError if an engine lost the workers of a partition."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            engine = "Dask"
        elif "ExecutorLostFailure" in str(error):
            engine = "Spark"
        else:
            raise
        raise EngineError(
            f"{engine} lost every worker that processed a certain partition, most often for lack "
            "of memory; use smaller partitions, or give workers more memory."
        ) from error


def _is_spark(native: Any) -> bool:
    return type(native).__module__.partition(".")[0] in {"pyspark", "sqlframe"}


def _is_whole(dtype: Any, name: str) -> bool:
    import narwhals.stable.v2 as nw

    if dtype.is_integer() or isinstance(dtype, nw.Boolean):
        return True
    if dtype.is_numeric():
        return False
    raise InputError(f"column {name!r} is of type {dtype}, not weights; pass a column of numbers.")
