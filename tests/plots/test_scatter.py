"""Scatter plots of the same objects, coloured by several clusterings."""

import io

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.image import AxesImage
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from clusterwise import Contingency, InputError, compare
from clusterwise.plots import ScatterPairDisplay
from clusterwise.plots._majority_image import majority_image
from clusterwise.plots._palette import NOISE, Colours, paint
from clusterwise.plots._projection import project

HOSTILE = ["$x_1$", "<script>alert('x')</script>", "😀" * 30, "a\nb", "long " * 60, "שלום"]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(60, 4)) * [1, 10, 100, 1000] + 50


def drawn(display, panel=0):
    """Every object of a panel as (x, y): colour, from the artists."""
    found = {}
    for artist in display.points_[panel]:
        for place, colour in zip(artist.get_offsets(), artist.get_facecolors(), strict=True):
            found[tuple(np.round(place, 9))] = to_hex(colour)
    return found


def test_matched_clusters_have_one_colour(X):
    a = np.repeat(["x", "y", "z"], 20)
    b = np.repeat([2, 0, 1], 20)
    b[0] = 0
    display = ScatterPairDisplay.from_clusterings(a, b, X).plot()
    places = [tuple(np.round(place, 9)) for place in display.projection.points]
    left, right = drawn(display, 0), drawn(display, 1)
    assert [left[place] for place in places] == np.repeat(
        [paint(0), paint(1), paint(2)], 20
    ).tolist()
    assert right[places[0]] == paint(1)
    assert all(left[place] == right[place] for place in places[1:])
    assert (
        display.axes_[0, 0]
        .get_title(loc="left")
        .startswith("98% of 60 objects stay in matched clusters\na: 3")
    )
    assert display.axes_[0, 1].get_title(loc="left") == "b: 3 clusters"


def test_panels_are_linked(X):
    display = ScatterPairDisplay.from_clusterings(X[:, 0] > 50, X[:, 1] > 50, X).plot()
    left, right = display.axes_.flat
    left.set_xlim(-1, 2)
    left.set_ylim(0, 3)
    assert right.get_xlim() == (-1, 2)
    assert right.get_ylim() == (0, 3)


def test_principal_components_are_of_standardised_features(X):
    model = PCA(2)
    expected = model.fit_transform(StandardScaler().fit_transform(X))
    found = project(X)
    np.testing.assert_allclose(np.abs(found.points), np.abs(expected), atol=1e-9)
    for label, share in zip(found.labels, model.explained_variance_ratio_, strict=True):
        assert f"{share:.0%}" in label


def test_categorical_features_are_projected_too():
    X = pd.DataFrame({"number": [1.0, 2.0, 8.0, 9.0], "kind": ["u", "u", "v", None]})
    found = project(X)
    assert found.points.shape == (4, 2)
    assert np.isfinite(found.points).all()
    assert np.ptp(found.points[:, 0]) > 0


def test_one_feature_and_constant_ones():
    found = project(np.array([[3.0], [1.0], [2.0]]))
    assert found.points.tolist() == [[3, 0], [1, 1], [2, 2]]
    same = ScatterPairDisplay.from_clusterings([0, 0, 1], [0, 1, 1], np.ones((3, 4))).plot()
    same.figure_.canvas.draw()
    assert len(drawn(same)) == 1
    assert same.axes_[0, 0].get_xlabel() == "all objects are the same"


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_along_two_features(frame):
    X = frame({"alcohol": [1.0, 2.0, 3.0], "ash": [0.0, 0.0, 0.0], "$hue$": [5.0, 4.0, None]})
    display = ScatterPairDisplay.from_clusterings(
        [0, 0, 1], [0, 1, 1], X, axes=("alcohol", "$hue$")
    ).plot()
    assert sorted(drawn(display)) == [(1, 5), (2, 4)]
    assert display.axes_[0, 0].get_xlabel() == "alcohol"
    assert display.axes_[0, 0].get_ylabel() == r"\$hue\$ (1 missing, not shown)"
    with pytest.raises(InputError, match="no feature 'color'; its features are alcohol, ash"):
        project(X, axes=("alcohol", "color"))
    with pytest.raises(InputError, match='pass "crossed", or the names of two features'):
        project(X, axes="alcohol")


