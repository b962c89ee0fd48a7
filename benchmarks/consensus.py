"""All consensus methods: time against the number of objects, and memory."""

import subprocess
import sys
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterwise
from benchmarks.alternatives import hundredth, seconds
from benchmarks.memory import ROOT, STATUS, peak_above, resident
from benchmarks.report import Report, count, decimal
from clusterwise.inputs.ensembles import read_ensemble

MEMBERS, CLUSTERS, NOISE = 20, 5, 0.2


class Auto:
    """The default of ``combine`` as an estimator."""

    def __init__(self, n_clusters: int) -> None:
        self.n_clusters = n_clusters

    def get_params(self) -> dict[str, Any]:
        return {}

    def fit(self, ensemble: NDArray[Any]) -> "Auto":
        found = clusterwise.combine(ensemble, n_clusters=self.n_clusters, random_state=0)
        self.labels_ = found.labels
        return self


METHODS = {
    "combine, auto": Auto,
    "voting": clusterwise.VotingConsensus,
    "φ, local": clusterwise.PhiConsensus,
    "MCLA": clusterwise.MCLA,
    "median": clusterwise.MedianPartition,
    "evidence": clusterwise.EvidenceAccumulation,
    "HBGF": clusterwise.HBGF,
    "CSPA": clusterwise.CSPA,
    "HGPA": clusterwise.HGPA,
}
# These are run on a million objects, too.
LARGE = ("combine, auto", "voting", "φ, local", "MCLA", "median")
TARGETS = {("MCLA", 20_000): 0.05, ("HBGF", 20_000): 0.5}
SLOWEST, MOST_MEMORY = 30.0, 2048.0
WARM_UP = 500


# Auto against the three methods of which it took the best before; proportions of noise, and parts
# of each cluster, with which it chooses each method.
THREE = ("refined-evidence", "phi", "median")
CASES, LONGEST = ((NOISE, 1), (0.05, 3)), 0.5


def run(report: Report) -> None:
    _automatic(report)
    _growth(report)
    _memory(report)


