"""MAXIMUS and its rivals: printed values, arithmetic of claims, small runs."""

import os
from pathlib import Path

import numpy as np
import pytest
from experiments.adco import ALTERNATIVES, EXPERIMENTS, fig14, fig14_claims, fig15, table10, table11
from experiments.adco.methods import (
    KINDS,
    OURS,
    PUBLISHED,
    SETS,
    SEVERAL,
    SINGLE,
    AlternativeScores,
    find,
    find_one,
    load_case,
)
from experiments.adco.optima import Span, describe_spans, shuffle
from experiments.adco.published_alternatives import (
    BEST,
    COLIC,
    META_AHEAD,
    RECORDS,
    TWO_ALTERNATIVES,
)
from experiments.common.dunn_forms import QUICK_FORMS, USUAL_FORM
from experiments.common.experiment import Setup
from experiments.common.maximus_datasets import MAXIMUS_DATASETS
from experiments.common.published_maximus import DQ_BY_BINNING, OTHERS, SECONDS, DQs

from clusterwise.datasets import Dataset
from clusterwise.measures.dq import DQ
from helpers.paper_folders import write_sets

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
needs_data = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / f"{name}.csv.gz").exists() for name in SETS),
    reason="CLUSTERWISE_DATA names no folder with the thirteen data sets",
)
SMALL = ("hepatitis", "postoperative", "sonar")


def claim(claims, part):
    found = [one for one in claims if part in one.sentence]
    assert len(found) == 1
    return found[0]


def test_they_are_among_the_experiments():
    names = ["adco-fig14", "adco-table10", "adco-fig15", "adco-table11"]
    assert [one.name for one in ALTERNATIVES] == names
    assert [one.name for one in EXPERIMENTS][-4:] == names


def test_printed_values():
    assert (RECORDS["CIB"], RECORDS["CondEns"], RECORDS["COALA"]) == ((12, 1), (9, 4), (7, 6))
    assert all(sum(record) == len(MAXIMUS_DATASETS) for record in RECORDS.values())
    assert BEST == 7
    assert TWO_ALTERNATIVES["waveform-5000"] == 122.89
    assert list(TWO_ALTERNATIVES) == list(SECONDS) == list(OTHERS)


def scored(*scores, **others):
    return AlternativeScores(dict.fromkeys(QUICK_FORMS, DQ(*scores)), **others)


def answers_of(values, kind=PUBLISHED):
    """The same scores on all sets for each method; the other kind has 0.5 everywhere."""
    even = [scored(0.5, 0.5, 0.5)]
    return {
        (which, name, method): [scored(*scores)] if which == kind else even
        for which in KINDS
        for name in SETS
        for method, scores in values.items()
    }


def test_claims_of_figure_14_both_ways():
    as_claimed = {
        "CIB": (0.0, 0.9, 0.1),
        "CondEns": (0.4, 0.5, 0.4),
        "COALA": (0.5, 0.6, 0.5),
        "MAXIMUS": (0.9, 0.5, 0.6),
    }
    claims = fig14_claims.make_claims(answers_of(as_claimed), {})
    assert [one.verdict for one in claims[:-1]] == ["holds"] * 8
    # One seed has no spread.
    assert claims[-1].verdict == "does not hold"
    turned = {
        "CIB": (0.9, 0.9, 0.9),
        "CondEns": (0.8, 0.8, 0.8),
        "COALA": (0.7, 0.7, 0.7),
        "MAXIMUS": (0.1, 0.1, 0.1),
    }
    claims = fig14_claims.make_claims(answers_of(turned), {})
    assert [one.holds for one in claims] == [0] * 9
    assert "CIB 13" in claims[0].why
    ours = fig14_claims.make_claims(answers_of(as_claimed, kind=OURS), {})
    assert "ours, centroid / centroid: CIB 0, CondEns 0, COALA 0, MAXIMUS 13" in ours[0].why
    # Ties are no wins.
    assert ours[0].verdict == "does not hold"


def test_spread_over_seeds():
    found = answers_of(dict.fromkeys(SINGLE, (0.5, 0.5, 0.5)))
    for name in SETS[:5]:
        found[PUBLISHED, name, "CondEns"] = [scored(0.5, 0.5, dq) for dq in (0.2, 0.8)]
    steady = claim(fig14_claims.make_claims(found, {}), "less stable")
    assert (steady.holds, steady.of) == (5, 13)