def test_along_categorical_features():
    X = pd.DataFrame({"kind": ["u", "v", "u", None], "size": [1, 2, 3, 4]})
    found = project(X, axes=("kind", "size"))
    assert found.ticks == (["u", "v"], None)
    assert np.round(found.points[:3, 0]).tolist() == [0, 1, 0]
    assert np.isnan(found.points[3, 0])
    display = ScatterPairDisplay.from_clusterings(
        [0, 1, 0, 1], [0, 1, 1, 1], X, axes=("kind", "size")
    ).plot()
    for panel in display.axes_.flat:
        assert [text.get_text() for text in panel.get_xticklabels()] == ["u", "v"]


def test_columns_of_arrays_by_index_or_name(X):
    by_place, by_name = project(X, axes=(2, 0)), project(X, axes=("x2", "x0"))
    np.testing.assert_array_equal(by_place.points, X[:, [2, 0]])
    np.testing.assert_array_equal(by_name.points, by_place.points)
    assert by_place.labels == ("x2", "x0")


def test_given_coordinates(X):
    found = project(coordinates=X[:, :2])
    np.testing.assert_array_equal(found.points, X[:, :2])
    assert found.labels == ("coordinate 1", "coordinate 2")
    named = project(coordinates=pd.DataFrame(X[:, :2], columns=["umap 1", "umap 2"]))
    assert named.labels == ("umap 1", "umap 2")
    with pytest.raises(InputError, match="coordinates have 4 columns; pass two"):
        project(coordinates=X)
    with pytest.raises(InputError, match="leave one of them out"):
        project(coordinates=X[:, :2], axes=(0, 1))
    with pytest.raises(InputError, match="pass X or coordinates"):
        project()
    with pytest.raises(InputError, match="is inf at position 0"):
        project(coordinates=[[np.inf, 0.0], [1.0, 2.0]])


def test_from_a_comparison_is_the_same(X):
    a, b = np.repeat(["x", "y"], 30), np.tile([0, 1, 2], 20)
    result = compare(a, b, X, names=("old", "new"))
    display = result.plot("scatter")
    other = ScatterPairDisplay.from_clusterings(a, b, X).plot()
    assert [drawn(display, i) for i in (0, 1)] == [drawn(other, i) for i in (0, 1)]
    assert display.axes_[0, 1].get_title(loc="left") == "new: 3 clusters"


def test_noise_that_is_left_out_is_not_drawn(X):
    a, b = np.repeat([-1, 0, 1], 20), np.tile([0, 1], 30)
    display = compare(a, b, X, noise="drop").plot("scatter")
    kept = project(X).points[20:]
    assert sorted(drawn(display)) == sorted(tuple(np.round(place, 9)) for place in kept)
    other = ScatterPairDisplay.from_clusterings(a, b, X, noise="drop").plot()
    assert drawn(other) == drawn(display)


@pytest.mark.parametrize("noise", ["cluster", "singletons"])
def test_noise_is_grey(X, noise):
    a, b = np.repeat(["none", "x", "y"], 20), np.tile([0, 1], 30)
    display = ScatterPairDisplay.from_clusterings(a, b, X, noise=noise, noise_label="none").plot()
    shown = drawn(display)
    for i, place in enumerate(display.projection.points):
        assert (shown[tuple(np.round(place, 9))] == NOISE) == (i < 20)
    assert len(display.texts_[0]) == 3


def test_objects_matched_by_index(X):
    a = pd.Series(np.repeat([0, 1], 30), index=range(60))
    b = pd.Series(np.tile([0, 1], 10), index=range(59, 39, -1))
    display = ScatterPairDisplay.from_clusterings(a, b, X, align="index").plot()
    np.testing.assert_array_equal(display.projection.points, project(X).points[40:])


