"""Results draw the objects that they were computed from, without a copy of them."""

import copy
import json
import pickle

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

import clusterwise as cw
from clusterwise.plots import ScatterPairDisplay


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def X():
    corners = np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 10, axis=0)
    return corners + np.random.default_rng(0).normal(size=(40, 2))


GIVEN = np.repeat([0, 1], 20)


@pytest.fixture
def found(X):
    return cw.cluster_again(X, GIVEN, "naive", random_state=0)


def test_alternatives_show_the_objects(X, found):
    assert found.data is X
    display = found.plot()
    assert isinstance(display, ScatterPairDisplay)
    assert [group.title for group in display.groups] == ["given", "0 NaiveAlternative"]
    expected = ScatterPairDisplay.from_clusterings(GIVEN, found[0].labels, X)
    np.testing.assert_array_equal(display.projection.points, expected.projection.points)
    assert [own.numbers.tolist() for own in display.colours] == [
        own.numbers.tolist() for own in expected.colours
    ]
    assert "separates given best" in found.plot(axes="crossed").ax_.get_xlabel()
    other = found.plot("scatter", X=X[:, ::-1])
    assert not np.array_equal(other.projection.points, display.projection.points)


def test_as_many_alternatives_as_asked_for(X):
    found = cw.cluster_again(X, np.column_stack([GIVEN, GIVEN]), "naive", random_state=0)
    found = type(found)([found[0]] * 3, given=found.given, data=X)
    names = ["given 1", "given 2", "0 NaiveAlternative", "1 NaiveAlternative", "2 NaiveAlternative"]
    for count, shown in ((1, 3), (3, 5), (9, 5)):
        display = found.plot(n_alternatives=count)
        assert [group.title for group in display.groups] == names[:shown]
    assert found[:1].data is X
    nothing = type(found)(given=found.given[:1], data=X)
    assert [group.title for group in nothing.plot().groups] == ["given"]


def test_objects_that_were_left_out_are_not_drawn(X):
    given = GIVEN.copy()
    given[:3] = -1
    found = cw.cluster_again(X, given, "naive", noise="drop", random_state=0)
    display = found.plot()
    assert len(display.projection.points) == 37
    assert display.ax_.get_title(loc="left").startswith("5")
    assert "of 37 objects" in display.ax_.get_title(loc="left")
    np.testing.assert_array_equal(display.projection.points, project_all(X)[3:])


def project_all(X):
    return ScatterPairDisplay.from_clusterings(GIVEN, X=X).projection.points


def test_without_features_there_is_a_map(X, found):
    alone = type(found)(list(found), given=found.given)
    assert type(alone.plot()).__name__ == "ClusteringMapDisplay"
    assert isinstance(alone.plot(X=X), ScatterPairDisplay)
    assert isinstance(alone.plot(coordinates=X), ScatterPairDisplay)
    with pytest.raises(cw.InputError, match="pass X or coordinates"):
        alone.plot("scatter")


def test_distances_are_no_features(X):
    distances = pairwise_distances(X)
    found = cw.cluster_again(distances, GIVEN, "coala", metric="precomputed")
    assert found.data is None
    found = cw.cluster_again(distances, GIVEN, cw.COALA(metric="precomputed"))
    assert found.data is None


def test_features_are_neither_copied_nor_pickled(X, found):
    wide = np.hstack([X, np.zeros((40, 10_000))])
    large = cw.cluster_again(wide, GIVEN, "naive", random_state=0)
    assert large.data is wide
    # The name and the score of every feature are there, for both clusterings, but not the objects.
    assert len(pickle.dumps(large)) - len(pickle.dumps(found)) < 60 * wide.shape[1]
    assert wide[0, :2].tobytes() not in pickle.dumps(large)
    assert wide[0, :2].tobytes() in pickle.dumps(wide)
    assert len(json.dumps(large.to_dict())) < 30 * wide.shape[1]
    loaded = pickle.loads(pickle.dumps(found))
    assert loaded.data is None
    assert repr(loaded) == repr(found)
    assert isinstance(loaded.plot(X=X), ScatterPairDisplay)
    assert repr(copy.copy(found)) == repr(found)


def test_a_consensus_of_made_clusterings_shows_their_objects(X):
    made = cw.make_ensemble(X, 8, n_clusters=4, random_state=0)
    assert made.data is X
    combined = cw.combine(made, random_state=0)
    assert combined.data is X
    display = combined.plot("scatter")
    assert [group.title for group in display.groups] == ["consensus"]
    np.testing.assert_array_equal(display.projection.points, project_all(X))
    assert "separates consensus best" in combined.plot("scatter", axes="crossed").ax_.get_xlabel()
    loaded = pickle.loads(pickle.dumps(combined))
    assert loaded.data is None
    assert loaded.labels.tolist() == combined.labels.tolist()
    assert pickle.loads(pickle.dumps(made)).data is None


def test_a_consensus_of_labels_takes_features(X):
    combined = cw.combine([GIVEN, GIVEN, 1 - GIVEN], random_state=0)
    assert combined.data is None
    np.testing.assert_array_equal(combined.plot("scatter", X=X).projection.points, project_all(X))
    points = combined.plot("scatter", coordinates=X).projection.points
    np.testing.assert_array_equal(points, X)
    with pytest.raises(cw.InputError, match="pass X or coordinates"):
        combined.plot("scatter")
    with pytest.raises(cw.InputError, match="use matrix, objects or scatter"):
        combined.plot("pie")
