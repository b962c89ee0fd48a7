"""cluster_again as it is called by default, and ten restarts of k-means: time and memory."""

import subprocess
import sys
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

import clusterwise
from benchmarks.alternatives import hundredth, seconds
from benchmarks.memory import ROOT, STATUS, peak_above, resident
from benchmarks.report import Report, count, decimal, times
from clusterwise.datasets import make_alternatives

CLUSTERS, FEATURES = 5, 20
KINDS = ("planted", "normal", "mixed")
# The largest ratios to k-means, for planted data of so many objects.
TARGETS = {10_000: 30, 100_000: 10, 1_000_000: 10}
MOST_MEMORY = 3.0
WARM_UP = 3_000


def run(report: Report) -> None:
    _time(report)
    _memory(report)


def make_data(kind: str, n: int) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return features, numeric features, the given clustering and the one to be found.

    Normal data have no clusters; mixed ones have three categorical features as well, each of which
    is the hidden cluster of four objects in five, and random for the others.
    """
    half = FEATURES // 2
    data = make_alternatives(n, (CLUSTERS, CLUSTERS), features=half, random_state=0)
    numeric, (given, hidden) = data.X, data.labels.T
    random = np.random.default_rng(0)
    if kind == "normal":
        numeric = random.normal(size=(n, FEATURES))
    if kind != "mixed":
        return numeric, numeric, given, hidden
    frame = pd.DataFrame(numeric, columns=list(data.feature_names))
    for name in ("first", "second", "third"):
        codes = np.where(random.random(n) < 0.8, hidden, random.integers(0, CLUSTERS, n))
        frame[name] = np.array(list("abcde"))[codes]
    return frame, numeric, given, hidden


def again(X: Any, given: NDArray[Any]) -> Any:
    return clusterwise.cluster_again(X, given, random_state=0, progress=False)


def _time(report: Report) -> None:
    table = report.table(
        f"cluster_again and ten restarts of k-means, {FEATURES} features, {CLUSTERS} clusters",
        {"data": str, "n": count, "k-means, one thread s": seconds, "two threads s": seconds,
         "cluster_again s": seconds, "to k-means": hundredth, "found": count, "ARI": str},
        ["KMeans(5, n_init=10) of scikit-learn on the numeric features, and cluster_again as it is "
         "called by default, evidence and stability included, with two threads; best of three "
         "runs, or of one of 10^6 objects, alternating. The ratio is to the faster of one and two "
         "threads: with two, scikit-learn's may wait for each other many times as long as they "
         "work. ARI: of the first alternative with the planted clustering."],
    )  # fmt: skip
    sizes = tuple(TARGETS)[:2] if report.quick else tuple(TARGETS)
    for kind in KINDS:
        X, numeric, given, _ = make_data(kind, WARM_UP)
        again(X, given)
        KMeans(CLUSTERS, n_init=10).fit(numeric)
        for n in sizes:
            report.step(f"cluster_again, {kind} data, {n:,} objects")
            X, numeric, given, hidden = make_data(kind, n)
            took: dict[str, list[float]] = {"one": [], "two": [], "ours": []}
            for _ in range(1 if n == max(TARGETS) else 3):
                for name, limit in (("one", 1), ("two", 2)):
                    with threadpool_limits(limit):
                        start = perf_counter()
                        KMeans(CLUSTERS, n_init=10, random_state=0).fit(numeric)
                        took[name].append(perf_counter() - start)
                with clusterwise.threads(2):
                    start = perf_counter()
                    found = again(X, given)
                    took["ours"].append(perf_counter() - start)
            one, two, ours = (min(each) for each in took.values())
            share = ours / min(one, two)
            agreement = (
                hundredth(clusterwise.adjusted_rand_score(hidden, found[0].labels))
                if len(found) and kind != "normal"
                else ""
            )
            table.add(kind, n, one, two, ours, share, len(found), agreement)
            if kind == "planted":
                what = f"cluster_again to ten restarts of k-means, {n:,} objects"
                report.require_at_most(what, TARGETS[n], share)


def _memory(report: Report) -> None:
    table = report.table(
        f"Peak memory of cluster_again, {FEATURES} features",
        {"data": str, "n": count, "data MB": decimal, "additional MB": decimal,
         "to the data": times},
        ["Largest resident memory during the call minus that before it, which includes the data, "
         "in a separate process."],
    )  # fmt: skip
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    sizes = (100_000,) if report.quick else (100_000, 300_000, 1_000_000)
    for kind in KINDS:
        for n in sizes:
            report.step(f"memory of cluster_again, {kind} data, {n:,} objects")
            command = [sys.executable, "-m", "benchmarks.again", kind, str(n)]
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
            size, used = map(int, done.stdout.split())
            table.add(kind, n, size / 1e6, used / 1e6, used / size)
            if n == max(TARGETS):
                what = f"memory of cluster_again to the data, {kind}, {n:,} objects"
                report.require_at_most(what, MOST_MEMORY, used / size)


def measure(kind: str, n: int) -> tuple[int, int]:
    """Return the bytes of the data and the peak memory of one call, with all code loaded before."""
    few, _, few_given, _ = make_data(kind, WARM_UP)
    again(few, few_given)
    X, _, given, _ = make_data(kind, n)
    frame = isinstance(X, pd.DataFrame)
    size = int(X.memory_usage(index=False, deep=True).sum()) if frame else int(X.nbytes)
    # Peaks of making the data do not count.
    (STATUS.parent / "clear_refs").write_text("5", encoding="utf-8")
    before = resident("VmRSS")
    again(X, given)
    return size, peak_above(before)


if __name__ == "__main__":
    sys.stdout.write("{} {}\n".format(*measure(sys.argv[1], int(sys.argv[2]))))
