"""Measures of memberships: means over draws, the product table, and the hard values within."""

from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import clusterwise as cw
from clusterwise.measures.catalogue import CATALOGUE
from helpers.soft_strategies import filled, several, shares
from helpers.strategies import each, label_pairs, max_examples, on_each
from reference import measures as naive, transport as naive_transport

SOFT = [m.function for m in CATALOGUE.values() if m.soft and not m.needs_data]
HARD = [m.function for m in CATALOGUE.values() if not m.soft and not m.needs_data]
PLACED = [m.function for m in CATALOGUE.values() if m.soft and m.needs_data]


@max_examples(30)
@given(data=st.data())
def test_pairs_are_means_over_all_draws(data):
    n = data.draw(st.integers(2, 4))
    a, b = data.draw(shares(n, clusters=2)), data.draw(shares(n, clusters=2))
    both, only_a, only_b, neither = naive_transport.expected_pairs(a, b)
    matrix = cw.pair_confusion_matrix(a, b)
    wanted = [[2 * neither, 2 * only_b], [2 * only_a, 2 * both]]
    np.testing.assert_allclose(matrix.astype(float), np.array(wanted, float), atol=1e-12)
    mean_rand = sum(
        float(in_a * in_b) * naive.rand(first, second)
        for first, in_a in naive_transport.draws(a)
        for second, in_b in naive_transport.draws(b)
    )
    assert cw.rand_score(a, b) == pytest.approx(mean_rand, abs=1e-12)


@given(cases=several(2))
def test_pair_measures_are_the_formulas_of_expected_counts(cases):
    a, b = (case.given for case in cases)
    (neither, only_b), (only_a, both) = cw.pair_confusion_matrix(a, b).tolist()
    total = neither + only_a + only_b + both
    disagree = only_a + only_b
    assert total == pytest.approx(len(cases[0].matrix) * (len(cases[0].matrix) - 1), abs=1e-9)
    near = {"abs": 1e-9}
    assert cw.mirkin_distance(a, b) == pytest.approx(disagree, **near)
    assert cw.rand_score(a, b) == pytest.approx(1 - disagree / total if total else 1, **near)
    if disagree > 1e-9 and both > 1e-9:
        assert cw.pair_jaccard_score(a, b) == pytest.approx(both / (both + disagree), **near)
        assert cw.wallace_score(a, b) == pytest.approx(both / (both + only_a), **near)
        mean = sqrt((both + only_a) * (both + only_b))
        assert cw.fowlkes_mallows_score(a, b) == pytest.approx(both / mean, **near)
        expected = (both + only_a) * (both + only_b) / total
        most = (2 * both + disagree) / 2
        if most - expected > 1e-6:
            ari = (both - expected) / (most - expected)
            assert cw.adjusted_rand_score(a, b) == pytest.approx(ari, abs=1e-7)


def entropy(masses):
    return -sum(mass * log(mass) for mass in masses if mass > 0)


@given(cases=several(2))
def test_information_of_the_product_table(cases):
    a, b = (case.given for case in cases)
    n = len(cases[0].matrix)
    table = naive_transport.products(cases[0].matrix, cases[1].matrix, [1 / n] * n)
    of_a, of_b = entropy(map(sum, table)), entropy(map(sum, zip(*table, strict=True)))
    joint = entropy(cell for row in table for cell in row)
    shared = of_a + of_b - joint
    near = {"abs": 1e-9}
    assert cw.mutual_info_score(a, b) == pytest.approx(shared, **near)
    assert cw.variation_of_information(a, b) == pytest.approx(joint - shared, **near)
    scaled = cw.variation_of_information(a, b, normalized="joint")
    assert scaled == pytest.approx((joint - shared) / joint if joint > 0 else 0, **near)
    if of_a > 1e-9 and of_b > 1e-9:
        assert cw.homogeneity_score(a, b) == pytest.approx(shared / of_a, **near)
        assert cw.completeness_score(a, b) == pytest.approx(shared / of_b, **near)
        for name, mean in naive.MEANS.items():
            found = cw.normalized_mutual_info_score(a, b, average_method=name)
            assert found == pytest.approx(shared / mean(of_a, of_b), **near)
        assert cw.v_measure_score(a, b) == pytest.approx(2 * shared / (of_a + of_b), **near)


