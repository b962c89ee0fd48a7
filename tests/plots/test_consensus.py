"""Plots of a consensus: its matrix, the margins of objects, co-associations, stability."""

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from clusterwise import co_association_curve, consensus_matrix, number_stability, object_agreement
from clusterwise._utils.errors import InputError
from clusterwise.plots import AgreementDisplay, ConsensusDisplay
from clusterwise.plots._palette import NOISE, Colours, paint
from clusterwise.plots.curves import CoAssociationDisplay, StabilityDisplay

ENSEMBLE = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
LABELS = np.array(["y", "y", "y", "x", "x", "x"])
HOSTILE = [f"<script> $x_{{{i}}}$ {'long ' * 60}{i}" for i in range(20)]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def ensemble_of(labels, m, noise, seed=0):
    rng = np.random.default_rng(seed)
    count = int(labels.max()) + 1
    return [
        np.where(rng.random(labels.size) < noise, rng.integers(0, count, labels.size), labels)
        for _ in range(m)
    ]


def title(drawn):
    return drawn.ax_.get_title(loc="left").replace("\n", " ")


def tick_texts(drawn):
    return [text.get_text() for text in drawn.ax_.get_yticklabels()]


def test_matrix_is_drawn_as_it_is():
    matrix = consensus_matrix(ENSEMBLE, LABELS)
    drawn = matrix.plot()
    assert isinstance(drawn, ConsensusDisplay)
    np.testing.assert_array_equal(drawn.image_.get_array(), matrix.values)
    assert drawn.image_.get_clim() == (0, 1)


def test_blocks_are_the_clusters_in_the_order_of_the_matrix():
    drawn = consensus_matrix(ENSEMBLE, LABELS).plot()
    corners = [(block.get_x(), block.get_y(), block.get_width()) for block in drawn.blocks_]
    assert corners == [(-0.5, -0.5, 3), (2.5, 2.5, 3)]
    assert tick_texts(drawn) == ["y", "x"]
    # y is first in the matrix, but second among names.
    painted = [to_hex(part.get_facecolor()) for part in drawn.strip_]
    assert painted == [paint(1)] * 2 + [paint(0)] * 2


def test_title_of_the_matrix_has_the_means_within_and_across():
    matrix = consensus_matrix(ENSEMBLE, LABELS)
    same = matrix.labels[:, None] == matrix.labels
    np.fill_diagonal(same, False)
    across = matrix.labels[:, None] != matrix.labels
    inside, outside = matrix.values[same].mean(), matrix.values[across].mean()
    assert title(matrix.plot()) == (
        f"6 objects in 2 clusters: mean co-association {inside:.0%} within clusters, "
        f"{outside:.0%} across"
    )


def test_title_of_the_matrix_with_single_objects():
    matrix = consensus_matrix(ENSEMBLE, [0, 0, 0, 0, 1, 2])
    cells = matrix.values[:4, :4][~np.eye(4, dtype=bool)]
    assert f"mean co-association {cells.mean():.0%} within" in title(matrix.plot())


def test_without_a_consensus_there_are_no_blocks():
    drawn = ConsensusDisplay.from_clusterings(ENSEMBLE).plot()
    assert drawn.blocks_ == []
    mean = drawn.matrix.values[~np.eye(6, dtype=bool)].mean()
    assert f"mean co-association {mean:.0%}" in title(drawn)
    assert drawn.ax_.get_ylabel().startswith("objects")


@pytest.mark.slow
def test_matrix_of_many_objects_is_a_sample():
    labels = np.arange(100_000) % 20
    drawn = ConsensusDisplay.from_clusterings(
        ensemble_of(labels, 3, 0.1), np.array(HOSTILE)[labels], n_sample=200, random_state=0
    ).plot()
    drawn.figure_.canvas.draw()
    assert drawn.image_.get_array().shape == (200, 200)
    assert title(drawn).startswith("200 of 100,000 objects in 20 clusters")
    assert len(drawn.blocks_) == 20
    assert sum(block.get_width() for block in drawn.blocks_) == 200
    texts = tick_texts(drawn)
    assert 10 < len(texts) <= 20
    assert all(len(text) < 30 for text in texts)


