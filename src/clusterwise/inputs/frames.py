"""Frames of any dataframe library or engine, and what each engine does in its own way.

Narwhals speaks to all of them. What it does not even out is evened out here, so that the
summaries need not know whom they talk to:

- column names with dots, quotes or other cases are put aside before anything is computed;
- in DuckDB, Polars and Spark NaN is larger than any number, so it becomes a missing value, and
  DuckDB is not asked whether a number is NaN: of Parquet files it answers from their statistics,
  which leave NaN out;
- Dask ignores what stands inside a sum over groups, so columns are made first, then summed;
  and since it makes each of many columns by itself, its workers run the kernels instead;
- Spark computes a column anew for each condition that looks at it, so it gets rows to group by
  in place of many conditions;
- Spark adds no booleans, DuckDB adds whole numbers up to decimals, Polars wraps narrow ones.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import EngineError, InputError, MissingExtraError
from clusterwise.inputs.encoding import Array

# Whole numbers up to this add up exactly in 64 bits.
_LARGEST_TOTAL = 2.0**63 - 1024
_ARRAYS = (np.ndarray, list, tuple, Mapping, str, type(None))
# Frames in memory, and what has the names of their columns.
_KNOWN = {
    ("pandas", "DataFrame"): "columns",
    ("polars", "DataFrame"): "columns",
    ("pyarrow", "Table"): "column_names",
}
WEIGHT = "w"
# Parts whose sums are added up in one place.
_FEW = 8


@dataclass(frozen=True)
class SelectedColumns:
    """Some columns of a frame, called c0, c1, … while an engine works on them.

    ``frame`` is a lazy frame of narwhals, ``names`` what the columns are called in truth,
    ``dtypes`` their types. A column ``w`` holds the weights, if there are any.
    """

    frame: Any
    names: tuple[str, ...]
    dtypes: tuple[Any, ...]
    weighting: "Weighting | None" = None

    def keys(self, *places: int) -> list[str]:
        """What these columns are called in the frame."""
        return [f"c{place}" for place in places]

    def replace_frame(self, frame: Any) -> "SelectedColumns":
        """The same columns of other rows."""
        return SelectedColumns(frame, self.names, self.dtypes, self.weighting)


@dataclass(frozen=True)
class Weighting:
    """The column of weights, and whether they are whole numbers."""

    name: str
    whole: bool


def as_lazy(frame: Any) -> Any:
    """The frame as narwhals sees it, if its engine computes only when asked; else None."""
    if isinstance(frame, _ARRAYS):
        return None
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    return found if isinstance(found, nw.LazyFrame) else None


def as_eager(frame: Any) -> Any:
    """The frame as narwhals sees it, if it is in memory; else None."""
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    return found if isinstance(found, nw.DataFrame) else None


def column_names(frame: Any) -> list[str]:
    """The names of all columns of a frame, eager or lazy."""
    import narwhals.stable.v2 as nw

    found = require_frame(frame)
    if isinstance(found, nw.DataFrame):
        return found.columns
    native = found.to_native()
    if _is_spark(native):
        return list(native.columns)
    return list(found.collect_schema().names())


def require_frame(frame: Any) -> Any:
    """The frame as narwhals sees it, or an error that says what a frame is."""
    import narwhals.stable.v2 as nw

    found = _as_narwhals(frame)
    if isinstance(found, nw.DataFrame | nw.LazyFrame):
        return found
    raise InputError(
        f"frame is a {type(frame).__name__}, not a frame; pass one of pandas, Polars, PyArrow, "
        "DuckDB, Ibis, Dask or PySpark."
    )


def eager_column(frame: Any, name: str) -> Any:
    """A column of an eager frame, as its own library has it."""
    require_columns(frame, [name])
    return frame.to_native()[name]


def eager_columns(frame: Any, names: Sequence[str]) -> list[Any] | None:
    """Columns of a frame in memory, as its own library has them; None if it is not in memory.

    Frames that are known by their type need no closer look, which takes as long as kernels take
    for 10^5 objects.
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
            raise InputError(f"{name!r} is not the name of a column; pass its name as a text.")
        if name not in there:
            shown = ", ".join(there[:8]) + (", …" if len(there) > 8 else "")
            raise InputError(f"the frame has no column {name!r}; it has {shown or 'none'}.")
        if there.count(name) > 1:
            raise InputError(f"the frame has two columns called {name!r}; rename one.")


