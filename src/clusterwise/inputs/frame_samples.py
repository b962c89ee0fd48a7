"""Random samples of the rows of lazy frames, drawn by their engines."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import collect_query, engine_of, partitions

# A name that no table of the user has.
_VIEW = "clusterwise_rows"
# Rows are drawn one by one with a probability of which this many standard deviations fewer are
# still enough.
_MARGIN = 6.0


def sample_rows(frame: Any, n: int, size: int, seed: int) -> Any:
    """Return ``size`` of the ``n`` rows of a lazy narwhals frame as an eager one, or all.

    Every set of rows is equally likely. The same seed draws the same rows from the same data:
    with Polars and DuckDB from rows in the same order, with Dask, Spark and Ibis from the same
    partitions. Nothing is sorted, and only the sample leaves the engine.
    """
    import narwhals.stable.v2 as nw

    if n <= size:
        return collect_query(frame)
    native, engine = frame.to_native(), engine_of(frame)
    if engine == "duckdb":
        query = f"SELECT * FROM {_VIEW} USING SAMPLE reservoir({size} ROWS) REPEATABLE ({seed})"  # noqa: S608
        return collect_query(nw.from_native(native.query(_VIEW, query)))
    if engine == "polars":
        import polars as pl

        chosen = pl.col("row").is_in(_positions(n, size, seed))
        rows = native.with_row_index("row").filter(chosen).drop("row")
        return collect_query(nw.from_native(rows))
    if engine == "dask":
        return nw.from_native(_take_of_partitions(frame, n, size, seed), eager_only=True)
    if engine in ("pyspark", "ibis"):
        fraction = min(1.0, (size + _MARGIN * (size**0.5 + 1)) / n)
        if engine == "ibis":
            drawn = native.sample(fraction, seed=seed)
        else:  # by name: PySpark ignores the seed after a fraction by position
            drawn = native.sample(fraction=fraction, seed=seed)
        found = collect_query(nw.from_native(drawn))
        if len(found) <= size:
            return found
        return found[_positions(len(found), size, seed).tolist()]
    raise InputError(
        f"rows of a lazy frame of {engine} cannot be sampled; collect a sample of it first."
    )


def _positions(n: int, size: int, seed: int) -> Array:
    """Return random positions among n in increasing order."""
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False, shuffle=False))


def _take_of_partitions(frame: Any, n: int, size: int, seed: int) -> Any:
    """Return the rows at random positions of a Dask frame; each worker takes those of its parts."""
    import pandas as pd
    from dask.base import compute
    from dask.delayed import delayed

    parts = partitions(frame, frame.columns)
    assert parts is not None
    ends = np.cumsum(compute(*(delayed(len)(part) for part in parts)))
    positions = _positions(n, size, seed)
    taken = [
        delayed(_take)(part, own)
        for part, own in zip(parts, _split_positions(positions, ends), strict=True)
        if own.size
    ]
    return pd.concat(compute(*taken))


def _split_positions(positions: Array, ends: Array) -> list[Array]:
    """Return the positions within each part, of which the ends are known."""
    starts = np.concatenate([[0], ends[:-1]])
    cuts = np.searchsorted(positions, ends[:-1])
    return [
        own - start for own, start in zip(np.split(positions, cuts), starts.tolist(), strict=True)
    ]


def _take(part: Any, positions: Array) -> Any:
    return part.iloc[positions]
