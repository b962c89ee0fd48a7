"""Density profiles of matched clusters: panels, proportions, marks, and the choice of panels."""

import matplotlib as mpl

mpl.use("Agg")

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import clusterwise as cw
from clusterwise.plots import ProfileDisplay
from clusterwise.plots._palette import NOISE, colour_clusters, colour_names

LAST = cw.DensityProfile.from_data(
    pd.DataFrame({"age": [20, 25, 70, 80], "size": [1, 2, 1, 2]}),
    list("xxyy"),
    binning=cw.Binning.from_edges({"age": [0, 30, 60, 90], "size": [0, 2, 3]}),
)
THIS = cw.DensityProfile.from_data(
    pd.DataFrame({"age": [22, 27, 50, 75], "size": [1, 2, 1, 2]}),
    list("ppqq"),
    binning=LAST.binning,
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def data_of(n: int, k: int, width: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    a = rng.integers(0, k, n)
    X = rng.normal(size=(n, width)) + 3 * rng.normal(size=(k, width))[a]
    b = np.where(rng.random(n) < 0.8, rng.permutation(k)[a], rng.integers(0, k, n))
    return pd.DataFrame(X, columns=[f"x{r}" for r in range(width)]), a, b


def text_of(text: str) -> str:
    return " ".join(text.split())


def test_panels_show_the_proportions_of_matched_clusters() -> None:
    display = ProfileDisplay.from_profiles(LAST, THIS, names=("last", "this")).plot()
    # y and q differ, and in age; so they come first.
    assert [panel.get_ylabel() for panel in display.axes_[:, 0]] == ["age", "size"]
    assert [text.get_text() for text in display.headings_] == ["y → q", "x → p"]
    fills = [fill.get_data().values.tolist() for fill in display.fills_]
    lines = [line.get_data().values.tolist() for line in display.lines_]
    assert fills == [[0, 0, 1], [1, 0, 0], [0.5, 0.5], [0.5, 0.5]]
    assert lines == [[0, 0.5, 0.5], [1, 0, 0], [0.5, 0.5], [0.5, 0.5]]
    assert text_of(display.ax_.get_title(loc="left")) == (
        "last and this: matched clusters differ most in age (ADCO 0.83)"
    )
    assert "filled: last, line: this." in text_of(display.ax_.get_xlabel())


def test_the_largest_differences_are_marked() -> None:
    display = ProfileDisplay.from_profiles(LAST, THIS).plot()
    assert [tuple(mark) for mark in display.marks_] == [(0, 0, 1, 0.5), (0, 0, 2, -0.5)]
    texts = [text.get_text() for text in display.axes_[0, 0].texts]
    assert texts == ["+50", "-50", "y → q"]
    spans = [patch.get_x() for patch in display.axes_[0, 0].patches if hasattr(patch, "get_x")]
    assert spans == [1, 2]
    assert not [p for p in display.axes_[1, 1].patches if hasattr(p, "get_x")]
    one = ProfileDisplay.from_profiles(LAST, THIS, marks=1).plot()
    assert len(one.marks_) == 1


def test_marks_are_the_regions_of_the_comparison() -> None:
    X, a, b = data_of(600, 4, 5)
    comparison = cw.compare(a, b, X)
    display = comparison.plot("profiles", marks=6)
    assert isinstance(display, ProfileDisplay)
    found = sorted(round(abs(mark.difference), 9) for mark in display.marks_)
    regions = comparison.density.regions[:6]
    assert found == sorted(round(abs(region.difference), 9) for region in regions)


def test_equal_profiles_say_so() -> None:
    display = ProfileDisplay.from_profiles(LAST, LAST).plot()
    assert display.marks_ == []
    assert display.share == 1.0
    assert text_of(display.ax_.get_title(loc="left")) == (
        "a and b: matched clusters have equal profiles (ADCO 1.00)"
    )


def test_panels_with_the_largest_differences_are_chosen() -> None:
    X, a, b = data_of(2000, 20, 30)
    found = cw.compare(a, b, X, measures=["adco_score"]).density
    display = found.plot(most_features=5, most_pairs=4)
    assert display.axes_.shape == (5, 4)
    first, second = found.proportions
    weights = (found.a.sizes[found.rows] + found.b.sizes[found.columns]) / 4000
    spans = list(pairwise(found.a.binning.offsets))
    apart = np.abs(second - first) * weights[:, None]
    differences = np.array([[row[low:high].sum() / 2 for low, high in spans] for row in apart])
    by_pair = differences.sum(axis=1)
    assert set(display.pairs) == set(np.argsort(-by_pair)[:4])
    by_feature = differences[display.pairs].sum(axis=0)
    assert display.features.tolist() == np.argsort(-by_feature, kind="stable")[:5].tolist()
    share = differences[np.ix_(display.pairs, display.features)].sum() / differences.sum()
    assert display.share == pytest.approx(share)
    notes = text_of(display.ax_.get_xlabel())
    assert f"Shown: 5 of 30 features and 4 of 20 pairs of clusters, with {share:.0%}" in notes


@pytest.mark.slow
def test_fills_have_the_colours_of_the_first_clustering() -> None:
    X, a, b = data_of(300, 3, 2)
    comparison = cw.compare(a, b, X)
    colours = colour_clusters([comparison.table])
    colours[0] = colours[0]._replace(numbers=colours[0].numbers + 4)
    for given in (None, colours):
        expected = (given or colour_clusters([comparison.table]))[0]
        display = comparison.plot("profiles", colours=given)
        names = display.profiles.a.names[display.profiles.rows][display.pairs].tolist()
        paints = dict(zip(expected.names, expected.paints, strict=True))
        found = [to_hex(fill.get_facecolor()) for fill in display.fills_[: len(names)]]
        assert found == [paints[name] for name in names]


def test_noise_is_grey_and_not_matched() -> None:
    X, a, b = data_of(300, 3, 2)
    profile = cw.DensityProfile.from_data(X, a - 1)
    assert -1 not in profile.names[ProfileDisplay.from_profiles(profile, profile).profiles.rows]
    display = ProfileDisplay(cw.compare_profiles(profile, profile, noise_label=None)).plot()
    place = display.profiles.a.names[display.profiles.rows][display.pairs].tolist().index(-1)
    assert to_hex(display.fills_[place].get_facecolor()) == NOISE
    profiles = ProfileDisplay.from_clusterings(a - 1, b, X).profiles
    assert -1 not in profiles.a.names[profiles.rows]


def test_missing_and_nominal_values_have_their_bins() -> None:
    X = pd.DataFrame(
        {
            "colour": ["red", "red", "green", "blue", "green", "blue"],
            "age": [1.0, 2.0, None, 9.0, 8.0, 7.0],
            "same": [1.0] * 6,
        }
    )
    display = ProfileDisplay.from_clusterings(list("xxxyyy"), list("ppqqqq"), X, n_bins=4).plot()
    ticks = {
        row[0].get_ylabel(): [label.get_text() for label in row[0].get_xticklabels()]
        for row in display.axes_
    }
    assert ticks == {"colour": ["blue", "green", "red"], "age": ["1", "9", "?"], "same": ["1"]}
    bins = {row[0].get_ylabel(): row[0].get_xlim()[1] for row in display.axes_}
    assert bins == {"colour": 3, "age": 5, "same": 1}
    assert "?: missing or new values." in text_of(display.ax_.get_xlabel())


def test_clusters_without_a_partner_are_counted() -> None:
    X, a, _ = data_of(200, 4, 2)
    display = ProfileDisplay.from_clusterings(a, np.minimum(a, 2), X).plot()
    assert "1 cluster not matched." in text_of(display.ax_.get_xlabel())


@pytest.mark.slow
def test_a_million_objects_make_a_small_file(tmp_path) -> None:
    X, a, b = data_of(1_000_000, 6, 3)
    display = ProfileDisplay.from_clusterings(a, b, X).plot()
    for values in (display.fills_, display.lines_):
        assert [one.get_data().values.sum() for one in values] == pytest.approx([1.0] * 18)
    display.figure_.savefig(tmp_path / "profiles.svg")
    assert (tmp_path / "profiles.svg").stat().st_size < 300_000


def test_hostile_names_are_shown_as_they_are() -> None:
    X, a, b = data_of(100, 2, 3)
    X.columns = ["$x_1$", "<script>", "n" * 300]
    names = np.array(["$y$", "<b>"], object)
    display = ProfileDisplay.from_clusterings(names[a], names[b], X, names=("$a$", "b")).plot()
    labels = {row[0].get_ylabel() for row in display.axes_}
    assert {r"\$x_1\$", "<script>"} <= labels
    assert max(map(len, labels)) < 30
    headings = " ".join(text.get_text() for text in display.headings_)
    assert r"\$y\$" in headings
    assert "<b>" in headings
    assert r"\$a\$" in display.ax_.get_title(loc="left")
    display.figure_.canvas.draw()


@pytest.mark.slow
def test_one_axes_is_divided_and_several_are_used() -> None:
    figure, axes = plt.subplots(1, 2)
    display = ProfileDisplay.from_profiles(LAST, THIS).plot(ax=axes[1])
    assert display.figure_ is figure
    assert display.axes_.shape == (2, 2)
    assert not axes[1].axison
    assert axes[0].axison
    assert all(panel.get_position().x0 > 0.5 for panel in display.axes_.flat)
    _, given = plt.subplots(2, 2)
    assert (ProfileDisplay.from_profiles(LAST, THIS).plot(ax=given).axes_ == given).all()
    _, three = plt.subplots(1, 3)
    with pytest.raises(cw.InputError, match="3 axes"):
        ProfileDisplay.from_profiles(LAST, THIS).plot(ax=three)


def test_refusals() -> None:
    with pytest.raises(cw.InputError, match="pass X"):
        cw.compare([0, 1], [0, 1]).plot("profiles")
    with pytest.raises(cw.InputError, match="=0; use an integer of at least 1"):
        ProfileDisplay.from_profiles(LAST, THIS, most_pairs=0)
    with pytest.raises(cw.InputError, match="there is no colour for cluster 'y'"):
        ProfileDisplay.from_profiles(LAST, THIS, colours=[colour_names(["x"])])
    elsewhere = cw.DensityProfile.from_data(
        pd.DataFrame({"age": [50], "size": [2]}), ["z"], binning=LAST.binning
    )
    alone = cw.DensityProfile.from_data(
        pd.DataFrame({"age": [20], "size": [1]}), ["w"], binning=LAST.binning
    )
    with pytest.raises(cw.InputError, match="no two clusters have objects in the same bins"):
        ProfileDisplay.from_profiles(alone, elsewhere)


def test_a_comparison_keeps_its_objects() -> None:
    X, a, b = data_of(50, 3, 2)
    a[0] = -1
    comparison = cw.compare(a, b, X, noise="drop")
    assert comparison.data is X
    assert comparison.noise_label == -1
    assert comparison.pair.kept.tolist() == list(range(1, 50))
    assert cw.compare(a, b).data is None
    assert len(cw.compare(a, b).pair.a) == 50
    assert cw.compare(comparison.table).pair is None


def test_skewed_features_are_drawn_in_bins_of_equal_counts() -> None:
    random = np.random.default_rng(0)
    a = random.integers(0, 2, 1000)
    b = np.where(random.random(1000) < 0.1, 1 - a, a)
    X = pd.DataFrame(
        {"income": random.lognormal(10 + a, 1.5), "age": random.normal(40 + 20 * a, 5.0)}
    )
    found = cw.compare(a, b, X)
    display = found.plot("profiles")
    # ADCO, and with it the matching, has bins of equal width.
    assert found.density.adco == found.values["adco_score"] == cw.adco_score(a, b, X)
    assert found.density.a.binning.method == "width"
    assert found.density.binning == cw.Binning("auto").fit(X)
    assert max(fill.get_data().values.max() for fill in display.fills_) < 0.5
    notes = text_of(display.ax_.get_xlabel())
    assert "Skewed, so in bins of equal counts: income." in notes
    low, high = X["income"].min(), X["income"].max()
    row = [panel.get_ylabel() for panel in display.axes_[:, 0]].index("income")
    texts = [text.get_text() for text in display.axes_[row, 0].get_xticklabels()]
    assert all("e" not in text for text in texts)
    numbers = [float(text.replace(",", "")) for text in texts]
    assert numbers == pytest.approx([low, high], rel=0.2)


def test_no_note_without_skewed_features() -> None:
    X, a, b = data_of(300, 2, 2)
    display = cw.compare(a, b, X).plot("profiles")
    assert "equal counts" not in display.ax_.get_xlabel()


def test_names_of_few_categories_are_whole():
    X = pd.DataFrame({"city": ["Köln", "München", "Bad Tölz"] * 4})
    panel = cw.compare([0, 1] * 6, [0, 0, 1] * 4, X).plot("profiles").axes_[0, 0]
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["Bad Tölz", "Köln", "München"]
