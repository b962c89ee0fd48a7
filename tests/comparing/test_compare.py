"""compare and compare_all: values, matches, moves, and how they are shown."""

import inspect
import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from rich.console import Console

import clusterwise as cw
from clusterwise.inputs.clusterings import LabelOptions
from clusterwise.measures.catalogue import OF_LABELS, find_measure

LAST = ["gold", "gold", "basic", "basic", "basic", "new"]
THIS = ["A", "A", "A", "B", "B", "A"]

pairs = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)])
)


def shown(thing: object, width: int) -> str:
    console = Console(width=width, file=io.StringIO())
    console.print(thing)
    return console.file.getvalue()


def test_values_are_those_of_the_measures() -> None:
    comparison = cw.compare(LAST, THIS)
    assert list(comparison.values) == OF_LABELS
    for name, value in comparison.values.items():
        assert value == getattr(cw, name)(LAST, THIS)


def test_measures_can_be_chosen() -> None:
    assert list(cw.compare(LAST, THIS, measures=["purity_score"]).values) == ["purity_score"]
    with pytest.raises(cw.InputError, match="unknown measure 'purity'"):
        cw.compare(LAST, THIS, measures=["purity"])


def test_who_matches_whom_and_who_moved() -> None:
    comparison = cw.compare(LAST, THIS)
    assert {(match.a, match.b, match.shared) for match in comparison.matches} == {
        ("gold", "A", 2),
        ("basic", "B", 2),
    }
    assert [tuple(move)[:3] for move in comparison.moves] == [
        ("basic", "A", 1),
        ("new", "A", 1),
    ]
    assert comparison.unmatched == (["new"], [])
    gold = next(match for match in comparison.matches if match.a == "gold")
    assert (gold.share_of_a, gold.share_of_b, gold.jaccard) == (1.0, 0.5, 0.5)


@given(pair=pairs)
def test_matches_and_moves_account_for_every_object(pair) -> None:
    a, b = pair
    comparison = cw.compare(a, b, match="overlap", noise_label="none")
    matched = {(match.a, match.b) for match in comparison.matches}
    stayed = sum(match.shared for match in comparison.matches)
    moved = sum(move.objects for move in comparison.moves)
    changed = {
        (event.cluster, part.cluster) if event.kind == "split" else (part.cluster, event.cluster)
        for event in comparison.events
        if event.kind in ("split", "merged")
        for part in event.parts
    }
    rest = sum((x, y) in changed - matched for x, y in zip(a, b, strict=True))
    assert stayed + moved + rest == len(a)
    assert stayed == round(comparison.values["cluster_accuracy_score"] * len(a))
    assert len({match.a for match in comparison.matches}) == len(comparison.matches)
    assert len({match.b for match in comparison.matches}) == len(comparison.matches)
    for move in comparison.moves:
        together = [x == move.source and y == move.target for x, y in zip(a, b, strict=True)]
        assert sum(together) == move.objects


def test_no_object_is_refused() -> None:
    with pytest.raises(cw.InputError, match="no objects"):
        cw.compare([], [])
    with pytest.raises(cw.InputError, match="no objects"):
        cw.compare_all({"x": [], "y": []})
    with pytest.raises(cw.InputError, match="no objects"):
        cw.compare([-1, -1], [0, 1], noise="drop")


def test_a_ready_table_can_be_compared() -> None:
    table = cw.Contingency.from_labels(LAST, THIS)
    assert cw.compare(table).values == cw.compare(LAST, THIS).values
    with pytest.raises(cw.InputError, match="leave b out"):
        cw.compare(table, THIS)
    with pytest.raises(cw.InputError, match="leave noise out"):
        cw.compare(table, noise="drop")
    with pytest.raises(cw.InputError, match="leave sample_weight out"):
        cw.compare(table, sample_weight=np.ones(6))


