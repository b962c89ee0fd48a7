"""``cluster_again`` where the data is: a sample leaves the engine, and the labels stay in it."""

import pickle
import warnings
from functools import cache
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import adjusted_rand_score

from clusterwise import COALA, FoundClusterings, cluster_again
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.lazy_frames import frame_sample
from clusterwise.alternatives.lazy_frames.fit_rule import RuleFitter
from clusterwise.alternatives.lazy_frames.label_rule import (
    CodedColumn,
    LabelRule,
    LeftOut,
    NumericColumn,
    RuleInputs,
)
from clusterwise.alternatives.lazy_frames.predictor import ClusterPredictor, label_frame
from clusterwise.alternatives.portfolio.sampling import Extension
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.categorical import fit_categorical_model
from clusterwise.alternatives.refinement.gaussian import GaussianSums
from clusterwise.alternatives.refinement.model import MixedObjects, ModelData, find_components
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.features import read_features
from clusterwise.inputs.frame_samples import sample_rows
from clusterwise.inputs.frames import select_columns
from helpers.engine_frames import frame_of

FEATURES = ["a.b", "whole", "half", "far", "colour", "flag"]


@cache
def _data(n: int = 5_000) -> tuple[pa.Table, np.ndarray]:
    """Features of all types with missing values, and labels of a hidden clustering."""
    planted = make_alternatives(n, (2, 2), features=2, random_state=0)
    random = np.random.default_rng(0)
    hidden = planted.labels[:, 1]
    first = planted.X[:, 0].copy()
    first[::17] = np.nan
    colours = np.where(random.random(n) < 0.9, hidden, random.integers(0, 3, n))
    named = pa.array(
        [None if i % 23 == 0 else ["red", "green", "it's"][k] for i, k in enumerate(colours)]
    )
    table = pa.table(
        {
            "a.b": first,
            "whole": np.rint(planted.X[:, 1] * 3).astype(np.int16),
            "half": planted.X[:, 2].astype(np.float32),
            "far": pa.array(planted.X[:, 3] + 1e6, mask=np.arange(n) % 29 == 0),
            "colour": named,
            "flag": random.random(n) < 0.5,
            "segment": np.array(["left", "right"])[planted.labels[:, 0]],
            "half of n": np.arange(n) % 2,
            "row": np.arange(n),
        }
    )
    return table, hidden


@cache
def _found(given: str | tuple[str, ...] = "segment") -> FoundClusterings:
    table, _ = _data()
    names = given if isinstance(given, str) else list(given)
    return cluster_again(frame_of("duckdb", table), names, features=FEATURES, random_state=0)


def _collect(frame: Any) -> Any:
    return nw.from_native(frame).collect().sort("row")


@pytest.mark.slow
def test_finds_the_hidden_clustering_in_every_engine(lazy_engine: str) -> None:
    table, hidden = _data()
    frame = frame_of(lazy_engine, table)
    found = cluster_again(frame, "segment", features=FEATURES, random_state=0)
    assert len(found) == 1
    labels = found[0].predict(table)
    assert adjusted_rand_score(hidden, labels) > 0.99
    assert found[0].sizes == tuple(sorted(np.bincount(labels).tolist(), reverse=True))
    assert len(found[0].labels) == found.given.shape[1] == 2_000
    assert found[0].predict(found.sample).tolist() == found[0].labels.tolist()
    assert found.n_objects == len(table)
    again = cluster_again(frame, "segment", features=FEATURES, random_state=0)
    assert again[0].labels.tolist() == found[0].labels.tolist()
    assert again.given.tolist() == found.given.tolist()


def test_every_engine_labels_alike(engine: str) -> None:
    table, _ = _data()
    for given in ("segment", ("segment", "half of n")):
        one = _found(given)[0]
        expected = one.predict(table).tolist()
        frame = frame_of(engine, table)
        labelled = one.predict(frame, column="new")
        if isinstance(labelled, np.ndarray):
            assert labelled.tolist() == expected
            continue
        assert type(labelled) is type(frame)
        found = _collect(labelled)
        assert found.columns == [*table.column_names, "new"]
        assert found.get_column("new").to_list() == expected
        assert found.get_column("segment").to_list() == table["segment"].to_pylist()


