"""Results of cluster_again and tradeoff_curve: summaries, plain values, frames, Pareto fronts."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, strategies as st

import clusterwise as cw
from clusterwise import cluster_again, tradeoff_curve
from clusterwise._utils.results import Result
from clusterwise.alternatives.results import pareto_front
from clusterwise.datasets import make_alternatives
from helpers.pages import PRINTED

DATA = make_alternatives(80, (2, 2), separation=6, random_state=0)
GIVEN = DATA.labels[:, 0]


@pytest.fixture(scope="module")
def found():
    return cluster_again(
        DATA.X, GIVEN, "naive", n_alternatives=2, n_clusters=3, n_runs=10, random_state=0
    )


def test_they_are_results(found):
    assert isinstance(found, Result)
    assert isinstance(found, list)
    assert isinstance(tradeoff_curve(DATA.X, GIVEN, [0.5]), Result)


def test_some_alternatives_are_a_result(found, tmp_path):
    first = found[:1]
    assert isinstance(first, cw.FoundClusterings)
    assert first[0] is found[0]
    assert first.summary().startswith("Found one alternative with 3 clusters (")
    assert list(first.to_frame("pandas").columns) == ["alternative_0"]
    assert first.by_name().keys() == {"given", f"0 {found[0].method}"}
    assert first.report(tmp_path / "one.html").exists()


def test_the_summary_has_the_numbers(found):
    text = found.summary()
    assert text.startswith(
        "Found two alternatives to the given clustering; the first is recommended."
    )
    sizes = [", ".join(map(str, one.sizes)) for one in found]
    assert re.findall(r"3 clusters \(([\d, ]+)\)", text) == sizes
    assert "degenerate" not in text
    text = " ".join(one.summary() for one in found)
    numbers = re.findall(r"quality ([\d.]+), dissimilarity ([\d.]+), DQ ([\d.]+)\.", text)
    expected = [(one.quality, one.dissimilarity, one.dq) for one in found]
    assert [[float(x) for x in row] for row in numbers] == [
        pytest.approx(row, abs=PRINTED) for row in expected
    ]
    assert re.findall(r"3 clusters \(([\d, ]+)\)", text) == sizes
    both = cluster_again(DATA.X, DATA.labels, "naive", random_state=0)
    assert re.search(r"to given 1 \(adjusted Rand .*to given 2 \(adjusted Rand", both.summary())
    assert repr(both).startswith("1 alternative to given 1 and given 2\n")


def test_degenerate_alternatives_are_described():
    X = np.vstack([np.zeros((99, 2)), [[9.0, 9.0]]])
    found = cluster_again(X, np.arange(100) % 2, "coala", guard=False)
    assert found.summary().startswith(
        "Found one alternative, but it is degenerate: nearly all objects are in one cluster "
        "(99, 1)."
    )
    assert found[0].summary().endswith("It is degenerate: nearly all objects are in one cluster.")


def test_values_are_ready_for_json(found):
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["given"] == [GIVEN.tolist()]
    assert plain["parameters"] == {
        "method": "naive",
        "n_alternatives": 2,
        "n_clusters": 3,
        "n_runs": 10,
        "random_state": 0,
    }
    assert [one["labels"] for one in plain["alternatives"]] == [
        one.labels.tolist() for one in found
    ]
    assert plain["alternatives"][0]["parameters"]["n_clusters"] == 3


def test_parameters_of_any_type_are_ready_for_json():
    model = cw.COALA(np.int64(2), metric=lambda x, y: abs(x - y).sum())
    found = cluster_again(
        DATA.X[:20], GIVEN[:20], model, random_state=np.random.default_rng(0), min_cluster_size=0.1
    )
    plain = json.loads(json.dumps(found.to_dict()))
    parameters = plain["alternatives"][0]["parameters"]
    assert parameters["n_clusters"] == 2
    assert parameters["metric"] == "<lambda>"
    assert parameters["min_cluster_size"] == 0.1
    assert parameters["prototypes"] is None
    assert "Generator" in parameters["random_state"]
    assert "COALA" in plain["parameters"]["method"]


def test_infinite_numbers_are_null_in_json():
    X, given = [[0.0], [0.0], [5.0], [5.0]], [0, 1, 0, 1]
    found = cluster_again(X, given, "coala", omega=np.inf)
    assert found[0].quality == np.inf
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["alternatives"][0]["quality"] is None
    assert plain["parameters"]["omega"] is None
    curve = cw.tradeoff_curve(X, given, [0.5, np.inf])
    plain = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert (plain["omega"], plain["quality"]) == ([0.5, None], [None, None])


def test_frames_have_a_row_per_object(found):
    frame = found.to_frame("polars")
    assert frame.columns == ["alternative_0", "alternative_1"]
    assert frame["alternative_1"].to_list() == found[1].labels.tolist()
    scores = found.scores_to_frame("pandas")
    assert scores["dq"].tolist() == [one.dq for one in found]
    assert scores["n_clusters"].tolist() == [3, 3]


def test_frames_have_the_index_and_the_library_of_the_input():
    index = pd.Index([f"o{i}" for i in range(80)], name="object")
    for X, labels in (
        (pd.DataFrame(DATA.X, index=index), GIVEN),
        (DATA.X, pd.Series(GIVEN, index=index)),
    ):
        found = cluster_again(X, labels, "naive", random_state=0)
        frame = found.to_frame()
        assert frame.index.tolist() == index.tolist()
        assert frame.loc["o7", "alternative_0"] == found[0].labels[7]
    frame = cluster_again(pl.DataFrame(DATA.X), GIVEN, "naive", random_state=0).to_frame()
    assert isinstance(frame, pl.DataFrame)


def test_the_curve_is_summarised():
    curve = tradeoff_curve(DATA.X, GIVEN, [0.0, 0.6, 1.0])
    text = curve.summary()
    assert text.startswith(f"3 thresholds tried: omega = {curve.suggested:g} has the largest DQ")
    best = curve.omegas.tolist().index(curve.suggested)
    assert f"DQ {curve.dq[best]:.4f})" in text
    assert re.search(rf" {curve.pareto.size} (is|are) on the Pareto front", text)
    X = np.vstack([np.zeros((99, 2)), [[9.0, 9.0]]])
    lost = tradeoff_curve(X, np.arange(100) % 2, [1.0])
    assert lost.summary() == (
        "1 threshold tried: all clusterings are degenerate, with nearly all objects in one "
        "cluster. Use min_cluster_size, such as 0.05, for larger clusters. Features were scaled to "
        "unit variance."
    )


# Few values, so that ties are common.
VALUES = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, np.inf])


@st.composite
def tables(draw):
    width = draw(st.integers(1, 3))
    row = st.lists(VALUES, min_size=width, max_size=width)
    return np.array(draw(st.lists(row, min_size=1, max_size=12)))


def dominates(one, other):
    pairs = list(zip(one, other, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def naive_front(values):
    rows = values.tolist()
    return [i for i, row in enumerate(rows) if not any(dominates(other, row) for other in rows)]


@given(tables())
@example(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [2.0, 1.0]]))
@example(np.array([[np.inf, 0.0], [np.inf, 1.0]]))
def test_the_front_equals_the_naive_front(values):
    assert pareto_front(values).tolist() == naive_front(values)


@given(tables())
def test_every_other_row_is_dominated_by_one_on_the_front(values):
    front = pareto_front(values)
    assert front.size
    for i in np.setdiff1d(np.arange(len(values)), front):
        assert any(dominates(values[j], values[i]) for j in front)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    moved = pareto_front(values[order])
    assert sorted(order[i] for i in moved) == pareto_front(values).tolist()


def test_one_column_leaves_the_largest():
    assert pareto_front(np.array([[3.0], [5.0], [5.0], [4.0]])).tolist() == [1, 2]


@pytest.mark.parametrize("columns", [1, 2])
def test_no_rows_have_an_empty_front(columns):
    assert pareto_front(np.empty((0, columns))).tolist() == []
