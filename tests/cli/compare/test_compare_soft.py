"""``compare --soft``: memberships in columns that match a pattern."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw

RNG = np.random.default_rng(4)
P = RNG.dirichlet([0.5, 0.5, 0.5], 12)
Q = RNG.dirichlet([0.7, 0.7], 12)
LABELS = ["gold", "basic", "new", "basic"] * 3
X = [float(value) for value in RNG.normal(size=12)]
PS, QS = {f"p_{k}": P[:, k] for k in range(3)}, {f"q_{k}": Q[:, i] for i, k in enumerate("ab")}


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, separator=",", **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        texts = [[str(value) for value in row] for row in rows]
        (tmp_path / name).write_text("".join(separator.join(row) + "\n" for row in texts))
        return name

    return write_file


@pytest.fixture
def mixed(write):
    ids = [f"c{i}" for i in range(12)]
    return write("mixed.csv", id=ids, segment=LABELS, **PS, **QS, x=X)


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def memberships(name, values):
    return pd.DataFrame(values, columns=list(name))


def test_two_patterns_get_the_whole_comparison(run, mixed):
    result = run("compare", mixed, "--soft", "p_*", "q_*")
    assert result.status == 0
    assert result.out == f"{cw.compare(P, memberships('ab', Q), names=('p', 'q'))}\n"
    assert result.err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["FILE", "--soft", "p_*", "--soft", "q_*"],
        ["FILE", "-s", "p_*", "q_*"],
        ["FILE", "--soft=p_*", "q_*"],
        ["--soft", "p_*", "q_*", "FILE"],
        ["--soft", "p_*", "FILE", "--soft", "q_*"],
        ["--soft", "p_*", "q_*", "--", "FILE"],
    ],
)
def test_patterns_may_stand_before_and_after_files(run, mixed, arguments):
    words = [mixed if word == "FILE" else word for word in arguments]
    found = as_json(run("compare", "-f", "json", "-m", "irm_score", *words))
    assert (found["a"], found["b"], found["clusters"]) == ("p", "q", [3, 2])
    assert found["measures"] == {"irm_score": cw.irm_score(P, Q)}


def test_json_says_which_are_soft_and_names_clusters_as_the_columns_do(run, mixed):
    found = as_json(run("compare", mixed, "-s", "q_*", "-c", "segment", "-f", "json"))
    assert (found["a"], found["b"], found["soft"]) == ("segment", "q", ["q"])
    assert {match["b"] for match in found["matches"]} == {"a", "b"}
    assert found["measures"] == pytest.approx(cw.compare(LABELS, Q).values, rel=1e-12)


def test_more_than_two_get_a_matrix_of_irm(run, mixed):
    both = {"segment": LABELS, "p": P, "q": Q}
    result = run("compare", mixed, "--soft", "p_*", "q_*", "-c", "segment")
    expected = cw.compare_all(both, measure="irm_score")
    assert result.out == f"{expected}\n\n{expected.summary()}\n"
    found = as_json(run("compare", mixed, "-s", "p_*", "q_*", "-c", "segment", "-f", "json"))
    assert (found["names"], found["objects"], found["soft"]) == (list(both), 12, ["p", "q"])
    markdown = run("compare", mixed, "-s", "p_*", "q_*", "-c", "segment", "-f", "markdown").out
    assert markdown.startswith("| irm_score | segment | p | q |\n")


def test_one_pattern_is_compared_with_the_columns_that_look_like_labels(run, mixed):
    found = as_json(run("compare", mixed, "--soft", "p_*", "-f", "json"))
    assert (found["a"], found["b"]) == ("segment", "p")


def test_csv_has_asymmetric_measures_both_ways(run, mixed, tmp_path):
    options = ["-m", "wallace_score", "-m", "mallows_distance", "-f", "csv", "-o", "out.csv"]
    assert run("compare", mixed, "-s", "p_*", "q_*", *options).out == ""
    rows = list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text())))[1:]
    assert [row[:3] for row in rows] == [
        ["p", "q", "wallace_score"],
        ["q", "p", "wallace_score"],
        ["p", "q", "mallows_distance"],
    ]
    expected = [cw.wallace_score(P, Q), cw.wallace_score(Q, P), cw.mallows_distance(P, Q)]
    assert [float(row[3]) for row in rows] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("header", "pattern", "name", "clusters"),
    [
        (["p_0", "p_1"], "p_*", "p", [0, 1]),
        (["b in gmm", "a in gmm"], "* in gmm", "in gmm", ["b", "a"]),
        (["prob[x]", "prob[y]"], "prob[*]", "prob", ["x", "y"]),
        (["topic 7", "topic 9"], "topic ?", "topic", [7, 9]),
        (["r_01_of_k", "r_2_of_k"], "r_*_of_k", "r_of_k", ["01", "2"]),
        (["1-2-p", "1-3-p"], "*-*-p", "p", ["1-2", "1-3"]),
        (["left", "right"], "*", "soft", ["left", "right"]),
        (["a.b.0", "a.b.1"], "a.b.**", "a.b", [0, 1]),
    ],
)
def test_names(run, write, header, pattern, name, clusters):
    share = [0.25, 0.5, 1.0, 0.0]
    soft = write("soft.csv", **{header[0]: share, header[1]: [1 - s for s in share]})
    labels = write("labels.csv", label=[1, 1, 2, 2])
    options = ["--soft", pattern, "-c", "label", "-f", "json"]
    found = as_json(run("compare", soft, labels, *options))
    assert found["b"] == name
    assert {match["b"] for match in found["matches"]} == {*clusters}


def test_a_name_that_a_column_of_labels_has_is_spelt_out(run, write):
    halves = {"gmm.0": [0.5] * 12, "gmm.1": [0.5] * 12}
    path = write("both.csv", gmm=LABELS, gmm_0=Q[:, 0], gmm_1=Q[:, 1], **halves)
    found = as_json(run("compare", path, "-s", "gmm_*", "gmm.*", "-c", "gmm", "-f", "json"))
    assert found["names"] == ["gmm", "gmm_*", "gmm.*"]


def test_columns_of_zeros_and_ones_are_labels(run, write):
    hot = {f"h_{name}": [int(label == name) for label in LABELS] for name in sorted({*LABELS})}
    path = write("hot.csv", a=[0, 0, 1, 1] * 3, **hot)
    found = as_json(run("compare", path, "-s", "h_*", "-c", "a", "-f", "json"))
    assert found["measures"] == cw.compare([0, 0, 1, 1] * 3, LABELS).values
    assert "soft" not in found


def test_data_leaves_memberships_out_of_the_features(run, mixed):
    options = ["-s", "p_*", "q_*", "-c", "segment", "--data", mixed, "-f", "json"]
    rows = [[value] for value in X]
    measures = ["-m", "css_distance", "-m", "adco_score"]
    result = run("compare", mixed, *options, *measures)
    all_three = [LABELS, P, Q]
    for name, matrix in as_json(result)["measures"].items():
        expected = [[getattr(cw, name)(a, b, rows) for b in all_three] for a in all_three]
        assert matrix == [pytest.approx(line, rel=1e-9) for line in expected]
    assert "left out id: every value is different" in result.err
    two = as_json(run("compare", mixed, "-s", "p_*", "q_*", "-d", mixed, "--features", "x", "-f",
                      "json"))  # fmt: skip
    assert two["measures"] == pytest.approx(cw.compare(P, Q, rows).values, rel=1e-9)
    more = as_json(run("compare", mixed, *options))
    assert list(more["measures"]) == ["irm_score", "adco_score"]


def test_weights_and_noise(run, write):
    labels, weights = [-1, -1, *[0, 1] * 5], [1, 2, 3] * 4
    path = write("w.csv", labels=labels, w=weights, **PS)
    options = ["-s", "p_*", "-c", "labels", "--weight", "w", "--noise", "drop", "-f", "json"]
    found = as_json(run("compare", path, *options))
    expected = cw.compare(labels, P, sample_weight=weights, noise="drop")
    assert found["objects"] == expected.table.n == sum(weights) - 3
    assert found["measures"] == pytest.approx(expected.values, rel=1e-12)


def test_decimal_commas_and_spaces_in_the_header(run, write):
    def commas(columns):
        return {f" {name}": [str(v).replace(".", ",") for v in c] for name, c in columns.items()}

    path = write("german.csv", ";", **commas(PS), **commas(QS))
    found = as_json(run("compare", path, "-s", "p_*", "q_*", "-f", "json"))
    assert found["measures"] == cw.compare(P, Q).values


def test_rounded_memberships_are_rescaled_and_that_is_told(run, write):
    rounded = P.round(3)
    off = int(np.count_nonzero(np.abs(rounded.sum(axis=1) - 1) > 1e-5))
    assert 0 < off < 12
    path = write("r.csv", **{f"p_{k}": rounded[:, k] for k in range(3)}, **QS)
    result = run("compare", path, "-s", "p_*", "q_*", "-f", "json")
    exact = rounded / rounded.sum(axis=1, keepdims=True)
    assert as_json(result)["measures"] == pytest.approx(cw.compare(exact, Q).values, abs=1e-9)
    assert result.err == (
        f"clusterwise: memberships that do not quite sum to 1 were rescaled: {off} of 12 of p.\n"
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"p_0": [0.5, -0.5], "p_1": [0.5, 1.5]}, "has '-0.5' in column 'p_0' on line 3; "
         "memberships are numbers from 0 to 1 (this column matches --soft 'p_*')"),
        ({"p_0": [0.5, 0.5], "p_1": [0.5, "half"]}, "has 'half' in column 'p_1' on line 3"),
        ({"p_0": ["inf", 0.5], "p_1": [0.5, 0.5]}, "has 'inf' in column 'p_0' on line 2"),
        ({"p_0": [0.5, 0.5], "p_1": [0.5, 0.51]}, "bad.csv has memberships on line 3 that sum to "
         "1.01 (1 of 2 objects), not 1; correct them, or the pattern 'p_*', which matches p_0, "
         "p_1."),
        ({"p_0": [50, 40], "p_1": [50, 60]}, "on line 2 that sum to 100 (2 of 2 objects)"),
        ({f"p_{k}": [0.01, 0.009] for k in range(100)}, "on line 3 that sum to 0.9 (1 of 2"),
        ({f"p_{k}": [0.1, 0.2] for k in range(10)}, "which matches p_0, p_1, p_2, p_3, p_4, p_5, "
         "p_6, p_7, p_8, p_9."),
        ({f"p_{k}": [0.1, 0.2] for k in range(11)}, "p_6, p_7, p_8, p_9, …."),
    ],
)  # fmt: skip
def test_what_is_no_membership_is_named_with_its_line(fails, write, columns, message):
    assert message in fails("compare", write("bad.csv", label=[1, 1], **columns), "-s", "p_*")


def test_lines_are_those_of_the_file_after_joining_and_dropping(fails, write):
    one = write("one.csv", id=["a", "b", "c", "d"], label=["", 1, 1, 2])
    two = write("two.csv", id=["d", "c", "b", "a"], p_0=[0.3, 0.5, 0.5, 0.5], p_1=[0.5] * 4)
    line = fails("compare", one, two, "-k", "id", "-s", "p_*", "-c", "label", "--missing", "drop")
    assert "two.csv has memberships on line 2 that sum to 0.8" in line


def test_missing_memberships(run, fails, write):
    gaps = {name: ["", *column[1:]] if name == "p_1" else column for name, column in PS.items()}
    path = write("gaps.csv", label=["", *LABELS[1:]], **gaps, **QS)
    line = fails("compare", path, "-s", "p_*", "q_*")
    assert "no value in column 'p_1' on line 2 (1 of 12 objects); fill it in, with 0 for" in line
    label = fails("compare", path, "-s", "p_*", "-c", "label", "--missing", "label")
    assert "--missing label is for labels, not memberships" in label
    dropped = run("compare", path, "-s", "p_*", "q_*", "--missing", "drop", "-f", "json")
    assert as_json(dropped)["measures"] == cw.compare(P[1:], Q[1:]).values
    assert "1 of 12 objects dropped: a membership is missing." in dropped.err
    labelled = as_json(run("compare", path, "-s", "q_*", "-c", "label", "--missing", "label", "-f",
                           "json"))  # fmt: skip
    assert labelled["clusters"] == [4, 2]


def test_memberships_of_several_files(run, fails, write):
    ids = [f"c{i}" for i in range(12)]
    write("one.csv", id=ids, **PS)
    write("two.csv", id=ids[::-1], p_a=Q[::-1, 0], p_b=Q[::-1, 1])
    files = ["compare", "one.csv", "two.csv", "-f", "csv", "-m", "irm_score", "-s"]
    score = cw.irm_score(P, Q)
    for patterns, names in (
        (["p_*"], "one.p,two.p"),
        (["one.p_*", "two.*"], "one.p,two"),
        (["*"], "one,two"),
    ):
        out = run(*files, *patterns, "--key", "id").out
        assert out.splitlines()[1].startswith(f"{names},irm_score,{score:.9f}"[:-1])
    line = fails(*files, "p_*")
    assert "use --key id to match the rows, or take that column out of one of them" in line
    write("three.csv", id=ids, p_value=X)
    alone = fails("compare", "one.csv", "three.csv", "-s", "p_*")
    assert "--soft 'p_*' matches only 'p_value' in three.csv" in alone
    assert "name the file if you mean another one ('FILE.p_*')" in alone


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        (["p", "q_*"], "--soft 'p' has no *, which stands for the names of the clusters; use a"),
        (["P_*", "q_*"], "no column matches --soft 'P_*'; the closest columns are p_0, p_1, p_2."),
        (["z*"], "no column matches --soft 'z*'; the columns are id, segment, p_0, p_1, p_2, q_a"),
        (["segm*"], "--soft 'segm*' matches only 'segment' in mixed.csv, but a soft clustering "
         "has a column per cluster; the other columns are id, p_0"),
        (["p_*", "?_0*"], "no column matches --soft '?_0*'"),
        (["p_*", "?_1", "*_2"], "--soft '?_1' matches only 'p_1'"),
        (["*_*", "q_*"], "--soft '*_*' and 'q_*' both match the column 'q_a'"),
        (["p_*", "q_*", "-m", "purity_score"], "purity_score takes one label per object, but p is "
         "soft; leave it out, or compare columns of labels."),
        (["p_*", "q_*", "-d", "mixed.csv", "--binning", "mdl"], "--binning mdl needs labels"),
        (["p_*", "-c", "p_0"], "that sum to"),
    ],
)  # fmt: skip
def test_patterns_that_cannot_be_used(fails, mixed, patterns, message):
    assert message in fails("compare", mixed, "--soft", *patterns)


def test_one_pattern_alone_needs_labels(fails, write):
    path = write("alone.csv", **PS)
    assert "add a second pattern, name a column of labels" in fails("compare", path, "-s", "p_*")


@pytest.mark.slow
def test_as_a_process(process, mixed, tmp_path):
    good = process("compare", "--soft", "p_*", "q_*", mixed, "-f", "json", cwd=tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["measures"] == cw.compare(P, Q).values
    text = (tmp_path / mixed).read_text()
    piped = process("compare", "-", "-s", "p_*", "-c", "segment", "-m", "irm_score", input=text)
    assert piped.stdout.startswith("segment (3 clusters) against p (3 clusters): 12 objects\n")
    bad = process("compare", mixed, "--soft", "p_*", "r_*", cwd=tmp_path)
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)
