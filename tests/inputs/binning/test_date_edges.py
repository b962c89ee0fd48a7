"""Bins of dates are shown as dates: edges, profiles, sentences, displays and checkpoints."""

from contextlib import nullcontext
from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.inputs.binning.edge_text import format_edges
from clusterwise.plots.profiles import bin_ticks

START = date(2024, 1, 1)
EPOCH = date(1970, 1, 1)
DAYS = [*range(30), *range(300, 330)]
LABELS = np.repeat(["old", "new"], 30)


def days_since_epoch(day):
    return float((day - EPOCH).days)


def joined(days=DAYS):
    return [START + timedelta(days=day) for day in days]


FRAMES = {
    "pandas": lambda days: pd.DataFrame({"joined": pd.to_datetime(days)}),
    "polars": lambda days: pl.DataFrame({"joined": days}),
    "pyarrow": lambda days: pl.DataFrame({"joined": days}).to_arrow(),
}


@pytest.mark.parametrize("library", FRAMES)
def test_profiles_of_dates_show_dates(library):
    X = FRAMES[library](joined())
    profile = cw.DensityProfile.from_data(X, LABELS, binning=cw.Binning("width", 4).fit(X))
    names = [name for _, name in profile.binning.bin_names()]
    assert names[0] == "[2024-01-01, 2024-03-24)"
    assert names[3:] == ["[2024-09-04, 2024-11-25]", "(missing)"]
    assert "2024-01-01 2024-03-24" in str(profile.binning)
    assert "joined in [2024-01-01, 2024-03-24)" in str(profile)
    _, ticks = bin_ticks(profile.binning.features[0], np.arange(4))
    assert ticks == ["2024-01-01", "2024-11-25"]


def test_what_changed_is_said_with_dates():
    first, later = (pl.DataFrame({"joined": joined(days)}) for days in (DAYS, DAYS[30:] * 2))
    binning = cw.Binning("width", 2).fit_chunks([first, later])
    a, b = (cw.DensityProfile.from_data(X, ["all"] * 60, binning=binning) for X in (first, later))
    said = cw.compare_profiles(a, b).summary()
    assert "50% of all in a have joined 2024-01-01 to 2024-06-14, against 0% of all in b" in said


@given(st.lists(st.integers(-30_000, 30_000), min_size=2, max_size=60, unique=True),
       st.integers(1, 12), st.sampled_from(["width", "frequency"]))  # fmt: skip
def test_whole_days_are_in_the_bins_that_the_dates_name(days, n_bins, method):
    X = pl.DataFrame({"d": [EPOCH + timedelta(days=day) for day in days]})
    binning = cw.Binning(method, n_bins).fit(X)
    texts = binning.features[0].edge_texts()
    if any(len(text) != 10 for text in texts):
        return  # months, or parts of days
    edges = [days_since_epoch(date.fromisoformat(text)) for text in texts]
    named = np.clip(np.searchsorted(edges, days, side="right") - 1, 0, len(edges) - 2)
    assert binning.bins(X).codes[0].tolist() == named.tolist()


def test_short_bins_have_times_and_long_ones_months():
    day = days_since_epoch(START)
    assert format_edges(np.array([day + 0.25, day + 0.5, day + 1]), date=True) == [
        "2024-01-01 06:00", "2024-01-01 12:00", "2024-01-02 00:00",
    ]  # fmt: skip
    # Half a day is more than one percent of ten days, but not of a hundred.
    assert format_edges(day + np.array([0.3, 10.3]), date=True)[0] == "2024-01-01 07:12"
    assert format_edges(day + np.array([0.3, 100.3]), date=True)[0] == "2024-01-01"
    years = np.array([days_since_epoch(date(year, 6, 20)) for year in (1990, 2000, 2010)])
    assert format_edges(years, date=True) == ["1990-07", "2000-07", "2010-07"]
    assert format_edges(np.array([-np.inf, np.inf]), date=True) == ["-inf", "inf"]
    assert format_edges(np.array([day, day]), date=True) == ["2024-01-01", "2024-01-01"]


@pytest.mark.parametrize("written", [None, "%Y-%m-%d", "%d.%m.%Y"])
def test_an_alternative_that_is_a_date_says_so(written):
    half = np.arange(60) % 2
    days = pd.Series(pd.to_datetime(joined()))
    x = 10 * half + np.random.default_rng(0).normal(size=60)
    X = pd.DataFrame({"joined": days.dt.strftime(written) if written else days, "x": x})
    notes = pytest.warns(UserWarning, match="read as days") if written else nullcontext()
    with notes:
        # Compiling alone may take the default budget on a busy machine.
        said = cw.cluster_again(X, half, random_state=0, budget=3600).summary()
    assert "2024-01-01 to 2024-01-30 and 2024-10-27 to 2024-11-25" in said


def test_streams_keep_dates_in_checkpoints(tmp_path):
    X = pl.DataFrame({"joined": [datetime(2024, 1, 1) + timedelta(days=day) for day in DAYS]})
    stream = cw.ClusteringStream(window=60)
    stream.feed(X[:30], LABELS[:30])
    stream.save(tmp_path / "stream.json")
    stream = cw.ClusteringStream.load(tmp_path / "stream.json")
    stream.feed(X[30:], LABELS[30:])
    stream.save(tmp_path / "stream.json")
    stream = cw.ClusteringStream.load(tmp_path / "stream.json")
    assert stream.binning.bin_names()[0][1].startswith("[2024-01-01, 2024-")
