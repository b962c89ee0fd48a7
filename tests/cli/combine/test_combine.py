"""The verb ``combine``: the choice of columns, the printed tables and the file of labels."""

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from clusterwise.consensus.combine import combine
from clusterwise.consensus.diagnostics import object_agreement
from clusterwise.consensus.methods import METHODS
from clusterwise.measures.pairs import adjusted_rand_score
from helpers.again_files import as_json, read_labels

# The third object moves in b; b does not know the sixth, and nobody knows the seventh.
IDS = [f"p{i}" for i in range(8)]
A = ["x", "x", "x", "y", "y", "y", "", "y"]
B = [1, 1, 2, 2, 2, "", "", 2]
C = [5, 5, 5, 4, 4, 4, "NA", 4]
X = [0.5, 1.5, 2.5, 0.1, 0.2, 0.3, 0.4, 0.6]
NEEDS = {"cspa": "pymetis", "hbgf": "pymetis", "hgpa": "mtkahypar", "mcla": "pymetis"}
ENSEMBLE = {
    name: [None if label in ("", "NA") else label for label in labels]
    for name, labels in {"a": A, "b": B, "c": C}.items()
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, separator=",", **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        Path(name).write_text("".join(separator.join(map(str, row)) + "\n" for row in rows))
        return name

    return write_file


@pytest.fixture
def labels(write):
    return write("labels.csv", id=IDS, a=A, b=B, c=C, x=X)


@pytest.fixture
def noisy(write):
    """Ten clusterings of three planted clusters, each with a fifth of the labels drawn anew."""
    random = np.random.default_rng(0)
    planted = np.repeat([0, 1, 2], 50)
    columns = {
        f"c{i}": np.where(random.random(150) < 0.2, random.integers(0, 3, 150), planted)
        for i in range(10)
    }
    return write("noisy.csv", **columns), planted, columns


def test_the_report(run, labels):
    result = run("combine", labels, "--key", "id")
    assert result.status == 0
    assert result.out == (
        "Consensus of 3 clusterings by refined-evidence: 7 objects in 2 clusters (4, 3)\n"
        "clustering  clusters  known     ARI     NMI\n"
        "a                  2  87.5%       1       1\n"
        "c                  2  87.5%       1       1\n"
        "b                  2  75.0%  0.3243  0.4787\n"
        "\n"
        "The most ambiguous objects: co-association with their own and the nearest other cluster\n"
        "object  cluster     own  nearest   other  margin\n"
        "p2            0  0.6667        1  0.2727  0.3939\n"
        "p0            0  0.8333        1       0  0.8333\n"
        "p1            0  0.8333        1       0  0.8333\n"
        "p3            1       1        0  0.1111  0.8889\n"
        "p4            1       1        0  0.1111  0.8889\n"
        "p7            1       1        0  0.1111  0.8889\n"
        "\n"
        "The consensus of 3 clusterings has 2 clusters (4, 3), found by refined-evidence.\n"
        "The 3 clusterings agree with the consensus by 0.77 on average (adjusted Rand 0.32 to "
        "1.00; 0 is chance, 1 is identical); a agrees most, b least.\n"
        "No object is ambiguous: each has its largest mean co-association with its own cluster.\n"
        "1 object has no label in any clustering, and -1 in the consensus.\n"
    )
    assert "not taken as labels: x (measurements)" in result.err


def test_without_a_key_objects_are_named_by_the_only_identifier(run, labels):
    assert "\np2            0  0.6667" in run("combine", labels).out


@pytest.mark.parametrize("memory", [[], ["--memory", "500MB"]], ids=["memory", "disk"])
@pytest.mark.parametrize("verb", ["combine", "again"])
def test_of_several_identifiers_the_first_is_written(run, write, verb, memory):
    ids = [f"q{i}" for i in range(24)]
    mails = [f"{name}@example.org" for name in ids]
    path = write("labels.csv", x=X * 3, id=ids, mail=mails, a=A[:6] * 4, c=C[:6] * 4)
    options = ["--columns", "a,c"] if verb == "combine" else ["-g", "a"]
    assert run(verb, path, *options, *memory, "-o", "out.csv").status == 0
    written = read_labels("out.csv")
    assert (next(iter(written)), written["id"]) == ("id", ids)
    assert "mail" not in written


def test_without_an_identifier_objects_are_named_by_their_row(run, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b,c\n0,0,0\n0,0,0\n0,1,1\n1,1,1\n1,1,1\n")
    assert "\nrow 3  " in run("combine", path).out


def test_json_holds_what_the_library_finds(run, labels):
    found = as_json(run("combine", labels, "--key", "id", "-f", "json"))
    expected = combine(ENSEMBLE)
    objects = object_agreement(expected.labels, ENSEMBLE)
    assert (found["objects"], found["method"], found["sizes"]) == (8, "refined-evidence", [3, 4])
    assert (found["ambiguous"], found["unknown"]) == (0, 1)
    assert found["clusterings"] == [
        {
            "name": name,
            "n_clusters": 2,
            "known": expected.agreement.known[i],
            "adjusted_rand_score": expected.agreement.adjusted_rand[i],
            "normalized_mutual_info_score": expected.agreement.normalized_mutual_info[i],
        }
        for i, name in enumerate("abc")
    ]
    assert found["most_ambiguous"][0] == {
        "object": "p2",
        "consensus": 0,
        "own": objects.own[2],
        "nearest": 1,
        "other": objects.other[2],
        "margin": objects.margin[2],
    }
    # The sixth is grouped with its own cluster only, and the seventh has no label.
    assert [one["object"] for one in found["most_ambiguous"]] == [
        "p2",
        "p0",
        "p1",
        "p3",
        "p4",
        "p7",
    ]


def test_csv_is_a_line_per_figure(run, labels):
    as_csv = run("combine", labels, "--key", "id", "-f", "csv").out
    found = {
        (row["kind"], row["name"], row["figure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(as_csv))
    }
    figures = as_json(run("combine", labels, "--key", "id", "-f", "json"))
    assert found["consensus", "", "n_clusters"] == 2
    assert found["consensus", "", "objects"] == 8
    assert found["consensus", "", "unknown"] == 1
    assert (found["cluster", "0", "objects"], found["cluster", "1", "objects"]) == (3, 4)
    for kind, rows in (("clustering", "clusterings"), ("object", "most_ambiguous")):
        for row in figures[rows]:
            name, *values = row.items()
            assert {figure: found[kind, name[1], figure] for figure, _ in values} == dict(values)


def test_markdown(run, labels):
    out = run("combine", labels, "--key", "id", "-f", "markdown").out
    assert "| b | 2 | 75.0% | 0.3243 | 0.4787 |\n" in out
    assert "| p2 | 0 | 0.6667 | 1 | 0.2727 | 0.3939 |\n" in out


def test_a_terminal_gets_the_same(run, labels, monkeypatch):
    plain = run("combine", labels, "--key", "id").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    drawn = run("combine", labels, "--key", "id").out
    assert "─" in drawn
    assert drawn.replace("─", "").split() == plain.split()


@pytest.mark.parametrize("output_format", ["table", "markdown"])
def test_names_send_no_escape_sequences_to_the_terminal(run, write, output_format):
    path = write("names.csv", **{"id": IDS, "\x1b[31mred": A, "b": B})
    out = run("combine", path, "-f", output_format).out
    assert r"\x1b[31mred agrees most" in out
    if output_format == "table":
        assert "\x1b" not in out


@pytest.mark.parametrize(("name", "separator"), [("out.csv", ","), ("out.tsv", "\t")])
def test_the_file_has_a_row_per_object(run, labels, name, separator):
    assert run("combine", labels, "--key", "id", "--output", name).status == 0
    written = read_labels(name, separator)
    agreement = object_agreement(combine(ENSEMBLE).labels, ENSEMBLE).own
    assert list(written) == ["id", "consensus", "agreement"]
    assert written["id"] == IDS
    assert written["consensus"] == ["0", "0", "0", "1", "1", "1", "", "1"]
    expected = ["" if np.isnan(share) else str(share) for share in agreement.tolist()]
    assert written["agreement"] == expected
    assert expected[6] == ""


def test_the_file_as_json_lines_without_a_key(run, labels):
    run("combine", labels, "-o", "out.jsonl")
    lines = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert lines[2] == {"id": "p2", "consensus": 0, "agreement": pytest.approx(2 / 3)}
    assert lines[6] == {"id": "p6", "consensus": None, "agreement": None}


@pytest.mark.parametrize(
    "options", [["-c", "a", "-c", "c"], ["--columns", "a,c"], ["--labels", "a,c"]]
)
def test_columns_can_be_chosen(run, labels, options):
    found = as_json(run("combine", labels, *options, "-f", "json"))
    assert [one["name"] for one in found["clusterings"]] == ["a", "c"]
    assert found["most_ambiguous"] == []
    assert found["summary"][1] == (
        "The 2 clusterings agree with the consensus by 1.00 on average (adjusted Rand 1.00 to "
        "1.00; 0 is chance, 1 is identical)."
    )


def test_clusterings_that_are_alike_have_no_table_of_objects(run, labels):
    assert "most ambiguous" not in run("combine", labels, "--labels", "a,c").out


def test_rows_of_several_files_are_matched_by_key(run, write):
    first = write("first.csv", id=IDS, a=A)
    second = write("second.csv", id=[*IDS[:0:-1], "q"], b=[*B[:0:-1], 9], c=[*C[:0:-1], 9])
    found = as_json(run("combine", first, second, "-k", "id", "-o", "out.csv", "-f", "json"))
    written = read_labels("out.csv")
    assert written["id"] == IDS[1:]
    assert written["consensus"] == ["0", "0", "1", "1", "1", "", "1"]
    # The label of an object that is left out is not a cluster.
    assert [one["n_clusters"] for one in found["clusterings"]] == [2, 2, 2]


def test_files_in_different_orders_need_a_key(fails, write):
    first, second = write("first.csv", id=IDS, a=A), write("second.csv", id=IDS[::-1], b=B)
    assert "use --key id to match the rows" in fails("combine", first, second)


def test_standard_input(run, labels):
    piped = run("combine", "-", "-f", "json", stdin=Path(labels).read_bytes())
    assert as_json(piped)["sizes"] == [3, 4]


@pytest.mark.parametrize("method", METHODS)
def test_all_methods(run, noisy, method):
    if method in NEEDS:
        pytest.importorskip(NEEDS[method])
    path, planted, columns = noisy
    options = ["-m", method, "--n-clusters", "3", "--seed", "1"]
    found = as_json(run("combine", path, *options, "-o", "out.csv", "-f", "json"))
    written = [int(label) for label in read_labels("out.csv")["consensus"]]
    expected = combine(columns, method, 3, random_state=1)
    assert written == expected.labels.tolist()
    assert found["method"] == expected.method
    if method != "hgpa":  # which noise in every clustering misleads, as its documentation says
        assert adjusted_rand_score(planted, written) > 0.9
    margins = [one["margin"] for one in found["most_ambiguous"]]
    worst = np.sort(object_agreement(written, columns).margin)[:10]
    assert margins == pytest.approx(worst.tolist())


def test_the_seed_is_that_of_the_library(run, write):
    pytest.importorskip("pymetis")
    drawn = np.random.default_rng(0).integers(0, 4, (5, 200))
    path = write("drawn.csv", **{f"c{i}": labels for i, labels in enumerate(drawn)})
    found = []
    for seed in (1, 2):
        run("combine", path, "-m", "hbgf", "--n-clusters", "4", "--seed", seed, "-o", "out.csv")
        found.append([int(label) for label in read_labels("out.csv")["consensus"]])
        expected = combine(drawn.T, "hbgf", 4, random_state=seed)
        assert found[-1] == expected.labels.tolist()
    assert found[0] != found[1]


def test_objects_that_are_never_settled(run, write):
    path = write("halves.csv", a=[0, 0, 0, 1, 1], b=[0, 0, 1, 1, 1])
    found = as_json(run("combine", path, "-m", "voting", "-f", "json"))
    (least, *_) = found["most_ambiguous"]
    assert least["object"] == "row 3"
    assert least["margin"] <= 0
    assert found["ambiguous"] == 1
    assert found["summary"][2] == (
        "1 of 5 objects (20.0%) is ambiguous: its mean co-association with another cluster is at "
        "least as large as with its own."
    )


def test_one_cluster_has_no_other(run, write):
    """With one cluster there is no nearest other cluster, not even for a singleton."""
    path = write("alone.csv", a=[0, 0, 1, 1, 2], b=[0, 0, 1, 1, 2])
    found = as_json(run("combine", path, "--n-clusters", "1", "-f", "json"))
    assert found["sizes"] == [5]
    assert {one["nearest"] for one in found["most_ambiguous"]} == {None}
    assert "so do not rely on the consensus" in found["summary"][1]
    assert "settled" not in " ".join(found["summary"])


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ([5, 6, 6], "All objects are in one cluster.\nUse --n-clusters for more clusters."),
        ([5, 5, 5], "All objects are in one cluster, as in every clustering."),
    ],
)
def test_one_cluster_that_nobody_asked_for(run, write, last, words):
    path = write("same.csv", a=[0, 0, 0], b=[1, 1, 1], c=last)
    out = run("combine", path, "-m", "voting").out
    assert words in out
    assert "Every object" not in out


def test_fewer_clusters_than_asked_for(run, labels):
    out = run("combine", labels, "-m", "voting", "--n-clusters", "3").out
    assert "It has fewer clusters than the 3 asked for.\n" in out
    assert out.endswith("Try another --method.\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--n-clusters", "9"], "--n-clusters 9 for 8 objects; use a whole number from 1 to 8."),
        (["--n-clusters", "7"], "--n-clusters 7, but the clusterings have only 5 distinct rows"),
        (["--seed", "-1"], "--seed must be from 0 to 4294967295, not -1."),
        (["--labels", "a"], "two columns of labels are needed, but there is only a"),
        (["--labels", "a,bb"], "there is no column 'bb' for --column; did you mean b?"),
        (["--labels", "a,empty"], "--column empty contains no labels; leave it out."),
        (["--output", "out.parquet"], "use .csv, .tsv or .jsonl."),
        (["--output", "nowhere/out.csv"], "there is no folder nowhere"),
        (["--method", "nmf"], "nmf"),
        (["--metod", "phi"], "there is no option --metod; did you mean --method?"),
        (["--key", "a"], "has the a 'x' twice, on line 2 and line 3"),
    ],
)
def test_refusals(fails, write, options, words):
    path = write("labels.csv", id=IDS, a=[*A[:6], "z", "y"], b=B, c=C, empty=[""] * 8)
    assert words in fails("combine", path, *options)
    assert [str(one) for one in Path().iterdir()] == [path]


