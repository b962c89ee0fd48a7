"""The dendrogram of COALA: layout, dissimilar merges, cuts, strips and truncation."""

import matplotlib as mpl

from helpers.strategies import max_examples

mpl.use("Agg")

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from sklearn.exceptions import NotFittedError

from clusterwise import COALA, COALACat
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.merging import Merges
from clusterwise.plots import DendrogramDisplay
from clusterwise.plots._palette import NOISE, Colours, paint
from clusterwise.plots.dendrogram import lay_out_tree

POINTS = [[0, 0], [0, 1], [5, 0], [5, 1], [0, 8], [0, 9]]
GIVEN = np.array(list("aaabbb"))


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def make_merges(n, seed=0):
    """Merges whose distances are not monotone."""
    rng = np.random.default_rng(seed)
    left, sizes = list(range(n)), [1.0] * n
    pairs = []
    for step in range(n - 1):
        i, j = rng.choice(len(left), 2, replace=False)
        pair = (left[i], left[j])
        left = [node for node in left if node not in pair] + [n + step]
        sizes.append(sizes[pair[0]] + sizes[pair[1]])
        pairs.append(pair)
    return Merges(
        np.array(pairs), rng.random(n - 1) + 0.1, rng.random(n - 1) < 0.4, np.array(sizes[n:])
    )


def members(merges, node):
    n = len(merges) + 1
    if node < n:
        return {node}
    return set().union(*(members(merges, part) for part in merges.pairs[node - n].tolist()))


@max_examples(40)
@given(st.integers(2, 25), st.integers(0, 10**6), st.integers(1, 30))
def test_layout_keeps_every_cluster_together(n, seed, last):
    merges = make_merges(n, seed)
    heights = np.maximum.accumulate(merges.distances)
    tree = lay_out_tree(merges, heights, last)
    shown = min(last, n - 1)
    assert len(tree.links) == shown
    assert tree.sizes.sum() == n
    assert np.bincount(tree.leaf_of, minlength=shown + 1).tolist() == tree.sizes.tolist()
    for link, step in zip(tree.links, range(n - 1 - shown, n - 1), strict=True):
        leaves = sorted({int(tree.leaf_of[i]) for i in members(merges, n + step)})
        assert leaves == list(range(leaves[0], leaves[-1] + 1))
        assert link[1:3, 1].tolist() == [heights[step]] * 2
        assert (link[[0, 3], 1] <= heights[step]).all()
        assert leaves[0] <= link[0, 0] < link[3, 0] <= leaves[-1]


def test_inside_is_the_share_of_dissimilar_merges_in_a_leaf():
    merges = make_merges(30)
    tree = lay_out_tree(merges, np.arange(29.0), 5)
    for leaf in range(6):
        objects = set(np.flatnonzero(tree.leaf_of == leaf).tolist())
        inner = [s for s in range(24) if members(merges, 30 + s) <= objects]
        if inner:
            assert tree.inside[leaf] == pytest.approx(merges.dissimilar[inner].mean())
        else:
            assert np.isnan(tree.inside[leaf])


def test_dissimilar_merges_are_dashed_marked_and_counted():
    model = COALA().fit(POINTS, GIVEN)
    drawn = model.plot()
    assert isinstance(drawn, DendrogramDisplay)
    count = model.n_dissimilar_merges_
    assert 0 < count < 5
    assert len(drawn.dissimilar_.get_segments()) == count
    assert len(drawn.links_.get_segments()) == 5 - count
    assert len(drawn.marks_.get_offsets()) == count
    assert drawn.dissimilar_.get_linestyle()[0][1] is not None
    assert drawn.links_.get_linestyle()[0][1] is None
    assert to_hex(drawn.dissimilar_.get_color()[0]) != to_hex(drawn.links_.get_color()[0])
    assert drawn.ax_.get_title(loc="left") == f"{count} of 5 merges are dissimilar"
    labels = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert "dissimilar merge" in labels


