"""The plot of quality against dissimilarity: points, front, names and errors."""

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from clusterwise import tradeoff_curve
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.measures.dq import harmonic_mean
from clusterwise.plots import TradeoffDisplay

CORNERS = [[0, 0], [0, 1], [5, 0], [5, 1], [0, 8], [0, 9], [5, 8], [5, 9]]
GIVEN = [0, 0, 0, 0, 1, 1, 1, 1]
# On the front are 0, 2 and 3; 4 is degenerate and would be.
QUALITY = [0.9, 0.3, 0.6, 0.2, 1.5]
DISSIMILARITY = [0.1, 0.2, 0.5, 0.8, 0.9]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def display(**options):
    degenerate = [False] * 4 + [True]
    return TradeoffDisplay(
        QUALITY, DISSIMILARITY, list("abcde"), front=[0, 2, 3], degenerate=degenerate, **options
    )


def found(*rows):
    clusterings = [
        FoundClustering(np.zeros(4), q, d, 0.0, (2, 2), 2.0, bad, method, {})
        for method, q, d, bad in rows
    ]
    return FoundClusterings(clusterings, given=np.zeros((1, 4), int))


def texts(drawn):
    return [name.get_text() for name in drawn.names_]


def title(drawn):
    return drawn.ax_.get_title(loc="left").replace("\n", " ")


def test_points_are_where_their_values_are():
    drawn = display(chosen=2).plot()
    assert drawn.points_.get_offsets().tolist() == [[0.1, 0.9], [0.5, 0.6], [0.8, 0.2]]
    assert drawn.behind_.get_offsets().tolist() == [[0.2, 0.3]]
    assert drawn.hollow_.get_offsets().tolist() == [[0.9, 1.5]]
    assert drawn.chosen_.get_xydata().tolist() == [[0.5, 0.6]]


def test_degenerate_points_are_hollow_and_others_are_not():
    drawn = display().plot()
    assert drawn.hollow_.get_facecolor().size == 0
    assert drawn.points_.get_facecolor()[0, 3] == 1


def test_front_is_a_staircase_that_no_point_of_it_is_above():
    drawn = display().plot()
    corners = drawn.front_.get_xydata()
    assert corners.tolist() == [[0.1, 0.9], [0.1, 0.6], [0.5, 0.6], [0.5, 0.2], [0.8, 0.2]]


@pytest.mark.parametrize("chosen", [0, 3])
def test_title_names_the_chosen_one_with_its_numbers(chosen):
    drawn = display(chosen=chosen).plot()
    dq = harmonic_mean(QUALITY[chosen], DISSIMILARITY[chosen])
    assert title(drawn).startswith(f"{'abcde'[chosen]} is chosen, of 5 clusterings")
    assert f"DQ {dq:.4f}" in title(drawn)
    assert texts(drawn)[0] == "abcde"[chosen]
    assert drawn.names_[0].get_fontweight() == "bold"


def test_lines_of_equal_dq_have_that_dq():
    drawn = display().plot()
    assert len(drawn.levels_) >= 3
    levels = []
    for line in drawn.levels_:
        values = [harmonic_mean(q, d) for d, q in line.get_xydata()]
        assert np.ptp(values) < 1e-9
        levels.append(values[0])
    labels = {text.get_text() for text in drawn.ax_.texts}
    assert {f"DQ {level:g}" for level in np.round(levels, 9)} <= labels


def test_labels_of_equal_dq_give_way_to_each_other():
    drawn = TradeoffDisplay([250.0, 10.0], [0.5, 0.7], ["a", "b"], front=[0, 1]).plot()
    labels = [text for text in drawn.ax_.texts if text.get_text().startswith("DQ")]
    assert 0 < len(labels) < len(drawn.levels_)


def test_curve_marks_what_it_suggests_and_joins_equal_thresholds():
    curve = tradeoff_curve(CORNERS, GIVEN, [0, 0.3, 0.6, 1], scale=False)
    drawn = curve.plot()
    assert isinstance(drawn, TradeoffDisplay)
    assert title(drawn).startswith("ω = 0.6 is suggested, of 4 clusterings")
    assert texts(drawn) == ["ω = 0 … 0.6", "ω = 1"]
    place = curve.omegas.tolist().index(curve.suggested)
    expected = [curve.dissimilarity[place], curve.quality[place]]
    assert drawn.chosen_.get_xydata().tolist() == [expected]
    assert "dunn" in drawn.ax_.get_ylabel()
    assert "jaccard" in drawn.ax_.get_xlabel()


