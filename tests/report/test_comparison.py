"""The page of a comparison of two clusterings, at the limits of its tables and sentences."""

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.report.page import PageOptions
from helpers.page_contents import blocks, code, page_of, parameters, plots, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def labels(n, k, seed=0):
    return np.random.default_rng(seed).integers(0, k, n)


def test_numbers_at_the_top_of_a_comparison():
    result = cw.compare([0, 0, 1, 1, 2], [0, 0, 1, 1, 1], names=("one", "two"))
    page = page_of(result)
    assert page.title == "one against two"
    assert page.subject == "Two clusterings of the same objects, compared"
    assert tiles(page) == {
        "in matched clusters": "80%",
        "adjusted Rand index; 0 is chance, 1 is identical": "0.55",
        "objects": "5",
        "clusters": "3 → 2",
    }
    assert list(page.verdict) == result.sentences()


def test_soft_comparisons_have_no_adjusted_rand_index_at_the_top():
    soft = np.array([[0.5, 0.5], [1, 0], [0, 1]])
    page = page_of(cw.compare(soft, soft[::-1], names=("one", "two")))
    assert list(tiles(page)) == ["in matched clusters", "objects", "clusters"]
    assert any("members of several clusters" in str(one) for one in page.sections[0].blocks)


def test_features_add_the_density():
    X = np.column_stack([[0.0, 0, 9, 9], [1.0, 2, 1, 2]])
    page = page_of(cw.compare([0, 0, 1, 1], [0, 0, 0, 1], X))
    assert "ADCO, the similarity of density profiles, 0 to 1" in tiles(page)
    assert [one.markup for one in plots(page, "Features of the clusters")] == [
        "The same objects, coloured by a and by b",
        "Density profiles of matched clusters by feature",
    ]
    assert parameters(page)["binning"] == "width"


@pytest.mark.parametrize(("clusters", "shown"), [(12, ["2"] * 12), (13, [*["2"] * 12, "…"])])
def test_at_most_twelve_sizes_are_listed(clusters, shown):
    a = np.arange(2 * clusters) % clusters
    table = tables(page_of(cw.compare(a, a * 0)), "What was compared")[0]
    assert table.rows[0] == ["a", str(clusters), f"{clusters:.2f}", ", ".join(shown)]
    assert table.rows[1] == ["b", "1", "1.00", str(2 * clusters)]


def test_sizes_are_sorted_and_the_effective_number_is_of_them():
    table = tables(page_of(cw.compare([0, 1, 1, 1], [0, 0, 1, 1])), "What was compared")[0]
    entropy = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))
    assert table.rows[0] == ["a", "2", f"{np.exp(entropy):.2f}", "3, 1"]


@pytest.mark.parametrize(("n", "more"), [(30, ""), (31, " and 1 more")])
def test_at_most_thirty_features_are_named(n, more):
    X = np.random.default_rng(0).normal(size=(4, n))
    said = blocks(page_of(cw.compare([0, 0, 1, 1], [0, 1, 1, 1], X)), "What was compared")[-1]
    assert said.startswith(f"{n} features of the objects: x0, x1, ")
    assert said.endswith(f", x29{more}." if more else " and x29.")


@pytest.mark.parametrize(("clusters", "shown"), [(25, ""), (26, " (first 25 of 26)")])
def test_at_most_twenty_five_matches_are_listed(clusters, shown):
    a = np.arange(4 * clusters) % clusters
    b = np.where(np.arange(a.size) < clusters, (a + 1) % clusters, a)
    table = tables(page_of(cw.compare(a, b)), "Matched clusters")[0]
    assert table.title == f"Matched clusters, by overlap{shown}"
    assert len(table.rows) == 25


