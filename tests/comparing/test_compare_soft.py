"""Comparisons of soft clusterings: what applies, who went where, and which objects matter."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import clusterwise as cw
from clusterwise.measures.catalogue import CATALOGUE
from reference import transport as naive


def data(seed=0, n=40):
    rng = np.random.default_rng(seed)
    P, Q = rng.dirichlet([0.4] * 3, n), rng.dirichlet([0.4] * 4, n)
    labels = rng.integers(0, 3, n)
    return P, Q, labels, rng.normal(size=(n, 2)), rng.integers(0, 4, n)


def test_all_measures_that_know_soft_clusterings_are_there():
    P, Q, _, X, _ = data()
    plain = cw.compare(P, Q)
    assert set(plain.values) == {
        name for name, one in CATALOGUE.items() if one.soft and not one.needs_data
    }
    assert set(cw.compare(P, Q, X).values) == {name for name, one in CATALOGUE.items() if one.soft}
    for name, value in plain.values.items():
        assert value == CATALOGUE[name].function(P, Q)


def test_values_of_the_data_are_those_of_the_measures():
    P, Q, labels, X, weights = data(3)
    for a, b in ((P, Q), (labels, Q), (P, labels), (labels, labels[::-1])):
        found = cw.compare(a, b, X, sample_weight=weights)
        expected = cw.css_distance(a, b, X, sample_weight=weights)
        assert found.values["css_distance"] == pytest.approx(expected)
        assert found.values["adco_score"] == pytest.approx(
            cw.adco_score(a, b, X, sample_weight=weights)
        )


def test_measures_of_labels_alone_are_refused():
    P, Q, labels, _, _ = data()
    with pytest.raises(cw.InputError, match="purity_score takes one label per object"):
        cw.compare(P, Q, measures=["purity_score"])
    with pytest.raises(cw.InputError, match="argmax"):
        cw.compare(labels, Q, measures=["adjusted_mutual_info_score"])


def test_one_hot_matrices_are_compared_as_labels():
    _, _, labels, X, _ = data()
    other = labels[::-1]
    matrix = sparse.csr_array(np.eye(3)[labels])
    assert cw.compare(matrix, other, X).values == cw.compare(labels, other, X).values


def test_a_ready_overlap_stands_for_both():
    P, Q, labels, X, _ = data()
    ready = cw.compare(cw.SoftOverlap.from_memberships(P, Q, X))
    whole = cw.compare(P, Q, X)
    assert ready.values.items() <= whole.values.items()
    assert "css_distance" in ready.values
    hard = cw.compare(cw.SoftOverlap.from_memberships(labels, labels[::-1]))
    assert hard.values == cw.compare(labels, labels[::-1]).values
    with pytest.raises(cw.InputError, match="pass X to compare"):
        ready.contributors()


def test_what_is_said_of_soft_clusterings():
    P, Q, _, _, _ = data()
    found = cw.compare(P, Q, names=("one", "two"))
    share = found.table.matching.overlap / 40
    assert f"one and two share {share:.0%} of their memberships" in found.summary()
    assert "count softness as disagreement" in found.summary()
    assert found.moves == []
    assert len(found.matches) == 3
    own = cw.compare(P, P)
    assert "share 100% of their memberships" in own.summary()
    assert [(match.a, match.b) for match in sorted(own.matches)] == [(0, 0), (1, 1), (2, 2)]
    json.dumps(found.to_dict())
    assert "<table>" in found._repr_html_()


def test_sentences_say_where_clusters_went():
    a = ["gold"] * 5 + ["basic"] * 7
    b = list("AAABB") + list("BBBBCCC")
    found = cw.compare(a, b)
    assert "Cluster basic (7 objects) split into B (4) and C (3)." in found.summary()
    assert found.transport.sentences() == [
        "57.1% of cluster 'basic' went to 'B', 42.9% to 'C'.",
        "60.0% of cluster 'gold' went to 'A', 40.0% to 'B'.",
    ]
    amounts = found.transport.plan.sum(axis=1)
    np.testing.assert_allclose(amounts, [7 / 12, 5 / 12])
    assert {one["a"] for one in found.to_dict()["transport"]} == {"gold", "basic"}


@pytest.mark.parametrize("kind", ["hard", "soft", "mixed", "turned", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_contributions_add_up_to_the_distance(kind, weighted):
    P, Q, labels, X, weights = data(5)
    a, b = {
        "hard": (labels, labels[::-1]),
        "soft": (P, Q),
        "mixed": (labels, Q),
        "turned": (P, labels),
        "sparse": (sparse.csr_array(P), Q),
    }[kind]
    options = {"sample_weight": weights} if weighted else {}
    found = cw.compare(a, b, X, **options)
    every = found.contributors(1000)
    assert sum(one.value for one in every) == pytest.approx(found.values["css_distance"])
    assert sum(one.share for one in every) == pytest.approx(1.0)
    values = [one.value for one in every]
    assert values == sorted(values, reverse=True)
    assert found.contributors(3) == every[:3]


@given(seed=st.integers(0, 1000))
def test_what_an_object_adds_is_equation_3(seed):
    P, Q, _, X, _ = data(seed, 12)
    found = cw.compare(P, Q, X)
    plan = cw.transport_plan(P, Q, X, measure="css_distance")
    ones = [1] * 12
    at_a, at_b = naive.centroids(P, X, ones), naive.centroids(Q, X, ones)
    apart = [[naive.euclid(p, q) for q in at_b] for p in at_a]
    for one in found.contributors(12):
        i = one.object
        expected = sum(
            P[i, k] * Q[i, j] * apart[k][j] * (1 - 2 * plan.plan[k, j] / (1 / 3 + 1 / 4))
            for k in range(3)
            for j in range(4)
        )
        assert one.value == pytest.approx(expected, abs=1e-9)
        assert (one.a, one.b) == (P[i].argmax(), Q[i].argmax())


def test_objects_are_called_by_their_index_or_place():
    P, Q, labels, X, _ = data(2)
    names = [f"object {i}" for i in range(40)]
    frame = pd.DataFrame(P, index=names)
    found = cw.compare(frame, pd.DataFrame(Q, index=names), X)
    assert found.contributors(1)[0].object == names[cw.compare(P, Q, X).contributors(1)[0].object]
    noisy = labels.copy()
    noisy[:10] = -1
    left = cw.compare(noisy, labels[::-1], X, noise="drop").contributors(40)
    assert left
    assert all(one.object >= 10 for one in left)


def test_the_copies_of_weighted_noise_are_one_contributor():
    X, a, b = [[0.0], [1.0], [-5.0], [9.0]], [0, 0, -1, 1], [0, 1, 1, 1]
    weights = [1, 1, 3, 1]
    found = cw.compare(a, b, X, sample_weight=weights, noise="singletons").contributors()
    repeated = [np.repeat(one, weights, axis=0) for one in (a, b, X)]
    single = cw.compare(*repeated, noise="singletons").contributors()
    rows = np.repeat(np.arange(4), weights)
    expected = dict.fromkeys((one.object for one in found), 0.0)
    for one in single:
        expected[int(rows[one.object])] += one.value
    assert {one.object: one.value for one in found} == pytest.approx(expected)
    assert 2 in expected


def test_features_without_centres_leave_css_out():
    _, _, labels, X, _ = data()
    frame = pd.DataFrame({"x": X[:, 0], "town": ["Rome", "Oslo"] * 20})
    assert "css_distance" not in cw.compare(labels, labels[::-1], frame).values
    holes = X.copy()
    holes[3, 1] = np.nan
    assert "css_distance" not in cw.compare(labels, labels[::-1], holes).values
    with pytest.raises(cw.InputError, match="is categorical"):
        cw.compare(labels, labels[::-1], frame, measures=["css_distance"])


def test_index_alignment_takes_the_rows_of_the_data_along():
    _, _, labels, X, _ = data(8)
    order = np.random.default_rng(1).permutation(40)
    a, b = pd.Series(labels), pd.Series(labels[::-1][order], index=order)
    aligned = cw.compare(a, b, X, align="index")
    plain = cw.compare(labels, labels[::-1], X)
    assert aligned.values == pytest.approx(plain.values)


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (["rand_score"], True),
        (["variation_of_information"], True),
        (["mallows_distance"], False),
    ],
)
def test_measures_that_count_softness_as_disagreement_are_named(measures, said):
    P, Q, *_ = data()
    summary = cw.compare(P, Q, measures=measures).summary()
    assert ("count softness as disagreement" in summary) == said
