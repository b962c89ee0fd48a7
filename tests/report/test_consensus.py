"""The page of a consensus."""

import numpy as np
import pytest

import clusterwise as cw
from helpers.page_contents import code, page_of, plots, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def ensemble(m=4, n=60, noise=0.2):
    random = np.random.default_rng(0)
    planted = np.arange(n) % 3
    return {
        f"run {i}": np.where(random.random(n) < noise, random.integers(0, 3, n), planted)
        for i in range(m)
    }


def test_numbers_at_the_top_of_a_consensus():
    found = cw.combine(ensemble(), "voting", random_state=0)
    page = page_of(found)
    mean = found.agreement.adjusted_rand.mean()
    assert tiles(page) == {
        "clusters": "3",
        "mean adjusted Rand index with the clusterings; 0 is chance": f"{mean:.2f}",
        "of the objects are ambiguous": f"{found.objects.n_ambiguous / 60:.1%}",
        "clusterings": "4",
        "objects": "60",
    }
    assert page.title == "Consensus of 4 clusterings"
    assert list(page.verdict) == found.sentences()
    assert list(page.verdict)[1:] == [found.agreement.summary(), found.objects.summary()]
    assert "combine(ensemble, 'voting', n_clusters=3)\n" in code(page)


def test_one_cluster_is_not_several():
    page = page_of(cw.combine({"a": [0, 0, 0], "b": [0, 0, 1]}, "evidence", 1))
    assert tiles(page)["cluster"] == "1"
    assert len(page.verdict) == 2
    assert "ambiguous" not in " ".join(page.verdict)


def test_the_ten_most_ambiguous_objects_are_listed():
    found = cw.combine(ensemble(noise=0.5), "voting", random_state=0)
    table = tables(page_of(found), "Stable and ambiguous objects")[0]
    order = np.argsort(found.objects.margin, kind="stable")[:10]
    assert [row[0] for row in table.rows] == [str(i) for i in order]
    for i, row in zip(order, table.rows, strict=True):
        assert row[1] == str(found.objects.labels[i])
        assert row[3] == str(found.objects.nearest[i])
        values = [found.objects.own[i], found.objects.other[i], found.objects.margin[i]]
        shown = [float(row[j]) for j in (2, 4, 5)]
        assert shown == pytest.approx(values, abs=5.1e-5)


def test_objects_that_all_clusterings_agree_on_are_not_listed():
    same = np.arange(30) % 3
    page = page_of(cw.combine({"a": same, "b": same}, "evidence", random_state=0))
    assert not tables(page, "Stable and ambiguous objects")


@pytest.mark.parametrize(("n", "sampled"), [(300, False), (301, True)])
def test_large_co_association_matrices_are_sampled_and_say_so(n, sampled):
    page = page_of(cw.combine(ensemble(3, n), "voting", random_state=0))
    caption = plots(page, "Stable and ambiguous objects")[1].caption
    assert caption.endswith("(300 of 301 objects, drawn at random)." if sampled else "agree on.")


@pytest.mark.parametrize(("m", "drawn"), [(39, True), (40, False)])
def test_the_similarity_of_many_clusterings_is_not_drawn(m, drawn):
    page = page_of(cw.combine(ensemble(m), "voting", random_state=0))
    assert bool(plots(page, "Agreement with the clusterings")) == drawn


def test_missing_labels_are_counted_and_prevent_the_similarity_matrix():
    page = page_of(cw.combine({"a": [0, 0, 1, None], "b": [0, 0, 1, None]}, "evidence"))
    assert "1 object has no label in any clustering, and -1 in the consensus." in page.verdict
    assert not plots(page, "Agreement with the clusterings")


@pytest.mark.parametrize("seed", [None, 7])
def test_the_code_has_a_seed_if_there_is_one(seed):
    page = page_of(cw.combine(ensemble(), "phi", 3, random_state=seed))
    options = "" if seed is None else ", random_state=7"
    assert f"combine(ensemble, 'phi', n_clusters=3{options})\n" in code(page)


def test_a_clustering_that_is_called_consensus_keeps_its_place():
    members = ensemble(3)
    members["consensus"] = members.pop("run 0")
    page = page_of(cw.combine(members, "voting", random_state=0))
    assert len(plots(page, "Agreement with the clusterings")) == 1
    assert "consensus" in [row[0] for row in tables(page, "Agreement with the clusterings")[0].rows]


def test_what_auto_chose_by_is_listed():
    found = cw.combine(ensemble(3), random_state=0)
    table = tables(page_of(found), "How it was made")[1]
    assert table.title == "Chosen by auto: lwea from 0.1 and 1.5"
    ratio = np.median(found.ensemble.sizes) / found.n_clusters
    assert [row[0].split()[0] for row in table.rows] == ["mean", "median"]
    values = [float(row[1]) for row in table.rows]
    assert values == pytest.approx([found.confidence, ratio], abs=5.1e-5)