def select_columns(frame: Any, names: Sequence[str], weights: str | None = None) -> SelectedColumns:
    """These columns of a frame under names that no engine stumbles over."""
    import narwhals.stable.v2 as nw

    found = require_frame(frame)
    wanted = [*names, *([] if weights is None else [weights])]
    require_columns(found, wanted)
    there = column_names(found)
    native = found.to_native()
    if _is_spark(native):  # which takes a dot in a name for a part of a structure
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


def without_nan(column: Any, dtype: Any) -> Any:
    """A column of numbers as 64-bit floats, with nulls in place of NaN."""
    import narwhals.stable.v2 as nw

    number = column.cast(nw.Float64)
    if not dtype.is_float():
        return number
    there = (number - number == 0) | (number == np.inf) | (number == -np.inf)
    return nw.when(there).then(number)


def as_names(column: Any, dtype: Any) -> Any:
    """A column of names as texts where it holds categories, whose engines compare them oddly."""
    import narwhals.stable.v2 as nw

    return column.cast(nw.String) if isinstance(dtype, nw.Categorical | nw.Enum) else column


def prefers_rows(frame: Any) -> bool:
    """Whether the engine groups many rows faster than it checks many conditions."""
    return _is_spark(frame.to_native())


def fetch(query: Any) -> Any:
    """Run a query: a small eager frame, of narwhals."""
    import narwhals.stable.v2 as nw

    if query.implementation is nw.Implementation.POLARS:
        return query.collect(engine="streaming")
    with _telling_losses():
        try:
            return query.collect()
        except ImportError as error:
            missing = "pyarrow" if "pyarrow" in str(error) else error.name
            raise MissingExtraError(
                f"what {query.implementation.value} computes is fetched by {missing}, which is not "
                "installed; run pip install 'clusterwise[engines]'."
            ) from error


def partitions(frame: Any, columns: Sequence[str]) -> list[Any] | None:
    """Columns of the parts of a Dask frame, pandas frames to be; None for all others."""
    found = require_frame(frame)
    native = found.to_native()
    if type(native).__module__.partition(".")[0] != "dask":
        return None
    require_columns(found, columns)
    return list(native[list(dict.fromkeys(columns))].to_delayed())


def sum_parts(
    parts: Sequence[Any], one: Callable[[Any], Any], add: Callable[[list[Any]], Any]
) -> Any:
    """What ``one`` makes of each part where it is, added up a few at a time on the way."""
    from dask import config
    from dask.delayed import delayed

    sums = [delayed(one)(part) for part in parts]
    while len(sums) > 1:
        sums = [delayed(add)(sums[i : i + _FEW]) for i in range(0, len(sums), _FEW)]
    # A part and what is made of it are one task, so that no part is sent to another worker.
    with _telling_losses(), config.set({"optimization.fuse.delayed": True}):
        return sums[0].compute()


def integers(column: Any) -> Array:
    """A fetched column of counts or of sums of whole numbers."""
    import narwhals.stable.v2 as nw

    if isinstance(column.dtype, nw.Decimal) or column.dtype.is_float():
        if float(column.cast(nw.Float64).sum()) >= _LARGEST_TOTAL:
            raise InputError(
                "the weights add up to more than 64-bit integers hold (9·10^18); divide them, or "
                "turn them into floating-point numbers."
            )
        column = column.cast(nw.Int64)
    return np.array(column.to_numpy(), np.int64)


def floats(column: Any) -> Array:
    """A fetched column of numbers; missing ones are NaN."""
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
    return nw.from_native(frame, pass_through=True)


@contextmanager
def _telling_losses() -> Iterator[None]:
    """Say in one sentence that an engine gave up since it lost the workers of a part."""
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
            f"{engine} gave up, since each worker that took a certain part was lost, most often "
            "for lack of memory; cut the frame into smaller parts, or give workers more memory."
        ) from error


def _is_spark(native: Any) -> bool:
    return type(native).__module__.partition(".")[0] in {"pyspark", "sqlframe"}


def _is_whole(dtype: Any, name: str) -> bool:
    import narwhals.stable.v2 as nw

    if dtype.is_integer() or isinstance(dtype, nw.Boolean):
        return True
    if dtype.is_numeric():
        return False
    raise InputError(f"column {name!r} holds {dtype}, not weights; pass a column of numbers.")
