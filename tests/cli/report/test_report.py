"""The verb ``report``, and the option ``--report`` of the verbs that find something."""

import shlex
from dataclasses import is_dataclass, replace
from datetime import date

import matplotlib as mpl
import numpy as np
import pytest

from helpers.pages import PRINTED, Page

mpl.use("Agg")

import clusterwise as cw
from clusterwise.cli.again.command import again
from clusterwise.cli.combine.command import combine
from clusterwise.cli.options import command_line
from clusterwise.cli.report.command import report

A = ["old", "old", "old", "new", "new", "new", "rest", "rest"]
B = ["u", "u", "v", "v", "v", "v", "w", "w"]
X = [0.5, 0.75, 1.5, 4.5, 4.25, 5.5, 9.5, 8.25]
Y = [3, 3, 1, 1, 2, 1, 3, 2]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        text = "".join(",".join(map(str, row)) + "\n" for row in rows)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write_file


@pytest.fixture
def labels(write):
    return write("labels.csv", a=A, b=B)


@pytest.fixture
def features(write):
    return write("features.csv", height=X, kind=Y)


def read(tmp_path, name="report.html"):
    return Page(tmp_path / name)


def measured(page):
    return {row[0]: float(row[1]) for row in page.rows if row[0] in cw.compare(A, B, X2).values}


X2 = np.column_stack([X, Y])


def test_two_columns_of_labels(run, labels, tmp_path):
    result = run("report", labels)
    assert (result.status, result.out) == (0, "")
    assert result.err == "clusterwise: the report is in report.html.\n"
    page = read(tmp_path)
    assert page.one("h1").text == "a against b"
    expected = cw.compare(A, B).values
    assert measured(page) == {n: pytest.approx(v, abs=PRINTED) for n, v in expected.items()}
    assert len(page.pictures) == 2
    assert f"on {date.today().isoformat()}." in page.one("footer").text


@pytest.mark.slow
def test_features_under_their_own_names(run, labels, features, tmp_path):
    assert run("report", labels, "--data", features, "-o", "page.html").status == 0
    page = read(tmp_path, "page.html")
    expected = cw.compare(A, B, X2).values
    assert measured(page) == {n: pytest.approx(v, abs=PRINTED) for n, v in expected.items()}
    assert "2 features of the objects: height and kind." in page.one("main").text
    assert len(page.pictures) == 4
    assert any(row[1:2] == ["height"] for row in page.rows)


@pytest.mark.slow
def test_noise_that_is_dropped(run, write, features, tmp_path):
    noisy = write("noisy.csv", a=[-1, *A[1:]], b=B)
    assert run("report", noisy, "-d", features, "--noise", "drop").status == 0
    page = read(tmp_path)
    assert "1 of 8 objects (12%) was left out as noise." in page.one("main").text
    assert ["noise", "drop"] in page.rows
    assert len(page.pictures) == 4


def test_memberships(run, write, tmp_path):
    soft = write("soft.csv", p_0=[0.5, 0.1, 1], p_1=[0.5, 0.9, 0], c=["x", "y", "x"])
    assert run("report", soft, "--soft", "p_*").status == 0
    assert "members of several clusters" in read(tmp_path).one("main").text


def test_the_command_is_on_the_page(run, write, features, tmp_path):
    name = write("my labels.csv", **{"-a b": A, "c;d": B})
    arguments = [name, "--column=-a b", "--column", "c;d", "--data", features, "--bins", "3"]
    assert run("report", *arguments, "--title", "It's <here>").status == 0
    page = read(tmp_path)
    assert page.one("h1").text == "It's <here>"
    first = page.source
    (code,) = page.all("code")
    verb, *arguments = shlex.split(code.text)
    assert verb == "clusterwise"
    (tmp_path / "report.html").unlink()
    assert run(*arguments).status == 0
    assert read(tmp_path).source == first


def test_many_columns_of_labels(run, write, tmp_path):
    name = write("sweep.csv", a=A, b=B, c=B, d=B[::-1])
    assert run("report", name).status == 0
    page = read(tmp_path)
    assert page.one("h1").text == "4 clusterings compared by adjusted_rand_score"
    descriptions = [one.features["aria-label"] for one in page.all("svg")]
    assert [text.split(".")[0] for text in descriptions] == [
        "Flow of objects through the clusters of all clusterings, in their order",
        "Similarity matrix of the clusterings",
        "Map of the clusterings by similarity",
    ]
    assert [row[0] for row in page.rows if row[1:2] == ["3"]] == ["a", "b", "c", "d"]
    assert run("report", name, "--measure", "rand_score").status == 0
    assert read(tmp_path).one("h1").text == "4 clusterings compared by rand_score"


