"""DuckDB reads strings as numbers and dates as they are read in memory."""

import duckdb
import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.cli.tables.string_expressions import day_of_string, number_of_string
from clusterwise.inputs.columns.date_strings import date_patterns, read_dates
from clusterwise.inputs.columns.number_strings import read_numbers

NUMBERS = [
    "1.005,96 €", "-3,10 €", "(4,00 €)", "−5,00", "€ 5,00", "1 234,50", "1\u00a0234,50 €",
    "1'234,50 CHF", "$1,234.50", "$-4.00", "($2.00)", "USD 7", "1,234,567.89", "12 %", "1.5 %",
    "1e3", "1E-3 €", "-inf", "5.", ".5", "5-", "--5", "- -5", "% 5", "5 5", "1,23,4", "1.005.96",
    "(5", "5)", "()", "abc", "1_000", "٣",
]  # fmt: skip
DATES = [
    "29.11.2023", "1.2.23", "1.2.69", "31.02.2023", "01.02.2023, 12:30", "1/2/2023 1:30 PM",
    "1/2/2023 01:30:15 a.m.", "1/2/2023 12:00\u202fAM", "3/4-2023", "Nov 29, 2023 12:30",
    "Foo 29, 2023", "3rd March 2020", "1. März 2024", "2023-11-29T12:30:15+02:00",
    "2023-11-29T12:30:15.25Z", "2023-11-29 12:30 -0530", "2023.11.29", "2023/1/9", "2023-07",
    "2023/13", "07/2024", "7-2024", "13/2024", "07.2024", "7.2024", "07/1824", "July 2024",
    "20240301", "20240301 12:30", "2024-03-01T24:00", "2024-03-01T24:01",
    "2024-03-01 13:00 PM", "2024-03-01T23:59:60", "0000-01-01", "0001-01-01",
]  # fmt: skip

pieces = [*"0123456789,.-−+()'’ \u00a0€$%eE", "EUR", "CA$", "000", "inf"]
numbers = st.lists(st.sampled_from(pieces)).map("".join)
dates = st.one_of(
    *(st.from_regex(pattern, fullmatch=True) for pattern in date_patterns(compact=True))
)


@pytest.fixture(scope="module")
def evaluate():
    connection = duckdb.connect()

    def values(texts, expression):
        rows = ", ".join("(?)" for _ in texts)
        query = f"SELECT {expression} FROM (VALUES {rows}) t(v)"
        return [np.nan if v is None else v for (v,) in connection.execute(query, texts).fetchall()]

    yield values
    connection.close()


def check_numbers(evaluate, texts):
    found = read_numbers(texts, np.ones(len(texts), int))
    by_engine = evaluate(texts, number_of_string("v", found.mark))
    assert by_engine == pytest.approx(found.values.tolist(), rel=1e-15, nan_ok=True)


def check_dates(evaluate, texts, *, compact=False):
    found = read_dates(texts, np.ones(len(texts), int), compact=compact)
    by_engine = evaluate(texts, day_of_string("v", found))
    assert by_engine == pytest.approx(found.values.tolist(), rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("mark", [["1.5", "2.25"], ["1,5", "2,25"]])
def test_numbers(evaluate, mark):
    check_numbers(evaluate, [*mark, *NUMBERS, *mark * 20])


@pytest.mark.parametrize("order", ["25.1.2024", "1/25/2024"])
@pytest.mark.parametrize("compact", [False, True])
def test_dates(evaluate, order, compact):
    check_dates(evaluate, [*DATES, *[order] * 9], compact=compact)


@given(st.lists(numbers.filter(str.strip).map(str.strip), min_size=1, max_size=5))
def test_all_strings_of_the_characters_of_numbers(evaluate, texts):
    check_numbers(evaluate, [*texts, "x"])


@given(st.lists(dates, min_size=1, max_size=5), st.booleans())
def test_all_strings_of_the_patterns_of_dates(evaluate, texts, compact):
    check_dates(evaluate, [*texts, "x"], compact=compact)
