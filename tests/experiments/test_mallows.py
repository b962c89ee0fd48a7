"""The experiments with CC and CSS: what is printed, the arithmetic of verdicts, small runs."""

import os
from pathlib import Path

import numpy as np
import pytest
from experiments.common.experiment import Setup
from experiments.mallows import EXPERIMENTS
from experiments.mallows.datasets import load_real
from experiments.mallows.labellings import LabellingScores, judge_labels, means
from experiments.mallows.published import REAL, SETS, TABLE_1, TABLE_2, TABLE_3
from experiments.mallows.real import judge_figure7, run_figure7
from experiments.mallows.soft import (
    PairScores,
    compare_soft,
    count_broken,
    judge_table1,
    largest_cc,
    run_table1,
)
from experiments.mallows.table2 import claims_of_table2, judge_ds1, run_table2
from experiments.mallows.table3 import (
    claim_of_outward,
    claims_of_table3,
    move_out,
    run_table3,
)
from experiments.mallows.times import (
    count_agreeing,
    judge_figure8,
    judge_figure9,
    run_figure8,
    run_figure9,
)

import clusterwise as cw
from clusterwise.datasets import make_ds1, make_ds2
from helpers.paper_folders import write_sets

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
needs_data = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / f"{name}.csv.gz").exists() for name in REAL),
    reason=f"CLUSTERWISE_DATA names no folder with {', '.join(REAL)}",
)


@pytest.fixture
def small(tmp_path):
    """A setup with small stand-ins for the real sets."""
    folder = write_sets(tmp_path, dict.fromkeys(REAL, 60) | {"sequoia": 600}, features=3)
    return Setup(1, folder, progress=False)


def verdicts(claims):
    return [claim.verdict for claim in claims]


def test_names():
    assert [one.name for one in EXPERIMENTS] == [
        "mallows-table1", "mallows-table2", "mallows-table3", "mallows-fig7", "mallows-fig8",
        "mallows-fig9",
    ]  # fmt: skip
    assert EXPERIMENTS[0].sets == REAL
    assert EXPERIMENTS[1].sets == ()


def test_what_is_printed():
    assert list(TABLE_1) == list(SETS)
    assert TABLE_1["ds2"] == (0.42, 0.39)
    assert TABLE_1["bupa"] == (0.40, 0.002)
    assert TABLE_2["L_ac"] == (0.202, 0.881, 0.658)
    assert TABLE_3["k-means"] == (0.48, 0.39, 1.19)


def test_no_cc_exceeds_the_largest_one():
    """Reached where one cluster has nearly all of every object, and all have the same share."""
    assert largest_cc(5) == pytest.approx(0.32)
    nearly = np.tile([1 - 4e-9, 1e-9, 1e-9, 1e-9, 1e-9], (50, 1))
    even = np.full((50, 5), 0.2)
    assert cw.mallows_distance(nearly, even, normalized=True) == pytest.approx(largest_cc(5))
    random = np.random.default_rng(0)
    for _ in range(50):
        first, second = random.dirichlet(np.full(5, random.choice([0.01, 0.1, 1.0])), (2, 40))
        assert cw.mallows_distance(first, second, normalized=True) < largest_cc(5)


def test_em_and_cem_on_ds1():
    found = compare_soft(make_ds1(0).X, 3, 0)
    assert found.cc < 0.02 < found.vi
    assert found.vi_itself == pytest.approx(found.vi, abs=0.05)
    assert (found.cc_broken, found.vi_broken, found.cc_unlike) == (0, 0, 0)
    assert found == compare_soft(make_ds1(0).X, 3, 0)


def test_broken_triples_are_counted():
    assert count_broken(np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0]])) == 2
    assert count_broken(np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])) == 0
    # VI of a soft clustering with itself is no break of the triangle inequality.
    assert count_broken(np.array([[0.5, 1.0], [1.0, 0.7]])) == 0


def compared(vi, cc, **others):
    return PairScores(
        **{"vi": vi, "cc": cc, "vi_itself": vi, "cc_broken": 0, "vi_broken": 0, "cc_unlike": 0}
        | others
    )


