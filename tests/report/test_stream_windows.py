"""The page of the windows of a stream."""

from dataclasses import replace

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.report.page import PageOptions
from clusterwise.streams.window_report import WindowReport
from helpers.page_contents import blocks, code, page_of, tables, tiles

pytestmark = pytest.mark.usefixtures("undrawn")


def windows(count, *, drift=(), births=(), deaths=()):
    labels = np.arange(50 * count) % 2
    X = np.random.default_rng(0).normal(labels, 0.3)[:, None]
    plain = list(cw.ClusteringStream(window=50).run([(X, labels)]))
    for i in drift:
        change = replace(plain[i].change, p_value=0.001)
        plain[i] = replace(plain[i], change=change)
    for i in births:
        plain[i] = replace(plain[i], births=("new",))
    for i in deaths:
        plain[i] = replace(plain[i], deaths=("old", "older"))
    assert all(isinstance(one, WindowReport) for one in plain)
    return plain


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        ((), "No window differs significantly from the objects before."),
        ((2,), "Window 2 differs significantly from the objects before."),
        ((1, 3), "Windows 1 and 3 differ significantly from the objects before."),
        (
            range(1, 8),
            "Windows 1, 2, 3, 4, 5 and 2 more differ significantly from the objects before.",
        ),
    ],
)
def test_the_verdict_names_windows_with_drift(drift, said):
    reports = windows(8, drift=drift)
    page = page_of(reports)
    assert page.verdict[0] == said
    least = min(reports[1:], key=lambda one: one.similarity)
    described = list(drift)[:5]
    assert list(page.verdict[1 : 1 + len(described)]) == [
        f"In window {i}, x0 changed most." for i in described
    ]
    assert page.verdict[1 + len(described)] == (
        f"Window {least.index} is least similar to the one before ({least.similarity:.4f})."
    )
    assert tiles(page)["with drift"] == str(len(drift))


def test_births_and_deaths_are_counted():
    page = page_of(windows(3, births=(1,), deaths=(2,)))
    assert list(page.verdict[2:]) == ["1 cluster appears.", "2 clusters disappear."]
    assert tiles(page) == {
        "windows": "3",
        "with drift": "0",
        "births of clusters": "1",
        "deaths of clusters": "2",
        "objects seen": "150",
    }
    (table,) = tables(page, "Windows")
    assert [row[5:7] for row in table.rows] == [["", ""], ["new", ""], ["", "old, older"]]
    assert [row[1] for row in table.rows] == ["0 … 49", "50 … 99", "100 … 149"]
    assert table.rows[0][3] == ""


@pytest.mark.parametrize(("count", "shown"), [(100, ""), (101, " (last 100 of 101)")])
def test_the_last_hundred_windows_are_listed(count, shown):
    (table,) = tables(page_of(windows(count)), "Windows")
    assert table.title == f"All windows{shown}"
    assert [row[0] for row in table.rows] == [str(i) for i in range(count - 100, count)]


@pytest.mark.parametrize(
    ("count", "more"), [(5, []), (6, ["The first 5 of 6 windows with drift are shown."])]
)
def test_the_first_five_windows_with_drift_are_shown(count, more):
    found = blocks(page_of(windows(8, drift=range(1, count + 1))), "Windows with drift")
    assert len(found[:5]) == 5
    assert found[5:] == more
    assert found[0].title == "Window 1: objects 50 … 99"


def test_one_window_is_described():
    (one, *_) = windows(3)
    page = page_of(one)
    assert page.title == "Stream of 1 window"
    assert list(page.verdict) == [one.summary()]
    assert next(iter(tiles(page))) == "window"
    assert tables(page, "Window")[0].title == one.text_table().title


def test_the_code_of_a_stream_has_the_options_that_are_set():
    options = PageOptions(None, {"window": 50, "step": None}, None, "")
    assert "ClusteringStream(window=50)\n" in code(page_of(windows(2), options=options))
