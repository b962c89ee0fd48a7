"""The input of a search: read once, and shared by methods, refinement and scores."""

import sys

import numpy as np
import pandas as pd
import pytest

from clusterwise import cluster_again
from clusterwise.alternatives import given as given_module
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.methods import ESTIMATORS, METHODS
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.datasets import make_alternatives, make_mixed_alternatives
from clusterwise.inputs import features as features_module, points as points_module
from clusterwise.inputs.features import Features


@pytest.fixture
def reads(monkeypatch):
    """The number of times that input is read, by the name of the function that reads it."""
    counts = {}

    def count(home, name):
        original = getattr(home, name)
        counts[name] = 0

        def counted(X, *args, **kwargs):
            # What was read before is returned as it is.
            counts[name] += name != "read_features" or not isinstance(X, Features)
            return original(X, *args, **kwargs)

        ours = [module for path, module in sys.modules.items() if path.startswith("clusterwise.")]
        for module in ours:
            if vars(module).get(name) is original:
                monkeypatch.setattr(module, name, counted)

    # Load the modules of all methods first.
    data = make_alternatives(20, (2, 2), random_state=0)
    for method in METHODS:
        cluster_again(data.X, data.labels[:, 0], method, n_alternatives=1, random_state=0)
    for home, name in (
        (features_module, "read_features"),
        (points_module, "read_points"),
        (given_module, "read_given"),
    ):
        count(home, name)
    return counts


@pytest.mark.filterwarnings("ignore:.*alternatives:UserWarning")
@pytest.mark.parametrize("method", METHODS)
def test_the_input_is_read_once(reads, method):
    data = make_alternatives(60, (2, 2), random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], method, n_alternatives=2, random_state=0)
    assert found
    assert reads["read_features"] == 1
    assert reads["read_points"] <= 1
    assert reads["read_given"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "condens", "cib"])
def test_mixed_frames_are_read_once(reads, method):
    data = make_mixed_alternatives(80, (2, 2), random_state=0)
    frame = pd.DataFrame(data.X, columns=list(data.feature_names)).infer_objects()
    cluster_again(frame, data.labels, method, random_state=0)
    assert reads == {"read_features": 1, "read_points": 1, "read_given": 1}


def test_every_method_but_auto_has_an_estimator():
    assert ("auto", *ESTIMATORS) == METHODS


def test_other_given_clusterings_keep_what_was_read():
    problem = AlternativeProblem([[0.0, 1.0], [2.0, 3.0]], 2)
    assert problem.given is None
    points, distances = problem.points, problem.distances()
    given = Given(np.array([[0, 1]]), (2,))
    other = problem.with_given(given)
    assert other.given is given
    assert problem.given is None
    assert other.points is points
    assert other.distances() is distances
    assert other.distances("cityblock") is not distances


def test_points_are_features_too():
    mixed = AlternativeProblem([["a", 1.0], ["b", 3.0]], 2)
    assert mixed.point_features.matrix is mixed.points
    assert mixed.points.shape == (2, 3)
