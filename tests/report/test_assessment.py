"""The pages of the stability of clusters."""

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

import clusterwise as cw
from helpers.page_contents import blocks, code, page_of, parameters, plots, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")

TRUTH = np.repeat([0, 1, 2], 30)
X = np.array([[0.0, 0, 0], [0, 9, 4], [9, 9, -4]])[TRUTH]
X = X + np.random.default_rng(0).normal(size=X.shape)
OPTIONS = {"n_resamples": 12, "n_null": 19, "nulls": ["gaussian"], "random_state": 0}
CLUSTERER = AgglomerativeClustering(3)


@pytest.fixture(scope="module")
def found():
    return cw.assess(X, CLUSTERER, **OPTIONS)


def test_the_page_of_one_clustering(found):
    page = page_of(found)
    assert page.verdict == found.sentences()
    stable = sum(one.stable for one in found.stability)
    shown = tiles(page)
    assert shown["clusters come back"] == f"{stable} of 3"
    assert shown["mean adjusted Rand index with the resamples"] == f"{found.ari:.2f}"
    assert shown["the same for data without clusters"] == f"{found.null_ari:.2f}"
    assert shown["objects"] == "90"
    assert len(plots(page, "Clusters")) == len(plots(page, "Objects")) == 1
    assert tables(page, "Clusters") == [found.text_table()]
    assert tables(page, "The whole clustering")[0].rows[0][0] == "the data"
    assert parameters(page)["clusterer"] == "AgglomerativeClustering(n_clusters=3)"
    assert "assess(X, clusterer, resampling='bootstrap', n_resamples=12)" in code(page)


def test_the_most_ambiguous_objects_are_listed():
    noise = np.random.default_rng(1).normal(size=(80, 2))
    found = cw.assess(noise, CLUSTERER, **OPTIONS)
    (table,) = [one for one in tables(page_of(found), "Objects") if "most" in one.title]
    assert [int(row[0]) for row in table.rows] == found.objects.ambiguous[:10].tolist()
    for i, row in zip(found.objects.ambiguous[:10].tolist(), table.rows, strict=True):
        assert float(row[2]) == pytest.approx(found.objects.agreement[i], abs=5e-5)
        assert row[3] == str(found.objects.other[i])


def test_labels_have_a_rule():
    page = page_of(cw.assess(X, TRUTH, **OPTIONS))
    assert "nearest centroid" in parameters(page)["rule"]
    assert "assess(X, labels, " in code(page)


def test_without_data_there_is_no_map(found):
    found = cw.assess(X, CLUSTERER, **OPTIONS)
    found.data = None
    page = page_of(found)
    assert plots(page, "Objects") == []
    assert "no map" in blocks(page, "Objects")[0]


def test_the_page_of_several_numbers():
    found = cw.assess(X, AgglomerativeClustering, n_clusters=[2, 3, 4], **OPTIONS)
    page = page_of(found)
    assert page.verdict == found.sentences()
    assert tables(page, "Numbers of clusters") == [found.text_table()]
    assert found.suggested is not None
    assert tables(page, f"Clusters if there are {found.suggested}") == [
        found[found.suggested].text_table()
    ]
    assert parameters(page)["n_clusters"] == "[2, 3, 4]"
    assert "assess(X, clusterer, n_clusters=[2, 3, 4], " in code(page)


def test_without_a_stable_number_there_are_no_clusters():
    noise = np.random.default_rng(1).normal(size=(80, 2))
    found = cw.assess(noise, AgglomerativeClustering, n_clusters=[2, 3], **OPTIONS)
    page = page_of(found)
    assert found.suggested is None
    assert [one.title for one in page.sections] == ["Numbers of clusters", "How it was made"]
    assert "clusters most clearly so" not in tiles(page)
