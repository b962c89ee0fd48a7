"""Rules for the signatures of the public functions and classes."""

import inspect
from importlib import import_module

import numpy as np
import pytest
from sklearn.metrics import cluster as sklearn_cluster

import clusterwise as cw
from clusterwise._utils.results import Result

LABEL_OPTIONS = {
    "sample_weight": None,
    "noise": "cluster",
    "noise_label": -1,
    "align": None,
    "missing": "error",
}
MEASURES = [measure.name for measure in cw.list_measures()]
SHARED = [name for name in cw.__all__ if hasattr(sklearn_cluster, name)]
A, B = [0, 0, 1, 1, 2, 2, 2], [1, 1, 1, 0, 0, 2, 2]
# Classes whose constructors are called by the library only.
RESULTS = (Result, cw.FoundClustering, cw.TransportPlan, tuple, Exception)
SUMMARIES = (cw.Contingency, cw.DensityProfile, cw.EnsembleTable, cw.SoftOverlap)


def parameters(function):
    return {
        name: one
        for name, one in inspect.signature(function).parameters.items()
        if name not in ("self", "cls")
    }


def public_callables():
    """All public functions, constructors and methods, by name."""
    modules = [cw, *(getattr(cw, name) for name in ("datasets", "plots", "report"))]
    for module in modules:
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isfunction(one):
                yield name, one
            elif inspect.isclass(one):
                if not issubclass(one, (*RESULTS, *SUMMARIES)):
                    yield name, one
                for key, member in inspect.getmembers(one, callable):
                    home = getattr(member, "__module__", None) or ""
                    if not key.startswith("_") and home.startswith("clusterwise"):
                        yield f"{name}.{key}", member


CALLABLES = dict(public_callables())


@pytest.mark.parametrize("name", SHARED)
def test_measures_of_scikit_learn_are_drop_in(name):
    ours, theirs = getattr(cw, name), getattr(sklearn_cluster, name)
    mine = list(parameters(ours).values())
    for position, one in enumerate(parameters(theirs).values()):
        assert one.name in parameters(ours)
        if one.kind is one.POSITIONAL_OR_KEYWORD:
            assert mine[position].name == one.name
        if one.default is not one.empty:
            assert parameters(ours)[one.name].default == one.default
    expected = theirs(labels_true=A, labels_pred=B)
    np.testing.assert_allclose(ours(labels_true=A, labels_pred=B), expected, atol=1e-12)


def test_which_measures_scikit_learn_has():
    assert len(SHARED) == 10
    assert {"adjusted_rand_score", "v_measure_score", "pair_confusion_matrix"} <= set(SHARED)


@pytest.mark.parametrize(
    "name", [*MEASURES, "pair_confusion_matrix", "transport_plan", "compare", "compare_all"]
)
def test_label_options_are_spelled_out(name):
    found = parameters(getattr(cw, name))
    assert {key: found[key].default for key in LABEL_OPTIONS} == LABEL_OPTIONS
    assert all(found[key].kind is inspect.Parameter.KEYWORD_ONLY for key in LABEL_OPTIONS)


def test_verbs_are_twins():
    again, combine = parameters(cw.cluster_again), parameters(cw.combine)
    both = {"method", "n_clusters", "noise", "noise_label", "random_state", "progress", "params"}
    assert both <= again.keys() & combine.keys()
    assert "missing" in again.keys() & combine.keys() & parameters(cw.compare).keys()
    for name in both:
        assert again[name].default == combine[name].default


@pytest.mark.parametrize("name", CALLABLES)
def test_few_positional_parameters_and_no_positional_booleans(name):
    positional = [
        one
        for one in parameters(CALLABLES[name]).values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    assert len(positional) <= 3
    assert not [one.name for one in positional if isinstance(one.default, bool)]
    assert not [one.name for one in positional if one.annotation is bool]


def test_results_are_exported_at_the_top():
    for name in ("comparing", "alternatives", "consensus", "stability", "streams"):
        package = import_module(f"clusterwise.{name}")
        for one in package.__all__:
            found = getattr(package, one)
            if inspect.isclass(found) and issubclass(found, Result):
                assert getattr(cw, one) is found