def make_data(n: int, noise: float = NOISE, parts: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return members with some labels random, and every second with clusters split into parts."""
    random = np.random.default_rng(0)
    true = random.integers(0, CLUSTERS, n)
    ensemble = np.empty((n, MEMBERS), np.int64)
    for j in range(MEMBERS):
        wrong = random.random(n) < noise
        labels = np.where(wrong, random.integers(0, CLUSTERS, n), true)
        ensemble[:, j] = random.permutation(CLUSTERS)[labels]
    ensemble[:, ::2] = ensemble[:, ::2] * parts + random.integers(0, parts, n)[:, None]
    return ensemble, true


def make_model(name: str) -> Any:
    model = METHODS[name](CLUSTERS)
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def _growth(report: Report) -> None:
    table = report.table(
        f"Consensus against n, {MEMBERS} clusterings, K = {CLUSTERS}, two threads",
        {"method": str, "n": count, "different": count, "s": seconds, "µs per object": hundredth,
         "ARI": hundredth},
        [f"int64 labels, {NOISE:.0%} of them random. The best of three runs, or of one if it "
         "takes more than a second. ARI is with the planted clusters. Uniform noise is easy, so "
         "this is a check, not a competition.",
         "φ searches a sample of 20,000 distinct rows, evidence one of 5,000, CSPA and HGPA one of "
         "2,000, to which the others are assigned, so their time is sublinear."],
    )  # fmt: skip
    sizes = (2_000, 20_000) if report.quick else (20_000, 100_000, 1_000_000)
    data = {n: make_data(n) for n in sizes}
    different = {n: read_ensemble(data[n][0]).collapse().weights.size for n in sizes}
    for name in METHODS:
        make_model(name).fit(make_data(WARM_UP)[0])
        own = [n for n in sizes if n <= 100_000 or name in LARGE]
        took = []
        for n in own:
            report.step(f"{name}, {n:,} objects")
            ensemble, true = data[n]
            best, labels = _best(name, ensemble)
            took.append(best)
            agreement = clusterwise.adjusted_rand_score(true, labels)
            table.add(name, n, different[n], best, 1e6 * best / n, agreement)
            limit = SLOWEST if n == 100_000 else TARGETS.get((name, n))
            if limit:
                report.require_at_most(f"s, {name}, {n:,} objects", limit, best, seconds)
        exponent = np.polyfit(np.log(own), np.log(took), 1)[0]
        table.notes.append(f"{name}: time grows with n^{exponent:.2f}.")


def _automatic(report: Report) -> None:
    n = 100_000 if report.quick else 1_000_000
    table = report.table(
        f"combine, auto: {n:,} objects, {MEMBERS} clusterings, K = {CLUSTERS}, two threads",
        {"noise": hundredth, "parts": count, "chosen": str, "auto s": seconds,
         "three methods s": seconds, "ratio": hundredth, "ARI": hundredth},
        [f"The three methods are {', '.join(THREE)}, which auto ran all before, and took the one "
         "with the largest mean NMI. The best of three runs each."],
    )  # fmt: skip
    for case in CASES:
        clusterwise.combine(make_data(WARM_UP, *case)[0], n_clusters=CLUSTERS)
    for name in THREE:
        clusterwise.combine(make_data(WARM_UP)[0], name, CLUSTERS)
    for noise, parts in CASES:
        report.step(f"auto, {noise:.0%} noise")
        ensemble, true = make_data(n, noise, parts)
        ours, all_three = [], []
        with clusterwise.threads(2):
            for _ in range(3):
                start = perf_counter()
                found = clusterwise.combine(ensemble, n_clusters=CLUSTERS, random_state=0)
                ours.append(perf_counter() - start)
                start = perf_counter()
                for name in THREE:
                    clusterwise.combine(ensemble, name, CLUSTERS, random_state=0)
                all_three.append(perf_counter() - start)
        ratio = min(ours) / min(all_three)
        agreement = clusterwise.adjusted_rand_score(true, found.labels)
        table.add(noise, parts, found.method, min(ours), min(all_three), ratio, agreement)
        if noise == NOISE:
            what = f"time of auto against three methods, {noise:.0%} noise"
            report.require_at_most(what, LONGEST, ratio, hundredth)


def _best(name: str, ensemble: NDArray[Any]) -> tuple[float, NDArray[Any]]:
    """Return the seconds and the labels."""
    best = float("inf")
    with clusterwise.threads(2):
        for _ in range(3):
            model = make_model(name)
            start = perf_counter()
            model.fit(ensemble)
            best = min(best, perf_counter() - start)
            if best > 1:
                break
    return best, model.labels_


def _memory(report: Report) -> None:
    n = 20_000 if report.quick else 100_000
    table = report.table(
        f"Peak memory of consensus, {n:,} objects, {MEMBERS} clusterings",
        {"method": str, "MiB": decimal, "bytes per label": decimal},
        ["Largest resident memory during the fit minus that before it, in a separate process."],
    )
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    for name in METHODS:
        report.step(f"memory of {name}, {n:,} objects")
        command = [sys.executable, "-m", "benchmarks.consensus", name, str(n)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        used = int(done.stdout)
        table.add(name, used / 2**20, used / (n * MEMBERS))
        if n == 100_000:
            what = f"MiB, {name}, {n:,} objects"
            report.require_at_most(what, MOST_MEMORY, used / 2**20, decimal)


def measure(name: str, n: int) -> int:
    """Return the peak memory of one fit in bytes, with all code loaded before."""
    ensemble, few = make_data(n)[0], make_data(WARM_UP)[0]
    make_model(name).fit(few)
    before = resident("VmRSS")
    make_model(name).fit(ensemble)
    return peak_above(before)


if __name__ == "__main__":
    sys.stdout.write(f"{measure(sys.argv[1], int(sys.argv[2]))}\n")