@pytest.mark.parametrize("function", [cw.compare, cw.compare_all])
def test_label_options_are_spelled_out(function) -> None:
    parameters = inspect.signature(function).parameters
    assert all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in parameters.values())
    measure = inspect.signature(cw.rand_score).parameters
    for option in LabelOptions.__annotations__:
        assert parameters[option].default == measure[option].default
        assert f"    {option} : " in function.__doc__
    with pytest.raises(TypeError, match=f"{function.__name__}.*did you mean 'noise_label'"):
        function(LAST, THIS, noiselabel=-1)


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (LAST, LAST, "the same clustering"),
        ([0, 0, 1, 1], [0, 0, 1, 2], "b is a refinement of a"),
        ([0, 0, 1, 2], [0, 0, 1, 1], "a is a refinement of b"),
        ([0, 1, 0, 1], [0, 0, 1, 1], "no more than chance"),
        ([0, 0, 0], [0, 1, 2], "a has a single cluster"),
        ([0] * 19 + [1], [0, 1] * 10, "a puts 95% of the objects in one cluster"),
    ],
)
def test_reading(a, b, says) -> None:
    assert says in cw.compare(a, b).summary()


def test_names_come_from_the_series() -> None:
    comparison = cw.compare(pd.Series(LAST, name="last"), pd.Series(THIS, name="this"))
    assert comparison.names == ("last", "this")
    assert "last and this" in comparison.summary()
    assert cw.compare(LAST, THIS, names=("x", "y")).names == ("x", "y")
    same = pl.Series("same", LAST)
    assert cw.compare(same, same).names == ("a", "b")


@pytest.mark.parametrize(
    ("make", "kind"),
    [(pd.Series, pd.DataFrame), (pl.Series, pl.DataFrame), (pa.array, pa.Table)],
)
def test_frames_come_back_in_the_callers_library(make, kind) -> None:
    frame = cw.compare(make(LAST), make(THIS)).to_frame()
    assert isinstance(frame, kind)
    assert list(frame["measure"].to_pylist() if kind is pa.Table else frame["measure"]) == list(
        OF_LABELS
    )
    assert isinstance(cw.compare_all({"x": make(LAST), "y": make(THIS)}).to_frame(), kind)


def test_frames_of_plain_lists_take_a_library_by_name() -> None:
    assert isinstance(cw.compare(LAST, THIS).to_frame("polars"), pl.DataFrame)
    with pytest.raises(cw.InputError, match="'excel' is unknown"):
        cw.compare(LAST, THIS).to_frame("excel")


def test_dict_is_ready_for_json() -> None:
    comparison = cw.compare([1.5, 1.5, 2.5, -1], [(0, 1), (0, 1), (2, 3), (2, 3)])
    plain = json.loads(json.dumps(comparison.to_dict()))
    assert plain["objects"] == 4
    assert plain["measures"]["rand_score"] == comparison.values["rand_score"]
    assert plain["matches"][0]["b"] == "(0, 1)"


def test_text_names_everything() -> None:
    text = repr(cw.compare(LAST, THIS, names=("last", "this")))
    assert "last (3 clusters) against this (2 clusters): 6 objects" in text
    for name in OF_LABELS:
        assert name in text
    assert "Matched clusters" in text
    assert "Moved objects" in text


def test_narrow_terminals_leave_the_meaning_out() -> None:
    comparison = cw.compare(LAST, THIS)
    wide, narrow = shown(comparison, 160), shown(comparison, 70)
    assert "proportion of object pairs" in wide
    assert "proportion of object pairs" not in narrow
    for name in OF_LABELS:
        assert name in narrow


def test_long_lists_are_cut_and_say_so() -> None:
    rng = np.random.default_rng(0)
    text = repr(cw.compare(rng.integers(0, 20, 500), rng.integers(0, 20, 500)))
    assert "Matched clusters, by overlap (first 10 of 20)" in text


def test_html_escapes_names() -> None:
    html = cw.compare(["<script>", "b"], ["x", "<img>"], names=("<b>", "&"))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;" in html
    assert "<img>" not in html


def test_rich_markup_in_names_is_shown_literally() -> None:
    assert "[red]x[/red]" in shown(cw.compare(["[red]x[/red]", "b"], [1, 1]), 160)


