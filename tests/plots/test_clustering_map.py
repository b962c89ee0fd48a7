"""The map of clusterings."""

import io

import matplotlib as mpl

from helpers.strategies import max_examples

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_rgba
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.exceptions import NotFittedError
from sklearn.manifold import smacof

import clusterwise as cw
from clusterwise import InputError, MetaClusterer, cluster_again, compare_all, rand_score
from clusterwise.plots import ClusteringMapDisplay
from clusterwise.plots._palette import INK
from clusterwise.plots._point_labels import write_texts
from clusterwise.plots._scaling import scale_down

HOSTILE = ["$x_1$", "<script>alert('x')</script>", "😀" * 30, "a\nb", "long " * 60, "שלום"]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def runs():
    random = np.random.default_rng(0)
    found = {f"run {i}": random.integers(0, i + 2, 80) for i in range(5)}
    found["again"] = found["run 3"].copy()
    return found


def names_of(display):
    return [text.get_text() for text in display.texts_]


@max_examples(30)
@given(m=st.integers(1, 12), seed=st.integers(0, 1000))
def test_points_of_the_plane_are_found_again(m, seed):
    points = np.random.default_rng(seed).normal(size=(m, 2)) * [3, 1]
    distances = cdist(points, points)
    found = scale_down(distances)
    np.testing.assert_allclose(cdist(found.points, found.points), distances, atol=1e-6)
    assert found.share == pytest.approx(1.0)


@max_examples(20)
@given(m=st.integers(3, 15), seed=st.integers(0, 1000))
def test_refinement_ends_at_a_minimum_of_the_stress(m, seed):
    points = np.random.default_rng(seed).normal(size=(m, 5))
    distances = cdist(points, points)
    found = scale_down(distances)
    misfit = ((pdist(found.points) - pdist(points)) ** 2).sum()
    _, further = smacof(
        distances, n_components=2, init=found.points, n_init=1, max_iter=2, eps=1e-12,
        normalized_stress=False,
    )  # fmt: skip
    assert misfit <= further * 1.001 + 1e-9
    # Classical scaling without refinement has no less stress.
    centred = points - points.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    classical = pdist(left[:, :2] * sizes[:2])
    assert misfit <= ((classical - pdist(points)) ** 2).sum() + 1e-9
    share = np.corrcoef(pdist(found.points), pdist(points))[0, 1] ** 2
    assert found.share == pytest.approx(share)


def test_maps_are_the_same_every_time(runs):
    matrix = compare_all(runs)
    first, second = matrix.plot("map"), matrix.plot("map")
    np.testing.assert_array_equal(first.positions, second.positions)
    spread = first.positions.std(axis=0)
    assert spread[0] >= spread[1]
    farthest = np.abs(first.positions).argmax(axis=0)
    assert (first.positions[farthest, [0, 1]] > 0).all()


def test_equal_clusterings_have_the_same_position(runs):
    display = compare_all(runs, measure="variation_of_information").plot("map")
    places = dict(zip(display.names, display.positions, strict=True))
    np.testing.assert_allclose(places["again"], places["run 3"], atol=1e-9)
    assert not np.allclose(places["run 0"], places["run 1"])


def test_degenerate_distances():
    alone = scale_down(np.zeros((1, 1)))
    assert alone.points.tolist() == [[0, 0]]
    same = scale_down(np.zeros((4, 4)))
    assert same.share == 1.0
    assert not same.points.any()
    simplex = scale_down(1.0 - np.eye(6))
    assert simplex.share == 0.0  # all are as far apart, which two dimensions cannot show
    with pytest.raises(InputError, match="square matrix of finite numbers"):
        scale_down(np.array([[0, np.nan], [np.nan, 0]]))


def test_sizes_are_numbers_of_clusters(runs):
    matrix = compare_all(runs)
    assert matrix.n_clusters == [len(set(labels.tolist())) for labels in runs.values()]
    sizes = matrix.plot("map").points_.get_sizes()
    np.testing.assert_allclose(sizes / sizes.max(), np.array(matrix.n_clusters) / 6)


def test_numbers_of_clusters_of_soft_ones():
    shares = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.2, 0.8, 0.0]])
    matrix = compare_all({"soft": shares, "hard": [7, 8, 9]}, measure="rand_score")
    assert matrix.n_clusters == [2, 3]


