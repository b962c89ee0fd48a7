"""The study of stability: planted data, tables and the command."""

import numpy as np
import pytest
from experiments.evidence.noise import SHAPES
from experiments.stability.__main__ import main
from experiments.stability.simulation import (
    NOISE_NUMBERS,
    SETTINGS,
    NoiseOutcome,
    Planted,
    PlantedOutcome,
    run_noise,
    run_planted,
)
from experiments.stability.tables import list_sections


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_planted_data(setting):
    X, labels = setting.draw(np.random.default_rng(3))
    assert X.shape == (300, setting.features)
    assert np.bincount(labels).tolist() == [300 // setting.clusters] * setting.clusters
    again, _ = setting.draw(np.random.default_rng(3))
    np.testing.assert_array_equal(X, again)


def test_distances_of_centres_are_those_of_the_setting():
    squares = []
    for seed in range(20):
        X, labels = Planted(3000, 4, 3, 6.0).draw(np.random.default_rng(seed))
        centres = np.array([X[labels == k].mean(axis=0) for k in range(3)])
        squares += [((centres[i] - centres[j]) ** 2).sum() for i, j in ((0, 1), (0, 2), (1, 2))]
    assert np.sqrt(np.mean(squares)) == pytest.approx(6, rel=0.15)


def test_tables_count_alarms_and_average_what_was_found():
    noise = [
        NoiseOutcome("flat", 2, 0.5, False, {"gaussian": True, "unimodal": False}),
        NoiseOutcome("flat", 3, 0.7, True, {"gaussian": True, "unimodal": True}),
        NoiseOutcome("round", 2, 0.3, False, {"gaussian": False, "unimodal": False}),
    ]
    planted = [
        PlantedOutcome("two", True, True, 1.0, 1.0, 0.9, 0.5),
        PlantedOutcome("two", True, False, 0.5, 0.8, 0.7, 0.3),
    ]
    sections = list(list_sections(noise, planted, "the command"))
    shapes, numbers, found = (one for one in sections if not isinstance(one, str))
    assert shapes.rows == [
        ["flat", "2", "1", "0.500", "1.000", "0.500", "0.600"],
        ["round", "1", "0", "0.000", "0.000", "0.000", "0.300"],
        ["all", "3", "1", "0.333", "0.667", "0.333", "0.500"],
    ]
    assert numbers.rows[0][:3] == ["2", "2", "0"]
    assert found.rows[0] == [
        "two", "2", "1.000", "0.500", "0.750", "0.900", "0.800", "0.400",
    ]  # fmt: skip


@pytest.mark.slow
def test_noise_is_no_alarm_and_planted_clusters_are_found():
    found = run_noise(SHAPES[1], 0)
    assert [one.n_clusters for one in found] == list(NOISE_NUMBERS)
    assert not any(one.alarm for one in found)
    one = run_planted(Planted(300, 10, 5, 8.0), 0)
    assert one.stable
    assert one.suggested
    assert one.recovered > 0.95
    assert one.ari > one.null_ari


@pytest.mark.slow
def test_command(tmp_path, capsys):
    page = tmp_path / "stability.md"
    assert main(["--quick", "--seeds", "1", "--jobs", "1", "--markdown", str(page)]) == 0
    assert "python -m experiments.stability --seeds 1" in page.read_text()
    assert "normal, 300 × 2" in capsys.readouterr().out


def test_wrong_arguments(capsys):
    with pytest.raises(SystemExit):
        main(["--seeds", "0"])
    assert "use at least 1" in capsys.readouterr().err
