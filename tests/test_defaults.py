"""Functions and the estimators that they make have the same defaults and parameter names."""

import inspect

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.alternatives.methods import ESTIMATORS
from clusterwise.datasets import make_alternatives

ALTERNATIVES = [getattr(cw, name) for name in ESTIMATORS.values()]
CONSENSUS = [
    cw.CSPA,
    cw.EvidenceAccumulation,
    cw.HBGF,
    cw.HGPA,
    cw.MCLA,
    cw.MedianPartition,
    cw.PhiConsensus,
    cw.VotingConsensus,
]
PAIRS = [
    *((cw.cluster_again, estimator) for estimator in ALTERNATIVES),
    (cw.tradeoff_curve, cw.COALA),
    *((cw.combine, estimator) for estimator in CONSENSUS),
]


def defaults(function):
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }


@pytest.mark.parametrize(
    ("function", "estimator"), PAIRS, ids=[f"{f.__name__}-{e.__name__}" for f, e in PAIRS]
)
def test_defaults_are_the_same(function, estimator):
    """None in a function means that the estimator keeps its own."""
    ours, theirs = defaults(function), defaults(estimator)
    common = ours.keys() & theirs.keys()
    assert common
    assert {k: ours[k] for k in common if ours[k] is not None} == {
        k: theirs[k] for k in common if ours[k] is not None
    }


@pytest.mark.parametrize("method", ESTIMATORS)
def test_a_named_method_is_the_estimator_with_its_defaults(method):
    """But for the guard against very small clusters, which only cluster_again has."""
    data = make_alternatives(40, (2, 2), random_state=0)
    estimator = getattr(cw, ESTIMATORS[method])()
    (found,) = cw.cluster_again(data.X, data.labels[:, 0], method, guard=False)
    assert found.parameters == estimator.get_params()


# What all estimators of a family have in common, and which of them have what some have.
COMMON = {
    "alternatives": (
        ALTERNATIVES,
        {"n_clusters": None, "n_alternatives": 1, "random_state": None, "progress": None},
        {
            "min_cluster_size": (None, {cw.NaiveAlternative}),
            "quality_floor": (0.5, {cw.NaiveAlternative}),
        },
    ),
    "consensus": (CONSENSUS, {"n_clusters": None, "weights": None}, {}),
}


@pytest.mark.parametrize("family", COMMON)
def test_families_have_the_same_parameters(family):
    estimators, every, most = COMMON[family]
    for estimator in estimators:
        parameters = defaults(estimator)
        assert every.items() <= parameters.items()
        for name, (default, exceptions) in most.items():
            assert (name in parameters) == (estimator not in exceptions)
            assert parameters.get(name, default) == default


@pytest.mark.parametrize("estimator", ALTERNATIVES)
def test_alternatives_have_the_same_attributes(estimator):
    data = make_alternatives(40, (2, 2), random_state=0)
    model = estimator(3, random_state=0).fit(data.X, data.labels[:, 0])
    assert model.labels_.shape == (40,)
    assert model.alternatives_.shape == (1, 40)
    assert model.given_.tolist() == [data.labels[:, 0].tolist()]
    (sizes,) = model.sizes_
    assert sorted(sizes.sizes) == sorted(np.bincount(model.labels_))
    assert model.n_clusters_ == len(sizes.sizes)
    assert model.degenerate_ == sizes.degenerate
    assert model.effective_n_clusters_ == sizes.effective
    assert model.n_features_in_ == data.X.shape[1]


@pytest.mark.parametrize("estimator", ALTERNATIVES)
@pytest.mark.parametrize("given", [True, False])
def test_generators_are_random_states(estimator, given):
    """A Generator with the same seed gives the same, with and without a given clustering."""
    data = make_alternatives(60, (3, 3), separation=3, random_state=0)
    y = data.labels[:, 0] if given else None
    once, twice = (
        estimator(random_state=np.random.default_rng(7)).fit(data.X, y).alternatives_
        for _ in range(2)
    )
    np.testing.assert_array_equal(once, twice)


@pytest.mark.parametrize("method", ["auto", *ESTIMATORS])
@pytest.mark.parametrize("given", [True, False])
def test_cluster_again_takes_generators(method, given):
    data = make_alternatives(60, (3, 3), separation=3, random_state=0)
    y = data.labels[:, 0] if given else None
    once, twice = (
        cw.cluster_again(data.X, y, method, random_state=np.random.default_rng(7)) for _ in range(2)
    )
    assert [one.labels.tolist() for one in once] == [one.labels.tolist() for one in twice]


def test_prototypes_take_generators():
    data = make_alternatives(60, (2, 2), separation=3, random_state=0)
    once, twice = (
        cw.COALA(prototypes=10, random_state=np.random.default_rng(7))
        .fit(data.X, data.labels[:, 0])
        .prototypes_
        for _ in range(2)
    )
    np.testing.assert_array_equal(once, twice)
