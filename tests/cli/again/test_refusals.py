"""``again``: errors, and the command as a process."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

from helpers.again_files import SCALED, read_labels
from helpers.processes import INTERRUPTIBLE, started


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "0"], "--n-alternatives must be at least 1, not 0"),
        (["-n", "101"], "--n-alternatives must be at most 100, not 101."),
        (["--min-cluster-size", "inf"], "--min-cluster-size inf is too large for 2 clusters"),
        (["--features", ", "], "--features names no column; use a list such as a,b,c."),
        (["--n-clusters", "1"], "--n-clusters must be at least 2, not 1"),
        (["--n-clusters", "161"], "--n-clusters 161 is more than the 160 objects; use fewer"),
        (["--omega", "-1"], "--omega must be at least 0, not -1"),
        (["--budget", "-1"], "--budget must be at least 0, not -1"),
        (["--permutations", "-1"], "--permutations must be at least 0, not -1"),
        (["-m", "maximus", "--budget", "1"], "--budget does not apply to --method maximus"),
        (["-m", "naive", "--permutations", "9"], "--permutations does not apply to --method naive"),
        (["--omega", "nan"], "--omega must be at least 0, not nan"),
        (["--min-cluster-size", "-2"], "--min-cluster-size must be at least 0, not -2"),
        (
            ["--min-cluster-size", "81"],
            "--min-cluster-size 81 is too large for 2 clusters of 160 objects",
        ),
        (["--min-cluster-size", "0.6"], "--min-cluster-size 0.6 is too large for 2 clusters"),
        (["--as-published", "--min-cluster-size", "3"], "--as-published sets no minimum size"),
        (["--seed", "-1"], "--seed must be from 0 to 4294967295, not -1"),
        (["--prototypes", "-1"], "--prototypes must be at least 0, not -1"),
        (["--prototypes", "161"], "use a number from 2 to 160"),
        (
            ["--prototypes", "9", "--metric", "cosine"],
            "need euclidean distances, not --metric cosine",
        ),
        (["-m", "naive", "--omega", "1"], "--omega does not apply to --method naive"),
        (["-m", "maximus", "--omega", "1"], "--omega does not apply to --method maximus"),
        (["--tolerance", "0.1"], "--tolerance does not apply to --method auto"),
        (["-m", "maximus", "--tolerance", "-1"], "--tolerance must be at least 0, not -1"),
        (
            ["-m", "naive", "--min-cluster-size", "9"],
            "--min-cluster-size does not apply to --method naive",
        ),
        (["-m", "coalacat", "--metric", "gower"], "--metric does not apply to --method coalacat"),
        (
            ["-m", "coalacat", "--prototypes", "9"],
            "--prototypes does not apply to --method coalacat",
        ),
        (["-m", "coalacat", "--scale"], "--scale does not apply to --method coalacat"),
        (["-m", "coalacat", "--quality", "dunn"], "use --quality entropy"),
        (["--metric", "gower", "--quality", "davies_bouldin"], "use dunn or silhouette"),
        (["--metric", "gower", "--quality", "dunn_centroids"], "use dunn or silhouette"),
        (["--metric", "cosine", "--quality", "davies_bouldin"], "use dunn or silhouette"),
        (["--quality", "dun"], 'Did you mean "dunn"?'),
        (["--features", "class"], "class is the --given column, not a feature"),
        (["--features", "id", "--key", "id"], "id is the --key column, not a feature"),
        (["--features", "constant"], "all features are constant"),
        (["-g", "clas"], "there is no column 'clas' for --given; did you mean class?"),
        (["-g", "id"], "--given id has a different value for each of the 160 objects"),
        (["-g", "constant"], "--given constant has only one cluster"),
        (["-g", "c1_1"], "--given c1_1 contains numbers that are not integers"),
        (["--output", "labels.json"], "use .csv, .tsv or .jsonl"),
        (["--output", "nowhere/labels.csv"], "there is no folder nowhere"),
        (["--give", "class"], "there is no option --give; did you mean --given?"),
    ],
)
def test_what_cannot_be_used(fails, data, tmp_path, options, message):
    given = [] if "-g" in options else ["-g", "class"]
    output = [] if "--output" in options else ["--output", "out.csv"]
    assert message in fails("again", data, *given, *options, *output)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--metric", "cosine"],
            "--metric cosine needs numeric features without missing values, but colour",
        ),
        (["--prototypes", "4"], "--prototypes needs numeric features without missing values"),
        (["--features", "kind"], "kind is the --given column, not a feature"),
    ],
)
def test_categorical_features_where_numeric_ones_are_needed(fails, things, options, message):
    assert message in fails("again", things, "-g", "kind", *options)


def test_too_little_data(fails, write):
    alone = write("alone.csv", c1=[0, 0, 1])
    assert "alone.csv has no features" in fails("again", alone, "-g", "c1")
    two = write("two.csv", x=[0.5, 1.5])
    assert "2 objects cannot have two clusterings; use at least 3" in fails("again", two)
    assert "no file is given" in fails("again")


def test_sizes_that_are_too_large_are_whole_objects(fails, data):
    # 53.2 of 160 objects are 54, which three clusters cannot have.
    line = fails("again", data, "-g", "class", "--n-clusters", "3", "--min-cluster-size", "0.3325")
    assert line.endswith(
        "--min-cluster-size 0.3325 is too large for 3 clusters of 160 objects; use a smaller one."
    )


def test_more_objects_than_memory(fails, data, monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 400)
    line = fails("again", data, "-g", "class", "-m", "coala")
    assert "the distances of 160 objects need 0.000191 GiB" in line
    assert line.endswith("use --prototypes, such as 2000, or a sample.")
    for option in (["-m", "coalacat"], ["--metric", "gower"]):
        assert fails("again", data, "-g", "class", *option).endswith("; use a sample.")


def test_memory_that_runs_out_during_the_search(fails, data, monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr("clusterwise.cli.again.find_alternatives.cluster_again", exhausted)
    line = fails("again", data, "-g", "class", "-m", "coala")
    assert "more than the machine's memory; use --prototypes" in line
    assert "there is not enough memory for 160 objects" in fails("again", data, "-g", "class")


@pytest.mark.slow
def test_as_a_process(process, data, tmp_path):
    good = process("again", data, "-g", "class", "-o", "out.csv", "-f", "json", cwd=tmp_path)
    assert good.returncode == 0
    assert json.loads(good.stdout)["objects"] == 160
    assert len(read_labels(tmp_path / "out.csv")["alternative_1"]) == 160
    bad = process("again", data, "-g", "nothing", "-o", "bad.csv", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("clusterwise: there is no column 'nothing' for --given")
    assert not (tmp_path / "bad.csv").exists()


@pytest.mark.slow
def test_interrupt_while_searching_leaves_no_file(write, tmp_path):
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 6000))
    path = write("long.csv", c1=random.integers(0, 3, 6000), x=x, y=y)
    options = ["again", path, "-g", "c1", "-n", "9", "-o", "out.csv"]
    command = [sys.executable, "-c", INTERRUPTIBLE, *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(command, cwd=tmp_path, **pipes) as process:
        assert SCALED in process.stderr.readline()  # the search begins
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
    assert (process.returncode, out, err) == (130, "", "clusterwise: interrupted.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["long.csv"]


def test_help_loads_nothing_heavy():
    code = """
import sys
from clusterwise.cli.app import run
run(["again", "--help"])
print([name for name in ("numpy", "numba", "sklearn", "scipy") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[0].startswith("Usage: clusterwise again FILE")
    assert done.stdout.splitlines()[-1] == "[]"
