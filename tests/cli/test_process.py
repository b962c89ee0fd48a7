"""The command as a process: statuses, signals, pipes, files, start-up."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import clusterwise
from helpers.disks import full_device
from helpers.processes import INTERRUPTIBLE, started

MAIN = "import sys; from clusterwise.cli import main; sys.exit(main())"
HEAVY = ["numpy", "numba", "narwhals", "pyarrow", "sklearn", "scipy", "pandas", "polars"]


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n0,x\n0,x\n1,y\n1,x\n", encoding="utf-8")
    return path


def python(code, *arguments, **options):
    return started([sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE, **options)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["compare", "--help"], ["measures", "-h"], []])
def test_help_loads_nothing_heavy(arguments):
    code = f"""
import sys
from clusterwise.cli.app import run
status = run({arguments!r})
print(status, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    with python(code, stdout=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=60)
    assert "Usage: clusterwise" in out
    assert err == "0 []\n"


def test_version(process):
    result = process("--version")
    assert (result.returncode, result.stdout.strip()) == (0, clusterwise.__version__)


@pytest.mark.slow
def test_success_and_misuse(process, labels):
    good = process("compare", labels, "-f", "json")
    assert good.returncode == 0
    assert json.loads(good.stdout)["objects"] == 4
    bad = process("compare", labels, "-m", "nonsense")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("clusterwise: ")
    assert bad.stderr.count("\n") == 1


@pytest.mark.parametrize("before", [True, False])
def test_debug_shows_where_an_error_comes_from(run, before):
    arguments = ["compare", "nowhere.csv"]
    arguments.insert(0 if before else 2, "--debug")
    result = run(*arguments)
    assert result.status == 2
    assert "Traceback" in result.err
    assert result.err.splitlines()[-1].startswith("clusterwise: there is no file nowhere.csv")


def test_what_nobody_expected_is_called_a_bug(run, labels, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("clusterwise.cli.compare.printout.print_comparison", broken)
    result = run("compare", labels)
    assert result.status == 1
    assert result.err == (
        "clusterwise: this is a bug in clusterwise (ZeroDivisionError: oh); "
        "run it again with --debug and report the output.\n"
    )


@pytest.mark.slow
def test_interrupt_while_reading(tmp_path):
    output = tmp_path / "out.csv"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with python(INTERRUPTIBLE, "compare", "-", "-o", output, **pipes) as process:
        # More than the capacity of a pipe: once it is written, the process is reading.
        process.stdin.write("a,b\n" + "1,2\n" * 500_000)
        process.stdin.flush()
        interrupt(process)
        assert process.poll() is not None
        out, err = process.stdout.read(), process.stderr.read()
        process.stdin.close()
    assert (process.returncode, out, err) == (130, "", "clusterwise: interrupted.\n")
    assert list(tmp_path.iterdir()) == []


def interrupt(process):
    """Press Ctrl-C, and again if it fell between two system calls."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            continue
        return


def test_a_reader_that_goes_away_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    with python(MAIN, "measures", stdout=writer) as process:
        os.close(writer)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, "")


@pytest.mark.slow
def test_output_is_replaced_whole(process, labels, tmp_path):
    output = tmp_path / "out.csv"
    output.write_text("old")
    output.chmod(0o640)
    result = process("compare", labels, "-m", "rand_score", "-f", "csv", "-o", output)
    assert (result.returncode, result.stdout) == (0, "")
    assert output.read_text() == "a,b,measure,value\na,b,rand_score,0.5\n"
    assert output.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.csv", "out.csv"]


@pytest.mark.slow
def test_output_that_does_not_fit_leaves_the_old_file(labels, tmp_path):
    pytest.importorskip("resource", reason="limits on file size are a Unix affair")
    output = tmp_path / "out.csv"
    output.write_text("old")
    code = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from clusterwise.cli import main
sys.exit(main())
"""
    with python(code, "compare", labels, "-o", output) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == f"clusterwise: --output {output} cannot be written (File too large); " + (
        "the earlier file is unchanged; name another file.\n"
    )
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.csv", "out.csv"]


@pytest.mark.parametrize("arguments", [["--version"], ["measures"]])
def test_a_full_disk_behind_standard_output(arguments):
    with full_device().open("w") as stdout, python(MAIN, *arguments, stdout=stdout) as process:
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (
        2,
        "clusterwise: standard output cannot be written (the disk is full); free some space, or "
        "name another file.\n",
    )


def test_errors_are_not_printed_to_standard_output(tmp_path):
    """A closed standard error gets nothing, and no file takes its place."""
    code = """
import os, sys
from clusterwise.cli import main
status = main()
print(os.path.samestat(os.fstat(2), os.stat(os.devnull)))
sys.exit(status)
"""
    command = [sys.executable, "-c", code, "--debug", "compare", tmp_path / "no.csv"]
    with started(["sh", "-c", 'exec "$@" 2>&-', "sh", *command], stdout=subprocess.PIPE) as process:
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "True\n")


def test_a_full_disk_behind_standard_error_keeps_the_status(tmp_path):
    command = [sys.executable, "-c", MAIN, "compare", tmp_path / "no.csv"]
    with (
        full_device().open("w") as stderr,
        started(command, stdout=subprocess.PIPE, stderr=stderr) as process,
    ):
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")


def test_standard_input_that_cannot_be_read():
    for_writing = os.open(os.devnull, os.O_WRONLY)
    with python(MAIN, "compare", "-", stdin=for_writing) as process:
        os.close(for_writing)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.startswith("clusterwise: standard input cannot be read (Bad file descriptor); ")


def test_a_closed_standard_output_needs_a_file(tmp_path):
    output = tmp_path / "out.txt"
    results = []
    for extra in ([], ["--output", output]):
        command = [sys.executable, "-c", MAIN, "measures", *extra]
        with started(["sh", "-c", 'exec "$@" >&-', "sh", *command], stderr=subprocess.PIPE) as one:
            _, err = one.communicate(timeout=60)
        results.append((one.returncode, err))
    refused = "clusterwise: standard output is closed; use --output to write to a file.\n"
    assert results == [(2, refused), (0, "")]
    assert "rand_score" in output.read_text(encoding="utf-8")


def test_errors_leave_no_output(fails, labels, tmp_path):
    output = tmp_path / "out.csv"
    fails("compare", labels, "-c", "a", "-o", output)
    assert not output.exists()


def test_output_to_a_folder_is_refused(fails, labels, tmp_path):
    assert "is a folder; name a file in it" in fails("compare", labels, "-o", tmp_path)


def test_output_through_a_link_keeps_the_link(run, labels, tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    assert run("compare", labels, "-f", "csv", "-o", link).status == 0
    assert link.is_symlink()
    assert target.read_text().startswith("a,b,measure,value\n")


def test_output_to_a_device_writes_to_it(run, labels):
    assert run("compare", labels, "-o", os.devnull).status == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.slow
def test_nothing_is_cut_when_the_terminal_is_narrow(labels):
    environment = {**os.environ, "COLUMNS": "20", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "clusterwise", "compare", labels]
    out = subprocess.run(
        command, capture_output=True, env=environment, encoding="utf-8", check=True, timeout=60
    ).stdout
    assert "proportion of object pairs on which both agree" in out
    assert "normalized_mutual_info_score" in out
    assert "\x1b" not in out


@pytest.mark.slow
def test_terminals_get_a_rich_table_and_files_do_not(labels, tmp_path, monkeypatch):
    pty = pytest.importorskip("pty", reason="terminals can be made on Unix only")
    output = tmp_path / "out.txt"
    command = [sys.executable, "-m", "clusterwise", "compare", str(labels)]
    monkeypatch.delenv("NO_COLOR", raising=False)
    environment = {"COLUMNS": "60", "TERM": "xterm-256color"}
    screens = []
    for extra in ([], ["-o", str(output)]):
        ours, theirs = pty.openpty()
        with started([*command, *extra], stdout=theirs, env=environment):
            os.close(theirs)
            screens.append(read_all(ours))
    assert "\x1b[1m" in screens[0]
    assert "normalized_mutual_info_score" in screens[0]
    assert screens[1] == ""
    assert "\x1b" not in output.read_text(encoding="utf-8")


def read_all(terminal):
    parts = []
    with os.fdopen(terminal, "rb", buffering=0) as file:
        try:
            while part := file.read(4096):
                parts.append(part)
        except OSError:  # how Linux says that the other side has closed
            pass
    return b"".join(parts).decode()
