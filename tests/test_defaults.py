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
    cw.LWEA,
    cw.LWGP,
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


# Parameters with several defaults in the public API, and the functions and estimators of each that
# differ from all others. None of a function leaves the default to the estimator.
SEVERAL_DEFAULTS = {
    # Profiles are shown; measures have bins of equal width, as they are defined.
    "binning": {"DensityProfile.from_data": "auto", "DensityProfile.from_frame": "auto"},
    "dissimilarity": {"cluster_again": None},
    "exponents": {"make_ensemble": (0.5, 1.0, 1.5)},  # 0, the plain run, is a strategy of its own
    "given": {"ClusteringMapDisplay": ()},
    "matching": {"adco_score": "one-to-one", "adco_distance": "one-to-one"},
    "max_objects": {"EvidenceAccumulation": None, "LWEA": None},  # exact unless a sample is wanted
    "measure": {
        "transport_plan": "mallows_distance",
        "ClusteringMapDisplay": "distance",
        "ClusteringMapDisplay.from_clusterings": "variation_of_information",  # a metric, for a map
        "ClusteringMapDisplay.from_found": "variation_of_information",
    },
    "measures": {"TradeoffDisplay": ("", "")},
    "method": {"Binning": "width"},
    "metric": {"adco_distance": False},  # whether the distance is a metric
    "missing": {"combine": "ignore"},
    "most": {"FlowDisplay": 30, "FlowDisplay.from_clusterings": 30},
    "n_alternatives": {"cluster_again": None},
    "names": {
        "ClusteringStream": "kept",
        "compare_profiles": ("a", "b"),
        "ContingencyDisplay": ("a", "b"),
        "ContingencyDisplay.from_clusterings": ("a", "b"),
        "ProfileDisplay.from_profiles": ("a", "b"),
    },
    "normalized": {"PhiConsensus": True, "consensus_objective": True},
    "quality": {
        "cluster_again": None,
        "NaiveAlternative": None,  # by the number of objects
        "ClusteringMapDisplay": None,
        "ClusteringMapDisplay.from_clusterings": None,
        "ClusteringMapDisplay.from_matrix": None,
    },
    # Windows are the same after a checkpoint, and the p-values of two clusterings each time.
    "random_state": dict.fromkeys(
        ("ClusteringStream", "adjusted", "compare", "compare_all", "recommend"), 0
    ),
    "reference": {"ClusteringStream": "first"},  # a window, not a clustering
    "role": {"TradeoffDisplay": "chosen"},
    # By default it depends on the metric; other functions scale on request only.
    "scale": {"cluster_again": None, "tradeoff_curve": None},
    "search": {"MedianPartition": "moves"},
    "weights": {
        "css_distance": "uniform",
        "mallows_distance": "uniform",
        "transport_plan": "uniform",
    },
}
# Numbers of starts and steps depend on the algorithm.
OF_ALGORITHMS = {"max_iter", "n_components", "n_init", "tol"}


def public_callables():
    """Functions, classes and the class methods that make them, displays included."""
    found = {}
    for module in (cw, cw.plots):
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isfunction(one):
                found[name] = one
            elif inspect.isclass(one) and not issubclass(one, Exception):
                made = [method for method in dir(one) if method.startswith("from_")]
                found |= {name: one, **{f"{name}.{key}": getattr(one, key) for key in made}}
    return found


def test_a_parameter_has_one_default_in_the_public_api():
    found = {}
    for name, one in public_callables().items():
        for parameter, default in defaults(one).items():
            found.setdefault(parameter, {})[name] = default
    assert {"normalized", "scale", "min_cluster_size"} <= found.keys()
    for parameter in found.keys() - OF_ALGORITHMS:
        own = SEVERAL_DEFAULTS.get(parameter, {})
        assert own.items() <= found[parameter].items()
        others = {k: v for k, v in found[parameter].items() if k not in own}
        assert len({repr(default) for default in others.values()}) <= 1, (parameter, others)


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


