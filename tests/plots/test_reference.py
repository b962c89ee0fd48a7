"""The values of several clusterings with a reference, drawn by rank."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import clusterwise as cw
from clusterwise.plots import ReferenceDisplay

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.integers(0, 3, 200)
RUNS = {
    name: np.where(RANDOM.random(200) < share, RANDOM.integers(0, 3, 200), TRUTH)
    for name, share in (("far", 0.8), ("near", 0.2), ("$near_2$", 0.2))
}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_points_are_values_by_rank():
    result = cw.compare_to(TRUTH, RUNS)
    display = result.plot()
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in display.points_]
    assert drawn == [(result.values[i], place) for place, i in enumerate(result.order)]
    ends = [tuple(line.get_xdata()) for line in display.intervals_]
    assert ends == [tuple(result.intervals[i]) for i in result.order]
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels[-1] == "3. far"
    assert {label[:2] for label in labels[:2]} == {"1."}
    colours = [line.get_color() for line in display.points_]
    assert colours[0] == colours[1] != colours[2]
    assert display.ax_.get_title(loc="left") == (
        "2 clusterings are tied as closest to the reference"
    )
    display.figure_.canvas.draw()


def test_without_intervals():
    display = ReferenceDisplay.from_clusterings(TRUTH, [TRUTH * 0, TRUTH], measure="rand_score")
    assert len(display.intervals_ if hasattr(display, "intervals_") else []) == 0
    drawn = display.plot()
    assert len(drawn.points_) == 2
    assert len(drawn.intervals_) < 2
    assert drawn.ax_.get_xlabel() == "rand_score, with 95% intervals"
