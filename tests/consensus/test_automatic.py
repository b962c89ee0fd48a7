"""The choice of auto: the method by the confidence of clusters, the number by the spectrum."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import make_blobs, make_moons

import clusterwise as cw
from clusterwise.consensus import automatic, overlaps
from clusterwise.consensus.combine import combine
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.consensus.spectrum import spectral_angles, suggest_number
from clusterwise.inputs.ensembles import read_ensemble
from reference.consensus import (
    bipartite_angles,
    cluster_confidences,
    clusters,
    columns,
    ensembles,
    planted,
)

WEIGHTS = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=4, max_size=4)


@given(ensembles(), WEIGHTS)
def test_the_method_depends_on_the_clusters_and_their_mean_confidence(ensemble, weights):
    weights = weights[: len(ensemble[0])]
    found = combine(read_ensemble(columns(ensemble)), weights=weights, random_state=0)
    each = cluster_confidences(ensemble, weights)
    expected = np.average(each, weights=[weights[j] for j, _, _ in clusters(ensemble)])
    assert found.confidence == pytest.approx(expected)
    many = np.median(found.agreement.n_clusters) >= 1.5 * found.n_clusters
    if abs(expected - 0.1) > 1e-9:
        assert found.method == ("lwea" if many and expected > 0.1 else "refined-evidence")


def split(labels, parts, seed=0):
    """Clusterings of which each divides every cluster into parts, the same in all of them."""
    part = np.random.default_rng(seed).integers(0, parts, len(labels))
    return labels * parts + part[:, None]


@pytest.mark.parametrize(
    ("noise", "parts", "method"),
    [
        (0.0, 1, "refined-evidence"),
        (0.05, 3, "lwea"),
        (0.3, 1, "refined-evidence"),
        (0.6, 1, "refined-evidence"),
    ],
)
def test_the_result_is_that_of_the_method(noise, parts, method):
    ensemble, true = planted(300, 20, 4, noise=noise)
    found = combine(split(ensemble, parts), n_clusters=4, random_state=0)
    assert found.method == method
    expected = combine(split(ensemble, parts), method, 4, random_state=0)
    np.testing.assert_array_equal(found.labels, expected.labels)
    if parts == 1:
        assert combine(ensemble, random_state=0).n_clusters == 4
        assert cw.adjusted_rand_score(true, found.labels) > 0.75


@given(ensembles(missing=False), WEIGHTS, st.integers(2, 6))
def test_angles_are_those_of_the_bipartite_graph(ensemble, weights, count):
    weights = np.array(weights[: len(ensemble[0])])
    found = count_overlaps(read_ensemble(columns(ensemble)).collapse())
    expected = np.append(bipartite_angles(ensemble, weights), [np.pi / 2] * count)[:count]
    np.testing.assert_allclose(spectral_angles(found, weights, count), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("angles", "number"),
    [
        ([0.0, 0.1, 0.2, 1.2, 1.3], 3),
        ([0.0, 0.5, 1.0, 1.5, 1.5], 2),  # of equal gaps that of the smaller number
        ([0.0, 0.0, 0.5, 1.0, 1.55], 2),
    ],
)
def test_the_number_is_before_the_largest_gap(angles, number, monkeypatch):
    monkeypatch.setattr(
        "clusterwise.consensus.spectrum.spectral_angles",
        lambda overlaps, weights, count: np.array(angles[:count]),
    )
    assert suggest_number(None, None, 4) == number


def test_blobs_are_counted():
    X, true = make_blobs(400, 4, centers=4, cluster_std=1.0, random_state=3)
    made = cw.make_ensemble(X, 20, n_clusters=(3, 6), random_state=0)
    found = combine(made, random_state=0)
    assert found.n_clusters == 4
    members = np.mean([cw.adjusted_rand_score(true, one) for one in made.labels.T])
    assert cw.adjusted_rand_score(true, found.labels) > members


@pytest.mark.parametrize("n_clusters", [(2, 20), (20, 40)])
def test_two_moons_are_two_clusters(n_clusters):
    points, true = make_moons(400, noise=0.05, random_state=0)
    made = cw.make_ensemble(
        points, 20, n_clusters=n_clusters, strategies=("plain",), scale=False, random_state=0
    )
    found = combine(made, random_state=0)
    assert (found.method, found.n_clusters) == ("lwea", 2)
    assert cw.adjusted_rand_score(true, found.labels) > 0.9


def test_with_too_many_clusters_for_a_table_all_count_alike(monkeypatch):
    ensemble, _ = planted(100, 5, 3, noise=0.1)
    expected = combine(ensemble, "refined-evidence", random_state=0)
    monkeypatch.setattr(overlaps, "_MAX_CLUSTERS", 10)
    found = combine(ensemble, random_state=0)
    assert found.method == "refined-evidence"
    assert np.isnan(found.confidence)
    assert found.mutual_agreement is None
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert (found.to_dict()["confidence"], found.to_dict()["mutual_agreement"]) == (None, None)
    assert "common answer" not in found.summary()


def test_with_too_many_clusters_for_the_spectrum_the_method_counts(monkeypatch):
    ensemble, _ = planted(100, 5, 3, noise=0.1)
    monkeypatch.setattr(automatic, "MAX_CLUSTERS", 10)
    monkeypatch.setattr(automatic, "suggest_number", None)
    found = combine(ensemble, random_state=0)
    assert found.method == "lwea"  # the number is not known, so only the confidence decides
    assert found.n_clusters == combine(ensemble, "lwea", random_state=0).n_clusters
