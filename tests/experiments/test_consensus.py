"""The study of consensus: its arithmetic on small examples, the whole of it on blobs."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from experiments.consensus.__main__ import main
from experiments.consensus.peers import (
    PEERS,
    PYCKMEANS,
    run_pyckmeans,
    run_references,
)
from experiments.consensus.scores import (
    BEST,
    CHOSEN,
    DEFAULT,
    MEAN,
    MIXED,
    PLAIN,
    PLANTED,
    SETS,
    THEIRS,
    Members,
    Row,
    list_methods,
    plant,
    read_set,
    run_objects,
    score_members,
)
from experiments.consensus.tables import (
    beaten,
    correlate,
    explain_lost,
    list_sections,
    list_verdicts,
    show_counts,
    show_lost,
    show_rows,
)
from scipy.stats import spearmanr

from clusterwise import adjusted_rand_score

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
NEEDS = {PYCKMEANS: PYCKMEANS}


def make_row(name, default, mean, peer, voting=0.0, kind=MIXED):
    scores = {MEAN: mean, BEST: [1.0], DEFAULT: default, "voting": [voting], PYCKMEANS: peer}
    return Row(name, kind, 10, 2, scores, MEMBERS)


# Of four members three agree, and the other one is like the classes.
MEMBERS = (
    Members(np.array([0.1, 0.2, 0.2, 0.7]), np.array([3.0, 3, 3, 0]), np.array([1, 1, 0, 0]) > 0),
    Members(np.array([0.4, 0.4, 0.4, 0.4]), np.array([1.0, 2, 3, 4]), np.array([0, 0, 0, 0]) > 0),
)


ROWS = [
    make_row("a", [0.5, 0.7], [0.6, 0.6], [0.7, 0.7], voting=0.9),
    make_row("b", [0.4, 0.4], [0.5, 0.5], [0.3, 0.3], voting=0.1),
]


@pytest.fixture(scope="module")
def rows():
    return run_objects(plant(PLANTED[0], 120), 2)


def test_means_are_over_seeds_and_the_best_is_one_of_ours():
    assert ROWS[0].mean(DEFAULT) == pytest.approx(0.6)
    assert [row.best for row in ROWS] == ["voting", DEFAULT]


def test_equal_means_are_at_least_as_good():
    assert beaten(ROWS, DEFAULT, MEAN) == [ROWS[1]]
    assert beaten(ROWS, DEFAULT, PYCKMEANS) == [ROWS[0]]


def test_counts_say_on_how_many_sets_a_method_is_as_good():
    rows = [ROWS[0], ROWS[1]._replace(kind=PLAIN)]
    grid = show_counts(rows)
    assert grid.header == [
        "method", f"at least {MEAN}", f"at least {PYCKMEANS}", MIXED, PLAIN, "mean",
    ]  # fmt: skip
    assert grid.rows == [
        [DEFAULT, "1", "1", "0.600", "0.400", "0.500"],
        ["voting", "1", "1", "0.900", "0.100", "0.500"],
        [PYCKMEANS, "1", "", "0.700", "0.300", "0.500"],
    ]


def test_verdicts_name_the_sets_that_are_lost():
    members, peer = list_verdicts(ROWS)
    assert members == (
        "mixed members: the default is at least as good as the mean member on 1 of 2 sets "
        "(not: b -0.100), by -0.050 on average. The best of our methods, chosen after the fact, is "
        "so on 1 "
        "(not: b)."
    )
    assert peer == (
        "mixed members: the default is at least as good as the best peer, pyckmeans, on 1 of 2 "
        "sets (not: a -0.100), by +0.000 on average. The best of our methods, chosen after the "
        "fact, is so on 2."
    )


def test_the_best_peer_is_the_one_with_the_highest_mean():
    rows = [row._replace(scores={**row.scores, PEERS[1]: [0.55]}) for row in ROWS]
    _, peer = list_verdicts(rows)
    assert f"the best peer, {PEERS[1]}, on 1 of 2 sets (not: b -0.150)" in peer
    assert PEERS[1] not in show_rows(rows).header
    assert PYCKMEANS in show_rows(rows).header


def test_what_members_are_like_where_their_mean_is_better():
    grid = show_lost(ROWS[1:])
    # Medians 0.2 and 0.4; typical 0.1 and 0.4; with K 0.15, and none; near none of 4, and all.
    expected = ["b", MIXED, "0.400", "0.500", "0.300", "0.250", "0.150", "50%", "-0.41"]
    assert grid.rows == [expected]
    # Scores that are all the same are not correlated with anything.
    first = spearmanr(MEMBERS[0].agreement, MEMBERS[0].scores)[0]
    assert correlate(ROWS[1]) == pytest.approx(first / 2)
    assert explain_lost(ROWS[1:]) == (
        "Of 1 such row, the typical member is below the mean member on 1, and on 1 members that "
        "agree more with the others resemble the classes less. Our best method, chosen after the "
        "fact, reaches the mean member on 0."
    )


def test_rows_that_are_lost_are_explained_and_others_are_not():
    titles = [part for part in list_sections(ROWS, 2) if isinstance(part, str)]
    assert sum("Where the mean member is better" in part for part in titles) == 1
    titles = [part for part in list_sections(ROWS[:1], 2) if isinstance(part, str)]
    assert not any("Where the mean member is better" in part for part in titles)


def test_members_are_judged_by_classes_and_by_each_other():
    true = np.array([0, 0, 1, 1])
    found = score_members(np.array([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 2, 3]]).T, true)
    assert found.scores.tolist() == [1, 1, 0]
    halves = 2 / 3  # one bit of the mean of one and two
    np.testing.assert_allclose(found.agreement, [(1 + halves) / 2, (1 + halves) / 2, halves])
    assert found.right_count.tolist() == [True, True, False]
    assert found.typical == 1
    assert found.near(0.99) == pytest.approx(2 / 3)


def test_without_the_peer_the_report_says_so():
    alone = [Row("a", PLAIN, 10, 2, {MEAN: [0.5], BEST: [0.6], DEFAULT: [0.7]})]
    sections = list(list_sections(alone, 1))
    assert "pyckmeans is not installed: it is missing here." in sections
    assert "means over 1 seed." in sections[0]
    assert len(list_verdicts(alone)) == 1


def test_every_method_is_scored_for_each_seed(rows):
    kinds = [row.kind for row in rows]
    assert kinds[:2] == [MIXED, PLAIN]
    installed = find_spec("pyckmeans") is not None
    assert kinds[2:] == ([THEIRS] if installed else [])
    peers = [name for name in PEERS if find_spec(NEEDS.get(name, "pymetis"))]
    expected = {MEAN, BEST, CHOSEN, *list_methods(), *peers}
    for row in rows:
        assert set(row.scores) == expected
        assert all(len(scores) == 2 for scores in row.scores.values())
        assert row.mean(MEAN) == pytest.approx(np.mean([one.scores for one in row.members]))
        assert (row.n, row.clusters) == (120, 4)
        assert row.mean(MEAN) <= row.mean(BEST)


def test_blobs_far_apart_are_found(rows):
    for row in rows:
        assert row.mean(DEFAULT) > 0.95
        assert row.mean(DEFAULT) > row.mean(MEAN)


def test_uneven_blobs_are_uneven():
    _, true = plant(PLANTED[-1], 200).draw(0)
    assert np.bincount(true).tolist() == [120, 50, 20, 10]


def test_seeds_draw_other_blobs_of_the_same_kind():
    objects = plant(PLANTED[2], 60)
    first, again, other = (objects.draw(seed)[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_the_peer_leaves_the_global_source_of_chance_alone():
    X, _ = plant(PLANTED[0], 60).draw(0)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, again = (run_pyckmeans(X, 4, 5, 0) for _ in range(2))
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    if first is None:
        assert find_spec("pyckmeans") is None
        return
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.members.shape == (60, 5)


def test_methods_by_the_book_find_what_is_planted():
    pytest.importorskip("pymetis")
    random = np.random.RandomState(0)
    true = np.repeat([0, 1, 2], 30)
    noisy = [np.where(random.rand(90) < 0.2, random.randint(3, size=90), true) for _ in range(9)]
    found = run_references(np.array(noisy).T, 3, 0)
    assert set(found) == set(PEERS) - {PYCKMEANS}
    for labels in found.values():
        assert adjusted_rand_score(true, labels) > 0.9


def test_the_command_writes_what_it_prints(tmp_path, capsys):
    file = tmp_path / "study.md"
    assert main(["--quick", "--seeds", "1", "--markdown", str(file)]) == 0
    text, printed = file.read_text(encoding="utf-8"), capsys.readouterr().out
    for part in ("# Consensus methods", "## Verdicts", PLANTED[0]):
        assert part in text
        assert part in printed


def test_a_missing_folder_is_named(tmp_path, capsys):
    assert main(["--data", str(tmp_path), "--seeds", "1"]) == 2
    assert "schema.json" in capsys.readouterr().err


def test_too_few_seeds_are_refused(capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--seeds", "0"])
    assert "use at least 1" in capsys.readouterr().err


@pytest.mark.skipif(
    FOLDER is None or not (Path(FOLDER) / "iris.csv.gz").exists(),
    reason="CLUSTERWISE_DATA names no folder with iris",
)
def test_sets_are_read_as_points():
    points, true = read_set(SETS[0], FOLDER).draw(5)
    assert points.shape == (150, 4)
    np.testing.assert_allclose(points.std(axis=0), 1.0)
    assert np.bincount(true).tolist() == [50, 50, 50]