def test_summary_says_what_was_searched() -> None:
    found = _found()
    said = found.summary()
    assert (
        "Searched in a sample of 2,000 of 5,000 objects: scores are those of the sample, sizes "
        "those of all objects."
    ) in said
    assert "It is unrelated to segment" in said
    assert sum(found[0].sizes) == 5_000
    assert found.to_dict()["objects"] == 5_000
    assert len(found.to_frame("pandas")) == 2_000
    assert found[:1].sample is found.sample
    assert "Searched in a sample" in found[:1].summary()
    assert nw.from_native(found.sample).columns == ["segment", *FEATURES]
    again = pickle.loads(pickle.dumps(found))
    assert again.n_objects == 5_000


def test_few_objects_are_all_searched() -> None:
    table, hidden = _data()
    table, hidden = table.slice(0, 900), hidden[:900]
    found = cluster_again(
        frame_of("polars-lazy", table), ["segment"], features=FEATURES, random_state=0
    )
    assert len(found[0].labels) == 900
    assert adjusted_rand_score(hidden, found[0].labels) > 0.99
    assert "Searched in a sample" not in found.summary()


def test_columns_of_a_frame_in_memory(eager_engine: str) -> None:
    table, hidden = _data()
    table, hidden = table.slice(0, 500), hidden[:500]
    frame = frame_of(eager_engine, table)
    found = cluster_again(frame, "segment", features=["half", "far"], random_state=0)
    assert adjusted_rand_score(hidden, found[0].labels) > 0.99
    assert found.given_names == ("segment",)
    several = cluster_again(
        frame, ["segment", "half of n"], features=["half", "far"], random_state=0
    )
    assert several.given.shape == (2, 500)
    with pytest.raises(InputError, match="found in a lazy frame, but X was in memory; use labels"):
        found[0].predict(frame)
    with pytest.raises(InputError, match="no named columns; pass a frame, or given as labels"):
        cluster_again(np.zeros((9, 2)), "segment")


def _problem(random: np.random.Generator, n: int = 300) -> tuple[AlternativeProblem, pa.Table]:
    """Objects with two given clusterings and features of all types."""
    codes = np.stack([random.integers(0, 3, n), random.integers(0, 2, n)])
    hidden = random.integers(0, 3, n)
    x = random.normal(size=(n, 2)) + np.outer(hidden, [3.0, 0]) + codes.T * 2
    x[random.random(n) < 0.1, 1] = np.nan
    kind = (codes[0] + 2 * hidden + (random.random(n) < 0.1)) % 3
    other = np.where(random.random(n) < 0.8, hidden, random.integers(0, 3, n))
    table = pa.table(
        {
            "x": x[:, 0] * 10 + 500,
            "y": pa.array(x[:, 1], from_pandas=True),
            "kind": pa.array([None if k == 2 else "pq"[k] for k in kind]),
            "other": pa.array([str(k) for k in other]),
            "first": codes[0],
            "second": codes[1] == 1,
            "hidden": hidden,
        }
    )
    features = read_features(table.select(["x", "y", "kind", "other"]))
    return AlternativeProblem(features, n, Given(codes, (3, 2)), features), table


@pytest.mark.parametrize("seed", range(3))
def test_expressions_are_the_rule_of_the_mixture_model(seed: int) -> None:
    random = np.random.default_rng(seed)
    problem, table = _problem(random)
    labels = table["hidden"].to_numpy()
    given = (CodedColumn("first", (0, 1, 2), False), CodedColumn("second", (False, True), False))
    fitter = RuleFitter(problem, problem.features, given, LeftOut())
    rule = fitter.fit(labels)
    found = ClusterPredictor(fitter.inputs, rule).predict(table)
    # The likelihoods of the model that the refinement uses, and the largest of them.
    data = MixedObjects(problem.features, problem.objects).take()
    assert find_components(data, problem.given) is None
    responsibilities = np.eye(3)[:, labels]
    numeric = GaussianSums.of(ModelData(data, problem.given), responsibilities).fit()
    categorical = fit_categorical_model(data.categorical, problem.given, responsibilities)
    assert bool(categorical.separate) is bool(rule.by_cell)
    values = numeric.log_likelihoods(data.numeric, problem.given)
    values += categorical.log_likelihoods(data.categorical, problem.given.joint).values
    values += np.log(responsibilities.mean(axis=1))[:, None]
    assert found.tolist() == values.argmax(axis=0).tolist()
    assert len(set(found.tolist())) == 3


