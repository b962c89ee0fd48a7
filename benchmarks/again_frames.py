"""Alternatives of Parquet files through DuckDB, relative to two scans of the same columns."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import NOT_INSTALLED, load
from benchmarks.memory import ROOT, STATUS, resident
from benchmarks.report import Report, count, decimal, power, times

MEMORY = "2GB"
FEATURES, FILES = 10, 4
# The target is stated for this number of objects.
OBJECTS = 100_000_000
LARGEST_RATIO = 3.0


def run(report: Report) -> None:
    table = report.table(
        f"Alternatives of Parquet files through DuckDB, at most {MEMORY} for DuckDB, 2 threads",
        {"objects": power, "file MB": decimal, "seconds": decimal, "two scans s": decimal,
         "to scans": times, "labels s": decimal, "ARI": decimal, "peak MB": count,
         "before MB": count},
        [
            f"{FEATURES} columns of doubles and a given clustering of 3 clusters; the hidden one "
            "has 2. cluster_again with the sizes of all clusters, in a separate process; "
            "scans: two queries for the minimum, maximum and mean of every column. Labels: a "
            "GROUP BY of the labels that predict adds. ARI: of these with the hidden clustering. "
            "Before: the memory of Python, clusterwise and DuckDB before reading.",
        ],
    )  # fmt: skip
    if load("duckdb", "connect") is None or not STATUS.exists():
        table.notes.append(f"DuckDB is {NOT_INSTALLED}, or this system has no {STATUS}.")
        return
    n = OBJECTS // 100 if report.quick else OBJECTS
    with TemporaryDirectory() as folder:
        report.step(f"writing {n:,} objects")
        size = _write(Path(folder), n)
        report.step(f"searching {n:,} objects")
        command = [sys.executable, "-m", "benchmarks.again_frames", folder]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)
    share = found["ours"] / found["scans"]
    table.add(
        n, size / 1e6, found["ours"], found["scans"], share, found["labels"], found["ari"],
        round(found["peak"] / 1e6), round(found["before"] / 1e6),
    )  # fmt: skip
    if not report.quick:
        what = f"DuckDB: alternatives of 10^8 x {FEATURES} in {MEMORY}, against two scans"
        report.require_at_most(what, LARGEST_RATIO, share)


def _write(folder: Path, n: int) -> int:
    """Write files with a given and a hidden clustering; return their size in bytes."""
    import duckdb

    noise = "2 * (random() + random() + random())"
    halves = [("segment", range(FEATURES // 2)), ("hidden", range(FEATURES // 2, FEATURES))]
    features = [f"{label} * 3 + {noise} AS x{r}" for label, own in halves for r in own]
    labels = "(random() * 3)::INTEGER % 3 AS segment, (random() * 2)::INTEGER % 2 AS hidden"
    for part in range(FILES):
        source = f"(SELECT {labels} FROM range({n // FILES}))"
        with duckdb.connect() as connection:
            connection.execute(f"SELECT setseed({part / FILES})")
            connection.execute(
                f"COPY (SELECT segment, hidden, {', '.join(features)} FROM {source}) "
                f"TO '{folder}/part{part}.parquet'"
            )
    return sum(path.stat().st_size for path in folder.iterdir())


def measure(folder: str) -> dict[str, float]:
    """Return seconds of ours and of two scans, and the peak memory of ours."""
    import duckdb
    import numpy as np

    from clusterwise import Contingency, adjusted_rand_score, cluster_again

    names = [f"x{r}" for r in range(FEATURES)]
    # What is compiled or imported on first use is not part of the search.
    random = np.random.default_rng(0)
    cluster_again(random.normal(size=(200, 4)), random.integers(0, 2, 200), random_state=0)
    with TemporaryDirectory() as spill:
        options = {"memory_limit": MEMORY, "threads": 2, "temp_directory": spill}
        connection = duckdb.connect(config=options)
        relation = connection.read_parquet(f"{folder}/*.parquet")
        aggregates = ", ".join(f"min({x}), max({x}), avg({x})" for x in (*names, "segment"))
        query = f"SELECT {aggregates} FROM read_parquet('{folder}/*.parquet')"
        connection.execute(query).fetchall()  # into the cache of the system, if it fits
        before = resident("VmRSS")
        seconds = {}
        start = perf_counter()
        found = cluster_again(relation, "segment", features=names, random_state=0)
        seconds["ours"] = perf_counter() - start
        start = perf_counter()
        for _ in range(2):
            connection.execute(query).fetchall()
        seconds["scans"] = perf_counter() - start
        labelled = found[0].predict(relation)
        start = perf_counter()
        table = Contingency.from_frame(labelled, "hidden", "alternative")
        seconds["labels"] = perf_counter() - start
        ari = float(adjusted_rand_score(table))
    return {**seconds, "ari": ari, "before": before, "peak": resident("VmHWM")}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1])))
