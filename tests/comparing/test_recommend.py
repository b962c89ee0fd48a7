"""Recommended measures and their failings."""

import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import clusterwise as cw
from clusterwise import InputError, recommend
from clusterwise.comparing.measure_needs import NEEDS, find_needs
from clusterwise.measures.catalogue import CATALOGUE

SEGMENTS = np.repeat(["basic", "silver", "gold"], [900, 80, 20])
SIZES = st.lists(st.integers(1, 30), min_size=2, max_size=5)


def rows(found):
    return {row["measure"]: row for row in found.to_dict()["measures"]}


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
def test_every_need_is_met_by_a_measure_of_the_catalogue(need):
    assert need.measure in CATALOGUE
    for words in (need.name, *need.words, need.name.upper()):
        found = recommend(needs=words)
        assert found.measures[0] == need.measure
        assert need.why in found.summary()
        assert {"adjusted_rand_score", "adjusted_mutual_info_score"} & {*found.measures}
        assert len(found.measures) >= 2


def test_words_of_needs_have_one_meaning():
    words = [word for need in NEEDS for word in (need.name, *need.words)]
    assert len(words) == len({*words})


@pytest.mark.parametrize("needs", ["reference, distance", "truth; metric", ["truth", "metric"]])
def test_several_needs(needs):
    assert recommend(needs=needs).measures == (
        "wallace_score",
        "variation_of_information",
        "adjusted_rand_score",
    )


@pytest.mark.parametrize(
    ("sizes", "names"),
    [
        ([[100, 100], [90, 110]], ["balanced"]),
        ([[100, 100], [10, 190]], ["unbalanced"]),
        ([[20, 80], [20, 80]], ["balanced"]),
        ([[19, 171], [95, 95]], ["balanced"]),
        ([[60] * 2, [40] * 3], ["balanced", "different numbers of clusters"]),
        ([[60] * 3, [45] * 4], ["balanced"]),
        ([[9] * 8, [12] * 6], ["balanced", "many clusters"]),
        ([[10] * 8, [10] * 8], ["balanced"]),
    ],
)
def test_needs_that_sizes_have(sizes, names):
    assert [need.name for need in find_needs([np.array(one) for one in sizes])] == names


@settings(max_examples=5)
@given(SIZES, SIZES, st.integers(0, 1000))
def test_failings_are_those_of_random_clusterings(first, second, seed):
    n = max(sum(first), sum(second))
    a = np.repeat(np.arange(len(first) + 1), [*first, n - sum(first)])
    b = np.repeat(np.arange(len(second) + 1), [*second, n - sum(second)])
    random = np.random.default_rng(seed)
    found = rows(recommend(a, b, needs="objects", random_state=0))
    finer = np.concatenate(
        [cluster * 10 + np.arange(size) % 10 for cluster, size in enumerate(np.bincount(b))]
    )
    for name, row in found.items():
        measure = getattr(cw, name)
        for other, key in ((b, "by_chance"), (finer, "by_chance_if_finer")):
            drawn = [measure(a, random.permutation(other)) for _ in range(200)]
            error = 5 * (np.std(drawn) / 200**0.5 + np.std(drawn) / 500**0.5) + 1e-9
            assert row[key] == pytest.approx(np.mean(drawn), abs=error)


def test_the_smallest_cluster_joins_the_largest():
    lost = np.where(SEGMENTS == "gold", "basic", SEGMENTS)
    for name, row in rows(recommend(SEGMENTS, needs="reference, objects")).items():
        assert row["if_smallest_lost"] == pytest.approx(getattr(cw, name)(SEGMENTS, lost))


def test_two_clusters_have_none_to_lose():
    assert rows(recommend([0, 0, 1, 1]))["adjusted_rand_score"]["if_smallest_lost"] is None


def test_numbers_of_sentences_are_those_of_the_table():
    random = np.random.default_rng(0)
    a, b = random.integers(0, 5, 1000), random.integers(0, 40, 1000)
    for found in (recommend(SEGMENTS), recommend(a, b, needs="objects")):
        table, name = rows(found), ""
        checked = 0
        for sentence in found.sentences():
            start = re.match(r"(?:Avoid )?(\w+):", sentence)
            name = start[1] if start and start[1] in table else name
            if told := re.search(r"of these sizes score (\d\.\d+)", sentence):
                assert told[1] == f"{table[name]['by_chance']:.2f}"
                checked += 1
            if told := re.search(r"(\d\.\d+) if one has 10 times", sentence):
                assert told[1] == f"{table[name]['by_chance_if_finer']:.2f}"
                checked += 1
            if told := re.search(r"it is (\d\.\d+) if the smallest one \((\d+)", sentence):
                assert told[1] == f"{table[name]['if_smallest_lost']:.2f}"
                assert told[2] == "20"
                checked += 1
        assert checked >= 4


def test_measures_that_are_high_by_chance_are_advised_against():
    found = rows(recommend(SEGMENTS))
    assert {name for name, row in found.items() if not row["recommended"]} == {
        "rand_score",
        "purity_score",
    }
    # Those that are recommended are not advised against; low values are no reason.
    assert all(row["by_chance"] > 0.1 for row in found.values() if not row["recommended"])


def test_a_table_stands_for_both_clusterings():
    table = cw.Contingency.from_labels(SEGMENTS, SEGMENTS)
    assert recommend(table).to_dict() == recommend(SEGMENTS).to_dict()


def test_a_frame_has_a_row_per_measure():
    frame = recommend(SEGMENTS).to_frame("pandas")
    assert frame.measure.tolist()[:2] == ["adjusted_mutual_info_score", "cluster_accuracy_score"]
    assert frame.recommended.tolist() == [True, True, False, False]


def test_failings_are_not_shown_without_sizes():
    assert "by chance" not in str(recommend(needs="soft"))
    assert "by chance" in str(recommend(SEGMENTS))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "pass a clustering or needs, such as"),
        ({"b": [0, 1]}, "b is the second clustering; pass the first one as a"),
        ({"needs": "unbalancd"}, "unknown need 'unbalancd'; did you mean 'unbalanced'?"),
        ({"needs": "blue"}, "unknown need 'blue'; use some of 'unbalanced', 'balanced'"),
        ({"a": []}, "a has 0 clusters; measures need at least two"),
        ({"a": [0, 0]}, "a has 1 cluster; measures need at least two"),
        ({"a": [0, 1], "b": [0, 0]}, "b has 1 cluster; measures need at least two"),
        ({"a": [0, 1], "sample_weight": [0.5, 1]}, "sample_weight must be integers"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(InputError, match=re.escape(message)):
        recommend(**arguments)