def test_degenerate_answers_are_named():
    found = answers_of(dict.fromkeys(SINGLE, (0.5, 0.5, 0.5)))
    found[PUBLISHED, "sonar", "COALA"] = [scored(0.5, 0.5, 0.5, degenerate=True)]
    assert fig14_claims.list_degenerate(found, "COALA") == ["sonar"]
    assert "from the rest on Sonar," in fig14_claims.make_claims(found, {})[0].why


def test_the_order_of_features():
    X = np.arange(6.0).reshape(2, 3)
    data = Dataset("sonar", X, np.array(["a", "b"], object), ("u", "v", "w"), ("numeric",) * 3)
    assert shuffle(data, 0).X.tolist() == X.tolist()
    others = [shuffle(data, seed) for seed in range(1, 6)]
    assert len({other.feature_names for other in others}) > 1
    for other in others:
        for i, name in enumerate(other.feature_names):
            assert other.X[:, i].tolist() == X[:, "uvw".index(name)].tolist()


def test_spans_are_described():
    spans = {"sonar": Span(0.0, 0.25), "car": Span(0.4, 0.42)}
    assert "on 1 of 2 sets, most on Sonar (0.00 to 0.25)" in describe_spans(spans)
    assert describe_spans({}) == ""


def group_of(*scores, new=2):
    return fig15.Group(dict.fromkeys(QUICK_FORMS, DQ(*scores)), new)


def groups_of(meta, maximus):
    return {
        (kind, name, method): [group_of(*scores)]
        for kind in KINDS
        for name in SETS
        for method, scores in zip(SEVERAL, (meta, maximus), strict=True)
    }


def test_claims_of_figure_15_both_ways():
    found = groups_of((0.3, 0.3, 0.3), (0.6, 0.6, 0.6))
    claims = fig15.make_claims(found)
    assert (claims[0].holds, claims[0].of) == (12, 12)
    assert (claims[1].holds, claims[1].of) == (11, 11)
    assert [one.holds for one in claims[2:]] == [0, 0]
    for name in ("kr-vs-kp", "sonar", "splice"):
        found[PUBLISHED, name, "MetaClusterer"] = [group_of(0.1, 0.1, 0.1, new=1)]
    claims = fig15.make_claims(found)
    assert [one.holds for one in claims[2:]] == [3, 2]
    claims = fig15.make_claims(groups_of((0.6, 0.6, 0.6), (0.3, 0.3, 0.3)))
    assert [one.holds for one in claims[:2]] == [0, 0]
    assert META_AHEAD == ("eucalyptus",)


def test_overall_scores():
    X = np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [4.0, 4.0]])
    given, other = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    one = fig15.judge_group(X, given, np.array([other]))
    assert one.new == 1
    assert one.scores[USUAL_FORM] == DQ(1.0, 1.0, 1.0)
    # Of three pairs one is of equal clusterings.
    two = fig15.judge_group(X, given, np.array([other, 1 - other]))
    assert two.new == 1
    assert two.scores[USUAL_FORM].dissimilarity == pytest.approx(2 / 3)
    assert fig15.judge_group(X, given, np.array([given, other])).new == 1
    third = np.array([0, 1, 1, 0])
    assert fig15.judge_group(X, given, np.array([third, other])).new == 2


def times_of(values):
    return {
        (name, kind, table10.ONE, method): seconds
        for name in SETS
        for kind in KINDS
        for method, seconds in values.items()
    }


def test_claims_of_table_10_both_ways():
    slow = times_of({"CIB": 20.0, "CondEns": 1.0, "COALA": 200.0, "MAXIMUS": 2.0})
    assert [one.holds for one in table10.make_claims(slow)] == [13, 13]
    fast = times_of({"CIB": 19.0, "CondEns": 1.0, "COALA": 199.0, "MAXIMUS": 2.0})
    assert [one.holds for one in table10.make_claims(fast)] == [0, 0]
    assert "By the printed times, on 8 of 11" in table10.make_claims(fast)[0].why


def test_what_cannot_be_in_table_10():
    fastest, longer = table10.print_claims()
    assert (fastest.holds, fastest.of) == (8, 10)
    assert (longer.holds, longer.of) == (10, 11)
    assert "Mushroom: 154.58 s for two and 269.94 s for one" in longer.why
    sizes = dict.fromkeys(SETS, (100, 3)) | {"colic": (368, 2)}
    odd = table10.size_claim(sizes)
    assert (odd.holds, odd.of) == (10, 11)
    assert "Colic" in odd.why
    assert table10.size_claim(dict.fromkeys(SETS, (100, 3))).verdict == "holds"
    assert COLIC == {"CIB": 368, "CondEns": 2}