@pytest.mark.parametrize("measure", ["adjusted_rand_score", "wallace_score", "mirkin_distance"])
def test_matrix_holds_every_pair_in_both_orders(measure) -> None:
    rng = np.random.default_rng(1)
    runs = {name: rng.integers(0, 4, 60) for name in "pqr"}
    matrix = cw.compare_all(runs, measure=measure)
    function = getattr(cw, measure)
    for i, first in enumerate(runs):
        for j, second in enumerate(runs):
            expected = function(runs[first], runs[second])
            assert matrix.values[i, j] == pytest.approx(expected, abs=1e-12)
    best_first = [value for *_, value in matrix.pairs()]
    assert best_first == sorted(best_first, reverse=measure != "mirkin_distance")


RUNS = {"one": [0, 0, 1, 1], "two": [1, 1, 0, 0], "three": [0, 1, 0, 1]}


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        pl.LazyFrame,
        dict,
        lambda runs: [pd.Series(labels, name=name) for name, labels in runs.items()],
    ],
)
def test_matrix_of_a_frame_a_dict_or_a_list(make) -> None:
    matrix = cw.compare_all(make(RUNS))
    assert matrix.names == ["one", "two", "three"]
    np.testing.assert_allclose(matrix.values, cw.compare_all(RUNS).values)


def test_clusterings_without_names_are_numbered() -> None:
    assert cw.compare_all(list(RUNS.values())).names == ["0", "1", "2"]
    assert cw.compare_all([pd.Series([0, 1], name="x")] * 2).names == ["0", "1"]
    numbered = pd.DataFrame(np.array(list(RUNS.values())).T)
    assert cw.compare_all(numbered).names == ["0", "1", "2"]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.LazyFrame])
def test_features_and_weights_are_no_clusterings(make) -> None:
    X, weights = [[0.5], [0.75], [4.5], [9.0]], [1, 2, 1, 3]
    frame = make({**RUNS, "w": weights, "x": [row[0] for row in X]})
    options = {"measure": "adco_score", "sample_weight": weights}
    expected = cw.compare_all(RUNS, X, **options)
    options["sample_weight"] = "w"
    found = cw.compare_all(frame, features=["x"], **options)
    assert found.names == expected.names
    np.testing.assert_allclose(found.values, expected.values)
    alone = cw.compare_all(["one", "three"], frame=frame, features=["x"], **options)
    assert alone.values[0, 1] == pytest.approx(expected.values[0, 2])


def test_a_frame_of_labels_beside_features() -> None:
    X = [[0.5], [0.75], [4.5], [9.0]]
    found = cw.compare_all(pd.DataFrame(RUNS), X, measure="css_distance")
    np.testing.assert_allclose(found.values, cw.compare_all(RUNS, X, measure="css_distance").values)
    with pytest.raises(cw.InputError, match="both given"):
        cw.compare_all(pl.LazyFrame(RUNS), X, measure="css_distance")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (np.zeros((4, 3)), "clusterings is a ndarray; pass a frame"),
        (None, "pass a frame"),
        (["one", "two"], "pass the frame they are in as frame"),
    ],
)
def test_matrix_says_what_clusterings_are(wrong, says) -> None:
    with pytest.raises(cw.InputError, match=says):
        cw.compare_all(wrong)


def test_names_of_clusterings_are_the_index_of_the_matrix() -> None:
    matrix = cw.compare_all(RUNS)
    frame = matrix.to_frame("pandas")
    assert list(frame.index) == list(frame.columns) == ["one", "two", "three"]
    assert frame.index.name == "clustering"
    assert frame.loc["one", "three"] == matrix.values[0, 2]
    assert matrix.to_frame("polars")["clustering"].to_list() == matrix.names


@pytest.mark.parametrize(
    ("measure", "best"), [("adjusted_rand_score", "larger"), ("mirkin_distance", "smaller")]
)
def test_summary_of_the_matrix_names_the_extremes(measure, best) -> None:
    matrix = cw.compare_all(RUNS, measure=measure)
    said = matrix.summary()
    assert f"3 clusterings compared by {measure} ({best} is more similar)." in said
    (a, b, first), (c, d, last) = matrix.pairs()[0], matrix.pairs()[-1]
    assert f"are {a} and {b} ({first:g}" in said
    assert f"the least similar {c} and {d} ({last:g}" in said
    same = cw.compare_all([[0, 1], [1, 0]])
    assert "The value is 1 for 0 and 1." in same.summary()