def test_one_clustering_and_many(X):
    labels = np.repeat([0, 1, 2], 20)
    one = ScatterPairDisplay.from_clusterings(labels, X=X).plot()
    assert one.axes_.shape == (1, 1)
    assert one.axes_[0, 0].get_title(loc="left") == "60 objects\na: 3 clusters"
    many = {f"run {i}": np.roll(labels, i) for i in range(5)}
    five = ScatterPairDisplay.from_clusterings(many, X=X).plot()
    assert len(five.points_) == 5
    titles = [panel.get_title(loc="left").split("\n")[-1] for panel in five.axes_.flat]
    assert titles[:5] == [f"run {i}: 3 clusters" for i in range(5)]
    assert not five.axes_.flat[5].axison


def test_soft_clusterings_are_paler_where_uncertain(X):
    shares = np.full((60, 2), 0.5)
    shares[:30] = [1.0, 0.0]
    shares[30:50] = [0.2, 0.8]
    display = ScatterPairDisplay.from_clusterings(shares, np.repeat(["x", "y"], 30), X).plot()
    (points,) = display.points_[0]
    alphas = {}
    for place, colour in zip(points.get_offsets(), points.get_facecolors(), strict=True):
        alphas[tuple(np.round(place, 9))] = colour[3]
    seen = [alphas[tuple(np.round(place, 9))] for place in display.projection.points]
    assert len(set(seen[:30])) == len(set(seen[30:50])) == len(set(seen[50:])) == 1
    assert 0 < seen[50] < seen[30] < seen[0] <= 1
    assert "paler is less certain" in display.axes_[0, 0].get_title(loc="left")
    assert "paler is less certain" not in display.axes_[0, 1].get_title(loc="left")


def test_axes_given_are_used(X):
    figure, axes = plt.subplots(1, 2)
    display = ScatterPairDisplay.from_clusterings(X[:, 0] > 50, X[:, 1] > 50, X).plot(ax=axes)
    assert display.axes_.ravel().tolist() == list(axes)
    assert display.figure_ is figure
    _, ax = plt.subplots()
    display.plot(ax=ax)
    assert display.figure_ is ax.figure
    assert display.axes_.shape == (1, 2)


def test_names_are_written_on_few_clusters(X):
    a = np.repeat(["x", "y", "z"], 20)
    display = ScatterPairDisplay.from_clusterings(a, a, X).plot()
    texts = display.texts_[0]
    assert sorted(text.get_text() for text in texts) == ["x", "y", "z"]
    edges = {text.get_text(): text.get_bbox_patch().get_edgecolor()[:3] for text in texts}
    assert edges["y"] == to_rgba(paint(1))[:3]
    places = {tuple(np.round(place, 9)) for place in project(X).points}
    assert all(tuple(np.round(text.xy, 9)) in places for text in texts)
    assert display.axes_[0, 0].get_legend() is None


def overlapping(texts):
    """The pairs of texts that cover each other."""
    boxes = [text.get_window_extent() for text in texts]
    return [
        (i, j)
        for i, one in enumerate(boxes)
        for j, other in enumerate(boxes[:i])
        if one.overlaps(other)
    ]


def test_many_long_names_are_written_where_they_fit_and_listed():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 30))
    a = np.array([f"a long name of the cluster {i}" for i in range(100)])[np.arange(400) % 100]
    b = np.arange(400) % 20
    display = ScatterPairDisplay.from_clusterings(a, b, X).plot()
    left, right = (panel.get_legend() for panel in display.axes_.flat)
    written = [text.get_text() for text in display.texts_[0]]
    *listed, last = (text.get_text() for text in left.get_texts())
    assert 3 <= len(written) < 30
    assert len(listed) == 24
    assert last == f"and {100 - 24 - len(written)} more"
    # None twice, neither on the clusters nor in the legend.
    assert len({*written, *listed}) == len(written) + 24
    display.figure_.draw_without_rendering()
    assert overlapping(display.texts_[0]) == []
    frame = display.axes_[0, 0].get_window_extent()
    for text in display.texts_[0]:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1
    assert right is None
    assert len(display.texts_[1]) == 20
    markers = {line.get_marker() for line in left.legend_handles}
    assert "o" in markers
    assert markers - {""} <= set("o^sDvP")


