"""Signals end the command as Ctrl-C does: nothing is left behind."""

import signal
import subprocess
import sys
import threading

import pytest

from helpers.processes import started

# The process waits in the middle of writing.
WRITING = """
import os, signal, sys

def wait(_):
    print(*os.listdir(), flush=True)
    signal.pause()

os.fsync = wait
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also if the tests are run by nohup
from clusterwise.cli import main
sys.exit(main())
"""
# A signal that is ignored, as by nohup, stays so.
IGNORING = """
import os, signal, sys

def hang_up(_):
    os.kill(os.getpid(), signal.SIGHUP)

os.fsync = hang_up
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from clusterwise.cli import main
sys.exit(main())
"""
# Compiled modules raise an ImportError from what interrupts them while they are imported.
IMPORTING = """
import os, signal, sys

def wait(_):
    try:
        os.kill(os.getpid(), signal.{name})
    except KeyboardInterrupt as error:
        raise ImportError("while initializing the extension") from error

os.fsync = wait
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also if the tests are run by nohup
from clusterwise.cli import main
sys.exit(main())
"""
ENDING = ("SIGTERM", "SIGHUP")


def command(code, folder):
    return started(
        [sys.executable, "-c", code, "measures", "--output", "out.txt"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("name", ENDING)
def test_nothing_is_left_of_a_file(tmp_path, name):
    output = tmp_path / "out.txt"
    output.write_text("earlier")
    with command(WRITING, tmp_path) as process:
        names = process.stdout.readline().split()
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=60)
    status = 128 + getattr(signal, name)
    assert (process.returncode, out, err) == (status, "", "clusterwise: terminated.\n")
    assert len(names) == 2
    assert [path.read_text() for path in tmp_path.iterdir()] == ["earlier"]


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [("SIGTERM", 143, "terminated"), ("SIGHUP", 129, "terminated"), ("SIGINT", 130, "interrupted")],
)
def test_a_signal_that_becomes_another_error_is_no_bug(tmp_path, name, status, said):
    with command(IMPORTING.format(name=name), tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", f"clusterwise: {said}.\n")
    assert not list(tmp_path.iterdir())


def test_signals_that_are_ignored_stay_so(tmp_path):
    with command(IGNORING, tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_the_handlers_of_the_process_are_left_as_they_were(run):
    before = [signal.getsignal(getattr(signal, name)) for name in ENDING]
    assert run("--version").status == 0
    assert [signal.getsignal(getattr(signal, name)) for name in ENDING] == before


def test_the_command_runs_in_any_thread(run):
    """Only the main thread may handle signals."""
    results = []
    thread = threading.Thread(target=lambda: results.append(run("--version").status))
    thread.start()
    thread.join()
    assert results == [0]
