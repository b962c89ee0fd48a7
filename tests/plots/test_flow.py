"""Flow between clusterings: order, blocks, bands, colours, names and limits."""

import matplotlib as mpl

mpl.use("Agg")

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import clusterwise as cw
from clusterwise.plots import FlowDisplay
from clusterwise.plots._ordering import (
    _reorder,
    count_crossings,
    order_columns,
    place_columns,
    spread_out,
)
from clusterwise.plots._palette import NOISE, colour_clusters, colour_names

LAST = ["gold", "gold", "basic", "basic", "basic", "new"]
THIS = ["A", "A", "A", "B", "B", "A"]

chains = st.integers(1, 25).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=2, max_size=4)
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def labels_of(n: int, k: int, kept: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, k, n)
    b = np.where(rng.random(n) < kept, rng.permutation(k)[a], rng.integers(0, k, n))
    return a, b


def naive_crossings(flow: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> float:
    """Count the crossings pair by pair."""
    placed = flow[rows][:, columns]
    total = 0.0
    for i, j in np.ndindex(placed.shape):
        for k, m in np.ndindex(placed.shape):
            if i < k and j > m:
                total += placed[i, j] * placed[k, m]
    return total


@given(chain=chains, seed=st.integers(0, 99))
def test_crossings_are_those_of_every_two_bands(chain, seed) -> None:
    flow = cw.Contingency.from_labels(chain[0], chain[1]).to_array()
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(size) for size in flow.shape]
    assert count_crossings([flow], orders) == naive_crossings(flow, *orders)


@given(chain=chains)
def test_no_more_crosses_than_in_the_order_of_names(chain) -> None:
    display = FlowDisplay.from_clusterings(chain)
    naive = [np.arange(len(column.sizes)) for column in display.columns]
    assert count_crossings(display.flows, display.orders) <= count_crossings(display.flows, naive)
    for order, first in zip(display.orders, naive, strict=True):
        assert sorted(order) == list(first)


@given(labels=st.lists(st.integers(0, 9), min_size=1, max_size=40), seed=st.integers(0, 99))
def test_nothing_crosses_between_equal_clusterings(labels, seed) -> None:
    renamed = np.random.default_rng(seed).permutation(10)[labels]
    display = FlowDisplay.from_clusterings([labels, renamed, labels])
    assert count_crossings(display.flows, display.orders) == 0


def test_sweeps_remove_the_crossings_of_the_order_of_names() -> None:
    a, b = labels_of(2000, 12, 0.9)
    display = FlowDisplay.from_clusterings([a, b])
    naive = [np.arange(12), np.arange(12)]
    tangled = count_crossings(display.flows, naive)
    assert count_crossings(display.flows, display.orders) < tangled / 3


def test_the_last_block_stays_last() -> None:
    rng = np.random.default_rng(3)
    flows = [rng.integers(0, 9, (5, 6)), rng.integers(0, 9, (6, 4))]
    orders = order_columns(flows, [1, -1, 2])
    assert (orders[0][-1], orders[2][-1]) == (1, 2)
    assert [sorted(order) for order in orders] == [list(range(k)) for k in (5, 6, 4)]


@given(
    blocks=st.lists(st.tuples(st.floats(-9, 9), st.floats(0.1, 5)), min_size=1, max_size=8),
    gap=st.floats(0, 2),
)
def test_blocks_are_spread_without_overlap_and_stay_where_they_can(blocks, gap) -> None:
    wanted, heights = np.array(blocks).T
    found = spread_out(wanted, heights, gap)
    assert (np.diff(found) >= (heights[1:] + heights[:-1]) / 2 + gap - 1e-9).all()
    assert found.sum() == pytest.approx(wanted.sum(), abs=1e-6)
    np.testing.assert_allclose(spread_out(found, heights, gap), found, atol=1e-9)


