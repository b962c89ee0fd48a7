"""Sentences about alternatives: every number in them is in the result."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils.tables import format_number
from clusterwise.alternatives.about import About, SingleFeature, find_about
from clusterwise.alternatives.alternative_sentences import (
    AlternativeFacts,
    GivenFacts,
    describe_alternatives,
    say_about,
    say_similarity,
    say_why_first,
    tabulate_features,
)
from clusterwise.datasets import make_alternatives
from clusterwise.measures.separating_features import SeparatingFeature, SeparatingFeatures


def about(*single, **scores):
    features = [SeparatingFeature(*one, "numeric", 4) for one in scores.items()]
    return About(SeparatingFeatures(features), single)


def facts(name="x", sizes=(2, 2), dq=0.5, rand=(0.0,), degenerate=False, **more):
    return AlternativeFacts(name, sizes, degenerate, dq, rand, **more)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (1.0, "identical to"),
        (0.9999, "nearly the same as"),
        (0.896, "nearly the same as"),
        (0.894, "similar to"),
        (0.5, "similar to"),
        (0.494, "partly similar to"),
        (0.1, "partly similar to"),
        (0.094, "unrelated to"),
        (-0.5, "unrelated to"),
    ],
)
def test_the_words_for_a_similarity_are_those_of_the_printed_number(score, words):
    assert say_similarity(score) == words
    (_, said) = describe_alternatives([facts(rand=(score,))], [GivenFacts("g")])
    assert said == f"It is {words} g (adjusted Rand {score:.2f})."


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({"a": 0.0999, "b": 0.05}, "about no single feature"),
        ({"a": 0.1, "b": 0.05}, "partly about a"),
        ({"a": 0.3, "b": 0.15, "c": 0.1499}, "partly about a and b"),
        ({"a": 0.12, "b": 0.1, "c": 0.0999}, "partly about a and b"),
        ({"a": 0.499}, "partly about a"),
        ({"a": 0.5}, "about a"),
        ({"a": 1.0, "b": 0.9, "c": 0.8, "d": 0.7, "e": 0.6}, "about a, b, c and 2 more"),
        ({"a": 1.0, "b": 0.9, "c": 0.8}, "about a, b and c"),
    ],
)
def test_which_features_a_clustering_is_about(scores, words):
    found = about(**scores)
    assert say_about(found) == f"is {words}"
    said = describe_alternatives([facts(about=found)], [GivenFacts("the given clustering", found)])
    assert said == [
        "Found one alternative with 2 clusters (2, 2).",
        f"It is unrelated to the given clustering (adjusted Rand 0.00) and {words}.",
        f"The given clustering is {words}.",
    ]


def test_at_most_six_alternatives_are_described():
    said = describe_alternatives([facts(str(i)) for i in range(7)], [GivenFacts("g")])
    assert said[0] == "Found seven alternatives to g; the first is recommended."
    assert [one[0] for one in said if "has 2 clusters" in one] == list("012345")
    assert said[-1] == "The scores of all 7 are in the table."


def test_several_given_clusterings():
    said = describe_alternatives(
        [facts(rand=(0.0, 0.6), about=about(a=0.9))], [GivenFacts("g"), GivenFacts("h")]
    )
    assert said[1] == (
        "It is unrelated to g (adjusted Rand 0.00), similar to h (adjusted Rand 0.60) and about a."
    )


def test_no_alternative_and_degenerate_ones():
    assert describe_alternatives([], [GivenFacts("g")]) == ["No alternative to g was found."]
    bad = facts("x", (99, 1), degenerate=True)
    assert describe_alternatives([bad], [GivenFacts("g")]) == [
        "Found one alternative, but it is degenerate: nearly all objects are in one cluster "
        "(99, 1)."
    ]
    said = describe_alternatives([facts("y"), bad], [GivenFacts("g")])
    assert said[-1] == "x is degenerate: nearly all objects are in one cluster (99, 1)."


def test_one_large_cluster_and_missing_clusters():
    said = describe_alternatives([facts(sizes=(17, 3), requested=3)], [GivenFacts("g")])
    assert said[-2:] == [
        "One cluster contains 85.0% of the objects.",
        "It has fewer clusters than the 3 asked for.",
    ]
    even = describe_alternatives([facts(sizes=(16, 4), requested=2)], [GivenFacts("g")])
    assert len(even) == 2


def test_the_first_is_recommended_and_says_why_its_dq_is_lower():
    first, second = facts("x", dq=0.71, evidence=11.0), facts("y", dq=0.85, evidence=10.0)
    (start, *_) = describe_alternatives([first, second], [GivenFacts("g")])
    assert start == (
        "Found two alternatives to g; the first is recommended, although its DQ (0.7100) is below "
        "that of y (0.8500): there is more evidence for it."
    )
    bad = facts("z", (99, 1), dq=0.9, degenerate=True)
    assert say_why_first([first, bad]) == (
        "although its DQ (0.7100) is below that of z (0.9000): that one is degenerate"
    )
    assert say_why_first([first, bad, bad._replace(name="w", dq=0.91)]) == (
        "although its DQ (0.7100) is below that of w (0.9100): those with a larger DQ are "
        "degenerate"
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (facts(dq=0.85, evidence=0.0), facts(dq=0.81, evidence=1.0)),  # the first has the larger DQ
        (facts(dq=0.81, evidence=0.0), facts(dq=0.85, evidence=1.0)),  # a larger evidence
        (facts(dq=0.81), facts(dq=0.85)),  # no evidence
        (facts(dq=0.81), facts(dq=0.85, evidence=1.0)),
        (facts(dq=0.81, evidence=1.0), facts(dq=0.81000001, evidence=0.0)),  # they print the same
    ],
)
def test_no_reason_is_made_up(first, second):
    assert say_why_first([first, second]) == ""


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-9, 9), st.booleans()), min_size=2, max_size=6)
)
def test_the_reason_is_true(rows):
    found = [
        facts(str(i), dq=dq, evidence=evidence, degenerate=bad)
        for i, (dq, evidence, bad) in enumerate(rows)
    ]
    said = say_why_first(found)
    if not said:
        return
    own, name, largest = re.match(
        r"although its DQ \(([\d.]+)\) is below that of (\d) \(([\d.]+)\)", said
    ).groups()
    assert own == format_number(found[0].dq)
    assert largest == format_number(found[int(name)].dq)
    assert found[int(name)].dq == max(one.dq for one in found) > found[0].dq
    if "evidence" in said:
        assert found[0].evidence == max(one.evidence for one in found)
    else:
        assert not found[0].degenerate
        assert all(one.degenerate for one in found if float(format_number(one.dq)) > float(own))


# --- evidence, stability, the number of clusters and permutations


def say_one(**more):
    """What is said about one alternative, in one line."""
    return " ".join(describe_alternatives([facts(**more)], [GivenFacts("g")]))


def test_nothing_is_said_of_what_is_not_known():
    assert say_one() == (
        "Found one alternative with 2 clusters (2, 2). It is unrelated to g (adjusted Rand 0.00)."
    )


@pytest.mark.parametrize(
    ("evidence", "printed"), [(0.04, "0.0"), (0.94, "0.9"), (1.4, "1"), (123.4, "123")]
)
def test_evidence_in_words(evidence, printed):
    assert f"It is more than noise (log evidence {printed})." in say_one(evidence=evidence)
    words = "It may be noise: one cluster without further structure explains the data better (log "
    assert f"{words}evidence -{printed})." in say_one(evidence=-evidence)


@given(st.floats(-1e4, 1e4))
def test_the_evidence_is_printed(evidence):
    said = say_one(evidence=evidence)
    assert ("more than noise" in said) == (evidence > 0)
    assert ("may be noise" in said) == (evidence <= 0)
    (printed,) = re.findall(r"log evidence (-?[\d.]+)\)", said)
    close = 0.51 if abs(evidence) >= 1 else 0.051
    assert float(printed) == pytest.approx(evidence, abs=close)


@given(st.integers(0, 5), st.integers(1, 5), st.floats(-1, 1))
def test_stability_in_words(found, repeats, mean):
    found = min(found, repeats)
    said = say_one(found_again=(found, repeats), stability=mean)
    numbers = re.findall(r"found again in (\d) of (\d) searches", said)
    assert numbers == [(str(found), str(repeats))]
    assert ("It is unstable: found again" in said) == (found < 0.8 * repeats)
    assert ("It was found again" in said) == (found >= 0.8 * repeats)
    rand = re.findall(r"mean adjusted Rand (-?[\d.]+)\)", said)
    assert [float(one) for one in rand] == (
        [pytest.approx(mean, abs=0.0051)] if found < 0.8 * repeats else []
    )


def test_how_clear_the_number_of_clusters_is():
    assert "The number" not in say_one(icl=None)
    assert "The number" not in say_one(icl={2: 5.0})
    assert say_one(icl={2: 50.0, 3: 40.0, 4: 31.6}).endswith(
        "The number of clusters is clear: with 3 or 4 clusters, the ICL is lower by 10 or more."
    )
    assert say_one(icl={2: 50.0, 3: 46.0, 4: 1.0}).endswith(
        "The number of clusters is not clear: 3 would be about as good."
    )
    assert say_one(icl={2: 50.0, 3: 46.0, 4: 49.0}).endswith(
        "The number of clusters is not clear: 3 and 4 would each be about as good."
    )


@given(st.dictionaries(st.integers(2, 6), st.floats(-50, 50), min_size=2))
def test_the_number_of_clusters_is_clear_if_all_others_have_a_much_lower_icl(counts):
    here = min(counts)
    said = say_one(sizes=(2,) * here, icl=counts)
    others = {count: value for count, value in counts.items() if count != here}
    near = [count for count, value in others.items() if counts[here] - value < 5]
    assert ("number of clusters is clear" in said) == (not near)
    if near:
        (names,) = re.findall(r"not clear: ([\d, and]+?) would", said)
        assert [int(one) for one in re.findall(r"\d", names)] == near
    else:
        pattern = r"clear: with ([\d, or]+) clusters, the ICL is lower by (\d+)( or more)?\."
        ((names, least, more),) = re.findall(pattern, said)
        assert bool(more) == (len(others) > 1)
        assert [int(one) for one in re.findall(r"\d", names)] == list(others)
        assert float(least) == pytest.approx(counts[here] - max(others.values()), abs=0.51)


@given(st.integers(0, 20), st.integers(1, 20), st.floats(-9, 9))
def test_permutations_in_words(better, total, evidence):
    said = say_one(evidence=evidence, permutations=(min(better, total), total))
    numbers = re.findall(r"more evidence than in (\d+) of (\d+) permuted data sets", said)
    assert numbers == [(str(min(better, total)), str(total))]


@pytest.mark.parametrize(
    ("crossed", "said"),
    [
        ((2, 2), "two clusterings with two clusters each say the same"),
        ((3, 2), "two clusterings with two and three clusters say the same"),
    ],
)
def test_clusters_on_a_grid(crossed, said):
    assert f"The clusters lie on a grid: {said}." in say_one(crossed=crossed)
    assert "grid" not in say_one()


def test_no_convincing_alternative():
    best = facts(sizes=(5, 3), dq=0.25, evidence=-3.2)
    other = facts("y", dq=0.9, evidence=-7.0)
    shape = about(a=0.9)
    said = describe_alternatives([], [GivenFacts("the given clustering", shape)], [best, other])
    assert said == [
        "No convincing alternative to the given clustering.",
        "The best attempt has 2 clusters (5, 3) and a DQ of 0.2500.",
        "It may be noise: one cluster without further structure explains the data better (log "
        "evidence -3).",
        "The given clustering is about a.",
    ]
    unstable = facts(evidence=12.0, found_again=(1, 5), stability=0.4, permutations=(1, 2))
    said = describe_alternatives([], [GivenFacts("g"), GivenFacts("h")], [unstable])
    assert said == [
        "No convincing alternative to g and h.",
        "The best attempt has 2 clusters (2, 2) and a DQ of 0.5000.",
        "It is more than noise (log evidence 12).",
        "There is more evidence than in 1 of 2 permuted data sets.",
        "It is unstable: found again in 1 of 5 searches (mean adjusted Rand 0.40).",
    ]


def test_the_values_of_a_column():
    X = pd.DataFrame({"age": [5.0, 7, 6, 8, 9, 4], "sex": list("mfmfmf")})
    found = find_about(X, np.array([0, 1, 0, 1, 0, 1]))
    assert found.single == (SingleFeature("sex"),)
    said = describe_alternatives([facts(sizes=(3, 3), about=found)], [GivenFacts("g")])
    assert said[1:] == [
        "It is unrelated to g (adjusted Rand 0.00).",
        'It is the feature "sex" itself: its two clusters are the two values.',
        "If that is not news, leave the feature out.",
    ]


def test_one_cut_of_a_column():
    X = pd.DataFrame({"age": [5.0, 7.5, 6, 8, 4, 8], "size": [1.0, 2, 3, 2, 1, 3]})
    found = find_about(X, np.array([0, 1, 0, 1, 0, 1]))
    assert found.single == (SingleFeature("age", ((4.0, 6.0), (7.5, 8.0))),)
    said = describe_alternatives([facts(sizes=(3, 3), about=found)], [GivenFacts("g")])
    assert said[2] == 'It is the feature "age" cut into two intervals: 4 to 6 and 7.5 to 8.'


def test_several_columns_that_give_the_clusters():
    X = pd.DataFrame({"sex": list("mfmf"), "gender": list("abab"), "z": [0.0, 0, 1, 1]})
    found = find_about(X, np.array([1, 0, 1, 0]))
    said = describe_alternatives([facts(about=found)], [GivenFacts("g")])
    assert said[-1] == 'Each of the features "sex" and "gender" alone gives the same clusters.'


@pytest.mark.parametrize(
    "column",
    [
        [0.0, 0.0, 1.0, np.nan],  # a missing value
        [0.0, 1.0, 1.0, 2.0],  # two clusters share a value
        [0.0, 3.0, 1.0, 2.0],  # one cluster surrounds the other
        ["a", "b", "c", "c"],  # a cluster with two values of a category
        ["a", "a", None, "b"],
    ],
)
def test_columns_that_do_not_give_the_clusters(column):
    X = pd.DataFrame({"x": column})
    assert find_about(X, np.array([0, 0, 1, 1])).single == ()


def test_one_cluster_is_no_cut():
    assert find_about([[0.0], [1.0]], np.array([0, 0])).single == ()


@given(st.data())
def test_a_single_feature_gives_the_clusters_back(data):
    n, k = data.draw(st.integers(2, 12)), data.draw(st.integers(2, 3))
    codes = np.array(data.draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    X = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), float)[:, None]
    clusters = [X[codes == code, 0] for code in np.unique(codes)]
    apart = all(
        one.max() < other.min() or other.max() < one.min()
        for i, one in enumerate(clusters)
        for other in clusters[:i]
    )
    single = find_about(X, codes).single
    assert bool(single) == (apart and len(clusters) > 1)
    if single and single[0].ranges:
        ranges = sorted((one.min(), one.max()) for one in clusters)
        assert list(single[0].ranges) == ranges
    elif single:
        assert all(np.unique(one).size == 1 for one in clusters)


@given(st.integers(0, 40), st.sampled_from(["naive", "coala", "auto"]))
def test_the_summary_has_the_numbers_of_the_tables(seed, method):
    planted = make_alternatives(40, (2, 2), separation=5, random_state=seed)
    X = pd.DataFrame(planted.X, columns=["a", "b", "c", "d"])
    truth = pd.Series(planted.labels[:, 0], name="known")
    found = cw.cluster_again(X, truth, method, random_state=seed, progress=False)
    said = found.summary()
    # If nothing is convincing, the best attempt is described, and the table has all attempts.
    shown = found or found.attempts()
    kept = [one for one in shown if not one.degenerate]
    sizes = re.findall(r"(\d+) clusters? \(([\d, ]+)\)", said)
    described = kept if found else shown[:1]
    assert sizes == [(str(len(one.sizes)), ", ".join(map(str, one.sizes))) for one in described]
    expected = [cw.adjusted_rand_score(truth, one.labels) for one in shown]
    rand = [float(one) for one in re.findall(r"known \(adjusted Rand (-?[\d.]+)\)", said)]
    printed = [value for value, one in zip(expected, shown, strict=True) if not one.degenerate]
    assert rand == pytest.approx(printed if found else [], abs=0.0051)
    scores, features = found.text_tables()
    column = scores.header.index("adjusted Rand")
    cells = [float(row[column]) for row in scores.rows]
    assert cells == pytest.approx(expected, abs=5.1e-5)
    for i, one in enumerate(found):
        best = cw.separating_features(X, one.labels)
        assert one.about.separating == best
        assert features.rows[0][2 + 2 * i] == best[0].feature
        assert float(features.rows[0][3 + 2 * i]) == pytest.approx(best[0].score, abs=0.0051)
    assert found.sentences()[-2:] == [
        f"known {say_about(found.given_about[0])}.",
        "Features were scaled to unit variance.",
    ]
    assert said in repr(found)


def test_the_table_of_features_has_six_clusterings_at_most():
    many = [(str(i), about(a=0.5, b=0.25)) for i in range(8)]
    table = tabulate_features(many)
    assert table.header[::2] == [str(i) for i in range(6)]
    assert table.title.endswith("(the first 6 of 8 clusterings)")
    assert table.rows[1][:2] == ["b", "0.25"]


def test_names_of_given_clusterings():
    X, labels = np.arange(12.0)[:, None] % 4, np.arange(12) % 2
    frame = pd.DataFrame({"year": labels, "shop": np.arange(12) // 6})
    one = cw.cluster_again(X, frame["year"], "naive", random_state=0)
    assert one.given_names == ("year",)
    assert cw.cluster_again(X, frame, "naive", random_state=0).given_names == ("year", "shop")
    assert cw.cluster_again(X, labels, "naive", random_state=0).given_names == (
        "the given clustering",
    )
    both = cw.cluster_again(X, frame.to_numpy(), "naive", random_state=0)
    assert both.given_names == ("given 1", "given 2")
    made = cw.cluster_again(X, None, "coala", random_state=0)
    assert made.given_names == ("the clustering made first",)


def test_distances_are_about_no_feature():
    X = np.array([[0.0], [1], [5], [6]])
    found = cw.cluster_again(
        np.abs(X - X.T), [0, 1, 0, 1], "coala", metric="precomputed", guard=False
    )
    assert found[0].about is None
    assert len(found.text_tables()) == 1
    assert "about" not in found.summary()


def test_features_of_the_objects_that_were_searched():
    X = pd.DataFrame({"x": [0.0, 1, 0, 1, 0, 1, 9, 9], "y": [0.0, 0, 5, 5, 0, 5, 2, 2]})
    given_labels = [0, 1, 0, 1, 0, 1, -1, -1]
    found = cw.cluster_again(X, given_labels, "naive", noise="drop", random_state=0, n_clusters=2)
    assert found[0].about == find_about(X[:6], found[0].labels[:6])
    assert "2 of 8 objects were left out of the search." in found.sentences()
