"""Ctrl-C, memory and progress, with real processes."""

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from clusterwise._utils.errors import InputError
from clusterwise.cli.duckdb.engine import Engine
from helpers.processes import INTERRUPTIBLE, started

# Not ru_maxrss: a new process inherits that from the one that started it.
STATUS = Path("/proc/self/status")
MEASURED = f"""
import sys
from pathlib import Path
from clusterwise.cli import main
status = main()
(peak,) = (line for line in Path({str(STATUS)!r}).read_text().splitlines() if "VmHWM" in line)
print(int(peak.split()[1]) // 1024, file=sys.stderr)
sys.exit(status)
"""
MEGABYTES = 200
# What the command needs by itself, and what is not counted as the engine's.
OTHERS = 350


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start the command in a folder of its own, with another for temporary files."""
    monkeypatch.chdir(tmp_path)
    Path("temporary").mkdir()

    def run(code, *arguments):
        return started(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"TMPDIR": str(tmp_path / "temporary")},
        )

    return run


def write_rows(query, count, folder="runs"):
    Path(folder).mkdir()
    with Engine("any", None) as engine:
        engine.execute(
            f"COPY (SELECT {query} FROM range({count}) AS rows(i)) TO '{folder}/0.parquet'"
        )


@pytest.mark.slow
def test_interrupt_while_writing(start):
    """The query is stopped, and nothing is left of the file or of the temporary folder."""
    write_rows("i % 7 AS a, (i // 3) % 5 AS b", 3_000_000)
    options = ["combine", "runs", "--memory", "200MB", "-o", "out.parquet"]
    with start(INTERRUPTIBLE, *options) as process:
        while not list(Path().glob(".clusterwise.*.part")):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        assert list(Path("temporary").iterdir())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "clusterwise: interrupted.\n")
    assert sorted(path.name for path in Path().iterdir()) == ["runs", "temporary"]
    assert list(Path("temporary").iterdir()) == []


ENDLESS = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from clusterwise.cli.duckdb.engine import Engine

def work():
    if sys.argv[1] == "at once":  # the main thread is still about to start this one
        os.kill(os.getpid(), signal.SIGINT)
    print("begun", flush=True)
    while True:
        engine.row("SELECT count(*) FROM range(1000000000000000) AS rows(i)")

with Engine("any", None) as engine:
    try:
        engine.run(work)
    except KeyboardInterrupt:
        time.sleep(0.5)  # if the thread was forgotten, it is in its query by now
        print(engine.row("SELECT 'stopped'"))
        print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["at once", "soon", "later"])
def test_a_query_without_end_is_stopped(start, moment):
    """Also a second one, after which the engine still works."""
    with start(ENDLESS, moment) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(moment == "later")
        if moment != "at once":
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "('stopped',)\nTrue\n", "")
    assert list(Path("temporary").iterdir()) == []


@pytest.mark.slow
def test_memory_is_limited(start):
    """Checking that keys are unique needs a table of all keys, most of which is spilled to disk."""
    if not STATUS.exists():
        pytest.skip("this system does not tell how much memory a process took")
    write_rows("'the object of number ' || i AS id, i % 7 AS a, i % 5 AS b", 3_000_000)
    options = ["compare", "runs", "--key", "id", "-c", "a", "-c", "b", "-m", "rand_score"]
    peaks = []
    for limit in ([], ["--memory", f"{MEGABYTES}MB"]):
        with start(MEASURED, *options, *limit, "-f", "csv") as process:
            out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert out.startswith("a,b,measure,value\na,b,rand_score,")
        peaks.append(int(err.split()[-1]))
    assert peaks[1] < MEGABYTES + OTHERS
    assert peaks[1] < peaks[0]


def test_errors_of_the_work_are_those_of_the_caller():
    with Engine("any", None) as engine:
        with pytest.raises(InputError, match="no such luck"):
            engine.run(lambda: refuse("no such luck"))
        with pytest.raises(ZeroDivisionError):
            engine.run(lambda: 1 // 0)
        assert engine.run(lambda: engine.row("SELECT 6 * 7")) == (42,)


def refuse(why):
    raise InputError(why)


@pytest.mark.slow
def test_progress_is_shown_on_terminals(monkeypatch):
    """The progress bar is on stderr, appears after a second and is removed at the end."""
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("clusterwise._utils.progress._DELAY", 0.0)
    monkeypatch.setattr(
        "rich.console.Console", lambda **_: Console(file=screen, force_terminal=True)
    )
    with Engine("any", None) as engine:
        engine.execute("SET threads = 1")
        query = "SELECT sum(sin(i) * cos(i) * tan(i)) FROM range(20000000) AS rows(i)"
        engine.run(lambda: engine.row(query))
    assert "reading files" in screen.getvalue()


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Engine("any", "1GB") as engine:
        assert len(list(tmp_path.iterdir())) == 1
        with pytest.raises(InputError):
            engine.run(lambda: refuse("anything"))
    assert list(tmp_path.iterdir()) == []
