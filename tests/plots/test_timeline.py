"""The timeline of a stream: lines, drift marks, births and deaths, sizes over time."""

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from clusterwise import ClusteringStream
from clusterwise._utils.errors import InputError
from clusterwise.plots import TimelineDisplay
from clusterwise.plots._palette import FAINT, NOISE, Colours, paint
from clusterwise.plots.timeline import follow_clusters
from clusterwise.streams.drift import Change
from clusterwise.streams.window_report import WindowMatch, WindowReport


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def window(index, sizes, *, like=0.9, births=(), deaths=(), matches=(), drift=False):
    n = sum(sizes.values())
    change = Change(0.001 if drift else 0.5, 0.01, "x", 1.0, 1)
    first = index == 0
    return WindowReport(
        index, index * n, (index + 1) * n, sizes, None if first else like,
        None if first else like - 0.2, births, deaths, matches, change, None, {},
    )  # fmt: skip


REPORTS = [
    window(0, {"a": 60, "b": 40}),
    window(1, {"a": 50, "b": 30, "c": 20}, births=("c",)),
    window(2, {"a": 70, "c": 30}, like=0.5, deaths=("b",), drift=True),
]


def title(drawn):
    return drawn.ax_.get_title(loc="left").replace("\n", " ")


def test_lines_are_the_similarities():
    drawn = TimelineDisplay.from_reports(iter(REPORTS)).plot()
    for line, expected in (
        (drawn.similarity_, [np.nan, 0.9, 0.5]),
        (drawn.reference_, [np.nan, 0.7, 0.3]),
    ):
        assert line.get_xdata().tolist() == [0, 1, 2]
        np.testing.assert_allclose(line.get_ydata(), expected)
    assert drawn.similarity_.get_linestyle() != drawn.reference_.get_linestyle()


def test_drift_births_and_deaths_are_marked_where_they_are():
    drawn = TimelineDisplay(REPORTS).plot()
    assert drawn.drift_.get_offsets()[:, 0].tolist() == [2]
    assert drawn.births_.get_offsets().tolist() == [[1, 1]]
    assert drawn.deaths_.get_offsets().tolist() == [[2, -1]]
    assert [text.get_text() for text in drawn.event_names_] == ["c", "b"]
    assert title(drawn) == (
        "3 windows: drift in 1, 1 birth and 1 death of clusters; "
        "window 2 is least similar to the one before (0.50)"
    )


def test_lines_and_marks_of_drift_are_inside_the_limits():
    drawn = TimelineDisplay(REPORTS).plot()
    low, high = drawn.similarity_.axes.get_ylim()
    assert 0 <= low < 0.3
    ((_, mark),) = drawn.drift_.get_offsets().tolist()
    assert 1 < mark < high


def test_areas_stack_up_to_the_window():
    drawn = TimelineDisplay(REPORTS).plot()
    tops = np.array([area.get_data().values for area in drawn.areas_])
    floors = np.array([area.get_data().baseline for area in drawn.areas_])
    assert [area.get_label() for area in drawn.areas_] == ["a", "b", "c"]
    assert (tops - floors).tolist() == [[60, 50, 70], [40, 30, 0], [0, 20, 30]]
    assert floors[1:].tolist() == tops[:-1].tolist()
    assert drawn.areas_[0].get_data().edges.tolist() == [-0.5, 0.5, 1.5, 2.5]


def test_colours_are_by_name_whenever_a_cluster_comes():
    late = [window(0, {"b": 10}), window(1, {"a": 5, "b": 5}, births=("a",))]
    drawn = TimelineDisplay(late).plot()
    used = {area.get_label(): to_hex(area.get_facecolor()) for area in drawn.areas_}
    assert used == {"b": paint(1), "a": paint(0)}


@pytest.mark.slow
def test_noise_is_grey_and_given_colours_are_used():
    reports = [window(0, {-1: 10, 0: 20, 1: 5})]
    drawn = TimelineDisplay(reports).plot()
    assert to_hex(drawn.areas_[0].get_facecolor()) == NOISE
    colours = [Colours([1, 0, -1, "other"], np.array([7, 3, -1, 1]))]
    drawn = TimelineDisplay(reports, colours=colours).plot()
    painted = [to_hex(area.get_facecolor()) for area in drawn.areas_]
    assert painted == [NOISE, paint(3), paint(7)]


def test_fresh_names_are_followed_by_matches():
    reports = [
        window(0, {0: 60, 1: 40}),
        window(
            1, {0: 35, 1: 65},
            matches=(WindowMatch(0, 1, 0.6, 0.9), WindowMatch(1, 0, 0.4, 0.9)),
        ),
        window(
            2, {0: 70, 1: 30}, births=(1,), deaths=(0,),
            matches=(WindowMatch(1, 0, 0.9, 0.9), WindowMatch(0, 1, 0.1, 0.1)),
        ),
    ]  # fmt: skip
    lives = follow_clusters(reports, by_name=False)
    assert [(life.name, life.since, life.sizes.tolist()) for life in lives] == [
        (0, 0, [60, 65, 70]),
        (1, 0, [40, 35, 0]),
        (1, 2, [0, 0, 30]),
    ]
    drawn = TimelineDisplay(reports, follow="matches").plot()
    assert [area.get_label() for area in drawn.areas_] == ["0", "1", "1 of 2"]
    assert len({to_hex(area.get_facecolor()) for area in drawn.areas_}) == 3
    by_name = follow_clusters(reports, by_name=True)
    assert [life.sizes.tolist() for life in by_name] == [[60, 35, 70], [40, 65, 30]]