def test_verdicts_on_table_1_hold_and_fail():
    printed = {name: [compared(*values, vi_broken=1)] for name, values in TABLE_1.items()}
    assert verdicts(judge_table1(printed)) == ["holds"] * 7
    wrong = {name: [compared(0.1, 0.2, cc_unlike=1)] * 2 for name in SETS}
    wrong["sonar"] = [compared(0.5, 0.8)] * 2
    claims = judge_table1(wrong)
    assert verdicts(claims)[:5] == ["does not hold"] * 5
    assert (claims[0].holds, claims[0].of) == (0, 2)
    assert claims[5].verdict == "holds on 1 of 6"
    assert claims[6].verdict == "does not hold"
    assert "Seq. 0.200" in claims[3].why


def test_table_1_runs_on_stand_ins(small):
    outcome = run_table1(small)
    lines = {line.what: line for line in outcome.tables[0].lines}
    assert len(lines) == 18
    assert "above 0.32" in lines["DS2", "CC"].remark
    assert outcome.claims[5].verdict == "holds"
    assert outcome.claims[6].verdict == "does not hold"


def test_a_labelling_beside_the_truth():
    data = make_ds1(0)
    assert judge_labels(data.labels, data.labels, data.X) == (0.0, 1.0, 0.0)
    found = judge_ds1(data, 0)
    joined = found["A and B as one"]
    assert joined.rand == pytest.approx(1 - 400 * 400 / (1200 * 1199 / 2))
    # The printed values of DBSCAN are near it, and so is ours.
    for one in (LabellingScores(*TABLE_2["DBSCAN"]), found["DBSCAN"]):
        assert one.rand == pytest.approx(joined.rand, abs=0.03)
    assert means([joined, LabellingScores(0.0, 0.0, 0.0)]).rand == pytest.approx(joined.rand / 2)


def test_verdicts_on_table_2_hold_and_fail():
    printed = {name: [LabellingScores(*values)] for name, values in TABLE_2.items()}
    assert verdicts(claims_of_table2(printed)) == ["holds"] * 4
    worse = LabellingScores(0.9, 0.1, 9.0)
    swapped = printed | {"k-means": [worse], "L_ab": [worse]}
    assert verdicts(claims_of_table2(swapped)) == ["does not hold"] * 4


def test_verdicts_on_table_3_hold_and_fail():
    printed = {name: [LabellingScores(*values)] for name, values in TABLE_3.items()}
    assert verdicts(claims_of_table3([printed])) == ["holds"] * 4
    swapped = {
        "one cluster": printed["k-means"],
        "DBSCAN": [LabellingScores(0.5, 0.5, 2.0)],
        "k-means": printed["one cluster"],
    }
    claims = claims_of_table3([printed, swapped])
    assert [(claim.holds, claim.of) for claim in claims] == [(1, 2), (1, 2), (1, 2), (1, 2)]


def test_tables_2_and_3_run():
    setup = Setup(1, progress=False)
    second, third = run_table2(setup), run_table3(setup)
    assert verdicts(second.claims) == ["holds"] * 4
    assert verdicts(third.claims)[:4] == ["holds"] * 3 + ["holds on 1 of 2"]
    assert len(third.tables) == 3
    outward = [line.ours for line in third.tables[2].lines]
    assert len(outward) == 8
    assert outward[0] > 1
    assert third.claims[4].holds == sum(ratio > 1 for ratio in (*outward[1:4], *outward[5:]))
    needed = {line.what: line for line in third.tables[1].lines}
    for measure in ("VI", "Rand"):
        assert abs(needed["one cluster", measure].difference) < 0.01
    assert run_table2(setup).tables[0].records() == second.tables[0].records()


def test_satellites_move_out_and_the_centre_stays():
    data = make_ds2(0)
    moved = move_out(data, 3.0)
    centre, north = (data.labels == name for name in ("centre", "north"))
    assert moved.X[centre] == pytest.approx(data.X[centre])
    assert moved.X[north] - data.X[north] == pytest.approx(np.tile([0.0, 0.4], (250, 1)))


