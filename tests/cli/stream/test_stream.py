"""The verb ``stream``."""

import csv
import io
import json
import re

import numpy as np
import pytest

from clusterwise.streams.stream import ClusteringStream


@pytest.fixture
def data():
    """Three windows of 200; in the third a cluster is new and another has moved."""
    random = np.random.default_rng(0)
    labels = np.array(["a", "b"])[random.integers(0, 2, 650)]
    labels[500:] = np.where(np.arange(150) % 3 == 0, "c", labels[500:])
    income = random.normal(np.where(labels == "a", 0, 3) + 2 * (labels == "c"), 1.0).round(3)
    town = np.array(["x", "y"])[random.integers(0, 2, 650)]
    return income, town, labels


@pytest.fixture
def path(tmp_path, data):
    rows = ["income,town,segment", *(f"{i},{t},{s}" for i, t, s in zip(*data, strict=True))]
    file = tmp_path / "data.csv"
    file.write_text("\n".join(rows) + "\n")
    return file


def expected(data, *arguments, **options):
    income, town, labels = data
    rows = [list(row) for row in zip(income.tolist(), town.tolist(), strict=True)]
    return list(ClusteringStream(*arguments, **options).run([(rows, labels)]))


def test_a_row_per_window_and_a_sentence(run, path, data):
    result = run("stream", path, "--labels", "segment", "--window", "200")
    assert result.status == 0, result.err
    lines = result.out.splitlines()
    reports = expected(data, 200)
    assert lines[0].split()[:4] == ["window", "start", "stop", "clusters"]
    assert [line.split()[0] for line in lines[1:5]] == ["0", "1", "2", "3"]
    for line, report in zip(lines[2:5], reports[1:], strict=True):
        assert f"{report.similarity:.4f}" in line
        assert f"{report.reference_similarity:.4f}" in line
    assert "+c" in lines[3]
    assert "yes" in lines[3]
    assert "yes" not in lines[2]
    assert lines[5] == ""
    drifted = [str(report.index) for report in reports if report.drift]
    assert "2" in drifted
    start = f"4 windows; drift in {len(drifted)} of the 3 tested: {', '.join(drifted)} ("
    assert lines[6].startswith(start)


def test_as_json(run, path, data):
    result = run("stream", path, "-l", "segment", "-w", "200", "--step", "50", "-f", "json")
    assert result.status == 0, result.err
    found = json.loads(result.out)
    reports = expected(data, 200, 50)
    assert (found["labels"], found["window"], found["step"], found["alpha"]) == (
        "segment", 200, 50, 0.01,
    )  # fmt: skip
    assert len(found["windows"]) == len(reports)
    for one, report in zip(found["windows"], reports, strict=True):
        assert one["similarity"] == report.similarity
        assert one["births"] == list(report.births)
        assert one["sizes"] == [{"cluster": k, "objects": n} for k, n in report.sizes.items()]
        assert (one["change"] or {}).get("p_value") == (report.change and report.change.p_value)
    features = {one["change"]["feature"] for one in found["windows"] if one["change"]}
    assert features <= {"income", "town", "(cluster sizes)"}


def test_as_csv(run, path, data):
    result = run("stream", path, "-l", "segment", "-w", "200", "-f", "csv", "--size", "cosine")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    reports = expected(data, 200, size="cosine")
    assert [int(row["stop"]) for row in rows] == [200, 400, 600, 650]
    assert [row["drift"] for row in rows] == [str(report.drift) for report in reports]
    assert rows[0]["similarity"] == rows[0]["p_value"] == ""
    assert [float(row["similarity"]) for row in rows[1:]] == [r.similarity for r in reports[1:]]
    assert rows[2]["births"] == "c"
    assert "of the 3 tested" in result.err


def test_as_markdown(run, path):
    lines = run("stream", path, "-l", "segment", "-w", "200", "-f", "markdown").out.splitlines()
    assert lines[0].startswith("| window |")
    assert "of the 3 tested" in lines[7]
    described = [line for line in lines[8:] if line.startswith("Window ")]
    assert len(lines) == 2 + 4 + 2 + len(described)
    drifting = re.search(r"drift in (\d) of", lines[7])[1]
    assert len(described) == int(drifting) > 0
    assert all(re.search(r"\(p = \S+\): .* changed most", line) for line in described)


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown"])
def test_output_is_what_would_be_printed(run, path, tmp_path, form):
    options = ("stream", path, "-l", "segment", "-w", "200", "-f", form)
    file = tmp_path / "windows.txt"
    assert run(*options, "--output", file).out == ""
    assert file.read_text(encoding="utf-8") == run(*options).out


def test_options_reach_the_stream(run, path, data):
    options = ("--features", "income", "--bins", "4", "--binning", "frequency", "--alpha", "0.5")
    result = run("stream", path, "-l", "segment", "-w", "200", "-f", "json", *options)
    rows = [[value] for value in data[0].tolist()]
    stream = ClusteringStream(200, binning="frequency", n_bins=4, alpha=0.5)
    expected = [report.similarity for report in stream.run([(rows, data[2])])]
    found = json.loads(result.out)
    assert [one["similarity"] for one in found["windows"]] == expected
    assert found["alpha"] == 0.5


def test_one_window_is_too_few(run, path):
    result = run("stream", path, "-l", "segment")
    assert result.status == 0
    assert result.out.splitlines()[-1] == "1 window: too few to test for drift; two are needed."


def test_values_too_rare_to_test(run, tmp_path):
    path = tmp_path / "few.csv"
    lines = [f"{i % 2},shop{i % 7}" for i in range(12)]
    path.write_text("\n".join(["k,shop", *lines]), encoding="utf-8")
    result = run("stream", path, "--labels", "k", "--window", "4")
    assert result.out.splitlines()[-1] == (
        "3 windows; no test for drift: the values are all the same, or too rare."
    )
    assert result.err.endswith(
        "too few objects per value to test for drift in 2 windows: (cluster sizes) and shop; use a "
        "larger --window.\n"
    )
    rows = run("stream", path, "--labels", "k", "--window", "4", "-f", "csv").out.splitlines()
    assert [row.split(",")[6:8] for row in rows[1:]] == [["", "False"]] * 3


def test_values_outside_of_the_first_window(run, tmp_path):
    file = tmp_path / "data.csv"
    rows = [f"{value},{value % 2}" for value in [0, 1, 2, 3, 2, 1, 2, 9]]
    file.write_text("x,cluster\n" + "\n".join(rows) + "\n")
    result = run("stream", file, "-l", "cluster", "-w", "4")
    assert "some values of x are outside the range of the first window" in result.err


def test_refusals(fails, path):
    assert "segment" in fails("stream", path, "-l", "segmnt")
    assert "--labels" in fails("stream", path)
    assert "window=0" in fails("stream", path, "-l", "segment", "-w", "0")
    assert "step=300" in fails("stream", path, "-l", "segment", "-w", "200", "--step", "300")
    assert "no file" in fails("stream", "-l", "segment")
    assert "there is no file" in fails("stream", "nowhere.csv", "-l", "segment")
    assert "did you mean --window" in fails("stream", path, "-l", "segment", "--windo", "5")
