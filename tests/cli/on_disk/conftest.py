"""The same rows as one file, which is read into memory, and in parts, which DuckDB reads."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

pytest.importorskip("duckdb")

ROWS = 400
CUTS = (0, 90, 91, 250, ROWS)


@pytest.fixture(scope="session")
def rows():
    """Labels of all types, features, memberships, weights and a key."""
    random = np.random.default_rng(7)
    kmeans = random.integers(-1, 4, ROWS)
    em = np.where(random.random(ROWS) < 0.8, kmeans, random.integers(0, 3, ROWS))
    gaps = random.random(ROWS) < 0.1
    memberships = random.dirichlet([0.4] * 3, ROWS).round(4)
    return pa.table(
        {
            "id": pa.array([f"o{i}" for i in range(ROWS)]),
            "kmeans": kmeans,
            "em": [str(value) if value < 0 else f"s{value}" for value in em.tolist()],
            "whole": np.where(gaps, np.nan, kmeans * 1.0),
            "gone": pa.array(em.tolist(), pa.int8(), mask=gaps[::-1]),
            "flag": random.random(ROWS) < 0.3,
            "x": kmeans + random.normal(size=ROWS),
            "y": pa.array(random.normal(size=ROWS).tolist(), mask=gaps),
            "colour": random.choice(["red", "green", "blue"], ROWS).tolist(),
            "price": [f"{value:.2f}" for value in random.random(ROWS) * 9],
            "number": np.arange(ROWS) + 5,
            "weight": random.integers(0, 5, ROWS),
            "nested": [[1, 2]] * ROWS,
            "empty": pa.array([None] * ROWS, pa.string()),
            **{f"p_{k}": memberships[:, k] for k in range(3)},
            **{f"h_{k}": (em % 3 == i).astype(float) for i, k in enumerate("abc")},
        }
    )


@pytest.fixture
def files(rows, tmp_path, monkeypatch):
    """Writes whole.parquet and runs/part-0.parquet, runs/part-1.parquet and so on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def write(table=rows):
        Path("runs").mkdir()
        parquet.write_table(table, "whole.parquet")
        for i, (start, end) in enumerate(pairwise(CUTS)):
            parquet.write_table(table.slice(start, end - start), f"runs/part-{i}.parquet")

    return write


@pytest.fixture
def both(run, files):
    """Run a command on the file in memory and on its parts on disk: both results."""
    files()

    def run_both(*arguments):
        found = [
            run(*(name if one == "FILE" else one for one in arguments))
            for name in ("whole.parquet", "runs/*.parquet")
        ]
        for result in found:
            for name in ("'runs/*.parquet'", "runs/*.parquet"):  # quoted in a command
                result.err = result.err.replace(name, "whole.parquet")
            result.err = re.sub(r" of runs/part-[0-9]\.parquet", "", result.err)
        return found

    return run_both


@pytest.fixture
def same(both):
    """Run a command on both, check that the output is the same, and return the result."""

    def run_same(*arguments):
        in_memory, on_disk = both(*arguments)
        assert in_memory.status == 0, in_memory.err
        assert on_disk == in_memory
        return on_disk

    return run_same


@pytest.fixture
def close():
    """Check that two results are the same, but for rounding of numbers that are not integers."""

    def check(found, expected):
        assert type(found) is type(expected)
        if isinstance(found, dict):
            assert list(found) == list(expected)
            found, expected = list(found.values()), list(expected.values())
        if isinstance(found, list):
            assert len(found) == len(expected)
            for one, other in zip(found, expected, strict=True):
                check(one, other)
        elif isinstance(found, float):
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
        else:
            assert found == expected

    return check
