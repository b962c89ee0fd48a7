"""The experiments with the IRM-index: what is printed, the arithmetic of verdicts, small runs."""

import os
from pathlib import Path

import numpy as np
import pytest
from experiments.common.experiment import Setup
from experiments.irm import EXPERIMENTS
from experiments.irm.deviations import (
    Deviations,
    compare_with_accuracy,
    find_deviations,
    nearest,
    select_columns,
)
from experiments.irm.figures import (
    judge_australian,
    judge_iris,
    judge_liver,
    judge_spect,
    run_figure,
)
from experiments.irm.published import INDICES, P1, P2, P3, SEEDS, TABLE_1, TABLE_2
from experiments.irm.table1 import find_lowest, judge_table1, run_table1
from experiments.irm.table2 import End, find_end, find_start, judge_table2, run_table2

import clusterwise as cw
from clusterwise.datasets import load_dataset, make_ds1
from clusterwise.datasets.toy import Dataset
from helpers.paper_folders import write_sets

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
SETS = ("iris", "bupa", "wine")
needs_data = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / f"{name}.csv.gz").exists() for name in SETS),
    reason=f"CLUSTERWISE_DATA names no folder with {', '.join(SETS)}",
)
COLUMNS = {index: i for i, index in enumerate(INDICES)}


def made(curves, classes=2, n=100):
    """Deviations from curves by index; others are 0.3 at every k."""
    length = len(next(iter(curves.values())))
    values = np.full((length, len(INDICES)), 0.3)
    for index, curve in curves.items():
        values[:, COLUMNS[index]] = curve
    return Deviations(n, classes, values)


def find_claim(claims, start):
    return next(claim for claim in claims if claim.sentence.startswith(start))


def small(n=30, seed=0):
    data = make_ds1(seed)
    rows = np.random.default_rng(seed).permutation(1200)[:n]
    return Dataset("small", data.X[rows], data.labels[rows], data.feature_names, data.kinds)


def test_names_and_sets():
    assert [one.name for one in EXPERIMENTS] == [
        "irm-table1", "irm-table2", "irm-fig2", "irm-fig3", "irm-fig4", "irm-fig5"
    ]  # fmt: skip
    assert set(EXPERIMENTS[1].sets) == set(TABLE_2)
    assert all(one.where for one in EXPERIMENTS)


def test_what_is_printed():
    assert TABLE_1["NMI"] == (0.0757575, 0.05555)
    assert TABLE_1["Rand"] == (0.9642, 0.8571)
    assert len(TABLE_2) == 10
    assert TABLE_2["wine"].sums == (0.177859, 1.533105, 0.246755, 0.282415, 0.182751, 0.431561)
    assert TABLE_2["german"][1:4] == (1000, 2, 15)
    # In print IRM has the smallest sum of every row, which a slip of the pen would hardly keep.
    assert all(min(row.sums) == row.sums[0] for row in TABLE_2.values())


def test_table_1_as_computed_by_the_library():
    outcome = run_table1(Setup(1))
    ours = {line.what: line for line in outcome.tables[0].lines}
    assert ours["IRM", "P1, P2"].ours == cw.irm_score(P1, P2) == 0.875
    assert ours["Rand", "P1, P3"].ours == pytest.approx(26 / 28)
    assert ours["Rand", "P1, P3"].remark
    assert ours["NMI", "P1, P2"].ours == pytest.approx(20 / 21)
    formula = "NMI, formula as printed"
    assert ours[formula, "P1, P3"].difference == pytest.approx(0, abs=1e-5)
    assert not ours[formula, "P1, P3"].remark
    assert ours[formula, "P1, P2"].remark
    # Where print is right, so are we, to its digits.
    right = [line for line in outcome.tables[0].lines if not line.remark]
    assert len(right) == 10
    assert all(abs(line.difference) < 2e-4 for line in right)


def test_verdicts_on_table_1():
    verdicts = {claim.sentence[:12]: claim.verdict for claim in run_table1(Setup(1)).claims}
    assert verdicts == {
        "By IRM, P1 i": "holds",
        "By Jaccard, ": "holds on 2 of 3",
        "Rand disting": "holds",
        "AR and NMI c": "holds on 1 of 2",
    }


