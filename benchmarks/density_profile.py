"""Density profiles, compared with reading the data and with NumPy, and by size."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterwise
from benchmarks.measuring import OURS, Entry, Function, disagreement, make_labels, race, ratio
from benchmarks.report import Format, Report, count, decimal, milliseconds, times
from clusterwise.inputs.binning.edges import value_ranges

Array = NDArray[Any]

FEATURES, BINS, CLUSTERS = 20, 10, 10
READ, NUMPY, TWO_THREADS = "bare read", "NumPy", f"{OURS}, 2 threads"
WHOLE = f"{OURS}, with its own range"
# Targets are stated for this number of objects.
TARGETS_AT = 1_000_000
LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "float64, C order": lambda X: X,
    "float64, Fortran order": np.asfortranarray,
    "float32, C order": lambda X: X.astype(np.float32),
    "float32, Fortran order": lambda X: np.asfortranarray(X, np.float32),
}
STEP, STEPS = 1000, 20


def run(report: Report) -> None:
    n = 100_000 if report.quick else TARGETS_AT
    X, labels = make_data(n, FEATURES, CLUSTERS)
    _profiles(report, X, labels)
    _closer_looks(report, X, labels)
    _ranges(report, X)
    _scores(report, X)
    _growth(report, n)
    _streams(report)


def make_data(n: int, width: int, k: int) -> tuple[Array, Array]:
    """Return objects in k clusters with different centres in every feature."""
    random = np.random.default_rng(21)
    labels = random.integers(0, k, n)
    return random.normal(random.normal(0, 2, (k, width))[labels]), labels


def profile(threads: int, binning: Any = "width", n_bins: int = BINS) -> Function:
    """Return our profile; its value is the dot product with itself, to detect wrong counts."""

    def function(X: Array, labels: Array) -> float:
        with clusterwise.threads(threads):
            made = clusterwise.DensityProfile.from_data(X, labels, binning=binning, n_bins=n_bins)
        return float(np.square(made.counts.astype(np.float64)).sum())

    return function


def score(threads: int) -> Function:
    """Return ADCO: range, two profiles and matching; the labels are two columns."""

    def function(X: Array, labels: Array) -> float:
        with clusterwise.threads(threads):
            return clusterwise.adco_score(labels[:, 0], labels[:, 1], X)

    return function


def digitized(binning: Any) -> Function:
    """Return the same counts by NumPy, feature by feature."""

    def function(X: Array, labels: Array) -> float:
        value = 0.0
        for r, feature in enumerate(binning.features):
            codes = np.digitize(X[:, r], feature.edges[1:-1])
            counts = np.bincount(labels * feature.regular + codes)
            value += float(np.square(counts.astype(np.float64)).sum())
        return value

    return function


def _read(X: Array, _: Array) -> float:
    return float(X.sum())


def _profiles(report: Report, X: Array, labels: Array) -> None:
    columns: dict[str, Format] = {
        "array": str,
        "threads": count,
        "ours ms": milliseconds,
        "with range ms": milliseconds,
        "bare read ms": milliseconds,
        "to bare read": times,
        "NumPy ms": milliseconds,
        "NumPy ratio": times,
    }
    table = report.table(
        f"DensityProfile.from_data, {len(X):,} objects, {FEATURES} features, {CLUSTERS} "
        f"clusters, {BINS} bins of equal width",
        columns,
        [
            "Ours with a fitted binning; with range: the range of every feature is computed first.",
            "Read only: the sum of all values by NumPy, one thread. NumPy: digitize and bincount "
            "for every feature.",
        ],
    )
    for layout, convert in LAYOUTS.items():
        report.step(layout)
        data = convert(X)
        binning = clusterwise.Binning("width", BINS).fit(data)
        own = {
            OURS: profile(1, binning),
            TWO_THREADS: profile(2, binning),
            WHOLE: profile(1),
            f"{WHOLE}, 2 threads": profile(2),
        }
        counted = {**own, NUMPY: digitized(binning)}
        entries = {name: Entry(function, data, labels) for name, function in counted.items()}
        result = race(entries, report.pace)
        # Separately, so that the caches hold its own data.
        result[READ] = race({READ: Entry(_read, data, labels)}, report.pace)[READ]
        difference = disagreement({name: result[name] for name in counted})
        for threads, (name, whole) in enumerate(
            ((OURS, WHOLE), (TWO_THREADS, f"{WHOLE}, 2 threads")), start=1
        ):
            to_read = result[name].milliseconds / result[READ].milliseconds
            table.add(
                layout, threads, result[name].milliseconds, result[whole].milliseconds,
                result[READ].milliseconds, to_read,
                result[NUMPY].milliseconds, ratio(result, NUMPY, name),
                difference=difference,
            )  # fmt: skip
        if len(X) == TARGETS_AT and layout == "float64, C order":
            to_read = result[OURS].milliseconds / result[READ].milliseconds
            report.require_at_most("density profile against a bare read, 1 thread", 4, to_read)
            what = "density profile, 2 threads against 1"
            report.require_at_least(what, 1.8, ratio(result, OURS, TWO_THREADS))
            what = "density profile against digitize and bincount, 1 thread"
            report.require_at_least(what, 25, ratio(result, NUMPY))


def _closer_looks(report: Report, X: Array, labels: Array) -> None:
    """Measure missing and out-of-range values, as in data that the bins were not fitted on."""
    table = report.table(
        f"DensityProfile.from_data with non-finite and out-of-range values, {len(X):,} objects, "
        f"one thread",
        {"values": str, "ours ms": milliseconds, "to all fine": times},
        ["One value in a hundred is missing, infinite or out of range, in any feature."],
    )
    binning = clusterwise.Binning("width", BINS).fit(X)
    strange = np.random.default_rng(22).random(X.shape) < 0.01
    kinds = {"all fine": X, "missing": np.where(strange, np.nan, X)}
    kinds["out of range"] = np.where(strange, 100.0, X)
    found: list[float] = []
    for kind, data in kinds.items():
        report.step(f"strange values: {kind}")
        result = race({OURS: Entry(profile(1, binning), data, labels)}, report.pace)
        found.append(result[OURS].milliseconds)
        table.add(kind, found[-1], found[-1] / found[0])


def _ranges(report: Report, X: Array) -> None:
    table = report.table(
        f"The range of every feature, {len(X):,} objects, {FEATURES} features, one thread",
        {"array": str, "ours ms": milliseconds, "NumPy ms": milliseconds, "NumPy ratio": times},
        ["NumPy: X.min(axis=0) and X.max(axis=0)."],
    )

    def ours(data: Array, _: Array) -> float:
        with clusterwise.threads(1):
            low, high = value_ranges(data)
        return float((high - low).sum())

    def numpy(data: Array, _: Array) -> float:
        return float((data.max(axis=0).astype(float) - data.min(axis=0)).sum())

    for layout, convert in LAYOUTS.items():
        report.step(f"range, {layout}")
        data = convert(X)
        result = race({OURS: Entry(ours, data, X), NUMPY: Entry(numpy, data, X)}, report.pace)
        cells = (result[OURS].milliseconds, result[NUMPY].milliseconds, ratio(result, NUMPY))
        table.add(layout, *cells, difference=disagreement(result))


def _scores(report: Report, X: Array) -> None:
    """Measure ADCO of two clusterings, and one profile with a fitted binning."""
    table = report.table(
        f"adco_score(a, b, X), {len(X):,} objects, {FEATURES} features, {BINS} bins, one thread",
        {"K": count, "profile ms": milliseconds, "adco_score ms": milliseconds, "to one": times},
        ["adco_score computes the range, two profiles and the matching of their clusters."],
    )
    binning = clusterwise.Binning("width", BINS).fit(X)
    for k in (CLUSTERS, 200):
        report.step(f"adco_score, {k} clusters")
        labels = np.column_stack(make_labels(len(X), k, agreement=0.5))
        result = race(
            {
                OURS: Entry(profile(1, binning), X, np.ascontiguousarray(labels[:, 0])),
                f"{OURS}, adco_score": Entry(score(1), X, np.asfortranarray(labels)),
            },
            report.pace,
        )
        one, whole = (timed.milliseconds for timed in result.values())
        table.add(k, one, whole, whole / one)
        if len(X) == TARGETS_AT:
            report.require_at_most(f"adco_score against one profile, K = {k}", 3, whole / one)


def _growth(report: Report, n: int) -> None:
    """Vary one size at a time: linear in n and R, constant in Q, nearly so in K."""
    base = {"n": n // 4, "R": FEATURES, "Q": BINS, "K": CLUSTERS}
    table = report.table(
        "DensityProfile.from_data by size of the data, one thread",
        {**dict.fromkeys(base, count), "ms": milliseconds, "ns per value": decimal},
        ["With a fitted binning, so the cost per value is that of counting."],
    )
    grown = {"n": (n // 16, n // 4, n), "R": (5, 20, 80), "Q": (5, 10, 100), "K": (2, 10, 200)}
    for what, values in grown.items():
        for value in values:
            case = {**base, what: value}
            report.step(f"growth, {what} = {value:,}")
            X, labels = make_data(case["n"], case["R"], case["K"])
            binning = clusterwise.Binning("width", case["Q"]).fit(X)
            result = race({OURS: Entry(profile(1, binning), X, labels)}, report.pace)
            best = result[OURS].milliseconds
            table.add(*case.values(), best, 1e6 * best / X.size)


def _streams(report: Report) -> None:
    """Measure a step, which adds new objects and removes old ones for any window length."""
    table = report.table(
        f"ClusteringStream, steps of {STEP:,} objects, {FEATURES} features, {CLUSTERS} "
        "clusters, one thread",
        {"window": count, "ms per step": milliseconds, "to the shortest": times},
        [f"Best of {STEPS} steps after the window is full."],
    )
    windows = (10_000, 100_000) if report.quick else (10_000, 100_000, 1_000_000)
    found: list[float] = []
    for window in windows:
        report.step(f"stream, window of {window:,}")
        found.append(_step_milliseconds(window))
        table.add(window, found[-1], found[-1] / found[0])
    what = f"stream step, window of {windows[-1]:,} against {windows[0]:,}"
    report.require_at_most(what, 1.5, found[-1] / found[0])


def _step_milliseconds(window: int) -> float:
    X, labels = make_data(window + STEPS * STEP, FEATURES, CLUSTERS)
    stream = clusterwise.ClusteringStream(window=window, step=STEP)
    best = float("inf")
    with clusterwise.threads(1):
        # Twice, since a window is also compared with the objects right before it.
        for _ in range(2):
            stream.feed(X[:window], labels[:window])
        for begin in range(window, len(X), STEP):
            start = perf_counter()
            stream.feed(X[begin : begin + STEP], labels[begin : begin + STEP])
            best = min(best, perf_counter() - start)
    return 1e3 * best
