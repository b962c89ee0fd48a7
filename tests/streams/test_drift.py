"""The rule for drift: its statistic, how often it is wrong, and what it finds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, chi2_contingency

import clusterwise as cw
from clusterwise.inputs.binning.binning import Binning
from clusterwise.streams.drift import SIZES, change_between
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
    if (counts.sum(axis=0) * smaller < 5).any():
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
