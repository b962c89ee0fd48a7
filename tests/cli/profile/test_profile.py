"""The verb ``profile``: the dense bins of each cluster, from files."""

import csv
import io
import json
from collections import Counter
from math import log

import pytest

LABELS = ["a", "a", "a", "b", "b", "b", "b", "b"]
# Ten even bins over 0 … 10: a value's bin is its whole part, 10 is in the last one.
X = [0.5, 0.7, 10.0, 5.5, 5.9, 0.1, 0.0, 7.25]
COLOURS = ["red", "red", "blue", "blue", "", "blue", "red", "blue"]


@pytest.fixture
def data(tmp_path):
    return save(tmp_path / "data.csv", cluster=LABELS, x=X, colour=COLOURS)


def save(path, **columns):
    rows = [columns, *zip(*columns.values(), strict=True)]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def counts(result):
    """Bins that are not empty, from the CSV output."""
    assert result.status == 0, result.err
    rows = csv.DictReader(io.StringIO(result.out))
    return {
        (row["cluster"], row["feature"], row["bin"]): float(row["count"])
        for row in rows
        if float(row["count"])
    }


def bin_of(value):
    low = min(int(value), 9)
    return f"[{low}, {low + 1}{']' if low == 9 else ')'}"


def test_csv_is_the_whole_profile(run, data):
    expected = Counter(
        [(k, "x", bin_of(x)) for k, x in zip(LABELS, X, strict=True)]
        + [(k, "colour", c or "(missing)") for k, c in zip(LABELS, COLOURS, strict=True)]
    )
    result = run("profile", data, "--labels", "cluster", "--format", "csv")
    assert counts(result) == expected
    lines = result.out.splitlines()
    assert lines[0] == "cluster,feature,bin,count"
    # Per cluster: ten bins and the missing one; two colours, the unseen and the missing one.
    assert len(lines) == 1 + 2 * (11 + 4)
    assert result.err == ""


def test_json_has_the_profile_and_the_dense_bins(run, data):
    found = as_json(run("profile", data, "-l", "cluster", "-f", "json"))
    assert (found["labels"], found["objects"]) == ("cluster", 8)
    assert found["profile"][0] == {"cluster": "a", "feature": "x", "bin": "[0, 1)", "count": 2}
    a, b = found["clusters"]
    assert (a["cluster"], a["objects"], a["share_of_all"]) == ("a", 3, 3 / 8)
    assert (b["cluster"], b["objects"], b["share_of_all"]) == ("b", 5, 5 / 8)
    assert {type(row["count"]) for row in found["profile"]} == {int}


def test_regions_are_the_most_distinctive_bin_of_each_feature(run, data):
    found = as_json(run("profile", data, "-l", "cluster", "-f", "json"))
    for cluster in found["clusters"]:
        members = [i for i, label in enumerate(LABELS) if label == cluster["cluster"]]
        expected = []
        colours = [each or "(missing)" for each in COLOURS]
        for name, bins in {"x": [*map(bin_of, X)], "colour": colours}.items():
            best = max(
                (
                    [name, each, inside / len(members), bins.count(each) / 8]
                    for each, inside in Counter(bins[i] for i in members).items()
                ),
                key=lambda row: row[2] * log(row[2] / row[3]),
            )
            expected.append([*best, best[2] / best[3]])
        expected.sort(key=lambda row: -row[2] * log(row[4]))
        assert [list(region.values()) for region in cluster["regions"]] == [
            [*row[:2], *map(pytest.approx, row[2:])] for row in expected
        ]


def test_a_bin_with_a_single_object_does_not_come_first(run, tmp_path):
    """A bin with a single object has the largest lift, but says little about the cluster."""
    x = [0.5] * 9 + [9.5] + [5.5] * 90
    path = save(tmp_path / "lone.csv", k=["a"] * 10 + ["b"] * 90, x=x)
    first, _ = as_json(run("profile", path, "-l", "k", "-f", "json"))["clusters"]
    assert [region["share_of_cluster"] for region in first["regions"]] == [0.9]


def test_the_table(run, data):
    lines = run("profile", data, "--labels", "cluster").out.splitlines()
    assert lines[0].split() == [
        *("cluster", "objects", "percent", "dense", "in"),
        *("bin", "in", "cluster", "overall", "lift"),
    ]
    assert lines[1].split() == ["a", "3", "37.5%", "colour", "red", "66.7%", "37.5%", "1.78x"]
    assert lines[2].split()[0] == "x"  # the same cluster's next feature


def test_top_limits_the_features_of_each_cluster(run, data):
    assert len(run("profile", data, "-l", "cluster", "--top", "1").out.splitlines()) == 3


