"""Every parameter of every public function and class refuses what it cannot be, by its name."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw
from clusterwise import datasets, plots, report
from clusterwise._utils.parameter_constraints import Anything, Integer
from clusterwise._utils.parameters import constraints_of_class
from clusterwise._utils.results import Result
from clusterwise.alternatives.results import FoundClusterings

A, B = [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 0, 0]
RUNS = {"p": A, "q": B, "r": [0, 0, 1, 1, 1, 2, 2, 2]}
X = np.array([[0, 1], [0, 2], [1, 1], [1, 2], [5, 5], [5, 6], [9, 1], [9, 2]], float)
FRAME = pd.DataFrame({"a": A, "b": B, "x": X[:, 0], "y": X[:, 1]})
HUGE = 10**400
WRONG = [{}, float("nan"), -1, 0, True, HUGE, "zzz", [], object(), b"x", None, np.array(3), 1 + 2j]
# Results, which the library makes.
RESULTS = (Result, cw.TransportPlan, cw.FoundClustering, tuple, Exception)
SUMMARIES = (cw.Contingency, cw.DensityProfile, cw.EnsembleTable, cw.SoftOverlap)


def estimate(estimator):
    """Return a function that fits an estimator with some parameters."""
    data = np.array(list(RUNS.values())).T if "consensus" in estimator.__module__ else X
    given = A if "alternatives" in estimator.__module__ else None
    return lambda **parameters: estimator(**parameters).fit(data, given)


def public_callables():
    """All public functions, constructors and class methods: name, function, constraints."""
    for module in (cw, datasets, plots, report):
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isfunction(one):
                yield name, one, one._parameter_constraints
            elif inspect.isclass(one) and not issubclass(one, RESULTS):
                if hasattr(one, "get_params"):
                    yield name, estimate(one), constraints_of_class(one)
                elif not issubclass(one, SUMMARIES):
                    yield name, one, one.__init__._parameter_constraints
                for key, member in vars(one).items():
                    if isinstance(member, classmethod) and not key.startswith("_"):
                        function = getattr(one, key)
                        yield f"{name}.{key}", function, function._parameter_constraints


PUBLIC = {
    name: (function, constraints)
    for name, function, constraints in public_callables()
    if constraints
}
ESTIMATORS = [name for name in PUBLIC if hasattr(getattr(cw, name, None), "get_params")]
TABLE = cw.Contingency.from_labels(A, B)
BINNING = cw.Binning(n_bins=2).fit(X)
PROFILES = [cw.DensityProfile.from_data(X, labels, binning=BINNING) for labels in (A, B)]
# Arguments of correct calls, by the names of parameters.
ARGUMENTS = {
    "X": X,
    "a": A,
    "alternative": B,
    "b": B,
    "binning": BINNING,
    "chunks": [(A, B)],
    "count": 1,
    "edges": {"u": [0, 1, 2]},
    "ensemble": list(RUNS.values()),
    "frame": FRAME,
    "given": A,
    "labels": A,
    "labels_pred": B,
    "labels_true": A,
    "source": 0,
    "table": [[1, 2], [3, 4]],
    "target": 1,
}
# Those of single functions.
COMPARISON = cw.compare(A, B, X)
MATRIX = cw.compare_all(RUNS)
FOUND = FoundClusterings(given=np.array([A]), data=X)
OWN_ARGUMENTS = {
    "adjusted": {"measure": "rand_score"},
    "compare_to": {"reference": A, "clusterings": RUNS},
    "ReferenceDisplay": {"result": cw.compare_to(A, RUNS)},
    "ReferenceDisplay.from_clusterings": {"reference": A, "clusterings": RUNS},
    "ClusteringMapDisplay": {"distances": np.ones((3, 3)) - np.eye(3), "names": list("pqr")},
    "ClusteringMapDisplay.from_clusterings": {"clusterings": RUNS},
    "ClusteringMapDisplay.from_matrix": {"matrix": MATRIX},
    "Contingency.from_frame": {"a": "a", "b": "b"},
    "ContingencyDisplay": {"table": TABLE},
    "DensityProfile.from_chunks": {"chunks": [(X, A)]},
    "DensityProfile.from_frame": {"labels": "a", "features": ["x", "y"]},
    "EnsembleTable.from_frame": {"labels": "a", "ensemble": ["a", "b"]},
    "FlowDisplay": {"tables": [TABLE]},
    "FlowDisplay.from_clusterings": {"clusterings": RUNS},
    "FlowDisplay.from_matrix": {"matrix": MATRIX},
    "ProfileDisplay.from_profiles": {"a": PROFILES[0], "b": PROFILES[1]},
    "ScatterPairDisplay.from_found": {"found": FOUND},
    "recommend": {"a": A},
    "SimilarityDisplay": {"values": np.eye(2), "names": list("pq"), "measure": "rand_score"},
    "SimilarityDisplay.from_clusterings": {"clusterings": RUNS},
    "SimilarityDisplay.from_matrix": {"matrix": MATRIX},
    "SoftOverlap.from_frame": {"a": "a", "b": "b"},
    "TradeoffDisplay": {
        "quality": [1, 2],
        "dissimilarity": [0.1, 0.2],
        "names": list("pq"),
        "front": [0],
    },
    "assess": {"clusterer_or_labels": A, "n_resamples": 10, "n_null": 19},
    "cluster_again": {"method": "coala"},
    "combine": {"method": "voting"},
    "compare_all": {"clusterings": RUNS},
    "compare_profiles": {"a": PROFILES[0], "b": PROFILES[1]},
    "make_alternatives": {"n": 8},
    "make_categorical_alternatives": {"n": 8},
    "make_coala_set": {"name": "A"},
    "make_ensemble": {"n_clusterings": 2},
    "make_mixed_alternatives": {"n": 8},
}
# Functions that need a result or a file; values that are refused are refused without it.
WITHOUT_CALLS = {
    "AgreementDisplay",
    "ClusterStabilityDisplay",
    "ClusteringMapDisplay.from_found",
    "ClusteringMapDisplay.from_metaclusterer",
    "ClusteringStream.load",
    "ClusteringStream.resume",
    "CoAssociationDisplay",
    "ConsensusDisplay",
    "Contingency.from_pair",
    "DendrogramDisplay",
    "DendrogramDisplay.from_estimator",
    "DensityProfile.from_counts",
    "NumberAssessmentDisplay",
    "ObjectStabilityDisplay",
    "ProfileDisplay",
    "ScatterPairDisplay",
    "SoftOverlap.from_pair",
    "StabilityDisplay",
    "TimelineDisplay",
    "TimelineDisplay.from_reports",
    "TimelineDisplay.from_stream",
    "TradeoffDisplay.from_curve",
    "TradeoffDisplay.from_found",
    "load_dataset",
    "make_ds1",
    "make_ds2",
    "write_report",
}
NEEDS_X = {"adco_score", "adco_distance", "css_distance", "profile_cosine_score"}
NEEDS_X |= {"ScatterPairDisplay.from_clusterings"}
SECOND = {"b", "labels_pred", "ensemble"}  # missing if a table or an object stands for both
# The documentation of measures calls their clusterings a and b.
ALIASES = {"labels_true": "a", "labels_pred": "b"}


def arguments_of(name, function):
    """Return arguments with which a public function can be called."""
    if function.__qualname__.startswith("estimate"):
        return {}
    needed = {}
    for key, one in inspect.signature(function).parameters.items():
        required = one.default is one.empty and one.kind not in (
            one.VAR_KEYWORD,
            one.VAR_POSITIONAL,
        )
        if required or key in SECOND or (key == "X" and name in NEEDS_X):
            needed[key] = COMPARISON if key == "comparison" else ARGUMENTS.get(key)
    return needed | OWN_ARGUMENTS.get(name, {})


def refusal(function, arguments):
    """Return why arguments are refused; None if they are not."""
    try:
        function(**arguments)
    except cw.InputError as error:
        return str(error)
    return None


def explains(message, parameter, value):
    """Return whether a message is one sentence that names the parameter or the value."""
    if "\n" in message or not message.endswith((".", "?")):
        return False
    if isinstance(value, list):  # what is missing may have another name
        return True
    words = message.replace("_", " ")
    names = [ALIASES.get(parameter, parameter).replace("_", " ")]
    names += [value] if isinstance(value, str) else []
    return any(re.search(rf"\b{re.escape(one)}\b", words) for one in names)


@pytest.mark.parametrize("name", PUBLIC)
def test_wrong_values_are_refused_by_name(name):
    function, constraints = PUBLIC[name]
    arguments = arguments_of(name, function)
    for parameter, constraint in constraints.items():
        is_data = isinstance(constraint, Anything)
        for value in WRONG:
            if value is None and parameter in SECOND:
                continue  # the default
            if name in WITHOUT_CALLS or not (is_data or isinstance(value, str | list)):
                # A value that the constraint accepts is a correct one.
                if not constraint.accepts(value):
                    with pytest.raises(cw.InputError) as caught:
                        function(**{parameter: value})
                    assert explains(str(caught.value), parameter, value), (parameter, value)
                continue
            message = refusal(function, arguments | {parameter: value})
            assert message is None or explains(message, parameter, value), (parameter, value)


def test_correct_calls_are_correct():
    """So that wrong values are refused for their own sake."""
    for name in PUBLIC.keys() - WITHOUT_CALLS:
        function, _ = PUBLIC[name]
        function(**arguments_of(name, function))


def test_all_public_names_are_walked():
    walked = {name.split(".")[0] for name in PUBLIC}
    without_parameters = {"list_measures", "pack_ensemble"}
    modules = {"datasets", "plots", "report"}
    for module in (cw, datasets, plots, report):
        for name in module.__all__:
            one = getattr(module, name)
            is_result = inspect.isclass(one) and issubclass(one, RESULTS)
            assert is_result or name in walked | without_parameters | modules, name


@pytest.mark.parametrize("name", PUBLIC)
def test_defaults_are_accepted(name):
    function, constraints = PUBLIC[name]
    if function.__qualname__.startswith("estimate"):
        function = getattr(cw, name)
    for parameter, one in inspect.signature(function).parameters.items():
        if one.default is not one.empty:
            assert constraints[parameter].accepts(one.default), parameter


@pytest.mark.parametrize("name", ESTIMATORS)
def test_constructors_store_what_fit_refuses(name):
    estimator = getattr(cw, name)
    wrong = {parameter: object() for parameter in estimator().get_params()}
    model = estimator().set_params(**wrong)
    assert model.get_params() == estimator(**wrong).get_params() == wrong


@pytest.mark.parametrize(
    ("estimator", "parameters", "message"),
    [
        (cw.COALA, {"min_cluster_size": float("nan")}, "a number of at least 0 or None"),
        (cw.COALA, {"quality_floor": "zzz"}, "a number"),
        (cw.CIB, {"max_iter": float("nan")}, "an integer of at least 1"),
        (cw.MinCEntropy, {"random_state": "x"}, "an integer from 0 to 4294967295, a RandomState, "),
        (cw.CondEns, {"n_clusters": True}, "an integer of at least 1 or None"),
        (cw.MetaClusterer, {"pca": 1}, "True or False"),
        (cw.PhiConsensus, {"k1": "1"}, "a number"),
        (cw.CEM, {"n_components": 0}, "an integer of at least 1"),
        (cw.CEM, {"covariance_type": "round"}, "'full', 'tied', 'diag' or 'spherical'"),
    ],
)
def test_estimators_refuse_what_they_took_in_silence(estimator, parameters, message):
    ((name, value),) = parameters.items()
    verdict = {"random_state": " is not a seed", "covariance_type": " is unknown"}.get(name, "")
    expected = re.escape(f"{name}={value!r}{verdict}; use {message}")
    with pytest.raises(cw.InputError, match=f"^{expected}"):
        estimate(estimator)(**parameters)


# Of these, the smallest value depends on the data.
DEPENDS_ON_DATA = {"max_objects", "prototypes"}


@pytest.mark.filterwarnings("ignore")  # few steps do not converge, one cluster is degenerate
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_smallest_values_are_accepted(name):
    function, constraints = PUBLIC[name]
    for parameter, constraint in constraints.items():
        low = smallest(constraint)
        if low is None or parameter in DEPENDS_ON_DATA:
            continue
        assert function(**{parameter: low}).labels_.size == len(A)
        with pytest.raises(cw.InputError, match=rf"^{parameter}={low - 1}; use "):
            function(**{parameter: low - 1})


def smallest(constraint):
    """Return the smallest value that a constraint accepts, if it is an integer."""
    members = getattr(constraint, "members", [constraint])
    return next((one.low for one in members if isinstance(one, Integer) and one.low >= 0), None)


def test_counts_that_would_take_hours_are_refused():
    for most, call in (
        (100, lambda count: cw.cluster_again(X, n_alternatives=count)),
        (100_000, lambda count: cw.make_ensemble(X, count)),
        (100_000, lambda count: cw.MetaClusterer(n_base=count).fit(X)),
        (100_000, lambda count: cw.CIB(n_init=count).fit(X, A)),
        (10_000_000, lambda count: cw.co_association_curve([A, B], n_pairs=count)),
        (10_000_000, lambda count: cw.number_stability([A, A], n_pairs=count)),
        (100_000, lambda count: cw.PhiConsensus(n_init=count).fit(np.column_stack([A, A]))),
    ):
        with pytest.raises(cw.InputError, match=rf"use an integer (of at most|from 2 to) {most}"):
            call(most + 1)


@pytest.mark.parametrize("estimator", [cw.CSPA, cw.HGPA, cw.MCLA, cw.HBGF])
def test_the_largest_imbalance(estimator):
    """METIS takes it as an integer of 32 bits, in thousandths."""
    runs = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]]).T
    assert estimator(2, imbalance=1000).fit(runs).labels_.size == 6
    assert estimator(2, imbalance=np.int8(3)).fit(runs).labels_.size == 6
    with pytest.raises(cw.InputError, match=r"^imbalance=1001; use a number"):
        estimator(2, imbalance=1001).fit(runs)


def test_the_largest_values_are_accepted():
    assert cw.Binning(n_bins=1_000_000).n_bins == 1_000_000
    with pytest.raises(cw.InputError, match=r"^n_bins=1000001; use an integer of at most 1000000"):
        cw.Binning(n_bins=1_000_001)
    assert cw.ClusteringStream(10**12).window == 10**12
    with pytest.raises(cw.InputError, match=r"^window=1000000000001; use an integer of at most"):
        cw.ClusteringStream(10**12 + 1)
    assert cw.make_ensemble(X, 1, random_state=2**32 - 1).labels.shape == (8, 1)
    with pytest.raises(cw.InputError, match=r"^random_state=4294967296 is not a seed; use an int"):
        cw.make_ensemble(X, 1, random_state=2**32)
    assert cw.co_association_curve(list(RUNS.values()), lower=0, upper=1).pac <= 1
    assert cw.OrthogonalAlternative(explained_variance=1).fit(X, A).labels_.size == len(A)
