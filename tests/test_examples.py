"""The examples run without a warning, and write the files that they name."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py") if path.name != "tour.py")


def test_there_are_six():
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("name", EXAMPLES)
def test_runs(name, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", FOLDER / name],
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    written = set(re.findall(r'"(\w+\.(?:png|html))"', (FOLDER / name).read_text("utf-8")))
    assert written
    assert {path.name for path in tmp_path.iterdir()} == written
    assert all(path.stat().st_size > 2_000 for path in tmp_path.iterdir())