@pytest.mark.parametrize("height", ["distance", "step"])
def test_heights_never_fall_though_distances_do(height):
    merges = make_merges(40)
    assert (np.diff(merges.distances) < 0).any()
    drawn = DendrogramDisplay(merges).plot(height=height)
    tops = drawn.tree_.links[:, 1, 1]
    assert (np.diff(tops) >= 0).all()
    expected = np.arange(1, 40) if height == "step" else np.maximum.accumulate(merges.distances)
    assert tops.tolist() == expected.tolist()


@pytest.mark.parametrize("n_clusters", [1, 2, 7, 40])
def test_cut_by_steps_crosses_as_many_lines_as_there_are_clusters(n_clusters):
    drawn = DendrogramDisplay(make_merges(40), n_clusters=n_clusters).plot(height="step")
    at = drawn.cut_.get_ydata()[0]
    links = drawn.tree_.links
    crossed = sum(int(low < at < link[1, 1]) for link in links for low in (link[0, 1], link[3, 1]))
    assert crossed == (n_clusters if n_clusters > 1 else 0)
    assert at > links[-1, 1, 1] or n_clusters > 1


def test_cut_of_large_clusters_is_where_it_was_made():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 2)) + 6 * (np.arange(60) % 3)[:, None]
    points[0] += 100
    model = COALA(n_clusters=3, min_cluster_size=5).fit(points, np.arange(60) % 2)
    shown = DendrogramDisplay.from_estimator(model)
    assert shown.n_clusters > 3
    assert np.unique(model.labels_).size == 3
    assert shown.labels is model.labels_


def test_strips_show_matched_clusters_in_one_colour():
    model = COALA(omega=2.0).fit(POINTS, GIVEN)
    drawn = model.plot(given=GIVEN)
    order = np.argsort(drawn.tree_.leaf_of)
    expected = {}
    for name, values in (("alternative", model.labels_), ("given", GIVEN)):
        for value, bars in zip(np.unique(values), drawn.strips_[name], strict=True):
            leaves = [round(bar.get_x() + bar.get_width() / 2) for bar in bars]
            assert leaves == np.flatnonzero(values[order] == value).tolist()
            expected[name, value] = to_hex(bars[0].get_facecolor())
    # With omega = 2 it is top and bottom: 0 has two of three a, and 1 two of three b.
    assert model.labels_.tolist() == [0, 0, 0, 0, 1, 1]
    assert expected["alternative", 0] == expected["given", "a"] == paint(0)
    assert expected["alternative", 1] == expected["given", "b"] == paint(1)


def test_long_histories_show_their_end_with_counts():
    merges = make_merges(500)
    drawn = DendrogramDisplay(merges, given=np.arange(500) % 3, n_clusters=4).plot(last=20)
    assert len(drawn.tree_.links) == 20
    labels = [text.get_text() for text in drawn.axes_[1, 0].get_xticklabels()]
    counted = [int(text[1:]) for text in labels if text.startswith("×")]
    assert sum(counted) + (21 - len(counted)) == 500
    shown = int(merges.dissimilar[-20:].sum())
    title = drawn.ax_.get_title(loc="left").replace("\n", " ")
    assert title.endswith(f"; of the last 20, which are shown, {shown}")
    assert "dissimilar inside" in drawn.strips_
    totals = np.zeros(21)
    for bars in drawn.strips_["given"]:
        for bar in bars:
            totals[round(bar.get_x() + 0.5)] += bar.get_height()
    assert totals == pytest.approx(np.full(21, totals[0]))


def test_a_cut_that_is_not_shown_has_no_line():
    assert DendrogramDisplay(make_merges(50), n_clusters=30).plot(last=10).cut_ is None


def test_prototypes_are_leaves():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(300, 2))
    model = COALA(n_clusters=2, prototypes=20, random_state=0).fit(points, np.arange(300) % 2)
    drawn = model.plot()
    assert drawn.tree_.sizes.size == len(model.merges_) + 1 < 60
    assert list(drawn.strips_) == ["alternative"]


def test_categorical_history_is_drawn_too():
    things = [["red", "round"], ["red", "square"], ["blue", "round"], ["blue", "square"]]
    drawn = COALACat().fit(things, ["warm", "warm", "cold", "cold"]).plot(height="step")
    assert len(drawn.tree_.links) == 3