@pytest.mark.parametrize("options", [[], ["--key", "id"], ["-o", "out.csv"]])
def test_one_column_of_labels_is_not_combined(fails, write, options):
    path = write("one.csv", id=IDS, a=A)
    line = fails("combine", path, *options)
    assert (
        "two columns of labels are needed, but there is only a (the columns are id, a); name "
        "columns with --column, or add another file."
    ) in line
    assert [str(one) for one in Path().iterdir()] == [path]


def test_a_key_called_as_what_is_added(fails, write):
    path = write("labels.csv", consensus=IDS, a=A, c=C)
    line = fails("combine", path, "--key", "consensus", "-o", "out.csv")
    assert "--key consensus is also the name of a column that --output writes; rename it." in line


def test_no_file(fails):
    assert "no file is given" in fails("combine")


NOISY = {
    "a": [0, 0, 0, 1, 1, 1, 1, 2],
    "b": [0, 0, 0, 1, 1, 1, -1, -1],
    "c": [5, 5, 5, 6, 6, 6, "", 7],
}


@pytest.mark.parametrize("missing", ["ignore", "drop", "label"])
@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_noise_and_missing_labels_are_those_of_the_library(run, write, noise, missing):
    path = write("noisy.csv", **NOISY)
    options = ["--noise", noise, "--missing", missing, "-m", "evidence"]
    result = run("combine", path, *options, "-o", "out.csv")
    assert result.status == 0
    columns = {name: [None if one == "" else one for one in row] for name, row in NOISY.items()}
    expected = combine(columns, "evidence", noise=noise, missing=missing).labels
    written = read_labels("out.csv")["consensus"]
    assert written == ["" if label < 0 else str(label) for label in expected]
    dropped = "1 of 8 objects dropped: a label is missing." in result.err
    assert dropped == (missing == "drop")


def test_missing_labels_may_be_an_error(fails, write):
    line = fails("combine", write("noisy.csv", **NOISY), "--missing", "error")
    assert "noisy.csv has no value in column 'c' on line 8" in line


def test_noise_in_a_column_of_strings(run, write):
    path = write("names.csv", a=["x", "x", "y", "y", "-1"], b=["u", "u", "v", "v", "v"])
    found = as_json(run("combine", path, "--noise", "drop", "-m", "evidence", "-f", "json"))
    assert [one["n_clusters"] for one in found["clusterings"]] == [2, 2]
    assert {one["name"]: one["known"] for one in found["clusterings"]} == {"a": 0.8, "b": 1.0}


def test_noise_that_is_not_there_is_noted(run, labels):
    assert "no object is labelled -1" in run("combine", labels, "--noise", "drop").err
