"""``again``: the printed tables and sentences."""

import csv
import io

import pytest

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.measures.separating_features import separating_features
from helpers.again_files import SCALED, as_json, columns_of, standardised


def test_what_is_printed_is_what_the_library_says(run, data, planted):
    found = as_json(run("again", data, "-g", "class", "-n", "2", "--omega", "0.5", "-f", "json"))
    X, given = standardised(planted.X), planted.labels[:, 0]
    expected = cw.cluster_again(X, given, "coala", n_alternatives=2, omega=0.5)
    assert (found["objects"], found["features"]) == (160, list(planted.feature_names))
    assert (found["method"], found["metric"], found["scaled"]) == ("coala", "euclidean", True)
    assert (found["quality_measure"], found["dissimilarity_measure"]) == ("dunn", "jaccard")
    assert found["made_first"] is False
    (before,) = found["given"]
    assert (before["name"], before["sizes"]) == ("class", [80, 80])
    assert before["quality"] == pytest.approx(cw.dunn_score(X, given), rel=1e-9)
    assert "dq" not in before
    for printed, one in zip(found["alternatives"], expected, strict=True):
        assert printed["sizes"] == list(one.sizes)
        assert (printed["method"], printed["parameters"]["omega"]) == ("COALA", 0.5)
        assert printed["quality"] == pytest.approx(one.quality, rel=1e-9)
        assert (printed["dissimilarity"], printed["degenerate"]) == (one.dissimilarity, False)
        assert printed["dq"] == pytest.approx(one.dq, rel=1e-9)
        assert printed["effective_n_clusters"] == pytest.approx(one.effective_n_clusters)
        rand = cw.adjusted_rand_score(given, one.labels)
        assert printed["adjusted_rand_score"] == {"class": pytest.approx(rand)}
        scores = separating_features(planted.X, one.labels)
        named = {planted.feature_names[int(a.feature[1:])]: a.score for a in scores}
        assert printed["separation"] == pytest.approx(named)
        assert list(printed["separation"]) == list(named)


def test_choices_are_noted(run, data):
    lines = run("again", data, "-g", "class").err.splitlines()
    assert lines[0].startswith("clusterwise: left out id: every value is different, as in an id")
    assert lines[1] == "clusterwise: left out constant: it is constant."
    assert lines[2:] == [f"clusterwise: {SCALED}; use --no-scale to leave them as they are."]


def test_the_table_and_the_sentence(run, data):
    out = run("again", data, "-g", "class", "-m", "coala").out
    lines = out.splitlines()
    assert lines[0] == "1 alternative to class: 160 objects, 3 features"
    assert lines[1].split()[:4] == ["clusters", "effective", "sizes", "quality"]
    assert lines[2].split()[:5] == ["class", "2", "2.00", "80,", "80"]
    assert lines[2].split()[-1] == "given"
    assert lines[3].split()[:5] == ["alternative_1", "2", "2.00", "80,", "80"]
    assert lines[5] == "Features that separate the clusters best, with scores from 0 (chance) to 1"
    assert lines[6].split() == ["class", "score", "alternative_1", "score"]
    assert lines[7].split()[0] == "c1_1"
    feature = lines[7].split()[2]
    assert feature in ("c2_1", "c3_1")
    start = lines.index("Found one alternative with 2 clusters (80, 80).")
    assert lines[start + 1].startswith("It is unrelated to class (adjusted Rand -0.01)")
    assert f'"{feature}"' in lines[start + 2] or feature in lines[start + 1]
    assert "class is about c1_1." in lines
    assert lines[-1] == "Found by coala in c1_1, c2_1 and c3_1."


def test_five_features_at_most_are_shown_and_all_are_in_json(run, write):
    wide = make_alternatives(60, (2, 2), features=4, random_state=0)
    path = write("wide.csv", c1=wide.labels[:, 0], **columns_of(wide))
    shown = run("again", path, "-g", "c1").out.split("Features that separate")[1].split("\n\n")[0]
    assert len(shown.splitlines()) == 2 + 5
    found = as_json(run("again", path, "-g", "c1", "-f", "json"))
    assert len(found["alternatives"][0]["separation"]) == 8


def test_markdown(run, data):
    out = run("again", data, "-g", "class", "-f", "markdown").out
    assert "| class | 2 | 2.00 | 80, 80 |" in out
    assert "| class | score | alternative_1 | score |" in out
    assert "It is unrelated to class (adjusted Rand " in out


@pytest.mark.parametrize("output_format", ["table", "markdown"])
def test_names_send_no_escape_sequences_to_the_terminal(run, write, planted, output_format):
    first, second, _ = planted.X.T
    path = write("odd.csv", **{"c": planted.labels[:, 0], "\x1b[31mx": first, "y": second})
    out = run("again", path, "-g", "c", "-f", output_format).out
    assert "\nc is about \\x1b[31mx." in out


def test_csv_has_a_line_per_figure(run, data):
    out = run("again", data, "-g", "class", "-n", "1", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["clustering", "figure", "feature", "value"]
    found = as_json(run("again", data, "-g", "class", "-n", "1", "-f", "json"))
    values = {(row["clustering"], row["figure"], row["feature"]): row["value"] for row in rows}
    (one,) = found["alternatives"]
    assert len(values) == len(rows) == 4 + 9 + 2 * 3
    assert float(values["alternative_1", "dq", ""]) == one["dq"]
    assert float(values["alternative_1", "evidence", ""]) == one["evidence"] > 0
    assert (values["alternative_1", "convincing", ""], one["convincing"]) == ("True", True)
    assert float(values["alternative_1", "stability", ""]) == one["stability"]
    assert values["class", "n_clusters", ""] == "2"
    for name, score in one["separation"].items():
        assert float(values["alternative_1", "separation", name]) == score
