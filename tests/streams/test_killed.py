"""A stream whose process is killed, for real, again and again."""

import json
import sys
from subprocess import PIPE

import numpy as np
import pytest

from clusterwise.streams.stream import ClusteringStream
from helpers.processes import KILLED, started

pytestmark = pytest.mark.slow

# Reports go to a file line by line, the stream to another; both are found again after a kill.
PROGRAM = """
import json, os, sys
from itertools import islice
import numpy as np
import pyarrow as pa
from clusterwise.streams.stream import ClusteringStream


def messages(batches):
    for i in range(batches):
        random = np.random.default_rng(i)
        labels = random.integers(0, 3, random.integers(1, 9))
        x = random.normal(labels, 1.0 + (i > 120))
        yield pa.record_batch({"x": x, "town": ["uvw"[k] for k in labels % 2], "segment": labels})

state, reports, every, batches = *sys.argv[1:3], *map(int, sys.argv[3:])
stream = ClusteringStream.resume(state, window=60, step=7, size="sample")
file = os.open(reports, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
rest = islice(messages(batches), stream.n_batches, None)
for report in stream.run(rest, labels="segment", checkpoint=state, every=every):
    os.write(file, (json.dumps(report.to_dict()) + chr(10)).encode())
"""
BATCHES = 250


def run(folder, every, draft=0, calls=0):
    """Run the program, killed so many calls after it began a draft (0: not killed)."""
    arguments = [draft, calls, folder / "state.json", folder / "reports.jsonl", every, BATCHES]
    with started([sys.executable, "-c", KILLED + PROGRAM, *arguments], stderr=PIPE) as child:
        _, errors = child.communicate(timeout=120)
    assert child.returncode == (-9 if draft else 0), errors


def read_reports(folder):
    return [json.loads(line) for line in (folder / "reports.jsonl").read_text().splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_any_moment_it_loses_nothing(tmp_path):
    random = np.random.default_rng(0)
    whole = tmp_path / "whole"
    whole.mkdir()
    run(whole, 50)
    expected = read_reports(whole)
    assert [one["index"] for one in expected] == list(range(len(expected)))
    assert len(expected) > 100

    state = tmp_path / "state.json"
    seen = 0
    for _ in range(5):
        run(tmp_path, random.integers(1, 4), random.integers(1, 15), random.integers(12))
        if state.exists():  # it is there as a whole, and never goes back
            found = ClusteringStream.load(state).n_batches
            assert found >= seen
            seen = found
    assert 0 < seen < BATCHES
    run(tmp_path, 2)
    found = read_reports(tmp_path)
    by_index = {one["index"]: one for one in found}
    assert all(one == by_index[one["index"]] for one in found)
    assert [by_index[i] for i in range(len(expected))] == expected
    assert len(by_index) == len(expected)
    stream = ClusteringStream.load(state)
    assert stream.n_batches == BATCHES
    assert stream.n_windows == sum(one["objects"] == 60 for one in expected)
