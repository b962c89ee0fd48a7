"""Overlaps of memberships, with centres, on every engine."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import SoftOverlap
from clusterwise._utils.errors import InputError
from helpers.engine_data import SIDES, side_of, soft_columns
from helpers.engine_frames import frame_of


@pytest.mark.parametrize(
    ("sides", "p", "weights", "features"),
    [
        ("soft", 1.0, None, ["u", "v"]),
        ("soft", 2.0, "w", None),
        ("labels-soft", 1.0, "w", ["u", "v"]),
        ("labels-soft", 1.5, None, None),
        ("strings-soft", 1.0, None, ["u"]),
        ("soft-labels", 1.0, "i", ["u"]),
        ("labels", 1.0, None, ["u", "v"]),
        ("labels", 1.0, "w", ["v"]),
    ],
)
def test_overlap(engine: str, sides: str, p: float, weights: Any, features: Any) -> None:
    columns = soft_columns()
    a, b = SIDES[sides]
    frame = frame_of(engine, pa.table(columns))
    found = SoftOverlap.from_frame(frame, a, b, features=features, p=p, weights=weights)
    expected = SoftOverlap.from_memberships(
        side_of(columns, a),
        side_of(columns, b),
        None if features is None else side_of(columns, features),
        p=p,
        sample_weight=None if weights is None else columns[weights],
    )
    assert found.row_names.tolist() == expected.row_names.tolist()
    assert found.column_names.tolist() == expected.column_names.tolist()
    assert found.n == pytest.approx(expected.n, rel=1e-12)
    assert tuple(found.self_pairs) == pytest.approx(tuple(expected.self_pairs), rel=1e-12)
    for part in ("products", "differences", "gains", "row_sums", "column_sums"):
        np.testing.assert_allclose(
            getattr(found, part), getattr(expected, part), rtol=1e-12, atol=1e-12
        )
    assert (found.centroid_sums is None) == (features is None)
    if found.centroid_sums is not None and expected.centroid_sums is not None:
        for part in ("sums_a", "sums_b", "weight", "mean", "deviation"):
            np.testing.assert_allclose(
                getattr(found.centroid_sums, part),
                getattr(expected.centroid_sums, part),
                rtol=1e-12,
            )


def test_overlap_drops_noise(engine: str) -> None:
    columns = soft_columns()
    frame = frame_of(engine, pa.table(columns))
    found = SoftOverlap.from_frame(frame, "a", "b", features=["u"], noise="drop")
    left = columns["a"] != -1
    expected = SoftOverlap.from_memberships(
        columns["a"][left], columns["b"][left], columns["u"][left][:, None]
    )
    assert found.row_names.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.products, expected.products)
    assert found.centroid_sums is not None
    assert expected.centroid_sums is not None
    np.testing.assert_allclose(
        found.centroid_sums.sums_a, expected.centroid_sums.sums_a, rtol=1e-12
    )


@pytest.mark.parametrize("wrong", [[0.5, 0.4], [1.5, -0.5], [None, 1.0], [float("nan"), 1.0]])
def test_memberships_that_are_none_are_refused(engine: str, wrong: list[Any]) -> None:
    table = pa.table({"p": [1.0, wrong[0]], "q": [0.0, wrong[1]], "b": [0, 1]})
    with pytest.raises(InputError, match=r"sum to|negative|not finite"):
        SoftOverlap.from_frame(frame_of(engine, table), ["p", "q"], "b")


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_centres_need_numbers(engine: str, value: Any) -> None:
    frame = frame_of(engine, pa.table({"a": [0, 1], "x": [1.0, value]}))
    with pytest.raises(InputError, match="a centroid needs finite numbers"):
        SoftOverlap.from_frame(frame, "a", "a", features=["x"])


def test_categorical_features_have_no_mean(engine: str) -> None:
    named = frame_of(engine, pa.table({"a": [0, 1], "x": ["u", "v"]}))
    with pytest.raises(InputError, match="is categorical and has no mean"):
        SoftOverlap.from_frame(named, "a", "a", features=["x"])
