"""One Arrow table as a frame of every engine; clusters are started once and stopped at the end."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from helpers import clusters

EAGER = ["pandas", "polars", "pyarrow"]
LAZY = ["polars-lazy", "duckdb", "ibis", "dask", "pyspark"]
ENGINES = [*EAGER, *LAZY]


def frame_of(engine: str, table: pa.Table) -> Any:
    """The table as a frame of this engine; skips the test where the engine is missing."""
    return _MAKERS[engine](table)


def read_parquet(engine: str, path: Path) -> Any:
    """A file as a lazy frame of this engine."""
    match engine:
        case "polars-lazy":
            import polars as pl

            return pl.scan_parquet(path)
        case "duckdb":
            return pytest.importorskip("duckdb").connect().read_parquet(str(path))
        case "ibis":
            ibis = pytest.importorskip("ibis")
            with warnings.catch_warnings():
                # Ibis 12 asks DuckDB 2 for Arrow by an old name.
                warnings.simplefilter("ignore", DeprecationWarning)
                return ibis.read_parquet(path)
        case "dask":
            clusters.dask_client()
            return pytest.importorskip("dask.dataframe").read_parquet(path)
        case _:
            return clusters.spark().read.parquet(str(path))


def _pandas(table: pa.Table) -> Any:
    return table.to_pandas()


def _polars(table: pa.Table) -> Any:
    import polars as pl

    return pl.from_arrow(table)


def _duckdb(table: pa.Table) -> Any:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_arrow(table)


def _ibis(table: pa.Table) -> Any:
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    return ibis.memtable(table)


def _dask(table: pa.Table) -> Any:
    dd = pytest.importorskip("dask.dataframe")
    clusters.dask_client()
    return dd.from_pandas(table.to_pandas(), npartitions=3)


def _pyspark(table: pa.Table) -> Any:
    session = clusters.spark()
    with warnings.catch_warnings():
        # PySpark warns of pandas 3, which it does not use for Arrow tables.
        warnings.simplefilter("ignore", FutureWarning)
        return session.createDataFrame(table)


_MAKERS: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": lambda table: table,
    "polars-lazy": lambda table: _polars(table).lazy(),
    "duckdb": _duckdb,
    "ibis": _ibis,
    "dask": _dask,
    "pyspark": _pyspark,
}
