"""Parquet files larger than DuckDB's memory limit, and its own GROUP BY."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measuring import NOT_INSTALLED, SLOW_ROUNDS, load, race_slow
from benchmarks.memory import ROOT, STATUS, resident
from benchmarks.report import Report, count, decimal, power, times

MEMORY = "1GB"
FEATURES, BINS, CLUSTERS = 20, 10, 10
# Targets are stated for these numbers of objects.
TABLE_AT, PROFILE_AT = 100_000_000, 10_000_000


def run(report: Report) -> None:
    table = report.table(
        f"Parquet files through DuckDB, at most {MEMORY} for DuckDB, 2 threads",
        {"what": str, "objects": power, "file MB": decimal, "seconds": decimal,
         "bare GROUP BY s": decimal, "to bare": times, "peak MB": count, "before MB": count},
        [
            f"Best of {SLOW_ROUNDS}, alternating, in a separate process; the files are written "
            f"just before. Peak: the largest resident memory of that process; before: the memory "
            f"of Python, clusterwise and DuckDB before reading.",
            f"Contingency: two columns of {CLUSTERS} labels; bare: SELECT a, b, count(*) GROUP BY "
            f"a, b. Profile: {FEATURES} columns of doubles, {BINS} bins each, fitted before; "
            "bare: the count, minimum and maximum of every column by label.",
        ],
    )  # fmt: skip
    if load("duckdb", "connect") is None or not STATUS.exists():
        table.notes.append(f"DuckDB is {NOT_INSTALLED}, or this system has no {STATUS}.")
        return
    shrink = 100 if report.quick else 1
    for what, n in (("contingency", TABLE_AT // shrink), ("profile", PROFILE_AT // shrink)):
        with TemporaryDirectory() as folder:
            report.step(f"{what}: writing {n:,} objects")
            size = _write(Path(folder), what, n)
            report.step(f"{what}: reading {n:,} objects")
            found = _in_new_process(what, folder)
        share = found["ours"] / found["bare"]
        table.add(
            what, n, size / 1e6, found["ours"], found["bare"], share,
            round(found["peak"] / 1e6), round(found["before"] / 1e6),
        )  # fmt: skip
        report.rates[f"DuckDB, {what}"] = found["ours"] / n
        if report.quick:
            continue
        if what == "contingency":
            target = f"DuckDB: contingency of 10^8 objects in {MEMORY}, against a bare GROUP BY"
            report.require_at_most(target, 1.5, share)
        else:
            target = "DuckDB: peak memory of a profile of 10^7 x 20, MB"
            report.require_at_most(target, 1000, found["peak"] / 1e6, decimal)


def _write(folder: Path, what: str, n: int) -> int:
    """Write files of random labels, or of labels and features; return their size in bytes."""
    import duckdb

    label = f"(random() * {CLUSTERS})::INTEGER"
    columns = f"{label} AS a, {label} AS b"
    if what == "profile":
        features = (f"a + random() * {r + 1} AS x{r}" for r in range(FEATURES))
        columns = f"a, {', '.join(features)}"
    source = f"(SELECT {label} AS a FROM range({n}))" if what == "profile" else f"range({n})"
    parts = 4
    for part in range(parts):
        share = source.replace(f"range({n})", f"range({n // parts})")
        path = folder / f"part{part}.parquet"
        with duckdb.connect() as connection:
            connection.execute(f"SELECT setseed({part / parts})")
            connection.execute(f"COPY (SELECT {columns} FROM {share}) TO '{path}'")
    return sum(path.stat().st_size for path in folder.iterdir())


def _in_new_process(what: str, folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.duckdb_files", what, folder]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def measure(what: str, folder: str) -> dict[str, float]:
    """Return the seconds of ours and of the bare query, and the peak memory of both."""
    import duckdb

    from clusterwise import Binning, Contingency, DensityProfile

    with TemporaryDirectory() as spill:
        options = {"memory_limit": MEMORY, "threads": 2, "temp_directory": spill}
        connection = duckdb.connect(config=options)
        relation = connection.read_parquet(f"{folder}/*.parquet")
        before = resident("VmRSS")
        if what == "contingency":
            sums = "count(*)"
            keys = "a, b"

            def ours() -> Any:
                return Contingency.from_frame(relation, "a", "b")
        else:
            names = [f"x{r}" for r in range(FEATURES)]
            keys = "a"
            sums = ", ".join(f"count({x}), min({x}), max({x})" for x in names)
            binning = Binning("width", BINS).fit_frames(relation, features=names)

            def ours() -> Any:
                return DensityProfile.from_frame(relation, "a", binning=binning)

        query = f"SELECT {keys}, {sums} FROM read_parquet('{folder}/*.parquet') GROUP BY {keys}"
        seconds = race_slow({"ours": ours, "bare": lambda: connection.execute(query).fetchall()})
    return {**seconds, "before": before, "peak": resident("VmHWM")}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(*sys.argv[1:])))
