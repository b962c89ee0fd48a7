"""The loops of the information bottleneck against plain Python; also run without compiling."""

import numpy as np
import pytest

from clusterwise.alternatives.cib.relations import Relation
from clusterwise.alternatives.cib.sequential_search import SequentialSearch
from clusterwise.inputs.encoding import read_only
from clusterwise.kernels import cib as kernels
from reference.cib import objective


def relation_of(table, counted):
    """The sparse form of rows of 0 and 1 (counted), or of any rows that add up to 1."""
    rows, values = np.nonzero(table)
    starts = np.searchsorted(rows, np.arange(len(table) + 1))
    weights = table[rows, values].astype(np.int64 if counted else np.float64)
    mass = int(table[0].sum()) if counted else 1
    return Relation(
        starts, read_only(values.astype(np.int32)), weights, table.shape[1], mass, counted
    )


def make(counted, seed, n=14, groups=2):
    random = np.random.default_rng(seed)
    if counted:
        table = np.hstack([np.eye(3)[random.integers(0, 3, n)] for _ in range(3)])
    else:
        table = random.random((n, 6)) * (random.random((n, 6)) < 0.6) + 1e-3
        table /= table.sum(axis=1, keepdims=True)
    given = np.append(np.arange(groups), random.integers(0, groups, n - groups))
    return table, given, np.append([0, 1, 2], random.integers(0, 3, n - 3))


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_an_object_goes_where_the_objective_is_largest(counted, gamma):
    for seed in range(4):
        table, groups, labels = make(counted, seed)
        rows = table / table.sum(axis=1, keepdims=True)
        search = SequentialSearch(relation_of(table, counted), groups, 3, gamma, 1)
        assert search.objective(labels) == pytest.approx(objective(rows, groups, labels, gamma))
        for i in range(len(labels)):
            old, before = labels[i], labels.copy()
            alone = (labels == old).sum() == 1
            tried = []
            for k in range(3):
                before[i] = k
                tried.append(objective(rows, groups, before, gamma))
            search._sweep(np.array([i]), labels, gamma)
            if alone or tried[old] > max(tried) - 1e-9:
                assert labels[i] == old
            else:
                assert tried[labels[i]] == pytest.approx(max(tried), abs=1e-12)
            before[i] = labels[i]  # and no other object moved
            np.testing.assert_array_equal(labels, before)
            tables = [part.copy() for part in search._counts()]
            search.objective(labels)
            for kept, fresh in zip(tables, search._counts(), strict=True):
                np.testing.assert_allclose(kept, fresh, atol=1e-12)


@pytest.mark.parametrize("counted", [True, False])
def test_clusters_keep_their_least_size(counted):
    table, groups, labels = make(counted, 1)
    search = SequentialSearch(relation_of(table, counted), groups, 3, 1.0, 3)
    labels = np.arange(14) % 3
    search.objective(labels)
    for seed in range(5):
        search._sweep(np.random.default_rng(seed).permutation(14), labels, 1.0)
        labels = search._permute(labels)
        search.objective(labels)
        assert np.bincount(labels, minlength=3).min() >= 3


@pytest.mark.parametrize("counted", [True, False])
def test_gains_of_exchanged_names(counted):
    table, groups, labels = make(counted, 2)
    rows = table / table.sum(axis=1, keepdims=True)
    relation = relation_of(table, counted)
    search = SequentialSearch(relation, groups, 3, 1.0, 1)
    search.objective(labels)
    gains = np.empty((3, 3))
    kernels.exchange_gains(
        search.begins[1], search.begins[2], search.value_of, relation.mass, search.cells,
        search.totals, search.sizes[1], search.all_sizes, gains,
    )  # fmt: skip
    before = objective(rows, np.zeros(14, int), labels, 0.0)
    for names in ([0, 1, 2], [1, 0, 2], [1, 2, 0]):
        renamed = np.where(groups == 1, np.array(names)[labels], labels)
        after = objective(rows, np.zeros(14, int), renamed, 0.0)
        grown = sum(gains[k, m] for m, k in enumerate(names)) - np.trace(gains)
        assert after - before == pytest.approx(grown / (relation.mass * 14))


def test_pairs_are_numbered_alike_with_and_without_those_that_nobody_has():
    random = np.random.default_rng(0)
    table = np.hstack([np.eye(5)[random.integers(0, 5, 30)] for _ in range(2)])
    relation = relation_of(table, counted=True)
    for n_groups in (1, 2, 3, 7, 15):
        groups = np.append(np.arange(n_groups), random.integers(0, n_groups, 30 - n_groups))
        pairs, begins, value_of = relation.pairs_within(groups)
        assert value_of.size <= max(60, 20)
        np.testing.assert_array_equal(value_of[pairs], relation.values)
        np.testing.assert_array_equal(
            np.searchsorted(begins, pairs, side="right") - 1, np.repeat(groups, 2)
        )
