"""The study of all methods: its arithmetic on small examples, the whole of it on small sets."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from experiments.alternatives import memory, peers
from experiments.alternatives.__main__ import main
from experiments.alternatives.memory import measure_apart
from experiments.alternatives.methods import (
    AUTO,
    BASELINE,
    PROJECT,
    UNREFINED,
    Task,
    list_methods,
    suits,
)
from experiments.alternatives.peers import NRKMEANS, find_peers, first_other
from experiments.alternatives.recovery import (
    Outcome,
    Row,
    compare,
    run_case,
    run_method,
    run_setting,
    standard_error,
)
from experiments.alternatives.settings import Setting, list_settings
from experiments.alternatives.tables import (
    Study,
    list_fewer,
    list_limits,
    list_sections,
    list_times,
    list_verdicts,
    show_comparisons,
    show_real,
)
from experiments.common.maximus_datasets import Case
from experiments.common.published_maximus import OTHERS, SECONDS, published_seconds
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.inputs.features import read_features
from clusterwise.inputs.points import read_points

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
SETS = ("hepatitis", "postoperative")
needs_data = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / f"{name}.csv.gz").exists() for name in SETS),
    reason=f"CLUSTERWISE_DATA names no folder with {' and '.join(SETS)}",
)
SMALL = ("--quick", "--seeds", "1", "--contests", "1")
PLAIN = Setting("plain", (2, 2), cw.datasets.make_alternatives, {"separation": 12}, 60)


def outcome(nmi, seconds=1.0, **others):
    return Outcome(0.5, 0.5, 0.5, seconds, nmi=nmi, **others)


def row(bayes=1.0, **nmi):
    """Without refining, auto has as much."""
    nmi.setdefault(UNREFINED, nmi[AUTO])
    outcomes = {name: [outcome(value) for value in each] for name, each in nmi.items()}
    return Row(PLAIN, outcomes, [bayes] * len(nmi[AUTO]))


def test_every_setting_is_there_with_two_to_four_clusters():
    settings = list_settings()
    assert len(settings) == 8 * 3 + 2 * 2
    assert len({setting.title for setting in settings}) == len(settings)
    two = [setting for setting in settings if len(setting.clusterings) == 2]
    assert {setting.clusterings[0] for setting in two} == {2, 3, 4}
    assert {setting.n for setting in two} == {400}
    assert {setting.n for setting in settings if setting not in two} == {600}
    for setting, other in zip(settings, list_settings(crossed=False), strict=True):
        assert (other.title, other.n) == (setting.title, setting.n)
        assert other.options == setting.options | {"crossed": False}


@pytest.mark.parametrize("setting", list_settings(quick=True), ids=lambda each: each.title)
def test_settings_make_what_they_say(setting):
    planted = setting.draw(0)
    assert planted.labels.shape == (setting.n, len(setting.clusterings))
    assert tuple(planted.labels.max(axis=0) + 1) == setting.clusterings
    assert setting.categorical == all(isinstance(value, str) for value in planted.X[0])
    again, other = setting.draw(0), setting.draw(1)
    assert (again.X == planted.X).all()
    assert (other.X != planted.X).any()


@given(st.data())
def test_the_clustering_that_counts_is_the_first_that_is_not_most_like_what_is_given(data):
    labels = st.lists(st.integers(0, 2), min_size=8, max_size=8)
    known = np.array(data.draw(labels))
    columns = np.array(data.draw(st.lists(labels, min_size=1, max_size=4))).T
    shared = [cw.normalized_mutual_info_score(known, each) for each in columns.T]
    most = shared.index(max(shared))
    others = [column for place, column in enumerate(columns.T) if place != most]
    expected = others[0] if others else columns[:, 0]
    assert first_other(columns, known).tolist() == expected.tolist()


def test_peers_are_left_out_if_they_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "clustpy.alternative", None)
    assert find_peers() == {}
    assert NRKMEANS not in list_methods()


def test_peers_get_all_numbers_of_clusters_and_the_other_one_counts(monkeypatch):
    def tell(points, counts, seed):
        assert counts == (2, 3)
        assert seed == 7
        return np.array([[0, 0], [0, 1], [1, 0], [1, 2]])

    monkeypatch.setattr("experiments.alternatives.methods.find_peers", lambda: {NRKMEANS: tell})
    task = Task(None, np.zeros((4, 1)), np.array([1, 1, 0, 0]), (2, 3), 7, False)
    assert list_methods()[NRKMEANS](task).tolist() == [0, 1, 0, 2]


def test_peers_find_planted_clusterings_where_they_are_installed():
    installed = find_peers()
    assert set(installed) == (set(peers.PEERS) if find_spec("clustpy") else set())
    for run in installed.values():
        assert run(PLAIN.draw(0).X, (2, 2), 0).shape == (60, 2)


def test_clear_clusterings_are_found_and_outcomes_are_those_of_the_measures():
    methods = list_methods(peers=False)
    found = run_setting(PLAIN, methods, 2)
    assert set(found.outcomes) == set(methods) - {"COALACat"}
    for name in (AUTO, "COALA", "MAXIMUS", "whiten", PROJECT, "CondEns"):
        assert found.values(name, "nmi").tolist() == pytest.approx([1.0, 1.0])
        assert found.values(name, "ari").tolist() == pytest.approx([1.0, 1.0])
    planted = PLAIN.draw(1)
    expected = cw.dq_parts(
        planted.X, planted.labels[:, 0], planted.labels[:, 1], quality="dunn_centroids"
    )
    one = found.outcomes[AUTO][1]
    assert (one.dissimilarity, one.quality, one.dq) == pytest.approx(tuple(expected))
    assert all(each.seconds > 0 and not each.refused for each in found.outcomes[AUTO])


def test_the_nearer_of_two_hidden_clusterings_counts():
    known = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    hidden = np.array([[0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]]).T
    task = Task(None, np.arange(8.0)[:, None], known, (2, 2, 2), 0, False)
    for labels in hidden.T:
        assert run_method(lambda _, labels=labels: labels, task, hidden).nmi == pytest.approx(1.0)
    assert run_method(lambda _: known, task, hidden).nmi == pytest.approx(0.0)


def test_who_refuses_has_found_nothing():
    def refuse(task):
        raise InputError("no.")

    task = Task(None, np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), (2, 2), 0, False)
    found = run_method(refuse, task, np.array([[0, 1, 0, 1]]).T)
    assert found.refused
    assert (found.nmi, found.ari) == (0.0, 0.0)


def test_entropy_linkage_is_for_names_only():
    assert suits("COALACat", categorical=True)
    assert not suits("COALACat", categorical=False)
    assert suits(BASELINE, categorical=False)


def test_the_floor_does_not_see_what_is_given():
    points = np.array([[0.0], [1.0], [9.0], [10.0]])
    task = Task(points, points, np.array([0, 0, 1, 1]), (2, 2), 0, False)
    assert cw.adjusted_rand_score(list_methods()[BASELINE](task), task.given) == 1.0


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9))
def test_the_standard_error_of_a_mean(values):
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    expected = (squares / (len(values) - 1) / len(values)) ** 0.5
    assert standard_error(values) == pytest.approx(expected, abs=1e-12)


def test_the_best_reference_is_the_one_with_the_largest_mean():
    found = compare(row(auto=[0.6, 0.9], NrKmeans=[0.9, 0.1], Orth1=[0.8, 0.8], Naive=[1.0, 1.0]))
    assert found.best == "Orth1"
    assert found.difference == pytest.approx(-0.05)
    assert found.error == pytest.approx(0.15)
    assert found.within(1)
    assert not found.within(0.3)
    assert not found.as_good
    assert standard_error([0.3]) == 0.0
    assert compare(row(auto=[0.6], Naive=[1.0])) is None


def test_verdicts_count_settings():
    rows = [
        row(auto=[0.9, 0.9], NrKmeans=[0.9, 0.9], bayes=0.8, **{UNREFINED: [0.7, 0.7]}),
        row(auto=[0.6, 0.9], NrKmeans=[0.8, 0.8], bayes=0.79),
        row(auto=[0.5, 0.7], NrKmeans=[0.8, 0.8], bayes=0.81),
        row(auto=[0.5, 0.6], NrKmeans=[0.8, 0.9]),
    ]
    rows[0].outcomes[NRKMEANS][0] = outcome(0.9, seconds=4.0)
    comparisons = [compare(each) for each in rows]
    verdicts = list_verdicts(comparisons)
    assert verdicts[0] == "auto is at least as good on 1 of 4 settings."
    assert verdicts[1].endswith("may be chance, on none.")
    assert verdicts[2].endswith("one standard error on 1: plain, K = 2.")
    assert verdicts[3] == "It is worse by one to two standard errors on 1: plain, K = 2."
    assert verdicts[4] == "It is worse by more than two standard errors on 1: plain, K = 2."
    assert verdicts[5].endswith("worse than the best of the others too on 1: plain, K = 2.")
    assert verdicts[6] == "Refinement gains 0.0500 on average."
    slight = compare(row(auto=[0.9, 0.6], NrKmeans=[0.7, 0.7]))
    assert list_verdicts([slight])[1].endswith("may be chance, on 1: plain, K = 2.")
    titles = "; ".join(["plain, K = 2"] * 3)
    assert list_fewer(rows, 2) == [
        "On the 2 seeds of the first table alone it is at least as good on 1 of 4 settings, and "
        f"worse on 3: {titles}."
    ]
    (times,) = list_times(rows)
    assert times.startswith("auto takes 1.000 s on average, NrKmeans 1.375 s.")
    assert "not faster on 3:" in times
    assert list_times([row(auto=[1.0])]) == []
    lines = show_comparisons(comparisons).rows
    assert [line[5] for line in lines] == ["0.800", "0.790", "0.810", "1.000"]
    shown = [line[-1] for line in lines]
    assert shown == ["at least as good", "within one error", "within two errors", "worse"]


def test_published_seconds_are_of_the_sets_of_table_10():
    assert set(OTHERS) == set(SECONDS)
    assert published_seconds("mushroom", "CIB") == 14406.95
    assert published_seconds("mushroom", "MAXIMUS") == 269.94
    assert published_seconds("mushroom", "MetaClusterer") == 257.45
    assert published_seconds("mushroom", AUTO) is None
    assert published_seconds("colic", "CIB") is None
    assert published_seconds("sonar", "CIB") is None
    # "CondEns was overall the fastest technique": only COALA is faster, on the two smallest sets.
    known = {name: each.condens for name, each in OTHERS.items() if each.condens is not None}
    assert all(seconds < SECONDS[name].maximus for name, seconds in known.items())
    beaten = {name for name, seconds in known.items() if seconds > SECONDS[name].coala}
    assert beaten == {"hepatitis", "postoperative"}


def test_limits_and_largest_dq():
    real = {
        "mushroom": {
            "CIB": outcome(0, seconds=59.0),
            "CondEns": outcome(0, seconds=10.0)._replace(dq=0.9),
            "MetaClusterer": outcome(0, seconds=1.0, refused=True)._replace(dq=1.0),
        }
    }
    assert list_limits(real) == [
        "CIB on Mushroom: 59.00 s, limit 60 s kept.",
        "CondEns on Mushroom: 10.00 s, limit 10 s not kept.",
        "MetaClusterer on Mushroom: 1.00 s, limit 120 s kept.",
        "The largest DQ of all, alone, to 0.001: CondEns on 1; several methods share it on 0.",
    ]
    shared = {"car": {AUTO: outcome(0), BASELINE: outcome(0)}}
    assert list_limits(shared)[-1].endswith("to 0.001: none; several methods share it on 1.")
    lines = show_real(real).rows
    assert lines[0] == ["Mushroom", "CIB", "0.500", "0.500", "0.500", "59.00", "14407"]
    assert lines[2][:3] == ["", "MetaClusterer", "refused"]


def test_the_page_says_whether_peers_are_there():
    with_peers = row(auto=[1.0], NrKmeans=[1.0])
    rows = [with_peers]
    page = list(list_sections(Study(1, 2, list(with_peers.outcomes), rows, rows, rows, {}, {})))
    assert "--seeds 1 --contests 2\n" in page[0]
    assert any(isinstance(part, str) and part.startswith("NrKmeans (ten") for part in page)
    without = row(auto=[1.0], **{PROJECT: [0.5]})
    rows, used = [without], {AUTO: 2_000_000}
    page = list(list_sections(Study(1, 2, list(without.outcomes), rows, rows, rows, {}, used, 9)))
    assert sum("Seeds per setting: 1." in part for part in page if isinstance(part, str)) == 1
    assert sum("Seeds per setting: 2." in part for part in page if isinstance(part, str)) == 2
    assert any(isinstance(part, str) and "not installed" in part for part in page)
    assert any(isinstance(part, str) and "for 9 objects" in part for part in page)


def test_real_sets_are_run_with_all_of_ours():
    planted = cw.datasets.make_categorical_alternatives(40, random_state=0)
    features = read_features(planted.X)
    points = read_points(features).points
    case = Case("car", features, points, planted.labels[:, 0], False)
    found = run_case(case, list_methods(peers=False))
    assert set(found) == set(list_methods(peers=False))
    assert all(0 <= one.dissimilarity <= 1 for one in found.values())


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc/self/status")
def test_memory_of_one_method_is_measured():
    # All pairs of 2,000 objects take 32 MB, or 16 if each is kept once.
    assert measure_apart("COALA", 2_000) > 15_000_000


def test_memory_is_the_peak_less_what_was_there_before(monkeypatch):
    resident = {"VmRSS": 5_000_000, "VmHWM": 7_000_000}
    monkeypatch.setattr(memory, "_resident", resident.__getitem__)
    assert memory.measure(BASELINE, 300) == 2_000_000
    # The kernel's count of resident pages lags behind: a peak may be below.
    resident["VmHWM"] = 4_979_520
    assert memory.measure(BASELINE, 300) == 0


def test_missing_data_is_one_sentence(tmp_path, capsys):
    (tmp_path / "schema.json").write_text("{}")
    assert main(["--data", str(tmp_path)]) == 2
    assert "no data set 'car'" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seeds", "--contests"])
def test_no_seeds_are_refused(capsys, option):
    with pytest.raises(SystemExit) as stopped:
        main([option, "0"])
    assert stopped.value.code == 2
    assert f"{option} 0: use at least 1" in capsys.readouterr().err


def test_planted_data_need_no_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    page = tmp_path / "alternatives.md"
    assert main([*SMALL, "--markdown", str(page)]) == 0
    text, shown = page.read_text(), capsys.readouterr().out
    for heading in (
        "is the hidden",
        "Over all settings",
        "the best single method",
        "balanced design",
    ):
        assert heading in text
        assert heading in shown
    assert "The data sets of" not in text
    assert sum(line.startswith("| plain | 2 | 1.000 |") for line in text.splitlines()) == 1


@needs_data
def test_the_study_of_two_small_sets(tmp_path, capsys):
    page = tmp_path / "alternatives.md"
    assert main([*SMALL, "--markdown", str(page)]) == 0
    text = page.read_text()
    rows = [line for line in text.splitlines() if line.startswith("| Hepatitis | auto")]
    assert len(rows) == 1
    assert "| CondEns |" in text
    assert any(
        line.startswith("|  | CIB |") and line.endswith("| 1.3 |") for line in text.splitlines()
    )
    assert "The largest DQ" in capsys.readouterr().out
