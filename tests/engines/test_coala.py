"""COALA of frames that stay in their engines: the same sums, and about the same clusters."""

import pickle
import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from clusterwise import COALA
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala import lattice_cells as cells_module
from clusterwise.alternatives.coala.lattice import Lattice, lay_lattice, principal_axes
from clusterwise.alternatives.coala.lattice_cells import find_cells
from clusterwise.alternatives.coala.prototypes import Prototypes, make_prototypes
from clusterwise.alternatives.given import read_given
from clusterwise.datasets import make_alternatives, make_coala_set
from clusterwise.measures.internal import dunn_score
from helpers.engine_frames import frame_of


def _data(n: int = 600, seed: int = 0, **options: Any) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """A table with three kinds of numbers and two of labels, the features, and hidden labels."""
    planted = make_alternatives(n, (2, 2), features=2, random_state=seed, **options)
    X = planted.X.copy()
    X[:, 1] = np.rint(X[:, 1])
    X[:, 2] = X[:, 2].astype(np.float32)
    X[:, 3] += 1e6
    given = planted.labels[:, 0]
    columns = {
        "a.b": X[:, 0],
        "whole": X[:, 1].astype(np.int16),
        "half": X[:, 2].astype(np.float32),
        "far": X[:, 3],
        "segment": np.array(["left", "right"])[given],
        "flag": np.arange(n) % 3 == 0,
        "note": [f"object {i}" for i in range(n)],
    }
    return pa.table(columns), X, planted.labels[:, 1]


FEATURES = ["a.b", "whole", "half", "far"]


def _cell_numbers(lattice: Lattice, X: np.ndarray) -> np.ndarray:
    """The cell of each object, one after the other."""
    numbers = []
    for x in X.tolist():
        cell = 0
        for axis, scale, count, stride in zip(
            lattice.axes.T, lattice.scales, lattice.counts, lattice.strides, strict=True
        ):
            along = 0.0
            for value, middle, part in zip(x, lattice.centre, axis, strict=True):
                along += (value - middle) * part
            cell += int(np.floor(np.clip(along * scale + count / 2, 0, count - 1))) * stride
        numbers.append(cell)
    return np.array(numbers)


@pytest.mark.slow
@pytest.mark.parametrize("given", [["segment"], ["segment", "flag"], []], ids="-".join)
def test_sums_are_those_of_memory(lazy_engine: str, given: list[str]) -> None:
    table, X, _ = _data()
    found = find_cells(frame_of(lazy_engine, table), given, FEATURES, 10)
    numbers = _cell_numbers(found.lattice, X)
    labels = [table[name].to_pylist() for name in given]
    keys = list(zip(*labels, numbers.tolist(), strict=True))
    expected = sorted(set(keys))
    assert len(expected) == len(found.counts) > 150
    got = found.labels.rows() if given else [()] * len(expected)
    assert [key[:-1] for key in expected] == [tuple(row) for row in got]
    places = {key: [] for key in expected}
    for i, key in enumerate(keys):
        places[key].append(i)
    for cell, key in enumerate(expected):
        mine = X[places[key]]
        assert found.counts[cell] == len(mine)
        np.testing.assert_allclose(found.means[cell], mine.mean(axis=0), rtol=1e-12, atol=1e-12)
        spread = ((mine - mine.mean(axis=0)) ** 2).sum() / len(mine)
        assert found.spreads[cell] == pytest.approx(spread, rel=1e-12, abs=1e-12)


def test_every_engine_finds_the_same_cells(lazy_engine: str) -> None:
    table, _, _ = _data()
    found = find_cells(frame_of(lazy_engine, table), ["segment"], FEATURES, 10)
    first = find_cells(frame_of("polars-lazy", table), ["segment"], FEATURES, 10)
    assert found.counts.tolist() == first.counts.tolist()
    np.testing.assert_allclose(found.means, first.means, rtol=1e-12)
    for mine, other in zip(found.lattice, first.lattice, strict=True):
        assert mine.tolist() == other.tolist()


