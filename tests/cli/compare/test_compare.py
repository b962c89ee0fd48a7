"""The verb ``compare``: options, formats and the choice of columns."""

import csv
import io
import json

import numpy as np
import pytest

import clusterwise as cw

A, B, C = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2], ["x", "y", "x", "y", "x", "y"]


@pytest.fixture
def two(tmp_path):
    return save(tmp_path / "two.csv", kmeans=A, leiden=B)


@pytest.fixture
def three(tmp_path):
    return save(tmp_path / "three.csv", a=A, b=B, c=C)


def save(path, **columns):
    rows = [columns, *zip(*columns.values(), strict=True)]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_two_columns_get_the_whole_comparison(run, two):
    result = run("compare", two)
    assert result.status == 0
    assert result.out == f"{cw.compare(A, B, names=('kmeans', 'leiden'))}\n"
    assert result.err == ""


def test_two_columns_as_json(run, two):
    expected = cw.compare(A, B, names=("kmeans", "leiden")).to_dict()
    assert as_json(run("compare", two, "--format", "json")) == expected


def test_more_columns_get_a_matrix_of_the_adjusted_rand_index(run, three):
    expected = cw.compare_all({"a": A, "b": B, "c": C})
    assert run("compare", three).out == f"{expected}\n\n{expected.summary()}\n"


def test_more_columns_as_json(run, three):
    found = as_json(run("compare", three, "-f", "json", "-m", "wallace_score", "-m", "rand_score"))
    assert list(found) == ["names", "objects", "measures"]
    assert (found["names"], found["objects"]) == (["a", "b", "c"], 6)
    assert list(found["measures"]) == ["wallace_score", "rand_score"]
    assert found["measures"]["wallace_score"] == [
        [cw.wallace_score(p, q) for q in (A, B, C)] for p in (A, B, C)
    ]


