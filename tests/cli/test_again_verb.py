"""``again``: alternatives to a clustering in a file, and what is said of them."""

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.measures.attributes import separating_attributes

COLOURS = ["red", "blue"]
SCALED = "each feature is scaled to mean 0 and standard deviation 1"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, separator=",", **columns):
        rows = [columns, *zip(*columns.values(), strict=True)]
        (tmp_path / name).write_text("".join(separator.join(map(str, row)) + "\n" for row in rows))
        return name

    return write_file


@pytest.fixture(scope="module")
def planted():
    """Three independent clusterings, each of two clusters in a feature of its own."""
    return make_alternatives(160, (2, 2, 2), features=1, random_state=0)


def columns_of(data):
    return dict(zip(data.feature_names, data.X.T.tolist(), strict=True))


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.fixture
def data(write, planted):
    """Ids, the first clustering, the features, and a constant."""
    names = [f"p{i}" for i in range(len(planted.X))]
    classes = ["ab"[label] for label in planted.labels[:, 0]]
    fields = {"id": names, "class": classes, **columns_of(planted), "constant": [7] * len(names)}
    return write("data.csv", **fields)


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def read_labels(path, delimiter=","):
    with Path(path).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=delimiter))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_the_other_planted_clusterings_are_found(run, data, planted):
    result = run("again", data, "--given", "class", "-n", "2", "--output", "labels.csv")
    assert result.status == 0
    written = read_labels("labels.csv")
    assert list(written) == ["class", "alternative_1", "alternative_2"]
    assert written["class"] == ["ab"[label] for label in planted.labels[:, 0]]
    for i in (1, 2):
        scores = [
            cw.adjusted_rand_score(planted.labels[:, i], written[name])
            for name in ("alternative_1", "alternative_2")
        ]
        assert max(scores) >= 0.95


def test_several_given_leave_the_last_one(run, write, planted):
    c1, c2, c3 = planted.labels.T
    path = write("two.csv", c1=c1, c2=c2, **columns_of(planted))
    result = run("again", path, "-g", "c1", "-g", "c2", "-o", "labels.csv", "-f", "json")
    (found,) = as_json(result)["alternatives"]
    assert next(iter(found["separation"])) == "c3_1"
    assert set(found["adjusted_rand_score"]) == {"c1", "c2"}
    written = read_labels("labels.csv")
    assert list(written) == ["c1", "c2", "alternative_1"]
    assert cw.adjusted_rand_score(c3, written["alternative_1"]) >= 0.95


def test_what_is_printed_is_what_the_library_says(run, data, planted):
    found = as_json(run("again", data, "-g", "class", "-n", "2", "--omega", "0.5", "-f", "json"))
    X, given = standardised(planted.X), planted.labels[:, 0]
    expected = cw.cluster_again(X, given, n=2, omega=0.5)
    assert (found["objects"], found["features"]) == (160, list(planted.feature_names))
    assert (found["method"], found["metric"], found["scaled"]) == ("coala", "euclidean", True)
    assert (found["quality_measure"], found["dissimilarity_measure"]) == ("dunn", "jaccard")
    assert (found["made_first"], found["parameters"]["omega"]) == (False, 0.5)
    (before,) = found["given"]
    assert (before["name"], before["sizes"]) == ("class", [80, 80])
    assert before["quality"] == pytest.approx(cw.dunn_score(X, given), rel=1e-9)
    assert "dq" not in before
    for printed, one in zip(found["alternatives"], expected, strict=True):
        assert printed["sizes"] == list(one.sizes)
        assert printed["quality"] == pytest.approx(one.quality, rel=1e-9)
        assert (printed["dissimilarity"], printed["degenerate"]) == (one.dissimilarity, False)
        assert printed["dq"] == pytest.approx(one.dq, rel=1e-9)
        assert printed["effective_n_clusters"] == pytest.approx(one.effective_n_clusters)
        rand = cw.adjusted_rand_score(given, one.labels)
        assert printed["adjusted_rand_score"] == {"class": pytest.approx(rand)}
        scores = separating_attributes(planted.X, one.labels)
        named = {planted.feature_names[int(a.attribute[1:])]: a.score for a in scores}
        assert printed["separation"] == pytest.approx(named)
        assert list(printed["separation"]) == list(named)


