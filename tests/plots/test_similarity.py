"""The similarity matrix of several clusterings."""

import io

import matplotlib as mpl

from helpers.strategies import max_examples

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise import InputError, compare_all
from clusterwise.measures.catalogue import CATALOGUE, OF_LABELS
from clusterwise.plots import SimilarityDisplay
from clusterwise.plots._scaling import as_distances, name_distance
from clusterwise.plots.similarity import order_by_similarity

HOSTILE = ["$x_1$", "<script>alert('x')</script>", "😀" * 30, "a\nb", "long " * 60, "שלום"]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def runs():
    """Two groups of similar clusterings, in mixed order."""
    random = np.random.default_rng(0)
    kinds = [np.repeat([0, 1, 2], 20), np.tile([0, 1], 30)]
    found = {}
    for i in range(8):
        labels = kinds[i % 2].copy()
        labels[random.integers(0, 60, 4)] = 0
        found[f"run {i}"] = labels
    return found


def ticks(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


@pytest.mark.parametrize("measure", ["adjusted_rand_score", "variation_of_information"])
def test_similar_clusterings_are_beside_each_other(runs, measure):
    matrix = compare_all(runs, measure=measure)
    display = matrix.plot()
    names = ticks(display.ax_.yaxis)
    assert names == ticks(display.ax_.xaxis) == [matrix.names[i] for i in display.order]
    assert sorted(names) == sorted(runs)
    kinds = [int(name[-1]) % 2 for name in names]
    assert np.count_nonzero(np.diff(kinds)) == 1
    expected = matrix.values[np.ix_(display.order, display.order)]
    np.testing.assert_array_equal(display.image_.get_array(), expected)


@pytest.mark.parametrize("measure", ["adjusted_rand_score", "variation_of_information"])
def test_bright_means_similar(runs, measure):
    display = compare_all(runs, measure=measure).plot()
    shades = np.asarray(display.image_.to_rgba(display.image_.get_array()))[..., :3].sum(axis=2)
    assert np.diag(shades).min() >= shades.max() - 1e-9
    assert measure in display.colorbar_.ax.get_ylabel()


def test_values_are_written_if_there_are_few(runs):
    display = compare_all(runs).plot()
    assert len(display.texts_) == 64
    values = np.asarray(display.image_.get_array()).ravel()
    for text, value in zip(display.texts_, values, strict=True):
        assert float(text.get_text().replace("−", "-")) == pytest.approx(value, abs=0.0051)
    many = {f"{i}": np.roll(runs["run 0"], i) for i in range(17)}
    assert compare_all(many).plot().texts_ == []


def test_the_title_names_the_ends(runs):
    matrix = compare_all(runs)
    pairs = matrix.pairs()
    title = matrix.plot().ax_.get_title(loc="left")
    assert f"{pairs[0][0]} and {pairs[0][1]} ({pairs[0][2]:.2f})" in title.split("\n")[0]
    assert f"({pairs[-1][2]:.2f})".replace("-", "−") in title.split("\n")[1]


def test_two_clusterings():
    display = SimilarityDisplay.from_clusterings(
        {"one": [0, 0, 0, 1, 1, 1], "two": [0, 0, 1, 1, 1, 1]}, measure="rand_score"
    ).plot()
    assert display.ax_.get_title(loc="left") == "rand_score of one and two (0.67)"
    assert len(display.texts_) == 4


def test_equal_clusterings():
    display = compare_all({"a": [0, 1], "b": [1, 0], "c": [0, 1]}).plot()
    assert {text.get_text() for text in display.texts_} == {"1.00"}
    display.figure_.canvas.draw()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
def test_many_with_hostile_names():
    random = np.random.default_rng(0)
    names = [f"{HOSTILE[i % 6]} {i}" for i in range(130)]
    display = SimilarityDisplay(random.random((130, 130)), names, "rand_score").plot()
    assert len(ticks(display.ax_.yaxis)) == 44
    assert display.ax_.get_ylabel() == "clusterings, every third named"
    assert display.figure_.get_size_inches().max() <= 13
    file = io.BytesIO()
    display.figure_.savefig(file, format="svg")
    assert file.tell() < 400_000


def test_axes_given_are_used(runs):
    figure, (left, right) = plt.subplots(1, 2)
    display = compare_all(runs).plot(ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not left.images


def test_measures_that_are_not_symmetric(runs):
    matrix = compare_all(runs, measure="wallace_score")
    assert (matrix.values != matrix.values.T).any()
    display = matrix.plot()
    order = display.order
    np.testing.assert_array_equal(display.image_.get_array(), matrix.values[np.ix_(order, order)])


def test_refusals():
    with pytest.raises(InputError, match=r"shape \(2, 3\) for 2 clusterings"):
        SimilarityDisplay(np.ones((2, 3)), ["a", "b"], "rand_score")
    with pytest.raises(InputError, match="not all finite"):
        SimilarityDisplay([[1, np.nan], [np.nan, 1]], ["a", "b"], "rand_score")
    with pytest.raises(InputError, match="unknown measure 'rand'"):
        SimilarityDisplay(np.eye(2), ["a", "b"], "rand")
    with pytest.raises(InputError, match="unknown plot kind 'bars'; use similarity, map or tree"):
        compare_all({"a": [0, 1], "b": [0, 0]}).plot("bars")


@pytest.mark.parametrize("measure", OF_LABELS)
def test_distances_of_every_measure(runs, measure):
    matrix = compare_all(runs, measure=measure)
    found = as_distances(matrix.values, measure)
    np.testing.assert_array_equal(found, found.T)
    assert (found >= 0).all()
    assert (np.diag(found) == 0).all()
    alike, unlike = found[0, 2], found[0, 1]
    assert alike < unlike
    if CATALOGUE[measure].direction == "distance":
        np.testing.assert_allclose(found, matrix.values)
        assert name_distance(measure) == measure
    elif CATALOGUE[measure].high == "1":
        np.testing.assert_allclose(found, 1 - (matrix.values + matrix.values.T) / 2, atol=1e-12)
        assert name_distance(measure) == f"1 − {measure}"
    else:
        assert name_distance(measure) == f"lack of {measure}"


@max_examples(30)
@given(m=st.integers(2, 12), seed=st.integers(0, 100))
def test_orders_are_of_all(m, seed):
    points = np.random.default_rng(seed).normal(size=m)
    order = order_by_similarity(np.abs(points[:, None] - points))
    assert sorted(order.tolist()) == list(range(m))


@pytest.mark.parametrize("sign", [1, -1])
def test_an_order_on_a_line(sign):
    points = sign * np.array([12.0, 0.0, 7.0, 1.0, 3.0])
    assert order_by_similarity(np.abs(points[:, None] - points)).tolist() == [0, 2, 4, 3, 1]