def test_matched_clusters_lie_side_by_side() -> None:
    flow = np.diag([5.0, 3.0, 2.0])
    order = np.arange(3)
    first, second = place_columns([flow], [order, order], [{0: 0, 1: 1, 2: 2}], 0.5)
    np.testing.assert_allclose(first, second)
    np.testing.assert_allclose(first, [2.5, 7.0, 10.0])
    # Beside its match, not at the mean of the blocks that it comes from.
    mixed = np.array([[6.0, 0.0], [4.0, 10.0]])
    first, second = place_columns([mixed], [order[:2]] * 2, [{0: 0, 1: 1}], 0.5)
    np.testing.assert_allclose(second, first)


@pytest.mark.parametrize("n", [6, 5000])
def test_blocks_and_bands_contain_every_object(n) -> None:
    a, b = labels_of(n, 4, 0.7)
    display = FlowDisplay.from_clusterings({"a": a, "b": b, "c": a}).plot()
    for blocks, column in zip(display.blocks_, display.columns, strict=True):
        assert sum(block.get_height() for block in blocks) == pytest.approx(n)
        # From top to bottom, without overlap.
        ends = [(block.get_y(), block.get_y() + block.get_height()) for block in blocks]
        assert all(end <= start for (_, end), (start, _) in pairwise(ends))
        assert len(blocks) == len(column.sizes)
    for bands, flow in zip(display.bands_, display.flows, strict=True):
        assert len(bands) == np.count_nonzero(flow)
        heights = [
            band.get_path().vertices[7, 1] - band.get_path().vertices[0, 1] for band in bands
        ]
        assert sorted(heights) == pytest.approx(sorted(flow[flow > 0]))


def test_bands_begin_and_end_within_their_blocks() -> None:
    display = FlowDisplay.from_clusterings([LAST, THIS]).plot()
    left, right = (
        {(block.get_y(), block.get_y() + block.get_height()) for block in blocks}
        for blocks in display.blocks_
    )
    for band in display.bands_[0]:
        points = band.get_path().vertices
        assert any(low - 1e-9 <= points[0, 1] < points[7, 1] <= high + 1e-9 for low, high in left)
        assert any(low - 1e-9 <= points[3, 1] < points[4, 1] <= high + 1e-9 for low, high in right)
    assert {round(band.get_path().vertices[0, 0], 6) for band in display.bands_[0]} == {0.03}


def test_colours_follow_the_matching_and_bands_their_source() -> None:
    display = FlowDisplay.from_clusterings({"last": LAST, "this": THIS}).plot()
    paints = [
        {column.names[k]: to_hex(block.get_facecolor()) for k, block in zip(o, blocks, strict=True)}
        for column, o, blocks in zip(display.columns, display.orders, display.blocks_, strict=True)
    ]
    assert paints[0]["gold"] == paints[1]["A"]
    assert paints[0]["basic"] == paints[1]["B"]
    assert len(set(paints[0].values())) == 3
    bands = [to_hex(band.get_facecolor()) for band in display.bands_[0]]
    for name, count in (("gold", 1), ("basic", 2), ("new", 1)):
        assert bands.count(paints[0][name]) == count


def test_colours_can_be_given_and_noise_is_grey() -> None:
    a, b = [-1, 0, 0, 1], ["x", "x", "y", "y"]
    table = cw.Contingency.from_labels(a, b)
    display = FlowDisplay([table])
    assert display.columns[0].paints[0] == NOISE
    given = list(reversed(colour_clusters([table.T])))
    assert FlowDisplay([table], colours=given).columns[1].paints == given[1].paints
    renamed = FlowDisplay.from_clusterings([a, b], noise_label="x")
    assert renamed.columns[1].paints[0] == NOISE
    assert renamed.columns[0].paints[0] != NOISE
    assert cw.compare(a, b, noise_label="x").plot("flow").columns[1].paints[0] == NOISE


