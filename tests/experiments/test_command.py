"""The command ``python -m experiments``."""

import csv
import io
import json

import pytest
from experiments.catalogue import PAPERS, list_experiments
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Table

from experiments import catalogue

pytestmark = pytest.mark.slow

NAMES = [one.name for one in list_experiments()]
CHEAP = "binary-example"


def made(name, holds):
    """An experiment of one line and one claim that tells its seeds."""

    def run(setup):
        table = Table("Made", ("what",), [Line(("seeds",), float(setup.seeds), 2.0)], digits=1)
        return Outcome([table], [Claim(f"{name} | so it is.", holds, 3, "A reason.")])

    return Experiment(name, f"Made {name}", "Table 0, p. 0", run, seeds=4)


@pytest.fixture
def few(monkeypatch):
    """Two made-up experiments in place of all."""
    some = (made("coala-one", 3), made("irm-two", 0))
    monkeypatch.setattr(catalogue, "list_experiments", lambda: some)


# The list


@pytest.mark.parametrize("verb", [[], ["list"]])
def test_all_experiments_are_listed(run, verb):
    result = run(*verb)
    assert (result.status, result.err) == (0, "")
    header, *lines = result.out.splitlines()
    assert header.split() == ["name", "experiment", "in", "the", "paper", "seeds", "data", "sets"]
    assert [line.split()[0] for line in lines] == NAMES


def test_the_list_in_other_formats(run):
    assert [row["name"] for row in json.loads(run("-f", "json").out)] == NAMES
    rows = list(csv.DictReader(io.StringIO(run("-f", "csv").out)))
    assert [row["name"] for row in rows] == NAMES
    assert {row["seeds"].isdigit() for row in rows} == {True}
    lines = run("--format", "markdown").out.splitlines()
    assert lines[0].startswith("| name | experiment | in the paper | seeds | data sets |")
    assert len(lines) == 2 + len(NAMES)


def test_the_list_in_a_file(run, tmp_path):
    path = tmp_path / "list.txt"
    expected = run().out
    assert run("-o", path).out == ""
    assert path.read_text(encoding="utf-8") == expected


# Runs


def test_run_prints_tables_verdicts_and_says_what_it_does(run):
    result = run("run", CHEAP)
    assert result.status == 0
    assert result.err.startswith(f"experiments: {CHEAP}: ")
    assert result.out.startswith(f"{CHEAP}: ")
    assert "ours  published  difference" in result.out
    assert "holds on 1 of 2" in result.out


def test_run_as_markdown(run):
    out = run("run", CHEAP, "-f", "markdown").out
    assert out.startswith(f"## {CHEAP}: ")
    assert "| C*1 | C11 | 2 | 2 | 0 |" in out.replace("\\*", "*")
    assert "| holds on 1 of 2 |" in out


def test_run_as_json(run):
    records = json.loads(run("run", CHEAP, "-f", "json").out)
    assert {record["experiment"] for record in records} == {CHEAP}
    assert records[0]["cluster"] == "C*1"
    assert records[0]["ours"] == records[0]["published"] == 2
    assert records[-1]["published"] is None


def test_run_as_csv_has_one_header_for_all_tables(run):
    rows = list(csv.DictReader(io.StringIO(run("run", CHEAP, "-f", "csv").out)))
    records = json.loads(run("run", CHEAP, "-f", "json").out)
    assert len(rows) == len(records)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[0]["measure"] == ""
    assert rows[-1]["cluster"] == ""
    assert [float(row["ours"]) for row in rows] == [record["ours"] for record in records]


def test_the_same_run_prints_the_same(run):
    first, again = (run("run", "irm-table1").out for _ in range(2))
    assert first == again
    assert "Rand" in first