def cuts_of(table, *, numbers=True):
    return {
        name: table11.BinningScores(
            dict.fromkeys(KINDS, one), numbers, dict.fromkeys(QUICK_FORMS, one)
        )
        for name, one in table.items()
    }


def test_claims_of_table_11_both_ways():
    printed = cuts_of(DQ_BY_BINNING)
    assert [one.verdict for one in table11.make_claims(printed)] == ["holds", "holds"]
    assert table11._form_claim(printed).verdict == "holds"
    far = cuts_of(dict.fromkeys(DQ_BY_BINNING, DQs(0.9, 0.1, 0.1)))
    assert [one.holds for one in table11.make_claims(far)] == [0, 0]
    assert table11._form_claim(far).verdict == "does not hold"
    assert USUAL_FORM.title in table11._form_claim(far).why


def test_what_table_11_says_of_itself():
    assert len(table11.find_best(DQ_BY_BINNING, "frequency")) == 5
    names = cuts_of(DQ_BY_BINNING, numbers=False)
    best, same = table11.print_claims(names)
    assert best.verdict == "does not hold"
    assert same.holds == 0
    assert table11.print_claims(cuts_of(DQ_BY_BINNING))[1].of == 0


@pytest.fixture
def small(tmp_path):
    """Small stand-ins for the thirteen sets."""
    return Setup(1, write_sets(tmp_path, dict.fromkeys(SETS, 30)), progress=False)


def test_every_method_has_both_kinds(small):
    case = load_case(small, "sonar")
    assert (case.name, case.n, case.clusters) == ("sonar", 30, 2)
    for method in SINGLE:
        for kind in KINDS:
            (one,) = find_one(case, method, kind, 1)
            assert all(each.dissimilarity >= 0 for each in one.scores.values())
            assert (one.similarity is not None) == (method == "MAXIMUS")
    assert len(find_one(case, "COALA", OURS, 3)) == 1
    assert len(find_one(case, "CIB", OURS, 3)) == 3
    two = find(case, "MAXIMUS", OURS, 0, n_alternatives=2, quality_floor=0.0)
    assert two.labels.shape[1] == 30
    assert two.seconds > 0
    # It does not use the given clustering: it forms two groups of clusterings.
    groups = find(case, "MetaClusterer", PUBLISHED, 0, n_alternatives=2, quality_floor=0.0)
    assert groups.labels.shape == (2, 30)


@pytest.mark.parametrize("module", [fig14, fig15, table11], ids=["fig14", "fig15", "table11"])
def test_small_runs_are_alike_twice(small, module, monkeypatch):
    for name in ("SETS", "SEVEN"):
        if hasattr(module, name):
            kept = [each for each in getattr(module, name) if each in SMALL]
            monkeypatch.setattr(module, name, tuple(kept))
    first, second = (module.run(small) for _ in range(2))
    assert first == second
    assert all(0 <= one.holds <= one.of for one in first.claims)


def test_table_10_has_all_columns(small, monkeypatch):
    monkeypatch.setattr(table10, "SETS", ("colic", "mushroom"))
    outcome = table10.run(small)
    lines = {line.what: line for line in outcome.tables[0].lines}
    assert len(lines) == 2 * 2 * 6
    odd = lines["Colic", PUBLISHED, "one", "CIB"]
    assert (odd.published, odd.remark) == (368, "the number of objects")
    assert lines["Mushroom", PUBLISHED, "two", "MAXIMUS"].published == 154.58
    assert "269.94" in lines["Mushroom", PUBLISHED, "two", "MAXIMUS"].remark
    assert lines["Mushroom", OURS, "one", "COALA"].published is None


@needs_data
def test_sets_without_numbers_and_the_row_of_colic():
    setup = Setup(1, FOLDER)
    cases = {name: load_case(setup, name) for name in ("colic", "postoperative", "splice")}
    assert [name for name, case in cases.items() if not case.numbers] == ["postoperative", "splice"]
    assert cases["colic"].n == COLIC["CIB"]
    assert cases["colic"].clusters == COLIC["CondEns"]


@needs_data
def test_figure_14_on_small_data(monkeypatch):
    monkeypatch.setattr(fig14, "SETS", ("hepatitis", "postoperative", "eucalyptus"))
    outcome = fig14.run(Setup(1, FOLDER, progress=False))
    nothing = claim(outcome.claims, "nothing new")
    assert (nothing.holds, nothing.of) == (0, 2)
    lines = {line.what: line for line in outcome.tables[0].lines}
    assert lines["Post Operative", PUBLISHED, "MAXIMUS", "DQ"].published == 0.52
    assert lines["Post Operative", OURS, "MAXIMUS", "DQ"].published is None
