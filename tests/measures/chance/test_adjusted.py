"""Measures adjusted for chance, against lists of all clusterings."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import chisquare

import clusterwise as cw
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance import random_sizes
from clusterwise.measures.chance.random_sizes import (
    draw_sizes_of_all,
    draw_sizes_with_fixed_number,
    sizes_of_all,
    sizes_with_fixed_number,
)
from clusterwise.measures.chance.statistics import FORMULAS
from helpers.strategies import label_pairs, max_examples, require_several_clusters
from reference import chance as naive

A, B = [0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 1]
CLOSED = ["rand_score", "mirkin_distance", "mutual_info_score", "variation_of_information"]
SAMPLED = ["pair_jaccard_score", "mallows_distance", "adjusted_mutual_info_score"]


def planted(n, k, agreement):
    random = np.random.default_rng(0)
    a = random.integers(0, k, n)
    return a, np.where(random.random(n) < agreement, a, random.integers(0, k, n))


@given(pair=label_pairs(min_size=2))
def test_permuted_rand_and_information_are_the_adjusted_scores(pair):
    require_several_clusters(pair)
    ari, ami = cw.adjusted_rand_score(*pair), cw.adjusted_mutual_info_score(*pair)
    for name in ("rand_score", "mirkin_distance", "adjusted_rand_score"):
        assert cw.adjusted(name, *pair) == pytest.approx(ari, abs=1e-9), name
    for name in ("mutual_info_score", "normalized_mutual_info_score", "variation_of_information",
                 "adjusted_mutual_info_score"):  # fmt: skip
        assert cw.adjusted(name, *pair) == pytest.approx(ami, abs=1e-9), name


@pytest.mark.parametrize("model", ["permutation", "fixed_number", "all", "multinomial"])
@pytest.mark.parametrize("name", FORMULAS)
def test_equal_clusterings_are_1(model, name):
    a = np.arange(40) % 4
    value = cw.adjusted(name, a, (a + 1) % 4, model=model, n_permutations=100)
    if name == "mutual_info_score" and model == "all":
        assert value < 1  # the largest information is that of singletons
    else:
        assert value == pytest.approx(1)


def clusterings(model, labels):
    everything = naive.partitions(len(labels))
    if model == "all":
        return everything
    return [one for one in everything if len(set(one)) == len(set(labels))]


@pytest.mark.parametrize("model", ["fixed_number", "all"])
@pytest.mark.parametrize("reference", [None, "a", "b"])
@pytest.mark.parametrize("name", [*CLOSED, *SAMPLED])
def test_expected_values_over_all_clusterings(model, reference, name):
    first = [A] if reference == "a" else clusterings(model, A)
    second = [B] if reference == "b" else clusterings(model, B)
    if len(first) * len(second) > 8000:  # every other one of the first, at random
        first = [first[i] for i in np.random.default_rng(0).permutation(len(first))[:20]]
    function = find_measure(name).function
    values = {}
    for a in first:
        for b in second:
            table = cw.Contingency.from_labels(a, b)
            key = table.to_array().tobytes(), table.shape
            values[key] = values.get(key) or function(table)
    cached = np.array([
        values[(table := cw.Contingency.from_labels(a, b)).to_array().tobytes(), table.shape]
        for a in first for b in second
    ])  # fmt: skip
    expected = cached.mean()
    table = cw.Contingency.from_labels(A, B)
    best = {"distance": 0.0, "similarity": 1.0}[find_measure(name).direction]
    if name == "mutual_info_score":
        best = np.log(6) if model == "all" else (np.log(3) + np.log(2)) / 2
    n_permutations = 400
    found = cw.adjusted(name, A, B, model=model, reference=reference, n_permutations=n_permutations)
    # Invert the adjustment: value = found * (best - E) + E.
    value = function(table)
    ours = (value - found * best) / (1 - found)
    tolerance = 1e-9 if name in CLOSED else 5 * cached.std() / n_permutations**0.5
    if len(first) == 20:
        tolerance += 5 * cached.std() / 20**0.5
    assert ours == pytest.approx(expected, abs=tolerance + 1e-9)


@max_examples(30)
@given(pair=label_pairs(min_size=5, max_size=9))
def test_multinomial_rand_is_mari(pair):
    require_several_clusters(pair)
    expected = naive.modified_adjusted_rand(*pair)
    assert cw.adjusted("rand_score", *pair, model="multinomial") == pytest.approx(expected)
    assert cw.adjusted("mirkin_distance", *pair, model="multinomial") == pytest.approx(expected)


def test_multinomial_models_of_many_objects_are_like_permutations():
    a, b = planted(2000, 4, 0.3)
    for name in ("rand_score", "mutual_info_score", "purity_score", "fowlkes_mallows_score"):
        values = [cw.adjusted(name, a, b, model=one) for one in ("multinomial", "permutation")]
        assert values[0] == pytest.approx(values[1], abs=0.003), name


@max_examples(10)
@given(pair=label_pairs(min_size=3, max_size=6, clusters=3))
def test_standardized_and_p_value_forms(pair):
    for name in ("rand_score", "mutual_info_score", "clustering_error"):
        function = find_measure(name).function
        sign = -1 if name == "clustering_error" else 1
        level = naive.by_permutation(*pair, lambda a, b, f=function, s=sign: s * f(a, b))
        value = sign * function(*pair)
        standard = (value - level.mean) / level.deviation if level.deviation > 1e-9 else 0.0
        found = cw.adjusted(name, *pair, adjustment="standardized")
        assert found == pytest.approx(standard, abs=1e-5)
        found = cw.adjusted(name, *pair, adjustment="p_value")
        assert found == pytest.approx(1 - level.p_value, abs=1e-9)


def test_standardized_information_tends_to_that_of_chi_square():
    """Romano et al.: 2nI has nearly (K - 1)(J - 1) degrees of freedom."""
    a, b = planted(20_000, 5, 0.02)
    information = 2 * 20_000 * cw.mutual_info_score(a, b)
    expected = (information - 16) / 32**0.5
    found = cw.adjusted("mutual_info_score", a, b, adjustment="standardized", n_permutations=4000)
    assert found == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_sizes_of_all_clusterings(n):
    counts = Counter(size for labels in naive.partitions(n) for size in Counter(labels).values())
    found = sizes_of_all(n)
    total = len(naive.partitions(n))
    assert found.sizes.tolist() == sorted(counts)
    expected = [counts[size] / total for size in found.sizes.tolist()]
    np.testing.assert_allclose(found.counts, expected, rtol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 1), (5, 5), (6, 2), (7, 3)])
def test_sizes_of_clusterings_with_as_many_clusters(n, k):
    some = [labels for labels in naive.partitions(n) if len(set(labels)) == k]
    counts = Counter(size for labels in some for size in Counter(labels).values())
    found = sizes_with_fixed_number(n, k)
    expected = [counts[size] / len(some) for size in found.sizes.tolist()]
    np.testing.assert_allclose(found.counts, expected, rtol=1e-12)
    assert set(found.sizes.tolist()) == set(counts)


def test_many_objects_in_few_clusters_have_independent_labels():
    independent, recurrence = sizes_with_fixed_number(150, 3), sizes_with_fixed_number(100, 3)
    assert independent.n_labels == 3
    assert recurrence.n_labels is None
    for n, found in ((150, independent), (100, recurrence)):
        assert found.sum(found.sizes) == pytest.approx(n, rel=1e-12)
        assert found.sum(np.ones(found.sizes.size)) == pytest.approx(3, rel=1e-12)
    # The closed form of information is continuous where the computation changes.
    values = []
    for n in (108, 109, 110, 111):
        a, b = np.arange(n) % 3, np.arange(n) * 7 // 5 % 3
        values.append(cw.adjusted("mutual_info_score", a, b, model="fixed_number", reference="a"))
    assert np.ptp(values) < 0.02


@pytest.mark.parametrize("k", [2, 4])
def test_drawn_sizes_have_their_frequencies(k, monkeypatch):
    random = np.random.default_rng(0)
    some = [labels for labels in naive.partitions(6) if len(set(labels)) == k]
    expected = Counter(tuple(sorted(Counter(labels).values())) for labels in some)
    drawn = Counter(
        tuple(sorted(draw_sizes_with_fixed_number(6, k, random).tolist())) for _ in range(2000)
    )
    assert set(drawn) == set(expected)
    shares = np.array([expected[one] for one in drawn]) / len(some) * 2000
    assert chisquare(list(drawn.values()), shares).pvalue > 1e-3


def test_drawn_sizes_of_all_clusterings_have_their_frequencies():
    random = np.random.default_rng(0)
    everything = naive.partitions(5)
    expected = Counter(tuple(sorted(Counter(labels).values())) for labels in everything)
    drawn = Counter(tuple(sorted(draw_sizes_of_all(5, random).tolist())) for _ in range(2000))
    assert set(drawn) == set(expected)
    shares = np.array([expected[one] for one in drawn]) / len(everything) * 2000
    assert chisquare(list(drawn.values()), shares).pvalue > 1e-3


def test_many_clusters_of_few_objects():
    random = np.random.default_rng(0)
    sizes = draw_sizes_with_fixed_number(120, 60, random)
    assert sizes.sum() == 120
    assert sizes.size == 60
    assert sizes.min() >= 1
    assert draw_sizes_with_fixed_number(7, 7, random).tolist() == [1] * 7


def test_other_sides_and_options():
    a, b = planted(200, 3, 0.4)
    one_sided = cw.adjusted("rand_score", a, b, model="all", reference="b")
    assert one_sided == cw.adjusted("rand_score", b, a, model="all", reference="a")
    weighted = cw.adjusted("rand_score", *np.nonzero(np.ones((2, 2))), sample_weight=[9, 1, 1, 9])
    labels = np.repeat([0, 0, 1, 1], [9, 1, 1, 9]), np.repeat([0, 1, 0, 1], [9, 1, 1, 9])
    assert weighted == cw.adjusted("rand_score", *labels)
    assert cw.adjusted("rand_score", [0], [0]) == 1
    assert cw.adjusted("rand_score", [0, 0], [1, 1]) == 1
    assert cw.adjusted("purity_score", [0, 0, 1], [0, 0, 0]) == 0


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("model", ["permutation", "fixed_number", "all", "multinomial"])
def test_few_objects(n, model):
    trivial = [np.arange(n), np.zeros(n, int), np.arange(n) // 2]
    for a in trivial:
        for b in trivial:
            for name in FORMULAS:
                value = cw.adjusted(name, a, b, model=model, n_permutations=100)
                assert np.isfinite(value), (a, b, name)


def test_refusals(monkeypatch):
    with pytest.raises(cw.InputError, match="takes measures of labels only"):
        cw.adjusted("adco_score", A, B)
    with pytest.raises(cw.InputError, match="needs model='permutation'"):
        cw.adjusted("rand_score", A, B, model="all", adjustment="p_value")
    with pytest.raises(cw.InputError, match="has no one-sided form"):
        cw.adjusted("rand_score", A, B, model="multinomial", reference="a")
    with pytest.raises(cw.InputError, match="unknown measure"):
        cw.adjusted("rand", A, B)
    with pytest.raises(cw.InputError, match="must be integers"):
        cw.adjusted("rand_score", A, B, sample_weight=[0.5] * 6)
    many = np.arange(600) % 300
    for options in ({}, {"adjustment": "standardized"}, {"model": "multinomial"},
                    {"model": "fixed_number"}):  # fmt: skip
        with pytest.raises(cw.InputError, match="300 x 300 clusters"):
            cw.adjusted("purity_score", many, many[::-1], **options)
    monkeypatch.setattr(random_sizes, "_MOST_STEPS", 10)
    with pytest.raises(cw.InputError, match="cannot count the clusterings of 6 objects into 3"):
        cw.adjusted("rand_score", A, B, model="fixed_number")