def test_colours_are_quality(runs):
    quality = {"run 0": 0.1, "run 1": 0.9, "run 2": 0.5, "run 3": 0.5}
    display = compare_all(runs).plot("map", quality=quality, quality_name="Dunn")
    fills = dict(zip(display.names, display.points_.get_facecolors(), strict=True))
    cmap = mpl.colormaps["cividis"]
    np.testing.assert_allclose(fills["run 0"], cmap(0.0))
    np.testing.assert_allclose(fills["run 1"], cmap(1.0))
    np.testing.assert_allclose(fills["run 2"], cmap(0.5), atol=0.01)
    assert fills["again"][3] == 0  # unknown, so hollow
    edges = dict(zip(display.names, display.points_.get_edgecolors(), strict=True))
    np.testing.assert_allclose(edges["again"], to_rgba(INK))
    assert display.colorbar_.ax.get_ylabel() == "Dunn"
    assert (display.colorbar_.vmin, display.colorbar_.vmax) == (0.1, 0.9)


@pytest.mark.parametrize("quality", [None, [np.nan] * 6])
def test_without_quality_there_is_no_scale(runs, quality):
    display = compare_all(runs).plot("map", quality=quality)
    assert display.colorbar_ is None
    assert len(display.figure_.axes) == 1


def test_one_quality_is_in_the_middle_of_its_scale(runs):
    display = compare_all(runs).plot("map", quality={"run 1": 0.7})
    assert display.colorbar_.vmin < 0.7 < display.colorbar_.vmax


def test_the_given_one_is_a_star(runs):
    display = compare_all(runs).plot("map", given="run 2")
    place = display.positions[2]
    np.testing.assert_array_equal(display.given_.get_offsets(), [place])
    assert len(display.points_.get_offsets()) == 5
    assert not (display.points_.get_offsets() == place).all(axis=1).any()
    assert names_of(display)[0] == "run 2"
    keys = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert keys[0] == "given"
    assert display.marked_ is None


def test_all_of_a_few_are_named_beside_their_points(runs):
    display = compare_all(runs).plot("map", given=["run 0", "again"])
    assert sorted(names_of(display)) == sorted(runs)
    places = dict(zip(display.names, display.positions, strict=True))
    for text in display.texts_:
        np.testing.assert_allclose(text.xy, places[text.get_text()])
    assert display.given_.get_offsets().shape == (2, 2)


def test_what_the_title_says(runs):
    display = compare_all(runs).plot("map")
    title = display.ax_.get_title(loc="left")
    assert title.startswith("6 clusterings: nearer is more similar")
    assert f"{display.share:.0%}" in title
    assert "1 − adjusted_rand_score" in display.ax_.get_xlabel()
    two = ClusteringMapDisplay.from_clusterings({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}).plot()
    assert two.ax_.get_title(loc="left").endswith("they are 1.39 apart")
    assert "variation_of_information" in two.ax_.get_xlabel()


def test_scale_is_the_same_along_both_axes(runs):
    display = compare_all(runs).plot("map")
    display.figure_.canvas.draw()
    ax = display.ax_
    unit = ax.transData.transform([(0, 0), (1, 1)])
    width, height = unit[1] - unit[0]
    assert width == pytest.approx(height, rel=0.006)  # matplotlib lets half a percent be
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert (display.positions > [left, low]).all()
    assert (display.positions < [right, high]).all()


def test_nothing_is_logged(runs, caplog):
    display = compare_all(runs).plot("map")
    display.figure_.canvas.draw()
    assert caplog.records == []


def test_axes_given_are_used(runs):
    figure, (left, right) = plt.subplots(1, 2)
    display = compare_all(runs).plot("map", ax=left)
    assert display.ax_ is left
    assert display.figure_ is figure
    assert not right.collections


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hostile_names():
    random = np.random.default_rng(0)
    runs = {name: random.integers(0, 3, 30) for name in HOSTILE}
    display = compare_all(runs).plot("map", given=HOSTILE[1])
    display.figure_.savefig(io.BytesIO(), format="png")
    shown = names_of(display)
    assert r"\$x_1\$" in shown
    assert r"a\nb" in shown
    assert shown[0].startswith("<script>")
    assert all(len(text) <= 22 for text in shown)


