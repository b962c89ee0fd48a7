"""Colours, names, and the base class of all displays."""

import inspect
import itertools
import subprocess
import sys

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise import Contingency, InputError
from clusterwise._utils.lazy import choose_display, load_display
from clusterwise._utils.tables import shorten
from clusterwise.comparing.matches import match_clusters
from clusterwise.inputs.clusterings import LabelOptions, Singleton
from clusterwise.plots import __all__ as displays
from clusterwise.plots._annotations import show_name, show_names
from clusterwise.plots._palette import FAINT, INK, NOISE, colour_clusters, colour_names, mark, paint
from clusterwise.plots.base import Display, styled

# Severity 1 of Machado, Oliveira and Fernandes (2009), for linear RGB.
SEEN = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour):
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    t = to_xyz @ np.clip(rgb, 0, 1) / to_xyz.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_lab_of_known_colours():
    np.testing.assert_allclose(lab(linear("#ffffff")), [100, 0, 0], atol=0.01)
    np.testing.assert_allclose(lab(linear("#ff0000")), [53.24, 80.09, 67.20], atol=0.02)


@pytest.mark.parametrize("sight", SEEN)
def test_noise_and_the_first_ten_colours_are_distinct(sight):
    seen = [lab(SEEN[sight] @ linear(paint(i))) for i in range(-1, 10)]
    apart = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(apart) >= 15


def test_sixty_looks():
    looks = {(paint(i), mark(i)) for i in range(60)}
    assert len(looks) == 60
    assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour, _ in looks)
    assert len({paint(i) for i in range(30)}) == 30
    assert NOISE not in {colour for colour, _ in looks}


def test_markers_are_those_of_matplotlib():
    from matplotlib.markers import MarkerStyle

    filled = {mark(i) for i in range(100)} | {mark(-1)}
    assert len(filled) == 11
    assert all(MarkerStyle(one).is_filled() for one in filled)


def test_colours_in_the_order_of_names():
    found = colour_names(np.array(["b", "a", "c"]))
    assert found.names == ["b", "a", "c"]
    assert found.paints == [paint(0), paint(1), paint(2)]
    assert found.marks == ["o", "o", "o"]


def test_noise_is_grey():
    found = colour_names([-1, 3, Singleton(), 7])
    assert found.numbers.tolist() == [-1, 0, -1, 1]
    assert found.paints[0] == NOISE
    assert found.marks[0] == "."
    assert colour_names(["noise", "x"], noise_label="noise").paints == [NOISE, paint(0)]
    assert colour_names(["noise", "x"]).paints == [paint(0), paint(1)]


def test_matched_clusters_have_one_colour():
    a = ["x"] * 5 + ["y"] * 4 + ["z"] * 3
    b = [2] * 5 + [0] * 4 + [1] * 3
    first, second = colour_clusters([Contingency.from_labels(a, b)])
    assert dict(zip(second.names, second.paints, strict=True)) == {
        2: first.paints[0],
        0: first.paints[1],
        1: first.paints[2],
    }


def test_clusters_without_a_match_have_new_colours():
    a = ["x"] * 5 + ["y"] * 4
    b = [0] * 3 + [1] * 2 + [2] * 4
    first, second = colour_clusters([Contingency.from_labels(a, b)])
    assert second.numbers.tolist() == [0, 2, 1]
    assert first.numbers.tolist() == [0, 1]


def test_noise_is_matched_with_nothing():
    a, b = [-1] * 5 + [1] * 4, [7] * 5 + [-1] * 4
    first, second = colour_clusters([Contingency.from_labels(a, b)])
    assert first.paints == [NOISE, paint(0)]
    assert second.names == [-1, 7]
    assert second.paints[0] == NOISE
    assert second.paints[1] not in {NOISE, paint(0)}


def test_a_chain_of_three():
    a = np.repeat([0, 1, 2], 4)
    b = np.repeat(["q", "r", "p"], 4)
    c = np.repeat([30, 10, 20], 4)
    tables = [Contingency.from_labels(a, b), Contingency.from_labels(b, c)]
    colours = colour_clusters(tables)
    assert [one.names for one in colours] == [[0, 1, 2], ["p", "q", "r"], [10, 20, 30]]
    assert [one.numbers.tolist() for one in colours] == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


@given(labels=st.lists(st.tuples(*[st.integers(-1, 4)] * 3), min_size=1, max_size=40))
def test_colours_of_a_chain(labels):
    each = np.array(labels).T
    tables = [Contingency.from_labels(a, b) for a, b in itertools.pairwise(each)]
    colours = colour_clusters(tables)
    for one, own in zip(colours, each, strict=True):
        assert one.names == np.unique(own).tolist()
        numbers = dict(zip(one.names, one.numbers.tolist(), strict=True))
        assert numbers.pop(-1, -1) == -1
        assert len(set(numbers.values())) == len(numbers)
        assert min(numbers.values(), default=0) >= 0
    for table, a, b in zip(tables, colours, colours[1:], strict=False):
        matching = match_clusters(table)
        for row, column in zip(matching.rows, matching.columns, strict=True):
            assert a.numbers[row] == b.numbers[column] != -1