def test_names_sizes_and_title_are_there() -> None:
    display = cw.compare(LAST, THIS, names=("last", "this")).plot()
    assert isinstance(display, FlowDisplay)
    texts = [[text.get_text() for text in labels] for labels in display.labels_]
    assert sorted(texts[0]) == ["basic · 3", "gold · 2", "new · 1"]
    assert sorted(texts[1]) == ["A · 4", "B · 2"]
    assert (
        display.ax_.get_title(loc="left")
        == "last → this: 67% of 6 objects stay in matched clusters"
    )
    ticks = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert ticks == ["last\n3 clusters", "this\n2 clusters"]
    assert "numbers of objects" in display.ax_.get_xlabel()


def test_one_object() -> None:
    display = FlowDisplay.from_clusterings([["x"], ["y"]]).plot()
    assert [len(blocks) for blocks in display.blocks_] == [1, 1]
    assert display.ax_.get_title(loc="left") == "a → b: 100% of 1 object stay in matched clusters"
    weighed = FlowDisplay.from_clusterings([LAST, THIS], sample_weight=[0.25] * 6).plot()
    assert {text.get_text() for text in weighed.labels_[1]} == {"A · 1", "B · 0.5"}
    display.figure_.canvas.draw()


def test_labels_do_not_overlap_and_stay_inside() -> None:
    rng = np.random.default_rng(0)
    a = rng.choice(20, 3000, p=np.r_[0.9, np.full(19, 0.1 / 19)])
    # So low that blocks are nearer to each other than lines of text.
    _, ax = plt.subplots(figsize=(9, 4.2))
    display = FlowDisplay.from_clusterings([a, a, a]).plot(ax=ax)
    display.figure_.draw_without_rendering()
    frame = display.ax_.get_window_extent()
    for labels in display.labels_:
        boxes = [label.get_window_extent() for label in labels]
        assert len(boxes) == 20
        line = labels[0].get_fontsize() / 72 * display.figure_.dpi
        bases = display.ax_.transData.transform([label.get_position() for label in labels])
        assert (np.diff(bases[:, 1]) < -line).all()
        assert all(frame.x0 - 8 < box.x0 and box.x1 < frame.x1 + 8 for box in boxes)


def test_only_labels_over_bands_have_a_background() -> None:
    display = FlowDisplay.from_clusterings([LAST, THIS, LAST, THIS]).plot()
    covered = [{text.get_bbox_patch() is not None for text in each} for each in display.labels_]
    assert covered == [{False}, {True}, {True}, {False}]


def test_labels_are_beside_the_middle_of_their_blocks() -> None:
    a = np.repeat([0, 1, 2], [40, 30, 30])
    display = FlowDisplay.from_clusterings([a, a]).plot()
    for labels in display.labels_:
        assert [text.get_text() for text in labels] == ["0 · 40", "1 · 30", "2 · 30"]
        heights = np.diff([text.get_position()[1] for text in labels])
        np.testing.assert_allclose(heights[0] - heights[1], 5)
    # Half a block from both ends.
    bottom, top = display.ax_.get_ylim()
    assert display.labels_[0][0].get_position()[1] - top == pytest.approx(20)
    assert bottom - display.labels_[0][-1].get_position()[1] == pytest.approx(15)


def test_hostile_names_are_shown_as_they_are() -> None:
    names = ["$x_1$", "<script>", "a\nb", "n" * 300, "n" * 299 + "m"]
    display = FlowDisplay.from_clusterings({"$a$": names, "b": names}).plot()
    texts = {text.get_text() for text in display.labels_[0]}
    assert {r"\$x_1\$ · 1", "<script> · 1", r"a\nb · 1"} <= texts
    assert r"\$a\$" in display.ax_.get_title(loc="left")
    display.figure_.canvas.draw()
    # Names of 300 letters are cut such that they stay inside, and apart.
    assert sum("…" in text for text in texts) == 2
    whole = display.figure_.bbox
    for text in (*display.labels_[0], *display.labels_[1]):
        box = text.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1


