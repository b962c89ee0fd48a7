"""Weights of any size: measures depend on their ratios, as far as they count no single objects."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.measures.catalogue import CATALOGUE

# Distances that count objects or pairs are divided by their largest value.
COUNTING = {"mirkin_distance", "van_dongen_distance", "mallows_distance", "css_distance"}
FLAT = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2]
SOFT = np.array([[9, 1], [7, 3], [5, 5], [3, 7], [1, 9], [2, 8], [6, 4], [8, 2]]) / 10
WEIGHTS = np.array([1.0, 2.0, 3.0, 1.5, 0.5, 2.5, 1.0, 4.0])
X = np.array([[0, 1], [1, 1], [2, 0], [5, 4], [6, 5], [7, 9], [8, 8], [9, 7.5]])


def measured(measure, a, b, weights):
    options = {"normalized": True} if measure.name in COUNTING else {}
    data = [X] if measure.needs_data else []
    return measure.function(a, b, *data, sample_weight=weights, **options)


@given(exponent=st.integers(60, 1000))
@pytest.mark.parametrize("measure", CATALOGUE.values(), ids=lambda measure: measure.name)
def test_a_factor_of_all_weights_does_not_matter(measure, exponent):
    # At 2^60 an object of weight 1 is below the rounding of the total, so that the number of
    # objects no longer matters to measures that count pairs or adjust for chance.
    base = measured(measure, *FLAT, WEIGHTS * 2.0**60)
    assert measured(measure, *FLAT, np.ldexp(WEIGHTS, exponent)) == pytest.approx(base, rel=1e-14)
    if measure.soft:
        base = measured(measure, SOFT, FLAT[1], WEIGHTS * 2.0**60)
        found = measured(measure, SOFT, FLAT[1], np.ldexp(WEIGHTS, exponent))
        assert found == pytest.approx(base, rel=1e-14)


@given(exponent=st.integers(-1000, 1000))
@pytest.mark.parametrize(
    "name", ["mutual_info_score", "cluster_accuracy_score", "matching_f_score", "purity_score"]
)
def test_measures_of_proportions_take_weights_of_any_size(name, exponent):
    function = getattr(cw, name)
    base = function(*FLAT, sample_weight=WEIGHTS)
    found = function(*FLAT, sample_weight=np.ldexp(WEIGHTS, exponent))
    assert found == pytest.approx(base, rel=1e-13)


@pytest.mark.parametrize("name", ["rand_score", "adjusted_rand_score", "fowlkes_mallows_score"])
def test_large_weights_give_the_limit_of_many_copies(name):
    function = getattr(cw, name)
    whole = (2 * WEIGHTS).astype(np.int64)
    copies = function(*FLAT, sample_weight=whole * 10**16)  # exact: Python integers
    assert function(*FLAT, sample_weight=2 * WEIGHTS * 1e160) == pytest.approx(copies, rel=1e-13)


def test_fowlkes_mallows_of_very_large_weights():
    found = cw.fowlkes_mallows_score([0, 0, 1, 1], [0, 0, 0, 1], sample_weight=[1e160] * 4)
    assert found == pytest.approx(6 / math.sqrt(8 * 10), rel=1e-14)


def test_counts_of_pairs_are_in_the_units_of_the_weights():
    found = cw.pair_confusion_matrix([0, 0, 1], [0, 1, 1], sample_weight=[2.0**100] * 3)
    assert (found == np.array([[2, 2], [2, 3]]) * 2.0**200).all()
    assert cw.mirkin_distance([0, 0, 1], [0, 1, 1], sample_weight=[2.0**100] * 3) == 2.0**202
    assert cw.mirkin_distance([0, 0, 1], [0, 1, 1], sample_weight=[1e160] * 3) == math.inf


def test_adjusted_mutual_information_of_very_large_totals():
    found = cw.adjusted_mutual_info_score(*FLAT, sample_weight=np.rint(4 * WEIGHTS) * 1e300)
    plain = cw.normalized_mutual_info_score(*FLAT, sample_weight=WEIGHTS)
    assert found == pytest.approx(plain, rel=1e-14)


def test_weights_whose_total_overflows_are_refused():
    message = r"^sample_weight adds up to more than 10\^307; divide it\.$"
    with pytest.raises(InputError, match=message):
        cw.rand_score([0, 1], [0, 1], sample_weight=[1e308, 1e308])
    with pytest.raises(InputError, match=r"^the table adds up to more than 10\^307; divide it\.$"):
        cw.Contingency.from_table([[1e308, 0], [0, 1e308]])


@pytest.mark.parametrize("name", ["mutual_info_score", "variation_of_information"])
def test_vanishing_weights_add_nothing(name):
    table = cw.Contingency.from_table([[1.0, 5e-324], [2.0, 0.0]])
    expected = getattr(cw, name)(cw.Contingency.from_table([[1.0], [2.0]]))
    assert getattr(cw, name)(table) == pytest.approx(expected, rel=1e-12, abs=1e-300)