def test_the_rule_is_the_first_step_of_the_extension_in_memory() -> None:
    problem, table = _problem(np.random.default_rng(5), 4_000)
    rows = np.arange(0, 4_000, 3)
    sample, labels = problem.take(rows), table["hidden"].to_numpy()
    given = (CodedColumn("first", (0, 1, 2), False), CodedColumn("second", (False, True), False))
    fitter = RuleFitter(sample, problem.features.take(rows), given, LeftOut())
    found = ClusterPredictor(fitter.inputs, fitter.fit(labels[rows])).predict(table)
    objects = MixedObjects(problem.features, problem.objects)
    extended = Extension(objects, problem.given, rows, None).extend(labels[rows])
    assert np.mean(found == extended) > 0.99


@pytest.mark.slow
def test_a_rule_may_have_many_features_and_labels() -> None:
    random = np.random.default_rng(0)
    names = [f"x{r}" for r in range(1_200)]
    X, codes = random.normal(size=(50, len(names))), random.integers(0, 400, 50)
    weights, offsets = random.normal(size=(len(names), 3)), random.normal(size=(401, 3))
    given = CodedColumn("given", tuple(range(400)), False)
    numeric = tuple(NumericColumn(name, 0.5) for name in names)
    inputs = RuleInputs((given,), tuple((i,) for i in range(400)), numeric, (), LeftOut())
    rule = LabelRule(np.zeros(3), weights, (offsets,), {}, {})
    table = pa.table({**dict(zip(names, X.T, strict=True)), "given": codes, "row": np.arange(50)})
    expected = ((X - 0.5) @ weights + offsets[codes]).argmax(axis=1).tolist()
    predictor = ClusterPredictor(inputs, rule)
    assert predictor.predict(table).tolist() == expected
    for engine in ("duckdb", "polars-lazy"):
        labelled = label_frame(frame_of(engine, table), {"new": predictor})
        assert _collect(labelled).get_column("new").to_list() == expected


def test_values_that_the_sample_lacks_count_for_no_cluster() -> None:
    table, _ = _data()
    one = _found()[0]
    few = table.slice(0, 6).to_pylist()
    for name, value in (("colour", "violet"), ("segment", "middle"), ("segment", None)):
        changed = pa.Table.from_pylist([row | {name: value} for row in few], table.schema)
        assert one.predict(changed).tolist() == one.predict(table.slice(0, 6)).tolist()
    far = [few[0] | {"half": value} for value in (np.inf, -np.inf, np.nan, None)]
    assert len(set(one.predict(pa.Table.from_pylist(far, table.schema)).tolist())) == 1


@pytest.mark.parametrize("features", [["colour", "flag"], ["half", "far"]], ids="-".join)
def test_features_of_one_type(features: list[str]) -> None:
    table, hidden = _data()
    found = cluster_again(
        frame_of("duckdb", table), "segment", features=features, scale=False, random_state=0
    )
    every = [*found, *found.unconvincing]
    assert every[0].predict(table).tolist().count(0) in every[0].sizes
    scores = [adjusted_rand_score(hidden, one.predict(table)) for one in every]
    assert max(scores) > 0.6


