"""Control characters in files and arguments: shown to people, kept in data."""

import csv
import io
import json
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from helpers.hostile import NAMES, controls

mpl.use("Agg")

A, B, C = NAMES[0], NAMES[1], NAMES[2] + NAMES[4]
FILE = f"{NAMES[2]}\x1b[2J\udcff.csv"
CORNER = np.arange(40) % 4
LABELS = {
    A: [[*NAMES[:3], NAMES[4]][i] for i in CORNER],  # line breaks are not read exactly
    B: [NAMES[i] for i in np.where(np.arange(40) % 9 == 0, 3, CORNER)],
}
FEATURES = {
    C: (CORNER // 2 * 9 + np.sin(np.arange(40))).round(3).tolist(),
    NAMES[3]: (CORNER % 2 * 9 + np.cos(np.arange(40))).round(3).tolist(),
    "\x1b[constant": [1] * 40,
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file with hostile labels, columns and a hostile name."""
    monkeypatch.chdir(tmp_path)
    columns = {**LABELS, **FEATURES}
    with Path(FILE).open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerows([columns, *zip(*columns.values(), strict=True)])
    return FILE


VERBS = {
    "compare": ["compare", FILE, "-c", A, "-c", B],
    "compare --data": ["compare", FILE, "-c", A, "-c", B, "--data", FILE, "--features", C],
    "combine": ["combine", FILE, "-c", A, "-c", B, "-m", "voting"],
    "again": ["again", FILE, "--given", A, "-m", "coala"],
    "assess": ["assess", FILE, "-l", A, "--features", C, "--resamples", "10", "--null-sets", "19"],
    "profile": ["profile", FILE, "--labels", A],
    "stream": ["stream", FILE, "--labels", A, "--window", "20", "--features", C],
    "measures": ["measures"],
}


@pytest.mark.parametrize("output_format", ["table", "markdown"])
@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_shows_control_characters(run, file, verb, output_format):
    result = run(*VERBS[verb], "-f", output_format)
    assert result.status == 0, result.err
    assert controls(result.out) == set()
    assert controls(result.err) == set()
    if verb != "measures":
        assert r"\x1b]52" in result.out or r"\u202eevil" in result.err


def test_notes_show_names(run, file):
    err = run(*VERBS["again"]).err
    assert r"left out \x1b[constant" in err
    assert all(line.startswith("clusterwise: ") for line in err.splitlines())


@pytest.mark.parametrize("verb", ["compare", "combine", "again", "profile", "stream"])
def test_json_has_the_names_exactly_and_no_raw_control_character(run, file, verb):
    out = run(*VERBS[verb], "-f", "json").out
    assert controls(out) == set()
    assert A in set(strings(json.loads(out)))


def strings(value):
    """All strings in a JSON value, names of fields too."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


def test_csv_has_the_names_exactly(run, file):
    out = run(*VERBS["compare"], "-f", "csv", "-m", "rand_score").out
    assert list(csv.reader(io.StringIO(out)))[1][:2] == [A, B]


def test_files_of_labels_have_the_names_exactly(run, file):
    for name in ("out.csv", "out.jsonl"):
        assert run(*VERBS["again"], "-o", name).status == 0
    with Path("out.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    lines = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    for found in (rows, lines):
        assert [row[A] for row in found] == LABELS[A]
    assert controls(Path("out.jsonl").read_text("utf-8")) == set()


def test_csv_on_a_terminal_shows_control_characters(run, file, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    out = run(*VERBS["compare"], "-f", "csv", "-m", "rand_score").out
    assert out.splitlines()[1].startswith(r"\x1b]52;c;aGk=\x07,\x9b31m red")
    assert controls(out) == set()


def test_reports_say_where_they_are_and_what_made_them(run, file):
    name = "\x1b[2Jpage.html"
    result = run("report", file, "-c", A, "-c", B, "-o", name, "--title", NAMES[1])
    assert result.err == "clusterwise: the report is in \\x1b[2Jpage.html.\n"
    page = Path(name).read_text(encoding="utf-8")
    assert controls(page) == set()
    assert r"\u202eevil\u2066\x1b[2J\udcff.csv" in page


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", f"nowhere{NAMES[0]}{NAMES[3]}"],
        ["compare", FILE, "-c", f"none{NAMES[0]}", "-c", A],
        ["compare", FILE, "-m", NAMES[0]],
        ["compare", FILE, f"--none{NAMES[0]}"],
        ["compare", FILE, "-f", NAMES[0]],
        ["again", FILE, "--given", A, "-m", NAMES[0]],
        ["again", FILE, "--given", A, "--n-clusters", NAMES[0]],
        ["combine", FILE, "-m", NAMES[0]],
        ["profile", FILE, "--labels", NAMES[0] + "x"],
        ["report", FILE, "-c", A, "-c", B, "-o", f"{NAMES[0]}/page.html"],
        ["stream", FILE, "--labels", NAMES[0] + "x"],
        ["measures", NAMES[0]],
        [NAMES[0]],
    ],
)
def test_refusals_are_one_line_that_shows_what_was_given(run, file, arguments):
    result = run(*arguments)
    assert (result.status, result.out) == (2, "")
    assert controls(result.err) == set()
    (line,) = result.err.splitlines()
    assert r"\x1b]52;c;aGk=\x07" in line


def test_debug_shows_control_characters_too(run, file, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError(f"oh {NAMES[0]}")

    monkeypatch.setattr("clusterwise.cli.compare.printout.print_comparison", broken)
    result = run(*VERBS["compare"], "--debug")
    assert result.status == 1
    assert controls(result.err) == set()
    assert result.err.startswith("Traceback (most recent call last):\n  File ")
    assert result.err.count(r"oh \x1b]52;c;aGk=\x07") == 2


@pytest.mark.slow
def test_a_process_of_its_own(process, file):
    result = process(*VERBS["compare"], "-m", "rand_score")
    assert result.returncode == 0
    assert "\\x1b]52;c;aGk=\\x07 (4 clusters) against" in result.stdout
    assert controls(result.stdout + result.stderr) == set()
