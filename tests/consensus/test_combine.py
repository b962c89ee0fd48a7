"""combine: the choice of the method, its result, label options, and invalid parameters."""

import json
import warnings
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import make_blobs

import clusterwise as cw
from clusterwise import InputError
from clusterwise.consensus.combine import combine
from clusterwise.consensus.diagnostics import object_agreement
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.graph.cspa import CSPA
from clusterwise.consensus.graph.hbgf import HBGF
from clusterwise.consensus.graph.hgpa import HGPA
from clusterwise.consensus.graph.mcla import MCLA
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.consensus.methods import METHODS
from clusterwise.consensus.voting import VotingConsensus
from clusterwise.inputs.ensembles import Ensemble, read_ensemble
from reference.consensus import columns, ensembles


@pytest.fixture(scope="module")
def planted():
    X, true = make_blobs(400, 4, centers=4, cluster_std=1.0, random_state=3)
    return make_ensemble(X, 20, n_clusters=(3, 6), random_state=0), true


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("labels", [["b", "a", "a", "c", "c", "c"], [5, 5, 5], ["x"]])
def test_one_clustering_is_its_own_consensus(method, labels):
    found = combine([labels], method, random_state=0)
    np.testing.assert_array_equal(
        found.labels, [list(dict.fromkeys(labels)).index(x) for x in labels]
    )
    assert found.agreement.adjusted_rand.tolist() == [1]


def test_auto_refuses_what_the_methods_refuse(planted):
    made, _ = planted
    with pytest.raises(InputError, match="n_clusters=0"):
        combine(made, n_clusters=0)
    with pytest.raises(InputError, match="weights"):
        combine(made, weights=[1])


@pytest.mark.filterwarnings("ignore:.*may be transposed")
@given(ensembles(), st.one_of(st.none(), st.integers(1, 4)))
def test_any_ensemble_can_be_combined(ensemble, count):
    kinds = {tuple(row) for row in ensemble if any(label is not None for label in row)}
    count = count and min(count, len(kinds))
    found = combine(columns(ensemble), n_clusters=count, random_state=0)
    unknown = [all(label is None for label in row) for row in ensemble]
    assert [label == -1 for label in found.labels] == unknown
    assert found.n_clusters == len(set(found.labels.tolist()) - {-1})
    assert count is None or found.n_clusters == count
    assert found.method in ("lwea", "refined-evidence")


def test_only_auto_has_a_confidence(planted):
    made, _ = planted
    assert combine(made, n_clusters=4).confidence > 0.1
    assert combine(made, "voting", 4).confidence is None


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
def test_other_methods_get_the_number_of_clusters(planted, method):
    made, _ = planted
    assert combine(made, method, 4, random_state=0).n_clusters == 4


def test_it_prints_the_agreement_with_the_clusterings():
    found = combine({"far": [0, 1, 0, 1], "a": [1, 1, 0, 0], "b": [0, 0, 1, 1]}, n_clusters=2)
    lines = repr(found).splitlines()
    assert lines[0] == "2 clusters of 4 objects by refined-evidence (mean ARI 0.5000)"
    assert [line.split()[0] for line in lines[2:5]] == ["a", "b", "far"]
    assert lines[5:] == ["", found.summary()]


def test_objects_without_any_label_have_no_cluster():
    found = combine([[0, 0, 1, 1, None], ["x", "x", "y", "y", None]], random_state=0)
    assert found.labels.tolist() == [0, 0, 1, 1, -1]
    assert found.agreement.known.tolist() == [0.8, 0.8]


def test_unknown_methods_are_refused():
    names = "'lwgp', 'mcla', 'median', 'phi', 'refined-evidence', 'voting' or a Consensus"
    with pytest.raises(InputError, match=f"'hgpa', 'lwea', {names}"):
        combine([[0, 1]], "best")


def test_every_name_has_an_estimator():
    module = import_module("clusterwise.consensus.combine")
    assert ("auto", *module._ESTIMATORS) == METHODS


@pytest.mark.parametrize("method", ["auto", "voting"])
def test_the_ensemble_is_collapsed_once(planted, method, monkeypatch):
    calls = []
    collapse = Ensemble.collapse

    def count(self):
        calls.append(self.n)
        return collapse(self)

    monkeypatch.setattr(Ensemble, "collapse", count)
    found = combine(planted[0], method, random_state=0)
    assert found.objects.margin.size == 400
    assert "clusters" in found.summary()
    assert calls == [400]


