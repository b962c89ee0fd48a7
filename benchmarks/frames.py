"""Frames in memory and arrays: the kernels read columns without copying."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import clusterwise
from benchmarks.density_profile import BINS, CLUSTERS, FEATURES, make_data
from benchmarks.measuring import OURS, Entry, Function, disagreement, load, make_labels, race
from benchmarks.report import Report, count, milliseconds, times

Array = NDArray[Any]
Frame = Callable[[dict[str, Array]], Any]

ARRAYS = f"{OURS}, arrays"
TARGETS_AT = 1_000_000


def run(report: Report) -> None:
    n = 100_000 if report.quick else TARGETS_AT
    makers = _makers()
    _tables(report, n, makers)
    _profiles(report, n, makers)


def _makers() -> dict[str, Frame]:
    """Return frames of the installed libraries with separate columns in memory."""
    makers = {
        "pandas": load("pandas", "DataFrame"),
        "Polars": load("polars", "DataFrame"),
        "PyArrow": load("pyarrow", "table"),
    }
    return {name: maker for name, maker in makers.items() if maker}


def _tables(report: Report, n: int, makers: dict[str, Frame]) -> None:
    table = report.table(
        f"Contingency.from_frame of columns in memory, {n:,} objects, int64 labels, one thread",
        {"K": count, "frame": str, "frame ms": milliseconds, "arrays ms": milliseconds,
         "to arrays": times},
        ["Arrays: Contingency.from_labels of the same labels."],
    )  # fmt: skip
    worst = 0.0
    for k in (10, 100):
        a, b = make_labels(n, k, agreement=0.5)
        for name, maker in makers.items():
            report.step(f"contingency, {name}, K = {k}")
            result = _race(report, _of_frame(_table), maker({"a": a, "b": b}), _of_arrays(a, b))
            frame, arrays = (timed.milliseconds for timed in result.values())
            worst = max(worst, frame / arrays)
            table.add(
                k, name, frame, arrays, frame / arrays, difference=disagreement(result, ARRAYS)
            )
    if n == TARGETS_AT:
        report.require_at_most("contingency of frames in memory against arrays", 1.2, worst)


def _profiles(report: Report, n: int, makers: dict[str, Frame]) -> None:
    table = report.table(
        f"DensityProfile.from_frame of columns in memory, {n:,} objects, {FEATURES} features, "
        f"{CLUSTERS} clusters, {BINS} bins, one thread",
        {"frame": str, "frame ms": milliseconds, "arrays ms": milliseconds, "to arrays": times},
        [
            "With a fitted binning. Arrays: DensityProfile.from_data of one array in Fortran "
            "order, whose columns are contiguous as in a frame.",
        ],
    )
    X, labels = make_data(n, FEATURES, CLUSTERS)
    X = np.asfortranarray(X)
    names = [f"x{r}" for r in range(FEATURES)]
    binning = clusterwise.Binning("width", BINS).fit(X)
    named = clusterwise.Binning("width", BINS).fit_frames(
        next(iter(makers.values()))({name: X[:, r] for r, name in enumerate(names)})
    )
    worst = 0.0
    for name, maker in makers.items():
        report.step(f"profile, {name}")
        frame = maker({**{one: X[:, r].copy() for r, one in enumerate(names)}, "labels": labels})
        ours = _of_frame(lambda frame: _size(_profile(frame, named)))
        bare = _with_one_thread(
            lambda: _size(clusterwise.DensityProfile.from_data(X, labels, binning=binning))
        )
        result = _race(report, ours, frame, bare)
        taken, arrays = (timed.milliseconds for timed in result.values())
        worst = max(worst, taken / arrays)
        table.add(name, taken, arrays, taken / arrays, difference=disagreement(result, ARRAYS))
    if n == TARGETS_AT:
        report.require_at_most("density profile of frames in memory against arrays", 1.2, worst)


def _table(frame: Any) -> float:
    return float(clusterwise.Contingency.from_frame(frame, "a", "b").cells.sum_of_squares)


def _profile(frame: Any, binning: Any) -> Any:
    return clusterwise.DensityProfile.from_frame(frame, "labels", binning=binning)


def _size(profile: Any) -> float:
    return float(np.square(profile.counts.astype(np.float64)).sum())


def _race(report: Report, ours: Function, frame: Any, arrays: Function) -> dict[str, Any]:
    entries = {OURS: Entry(ours, frame, ()), ARRAYS: Entry(arrays, (), ())}
    return race(entries, report.pace)


def _of_frame(function: Callable[[Any], float]) -> Function:
    def call(frame: Any, _: Any) -> float:
        with clusterwise.threads(1):
            return function(frame)

    return call


def _of_arrays(a: Array, b: Array) -> Function:
    return _with_one_thread(
        lambda: float(clusterwise.Contingency.from_labels(a, b).cells.sum_of_squares)
    )


def _with_one_thread(function: Callable[[], float]) -> Function:
    def call(_: Any, __: Any) -> float:
        with clusterwise.threads(1):
            return function()

    return call