def test_a_stream_is_run_to_its_end():
    labels = np.repeat([0, 1, 0, 1, 2], 300)
    values = np.random.default_rng(0).normal(labels, 0.3)[:, None]
    drawn = TimelineDisplay.from_stream(ClusteringStream(window=600), [(values, labels)]).plot()
    assert [report.n for report in drawn.reports] == [600, 600, 300]
    totals = drawn.areas_[-1].get_data().values
    assert totals.tolist() == [600, 600, 300]


@pytest.mark.parametrize(("names", "follow"), [("kept", "names"), ("fresh", "matches")])
def test_a_stream_draws_its_reports_and_knows_what_names_mean(names, follow):
    labels = np.arange(40) % 2
    stream = ClusteringStream(window=10, names=names)
    reports = list(stream.run([(labels[:, None] * 1.0, labels)]))
    figure, ax = plt.subplots()
    drawn = stream.plot(reports, ax=ax)
    assert drawn.follow == follow
    assert drawn.reports == reports
    assert drawn.figure_ is figure
    assert stream.plot(reports, follow="names").follow == "names"


@pytest.mark.slow
def test_many_windows_and_clusters_stay_readable():
    rng = np.random.default_rng(0)
    reports = [
        window(i, dict(enumerate(rng.integers(1, 50, 30).tolist())), births=(i % 30,), drift=i % 2)
        for i in range(600)
    ]
    drawn = TimelineDisplay(reports).plot()
    assert len(drawn.areas_) == 21
    assert drawn.areas_[-1].get_label() == "10 smaller ones"
    assert to_hex(drawn.areas_[-1].get_facecolor()) == FAINT
    totals = [sum(report.sizes.values()) for report in reports]
    assert drawn.areas_[-1].get_data().values.tolist() == totals
    assert all(area.get_rasterized() for area in drawn.areas_)
    assert drawn.similarity_.get_marker() in (None, "None")
    assert len(drawn.births_.get_offsets()) == 600
    assert 5 < len(drawn.event_names_) < 120


def test_the_largest_at_some_time_are_shown():
    sizes = dict.fromkeys(range(25), 5)
    reports = [window(i, sizes) for i in range(9)]
    reports.append(window(9, {**sizes, "burst": 1000}, births=("burst",)))
    drawn = TimelineDisplay(reports).plot()
    assert "burst" in [area.get_label() for area in drawn.areas_]


def test_one_window_can_be_drawn():
    drawn = TimelineDisplay(REPORTS[:1]).plot()
    assert title(drawn) == "1 window: drift in 0, 0 births and 0 deaths of clusters"


def test_hostile_names_are_drawn_literally():
    names = ["$x_1$", "<script>alert(1)</script>", "a" * 300]
    reports = [window(0, dict.fromkeys(names, 9)), window(1, {"x": 9}, births=("x\ny",))]
    drawn = TimelineDisplay(reports).plot()
    drawn.figure_.canvas.draw()
    labels = [area.get_label() for area in drawn.areas_]
    assert labels[0] == r"\$x_1\$"
    assert max(map(len, labels)) <= 16
    assert "\n" not in drawn.event_names_[0].get_text()


def test_one_axes_given_is_divided():
    figure, (left, right) = plt.subplots(1, 2)
    drawn = TimelineDisplay(REPORTS).plot(ax=right)
    assert drawn.axes_.shape == (3, 1)
    assert drawn.figure_ is figure
    assert not left.has_data()


def test_refusals():
    with pytest.raises(InputError, match="no windows to draw"):
        TimelineDisplay([])
    with pytest.raises(InputError, match="follow='size' is unknown"):
        TimelineDisplay(REPORTS, follow="size")
    with pytest.raises(InputError, match="not in the order of their windows"):
        TimelineDisplay(REPORTS[::-1])
    with pytest.raises(InputError, match="no colour for cluster 'b'"):
        TimelineDisplay(REPORTS, colours=[Colours(["a"], np.array([0]))]).plot()


def test_names_that_begin_with_an_underscore_are_in_the_legend():
    drawn = TimelineDisplay([window(i, {"_a": 5, "b": 4}) for i in range(2)]).plot()
    shown = [text.get_text().strip() for text in drawn.axes_[-1, 0].get_legend().get_texts()]
    assert sorted(shown) == ["_a", "b"]


def test_the_legend_is_in_the_order_of_the_areas():
    """The uppermost area is the first in the legend."""
    drawn = TimelineDisplay([window(i, {"a": 5, "b": 4, "c": 3}) for i in range(2)]).plot()
    ax = drawn.axes_[-1, 0]
    shown = [text.get_text().strip() for text in ax.get_legend().get_texts()]
    tops = {str(area.get_label()): float(area.get_data().values.max()) for area in drawn.areas_}
    assert shown == sorted(tops, key=lambda name: -tops[name])