def test_names_of_tiny_blocks_give_way_to_those_of_large_ones():
    labels = np.repeat([0, 1, 2, 3], [100, 1, 1, 98])
    drawn = ConsensusDisplay.from_clusterings([labels, labels], labels).plot()
    assert len(drawn.blocks_) == 4
    assert tick_texts(drawn)[0] == "0"
    assert tick_texts(drawn)[-1] == "3"
    assert len(tick_texts(drawn)) == 3


def test_noise_is_grey_and_given_colours_are_used():
    labels = [-1, -1, 0, 0, 1, 1]
    drawn = ConsensusDisplay.from_clusterings(ENSEMBLE, labels).plot()
    assert to_hex(drawn.strip_[0].get_facecolor()) == NOISE
    colours = [Colours([0, 1, -1, 2], np.array([4, 3, -1, 9]))]
    drawn = consensus_matrix(ENSEMBLE, labels).plot(colours=colours)
    painted = [to_hex(part.get_facecolor()) for part in drawn.strip_[::2]]
    assert painted == [NOISE, paint(4), paint(3)]
    drawn = object_agreement(labels, ENSEMBLE).plot(colours=colours)
    assert [to_hex(band.get_facecolor()) for band in drawn.bands_] == [NOISE, paint(4), paint(3)]


def test_margins_are_sorted_within_clusters():
    found = object_agreement(LABELS, ENSEMBLE)
    drawn = found.plot()
    assert isinstance(drawn, AgreementDisplay)
    assert tick_texts(drawn) == ["x · 3", "y · 3"]
    for name, band in zip("xy", drawn.bands_, strict=True):
        expected = np.sort(found.margin[name == LABELS])[::-1]
        assert band.get_data().values.tolist() == expected.tolist()


def test_ambiguous_objects_are_marked_with_their_share_of_the_cluster():
    ensemble = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]]
    found = object_agreement([0, 0, 0, 1, 1], ensemble)
    assert found.ambiguous.tolist() == [2]
    drawn = found.plot()
    (segment,) = drawn.ambiguous_.get_segments()
    edges = drawn.bands_[0].get_data().edges
    assert np.ptp(segment[:, 1]) == pytest.approx(np.ptp(edges) / 3)
    assert segment[:, 1].min() == pytest.approx(edges.min())
    assert segment[0, 0] < found.margin.min()
    assert title(drawn).startswith("1 of 5 objects (20%) is ambiguous")


def test_nothing_ambiguous_marks_nothing():
    drawn = AgreementDisplay.from_clusterings([0, 0, 1, 1], [[0, 0, 1, 1]] * 2).plot()
    assert drawn.ambiguous_.get_segments() == []
    assert title(drawn) == "0 of 4 objects (0%) are ambiguous"


@pytest.mark.slow
def test_margins_of_a_million_objects_are_quantiles():
    labels = np.arange(1_000_000) % 20
    found = object_agreement(labels, ensemble_of(labels, 3, 0.5))
    drawn = found.plot()
    assert len(drawn.bands_) == 20
    for label in (0, 13):
        own = found.margin[labels == label]
        values = drawn.bands_[label].get_data().values
        assert values.size == 200
        assert values.mean() == pytest.approx(own.mean(), abs=0.01)
        assert (np.diff(values) <= 0).all()
    assert title(drawn).startswith(f"{found.ambiguous.size:,} of 1,000,000 objects")


def test_unknown_objects_are_left_out_of_the_margins():
    ensemble = [[0, 0, 1, None], [0, 0, 1, None]]
    drawn = AgreementDisplay.from_clusterings([0, 0, 1, 1], ensemble).plot()
    assert [band.get_data().values.size for band in drawn.bands_] == [2, 1]
    assert title(drawn).endswith("; 1 object without labels left out")


def test_of_very_many_clusters_those_with_most_ambiguous_are_shown():
    labels = np.arange(600) % 60
    found = object_agreement(labels, ensemble_of(labels, 3, 0.7))
    drawn = found.plot()
    assert len(drawn.bands_) == 40
    ambiguous = np.bincount(labels[found.ambiguous], minlength=60)
    shown = {int(text.split()[0]) for text in tick_texts(drawn)}
    hidden = set(range(60)) - shown
    assert max(ambiguous[list(hidden)]) <= min(ambiguous[list(shown)])
    assert "the 40 of 60 clusters" in title(drawn)


