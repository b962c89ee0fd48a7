"""One Arrow table as a frame of every engine; engines that need a process start it once."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

EAGER = ["pandas", "polars", "pyarrow"]
LAZY = ["polars-lazy", "duckdb", "ibis", "dask", "pyspark"]
ENGINES = [*EAGER, *LAZY]


def frame_of(engine: str, table: pa.Table) -> Any:
    """The table as a frame of this engine; skips the test where the engine is missing."""
    return _MAKERS[engine](table)


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
    pytest.importorskip("pyarrow_hotfix", reason="the DuckDB backend of Ibis is not installed")
    return ibis.memtable(table)


def _dask(table: pa.Table) -> Any:
    dd = pytest.importorskip("dask.dataframe")
    _dask_client()
    return dd.from_pandas(table.to_pandas(), npartitions=3)


def _pyspark(table: pa.Table) -> Any:
    pytest.importorskip("pyspark")
    with warnings.catch_warnings():
        # PySpark warns of pandas 3, which it does not use for Arrow tables.
        warnings.simplefilter("ignore", FutureWarning)
        return _spark().createDataFrame(table).repartition(3)


@cache
def _dask_client() -> Any:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    return distributed.Client(cluster)


@cache
def _spark() -> Any:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    return session


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
