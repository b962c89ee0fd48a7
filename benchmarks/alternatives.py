"""COALA and SciPy's average linkage, and COALA with prototypes for larger data."""

import os
import subprocess
import sys
from collections.abc import Callable
from math import log
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage

import clusterwise
from benchmarks.memory import ROOT, STATUS, peak_above, resident
from benchmarks.report import Report, count, decimal, times
from clusterwise.datasets import load_dataset, make_alternatives

FEATURES, GIVEN, OMEGA = 8, 5, 0.6
ROUNDS = 3
FEW, SEEDS = 3000, range(10)
# Seconds that the paper prints for COALA on the Mushroom data.
PUBLISHED = 89_975


def seconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def hundredth(value: float) -> str:
    return f"{value:.2f}"


def run(report: Report) -> None:
    sizes = (500, 1000, 2000) if report.quick else (2000, 5000, 10_000)
    _against_linkage(report, sizes)
    _memory(report, sizes[-1])
    _categorical(report)
    _prototypes(report, 20_000 if report.quick else 1_000_000)


def make_data(n: int, features: int = FEATURES) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return five overlapping Gaussian clusters, which are given."""
    random = np.random.default_rng(7)
    given = random.integers(0, GIVEN, n)
    return random.normal(size=(GIVEN, features))[given] * 2 + random.normal(
        size=(n, features)
    ), given


def _best(function: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        function()
        best = min(best, perf_counter() - start)
    return best


def _against_linkage(report: Report, sizes: tuple[int, ...]) -> None:
    table = report.table(
        f"COALA and SciPy's average linkage, {FEATURES} features, {GIVEN} given clusters",
        {
            "n": count, "SciPy s": seconds, "COALA s": seconds, "to SciPy": times,
            "float32 s": seconds, "float32 to SciPy": times,
        },
        [
            f"Best of {ROUNDS}, one thread, distances included; omega = {OMEGA}. SciPy computes a "
            f"plain dendrogram, COALA one that avoids the given clusters.",
        ],
    )  # fmt: skip
    found: dict[int, float] = {}
    for n in sizes:
        report.step(f"COALA, {n:,} objects")
        X, given = make_data(n)
        with clusterwise.threads(1):
            clusterwise.COALA(omega=OMEGA).fit(X[:100], given[:100])
            clusterwise.COALA(omega=OMEGA, dtype="float32").fit(X[:100], given[:100])
            scipy = _best(lambda X=X: linkage(X, "average"))
            double, single = (
                _best(lambda X=X, y=given, d=d: clusterwise.COALA(omega=OMEGA, dtype=d).fit(X, y))
                for d in ("float64", "float32")
            )
        found[n] = double
        table.add(n, scipy, double, double / scipy, single, single / scipy)
        report.require_at_most(f"COALA to SciPy's linkage, n = {n:,}", 1.5, double / scipy)
    exponent = log(found[sizes[-1]] / found[sizes[0]]) / log(sizes[-1] / sizes[0])
    table.notes.append(
        f"COALA's time grows with n^{exponent:.2f} from {sizes[0]:,} to {sizes[-1]:,} objects."
    )


def _memory(report: Report, n: int) -> None:
    table = report.table(
        "Peak memory of COALA",
        {"n": count, "table": str, "MB": decimal, "to one table of distances": times},
        ["Largest resident memory during the fit minus that before it, in a separate process."],
    )
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    for kind, width in (("float64", 8), ("float32", 4)):
        report.step(f"memory of COALA, {n:,} objects, {kind}")
        used = _in_new_process(str(n), kind)
        share = used / (width * n * n)
        table.add(n, kind, used / 1e6, share)
        report.require_at_most(f"memory of COALA to one {kind} table", 1.3, share)


def _categorical(report: Report) -> None:
    folder = os.environ.get("CLUSTERWISE_DATA")
    if folder is None or not (Path(folder) / "mushroom.csv.gz").exists():
        return
    table = report.table(
        "COALACat on the Mushroom data",
        {"objects": count, "features": count, "s": seconds, "published s": count,
         "COALA on as many objects s": seconds, "to COALA": times},
        ["One run each, one thread. The published time is COALA's, on a machine of 2009."],
    )  # fmt: skip
    report.step("COALACat, mushroom")
    data = load_dataset("mushroom", folder)
    X, labels = (data.X[:1000], data.labels[:1000]) if report.quick else (data.X, data.labels)
    vectors, given = make_data(len(X))
    with clusterwise.threads(1):
        clusterwise.COALACat().fit(X[:50], labels[:50])
        start = perf_counter()
        clusterwise.COALACat(omega=OMEGA).fit(X, labels)
        categorical = perf_counter() - start
        plain = _best(lambda: clusterwise.COALA(omega=OMEGA).fit(vectors, given))
    table.add(len(X), X.shape[1], categorical, PUBLISHED, plain, categorical / plain)
    report.require_at_most("COALACat to COALA, Mushroom", 100, categorical / plain)


def _prototypes(report: Report, n: int) -> None:
    table = report.table(
        "COALA with prototypes, two threads",
        {
            "n": count, "features": count, "prototypes": count, "s": seconds,
            "least other found": hundredth, "mean other found": hundredth,
        },
        [
            f"Data with two planted clusterings, one of them given, {len(SEEDS)} seeds: the "
            f"adjusted Rand index of the result with the other one. The row of all objects has one "
            f"prototype per object. An outlier that is merged early prevents every later "
            f"dissimilar merge of its cluster; prototypes absorb such objects.",
        ],
    )  # fmt: skip
    few = n // 5 if report.quick else FEW
    for size, prototypes in ((few, None), (few, 300), (few, 1000), (n, 300), (n, 1000)):
        report.step(f"{prototypes or 'no'} prototypes, {size:,} objects")
        scores, took = [], 0.0
        for seed in SEEDS if size == few else SEEDS[:1]:
            data = make_alternatives(size, (3, 3), features=5, random_state=seed)
            model = clusterwise.COALA(
                omega=OMEGA, prototypes=prototypes, min_cluster_size=0.02, random_state=seed
            )
            start = perf_counter()
            model.fit(data.X, data.labels[:, 0])
            took = perf_counter() - start
            scores.append(clusterwise.adjusted_rand_score(data.labels[:, 1], model.labels_))
        table.add(
            size, data.X.shape[1], prototypes or size, took, min(scores), sum(scores) / len(scores)
        )


def _in_new_process(*arguments: str) -> int:
    command = [sys.executable, "-m", "benchmarks.alternatives", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)


def measure(n: int, kind: Any) -> int:
    """Return the peak memory of one fit in bytes, with all code loaded before."""
    X, given = make_data(n)
    model = clusterwise.COALA(omega=OMEGA, dtype=kind)
    with clusterwise.threads(1):
        model.fit(X[:100], given[:100])
        before = resident("VmRSS")
        model.fit(X, given)
    return peak_above(before)


if __name__ == "__main__":
    sys.stdout.write(f"{measure(int(sys.argv[1]), sys.argv[2])}\n")
