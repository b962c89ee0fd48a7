"""Jackknife intervals against leaving out each object."""

import numpy as np
import pytest
from hypothesis import assume, given

import clusterwise as cw
from clusterwise.measures import intervals
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.statistics import FORMULAS, statistics_of, wanted_statistics
from clusterwise.measures.intervals import jackknife_intervals
from helpers.strategies import label_pairs, max_examples
from reference import chance as naive

SYMMETRIC = [name for name in FORMULAS if find_measure(name).symmetric]


def intervals_of(a, b, names=FORMULAS, deviation=0.0):
    table = cw.Contingency.from_labels(a, b)
    names = list(names)
    return jackknife_intervals(table, names, [deviation] * len(names), np.random.default_rng(0))


def planted(n, k, j, agreement, seed=0):
    random = np.random.default_rng(seed)
    a = random.integers(0, k, n)
    return a, np.where(random.random(n) < agreement, a % j, random.integers(0, j, n))


@max_examples(30)
@given(pair=label_pairs(min_size=4, max_size=25))
def test_values_without_an_object_are_those_of_the_measure(pair):
    assume(len(set(pair.a)) > 1 and len(set(pair.b)) > 1)
    table = cw.Contingency.from_labels(*pair)
    wanted = wanted_statistics(FORMULAS)
    whole = statistics_of(table, wanted)
    found = intervals._without_one(table, whole, wanted)
    rows, columns, counts = table.nonzero
    np.testing.assert_array_equal(found.times, counts)
    names_a, names_b = table.row_names, table.column_names
    position = {
        (names_a[i], names_b[j]): p for p, (i, j) in enumerate(zip(rows, columns, strict=True))
    }
    for name, formula in FORMULAS.items():
        values = np.broadcast_to(formula.value(found.statistics), rows.shape)
        expected = naive.without_each(*pair, find_measure(name).function)
        ours = [values[position[one]] for one in zip(*pair, strict=True)]
        np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9, err_msg=name)


def test_width_is_that_of_the_jackknife():
    a, b = planted(400, 4, 4, 0.5)
    variance = naive.jackknife_variance(
        naive.without_each(a.tolist(), b.tolist(), cw.adjusted_rand_score)
    )
    low, high = intervals_of(a, b)["adjusted_rand_score"]
    distance = 1 - cw.adjusted_rand_score(a, b)
    # Symmetric on the scale of log(1 - ARI); the quantile has many degrees of freedom.
    assert (1 - low) / distance == pytest.approx(distance / (1 - high))
    half = np.log((1 - low) / distance) * distance
    assert 1.96 < half / variance**0.5 < 2.0


def test_variance_by_chance_is_the_least():
    a, b = planted(400, 4, 4, 0.5)
    narrow, wide = (intervals_of(a, b, deviation=one)["rand_score"] for one in (0.0, 0.1))
    assert wide.low < narrow.low < narrow.high < wide.high
    unknown = intervals_of(a, b, deviation=float("nan"))["rand_score"]
    assert unknown == narrow


@max_examples(30)
@given(pair=label_pairs(min_size=4, max_size=25))
def test_laws(pair):
    found = intervals_of(*pair)
    swapped = intervals_of(pair.b, pair.a)
    renamed = intervals_of([-label for label in pair.a], pair.b)
    n = len(pair.a)
    for name, (low, high) in found.items():
        measure = find_measure(name)
        assert np.isnan(low) == np.isnan(high)
        assert renamed[name] == pytest.approx((low, high), rel=1e-6, abs=1e-9, nan_ok=True), name
        if measure.symmetric:
            assert swapped[name] == pytest.approx((low, high), rel=1e-6, abs=1e-9, nan_ok=True)
        if np.isfinite(low):
            assert measure.low <= low <= high
            assert high <= measure.upper_end(n) * (1 + 1e-12)
            value = measure.function(*pair)
            if measure.family != "information":
                assert low - 1e-9 * n <= value <= high + 1e-9 * n


