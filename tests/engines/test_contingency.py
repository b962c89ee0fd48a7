"""Contingency tables: every engine counts what arrays in memory give."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import Contingency
from clusterwise._utils.errors import InputError
from clusterwise.summaries.frames import distinct_rows
from helpers.engine_data import columns_of, same_cells
from helpers.engine_frames import EAGER, frame_of


@pytest.mark.parametrize(("a", "b"), [("km", "em"), ("third", "flag"), ("em", "em")])
def test_contingency_counts_exactly(engine: str, a: str, b: str) -> None:
    columns = columns_of()
    found = Contingency.from_frame(frame_of(engine, pa.table(columns)), a, b)
    assert found == Contingency.from_labels(columns[a], columns[b])
    assert isinstance(found.n, int)


@pytest.mark.parametrize("noise", ["cluster", "drop", "singletons"])
def test_contingency_knows_noise(engine: str, noise: Any) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    found = Contingency.from_frame(frame, "third", "km", noise=noise)
    expected = Contingency.from_labels(columns["third"], columns["km"], noise=noise)
    assert found.n == expected.n
    assert found.shape == expected.shape
    assert sorted(found.row_sums.tolist()) == sorted(expected.row_sums.tolist())
    assert found.cells.sum_of_squares == expected.cells.sum_of_squares


@pytest.mark.parametrize("weights", ["whole", "share", "flag", "narrow"])
def test_contingency_adds_weights(engine: str, weights: str) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    found = Contingency.from_frame(frame, "km", "em", weights=weights)
    expected = Contingency.from_labels(columns["km"], columns["em"], sample_weight=columns[weights])
    same_cells(found, expected)
    assert type(found.n) is type(expected.n)


def test_contingency_reads_categories(engine: str) -> None:
    columns = columns_of()
    coded = pa.array(columns["em"]).dictionary_encode()
    frame = frame_of(engine, pa.table({"a": coded, "b": columns["km"], "c": coded}))
    expected = Contingency.from_labels(columns["em"], columns["km"])
    same_cells(Contingency.from_frame(frame, "a", "b"), expected)
    both = Contingency.from_labels(columns["em"], columns["em"])
    same_cells(Contingency.from_frame(frame, "a", "c"), both)


@pytest.mark.parametrize("gap", ["texts", "numbers", "floats"])
def test_missing_labels_are_refused(engine: str, gap: str) -> None:
    labels = {"texts": ["x", None, "y", None], "numbers": [0, None, 1, None]}.get(
        gap, [0.5, float("nan"), 1.0, float("nan")]
    )
    frame = frame_of(engine, pa.table({"a": labels, "b": [0, 1, 0, 1]}))
    with pytest.raises(InputError, match=r"column 'a' has no label .*2 of 4"):
        Contingency.from_frame(frame, "a", "b")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, None, 2.0], "weight"),
        ([1.0, float("nan"), 2.0], "weight"),
        ([1.0, float("inf"), 2.0], "weight"),
        ([1.0, -1.0, 2.0], "negative"),
        ([1, -1, 2], "negative"),
        (["x", "y", "z"], "numbers"),
    ],
)
def test_weights_that_are_none_are_refused(engine: str, weights: Any, message: str) -> None:
    frame = frame_of(engine, pa.table({"a": [0, 0, 0], "w": weights}))
    with pytest.raises(InputError, match=message):
        Contingency.from_frame(frame, "a", "a", weights="w")


def test_unknown_columns_are_refused(engine: str) -> None:
    frame = frame_of(engine, pa.table({"a": [0], "b": [1]}))
    with pytest.raises(InputError, match="no column 'c'; it has a, b"):
        Contingency.from_frame(frame, "a", "c")


def test_noise_counts_as_many_singletons_as_it_weighs(engine: str) -> None:
    columns = columns_of()
    weights = columns["whole"]
    columns["share"] = np.where(columns["third"] < 0, weights, weights / 2)
    frame = frame_of(engine, pa.table(columns))
    rows = np.repeat(np.arange(weights.size), weights)
    repeated = Contingency.from_labels(
        columns["third"][rows], columns["km"][rows], noise="singletons"
    )
    found = Contingency.from_frame(frame, "third", "km", weights="whole", noise="singletons")
    assert sorted(found.row_sums.tolist()) == sorted(repeated.row_sums.tolist())
    assert found.cells.sum_of_squares == repeated.cells.sum_of_squares
    # Only noise needs whole numbers.
    half = Contingency.from_frame(frame, "third", "km", weights="share", noise="singletons")
    assert half.shape == repeated.shape


def test_fractions_of_noise_are_refused(lazy_engine: str) -> None:
    table = pa.table({"a": [0, -1, -1, -1], "b": [0, 1, 1, 2], "w": [0.1, 0.5, 0.5, 1.0]})
    frame = frame_of(lazy_engine, table)
    with pytest.raises(InputError, match="column 'w' has fractions in 2 rows of noise, but"):
        Contingency.from_frame(frame, "a", "b", weights="w", noise="singletons")


def test_something_else_is_no_frame() -> None:
    with pytest.raises(InputError, match="not a frame"):
        Contingency.from_frame([1, 2], "a", "b")


@pytest.mark.parametrize("engine", EAGER)
def test_numeric_columns_are_not_copied(engine: str) -> None:
    frame = frame_of(engine, pa.table({"a": np.arange(10_000) % 7, "b": np.arange(10_000) % 3}))
    pair = distinct_rows.eager_pair(frame, "a", "b", None)
    again = distinct_rows.eager_pair(frame, "a", "b", None)
    assert np.shares_memory(pair.a.codes.values, again.a.codes.values)
    assert np.shares_memory(pair.b.codes.values, again.b.codes.values)
