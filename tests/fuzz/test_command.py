"""Whatever is in a file, the command ends with 0, or with 2 and a sentence, and leaves nothing."""

import io
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from clusterwise.cli.app import run
from helpers import hostile_strategies as hostile
from helpers.strategies import max_examples

pytestmark = pytest.mark.slow

VERBS = {
    "compare": [[], ["-c", "a", "-c", "b"], ["--format", "json"]],
    "again": [["--given", "a"], ["--given", "b", "--method", "coala"]],
    "combine": [[], ["--method", "voting"], ["-c", "a", "-c", "b"]],
    "report": [["--output", "page.html"]],
    "profile": [["--labels", "a"], ["--labels", "a", "--format", "csv"]],
    "stream": [["--labels", "a", "--window", "2"], ["--labels", "a"]],
}
COMMANDS = [[verb, *options] for verb, each in VERBS.items() for options in each]


@max_examples(300)
@given(file=hostile.files(), command=st.sampled_from(COMMANDS), data=st.data())
def test_command(file, command, data):
    name, content = file
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        Path(name).write_bytes(content)
        arguments = [command[0], name, *command[1:]]
        if data.draw(st.booleans()):
            arguments += ["--output", "out.txt"] if "--output" not in arguments else []
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = run(arguments)
        written = {path.name for path in Path(folder).iterdir()} - {name}
        assert Path(name).read_bytes() == content
        assert written <= (
            {arguments[arguments.index("--output") + 1]} if "--output" in arguments else set()
        )
        lines = err.getvalue().splitlines()
        if status:
            assert status == 2, err.getvalue()
            assert lines[-1].startswith("clusterwise: ")
            assert not written
        for line in [*lines, *out.getvalue().splitlines()]:
            assert all(letter.isprintable() or letter == "\t" for letter in line), line
