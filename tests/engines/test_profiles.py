"""Density profiles: exact counts on every engine, weights to rounding."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import Binning, DensityProfile
from clusterwise._utils.errors import InputError
from clusterwise.summaries.frames import bin_conditions, bin_counting
from clusterwise.summaries.profile import bin_counts
from helpers.engine_data import FEATURES, N, columns_of, features_of, same_profile
from helpers.engine_frames import EAGER, frame_of


@pytest.mark.parametrize(
    ("method", "weights", "labels"),
    [
        ("width", None, "em"),
        ("width", "share", "third"),
        ("frequency", "whole", "third"),
        ("nominal", "share", "em"),
    ],
)
def test_profile(engine: str, method: Any, weights: str | None, labels: str) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    features = FEATURES[1:] if method == "nominal" else FEATURES
    found = DensityProfile.from_frame(
        frame, labels, features, binning=method, n_bins=5, weights=weights
    )
    expected = DensityProfile.from_data(
        features_of(columns)[features],
        columns[labels],
        binning=method,
        n_bins=5,
        sample_weight=None if weights is None else columns[weights],
    )
    same_profile(found, expected)


def test_profile_of_other_data_than_the_binning(engine: str) -> None:
    binning = Binning(n_bins=4).fit(features_of(columns_of()))
    new = columns_of(seed=5)
    new["x"] = new["x"] * 3
    new["colour"] = np.random.default_rng(0).choice(["a", "new", None], N).tolist()
    new["y"] = new["y"] - 30
    found = DensityProfile.from_frame(frame_of(engine, pa.table(new)), "em", binning=binning)
    expected = DensityProfile.from_data(features_of(new), new["em"], binning=binning)
    assert {"x", "y"} <= expected.outside.keys()
    same_profile(found, expected)


@pytest.mark.parametrize("weights", [None, "share"])
def test_profile_of_many_values_and_many_scans(
    lazy_engine: str, weights: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bin_conditions, "_MOST_VALUES", 2)
    monkeypatch.setattr(bin_counting, "_MOST_COLUMNS", 10)
    columns = columns_of()
    binning = Binning(n_bins=5).fit(features_of(columns))
    frame = frame_of(lazy_engine, pa.table(columns))
    found = DensityProfile.from_frame(frame, "km", binning=binning, weights=weights)
    expected = DensityProfile.from_data(
        features_of(columns),
        columns["km"],
        binning=binning,
        sample_weight=None if weights is None else columns[weights],
    )
    same_profile(found, expected)


def test_profile_drops_noise(engine: str) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    found = DensityProfile.from_frame(frame, "third", FEATURES, noise="drop", n_bins=3)
    expected = DensityProfile.from_data(
        features_of(columns), columns["third"], noise="drop", n_bins=3
    )
    same_profile(found, expected)
    texts = DensityProfile.from_frame(frame, "em", ["flag"], noise="drop", noise_label="red")
    assert texts.names.tolist() == ["blue", "green"]


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_infinite_features_are_refused(engine: str, value: float) -> None:
    frame = frame_of(engine, pa.table({"a": [0, 0, 1], "x": [0.0, value, 1.0]}))
    with pytest.raises(InputError, match=r"column 'x' of X .*inf"):
        DensityProfile.from_frame(frame, "a", ["x"])
    binning = Binning(n_bins=2).fit(pa.table({"x": [0.0, 1.0]}))
    with pytest.raises(InputError, match=r"column 'x' of X .*inf"):
        DensityProfile.from_frame(frame, "a", binning=binning)


def test_missing_labels_of_a_profile_are_refused(engine: str) -> None:
    frame = frame_of(engine, pa.table({"a": [0, None, 1], "x": [0.0, 2.0, 1.0]}))
    with pytest.raises(InputError, match="1 of 3"):
        DensityProfile.from_frame(frame, "a", ["x"])


def test_names_in_bins_of_numbers_are_refused(engine: str) -> None:
    binning = Binning(n_bins=2).fit(pa.table({"x": [0.0, 1.0]}))
    frame = frame_of(engine, pa.table({"a": [0, 1], "x": ["u", "v"]}))
    with pytest.raises(InputError, match="is categorical, but its bins were fitted to numbers"):
        DensityProfile.from_frame(frame, "a", binning=binning)


def test_numbers_in_bins_of_names_are_unseen(engine: str) -> None:
    binning = Binning().fit(pa.table({"x": ["u", "v"]}))
    frame = frame_of(engine, pa.table({"a": [0, 0], "x": [1, 2]}))
    found = DensityProfile.from_frame(frame, "a", binning=binning)
    assert found.counts.tolist() == [[0, 0, 2, 0]]


def test_what_only_memory_can_do_is_refused(lazy_engine: str) -> None:
    frame = frame_of(lazy_engine, pa.table({"a": [0, -1], "x": [0.0, 1.0]}))
    with pytest.raises(InputError, match="mdl"):
        DensityProfile.from_frame(frame, "a", ["x"], binning="mdl")
    with pytest.raises(InputError, match="singletons"):
        DensityProfile.from_frame(frame, "a", ["x"], noise="singletons")


@pytest.mark.slow
@pytest.mark.parametrize("engine", EAGER)
def test_columns_of_many_rows_are_counted_like_an_array(engine: str) -> None:
    random = np.random.default_rng(8)
    n = 3 * bin_counts._BLOCK + 17
    X = random.normal(size=(n, 3))
    X[random.random((n, 3)) < 0.01] = np.nan
    labels = random.integers(0, 5, n)
    labels[-1] = 900  # outside the range that the first labels show
    binning = Binning(n_bins=8).fit(X[: n // 3])
    assert (
        bin_counts._uniform_columns(pa.table({f"x{r}": X[:, r] for r in range(3)}), binning)
        is not None
    )
    frame = frame_of(engine, pa.table({"a": labels, **{f"x{r}": X[:, r] for r in range(3)}}))
    found = DensityProfile.from_frame(frame, "a", binning=binning)
    same_profile(found, DensityProfile.from_data(X, labels, binning=binning))
    assert found.outside
