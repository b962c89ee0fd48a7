"""Running ``python -m experiments``, in this process or in one of its own."""

from functools import partial

import pytest
from experiments.__main__ import main

from helpers.commands import make_refusal, make_runner, run_module


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process."""
    return make_runner(main, capsys, monkeypatch)


@pytest.fixture
def fails(run):
    """Run a command that must be refused: its one line on stderr."""
    return make_refusal(run, "experiments")


@pytest.fixture
def process():
    """Run the command as a process of its own."""
    return partial(run_module, "experiments")