def test_clusters_whose_names_all_fit_have_no_legend():
    corners = np.stack(np.meshgrid(np.arange(4), np.arange(3)), axis=-1).reshape(-1, 2)
    labels = np.array([f"corner {i}" for i in range(12)])
    display = ScatterPairDisplay.from_clusterings(
        np.repeat(labels, 10), X=np.repeat(corners, 10, axis=0), axes=(0, 1)
    ).plot()
    assert display.axes_[0, 0].get_legend() is None
    assert {text.get_text() for text in display.texts_[0]} == set(labels)


def test_a_legend_is_below_a_label_of_several_lines():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        random.normal(size=(400, 3)), columns=[f"a rather long feature {i}" for i in range(3)]
    )
    labels = np.array([f"segment {i}" for i in range(40)])[np.arange(400) % 40]
    display = ScatterPairDisplay.from_clusterings(labels, labels, X, axes="crossed").plot()
    panel = display.axes_[0, 0]
    assert "\n" in panel.get_xlabel()
    display.figure_.draw_without_rendering()
    assert (
        not panel.get_legend().get_window_extent().overlaps(panel.xaxis.label.get_window_extent())
    )


@pytest.mark.filterwarnings("ignore:Glyph")  # fonts have not everything
def test_hostile_names():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(30, 6)), columns=HOSTILE)
    a = np.array(HOSTILE, object)[np.arange(30) % 6]
    display = ScatterPairDisplay.from_clusterings(
        a, a[::-1], X, names=HOSTILE[:2], axes=HOSTILE[:2]
    ).plot()
    display.figure_.savefig(io.BytesIO(), format="png")
    shown = {text.get_text() for text in display.texts_[0]}
    assert r"\$x_1\$" in shown
    assert r"a\nb" in shown
    assert all(len(text) <= 20 for text in shown)
    assert display.axes_[0, 0].get_xlabel() == r"\$x_1\$"


def test_many_objects_are_an_image():
    random = np.random.default_rng(0)
    n = 50_000
    a = random.integers(0, 3, n)
    X = random.normal(size=(n, 3)) + 6 * np.eye(3)[a]
    display = ScatterPairDisplay.from_clusterings(a, (a + 1) % 3, X).plot()
    for panel, (image,) in zip(display.axes_.flat, display.points_, strict=True):
        assert isinstance(image, AxesImage)
        assert not [one for one in panel.collections if isinstance(one, PathCollection)]
        colours = np.asarray(image.get_array())
        seen = colours[colours[..., 3] > 0.5]
        assert {to_hex(one) for one in seen} == {paint(0), paint(1), paint(2)}
        assert (colours[..., 3] == 0).any()
    file = io.BytesIO()
    display.figure_.savefig(file, format="svg")
    assert file.tell() < 400_000


@pytest.mark.slow
def test_some_thousands_of_objects_are_rasterized():
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 2))
    display = ScatterPairDisplay.from_clusterings(X[:, 0] > 0, X[:, 1] > 0, X).plot()
    assert all(artist.get_rasterized() for artist in display.points_[0])
    assert sum(len(artist.get_offsets()) for artist in display.points_[0]) == 20_000
    file = io.BytesIO()
    display.figure_.savefig(file, format="svg")
    assert file.tell() < 1_000_000


def test_an_image_shows_the_majority():
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    points = np.array([[0.1, 0.1]] * 5 + [[0.9, 0.9]] * 2 + [[0.5, 0.1]])
    codes = np.array([0, 0, 0, 1, 1, 1, 1, 0])
    image = np.asarray(majority_image(ax, points, codes, np.array([4, 7])).get_array())
    up, across, _ = image.shape

    def at(x, y):
        return image[int(y * up), int(x * across)]

    assert to_hex(at(0.1, 0.1)) == paint(4)
    assert to_hex(at(0.9, 0.9)) == paint(7)
    assert at(0.1, 0.1)[3] == 1.0
    assert at(0.1, 0.1)[3] > at(0.9, 0.9)[3] > at(0.5, 0.1)[3] > 0
    assert np.count_nonzero(image[..., 3]) == 3
    # The two are more certain than the three.
    sure = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 1, 1, 1])
    image = np.asarray(majority_image(ax, points, codes, np.array([4, 7]), sure).get_array())
    assert to_hex(at(0.1, 0.1)) == paint(7)
    assert at(0.1, 0.1)[3] == pytest.approx(2.1 / 5)