def test_names_are_cut_only_if_they_do_not_fit() -> None:
    names = [f"customers of the northern region with yearly contracts, {i:04}" for i in range(3)]
    assert len(names[0]) == 60
    runs = {"before": names, "after": names}
    display = FlowDisplay.from_clusterings(runs).plot()
    for labels in display.labels_:
        assert {text.get_text() for text in labels} == {f"{name} · 1" for name in names}
    narrow = FlowDisplay.from_clusterings(runs).plot(ax=plt.subplots(figsize=(6, 3))[1])
    for labels in narrow.labels_:
        shown = {text.get_text() for text in labels}
        assert len(shown) == 3
        assert all(text.startswith("cust") and "…" in text for text in shown)
    # If one side has short names, the other has its space.
    beside = FlowDisplay.from_clusterings({"before": names, "after": ["a", "b", "c"]})
    few, _ = (
        max(len(text.get_text()) for text in labels)
        for labels in beside.plot(ax=plt.subplots(figsize=(6, 3))[1]).labels_
    )
    assert few > max(len(text.get_text()) for text in narrow.labels_[0])


def test_headings_have_the_space_between_the_columns() -> None:
    runs = {f"k-means, resolution {k}": [0, 0, 1] for k in range(2)}
    display = FlowDisplay.from_clusterings(runs).plot()
    shown = [text.get_text().splitlines()[0] for text in display.ax_.get_xticklabels()]
    assert shown == list(runs)
    many = FlowDisplay.from_clusterings(
        {f"k-means of the second year, resolution {k}": [0, 0, 1] for k in range(9)}
    ).plot()
    shown = [text.get_text().splitlines()[0] for text in many.ax_.get_xticklabels()]
    assert [name.endswith(str(k)) and "…" in name for k, name in enumerate(shown)] == [True] * 9


def test_a_tree_shows_all_clusterings_in_their_order() -> None:
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, 40)
    runs = {f"k={k}": rng.integers(0, k, 40) - 1 for k in (4, 2, 3)}
    matrix = cw.compare_all(runs, sample_weight=weights)
    display = matrix.plot("tree")
    assert display.names == ["k=4", "k=2", "k=3"]
    assert [table.to_array().tolist() for table in display.tables] == [
        cw.Contingency.from_labels(runs[a], runs[b], sample_weight=weights).to_array().tolist()
        for a, b in (("k=4", "k=2"), ("k=2", "k=3"))
    ]
    assert display.colours[0].numbers.tolist() == [-1, 0, 1, 2]
    some = matrix.plot("tree", clusterings=["k=2", "k=4"], most=3)
    assert some.names == ["k=2", "k=4"]
    assert some.columns[1].rest == 2
    with pytest.raises(cw.InputError, match="there is no clustering 'k=5'; use"):
        matrix.plot("tree", clusterings=["k=2", "k=5"])


@pytest.mark.parametrize("match", ["name", "overlap"])
def test_the_clusters_of_a_tree_are_matched_as_those_of_the_matrix(match) -> None:
    runs = {"one": list("aaabb"), "two": list("bbbaa"), "three": list("aaabb")}
    matrix = cw.compare_all(runs, match=match)
    assert [one.by for one in matrix.plot("tree").matchings] == [match, match]
    assert matrix.compare("one", "two").matching.by == match


@pytest.mark.parametrize("lazy", [False, True])
def test_a_tree_of_a_frame_is_that_of_its_columns(lazy) -> None:
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 50) for name in "abc"}
    frame = pl.DataFrame({**columns, "w": rng.integers(0, 3, 50)})
    found = cw.compare_all(frame=frame.lazy() if lazy else frame, sample_weight="w").plot("tree")
    expected = FlowDisplay.from_clusterings(columns, sample_weight=frame["w"].to_numpy())
    assert [table.to_array().tolist() for table in found.tables] == [
        table.to_array().tolist() for table in expected.tables
    ]


