"""A stream whose process is killed, for real, again and again."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from clusterwise.streams.stream import ClusteringStream

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

state, reports, every, batches = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
stream = ClusteringStream.resume(state, window=60, step=7, size="sample")
file = os.open(reports, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
rest = islice(messages(batches), stream.n_batches, None)
for report in stream.run(rest, labels="segment", checkpoint=state, every=every):
    os.write(file, (json.dumps(report.to_dict()) + chr(10)).encode())
"""
BATCHES = 250


def start(folder, every):
    command = [sys.executable, "-c", PROGRAM, folder / "state.json", folder / "reports.jsonl"]
    return subprocess.Popen(
        [*map(str, command), str(every), str(BATCHES)], stderr=subprocess.PIPE, text=True
    )


def read_reports(folder):
    return [json.loads(line) for line in (folder / "reports.jsonl").read_text().splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_any_moment_it_loses_nothing(tmp_path):
    random = np.random.default_rng()
    whole = tmp_path / "whole"
    whole.mkdir()
    child = start(whole, 50)
    _, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    expected = read_reports(whole)
    assert [one["index"] for one in expected] == list(range(len(expected)))
    assert len(expected) > 100

    state = tmp_path / "state.json"
    seen, kills = 0, 0
    while True:
        child = start(tmp_path, int(random.integers(1, 4)))
        until = seen + int(random.integers(1, 60))
        while child.poll() is None and (seen < until or kills == 5):
            if state.exists():  # at any moment it is there as a whole, and never goes back
                found = ClusteringStream.load(state).n_batches
                assert found >= seen
                seen = found
            time.sleep(0.002)
        time.sleep(0.02 * random.random())
        child.kill()
        _, errors = child.communicate(timeout=120)
        if child.returncode == 0:
            break
        assert child.returncode == -9, errors
        kills += 1
    assert kills >= 3
    found = read_reports(tmp_path)
    by_index = {one["index"]: one for one in found}
    assert all(one == by_index[one["index"]] for one in found)
    assert [by_index[i] for i in range(len(expected))] == expected
    assert len(by_index) == len(expected)
    stream = ClusteringStream.load(state)
    assert stream.n_batches == BATCHES
    assert stream.n_windows == sum(one["objects"] == 60 for one in expected)
