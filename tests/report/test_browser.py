"""Reports in a browser: opened from a file, without a network, in light, dark and on paper."""

import shutil
from datetime import date

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")

import clusterwise as cw
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.report import write_report

pytestmark = pytest.mark.slow

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NAMES = ["<script>window.hit = 1</script>", '" onload="window.hit = 1', "x" * 300, "😀", "שלום"]
ENOUGH = 4.5

# Every text that is seen, with its colour, and all backgrounds below it. Texts in plots that
# have a colour of their own stand on what is drawn there, so only those in the page's ink count.
TEXTS = """() => {
  const ink = getComputedStyle(document.body).color;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    const style = getComputedStyle(element);
    const drawn = element.closest('svg') !== null;
    if (!node.data.trim() || style.visibility === 'hidden' || !element.getClientRects().length)
      continue;
    if (drawn && style.fill !== ink) continue;
    const below = [];
    let opacity = drawn ? Number(style.fillOpacity) : 1;
    for (let e = element; e; e = e.parentElement) {
      below.push(getComputedStyle(e).backgroundColor);
      opacity *= Number(getComputedStyle(e).opacity);
    }
    const colour = drawn ? style.fill : style.color;
    found.push({text: node.data.trim(), colour, below, drawn, opacity});
  }
  return found;
}"""
PICTURES = """() => [...document.querySelectorAll('figure svg, figure img')].map(e => {
  const box = e.getBoundingClientRect();
  return {width: box.width, height: box.height, shapes: e.querySelectorAll('path, image').length};
})"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """A report of each kind, with names that contain markup."""
    random = np.random.default_rng(0)
    a = random.integers(0, len(NAMES), 200)
    b = np.where(random.random(200) < 0.3, random.integers(0, len(NAMES), 200), a)
    X = pd.DataFrame(random.normal(size=(200, len(NAMES))) + a[:, None], columns=NAMES)
    first, second = ([NAMES[i] for i in one] for one in (a, b))
    alike = FoundClustering(b, 0.8, 0.2, 0.32, (50, 50, 50, 50), 4.0, False, NAMES[1], {})
    other = FoundClustering(a % 2, 0.4, 0.9, 0.55, (100, 100), 2.0, False, NAMES[0], {})
    ensemble = dict.fromkeys(NAMES, first) | {NAMES[1]: second}
    folder = tmp_path_factory.mktemp("browser")
    comparison = cw.compare(first, second, X, names=(NAMES[0], NAMES[4]))
    # One cluster after the other, so that there are births and deaths.
    order = np.argsort(a, kind="stable")
    batch = X.iloc[order], np.array(first)[order]
    windows = list(cw.ClusteringStream(window=20).run([batch]))
    results = {
        "comparison": (comparison, {}),
        "alternatives": (FoundClusterings([other, alike], given=a[None]), {"X": X}),
        "combination": (cw.combine(ensemble, "voting"), {}),
        "matrix": (cw.compare_all(ensemble), {}),
        "profiles": (comparison.density, {}),
        "stream": (windows, {}),
    }
    return {
        kind: write_report(result, folder / f"{kind}.html", day=date(2024, 2, 29), **options)
        for kind, (result, options) in results.items()
    }


@pytest.fixture(scope="module")
def browser():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"there is no browser; install one of {', '.join(BROWSERS)}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser, reports):
    """Open the report; requests for other files are refused and recorded."""
    opened = []

    def open_report(kind="comparison", **options):
        report = reports[kind]
        context = browser.new_context(**options)
        opened.append(context)
        page = context.new_page()
        page.asked, page.said = [], []

        def guard(route):
            if route.request.url == report.as_uri():
                route.continue_()
            else:
                page.asked.append(route.request.url)
                route.abort()

        context.route("**/*", guard)
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto(report.as_uri())
        return page

    yield open_report
    for context in opened:
        context.close()


def parts(colour):
    """Return red, green, blue and opacity of a CSS colour."""
    numbers = [float(n) for n in colour[colour.index("(") + 1 : -1].split(",")]
    return np.array(numbers[:3]), (numbers[3] if len(numbers) > 3 else 1.0)


def luminance(colour):
    """Return the contrast as defined by WCAG 2.2."""
    share = colour / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(text):
    behind = next(colour for colour, opaque in map(parts, text["below"]) if opaque == 1)
    seen = behind + text["opacity"] * (parts(text["colour"])[0] - behind)
    light, dark = sorted(map(luminance, (seen, behind)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_defined():
    text = {"colour": "rgb(255, 255, 255)", "below": ["rgba(0, 0, 0, 0)", "rgb(0, 0, 0)"]}
    assert contrast(text | {"opacity": 1}) == pytest.approx(21)
    assert contrast(text | {"opacity": 0}) == pytest.approx(1)
    text["below"] = ["rgb(119, 119, 119)"]
    assert contrast(text | {"opacity": 1}) == pytest.approx(4.48, abs=0.01)


in_both_schemes = pytest.mark.parametrize("scheme", ["light", "dark"])
of_each_kind = pytest.mark.parametrize(
    ("kind", "plots"),
    [
        ("comparison", 4),
        ("alternatives", 7),
        ("combination", 4),
        ("matrix", 3),
        ("profiles", 1),
        ("stream", 1),
    ],
)


@in_both_schemes
@of_each_kind
def test_opens_from_a_file_and_asks_for_nothing(visit, scheme, kind, plots):
    page = visit(kind, color_scheme=scheme)
    assert page.asked == []
    assert page.said == []
    drawn = page.evaluate(PICTURES)
    assert len(drawn) == plots
    for picture in drawn:
        assert picture["width"] > 300
        assert picture["height"] > 100
        assert picture["shapes"] > 5


@in_both_schemes
@of_each_kind
def test_every_text_has_enough_contrast(visit, scheme, kind, plots):
    texts = visit(kind, color_scheme=scheme).evaluate(TEXTS)
    assert sum(text["drawn"] for text in texts) > 10 * plots
    assert sum(not text["drawn"] for text in texts) > 100
    assert {text["text"]: contrast(text) for text in texts if contrast(text) < ENOUGH} == {}


def test_dark_is_dark_and_light_is_light(visit):
    shown = []
    for scheme in ("light", "dark"):
        page = visit(color_scheme=scheme)
        for name in ("backgroundColor", "color"):
            colour = page.evaluate(f"() => getComputedStyle(document.body).{name}")
            shown.append(luminance(parts(colour)[0]))
    light_paper, light_ink, dark_paper, dark_ink = shown
    assert light_paper > 0.9 > 0.1 > light_ink
    assert dark_paper < 0.1 < 0.7 < dark_ink


def test_on_paper_it_is_light_and_whole(visit):
    page = visit(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    texts = page.evaluate(TEXTS)
    assert {text["text"]: contrast(text) for text in texts if contrast(text) < ENOUGH} == {}
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert luminance(parts(paper)[0]) > 0.9
    assert not page.locator("nav").is_visible()
    assert page.pdf().startswith(b"%PDF")


@of_each_kind
def test_hostile_names_are_texts(visit, kind, plots):
    page = visit(kind)
    assert page.evaluate("() => window.hit") is None
    assert page.locator("script").count() == 0
    shown = page.locator("main").text_content()
    for name in NAMES:
        assert name in shown
    assert page.locator("figure svg, figure img").count() == plots
    assert any("😀" in text for text in page.locator("figure svg text").all_text_contents())


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_no_width_makes_the_page_scroll_sideways(visit, width):
    page = visit(viewport={"width": width, "height": 900})
    assert page.evaluate(SIDEWAYS) <= 0


def test_links_lead_to_their_sections(visit):
    page = visit()
    for link in page.locator("nav a").all():
        link.click()
        target = page.locator(link.get_attribute("href"))
        assert target.locator("h2").inner_text() == link.inner_text()
        assert target.evaluate("e => Math.abs(e.getBoundingClientRect().top) < innerHeight")


def test_screen_readers_reach_all_parts(visit):
    page = visit()
    plots = page.get_by_role("img").all()
    assert len(plots) == 4
    assert all(len(plot.get_attribute("aria-label")) > 30 for plot in plots)
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1
    assert page.get_by_role("region", name="All measures").get_by_role("rowheader").count() > 20