@pytest.mark.parametrize(
    ("a", "b"),
    [([0] * 9, [0, 1, 2] * 3), (list(range(9)), [0, 1, 2] * 3), ([0, 1], [1, 0])],
    ids=["single cluster", "singletons", "two objects"],
)
def test_trivial_clusterings_have_none(a, b):
    assert all(np.isnan(found.low) for found in intervals_of(a, b).values())


def test_a_value_that_no_object_changes_has_none():
    a, b = [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 1]
    found = intervals_of(a, b)
    assert np.isnan(found["wallace_score"].low)
    assert np.isnan(found["completeness_score"].low)
    assert np.isfinite(found["rand_score"].low)


def test_equal_clusterings_end_at_those_that_differ_a_little():
    a = np.arange(300) % 3
    found = intervals_of(a, (a + 1) % 3)
    for name, (low, high) in found.items():
        value = find_measure(name).function(a, a)
        best, other = (low, high) if find_measure(name).direction == "distance" else (high, low)
        assert best == pytest.approx(value, abs=1e-6), name
        assert other != best
    # 1 - (1 - q)^300 = 0.975 for a proportion q of other objects.
    assert found["clustering_error"].high == pytest.approx(1 - 0.025 ** (1 / 300), rel=1e-3)
    assert found["van_dongen_distance"].high == pytest.approx(
        2 * 300 * (1 - 0.025 ** (1 / 300)), rel=1e-3
    )


def test_blocks_take_the_place_of_objects_in_larger_tables(monkeypatch):
    a, b = planted(3000, 6, 5, 0.5)
    names = ["irm_score", "mallows_distance", "rand_score"]
    by_object = intervals_of(a, b, names)
    monkeypatch.setattr(intervals, "_FEW_CELLS", 4)
    by_block = intervals_of(a, b, names)
    assert by_block["rand_score"] == by_object["rand_score"]
    for name in names[:2]:
        widths = [found[name].high - found[name].low for found in (by_object, by_block)]
        assert by_block[name] != by_object[name]
        assert widths[1] == pytest.approx(widths[0], rel=0.3)


def test_large_tables_have_intervals_of_pairs_and_information():
    random = np.random.default_rng(0)
    a = random.integers(0, 300, 20_000)
    b = np.where(random.random(20_000) < 0.5, a, random.integers(0, 300, 20_000))
    found = intervals_of(a, b)
    assert found["adjusted_rand_score"].low < 0.25 < found["adjusted_rand_score"].high
    assert np.isfinite(found["mutual_info_score"].low)
    assert np.isnan(found["purity_score"].low)


@pytest.mark.parametrize(("k", "agreement"), [(2, 0.0), (3, 0.3), (5, 0.95)])
def test_coverage_of_the_adjusted_rand_index(k, agreement):
    """Of 95 % intervals, 300 cover at least 90 % but with probability 1e-4."""
    random = np.random.default_rng(0)
    sizes = 0.75 ** np.arange(k)
    sizes /= sizes.sum()
    joint = agreement * np.diag(sizes) + (1 - agreement) * np.outer(sizes, sizes)
    truth = cw.adjusted_rand_score(cw.Contingency.from_table(np.rint(joint * 1e9).astype(int)))
    covered = 0
    for _ in range(300):
        counts = random.multinomial(500, joint.ravel()).reshape(k, k)
        table = cw.Contingency.from_table(counts)
        result = cw.compare(table, measures=["adjusted_rand_score"], significance=True)
        found = result.significance["adjusted_rand_score"]
        covered += found.low <= truth <= found.high
    assert covered >= 270


def test_a_billion_objects():
    """The interval shrinks with the root of the number of objects, and does not drift."""
    counts = np.array([[30, 5, 5], [5, 30, 5], [2, 3, 15]])
    few = cw.Contingency.from_table(counts * 10**3)
    many = cw.Contingency.from_table(counts * 10**7)
    for name in ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score"):
        found = [
            jackknife_intervals(table, [name], [0.0], np.random.default_rng(0))[name]
            for table in (few, many)
        ]
        widths = [one.high - one.low for one in found]
        assert widths[0] / widths[1] == pytest.approx(100, rel=0.01)
        value = find_measure(name).function(many)
        assert found[1].low < value < found[1].high
