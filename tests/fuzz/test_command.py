"""Whatever is in a file, the command ends with 0, or with 2 and a sentence, and leaves nothing."""

import io
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import example, given, strategies as st

from clusterwise.cli.app import run
from helpers import hostile_strategies as hostile
from helpers.strategies import max_examples

pytestmark = pytest.mark.slow

VERBS = {
    "compare": [[], ["-c", "a", "-c", "b"], ["--format", "json"]],
    "again": [["--given", "a"], ["--given", "b", "--method", "coala"]],
    "combine": [[], ["--method", "voting"], ["-c", "a", "-c", "b"]],
    "assess": [["--labels", "a", "--resamples", "10", "--null-sets", "19"]],
    "report": [["--output", "page.html"]],
    "profile": [["--labels", "a"], ["--labels", "a", "--format", "csv"]],
    "stream": [["--labels", "a", "--window", "2"], ["--labels", "a"]],
}
COMMANDS = [[verb, *options] for verb, each in VERBS.items() for options in each]


@max_examples(300)
@example(
    file=("data.csv", b"a,b,\n\x1b]52;c;aGk=\x07,,\x00\x00"),
    command=["profile", "--labels", "a", "--format", "csv"],
    to_file=False,
)
@example(file=("data.jsonl", b'{"\\u00a0": "1"}'), command=["compare"], to_file=False)
@given(file=hostile.files(), command=st.sampled_from(COMMANDS), to_file=st.booleans())
def test_command(file, command, to_file):
    name, content = file
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        Path(name).write_bytes(content)
        arguments = [command[0], name, *command[1:]]
        if to_file:
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
        # CSV that goes to no terminal has the data as they are.
        printed = err.getvalue() + ("" if "csv" in command else out.getvalue())
        for line in printed.split("\n"):
            assert all(is_shown(letter) for letter in line), line


def is_shown(letter):
    """Spaces of all scripts, which are not printable for Python, are shown as they are."""
    return letter.isprintable() or letter == "\t" or category(letter) == "Zs"
