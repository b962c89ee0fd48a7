"""Ensembles from anything: arrays, lists, dicts, frames; missing labels; objects that are alike."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise.inputs.ensembles import read_ensemble


def assert_same_clusters(codes, labels):
    """Codes from zero without gaps, one for each label."""
    pairs = set(zip(codes.tolist(), list(labels), strict=True))
    assert len(pairs) == len(set(codes.tolist())) == len(set(labels))
    assert set(codes.tolist()) == set(range(len(pairs)))


@given(
    st.integers(1, 150), st.integers(1, 10), st.sampled_from([0, -5, 10**12]),
    st.sampled_from([1, 7, 64, 65, 1000]), st.sampled_from("CF"), st.integers(0, 100),
)  # fmt: skip
def test_whole_numbers(n, m, low, spread, order, seed):
    labels = np.random.default_rng(seed).integers(0, spread, (n, m)) + low
    read = read_ensemble(np.asarray(labels, order=order))
    assert read.codes.shape == (m, n)
    for j in range(m):
        assert_same_clusters(read.codes[j], labels[:, j].tolist())
        assert read.sizes[j] == len(set(labels[:, j].tolist()))
        assert read.values[j][read.codes[j]].tolist() == labels[:, j].tolist()
    listed = read_ensemble(list(labels.T))
    assert np.array_equal(listed.codes, read.codes)


@pytest.mark.parametrize("late", [-3, 70])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_label_that_comes_late(late, order):
    labels = np.zeros((3000, 2), np.int64, order=order)
    labels[::2, 0] = 3
    labels[2500, 0] = late
    read = read_ensemble(labels)
    assert read.sizes == (3, 1)
    assert_same_clusters(read.codes[0], labels[:, 0].tolist())


def test_kinds_of_input_agree():
    labels = np.array([[0, 5], [0, 6], [2, 6]])
    first = read_ensemble(labels)
    named = {"a": ["x", "x", "y"], "b": [5, 6, 6]}
    for other in (named, pd.DataFrame(named), [["x", "x", "y"], np.array([5.0, 6.0, 6.0])]):
        read = read_ensemble(other)
        assert np.array_equal(read.codes, first.codes)
        assert read.sizes == (2, 2)
    assert read_ensemble(named).names == read_ensemble(pd.DataFrame(named)).names == ("a", "b")
    assert read_ensemble(first) is first


def test_missing_labels():
    read = read_ensemble(np.array([[0, np.nan], [np.nan, 1], [4, 1]]))
    assert read.codes.tolist() == [[0, -1, 1], [-1, 0, 0]]
    assert read_ensemble([["a", None, "b"]]).codes.tolist() == [[0, -1, 1]]


@pytest.mark.parametrize(
    ("ensemble", "words"),
    [
        ([], "no clustering"),
        (np.empty((0, 2), int), "no object"),
        ([[0, 1], [0]], "clustering 1 has 1 labels, but 0 has 2"),
        ([[0, 1], [None, None]], "clustering 1 has no label at all"),
        ([np.zeros((2, 2))], "shape"),
    ],
)
def test_refusals(ensemble, words):
    with pytest.raises(InputError, match=words):
        read_ensemble(ensemble)


@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 100))
def test_collapse_keeps_everything(n, m, seed):
    labels = np.random.default_rng(seed).integers(-1, 2, (n, m)).astype(float)
    labels[labels < 0] = np.nan
    labels[0] = 0
    read = read_ensemble(labels)
    few, weights, of = read.collapse()
    assert np.array_equal(few.codes[:, of], read.codes)
    assert weights.tolist() == np.bincount(of).tolist()
    assert len(set(map(tuple, few.codes.T.tolist()))) == few.n
    assert np.unique(of, return_index=True)[1].tolist() == sorted(
        np.unique(of, return_index=True)[1].tolist()
    )
