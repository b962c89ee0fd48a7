"""The study of consensus: its arithmetic on small examples, the whole of it on blobs."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from clusterwise.papers.consensus import main
from clusterwise.papers.consensus_rows import (
    BEST,
    DEFAULT,
    MEAN,
    MIXED,
    PEER,
    PLAIN,
    PLANTED,
    SETS,
    THEIRS,
    UNTOLD,
    Row,
    list_methods,
    plant,
    read_set,
    run_objects,
    run_peer,
)
from clusterwise.papers.consensus_tables import beaten, list_sections, list_verdicts, show_counts

FOLDER = os.environ.get("CLUSTERWISE_DATA")


def make_row(name, default, mean, peer, voting=0.0, kind=MIXED):
    scores = {MEAN: mean, BEST: [1.0], DEFAULT: default, "voting": [voting], PEER: peer}
    return Row(name, kind, 10, 2, scores)


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
    assert beaten(ROWS, DEFAULT, PEER) == [ROWS[0]]


def test_counts_say_on_how_many_sets_a_method_is_as_good():
    grid = show_counts(ROWS)
    assert grid.header == ["method", f"at least {MEAN}", f"at least {PEER}", "mean"]
    assert grid.rows == [
        [DEFAULT, "1", "1", "0.500"],
        ["voting", "1", "1", "0.500"],
        [PEER, "1", "", "0.500"],
    ]


def test_verdicts_name_the_sets_that_are_lost():
    members, peer = list_verdicts(ROWS)
    assert members == (
        "mixed members: the default is at least as good as the mean member on 1 of 2 sets "
        "(not: b -0.100), by -0.050 on average. The best of ours, chosen after the fact, is on 1 "
        "(not: b)."
    )
    assert peer == (
        "mixed members: the default is at least as good as pyckmeans on 1 of 2 sets "
        "(not: a -0.100), by +0.000 on average. The best of ours, chosen after the fact, is on 2."
    )


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
    expected = {MEAN, BEST, UNTOLD, *list_methods(), *([PEER] if installed else [])}
    for row in rows:
        assert set(row.scores) == expected
        assert all(len(scores) == 2 for scores in row.scores.values())
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
    first, again = run_peer(X, 4, 5, 0), run_peer(X, 4, 5, 0)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    if first is None:
        assert find_spec("pyckmeans") is None
        return
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.members.shape == (60, 5)


def test_the_command_writes_what_it_prints(tmp_path, capsys):
    file = tmp_path / "study.md"
    assert main(["--quick", "--seeds", "1", "--markdown", str(file)]) == 0
    text, printed = file.read_text(encoding="utf-8"), capsys.readouterr().out
    for part in ("# One clustering from many", "## Verdicts", PLANTED[0]):
        assert part in text
        assert part in printed


def test_a_missing_folder_is_named(tmp_path, capsys):
    assert main(["--data", str(tmp_path), "--seeds", "1"]) == 2
    assert "schema.json" in capsys.readouterr().err


def test_too_few_seeds_are_refused(capsys):
    with pytest.raises(SystemExit):
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
