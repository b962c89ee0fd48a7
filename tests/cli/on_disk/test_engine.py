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
from clusterwise.cli.tables.engine import Engine
from helpers.disks import file_size_limit
from helpers.processes import INTERRUPTIBLE, started

# The file that is written never ends, so that the draft is there when Ctrl-C is pressed.
WRITING = f"""
from clusterwise.cli.tables.engine import Engine
ENDLESS = "SELECT i AS consensus, i AS agreement FROM range(1000000000000000) AS rows(i)"
batches = Engine.batches
Engine.batches = lambda self, _: batches(self, ENDLESS)
{INTERRUPTIBLE}
"""


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


def test_duckdb_neither_loads_nor_installs_extensions():
    settings = ("autoinstall_known_extensions", "autoload_known_extensions")
    with Engine("any", None) as engine:
        for name in settings:
            (value,) = engine.execute(f"SELECT current_setting('{name}')").fetchone()
            assert value is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "status", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
@pytest.mark.parametrize("output", ["out.parquet", "out.csv"])
def test_interrupt_while_writing(start, number, status, said, output):
    """The query is stopped, and nothing is left of the file or of the temporary folder."""
    write_rows("i % 7 AS a, (i // 3) % 5 AS b", 3000)
    options = ["combine", "runs", "--memory", "200MB", "-o", output]
    with start(WRITING, *options) as process:
        while not list(Path().glob(".clusterwise.*.part")):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        assert list(Path("temporary").iterdir())
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", f"clusterwise: {said}.\n")
    assert sorted(path.name for path in Path().iterdir()) == ["runs", "temporary"]
    assert list(Path("temporary").iterdir()) == []


ENDLESS = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from clusterwise.cli.tables.engine import Engine

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


def test_memory_is_limited(tmp_path, monkeypatch):
    """What does not fit is in the temporary folder, and the limit still holds."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Engine("any", "50MB") as engine:
        assert engine.row("SELECT current_setting('memory_limit')") == ("47.6 MiB",)
        engine.execute(
            "CREATE TEMP TABLE numbers AS SELECT hash(i) AS h FROM range(10_000_000) t(i)"
        )
        (taken,) = engine.row("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")
        (written,) = engine.row("SELECT sum(size) FROM duckdb_temporary_files()")
        assert taken <= 50_000_000
        assert taken + written > 79_000_000
        assert list(tmp_path.glob("clusterwise.*/*"))
    assert list(tmp_path.iterdir()) == []


def test_the_command_limits_the_memory(run, files, monkeypatch):
    """Of the engine that reads its files."""
    files()
    limits = []
    leave = Engine.__exit__

    def ask_and_leave(engine, *error):
        limits.append(engine.row("SELECT current_setting('memory_limit')")[0])
        leave(engine, *error)

    monkeypatch.setattr(Engine, "__exit__", ask_and_leave)
    options = ["runs", "--key", "id", "-c", "kmeans", "-c", "em", "-m", "rand_score"]
    free, limited = run("compare", *options), run("compare", *options, "--memory", "300MB")
    assert (free.status, limited.status) == (0, 0), limited.err
    assert free.out == limited.out
    assert limits[1] == "286.1 MiB" != limits[0]


def test_errors_of_the_work_are_those_of_the_caller():
    with Engine("any", None) as engine:
        with pytest.raises(InputError, match="no such luck"):
            engine.run(lambda: refuse("no such luck"))
        with pytest.raises(ZeroDivisionError, match="division"):
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

        def work():
            for _ in range(100):  # on a fast machine one query may be over before it is looked at
                if "reading files" not in screen.getvalue():
                    engine.row(query)

        engine.run(work)
    assert "reading files" in screen.getvalue()


def test_the_folder_of_a_killed_process_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code = """
import os, signal, sys
from clusterwise.cli.tables.engine import Engine
with Engine("any", None):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    with started([sys.executable, "-c", code], env={"TMPDIR": str(tmp_path)}) as process:
        assert process.wait(timeout=60) == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    with Engine("any", None):
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("output", ["out.parquet", "out.csv", "out.jsonl"])
@pytest.mark.parametrize(
    ("earlier", "kept"),
    [("earlier", "the earlier file is unchanged"), (None, "no file was left behind")],
)
def test_output_that_does_not_fit(run, tmp_path, monkeypatch, output, earlier, kept):
    monkeypatch.chdir(tmp_path)
    write_rows("hash(i) AS id, i % 7 AS a, i % 5 AS b", 1000)
    if earlier is not None:
        Path(output).write_text(earlier)
    with file_size_limit(1000):
        found = run("combine", "runs", "--key", "id", "--output", output)
    assert (found.status, found.out) == (2, "")
    assert found.err == (
        f"clusterwise: --output {output} cannot be written (File too large); {kept}; "
        "name another file.\n"
    )
    assert sorted(Path().glob("[!r]*")) == ([Path(output)] if earlier else [])
    assert earlier is None or Path(output).read_text() == earlier


def test_a_temporary_folder_that_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    query = "CREATE TEMP TABLE numbers AS SELECT hash(i) AS h FROM range(10_000_000) t(i)"
    message = f"nor into the temporary folder {tmp_path}; free some space"
    with (
        Engine("the input", "50MB") as engine,
        file_size_limit(1000),
        pytest.raises(InputError, match=message),
    ):
        engine.run(lambda: engine.execute(query))


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Engine("any", "1GB") as engine:
        assert len(list(tmp_path.iterdir())) == 1
        with pytest.raises(InputError, match="anything"):
            engine.run(lambda: refuse("anything"))
    assert list(tmp_path.iterdir()) == []
