"""Reports of comparisons: content, escaping, no external resources, reproducibility."""

import re
import subprocess
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from helpers.pages import PRINTED, Page

mpl.use("Agg")

from matplotlib import pyplot as plt

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.report import svg, write_report

DAY = date(2024, 2, 29)
HOSTILE = [
    "<script>alert(1)</script>",
    "</style></svg><img src=x onerror=alert(1)>",
    "\"double\" & 'single'",
    "x" * 300,
    "😀 {{ 7 * 7 }}",
    "שלום עולם",
    "$x_1$ \\frac{1}{2}",
]
LARGEST = 5_000_000


def groups(n=120, k=3, seed=0):
    """Two clusterings that differ in a fifth of the objects, and their features."""
    random = np.random.default_rng(seed)
    a = random.integers(0, k, n)
    b = np.where(random.random(n) < 0.2, random.integers(0, k, n), a)
    X = random.normal(size=(n, 3)) + 3 * a[:, None] * [1, 0, -1]
    return a, b, X


@pytest.fixture(scope="module")
def comparison():
    a, b, X = groups()
    frame = pd.DataFrame(X, columns=["height", "width", "depth"])
    return cw.compare(a, b, frame, names=("last year", "this year"))


@pytest.fixture(scope="module")
def page(comparison, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert write_report(comparison, path, day=DAY) == path
    return Page(path)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    a, b, X = groups(300, len(HOSTILE))
    frame = pd.DataFrame(np.column_stack([X, X, X])[:, : len(HOSTILE)], columns=HOSTILE)
    names = (HOSTILE[0], HOSTILE[5])
    result = cw.compare([HOSTILE[i] for i in a], [HOSTILE[-1 - i] for i in b], frame, names=names)
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    write_report(result, path, title="</title><script>alert(2)</script>")
    return Page(path)


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    assert not plt.get_fignums()


def test_the_verdict_comes_first(page, comparison):
    assert page.one("h1").text == "last year against this year"
    first, *more = [e.text for e in (*page.of_class("verdict"), *page.all("li"))]
    assert comparison.summary().startswith(first)
    for sentence in more[: len(page.all("li")) - len(page.sections)]:
        assert sentence in comparison.summary()
    assert " ".join([first, *more[: -len(page.sections)]]) == comparison.summary()


def test_sections_are_linked_and_in_order(page):
    assert page.sections == [
        "What was compared",
        "Flow of objects",
        "Matched clusters",
        "Features of the clusters",
        "All measures",
        "How it was made",
    ]
    links = [e.features["href"].removeprefix("#") for e in page.all("a")]
    assert links == [e.features["id"] for e in page.all("section")]
    assert len(set(page.ids)) == len(page.ids)


def test_every_measure_has_its_value_range_and_meaning(page, comparison):
    rows = {row[0]: row[1:] for row in page.rows if row[0] in CATALOGUE}
    assert set(rows) == set(comparison.values)
    for name, (value, range_, meaning) in rows.items():
        assert float(value) == pytest.approx(comparison.values[name], abs=PRINTED)
        assert (range_, meaning) == (CATALOGUE[name].range, CATALOGUE[name].meaning)


def test_matched_clusters_and_moves(page, comparison):
    for match in comparison.matches:
        assert any(row[:3] == [str(match.a), str(match.b), str(match.shared)] for row in page.rows)
    for move in comparison.moves:
        cells = [str(move.source), str(move.target), str(move.objects)]
        assert any(row[:3] == cells for row in page.rows)
    contributor = comparison.contributors(1)[0]
    assert any(row[0] == str(contributor.object) for row in page.rows)


def test_what_was_compared(page):
    a, b, _ = groups()
    sizes = ["{}, {}, {}".format(*sorted(np.bincount(one), reverse=True)) for one in (a, b)]
    rows = {row[0]: row for row in page.rows}
    assert [rows[name][3] for name in ("last year", "this year")] == sizes
    assert "3 features of the objects: height, width and depth." in page.one("main").text


def test_plots_have_text_alternatives(page, comparison):
    figures = page.all("figure")
    captions = [e.text for e in page.all("figcaption")]
    assert len(page.pictures) == len(figures) == len(captions) == 4
    assert all(captions)
    for picture in page.pictures:
        assert picture.features["role"] == "img"
        assert len(picture.features["aria-label"]) > 30
    shared = comparison.table.matching.overlap / comparison.table.n
    assert f"{shared:.0%}" in page.pictures[0].features["aria-label"]


@pytest.mark.slow
def test_tables_say_which_cells_are_headings(page):
    for heading in page.all("th"):
        assert heading.features["scope"] == ("col" if heading.within("thead") else "row")
    numbers = page.of_class("number")
    assert {e.tag for e in numbers} == {"th", "td"}
    levels = [int(e.tag[1]) for e in page.all("h1", "h2", "h3")]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.one("html").features["lang"] == "en"


def test_it_has_no_external_resources(page):
    assert not page.all("script", "link", "iframe", "object")
    for element in page.elements:
        for name in ("src", "href", "xlink:href"):
            value = element.features.get(name)
            assert value is None or value.startswith(("#", "data:image/png;base64,"))
    assert "http://" not in page.source
    assert "https://" not in page.source
    assert "default-src 'none'" in page.source


def test_plots_have_the_colours_and_fonts_of_the_page(page):
    drawn = page.source[page.source.index("<main>") :]
    for colour in ("#1a1a1a", "#c9c9c9"):
        assert colour not in drawn
    assert "fill: var(--ink)" in drawn
    assert "DejaVu" not in drawn
    assert "var(--sans)" in drawn


def test_references_inside_plots_have_targets(page):
    """Reading the page checks that every reference has one; here, that nothing else has an id."""
    kinds = set()
    for plot in page.pictures:
        inside = [e for e in page.elements if e.plot is plot]
        used = {target for e in inside for target in e.references()}
        assert used
        assert used == {e.features["id"] for e in inside if e.features.get("id")}
        kinds |= {name for e in inside for name in e.features if list(e.references())}
    assert {"href", "clip-path"} <= kinds


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('<a href="#there">x</a>', "nothing has the id there"),
        ('<svg><use xlink:href="#there"/></svg>', "nothing has the id there"),
        ('<svg><g clip-path="url(#there)"></g></svg>', "nothing has the id there"),
        ("<svg><g style=\"fill: url('#there')\"></g></svg>", "nothing has the id there"),
        ('<p aria-labelledby="here there" id="here"></p>', "nothing has the id there"),
        ('<p id="there"></p><p id="there"></p>', "an id is used twice"),
        ('<svg><g id="there"/></svg><svg><use href="#there"/></svg>', "there is in another plot"),
    ],
)
def test_pages_are_read_strictly(tmp_path, body, wrong):
    path = tmp_path / "page.html"
    path.write_text(body, encoding="utf-8")
    with pytest.raises(AssertionError, match=wrong):
        Page(path)