def test_the_verdict_on_satellites_farther_out():
    found = {("a", 1.0): 0.5, ("a", 2.0): 1.5, ("a", 3.0): 0.9}
    assert claim_of_outward(found).verdict == "holds on 1 of 2"
    assert claim_of_outward(found).why
    assert claim_of_outward(dict.fromkeys(found, 2.0)).verdict == "holds"


def test_one_cluster_by_closed_form():
    data = make_ds2(0)
    one = judge_labels(data.labels, np.zeros(2000, int), data.X)
    assert one.css * 100 == pytest.approx(2 / 3 * 1000 * 0.2)


def test_orders_of_sets_are_compared():
    alike = {"a": (0.1, 0.1, 0.1), "b": (0.2, 0.2, 0.2)}
    other = {"a": (0.1, 0.1, 0.3), "b": (0.2, 0.2, 0.2)}
    assert judge_figure7([alike, other]).verdict == "holds on 1 of 2"
    assert judge_figure7([alike]).verdict == "does not hold"
    # VI and Rand disagree, so CSS disagrees with one of them.
    assert judge_figure7([{"a": (0.1, 0.3, 0.1), "b": (0.2, 0.2, 0.2)}]).verdict == "holds"


def test_figure_7_runs_on_stand_ins(small):
    outcome = run_figure7(small)
    assert len(outcome.tables[0].lines) == 4 * 3 * 3
    assert all(0 <= line.ours <= 1 for line in outcome.tables[0].lines)
    assert outcome.claims[0].of == 18


def test_sequoia_is_thinned_in_the_quick_form(small):
    assert load_real(small, "sequoia").shape == (60, 3)
    assert load_real(small._replace(full=True), "sequoia").shape == (600, 3)
    assert load_real(small, "sonar").shape == (60, 2)


def test_rand_pair_by_pair():
    random = np.random.default_rng(0)
    a, b = random.integers(4, size=(2, 1203))
    assert count_agreeing(a, b) == pytest.approx(cw.rand_score(a, b), abs=1e-12)


def test_verdicts_on_figure_8_hold_and_fail():
    linear, square = [1.0, 5.0, 20.0, 80.0], [1.0, 25.0, 400.0, 6400.0]
    flat, steep = [1.0] * 5 + [2.0], [1.0] * 5 + [10.0]
    right = judge_figure8({"VI": linear, "CC": linear}, {"VI": flat, "CC": steep})
    assert verdicts(right) == ["holds", "holds"]
    wrong = judge_figure8({"VI": linear, "CC": square}, {"VI": steep, "CC": flat})
    assert verdicts(wrong) == ["holds on 1 of 2", "does not hold"]
    assert wrong[1].why


def test_verdicts_on_figure_9_hold_and_fail():
    pairs, table = "Rand, pair by pair", "Rand, from the table"
    times = {"CSS": [1.0, 1.0], pairs: [2.0, 5.0], table: [2.0, 5.0]}
    assert verdicts(judge_figure9(times, times)) == ["holds"] * 3
    quick = times | {table: [0.1, 0.1]}
    claims = judge_figure9(quick, quick)
    assert verdicts(claims) == ["holds on 1 of 2", "holds", "holds on 1 of 2"]
    assert "contingency" in claims[0].why
    unstable = times | {"CSS": [9.0, 9.0], pairs: [1.0, 5.0], table: [1.0, 5.0]}
    assert verdicts(judge_figure9(unstable, unstable)) == ["does not hold"] * 3


def test_times_are_taken():
    setup = Setup(1, progress=False)
    for outcome, lines in ((run_figure8(setup), (8, 12)), (run_figure9(setup), (12, 12))):
        assert tuple(len(table.lines) for table in outcome.tables) == lines
        assert all(line.ours > 0 for table in outcome.tables for line in table.lines)


@needs_data
def test_cc_tells_ds2_from_sonar_and_vi_does_not():
    sonar = compare_soft(load_real(Setup(1, FOLDER), "sonar"), 2, 0)
    nested = compare_soft(make_ds2(0).X, 5, 0)
    assert nested.cc > 2 * sonar.cc
    assert nested.vi < 1.5 * sonar.vi
    assert nested.cc < TABLE_1["ds2"][1]
