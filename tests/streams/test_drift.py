"""The rule for drift: its statistic, how often it is wrong, and what it finds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, chi2, chi2_contingency, hypergeom

import clusterwise as cw
from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.drift import Change, change_between
from clusterwise.streams.drift_cells import SIZES
from clusterwise.streams.stream import ClusteringStream
from clusterwise.summaries.profile.profile import DensityProfile


def profiles(X, labels, split, **binning):
    fitted = Binning(**binning).fit(X)
    parts = (slice(0, split), slice(split, None))
    return [DensityProfile.from_data(X[rows], labels[rows], binning=fitted) for rows in parts]


def independent(random, n):
    labels = random.integers(0, 3, n)
    return random.normal(labels[:, None], 1.0, (n, 4)), labels


def correlated(random, n):
    labels = random.integers(0, 2, n)
    return np.repeat(random.normal(labels, 1.0)[:, None], 5, axis=1), labels


def rare_clusters(random, n):
    labels = np.minimum(random.geometric(0.4, n), 12)
    return random.standard_cauchy((n, 2)) + labels[:, None], labels


def names_only(random, n):
    labels = random.integers(0, 4, n)
    return (random.integers(0, 6, (n, 3)) + labels[:, None]).astype(str), labels


STATIONARY = [independent, correlated, rare_clusters, names_only]


def column(kind, random, n):
    if kind == "normal":
        return random.normal(size=(n, 1))
    n_values = 1 << 60 if kind == "ids" else kind
    return random.integers(n_values, size=(n, 1)).astype(str).astype(object)


@pytest.mark.parametrize("kind", ["normal", 2, 20, 1000, "ids"])
def test_bins_fitted_on_the_first_window_cause_no_false_alarms(kind):
    random = np.random.default_rng(5)
    alarms = []
    for _ in range(60):
        X, labels = column(kind, random, 400), random.integers(2, size=400)
        _, second = ClusteringStream(200, alpha=0.05).run([(X, labels)])
        alarms.append(second.drift)
        assert second.change.tested
    assert sum(alarms) <= binom.ppf(0.999, len(alarms), 0.05)


@pytest.mark.parametrize("kind", [2, 20, 1000, "ids"])
@pytest.mark.parametrize("value", ["new", "0"])
def test_a_category_that_takes_rows_is_found(kind, value):
    random = np.random.default_rng(6)
    X = column(kind, random, 2000)
    X[1000:][random.random(1000) < 0.1] = value
    if value == "0" and kind == 2:
        X[1000:][random.random(1000) < 0.1] = value
    _, second = ClusteringStream(1000).run([(X, np.zeros(2000, int))])
    assert second.drift
    assert second.change.feature == "x0"


@pytest.mark.parametrize("moved", [[1], [0, 2], [0, 1, 2]])
@pytest.mark.parametrize("kind", ["numeric", 3, 1000])
def test_the_clusters_are_named_in_which_the_feature_changed(kind, moved):
    random = np.random.default_rng(9)
    labels = np.arange(6000) % 3
    changed = np.isin(labels, moved) & (np.arange(6000) >= 3000)
    if kind == "numeric":
        X = random.normal(size=(6000, 2))
        X[changed, 1] += 1.0
    else:
        X = np.column_stack([column(3, random, 6000), column(kind, random, 6000)])
        X[changed & (random.random(6000) < 0.4), 1] = "1"
    _, second = ClusteringStream(3000).run([(X, labels)])
    assert second.change.feature == "x1"
    assert sorted(second.change.clusters) == [str(k) for k in moved]
    noun = "cluster" if len(moved) == 1 else "clusters"
    assert f"x1 changed most, in {noun} {second.change.clusters[0]}" in second.summary()
    assert second.to_dict()["change"]["clusters"] == list(second.change.clusters)


def test_no_cluster_is_named_if_sizes_changed():
    labels = np.repeat([0, 1, 0, 1], [500, 500, 800, 200])
    _, second = ClusteringStream(1000).run([(np.zeros((2000, 1)), labels)])
    assert (second.change.feature, second.change.clusters) == ("(cluster sizes)", ())
    assert "): the sizes of the clusters changed most." in second.summary()


def test_values_too_rare_to_test_are_reported():
    X = np.array([[f"id{i}", i % 2] for i in range(60)], object)
    _, second = ClusteringStream(30).run([(X[:, :1], np.zeros(60, int))])
    assert second.change.tested
    reports = list(ClusteringStream(8).run([(X[:16, :1], np.zeros(16, int))]))
    assert reports[1].change == Change(1.0, 0.01, "", 0.0, 0, ("x0",))
    assert "It has too few objects to be tested against the objects before it." in (
        reports[1].summary()
    )
    assert "not tested: too few objects" in repr(reports[1])
    mixed = np.array(
        [["rare" if i in (3, 33) else "common", f"{i % 2}"] for i in range(60)], object
    )
    _, second = ClusteringStream(30).run([(mixed, np.zeros(60, int))])
    assert (second.change.feature, second.change.untested) == ("x1", ("x0",))
    assert "Not tested, because the values are too rare: x0." in second.summary()
    same = change_between(*profiles(np.zeros((60, 1)), np.zeros(60, int), 30))
    assert (same.tested, same.untested) == (False, ())


def test_unseen_values_of_a_given_profile_are_pooled_with_rare_ones():
    random = np.random.default_rng(8)
    X = column(1000, random, 3000)
    labels = np.zeros(3000, int)
    # Of 1,000 values the bins know about 630; those that only a side has are no change.
    fitted = Binning().fit(X[:1000])
    known = DensityProfile.from_data(X[:1000], labels[:1000], binning=fitted)
    other = DensityProfile.from_data(X[1000:2000], labels[:1000], binning=fitted)
    assert not change_between(known, other).tested
    assert not change_between(other, known).tested
    stream = ClusteringStream(1000, reference=other)
    (report,) = stream.run([(X[2000:], labels[:1000])])
    assert report.reference_change.untested == ("x0",)
    stream = ClusteringStream(1000, reference=known)
    (report,) = stream.run([(X[2000:], labels[:1000])])
    assert report.reference_change.tested
    assert not report.reference_change.significant


def test_bins_fitted_to_the_labels_of_one_side():
    random = np.random.default_rng(9)
    labels = random.integers(2, size=1500)
    X = random.normal(labels[:, None], 1.0)
    found = list(ClusteringStream(500, binning="mdl").run([(X, labels)]))
    binning = Binning("mdl").fit(X[:500], labels[:500])
    first, second, third = (
        DensityProfile.from_data(X[i : i + 500], labels[i : i + 500], binning=binning)
        for i in (0, 500, 1000)
    )
    assert found[1].change == change_between(first, second, features_by_cluster=False)
    assert found[2].change == change_between(second, third)
    assert found[2].reference_change == change_between(first, third, features_by_cluster=False)


@pytest.mark.slow
@pytest.mark.parametrize("source", STATIONARY, ids=lambda source: source.__name__)
@pytest.mark.parametrize(("window", "step"), [(50, 50), (300, 300), (100, 50)])
@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_false_alarms_are_as_rare_as_promised(source, window, step, alpha):
    X, labels = source(np.random.default_rng(7), step * 400)
    stream = ClusteringStream(window, step, alpha=alpha)
    alarms = [report.drift for report in stream.run([(X, labels)]) if report.change is not None]
    # A test looks at two windows' worth of objects; those that share none are independent.
    apart = 2 * window // step
    for first in range(apart):
        independent_alarms = alarms[first::apart]
        assert len(independent_alarms) >= 95
        most = binom.ppf(0.999, len(independent_alarms), alpha)
        assert sum(independent_alarms) <= most


@pytest.mark.slow
def test_one_table_is_wrong_as_often_as_it_says():
    random = np.random.default_rng(3)
    X, labels = random.random((100_000, 1)), np.zeros(100_000, int)
    stream = ClusteringStream(100, binning=Binning(n_bins=5).fit([[0.0], [1.0]]), alpha=0.2)
    tested = [report.drift for report in stream.run([(X, labels)])][1:]
    low, high = binom.ppf([0.0005, 0.9995], 500, 0.2)
    assert low <= sum(tested[::2]) <= high


@pytest.mark.parametrize(
    ("change", "feature"),
    [
        (lambda X, labels: (np.add(X, [0.0, 0.8, 0.0, 0.0]), labels), "x1"),
        (lambda X, labels: (X * [1.0, 1.0, 2.0, 1.0], labels), "x2"),
        (lambda X, labels: (X, np.where(np.arange(len(labels)) % 4 == 0, 3, labels)), SIZES),
        (lambda X, labels: (X + (labels == 2)[:, None] * [0, 0, 0, 1.5], labels), "x3"),
    ],
    ids=["shift", "spread", "new cluster", "one cluster moves"],
)
def test_a_planted_change_is_found_where_it_is(change, feature):
    X, labels = independent(np.random.default_rng(1), 4000)
    changed, relabelled = change(X[2000:], labels[2000:])
    X = np.concatenate([X[:2000], changed])
    labels = np.concatenate([labels[:2000], relabelled])
    found = list(ClusteringStream(500).run([(X, labels)]))
    assert [report.index for report in found if report.drift] == [4]
    assert found[4].change.feature == feature
    assert all(report.reference_change.significant for report in found[4:])


def test_slow_drift_shows_against_the_reference_first():
    X, labels = independent(np.random.default_rng(2), 10_000)
    X += np.linspace(0, 1, 10_000)[:, None]
    found = list(ClusteringStream(500).run([(X, labels)]))
    assert not any(report.drift for report in found)
    assert found[-1].reference_change.significant


@given(
    st.lists(st.tuples(st.integers(5, 60), st.integers(5, 60)), min_size=2, max_size=6),
)
def test_the_statistic_is_that_of_a_two_by_c_table(cells):
    counts = np.array(cells).T
    smaller = counts.sum(axis=1).min() / counts.sum()
    if (counts.sum(axis=0) * smaller < 5 * (1 + 2 * (1 - 2 * smaller) ** 2)).any():
        return
    values = np.concatenate([np.repeat(np.arange(len(cells)), row) for row in counts])
    before, now = profiles(
        values[:, None].astype(float), np.zeros(values.size, int), counts[0].sum(), method="nominal"
    )
    found = change_between(before, now)
    expected = chi2_contingency(counts, correction=False)
    n = counts.sum()
    assert found.statistic == pytest.approx(expected.statistic * (n - 1) / n)
    assert found.degrees == expected.dof == len(cells) - 1
    assert found.feature == "x0"
    if len(cells) > 2:
        assert found.p_value == pytest.approx(chi2.sf(found.statistic, found.degrees))


@given(st.integers(20, 200), st.integers(20, 200), st.integers(0, 60), st.integers(0, 60))
def test_the_p_value_of_two_cells_is_exact(size_a, size_b, a, b):
    a, b = min(a, size_a), min(b, size_b)
    values = np.repeat([0.0, 1.0, 0.0, 1.0], [a, size_a - a, b, size_b - b])
    found = change_between(*profiles(values[:, None], np.zeros(values.size), size_a, n_bins=2))
    if not found.tested:
        return
    one = hypergeom(size_a + size_b, a + b, size_a)
    possible = np.arange(size_a + 1)
    deviations = np.abs(possible * (size_a + size_b) - (a + b) * size_a)
    assert found.p_value == pytest.approx(one.pmf(possible)[deviations >= deviations[a]].sum())


def test_two_large_cells_are_tested_by_the_approximation():
    values = np.repeat([0.0, 1.0, 0.0, 1.0], [15_000, 15_000, 15_400, 14_600])
    found = change_between(*profiles(values[:, None], np.zeros(60_000), 30_000, n_bins=2))
    exact = 2 * hypergeom(60_000, 30_400, 30_000).cdf(15_000)
    assert found.p_value == pytest.approx(exact, rel=0.05)


def test_rare_cells_are_counted_as_one():
    values = np.array([0] * 50 + [1] * 50 + [2, 3, 4, 5, 6, 7] * 2)
    X = np.concatenate([values, values])[:, None].astype(str)
    before, now = profiles(X, np.zeros(len(X), int), len(values))
    assert change_between(before, now).degrees == 2
    few = np.array([0] * 50 + [1] * 50 + [2])
    X = np.concatenate([few, few])[:, None].astype(str)
    assert change_between(*profiles(X, np.zeros(len(X), int), len(few))).degrees == 1


@given(st.integers(0, 50), st.integers(1, 39))
def test_properties(seed, split):
    random = np.random.default_rng(seed)
    X, labels = random.random((40, 2)), random.integers(0, 2, 40)
    before, now = profiles(X, labels, split, n_bins=2)
    one, other = change_between(before, now), change_between(now, before)
    assert one.p_value == pytest.approx(other.p_value)
    assert 0 <= one.p_value <= 1
    renamed = profiles(X, np.array(["b", "a"])[labels], split, n_bins=2)
    assert change_between(*renamed).p_value == pytest.approx(one.p_value)
    assert change_between(before, before).p_value == 1.0


def test_labels_matter_only_with_by_cluster():
    random = np.random.default_rng(0)
    X, labels = random.random((400, 1)), np.repeat(["a", "b"], 200)
    before, now = profiles(X, labels, 200)
    assert change_between(before, now).feature == SIZES
    assert change_between(before, now).significant
    assert not change_between(before, now, by_cluster=False).significant


def test_nothing_to_tell():
    X, labels = np.zeros((4, 1)), np.zeros(4, int)
    found = change_between(*profiles(X, labels, 2))
    assert (found.p_value, found.degrees, found.significant) == (1.0, 0, False)


def test_different_bins_are_refused():
    X, labels = np.random.default_rng(0).random((40, 2)), np.zeros(40, int)
    a, b = DensityProfile.from_data(X, labels), DensityProfile.from_data(2 * X, labels)
    with pytest.raises(cw.InputError, match="different bins"):
        change_between(a, b)
