"""The stability of k-means: time, memory, and R's fpc::clusterboot on the same data."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

import clusterwise
from benchmarks.alternatives import seconds
from benchmarks.memory import ROOT, STATUS, peak_above, resident
from benchmarks.report import Report, count, decimal, times
from clusterwise.stability.clusterers import read_clusterer
from clusterwise.stability.recovery import measure_recovery
from clusterwise.stability.repeated_clustering import Plan, Reference, repeat_clustering
from clusterwise.stability.resamples import Resampler

FEATURES, CLUSTERS, RESAMPLES, WARM_UP = 20, 5, 100, 500
LONGEST, MOST_MEMORY, FASTER = 60.0, 2048.0, 20.0
SMALL = 10_000
SCRIPT = """
suppressPackageStartupMessages(library(fpc))
arguments <- commandArgs(trailingOnly = TRUE)
x <- matrix(readBin(arguments[1], "double", 1e9), ncol = as.integer(arguments[2]))
took <- system.time(clusterboot(x, B = as.integer(arguments[4]), bootmethod = "boot",
  clustermethod = kmeansCBI, krange = as.integer(arguments[3]), runs = 1, count = FALSE, seed = 1))
cat(took[["elapsed"]])
"""


def run(report: Report) -> None:
    _times(report)
    _memory(report)


def make_data(n: int) -> NDArray[Any]:
    """Return normal clusters of which some overlap."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(CLUSTERS, FEATURES))
    return centres[random.integers(0, CLUSTERS, n)] + random.normal(size=(n, FEATURES))


def assess(X: NDArray[Any]) -> Any:
    return clusterwise.assess(X, KMeans(CLUSTERS), n_resamples=RESAMPLES, random_state=0)


def compare_copies(X: NDArray[Any]) -> Any:
    """Do what clusterboot does: cluster the data and the resamples, and compare the clusters."""
    random = np.random.RandomState(0)
    clusterer = read_clusterer(KMeans(CLUSTERS), None, -1)
    clusters = clusterer.cluster(X, 0)
    plan = Plan(Resampler("bootstrap", 0.7, 0.1), RESAMPLES, {}, 0)
    reference = Reference(clusters.codes, clusterer)
    (runs,) = repeat_clustering(X, [reference], plan, random, False)
    return measure_recovery(clusters.codes, clusters.size, runs.copies)


def _times(report: Report) -> None:
    n = SMALL if report.quick else 100_000
    table = report.table(
        f"Stability of k-means, {FEATURES} features, K = {CLUSTERS}, {RESAMPLES} resamples",
        {"n": count, "assess s": seconds, "resamples only s": seconds, "fpc::clusterboot s": str,
         "ratio to resamples only": str, "stable": str},
        ["Two threads. assess includes 39 data sets of each of two null models, which clusterboot "
         "does not have; resamples only is the part that it has. K-means from one start each."],
    )  # fmt: skip
    with clusterwise.threads(2):
        assess(make_data(WARM_UP))
        for size in dict.fromkeys((SMALL, n)):
            report.step(f"assess, {size:,} objects")
            X = make_data(size)
            start = perf_counter()
            found = assess(X)
            took = perf_counter() - start
            start = perf_counter()
            compare_copies(X)
            part = perf_counter() - start
            peer, reason = _clusterboot(X)
            faster = None if peer is None else peer / part
            table.add(
                size,
                took,
                part,
                reason if peer is None else seconds(peer),
                "" if faster is None else times(faster),
                "yes" if found.stable else "no",
            )
            if size == n:
                what = f"resamples only against fpc::clusterboot, {size:,} objects"
                report.require_at_least(what, FASTER, faster)
            if size == 100_000:
                what = f"s, assess, {size:,} objects"
                report.require_at_most(what, LONGEST, took, seconds)


def _clusterboot(X: NDArray[Any]) -> tuple[float | None, str]:
    """Return the seconds of R, or why there are none."""
    if shutil.which("Rscript") is None:
        return None, "R is not installed"
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.write_bytes(np.asfortranarray(X).tobytes(order="F"))
        arguments = map(str, (data, FEATURES, CLUSTERS, RESAMPLES))
        command = ["Rscript", "-e", SCRIPT, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return None, "R has no package fpc"
    return float(done.stdout), ""


def _memory(report: Report) -> None:
    n = SMALL if report.quick else 100_000
    table = report.table(
        f"Peak memory of assess, {n:,} objects, {FEATURES} features, {RESAMPLES} resamples",
        {"n": count, "MiB": decimal},
        ["Largest resident memory during the call minus that before it, in a separate process; two "
         "threads. The data take 15 MiB for 100,000 objects."],
    )  # fmt: skip
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    report.step(f"memory of assess, {n:,} objects")
    command = [sys.executable, "-m", "benchmarks.stability", str(n)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    used = int(done.stdout) / 2**20
    table.add(n, used)
    if n == 100_000:
        report.require_at_most(f"MiB, assess, {n:,} objects", MOST_MEMORY, used, decimal)


def measure(n: int) -> int:
    """Return the peak memory of one call in bytes, with all code loaded before."""
    X = make_data(n)
    with clusterwise.threads(2):
        assess(make_data(WARM_UP))
        before = resident("VmRSS")
        assess(X)
    return peak_above(before)


if __name__ == "__main__":
    sys.stdout.write(f"{measure(int(sys.argv[1]))}\n")