# All parameters of the estimators with their defaults; a change here is a change for users.
SNAPSHOT = {
    "CEM": {
        "covariance_type": "full",
        "init_params": "kmeans",
        "max_iter": 100,
        "means_init": None,
        "n_components": 1,
        "n_init": 1,
        "precisions_init": None,
        "random_state": None,
        "reg_covar": 1e-06,
        "tol": 0.001,
        "verbose": 0,
        "verbose_interval": 10,
        "warm_start": False,
        "weights_init": None,
    },
    "CIB": {
        "binning": "width",
        "gamma": 1.0,
        "max_iter": 5,
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_bins": 10,
        "n_clusters": None,
        "n_init": 10,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
        "relation": "auto",
        "tol": 1e-06,
    },
    "COALA": {
        "dtype": "float64",
        "metric": "euclidean",
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_clusters": None,
        "omega": 0.6,
        "progress": None,
        "prototypes": None,
        "quality_floor": 0.5,
        "random_state": None,
    },
    "COALACat": {
        "dtype": "float64",
        "min_cluster_size": None,
        "missing_values": "category",
        "n_alternatives": 1,
        "n_clusters": None,
        "omega": 0.6,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
    },
    "CSPA": {
        "imbalance": 0.05,
        "max_objects": 2000,
        "n_clusters": None,
        "random_state": None,
        "weights": None,
    },
    "CondEns": {
        "base": None,
        "extend": "auto",
        "max_iter": 300,
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_clusters": None,
        "n_clusters_local": None,
        "n_init": 10,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
    },
    "EvidenceAccumulation": {
        "linkage": "average",
        "max_objects": None,
        "n_clusters": None,
        "progress": None,
        "random_state": None,
        "refine": False,
        "weights": None,
    },
    "HBGF": {"imbalance": 0.05, "n_clusters": None, "random_state": None, "weights": None},
    "HGPA": {
        "imbalance": 0.05,
        "max_objects": 2000,
        "n_clusters": None,
        "random_state": None,
        "weights": None,
    },
    "LWEA": {
        "max_objects": None,
        "n_clusters": None,
        "random_state": None,
        "theta": 0.4,
        "weights": None,
    },
    "LWGP": {
        "n_clusters": None,
        "n_init": 10,
        "random_state": None,
        "theta": 0.4,
        "weights": None,
    },
    "MAXIMUS": {
        "binning": "width",
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_clusters": None,
        "n_init": 6,
        "program": "objects",
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
        "subspaces": None,
        "tolerance": 0.05,
    },
    "MCLA": {"imbalance": 0.05, "n_clusters": None, "random_state": None, "weights": None},
    "MedianPartition": {
        "max_iter": 100,
        "n_clusters": None,
        "n_init": 3,
        "n_temperatures": 50,
        "progress": None,
        "random_state": None,
        "search": "moves",
        "weights": None,
    },
    "MetaClusterer": {
        "exponents": (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_base": 100,
        "n_clusters": None,
        "n_meta": None,
        "pca": True,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
        "scale": False,
    },
    "MinCEntropy": {
        "max_iter": 100,
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_clusters": None,
        "n_init": 10,
        "n_landmarks": 200,
        "penalty": 2.0,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
        "tol": 1e-07,
        "width": None,
    },
    "NaiveAlternative": {
        "n_alternatives": 1,
        "n_clusters": None,
        "n_runs": 3,
        "progress": None,
        "quality": None,
        "random_state": None,
    },
    "OrthogonalAlternative": {
        "approach": "whiten",
        "base": None,
        "explained_variance": 0.95,
        "min_cluster_size": None,
        "n_alternatives": 1,
        "n_clusters": None,
        "n_components": None,
        "progress": None,
        "quality_floor": 0.5,
        "random_state": None,
        "scale_components": False,
    },
    "PhiConsensus": {
        "k1": 1.0,
        "k2": -1.0,
        "max_iter": 100,
        "n_clusters": None,
        "n_init": 8,
        "normalized": True,
        "progress": None,
        "random_state": None,
        "search": "local",
        "weights": None,
    },
    "VotingConsensus": {"max_iter": 100, "n_clusters": None, "n_init": 5, "weights": None},
}


def test_defaults_of_estimators_are_kept():
    estimators = [name for name in cw.__all__ if hasattr(getattr(cw, name), "get_params")]
    assert {name: getattr(cw, name)().get_params() for name in estimators} == SNAPSHOT