@pytest.mark.slow
def test_the_code_makes_the_same_comparison(page, comparison, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a, b, X = groups()
    X = pd.DataFrame(X, columns=["height", "width", "depth"])
    (code,) = page.all("code")
    scope = {"a": a, "b": b, "X": X}
    exec(code.text, scope)
    assert scope["comparison"].values == comparison.values
    assert Page(tmp_path / "report.html").one("h1").text == page.one("h1").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"noise": "drop"},
        {"noise": "singletons", "noise_label": 0},
        {"sample_weight": np.arange(1, 121)},
        {"align": "index"},
        {"align": "index", "noise": "drop", "noise_label": 2},
        {"binning": "frequency", "n_bins": 4},
        {"binning": cw.Binning.from_edges({"x0": [-2, 0, 3], "x1": [0, 1], "x2": [-4, 0, 1]})},
    ],
    ids="-".join,
)
def test_the_code_has_the_options_that_made_it(options, tmp_path):
    a, b, X = groups()
    a[:5] = -1
    a, b = pd.Series(a), pd.Series(b).sample(frac=1, random_state=0)
    if "align" not in options:
        b = b.sort_index()
    made = cw.compare(a, b, X, **options)
    page = Page(write_report(made, tmp_path / "report.html"))
    *lines, _, _ = page.one("code").text.splitlines()
    scope = {"a": a, "b": b, "X": X, "weights": options.get("sample_weight")}
    exec("\n".join(lines), scope | {"binning": options.get("binning")}, found := {})
    assert found["comparison"].values == made.values