def test_an_estimator_is_copied_with_its_parameters(planted):
    made, _ = planted
    model = EvidenceAccumulation(linkage="single", max_objects=300)
    found = combine(made, model, 3, random_state=0)
    assert found.method == "evidence"
    assert (found.model.linkage, found.model.max_objects, found.n_clusters) == ("single", 300, 3)
    assert model.n_clusters is None
    assert not hasattr(model, "labels_")
    expected = EvidenceAccumulation(3, linkage="single", max_objects=300, random_state=0)
    np.testing.assert_array_equal(found.labels, expected.fit(made).labels_)
    assert combine(made, EvidenceAccumulation(refine=True)).method == "refined-evidence"


def test_parameters_of_the_estimator_are_passed_on(planted):
    made, _ = planted
    found = combine(made, "evidence", 3, linkage="single", max_objects=300)
    assert (found.model.linkage, found.model.max_objects) == ("single", 300)
    assert combine(made, VotingConsensus(n_init=1), max_iter=7).model.max_iter == 7


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        (
            "voting",
            {"max_itr": 3},
            "neither combine nor VotingConsensus has .* 'max_iter'",
        ),
        ("voting", {"wieghts": [1]}, "nor VotingConsensus has a parameter 'wieghts'; .* 'weights'"),
        (VotingConsensus(), {"linkage": "single"}, "nor VotingConsensus has a parameter 'linkage'"),
        ("auto", {"n_cluster": 3}, "combine nor method='auto' .* did you mean 'n_clusters'"),
        ("auto", {"linkage": "single"}, "name the method"),
        (VotingConsensus, {}, "or a Consensus estimator"),
    ],
)
def test_unknown_parameters_are_named(method, params, message):
    with pytest.raises(InputError, match=message):
        combine([[0, 0, 1], [0, 1, 1]], method, **params)


def test_a_transposed_table_is_suspected():
    table = np.array([[0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 0, 0], [0, 1, 1, 1, 0, 0]])
    with pytest.warns(UserWarning, match="6 clusterings of 3 objects: the table may be transposed"):
        combine(table, "voting")
    with pytest.warns(UserWarning, match="transposed"):
        combine(table.T.tolist(), "voting")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        combine(table.T, "voting")
        combine(read_ensemble(table), "voting")


NOISY = {"a": [0, 0, 0, 1, 1, -1], "b": [0, 0, 0, 1, 1, -1], "c": [0, 0, 0, 1, 1, 1]}


@pytest.mark.parametrize(
    ("noise", "sizes", "known"),
    [("cluster", [3, 3, 2], [1, 1, 1]), ("drop", [2, 2, 2], [5 / 6, 5 / 6, 1])],
)
def test_noise_is_a_cluster_or_no_label(noise, sizes, known):
    found = combine(NOISY, "voting", 2, noise=noise)
    assert found.agreement.n_clusters.tolist() == sizes
    assert found.agreement.known.tolist() == pytest.approx(known)
    names = {key: ["n" if one == -1 else one for one in labels] for key, labels in NOISY.items()}
    other = combine(names, "voting", 2, noise=noise, noise_label="n")
    np.testing.assert_array_equal(other.labels, found.labels)
    if noise == "drop":
        assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_noise_objects_are_singletons():
    labels = {"a": [0, 0, -1, -1], "b": [0, 0, -1, -1]}
    assert combine(labels, "median").labels.tolist() == [0, 0, 1, 1]
    found = combine(labels, "median", noise="singletons")
    assert found.labels.tolist() == [0, 0, 1, 2]
    assert found.agreement.n_clusters.tolist() == [3, 3]


def test_objects_that_are_noise_everywhere_have_no_cluster():
    found = combine([[0, 0, 1, 1, -1], [1, 1, 0, 0, -1]], "voting", noise="drop")
    assert found.labels.tolist() == [0, 0, 1, 1, -1]
    assert "1 object has no label in any clustering" in found.summary()


LACKING = [[0, 0, 1, 1, None], [0, 0, 1, 1, 1]]


