"""Ctrl-C ends a process at once, whatever kernel is running."""

import signal
import subprocess
import sys

import pytest

# What the process does before the work: it says when this has begun.
START = """
import threading
import numpy as np
import clusterwise as cw

def announce(begun):
    while not begun():
        pass
    print("running", flush=True)

def watch(begun):
    threading.Thread(target=announce, args=(begun,), daemon=True).start()
"""

SPINNING = """
from clusterwise._utils.threads import run_interruptibly, run_parts
import numba

@numba.njit(nogil=True)
def spin(flags, i):
    flags[i] = 1
    while flags[-1] == 0:
        pass

flags = np.zeros(4, np.int64)
spin(np.ones(2, np.int64), 0)
"""

ENDLESS = {
    "one kernel": SPINNING + "watch(lambda: flags[0]); run_interruptibly(1e30, spin, flags, 0)",
    "one of several parts": SPINNING
    + """
watch(lambda: flags[0] and flags[1])
with cw.threads(2):
    run_parts(lambda part: spin(flags, part), 3)
""",
}

# Each would take minutes.
LONG = {
    "adjusted mutual information": """
sizes = np.arange(1, 4001) * 10**8
table = cw.Contingency.from_table(np.diag(sizes) + np.eye(4000, k=1, dtype=np.int64))
threading.Timer(1.0, watch, [lambda: True]).start()
cw.adjusted_mutual_info_score(table)
""",
    "Dunn's index": """
X = np.random.default_rng(0).normal(size=(1_000_000, 2))
threading.Timer(1.0, watch, [lambda: True]).start()
cw.dunn_score(X, X[:, 0] > 0)
""",
    "optimal transport": """
random = np.random.default_rng(0)
table = cw.Contingency.from_table(random.integers(1, 10**9, (3000, 3001)))
threading.Timer(5.0, watch, [lambda: True]).start()
cw.mallows_distance(table, weights="size")
""",
}


def interrupt(work):
    """Run the work in a process, interrupt it once it has begun, and return its error output."""
    process = subprocess.Popen(
        [sys.executable, "-c", START + work],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "running\n", process.communicate()[1]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT
    return errors


@pytest.mark.parametrize("work", ENDLESS.values(), ids=ENDLESS)
def test_a_kernel_that_does_not_end_is_interrupted(work):
    assert interrupt(work).endswith("KeyboardInterrupt\n")


@pytest.mark.slow
@pytest.mark.parametrize("work", LONG.values(), ids=LONG)
def test_long_work_is_interrupted(work):
    assert interrupt(work).endswith("KeyboardInterrupt\n")
