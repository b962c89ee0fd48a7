"""Names of clusters in plots."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.comparing.matches import name_noise
from clusterwise.inputs.clusterings import find_noise


@pytest.mark.parametrize(
    ("names", "noise_label", "shown"),
    [
        ([-1, 0, 1], -1, ["noise", 0, 1]),
        (["-1", "a"], "-1", ["noise", "a"]),
        ([99, 0], 99, ["noise", 0]),
        (["unassigned", "a"], "unassigned", ["unassigned", "a"]),
        ([0, 1], -1, [0, 1]),
    ],
)
def test_noise_that_is_only_a_number_is_called_noise(names, noise_label, shown):
    assert name_noise(names, find_noise(names, noise_label)) == shown


def test_noise_objects_of_their_own_keep_their_names():
    assert name_noise([-1, -1, 0], np.array([True, True, False])) == [-1, -1, 0]


def test_noise_is_called_noise_in_all_plots():
    rng = np.random.default_rng(0)
    a, b = np.repeat([0, 1], 20), np.repeat([0, 1, -1], [15, 15, 10])
    comparison = cw.compare(a, b, rng.normal(size=(40, 2)))
    flow = comparison.plot("flow")
    assert sorted(text.get_text() for text in flow.labels_[1]) == ["0 · 15", "1 · 15", "noise · 10"]
    columns = comparison.plot("contingency").ax_.get_xticklabels()
    assert [text.get_text() for text in columns] == ["0 · 15", "1 · 15", "noise · 10"]
    scatter = comparison.plot("scatter")
    written = {text.get_text() for panel in scatter.figure_.axes for text in panel.texts}
    assert {"0", "1", "noise"} <= written
    assert "-1" not in written
