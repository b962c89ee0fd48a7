"""What engines do in their own way, and no result may show."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from clusterwise import Binning, Contingency, DensityProfile, SoftOverlap, compare
from helpers.engine_data import same_profile, same_values
from helpers.engine_frames import frame_of, read_parquet

HOSTILE = ["a.b", 'quo"te', "it's", "back`tick", "n", "s", "w", "c0", "group by", "ß ∑", "s0"]


def test_names_of_columns_do_not_matter(engine: str) -> None:
    """Each name is that of labels, of other labels and of weights in turn."""
    random = np.random.default_rng(6)
    columns = {name: random.integers(1, 4, 24) for name in HOSTILE}
    frame = frame_of(engine, pa.table(columns))
    for i, weights in enumerate(HOSTILE):
        a, b = HOSTILE[i - 1], HOSTILE[i - 2]
        found = Contingency.from_frame(frame, a, b, weights=weights)
        expected = Contingency.from_labels(columns[a], columns[b], sample_weight=columns[weights])
        assert found == expected


def test_a_frame_without_rows_has_an_empty_table(engine: str) -> None:
    table = pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())})
    found = Contingency.from_frame(frame_of(engine, table), "a", "b")
    assert found.n == 0
    assert found.shape == (0, 0)


def test_huge_weights_stay_whole(engine: str) -> None:
    table = pa.table({"a": [0, 0, 1], "w": [2**61, 1, 2**60 + 1]})
    found = Contingency.from_frame(frame_of(engine, table), "a", "a", weights="w")
    assert found.row_sums.tolist() == [2**61 + 1, 2**60 + 1]


def test_narrow_weights_do_not_wrap(engine: str) -> None:
    weights = pa.array([100] * 100, pa.int8())
    frame = frame_of(engine, pa.table({"a": np.zeros(100, int), "w": weights}))
    assert Contingency.from_frame(frame, "a", "a", weights="w").n == 10_000


def test_nan_is_missing_and_not_larger_than_all(engine: str) -> None:
    table = pa.table({"a": [0, 0, 0, 1], "x": [0.0, float("nan"), 4.0, None]})
    frame = frame_of(engine, table)
    profile = DensityProfile.from_frame(frame, "a", ["x"], n_bins=2)
    assert profile.counts.tolist() == [[1, 1, 1], [0, 0, 1]]
    assert profile.outside == {}


def test_noise_in_columns_with_dots(engine: str) -> None:
    table = pa.table({"a.b": [-1, 0, 0, 1], "c d": ["x", "x", "y", "y"], "x.y": [1.0, 2, 3, 4]})
    frame = frame_of(engine, table)
    found = compare("a.b", "c d", frame=frame, features=["x.y"], noise="drop")
    expected = compare(
        [0, 0, 1], ["x", "y", "y"], [[2.0], [3.0], [4.0]], binning=Binning().fit([[1.0], [4.0]])
    )
    same_values(found.values, expected.values)


def test_weights_are_summed_group_by_group(engine: str) -> None:
    """Engines may not let conditions inside of sums over groups get lost."""
    table = pa.table({"a": [0, 0, 1], "x": [0.0, 9.0, 9.0], "w": [1.0, 2.0, 4.0]})
    profile = DensityProfile.from_frame(frame_of(engine, table), "a", ["x"], n_bins=2, weights="w")
    assert profile.counts.tolist() == [[1.0, 2.0, 0.0], [0.0, 4.0, 0.0]]


def test_values_beyond_any_integer_have_bins(engine: str) -> None:
    table = pa.table({"a": [0, 0, 1], "x": [-1e300, 1e300, 0.0]})
    for method in ("width", "frequency"):
        found = DensityProfile.from_frame(
            frame_of(engine, table), "a", ["x"], binning=method, n_bins=3
        )
        expected = DensityProfile.from_data(
            table.select(["x"]), [0, 0, 1], binning=method, n_bins=3
        )
        same_profile(found, expected)


def test_parts_without_rows_do_not_matter(engine: str) -> None:
    table = pa.table({"a": [0], "b": ["x"], "x": [1.5], "p": [0.25], "q": [0.75]})
    frame = frame_of(engine, table)
    assert Contingency.from_frame(frame, "a", "b").n == 1
    assert DensityProfile.from_frame(frame, "a", ["x"]).n == 1
    assert SoftOverlap.from_frame(frame, "a", ["p", "q"]).products.tolist() == [[0.25, 0.75]]


def test_frames_of_narwhals_are_frames(engine: str) -> None:
    import narwhals as nw

    frame = nw.from_native(frame_of(engine, pa.table({"a": [0, 1], "b": [1, 1]})))
    assert Contingency.from_frame(frame, "a", "b").shape == (2, 1)


def test_nan_in_parquet_files_is_found(lazy_engine: str, tmp_path: Path) -> None:
    """Statistics in the files leave NaN out, and DuckDB believes them."""
    x = np.where(np.arange(40) % 7 == 0, np.nan, np.arange(40.0))
    labels = np.arange(40) % 2
    parquet.write_table(pa.table({"a": labels, "x": x}), tmp_path / "part.parquet")
    frame = read_parquet(lazy_engine, tmp_path / "part.parquet")
    found = DensityProfile.from_frame(frame, "a", ["x"], n_bins=4)
    same_profile(found, DensityProfile.from_data(pa.table({"x": x}), labels, n_bins=4))


def test_what_fetches_is_named_where_it_is_missing() -> None:
    script = """
import sys
sys.modules["pyarrow"] = None
import duckdb
from clusterwise import Contingency
Contingency.from_frame(duckdb.sql("SELECT 1 AS a, 2 AS b"), "a", "b")
"""
    pytest.importorskip("duckdb")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    sentence = (
        "MissingExtraError: results of duckdb are collected with pyarrow, which is not installed; "
        "run pip install 'clusterwise[engines]'."
    )
    assert sentence in done.stderr.splitlines()[-1]
