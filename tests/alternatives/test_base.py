"""The base classes of the estimators, and cluster sizes as numbers or fractions of objects."""

from math import nan

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator

import clusterwise as cw
from clusterwise.alternatives.base import (
    PointAlternative,
    join_small,
    validate_features,
)
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.features import read_features
from clusterwise.inputs.points import read_points


class Reader(BaseEstimator):
    """An estimator that does nothing but read."""


NUMBERS = [[1.0, 2.0], [3.0, nan], [5.0, 0.0]]


@pytest.mark.parametrize(
    "X",
    [
        NUMBERS,
        tuple(map(tuple, NUMBERS)),
        np.array(NUMBERS),
        np.array(NUMBERS, np.float32),
        np.array(NUMBERS, object),
        pd.DataFrame(NUMBERS, columns=["a", "b"]),
        pl.DataFrame(NUMBERS, schema=["a", "b"], orient="row"),
        read_features(NUMBERS),
    ],
    ids=["list", "tuple", "doubles", "floats", "objects", "pandas", "polars", "features"],
)
def test_objects_of_any_type_are_read(X):
    reader = Reader()
    features = validate_features(reader, X)
    assert (features.n, reader.n_features_in_) == (3, 2)
    # The gap becomes the mean.
    assert read_points(features).points.tolist() == [[1, 2], [3, 1], [5, 0]]


def test_feature_names_are_stored():
    reader = Reader()
    frame = pd.DataFrame({"size": [1.0, 3.0], "colour": ["red", None]})
    features = validate_features(reader, frame)
    assert [column.kind for column in features.columns] == ["numeric", "nominal"]
    assert reader.feature_names_in_.tolist() == ["size", "colour"]
    assert reader.n_features_in_ == 2
    texts = validate_features(reader, [["a", "x"], ["b", "x"]])
    assert [column.kind for column in texts.columns] == ["nominal", "nominal"]


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[1.0, 2.0]], "minimum of 2 is required"),
        ([["a", "b"]], "n_samples=1 in X; pass at least two objects"),
        (np.empty((0, 2)), r"0 sample\(s\)"),
        ([[1.0, np.inf], [2.0, 3.0]], "infinity"),
        ([1.0, 2.0], "Expected 2D array"),
        (sparse.csr_array(np.eye(3)), "[Ss]parse"),
        (np.eye(3) * 1j, "Complex data"),
        (np.empty((3, 0)), r"0 feature\(s\)"),
    ],
)
def test_invalid_input_is_refused(X, words):
    with pytest.raises((ValueError, TypeError), match=words):
        validate_features(Reader(), X)


def naive_join(points, labels, least):
    """Object by object: those of small clusters go to the nearest centre of a large one."""
    least = least * len(labels) if 0 < least < 1 else least
    sizes = {k: labels.count(k) for k in labels}
    centres = {
        k: np.mean([x for x, label in zip(points, labels, strict=True) if label == k], axis=0)
        for k in sorted(sizes)
        if sizes[k] >= least
    }
    return [
        label
        if sizes[label] >= least or not centres
        else min(centres, key=lambda k: ((x - centres[k]) ** 2).sum())
        for x, label in zip(points, labels, strict=True)
    ]


@st.composite
def clustered(draw):
    labels = draw(st.lists(st.integers(0, 4), min_size=1, max_size=20))
    labels = [sorted(set(labels)).index(label) for label in labels]
    # Real numbers, so that no two centres are equally far away.
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return random.normal(size=(len(labels), draw(st.integers(1, 3)))), labels


@given(clustered(), st.one_of(st.integers(0, 8), st.sampled_from([0.1, 0.25, 0.5, 0.9])))
def test_small_clusters_join_the_nearest_large_one(case, least):
    points, labels = case
    before = list(labels)
    found = join_small(points, np.array(labels), least)
    wanted = naive_join(points, labels, least)
    assert cw.adjusted_rand_score(wanted, found) == 1
    assert len(set(zip(wanted, found.tolist(), strict=True))) == len(set(wanted))
    assert labels == before
    if len(set(wanted)) < len(set(labels)):
        # Without gaps, in the order of first objects.
        assert list(dict.fromkeys(found.tolist())) == list(range(len(set(wanted))))


def test_nothing_joins_without_a_size_or_without_large_clusters():
    points, labels = np.arange(6.0)[:, None], np.array([0, 1, 1, 2, 2, 2])
    for least in (None, 0, 1, 4):
        assert join_small(points, labels, least) is labels
    assert join_small(points, labels, 2).tolist() == [0, 0, 0, 1, 1, 1]
    assert join_small(points, labels, 0.5).tolist() == [0] * 6
    assert labels.tolist() == [0, 1, 1, 2, 2, 2]


def test_quality_is_that_of_centroids():
    points = np.array([[0.0], [1.0], [5.0], [7.0]])
    # Centroids 0.5 and 6; twice the mean distance to them is 1 and 2.
    problem = AlternativeProblem(points, 4)
    quality = PointAlternative._centroid_quality(None, problem)
    assert quality(np.array([0, 0, 1, 1])) == pytest.approx(5.5 / 2)