def test_matrix_knows_its_clusterings() -> None:
    matrix = cw.compare_all({"last": LAST, "this": THIS}, noise="singletons", noise_label="new")
    assert matrix.compare("last", "this").values["adjusted_rand_score"] == matrix.values[0, 1]
    assert matrix.compare("last", "this").names == ("last", "this")
    with pytest.raises(cw.InputError, match="no clustering 'other'"):
        matrix.compare("last", "other")
    assert matrix.to_dict()["names"] == ["last", "this"]
    assert "<td" in matrix._repr_html_()


def test_matrix_errors_name_the_clusterings() -> None:
    with pytest.raises(cw.InputError, match=r"x \(a\) and y \(b\).*\[2, 3\]"):
        cw.compare_all({"x": [0, 1], "y": [0, 1, 2]})
    with pytest.raises(cw.InputError, match="third has no label at position 1"):
        cw.compare_all({"first": ["a", "b"], "third": ["a", None]})
    with pytest.raises(cw.InputError, match="at least two"):
        cw.compare_all({"x": [0, 1]})


def test_index_alignment_is_reported() -> None:
    a = pd.Series([0, 0, 1], index=[1, 2, 3])
    b = pd.Series([5, 6, 6], index=[3, 2, 9])
    comparison = cw.compare(a, b, align="index")
    assert comparison.table.n == 2
    assert "2 objects in common: 66.7% of the 3 in a" in repr(comparison)


SOFT = np.random.default_rng(2).dirichlet([0.5, 0.5, 0.5], 6)


@pytest.mark.parametrize("measure", [one.name for one in cw.list_measures() if one.soft])
def test_matrix_of_soft_and_hard_clusterings(measure) -> None:
    several = {"soft": SOFT, "softer": (SOFT + np.array([0.2, 0.3, 0.5])) / 2, "hard": LAST}
    X = np.arange(12.0).reshape(6, 2) ** 2
    weights = [1, 2, 1, 1, 3, 1]
    data = (X,) if find_measure(measure).needs_data else ()
    matrix = cw.compare_all(several, X, measure=measure, sample_weight=weights)
    function = getattr(cw, measure)
    for i, a in enumerate(several.values()):
        for j, b in enumerate(several.values()):
            expected = function(a, b, *data, sample_weight=weights)
            assert matrix.values[i, j] == pytest.approx(expected, abs=1e-12)


def test_matrix_refuses_measures_that_take_labels_only() -> None:
    with pytest.raises(cw.InputError, match="but soft is soft; leave it out"):
        cw.compare_all({"hard": LAST, "soft": SOFT}, measure="purity_score")
    bad = SOFT.copy()
    bad[4] *= 0.5
    with pytest.raises(cw.InputError, match=r"and soft \(b\): row 4 of soft sums to 0.5"):
        cw.compare_all({"hard": LAST, "soft": bad}, measure="irm_score")


def test_matrix_of_soft_clusterings_can_be_looked_into() -> None:
    matrix = cw.compare_all({"hard": LAST, "soft": SOFT}, measure="irm_score")
    assert matrix.compare("soft", "hard").values["irm_score"] == pytest.approx(matrix.values[1, 0])


@pytest.mark.parametrize("measure", ["adco_score", "css_distance", "profile_cosine_score"])
def test_matrix_leaves_out_what_either_clustering_calls_noise(measure) -> None:
    noisy = {"a": [-1, 0, 0, 1, 1, 2], "b": [0, 0, 1, 1, -1, 1], "soft": SOFT}
    X = [[0.5, 3.0], [0.75, 3.0], [1.5, 1.0], [4.5, 1.0], [9.0, 2.0], [5.5, 1.0]]
    matrix = cw.compare_all(noisy, X, measure=measure, noise="drop")
    function = getattr(cw, measure)
    for i, a in enumerate(noisy.values()):
        for j, b in enumerate(noisy.values()):
            expected = function(a, b, X, noise="drop")
            assert matrix.values[i, j] == pytest.approx(expected, abs=1e-12)