@pytest.mark.slow
def test_a_million_objects():
    random = np.random.default_rng(0)
    n = 1_000_000
    a = random.integers(0, 20, n)
    X = (random.normal(size=(20, 20)).astype(np.float32) * 4)[a]
    X += random.normal(size=(n, 20)).astype(np.float32)
    b = np.where(random.random(n) < 0.1, random.integers(0, 20, n), 19 - a)
    display = ScatterPairDisplay.from_clusterings(a, b, X).plot()
    file = io.BytesIO()
    display.figure_.savefig(file, format="svg")
    assert file.tell() < 600_000
    assert (
        display.axes_[0, 0]
        .get_title(loc="left")
        .startswith(f"{np.mean(b == 19 - a):.0%} of 1,000,000")
    )


def test_colours_that_are_passed(X):
    a = np.repeat(["x", "y"], 30)
    colours = [Colours(["y", "x"], np.array([5, 6])), Colours(["x", "y", "w"], np.array([6, 5, 1]))]
    display = ScatterPairDisplay.from_clusterings(a, a, X, colours=colours).plot()
    shown = drawn(display)
    places = [tuple(np.round(place, 9)) for place in display.projection.points]
    assert [shown[place] for place in places] == [paint(6)] * 30 + [paint(5)] * 30
    assert drawn(display, 1) == shown
    with pytest.raises(InputError, match="2 clusterings, but colours for 1"):
        ScatterPairDisplay.from_clusterings(a, a, X, colours=colours[:1])


def test_refusals(X):
    a = np.repeat([0, 1], 30)
    with pytest.raises(InputError, match="pass X to compare, or coordinates"):
        compare(a, a).plot("scatter")
    with pytest.raises(InputError, match="compare labels to draw them"):
        compare(Contingency.from_labels(a, a)).plot("scatter")
    with pytest.raises(InputError, match="positions of 59 objects, but labels of 60"):
        ScatterPairDisplay.from_clusterings(a, a, X[:59])
    with pytest.raises(InputError, match="positions of 10 objects, but labels of 60"):
        compare(a, a).plot("scatter", coordinates=X[:10, :2])
    with pytest.raises(InputError, match="leave out b"):
        ScatterPairDisplay.from_clusterings({"a": a}, a, X)
    with pytest.raises(InputError, match="at least one"):
        ScatterPairDisplay.from_clusterings({}, X=X)
    with pytest.raises(InputError, match="pass a name for each"):
        ScatterPairDisplay.from_clusterings(a, a, X, names=("same", "same"))
    with pytest.raises(InputError, match="need two clusterings; leave them out"):
        ScatterPairDisplay.from_clusterings({"a": a, "b": a, "c": a}, X=X, noise="drop")


def test_a_comparison_without_data_takes_coordinates(X):
    a = np.repeat([0, 1], 30)
    display = compare(a, a).plot("scatter", coordinates=X[:, :2])
    assert sorted(drawn(display)) == sorted(tuple(np.round(place, 9)) for place in X[:, :2])


def test_six_objects():
    X = [[0, 0], [0, 1], [1, 0], [5, 5], [5, 6], [6, 5]]
    display = ScatterPairDisplay.from_clusterings([0, 0, 0, 1, 1, 1], list("xxxyyy"), X).plot()
    assert len(drawn(display)) == 6
    assert display.axes_[0, 0].get_title(loc="left").startswith("100% of 6 objects")


def test_names_that_begin_with_an_underscore_are_listed():
    random = np.random.default_rng(0)
    names = np.array([f"_long name of the cluster {i}" for i in range(100)])
    display = ScatterPairDisplay.from_clusterings(
        names[np.arange(200) % 100], np.arange(200) % 2, random.normal(size=(200, 2))
    ).plot()
    *shown, _ = (text.get_text() for text in display.axes_[0, 0].get_legend().get_texts())
    assert len(shown) == 24
    assert all(text.startswith(" _long") for text in shown)