def test_labels_of_any_type() -> None:
    table, _ = _data()
    query = """
        SELECT far, row, segment = 'left' AS truth, CAST(row % 2 AS DECIMAL(9, 2)) AS price,
        CAST(row % 2 AS HUGEINT) AS huge, row % 2 + 0.5::FLOAT AS number,
        CASE segment WHEN 'left' THEN 'l' END::ENUM ('l', 'r') AS named,
        DATE '2020-01-01' + CAST(row % 2 AS INTEGER) AS day FROM rows
    """
    frame = frame_of("duckdb", table).query("rows", query)
    for name in ("truth", "price", "huge", "number", "named", "day"):
        columns = frame_sample.FrameColumns([name], ["far"])
        left_out, random = LeftOut(missing="label"), np.random.RandomState(0)
        found = frame_sample.draw_frame_sample(frame, columns, left_out, random)
        (given,) = found.given
        assert given.other == 2
        inputs = RuleInputs((given,), ((0,), (1,)), (), (), left_out)
        rule = LabelRule(np.zeros(2), np.zeros((0, 2)), (np.array([[0, -1], [0, 1]]),), {}, {})
        labels = ClusterPredictor(inputs, rule).predict(found.rows)
        assert labels.tolist() == found.codes[:, 0].tolist()
        labelled = label_frame(frame, {"new": ClusterPredictor(inputs, rule)})
        assert min(n for _, n in labelled.aggregate("new, count(*)").fetchall()) > 1_000


