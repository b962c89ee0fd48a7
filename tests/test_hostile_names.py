"""Names and labels with control characters: shown by every result and error, sent by none."""

import io
from functools import cache

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from sklearn.cluster import KMeans

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.text import Text

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise._utils.results import Described, Result
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.measures.catalogue import find_measure
from helpers.hostile import NAMES, UNREADABLE, controls

RANDOM = np.random.default_rng(0)
CORNER = np.arange(48) % 4
X = pd.DataFrame(
    np.column_stack([CORNER // 2 * 9.0, CORNER % 2 * 9.0]) + RANDOM.normal(size=(48, 2)),
    columns=NAMES[:2],
)


def labels(start):
    """Four clusters with hostile names, some objects in the wrong one."""
    codes = np.where(np.random.default_rng(start).random(48) < 0.2, 0, CORNER)
    return np.array([*NAMES, UNREADABLE], object)[codes + start]


RUNS = {name: labels(i % 6) for i, name in enumerate([*NAMES[:4], UNREADABLE])}


def found_clusterings():
    parameters = {NAMES[0]: NAMES[1]}
    one = FoundClustering(CORNER % 2, 0.5, 0.5, 0.5, (24, 24), 2.0, False, NAMES[3], parameters)
    return FoundClusterings([one, one], given=(CORNER // 2)[None], parameters=parameters)


def profile_comparison():
    binning = cw.Binning().fit(X)
    profiles = (cw.DensityProfile.from_data(X, labels(i), binning=binning) for i in (0, 5))
    return cw.compare_profiles(*profiles, names=(NAMES[0], NAMES[3]))


def window_report():
    """The window in which all clusters get other names, and a feature leaves its range."""
    features = pd.concat([X] * 5 + [X * 3] * 5, ignore_index=True)
    names = np.concatenate([np.tile(labels(start), 5) for start in (0, 4)])
    *_, last = cw.ClusteringStream(window=240).run([(features, names)])
    assert last.births
    assert last.deaths
    assert last.outside
    return last


MAKE = {
    "Comparison": lambda: cw.compare(labels(0), labels(5), X, names=(NAMES[0], NAMES[3])),
    "ComparisonMatrix": lambda: cw.compare_all(RUNS),
    "ReferenceComparison": lambda: cw.compare_to(RUNS[next(iter(RUNS))], RUNS),
    "ProfileComparison": profile_comparison,
    "FoundClusterings": found_clusterings,
    "TradeoffCurve": lambda: cw.tradeoff_curve(X, labels(0), [0.2, 1.0], progress=False),
    "Combined": lambda: cw.combine(RUNS, "evidence", random_state=0),
    "WindowReport": window_report,
    "Assessment": lambda: cw.assess(X, labels(0), n_resamples=10, n_null=19, random_state=0),
    "NumberAssessment": lambda: cw.assess(
        X, KMeans, n_clusters=[2, 4], n_resamples=10, n_null=19, random_state=0
    ),
}
made = cache(lambda name: MAKE[name]())
MANY_PLOTS = ("Comparison", "FoundClusterings")
of_each_result = pytest.mark.parametrize("name", list(MAKE))


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def below(cls):
    return {one for sub in cls.__subclasses__() for one in (sub, *below(sub))}


def test_every_kind_of_result_is_made():
    for name in MAKE:
        assert type(made(name)).__name__ == name
    assert {cls.__name__ for cls in Result.__subclasses__()} >= set(MAKE)
    ours = {
        cls.__name__ for cls in Result.__subclasses__() if cls.__module__[:12] == "clusterwise."
    }
    assert ours == set(MAKE)


def printed(result):
    console = Console(width=300, file=io.StringIO(), force_terminal=False)
    console.print(result)
    return console.file.getvalue()


@of_each_result
@pytest.mark.parametrize(
    "show", [repr, str, lambda result: result.summary(), lambda r: r._repr_html_(), printed],
    ids=["repr", "str", "summary", "html", "rich"],
)  # fmt: skip
def test_results_send_no_control_characters(name, show):
    assert controls(show(made(name))) == set()


@pytest.mark.parametrize("name", ["Comparison", "ComparisonMatrix", "Combined", "WindowReport"])
def test_summaries_show_names_as_escapes(name):
    said = made(name).summary()
    assert "\n" not in said
    assert r"\x1b" in said or r"\x9b31m red" in said


def test_rich_takes_names_for_text_not_for_markup():
    a = np.array([NAMES[4], "b"] * 4)
    shown = printed(cw.compare(a, np.roll(a, 3), names=(NAMES[4], "b")))
    assert shown.count(NAMES[4]) >= 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")  # fonts have not everything
@of_each_result
def test_plots_draw_names_literally(name):
    figure = made(name).plot().figure_.get_figure(root=True)
    figure.canvas.draw()  # typesets mathematics, if there is any
    for text in figure.findobj(Text):
        assert controls(text.get_text()) == set()
        assert text.get_text().replace(r"\$", "").count("$") == 0


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in MANY_PLOTS)) for name in MAKE],
)
def test_reports_send_no_control_characters(name, tmp_path):
    options = {"X": X} if name == "FoundClusterings" else {}
    path = made(name).report(
        tmp_path / "report.html",
        title=NAMES[1] + NAMES[3],
        parameters={NAMES[0]: NAMES[2]},
        code=f"first {NAMES[0]}\nsecond",
        **options,
    )
    page = path.read_bytes().decode("utf-8")
    assert controls(page) == set()
    assert "<code>first \\x1b]52;c;aGk=\\x07\nsecond</code>" in page
    assert "<title>\\x9b31m red \\x1b[0ma\\nb\\r\\tc\\u2028\\u2029\\x85</title>" in page