@pytest.mark.parametrize(
    ("b", "said"),
    [
        ([0, 0, 0, 1, 1, 1], ["Of a, cluster 2 is not matched."]),
        ([0, 0, 0, 0, 0, 0], ["Of a, clusters 1 and 2 are not matched."]),
        ([0, 0, 1, 1, 2, 2], []),
    ],
)
def test_clusters_without_a_match_are_named(b, said):
    a = [0, 0, 2, 1, 1, 1] if max(b) == 1 else [0, 0, 1, 1, 2, 2]
    page = page_of(cw.compare(a, b))
    assert [one for one in blocks(page, "Matched clusters") if isinstance(one, str)] == said


def test_ten_objects_that_contribute_most():
    X = np.random.default_rng(0).normal(size=(30, 2))
    result = cw.compare(labels(30, 3), labels(30, 3, 1), X, names=("one", "two"))
    (table,) = [one for one in tables(page_of(result), "Matched clusters") if "CSS" in one.title]
    assert table.header == ["object", "in one", "in two", "share"]
    assert [row[0] for row in table.rows] == [str(c.object) for c in result.contributors(10)]
    assert len(table.rows) == 10
    same = page_of(cw.compare([0, 1, 1], [1, 0, 0], X[:3]))
    assert not any("CSS" in one.title for one in tables(same, "Matched clusters"))


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ("cluster", "; the measures take noise as a cluster"),
        ("singletons", "; the measures take each noise object as a cluster"),
        ("drop", ""),
    ],
)
def test_the_table_of_measures_says_how_noise_is_counted(noise, said):
    labels = [-1, -1, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 1, 0]
    result = cw.compare(*labels, noise=noise, names=("one", "two"))
    (table,) = tables(page_of(result), "All measures")
    assert table.title == f"Values, ranges and meanings; a is one, b is two{said}"
    assert result.text_tables()[0].title.partition("objects")[2].endswith(said)
    counted = said.partition("take ")[2]
    assert (f" with {counted}; 0 is chance" in result.summary()) == bool(counted)


def test_noise_is_called_noise_in_all_tables():
    X = np.random.default_rng(0).normal(size=(30, 2))
    b = np.where(np.arange(30) % 5, labels(30, 3), -1)
    (table,) = [
        one
        for one in tables(page_of(cw.compare(labels(30, 3), b, X)), "Matched clusters")
        if "CSS" in one.title
    ]
    assert "noise" in {row[2] for row in table.rows} <= {"0", "1", "2", "noise"}


def test_the_table_of_measures_explains_a_and_b():
    result = cw.compare([0, 1, 1], [0, 0, 1], names=("one", "two"))
    (table,) = tables(page_of(result), "All measures")
    assert table.title == "Values, ranges and meanings; a is one, b is two"
    assert [row[0] for row in table.rows] == list(result.values)


def test_parameters_and_code_have_what_is_not_the_default():
    plain = page_of(cw.compare([0, 1, 1], [0, 0, 1]))
    assert parameters(plain) == {"names": "('a', 'b')"}
    assert "comparison = compare(a, b, names=('a', 'b'))\n" in code(plain)
    noisy = page_of(cw.compare([0, -1, 1, 1], [0, 0, 1, 1], noise="drop", names=("one", "two")))
    assert parameters(noisy) == {
        "names": "('one', 'two')",
        "noise": "drop",
        "noise_label": "-1",
    }
    assert "compare(a, b, names=('one', 'two'), noise='drop')" in code(noisy)
    assert "1 of 4 objects (25%) was left out as noise." in blocks(noisy, "What was compared")


def test_options_of_the_caller_come_last():
    options = PageOptions("A title", {"weight": "w", "names": "mine"}, "my code", "A footer")
    page = page_of(cw.compare([0, 1, 1], [0, 0, 1]), options=options)
    assert (page.title, page.footer, code(page)) == ("A title", "A footer", "my code")
    assert parameters(page) == {"names": "mine", "weight": "w"}


