"""One call that combines: which method it is, what it says of the result, what is refused."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import make_blobs

import clusterwise as cw
from clusterwise import InputError
from clusterwise.consensus.choosing import shared
from clusterwise.consensus.combine import combine
from clusterwise.consensus.diagnostics import clustering_agreement
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.graph.cspa import CSPA
from clusterwise.consensus.graph.hbgf import HBGF
from clusterwise.consensus.graph.hgpa import HGPA
from clusterwise.consensus.graph.mcla import MCLA
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.consensus.median import candidates
from clusterwise.consensus.methods import METHODS
from clusterwise.consensus.voting import VotingConsensus
from reference.consensus import columns, ensembles


@pytest.fixture(scope="module")
def planted():
    X, true = make_blobs(400, 4, centers=4, cluster_std=1.0, random_state=3)
    return make_ensemble(X, 20, n_clusters=(3, 6), random_state=0), true


TRIED = ("refined-evidence", "phi", "median")


def make_spread(seed):
    """Members of blobs that overlap, on which methods differ."""
    X, true = make_blobs(200, 4, centers=5, cluster_std=4.0, random_state=seed)
    return make_ensemble(X, 15, n_clusters=(2, 9), random_state=seed), true


def mean_shared(labels, members):
    return np.mean([cw.normalized_mutual_info_score(labels, one) for one in members.T])


def test_auto_keeps_what_shares_most_with_the_clusterings():
    chosen = set()
    for seed in range(6):
        made, _ = make_spread(seed)
        each = {name: combine(made, name, 4, random_state=seed) for name in TRIED}
        expected = {name: mean_shared(one.labels, made.labels) for name, one in each.items()}
        found = combine(made, n_clusters=4, random_state=seed)
        assert found.tried == pytest.approx(expected)
        assert found.method == max(expected, key=expected.get)
        np.testing.assert_array_equal(found.labels, each[found.method].labels)
        np.testing.assert_array_equal(found.labels, found.model.labels_)
        chosen.add(found.method)
    assert len(chosen) > 1


def test_auto_counts_clusters_as_evidence_accumulation_does(planted):
    made, true = planted
    found = combine(made, random_state=0)
    assert found.n_clusters == EvidenceAccumulation().fit(made.labels).n_clusters_ == 4
    members = np.mean([cw.adjusted_rand_score(true, one) for one in made.labels.T])
    assert cw.adjusted_rand_score(true, found.labels) > members


def test_the_choice_is_by_weight_and_by_what_is_known():
    ensemble = {"a": [0, 0, 1, 1], "b": [0, 1, None, None]}
    agreement = clustering_agreement([0, 0, 1, 1], ensemble)
    assert agreement.normalized_mutual_info.tolist() == [1, 0]
    assert shared(agreement, np.array([1.0, 1.0])) == pytest.approx(1 / 1.5)
    assert shared(agreement, np.array([1.0, 4.0])) == pytest.approx(1 / 3)


def test_auto_leaves_out_a_method_whose_tables_are_too_large(planted, monkeypatch):
    made, _ = planted
    monkeypatch.setattr(candidates, "_CELLS", 10)
    with pytest.raises(InputError, match="fewer"):
        combine(made, "median", 4)
    found = combine(made, n_clusters=4, random_state=0)
    assert set(found.tried) == {"refined-evidence", "phi"}
    assert found.method in found.tried


def test_auto_refuses_what_the_methods_refuse(planted):
    made, _ = planted
    with pytest.raises(InputError, match="n_clusters=0"):
        combine(made, n_clusters=0)
    with pytest.raises(InputError, match="weights"):
        combine(made, weights=[1])


@settings(deadline=None)
@given(ensembles(), st.one_of(st.none(), st.integers(1, 4)))
def test_any_ensemble_can_be_combined(ensemble, count):
    kinds = {tuple(row) for row in ensemble if any(label is not None for label in row)}
    count = count and min(count, len(kinds))
    found = combine(columns(ensemble), n_clusters=count, random_state=0)
    unknown = [all(label is None for label in row) for row in ensemble]
    assert [label == -1 for label in found.labels] == unknown
    assert found.n_clusters == len(set(found.labels.tolist()) - {-1})
    assert count is None or found.n_clusters == count
    assert found.tried[found.method] == max(found.tried.values())


def test_only_auto_says_what_was_tried(planted):
    made, _ = planted
    assert combine(made, "voting", 4).tried == {}


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
        ("refined-evidence", EvidenceAccumulation(3, refine=True)),
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
    assert lines[0] == "2 clusters of 4 objects by refined-evidence (mean ARI 0.5000)"
    assert [line.split()[0] for line in lines[2:]] == ["a", "b", "far"]


def test_objects_that_nobody_knows_have_no_cluster():
    found = combine([[0, 0, 1, 1, None], ["x", "x", "y", "y", None]], random_state=0)
    assert found.labels.tolist() == [0, 0, 1, 1, -1]
    assert found.agreement.known.tolist() == [0.8, 0.8]


def test_unknown_methods_are_refused():
    names = "auto, cspa, evidence, hbgf, hgpa, mcla, median, phi, refined-evidence, voting"
    with pytest.raises(InputError, match=names):
        combine([[0, 1]], "best")


def test_every_name_has_an_estimator():
    module = import_module("clusterwise.consensus.combine")
    assert ("auto", *module._ESTIMATORS) == METHODS
