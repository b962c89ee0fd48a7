"""What is wrong with memberships and vectors, said in one sentence that names the row."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import clusterwise as cw
from clusterwise import SoftOverlap

WRONG = {
    "negative": ([1.5, -0.5], "is -0.5 at row {row}, column 1; memberships cannot be negative"),
    "missing": ([np.nan, 1.0], "is not finite at row {row}, column 0"),
    "infinite": ([0.0, np.inf], "is not finite at row {row}, column 1"),
    "too much": ([0.5, 0.75], "^row {row} of {side} sums to 1.25; rows of a membership matrix"),
    "nothing": ([0.0, 0.0], "^row {row} of {side} sums to 0; "),
}


def halves(n):
    return np.full((n, 2), 0.5)


def broken(n, *places):
    matrix = halves(n)
    for row, shares in places:
        matrix[row] = shares
    return matrix


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array, pd.DataFrame])
@pytest.mark.parametrize("other", ["soft", "labels", "sparse"])
@pytest.mark.parametrize("p", [1, 2])
def test_the_first_bad_row_is_named(wrong, side, form, other, p):
    shares, message = WRONG[wrong]
    bad = form(broken(300, (170, shares), (171, shares), (299, shares)))
    good = {
        "soft": halves(300),
        "labels": np.arange(300) % 3,
        "sparse": sparse.csr_array(halves(300)),
    }
    pair = (bad, good[other]) if side == "a" else (good[other], bad)
    with pytest.raises(cw.InputError, match=message.format(row=170, side=side)):
        SoftOverlap.from_memberships(*pair, p=p)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", ["dense", "sparse", "labels"])
def test_the_first_bad_row_of_a_large_matrix_is_named(monkeypatch, threads, kind):
    """Whichever thread comes first: rows 1500 and 2500 are in different parts."""
    monkeypatch.setattr("clusterwise.summaries.overlap.membership_sums._WORK", 1 << 10)
    bad = broken(16_000, (1500, [0.5, 0.75]), (2500, [0.5, 1.0]), (15_999, [0.0, 0.0]))
    bad = sparse.csr_array(bad) if kind == "sparse" else bad
    other = np.arange(16_000) % 3 if kind == "labels" else halves(16_000)
    with (
        cw.threads(threads, oversubscribe=True),
        pytest.raises(cw.InputError, match=r"^row 1500 of a sums to 1\.25"),
    ):
        SoftOverlap.from_memberships(bad, other)


def test_both_sides_may_be_wrong():
    first, second = broken(300, (20, [0.5, 0.75])), broken(300, (250, [0.5, 1.0]))
    with pytest.raises(cw.InputError, match=r"^row 20 of a sums to 1\.25"):
        SoftOverlap.from_memberships(first, second)
    with pytest.raises(cw.InputError, match=r"^row 20 of b sums to 1\.25"):
        SoftOverlap.from_memberships(halves(300), first)


def test_rounding_in_32_bits_is_no_error():
    thirds = np.full((50, 3), 1 / 3, np.float32)
    assert SoftOverlap.from_memberships(thirds, thirds).n == 50
    assert SoftOverlap.from_memberships(halves(2) + 4e-6, [0, 1]).n == 2


def test_lengths_and_exponents():
    with pytest.raises(cw.InputError, match=r"inconsistent numbers of samples: \[3, 4\]"):
        SoftOverlap.from_memberships(halves(3), halves(4))
    for p in (0.5, 0, -1, float("nan"), float("inf")):
        with pytest.raises(cw.InputError, match=rf"^p={p}; use a .*number of at least 1"):
            SoftOverlap.from_memberships(halves(3), halves(3), p=p)
        for labels in (halves(3), [0, 1, 1]):
            with pytest.raises(cw.InputError, match=rf"^p={p}; use a .*number of at least 1"):
                cw.mallows_distance(labels, [0, 1, 1], p=p)


@pytest.mark.parametrize("labels", [halves(3), [0, 0, 1]], ids=["soft", "hard"])
def test_vectors_that_have_no_centre(labels):
    other = [0, 1, 1]
    with pytest.raises(cw.InputError, match="column 'town' of X is categorical and has no mean"):
        SoftOverlap.from_memberships(
            labels, other, pd.DataFrame({"town": ["Rome", "Oslo", "Rome"]})
        )
    for hole in (np.nan, np.inf):
        with pytest.raises(
            cw.InputError, match=f"X is {hole} at row 1, column 0, but a centroid needs"
        ):
            SoftOverlap.from_memberships(labels, other, [[0.0], [hole], [1.0]])
    with pytest.raises(cw.InputError, match="X has 2 rows for 3 objects; pass one row per object"):
        SoftOverlap.from_memberships(labels, other, [[0.0], [1.0]])
    with pytest.raises(cw.InputError, match="X must be 2D"):
        SoftOverlap.from_memberships(labels, other, np.arange(3.0))


def test_vectors_of_a_large_matrix_name_the_row(monkeypatch):
    monkeypatch.setattr("clusterwise.summaries.overlap.membership_sums._STEP", 1 << 8)
    points = np.zeros((3000, 2))
    points[2222, 1] = np.nan
    for labels in (halves(3000), np.arange(3000) % 2):
        with pytest.raises(cw.InputError, match="X is nan at row 2222, column 1"):
            SoftOverlap.from_memberships(labels, np.zeros(3000, int), points)


@pytest.mark.parametrize("rows", [2, 5])
@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, pd.DataFrame])
def test_vectors_are_counted_before_objects_are_left_out(rows, form):
    points = form(np.arange(rows)[:, None] * 1.0)
    with pytest.raises(cw.InputError, match=f"X has {rows} rows for 3 objects"):
        SoftOverlap.from_memberships([-1, 0, 1], halves(3), points, noise="drop")


def test_sparse_matrices_are_left_as_they_are():
    """Shares may be in any order and in pieces, in memory that nobody may write to."""
    data, places = np.array([0.25, 0.5, 0.25, 1.0]), np.array([1, 0, 1, 1])
    matrix = sparse.csr_array((data, places, np.array([0, 3, 4])), shape=(2, 2))
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    overlap = SoftOverlap.from_memberships(matrix, ["x", "y"])
    assert overlap.products.tolist() == [[0.5, 0.0], [0.5, 1.0]]
    assert matrix.data.tolist() == [0.25, 0.5, 0.25, 1.0]
    assert matrix.indptr.tolist() == [0, 3, 4]