@pytest.mark.slow
def test_of_hundreds_only_the_marked_ones_are_named():
    random = np.random.default_rng(0)
    distances = squareform(random.random(300 * 299 // 2))
    names = [f"run {i}" for i in range(300)]
    display = ClusteringMapDisplay(distances, names, given=[299], marked=[5, 7, 9]).plot()
    assert names_of(display) == ["run 299", "run 5", "run 7", "run 9"]
    np.testing.assert_array_equal(display.marked_.get_offsets(), display.positions[[5, 7, 9]])
    file = io.BytesIO()
    display.figure_.savefig(file, format="svg")
    assert file.tell() < 600_000


def test_what_was_found():
    corners = np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 3, axis=0)
    X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    given = np.repeat(["left", "right"], 6)
    found = cluster_again(X, given, "naive", random_state=0)
    assert list(found.by_name()) == ["given", "0 NaiveAlternative"]
    np.testing.assert_array_equal(found.by_name()["0 NaiveAlternative"], found[0].labels)
    display = found.plot("map")
    assert sorted(names_of(display)) == ["0 NaiveAlternative", "given"]
    assert display.given.tolist() == [0]
    assert np.isnan(display.quality[0])
    assert display.quality[1] == found[0].quality
    expected = cw.variation_of_information(given, found[0].labels)
    assert display.distances[0, 1] == pytest.approx(expected)
    objects = found.plot("scatter", X=X)
    assert objects.axes_.shape == (1, 2)
    flow, front = found.plot("flow"), found.plot("front")
    assert type(flow).__name__ == "FlowDisplay"
    assert type(front).__name__ == "TradeoffDisplay"
    with pytest.raises(InputError, match="use scatter, map, front or flow"):
        found.plot("pie")


def test_what_was_found_beside_several():
    X = np.random.default_rng(0).normal(size=(30, 3))
    given = np.column_stack([X[:, 0] > 0, X[:, 1] > 0])
    found = cluster_again(X, given, "naive", random_state=0)
    assert list(found.by_name()) == ["given 1", "given 2", "0 NaiveAlternative"]
    display = found.plot("map")
    assert display.given_.get_offsets().shape == (2, 2)


def test_the_meta_level():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1, 3, 9]
    given = (X[:, 0] > 0).astype(int)
    model = MetaClusterer(2, n_base=30, random_state=0).fit(X, given)
    display = model.plot()
    np.testing.assert_array_equal(display.distances[:30, :30], model.meta_distances_)
    for i, labels in enumerate(model.base_labels_):
        assert display.distances[30, i] == 1 - rand_score(labels, given)
    assert display.given.tolist() == [30]
    assert sorted(display.marked) == sorted(model.representatives_)
    assert display.marked_.get_offsets().shape == (len(model.representatives_), 2)
    np.testing.assert_array_equal(display.quality[:30], model.base_compactness_)
    assert names_of(display)[0] == "given"
    _, ax = plt.subplots()
    assert model.plot(ax=ax).ax_ is ax
    with pytest.raises(NotFittedError, match="This MetaClusterer instance is not fitted yet"):
        MetaClusterer().plot()


def test_refusals(runs):
    matrix = compare_all(runs)
    with pytest.raises(InputError, match="no clustering 'none'; use run 0, run 1"):
        matrix.plot("map", given="none")
    with pytest.raises(InputError, match="no clustering 'none'"):
        matrix.plot("map", quality={"none": 1.0})
    with pytest.raises(InputError, match="quality has 2 values for 6 clusterings"):
        matrix.plot("map", quality=[1.0, 2.0])
    with pytest.raises(InputError, match="distances has 2 values for 3 clusterings"):
        ClusteringMapDisplay(np.zeros((2, 2)), ["a", "b", "c"])


def boxes_of(texts):
    figure = texts[0].figure
    figure.canvas.draw()
    return [text.get_bbox_patch().get_window_extent() for text in texts]


def test_texts_at_the_same_point_do_not_overlap():
    figure, ax = plt.subplots(figsize=(6, 5))
    ax.set(xlim=(-1, 1), ylim=(-1, 1))
    texts = write_texts(ax, np.zeros((8, 2)), [f"a name {i}" for i in range(8)])
    boxes = boxes_of(texts)
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
    assert figure is ax.figure


def test_texts_stay_inside():
    _, ax = plt.subplots(figsize=(6, 5))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    frame = ax.get_window_extent().padded(1)
    for box in boxes_of(write_texts(ax, corners, ["a long name of it"] * 4)):
        assert frame.contains(box.x0, box.y0)
        assert frame.contains(box.x1, box.y1)


def test_texts_do_not_cover_other_points():
    _, ax = plt.subplots(figsize=(6, 5))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    points = np.array([[0.5, 0.5], [0.56, 0.5], [0.44, 0.5], [0.5, 0.56]])
    options = {"obstacles": points, "around": 6.0, "gap": 8.0}
    for box in boxes_of(write_texts(ax, points[:1], ["a name"], **options)):
        for x, y in ax.transData.transform(points):
            assert not box.padded(6.0 * 100 / 72).contains(x, y)


def test_texts_on_their_points():
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    first, second = write_texts(ax, np.full((2, 2), 0.5), ["x", "y"], centred=True)
    assert first.xyann == (0, 0)
    assert second.xyann != (0, 0)
