"""Dask and Spark with two worker processes each, and their own group-by."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.measuring import NOT_INSTALLED, SLOW_ROUNDS, load, race_slow
from benchmarks.memory import STATUS
from benchmarks.report import Report, Table, count, decimal, times
from clusterwise import Binning, Contingency, DensityProfile

WORKERS = 2
# Java compiles what it runs often, so the first rounds are not representative.
WARM = 4
ROWS = 500_000
FEATURES = [f"x{r}" for r in range(5)]

Contestants = dict[str, Callable[[], Any]]


def run(report: Report) -> None:
    table = report.table(
        f"Dask and Spark with {WORKERS} worker processes on this machine, Parquet parts of "
        f"{ROWS:,} objects",
        {"engine": str, "what": str, "parts": count, "ours s": decimal, "own group-by s": decimal,
         "to own": times, "peak MB of a worker": count},
        [
            f"Best of {SLOW_ROUNDS} after {WARM}, alternating. Own group-by: of the same two "
            "columns of labels for the contingency; for the profile, the count, sum, minimum and "
            f"maximum of each of {len(FEATURES)} columns by label. Peak: the largest resident "
            "memory of a worker process after ours, before its own group-by, in a cluster started "
            "for this number of parts; for Spark with a heap of at most 512 MB.",
        ],
    )  # fmt: skip
    if not STATUS.exists():
        table.notes.append(f"Memory is read from {STATUS}, which this system lacks.")
        return
    sizes = (2, 4) if report.quick else (8, 64)
    with TemporaryDirectory() as folder:
        report.step(f"writing {sizes[-1]} parts")
        _write(Path(folder), sizes[-1])
        for engine, (module, name, start) in _ENGINES.items():
            if load(module, name) is None:
                table.add(engine, NOT_INSTALLED, "", "", "", "", "")
                continue
            peaks = []
            for parts in sizes:
                report.step(f"{engine}, {parts} parts")
                with start(folder) as cluster:
                    to_own, peak = _measure(report, table, engine, cluster, parts)
                peaks.append(peak)
            if not report.quick:
                what = f"{engine}: contingency against its own group-by, {parts} parts"
                report.require_at_most(what, 1.2, to_own)
                what = f"{engine}: memory of a worker, {sizes[1]} parts against {sizes[0]}"
                report.require_at_most(what, 1.2, peaks[1] / peaks[0])


def _measure(
    report: Report, table: Table, engine: str, cluster: Any, parts: int
) -> tuple[float, int]:
    """Add the rows of an engine; return the ratio to its group-by, and the peak memory."""
    summaries: dict[str, Contestants] = cluster.contestants(parts)
    peaks, shares = {}, {}
    for what, contestants in summaries.items():
        contestants["ours"]()
        peaks[what] = cluster.peak()
    for what, contestants in summaries.items():
        best = race_slow(contestants, WARM)
        shares[what] = best["ours"] / best["own"]
        peak = round(peaks[what] / 1e6)
        table.add(engine, what, parts, best["ours"], best["own"], shares[what], peak)
        report.rates[f"{engine}, {what}"] = best["ours"] / (parts * ROWS)
    return shares["contingency"], max(peaks.values())


def _write(folder: Path, parts: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    random = np.random.default_rng(23)
    for part in range(parts):
        columns = {name: random.integers(0, 10, ROWS) for name in "ab"}
        columns |= {name: random.normal(columns["a"], 1.0) for name in FEATURES}
        parquet.write_table(pa.table(columns), folder / f"part{part:03}.parquet")


def _peak_of(process: int | str = "self") -> int:
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM"):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"process {process} does not tell its memory.")


class _Dask:
    def __init__(self, folder: str, client: Any) -> None:
        self.folder, self.client = folder, client

    def contestants(self, parts: int) -> dict[str, Contestants]:
        import dask.dataframe as dd

        frame = dd.read_parquet([f"{self.folder}/part{i:03}.parquet" for i in range(parts)])
        binning = Binning("width", 10).fit_frames(frame, features=FEATURES)
        whole = frame.groupby("a")[FEATURES]
        return {
            "contingency": {
                "ours": lambda: Contingency.from_frame(frame, "a", "b"),
                "own": lambda: frame.groupby(["a", "b"]).size().compute(),
            },
            "profile": {
                "ours": lambda: DensityProfile.from_frame(frame, "a", binning=binning),
                "own": lambda: whole.agg(["count", "sum", "min", "max"]).compute(),
            },
        }

    def peak(self) -> int:
        return max(self.client.run(_peak_of).values())


@contextmanager
def _dask(folder: str) -> Iterator[_Dask]:
    from distributed import Client, LocalCluster

    options = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield _Dask(folder, client)


class _Spark:
    def __init__(self, folder: str, session: Any) -> None:
        self.folder, self.session = folder, session

    def contestants(self, parts: int) -> dict[str, Contestants]:
        from pyspark.sql import functions

        paths = [f"{self.folder}/part{i:03}.parquet" for i in range(parts)]
        frame = self.session.read.parquet(*paths)
        binning = Binning("width", 10).fit_frames(frame, features=FEATURES)
        kinds = (functions.count, functions.sum, functions.min, functions.max)
        sums = [kind(name) for name in FEATURES for kind in kinds]
        return {
            "contingency": {
                "ours": lambda: Contingency.from_frame(frame, "a", "b"),
                "own": lambda: frame.groupBy("a", "b").count().collect(),
            },
            "profile": {
                "ours": lambda: DensityProfile.from_frame(frame, "a", binning=binning),
                "own": lambda: frame.groupBy("a").agg(*sums).collect(),
            },
        }

    def peak(self) -> int:
        """Of the executors: processes that descend from this one and run Spark's backend."""
        peaks = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                try:
                    command = (process / "cmdline").read_bytes()
                    if b"CoarseGrainedExecutorBackend" in command:
                        peaks.append(_peak_of(process.name))
                except OSError:  # it has ended
                    continue
        return max(peaks)


@contextmanager
def _spark(folder: str) -> Iterator[_Spark]:
    import pyspark
    from pyspark.sql import SparkSession

    home = Path(folder, "spark")  # beside which its workers write
    if not home.exists():
        home.mkdir()
        for name in ("bin", "jars", "sbin"):
            (home / name).symlink_to(Path(pyspark.__file__).parent / name)
    os.environ.update(
        SPARK_HOME=str(home), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable
    )
    warnings.simplefilter("ignore", FutureWarning)  # of pandas 3
    session = (
        SparkSession.builder.master(f"local-cluster[{WORKERS},1,512]")
        .config("spark.executor.memory", "512m")
        .config("spark.driver.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", str(WORKERS))
        .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    try:
        yield _Spark(folder, session)
    finally:
        session.stop()


_ENGINES: dict[str, Any] = {
    "Dask": ("distributed", "LocalCluster", _dask),
    "Spark": ("pyspark.sql", "SparkSession", _spark),
}
