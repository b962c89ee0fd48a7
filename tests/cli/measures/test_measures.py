"""The verb ``measures``."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from clusterwise import list_measures, recommend


def test_all_measures_are_listed(run):
    result = run("measures")
    assert result.status == 0
    assert result.out == f"{list_measures()}\n"


def test_as_json_and_csv(run):
    names = [measure.name for measure in list_measures()]
    assert [row["name"] for row in json.loads(run("measures", "-f", "json").out)] == names
    rows = csv.DictReader(io.StringIO(run("measures", "-f", "csv").out))
    assert [row["name"] for row in rows] == names


def test_as_markdown(run):
    lines = run("measures", "--format", "markdown").out.splitlines()
    assert lines[0].startswith("| measure | family | ")
    assert len(lines) == 2 + len(list_measures())


def test_the_page_of_measures_is_up_to_date(run):
    page = Path(__file__).parents[3] / "docs/results/measures.md"
    table = page.read_text(encoding="utf-8").partition("\n\n| ")[2]
    assert run("measures", "--format", "markdown").out == f"| {table}"


@pytest.mark.parametrize("measure", list_measures(), ids=lambda measure: measure.name)
def test_every_measure_can_be_explained(run, measure):
    result = run("measures", measure.name)
    assert result.status == 0
    facts = dict(line.split("  ", 1) for line in result.out.splitlines()[1:])
    facts = {name: text.strip() for name, text in facts.items()}
    assert facts["meaning"] == measure.meaning
    assert facts["reference"] == measure.reference != ""
    assert measure.range in facts["range"]
    assert ("not metric" in facts["properties"]) == (not measure.metric)
    assert facts["formula"]
    assert facts["in words"].endswith(".")


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_one_measure_in_other_formats(run, form):
    out = run("measures", "rand_score", "-f", form).out
    assert "rand_score" in out
    assert "purity_score" not in out


def test_unknown_measures_get_suggestions(fails):
    assert "did you mean rand_score" in fails("measures", "rand_scor")


def test_output(run, tmp_path):
    path = tmp_path / "measures.txt"
    assert run("measures", "--output", path).out == ""
    assert path.read_text(encoding="utf-8") == f"{list_measures()}\n"


def test_measures_are_recommended(run):
    out = run("measures", "--for", "unbalanced, different numbers of clusters").out
    assert "Use adjusted_mutual_info_score and wallace_score." in out
    rows = json.loads(run("measures", "--sizes", "900", "80", "20", "-f", "json").out)
    assert rows == recommend(np.repeat([0, 1, 2], [900, 80, 20])).to_dict()["measures"]
    table = run("measures", "--sizes", "900", "80", "--for", "reference", "-f", "markdown").out
    assert "| wallace_score | yes |" in table
    rows = csv.DictReader(io.StringIO(run("measures", "--for", "soft", "-f", "csv").out))
    assert next(rows)["measure"] == "mallows_distance"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rand_score", "--for", "soft"], "leave out rand_score"),
        (["--sizes", "0", "3"], "--sizes must be at least 1, not 0"),
        (["--sizes", "7"], "--sizes needs at least two clusters"),
        (["--sizes", str(10**20), "5"], "--sizes add up to 100,000,000,000,000,000,005; use at"),
        (["--for", "blue"], "unknown need 'blue'"),
    ],
)
def test_recommendations_that_cannot_be_made(fails, arguments, message):
    assert message in fails("measures", *arguments)