def test_merges_without_labels_have_no_strips():
    drawn = make_merges(6).plot(height="step", last=3)
    assert len(drawn.tree_.links) == 3
    assert list(drawn.strips_) == ["dissimilar inside"]


@pytest.mark.slow
def test_twenty_clusters_with_hostile_names_have_a_key_each():
    names = [f"<script> $x_{{{i}}}$ {'long ' * 60}{i}" for i in range(20)]
    labels = np.arange(200) % 20
    shown = np.array(names)[labels]
    drawn = DendrogramDisplay(make_merges(200), labels=labels, given=shown).plot()
    drawn.figure_.canvas.draw()
    texts = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    keys = [text for text in texts if "|" in text and not text.endswith(":")]
    assert len(keys) == len(set(keys)) == 20
    assert max(map(len, keys)) < 40


def test_colours_given_are_used_and_noise_is_grey():
    colours = [Colours(["a", "b"], np.array([5, 6])), Colours([-1, 0, 1], np.array([-1, 6, 5]))]
    labels = np.array([0, 0, -1, 1, 1, 1])
    drawn = DendrogramDisplay(make_merges(6), labels=labels, given=GIVEN, colours=colours).plot()
    used = {
        name: [to_hex(bars[0].get_facecolor()) for bars in rows]
        for name, rows in drawn.strips_.items()
    }
    assert used == {"alternative": [NOISE, paint(6), paint(5)], "given": [paint(5), paint(6)]}


def test_one_axes_given_is_divided():
    figure, ax = plt.subplots()
    drawn = DendrogramDisplay(make_merges(5)).plot(ax=ax)
    assert drawn.figure_ is figure
    assert drawn.axes_.shape == (2, 1)


def test_refusals():
    merges = make_merges(5)
    with pytest.raises(InputError, match="height='size' is unknown"):
        DendrogramDisplay(merges).plot(height="size")
    with pytest.raises(InputError, match="last=0"):
        DendrogramDisplay(merges).plot(last=0)
    with pytest.raises(InputError, match="n_clusters=9 for 5 objects"):
        DendrogramDisplay(merges, n_clusters=9)
    with pytest.raises(InputError, match="given has 3 values for 5 objects"):
        DendrogramDisplay(merges, given=[0, 1, 2])
    one = [Colours([0, 1], np.array([0, 1]))]
    with pytest.raises(InputError, match="2 clusterings, but colours for 1"):
        DendrogramDisplay(merges, labels=[0, 1, 0, 1, 0], given=[0, 1, 1, 1, 0], colours=one).plot()
    with pytest.raises(InputError, match="no colour for cluster 1"):
        DendrogramDisplay(
            merges, labels=[0, 1, 0, 1, 0], colours=[Colours([0], np.array([0]))]
        ).plot()
    nothing = np.empty(0)
    with pytest.raises(InputError, match="no merges to draw"):
        DendrogramDisplay(Merges(np.empty((0, 2), int), nothing, nothing.astype(bool), nothing))
    with pytest.raises(NotFittedError, match="This COALA instance is not fitted yet"):
        COALA().plot()


def test_names_that_begin_with_an_underscore_have_a_key():
    given = ["_a", "_a", "_a", "_b", "_b", "_b"]
    drawn = DendrogramDisplay(make_merges(6), given=given).plot()
    shown = [text.get_text().strip() for text in drawn.ax_.get_legend().get_texts()]
    assert {"_a", "_b"} <= set(shown)


@pytest.mark.parametrize(("n", "name", "rotation"), [(4, "a", 0), (20, "a long name", 90)])
def test_names_of_leaves_are_turned_where_they_would_overlap(n, name, rotation):
    drawn = DendrogramDisplay(make_merges(n), names=[f"{name} {i}" for i in range(n)]).plot()
    labels = drawn.axes_[-1, 0].get_xticklabels()
    assert {label.get_rotation() for label in labels} == {rotation}
