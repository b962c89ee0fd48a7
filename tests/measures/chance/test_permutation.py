"""Chance levels against all permutations of the labels."""

import numpy as np
import pytest
from hypothesis import given

import clusterwise as cw
from clusterwise.kernels.random_tables import list_tables
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance import permutation
from clusterwise.measures.chance.permutation import chance_levels, level_of_sample
from clusterwise.measures.chance.statistics import FORMULAS, IN_CLOSED_FORM, similarity
from helpers.strategies import label_pairs, max_examples, tables
from reference import chance as naive


def levels_of(a, b, *, seed=0, n_permutations=500, names=FORMULAS):
    table = cw.Contingency.from_labels(a, b)
    return chance_levels(table, names, n_permutations, np.random.default_rng(seed))


def planted(n, k, agreement, seed=0):
    random = np.random.default_rng(seed)
    a = random.integers(0, k, n)
    return a, np.where(random.random(n) < agreement, a, random.integers(0, k, n))


@max_examples(10)
@given(pair=label_pairs(min_size=2, max_size=6, clusters=3))
def test_small_tables_are_exact(pair):
    found = levels_of(*pair)
    for name in FORMULAS:
        measure = find_measure(name)
        expected = naive.by_permutation(
            *pair, lambda a, b, one=measure: float(similarity(one.name, one.function(a, b)))
        )
        level = found[name]
        assert similarity(name, level.expected) == pytest.approx(expected.mean, abs=1e-9), name
        assert level.deviation == pytest.approx(expected.deviation, abs=1e-7), name
        assert level.p_value == pytest.approx(expected.p_value, abs=1e-9), name
        assert level.p_error == 0


@pytest.fixture
def no_lists(monkeypatch):
    """Compute by moments and random tables what would be listed."""
    monkeypatch.setattr(permutation, "_FEW_CELLS", 0)


@pytest.mark.parametrize("agreement", [0.0, 0.2])
def test_moments_and_random_tables_agree_with_all_tables(agreement, no_lists, monkeypatch):
    a, b = planted(40, 3, agreement, seed=4)
    found = levels_of(a, b, n_permutations=4000)
    monkeypatch.undo()
    exact = levels_of(a, b)
    for name in FORMULAS:
        level, expected = found[name], exact[name]
        within = 0.0 if name in IN_CLOSED_FORM else 4 * expected.deviation / 4000**0.5
        # The expected Jaccard index is a Taylor series.
        within += 1e-4 * expected.deviation
        assert level.expected == pytest.approx(expected.expected, abs=within + 1e-12), name
        assert level.deviation == pytest.approx(expected.deviation, rel=0.1), name
        assert level.p_value == pytest.approx(expected.p_value, rel=0.25, abs=0.005), name


def test_expected_information_is_exact(no_lists):
    a, b = planted(300, 5, 0.1)
    table = cw.Contingency.from_labels(a, b)
    found = chance_levels(table, FORMULAS, 100, np.random.default_rng(0))
    expected, entropies = table.expected_information, table.entropies
    assert found["mutual_info_score"].expected == pytest.approx(expected, rel=1e-12)
    assert found["adjusted_mutual_info_score"].expected == 0
    assert found["variation_of_information"].expected == pytest.approx(
        entropies.a + entropies.b - 2 * expected, rel=1e-12
    )
    assert found["homogeneity_score"].expected == pytest.approx(expected / entropies.a, rel=1e-12)


def test_measures_of_pairs_need_no_random_tables():
    pair = planted(500, 6, 0.3)
    few, many = (levels_of(*pair, seed=seed) for seed in (0, 1))
    for name in FORMULAS:
        same = few[name] == many[name]
        assert same == (name in IN_CLOSED_FORM), name
        assert (few[name].p_error == 0) == (name in IN_CLOSED_FORM), name
    assert len({few[name].p_value for name in IN_CLOSED_FORM}) == 1


def test_the_error_is_that_of_other_random_tables():
    """The spread of p-values over seeds is about what each of them says."""
    pair = planted(200, 4, 0.12, seed=6)
    for name in ("normalized_mutual_info_score", "irm_score"):
        found = [levels_of(*pair, seed=seed, names=[name])[name] for seed in range(30)]
        spread = np.std([level.p_value for level in found])
        assert 0.4 < np.median([level.p_error for level in found]) / spread < 2.5, name


def test_a_sample_of_many_similar_values_is_counted():
    random = np.random.default_rng(0)
    sample = random.normal(size=1000)
    level = level_of_sample("rand_score", float(np.sort(sample)[-100]), sample)
    assert level.p_value == pytest.approx(101 / 1001)
    assert level.p_error == pytest.approx((101 / 1001 * 900 / 1001 / 1000) ** 0.5)
    far = level_of_sample("rand_score", 4.0, sample)
    assert far.p_value == pytest.approx(3.2e-5, rel=3)
    assert 0.1 < far.p_error / far.p_value < 3
    assert level_of_sample("mirkin_distance", -4.0, sample).p_value < 1e-3
    assert level_of_sample("mirkin_distance", 4.0, sample).p_value > 0.99


def test_samples_in_which_a_single_value_differs():
    """Without it the variance is 0, up to rounding."""
    sample = np.full(500, 0.1)
    sample[7] = 0.2
    level = level_of_sample("purity_score", 0.3, sample)
    assert 0 <= level.p_value < 0.01
    assert np.isfinite(level.p_error)


def test_steps_of_counts_are_halved_towards_the_mean():
    """The tail of a count begins half a step below it."""
    sample = np.random.default_rng(0).binomial(60, 0.5, 3000) / 60
    with_step = level_of_sample("purity_score", 43 / 60, sample, 1 / 60)
    without = level_of_sample("purity_score", 43 / 60, sample)
    from scipy.stats import binom

    exact = binom(60, 0.5).sf(42)
    assert abs(with_step.p_value - exact) < abs(without.p_value - exact)


@pytest.mark.parametrize(("a", "b"), [([0] * 9, [0, 1, 2] * 3), (range(9), [0, 1, 2] * 3)])
def test_clusterings_with_a_single_table_are_chance(a, b):
    for level in levels_of(list(a), b).values():
        assert level.deviation == pytest.approx(0, abs=1e-12)
        assert level.p_value == pytest.approx(1)


def test_many_trivial_clusters(no_lists):
    for level in levels_of(list(range(30)), [0, 1, 2] * 10).values():
        assert level.deviation == 0
        assert level.p_value == pytest.approx(1)


def test_large_tables_have_closed_forms_only():
    random = np.random.default_rng(0)
    found = levels_of(random.integers(0, 300, 4000), random.integers(0, 300, 4000))
    assert 0 < found["adjusted_rand_score"].p_value < 1
    assert found["mutual_info_score"].expected > 0
    assert np.isnan(found["mutual_info_score"].p_value)
    assert np.isnan(found["purity_score"].expected)


@max_examples(50)
@given(table=tables(largest=6, clusters=4))
def test_tables_are_listed_if_they_are_few(table):
    """The estimate of their number is right to the factor that is allowed for."""
    table = cw.Contingency.from_table(table)
    room = np.zeros((40_000, *table.shape), np.int64)
    sums = (np.asarray(one, np.int64) for one in (table.row_sums, table.column_sums))
    count = list_tables(*sums, room, np.zeros(len(room)))
    listed = permutation._list_all(table)
    if count <= permutation._MOST_TABLES:
        assert len(listed[0]) == count
    else:
        assert listed is None