def test_several_clusterings_are_aligned_by_their_index() -> None:
    a = pd.Series(list("xxyyz"), index=[1, 2, 3, 4, 5])
    b = pd.Series(list("ppqq"), index=[4, 3, 2, 9])
    c = pd.Series([0, 1, 0, None], index=[2, 3, 4, 1])
    weights = pd.Series([1, 2, 3, 4, 5, 6], index=[5, 4, 3, 2, 1, 9])
    display = cw.compare_all(
        {"a": a, "b": b, "c": c}, sample_weight=weights, align="index", missing="drop"
    ).plot("tree")
    # Objects 2, 3 and 4 are in all of them, with weights 4, 3 and 2.
    first, second = display.tables
    assert first.to_array().tolist() == [[0, 4], [5, 0]]
    assert second.to_array().tolist() == [[2, 3], [4, 0]]


def test_the_axes_given_are_used() -> None:
    figure, axes = plt.subplots(1, 2)
    display = cw.compare(LAST, THIS).plot("flow", ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert not axes[0].patches
    assert len(plt.get_fignums()) == 1


def test_the_smallest_of_many_clusters_share_a_block() -> None:
    a, b = labels_of(20000, 300, 0.8)
    display = FlowDisplay.from_clusterings([a, b], most=12).plot()
    for column, order, labels in zip(display.columns, display.orders, display.labels_, strict=True):
        assert len(column.sizes) == 12
        assert column.sizes.sum() == 20000
        assert order[-1] == 11
        assert labels[-1].get_text().startswith("289 smaller · ")
        every = np.bincount(a if column is display.columns[0] else b)
        assert sorted(column.sizes[:11]) == sorted(np.sort(every)[-11:])
    assert "300 clusters" in display.ax_.get_xticklabels()[0].get_text()


def test_flows_too_thin_to_see_end_in_stubs_and_it_says_so() -> None:
    a, b = labels_of(100_000, 20, 0.9)
    display = FlowDisplay.from_clusterings([a, b]).plot()
    flow = display.flows[0]
    thin = (flow > 0) & (flow < 0.002 * flow.sum())
    assert thin.sum() > 100
    assert len(display.bands_[0]) == np.count_nonzero(flow) - thin.sum()
    assert f"{thin.sum()} flows of less than 0.2% each" in " ".join(
        display.ax_.get_xlabel().split()
    )
    blocks = {id(block) for column in display.blocks_ for block in column}
    bands = {id(band) for band in display.bands_[0]}
    stubs = [one for one in display.ax_.patches if id(one) not in blocks | bands]
    assert sum(stub.get_height() for stub in stubs) == pytest.approx(2 * flow[thin].sum())


def test_a_million_objects_make_a_small_file(tmp_path) -> None:
    a, b = labels_of(1_000_000, 8, 0.9)
    display = FlowDisplay.from_clusterings({"a": a, "b": b}).plot()
    assert "of 1,000,000 objects" in display.ax_.get_title(loc="left")
    display.figure_.savefig(tmp_path / "flow.svg")
    assert (tmp_path / "flow.svg").stat().st_size < 300_000


def test_soft_clusterings_flow_by_their_memberships() -> None:
    P = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.2, 0.8]])
    display = FlowDisplay.from_clusterings([P, [0, 0, 1, 1]]).plot()
    assert "memberships" in display.ax_.get_title(loc="left")
    np.testing.assert_allclose(display.flows[0], [[1.5, 0.2], [0.5, 1.8]])
    assert "by their memberships" in display.ax_.get_xlabel()


def test_noise_can_be_left_out_of_all_clusterings_or_be_alone() -> None:
    a, b, c = [0, 0, 1, 1, -1], [0, 0, 1, -1, 1], [-1, 0, 1, 1, 1]
    display = FlowDisplay.from_clusterings([a, b, c], noise="drop")
    assert [table.n for table in display.tables] == [2, 2]
    weighed = FlowDisplay.from_clusterings(
        [a, b, c], noise="drop", sample_weight=[1, 10, 100, 1, 1]
    )
    assert [table.n for table in weighed.tables] == [110, 110]
    alone = FlowDisplay.from_clusterings([a, b, c], noise="singletons").plot()
    assert [len(column.sizes) for column in alone.columns] == [3, 3, 3]
    assert [column.paints.count(NOISE) for column in alone.columns] == [1, 1, 1]


