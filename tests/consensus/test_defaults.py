"""Parameters that the functions and estimators of the family share: names, defaults and seeds."""

from inspect import Parameter, signature

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.consensus.base import Consensus
from clusterwise.consensus.combine import _ESTIMATORS, combine

ESTIMATORS = [
    cw.CSPA,
    cw.EvidenceAccumulation,
    cw.HBGF,
    cw.HGPA,
    cw.LWEA,
    cw.LWGP,
    cw.MCLA,
    cw.MedianPartition,
    cw.PhiConsensus,
    cw.VotingConsensus,
]
# Functions and the estimator that does the same.
TWINS = [
    (cw.consensus_objective, cw.PhiConsensus),
    *((combine, estimator) for estimator in ESTIMATORS),
]
FUNCTIONS = [
    combine,
    cw.co_association_curve,
    cw.consensus_matrix,
    cw.consensus_objective,
    cw.inter_cluster_similarity,
    cw.intra_cluster_similarity,
    cw.make_ensemble,
    cw.number_stability,
    cw.object_agreement,
]
# Numbers of starts and of distinct objects depend on what a method does with them.
OWN = {"n_init", "max_objects", "search", "n_clusters"}


def defaults(function):
    return {
        name: one.default
        for name, one in signature(function).parameters.items()
        if one.default is not Parameter.empty
    }


def test_every_estimator_is_listed():
    found = {type(make()) for make in _ESTIMATORS.values()}
    assert found == set(ESTIMATORS)
    assert all(issubclass(one, Consensus) for one in ESTIMATORS)


@pytest.mark.parametrize(("function", "estimator"), TWINS)
def test_functions_and_estimators_have_the_same_defaults(function, estimator):
    ours, theirs = defaults(function), defaults(estimator)
    shared = ours.keys() & theirs.keys()
    assert "weights" in shared
    assert {name: ours[name] for name in shared} == {name: theirs[name] for name in shared}


def test_a_parameter_has_one_default_in_the_family():
    found = {}
    for one in (*ESTIMATORS, *FUNCTIONS):
        for name, value in defaults(one).items():
            if name not in OWN:
                found.setdefault(name, set()).add(value)
    assert {name: values for name, values in found.items() if len(values) > 1} == {}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimators_have_the_same_parameters_and_attributes(estimator):
    names = list(signature(estimator).parameters)
    assert names[0] == "n_clusters"
    assert "weights" in names
    model = estimator().fit(np.array([[0, 0, 1, 1], [0, 0, 0, 1]]).T)
    assert model.labels_.shape == (4,)
    assert model.n_clusters_ == model.labels_.max() + 1
    assert model.n_features_in_ == 2
    assert hasattr(model, "n_iter_") == ("max_iter" in names)


LABELS = np.random.default_rng(0).integers(0, 4, (120, 6))


def seeds():
    return [None, 3, np.int64(3), np.random.RandomState(3), np.random.default_rng(3)]


SEEDED = {
    "sampled evidence": lambda seed: cw.EvidenceAccumulation(
        3, max_objects=20, random_state=seed
    ).fit(LABELS).labels_,
    "sampled lwea": lambda seed: cw.LWEA(3, max_objects=20, random_state=seed).fit(LABELS).labels_,
    "lwgp": lambda seed: cw.LWGP(3, n_init=1, random_state=seed).fit(LABELS).labels_,
    "sampled cspa": lambda seed: cw.CSPA(3, max_objects=20, random_state=seed).fit(LABELS).labels_,
    "phi by annealing": lambda seed: cw.PhiConsensus(
        3, search="annealing", random_state=seed
    ).fit(LABELS).labels_,
    "phi by genes": lambda seed: cw.PhiConsensus(
        3, search="genetic", max_iter=5, random_state=seed
    ).fit(LABELS).labels_,
    "median by annealing": lambda seed: cw.MedianPartition(
        3, search="annealing", random_state=seed
    ).fit(LABELS).labels_,
}  # fmt: skip


@pytest.mark.parametrize("name", SEEDED)
def test_every_kind_of_random_state_works_and_repeats(name):
    run = SEEDED[name]
    found = [run(seed) for seed in seeds()]
    again = [run(seed) for seed in seeds()]
    for one, two in zip(found[1:], again[1:], strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(found[1], found[2])
    np.testing.assert_array_equal(found[1], found[3])


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("exponent", [-1000, 1020])
def test_only_the_ratios_of_weights_matter(estimator, exponent):
    ensemble = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 1], [2, 2, 2]])
    weights = np.array([1.0, 3.0, 2.0])

    def fit(weights):
        model = estimator(n_clusters=3, weights=weights)
        seed = {"random_state": 0} if "random_state" in model.get_params() else {}
        return model.set_params(**seed).fit(ensemble)

    expected, found = fit(weights), fit(np.ldexp(weights, exponent))
    assert found.labels_.tolist() == expected.labels_.tolist()
    if estimator is cw.PhiConsensus:  # the objective is linear in the weights
        assert found.objective_ == pytest.approx(expected.objective_ * 2.0**exponent, rel=1e-12)
        assert found.score_ == pytest.approx(expected.score_, rel=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("weights", [[1e308] * 3, [1e300, 1e-300, 1e-300], [5e-324] * 3])
@pytest.mark.parametrize(
    "ensemble",
    [
        [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0], [0, 0, 0, 1, 1, 1]],
        [[0, 1, 2, 3]] * 3,
        [[0, None, 1], [None, 0, 0], [None, 1, None]],
    ],
)
def test_the_largest_and_smallest_weights_do_not_warn(estimator, weights, ensemble):
    model = estimator(weights=weights).fit(ensemble)
    assert (model.labels_ >= 0).all()
    if estimator is cw.PhiConsensus:
        assert not np.isnan(model.objective_)
