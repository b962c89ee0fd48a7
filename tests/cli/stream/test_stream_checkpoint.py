"""The verb ``stream`` with ``--checkpoint``: interrupted and continued runs."""

import sys
from subprocess import PIPE

import numpy as np
import pytest

from clusterwise.streams.stream import ClusteringStream
from helpers.processes import KILLED, started


def lines(n, seed=0):
    random = np.random.default_rng(seed)
    labels = np.array(["a", "b", "c"])[random.integers(0, 3, n)]
    income = random.normal(np.where(labels == "a", 0, 3), 1.0).round(3)
    town = np.array(["x", "y"])[random.integers(0, 2, n)]
    columns = zip(income, town, labels, strict=True)
    return ["income,town,segment", *(f"{i},{t},{s}" for i, t, s in columns)]


def write(path, rows):
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "data.csv", lines(650))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown"])
@pytest.mark.parametrize("taken", [0, 1, 3])
def test_it_continues_where_it_stopped(run, path, tmp_path, monkeypatch, form, taken):
    state, feed = tmp_path / "state.json", ClusteringStream.feed
    options = ("stream", path, "-l", "segment", "-w", "100", "--step", "30", "-f", form)
    expected = run(*options)
    assert expected.status == 0, expected.err
    places = []

    def interrupted(self, X, labels):
        if self.n_batches == taken:
            raise KeyboardInterrupt
        return feed(self, X, labels)

    def watched(self, X, labels):
        places.append(self.n_seen)
        return feed(self, X, labels)

    monkeypatch.setattr(ClusteringStream, "feed", interrupted)
    assert run(*options, "--checkpoint", state).status == 130
    assert state.exists() == (taken > 0)
    monkeypatch.setattr(ClusteringStream, "feed", watched)
    result = run(*options, "--checkpoint", state)
    assert (result.status, result.out, result.err) == (0, expected.out, expected.err)
    assert places[0] >= (100 if taken else 0)
    places.clear()
    assert run(*options, "--checkpoint", state).out == expected.out
    assert places == []


def test_a_file_that_has_grown(run, tmp_path):
    state, path, rows = tmp_path / "state.json", tmp_path / "data.csv", lines(650)
    options = ("stream", path, "-l", "segment", "-w", "100", "--step", "30", "-f", "json")
    for n in (60, 130, 260, 261, 650):
        write(path, rows[: n + 1])
        assert run(*options, "--checkpoint", state).out == run(*options).out
        assert state.exists() == (n >= 100)
    assert ClusteringStream.load(state).n_seen == 650


def test_features_of_numbers_only(run, path, tmp_path):
    state = tmp_path / "state.json"
    options = ("stream", path, "-l", "segment", "-w", "200", "--features", "income", "-f", "csv")
    first = run(*options, "--checkpoint", state).out
    assert first == run(*options, "--checkpoint", state).out == run(*options).out


def test_refusals(run, fails, path, tmp_path):
    state = tmp_path / "state.json"
    options = ("stream", path, "-l", "segment", "--checkpoint", state)
    assert run(*options, "-w", "100").status == 0
    kept = state.read_bytes()
    assert "another window" in fails(*options, "-w", "200")
    assert "another step" in fails(*options, "-w", "100", "--step", "50")
    assert "another alpha" in fails(*options, "-w", "100", "--alpha", "0.5")
    assert "another binning" in fails(*options, "-w", "100", "--bins", "5")
    assert "other rows" in fails(*options, "-w", "100", "--features", "income")
    rows = lines(650)
    write(path, rows[:300])
    assert "other rows" in fails(*options, "-w", "100")
    write(path, [*rows[:400], "77,x,a", *rows[401:]])
    assert "other rows" in fails(*options, "-w", "100")
    write(path, rows)
    assert state.read_bytes() == kept
    state.write_bytes(kept[:-100])
    assert "is damaged" in fails(*options, "-w", "100")
    state.write_text("income\n1\n")
    assert "is not a checkpoint of a stream" in fails(*options, "-w", "100")
    ClusteringStream(100).save(state)
    assert "was not written by clusterwise stream" in fails(*options, "-w", "100")
    assert "are the same file" in fails(*options, "--output", state)
    nowhere = tmp_path / "nowhere" / "state.json"
    assert "--checkpoint" in fails("stream", path, "-l", "segment", "--checkpoint", nowhere)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_again_and_again(process, tmp_path):
    """Runs killed at random moments give the same output as an uninterrupted run."""
    random = np.random.default_rng(0)
    path, state = write(tmp_path / "data.csv", lines(650)), tmp_path / "state.json"
    out = tmp_path / "windows.csv"
    options = ["stream", path, "-l", "segment", "-w", "20", "--step", "2", "-f", "csv"]
    expected = process(*options)
    assert expected.returncode == 0, expected.stderr
    code = KILLED + "from clusterwise.cli import main; sys.exit(main())"
    options += ["--checkpoint", state, "--output", out]
    places = [0]
    for draft in (1, 2, 1, 3):
        moment = [draft, random.integers(12)]
        with started([sys.executable, "-c", code, *moment, *options], stderr=PIPE) as child:
            _, errors = child.communicate(timeout=120)
        assert child.returncode == -9, errors
        assert not out.exists()
        if state.exists():
            places.append(ClusteringStream.load(state).n_seen)
    assert places == sorted(places)
    assert len(places) > 3
    last = process(*options)
    assert last.returncode == 0, last.stderr
    assert out.read_text() == expected.stdout
    assert ClusteringStream.load(state).n_seen == 650