def test_a_cluster_distributed_like_all_objects_has_no_dense_bin(run, tmp_path):
    path = save(tmp_path / "one.csv", k=["a"] * 4, x=[0.5, 1.5, 2.5, 3.5])
    result = run("profile", path, "-l", "k")
    assert result.out.splitlines()[1].split(maxsplit=3)[3] == "no bin is denser than overall"


@pytest.mark.parametrize("memory", [(), ("--memory", "1GB")])
@pytest.mark.parametrize("others", ["x", "x,c"])
def test_bins_of_dates_are_dates(run, tmp_path, memory, others):
    days = [f"{1 + i % 28:02d}.{1 + i % 12:02d}.2024" for i in range(60)]
    labels, x, c = [i % 2 for i in range(60)], [i % 7 / 2 for i in range(60)], ["p", "q"] * 30
    path = save(tmp_path / "d.csv", label=labels, since=days, x=x, c=c)
    found = run(
        "profile", path, "--labels", "label", "--features", f"since,{others}", "--bins", 2,
        "--binning", "width", "--format", "csv", *memory,
    )  # fmt: skip
    bins = {name for _, feature, name in counts(found) if feature == "since"}
    assert bins == {"[2024-01-01, 2024-06-28)", "[2024-06-28, 2024-12-24]"}


def test_dates_of_different_objects(run, tmp_path):
    for year in (2023, 2024):
        days = [f"{year}-{1 + i % 12:02d}-15" for i in range(24)]
        save(tmp_path / f"{year}.csv", label=[i % 2 for i in range(24)], since=days)
    found = run(
        "profile", tmp_path / "2023.csv", tmp_path / "2024.csv", "--labels", "label",
        "--different-objects", "--bins", 2, "--binning", "width", "--format", "csv",
    )  # fmt: skip
    assert "[2023-01-15, " in found.out


def test_markdown(run, data):
    lines = run("profile", data, "-l", "cluster", "-f", "markdown").out.splitlines()
    assert lines[0].startswith("| cluster | objects | percent | dense in | bin |")
    assert lines[2].startswith("| a | 3 | 37.5% | colour | red |")


def test_output_to_a_file(run, data, tmp_path):
    printed = run("profile", data, "-l", "cluster", "-f", "csv").out
    result = run("profile", data, "-l", "cluster", "-f", "csv", "-o", tmp_path / "out.csv")
    assert result.out == ""
    assert (tmp_path / "out.csv").read_text() == printed


def test_standard_input(run, data):
    result = run("profile", "-", "-l", "cluster", "-f", "json", stdin=data.read_bytes())
    assert as_json(result)["objects"] == 8


@pytest.mark.parametrize("bins", [1, 2, 5])
def test_the_number_of_bins(run, data, bins):
    options = ["--features", "x", "--bins", bins, "-f", "csv"]
    lines = run("profile", data, "-l", "cluster", *options).out.splitlines()
    assert len(lines) == 1 + 2 * (bins + 1)


def test_bins_of_equal_frequency(run, data):
    options = ["--features", "x", "--binning", "frequency", "--bins", "2", "-f", "csv"]
    found = counts(run("profile", data, "-l", "cluster", *options))
    totals = Counter()
    for (_, _, which), count in found.items():
        totals[which] += count
    assert list(totals.values()) == [4, 4]


def test_skewed_features_are_in_bins_of_equal_frequency(run, tmp_path):
    incomes = [round(1000 * 1.5**i) for i in range(20)]
    path = tmp_path / "incomes.csv"
    lines = [f"{'ab'[i >= 10]},{income}" for i, income in enumerate(incomes)]
    path.write_text("\n".join(["k,income", *lines]), encoding="utf-8")
    by_default = counts(run("profile", path, "-l", "k", "--bins", "4", "-f", "csv"))
    named = ["--binning", "frequency", "--bins", "4", "-f", "csv"]
    assert by_default == counts(run("profile", path, "-l", "k", *named))
    named[1] = "width"
    assert by_default != counts(run("profile", path, "-l", "k", *named))
    printed = run("profile", path, "-l", "k", "--bins", "4").out
    assert "income" in printed
    assert "e+0" not in printed


def test_bins_that_separate_the_clusters(run, tmp_path):
    labels = ["low"] * 20 + ["high"] * 20
    x = [i / 10 for i in range(20)] + [5 + i / 10 for i in range(20)]
    path = save(tmp_path / "apart.csv", k=labels, x=x)
    found = counts(run("profile", path, "-l", "k", "--binning", "mdl", "-f", "csv"))
    assert sorted((cluster, count) for (cluster, _, _), count in found.items()) == [
        ("high", 20),
        ("low", 20),
    ]
    assert len({which for _, _, which in found}) == 2