def test_agreement_with_hostile_names():
    labels = np.arange(200) % 20
    drawn = AgreementDisplay.from_clusterings(
        np.array(HOSTILE)[labels], ensemble_of(labels, 4, 0.5)
    ).plot()
    drawn.figure_.canvas.draw()
    texts = tick_texts(drawn)
    assert len(texts) == len(set(texts)) == 20


def test_curve_is_the_distribution_with_its_ambiguous_part():
    curve = co_association_curve(ENSEMBLE, lower=0.2, upper=0.7, random_state=0)
    drawn = curve.plot()
    assert isinstance(drawn, CoAssociationDisplay)
    (line,) = drawn.lines_
    assert line.get_drawstyle() == "steps-post"
    assert line.get_xdata()[1:-1].tolist() == curve.thresholds.tolist()
    assert line.get_ydata()[1:-1].tolist() == curve.proportions.tolist()
    box = drawn.band_.get_extents().transformed(drawn.ax_.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((0.2, 0.7))
    assert title(drawn).startswith(f"{curve.pac:.0%} of 15 pairs of objects are ambiguous")
    assert title(drawn).endswith(f"{curve.expected_pac:.0%} by chance")


def test_several_curves_have_names_and_dashes_of_their_own():
    labels = np.arange(90) % 3
    curves = {
        name: co_association_curve(ensemble_of(labels, 10, noise), random_state=0)
        for name, noise in (("$bad$", 0.8), ("good", 0.02))
    }
    drawn = CoAssociationDisplay(curves).plot()
    assert [line.get_label().split(":")[0] for line in drawn.lines_] == [r"\$bad\$", "good"]
    assert len({line.get_linestyle() for line in drawn.lines_}) == 2
    assert title(drawn).startswith("good has the fewest ambiguous pairs")


def test_stability_marks_the_suggested_number():
    two = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    three = [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]]
    found = number_stability(two + three, random_state=0)
    drawn = found.plot()
    assert isinstance(drawn, StabilityDisplay)
    agreement = [one.agreement for one in found.numbers]
    assert drawn.agreement_.get_xydata().tolist() == [[2, agreement[0]], [3, agreement[1]]]
    assert drawn.pac_.get_ydata().tolist() == [one.pac for one in found.numbers]
    assert drawn.suggested_.get_xydata().tolist() == [[2, agreement[0]]]
    assert min(agreement) > drawn.ax_.get_ylim()[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: ConsensusDisplay.from_clusterings(ENSEMBLE, LABELS),
        lambda: AgreementDisplay.from_clusterings(LABELS, ENSEMBLE),
        lambda: CoAssociationDisplay.from_clusterings(ENSEMBLE, random_state=0),
        lambda: StabilityDisplay.from_clusterings(ENSEMBLE, random_state=0),
    ],
)
def test_given_axes_are_used_and_settings_stay(make):
    before = dict(mpl.rcParams)
    figure, (left, right) = plt.subplots(1, 2)
    drawn = make().plot(ax=right)
    assert drawn.ax_ is right
    assert drawn.figure_ is figure
    assert not left.has_data()
    assert dict(mpl.rcParams) == before


def test_refusals():
    with pytest.raises(InputError, match="no colour for cluster 'y'"):
        consensus_matrix(ENSEMBLE, LABELS).plot(colours=[Colours(["x"], np.array([0]))])
    with pytest.raises(InputError, match="no colour for cluster 'x'"):
        object_agreement(LABELS, ENSEMBLE).plot(colours=[Colours(["y"], np.array([0]))])
    with pytest.raises(InputError, match="no curve to draw"):
        CoAssociationDisplay({})
    with pytest.raises(InputError, match="different limits"):
        CoAssociationDisplay(
            {
                "a": co_association_curve(ENSEMBLE, random_state=0),
                "b": co_association_curve(ENSEMBLE, lower=0.3, random_state=0),
            }
        )


def test_titles_of_margins_are_wrapped_at_the_width_of_the_axes():
    labels = np.arange(600) % 60
    drawn = object_agreement(labels, ensemble_of(labels, 3, 0.7)).plot()
    lines = drawn.ax_.get_title("left").splitlines()
    assert len(lines) > 1
    drawn.figure_.canvas.draw()
    right = drawn.ax_._left_title.get_window_extent().x1
    assert right <= drawn.figure_.get_figwidth() * drawn.figure_.dpi
