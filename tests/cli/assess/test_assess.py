"""The verb ``assess``: labels of a file, or k-means in its features."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import clusterwise as cw

TRUTH = np.repeat(["north", "east", "south"], 30)
X = np.array([[0.0, 0, 0], [0, 9, 4], [9, 9, -4]])[np.repeat([0, 1, 2], 30)]
X = X + np.random.default_rng(0).normal(size=X.shape)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{','.join(f'{v:.6f}' for v in row)},{label}\n"
            for row, label in zip(X.tolist(), TRUTH, strict=True)]  # fmt: skip
    Path("data.csv").write_text("x,y,z,place\n" + "".join(rows))
    return "data.csv"


QUICK = ("--resamples", "10", "--null-sets", "19")


def test_labels(run, data):
    done = run("assess", data, "--labels", "place", *QUICK, "--no-scale")
    assert done.status == 0
    expected = cw.assess(X.round(6), TRUTH, n_resamples=10, n_null=19, random_state=0)
    assert done.out.splitlines()[-1] == expected.sentences()[-1]
    for table in expected.text_tables():
        assert table.text() in done.out


def test_k_means_with_a_number_or_several(run, data):
    one = run("assess", data, "--features", "x,y,z", "--n-clusters", "3", *QUICK)
    assert one.out.startswith("Stability of 3 clusters over 10 resamples")
    assert "scaled to mean 0" in one.err
    several = run("assess", data, "--features", "x,y,z", "--n-clusters", "2,3", *QUICK, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(several.out)))
    assert [row["n_clusters"] for row in rows] == ["2", "3"]
    assert set(rows[0]) >= {"ari", "low", "high", "null_ari", "p_value", "stable"}


def test_formats(run, data):
    arguments = ("assess", data, "--labels", "place", *QUICK)
    plain = json.loads(run(*arguments, "-f", "json").out)
    assert plain["stable"] in (True, False)
    assert [one["cluster"] for one in plain["clusters"]] == ["east", "north", "south"]
    assert len(plain["objects"]["agreement"]) == 90
    assert " ".join(plain["summary"]).count("stable")
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv").out)))
    assert [row["cluster"] for row in rows] == ["east", "north", "south"]
    assert [float(row["jaccard"]) for row in rows] == [one["jaccard"] for one in plain["clusters"]]
    assert "| cluster | size |" in run(*arguments, "-f", "markdown").out


def test_files(run, data):
    done = run(
        "assess", data, "--labels", "place", *QUICK, "-o", "out.txt", "--report", "page.html"
    )
    assert done.out == ""
    assert "Stability of 3 clusters" in Path("out.txt").read_text()
    page = Path("page.html").read_text()
    assert "clusterwise assess data.csv --labels place --resamples 10 --null-sets 19" in page


def test_noise_and_missing_labels(run, data):
    lines = Path(data).read_text().splitlines()
    lines[1] = lines[1].replace("north", "noise")
    lines[2] = lines[2].replace("north", "")
    Path("dirty.csv").write_text("\n".join(lines) + "\n")
    arguments = (
        "assess",
        "dirty.csv",
        "-l",
        "place",
        "--noise-label",
        "noise",
        *QUICK,
        "-f",
        "json",
    )
    plain = json.loads(run(*arguments, "--missing", "drop").out)
    assert {one["cluster"]: one["size"] for one in plain["clusters"]} == {
        "east": 30, "north": 28, "south": 30,
    }  # fmt: skip
    assert run(*arguments).status == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-l", "place", "--n-clusters", "3"),
            "--labels has a number of clusters already; leave out",
        ),
        (("--n-clusters", "two"), "--n-clusters two is not a number, range or list; use such as 3"),
        (("--n-clusters", "1-4"), "--n-clusters must be at least 2, not 1."),
        (
            ("--n-clusters", "5-3"),
            "--n-clusters 5-3 has no number of at least 2; use such as 2-10.",
        ),
        (("--resamples", "9"), "--resamples must be from 10 to 100000, not 9."),
        (("--seed", "-1"), "--seed must be from 0"),
        (("-l", "nothing"), "there is no column 'nothing' for --labels"),
        (("--null-sets", "18"), "--null-sets must be from 19 to 100000, not 18."),
        (
            ("--features", "x,y", "--n-clusters", "91", *QUICK),
            "--n-clusters 91 for 90 objects; use an int",
        ),
    ],
)
def test_refusals(fails, data, arguments, message):
    assert message in fails("assess", data, *arguments)


def test_one_cluster_is_refused(fails, data):
    Path("one.csv").write_text("x,y,c\n" + "".join(f"{i * i},{i},a\n" for i in range(20)))
    said = fails("assess", "one.csv", "-l", "c", *QUICK)
    assert "--labels c has 1 cluster, so there is nothing to assess" in said