@pytest.mark.parametrize(
    ("missing", "labels", "sizes"),
    [
        ("ignore", [0, 0, 1, 1, 1], [2, 2]),
        ("drop", [0, 0, 1, 1, -1], [2, 2]),
        ("label", [0, 0, 1, 1, 2], [3, 2]),
    ],
)
def test_missing_labels_follow_the_option(missing, labels, sizes):
    found = combine(LACKING, "evidence", max(labels) + 1, missing=missing)
    assert found.labels.tolist() == labels
    assert found.agreement.n_clusters.tolist() == sizes


def test_missing_labels_and_unknown_options_are_refused():
    with pytest.raises(InputError, match="clustering 0 has no label for object 4"):
        combine(LACKING, missing="error")
    assert combine([[0, 0, 1], [0, 1, 1]], missing="error").labels.size == 3
    with pytest.raises(InputError, match="drops all"):
        combine([[0, None], [None, 0]], missing="drop")
    with pytest.raises(InputError, match="use 'error', 'drop', 'label' or 'ignore'"):
        combine(LACKING, missing="fill")
    with pytest.raises(InputError, match="'cluster', 'singletons' or 'drop'"):
        combine(LACKING, noise="keep")
    with pytest.raises(InputError, match="not one label"):
        combine(LACKING, noise_label=[-1])
    with pytest.raises(InputError, match="clustering 0 has no label left"):
        combine([[-1, -1], [0, 1]], noise="drop")


def test_objects_are_those_of_object_agreement(planted):
    made, _ = planted
    found = combine(made, random_state=0)
    expected = object_agreement(found.labels, made)
    for name in ("labels", "nearest"):
        np.testing.assert_array_equal(getattr(found.objects, name), getattr(expected, name))
    for name in ("own", "other", "margin"):
        np.testing.assert_allclose(getattr(found.objects, name), getattr(expected, name))


def test_the_summary_says_what_is_computed(planted):
    made, _ = planted
    found = combine(made, random_state=0)
    scores = found.agreement.adjusted_rand
    sizes = ", ".join(map(str, sorted(np.bincount(found.labels).tolist(), reverse=True)))
    ambiguous = int((object_agreement(found.labels, made).margin <= 0).sum())
    text = found.summary()
    assert text.startswith(
        f"The consensus of 20 clusterings has 4 clusters ({sizes}), found by {found.method}."
    )
    assert f"{scores.mean():.2f} on average (adjusted Rand {scores.min():.2f} to " in text
    assert (f"{ambiguous} of 400 objects" in text) == (ambiguous > 0)


def test_results_are_exported_with_the_callers_index():
    index = ["p", "q", "r", "s", "t"]
    runs = {"a": [0, 0, 0, 1, 1], "b": [0, 0, 1, 1, 1], "c": [0, 0, 1, 1, None]}
    found = combine(pd.DataFrame(runs, index=index), "voting", 2)
    frame = found.to_frame()
    assert frame.index.tolist() == index
    assert list(frame) == ["cluster", "own", "other", "nearest", "margin"]
    assert frame["cluster"].tolist() == found.labels.tolist()
    np.testing.assert_array_equal(frame["margin"], found.objects.margin)
    series = {name: pd.Series(labels, index=index) for name, labels in runs.items()}
    assert combine(series, "voting", 2).to_frame("pandas").index.tolist() == index
    written = json.loads(json.dumps(found.to_dict()))
    assert written["labels"] == found.labels.tolist()
    assert written["sizes"] == np.bincount(found.labels).tolist()
    assert [one["clustering"] for one in written["clusterings"]] == ["a", "b", "c"]
    assert written["summary"] == found.summary()


def test_there_are_no_other_plots(planted):
    with pytest.raises(InputError, match="matrix, objects or scatter"):
        combine(planted[0], "voting").plot("pie")


def test_the_summary_speaks_of_ambiguous_objects_where_there_are_clusters_to_choose_from():
    one, two = combine([[0, 0, 0]] * 2), combine([[0, 0, 1], [0, 1, 1]], n_clusters=2)
    assert (one.n_clusters, two.n_clusters) == (1, 2)
    assert "ambiguous" not in one.summary()
    assert two.objects.summary() in two.summary()
    assert "ambiguous" in two.objects.summary()
