"""Peak memory of one call, each in a separate process."""

import subprocess
import sys
from pathlib import Path

import clusterwise
from benchmarks.measuring import NOT_INSTALLED, OURS, WARM_UP, Function, load, make_labels
from benchmarks.report import Report, count, decimal, power

STATUS = Path("/proc/self/status")
ROOT = Path(__file__).parents[1]
CASES = (
    (100, (OURS, "scikit-learn", "genieclust")),
    (10_000, (OURS, "scikit-learn")),
    (50_000, (OURS,)),
)


def run(report: Report) -> None:
    table = report.table(
        "Peak memory of adjusted_rand_score, int64 labels",
        {"library": str, "n": power, "K": count, "bytes per object": decimal, "MB": decimal},
        [
            "Largest resident memory during the call minus that before it; the labels take 16 "
            "bytes per object.",
        ],
    )
    if not STATUS.exists():
        table.notes.append(f"Peak memory is read from {STATUS}, which this system lacks.")
        return
    n = 1_000_000 if report.quick else 10_000_000
    for k, libraries in CASES:
        for library in libraries:
            report.step(f"{library}, {n:,} objects, {k:,} clusters")
            used = _in_new_process(library, n, k)
            if used is None:
                table.add(library, n, k, NOT_INSTALLED, "")
            else:
                table.add(library, n, k, used / n, used / 1e6)


def _in_new_process(library: str, n: int, k: int) -> int | None:
    command = [sys.executable, "-m", "benchmarks.memory", library, str(n), str(k)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return None if done.stdout.strip() == NOT_INSTALLED else int(done.stdout)


def _function(library: str) -> Function | None:
    functions: dict[str, Function | None] = {
        OURS: clusterwise.adjusted_rand_score,
        "scikit-learn": load("sklearn.metrics", "adjusted_rand_score"),
        "genieclust": load("genieclust.compare_partitions", "adjusted_rand_score"),
    }
    return functions[library]


def resident(field: str) -> int:
    """Return the resident memory in bytes, now (VmRSS) or at the peak (VmHWM).

    Not ``ru_maxrss``: a new process inherits that from the one that started it.
    """
    for line in STATUS.read_text(encoding="utf-8").splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"{STATUS} has no line {field}.")


def peak_above(before: int) -> int:
    """Return the peak memory above ``before``; resident pages are counted late, so at least 0."""
    return max(0, resident("VmHWM") - before)


def measure(library: str, n: int, k: int) -> int | str:
    """Return the peak memory of one call in bytes, with all code loaded before."""
    function = _function(library)
    if function is None:
        return NOT_INSTALLED
    a, b = make_labels(n, k)
    function(a[:WARM_UP], b[:WARM_UP])
    before = resident("VmRSS")
    function(a, b)
    return peak_above(before)


if __name__ == "__main__":
    name, objects, clusters = sys.argv[1:]
    sys.stdout.write(f"{measure(name, int(objects), int(clusters))}\n")
