"""What experiments are, where their data comes from, how they are run and shown."""

import io
import re

import numpy as np
import pytest
from experiments.catalogue import (
    PAPERS,
    experiments_table,
    find_experiments,
    list_experiments,
)
from experiments.common.datasets import cache_folder, find_dataset
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.running import as_markdown, as_page, as_rich, as_text, run_experiment
from rich.console import Console

from clusterwise._utils.errors import InputError
from helpers.paper_folders import write_sets

pytestmark = pytest.mark.slow

LINES = [
    Line(("sonar", "VI"), 0.51234, 0.5),
    Line(("sonar", "CC"), 0.25, None, "not printed"),
    Line(("liver", "VI"), None, 1.0),
]
TABLE = Table("By set", ("data set", "measure"), LINES)
CLAIMS = [
    Claim("CC is lower.", 1),
    Claim("VI is lower.", 2, 3, "Not on liver."),
    Claim("Both are high.", 0, 4, "Both are low."),
]


def make_experiment(name="mallows-made", tables=(TABLE,), claims=CLAIMS, **options):
    """An experiment whose outcome tells how it was set up."""

    def run(setup):
        return Outcome(tables, claims, (f"seeds {setup.seeds}, full {setup.full}.",))

    return Experiment(name, "Made up", "Table 9, p. 1", run, **options)


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No folder is named, and the cache is empty."""
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    return tmp_path


def make_folder(path, seed=0, names=("sonar",)):
    path.mkdir(parents=True, exist_ok=True)
    return write_sets(path, dict.fromkeys(names, 12), seed=seed)


# Lines, tables and claims


def test_a_difference_needs_two_numbers():
    assert [line.difference for line in LINES] == [pytest.approx(0.01234), None, None]
    assert Line(("a",), 0.0, 0.0).difference == 0.0


def test_records_keep_all_digits():
    first, second, third = TABLE.records()
    assert first == {
        "data set": "sonar",
        "measure": "VI",
        "ours": 0.51234,
        "published": 0.5,
        "difference": pytest.approx(0.01234),
        "remark": "",
    }
    assert (second["published"], second["remark"]) == (None, "not printed")
    assert third["ours"] is None


def test_a_line_must_fit_its_keys():
    with pytest.raises(ValueError, match="zip"):
        Table("", ("data set",), LINES).records()


def test_a_table_as_text():
    assert TABLE.text_table().text().splitlines() == [
        "By set",
        "data set  measure   ours  published  difference  remark",
        "sonar     VI       0.512      0.500       0.012",
        "sonar     CC       0.250                         not printed",
        "liver     VI                  1.000",
    ]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (Line(("a",), 1.0), ["ours"]),
        (Line(("a",), None, 1.0), ["published"]),
        (Line(("a",), 0.0, 0.0), ["ours", "published", "difference"]),
        (Line(("a",), 1.0, None, "why"), ["ours", "remark"]),
    ],
)
def test_columns_in_which_nothing_stands_are_left_out(line, shown):
    assert Table("", ("set",), [line]).text_table().header == ["set", *shown]


def test_digits():
    assert Table("", ("set",), [Line(("a",), 12.345)], digits=1).text_table().rows == [
        ["a", "12.3"]
    ]


@pytest.mark.parametrize(
    ("holds", "of", "verdict"),
    [
        (1, 1, "holds"),
        (6, 6, "holds"),
        (5, 6, "holds on 5 of 6"),
        (1, 6, "holds on 1 of 6"),
        (0, 1, "does not hold"),
        (0, 6, "does not hold"),
    ],
)
def test_verdicts(holds, of, verdict):
    assert Claim("So it is.", holds, of).verdict == verdict


# The catalogue


def test_all_experiments_are_of_a_known_paper_in_order():
    every = list_experiments()
    names = [one.name for one in every]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(rf"({'|'.join(PAPERS)})-[a-z0-9]+", name) for name in names)
    assert list(dict.fromkeys(one.paper for one in every)) == list(PAPERS)


@pytest.mark.parametrize("experiment", list_experiments(), ids=lambda one: one.name)
def test_every_experiment_says_what_and_where_it_is(experiment):
    assert experiment.title
    assert re.search(r"(Table|Fig)", experiment.where)
    assert experiment.seeds >= 1
    assert len(set(experiment.sets)) == len(experiment.sets)


def test_experiments_are_found_by_name_by_paper_and_all():
    assert [one.name for one in find_experiments("binary-example")] == ["binary-example"]
    assert {one.paper for one in find_experiments("irm")} == {"irm"}
    assert len(find_experiments("irm")) > 1
    assert find_experiments("all") == list(list_experiments())


@pytest.mark.parametrize("name", ["binary-nonsense", "000", "", "binary-"])
def test_unknown_experiments_name_the_known_ones(name):
    with pytest.raises(InputError, match="unknown experiment") as caught:
        find_experiments(name)
    assert repr(name) in str(caught.value)
    assert "binary-example" in str(caught.value)


def test_the_list_has_a_row_for_each():
    grid = experiments_table()
    assert [row[0] for row in grid.rows] == [one.name for one in list_experiments()]
    assert {len(row) for row in grid.rows} == {len(grid.header)}


# Where data comes from


def test_data_from_a_folder(nowhere):
    folder = make_folder(nowhere / "data")
    assert find_dataset("sonar", folder).X.shape == (12, 3)
    assert Setup(1, folder).load("sonar").name == "sonar"


def test_data_from_the_environment(nowhere, monkeypatch):
    monkeypatch.setenv("CLUSTERWISE_DATA", make_folder(nowhere / "data"))
    assert find_dataset("sonar").X.shape == (12, 3)


def test_data_from_the_cache(nowhere):
    make_folder(cache_folder())
    assert cache_folder().parent == nowhere / "home"
    assert find_dataset("sonar").X.shape == (12, 3)


def test_a_folder_goes_before_the_environment_and_that_before_the_cache(nowhere, monkeypatch):
    first, second = (make_folder(nowhere / str(seed), seed) for seed in (1, 2))
    make_folder(cache_folder(), 3, ("sonar", "wine"))
    kept = find_dataset("sonar").X
    monkeypatch.setenv("CLUSTERWISE_DATA", second)
    named = find_dataset("sonar").X
    given = find_dataset("sonar", first).X
    assert not np.array_equal(kept, named)
    assert not np.array_equal(named, given)
    # What the folder lacks may be in the cache.
    assert find_dataset("wine", first).name == "wine"


@pytest.mark.parametrize("named", [True, False])
def test_a_missing_set_is_named_with_what_to_do(nowhere, named):
    folder = make_folder(nowhere / "data") if named else None
    with pytest.raises(InputError) as caught:
        find_dataset("glass", folder)
    message = str(caught.value)
    assert "'glass' is missing" in message
    assert "glass.csv.gz" in message
    assert (str(folder) if named else "CLUSTERWISE_DATA") in message
    assert "--data" in message
    assert "--fetch" in message
    assert not cache_folder().exists() or not list(cache_folder().iterdir())


def test_what_is_there_is_not_fetched(nowhere, monkeypatch):
    def refuse(*_):
        raise AssertionError("fetched")

    monkeypatch.setattr("experiments.common.openml.fetch_dataset", refuse)
    folder = make_folder(nowhere / "data")
    assert find_dataset("sonar", folder, fetch=True).name == "sonar"
    with pytest.raises(AssertionError, match="fetched"):
        find_dataset("glass", folder, fetch=True)


# Runs


def test_an_experiment_has_a_default_number_of_seeds():
    one = make_experiment(seeds=7)
    assert run_experiment(one).outcome.remarks == ("seeds 7, full False.",)
    assert run_experiment(one, seeds=2, full=True).outcome.remarks == ("seeds 2, full True.",)


def test_a_run_passes_on_how_it_is_set_up(tmp_path):
    ran = run_experiment(make_experiment(), tmp_path, 3, full=True, fetch=True)
    assert ran.setup == Setup(3, tmp_path, full=True, fetch=True)
    assert ran.seconds >= 0


def test_runs_as_text():
    shown = as_text([run_experiment(make_experiment(seeds=2)), run_experiment(make_experiment())])
    blocks = shown.split("\n\n")
    assert blocks[0] == "mallows-made: Made up (Table 9, p. 1), 2 seeds, quick"
    assert blocks[1] == TABLE.text_table().text()
    assert blocks[2].splitlines()[2].split("  ") == [
        "VI is lower.", "", "holds on 2 of 3", "Not on liver."
    ]  # fmt: skip
    assert blocks[3] == "seeds 2, full False."
    assert blocks[4] == "mallows-made: Made up (Table 9, p. 1), 1 seed, quick"


def test_runs_as_markdown():
    shown = as_markdown([run_experiment(make_experiment(), full=True)])
    assert shown.startswith("## mallows-made: Made up (Table 9, p. 1), 1 seed, full\n\nBy set\n")
    assert "| sonar | VI | 0.512 | 0.500 | 0.012 |  |" in shown
    assert "| Both are high. | does not hold | Both are low. |" in shown


def test_runs_for_a_terminal():
    console = Console(width=120, file=io.StringIO())
    console.print(as_rich([run_experiment(make_experiment())]))
    shown = console.file.getvalue()
    assert "not printed" in shown
    assert "holds on 2 of 3" in shown


def test_an_experiment_without_claims_has_no_empty_table():
    assert "verdict" not in as_text([run_experiment(make_experiment(claims=()))])


def test_the_page_of_verdicts():
    done = [
        run_experiment(make_experiment("irm-late")),
        run_experiment(make_experiment("mallows-made", claims=CLAIMS[:1]), seeds=5),
    ]
    shown = as_page(done)
    assert shown.startswith("# Verdicts on the papers' claims")
    assert "Of 4 claims, 2 hold, 1 hold in part and 1 do not hold." in shown
    headings = [line for line in shown.splitlines() if line.startswith("## ")]
    assert headings == [f"## {number}: {PAPERS[number]}" for number in ("mallows", "irm")]
    assert "`python -m experiments run mallows-made`, 5 seeds, quick." in shown
    assert "| VI is lower. | holds on 2 of 3 | Not on liver. |" in shown
    assert "0.512" not in shown
    assert "seeds 5, full False." in shown


def test_the_same_seeds_give_the_same_tables_and_claims():
    (example,) = find_experiments("binary-example")
    first, again = (run_experiment(example).outcome for _ in range(2))
    assert [one.records() for one in first.tables] == [one.records() for one in again.tables]
    assert first.claims == again.claims
