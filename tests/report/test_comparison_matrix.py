"""The page of a comparison of several clusterings."""

import numpy as np
import pytest

import clusterwise as cw
from helpers.page_contents import blocks, code, page_of, parameters, plots, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def labels(n, k, seed=0):
    return np.random.default_rng(seed).integers(0, k, n)


def runs(m, n=40):
    return {f"run {i}": labels(n, 3, i) for i in range(m)}


def test_numbers_at_the_top_of_a_matrix():
    matrix = cw.compare_all(runs(4))
    page = page_of(matrix)
    pairs = [matrix.values[i, j] for i in range(4) for j in range(i)]
    assert tiles(page) == {
        "clusterings": "4",
        "mean adjusted_rand_score of all pairs": f"{np.mean(pairs) + 0.0:.2f}".replace(
            "-0.00", "0.00"
        ),
        "most similar pair": f"{max(pairs):.2f}",
        "least similar pair": f"{min(pairs):.2f}",
    }
    assert page.title == "4 clusterings compared by adjusted_rand_score"
    assert list(page.verdict) == matrix.sentences()[1:]


@pytest.mark.parametrize("measure", ["rand_score", "mirkin_distance"])
def test_the_most_similar_clustering_of_each(measure):
    matrix = cw.compare_all(runs(4), measure=measure)
    (table,) = tables(page_of(matrix), "Clusterings")
    best = min if measure == "mirkin_distance" else max
    for i, row in enumerate(table.rows):
        others = {name: matrix.values[i, j] for j, name in enumerate(matrix.names) if j != i}
        nearest = best(others, key=others.get)
        mean = np.mean(list(others.values()))
        assert row[:2] == [f"run {i}", "3"]
        assert row[3] == nearest
        assert float(row[4]) == pytest.approx(others[nearest], abs=5.1e-5)
        assert float(row[2]) == pytest.approx(mean, abs=5.1e-5)


@pytest.mark.parametrize(
    ("m", "titles"),
    [
        (5, [""]),
        (6, ["", "Most similar pairs", "Least similar pairs"]),
        (20, ["", "Most similar pairs", "Least similar pairs"]),
        (21, ["Most similar pairs", "Least similar pairs"]),
    ],
)
def test_few_clusterings_have_a_matrix_and_many_have_lists_of_pairs(m, titles):
    matrix = cw.compare_all(runs(m))
    found = tables(page_of(matrix), "Pairs")
    assert [table.title for table in found] == titles
    if m > 5:
        pairs = [[a, b, f"{value:.4f}"] for a, b, value in matrix.pairs()]
        most, least = (
            [[*row[:2], f"{float(row[2]):.4f}"] for row in table.rows] for table in found[-2:]
        )
        assert most == pairs[:10]
        assert least == pairs[::-1][:10]


@pytest.mark.parametrize(("m", "shown"), [(2, 1), (3, 2)])
def test_a_map_needs_three_clusterings(m, shown):
    page = page_of(cw.compare_all(runs(m)))
    assert len(plots(page, "Similarity of the clusterings")) == shown


@pytest.mark.parametrize(("measure", "said"), [("rand_score", False), ("wallace_score", True)])
def test_asymmetric_measures_are_called_so(measure, said):
    page = page_of(cw.compare_all(runs(3), measure=measure))
    words = "The measure is not symmetric: the first clustering is a, the second is b."
    assert (words in blocks(page, "Pairs")) == said
    assert f"compare_all(clusterings, measure={measure!r})" in code(page)
    assert parameters(page) == {"measure": measure}


def test_the_flow_goes_through_the_first_dozen():
    (one,) = plots(page_of(cw.compare_all(runs(12))), "Flow of objects")
    assert "the first" not in one.caption
    (one,) = plots(page_of(cw.compare_all(runs(13))), "Flow of objects")
    assert one.caption.endswith("share (the first 12 of 13 clusterings).")


def test_adjusted_p_values_follow_the_matrix():
    runs = {"one": [0, 0, 1, 1] * 9, "two": [0, 1, 1, 1] * 9, "three": [0, 1, 0, 1] * 9}
    result = cw.compare_all(runs, significance=True, correction="benjamini-hochberg")
    page = page_of(result)
    values, p_values = tables(page, "Pairs")[:2]
    assert values.rows == result.text_table().rows
    assert p_values.title == "p-values, adjusted by Benjamini and Hochberg"
    assert "significance=True, correction='benjamini-hochberg')" in code(page)