def test_verdicts_on_table_1_can_fail():
    values = dict.fromkeys(TABLE_1, (0.5, 0.6))
    claims = judge_table1(values, {"AR": 0.0, "NMI": 0.0})
    assert [claim.holds for claim in claims] == [0, 0, 0, 0]
    assert "Jaccard is 0.5 and 0.6" in claims[1].why


def test_lowest_values_over_all_partitions():
    lowest = find_lowest(4)
    assert lowest["AR"] == cw.adjusted_rand_score([0, 0, 1, 1], [0, 1, 0, 1]) == -0.5
    assert lowest["NMI"] == 0.0


def test_deviations_are_accuracy_less_index():
    table = cw.Contingency.from_labels(P1, P3)
    values = dict(zip(INDICES, compare_with_accuracy(table), strict=True))
    assert values["IRM"] == 0.75 - 0.75
    assert values["Rand"] == pytest.approx(0.75 - 26 / 28)
    assert values["Wallace"] == pytest.approx(0.75 - 0.5**0.5)


def test_k_ends_at_the_number_of_objects():
    found = find_deviations(small(12), 1, progress=False)
    assert (found.n, found.classes, found.largest) == (12, 3, 12)
    # All objects are singletons: accuracy is a cluster in three, and no pair is within a cluster.
    truth = small(12).labels
    expected = 3 / 12 - cw.rand_score(truth, range(12))
    assert found.values[-1, COLUMNS["Rand"]] == pytest.approx(expected)


def test_seeds_are_averaged_and_repeatable():
    first, again = (find_deviations(small(), 3, 6, progress=False) for _ in range(2))
    assert np.array_equal(first.values, again.values)
    with cw.threads(2):
        assert np.array_equal(first.values, find_deviations(small(), 3, 6, False).values)
    assert not np.array_equal(first.values, find_deviations(small(), 1, 6, False).values)


def test_views_of_the_deviations():
    found = made({"IRM": np.arange(10) / 100, "Rand": -np.arange(10) / 10}, classes=3)
    assert found.largest == 11
    assert found.of("Rand") == pytest.approx(np.arange(1, 10) / 10)
    assert select_columns(found.early, "IRM") == pytest.approx(0.03)
    assert select_columns(found.late, "Rand") == pytest.approx(0.7)
    assert nearest(found.at(11)) == "IRM"
    assert found.between(2, 3).shape == (2, 6)


def test_everything_is_repeated_as_often_as_in_the_paper():
    repeated = [one for one in EXPERIMENTS if one.seeds > 1]
    assert len(repeated) == 5
    assert {one.full_seeds for one in repeated} == {SEEDS}


def test_the_end_of_a_sum_is_found():
    found = made({index: np.full(20, 0.1) for index in INDICES})
    assert find_end(found, 4, [0.7] * 6) == pytest.approx(End(10, 1.0, 1.8 / 0.7))
    assert find_end(found, 4, [50.0] * 6).k == found.largest


def test_the_first_k_from_which_irm_is_best():
    late = made({"IRM": [0.2] * 6 + [0.01] * 6, "AR": [0.1] * 12})
    start = find_start(late)
    assert late.between(start, 13).sum(axis=0).argmin() == COLUMNS["IRM"]
    assert late.between(start - 1, 13).sum(axis=0).argmin() != COLUMNS["IRM"] or start == 2
    assert find_start(made({"IRM": [0.2] * 12, "AR": [0.1] * 12})) is None


@pytest.mark.parametrize(("winner", "held"), [("IRM", 10), ("Wallace", 0)])
def test_verdicts_on_table_2_count_sets(winner, held):
    falling = np.linspace(0.3, 0.1, 49)
    curves = dict.fromkeys(INDICES, falling) | {winner: falling / 2}
    found = {name: made(curves, row.k) for name, row in TABLE_2.items()}
    ends = dict.fromkeys(TABLE_2, End(50, 1.2, 1.2))
    claims = judge_table2(found, ends)
    for start in ("From k1", "The same from k1", "With few", "With many"):
        claim = find_claim(claims, start)
        assert (claim.holds, claim.of) == (held, 10)
        assert ("Wallace is on Australian" in claim.why) == (held == 0)
    assert find_claim(claims, "With more").holds == 40
    assert find_claim(claims, "The sums run").verdict == "holds"