def test_a_bin_per_value(run, tmp_path):
    path = save(tmp_path / "grades.csv", k=["a", "a", "b", "b"], grade=[1.5, 3.5, 3.5, 3.5])
    found = counts(run("profile", path, "-l", "k", "--binning", "nominal", "-f", "csv"))
    assert found == {("a", "grade", "1.5"): 1, ("a", "grade", "3.5"): 1, ("b", "grade", "3.5"): 2}


def test_weights(run, tmp_path):
    path = save(tmp_path / "w.csv", k=["a", "a", "b"], x=["u", "v", "v"], w=[2, 3, 5])
    found = counts(run("profile", path, "-l", "k", "--weight", "w", "-f", "csv"))
    assert found == {("a", "x", "u"): 2, ("a", "x", "v"): 3, ("b", "x", "v"): 5}


def test_small_fractional_weights(run, tmp_path):
    path = save(tmp_path / "w.csv", k=["a", "b", "b"], x=["u", "v", "v"], w=[0.25, 0.5, 0.25])
    first, second = as_json(run("profile", path, "-l", "k", "--weight", "w", "-f", "json"))[
        "clusters"
    ]
    assert (first["objects"], first["regions"][0]["share_of_cluster"]) == (0.25, 1)
    assert (second["objects"], second["regions"][0]["lift"]) == (0.75, pytest.approx(4 / 3))


def test_noise_can_be_left_out(run, tmp_path):
    path = save(tmp_path / "n.csv", k=[-1, 0, 0, 1], x=["u", "v", "v", "u"])
    found = counts(run("profile", path, "-l", "k", "--noise", "drop", "-f", "csv"))
    assert found == {("0", "x", "v"): 2, ("1", "x", "u"): 1}


