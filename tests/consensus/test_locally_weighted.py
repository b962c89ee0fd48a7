"""LWEA and LWGP: against their definitions, SciPy, and planted clusters of other shapes."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.linalg import eigh
from scipy.spatial.distance import squareform
from sklearn.datasets import make_moons
from sklearn.utils.estimator_checks import estimator_checks_generator

import clusterwise as cw
from clusterwise import LWEA, LWGP, InputError
from clusterwise.consensus.locally_weighted import lwgp
from clusterwise.consensus.locally_weighted.lwgp import embed_objects
from clusterwise.inputs.ensembles import read_ensemble
from reference.consensus import (
    cluster_confidences,
    clusters,
    columns,
    ensembles,
    locally_weighted_co_association,
    planted,
)

METHODS = [LWEA, LWGP]
THETAS = st.sampled_from([0.1, 0.4, 2.0])
WEIGHTS = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=4, max_size=4)


@pytest.mark.parametrize("method", METHODS)
@given(ensembles(), THETAS, WEIGHTS)
def test_confidences_are_those_of_the_definition(method, ensemble, theta, weights):
    weights = weights[: len(ensemble[0])]
    model = method(1, theta=theta, weights=weights).fit(columns(ensemble))
    expected = cluster_confidences(ensemble, weights, theta)
    np.testing.assert_allclose(model.confidences_, expected, rtol=1e-10)


@given(ensembles(objects=10), THETAS, WEIGHTS)
def test_every_merge_is_of_a_nearest_pair(ensemble, theta, weights):
    """On all objects, from scratch: heights are means, and nothing was nearer."""
    weights = weights[: len(ensemble[0])]
    assume(all(any(label is not None for label in row) for row in ensemble))
    model = LWEA(theta=theta, weights=weights).fit(columns(ensemble))
    apart = 1 - locally_weighted_co_association(ensemble, weights, theta)
    of = read_ensemble(columns(ensemble)).collapse().of
    groups = {k: np.flatnonzero(of == k) for k in range(model.n_distinct_)}

    def between(a, b):
        return apart[np.ix_(groups[a], groups[b])].mean()

    for step, (a, b, height, _) in enumerate(model.linkage_):
        nearest = min(between(x, y) for x in groups for y in groups if x < y)
        assert height == pytest.approx(between(int(a), int(b)), abs=1e-12)
        assert height == pytest.approx(nearest, abs=1e-12)
        groups[model.n_distinct_ + step] = np.concatenate([groups.pop(int(a)), groups.pop(int(b))])


@given(st.integers(0, 10**6), THETAS)
def test_equal_objects_are_merged_first_in_any_case(seed, theta):
    """SciPy's linkage of all objects has the same heights, and those of equal objects."""
    random = np.random.default_rng(seed)
    ensemble = random.integers(0, 3, (6, 5))[random.integers(0, 6, 9)].tolist()
    weights = random.uniform(0.5, 2, 5)
    model = LWEA(theta=theta, weights=weights).fit(columns(ensemble))
    apart = 1 - locally_weighted_co_association(ensemble, weights, theta)
    rows = [tuple(row) for row in ensemble]
    kept = [x for x, row in enumerate(rows) if row not in rows[:x]]
    distances = np.sort(apart[np.ix_(kept, kept)][np.triu_indices(len(kept), 1)])
    assume((np.diff(distances) > 1e-9).all())  # ties may be broken either way
    equal = [apart[x, x] for x in range(9) if x not in kept]
    np.fill_diagonal(apart, 0)
    expected = linkage(squareform(apart, checks=False), "average")[:, 2]
    np.testing.assert_allclose(np.sort([*equal, *model.linkage_[:, 2]]), expected, atol=1e-12)


@given(ensembles(missing=False, objects=12), THETAS)
def test_the_transfer_cut_has_the_eigenvectors_of_the_whole_graph(ensemble, theta):
    """The points solve the eigenproblem of the bipartite graph of all objects and clusters."""
    rows = {tuple(row) for row in ensemble}
    assume(len(rows) > 2)
    few, sizes, of = read_ensemble(columns(ensemble)).collapse()
    edges = np.array(cluster_confidences(ensemble, None, theta))
    sets = clusters(ensemble)
    inside = np.array([[x in objects for _, _, objects in sets] for x in range(len(ensemble))])
    graph = inside * edges
    n, count = graph.shape
    whole = np.block([[np.zeros((n, n)), graph], [graph.T, np.zeros((count, count))]])
    degrees = np.diag(whole.sum(axis=1))
    values, vectors = eigh(degrees - whole, degrees)
    assume(values[2] - values[1] > 1e-6 and values[1] > 1e-6)
    # One step from the clusters to the objects multiplies an eigenvector by 1 - its eigenvalue.
    expected = vectors[:n, :2] * (1 - values[:2])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    points = embed_objects(few, sizes, edges, 2)[of]
    # Eigenvectors have any sign; angles between points do not depend on it.
    np.testing.assert_allclose(points @ points.T, expected @ expected.T, atol=1e-6)