def test_what_is_decided_is_said(run, data):
    lines = run("again", data, "-g", "class").err.splitlines()
    assert lines[0].startswith("clusterwise: left out id: no value repeats, as in a name")
    assert lines[1] == "clusterwise: left out constant: it has the same value everywhere."
    assert lines[2:] == [f"clusterwise: {SCALED}; --no-scale leaves them as they are."]


def test_the_table_and_the_sentence(run, data):
    out = run("again", data, "-g", "class").out
    lines = out.splitlines()
    assert lines[0] == "1 alternative to class: 160 objects, 3 features"
    assert lines[1].split()[:4] == ["clusters", "effective", "sizes", "quality"]
    assert lines[2].split()[:5] == ["class", "2", "2.00", "80,", "80"]
    assert lines[2].split()[-1] == "given"
    assert lines[3].split()[:5] == ["alternative_1", "2", "2.00", "80,", "80"]
    assert lines[5] == "What separates the clusters best, from 0 (chance) to 1 (entirely)"
    assert lines[6].split() == ["class", "score", "alternative_1", "score"]
    assert lines[7].split()[0] == "c1_1"
    about = lines[7].split()[2]
    assert about in ("c2_1", "c3_1")
    assert (
        f"alternative_1 is about {about}; it is unrelated to class, which is about c1_1." in lines
    )
    assert lines[-1] == "By coala from c1_1, c2_1 and c3_1."


def test_five_attributes_at_most_are_shown_and_all_are_in_json(run, write):
    wide = make_alternatives(60, (2, 2), features=4, random_state=0)
    path = write("wide.csv", c1=wide.labels[:, 0], **columns_of(wide))
    shown = run("again", path, "-g", "c1").out.split("What separates")[1].split("\n\n")[0]
    assert len(shown.splitlines()) == 2 + 5
    found = as_json(run("again", path, "-g", "c1", "-f", "json"))
    assert len(found["alternatives"][0]["separation"]) == 8


def test_markdown(run, data):
    out = run("again", data, "-g", "class", "-f", "markdown").out
    assert "| class | 2 | 2.00 | 80, 80 |" in out
    assert "| class | score | alternative_1 | score |" in out
    assert "alternative_1 is about" in out


