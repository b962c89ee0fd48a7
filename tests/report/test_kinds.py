"""Reports of results other than comparisons of two clusterings."""

import re
from dataclasses import replace
from datetime import date

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from helpers.pages import PRINTED, Page

mpl.use("Agg")

from matplotlib import pyplot as plt

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.report import write_report

DAY = date(2024, 2, 29)
LARGEST = 5_000_000
NAMES = ["<i>length</i>", "width & depth", "colour"]


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    assert not plt.get_fignums()


@pytest.fixture(scope="module")
def corners():
    """Four groups at the corners of a square, known as left and right; the colour is noise."""
    random = np.random.default_rng(0)
    corner = np.arange(80) % 4
    X = np.column_stack([corner // 2 * 9.0, corner % 2 * 9.0, np.zeros(80)])
    return pd.DataFrame(X + random.normal(size=X.shape), columns=NAMES), corner // 2


@pytest.fixture(scope="module")
def found(corners):
    X, given = corners
    return cw.cluster_again(X, given, random_state=0, progress=False)


def describe(labels, quality, dissimilarity, *, degenerate=False):
    """An alternative as if COALA had found it."""
    sizes = tuple(sorted(np.bincount(labels).tolist(), reverse=True))
    dq = 2 * quality * dissimilarity / (quality + dissimilarity)
    return FoundClustering(
        labels, quality, dissimilarity, dq, sizes, 1.5, degenerate, "COALA", {"omega": 0.5}
    )


@pytest.fixture(scope="module")
def several(corners):
    """Three alternatives to two given clusterings."""
    given = np.array([corners[1], np.arange(80) % 3])
    made = [describe(np.arange(80) // size % 2, 0.1 * size, 0.9 / size) for size in (3, 2, 1)]
    return FoundClusterings(made, given=given)


@pytest.fixture(scope="module")
def alternatives(found, corners, tmp_path_factory):
    path = tmp_path_factory.mktemp("alternatives") / "report.html"
    return Page(write_report(found, path, X=corners[0], day=DAY))


@pytest.fixture(scope="module")
def ensemble():
    """Six clusterings of three groups, a tenth of their labels drawn anew."""
    random = np.random.default_rng(0)
    planted = np.repeat([0, 1, 2], 20)
    return {
        f"<run {i}>": np.where(random.random(60) < 0.1, random.integers(0, 3, 60), planted)
        for i in range(6)
    }


@pytest.fixture(scope="module")
def combined(ensemble):
    return cw.combine(ensemble, "evidence", random_state=0)


@pytest.fixture(scope="module")
def combination(combined, tmp_path_factory):
    path = tmp_path_factory.mktemp("combination") / "report.html"
    return Page(write_report(combined, path, day=DAY))


def test_the_verdict_names_the_features_of_alternatives(alternatives, found):
    assert len(found) == 1
    assert "Alternative 0" in {row[0] for row in alternatives.rows}
    said = [alternatives.of_class("verdict")[0].text, *(e.text for e in alternatives.all("li"))]
    sizes = ", ".join(map(str, found[0].sizes))
    assert said[0] == f"Found one alternative with 2 clusters ({sizes})."
    assert said[1].startswith("It is unrelated to the given clustering (adjusted Rand ")
    assert said[2].startswith('It is the feature "width & depth" cut into two intervals: ')
    assert "The given clustering is about <i>length</i>." in said
    assert not alternatives.all("i")


def test_alternatives_have_their_figures(alternatives, found):
    rows = {row[0]: row for row in alternatives.rows}
    row = rows["Alternative 0"]
    assert float(row[4]) == pytest.approx(found[0].quality, abs=PRINTED)
    assert float(row[6]) == pytest.approx(found[0].dq, abs=PRINTED)
    score = cw.adjusted_rand_score(found.given[0], found[0].labels)
    assert float(row[7]) == pytest.approx(score, abs=PRINTED)
    assert row[-1] == found[0].method
    assert any(row[0] == "the given clustering" and row[-1] == "given" for row in alternatives.rows)


@pytest.mark.slow
def test_alternatives_list_the_features_of_each(alternatives, found, corners):
    for labels in (found.given[0], found[0].labels):
        best = cw.separating_features(corners[0], labels)[0]
        assert any(
            [best.feature, f"{best.score:.2f}"] in (row[0:2], row[2:4]) for row in alternatives.rows
        )


@pytest.mark.slow
def test_alternatives_have_plots(alternatives):
    assert alternatives.sections == [
        "Given and found clusterings",
        "Features that separate the clusters",
        "Flow of objects",
        "First alternative in detail",
        "How it was made",
    ]
    assert len(alternatives.pictures) == 5
    assert len(set(alternatives.ids)) == len(alternatives.ids)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "strange", "said"),
    [
        ((0, 1, 2), None, ""),
        ((1, 0, 2), None, "there is more evidence for it"),
        ((1, 0, 2), 0, "that one is degenerate"),
    ],
)
def test_a_suggestion_that_has_not_the_largest_dq_is_explained(
    several, tmp_path, order, strange, said
):
    kept = [
        replace(several[place], evidence=float(len(order) - i)) for i, place in enumerate(order)
    ]
    if strange is not None:
        kept = [
            replace(one, degenerate=place == strange)
            for one, place in zip(kept, order, strict=True)
        ]
    page = Page(
        write_report(FoundClusterings(kept, given=several.given), tmp_path / "r.html", day=DAY)
    )
    text = page.one("header").text
    assert (f"although its DQ ({several[1].dq:.4f}) is below that of" in text) == bool(said)
    assert said in text


def test_the_parameters_of_what_was_found(alternatives, found):
    rows = [tuple(row) for row in alternatives.rows]
    seed = found[0].parameters["random_state"]
    assert ("random_state", str(seed)) in rows
    assert "progress" not in {row[0] for row in rows}


@pytest.mark.slow
def test_the_code_makes_the_same_alternatives(found, corners, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"random_state": 0, "progress": False}
    page = Page(write_report(found, tmp_path / "first.html", X=corners[0], parameters=options))
    scope = {"X": corners[0], "given": corners[1]}
    exec(page.one("code").text, scope)
    assert (scope["found"][0].labels == found[0].labels).all()
    assert Page(tmp_path / "report.html").sections == page.sections


@pytest.mark.slow
def test_several_alternatives_to_several_clusterings(several, tmp_path):
    page = Page(write_report(several, tmp_path / "report.html"))
    assert "Quality and dissimilarity" in page.sections
    assert "Features that separate the clusters" not in page.sections
    said = [one.text for one in page.all("li")]
    for i in range(len(several)):
        sizes = ", ".join(map(str, several[i].sizes))
        assert said[2 * i] == f"Alternative {i} has 2 clusters ({sizes})."
        rand = re.findall(r"to given [12] \(adjusted Rand (-?[\d.]+)\)", said[2 * i + 1])
        expected = [cw.adjusted_rand_score(old, several[i].labels) for old in several.given]
        assert [float(one) for one in rand] == pytest.approx(expected, abs=0.0051)
    assert len(page.pictures) == 4
    assert page.one("h1").text == "Alternatives to the given clustering"


def test_clusterings_under_their_own_names(found, corners, tmp_path):
    sides = np.where(corners[1] == 0, "left", "right")
    named = {"side": sides, "other": found[0].labels}
    page = Page(write_report(found, tmp_path / "report.html", clusterings=named))
    assert page.one("h1").text == "Alternatives to side"
    assert any("left" in e.text for e in page.all("text"))
    with pytest.raises(InputError, match="clusterings has 1 entries, but 1 were given and 1 found"):
        write_report(found, tmp_path / "other.html", clusterings={"side": sides})


@pytest.mark.slow
def test_objects_left_out_of_the_search(corners, tmp_path):
    X, given = corners
    noisy = np.where(np.arange(80) < 5, -1, given)
    found = cw.cluster_again(X, noisy, noise="drop", random_state=0, progress=False)
    for name, options in (("plain", {}), ("about", {"X": X})):
        page = Page(write_report(found, tmp_path / f"{name}.html", **options))
        assert "5 of 80 objects were left out of the search." in page.one("main").text
        sizes = ", ".join(map(str, sorted(np.bincount(given[5:]), reverse=True)))
        assert any(row[0] == "the given clustering" and row[3] == sizes for row in page.rows)


def test_nothing_found_and_degenerate_ones(found, corners, tmp_path):
    nothing = FoundClusterings(given=found.given)
    page = Page(write_report(nothing, tmp_path / "nothing.html", X=corners[0]))
    assert page.of_class("verdict")[0].text == "No alternative to the given clustering was found."
    bad = np.zeros(80, np.int64)
    bad[0] = 1
    one = describe(bad, 0.1, 0.9, degenerate=True)
    page = Page(write_report(FoundClusterings([one], given=found.given), tmp_path / "bad.html"))
    assert "degenerate" in page.of_class("verdict")[0].text


def test_alternatives_without_features(found, tmp_path):
    alone = FoundClusterings(found, given=found.given)
    page = Page(write_report(alone, tmp_path / "report.html"))
    assert "It is unrelated to the given clustering (adjusted Rand " in page.one("header").text
    assert len(page.pictures) == 2


@pytest.mark.slow
def test_alternatives_remember_their_features(found, corners, tmp_path):
    pages = [
        Page(write_report(found, tmp_path / name, day=DAY, code="code", **options)).source
        for name, options in (("a.html", {}), ("b.html", {"X": corners[0]}))
    ]
    assert pages[0] == pages[1]


@pytest.mark.slow
def test_the_same_alternatives_give_the_same_bytes(found, corners, tmp_path):
    pages = [
        write_report(found, tmp_path / name, X=corners[0], day=DAY).read_bytes() for name in "ab"
    ]
    assert pages[0] == pages[1]


@pytest.mark.slow
def test_combinations_say_how_well_they_are_supported(combination, combined, ensemble):
    mean = combined.agreement.adjusted_rand.mean()
    assert f"by {mean:.2f} on average" in combination.one("header").text
    rows = {row[0]: row for row in combination.rows}
    for i, name in enumerate(ensemble):
        assert float(rows[name][3]) == pytest.approx(
            combined.agreement.adjusted_rand[i], abs=PRINTED
        )
    assert not combination.all("run")


def test_combinations_show_clusters_and_the_least_stable(combination, combined, ensemble):
    objects = cw.object_agreement(combined.labels, ensemble)
    least = int(np.argmin(objects.margin))
    row = next(row for row in combination.rows if row[0] == str(least) and len(row) == 6)
    assert float(row[-1]) == pytest.approx(objects.margin[least], abs=PRINTED)
    sizes = np.bincount(combined.labels)
    for cluster, size in enumerate(sizes):
        assert any(row[:2] == [str(cluster), str(size)] for row in combination.rows)


def test_combinations_have_plots(combination):
    assert combination.sections == [
        "Clusters of the consensus",
        "Agreement with the clusterings",
        "Stable and ambiguous objects",
        "Number of clusters",
        "How it was made",
    ]
    assert len(combination.pictures) == 4
    assert any("clusters suggested" in e.text for e in combination.all("caption"))


@pytest.mark.slow
def test_the_code_makes_the_same_consensus(combination, combined, ensemble, tmp_path, monkeypatch):
    (code,) = combination.all("code")
    scope = {"ensemble": ensemble}
    monkeypatch.chdir(tmp_path)
    exec(code.text, scope)
    assert Page(tmp_path / "report.html").pictures
    assert (scope["found"].labels == combined.labels).all()


@pytest.mark.slow
def test_what_auto_chose_by(ensemble, tmp_path):
    found = cw.combine(ensemble, random_state=0)
    page = Page(write_report(found, tmp_path / "report.html"))
    rows = {row[0]: row for row in page.rows}
    value = float(rows["mean confidence of the clusters"][1])
    assert value == pytest.approx(found.confidence, abs=PRINTED)


def test_labels_that_are_missing(tmp_path):
    ensemble = {"a": [0, 0, 1, 1, None, None], "b": [0, 0, 1, 1, 1, None]}
    found = cw.combine(ensemble, "evidence")
    page = Page(write_report(found, tmp_path / "report.html"))
    assert "1 object has no label in any clustering" in page.one("header").text
    assert len(page.pictures) == 3


@pytest.mark.slow
def test_one_cluster_and_numbers_that_occur_once(tmp_path):
    ensemble = {"a": [0, 0, 0, 0], "b": [0, 0, 1, 1], "c": [0, 1, 2, 2]}
    found = cw.combine(ensemble, "evidence", 1)
    page = Page(write_report(found, tmp_path / "report.html"))
    assert not any("suggested" in e.text for e in page.all("caption"))
    assert "ambiguous:" not in page.one("header").text


@pytest.mark.slow
def test_a_million_objects_combined(tmp_path):
    random = np.random.default_rng(0)
    planted = np.arange(1_000_000) % 5
    ensemble = np.column_stack(
        [np.where(random.random(planted.size) < 0.2, 0, planted) for _ in range(4)]
    )
    found = cw.combine(ensemble, "voting", random_state=0)
    path = write_report(found, tmp_path / "report.html")
    assert path.stat().st_size < LARGEST


@pytest.fixture(scope="module")
def runs():
    """Five clusterings, of which the last two differ from the first three."""
    random = np.random.default_rng(0)
    planted, other = np.arange(60) % 3, np.arange(60) // 15
    return {
        f"<run {i}>": np.where(random.random(60) < 0.1, 0, planted if i < 3 else other)
        for i in range(5)
    }


def check_page(page, title, sections, plots):
    assert title in page.one("h1").text
    assert page.sections == sections
    assert len(page.pictures) == plots
    assert len(set(page.ids)) == len(page.ids)


def test_matrices_list_clusterings_and_pairs(runs, tmp_path):
    matrix = cw.compare_all(runs)
    page = Page(matrix.report(tmp_path / "report.html", day=DAY))
    sections = [
        "Flow of objects", "Similarity of the clusterings", "Clusterings", "Pairs",
        "How it was made",
    ]  # fmt: skip
    check_page(page, "5 clusterings compared by adjusted_rand_score", sections, 3)
    sentences = [page.of_class("verdict")[0].text, *(e.text for e in page.all("li"))]
    assert matrix.summary().endswith(" ".join(sentences[:2]))
    rows = {row[0]: row for row in page.rows if len(row) == 5}
    for i, name in enumerate(runs):
        others = np.delete(matrix.values[i], i)
        assert rows[name][1] == str(matrix.n_clusters[i])
        assert float(rows[name][2]) == pytest.approx(others.mean(), abs=PRINTED)
        assert float(rows[name][4]) == pytest.approx(others.max(), abs=PRINTED)
        nearest = list(runs).index(rows[name][3])
        assert matrix.values[i, nearest] == others.max()


@pytest.mark.slow
def test_matrices_of_many_clusterings_and_of_two(runs, tmp_path):
    random = np.random.default_rng(1)
    many = {str(i): random.integers(0, 3, 30) for i in range(22)}
    page = Page(cw.compare_all(many, measure="wallace_score").report(tmp_path / "many.html"))
    captions = [e.text for e in page.all("caption")]
    assert captions[:2] == ["Most similar pairs", "Least similar pairs"]
    assert "The measure is not symmetric" in page.one("main").text
    two = dict(list(runs.items())[:2])
    distance = cw.compare_all(two, measure="mirkin_distance")
    assert len(Page(distance.report(tmp_path / "two.html")).pictures) == 2


@pytest.mark.slow
def test_the_code_makes_the_same_matrix(runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matrix = cw.compare_all(runs, measure="rand_score")
    page = Page(matrix.report(tmp_path / "first.html"))
    scope = {"clusterings": runs}
    exec(page.one("code").text, scope)
    assert (scope["matrix"].values == matrix.values).all()


def test_profiles_list_matches_and_differences(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    binning = cw.Binning.from_edges({"age": [0, 30, 60, 90], "income": [0, 5, 10]})
    random = np.random.default_rng(0)
    X = np.column_stack([random.uniform(0, 90, 80), random.uniform(0, 10, 80)])
    last = cw.DensityProfile.from_data(X, np.arange(80) % 3, binning=binning)
    this = cw.DensityProfile.from_data(X[:50], np.arange(50) % 2, binning=binning)
    found = cw.compare_profiles(last, this, names=("last", "this"))
    page = Page(found.report(tmp_path / "first.html"))
    sections = ["Matched clusters", "Density profiles", "Features", "How it was made"]
    check_page(page, "Density of last against this", sections, 1)
    sentences = [page.of_class("verdict")[0].text, *(e.text for e in page.all("li"))]
    assert " ".join(sentences[: len(found.sentences())]) == found.summary()
    for match in found.matches:
        row = next(row for row in page.rows if row[:2] == [str(match.a), str(match.b)])
        assert row[2] == str(last.sizes[match.a])
        assert float(row[4]) == pytest.approx(match.cosine, abs=PRINTED)
    assert "Of last, 1 cluster is not matched." in page.one("header").text
    assert {row[0] for row in page.rows if len(row) == 2} >= {"age", "income"}
    scope = {"a": last, "b": this}
    exec(page.one("code").text, scope)
    assert scope["comparison"].adco == found.adco


def test_tradeoff_curves_show_the_suggestion(corners, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    curve = cw.tradeoff_curve(*corners, [0.0, 0.5, 1.0], progress=False)
    page = Page(write_report(curve, tmp_path / "first.html"))
    sections = ["Quality and dissimilarity", "Thresholds", "How it was made"]
    check_page(page, "Trade-off between quality and dissimilarity", sections, 1)
    assert curve.suggested is not None
    assert f"{curve.suggested:g}" in page.of_class("verdict")[0].text
    rows = {row[0]: row for row in page.rows if len(row) == 7}
    for omega, dq in zip(curve.omegas.tolist(), curve.dq.tolist(), strict=True):
        assert float(rows[f"{omega:g}"][3]) == pytest.approx(dq, abs=PRINTED)
    scope = {"X": corners[0], "given": corners[1]}
    exec(page.one("code").text.replace('curve.report("report.html")', ""), scope)
    assert (scope["curve"].labels == curve.labels).all()


@pytest.fixture(scope="module")
def windows():
    """Six windows; a cluster appears in the fourth and stays."""
    random = np.random.default_rng(0)
    at = np.arange(1200)
    labels = at % 2 + 2 * (at >= 600) * (at % 4 == 0)
    X = random.normal(labels, 0.3)[:, None]
    return list(cw.ClusteringStream(window=200).run([(X, labels)]))


def test_windows_of_a_stream(windows, tmp_path):
    page = Page(write_report(windows, tmp_path / "report.html", day=DAY))
    sections = ["Windows", "Windows with drift", "How it was made"]
    check_page(page, "Stream of 6 windows", sections, 1)
    assert [one.index for one in windows if one.drift] == [3]
    verdict = page.of_class("verdict")[0].text
    assert verdict == "Window 3 differs significantly from the objects before."
    rows = {row[0]: row for row in page.rows if len(row) == 9}
    for one in windows[1:]:
        assert float(rows[str(one.index)][3]) == pytest.approx(one.similarity, abs=PRINTED)
        assert (rows[str(one.index)][8] == "drift") == one.drift
    assert rows["3"][5] == "2"
    tiles = dict(
        zip((e.text for e in page.all("dt")), (e.text for e in page.all("dd")), strict=True)
    )
    assert tiles["with drift"] == tiles["births of clusters"] == "1"
    assert tiles["objects seen"] == "1,200"


@pytest.mark.slow
def test_one_window_of_a_stream(windows, tmp_path):
    page = Page(write_report(windows[0], tmp_path / "report.html"))
    check_page(page, "Stream of 1 window", ["Windows", "Window", "How it was made"], 1)
    assert page.of_class("verdict")[0].text == windows[0].summary()


@pytest.mark.slow
def test_a_stream_writes_the_report_of_its_windows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    labels = np.arange(400) % 2
    batches = [(np.random.default_rng(1).normal(labels, 0.3)[:, None], labels)]
    stream = cw.ClusteringStream(window=100, names="fresh", alpha=0.05)
    path = stream.report(stream.run(batches), tmp_path / "first.html", title="Windows")
    page = Page(path)
    assert page.one("h1").text == "Windows"
    assert ["names", "fresh"] in page.rows
    exec(page.one("code").text, {"batches": batches})
    assert Page(tmp_path / "report.html").sections == page.sections


def test_options_of_alternatives_are_for_alternatives(runs, tmp_path):
    with pytest.raises(InputError, match="X is for reports of alternatives only"):
        write_report(cw.compare_all(runs), tmp_path / "report.html", X=[[1]])


def test_pairs_without_a_common_object_have_no_flow(tmp_path):
    noisy = {"a": [-1, 0, 0, 1, 1], "b": [0, -1, 0, 1, 1], "c": [0, 0, -1, -1, -1]}
    matrix = cw.compare_all(noisy, noise="drop", measure="rand_score")
    page = Page(matrix.report(tmp_path / "r.html", day=DAY))
    assert "The flow through all clusterings cannot be drawn: there are no objects" in page.source
    assert len(page.all("svg")) == 2