@pytest.mark.slow
def test_finds_the_hidden_clustering(lazy_engine: str) -> None:
    table, _, hidden = _data()
    frame = frame_of(lazy_engine, table)
    model = COALA(2, prototypes=40, random_state=0).fit(frame, "segment", features=FEATURES)
    assert adjusted_rand_score(hidden, model.predict(table)) == 1
    assert model.predict(model.cells_).tolist() == model.labels_.tolist()
    assert model.cell_counts_.sum() == sum(model.sizes_[0].sizes) == 600
    assert len(model.merges_) + 1 == len(model.prototypes_) == 40
    assert model.feature_names_in_.tolist() == FEATURES
    assert model.n_features_in_ == 4


def test_as_many_cells_as_objects_give_what_memory_gives(lazy_engine: str) -> None:
    X = make_coala_set("A", random_state=1).X[:40]
    given = np.arange(40) % 3
    table = pa.table({"x": X[:, 0], "y": X[:, 1], "given": given})
    found = COALA(3, prototypes=40).fit(frame_of(lazy_engine, table), "given")
    assert found.cell_counts_.max() == 1
    whole = COALA(3).fit(X, given)
    assert adjusted_rand_score(whole.labels_, found.predict(X)) == 1


def test_several_alternatives(lazy_engine: str) -> None:
    planted = make_alternatives(600, (2, 2, 2), features=1, random_state=0)
    columns = dict(zip("xyz", planted.X.T, strict=True))
    frame = frame_of(lazy_engine, pa.table({**columns, "given": planted.labels[:, 0]}))
    model = COALA(n_alternatives=2, prototypes=80, min_cluster_size=0.05, random_state=0)
    model.fit(frame, "given")
    # No cell has objects of two clusters, so that its mean tells which it is in.
    hidden = model.cells_ > (planted.X.min(axis=0) + planted.X.max(axis=0)) / 2
    scores = [
        [adjusted_rand_score(one, hidden[:, r]) for r in (1, 2)] for one in model.alternatives_
    ]
    assert sorted(np.rint(scores).ravel().tolist()) == [0, 0, 1, 1]
    assert np.max(scores, axis=1) == pytest.approx([1, 1], abs=0.05)
    assert [sum(one.sizes) for one in model.sizes_] == [600, 600]


def test_nothing_given(lazy_engine: str) -> None:
    X = np.repeat([[0.0, 0], [0, 9], [12, 0], [12, 9]], 25, axis=0)
    X += np.random.default_rng(0).normal(size=X.shape)
    frame = frame_of(lazy_engine, pa.table({"x": X[:, 0], "y": X[:, 1]}))
    model = COALA(2, prototypes=30, random_state=0).fit(frame)
    assert model.given_.shape == (1, len(model.cells_))
    assert adjusted_rand_score(model.given_[0], model.cells_[:, 0] > 6) == 1
    assert adjusted_rand_score(model.predict(X), X[:, 1] > 4.5) == 1


def test_few_cells_are_cut_again(lazy_engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(500, 2))
    X[0] = 1e5, -1e5
    table = pa.table({"x": X[:, 0], "y": X[:, 1], "given": np.arange(500) % 2})
    frame = frame_of(lazy_engine, table)
    found = find_cells(frame, ["given"], ["x", "y"], 10)
    assert len(found.counts) >= 160
    assert found.counts.sum() == 500
    monkeypatch.setattr(cells_module, "_MOST_TRIALS", 1)
    monkeypatch.setattr(cells_module, "MOST_CELLS", 400)
    assert len(find_cells(frame, ["given"], ["x", "y"], 10).counts) < 10


def test_no_more_cells_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _, _ = _data()
    frame = frame_of("polars-lazy", table)
    for most in (2, 7, 40, 300):
        monkeypatch.setattr(cells_module, "MOST_CELLS", most)
        assert 2 <= len(find_cells(frame, ["segment"], FEATURES, 100).counts) <= most


