"""Running the command, in this process or in one of its own."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from clusterwise.cli.app import run as run_app


@dataclass
class Result:
    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; ``stdin`` is what is piped into it."""

    def run_command(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status = run_app([str(argument) for argument in arguments])
        return Result(status, *capsys.readouterr())

    return run_command


@pytest.fixture
def fails(run):
    """Run a command that must be refused: its one line on stderr."""

    def refused(*arguments, stdin=b""):
        result = run(*arguments, stdin=stdin)
        assert result.status == 2, result
        assert result.out == ""
        line = result.err.splitlines()[-1]
        assert line.startswith("clusterwise: ")
        assert "Traceback" not in result.err
        return line

    return refused


@pytest.fixture
def process():
    """Run the command as a process of its own, away from the terminal."""

    def run_process(*arguments, **options):
        return subprocess.run(
            [sys.executable, "-m", "clusterwise", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONUTF8": "1"},
            **options,
        )

    return run_process
