"""Values printed in the papers, or recomputed where the print is wrong."""

import pytest

import clusterwise as cw

# Rajasekhara and Pujari (2010), section 3: three partitions of eight objects.
P1 = [1, 1, 2, 3, 4, 5, 6, 6]
P2 = [1, 1, 2, 3, 4, 5, 6, 7]
P3 = [1, 1, 2, 3, 3, 2, 4, 4]


def test_bob_and_alice():
    """Bae, Bailey and Dong (2010): clusters {1, 3}, {2, 4} against {2, 3}, {1, 4}."""
    assert cw.rand_score([1, 2, 1, 2], [2, 1, 1, 2]) == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.parametrize(
    ("measure", "second", "third"),
    [
        (cw.pair_jaccard_score, 1 / 2, 1 / 2),
        (cw.fowlkes_mallows_score, 0.5**0.5, 0.5**0.5),  # their "Wallace"
        (cw.adjusted_rand_score, 0.65, 12 / 19),
        # Printed as 0.8571; two of 28 pairs disagree.
        (cw.rand_score, 27 / 28, 26 / 28),
    ],
)
def test_table_1(measure, second, third):
    assert measure(P1, P2) == pytest.approx(second, abs=1e-12)
    assert measure(P1, P3) == pytest.approx(third, abs=1e-12)


def test_table_1_as_printed():
    """To the digits of the table, which cuts them off, where the table is right."""
    # The square root of 0.5 is 0.70711.
    assert cw.fowlkes_mallows_score(P1, P2) == pytest.approx(0.70721, abs=1.1e-4)
    assert cw.adjusted_rand_score(P1, P3) == pytest.approx(0.63157, abs=1e-5)
    assert cw.rand_score(P1, P2) == pytest.approx(0.9642, abs=1e-4)


def test_table_1_normalised_mutual_information():
    """Printed as 0.0758 and 0.0556, with a stray factor; the standard values are these."""
    assert cw.normalized_mutual_info_score(P1, P2) == pytest.approx(20 / 21, abs=1e-12)
    assert cw.normalized_mutual_info_score(P1, P3) == pytest.approx(8 / 9, abs=1e-12)


def test_table_1_directions_of_wallace():
    """P2 splits one of P1's two pairs, P3 adds two pairs to them."""
    assert cw.wallace_score(P1, P2) == 0.5
    assert cw.wallace_score(P2, P1) == 1.0
    assert cw.wallace_score(P1, P3) == 1.0
    assert cw.wallace_score(P3, P1) == 0.5


def test_accuracy_by_the_hungarian_method():
    """The paper's reference distance: one object of eight leaves, or two do."""
    assert cw.cluster_accuracy_score(P1, P2) == 7 / 8
    assert cw.cluster_accuracy_score(P1, P3) == 6 / 8