def test_of_many_features_those_that_vary_most_are_cut(
    lazy_engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells_module, "MOST_FACTORS", 2)
    table, X, _ = _data()
    found = find_cells(frame_of(lazy_engine, table), ["segment"], FEATURES, 10)
    cut = np.flatnonzero(found.lattice.axes.any(axis=1))
    assert cut.tolist() == np.sort(np.argsort(-X.var(axis=0))[:2]).tolist()
    np.testing.assert_allclose(found.counts @ found.means, X.sum(axis=0), rtol=1e-12)


def test_equal_objects_are_one_cell(lazy_engine: str) -> None:
    frame = frame_of(lazy_engine, pa.table({"x": [2.5] * 30, "given": [0, 1] * 15}))
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        model = COALA(prototypes=5).fit(frame, "given")
    assert model.cell_counts_.tolist() == [15, 15]
    assert model.predict([[2.5]]).size == 1


def _mixed_up(**columns: Any) -> dict[str, Any]:
    whole = {
        "x": [0.0, 1.0, 5.0, 6.0],
        "y": [0, 7, 0, 7],
        "name": list("abcd"),
        "given": ["l", "l", "r", "r"],
    }
    return whole | columns


@pytest.mark.parametrize(
    ("columns", "options", "arguments", "message"),
    [
        ({}, {"prototypes": None}, {}, "such as prototypes=300"),
        ({}, {"prototypes": 0}, {}, "prototypes=0; use an integer of at least 1"),
        ({}, {"prototypes": 5}, {}, "prototypes=5 for 4 objects in 2 combinations"),
        ({}, {"prototypes": 1}, {}, "prototypes=1, but there are more combinations"),
        ({}, {"metric": "cityblock"}, {}, "prototypes are means, so"),
        ({}, {"n_clusters": 9}, {}, "n_clusters=9 for 4 objects"),
        ({}, {}, {"y": "givne"}, "the frame has no column 'givne'; it has x, y, name, given"),
        ({}, {}, {"features": ["z"]}, "the frame has no column 'z'"),
        ({}, {}, {"features": "x"}, "features='x'; use a list"),
        ({}, {}, {"features": []}, "features must be a list of column names"),
        ({}, {}, {"features": None}, "column 'name' of X is categorical"),
        ({}, {}, {"y": np.array([0, 0, 1, 1])}, "pass as y the name of the column"),
        ({}, {}, {"y": [0, 0, 1, 1]}, "pass as y the name of the column"),
        ({"given": ["l", None, "r", None]}, {}, {}, "column 'given' has no label in 2 of 4 rows"),
        ({"x": [0.0, np.nan, 1.0, 2.0]}, {}, {}, "column 'x' of X is missing in 1 of 4 rows"),
        ({"y": [0, None, None, 2]}, {}, {}, "column 'y' of X is missing in 2 of 4 rows"),
        ({"x": [0.0, 1.0, -np.inf, 2.0]}, {}, {}, "column 'x' of X holds -inf; replace it"),
        ({"x": [0.0, 1.0, -1e200, 1e200]}, {}, {}, "so large that distances overflow"),
    ],
    ids=lambda value: value.replace(" ", "-")[:40] if isinstance(value, str) else "",
)
def test_refusals(
    lazy_engine: str,
    columns: dict[str, Any],
    options: dict[str, Any],
    arguments: dict[str, Any],
    message: str,
) -> None:
    frame = frame_of(lazy_engine, pa.table(_mixed_up(**columns)))
    model = COALA(**{"prototypes": 3, **options})
    with pytest.raises(InputError, match=message):
        model.fit(frame, **{"y": "given", "features": ["x", "y"], **arguments})


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_objects(lazy_engine: str, rows: int) -> None:
    table = pa.table(_mixed_up()).slice(0, rows)
    with pytest.raises(InputError, match=f"n_samples={rows} in X; pass at least two"):
        COALA(prototypes=1).fit(frame_of(lazy_engine, table), "given", features=["x", "y"])


