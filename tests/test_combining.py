"""One call that combines: which method it is, what it says of the result, what is refused."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import clusterwise as cw
from clusterwise import InputError
from clusterwise.consensus.combining import combine
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.hypergraph import HBGF, MCLA
from clusterwise.consensus.making import make_ensemble
from clusterwise.consensus.sampled import CSPA, HGPA
from clusterwise.consensus.voting import VotingConsensus


@pytest.fixture(scope="module")
def planted():
    X, true = make_blobs(400, 4, centers=4, cluster_std=1.0, random_state=3)
    return make_ensemble(X, 20, n_clusters=(3, 6), random_state=0), true


def test_auto_is_evidence_accumulation(planted):
    made, true = planted
    found = combine(made, random_state=0)
    expected = EvidenceAccumulation().fit(made.labels)
    assert found.method == "evidence"
    np.testing.assert_array_equal(found.labels, expected.labels_)
    assert found.n_clusters == expected.n_clusters_ == 4
    members = np.mean([cw.adjusted_rand_score(true, one) for one in made.labels.T])
    assert cw.adjusted_rand_score(true, found.labels) > members


def test_agreement_is_with_each_clustering(planted):
    made, _ = planted
    found = combine(made, random_state=0)
    scores = [cw.adjusted_rand_score(found.labels, one) for one in made.labels.T]
    np.testing.assert_allclose(found.agreement.adjusted_rand, scores)


def test_weights_reach_the_method():
    ensemble = np.array([[0, 0, 1, 1], [0, 1, 0, 1]]).T
    assert combine(ensemble, n_clusters=2, weights=[3, 1]).labels.tolist() == [0, 0, 1, 1]
    assert combine(ensemble, n_clusters=2, weights=[1, 3]).labels.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("method", "model"),
    [
        ("cspa", CSPA(3)),
        ("evidence", EvidenceAccumulation(3)),
        ("hbgf", HBGF(3)),
        ("hgpa", HGPA(3)),
        ("mcla", MCLA(3)),
        ("voting", VotingConsensus(3)),
    ],
)
def test_a_method_by_name_is_that_estimator(planted, method, model):
    made, _ = planted
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    found = combine(made.labels, method, 3, random_state=0)
    assert found.method == method
    np.testing.assert_array_equal(found.labels, model.fit(made.labels).labels_)
    assert type(found.model) is type(model)


@pytest.mark.parametrize("method", ["median", "phi"])
def test_other_methods_are_called_with_the_number(planted, method):
    made, _ = planted
    assert combine(made, method, 4, random_state=0).n_clusters == 4


def test_it_prints_how_alike_it_and_the_clusterings_are():
    found = combine({"far": [0, 1, 0, 1], "a": [1, 1, 0, 0], "b": [0, 0, 1, 1]}, n_clusters=2)
    lines = repr(found).splitlines()
    assert lines[0] == "2 clusters of 4 objects by evidence (mean ARI 0.5000)"
    assert [line.split()[0] for line in lines[2:]] == ["a", "b", "far"]


def test_objects_that_nobody_knows_have_no_cluster():
    found = combine([[0, 0, 1, 1, None], ["x", "x", "y", "y", None]], random_state=0)
    assert found.labels.tolist() == [0, 0, 1, 1, -1]
    assert found.agreement.known.tolist() == [0.8, 0.8]


def test_unknown_methods_are_refused():
    names = "auto, cspa, evidence, hbgf, hgpa, mcla, median, phi, voting"
    with pytest.raises(InputError, match=names):
        combine([[0, 1]], "best")
