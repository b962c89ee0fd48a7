"""ICS, ECS and φ: the paper's example, all pairs of objects, both routes of counting."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.consensus.phi.objective import (
    consensus_objective,
    inter_cluster_similarity,
    intra_cluster_similarity,
)
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.ensemble.packed import pack_ensemble
from reference.consensus import labelled_ensembles

# Figures 1 and 2: three clusterings of eight objects, and a fourth one.
ENSEMBLE = np.array(
    [[1, 4, 1, 2, 2, 1, 4, 4], [1, 1, 4, 1, 3, 4, 3, 2], [3, 3, 2, 3, 4, 2, 4, 3]]
).T
CONSENSUS = [1, 2, 1, 3, 3, 2, 1, 4]


def similarities(labels, ensemble, weights=None):
    """ICS and ECS from all pairs of objects."""
    n, m = ensemble.shape
    weights = [1.0] * m if weights is None else weights
    sizes = {label: labels.count(label) for label in labels}
    inside = between = 0.0
    for i, j in combinations(range(n), 2):
        alike = sum(weights[c] for c in range(m) if ensemble[i, c] == ensemble[j, c])
        share = alike / sizes[labels[i]] / sizes[labels[j]]
        if labels[i] == labels[j]:
            inside += share
        else:
            between += share
    return inside, between


def normalised(labels, ensemble, k1, k2):
    """By its definition, from all pairs of objects; NaN equals nothing."""
    n, m = ensemble.shape

    def share(ours, theirs):
        pairs = [(i, j) for i in ours for j in theirs if i != j]
        alike = sum((ensemble[i] == ensemble[j]).sum() for i, j in pairs)
        return alike / m / max(len(pairs), 1)

    groups = [[i for i in range(n) if labels[i] == k] for k in sorted(set(labels))]
    if len(groups) == 1:
        whole = share(groups[0], groups[0])
        return k1 if whole == 1 else (k1 + k2) * whole
    total = 0.0
    for ours in groups:
        nearest = max(share(ours, other) for other in groups if other is not ours)
        total += len(ours) * (k1 * share(ours, ours) + k2 * nearest)
    return total / n


def test_the_example_of_the_paper():
    assert intra_cluster_similarity(CONSENSUS, ENSEMBLE) == pytest.approx(13 / 36)
    assert inter_cluster_similarity(CONSENSUS, ENSEMBLE) == pytest.approx(4.5)
    assert consensus_objective(CONSENSUS, ENSEMBLE, normalized=False) == pytest.approx(
        13 / 36 - 4.5
    )
    value = consensus_objective(CONSENSUS, ENSEMBLE, k1=2.0, k2=-0.5, normalized=False)
    assert value == pytest.approx(13 / 18 - 2.25)


@given(labelled_ensembles())
def test_all_routes_equal_all_pairs(problem):
    labels, ensemble = problem
    expected = similarities(labels, ensemble)
    packed = pack_ensemble(ensemble)
    tables = [
        EnsembleTable.from_labels(labels, packed, route=route) for route in ("bits", "labels")
    ]
    tables.append(EnsembleTable.from_labels(labels, ensemble))
    if not np.isnan(ensemble).any():
        tables.append(EnsembleTable.from_labels(labels, ensemble.astype(int)))
    for table in tables:
        assert intra_cluster_similarity(table) == pytest.approx(expected[0], abs=1e-9)
        assert inter_cluster_similarity(table) == pytest.approx(expected[1], abs=1e-9)
        assert np.array_equal(table.counts, tables[0].counts)
        assert table.sizes.tolist() == [labels.count(name) for name in table.row_names]


@given(labelled_ensembles(), st.integers(0, 100))
def test_weights(problem, seed):
    labels, ensemble = problem
    weights = np.random.default_rng(seed).integers(1, 4, ensemble.shape[1])
    expected = similarities(labels, ensemble, weights)
    ours = intra_cluster_similarity(labels, ensemble, weights=weights)
    assert ours == pytest.approx(expected[0], abs=1e-9)
    # A clustering that counts twice is there twice.
    twice = np.repeat(ensemble, weights, axis=1)
    for normalized in (False, True):
        assert consensus_objective(
            labels, ensemble, weights=weights, normalized=normalized
        ) == pytest.approx(consensus_objective(labels, twice, normalized=normalized), abs=1e-9)


@given(labelled_ensembles())
def test_normalised_equals_its_definition(problem):
    labels, ensemble = problem
    value = consensus_objective(labels, ensemble, k1=1.0, k2=-0.5, normalized=True)
    assert value == pytest.approx(normalised(labels, ensemble, 1.0, -0.5), abs=1e-9)
    assert -0.5 - 1e-9 <= value <= 1 + 1e-9


@pytest.mark.parametrize("clusters", [2, 5, 10])
def test_perfect_agreement_grows_with_clusters_unless_normalised(clusters):
    labels = np.repeat(np.arange(clusters), 10)
    ensemble = np.column_stack([labels] * 6)
    value = consensus_objective(labels, ensemble, normalized=False)
    assert value == pytest.approx(6 / 2 * clusters * (1 - 1 / 10))
    assert consensus_objective(labels, ensemble, normalized=True) == 1


def test_many_clusters_are_penalised_unless_normalised():
    random = np.random.default_rng(0)
    ensemble = random.integers(0, 2, (20_000, 50))
    alone = consensus_objective(np.zeros(20_000, int), ensemble, normalized=False)
    ten = np.arange(20_000) % 10
    found = consensus_objective(ten, ensemble, normalized=False)
    assert found / alone == pytest.approx(-80, rel=0.01)
    assert consensus_objective(ten, ensemble, normalized=True) == pytest.approx(0, abs=0.01)


def test_tiny_clusters_win_unless_normalised():
    random = np.random.default_rng(0)
    true = np.arange(2000) % 5
    wrong = random.random((2000, 20)) < 0.3
    ensemble = np.where(wrong, random.integers(0, 5, wrong.shape), true[:, None])
    agreed = (ensemble == true[:, None]).sum(axis=1)
    tiny = np.full(2000, 4)
    for k in range(4):
        own = np.flatnonzero(true == k)
        tiny[own[np.argsort(-agreed[own])[:10]]] = k
    published = [consensus_objective(one, ensemble, normalized=False) for one in (tiny, true)]
    assert published[0] > published[1]
    normal = [consensus_objective(one, ensemble, normalized=True) for one in (tiny, true)]
    assert normal[0] < normal[1]


@pytest.mark.parametrize(
    "function", [consensus_objective, inter_cluster_similarity, intra_cluster_similarity]
)
def test_labels_and_ensemble_may_be_passed_in_either_order(function):
    made = make_ensemble(np.arange(24.0).reshape(12, 2), 5, n_clusters=3, random_state=0)
    labels = np.arange(12) // 4
    value = function(labels, made.labels)
    for ensemble in (made.labels, made, list(made.labels.T), pack_ensemble(made.labels)):
        assert function(labels, ensemble) == value
    assert function(made, labels) == value
    with pytest.raises(InputError, match=rf"^{function.__name__}\(labels, ensemble\) got two cl"):
        function(labels, labels)


def test_errors():
    with pytest.raises(InputError, match="k1=-1"):
        consensus_objective([0], [[0]], k1=-1)
    with pytest.raises(InputError, match="ensemble is missing"):
        intra_cluster_similarity([0, 1])
    with pytest.raises(InputError, match="there are 2 labels"):
        consensus_objective([0, 1], np.zeros((3, 2), int))
    with pytest.raises(InputError, match="weights have shape"):
        consensus_objective([0, 1], np.zeros((2, 2), int), weights=[1])
