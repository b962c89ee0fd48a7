"""Fixtures that run the command, in this process or in a new one."""

from functools import partial

import pytest

from clusterwise.cli.app import run as run_app
from helpers.commands import make_refusal, make_runner, run_module


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process; ``stdin`` is its standard input."""
    return make_runner(run_app, capsys, monkeypatch)


@pytest.fixture
def fails(run):
    """Run a command that must fail, and return its one line on stderr."""
    return make_refusal(run, "clusterwise")


@pytest.fixture
def process():
    """Run the command as a new process, without a terminal."""
    return partial(run_module, "clusterwise")
