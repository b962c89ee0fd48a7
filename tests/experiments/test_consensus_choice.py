"""The study of auto: its halves are disjoint, its arithmetic, and the whole of it in short."""

import numpy as np
import pytest
from experiments.consensus.choice.__main__ import main
from experiments.consensus.choice.answers import Answer
from experiments.consensus.choice.scores import (
    AUTO,
    LARGEST_NMI,
    LIFETIME,
    LOCAL,
    METHODS,
    POWERS,
    REFINED,
    TOLD,
    Outcome,
    score_ensemble,
)
from experiments.consensus.choice.settings import (
    HELD_OUT,
    N_MEMBERS,
    N_OBJECTS,
    TUNING,
    Setting,
    list_settings,
)
from experiments.consensus.choice.tables import (
    list_verdicts,
    show_answers,
    show_methods,
    show_numbers,
    show_settings,
    show_thresholds,
)

import clusterwise as cw

pytestmark = pytest.mark.slow


def make_outcome(confidence, refined, local, number, untold):
    is_local = confidence >= 0.1
    auto = local if is_local else refined
    told = {**dict.fromkeys(METHODS, 0.5), REFINED: refined, LOCAL: local, AUTO: auto}
    rules = (*POWERS, AUTO, LIFETIME, REFINED)
    return Outcome(
        4,
        confidence,
        8.0,
        is_local,
        told,
        {**dict.fromkeys(rules, untold), TOLD: auto},
        {**dict.fromkeys(rules, number), TOLD: 4},
        has_answer=True,
    )


HALVES = {
    TUNING: {
        "a": [make_outcome(0.3, 0.4, 0.8, 4, 0.8)],
        "b": [make_outcome(0.05, 0.6, 0.2, 2, 0.3)],
    },
    HELD_OUT: {"c": [make_outcome(0.3, 0.5, 0.4, 8, 0.2), make_outcome(0.3, 0.5, 0.6, 4, 0.6)]},
}


def test_the_halves_share_no_shape_and_no_seed():
    tuning, held_out = map(list_settings, (TUNING, HELD_OUT))
    assert not {one.shape for one in tuning} & {one.shape for one in held_out}
    one, other = (Setting(half, "two moons", "2 to √n") for half in (TUNING, TUNING))
    np.testing.assert_array_equal(one.draw(1)[0], other.draw(1)[0])


@pytest.mark.parametrize("half", [TUNING, HELD_OUT])
def test_every_setting_can_be_drawn(half):
    for setting in list_settings(half):
        members, true = setting.draw(0)
        assert members.shape == (true.size, N_MEMBERS)
        assert true.size == pytest.approx(N_OBJECTS, abs=5)
        assert true.min() == 0


def test_scores_are_those_of_combine():
    members, true = Setting(TUNING, "two moons", "2 to √n").draw(0)
    found = score_ensemble(members, true, 0)
    auto = cw.combine(members, random_state=0)
    assert found.untold[AUTO] == cw.adjusted_rand_score(true, auto.labels)
    assert found.numbers[AUTO] == found.numbers[0.4] == auto.n_clusters
    assert found.confidence == auto.confidence
    assert found.told[AUTO] == found.told[LOCAL if found.is_local else REFINED]
    assert found.told[LARGEST_NMI] in {found.told[one] for one in (REFINED, "phi", "median")}


def test_thresholds_choose_between_two_methods():
    rows = {row[0]: row[1:] for row in show_thresholds(HALVES).rows}
    assert rows["0, 0"] == ["0.500", "-0.400", "0.500", "+0.000"]
    assert rows["0.1, 1.5 (auto)"] == ["0.700", "+0.000", "0.500", "+0.000"]
    assert rows["0.1, 3"] == ["0.500", "+0.000", "0.500", "+0.000"]
    assert rows["inf, 0"] == ["0.500", "+0.000", "0.500", "+0.000"]


def test_numbers_are_compared_with_being_told():
    rows = {row[0]: row[1:] for row in show_numbers(HALVES).rows}
    assert rows[TOLD] == ["0.700", "1.00", "+0.000", "0.500", "1.00", "+0.000"]
    assert rows[AUTO] == ["0.550", "1.41", "-0.300", "0.400", "1.41", "-0.100"]


def test_methods_and_settings_are_means():
    rows = {row[0]: row[1:] for row in show_methods(HALVES).rows}
    assert rows[LOCAL] == ["0.500", "-0.400", "0.500", "+0.000"]
    (line,) = show_settings(HALVES[HELD_OUT]).rows
    assert line[:5] == ["c", "4", "0.30", "100%", "0.500"]
    assert line[-4:] == ["6.0", "6.0", "0.400", "0.400"]


def test_verdicts_have_standard_errors():
    first, second = list_verdicts(HALVES)
    assert "auto has 0.700 on average, the default before 0.500" in first
    assert "(auto − refined-evidence: +0.200 ± 0.200," in first
    assert "+0.000 ± nan" in second


def test_answers_are_proportions():
    (line,) = show_answers([Answer(50, 5, 3, 1.0, 0.97, -0.001, 0.004)]).rows
    assert line == ["50", "5", "3", "100%", "97%", "-0.001", "0.00"]


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("CLUSTERWISE_DATA", raising=False)
    page = tmp_path / "page.md"
    assert main(["--quick", "--seeds", "1", "--markdown", str(page)]) == 0
    assert "No common answer" in capsys.readouterr().out
    assert page.read_text().startswith('# What `combine("auto")` chooses')
    with pytest.raises(SystemExit):
        main(["--seeds", "0"])