def test_verdicts_on_table_2_name_what_grows_and_what_ends_early():
    growing = dict.fromkeys(INDICES, np.linspace(0.1, 0.3, 49))
    found = {name: made(growing, row.k) for name, row in TABLE_2.items()}
    ends = dict.fromkeys(TABLE_2, End(50, 1.2, 1.2)) | {"wine": End(28, 1.05, 8.4)}
    claims = judge_table2(found, ends)
    grown = find_claim(claims, "With more")
    assert (grown.holds, grown.of) == (0, 40)
    assert "Wallace on 10" in grown.why
    short = find_claim(claims, "The sums run")
    assert (short.holds, short.of) == (9, 10)
    assert "Wine 28 (×1.05, at 50 ×8.40)" in short.why


def test_verdicts_on_figures_hold_and_fail():
    falling, rising = np.linspace(0.5, 0.05, 49), np.linspace(0.05, 0.5, 49)
    steady = np.full(49, 0.04)
    as_claimed = made(
        {"Rand": rising, "NMI": falling, "AR": falling, "IRM": steady, "Wallace": steady + 0.01}
    )
    assert {claim.verdict for claim in judge_australian(as_claimed)} == {"holds"}
    reversed_ = made(
        {"Rand": falling, "NMI": rising, "AR": falling, "IRM": rising, "Wallace": falling - 0.01}
    )
    verdicts = [claim.verdict for claim in judge_australian(reversed_)]
    assert verdicts[:4] == ["does not hold"] * 4
    assert verdicts[4].startswith("holds on ")


def test_verdicts_on_iris_spect_and_liver_hold_and_fail():
    few = {"Rand": np.linspace(0.4, 0.6, 20), "AR": [0.02] * 10 + [0.2] * 10, "IRM": [0.1] * 20}
    few["NMI"] = np.linspace(0.1, 0.3, 20)
    assert {claim.verdict for claim in judge_iris(made(few, 3))} == {"holds"}
    wrong = made({"Rand": [0.0] * 20, "IRM": np.linspace(0.31, 0.9, 20)}, 3)
    assert {claim.verdict for claim in judge_iris(wrong)} == {"does not hold"}
    falling = np.linspace(0.6, 0.05, 20)
    right = made({"AR": falling, "NMI": falling, "IRM": falling / 20})
    assert {claim.verdict for claim in judge_spect(right)} == {"holds"}
    assert {claim.verdict for claim in judge_liver(right)} == {"holds"}
    other = judge_spect(made({"Wallace": [0.1] * 20, "IRM": [0.31] * 20}))
    assert [claim.holds for claim in other] == [0, 0, 1, 0, 0]
    assert other[3].why == "The closest are: Wallace at 20 k."
    assert [claim.holds for claim in judge_liver(made({"AR": [0.1] * 20}))] == [0, 0]


def test_small_stand_ins_run_whole_and_twice_the_same(tmp_path):
    folder = write_sets(tmp_path, {name: row.k1 + 8 for name, row in TABLE_2.items()})
    setup = Setup(1, folder, progress=False)
    first, again = run_table2(setup), run_table2(setup)
    assert [table.records() for table in first.tables] == [
        table.records() for table in again.tables
    ]
    assert first.claims == again.claims
    assert len(first.tables[0].lines) == 60
    assert any("Lenses has 12 objects" in remark for remark in first.remarks)
    shown = first.tables[2].text_table().text()
    assert "Glass" in shown


@needs_data
def test_curves_of_iris():
    outcome = run_figure("iris", judge_iris, Setup(1, FOLDER, progress=False))
    assert find_claim(outcome.claims, "IRM is always closer").verdict == "holds"
    assert [line.what[0] for line in outcome.tables[0].lines[::6]] == [
        "3", "5", "10", "20", "30", "40", "50"
    ]  # fmt: skip


@needs_data
@pytest.mark.parametrize(("name", "last"), [("bupa", 30), ("wine", 28)])
def test_some_printed_sums_end_before_fifty(name, last):
    """All six are reached within a tenth or so, on average, if they end there."""
    row = TABLE_2[name]
    found = find_deviations(load_dataset(name, FOLDER), 5, progress=False)
    assert (found.n, found.classes) == (row.n, row.k)
    end = find_end(found, row.k1, row.sums)
    assert abs(end.k - last) <= 1
    assert end.factor < 1.1
    assert end.whole > 1.5
