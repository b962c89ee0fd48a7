"""Latency of a new process: imports, the first call, the command's help."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.report import Report, milliseconds

FIRST_CALL = "from {module} import adjusted_rand_score as score; score([0, 0, 1], [0, 1, 1])"


def run(report: Report) -> None:
    runs = 3 if report.quick else 5
    table = report.table(
        "Start-up of new processes",
        {"what": str, "ms": milliseconds},
        [
            f"Median of {runs} processes after a warm-up, so compiled kernels are "
            "in numba's cache. Times include the start of Python.",
        ],
    )
    command = str(Path(sys.executable).with_name("clusterwise"))
    # Commands and their limits in milliseconds.
    cases: dict[str, tuple[list[str], float | None]] = {
        "Python alone": ([sys.executable, "-c", ""], None),
        "import clusterwise": ([sys.executable, "-c", "import clusterwise"], None),
        "first adjusted_rand_score of clusterwise": (
            [sys.executable, "-c", FIRST_CALL.format(module="clusterwise")],
            1000,
        ),
        "first adjusted_rand_score of scikit-learn": (
            [sys.executable, "-c", FIRST_CALL.format(module="sklearn.metrics")],
            None,
        ),
        "clusterwise --help": ([command, "--help"], 500),
    }
    for what, (arguments, target) in cases.items():
        report.step(what)
        measured = _median_milliseconds(arguments, runs)
        table.add(what, "failed" if measured is None else measured)
        if target is not None:
            report.require_at_most(f"{what}, ms", target, measured, milliseconds)


def _median_milliseconds(arguments: list[str], runs: int) -> float | None:
    """Return the median time of a command; None if it fails."""
    seconds = []
    for _ in range(runs + 1):
        start = perf_counter()
        try:
            subprocess.run(arguments, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        seconds.append(perf_counter() - start)
    return 1e3 * median(seconds[1:])
