"""One Arrow table as a frame of every engine; clusters are started once and stopped at the end."""

import warnings
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import clusters

EAGER = ["pandas", "polars", "pyarrow"]
# Tests of an engine with a cluster share one process, so that the cluster starts only once.
LAZY = [
    "polars-lazy",
    "duckdb",
    "ibis",
    pytest.param("dask", marks=pytest.mark.xdist_group("dask")),
    pytest.param("pyspark", marks=pytest.mark.xdist_group("pyspark")),
]
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
