"""Small tables as text, Markdown and HTML, and numbers in them."""

import math

import pytest

from clusterwise._utils.tables import TextTable, format_number

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
