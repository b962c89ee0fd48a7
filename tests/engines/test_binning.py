"""Bins fitted where the data is are those of all values in memory."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import Binning
from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning import frame_fitting as engine_bins
from helpers.engine_data import FEATURES, columns_of, features_of
from helpers.engine_frames import frame_of


@pytest.mark.parametrize("method", ["width", "auto", "frequency", "nominal"])
def test_bins_are_those_of_all_values_in_memory(engine: str, method: Any) -> None:
    columns = columns_of()
    expected = Binning(method, 7).fit(features_of(columns))
    frame = frame_of(engine, pa.table(columns))
    assert Binning(method, 7).fit_frames(frame, features=FEATURES) == expected


@pytest.mark.parametrize("method", ["frequency", "nominal"])
def test_one_binning_of_two_frames(engine: str, method: Any) -> None:
    columns = columns_of()
    expected = Binning(method, 5).fit(features_of(columns))
    table = pa.table(columns)
    halves = frame_of(engine, table.slice(0, 25)), frame_of("polars-lazy", table.slice(25))
    assert Binning(method, 5).fit_frames(*halves, features=FEATURES) == expected


def test_skewed_features_are_found_in_the_engine(engine: str) -> None:
    random = np.random.default_rng(5)
    columns = {
        "normal": random.normal(size=300),
        "income": random.lognormal(10, 1.5, 300),
        "count": random.geometric(0.4, 300),
        "zeros": np.where(random.random(300) < 0.9, 0.0, random.random(300)),
        "gaps": np.where(random.random(300) < 0.3, np.nan, random.pareto(0.5, 300)),
        "same": np.full(300, 2.5),
        "none": np.full(300, np.nan),
        "wide": np.array([-1.7e308, 1.7e308] + [1.0] * 298),
    }
    table = pa.table(columns)
    expected = Binning("auto").fit(table.to_pandas())
    rows = [row[1] for row in expected.text_table().rows]
    assert {"width", "frequency"} == set(rows)
    assert Binning("auto").fit_frames(frame_of(engine, table)) == expected
    halves = frame_of(engine, table.slice(0, 100)), frame_of("polars-lazy", table.slice(100))
    assert Binning("auto").fit_frames(*halves) == expected


@pytest.mark.parametrize("most", [0, 50])
def test_quantiles_are_exact_however_often_cells_are_cut(
    lazy_engine: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_bins, "_MOST_VALUES", most)
    monkeypatch.setattr(engine_bins, "_CELLS", 64)
    random = np.random.default_rng(3)
    columns = {
        "heavy": np.concatenate([random.pareto(0.3, 60), [1e200]]),
        "ties": random.integers(0, 5, 61).astype(float),
        "near": 1.0 + np.arange(61) % 7 * 2.0**-52,
        "one": np.full(61, 3.5),
        "none": np.full(61, np.nan),
    }
    expected = Binning("frequency", 6).fit(pa.table(columns).to_pandas())
    found = Binning("frequency", 6).fit(frame_of(lazy_engine, pa.table(columns)))
    assert found == expected


def test_bins_of_nothing_are_refused(engine: str) -> None:
    frame = frame_of(engine, pa.table({"x": pa.array([], pa.float64())}))
    with pytest.raises(InputError, match="no objects"):
        Binning().fit_frames(frame)
