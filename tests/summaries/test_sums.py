"""Summaries of disjoint objects are added by ``+`` and by the built-in ``sum``."""

from operator import add

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.inputs.binning.fitting import QuantileSketch

BINNING = cw.Binning(n_bins=2).fit([[0.0], [1.0]])
SUMMARIES = {
    "Contingency": lambda: cw.Contingency.from_labels([0, 0, 1], ["x", "y", "y"]),
    "SoftOverlap": lambda: cw.SoftOverlap.from_memberships([[0.5, 0.5], [1, 0]], [0, 1]),
    "DensityProfile": lambda: cw.DensityProfile.from_data([[0.0], [1.0]], [0, 1], binning=BINNING),
    "EnsembleTable": lambda: cw.EnsembleTable.from_labels([0, 1], np.array([[0, 0], [0, 1]])),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_sum_adds_up(name):
    parts = [SUMMARIES[name]() for _ in range(3)]
    assert type(parts[0]).__name__ == name
    assert repr(sum(parts)) == repr(parts[0] + parts[1] + parts[2])
    assert sum(parts[:1]) is parts[0]
    for other in (1, "x", None, 0.0):
        with pytest.raises(TypeError, match=r"unsupported operand|can only concatenate"):
            add(other, parts[0])
    with pytest.raises(TypeError, match="unsupported operand"):
        add(parts[0], 0)


def test_the_sum_of_tables_is_the_table_of_all_objects():
    a, b = [0, 0, 1, 1, 2], ["x", "y", "y", "x", "x"]
    parts = (cw.Contingency.from_labels(a[i : i + 2], b[i : i + 2]) for i in range(0, 5, 2))
    assert sum(parts) == cw.Contingency.from_labels(a, b)


def test_sketches_add_up():
    parts = [QuantileSketch().update(np.arange(3.0) + i) for i in range(3)]
    whole = sum(parts)
    assert (whole.n, whole.low, whole.high) == (9, 0.0, 4.0)