def test_data_stay_exact():
    comparison = made("Comparison")
    assert comparison.to_dict()["a"] == NAMES[0]
    assert {match["a"] for match in comparison.to_dict()["matches"]} == set(NAMES[:4])
    assert made("ComparisonMatrix").to_dict()["names"] == list(RUNS)
    readable = {name: RUNS[name] for name in NAMES[:4]}
    assert list(cw.compare_all(readable).to_frame("pandas").columns) == NAMES[:4]


def test_sentences_of_transport_plans_and_agreements():
    plan = cw.transport_plan(labels(0), labels(5))
    assert controls("".join(plan.sentences())) == set()
    assert controls(cw.clustering_agreement(CORNER, RUNS).summary()) == set()


def test_tables_of_summaries_show_names():
    for table in (
        cw.Contingency.from_labels(labels(0), labels(5)),
        cw.DensityProfile.from_data(X, labels(0)),
        cw.Binning().fit(X),
        cw.separating_features(X, CORNER),
        cw.transport_plan(labels(0), labels(5)),
    ):
        assert controls(repr(table) + table._repr_html_() + printed(table)) == set()


def test_notes_on_columns_show_names():
    values = [*map(str, range(95)), *NAMES[:5]]
    described = cw.describe_columns(pd.DataFrame(dict.fromkeys(NAMES, values)))
    assert [one.name for one in described] == NAMES
    for one, (*_, note) in zip(described, described.text_table().rows, strict=True):
        assert controls(one.note) == set()
        assert '"\\x1b]52;c;aGk=\\x07"' in one.note
        assert one.note.endswith(f": {note}")
        assert note.startswith("95 of 100 values are numbers")


LINE = "\n".join(NAMES)
NAMED = pd.DataFrame({LINE: [0.5, 1.5, np.inf, 2.5]})


@pytest.mark.parametrize(
    "call",
    [
        lambda: cw.compare(LINE, "b", frame=pd.DataFrame({"b": [0, 1]})),
        lambda: cw.compare([0, 1], [0, 1], measures=[LINE]),
        lambda: cw.compare_all({LINE: [0, 1], "b": [0, 1, 1]}),
        lambda: cw.compare_all({LINE: [0, 1], "b": [0, 1]}, measure=LINE),
        lambda: cw.adjusted_rand_score([0, 1], [0, 1], noise=LINE),
        lambda: cw.combine({LINE: [0, 1], "b": [0, 1, 1]}),
        lambda: cw.combine({"a": [0, 1], "b": [0, 1]}, LINE),
        lambda: cw.cluster_again(NAMED, [0, 0, 1, 1], progress=False),
        lambda: cw.cluster_again(NAMED, [0, 0, 1, 1], method=LINE),
        lambda: cw.Binning().fit(NAMED),
        lambda: cw.Binning.from_edges({LINE: [2, 1]}),
        lambda: cw.DensityProfile.from_data(NAMED, [0, 0, 1, 1]),
        lambda: made("Comparison").plot(LINE),
        lambda: made("Comparison").to_frame(LINE),
        lambda: made("Comparison").report(f"{LINE}/report.html"),
        lambda: find_measure(LINE),
    ],
)
def test_errors_quote_names_on_one_line(call):
    with pytest.raises(InputError, match="52;c;aGk=") as caught:
        call()
    assert controls(str(caught.value)) == set()
    assert "\n" not in str(caught.value)


def test_no_summary_bypasses_the_base_class():
    described = {cls for cls in below(Described) if cls.__module__.startswith("clusterwise.")}
    assert len(described) > len(MAKE)
    for cls in described:
        assert "summary" not in vars(cls)
        assert "sentences" not in vars(cls)