@pytest.mark.parametrize("width", [5, 12, 24])
def test_long_names_are_cut(width):
    name = "the first part of a name and its end 42"
    shown = shorten(name, width)
    assert len(shown) == width
    begin, end = shown.split("…")
    assert len(begin) >= len(end) >= 1
    assert name.startswith(begin)
    assert name.endswith(end)


def test_short_names_stay():
    assert show_name("kept as it is, 24 chars.") == "kept as it is, 24 chars."
    assert show_name(3) == "3"


def test_names_are_not_parsed_as_mathematics():
    figure, ax = plt.subplots()
    ax.set_title(show_name(r"$\frac{1"))
    figure.canvas.draw()  # which would refuse a formula that does not end
    plt.close(figure)
    assert show_name("$x_1$") == r"\$x_1\$"


def test_control_characters_are_shown():
    assert show_name("a\nb\x1b[31m\u202e") == r"a\nb\x1b[31m\u202e"


def test_names_that_look_the_same_once_cut_show_where_they_differ():
    long = ["a name that begins the same " + middle + " and ends so" for middle in "xyz"]
    shown = show_names([*long, "other"], width=12)
    assert shown == ["a na…x a… so", "a na…y a… so", "a na…z a… so", "other"]


def test_names_that_still_look_the_same_are_numbered():
    assert show_names(["b" * 30, "b" * 30, "c"], width=9) == ["bbb… (1)", "bbb… (2)", "c"]


class Square(Display):
    def __init__(self, rows=1, columns=1):
        self.shape = rows, columns

    @styled
    def plot(self, ax=None):
        for part in self._grid(ax, *self.shape, (3, 2)).flat:
            part.plot([0, 1])
        return self


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_a_new_figure_has_the_given_size():
    drawn = Square(1, 2).plot()
    assert drawn.figure_.get_size_inches().tolist() == [3, 2]
    assert drawn.axes_.shape == (1, 2)
    assert drawn.ax_ is drawn.axes_[0, 0]


def test_axes_given_are_used():
    figure, ax = plt.subplots()
    drawn = Square().plot(ax=ax)
    assert drawn.ax_ is ax
    assert drawn.figure_ is figure
    assert len(plt.get_fignums()) == 1


def test_one_axes_is_divided():
    figure, (left, right) = plt.subplots(1, 2)
    drawn = Square(2, 2).plot(ax=left)
    assert drawn.axes_.shape == (2, 2)
    figure.canvas.draw()
    edge = right.get_position().x0
    assert all(part.get_position().x1 <= edge for part in drawn.axes_.flat)


def test_as_many_axes_as_parts():
    _, axes = plt.subplots(1, 2)
    assert Square(2, 1).plot(ax=axes).axes_.ravel().tolist() == list(axes)
    with pytest.raises(InputError, match="ax has 2 axes, but the plot needs 3"):
        Square(3, 1).plot(ax=axes)
    loose = plt.figure().add_axes((0, 0, 1, 1))
    with pytest.raises(InputError, match="not part of a grid"):
        Square(3, 1).plot(ax=loose)


def test_settings_of_the_user_are_restored():
    before = mpl.rcParams.copy()
    drawn = Square().plot()
    assert mpl.rcParams == before
    assert drawn.ax_.spines["left"].get_edgecolor() == mpl.colors.to_rgba(FAINT)
    assert drawn.ax_.xaxis.get_ticklabels()[0].get_color() == INK


def test_every_display_is_there():
    for name in displays:
        assert issubclass(load_display(name), Display)
        assert load_display(name).__name__ == name


def test_kinds_that_do_not_exist():
    with pytest.raises(InputError, match="unknown plot kind 'pie'; use flow or map"):
        choose_display("pie", {"flow": "FlowDisplay", "map": "ClusteringMapDisplay"})


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "cw.compare([0, 0, 1], [0, 1, 1]).plot()",
        "cw.compare_all({'a': [0, 0, 1], 'b': [0, 1, 1]}).plot()",
        "cw.compare_all({'a': [0, 0, 1], 'b': [0, 1, 1]}).plot('map')",
    ],
)
def test_without_matplotlib_the_extra_is_named(call):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import clusterwise as cw\nfrom clusterwise._utils.errors import MissingExtraError\n"
        f"try:\n    {call}\nexcept MissingExtraError as error:\n    print(error)"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == (
        "plots need matplotlib, which is not installed; install clusterwise[plots]."
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import clusterwise",
        "import clusterwise.comparing, clusterwise.comparing.compare, "
        "clusterwise.comparing.compare_all",
        "import clusterwise.alternatives.results, clusterwise.alternatives.metaclusterer",
        "import clusterwise.plots; dir(clusterwise.plots)",
        "import clusterwise as cw; cw.compare([0, 0, 1], [0, 1, 1])",
    ],
)
def test_plots_are_loaded_on_first_use(code):
    done = run(f"{code}\nimport sys\nprint('matplotlib' in sys.modules)")
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "ClusteringMapDisplay",
        "ContingencyDisplay",
        "FlowDisplay",
        "ProfileDisplay",
        "ScatterPairDisplay",
        "SimilarityDisplay",
    ],
)
def test_label_options_are_spelled_out(name) -> None:
    parameters = inspect.signature(getattr(cw.plots, name).from_clusterings).parameters
    measure = inspect.signature(cw.rand_score).parameters
    for option in LabelOptions.__annotations__:
        assert parameters[option].default == measure[option].default
