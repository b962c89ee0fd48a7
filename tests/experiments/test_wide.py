"""The study of wide and correlated data: generators, table and command."""

import numpy as np
import pytest
from experiments.wide.__main__ import main
from experiments.wide.data import SETTINGS
from experiments.wide.recovery import WideOutcome
from experiments.wide.tables import list_sections


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_settings(setting):
    X, given, hidden = setting.make(0)
    assert len(X) == given.size == hidden.size
    assert np.isfinite(X).all()
    assert np.unique(given).size == setting.given
    assert np.unique(hidden).size == setting.hidden
    again, *_ = setting.make(0)
    np.testing.assert_array_equal(X, again)
    assert (setting.make(1)[0] != X).any()


def test_the_table_has_means():
    name = SETTINGS[0].name
    outcomes = [
        WideOutcome(name, {"auto": 0.5, "k-means": 0.25}, True, 4),
        WideOutcome(name, {"auto": 1.0, "k-means": 0.25}, False, 5),
    ]
    _, table = list_sections(outcomes, "the command")
    expected = [name, "20", "4", "0.750", "0.250", "0.500", "4.5"]
    assert table.rows == [expected, ["mean", "", "", *expected[3:6], ""]]


@pytest.mark.slow
def test_command(tmp_path, capsys):
    page = tmp_path / "wide.md"
    assert main(["--quick", "--seeds", "1", "--markdown", str(page)]) == 0
    assert "python -m experiments.wide --seeds 1" in page.read_text()
    assert "6 features, 1 factor" in capsys.readouterr().out


def test_wrong_arguments(capsys):
    with pytest.raises(SystemExit):
        main(["--seeds", "0"])
    assert "use at least 1" in capsys.readouterr().err
