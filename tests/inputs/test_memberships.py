"""Membership matrices: one-hot ones are clusterings, all others get a clear answer."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from scipy import sparse

from clusterwise import Contingency, InputError, rand_score
from helpers.strategies import label_pairs
from reference import measures as naive

TEXTS = ["v", "w", "x", "y", "z"]


def frame(library):
    return lambda matrix: library({name: matrix[:, i] for i, name in enumerate(TEXTS)})


# Each kind of matrix, and what its clusters are called.
KINDS = {
    "float": (lambda matrix: matrix.astype(float), range(5)),
    "int8": (lambda matrix: matrix.astype(np.int8), range(5)),
    "bool": (lambda matrix: matrix.astype(bool), range(5)),
    "column by column": (np.asfortranarray, range(5)),
    "list of lists": (lambda matrix: matrix.tolist(), range(5)),
    "list of arrays": (list, range(5)),
    "scipy array": (sparse.csr_array, range(5)),
    "scipy matrix": (sparse.coo_matrix, range(5)),
    "pandas": (frame(pd.DataFrame), TEXTS),
    "polars": (frame(pl.DataFrame), TEXTS),
    "arrow": (frame(pa.table), TEXTS),
}


def cells(table):
    rows, columns, counts = table.nonzero
    names = zip(table.row_names[rows].tolist(), table.column_names[columns].tolist(), strict=True)
    return dict(zip(names, counts.tolist(), strict=True))


@pytest.mark.parametrize("kind", KINDS)
@given(pair=label_pairs())
def test_one_hot_matrices_are_labels(kind, pair):
    hold, names = KINDS[kind]
    matrix = np.eye(5, dtype=int)[pair.a]
    expected = naive.contingency([names[label] for label in pair.a], pair.b)
    assert cells(Contingency.from_labels(hold(matrix), pair.b)) == expected
    turned = Contingency.from_labels(pair.b, hold(matrix))
    assert cells(turned) == {(j, k): count for (k, j), count in expected.items()}


def test_a_matrix_without_objects():
    assert Contingency.from_labels(np.empty((0, 3)), []).n == 0


def test_a_list_of_tuples_is_a_list_of_labels():
    table = Contingency.from_labels([(0, 1), (1, 0), (0, 1)], [0, 0, 0])
    assert table.row_sums.tolist() == [2, 1]


@pytest.mark.parametrize("label", [("a", (1, 2)), ((1, 2), (3,))])
def test_tuples_with_others_inside_are_labels_too(label):
    table = Contingency.from_labels([label, label, ("b", 1)], [0, 0, 1])
    assert sorted(table.row_sums.tolist()) == [1, 2]


SOFT = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])


def changed(row, column, value):
    matrix = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    matrix[row, column] = value
    return matrix


@pytest.mark.parametrize("hold", [np.array, np.ndarray.tolist, frame, sparse.csr_array])
def test_soft_matrices_are_refused_with_the_first_such_object(hold):
    soft = pd.DataFrame(SOFT) if hold is frame else hold(SOFT)
    message = r"^b is a soft membership matrix \(object 1 .* pass b\.argmax\(axis=1\)"
    with pytest.raises(InputError, match=message):
        Contingency.from_labels([0, 1, 1], soft)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (changed(1, 0, -0.5), "^a is -0.5 at row 1, column 0; memberships cannot be negative"),
        (changed(2, 1, 0.7), "^row 2 of a sums to 0.7; rows of a membership matrix sum to 1"),
        (changed(2, 0, 1.0), "^row 2 of a sums to 2; "),
        (changed(2, 0, np.nan), "^a is not finite at row 2, column 0"),
        (changed(0, 1, np.inf), "^a is not finite at row 0, column 1"),
        (np.array([["x", "y"]] * 3), r"^a is a table of <U1 with shape \(3, 2\)"),
        (np.array([[1], [2], [3]]), "^row 1 of a sums to 2; .* pass a 1D array"),
        (np.empty((3, 0)), "^row 0 of a sums to 0"),
    ],
)
def test_matrices_that_are_no_memberships(matrix, message):
    with pytest.raises(InputError, match=message):
        Contingency.from_labels(matrix, [0, 1, 1])


def test_frames_of_other_things_are_refused():
    with pytest.raises(InputError, match=r"^b is a table of .* pass one label per object"):
        Contingency.from_labels([0, 1], pd.DataFrame({"first": ["x", "y"], "second": ["x", "x"]}))


def test_lengths_of_matrices_are_compared():
    with pytest.raises(InputError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        Contingency.from_labels(np.eye(3), [0, 1])


@pytest.mark.parametrize("holder", [np.array, sparse.csr_array])
def test_rows_that_overflow_are_refused_without_a_warning(holder):
    memberships = holder([[1e308, 1e308], [0.0, 1.0]])
    with pytest.raises(InputError, match="row 0 of a sums to inf"):
        rand_score(memberships, memberships)
