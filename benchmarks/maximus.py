"""MAXIMUS: time against the number of objects, its programs, and the Mushroom data."""

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import clusterwise
from benchmarks.alternatives import hundredth, seconds
from benchmarks.memory import ROOT, STATUS, peak_above, resident
from benchmarks.report import Report, count, decimal, times
from clusterwise.datasets import Planted, load_dataset, make_alternatives

FEATURES, CLUSTERS = 10, 3
PROGRAMS = ("objects", "published")
# Seconds that the paper prints for MAXIMUS on the Mushroom data.
PUBLISHED = 269.94
# Starts are compared on a sample of 20,000 objects, so the time grows linearly only for many more.
LINEAR_FROM = 300_000


def run(report: Report) -> None:
    sizes = (1_000, 10_000) if report.quick else (10_000, 100_000, 1_000_000)
    _growth(report, sizes if report.quick else (*sizes[:2], LINEAR_FROM, sizes[2], 3_000_000))
    _memory(report, sizes)
    _programs(report, 1_000 if report.quick else 10_000)
    _mushroom(report)


def make_data(n: int) -> Planted:
    """Return data with two planted clusterings, in five features each."""
    return make_alternatives(
        n, (CLUSTERS, CLUSTERS), features=FEATURES // 2, separation=5, random_state=0
    )


def _growth(report: Report, sizes: tuple[int, ...]) -> None:
    table = report.table(
        f"MAXIMUS on objects, {FEATURES} features, {CLUSTERS} clusters, two threads",
        {"n": count, "s": seconds, "µs per object": hundredth, "other found": hundredth,
         "similarity to its least": times},
        ["One run each from 6 starts. Two planted clusterings, one of them given: the adjusted "
         "Rand index of the alternative with the other one."],
    )  # fmt: skip
    clusterwise.MAXIMUS(random_state=0).fit(make_data(200).X, make_data(200).labels[:, 0])
    took = []
    for n in sizes:
        report.step(f"MAXIMUS, {n:,} objects")
        data = make_data(n)
        model = clusterwise.MAXIMUS(random_state=0)
        start = perf_counter()
        model.fit(data.X, data.labels[:, 0])
        took.append(perf_counter() - start)
        found = clusterwise.adjusted_rand_score(data.labels[:, 1], model.labels_)
        table.add(n, took[-1], 1e6 * took[-1] / n, found, model.similarity_ / model.lower_bound_)
    large = [i for i, n in enumerate(sizes) if n >= min(LINEAR_FROM, sizes[-2])]
    few, many = np.asarray(sizes)[large], np.asarray(took)[large]
    exponent = np.polyfit(np.log(few), np.log(many), 1)[0]
    each = 1e6 * (many[-1] - many[0]) / (few[-1] - few[0])
    table.notes.append(
        f"The time grows with n^{exponent:.2f} from {few[0]:,} to {few[-1]:,} objects, by "
        f"{each:.2f} µs per object; below, the starts on a sample of 20,000 take most of the time."
    )


def _memory(report: Report, sizes: tuple[int, ...]) -> None:
    table = report.table(
        "Peak memory of MAXIMUS",
        {"n": count, "MB": decimal, "bytes per object": decimal, "to the data": times},
        ["Largest resident memory during the fit minus that before it, in a separate process."],
    )
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    for n in sizes[1:]:
        report.step(f"memory of MAXIMUS, {n:,} objects")
        command = [sys.executable, "-m", "benchmarks.maximus", str(n)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        used = int(done.stdout)
        table.add(n, used / 1e6, used / n, used / (8 * n * FEATURES))


def _programs(report: Report, n: int) -> None:
    from clusterwise.alternatives.maximus.published_program import solve_published
    from clusterwise.alternatives.maximus.region_profiles import find_regions

    clusters, features, bins = 10, 20, 10
    table = report.table(
        f"The integer program, {clusters} clusters, {features} features, {bins} bins",
        {"n": count, "regions": count, "s": seconds, "value to its least": str, "status": str},
        [f"Built and solved once with {clusters}² constraints; one per matching would be "
         "3.6 million."],
    )  # fmt: skip
    report.step("the integer program")
    random = np.random.default_rng(0)
    X, given = random.normal(size=(n, features)), random.integers(0, clusters, n)
    X += random.normal(size=(clusters, features))[given]
    regions = find_regions(clusterwise.Binning(n_bins=bins).fit(X).bins(X))
    known = [regions.profile(given, clusters)]
    start = perf_counter()
    found = solve_published(known, regions.sizes, clusters, gap=1e-3, time_limit=60.0)
    took = perf_counter() - start
    excess = f"1 + {found.value / found.lower_bound - 1:.1e}"
    table.add(n, regions.sizes.size, took, excess, found.status)
    report.require_at_most("s, integer program of 10 clusters", 10, took, seconds)


def _mushroom(report: Report) -> None:
    folder = os.environ.get("CLUSTERWISE_DATA")
    if folder is None or not (Path(folder) / "mushroom.csv.gz").exists():
        return
    table = report.table(
        "MAXIMUS on the Mushroom data",
        {"program": str, "objects": count, "s": seconds, "published s": decimal,
         "dissimilarity": hundredth, "smallest cluster": count},
        ["One run each, from reading the features to labels. The published time is of a machine "
         "of 2009."],
    )  # fmt: skip
    data = load_dataset("mushroom", folder)
    X, labels = (data.X[:1000], data.labels[:1000]) if report.quick else (data.X, data.labels)
    for program in PROGRAMS:
        report.step(f"MAXIMUS, {program}, mushroom")
        model = clusterwise.MAXIMUS(program=program, random_state=0)
        start = perf_counter()
        model.fit(X, labels)
        took = perf_counter() - start
        different = 1 - clusterwise.pair_jaccard_score(labels, model.labels_)
        smallest = model.sizes_[0].sizes[-1]
        table.add(program, len(X), took, PUBLISHED, different, smallest)
        report.require_at_most(f"s, Mushroom by {program}", 30, took, seconds)


def measure(n: int) -> int:
    """Return the peak memory of one fit in bytes, with all code loaded before."""
    data, few = make_data(n), make_data(200)
    model: Any = clusterwise.MAXIMUS(random_state=0)
    model.fit(few.X, few.labels[:, 0])
    before = resident("VmRSS")
    model.fit(data.X, data.labels[:, 0])
    return peak_above(before)


if __name__ == "__main__":
    sys.stdout.write(f"{measure(int(sys.argv[1]))}\n")
