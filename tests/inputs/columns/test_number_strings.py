"""Strings as numbers: one decimal mark per column, currencies, thousands and codes."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.columns.number_strings import read_numbers

NAN = float("nan")


def read(texts, counts=None):
    return read_numbers(texts, np.ones(len(texts), int) if counts is None else np.array(counts))


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.005,96 €", "12,50 €", "7 €"], [1005.96, 12.5, 7]),
        (["$1,234", "$12", "$7.50", "-$3", "$-4"], [1234, 12, 7.5, -3, -4]),
        (["12 %", "3.5%"], [12, 3.5]),
        (["1 234,5", "2\u00a0000,25", "3\u202f000"], [1234.5, 2000.25, 3000]),
        (["1'234.50", "12’345", "5"], [1234.5, 12345, 5]),
        (["(1,234.50)", "($5)", "3"], [-1234.5, -5, 3]),
        (["EUR 5", "6 EUR", "7,1 eur"], [5, 6, 7.1]),
        (["1e-3", "2E6", ".5", "3.", "+4", "−5"], [0.001, 2e6, 0.5, 3, 4, -5]),
        (["0,125", "0,5"], [0.125, 0.5]),
        (["12,34", "1.234"], [12.34, 1234]),
        (["12.34", "1,234"], [12.34, 1234]),
        (["1,5", "x", "2,5"], [1.5, NAN, 2.5]),
    ],
)
def test_values(texts, values):
    assert read(texts).values.tolist() == pytest.approx(values, nan_ok=True)


@pytest.mark.parametrize(
    "text",
    [
        "1,23,4 €x",
        "1.2.3",
        "12,34.5,6",
        "1 2",
        "1 23",
        "12 kg",
        "5-6",
        "€",
        "--5",
        "1_000",
        "٣",
        "2024-01-01",
    ],
)
def test_other_strings_are_no_numbers(text):
    assert np.isnan(read([text, "1.5", "x"]).values).tolist() == [True, False, True]
    # All the others are numbers, so that they may be read at once.
    assert np.isnan(read([text, "1.5"]).values).tolist() == [True, False]


@pytest.mark.parametrize(
    ("texts", "values", "is_open"),
    [
        (["1.234", "2.500"], [1.234, 2.5], True),
        (["1.234", "2.500", "500"], [1234, 2500, 500], False),
        (["1.234", "2.500", "5000"], [1.234, 2.5, 5000], True),
        (["1.234", "2.5"], [1.234, 2.5], False),
        (["1,234", "2,500"], [1234, 2500], True),
        (["1,234", "500"], [1234, 500], False),
        (["1.234 €", "500 €"], [1234, 500], False),
        (["1.234 €", "5,1 €"], [1234, 5.1], False),
    ],
)
def test_an_ambiguous_mark_is_decided_by_the_rest_of_the_column(texts, values, is_open):
    found = read(texts)
    assert found.values.tolist() == values
    assert found.open is is_open


def test_the_mark_of_most_rows_is_the_mark_of_the_column():
    found = read(["1,5", "2.5"], [9, 1])
    assert found.mark == ","
    assert found.values.tolist() == pytest.approx([1.5, NAN], nan_ok=True)
    assert read(["1,5", "2.5"], [1, 9]).mark == "."


def test_leading_zeros_and_very_long_numbers_are_codes():
    assert read(["00123", "5", "9" * 19], [4, 2, 1]).codes == 5
    assert read(["0", "0.5", "-0", "10"]).codes == 0


def test_the_example_shows_how_numbers_are_written():
    """Of the numbers with a mark the longest; without any, the longest with a unit."""
    assert read(["5", "1,50", "1.234,50", "x"]).example == 2
    assert read(["5", "6 €", "12 €", "x"]).example == 2
    assert read(["5", "6", "x"]).example is None


def test_units():
    assert read(["5 €", "6 €", "7"]).units == ("€",)
    assert read(["5 €", "$6", "x"]).units == ("€", "$")


@given(st.lists(st.floats(-1e12, 1e12), min_size=2), st.sampled_from(["", " €", " %"]))
def test_german_amounts_are_read_back(numbers, unit):
    texts = [f"{x:,.2f}".translate(str.maketrans(",.", ".,")) + unit for x in numbers]
    assert read(texts).values.tolist() == [float(f"{x:.2f}") for x in numbers]


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_plain_floats_are_read_back(numbers):
    found = read([repr(x) for x in numbers])
    if not found.open and found.mark == ".":
        assert found.values.tolist() == numbers
    else:  # "1.234" may mean thousands
        assert all(len(repr(x).partition(".")[2]) == 3 for x in numbers)


@given(
    st.lists(st.sampled_from(["1,5 €", "1.234,5 €", "7 €", "1.5 €", "x", "(3)", "inf"]), min_size=1)
)
def test_all_at_once_is_as_one_after_the_other(texts):
    """Columns of one form take another path, which a string that is no number prevents."""
    alone, beside = read(texts), read([*texts, "no number"])
    assert alone.values.tolist() == pytest.approx(beside.values[:-1].tolist(), nan_ok=True)
