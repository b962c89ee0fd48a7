"""The stability of clusters, of objects, and of numbers of clusters."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import clusterwise as cw
from clusterwise.plots import (
    ClusterStabilityDisplay,
    NumberAssessmentDisplay,
    ObjectStabilityDisplay,
)
from clusterwise.plots._palette import NOISE, paint

RANDOM = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], 30)
X = np.array([[0.0, 0, 0], [0, 9, 4], [9, 9, -4]])[TRUTH] + RANDOM.normal(size=(90, 3))
OPTIONS = {"n_resamples": 12, "n_null": 19, "nulls": ["gaussian"], "random_state": 0}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def found():
    labels = np.where(np.arange(90) == 4, -1, TRUTH)
    return cw.assess(X, labels, **OPTIONS)


@pytest.fixture(scope="module")
def numbers():
    return cw.assess(X, AgglomerativeClustering, n_clusters=[2, 3, 5], **OPTIONS)


def test_bars_are_means_with_intervals(found):
    display = found.plot()
    assert isinstance(display, ClusterStabilityDisplay)
    widths = [bar.get_width() for bar in display.bars_]
    np.testing.assert_allclose(widths, [one.jaccard for one in found.stability])
    ends = [segment[:, 0] for segment in display.intervals_.get_segments()]
    np.testing.assert_allclose(ends, [(one.low, one.high) for one in found.stability])
    assert [to_hex(bar.get_facecolor()) for bar in display.bars_] == [paint(k) for k in range(3)]
    lost = [text.get_text() for text in display.lost_]
    assert lost == [
        f"lost in {one.dissolved}"
        + ("" if one.merges_with is None else f", mostly into {one.merges_with}")
        for one in found.stability
        if one.dissolved
    ]
    top, bottom = display.bars_[0], display.bars_[2]
    ax = display.ax_
    assert ax.transData.transform(top.get_xy())[1] > ax.transData.transform(bottom.get_xy())[1]


def test_the_title_of_the_bars_says_what_the_table_says(found):
    title = " ".join(found.plot().ax_.get_title(loc="left").split())
    stable = sum(one.stable for one in found.stability)
    assert title.startswith({0: "None of 3", 3: "All 3"}.get(stable, f"{stable} of 3"))
    assert title.endswith(f"{found.ari:.2f} against {found.null_ari:.2f}")
    assert ("is more stable than chance" in title) == found.stable


def test_the_least_stable_of_many_clusters():
    points = np.random.default_rng(1).normal(size=(130, 2))
    many = cw.assess(points, AgglomerativeClustering(45), **OPTIONS)
    display = many.plot()
    assert len(display.bars_) == 40
    shown = {one.cluster for one in display.shown}
    hidden = [one.jaccard for one in many.stability if one.cluster not in shown]
    assert min(hidden) >= max(one.jaccard for one in display.shown)
    assert "the 40 least stable ones" in " ".join(display.ax_.get_title(loc="left").split())


def test_ambiguous_objects_are_ringed_and_noise_is_grey(found):
    display = found.plot("objects")
    assert isinstance(display, ObjectStabilityDisplay)
    rings = display.rings_.get_offsets()
    np.testing.assert_allclose(rings, display.projection.points[found.objects.ambiguous])
    painted = {to_hex(colour) for points in display.objects_.points_[0]
               for colour in points.get_facecolors()}  # fmt: skip
    assert painted == {NOISE, *(paint(k) for k in range(3))}
    assert f"of 89 {'objects'}" in " ".join(display.ax_.get_title(loc="left").split())


def test_maps_of_features_and_coordinates(found):
    display = found.plot("objects", axes=[1, 2])
    np.testing.assert_array_equal(display.projection.points, X[:, 1:])
    display = found.plot("objects", coordinates=X[:, :2], ax=plt.figure().subplots())
    np.testing.assert_array_equal(display.projection.points, X[:, :2])
    with pytest.raises(cw.InputError, match="unknown plot kind 'zzz'; use clusters or objects"):
        found.plot("zzz")


def test_numbers_are_lines_beside_the_null_models(numbers):
    display = numbers.plot()
    assert isinstance(display, NumberAssessmentDisplay)
    assert display.data_.get_xdata().tolist() == [2, 3, 5]
    np.testing.assert_allclose(display.data_.get_ydata(), [one.ari for one in numbers])
    assert tuple(display.stable_.get_xdata()) == numbers.stable
    (null,) = display.nulls_
    np.testing.assert_allclose(null.get_ydata(), [one.null_ari for one in numbers])
    assert numbers.suggested is not None
    assert display.suggested_.get_xdata().tolist() == [numbers.suggested]
    title = " ".join(display.ax_.get_title(loc="left").split())
    best = numbers[numbers.suggested]
    assert title.endswith(f"{best.ari:.2f} against {best.null_ari:.2f}")