@pytest.mark.parametrize("columns", [("a", "b"), ("a", "b", "c")])
def test_csv_is_always_the_long_form(run, three, columns):
    options = [option for name in columns for option in ("--column", name)]
    measures = ["-m", "rand_score", "-m", "wallace_score"]
    result = run("compare", three, *options, *measures, "--format", "csv")
    found = {
        (row["a"], row["b"], row["measure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(result.out))
    }
    labels = {"a": A, "b": B, "c": C}
    assert found == {
        (p, q, name): getattr(cw, name)(labels[p], labels[q])
        for name in ("rand_score", "wallace_score")
        for p in columns
        for q in columns
        if p < q or (name == "wallace_score" and p != q)
    }


def test_csv_quotes_names(run, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text('"k, means","say ""hi"""\n1,2\n1,2\n')
    rows = list(csv.reader(io.StringIO(run("compare", path, "-f", "csv").out)))
    assert rows[1][:2] == ["k, means", 'say "hi"']


def test_markdown(run, two, three):
    matrix = run("compare", three, "-f", "markdown", "-m", "rand_score").out.splitlines()
    assert matrix[0] == "| rand_score | a | b | c |"
    assert matrix[2].startswith("| a | 1 | ")
    whole = run("compare", two, "-f", "markdown").out
    assert "| rand_score | " in whole
    assert whole.rstrip().endswith(cw.compare(A, B, names=("kmeans", "leiden")).summary())


def test_measures_are_printed_once_and_in_the_order_asked(run, two):
    options = ["-m", "purity_score", "-m", "rand_score", "-m", "purity_score"]
    found = as_json(run("compare", two, *options, "-f", "json"))
    assert list(found["measures"]) == ["purity_score", "rand_score"]


def test_columns_as_one_list(run, three):
    found = as_json(run("compare", three, "--columns", "c, a", "-f", "json"))
    assert (found["a"], found["b"]) == ("c", "a")


def test_standard_input(run, two):
    result = run("compare", "-", "-f", "json", stdin=two.read_bytes())
    assert as_json(result)["a"] == "kmeans"
    lines = b'{"a": 1, "b": 2}\n{"a": 1, "b": 2}\n'
    result = run("compare", "-", "--input-format", "jsonl", "-f", "json", stdin=lines)
    assert as_json(result)["objects"] == 2


def test_a_file_without_header_is_noticed(run):
    result = run("compare", "-", stdin=b"0,5\n1,2\n1,2\n")
    assert result.status == 0
    assert "standard input seems to have no header: its first line (0, 5)" in result.err


def test_ids_features_and_empty_columns_are_left_out_with_a_note(run, tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("id,a,b,x,none\n1,0,u,0.5,\n2,0,u,1.5,\n3,1,v,0.5,\n")
    result = run("compare", path, "-f", "json")
    assert (as_json(result)["a"], as_json(result)["b"]) == ("a", "b")
    assert [line.partition(";")[0] for line in result.err.splitlines()] == [
        "clusterwise: not taken as labels: id (every value is different, as in an identifier).",
        "clusterwise: not taken as labels: x (measurements).",
        "clusterwise: not taken as labels: none (all values are missing).",
        "clusterwise: taken as labels: a and b",
        f"clusterwise: to compare the density profiles of x, add --data {path}.",
    ]


def test_a_column_that_is_named_is_kept_whatever_it_looks_like(run, tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("id,a,x\n1,0,0.5\n2,0,1.5\n3,1,0.5\n")
    result = run("compare", path, "-c", "id", "-c", "x", "-f", "json")
    assert as_json(result)["clusters"] == [3, 2]
    assert result.err == ""


def test_weights(run, tmp_path):
    path = save(tmp_path / "w.csv", a=A, b=B, w=[1, 2, 1, 3, 1, 1])
    found = as_json(run("compare", path, "--weight", "w", "-f", "json"))
    expected = cw.compare(A, B, sample_weight=[1, 2, 1, 3, 1, 1])
    assert found["measures"] == expected.values
    assert found["objects"] == 9


def test_fractional_weights(run, tmp_path):
    path = save(tmp_path / "w.csv", a=A, b=B, w=[1.5, 2, 1, 3, 1, 1])
    found = as_json(run("compare", path, "--weight", "w", "-m", "purity_score", "-f", "json"))
    assert found["measures"]["purity_score"] == pytest.approx(
        cw.purity_score(A, B, sample_weight=[1.5, 2, 1, 3, 1, 1])
    )


@pytest.mark.parametrize("memory", [(), ("--memory", "1GB")])
def test_fractional_weights_leave_out_what_counts_objects(run, tmp_path, memory):
    path = save(tmp_path / "w.csv", a=A, b=B, w=[1.5, 2, 1, 3, 1, 1])
    options = ("-c", "a", "-c", "b", "--weight", "w", "-f", "json", *memory)
    found = as_json(run("compare", path, *options))
    expected = cw.compare(A, B, sample_weight=[1.5, 2, 1, 3, 1, 1])
    assert found["measures"] == pytest.approx(expected.values)


@pytest.mark.parametrize("weight", ["-1", "x", "inf"])
def test_bad_weights_name_the_line(fails, tmp_path, weight):
    path = save(tmp_path / "w.csv", a=[1, 1, 2], b=[1, 2, 2], w=[1, weight, 1])
    line = fails("compare", path, "--weight", "w")
    assert "in column 'w' on line 3; weights are numbers of at least 0" in line


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_noise(run, tmp_path, noise):
    a, b = [-1, -1, 0, 0, 1, 1], [0, 0, -1, 0, 1, 1]
    path = save(tmp_path / "n.csv", a=a, b=b)
    found = as_json(run("compare", path, "--noise", noise, "-f", "json"))
    assert found["measures"] == cw.compare(a, b, noise=noise).values


def test_weighted_noise_counts_as_many_singletons(run, fails, tmp_path):
    a, b, weights = [-1, 0, 0, 1, 1], [0, 0, -1, 1, 1], [3, 1, 0, 2, 1]
    path = save(tmp_path / "n.csv", a=a, b=b, w=weights)
    found = run("compare", path, "--weight", "w", "--noise", "singletons", "-f", "json")
    repeated = [np.repeat(side, weights) for side in (a, b)]
    expected = cw.compare(*repeated, noise="singletons").values
    assert as_json(found)["measures"] == pytest.approx(expected, abs=1e-12)
    path = save(tmp_path / "n.csv", a=a, b=b, w=[3, 0.5, 0.25, 2, 1])
    line = fails("compare", path, "--weight", "w", "--noise", "singletons")
    assert "n.csv has the weight '0.25' in column 'w' on line 4, which is noise, but" in line


def test_noise_labels_of_both_types(run, tmp_path):
    a, b = ["x", "x", "-1", "-1", "y"], [1, 1, -1, 2, 2]
    path = save(tmp_path / "n.csv", a=a, b=b)
    dropped = as_json(run("compare", path, "--noise", "drop", "--noise-label", "-1", "-f", "json"))
    assert dropped["objects"] == 3
    named = as_json(run("compare", path, "--noise", "drop", "--noise-label", "y", "-f", "json"))
    assert named["objects"] == 4


def test_a_noise_label_that_never_occurs_is_told(run, two):
    result = run("compare", two, "--noise", "drop", "--noise-label", "outlier")
    assert result.status == 0
    assert "no object is labelled outlier, so --noise drop has no effect" in result.err


@pytest.fixture
def gaps(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,u\n,u\n1,NA\n2,v\n,v\n")
    return path


def test_missing_labels_are_an_error_that_says_what_to_do(fails, gaps):
    line = fails("compare", gaps)
    assert f"{gaps} has no value in column 'a' on line 3 (2 of 5 objects)" in line
    assert "--missing drop or --missing label" in line


def test_missing_labels_can_be_dropped(run, gaps):
    result = run("compare", gaps, "--missing", "drop", "-f", "json")
    assert as_json(result)["objects"] == 2
    assert "3 of 5 objects dropped: a label is missing." in result.err


def test_missing_labels_can_be_a_cluster(run, gaps):
    found = as_json(run("compare", gaps, "--missing", "label", "-f", "json"))
    expected = cw.compare([1, 0, 1, 2, 0], ["u", "u", "?", "v", "v"]).values
    assert found["measures"] == pytest.approx(expected, rel=1e-12)  # clusters in another order
    assert "(missing)" in {match["a"] for match in found["matches"]}


def test_columns_without_gaps_get_no_missing_label(run, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,u\n,u\n1,u\n")
    found = as_json(run("compare", path, "--missing", "label", "-f", "json"))
    assert found["clusters"] == [2, 1]


def test_dropping_everything_is_refused(fails, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,\n,u\n1,\n,u\n")
    assert "every object lacks a label" in fails("compare", path, "--missing", "drop")


def test_weights_follow_dropped_objects(run, tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("a,b,w\n1,u,5\n,u,7\n2,v,1\n2,v,1\n")
    found = as_json(run("compare", path, "--weight", "w", "--missing", "drop", "-f", "json"))
    assert found["objects"] == 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "rand_scoer"], "unknown measure 'rand_scoer'; did you mean rand_score"),
        (["-c", "kmeens"], "there is no column 'kmeens' for --column; did you mean kmeans?"),
        (["-c", "zzz"], "there is no column 'zzz' for --column; the columns are kmeans, leiden."),
        (
            ["-c", "kmeans"],
            "but there is only kmeans (the columns are kmeans, leiden)",
        ),
        (["--weight", "w"], "there is no column 'w' for --weight"),
        (["--weight", "leiden"], "two columns of labels are needed, but there is only kmeans"),
        (["--format", "xml"], 'Invalid value "xml" for --format'),
        (["--colum", "a"], "there is no option --colum; did you mean --column?"),
        (["-x"], "there is no option -x"),
        (["--key", "id"], "has no column 'id' for --key; it has kmeans, leiden."),
        (["--output", "nowhere/out.csv"], "there is no folder nowhere; create it first"),
        (["--columns", ""], "--columns names no column; use a list such as a,b,c."),
        ([""], "a FILE has no name; name a file, or use - for standard input."),
    ],
)
def test_what_the_user_can_fix_is_one_sentence(fails, two, arguments, message):
    assert message in fails("compare", two, *arguments)


def test_without_files(fails):
    assert "no file is given" in fails("compare")


def test_unknown_verbs_get_a_suggestion(fails):
    assert 'Did you mean "compare"?' in fails("comparr")


def test_columns_that_cannot_be_labels_cannot_be_named(fails, tmp_path):
    path = tmp_path / "nested.jsonl"
    path.write_text('{"a": [1], "b": 1}\n')
    assert "--column a contains lists or objects" in fails("compare", path, "-c", "a", "-c", "b")


def test_pairs_without_objects_are_refused(fails, tmp_path):
    path = save(tmp_path / "n.csv", a=[-1, -1], b=[0, 0], c=[0, 0])
    assert "no objects to compare" in fails("compare", path, "--noise", "drop")


@pytest.mark.parametrize("options", [[], ["--memory", "500MB"]])
def test_identifiers_with_repeated_values_are_said_to_be_so(run, tmp_path, options):
    path = tmp_path / "codes.csv"
    rows = [f"{i:03d},{max(i, 1):03d},{i % 2},{i % 3}" for i in range(60)]
    path.write_text("\n".join(["id,code,a,b", *rows]))
    lines = run("compare", path, *options).err.splitlines()
    assert lines[:2] == [
        "clusterwise: not taken as labels: id (every value is different, as in an identifier).",
        "clusterwise: not taken as labels: code (nearly every value is different, as in an "
        "identifier).",
    ]
