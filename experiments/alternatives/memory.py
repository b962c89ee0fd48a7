"""Peak memory of one method, measured in a process of its own."""

import subprocess
import sys
from pathlib import Path

from clusterwise.datasets import make_alternatives
from clusterwise.inputs.points import read_points
from experiments.alternatives.methods import Task, list_methods
from experiments.alternatives.settings import Setting

_STATUS = Path("/proc/self/status")
_OPTIONS = {"separation": 5}
_COUNTS = (3, 3)
_WARM_UP = 200


def measure_apart(method: str, n: int) -> int | None:
    """Return the peak memory of a method on n objects in bytes; None without ``/proc``."""
    if not _STATUS.exists():
        return None
    command = [sys.executable, "-m", "experiments.alternatives.memory", method, str(n)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return int(done.stdout)


def measure(method: str, n: int) -> int:
    """Return the same, measured in this process after a first call that loads all code.

    The peak is that of the whole process. The kernel counts resident pages per thread and sums
    them up late, and freed pages go back to it, so that a small call may end below where it began;
    this counts as 0.
    """
    run = list_methods()[method]
    run(_make_task(_WARM_UP))
    task = _make_task(n)
    before = _resident("VmRSS")
    run(task)
    return max(0, _resident("VmHWM") - before)


def _make_task(n: int) -> Task:
    setting = Setting("overlapping", _COUNTS, make_alternatives, _OPTIONS, n)
    planted = setting.draw(0)
    points = read_points(planted.X).points
    return Task(planted.X, points, planted.labels[:, 0], _COUNTS, 0, False)


def _resident(field: str) -> int:
    """Return the resident memory in bytes, now (VmRSS) or at the peak (VmHWM)."""
    for line in _STATUS.read_text(encoding="utf-8").splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"{_STATUS} has no line {field}.")


if __name__ == "__main__":
    sys.stdout.write(f"{measure(sys.argv[1], int(sys.argv[2]))}\n")
