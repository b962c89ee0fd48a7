"""What becomes of clusters and objects: the definitions, and laws."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from clusterwise.stability.recovery import (
    NO_PARTNER,
    NOT_DRAWN,
    CopyTable,
    measure_agreement,
    measure_recovery,
)
from reference import stability as naive


@st.composite
def cases(draw):
    n, size = draw(st.integers(2, 14)), draw(st.integers(2, 4))
    codes = draw(arrays(np.int64, n, elements=st.integers(-1, size - 1)))
    copies = draw(arrays(np.int64, (draw(st.integers(1, 4)), n), elements=st.integers(-2, 4)))
    return codes, size, copies


@given(cases())
def test_definitions(case):
    codes, size, copies = case
    found = measure_recovery(codes, size, copies)
    jaccards, partners, votes = naive.recovery(codes.tolist(), size, copies.tolist())
    np.testing.assert_allclose(found.jaccards.T, np.array(jaccards, float), rtol=1e-15)
    np.testing.assert_array_equal(found.partners.T, partners)
    np.testing.assert_array_equal(found.votes, votes)


@given(cases(), st.randoms(use_true_random=False))
def test_orders_do_not_matter(case, random):
    codes, size, copies = case
    found = measure_recovery(codes, size, copies)
    rows = list(range(codes.size))
    random.shuffle(rows)
    moved = measure_recovery(codes[rows], size, copies[:, rows])
    np.testing.assert_array_equal(moved.jaccards, found.jaccards)
    np.testing.assert_array_equal(moved.votes, found.votes[rows])
    names = list(range(5))
    random.shuffle(names)
    renamed = np.where(copies >= 0, np.array(names)[copies], copies)
    np.testing.assert_array_equal(measure_recovery(codes, size, renamed).jaccards, found.jaccards)


@given(cases())
def test_bounds_and_counts(case):
    codes, size, copies = case
    found = measure_recovery(codes, size, copies)
    assert (found.jaccards >= 0).all()
    assert (found.jaccards <= 1).all()
    np.testing.assert_array_equal(found.votes.sum(axis=1), (copies != NOT_DRAWN).sum(axis=0))
    assert (found.partners[found.jaccards >= 0.5] == NO_PARTNER).all()


def test_the_same_clusters_are_recovered_whatever_is_drawn():
    codes = np.array([0, 0, 1, 1, 1, -1])
    copies = np.array([[4, 4, 2, 2, 2, -1], [0, -2, 1, -2, 1, -2]])
    found = measure_recovery(codes, 2, copies)
    np.testing.assert_array_equal(found.jaccards, 1)
    np.testing.assert_array_equal(found.votes, [[2, 0, 0], [1, 0, 0], [0, 2, 0], [0, 1, 0],
                                                [0, 2, 0], [0, 0, 1]])  # fmt: skip


def test_a_small_cluster_is_merged_a_large_one_is_not():
    codes = np.repeat([0, 1], [10, 2])
    found = measure_recovery(codes, 2, np.zeros((1, 12), int))
    np.testing.assert_allclose(found.jaccards[:, 0], [10 / 12, 2 / 12])
    np.testing.assert_array_equal(found.partners[:, 0], [NO_PARTNER, 0])


def test_a_split_cluster_has_no_partner_and_one_of_noise_has_noise():
    codes = np.repeat([0, 1, 2], 9)
    copy = np.r_[np.repeat([0, 1, 2], 3), np.full(9, -1), np.full(9, 3)]
    found = measure_recovery(codes, 3, copy[None])
    np.testing.assert_array_equal(found.partners[:, 0], [NO_PARTNER, -1, NO_PARTNER])
    np.testing.assert_array_equal(found.votes[9:18, 3], 1)


def test_a_cluster_of_which_nothing_is_drawn_is_lost():
    found = measure_recovery(np.array([0, 0, 1]), 2, np.array([[0, 0, -2]]))
    np.testing.assert_array_equal(found.jaccards[:, 0], [1, 0])
    np.testing.assert_array_equal(found.partners[:, 0], [NO_PARTNER, NO_PARTNER])


def test_tables_count_noise_last():
    table = CopyTable.of(np.array([0, 1, -1, 1]), 2, np.array([0, -1, 0, 0]))
    np.testing.assert_array_equal(table.counts, [[1, 0], [1, 1], [1, 0]])


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ([0, 0, 1, 1], [1, 1, 0, 0], 1.0),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0.0),
        ([-1, -1, -1], [-1, -1, -1], 0.0),
        ([0, 0, -1, -1], [0, 0, -1, -1], 0.0),
        ([0, 0, 1, 1, -1, -1], [0, 0, 1, 1, -1, -1], 1.0),
    ],
)
def test_clusterings_without_two_clusters_agree_on_nothing(one, other, value):
    assert measure_agreement(np.array(one), np.array(other)) == value


def test_noise_objects_are_with_no_other():
    apart = measure_agreement(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 0, 1, 1, 2, 3]))
    noise = measure_agreement(np.array([0, 0, 1, 1, -1, -1]), np.array([0, 0, 1, 1, 2, 2]))
    assert noise < apart == 1.0