def test_csv_has_a_line_per_figure(run, data):
    out = run("again", data, "-g", "class", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["clustering", "figure", "attribute", "value"]
    found = as_json(run("again", data, "-g", "class", "-f", "json"))
    values = {(row["clustering"], row["figure"], row["attribute"]): row["value"] for row in rows}
    (one,) = found["alternatives"]
    assert len(values) == len(rows) == 4 + 6 + 2 * 3
    assert float(values["alternative_1", "dq", ""]) == one["dq"]
    assert values["class", "n_clusters", ""] == "2"
    for name, score in one["separation"].items():
        assert float(values["alternative_1", "separation", name]) == score


def test_features_are_chosen_and_left_unscaled(run, write, planted):
    """By the larger unit alone, unless features are scaled."""
    X = planted.X * [1, 1, 1000]
    path = write("units.csv", c1=planted.labels[:, 0], x=X[:, 0], y=X[:, 1], z=X[:, 2])
    options = ["again", path, "-g", "c1", "--omega", "0", "-f", "json"]
    result = run(*options, "--no-scale", "--features", "x,z")
    found = as_json(result)
    assert (found["scaled"], found["features"]) == (False, ["x", "z"])
    assert SCALED not in result.err
    expected = cw.cluster_again(X[:, [0, 2]], planted.labels[:, 0], omega=0.0)
    assert found["alternatives"][0]["dq"] == pytest.approx(expected[0].dq, rel=1e-9)
    scaled = as_json(run(*options, "--scale", "--features", "x,z"))
    assert scaled["alternatives"][0]["quality"] != found["alternatives"][0]["quality"]


def messy(n=80):
    """Numbers with a decimal comma and gaps, names with gaps, row numbers, empty, constant."""
    data = make_alternatives(n, (2, 2), features=1, random_state=3)
    weights = [str(round(x, 3)).replace(".", ",") for x in data.X[:, 0]]
    colours = [COLOURS[label] for label in data.labels[:, 1]]
    weights[3] = weights[10] = ""
    colours[5] = "NA"
    return data, {
        "row": range(1, n + 1), "class": data.labels[:, 0], "weight": weights, "colour": colours,
        "empty": [""] * n, "same": ["k"] * n,
    }  # fmt: skip


def test_a_messy_file(run, write):
    data, columns = messy()
    path = write("messy.csv", ";", **columns)
    result = run("again", path, "-g", "class", "-o", "labels.csv", "-f", "json")
    found = as_json(result)
    assert (found["features"], found["metric"]) == (["weight", "colour"], "gower")
    assert (found["scaled"], found["quality_measure"]) == (False, "silhouette")
    assert "left out row: it numbers the rows" in result.err
    assert "left out empty: no value at all" in result.err
    assert "left out same: it has the same value everywhere." in result.err
    assert (
        "distances are Gower's, because colour holds names and weight has gaps: numbers by their "
        "range, names equal or not." in result.err
    )
    assert SCALED not in result.err
    written = read_labels("labels.csv")["alternative_1"]
    assert cw.adjusted_rand_score(data.labels[:, 1], written) >= 0.9
    numbers = [float(w.replace(",", ".")) if w else None for w in columns["weight"]]
    names = [None if name == "NA" else name for name in columns["colour"]]
    rows = [list(row) for row in zip(numbers, names, strict=True)]
    (expected,) = cw.cluster_again(rows, data.labels[:, 0], metric="gower", quality="silhouette")
    assert written == [str(label) for label in expected.labels]
    assert found["alternatives"][0]["dq"] == pytest.approx(expected.dq, rel=1e-9)


def test_a_constant_with_gaps_does_not_decide_the_metric(run, write, planted):
    gaps = ["", *["5"] * (len(planted.X) - 1)]
    path = write("gaps.csv", c1=planted.labels[:, 0], **columns_of(planted), g=gaps)
    assert as_json(run("again", path, "-g", "c1", "-f", "json"))["metric"] == "euclidean"


@pytest.fixture
def things(write):
    """All names: grouped by colour, the other way is by shape."""
    colours, shapes = ["red", "red", "blue", "blue"] * 5, ["round", "square"] * 10
    return write("things.csv", kind=[c[0] for c in colours], colour=colours, shape=shapes)


@pytest.mark.parametrize("method", ["coala", "coalacat"])
def test_names_only(run, things, method):
    options = ["again", things, "-g", "kind", "-m", method, "--omega", "0.3", "-f", "json"]
    result = run(*options, "-o", "labels.csv")
    (found,) = as_json(result)["alternatives"]
    assert next(iter(found["separation"].items())) == ("shape", pytest.approx(1.0))
    assert ("Gower" in result.err) == (method == "coala")
    quality = "silhouette" if method == "coala" else "entropy"
    assert as_json(result)["quality_measure"] == quality
    assert read_labels("labels.csv")["alternative_1"] == ["0", "1"] * 10


def test_coalacat_says_that_numbers_are_names(run, data):
    err = run("again", data, "-g", "class", "-m", "coalacat").err
    assert "--method coalacat takes each of the 160 values of c1_1 as a name" in err
    assert SCALED not in err


def test_without_given_a_first_clustering_is_made(run, write, planted):
    path = write("plain.csv", **columns_of(planted))
    result = run("again", path, "-k", "2", "-o", "labels.csv", "-f", "json")
    found = as_json(result)
    assert found["made_first"]
    assert "no --given: a first clustering, called first, is made by k-means (2 clusters)." in (
        result.err
    )
    written = read_labels("labels.csv")
    assert list(written) == ["first", "alternative_1"]
    assert written == read_again(run, path)
    (one,) = found["alternatives"]
    rand = cw.adjusted_rand_score(written["first"], written["alternative_1"])
    assert one["adjusted_rand_score"] == {"first": pytest.approx(rand)}


def read_again(run, path):
    """The same command once more: nothing depends on an unknown seed."""
    run("again", path, "-k", "2", "-o", "second.csv")
    return read_labels("second.csv")


@pytest.mark.parametrize(
    ("method", "how"),
    [("coala", "plain average linkage"), ("coalacat", "plain entropy linkage")],
)
def test_a_first_clustering_of_names(run, things, method, how):
    result = run("again", things, "-m", method, "--features", "colour,shape", "-f", "json")
    assert as_json(result)["given"][0]["name"] == "first"
    assert f"called first, is made by {how} (2 clusters)." in result.err


@pytest.fixture
def outlier(write):
    """Two groups, and one object far from both, which linkage sets apart."""
    x = [*np.linspace(0, 1, 30), *np.linspace(9, 10, 30), 60]
    y = [*np.linspace(0, 1, 15), *np.linspace(6, 7, 15)] * 2
    return write("outlier.csv", side=[0] * 30 + [1] * 31, x=x, y=[*y, 60])


def test_single_objects_are_no_clusters_unless_asked_for(run, outlier):
    guarded = as_json(run("again", outlier, "-g", "side", "-f", "json"))["alternatives"][0]
    assert (guarded["degenerate"], min(guarded["sizes"]) > 1) == (False, True)
    for option in (["--as-published"], ["--min-size", "0"]):
        result = run("again", outlier, "-g", "side", *option)
        row = next(line for line in result.out.splitlines() if line.startswith("alternative_1"))
        assert ("60, 1" in row, row.split()[-1]) == (True, "degenerate")
        assert "alternative_1 is degenerate, hardly more than one cluster (60, 1)" in result.out
    sized = as_json(run("again", outlier, "-g", "side", "--min-size", "0.3", "-f", "json"))
    assert min(sized["alternatives"][0]["sizes"]) >= 0.3 * 61


def test_fewer_alternatives_than_asked_are_said(run, write):
    square = make_alternatives(40, (2, 2), features=1, random_state=0)
    path = write("square.csv", c1=square.labels[:, 0], **columns_of(square))
    result = run("again", path, "-g", "c1", "-n", "9", "-f", "json")
    found = as_json(result)["alternatives"]
    assert f"COALA stopped after {len(found)} of 9 alternatives" in result.err
    assert len(found) < 9


def test_naive(run, data, planted):
    options = ["again", data, "-g", "class", "-m", "naive", "--seed", "4", "-f", "json"]
    found = as_json(run(*options, "--quality", "silhouette"))
    model = cw.NaiveAlternative(quality="silhouette", random_state=4)
    labels = model.fit(standardised(planted.X), planted.labels[:, 0]).labels_
    expected = cw.dq_parts(
        standardised(planted.X), planted.labels[:, 0], labels, quality="silhouette"
    )
    (one,) = found["alternatives"]
    assert (one["quality"], one["dq"]) == pytest.approx((expected.quality, expected.dq))


def test_prototypes(run, data, planted):
    found = as_json(run("again", data, "-g", "class", "--prototypes", "40", "-f", "json"))
    assert found["parameters"]["prototypes"] == 40
    assert next(iter(found["alternatives"][0]["separation"].values())) > 0.9


def test_very_many_objects_are_judged_by_a_quicker_quality(run, write):
    many = make_alternatives(30_001, (2, 2), features=1, random_state=0)
    path = write("many.csv", c1=many.labels[:, 0], **columns_of(many))
    result = run("again", path, "-g", "c1", "--prototypes", "20", "-f", "json")
    assert as_json(result)["quality_measure"] == "davies_bouldin"
    assert "quality is davies_bouldin, since dunn takes long for 30001 objects" in result.err


def test_rows_of_several_files_are_matched_by_key_and_keep_it(run, write, planted):
    names = [f"p{i}" for i in range(160)]
    features = write("features.csv", id=names, **columns_of(planted))
    labels = write("labels.csv", id=[*names[:0:-1], "q"], c1=[*planted.labels[:0:-1, 0], 0])
    result = run("again", features, labels, "-g", "c1", "--key", "id", "-o", "out.csv")
    assert result.status == 0
    written = read_labels("out.csv")
    assert list(written) == ["id", "c1", "alternative_1"]
    assert (written["id"], written["c1"]) == (names[1:], planted.labels[1:, 0].astype(str).tolist())


@pytest.mark.parametrize("name", ["class", "data.class"])
def test_the_output_can_be_given_again(run, data, planted, name):
    """It repeats the class, which is neither a second given clustering nor a feature."""
    run("again", data, "-g", "class", "--key", "id", "-o", "first.csv")
    options = ["-g", name, "-g", "alternative_1", "--key", "id", "-f", "json"]
    found = as_json(run("again", data, "first.csv", *options, "-o", "second.csv"))
    assert found["features"] == list(planted.feature_names)
    written = read_labels("second.csv")
    assert list(written) == ["id", "data.class", "alternative_1", "alternative_2"]
    assert written["alternative_1"] == read_labels("first.csv")["alternative_1"]
    known = [written["data.class"], written["alternative_1"]]
    assert max(cw.adjusted_rand_score(one, written["alternative_2"]) for one in known) < 0.1


def test_objects_without_a_given_label(fails, run, write, planted):
    classes = ["", *planted.labels[1:, 0]]
    path = write("gaps.csv", c1=classes, **columns_of(planted))
    assert "gaps.csv has no value in column 'c1' on line 2" in fails("again", path, "-g", "c1")
    dropped = run("again", path, "-g", "c1", "--missing", "drop", "-o", "out.csv", "-f", "json")
    assert as_json(dropped)["objects"] == 159
    written = read_labels("out.csv")
    assert (written["c1"][0], written["alternative_1"][0]) == ("", "")
    assert set(written["alternative_1"][1:]) == {"0", "1"}
    labelled = run("again", path, "-g", "c1", "--missing", "label", "-o", "out.csv", "-f", "json")
    assert as_json(labelled)["given"][0]["sizes"] == [80, 79, 1]
    assert read_labels("out.csv")["c1"][0] == "(missing)"


def test_labels_as_tsv_and_json_lines(run, data):
    run("again", data, "-g", "class", "-o", "labels.csv")
    expected = read_labels("labels.csv")
    run("again", data, "-g", "class", "-o", "labels.tsv")
    assert read_labels("labels.tsv", "\t") == expected
    run("again", data, "-g", "class", "-o", "labels.jsonl")
    lines = [json.loads(line) for line in Path("labels.jsonl").read_text().splitlines()]
    assert [line["class"] for line in lines] == expected["class"]
    assert [str(line["alternative_1"]) for line in lines] == expected["alternative_1"]


def test_standard_input(run, data, tmp_path):
    piped = run("again", "-", "-g", "class", stdin=(tmp_path / data).read_bytes())
    assert piped.out == run("again", data, "-g", "class").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "0"], "--number 0 finds no alternative"),
        (["-k", "1"], "--clusters 1 divides nothing"),
        (["-k", "161"], "--clusters 161 for 160 objects; use fewer"),
        (["--omega", "-1"], "--omega -1 is no threshold"),
        (["--omega", "nan"], "--omega nan is no threshold"),
        (["--min-size", "-2"], "--min-size -2 is no size"),
        (["--min-size", "81"], "--min-size 81 leaves no room for 2 clusters of 160 objects"),
        (["--min-size", "0.6"], "--min-size 0.6 leaves no room"),
        (["--as-published", "--min-size", "3"], "leave it out, or --min-size"),
        (["--seed", "-1"], "--seed -1: use a whole number from 0"),
        (["--prototypes", "0"], "--prototypes 0 leaves nothing to cluster"),
        (["--prototypes", "161"], "use a number from 2 to 160"),
        (["--prototypes", "9", "--metric", "cosine"], "--metric cosine knows nothing of"),
        (["-m", "naive", "--omega", "1"], "--method naive has no use for --omega"),
        (["-m", "naive", "--min-size", "9"], "--method naive has no use for --min-size"),
        (["-m", "coalacat", "--metric", "gower"], "has no use for --metric"),
        (["-m", "coalacat", "--prototypes", "9"], "has no use for --prototypes"),
        (["-m", "coalacat", "--scale"], "--method coalacat has no use for --scale"),
        (["-m", "coalacat", "--quality", "dunn"], "use --quality entropy"),
        (["--metric", "gower", "--quality", "davies_bouldin"], "use dunn or silhouette"),
        (["--quality", "dun"], 'Did you mean "dunn"?'),
        (["--features", "class"], "class is --given, so it is no feature"),
        (["--features", "id", "--key", "id"], "id is --key, so it is no feature"),
        (["--features", "constant"], "no feature has two different values"),
        (["-g", "clas"], "there is no column 'clas' for --given; did you mean class?"),
        (["-g", "id"], "--given id is another value for each of the 160 objects"),
        (["-g", "constant"], "--given constant puts all objects into one cluster"),
        (["-g", "c1_1"], "--given c1_1 holds numbers that are not whole"),
        (["--output", "labels.json"], "labels are written as .csv, .tsv or .jsonl"),
        (["--output", "nowhere/labels.csv"], "there is no folder nowhere"),
        (["--give", "class"], "there is no option --give; did you mean --given?"),
    ],
)
def test_what_cannot_be_used(fails, data, tmp_path, options, message):
    given = [] if "-g" in options else ["-g", "class"]
    output = [] if "--output" in options else ["--output", "out.csv"]
    assert message in fails("again", data, *given, *options, *output)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "naive"], "--method naive needs numbers without gaps, but colour and shape hold"),
        (["--metric", "cosine"], "--metric cosine needs numbers without gaps"),
        (["--prototypes", "4"], "--prototypes needs numbers without gaps"),
        (["--features", "kind"], "kind is --given, so it is no feature"),
    ],
)
def test_names_where_numbers_are_needed(fails, things, options, message):
    assert message in fails("again", things, "-g", "kind", *options)


