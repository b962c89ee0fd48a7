"""Every result has the same five methods, and prints the same in the terminal and in notebooks."""

import io
import json
import re
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console
from sklearn.cluster import KMeans

mpl.use("Agg")

import clusterwise as cw
from clusterwise._utils.results import Result
from clusterwise.plots.base import Display

RANDOM = np.random.default_rng(0)
CORNER = np.arange(48) % 4
X = pd.DataFrame(
    np.column_stack([CORNER // 2 * 9.0, CORNER % 2 * 9.0]) + RANDOM.normal(size=(48, 2)),
    columns=["x", "y"],
    index=[f"object {i}" for i in range(48)],
)
GIVEN = pd.Series(CORNER // 2, index=X.index, name="given")
RUNS = pd.DataFrame(
    {
        name: np.where(RANDOM.random(48) < 0.1, 0, CORNER)
        for name in ("first", "second", "third", "fourth")
    },
    index=X.index,
)


def compare_profiles() -> Result:
    binning = cw.Binning().fit(X)
    profiles = [
        cw.DensityProfile.from_data(X, RUNS[name], binning=binning) for name in ("first", "second")
    ]
    return cw.compare_profiles(*profiles, names=("first", "second"))


def last_window() -> Result:
    labels = np.tile(CORNER, 20)
    features = np.tile(X.to_numpy(), (20, 1))
    *_, last = cw.ClusteringStream(window=240).run([(features, labels)])
    return last


MAKE = {
    "Comparison": lambda: cw.compare(RUNS["first"], RUNS["second"], X),
    "ComparisonMatrix": lambda: cw.compare_all(RUNS),
    "ReferenceComparison": lambda: cw.compare_to(GIVEN, RUNS),
    "ProfileComparison": compare_profiles,
    "FoundClusterings": lambda: cw.cluster_again(X, GIVEN, random_state=0, progress=False),
    "TradeoffCurve": lambda: cw.tradeoff_curve(X, GIVEN, [0.2, 0.6, 1.0], progress=False),
    "Combined": lambda: cw.combine(RUNS, "evidence", random_state=0),
    "WindowReport": last_window,
    "Assessment": lambda: cw.assess(X, GIVEN, n_resamples=10, n_null=19, random_state=0),
    "NumberAssessment": lambda: cw.assess(
        X, KMeans, n_clusters=[2, 4], n_resamples=10, n_null=19, random_state=0
    ),
}
MADE: dict[str, Result] = {}


@pytest.fixture(params=list(MAKE))
def result(request) -> Result:
    if request.param not in MADE:
        MADE[request.param] = MAKE[request.param]()
    return MADE[request.param]


class Cells(HTMLParser):
    """The texts of cells, captions and paragraphs."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.inside = tag in ("td", "th", "caption", "p")
        if self.inside:
            self.found.append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.found[-1] += data


def words(text: str) -> list[str]:
    return text.split()


def test_the_list_of_results_is_complete() -> None:
    def below(cls: type) -> set[type]:
        return {cls} | {one for sub in cls.__subclasses__() for one in below(sub)}

    for name, make in MAKE.items():
        if name not in MADE:
            MADE[name] = make()
        assert type(MADE[name]).__name__ == name
    named = {
        one.__name__
        for one in below(Result) - {Result}
        if one.__module__.startswith("clusterwise.")
    }
    assert named == set(MAKE)


def test_they_are_results(result) -> None:
    assert isinstance(result, Result)


def test_the_summary_is_made_of_sentences(result) -> None:
    said = result.summary()
    assert re.fullmatch(r"[A-Z0-9a-z].*[.!)]", said, re.DOTALL), said
    assert "\n" not in said
    assert "  " not in said
    assert len(words(said)) > 5


def test_dictionaries_survive_json(result) -> None:
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain


@pytest.mark.parametrize(("library", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_frames_of_any_library(result, library, kind) -> None:
    frame = result.to_frame(library)
    assert isinstance(frame, kind)
    assert len(frame)


def test_plots_are_displays(result) -> None:
    display = result.plot()
    assert isinstance(display, Display)
    assert display.figure_ is not None


def test_reports_are_pages(result, tmp_path) -> None:
    path = result.report(tmp_path / "report.html", title="A title of its own")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>A title of its own</h1>" in page


def test_terminal_and_notebook_show_the_same_cells(result) -> None:
    cells = [cell for cell in Cells(result._repr_html_()).found if cell]
    text = repr(result)
    assert sorted(words(text)) == sorted(word for cell in cells for word in words(cell))
    console = Console(width=500, file=io.StringIO())
    console.print(result)
    printed = words(re.sub("[─━╺╸]+", " ", console.file.getvalue()))
    assert sorted(printed) == sorted(words(text))


def test_rows_that_are_objects_keep_their_index() -> None:
    for name in ("FoundClusterings", "Combined"):
        frame = MADE.setdefault(name, MAKE[name]()).to_frame("pandas")
        if len(frame) == len(X):
            assert list(frame.index) == list(X.index), name
