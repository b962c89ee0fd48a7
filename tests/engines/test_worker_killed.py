"""Workers that are killed in the middle: the result is exact, or one sentence says what to do."""

import os
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clusterwise import Binning, Contingency, DensityProfile
from clusterwise._utils.errors import EngineError
from helpers import clusters
from helpers.engine_data import same_profile

pytestmark = pytest.mark.slow

PARTS = 4
BINNING = Binning(n_bins=3).fit(pd.DataFrame({"x": [-4.0, 4.0]}))
SUMMARIES: dict[str, Callable[[Any], Any]] = {
    "contingency": lambda frame: Contingency.from_frame(frame, "a", "b"),
    "profile": lambda frame: DensityProfile.from_frame(frame, "a", binning=BINNING),
}


def _part(number: int) -> pd.DataFrame:
    random = np.random.default_rng(number)
    labels = {name: random.integers(0, 3, 50) for name in "ab"}
    return pd.DataFrame({**labels, "x": random.normal(size=50)})


def _slow_part(folder: Path) -> Callable[[int], pd.DataFrame]:
    """Makes parts that say which process began them, and end when they are let go."""
    parts = {number: _part(number) for number in range(PARTS)}

    # Inside, so that workers get it by value: they do not know this module.
    def make(number: int) -> pd.DataFrame:
        (folder / f"{number}-{os.getpid()}-{uuid.uuid4()}").touch()
        until = time.monotonic() + 120
        while not (folder / "go").exists() and time.monotonic() < until:
            time.sleep(0.02)
        return parts[number]

    return make


def _begun(folder: Path) -> list[tuple[int, int]]:
    """The number and the process of each part that was begun."""
    names = [one.name.split("-") for one in folder.iterdir() if one.name != "go"]
    return [(int(name[0]), int(name[1])) for name in names]


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not until():
        assert time.monotonic() < end
        time.sleep(0.02)


def _same(summary: str, found: Any) -> None:
    expected = SUMMARIES[summary](pd.concat([_part(number) for number in range(PARTS)]))
    if summary == "profile":
        same_profile(found, expected)
    else:
        assert found == expected


@pytest.fixture
def dask_client() -> Iterator[Any]:
    client = clusters.new_dask_client()
    yield client
    client.shutdown()


@pytest.fixture
def strict_client() -> Iterator[Any]:
    """A cluster that gives a part up as soon as one worker is lost with it."""
    # Its import adds defaults to Dask's configuration. Inside the block below, the first import
    # would be undone at the end of it.
    pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        client = clusters.new_dask_client()
    yield client
    client.shutdown()


def _dask_frame(make: Callable[[int], pd.DataFrame]) -> Any:
    dd = pytest.importorskip("dask.dataframe")
    return dd.from_map(make, range(PARTS), meta=_part(0).head(0))


@pytest.mark.parametrize("summary", SUMMARIES)
def test_dask_makes_again_what_a_killed_worker_had(
    summary: str, dask_client: Any, tmp_path: Path
) -> None:
    frame = _dask_frame(_slow_part(tmp_path))
    with ThreadPoolExecutor() as pool:
        found = pool.submit(SUMMARIES[summary], frame)
        _wait(lambda: len({process for _, process in _begun(tmp_path)}) == 2)
        number, process = _begun(tmp_path)[0]
        os.kill(process, signal.SIGKILL)
        (tmp_path / "go").touch()
        _same(summary, found.result(120))
    makers = {by for made, by in _begun(tmp_path) if made == number}
    assert makers - {process}


@pytest.mark.parametrize("summary", SUMMARIES)
def test_dask_that_loses_every_worker_is_one_sentence(
    summary: str, strict_client: Any, tmp_path: Path
) -> None:
    frame = _dask_frame(_slow_part(tmp_path))
    with ThreadPoolExecutor() as pool:
        found = pool.submit(SUMMARIES[summary], frame)
        _wait(lambda: bool(_begun(tmp_path)))
        os.kill(_begun(tmp_path)[0][1], signal.SIGKILL)
        with pytest.raises(EngineError, match=r"Dask lost every worker .*; use smaller partitions"):
            found.result(120)
        (tmp_path / "go").touch()


def _parents(process: int) -> Iterator[int]:
    while process > 1:
        yield process
        status = Path(f"/proc/{process}/stat").read_text()
        process = int(status.rpartition(")")[2].split()[1])


def _executor_of(process: int) -> int:
    """The executor of Spark that a process of Python works for."""
    line = list(_parents(process))
    return line[line.index(clusters.spark_driver()) - 1]


def _spark_frame(make: Callable[[int], pd.DataFrame], number: int) -> Any:
    """So many parts, each made by an executor with the help of Python."""
    session = clusters.spark()

    def parts(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            for number in batch["id"].to_pylist():
                yield pa.RecordBatch.from_pandas(make(number), preserve_index=False)

    numbers = session.range(number, numPartitions=number)
    return numbers.mapInArrow(parts, "a long, b long, x double")


@pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")
def test_spark_makes_again_what_a_killed_executor_had(tmp_path: Path) -> None:
    clusters.spark()
    frame = _spark_frame(_slow_part(tmp_path), PARTS)
    with ThreadPoolExecutor() as pool:
        found = pool.submit(SUMMARIES["contingency"], frame)
        _wait(lambda: bool(_begun(tmp_path)))
        number, process = _begun(tmp_path)[0]
        os.kill(_executor_of(process), signal.SIGKILL)
        (tmp_path / "go").touch()
        _same("contingency", found.result(120))
    makers = {by for made, by in _begun(tmp_path) if made == number}
    assert makers - {process}


@pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")
def test_spark_that_loses_every_executor_is_one_sentence() -> None:
    clusters.spark()

    def deadly(number: int) -> pd.DataFrame:
        status = Path(f"/proc/{os.getppid()}/stat").read_text()
        os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)
        time.sleep(60)
        raise AssertionError

    with pytest.raises(EngineError, match="Spark lost every worker"):
        Contingency.from_frame(_spark_frame(deadly, 1), "a", "b")
