"""The page of alternatives."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.results import FoundClusterings
from helpers.page_contents import blocks, code, page_of, plots, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def found_clusterings(count, *, given=1, dqs=None):
    random = np.random.default_rng(0)
    made = []
    for i in range(count):
        codes = random.integers(0, 2, 40)
        sizes = tuple(sorted(np.bincount(codes).tolist(), reverse=True))
        dq = 0.5 if dqs is None else dqs[i]
        made.append(FoundClustering(codes, 0.4, 0.6, dq, sizes, 2.0, False, "COALA", {"omega": 1}))
    old = np.array([(np.arange(40) // 2**i) % 2 for i in range(given)])
    return FoundClusterings(made, given=old, parameters={"random_state": 7})


def test_numbers_at_the_top_of_alternatives():
    found = found_clusterings(2)
    page = page_of(found)
    rand = cw.adjusted_rand_score(found.given[0], found[0].labels)
    assert tiles(page) == {
        "alternatives": "2",
        "DQ of Alternative 0, 0 to 1": "0.50",
        "its adjusted Rand index with the given clustering": f"{rand + 0.0:.2f}",
        "objects": "40",
    }
    assert page.title == "Alternatives to the given clustering"
    assert "cluster_again(X, given, random_state=7)" in code(page)
    assert 'found.report("report.html")' in code(page)
    assert "alternative" in tiles(page_of(found_clusterings(1)))
    assert list(tiles(page_of(found_clusterings(0)))) == ["alternatives", "objects"]


def test_a_row_per_given_and_found_clustering():
    found = found_clusterings(2, given=2)
    (table,) = tables(page_of(found), "Given and found clusterings")
    assert [row[-1] for row in table.rows] == ["given", "given", "COALA", "COALA"]
    assert table.header[7:9] == ["ARI with given 1", "ARI with given 2"]
    for row, one in zip(table.rows[2:], found, strict=True):
        assert row[4:7] == ["0.4000", "0.6000", "0.5000"]
        scores = [cw.adjusted_rand_score(old, one.labels) for old in found.given]
        assert [float(cell) for cell in row[7:9]] == pytest.approx(scores, abs=5.1e-5)
    assert table.rows[0][4:9] == [""] * 5


def test_attempts_are_listed_if_none_is_convincing():
    attempts = [
        replace(one, evidence=evidence, found_again=again)
        for one, evidence, again in zip(
            found_clusterings(2), (12.3, -4.0), ((2, 5), None), strict=True
        )
    ]
    none = found_clusterings(0)
    none.unconvincing = attempts
    (table,) = tables(page_of(none), "Attempts that are not convincing")
    assert [row[4:] for row in table.rows] == [["12", "2 of 5", "COALA"], ["-4", "", "COALA"]]
    some = found_clusterings(1)
    some.unconvincing = attempts
    titles = [section.title for section in page_of(some).sections]
    assert "Given and found clusterings" in titles
    assert "Attempts that are not convincing" not in titles


@pytest.mark.parametrize(
    ("count", "described", "shown"),
    [
        (5, 5, ""),
        (6, 6, " (the first 6 of 7 clusterings)"),
        (7, 6, " (the first 6 of 8 clusterings)"),
    ],
)
def test_at_most_six_clusterings_are_drawn_and_described(count, described, shown):
    page = page_of(found_clusterings(count))
    (flow,) = plots(page, "Flow of objects")
    assert flow.caption.endswith(f"share{shown}.")
    assert (
        sum(re.match(r"Alternative \d has 2 clusters", one) is not None for one in page.verdict)
        == described
    )


def test_fronts_and_maps_need_several():
    titles = lambda page: [section.title for section in page.sections]  # noqa: E731
    assert "Quality and dissimilarity" not in titles(page_of(found_clusterings(1)))
    assert len(plots(page_of(found_clusterings(2)), "Quality and dissimilarity")) == 2
    (only,) = plots(page_of(found_clusterings(1, given=2)), "Quality and dissimilarity")
    assert only.markup == "Map of the clusterings by similarity"
    nothing = page_of(found_clusterings(0))
    assert "Flow of objects" not in titles(nothing)
    assert "First alternative in detail" not in titles(nothing)
    assert list(nothing.verdict) == ["No alternative to the given clustering was found."]


@pytest.mark.parametrize(
    ("dqs", "said"),
    [
        ((0.5, 0.4), "."),
        ((0.5, 0.5), "."),
        (
            (0.46, 0.5),
            ", although its DQ (0.4600) is below that of Alternative 1 (0.5000): there is more "
            "evidence for it.",
        ),
    ],
)
def test_why_the_first_alternative_is_recommended(dqs, said):
    found = found_clusterings(2, dqs=dqs)
    found[:] = [replace(one, evidence=-float(i)) for i, one in enumerate(found)]
    first = next(iter(page_of(found).verdict))
    assert first.startswith(
        f"Found two alternatives to the given clustering; the first is recommended{said}"
    )


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 5), (6, 5)])
def test_at_most_five_features_and_three_panels(columns, rows):
    X = np.random.default_rng(0).normal(size=(40, columns))
    page = page_of(found_clusterings(3), X=X)
    (table,) = tables(page, "Features that separate the clusters")
    assert len(table.rows) == rows
    assert table.header == [
        "the given clustering",
        "score",
        "Alternative 0",
        "score",
        "Alternative 1",
        "score",
        "Alternative 2",
        "score",
    ]
    scatter, crossed = plots(page, "Features that separate the clusters")
    assert crossed.markup == "the given clustering against Alternative 0"
    assert (
        scatter.markup
        == "The same objects, coloured by the given clustering, Alternative 0 and Alternative 1"
    )
    assert scatter.caption.endswith("each clustering (the first 3 of 4 clusterings).")
    best = cw.separating_features(X, (np.arange(40)) % 2)
    assert [row[0] for row in table.rows] == [one.feature for one in best[:rows]]
    assert 'found.report("report.html", X)' in code(page)


@pytest.mark.parametrize("with_features", [False, True])
def test_objects_left_out_of_the_search_are_counted(with_features):
    found = found_clusterings(1)
    found.given[0, :3] = -1
    found[0].labels[:3] = -1
    X = np.random.default_rng(0).normal(size=(40, 2)) if with_features else None
    page = page_of(found, X=X)
    section = "Given and found clusterings"
    assert "3 of 40 objects were left out of the search." in blocks(page, section)
    sizes = sorted(np.bincount(found.given[0, 3:]).tolist(), reverse=True)
    (table,) = tables(page, section)
    assert table.rows[0][3] == ", ".join(map(str, sizes))
    assert tiles(page)["objects"] == "37"
    if with_features:
        best = cw.separating_features(X[3:], found.given[0, 3:])
        features = tables(page, "Features that separate the clusters")[0]
        assert [row[:2] for row in features.rows] == [
            [one.feature, f"{one.score:.2f}"] for one in best
        ]
        said = [one for one in blocks(page, section) if isinstance(one, str)]
        assert "2 features of the objects: x0 and x1." in said


def test_names_and_labels_of_the_caller_are_used():
    found = found_clusterings(1)
    named = {"side": np.where(found.given[0] == 0, "left", "right"), "other": found[0].labels}
    page = page_of(found, clusterings=named)
    assert page.title == "Alternatives to side"
    (table,) = tables(page, "Given and found clusterings")
    assert [row[0] for row in table.rows] == ["side", "other"]
    assert plots(page, "Flow of objects")[0].markup.endswith("clusters of side and other")
    assert tables(page, "How it was made")[1].title == "other was found by COALA"


def test_a_given_clustering_keeps_its_name():
    rng = np.random.default_rng(0)
    corner = np.arange(40) % 4
    X = np.column_stack([corner // 2 * 9.0, corner % 2 * 9.0]) + rng.normal(size=(40, 2))
    given = pd.Series(corner // 2, name="cultivar")
    found = cw.cluster_again(X, given, "orthogonal", random_state=0)
    page = page_of(found, X=X)
    assert page.title == "Alternatives to cultivar"
    assert "unrelated to cultivar" in page.verdict[1]
    (table, *_) = tables(page, "Given and found clusterings")
    assert [row[0] for row in table.rows] == ["cultivar", "Alternative 0"]


def test_two_clusterings_of_one_name_are_told_apart():
    made = found_clusterings(1, given=2)
    same = FoundClusterings(made, given=made.given, given_names=["run", "run"])
    (table, *_) = tables(page_of(same), "Given and found clusterings")
    assert [row[0] for row in table.rows] == ["given 1", "given 2", "0 COALA"]


def test_the_first_alternative_is_described_in_whole_sentences():
    (text, *_) = blocks(page_of(found_clusterings(1)), "First alternative in detail")
    assert text.startswith("The given clustering and Alternative 0 ")
    found = found_clusterings(1)
    found.given_names = ("k-means",)
    (text, *_) = blocks(page_of(found), "First alternative in detail")
    assert text.startswith("k-means and Alternative 0 ")