@given(ensembles(missing=False), st.sampled_from([2.0**-500, 2.0**300]))
def test_only_relative_weights_of_edges_matter(ensemble, factor):
    few, sizes, _ = read_ensemble(columns(ensemble)).collapse()
    edges = np.array(cluster_confidences(ensemble, None, 0.4))
    points = embed_objects(few, sizes, edges, 2)
    np.testing.assert_array_equal(embed_objects(few, sizes, edges * factor, 2), points)


@pytest.mark.parametrize("method", METHODS)
@given(ensembles(), st.integers(1, 4))
def test_any_ensemble_can_be_combined(method, ensemble, count):
    kinds = {tuple(row) for row in ensemble if any(label is not None for label in row)}
    count = min(count, len(kinds))
    labels = method(count, random_state=0).fit(columns(ensemble)).labels_
    assert [label == -1 for label in labels] == [{*row} == {None} for row in ensemble]
    assert len(set(labels.tolist()) - {-1}) == count
    same = dict(zip(map(tuple, ensemble), labels.tolist(), strict=True))
    assert [same[tuple(row)] for row in ensemble] == labels.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_planted_clusters_are_found(method):
    ensemble, true = planted(300, 10, 4, noise=0.2)
    labels = method(4, random_state=0).fit(ensemble).labels_
    assert cw.adjusted_rand_score(true, labels) > 0.95


@pytest.mark.parametrize("method", METHODS)
def test_shapes_are_found_from_many_small_clusters(method):
    points, true = make_moons(400, noise=0.05, random_state=0)
    made = cw.make_ensemble(
        points, 20, n_clusters=(15, 25), strategies=("plain",), scale=False, random_state=0
    )
    found = cw.combine(made, method(2, random_state=0)).labels
    assert cw.adjusted_rand_score(true, found) > 0.9


def test_with_an_infinite_theta_lwea_is_evidence_accumulation():
    ensemble, _ = planted(80, 6, 3, noise=0.6)
    expected = cw.EvidenceAccumulation(4).fit(ensemble)
    found = LWEA(4, theta=np.inf).fit(ensemble)
    assert found.labels_.tolist() == expected.labels_.tolist()
    np.testing.assert_array_equal(found.linkage_, expected.linkage_)
    assert found.confidences_.tolist() == [1.0] * (6 * 3)


def test_objects_outside_the_sample_join_by_weighted_co_association():
    ensemble, true = planted(400, 8, 3, noise=0.3)
    model = LWEA(3, max_objects=60, random_state=0).fit(ensemble)
    assert (model.n_merged_, model.n_distinct_ > 60) == (60, True)
    assert cw.adjusted_rand_score(true, model.labels_) > 0.9


def test_objects_outside_the_sample_join_the_nearest_centre(monkeypatch):
    ensemble, true = planted(400, 8, 3, noise=0.3)
    monkeypatch.setattr(lwgp, "_MAX_OBJECTS", 60)
    assert cw.adjusted_rand_score(true, LWGP(3, random_state=0).fit(ensemble).labels_) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_refusals(method):
    labels = [[0, 0, 1, 1], [0, 1, 1, 2]]
    with pytest.raises(InputError, match="theta=0; use a number above 0"):
        method(theta=0).fit(labels)
    with pytest.raises(InputError, match="have only 2 distinct rows"):
        method(4).fit([[0, 0, 1, 1], [0, 0, 1, 1]])


EXPECTED_FAILURES = {
    (LWEA, "check_clustering"): "a list is one of label arrays, not of objects",
    (LWGP, "check_clustering"): "a list is one of label arrays, not of objects",
}


def checks():
    for method in METHODS:
        for fresh, check in estimator_checks_generator(method()):
            name = getattr(check, "func", check).__name__
            # Other arrays than NumPy's are not supported, and that check only skips.
            if name == "check_array_api_input":
                continue
            failing = EXPECTED_FAILURES.get((method, name))
            marks = [pytest.mark.xfail(reason=failing)] if failing else []
            yield pytest.param(fresh, check, marks=marks, id=f"{method.__name__}-{name}")


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_scikit_learn_checks(estimator, check):
    check(estimator)