def test_a_frame_in_memory_is_named_alike(eager_engine: str) -> None:
    table, X, _ = _data(200)
    frame = frame_of(eager_engine, table)
    model = COALA(2, prototypes=40, random_state=0)
    named = model.fit(frame, "segment", features=FEATURES).labels_
    assert named.tolist() == model.fit(X, table["segment"].to_pylist()).labels_.tolist()
    several = model.fit(frame, ["segment", "flag"], features=FEATURES)
    assert several.given_.shape == (2, 200)
    with pytest.raises(InputError, match="X is a ndarray, which has no named columns"):
        model.fit(X, "segment")
    with pytest.raises(InputError, match="the frame has no column 'segments'"):
        model.fit(frame, "segments")


def test_predict_after_a_fit_in_memory(eager_engine: str) -> None:
    table, X, hidden = _data(300)
    frame = frame_of(eager_engine, table)
    given = table["segment"].to_pylist()
    for fitted in (X, frame_of(eager_engine, table.select(FEATURES))):
        model = COALA(2, prototypes=60, random_state=0).fit(fitted, given)
        assert model.predict(X).tolist() == model.labels_.tolist()
        assert adjusted_rand_score(hidden, model.labels_) == 1
    assert model.predict(frame).tolist() == model.labels_.tolist()
    assert model.predict(frame_of(eager_engine, table.slice(0, 0))).size == 0


def test_predict_is_by_the_nearest_prototype() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 3)) + 1e7
    model = COALA(3, prototypes=25, random_state=0).fit(X, random.integers(0, 4, 400))
    others = random.normal(size=(200, 3)) + 1e7
    apart = ((others[:, None] - model.prototypes_) ** 2).sum(axis=2)
    expected = model.prototype_labels_[apart.argmin(axis=1)]
    assert len(set(expected.tolist())) > 1
    assert model.predict(others).tolist() == expected.tolist()


def test_predict_refuses() -> None:
    table, X, _ = _data(100)
    given = table["segment"].to_pylist()
    model = COALA()
    assert not hasattr(model, "predict")
    with pytest.raises(AttributeError) as error:
        model.fit(X, given).predict(X)
    assert "pass prototypes, such as prototypes=300, and fit again" in str(error.value.__cause__)
    model = COALA(prototypes=20)
    with pytest.raises(NotFittedError, match="This COALA instance is not fitted yet"):
        model.predict(X)
    model.fit(frame_of("polars-lazy", table), "segment", features=FEATURES)
    with pytest.raises(InputError, match="X is a lazy frame, but predict works in memory"):
        model.predict(frame_of("polars-lazy", table))
    with pytest.raises(InputError, match="the frame has no column 'far'"):
        model.predict(table.drop_columns("far"))
    with pytest.raises(InputError, match="X has 3 features, but COALA is expecting 4"):
        model.predict(X[:, :3])
    with pytest.raises(ValueError, match="NaN"):
        model.predict(np.full((1, 4), np.nan))


def test_nothing_is_left_of_an_earlier_fit() -> None:
    table, X, _ = _data(100)
    model = COALA(prototypes=20).fit(frame_of("polars-lazy", table), "segment", features=FEATURES)
    model.fit(X, table["segment"].to_pylist())
    assert not hasattr(model, "cells_")
    assert not hasattr(model, "feature_names_in_")
    model.set_params(prototypes=None).fit(X, table["segment"].to_pylist())
    assert not hasattr(model, "prototypes_")


@pytest.mark.slow
def test_workers_label_their_own_parts() -> None:
    table, X, _ = _data(300)
    ddf = frame_of("dask", table)
    model = COALA(2, prototypes=40, random_state=0).fit(ddf, "segment", features=FEATURES)
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == model.predict(X).tolist()
    labelled = ddf.map_partitions(lambda part: part.assign(other=model.predict(part))).compute()
    assert labelled["other"].tolist() == model.predict(X).tolist()
    alone = ddf.map_partitions(model.predict).compute()
    assert np.asarray(alone).tolist() == model.predict(X).tolist()