def test_weights_are_said_and_named_in_the_code():
    page = page_of(cw.compare([0, 1, 1], [0, 0, 1], sample_weight=[1, 2, 3]))
    assert "Objects are weighted, so all counts are sums of weights." in blocks(
        page, "What was compared"
    )
    assert ", sample_weight=weights)" in code(page)
    assert "weights are their weights." in code(page)
    plain = page_of(cw.compare([0, 1, 1], [0, 0, 1]))
    assert "weight" not in code(plain)
    assert not any("weighted" in str(one) for one in blocks(plain, "What was compared"))


def test_a_ready_table_has_no_objects_to_describe():
    X = np.random.default_rng(0).normal(size=(6, 2))
    result = cw.compare(cw.Contingency.from_labels([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1]))
    page = page_of(result)
    assert [section.title for section in page.sections] == [
        "What was compared",
        "Flow of objects",
        "Matched clusters",
        "All measures",
        "How it was made",
    ]
    assert "comparison = compare(a, b, names=('a', 'b'))" in code(page)
    with_features = page_of(cw.compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1], X))
    assert "compare(a, b, X, " in code(with_features)
    assert "X are their features." in code(with_features)


def test_a_binning_of_the_user_is_named_in_the_code():
    X = np.column_stack([[0.0, 1, 2, 3]])
    binning = cw.Binning.from_edges({"x0": [0, 1.5, 3]})
    text = code(page_of(cw.compare([0, 0, 1, 1], [0, 0, 0, 1], X, binning=binning)))
    assert "binning=binning)" in text
    assert "n_bins" not in text
    assert "binning is their binning." in text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"noise": "drop"}, "1 of 5 objects (20%) was left out as noise."),
        ({"missing": "drop"}, "1 of 5 objects (20%) was left out without a label."),
        (
            {"noise": "drop", "missing": "drop"},
            "2 of 5 objects (40%) were left out as noise or without a label.",
        ),
    ],
)
def test_objects_left_out_are_counted_with_the_reason(options, why):
    a = [0, 0, 1, -1 if "noise" in options else 1, None if "missing" in options else 1]
    page = page_of(cw.compare(a, [0, 1, 1, 1, 1], **options))
    assert why in blocks(page, "What was compared")


@pytest.mark.parametrize(
    ("a", "b", "noise"),
    [
        ([0, 0, 1, 1], [0, 1, 1, 1], None),
        ([0, 0, 1, -1], [0, 1, 1, 1], ["1", "0"]),
        ([0, 1, 1, 1], [0, -1, -1, 1], ["0", "2"]),
        ([-1, -1, 1, 1], [0, -1, 1, 1], ["2", "1"]),
    ],
)
def test_noise_has_a_column_if_either_clustering_has_some(a, b, noise):
    (table, *_) = tables(page_of(cw.compare(a, b)), "What was compared")
    assert ("noise" in table.header) == (noise is not None)
    if noise is not None:
        assert [row[table.header.index("noise")] for row in table.rows] == noise


def test_intervals_are_beside_values():
    random = np.random.default_rng(0)
    a = random.integers(0, 3, 200)
    b = np.where(random.random(200) < 0.6, a, random.integers(0, 3, 200))
    result = cw.compare(a, b, significance=True, n_permutations=100, random_state=3)
    page = page_of(result)
    found = result.significance["adjusted_rand_score"]
    label = "adjusted Rand index; 0 is chance, 1 is identical (95% interval "
    assert f"{label}{found.low:.2f}–{found.high:.2f})" in tiles(page)
    measures = tables(page, "All measures")[0]
    assert measures.header[2:5] == ["by chance", "p-value", "95% interval"]
    assert measures.rows == result.text_table().rows
    assert any("does not say that their clusters are real" in str(one)
               for one in blocks(page, "All measures"))  # fmt: skip
    assert "significance=True, n_permutations=100, random_state=3)" in code(page)
    assert "significance" not in code(page_of(cw.compare(a, b)))
    assert "interval" not in str(tiles(page_of(cw.compare(a, a * 0, significance=True))))
