"""Running a command, in this process or in one of its own."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass
class Result:
    status: int
    out: str
    err: str


def make_runner(main, capsys, monkeypatch):
    """A function that runs the command in this process; ``stdin`` is what is piped into it."""

    def run_command(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Result(status, *capsys.readouterr())

    return run_command


def make_refusal(run, name):
    """A function that runs a command that must be refused, and returns its line on stderr."""

    def refused(*arguments, stdin=b""):
        result = run(*arguments, stdin=stdin)
        assert result.status == 2, result
        assert result.out == ""
        line = result.err.splitlines()[-1]
        assert line.startswith(f"{name}: ")
        assert "Traceback" not in result.err
        return line

    return refused


def run_module(module, *arguments, **options):
    """Run ``python -m module`` as a process of its own, away from the terminal."""
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
        **options,
    )
