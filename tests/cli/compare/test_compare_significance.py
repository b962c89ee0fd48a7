"""``clusterwise compare --significance`` and ``report --significance``."""

import csv
import io
import json

import numpy as np
import pytest

import clusterwise as cw

RANDOM = np.random.default_rng(0)
A = RANDOM.integers(0, 3, 60)
B = np.where(RANDOM.random(60) < 0.6, A, RANDOM.integers(0, 3, 60))
C = RANDOM.integers(0, 3, 60)
RUNS = {"a": A, "b": B, "c": C}


@pytest.fixture
def save(tmp_path):
    def write(**columns):
        path = tmp_path / "labels.csv"
        rows = [columns, *zip(*columns.values(), strict=True)]
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
        return path

    return write


def rows_of(result):
    assert result.status == 0, result.err
    return list(csv.DictReader(io.StringIO(result.out)))


def test_two_columns(run, save):
    expected = cw.compare(A, B, names=("a", "b"), significance=True)
    result = run("compare", save(a=A, b=B), "--significance")
    assert result.out == f"{expected}\n"
    assert "95% interval" in result.out
    assert "p < 0.0001" in result.out


def test_two_columns_as_json(run, save):
    expected = cw.compare(A, B, names=("a", "b"), significance=True).to_dict()
    found = run("compare", save(a=A, b=B), "--significance", "-f", "json")
    assert json.loads(found.out) == expected


def test_two_columns_as_csv(run, save):
    result = cw.compare(A, A * 0, names=("a", "b"), significance=True)
    rows = rows_of(run("compare", save(a=A, b=A * 0), "--significance", "-f", "csv"))
    assert [row["measure"] for row in rows] == list(result.values)
    for row in rows:
        found = result.significance[row["measure"]]
        assert float(row["p_value"]) == found.p_value
        assert float(row["expected"]) == found.expected
        assert row["low"] == row["high"] == ""


def test_more_columns(run, save):
    expected = cw.compare_all(RUNS, significance=True)
    shown = run("compare", save(**RUNS), "--significance").out
    assert shown == f"{expected}\n\n{expected.summary()}\n"
    found = json.loads(run("compare", save(**RUNS), "--significance", "-f", "json").out)
    name = "adjusted_rand_score"
    assert found["p_values"][name] == expected.to_dict()["p_values"]
    assert found["adjusted_p_values"][name] == expected.to_dict()["adjusted_p_values"]


def test_more_columns_as_csv(run, save):
    expected = cw.compare_all(RUNS, measure="purity_score", significance=True)
    rows = rows_of(
        run("compare", save(**RUNS), "--significance", "-f", "csv", "-m", "purity_score")
    )
    assert len(rows) == 6
    for row in rows:
        i, j = "abc".index(row["a"]), "abc".index(row["b"])
        assert float(row["p_value"]) == expected.p_values[i, j]
        assert float(row["adjusted_p_value"]) == expected.adjusted_p_values[i, j]


def test_refusals(run, save, tmp_path):
    features = tmp_path / "features.csv"
    features.write_text("x\n" + "".join(f"{i}.5\n" for i in range(60)))
    result = run("compare", save(**RUNS), "--data", features, "--significance")
    assert result.status == 2
    assert "adco_score takes features" in result.err


@pytest.mark.parametrize("columns", [("a", "b"), ("a", "b", "c")])
def test_reports(run, save, tmp_path, columns):
    output = tmp_path / "report.html"
    path = save(**{name: RUNS[name] for name in columns})
    result = run("report", path, "--significance", "--output", output)
    assert result.status == 0, result.err
    page = output.read_text()
    assert "--significance" in page
    assert "p-value" in page
