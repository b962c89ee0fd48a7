"""The parts of a page and their markup, without plots."""

from datetime import date

import pytest

from clusterwise import __version__
from clusterwise._utils.tables import TextTable
from clusterwise.report.page import Code, Page, Plot, Section, Tile, render
from clusterwise.report.provenance import how_it_was_made, list_parameters, make_footer
from clusterwise.report.sentences import grouped, rounded
from helpers import pages


@pytest.fixture
def show(tmp_path):
    """Render a page with these blocks in one section."""

    def show_blocks(*blocks, title="A title", verdict=("One.",), tiles=(), section="A section"):
        page = Page(title, "A subject", verdict, tiles, [Section(section, blocks)], "A footer")
        path = tmp_path / "page.html"
        path.write_text(render(page), encoding="utf-8")
        return pages.Page(path)

    return show_blocks


def cell(page, text):
    (found,) = [e for e in page.all("th", "td") if e.text == text]
    return found


def test_every_part_is_in_its_place(show):
    page = show("Some text.", verdict=["One.", "Two."], tiles=[Tile("7", "objects")])
    assert page.one("title").text == page.one("h1").text == "A title"
    assert page.of_class("subject")[0].text == "A subject"
    assert [e.text for e in page.of_class("verdict")] == ["One."]
    (more,) = page.of_class("more")
    assert more.text.strip() == "Two."
    assert (page.one("dd").text, page.one("dt").text) == ("7", "objects")
    assert page.one("footer").text.strip() == "A footer"
    assert page.one("section").features["aria-labelledby"] == page.one("h2").features["id"]
    assert "Some text." in [e.text for e in page.all("p")]


def test_one_sentence_needs_no_list(show):
    assert not show("Text.").of_class("more")


def test_sections_are_linked_by_their_titles(show):
    page = show("Text.", section="What was compared, and how?")
    assert page.one("section").features["id"] == "what-was-compared-and-how"
    assert page.one("a").features["href"] == "#what-was-compared-and-how"


def test_long_titles_are_cut_in_the_window_only(show):
    page = show("Text.", title="x" * 300)
    assert page.one("title").text == "x" * 197 + "..."
    assert page.one("h1").text == "x" * 300


def test_plots_are_markup_and_captions_are_text(show):
    page = show(Plot("<svg><g></g></svg>", "<b> & more"))
    assert len(page.pictures) == 1
    assert page.one("figcaption").text == "<b> & more"


def test_code_keeps_its_lines(show):
    page = show(Code("if a < b:\n    print('&')\n"))
    assert page.one("code").text == "if a < b:\n    print('&')\n"


def test_cells_align_by_column_and_wrap_if_long(show):
    rows = [["w" * 20, "3"], ["v" * 21, "4"], ["x" * 40, "1"], ["y" * 41, "2" * 41]]
    page = show(TextTable(["name", "value"], rows, left=frozenset({0})))
    classes = {e.text: e.features.get("class") for e in page.all("th", "td")}
    assert classes == {
        "name": None,
        "value": "number",
        "w" * 20: None,
        "3": "number",
        "v" * 21: "wide",
        "4": "number",
        "x" * 40: "wide",
        "1": "number",
        "y" * 41: "wide long",
        "2" * 41: "number long",
    }
    assert cell(page, "name").features["scope"] == "col"
    assert cell(page, "x" * 40).features["scope"] == "row"
    assert cell(page, "1").tag == "td"


def test_very_long_cells_and_sentences_are_shortened(show):
    page = show(TextTable([""], [["x" * 1000], ["y" * 1001]]), "z" * 20_000, "w" * 20_001)
    assert [len(row[0]) for row in page.rows] == [0, 1000, 1000]
    assert [("…" in row[0]) for row in page.rows] == [False, False, True]
    text = {e.text[0]: e.text for e in page.all("p") if e.text[:1] in ("z", "w")}
    assert text["z"] == "z" * 20_000
    assert len(text["w"]) == 20_000
    assert "…" in text["w"]


def test_tables_repeat_no_title_of_their_section(show):
    rows = (["a"], [["1"]])
    page = show(TextTable(*rows, "Other"), TextTable(*rows, "A section"), TextTable(*rows))
    assert [e.text for e in page.all("caption")] == ["Other"]


def test_names_in_other_directions_are_isolated(show):
    page = show(TextTable(["a → b"], [["שלום → abc"]]), "From שלום עולם to 7.")
    assert [e.text for e in page.all("bdi")] == ["a", "b", "שלום", "abc", "שלום עולם"]


def test_parameters_that_are_set():
    parameters = {"a": 1, "b": None, "progress": True, "c": "text", "d": "x" * 300, "e": "y" * 301}
    table = list_parameters(parameters, "Title")
    assert table.title == "Title"
    assert table.rows == [
        ["a", "1"],
        ["c", "text"],
        ["d", "x" * 300],
        ["e", "y" * 300 + "…"],
    ]
    assert list_parameters({"names": ("a", "b")}, "").rows == [["names", "('a', 'b')"]]


def test_how_a_page_was_made():
    section = how_it_was_made({"a": 1}, "code()", [TextTable(["m"], [])])
    assert section.title == "How it was made"
    parameters, model, words, code, versions = section.blocks
    assert (parameters.title, parameters.rows) == ("Parameters", [["a", "1"]])
    assert model.header == ["m"]
    assert (words, code) == ("To reproduce this report:", Code("code()"))
    assert versions.rows[0] == ["clusterwise", __version__]
    assert [row[0] for row in versions.rows[1:3]] == ["Python", "numpy"]
    assert len(how_it_was_made({}, "code()").blocks) == 3


def test_the_footer_has_version_and_date():
    day = date(2024, 2, 29)
    assert make_footer(day) == f"Written by clusterwise {__version__} on 2024-02-29."


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0"), (1234567, "1,234,567"), (1234.0, "1,234"), (0.5, "0.5000")]
)
def test_counts_have_commas(value, shown):
    assert grouped(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.005001, "0.01"), (-0.001, "0.00"), (-0.126, "-0.13"), (1, "1.00")]
)
def test_values_are_rounded(value, shown):
    assert rounded(value) == shown