def test_weighted_noise_is_repeated_in_all_clusterings() -> None:
    a, b, c = [0, 0, 1, 1, -1], [0, 0, 1, -1, 1], [-1, 0, None, 1, 1]
    weights = [2, 1, 5, 3, 0]
    options = {"noise": "singletons", "missing": "drop"}
    found = FlowDisplay.from_clusterings([a, b, c], sample_weight=weights, **options)
    repeated = [np.repeat(np.array(one, object), weights) for one in (a, b, c)]
    expected = FlowDisplay.from_clusterings(repeated, **options)
    assert [table.to_array().tolist() for table in found.tables] == [
        table.to_array().tolist() for table in expected.tables
    ]
    assert [table.n for table in found.tables] == [6, 6]
    assert [len(column.sizes) for column in found.columns] == [2, 4, 4]
    with pytest.raises(cw.InputError, match="sample_weight has 2 values for 5 objects"):
        FlowDisplay.from_clusterings([a, b, a], sample_weight=[1, 2], noise="singletons")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: FlowDisplay([]), "no table"),
        (lambda: FlowDisplay.from_clusterings([LAST]), "at least two"),
        (
            lambda: FlowDisplay.from_clusterings(np.zeros((3, 2), int)),
            "clusterings is a ndarray; pass a mapping",
        ),
        (lambda: FlowDisplay.from_clusterings([LAST, THIS], names=["a"]), "1 names for 2"),
        (lambda: FlowDisplay.from_clusterings([LAST, THIS], most=1), "2 or more"),
        (
            lambda: FlowDisplay([cw.Contingency.from_labels(LAST, THIS)] * 2),
            "columns of table 0 are not the rows of table 1",
        ),
        (
            lambda: FlowDisplay.from_clusterings([LAST, THIS, LAST], align="index"),
            "needs two pandas series",
        ),
        (lambda: FlowDisplay.from_clusterings([[], []]), "no objects"),
        (
            lambda: FlowDisplay.from_clusterings(
                [LAST, THIS], colours=[colour_names(["gold"]), colour_names(["A", "B"])]
            ),
            "1 colours for 3 clusters",
        ),
        (
            lambda: FlowDisplay.from_clusterings([LAST, THIS], colours=[colour_names(["gold"])]),
            "2 clusterings, but colours for 1",
        ),
        (
            lambda: cw.compare(LAST, THIS).plot("pie"),
            "unknown plot kind 'pie'; use flow, contingency, profiles or scatter",
        ),
    ],
)
def test_refusals(make, says) -> None:
    with pytest.raises(cw.InputError, match=says):
        make()


def test_blocks_of_equal_cost_keep_their_order() -> None:
    flows, orders = [np.ones((3, 4))], [np.arange(3), np.arange(4)]
    sizes = [flows[0].sum(axis=1), flows[0].sum(axis=0)]
    for column in (0, 1):
        assert _reorder(flows, sizes, orders, column).tolist() == orders[column].tolist()


def test_names_that_fit_are_whole():
    """In a new figure there is space for names of a few words."""
    last = np.repeat(["gold", "silver", "grignolino"], [193, 280, 527])
    display = FlowDisplay.from_clusterings({"2024": last, "2025": np.roll(last, 40)}).plot()
    for labels in display.labels_:
        names = {label.get_text().partition(" · ")[0] for label in labels}
        assert names == {"gold", "silver", "grignolino"}


@pytest.mark.parametrize("seed", range(40))
def test_no_two_neighbouring_blocks_are_better_swapped(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flow = rng.integers(0, 10, (4, 4)) * (rng.random((4, 4)) < 0.6)
    first, sizes = np.arange(4), [flow.sum(axis=1), flow.sum(axis=0)]
    order = _reorder([flow], sizes, [first, np.arange(4)], 1)
    least = count_crossings([flow], [first, order])
    for at in range(3):
        other = order.copy()
        other[[at, at + 1]] = other[[at + 1, at]]
        assert count_crossings([flow], [first, other]) >= least * (1 - 1e-6)
