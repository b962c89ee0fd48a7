"""The study of drift: alarms are as rare as promised, and drift is found."""

import numpy as np
import pytest
from experiments.drift.__main__ import main
from experiments.drift.columns import COLUMNS
from experiments.drift.settings import drift_settings, null_settings, other_settings
from experiments.drift.simulation import LEVELS, Setting, simulate, standard_error
from scipy.stats import binom

STREAMS = 60


@pytest.mark.slow
def test_no_setting_has_too_many_false_alarms():
    settings = [*null_settings(), *other_settings().values()]
    # Long windows and many columns take long, and are on the page.
    chosen = [one for one in settings if one.window <= 1000 and len(one.columns) == 1]
    rates = [simulate(one, STREAMS) for one in chosen]
    for i, level in enumerate(LEVELS):
        found = np.array([[one.first[i], one.later[i], one.reference[i]] for one in rates])
        assert (found * STREAMS).max() <= binom.ppf(1 - 1e-3 / found.size, STREAMS, level)
        assert found.mean() <= level


@pytest.mark.slow
@pytest.mark.parametrize("setting", [one for one in drift_settings() if one.window == 1000])
def test_drift_is_found(setting):
    """Unless a category takes 10 % of the rows that had most of them before."""
    found = simulate(setting, 20).later[0]
    assert found >= (0.2 if "a category takes" in setting.drift else 0.9)


def test_settings_cover_all_columns():
    assert {one.columns[0] for one in null_settings()} == set(COLUMNS)
    assert len({one.seed for one in null_settings()}) == len(null_settings())
    one = Setting(("normal",), 50, 2, missing=True)
    assert simulate(one, 3) == simulate(one, 3)
    assert standard_error(0.0, 100) == pytest.approx(0.01, rel=0.01)


def test_the_page(tmp_path, capsys):
    path = tmp_path / "drift.md"
    assert main(["--quick", "--streams", "2", "--jobs", "1", "--markdown", str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert "of 2 streams of three windows" in page
    assert "| unique ids, missing | 100 | 5 |" in page
    assert "a new category takes 10 % of the rows | 1,000 categories" in page
    assert "False alarms" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--streams", "0"])