def test_run_by_paper_all_and_seeds(run, few):
    assert "irm-two" not in run("run", "coala").out
    everything = run("run", "all", "-f", "json")
    assert [record["ours"] for record in json.loads(everything.out)] == [4.0, 4.0]
    assert everything.err.splitlines() == [
        "experiments: coala-one: Made coala-one",
        "experiments: irm-two: Made irm-two",
    ]
    records = json.loads(run("run", "coala-one", "--seeds", 9, "-f", "json").out)
    assert (records[0]["ours"], records[0]["difference"]) == (9.0, 7.0)
    assert "9 seeds, full" in run("run", "coala-one", "-s", 9, "--full").out


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
def test_output_is_what_would_be_printed(run, tmp_path, form):
    path = tmp_path / "out"
    expected = run("run", CHEAP, "-f", form).out
    assert run("run", CHEAP, "-f", form, "-o", path).out == ""
    assert path.read_text(encoding="utf-8") == expected
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_as_a_process(process, tmp_path):
    path = tmp_path / "out.md"
    path.write_text("old", encoding="utf-8")
    result = process("run", CHEAP, "-f", "markdown", "-o", path)
    assert (result.returncode, result.stdout) == (0, "")
    assert path.read_text(encoding="utf-8").startswith(f"## {CHEAP}")


# Refusals


def test_unknown_names_are_refused(fails, tmp_path):
    line = fails("run", "binary-fig9", "-o", tmp_path / "out")
    assert "unknown experiment 'binary-fig9'; use " in line
    assert CHEAP in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seeds", ["0", "-3"])
@pytest.mark.parametrize("verb", [["run", CHEAP], ["verdicts"]])
def test_too_few_seeds_are_refused(fails, verb, seeds):
    assert fails(*verb, f"--seeds={seeds}").endswith(f"--seeds {seeds}: use at least 1.")


@pytest.mark.parametrize("verb", [[], ["run", CHEAP], ["verdicts"]])
def test_places_that_cannot_be_written_are_refused_before_work(fails, tmp_path, verb):
    assert "is a folder" in fails(*verb, "-o", tmp_path)
    assert "there is no folder" in fails(*verb, "-o", tmp_path / "no" / "out")


def test_a_missing_set_is_named_and_the_old_file_stays(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")
    result = run("run", "irm-fig3", "--data", tmp_path, "-o", path)
    assert (result.status, result.out) == (2, "")
    assert "the data set 'iris' is missing" in result.err.splitlines()[-1]
    assert "--fetch" in result.err
    assert path.read_text(encoding="utf-8") == "old"


def test_fetch_says_what_openml_lacks(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    result = run("run", "adco-table7", "--data", tmp_path, "--fetch")
    assert result.status == 2
    assert "OpenML is not known to have the data set 'kddcup99_corrected'" in result.err


# Verdicts


def test_verdicts_of_all(run, few, tmp_path):
    out = run("verdicts").out
    assert "Of 2 claims, 1 hold, 0 hold in part and 1 do not hold." in out
    assert [line for line in out.splitlines() if line.startswith("## ")] == [
        f"## {paper}: {PAPERS[paper]}" for paper in ("coala", "irm")
    ]
    assert "| coala-one \\| so it is. | holds | A reason. |" in out
    assert "| irm-two \\| so it is. | does not hold | A reason. |" in out
    assert "`python -m experiments run irm-two`, 4 seeds, quick." in out
    path = tmp_path / "papers.md"
    assert run("verdicts", "--output", path).out == ""
    assert path.read_text(encoding="utf-8") == out


def test_verdicts_with_seeds_and_in_full(run, few):
    assert "2 seeds, full." in run("verdicts", "--seeds", 2, "--full").out


def test_verdicts_that_fail_leave_the_old_page(run, tmp_path, monkeypatch):
    def fail(_):
        raise KeyboardInterrupt

    broken = Experiment("irm-two", "Broken", "Table 0", fail)
    monkeypatch.setattr(catalogue, "list_experiments", lambda: (made("coala-one", 3), broken))
    path = tmp_path / "papers.md"
    path.write_text("old", encoding="utf-8")
    assert run("verdicts", "-o", path).status == 130
    assert path.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["papers.md"]
