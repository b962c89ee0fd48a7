"""Intervals and p-values beside the comparison itself, and random tables beside SciPy."""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from scipy.stats import random_table

import clusterwise
from benchmarks.measuring import make_labels, race_slow
from benchmarks.report import Report, count, milliseconds, power
from clusterwise.kernels.random_tables import draw_table
from clusterwise.kernels.table_statistics import N_STATISTICS, describe_random_tables

# Target milliseconds of the intervals and p-values of all measures, beyond the comparison.
TARGET = 100.0
# Target seconds of random tables with all statistics.
TABLES, TARGET_TABLES = 10_000, 5.0


def run(report: Report) -> None:
    _comparisons(report)
    _tables(report)


def _comparisons(report: Report) -> None:
    table = report.table(
        "compare with and without significance=True, all measures of labels, one thread",
        {"n": power, "K": count, "compare ms": milliseconds, "with significance ms": milliseconds,
         "beyond ms": milliseconds},
        ["Two clusterings whose labels agree for half of the objects."],
    )  # fmt: skip
    for n in (10_000, 1_000_000):
        for k in (5, 20):
            report.step(f"{n:,} objects, {k} clusters")
            a, b = make_labels(n, k, agreement=0.5)

            def compare(significance: bool, a: object = a, b: object = b) -> Callable[[], object]:
                return lambda: clusterwise.compare(a, b, significance=significance)

            with clusterwise.threads(1):
                best = race_slow({"without": compare(False), "with": compare(True)})
            plain, whole = 1e3 * best["without"], 1e3 * best["with"]
            table.add(n, k, plain, whole, whole - plain)
            if (n, k) == (1_000_000, 20):
                what = "ms of intervals and p-values, n = 1,000,000, K = J = 20"
                report.require_at_most(what, TARGET, whole - plain, milliseconds)


def _tables(report: Report) -> None:
    number = 1_000 if report.quick else TABLES
    table = report.table(
        f"{number:,} random tables with fixed sums, n = 1,000,000, K = J = 20",
        {"what": str, "s": milliseconds},
        ["Ours with the statistics of all measures of labels, or without; SciPy's random_table has "
         "no statistics."],
    )  # fmt: skip
    sizes = np.full(20, 50_000)
    wanted = np.ones(N_STATISTICS, bool)
    room, drawn, left = np.zeros((number, N_STATISTICS)), np.zeros((20, 20), int), np.zeros(20, int)
    rng = np.random.default_rng(0)
    describe_random_tables(sizes, sizes, rng, wanted, room[:10])
    draw_table(sizes, sizes, rng, left, drawn)

    def draw() -> None:
        for _ in range(number):
            draw_table(sizes, sizes, rng, left, drawn)

    for name, function in (
        ("ours, with statistics", lambda: describe_random_tables(sizes, sizes, rng, wanted, room)),
        ("ours", draw),
        ("SciPy", lambda: random_table(sizes, sizes).rvs(number, random_state=rng)),
    ):
        report.step(name)
        start = perf_counter()
        function()
        seconds = perf_counter() - start
        table.add(name, seconds)
        if name == "ours, with statistics" and number == TABLES:
            report.require_at_most(
                f"s of {TABLES:,} random tables with statistics, K = J = 20",
                TARGET_TABLES, seconds, milliseconds,
            )  # fmt: skip