def test_curve_marks_the_chosen_threshold():
    drawn = tradeoff_curve(CORNERS, GIVEN, [0, 0.6, 1]).plot(chosen=1)
    assert title(drawn).startswith("ω = 1 is chosen")


def test_thresholds_that_do_not_follow_each_other_are_listed():
    drawn = TradeoffDisplay(
        [1, 1, 2, 1], [0.5, 0.5, 0.1, 0.5], ["0", "0.1", "0.2", "0.3"], front=[0, 1, 2, 3],
        prefix="ω = ",
    ).plot()  # fmt: skip
    assert sorted(texts(drawn)) == ["ω = 0, 0.1, 0.3", "ω = 0.2"]


def test_found_ones_are_named_by_method_and_the_first_is_suggested():
    several = found(
        ("COALA", 0.8, 0.8, False), ("CIB", 0.9, 0.1, False), ("COALA", 0.7, 0.7, False)
    )
    drawn = TradeoffDisplay.from_found(several).plot()
    assert title(drawn).startswith("COALA [0] is suggested, of 3 clusterings")
    assert sorted(texts(drawn)) == ["CIB", "COALA [0]", "COALA [2]"]
    assert drawn.behind_.get_offsets().tolist() == [[0.7, 0.7]]


def test_degenerate_found_ones_are_not_on_the_front():
    several = found(("a", 0.5, 0.5, False), ("b", 0.9, 0.9, True))
    assert TradeoffDisplay.from_found(several).front.tolist() == [0]


def test_infinite_quality_is_drawn_at_the_top_and_says_so():
    drawn = TradeoffDisplay([1.0, np.inf], [0.5, 0.2], ["a", "b"], front=[0, 1]).plot()
    assert "b (∞)" in texts(drawn)
    x, y = drawn.points_.get_offsets()[1]
    assert x == 0.2
    assert 1.0 < y < drawn.ax_.get_ylim()[1]


def test_without_a_choice_the_title_says_so():
    drawn = TradeoffDisplay([1, 2], [0.1, 0.2], list("ab"), front=[], degenerate=[1, 1]).plot()
    assert title(drawn) == "None of 2 clusterings is chosen; 2 are degenerate"
    assert drawn.front_ is None
    assert drawn.chosen_ is None


def test_many_points_keep_the_names_of_the_front_and_count_the_others():
    rng = np.random.default_rng(0)
    names = [f"n{i}" for i in range(60)]
    drawn = TradeoffDisplay(rng.random(60), rng.random(60), names, front=[7, 9], chosen=9).plot()
    assert texts(drawn)[:2] == ["n9", "n7"]
    left_out = 60 - len(drawn.names_)
    assert left_out > 0
    assert drawn.ax_.get_legend().get_title().get_text().startswith(f"{left_out} points")


def test_hostile_names_are_drawn_literally():
    names = ["$x_1$", "<script>alert(1)</script>", "a" * 300, "b\nc"]
    drawn = TradeoffDisplay([1, 2, 3, 4], [0.4, 0.3, 0.2, 0.1], names, front=[0], chosen=0).plot()
    drawn.figure_.canvas.draw()
    shown = texts(drawn)
    assert r"\$x_1\$" in shown
    assert all("\n" not in text and len(text) < 30 for text in shown)


def test_given_axes_are_used():
    figure, (left, right) = plt.subplots(1, 2)
    drawn = display().plot(ax=right)
    assert drawn.ax_ is right
    assert drawn.figure_ is figure
    assert not left.has_data()


def test_chosen_and_front_differ_in_more_than_colour():
    drawn = display(chosen=0).plot()
    assert drawn.chosen_.get_markerfacecolor() == "none"
    assert to_hex(drawn.chosen_.get_markeredgecolor()) != to_hex(drawn.points_.get_facecolor()[0])
    front, behind = (part.get_paths()[0].vertices.shape for part in (drawn.points_, drawn.behind_))
    assert front != behind


def test_refusals():
    with pytest.raises(InputError, match="no clusterings to draw"):
        TradeoffDisplay.from_found(found())
    with pytest.raises(InputError, match=r"quality has 2 values, dissimilarity 1"):
        TradeoffDisplay([1, 2], [1], ["a", "b"], front=[])
    with pytest.raises(InputError, match=r"chosen=0.5 is not one of the thresholds"):
        tradeoff_curve(CORNERS, GIVEN, [0, 1]).plot(chosen=0.5)
