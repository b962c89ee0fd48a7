"""Plots as elements of a page: references, colours, fonts, sizes, text alternatives."""

import re
from base64 import b64decode
from io import BytesIO
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.image import imread

mpl.use("Agg")

from matplotlib import pyplot as plt

from clusterwise.plots._palette import FAINT, INK, PAPER
from clusterwise.report import svg
from clusterwise.report.svg import PlotRenderer
from helpers.hostile import NAMES, controls
from helpers.pages import Page

FILE = f"""<?xml version="1.0"?>
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt"
  viewBox="0 0 72 36" xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><x>https://a.example</x></metadata>
 <defs><style type="text/css">*{{stroke-linejoin: round}}</style></defs>
 <g id="figure_1">
  <defs><path id="m1" style="stroke: {INK}"/><clipPath id="p1"><rect/></clipPath></defs>
  <linearGradient id="g1"/>
  <use xlink:href="#m1" style="fill: {FAINT}; stroke: {PAPER}"/>
  <g clip-path="url(#p1)"><path style="fill: url(#g1)"/></g>
  <image xlink:href="data:image/png;base64,AAAA"/>
  <text style="font: 10px 'DejaVu Sans', 'Arial', sans-serif; fill: #123456">7 שלום עולם 8</text>
 </g>
</svg>"""


@pytest.fixture
def element(tmp_path):
    """The file as an element of a page, read strictly."""
    path = tmp_path / "page.html"
    path.write_text(svg._as_element(FILE, "plot3", 'A "plot" & more', 96), encoding="utf-8")
    return Page(path)


def display(title="", *, loc="left", suptitle="", size=(5.0, 4.0), points=3):
    """What a display is to the renderer: something with a figure."""
    figure, ax = plt.subplots(figsize=size)
    ax.scatter(range(points), np.random.default_rng(0).normal(size=points))
    ax.set_title(title, loc=loc)
    if suptitle:
        figure.suptitle(suptitle)
    return SimpleNamespace(figure_=figure)


def test_references_get_the_prefix_and_keep_their_targets(element):
    assert element.ids == ["plot3-m1", "plot3-p1", "plot3-g1"]
    assert element.one("use").features["href"] == "#plot3-m1"
    (clipped,) = [e for e in element.all("g") if "clip-path" in e.features]
    assert clipped.features["clip-path"] == "url(#plot3-p1)"
    assert "fill: url(#plot3-g1)" in element.source
    assert element.one("image").features["href"] == "data:image/png;base64,AAAA"


def test_what_a_page_does_not_need_is_left_out(element):
    assert not element.all("metadata", "style", "x")
    assert "http" not in element.source
    root = element.one("svg").features
    assert root.keys() == {"viewbox", "role", "aria-label", "style"}
    assert root["style"] == "--width: 96px; max-width: 96px"
    assert root["aria-label"] == 'A "plot" & more'


def test_colours_and_fonts_are_those_of_the_page(element):
    styles = [e.features["style"] for e in element.elements if "style" in e.features]
    assert styles == [
        "--width: 96px; max-width: 96px",
        "stroke: var(--ink)",
        "fill: var(--faint); stroke: var(--paper)",
        "fill: url(#plot3-g1)",
        "font: 10px var(--sans); fill: #123456",
    ]


def test_right_to_left_text_is_isolated(element):
    assert element.one("text").text == "7 \u2068שלום עולם\u2069 8"


def test_plots_of_a_page_do_not_share_ids(tmp_path):
    renderer = PlotRenderer()
    plots = [renderer.draw(display, "Two of the same", f"caption {i}") for i in range(2)]
    assert [plot.caption for plot in plots] == ["caption 0", "caption 1"]
    path = tmp_path / "page.html"
    path.write_text("".join(plot.markup for plot in plots), encoding="utf-8")
    page = Page(path)
    assert {i[:6] for i in page.ids} == {"plot1-", "plot2-"}
    first, second = (re.sub("plot[12]-", "", plot.markup) for plot in plots)
    assert first == second


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "What."),
        ({"title": "left", "loc": "left"}, "What. left"),
        ({"title": "two\nlines", "loc": "center"}, "What. two lines"),
        ({"title": "left", "suptitle": "above"}, "What. above"),
        ({"title": r"\$x\$"}, "What. $x$"),
    ],
)
def test_the_text_alternative_has_the_title(tmp_path, options, said):
    path = tmp_path / "page.html"
    plot = PlotRenderer().draw(lambda: display(**options), "What", "")
    path.write_text(plot.markup, encoding="utf-8")
    root = Page(path).one("svg").features
    assert root["aria-label"] == said
    assert root["style"] == "--width: 480px; max-width: 480px"


def test_text_alternatives_show_control_characters():
    plot = PlotRenderer().draw(display, "".join(NAMES[:4]), "")
    assert controls(plot.markup) == set()
    assert r"\x1b]52;c;aGk=\x07" in plot.markup


@pytest.mark.parametrize("more", [0, 1])
def test_plots_become_images_beyond_a_size(monkeypatch, more):
    whole = PlotRenderer().draw(display, 'A "plot"', "").markup
    monkeypatch.setattr(svg, "_LARGEST_SVG", len(whole.encode()) - more)
    plot = PlotRenderer().draw(lambda: display(size=(5, 4)), 'A "plot"', "").markup
    if not more:
        assert plot == whole
        return
    tag = re.fullmatch(r'<img src="data:image/png;base64,([^"]*)" (alt="[^"]*" width="480")>', plot)
    assert tag[2] == 'alt="A &quot;plot&quot;." width="480"'
    pixels = imread(BytesIO(b64decode(tag[1])))
    assert pixels.shape[:2] == (4 * 130, 5 * 130)
    assert (pixels[0, 0] == 1).all()  # white, and opaque


def test_settings_of_the_user_do_not_matter_and_stay():
    plain = PlotRenderer().draw(display, "A plot", "").markup
    with plt.rc_context({"font.size": 20, "svg.fonttype": "path", "figure.dpi": 50}):
        changed = dict(mpl.rcParams)
        assert PlotRenderer().draw(display, "A plot", "").markup == plain
        assert dict(mpl.rcParams) == changed


def test_no_figure_is_left_open(monkeypatch):
    PlotRenderer().draw(display, "A plot", "")
    assert not plt.get_fignums()
    monkeypatch.setattr(svg, "_as_element", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        PlotRenderer().draw(display, "A plot", "")
    assert not plt.get_fignums()


def test_missing_glyphs_are_no_warning_and_others_are():
    PlotRenderer().draw(lambda: display("日本語"), "A plot", "")

    def warns():
        import warnings

        warnings.warn("something else", UserWarning, stacklevel=2)
        return display()

    with pytest.warns(UserWarning, match="something else"):
        PlotRenderer().draw(warns, "A plot", "")
