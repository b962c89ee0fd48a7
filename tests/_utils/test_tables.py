"""Small tables as text, Markdown and HTML, and numbers in them."""

import math

import pytest

from clusterwise._utils.tables import TextTable, format_amount, format_number, format_share

GRID = TextTable(["name", "n"], [["a|b", "1"], ["long name", "10"]], title="T <1>")


def test_text_is_aligned() -> None:
    assert GRID.text().splitlines() == ["T <1>", "name        n", "a|b         1", "long name  10"]


def test_markdown_escapes_bars() -> None:
    assert GRID.markdown().splitlines() == [
        "T <1>", "", "| name | n |", "| --- | ---: |", "| a\\|b | 1 |", "| long name | 10 |",
    ]  # fmt: skip


def test_html_escapes_everything() -> None:
    html = GRID.html()
    assert "<caption>T &lt;1&gt;</caption>" in html
    assert '<td style="text-align: right">10</td>' in html


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1"), (0.12345, "0.1235"), (-0.5, "-0.5000"), (1e18, "1e+18"), (2.5e6, "2500000"),
     (math.nan, "nan"), (1234567.5, "1.235e+06"), (0.0, "0"), (math.inf, "inf")],
)  # fmt: skip
def test_numbers_read_well(value, text) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (1234567, "1,234,567"), (0.1 + 0.2 + 0.7, "1"), (2.5, "2.5"), (-2.5, "-2.5"),
     (9.96, "10"), (10.25, "10.2"), (1234.5, "1,234.5"), (1e-9, "0"), (2e-9, "2e-09"),
     (1e12 + 0.25, "1,000,000,000,000")],
)  # fmt: skip
def test_amounts_are_whole_up_to_rounding(count, text) -> None:
    assert format_amount(count) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (0.0004, "< 0.1%"), (0.0005, "0.1%"), (0.0099, "1.0%"), (0.01, "1%"),
     (0.99, "99%"), (0.991, "99.1%"), (0.9994, "99.9%"), (0.9995, "> 99.9%"), (1, "100%")],
)  # fmt: skip
def test_only_nothing_and_everything_are_0_and_100_percent(share, text) -> None:
    assert format_share(share) == text