def test_softness_counts_as_disagreement():
    """Two draws of the same memberships differ; what looks at memberships sees them equal."""
    soft = [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.0, 1.0]]
    # Joint shares 3/8, 1/8, 1/8, 3/8; each side is even.
    joint = entropy([3 / 8, 1 / 8, 1 / 8, 3 / 8])
    assert cw.variation_of_information(soft, soft) == pytest.approx(2 * (joint - log(2)), abs=1e-12)
    assert cw.variation_of_information(soft, soft) > 1
    assert cw.normalized_mutual_info_score(soft, soft) < 0.2
    assert cw.rand_score(soft, soft) == pytest.approx(7 / 12, abs=1e-12)
    assert cw.adjusted_rand_score(soft, soft) < 0.5
    assert cw.irm_score(soft, soft) == 1
    assert cw.mallows_distance(soft, soft) == 0


@given(pair=label_pairs())
@on_each(measure=SOFT)
def test_one_hot_matrices_have_the_hard_values(measure, pair):
    hard = measure(*pair)
    a, b = (np.eye(6)[side] for side in pair)
    assert measure(a, b) == hard
    assert measure(pair.a, b.astype(bool)) == hard
    assert measure(sparse.csr_array(a), pair.b) == hard


@each(PLACED)
def test_one_hot_matrices_have_the_hard_values_beside_data(measure):
    a, b, X = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], np.arange(10.0).reshape(5, 2) ** 2
    assert measure(np.eye(4)[a], b, X) == measure(a, b, X) == measure(a, np.eye(3)[b], X)


@given(cases=several(2))
@on_each(measure=SOFT)
def test_every_form_and_names(measure, cases):
    a, b = (np.array(case.matrix) for case in cases)
    value = measure(a, b)
    found = {
        "as drawn": measure(*(case.given for case in cases)),
        "sparse": measure(sparse.csr_array(a), sparse.csc_array(b)),
        "sparse and dense": measure(sparse.csr_array(a), b),
        "frames": measure(pd.DataFrame(a).add_prefix("p"), pd.DataFrame(b)),
        "other order": measure(a[::-1, ::-1], b[::-1]),
        "with empty clusters": measure(np.insert(a, 0, 0.0, axis=1), b),
    }
    assert found == pytest.approx(dict.fromkeys(found, value), abs=1e-9)
    if CATALOGUE[measure.__name__].symmetric:
        assert measure(b, a) == pytest.approx(value, abs=1e-9)


@given(cases=several(2), numbers=st.lists(st.integers(0, 3), min_size=7, max_size=7))
@on_each(measure=SOFT)
def test_weights_repeat_objects(measure, cases, numbers):
    a, b = (np.array(case.matrix) for case in cases)
    weights = numbers[: len(a)]
    if not any(weights):
        weights[0] = 1
    repeated = [np.array(filled(np.repeat(side, weights, axis=0))) for side in (a, b)]
    found = measure(*(case.given for case in cases), sample_weight=weights)
    assert found == pytest.approx(measure(*repeated), abs=1e-9)


@given(cases=several(2))
@on_each(measure=SOFT)
def test_ready_overlaps(measure, cases):
    a, b = (case.given for case in cases)
    assert measure(cw.SoftOverlap.from_memberships(a, b)) == pytest.approx(measure(a, b), abs=1e-12)
    with pytest.raises(cw.InputError, match=r"leave (the second clustering|b) out"):
        measure(cw.SoftOverlap.from_memberships(a, b), b)


@given(cases=several(2))
@on_each(measure=SOFT)
def test_range(measure, cases):
    entry = CATALOGUE[measure.__name__]
    value = measure(*(case.given for case in cases))
    n = len(cases[0].matrix)
    highest = entry.upper_end(n)
    if measure is cw.variation_of_information:  # softness makes it more than log n
        highest = 2 * log(4)
    assert entry.low - 1e-9 <= value <= highest + 1e-9


@each(HARD)
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, pd.DataFrame])
def test_measures_of_labels_refuse_memberships(measure, form):
    soft = form(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]))
    for pair, where in (((soft, [0, 1, 1]), "a"), (([0, 1, 1], soft), "b")):
        message = rf"^{where} is a soft membership matrix \(object 1 .*{where}\.argmax\(axis=1\)"
        with pytest.raises(cw.InputError, match=message):
            measure(*pair)
    with pytest.raises(cw.InputError, match="takes one label per object, not a SoftOverlap"):
        measure(cw.SoftOverlap.from_memberships(soft, soft))
