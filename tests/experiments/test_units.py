"""The study of units: transformations, scalings, tables and the command."""

import numpy as np
import pytest
from experiments.units.__main__ import main, study
from experiments.units.recovery import (
    DATA,
    METHODS,
    SCALINGS,
    Recovery,
    in_random_units,
    numeric_settings,
    scale_by_quartiles,
    standardise,
    winsorise,
    with_heavy_tails,
    with_outliers,
)
from experiments.units.tables import list_sections

from clusterwise._utils.tables import TextTable

X = np.random.default_rng(0).normal(3.0, 2.0, (400, 3))


def test_units_are_powers_of_ten():
    ratio = in_random_units(X, np.random.default_rng(1)) / X
    assert np.ptp(ratio, axis=0) == pytest.approx(0, abs=1e-9 * ratio.max())
    assert (ratio >= 1e-3).all()
    assert (ratio <= 1e3).all()


def test_columns_and_values_are_added():
    heavy = with_heavy_tails(X, np.random.default_rng(1))
    assert heavy.shape == (400, 5)
    assert (heavy[:, :3] == X).all()
    changed = with_outliers(X, np.random.default_rng(1)) != X
    assert 0.01 < changed.mean() < 0.03


def test_scalings():
    scaled = standardise(X)
    assert scaled.mean(axis=0) == pytest.approx(0)
    assert scaled.std(axis=0) == pytest.approx(1)
    by_quartiles = scale_by_quartiles(X)
    assert np.median(by_quartiles, axis=0) == pytest.approx(0)
    assert np.subtract(*np.quantile(by_quartiles, [0.75, 0.25], axis=0)) == pytest.approx(1.349)
    far = np.append(X[:, 0], 1e6)[:, None]
    assert winsorise(far).max() < 4 < standardise(far).max()
    assert (standardise(np.ones((3, 1))) == 0).all()


def test_there_are_at_least_ten_settings():
    assert len(numeric_settings()) >= 10


def test_tables_hold_the_means():
    found = [
        Recovery("s", seed, data, scaling, method, 0.1 * i + seed)
        for seed in (0, 1)
        for method in METHODS
        for data in DATA
        for i, scaling in enumerate(SCALINGS)
    ]
    first = next(one for one in list_sections(found, 2) if isinstance(one, TextTable))
    assert first.header == ["data", *SCALINGS]
    for row in first.rows:
        assert [float(cell) for cell in row[1:]] == pytest.approx(
            [0.1 * i + 0.5 for i in range(len(SCALINGS))]
        )


@pytest.mark.slow
def test_the_command_writes_the_page(tmp_path, capsys):
    page = tmp_path / "units.md"
    assert main(["--quick", "--seeds", "1", "--markdown", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Units and scaling\n")
    assert "Mean NMI of auto" in capsys.readouterr().out
    assert "| random units |" in text


@pytest.mark.slow
def test_the_study_has_all_combinations():
    found = study(seeds=1, quick=True)
    assert len(found) == len(numeric_settings(quick=True)) * len(DATA) * len(SCALINGS) * len(
        METHODS
    )
    assert all(0 <= one.nmi <= 1 for one in found)
