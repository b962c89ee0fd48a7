"""Strings as dates: the order of day and month, times and zones."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise.inputs.columns.column_types import days_of
from clusterwise.inputs.columns.date_strings import read_dates

MARCH = days_of(date(2024, 3, 1))


def read(texts, **options):
    return read_dates(texts, np.ones(len(texts), int), **options)


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-01", "2024/3/1", "01.03.2024", "1.3.24", "01-03-2024", "1 Mar 2024",
        "1. März 2024",
        "01-mar-2024", "March 1, 2024", "Mar 1st 2024", "2024-03-01T00:00",
        "2024-03-01 00:00:00.000",
        "2024-03-01T00:00Z", "2024-03-01T02:00+02:00", "01.03.2024 00:00", "1.3.2024, 12:00 AM",
    ],
)  # fmt: skip
def test_spellings_of_one_day(text):
    assert read([text]).values.tolist() == [MARCH]
    assert read([text, "no date"]).values.tolist() == pytest.approx([MARCH, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2024-13-01", "32.01.2024", "31.04.2024", "1.3", "2024", "01.03/2024", "12:30",
     "1 Foo 2024", "2024-03-01T25:00", "2024-03-01 13:00 PM", "20240301", "192.168.1.1", ""],
)  # fmt: skip
def test_no_dates(text):
    assert np.isnan(read([text, "x"]).values).all()
    assert np.isnan(read([text]).values).all()


def test_a_number_above_twelve_shows_the_order_for_the_whole_column():
    month_first = read(["3/1/2024", "3/25/2024"])
    assert (month_first.order, month_first.open) == ("month/day/year", False)
    assert month_first.values.tolist() == [MARCH, days_of(date(2024, 3, 25))]
    day_first = read(["3/1/2024", "25/1/2024"])
    assert (day_first.order, day_first.open) == ("day/month/year", False)
    assert day_first.values.tolist() == [days_of(date(2024, 1, 3)), days_of(date(2024, 1, 25))]


def test_without_one_slashes_mean_the_month_first_and_points_the_day():
    assert (read(["3/1/2024"]).order, read(["3/1/2024"]).open) == ("month/day/year", True)
    assert (read(["3.1.2024"]).order, read(["3.1.2024"]).open) == ("day.month.year", False)


def test_the_order_of_most_rows_is_that_of_the_column():
    found = read_dates(["25/1/2024", "1/25/2024"], np.array([9, 1]))
    assert np.isnan(found.values).tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "order"),
    [("2024-03", "year-month"), ("2024/3", "year-month"), ("March 2024", "month year"),
     ("Mrz-2024", "month year"), ("03/2024", "month/year"), ("3/2024", "month/year"),
     ("03-2024", "month/year"), ("03.2024", "month.year")],
)  # fmt: skip
def test_months_are_their_first_days(text, order):
    found = read([text, "x"])
    assert found.values.tolist() == pytest.approx([MARCH, np.nan], nan_ok=True)
    assert (found.order, found.months) == (order, True)


def test_no_months():
    texts = ["2024-13", "2024.03", "13/2024", "03/0024", "3/1", "3.2024", "Foo 2024", "2024-00"]
    assert np.isnan(read(texts).values).all()


def test_the_order_of_names_is_told():
    assert read(["Mar 1, 2024", "x"]).order == "month day, year"
    assert read(["1 Mar 2024", "x"]).order == "day month year"


def test_digits_alone_are_dates_only_if_asked_for():
    assert read(["20240301"], compact=True).values.tolist() == [MARCH]


@pytest.mark.parametrize(
    ("text", "hours"),
    [("2024-03-01T06:00", 6), ("01.03.2024 6:00 pm", 18), ("2024-03-01 12:00 am", 0),
     ("2024-03-01T00:30-05:30", 6), ("2024-03-01T06:00:00,000", 6)],
)  # fmt: skip
def test_times_are_fractions_of_days(text, hours):
    assert read([text]).values.tolist() == [MARCH + hours / 24]


@given(st.lists(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 30)), min_size=1))
def test_moments_are_read_back(moments):
    texts = [moment.replace(microsecond=0).isoformat() for moment in moments]
    expected = [days_of(moment.replace(microsecond=0)) for moment in moments]
    assert read(texts).values.tolist() == pytest.approx(expected, rel=1e-12)
    slow = read([*texts, "x"]).values[:-1]
    assert slow.tolist() == pytest.approx(expected, rel=1e-12)


@given(st.dates(date(1970, 1, 1), date(2068, 12, 31)), st.sampled_from(["%d.%m.%Y", "%d.%m.%y"]))
def test_german_dates_are_read_back(day, form):
    days = [day, day + timedelta(40)]
    if form == "%d.%m.%Y" or days[1].year < 2069:
        assert read([one.strftime(form) for one in days]).values.tolist() == list(
            map(days_of, days)
        )