def test_a_sample_is_uniform_and_has_a_seed(lazy_engine: str) -> None:
    table = pa.table({"row": np.arange(4_000), "same": np.zeros(4_000)})
    frame = frame_of(lazy_engine, table)
    lazy = select_columns(frame, ["row", "same"]).frame
    drawn = [sample_rows(lazy, 4_000, 800, seed).get_column("c0").to_list() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    for rows in drawn:
        assert len(set(rows)) == 800
        # Each quarter has 200 on average, with a standard deviation of 11.
        assert np.bincount(np.array(rows) // 1_000).tolist() == pytest.approx([200] * 4, abs=55)
    every = sample_rows(lazy, 4_000, 4_000, 0).get_column("c0").to_list()
    assert sorted(every) == list(range(4_000))


def test_rare_given_clusters_are_in_the_sample(lazy_engine: str) -> None:
    n = 9_000
    rare = {4_000: "b", 4_001: "b", 8_999: "c", **dict.fromkeys(range(50, 60), None)}
    table = pa.table(
        {
            "given": [rare.get(i, "ad"[i % 2]) for i in range(n)],
            "x": np.arange(n) % 100 / 10,
        }
    )
    columns = frame_sample.FrameColumns(["given"], ["x"])
    random = np.random.RandomState(0)
    found = frame_sample.draw_frame_sample(
        frame_of(lazy_engine, table), columns, LeftOut(missing="label"), random
    )
    labels = frame_sample.labels_of(found.rows.get_column("given"))
    counts = {label: labels.count(label) for label in set(labels)}
    assert counts.pop("a") + counts.pop("d") >= 1_990
    assert 3 <= counts.pop(None) <= 10
    assert counts == {"b": 2, "c": 1}
    (given,) = found.given
    assert given == ("given", ("a", "b", "c", "d"), True)
    assert np.bincount(found.codes[:, 0]).tolist()[1:3] == [2, 1]
    assert found.n == n


def test_noise_and_missing_labels_are_left_out(lazy_engine: str) -> None:
    table, hidden = _data()
    given = np.where(np.arange(5_000) % 10 == 0, -1, table["half of n"].to_numpy())
    given = pa.array(given, mask=np.arange(5_000) % 10 == 1)
    table = table.append_column("noisy", given)
    frame = frame_of(lazy_engine, table)
    options = {"features": ["half", "far"], "random_state": 0}
    with pytest.raises(InputError, match="column 'noisy' has no label in 500 of 5000 rows"):
        cluster_again(frame, "noisy", **options)
    found = cluster_again(frame, "noisy", noise="drop", missing="drop", **options)
    assert found.n_objects == 4_000
    assert sum(found[0].sizes) == 4_000
    labels = found[0].predict(table)
    left_out = np.arange(5_000) % 10 < 2
    assert (labels[left_out] == -1).all()
    assert adjusted_rand_score(hidden[~left_out], labels[~left_out]) > 0.99
    assert _collect(found[0].predict(frame)).get_column("alternative").to_list() == labels.tolist()


def _refused(**columns: Any) -> pa.Table:
    whole = {"x": np.arange(60.0), "name": list("abc") * 20, "given": [0, 1] * 30}
    return pa.table(whole | columns)


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        ({}, {"given": "givne"}, "the frame has no column 'givne'; it has x, name, given"),
        ({}, {"given": np.zeros(60)}, "pass as given the name of the column, or a list of names"),
        ({}, {"given": None}, "given is None, but a lazy frame needs the column of a given"),
        ({}, {"features": ["y"]}, "the frame has no column 'y'"),
        ({}, {"features": ["x", "given"]}, "column 'given' is named 2 times; use it once"),
        ({}, {"features": []}, "features must be a list of column names; pass at least one"),
        ({}, {"method": "coala"}, r"COALA needs objects in memory; .*COALA\(prototypes=300\)"),
        ({}, {"method": "cib"}, "CIB needs objects in memory; use method='auto', or collect"),
        ({}, {"method": COALA()}, "COALA needs objects in memory"),
        ({}, {"noise": "singletons"}, "noise='singletons' would make every noise"),
        ({"given": [-1] * 60}, {"noise": "drop"}, "no object is left: the frame has no rows, or"),
        ({"x": [0.0] * 59 + [np.inf]}, {}, "column 'x' of X is inf at position 59"),
        ({"name": [f"3,{i}" for i in range(60)]}, {}, "has numeric values as strings; convert it"),
        ({"given": np.arange(60)}, {}, "column 'given' has 60 distinct labels, more than 50"),
        ({"name": [chr(400 + i % 20) for i in range(60)]}, {}, "'name' of X has more than 10 cat"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_refusals(
    columns: dict[str, Any], arguments: dict[str, Any], message: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(frame_sample, "_MOST_LABELS", 50)
    monkeypatch.setattr(frame_sample, "_MOST_CATEGORIES", 10)
    frame = frame_of("duckdb", _refused(**columns))
    with pytest.raises(InputError, match=message):
        cluster_again(frame, **{"given": "given", **arguments})


def test_predict_refuses() -> None:
    table, _ = _data()
    one = _found()[0]
    frame = frame_of("duckdb", table)
    with pytest.raises(InputError, match="the frame has a column 'row' already; pass another"):
        one.predict(frame, column="row")
    with pytest.raises(InputError, match="the frame has no column 'far'"):
        one.predict(table.drop_columns("far"))
    with pytest.raises(InputError, match="frame is a ndarray, not a frame"):
        one.predict(np.zeros((3, 6)))


def test_identifiers_are_left_out_with_a_warning() -> None:
    table = _refused(name=[f"object {i}" for i in range(60)])
    with pytest.warns(UserWarning, match="name is not a feature: every value is different"):
        found = cluster_again(frame_of("polars-lazy", table), "given", random_state=0)
    assert nw.from_native(found.sample).columns == ["given", "x"]


@pytest.mark.slow
def test_workers_label_their_own_parts() -> None:
    table, _ = _data()
    frame = frame_of("duckdb", table)
    one = cluster_again(frame, "segment", features=["half", "colour"], random_state=0)[0]
    predictor = pickle.dumps(one.predictor)
    assert len(predictor) < 4_000
    expected = one.predict(table).tolist()
    ddf = frame_of("dask", table)
    labelled = ddf.map_partitions(lambda part: part.assign(other=one.predict(part))).compute()
    assert labelled["other"].tolist() == expected

    def label(batches: Any) -> Any:
        known = pickle.loads(predictor)
        for batch in batches:
            yield batch.assign(other=known.predict(batch))[["row", "other"]]

    # Spark reads a dot in a name as a field of a struct.
    frame = frame_of("pyspark", table.drop_columns("a.b"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PySpark warns of pandas 3
        rows = frame.mapInPandas(label, "row long, other long").collect()
    found = {row["row"]: row["other"] for row in rows}
    assert [found[i] for i in range(len(table))] == expected