def test_spark_labels_its_own_batches() -> None:
    table, X, _ = _data(200)
    table = table.rename_columns(
        ["first" if name == "a.b" else name for name in table.schema.names]
    )
    frame = frame_of("pyspark", table)
    model = COALA(2, prototypes=40, random_state=0)
    model.fit(frame, "segment", features=["first", *FEATURES[1:]])

    def label(batches: Any) -> Any:
        for batch in batches:
            yield batch.assign(other=model.predict(batch))[["note", "other"]]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PySpark warns of pandas 3
        rows = frame.mapInPandas(label, "note string, other long").collect()
    found = {row["note"]: row["other"] for row in rows}
    assert [found[f"object {i}"] for i in range(200)] == model.predict(X).tolist()


def test_means_of_equal_objects_are_as_good_as_these() -> None:
    random = np.random.default_rng(0)
    few, times = random.normal(size=(30, 2)), random.integers(1, 5, 30)
    given = read_given(np.arange(30) % 3, 30)
    weighted = make_prototypes(few, given, 30, 0, None, times, np.zeros(30))
    assert weighted.weights[weighted.of].tolist() == times.tolist()
    np.testing.assert_allclose(weighted.spreads, 0.0, atol=1e-30)
    every = make_prototypes(few, given, 12, 0, None, times, np.full(30, 2.0))
    plain = make_prototypes(few, given, 12, 0, None, times, np.zeros(30))
    np.testing.assert_allclose(every.spreads, plain.spreads + 2.0)
    for k in range(12):
        mine = every.of == k
        mean = np.average(few[mine], axis=0, weights=times[mine])
        np.testing.assert_allclose(every.centres[k], mean)
    assert every.weights.sum() == times.sum()


def test_quality_of_prototypes_is_that_of_objects() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 2)) + np.repeat([[0, 0], [9, 0]], 20, axis=0)
    codes = np.repeat([0, 1], 20)
    alone = Prototypes(X, np.ones(40), np.zeros(40), np.arange(40), read_given(codes, 40))
    expected = dunn_score(X, codes, between="average", within="average")
    assert alone.dunn(codes) == pytest.approx(expected)
    assert alone.dunn(np.zeros(40, int)) == 0
    few = make_prototypes(X, read_given(codes, 40), 8, 0)
    first = np.unique(few.of, return_index=True)[1]
    assert few.dunn(codes[first]) == pytest.approx(expected, rel=0.1)


def test_lattice_cuts_where_objects_vary_most() -> None:
    axes = np.eye(3)
    lattice = lay_lattice(np.zeros(3), axes, np.array([1.0, 100.0, 0.0]), 64)
    assert lattice.axes.T.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert lattice.counts[1] > lattice.counts[0] > 1
    assert 32 < lattice.counts.prod() <= 64
    assert lay_lattice(np.zeros(3), axes, np.zeros(3), 64).counts.size == 0
    assert lay_lattice(np.zeros(3), axes, np.ones(3), 1.0).counts.size == 0


def test_principal_axes_are_those_of_the_objects() -> None:
    X = (
        np.random.default_rng(0).normal(size=(50, 3))
        * [1, 5, 2]
        @ np.array([[1, 0, 0], [0, 0.6, 0.8], [0, -0.8, 0.6]])
    )
    axes, variances = principal_axes(X.T @ X / 50)
    np.testing.assert_allclose(variances, np.linalg.eigvalsh(X.T @ X / 50), rtol=1e-12)
    # Axes are rounded to multiples of 2**-20, so that engines agree on them.
    np.testing.assert_allclose(((X @ axes) ** 2).mean(axis=0), variances, rtol=3e-6)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=3e-6)
