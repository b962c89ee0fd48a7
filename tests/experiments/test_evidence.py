"""The study of evidence: noise, planted data, tables and the command."""

import numpy as np
import pytest
from experiments.evidence.__main__ import main
from experiments.evidence.noise import GIVEN, SHAPES, draw_noise
from experiments.evidence.simulation import NoiseOutcome, PlantedOutcome
from experiments.evidence.tables import list_sections


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_noise(shape):
    for given in GIVEN:
        data = draw_noise(shape, given, 3)
        assert len(data.X) == data.given.size
        assert np.isfinite(data.X).all()
        # A feature of few values has fewer intervals.
        assert {1, 2} <= set(data.given.tolist()) <= {0, 1, 2}
        np.testing.assert_array_equal(data.X, draw_noise(shape, given, 3).X)


def test_given_clusters_are_those_that_there_are():
    data = draw_noise(SHAPES[0], "the only clusters", 0)
    centres = np.array([data.X[data.given == k].mean(axis=0) for k in range(3)])
    distances = ((data.X[:, None] - centres) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) == data.given).mean() > 0.99
    cut = draw_noise(SHAPES[0], "intervals of a feature", 0)
    tops = [cut.X[cut.given == k, 0].max() for k in range(3)]
    bottoms = [cut.X[cut.given == k, 0].min() for k in range(3)]
    assert tops[0] <= bottoms[1] < tops[1] <= bottoms[2]


def test_tables_count_alarms_and_average_what_was_found():
    noise = [
        NoiseOutcome("flat", "random", False, -5.0),
        NoiseOutcome("flat", "random", True, 9.0),
        NoiseOutcome("round", "random", False, -3.0),
    ]
    planted = [
        PlantedOutcome("two", 20.0, 0.9, True, 0.8),
        PlantedOutcome("two", 40.0, 0.7, False, None),
        PlantedOutcome("two", -4.0),
    ]
    sections = list(list_sections(noise, planted, "the command"))
    shapes, givens, found = (one for one in sections if not isinstance(one, str))
    assert shapes.rows == [
        ["flat", "2", "1", "0.500", "2", "9"],
        ["round", "1", "0", "0.000", "-3", "-3"],
        ["all", "3", "1", "0.333", "-3", "9"],
    ]
    assert givens.rows[0] == ["random", "3", "1", "0.333", "-3", "9"]
    assert found.rows[0] == ["two", "3", "0.667", "0.800", "0.500", "0.800", "0.500", "-4"]


@pytest.mark.slow
def test_command(tmp_path, capsys):
    page = tmp_path / "evidence.md"
    arguments = ["--quick", "--seeds", "1", "--jobs", "1", "--markdown", str(page)]
    assert main(arguments) == 0
    assert "python -m experiments.evidence --seeds 1" in page.read_text()
    assert "uniform" in capsys.readouterr().out


def test_wrong_arguments(capsys):
    with pytest.raises(SystemExit):
        main(["--seeds", "0"])
    assert "use at least 1" in capsys.readouterr().err
