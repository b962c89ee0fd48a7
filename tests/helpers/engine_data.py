"""Columns that tests give to every engine, and how results are told to be the same."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import Contingency, DensityProfile

# Few different values: engines that compile their queries take long over many bins.
N = 60
FEATURES = ["x", "y", "z", "colour", "flag"]


def columns_of(seed: int = 0, n: int = N) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    x[::17] = np.nan
    z = random.exponential(3.0, n).round().astype(np.float32)
    z[::13] = np.nan
    return {
        "km": random.integers(0, 4, n),
        "em": random.choice(["red", "green", "blue"], n),
        "third": random.integers(-1, 3, n),
        "flag": random.random(n) < 0.3,
        "x": x,
        "y": random.integers(0, 9, n),
        "z": z,
        "colour": random.choice(["a", "b", None], n).tolist(),
        "whole": random.integers(0, 5, n),
        "share": random.random(n),
        "narrow": random.random(n).astype(np.float32),
    }


def features_of(columns: dict[str, Any]) -> Any:
    return pa.table({name: columns[name] for name in FEATURES}).to_pandas()


SIDES: dict[str, tuple[Any, Any]] = {
    "soft": (["p0", "p1", "p2"], ["q0", "q1"]),
    "labels-soft": ("a", ["q0", "q1"]),
    "strings-soft": ("b", ["p0", "p1", "p2"]),
    "soft-labels": (["p0", "p1", "p2"], "b"),
    "labels": ("a", "b"),
}


def soft_columns(n: int = 90) -> dict[str, Any]:
    random = np.random.default_rng(11)
    first, second = random.dirichlet([1.0] * 3, n), random.dirichlet([1.0] * 2, n)
    columns = {f"p{k}": first[:, k] for k in range(3)} | {f"q{k}": second[:, k] for k in range(2)}
    columns |= {name: random.normal(5.0, 2.0, n) for name in ("u", "v")}
    return columns | {
        "a": random.integers(-1, 3, n),
        "b": random.choice(["s", "t"], n),
        "w": random.random(n),
        "i": random.integers(0, 4, n),
    }


def side_of(columns: dict[str, Any], side: Any) -> Any:
    if isinstance(side, str):
        return columns[side]
    return pa.table({name: columns[name] for name in side}).to_pandas()


def cells_of(table: Contingency) -> dict[tuple[Any, Any], float]:
    rows, columns = table.row_names.tolist(), table.column_names.tolist()
    return {
        (rows[i], columns[j]): count
        for i, j, count in zip(*(part.tolist() for part in table.nonzero), strict=True)
    }


def same_cells(found: Contingency, expected: Contingency) -> None:
    assert cells_of(found).keys() == cells_of(expected).keys()
    assert cells_of(found) == pytest.approx(cells_of(expected), rel=1e-12)


def same_profile(found: DensityProfile, expected: DensityProfile) -> None:
    assert found.binning == expected.binning
    assert found.names.tolist() == expected.names.tolist()
    assert found.outside == expected.outside
    if expected.counts.dtype.kind == "i":
        assert found.counts.tolist() == expected.counts.tolist()
    else:
        assert ((found.counts == 0) == (expected.counts == 0)).all()
        np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12)


def same_values(found: dict[str, float], expected: dict[str, float]) -> None:
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