def test_matrix_takes_data_by_position_only() -> None:
    a, b = pd.Series(LAST, index=range(6)), pd.Series(THIS, index=range(6))
    with pytest.raises(cw.InputError, match="takes the rows of X in the order of the objects"):
        cw.compare_all({"a": a, "b": b}, np.ones((6, 1)), measure="adco_score", align="index")


def test_missing_labels_are_dropped_or_one_cluster() -> None:
    a, b = ["x", None, "y", "y", "x"], [1, 2, np.nan, 2, 1]
    with pytest.raises(cw.InputError, match="a has no label at position 1"):
        cw.compare(a, b)
    dropped = cw.compare(a, b, missing="drop")
    assert dropped.values == cw.compare(["x", "y", "x"], [1, 2, 1]).values
    labelled = cw.compare(a, b, missing="label")
    named = ["x", "?", "y", "y", "x"], [1, 2, "?", 2, 1]
    assert labelled.values == pytest.approx(cw.compare(*named).values)
    matrix = cw.compare_all({"a": a, "b": b, "c": [0, 0, 1, 1, 1]}, missing="drop")
    assert matrix.values[0, 1] == pytest.approx(cw.adjusted_rand_score(a, b, missing="drop"))
    assert matrix.values[0, 2] == cw.adjusted_rand_score(["x", "y", "y", "x"], [0, 1, 1, 1])


@pytest.mark.parametrize("missing", ["drop", "label"])
def test_missing_labels_of_a_lazy_frame(missing) -> None:
    frame = pl.LazyFrame({"a": ["x", None, "y", "y", "x"], "b": [1, 2, None, 2, 1], "f": [1.0] * 5})
    table = cw.compare("a", "b", frame=frame, missing=missing).table
    columns = frame.collect()
    assert table == cw.Contingency.from_labels(columns["a"], columns["b"], missing=missing)
    matrix = cw.compare_all(["a", "b"], frame=frame, missing=missing)
    assert matrix.values[0, 1] == pytest.approx(cw.adjusted_rand_score(table))
    with pytest.raises(cw.InputError, match="needs the features of a lazy frame in memory"):
        cw.compare("a", "b", frame=frame, features=["f"], missing=missing)


def test_names_of_columns_that_cannot_be_encoded():
    frame = pd.DataFrame({0: [0, 1, 1], 1: [0, 0, 1]})
    frame.columns = pd.Index(["\ud800", "b"], dtype=object)
    assert "\\ud800" in repr(cw.compare_all(frame))


def test_the_table_of_changes_counts_noise_and_all_parts():
    a = [0] * 90 + [1] * 60 + [2] * 12
    b = [0] * 90 + [0] * 8 + [7] * 3 + [-1] * 49 + list(range(20, 32))
    lines = repr(cw.compare(a, b, measures=["rand_score"])).splitlines()
    first = lines.index("Clusters that changed") + 2
    assert [" ".join(line.split()) for line in lines[first : first + 3]] == [
        "2 a split 12 20 (1), 21 (1), 22 (1), 23 (1), 24 (1), …",
        "1 a dissolved 60 0 (8), 7 (3), noise (49)",
        "7 b appeared 3 1 (3)",
    ]


def test_fractional_weights_leave_out_what_counts_objects():
    """The expected mutual information is defined for counts only."""
    a, b, weights = [0, 0, 1, 1], [0, 1, 1, 1], [1.5, 2.25, 0.5, 1.0]
    found = cw.compare(a, b, sample_weight=weights)
    whole = cw.compare(a, b, sample_weight=[1.0, 2.0, 3.0, 1.0])
    assert whole.values.keys() - found.values.keys() == {"adjusted_mutual_info_score"}
    assert found.values["rand_score"] == cw.rand_score(a, b, sample_weight=weights)
    with pytest.raises(cw.InputError, match="sample_weight must be integers"):
        cw.compare(a, b, sample_weight=weights, measures=["adjusted_mutual_info_score"])


def test_infinite_features_of_both_signs_are_refused():
    with pytest.raises(cw.InputError, match="-inf"):
        cw.compare([0, 0, 1], [0, 1, 1], [[1e308], [1e308], [-np.inf]])
