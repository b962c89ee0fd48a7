"""Real clusters of processes on this machine: Dask's and Spark's.

Each is started when a test first asks for it, and stopped at the end of the run.
"""

import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

# For short queries the first of Java's two compilers is the faster one.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_SPARK = {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.log.level": "OFF",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.task.maxFailures": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_stop: list[Any] = []


@cache
def dask_client() -> Any:
    """A scheduler and two workers, each a process of its own with one thread."""
    client = new_dask_client()
    _stop.append(client.shutdown)
    return client


def new_dask_client() -> Any:
    """A cluster of its own, for tests that break it; ``client.shutdown()`` stops it."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
    )
    return distributed.Client(cluster)


@cache
def spark() -> Any:
    """A session on two executors, each a process of its own with one core."""
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    from pyspark.sql import SparkSession

    home = _spark_home(Path(pyspark.__file__).parent)
    os.environ.update(
        SPARK_HOME=str(home), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable
    )
    builder = SparkSession.builder.master("local-cluster[2,1,512]")
    for name, value in _SPARK.items():
        builder = builder.config(name, value)
    builder = builder.config("spark.sql.warehouse.dir", str(home / "warehouse"))
    session = builder.config("spark.local.dir", str(home / "local")).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    _stop.append(lambda: _stop_spark(session, home))
    return session


def spark_driver() -> int:
    """The process that Spark's master runs in, whose children are the executors."""
    return int(spark().sparkContext._gateway.proc.pid)


def stop() -> None:
    """Stop what was started."""
    while _stop:
        _stop.pop()()


def _spark_home(installed: Path) -> Path:
    """A folder with Spark's programs, beside which its workers may write."""
    home = Path(tempfile.mkdtemp(prefix="clusterwise-spark-"))
    for name in ("bin", "jars", "sbin"):
        (home / name).symlink_to(installed / name)
    return home


def _stop_spark(session: Any, home: Path) -> None:
    gateway = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()  # which tells Java to leave
    gateway.proc.wait(timeout=60)
    shutil.rmtree(home)
