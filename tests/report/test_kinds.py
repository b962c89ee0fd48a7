"""Reports of alternatives and of combinations."""

from dataclasses import replace
from datetime import date

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from helpers.pages import Page

mpl.use("Agg")

from matplotlib import pyplot as plt

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.results import FoundClustering, FoundClusterings
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
    """Three alternatives to two clusterings that are given."""
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


def test_alternatives_say_what_they_are_about(alternatives, found):
    (name,) = list(found.by_name())[1:]
    verdict = alternatives.of_class("verdict")[0].text
    assert verdict == (
        f"{name} is about width & depth; it is unrelated to given, which is about <i>length</i>."
    )
    assert not alternatives.all("i")


def test_alternatives_have_their_figures(alternatives, found):
    rows = {row[0]: row for row in alternatives.rows}
    row = rows[list(found.by_name())[1]]
    assert float(row[4]) == pytest.approx(found[0].quality, abs=1e-4)
    assert float(row[6]) == pytest.approx(found[0].dq, abs=1e-4)
    score = cw.adjusted_rand_score(found.given[0], found[0].labels)
    assert float(row[7]) == pytest.approx(score, abs=1e-4)
    assert row[-1] == found[0].method
    assert any(row[0] == row[-1] == "given" for row in alternatives.rows)


def test_alternatives_list_the_features_of_each(alternatives, found, corners):
    for labels in (found.given[0], found[0].labels):
        best = cw.separating_features(corners[0], labels)[0]
        assert any(
            [best.feature, f"{best.score:.2f}"] in (row[0:2], row[2:4]) for row in alternatives.rows
        )


def test_alternatives_have_pictures(alternatives):
    assert alternatives.sections == [
        "Given and found",
        "What each is about",
        "Where objects went",
        "The first alternative closer",
        "How it was made",
    ]
    assert len(alternatives.pictures) == 4
    assert len(set(alternatives.ids)) == len(alternatives.ids)


@pytest.mark.parametrize(
    ("order", "strange", "said"),
    [((0, 1, 2), None, False), ((1, 0, 2), None, True), ((1, 0, 2), 0, False)],
)
def test_a_suggestion_that_has_not_the_largest_dq_is_explained(
    several, tmp_path, order, strange, said
):
    """Degenerate ones come last, whatever their DQ, so they need no explanation."""
    kept = [several[place] for place in order]
    if strange is not None:
        kept = [replace(one, degenerate=one is several[strange]) for one in kept]
    page = Page(
        write_report(FoundClusterings(kept, given=several.given), tmp_path / "r.html", day=DAY)
    )
    words = f"has a DQ {several[0].dq - several[1].dq:.3f} below the largest"
    assert any(words in caption.text for caption in page.all("figcaption")) == said


def test_the_parameters_of_what_was_found(alternatives, found):
    rows = [tuple(row) for row in alternatives.rows]
    seed = found[0].parameters["random_state"]
    assert ("random_state", str(seed)) in rows
    assert "progress" not in {row[0] for row in rows}


def test_the_code_makes_the_same_alternatives(found, corners, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"random_state": 0, "progress": False}
    page = Page(write_report(found, tmp_path / "first.html", X=corners[0], parameters=options))
    scope = {"X": corners[0], "given": corners[1]}
    exec(page.one("code").text, scope)
    assert (scope["found"][0].labels == found[0].labels).all()
    assert Page(tmp_path / "report.html").sections == page.sections


def test_several_alternatives_to_several_clusterings(several, tmp_path):
    page = Page(write_report(several, tmp_path / "report.html"))
    assert "How good and how different" in page.sections
    assert "What each is about" not in page.sections
    verdicts = [page.of_class("verdict")[0], *page.all("li")][: len(several)]
    for i, verdict in enumerate(verdicts):
        assert verdict.text.startswith(f"{i} COALA: it ")
        assert "given 1, and it " in verdict.text
    assert len(page.pictures) == 4
    assert page.one("h1").text == "Alternatives to what is given"


def test_clusterings_under_their_own_names(found, corners, tmp_path):
    sides = np.where(corners[1] == 0, "left", "right")
    named = {"side": sides, "other": found[0].labels}
    page = Page(write_report(found, tmp_path / "report.html", clusterings=named))
    assert page.one("h1").text == "Alternatives to side"
    assert any("left" in e.text for e in page.all("text"))
    with pytest.raises(InputError, match="clusterings are 1, but 1 were given and 1 found"):
        write_report(found, tmp_path / "other.html", clusterings={"side": sides})