def test_versions_and_parameters(page):
    rows = {tuple(row) for row in page.rows}
    assert ("clusterwise", cw.__version__) in rows
    assert ("numpy", np.__version__) in rows
    assert ("binning", "width") in rows
    assert page.one("footer").text.strip().endswith("on 2024-02-29.")


@pytest.mark.slow
def test_hostile_names_are_shown_as_they_are(hostile):
    assert not hostile.all("script", "img")
    assert (
        hostile.one("h1").text == hostile.one("title").text == "</title><script>alert(2)</script>"
    )
    cells = {cell for row in hostile.rows for cell in row}
    assert set(HOSTILE) <= cells
    assert f"cluster of {HOSTILE[0]}" in cells
    drawn = {e.text for e in hostile.all("text")}
    assert any("😀 {{ 7 * 7 }}" in text for text in drawn)
    assert any("$x_1$" in text for text in drawn)


@pytest.mark.slow
def test_right_to_left_names_reorder_nothing_else(hostile):
    assert any(e.text == "שלום עולם" for e in hostile.all("bdi"))
    drawn = [e.text for e in hostile.all("text") if "שלום" in e.text]
    assert drawn
    assert all("\u2068שלום" in text for text in drawn)


def test_control_characters_and_halves_of_characters(tmp_path):
    result = cw.compare(["a\nb", "\x1b[31m", "\ud800", "\u202eabc"] * 2, list("xyzx") * 2)
    page = Page(write_report(result, tmp_path / "report.html"))
    cells = {cell for row in page.rows for cell in row}
    for shown in (r"a\nb", r"\x1b[31m", r"\ud800", r"\u202eabc"):
        assert any(shown in cell for cell in cells)
    assert not any(hidden in cell for cell in cells for hidden in "\n\x1b\u202e")


def test_very_long_names_do_not_make_a_very_large_page(tmp_path):
    result = cw.compare(["long" * 500_000, "b"] * 5, list("xyxyyxyxyx"))
    assert write_report(result, tmp_path / "report.html").stat().st_size < LARGEST


@pytest.mark.slow
def test_the_same_bytes_whatever_the_user_s_settings(comparison, tmp_path):
    first = write_report(comparison, tmp_path / "first.html", day=DAY).read_bytes()
    with plt.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.facecolor": "red"}):
        plain = dict(mpl.rcParams)
        second = write_report(comparison, tmp_path / "second.html", day=DAY).read_bytes()
        assert dict(mpl.rcParams) == plain
    assert first == second
    other = write_report(comparison, tmp_path / "other.html", day=date(2024, 3, 1)).read_bytes()
    assert other.replace(b"2024-03-01", b"2024-02-29") == first


@pytest.mark.slow
def test_today_is_the_date(comparison, tmp_path):
    before = date.today()
    text = write_report(comparison, tmp_path / "report.html").read_text(encoding="utf-8")
    assert any(f"on {day.isoformat()}." in text for day in (before, date.today()))


@pytest.mark.slow
def test_large_plots_become_images_on_white(comparison, tmp_path, monkeypatch):
    monkeypatch.setattr(svg, "_LARGEST_SVG", 30_000)
    page = Page(write_report(comparison, tmp_path / "report.html"))
    images = [e for e in page.pictures if e.tag == "img"]
    assert 0 < len(images) < 4
    for image in images:
        assert image.features["src"].startswith("data:image/png;base64,")
        assert len(image.features["alt"]) > 30


