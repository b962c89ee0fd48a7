"""The contingency table as a heat map: order, texts, outlines, marks and limits."""

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import clusterwise as cw
from clusterwise.plots import ContingencyDisplay
from clusterwise.plots._palette import NOISE, colour_clusters, colour_names, paint

LAST = ["gold", "gold", "basic", "basic", "basic", "new"]
THIS = ["A", "A", "A", "B", "B", "A"]

pairs = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)])
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def labels_of(n: int, k: int, kept: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    a = rng.integers(0, k, n)
    return a, np.where(rng.random(n) < kept, rng.permutation(k)[a], rng.integers(0, k, n))


def title_of(display: ContingencyDisplay) -> str:
    return " ".join(display.ax_.get_title(loc="left").split())


def texts_of(axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


@given(pair=pairs)
def test_matched_pairs_come_first_on_the_diagonal(pair) -> None:
    display = ContingencyDisplay.from_clusterings(*pair)
    table = display.table
    counts = table.to_array()[display.rows][:, display.columns]
    diagonal = np.diag(counts)[: display.matched]
    assert diagonal.sum() == table.matching.overlap
    assert (diagonal > 0).all()
    assert (np.diff(diagonal) <= 0).all()
    for order, sizes in ((display.rows, table.row_sums), (display.columns, table.column_sums)):
        assert sorted(order) == list(range(len(sizes)))
        assert (np.diff(sizes[order][display.matched :]) <= 0).all()


@pytest.mark.parametrize("n", [6, 1_000_000])
def test_the_image_shows_the_proportions_of_rows(n) -> None:
    a, b = labels_of(n, 4, 0.8)
    display = cw.compare(a, b).plot("contingency")
    assert isinstance(display, ContingencyDisplay)
    image = np.asarray(display.image_.get_array())
    table = cw.Contingency.from_labels(a, b).to_array()[display.rows][:, display.columns]
    np.testing.assert_allclose(image, table / table.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(image.sum(axis=1), 1)


def test_cells_ticks_and_title() -> None:
    display = cw.compare(LAST, THIS, names=("last", "this")).plot("contingency")
    cells = {text.get_position(): text.get_text() for text in display.texts_}
    assert cells == {(0, 0): "2\n67%", (1, 0): "1\n33%", (1, 1): "2\n100%", (1, 2): "1\n100%"}
    assert texts_of(display.ax_.yaxis) == ["basic · 3", "gold · 2", "new · 1"]
    assert texts_of(display.ax_.xaxis) == ["B · 2", "A · 4"]
    assert display.ax_.get_ylabel() == "cluster of last · size"
    assert display.ax_.get_xlabel() == "cluster of this · size"
    assert title_of(display) == "last against this: 67% of 6 objects in matched clusters (outlined)"
    assert "proportion of the row" in {ax.get_ylabel() for ax in display.figure_.axes}


def test_matched_cells_are_outlined() -> None:
    display = ContingencyDisplay.from_clusterings(LAST, THIS).plot()
    assert [cell.get_xy() for cell in display.outlines_] == [(-0.5, -0.5), (0.5, 0.5)]
    assert not any(cell.get_fill() for cell in display.outlines_)


def test_clusters_are_marked_in_the_colours_of_their_partners() -> None:
    display = ContingencyDisplay.from_clusterings(LAST, THIS).plot()
    rows, columns = (
        [to_hex(colour) for colour in marks.get_facecolors()] for marks in display.ax_.collections
    )
    assert rows[:2] == columns
    assert len(set(rows)) == 3
    given = colour_clusters([display.table])
    given[1] = given[1]._replace(numbers=given[1].numbers + 5)
    other = ContingencyDisplay.from_clusterings(LAST, THIS, colours=given).plot()
    found = [to_hex(colour) for colour in other.ax_.collections[1].get_facecolors()]
    assert found == [paint(number) for number in given[1].numbers[other.columns]]


def test_later_rounds_of_colours_have_other_marks() -> None:
    a, _ = labels_of(500, 23, 1.0)
    display = ContingencyDisplay.from_clusterings(a, a).plot()
    shapes = [marks.get_paths()[0].vertices.shape for marks in display.ax_.collections]
    assert len(shapes) == 6  # three rounds on each axis
    assert [len(marks.get_offsets()) for marks in display.ax_.collections].count(10) == 4


def test_noise_is_grey() -> None:
    a = [0, 0, "none", 1]
    display = cw.compare(a, [0, 0, 1, 1], noise_label="none").plot("contingency")
    grey = display.rows.tolist().index(a_place := display.table.row_names.tolist().index("none"))
    assert display.colours[0].paints[a_place] == NOISE
    marks = {
        round(float(offset[1])): to_hex(colour)
        for group in display.ax_.collections
        for offset, colour in zip(group.get_offsets(), group.get_facecolors(), strict=True)
        if offset[0] == 0
    }
    assert marks[grey] == NOISE


@pytest.mark.slow
@pytest.mark.parametrize(("k", "lines"), [(10, 2), (20, 1), (26, 0)])
def test_the_more_clusters_the_less_is_written(k, lines) -> None:
    a, b = labels_of(5000, k, 0.8)
    display = ContingencyDisplay.from_clusterings(a, b).plot()
    if lines:
        assert {text.get_text().count("\n") + 1 for text in display.texts_} == {lines}
        assert len(display.texts_) == np.count_nonzero(display.image_.get_array())
    else:
        assert display.texts_ == []
    assert len(display.outlines_) == k


def test_small_proportions_are_not_written_as_zero() -> None:
    a = [0] * 500 + [1]
    b = [0] * 499 + [1, 1]
    texts = {text.get_text() for text in ContingencyDisplay.from_clusterings(a, b).plot().texts_}
    assert texts == {"499\n100%", "1\n<1%", "1\n100%"}


@pytest.mark.slow
def test_large_tables_are_drawn_in_part_and_it_says_so(tmp_path) -> None:
    a, b = labels_of(40_000, 400, 0.8)
    display = ContingencyDisplay.from_clusterings(a, b, most=100).plot()
    assert display.image_.get_array().shape == (100, 100)
    assert "left out: 300 of 400 clusters of a and 300 of 400 clusters of b" in title_of(display)
    assert "outlined" not in title_of(display)
    assert display.outlines_ == []
    assert len(texts_of(display.ax_.yaxis)) == 50
    counts = np.asarray(display.image_.get_array()) * display.table.row_sums[display.rows][:, None]
    largest = np.sort(display.table.matching.overlaps)[::-1][:100]
    np.testing.assert_allclose(np.diag(counts), largest)
    display.figure_.savefig(tmp_path / "table.svg")
    assert (tmp_path / "table.svg").stat().st_size < 300_000


def test_hostile_names_are_shown_as_they_are() -> None:
    names = ["$x_1$", "<script>", "a\nb", "n" * 300, "n" * 299 + "m"]
    display = ContingencyDisplay.from_clusterings(names, names, names=("$a$", "b")).plot()
    texts = set(texts_of(display.ax_.yaxis))
    assert {r"\$x_1\$ · 1", "<script> · 1", r"a\nb · 1"} <= texts
    assert max(map(len, texts)) < 40
    assert r"\$a\$" in title_of(display)
    display.figure_.canvas.draw()


def test_soft_clusterings_show_memberships() -> None:
    P = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    display = ContingencyDisplay.from_clusterings(P, [0, 0, 1]).plot()
    assert "% of memberships in matched clusters" in title_of(display)
    cells = {text.get_text() for text in display.texts_}
    assert cells == {"1.5\n100%", "0.5\n33%", "1\n67%"}


def test_the_axes_given_are_used() -> None:
    _, axes = plt.subplots(1, 2)
    display = ContingencyDisplay.from_clusterings(LAST, THIS).plot(ax=axes[0])
    assert display.ax_ is axes[0]
    assert len(plt.get_fignums()) == 1
    assert not axes[1].images


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ContingencyDisplay.from_clusterings([], []), "no objects"),
        (lambda: ContingencyDisplay.from_clusterings(LAST, THIS, most=0), "most=0; use an integer"),
        (
            lambda: ContingencyDisplay.from_clusterings(
                LAST, THIS, colours=[colour_names(["gold"])] * 2
            ),
            "1 colours for 3 clusters",
        ),
        (lambda: ContingencyDisplay.from_clusterings(LAST, THIS[1:]), "numbers of samples"),
    ],
)
def test_refusals(make, says) -> None:
    with pytest.raises(cw.InputError, match=says):
        make()


def test_cells_are_not_blurred() -> None:
    """However few pixels they have."""
    assert cw.compare([0, 0, 1, 1], [0, 1, 1, 1]).plot(
        "contingency"
    ).image_.get_interpolation() == ("nearest")