def test_nothing_found_and_degenerate_ones(found, corners, tmp_path):
    nothing = FoundClusterings(given=found.given)
    page = Page(write_report(nothing, tmp_path / "nothing.html", X=corners[0]))
    assert page.of_class("verdict")[0].text == "Nothing was found that is worth having."
    bad = np.zeros(80, np.int64)
    bad[0] = 1
    one = describe(bad, 0.1, 0.9, degenerate=True)
    page = Page(write_report(FoundClusterings([one], given=found.given), tmp_path / "bad.html"))
    assert "degenerate" in page.of_class("verdict")[0].text


def test_alternatives_without_features(found, tmp_path):
    page = Page(write_report(found, tmp_path / "report.html"))
    assert "unrelated to given." in page.of_class("verdict")[0].text
    assert len(page.pictures) == 2


def test_the_same_alternatives_give_the_same_bytes(found, corners, tmp_path):
    pages = [
        write_report(found, tmp_path / name, X=corners[0], day=DAY).read_bytes() for name in "ab"
    ]
    assert pages[0] == pages[1]


def test_combinations_say_how_well_they_are_supported(combination, combined, ensemble):
    mean = combined.agreement.adjusted_rand.mean()
    assert f"mean ARI {mean:.4f}" in combination.of_class("verdict")[0].text
    rows = {row[0]: row for row in combination.rows}
    for i, name in enumerate(ensemble):
        assert float(rows[name][3]) == pytest.approx(combined.agreement.adjusted_rand[i], abs=1e-4)
    assert not combination.all("run")


def test_combinations_show_clusters_and_the_least_stable(combination, combined, ensemble):
    objects = cw.object_agreement(combined.labels, ensemble)
    least = int(np.argmin(objects.margin))
    row = next(row for row in combination.rows if row[0] == str(least) and len(row) == 6)
    assert float(row[-1]) == pytest.approx(objects.margin[least], abs=1e-4)
    sizes = np.bincount(combined.labels)
    for cluster, size in enumerate(sizes):
        assert any(row[:2] == [str(cluster), str(size)] for row in combination.rows)


def test_combinations_have_pictures(combination):
    assert combination.sections == [
        "Clusters of the consensus",
        "Who agrees with it",
        "What is settled",
        "How many clusters",
        "How it was made",
    ]
    assert len(combination.pictures) == 4
    assert any("clusters suggested" in e.text for e in combination.all("caption"))


def test_the_code_makes_the_same_consensus(combination, combined, ensemble, tmp_path, monkeypatch):
    (code,) = combination.all("code")
    scope = {"ensemble": ensemble}
    monkeypatch.chdir(tmp_path)
    exec(code.text, scope)
    assert Page(tmp_path / "report.html").pictures
    assert (scope["found"].labels == combined.labels).all()


def test_methods_that_were_tried(ensemble, tmp_path):
    found = cw.combine(ensemble, random_state=0)
    page = Page(write_report(found, tmp_path / "report.html"))
    rows = {row[0]: row for row in page.rows}
    assert found.scores
    for method, shared in found.scores.items():
        assert float(rows[method][1]) == pytest.approx(shared, abs=1e-4)


def test_labels_that_are_missing(tmp_path):
    ensemble = {"a": [0, 0, 1, 1, None, None], "b": [0, 0, 1, 1, 1, None]}
    found = cw.combine(ensemble, "evidence")
    page = Page(write_report(found, tmp_path / "report.html"))
    assert "1 object has no label in any clustering" in page.one("main").text
    assert len(page.pictures) == 3


def test_one_cluster_and_numbers_that_occur_once(tmp_path):
    ensemble = {"a": [0, 0, 0, 0], "b": [0, 0, 1, 1], "c": [0, 1, 2, 2]}
    found = cw.combine(ensemble, "evidence", 1)
    page = Page(write_report(found, tmp_path / "report.html"))
    assert not any("suggested" in e.text for e in page.all("caption"))
    assert "settled" not in page.of_class("verdict")[0].text


def test_a_million_objects_combined(tmp_path):
    random = np.random.default_rng(0)
    planted = np.arange(1_000_000) % 5
    ensemble = np.column_stack(
        [np.where(random.random(planted.size) < 0.2, 0, planted) for _ in range(4)]
    )
    found = cw.combine(ensemble, "voting", random_state=0)
    path = write_report(found, tmp_path / "report.html")
    assert path.stat().st_size < LARGEST