def test_objects_without_a_label(run, fails, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("k,x\na,u\n,v\nb,w\nb,w\n")
    assert "has no value in column 'k' on line 3" in fails("profile", path, "-l", "k")
    dropped = run("profile", path, "-l", "k", "--missing", "drop", "-f", "csv")
    assert counts(dropped) == {("a", "x", "u"): 1, ("b", "x", "w"): 2}
    assert "1 of 4 objects dropped" in dropped.err
    named = counts(run("profile", path, "-l", "k", "--missing", "label", "-f", "csv"))
    assert named["(missing)", "x", "v"] == 1


def test_labels_and_features_of_two_files_by_key(run, tmp_path):
    labels = save(tmp_path / "labels.csv", id=["p", "q", "r"], k=["a", "a", "b"])
    features = save(tmp_path / "features.csv", id=["r", "p", "q", "z"], x=["u", "v", "v", "w"])
    result = run("profile", features, labels, "--key", "id", "-l", "k", "-f", "csv")
    assert counts(result) == {("a", "x", "v"): 2, ("b", "x", "u"): 1}
    assert "3 objects matched by id" in result.err


def test_ids_in_another_order_are_an_error(fails, tmp_path):
    labels = save(tmp_path / "labels.csv", id=["p", "q", "r"], k=["a", "a", "b"])
    features = save(tmp_path / "features.csv", id=["r", "p", "q"], x=["u", "v", "v"])
    assert "use --key id to match the rows" in fails("profile", features, labels, "-l", "k")


def test_columns_that_cannot_be_features_are_left_out_with_a_note(run, tmp_path):
    path = tmp_path / "all.jsonl"
    rows = [
        {"row": i, "name": f"n{i}", "k": i % 2, "x": i * i, "list": [i], "none": None}
        for i in range(1, 5)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = run("profile", path, "-l", "k", "-f", "csv")
    assert {feature for _, feature, _ in counts(result)} == {"x"}
    assert [line.partition(";")[0] for line in result.err.splitlines()] == [
        "clusterwise: left out row, name: every value is different, as in an identifier",
        "clusterwise: left out list: lists or objects",
        "clusterwise: left out none: all values are missing",
    ]


def test_named_features_are_always_kept(run, tmp_path):
    path = save(tmp_path / "all.csv", row=[1, 2, 3], name=["p", "q", "r"], k=[0, 0, 1], x=[1, 1, 2])
    result = run("profile", path, "-l", "k", "--features", "row, name", "-f", "csv")
    assert {feature for _, feature, _ in counts(result)} == {"row", "name"}
    assert result.err == ""


@pytest.mark.parametrize(
    ("texts", "numeric"),
    [
        (["1", "2", "9"], True),
        (["1.5", "2", ""], True),
        (["1,5", "2,25", "3,5"], True),
        (["1e3", "2e3", "9e3"], True),
        (["-1", "+2", "3"], True),
        (["01069", "01067", "80331"], False),
        (["1", "2", "x"], False),
        (["1_000", "2", "3"], False),
        (["٣", "2", "3"], False),
        (["12345678901234567890", "12345678901234567891", "1"], False),
    ],
)
def test_numeric_and_categorical_features(run, tmp_path, texts, numeric):
    path = tmp_path / "kinds.csv"
    rows = "".join(f"a;{text}\n" for text in [*texts, *texts])
    path.write_text(f"k;x\n{rows}", encoding="utf-8")
    found = counts(run("profile", path, "-l", "k", "--bins", "2", "-f", "csv"))
    bins = {which for _, _, which in found} - {"(missing)"}
    assert all(which[0] == "[" for which in bins) == numeric
    assert sum(found.values()) == 6


def test_typed_files(run, tmp_path):
    pa = pytest.importorskip("pyarrow")
    from decimal import Decimal

    from pyarrow import parquet

    table = pa.table(
        {
            "k": ["a", "a", "b", "b"],
            "yes": [True, False, True, None],
            "price": [Decimal("0.5"), Decimal("1.0"), Decimal("1.5"), Decimal("2.5")],
            "x": pa.array([0.0, 1.0, None, 2.0], pa.float32()),
        }
    )
    parquet.write_table(table, tmp_path / "typed.parquet")
    options = ["--bins", "2", "-f", "csv"]
    assert counts(run("profile", tmp_path / "typed.parquet", "-l", "k", *options)) == {
        ("a", "yes", "True"): 1,
        ("a", "yes", "False"): 1,
        ("b", "yes", "True"): 1,
        ("b", "yes", "(missing)"): 1,
        ("a", "price", "[0.5, 1.5)"): 2,
        ("b", "price", "[1.5, 2.5]"): 2,
        ("a", "x", "[0, 1)"): 1,
        ("a", "x", "[1, 2]"): 1,
        ("b", "x", "[1, 2]"): 1,
        ("b", "x", "(missing)"): 1,
    }


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999"])
def test_infinite_values_name_the_line(fails, tmp_path, text):
    path = save(tmp_path / "inf.csv", k=[0, 0, 1], x=[0.5, text, 1])
    line = fails("profile", path, "-l", "k")
    assert f"inf.csv has {text} in column 'x' on line 3, which cannot be binned; correct it" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--labels"),
        (["-l", "clutser"], "there is no column 'clutser' for --labels; did you mean cluster?"),
        (["-l", "cluster", "--features", "y"], "there is no column 'y' for --features"),
        (["-l", "cluster", "--features", "cluster"], "there is no column 'cluster' for --features"),
        (["-l", "cluster", "--bins", "0"], "--bins must be at least 1, not 0"),
        (["-l", "cluster", "--bins", "1000001"], "--bins must be at most 1000000, not 1000001."),
        (["-l", "cluster", "--top", "0"], "--top must be at least 1, not 0"),
        (["-l", "cluster", "--binning", "even"], 'Invalid value "even" for --binning'),
        (["-l", "cluster", "--featurs", "x"], "there is no option --featurs; did you mean"),
        (["-l", "cluster", "--output", "nowhere/out.csv"], "there is no folder nowhere"),
    ],
)
def test_what_the_user_can_fix_is_one_sentence(fails, data, arguments, message):
    assert message in fails("profile", data, *arguments)


def test_labels_alone_have_no_profile(fails, tmp_path):
    path = save(tmp_path / "labels.csv", k=[0, 0, 1])
    line = fails("profile", path, "-l", "k")
    assert f"{path} has no features besides the labels; name columns" in line


def test_nobody_left(fails, tmp_path):
    path = save(tmp_path / "n.csv", k=[-1, -1], x=["u", "u"])
    assert "no objects" in fails("profile", path, "-l", "k", "--noise", "drop")


def test_years_with_the_same_names_are_matched_by_name(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    order = {"last.csv": ["gold", "silver", "-1"], "this.csv": ["silver", "gold", "-1"]}
    for name, labels in order.items():
        rows = [f"{label},{10 * k + i % 3}" for k, label in enumerate(labels) for i in range(20)]
        (tmp_path / name).write_text("segment,x\n" + "\n".join(rows) + "\n")
    verb = ["profile", *order, "-l", "segment", "--different-objects"]
    for memory in ([], ["--memory", "500MB"]):
        said = run(*verb, *memory).out.splitlines()[-1]
        assert "Matched by name, gold → gold and silver → silver" in said
        assert "The names seem to have changed meaning" in said
        said = run(*verb, *memory, "--match", "overlap").out.splitlines()[-1]
        assert "gold → silver and silver → gold are dense in the same places" in said
        assert "with noise as a cluster" in said