def test_many_columns_have_one_measure(fails, write, tmp_path):
    name = write("three.csv", a=A, b=B, c=B)
    line = fails("report", name, "-m", "rand_score", "-m", "adjusted_rand_score")
    assert "a report of 3 clusterings shows one measure, but --measure names 2; choose one" in line
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output", "no/where.html"], "--output no/where.html: there is no folder no"),
        (["--features", "x"], "add --data FILE"),
        (["--bins", "0"], "--bins must be at least 1, not 0"),
        (["--measure", "adco_score"], "name their file with --data"),
        (["--colunm", "a"], "colunm"),
    ],
)
def test_wrong_options(fails, labels, arguments, said):
    assert said in fails("report", labels, *arguments)


def test_alternatives(run, write, tmp_path):
    corner = np.arange(40) % 4
    random = np.random.default_rng(0)
    places = {
        name: corner // d % 2 * 9 + random.normal(size=40) for name, d in (("x", 1), ("y", 2))
    }
    side = np.where(corner // 2 == 0, "lower", "upper")
    name = write("places.csv", side=side, **places)
    result = run("again", name, "--given", "side", "--report", "page.html")
    assert result.status == 0
    page = read(tmp_path, "page.html")
    assert page.one("h1").text == "Alternatives to side"
    verdict = page.of_class("verdict")[0].text
    assert verdict == "Found one alternative with 2 clusters (20, 20)."
    sentences = [verdict, *(e.text for e in page.all("li"))]
    assert sentences[1].startswith("It is unrelated to side (adjusted Rand -0.0")
    assert sentences[2].startswith('It is the feature "x" cut into two intervals: ')
    assert "It was found again in 5 of 5 searches." in sentences
    assert "side is about y." in sentences
    for sentence in sentences[: sentences.index("side is about y.") + 1]:
        assert sentence in result.out
    assert any("lower" in e.text for e in page.all("text"))
    assert page.one("code").text.startswith("clusterwise again places.csv --given side")


@pytest.mark.slow
def test_alternatives_of_names_to_a_clustering_that_is_made(run, write, tmp_path):
    corner = np.arange(40) % 4
    colour = np.where(corner % 2 == 0, "red", "blue")
    name = write("things.csv", colour=colour, size=corner // 2 * 9 + np.arange(40) / 100)
    assert run("again", name, "--report", "page.html").status == 0
    page = read(tmp_path, "page.html")
    assert page.one("h1").text == "Alternatives to first"
    assert "2 features of the objects: colour and size." in page.one("main").text


@pytest.mark.slow
def test_combinations(run, write, tmp_path):
    runs = {name: np.roll(np.arange(30) // 10, shift) for name, shift in (("a", 0), ("b", 1))}
    name = write("runs.csv", **runs, c=np.arange(30) // 10)
    result = run("combine", name, "--report", "page.html", "--method", "evidence")
    assert result.status == 0
    page = read(tmp_path, "page.html")
    assert page.one("h1").text == "Consensus of 3 clusterings"
    assert page.of_class("verdict")[0].text in result.out
    expected = "clusterwise combine runs.csv --method evidence --report page.html"
    assert page.one("code").text == expected


@pytest.mark.parametrize("verb", ["again", "combine"])
def test_places_are_refused_before_any_work(fails, verb):
    line = fails(verb, "nowhere.csv", "--report", "no/where.html")
    assert "--report no/where.html: there is no folder no" in line


def arguments_of(verb, *files, **changed):
    """The arguments of a verb; an option that is changed is one of its own or of a group."""
    arguments = {"files": files, **verb.__kwdefaults__}
    for name, value in changed.items():
        if name in arguments:
            arguments[name] = value
            continue
        (group,) = (
            group for group, one in arguments.items() if is_dataclass(one) and hasattr(one, name)
        )
        arguments[group] = replace(arguments[group], **{name: value})
    return arguments


@pytest.mark.parametrize(
    ("verb", "options", "spelt"),
    [
        (report, {}, "report f.csv"),
        (report, {"noise_label": "-9"}, "report f.csv --noise-label=-9"),
        (report, {"column": ["a", "b c"]}, "report f.csv --column a --column 'b c'"),
        (again, {"scale": False}, "again f.csv --no-scale"),
        (again, {"as_published": True}, "again f.csv --as-published"),
        (combine, {"output_format": "json"}, "combine f.csv --format json"),
    ],
)
def test_commands_are_spelt_as_they_are_typed(verb, options, spelt):
    arguments = arguments_of(verb, "f.csv", **options)
    assert command_line(verb, arguments) == f"clusterwise {spelt}"