def test_too_little_data(fails, write):
    alone = write("alone.csv", c1=[0, 0, 1])
    assert "alone.csv holds no features" in fails("again", alone, "-g", "c1")
    two = write("two.csv", x=[0.5, 1.5])
    assert "2 objects cannot be grouped in two ways" in fails("again", two)
    assert "no file is given" in fails("again")


def test_more_objects_than_memory(fails, data, monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 400)
    line = fails("again", data, "-g", "class")
    assert "160 objects need a table of 0.000191 GiB" in line
    assert line.endswith("use --prototypes 2000, say, or a sample.")
    assert fails("again", data, "-g", "class", "-m", "coalacat").endswith("; use a sample.")


def test_memory_that_runs_out_on_the_way(fails, data, monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr("clusterwise.cli.again_search.cluster_again", exhausted)
    assert "not enough memory; use --prototypes" in fails("again", data, "-g", "class")


def test_as_a_process(process, data, tmp_path):
    good = process("again", data, "-g", "class", "-o", "out.csv", "-f", "json", cwd=tmp_path)
    assert good.returncode == 0
    assert json.loads(good.stdout)["objects"] == 160
    assert len(read_labels(tmp_path / "out.csv")["alternative_1"]) == 160
    bad = process("again", data, "-g", "nothing", "-o", "bad.csv", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("clusterwise: there is no column 'nothing' for --given")
    assert not (tmp_path / "bad.csv").exists()


def test_interrupt_while_searching_leaves_no_file(write, tmp_path):
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 6000))
    path = write("long.csv", c1=random.integers(0, 3, 6000), x=x, y=y)
    # Test runners in the background may ignore the signal, and children inherit that.
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from clusterwise.cli import main
sys.exit(main())
"""
    command = [sys.executable, "-c", code, "again", path, "-g", "c1", "-n", "9", "-o", "out.csv"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert SCALED in process.stderr.readline()  # the search begins
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
    assert (process.returncode, out, err) == (130, "", "clusterwise: interrupted.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["long.csv"]


def test_help_loads_nothing_heavy():
    code = """
import sys
from clusterwise.cli.app import run
run(["again", "--help"])
print([name for name in ("numpy", "numba", "sklearn", "scipy") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[0].startswith("Usage: clusterwise again FILE")
    assert done.stdout.splitlines()[-1] == "[]"
