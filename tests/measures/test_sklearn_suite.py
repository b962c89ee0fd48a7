"""scikit-learn's own tests of these measures, run against ours.

Its test module is executed afresh while ``sklearn.metrics.cluster`` holds our
functions, so that its lists and parametrisations hold them too.
"""

import functools
import importlib.util
import inspect
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
import sklearn.metrics.cluster as sklearn_cluster

import clusterwise as cw
from clusterwise import Contingency

SHARED = (
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "completeness_score",
    "fowlkes_mallows_score",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "v_measure_score",
)

# Tests that say nothing about a shared measure, and why.
EXCLUDED = {
    "test_error_messages_on_wrong_input": "wording: ours is tested below",
    "test_generalized_average": "a private helper of scikit-learn",
    "test_public_entropy_deprecation": "a deprecated helper of scikit-learn",
    "test_entropy": "a private helper of scikit-learn",
    "test_entropy_array_api": "array API dispatch of a private helper",
    "test_check_clustering_error": "a warning of a private helper: any label is discrete to us",
}


def contingency_matrix(labels_true, labels_pred, *, eps=None, sparse=False):
    """scikit-learn's helper, from our table."""
    if eps is not None and sparse:
        raise ValueError("Cannot set 'eps' when sparse=True")
    table = Contingency.from_labels(labels_true, labels_pred)
    if sparse:
        return table.to_sparse()
    return table.to_array() if eps is None else table.to_array() + eps


def expected_mutual_information(contingency, n_samples):
    table = Contingency.from_table(contingency)
    assert table.n == n_samples
    return table.expected_information


def homogeneity_completeness_v_measure(labels_true, labels_pred, *, beta=1.0):
    return (
        cw.homogeneity_score(labels_true, labels_pred),
        cw.completeness_score(labels_true, labels_pred),
        cw.v_measure_score(labels_true, labels_pred, beta=beta),
    )


ADAPTED = (contingency_matrix, expected_mutual_information, homogeneity_completeness_v_measure)


def by_position(measure):
    return measure


def by_keyword(measure):
    """The same measure, always called with scikit-learn's names of the two parameters."""

    @functools.wraps(measure)
    def call(labels_true, labels_pred, **options):
        return measure(labels_true=labels_true, labels_pred=labels_pred, **options)

    return call


def load_suite(calls: Callable) -> ModuleType:
    """scikit-learn's test module with our measures in place of its own."""
    name = "sklearn.metrics.cluster.tests.test_supervised"
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        for measure in SHARED:
            patch.setattr(sklearn_cluster, measure, calls(getattr(cw, measure)))
        for adapter in ADAPTED:
            patch.setattr(sklearn_cluster, adapter.__name__, adapter)
        spec.loader.exec_module(module)
    return module


SUITE = load_suite(by_position)
SUITE_BY_KEYWORD = load_suite(by_keyword)
TESTS = {name: test for name, test in vars(SUITE).items() if name.startswith("test_")}
# pytest collects what this module holds: the tests themselves, with their parameters.
globals().update({name: test for name, test in TESTS.items() if name not in EXCLUDED})
globals().update(
    {
        f"{name}_by_keyword": getattr(SUITE_BY_KEYWORD, name)
        for name in TESTS
        if name not in EXCLUDED
    }
)


def test_the_suite_holds_our_measures():
    for name in SHARED:
        assert getattr(SUITE, name) is getattr(cw, name)
        assert getattr(sklearn_cluster, name) is not getattr(cw, name)
    assert set(SUITE.score_funcs) <= {getattr(cw, name) for name in SHARED}
    for name in SHARED:
        assert getattr(SUITE_BY_KEYWORD, name).__wrapped__ is getattr(cw, name)


def test_every_test_is_collected_or_excluded():
    missing = set(EXCLUDED) - set(TESTS)
    assert not missing, "excluded tests that scikit-learn no longer has"
    collected = {name for name, test in TESTS.items() if globals().get(name) is test}
    assert collected == set(TESTS) - set(EXCLUDED)
    assert len(collected) >= 20


def test_every_shared_measure_is_tested():
    used = {
        name
        for test, function in TESTS.items()
        if test not in EXCLUDED
        for name in function.__code__.co_names
    }
    assert set(SHARED) - used <= {"homogeneity_score", "completeness_score"}
    assert {cw.homogeneity_score, cw.completeness_score} <= set(SUITE.score_funcs)


@pytest.mark.parametrize("name", SHARED)
def test_parameters_are_those_of_scikit_learn_in_its_order(name):
    ours = inspect.signature(getattr(cw, name)).parameters
    theirs = inspect.signature(getattr(sklearn_cluster, name)).parameters
    wanted = [one for one in theirs.values() if one.default != "deprecated"]
    assert [one for one in ours if one in theirs] == [one.name for one in wanted]
    for one in wanted:
        assert ours[one.name].kind == one.kind
        if one.default is not one.empty:
            assert ours[one.name].default == one.default


@pytest.mark.parametrize("name", SHARED)
def test_our_messages_on_wrong_input(name):
    measure = getattr(cw, name)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        measure([0, 1], [1, 1, 1])
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        measure([[0, 1], [1, 0]], [1, 1, 1])
    with pytest.raises(ValueError, match=r"row 0 of b sums to 2; .* pass a 1D array"):
        measure([0, 1, 0], [[1, 1], [0, 0]])
    with pytest.raises(ValueError, match=r"a must be 1D: shape is \(2, 1, 1\)"):
        measure(np.zeros((2, 1, 1)), [1, 1])


@pytest.mark.parametrize("name", [name for name in SHARED if "mutual" not in name])
@pytest.mark.parametrize("seed", range(5))
def test_same_values_as_scikit_learn(name, seed):
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 6, 200), random.integers(-2, 9, 200)
    theirs = getattr(sklearn_cluster, name)(a, b)
    np.testing.assert_allclose(getattr(cw, name)(a, b), theirs, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["mutual_info_score", "normalized_mutual_info_score"])
@pytest.mark.parametrize("seed", range(5))
def test_same_information_as_scikit_learn(name, seed):
    """scikit-learn's entropies lose a digit or two."""
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 6, 200), random.integers(-2, 9, 200)
    theirs = getattr(sklearn_cluster, name)(a, b)
    assert getattr(cw, name)(a, b) == pytest.approx(theirs, rel=1e-10)


@pytest.mark.parametrize("average_method", ["min", "geometric", "arithmetic", "max"])
@pytest.mark.parametrize("seed", range(5))
def test_same_adjusted_information_as_scikit_learn(average_method, seed):
    random = np.random.default_rng(seed)
    a = random.integers(0, 6, 500)
    b = np.where(random.random(500) < 0.3, a, random.integers(0, 9, 500))
    theirs = sklearn_cluster.adjusted_mutual_info_score(a, b, average_method=average_method)
    ours = cw.adjusted_mutual_info_score(a, b, average_method=average_method)
    assert ours == pytest.approx(theirs, rel=1e-9)
