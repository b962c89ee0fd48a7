"""Ensembles from anything: arrays, lists, dicts, frames; missing labels; objects that are alike."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import InputError
from clusterwise.inputs.ensembles import apply_label_options, read_ensemble


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
        ([[0, 1], [None, None]], "clustering 1 has no labels"),
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


LABEL = st.sampled_from([None, -1, 0, 1, 2])


@given(
    st.integers(1, 3).flatmap(
        lambda m: st.lists(st.lists(LABEL, min_size=m, max_size=m), min_size=2, max_size=9)
    ),
    st.sampled_from(["cluster", "singletons", "drop"]),
    st.sampled_from(["ignore", "drop", "label"]),
)
def test_label_options_are_those_of_their_definition(rows, noise, missing):
    columns = [list(column) for column in zip(*rows, strict=True)]
    lacks = [None in row for row in rows]

    def treat(i, label):
        if label is None and missing == "label":
            return "(missing)"
        if missing == "drop" and lacks[i]:
            return None
        if label == -1 and noise != "cluster":
            return None if noise == "drop" else ("noise", i)
        return label

    expected = [[treat(i, label) for i, label in enumerate(column)] for column in columns]
    if any(set(column) == {None} for column in [*columns, *expected]):
        return
    found = apply_label_options(read_ensemble(columns), noise=noise, missing=missing)
    for codes, size, values, column in zip(
        found.codes, found.sizes, found.values, expected, strict=True
    ):
        known = [one is not None for one in column]
        assert (codes >= 0).tolist() == known
        assert_same_clusters(codes[known], [one for one in column if one is not None])
        assert len(values) == size


def test_singletons_need_each_object_by_itself():
    read = read_ensemble([[-1, 0], [0, 1]])
    assert apply_label_options(read._replace(counts=np.array([1, 5])), noise="singletons").n == 2
    texts = read_ensemble([["a", "a", "-1"], ["0", "-1", "-1"]])
    dropped = apply_label_options(texts, noise="drop")
    assert [row.tolist() for row in dropped.codes] == [[0, 0, -1], [0, -1, -1]]
    with pytest.raises(InputError, match="noise='singletons' needs every object"):
        apply_label_options(read._replace(counts=np.array([2, 1])), noise="singletons")