@pytest.mark.slow
def test_nothing_is_written_if_something_goes_wrong(comparison, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("before")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(InputError, match=r"cannot be written \(the disk is full\)"):
        write_report(comparison, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("wrong", ["", "no/where.html"])
def test_files_that_cannot_be_written(comparison, tmp_path, wrong):
    with pytest.raises(InputError, match=r"is a folder|there is no folder"):
        write_report(comparison, tmp_path / wrong)
    assert not list(tmp_path.iterdir())


def test_only_results_have_reports(tmp_path):
    with pytest.raises(InputError, match="no report of a list"):
        write_report([1, 2], tmp_path / "report.html")


def test_a_ready_table_has_no_scatter_plot(tmp_path):
    a, b, _ = groups()
    table = cw.Contingency.from_labels(a, b)
    page = Page(write_report(cw.compare(table), tmp_path / "report.html"))
    assert "Features of the clusters" not in page.sections
    assert len(page.pictures) == 2


@pytest.mark.slow
def test_soft_clusterings(tmp_path):
    random = np.random.default_rng(0)
    a, b = random.dirichlet([1, 1, 1], 50), random.dirichlet([1, 1], 50)
    page = Page(write_report(cw.compare(a, b, random.normal(size=(50, 2))), tmp_path / "r.html"))
    assert "members of several clusters" in page.one("main").text
    assert len(page.pictures) == 4
    assert not any("adjusted Rand" in e.text for e in page.all("dt"))


@pytest.mark.slow
def test_noise_weights_and_objects_without_partner(tmp_path):
    a, b, X = groups()
    a, b = np.where(np.arange(120) < 7, -1, a), np.where(b == 2, 0, b)
    result = cw.compare(a, b, X, noise="drop", sample_weight=np.arange(1, 121))
    page = Page(write_report(result, tmp_path / "report.html", parameters={"noise": "drop"}))
    text = page.one("main").text
    assert "7 of 120 objects (6%) were left out as noise." in text
    assert "Objects are weighted" in text
    assert re.search(r"Of a, cluster \d is not matched\.", text)
    assert ["noise", "drop"] in page.rows


def test_objects_without_a_label_are_counted(tmp_path):
    result = cw.compare([0, 0, None, 1], [0, 1, 1, -1], missing="drop", noise="drop")
    page = Page(write_report(result, tmp_path / "report.html"))
    expected = "2 of 4 objects (50%) were left out as noise or without a label."
    assert expected in page.one("main").text
    assert ["missing", "drop"] in page.rows


def test_objects_matched_by_index(tmp_path):
    a = pd.Series([0, 0, 1, 1, 1], index=list("abcde"))
    b = pd.Series([5, 6, 6, 6], index=list("bcde"))
    page = Page(write_report(cw.compare(a, b, align="index"), tmp_path / "report.html"))
    assert "4 objects in common" in page.one("main").text


@pytest.mark.slow
@pytest.mark.parametrize("labels", [([0], [0]), ([0, 1], [1, 0]), ([0, 0, 0], [0, 1, 2])])
def test_tiny_and_equal_clusterings(labels, tmp_path):
    X = np.arange(2.0 * len(labels[0])).reshape(-1, 2)
    result = cw.compare(*labels, X)
    page = Page(write_report(result, tmp_path / "report.html"))
    assert page.of_class("verdict")[0].text in result.summary()
    assert len(page.pictures) == 4


@pytest.mark.slow
def test_a_million_objects(tmp_path):
    a, b, X = groups(1_000_000, 20)
    path = write_report(cw.compare(a, b, X), tmp_path / "report.html")
    assert path.stat().st_size < LARGEST
    page = Page(path)
    assert "1,000,000" in [e.text for e in page.all("dd")]
    assert len(page.pictures) == 4


@pytest.mark.slow
@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_missing_packages_are_named(package, tmp_path):
    code = f"""
import sys
sys.modules[{package!r}] = None
import clusterwise as cw
from clusterwise.report import write_report
from clusterwise._utils.errors import MissingExtraError
try:
    write_report(cw.compare([0, 1, 1], [0, 0, 1]), "report.html")
except MissingExtraError as error:
    print(error)
"""
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert package in done.stdout
    assert "clusterwise[report]" in done.stdout
    assert not list(tmp_path.iterdir())


def test_reports_load_nothing_until_they_are_written():
    code = "import clusterwise.report, sys; print({'jinja2', 'matplotlib'} & set(sys.modules))"
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_template_is_part_of_the_package():
    folder = Path(svg.__file__).with_name("templates")
    assert {path.name for path in folder.iterdir()} == {"report.html", "report.css"}
