"""compare and compare_all say the same of columns of any engine as of arrays."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clusterwise import Binning, DensityProfile, adco_score, compare, compare_all
from clusterwise._utils.errors import InputError
from helpers.engine_data import (
    FEATURES,
    SIDES,
    columns_of,
    features_of,
    same_values,
    side_of,
    soft_columns,
)
from helpers.engine_frames import frame_of


@pytest.mark.parametrize(("noise", "weights"), [("cluster", None), ("drop", "whole")])
def test_compare_columns(engine: str, noise: Any, weights: Any) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    options: Any = {"noise": noise, "n_bins": 3}
    found = compare(
        "third", "em", frame=frame, features=["x", "colour"], sample_weight=weights, **options
    )
    expected = compare(
        columns["third"],
        columns["em"],
        features_of(columns)[["x", "colour"]],
        sample_weight=None if weights is None else columns[weights],
        **options,
    )
    assert found.names == ("third", "em")
    assert "adco_score" in found.values
    same_values(found.values, expected.values)


def test_compare_columns_without_features(engine: str) -> None:
    columns = columns_of()
    found = compare("third", "em", frame=frame_of(engine, pa.table(columns)))
    same_values(found.values, compare(columns["third"], columns["em"]).values)


def test_noise_among_strings_is_minus_one(engine: str) -> None:
    columns: Any = {"a": ["x", "x", "y", "-1", "-1"], "b": ["p", "-1", "q", "q", "p"]}
    frame = frame_of(engine, pa.table(columns))
    for noise in ("cluster", "drop"):
        found = compare("a", "b", frame=frame, noise=noise)
        expected = compare(columns["a"], columns["b"], noise=noise, names=("a", "b"))
        same_values(found.values, expected.values)
        assert found.noise == expected.noise


def test_compare_columns_with_centres(engine: str) -> None:
    columns = soft_columns()
    frame = frame_of(engine, pa.table(columns))
    for a, b in (SIDES["labels"], SIDES["labels-soft"]):
        found = compare(a, b, frame=frame, features=["u", "v"], n_bins=3)
        X = side_of(columns, ["u", "v"])
        expected = compare(side_of(columns, a), side_of(columns, b), X, n_bins=3)
        assert "css_distance" in found.values
        same_values(found.values, expected.values)


@pytest.mark.parametrize(
    ("measure", "noise"),
    [
        ("adjusted_rand_score", "singletons"),
        ("wallace_score", "drop"),
        ("adco_score", "cluster"),
        ("adco_score", "drop"),
    ],
)
def test_compare_all_columns(engine: str, measure: str, noise: Any) -> None:
    columns = columns_of()
    frame = frame_of(engine, pa.table(columns))
    on_data = measure == "adco_score"
    # Objects are dropped pair by pair, which takes several scans for each.
    names = ["km", "third"] if on_data and noise == "drop" else ["km", "third", "em"]
    found = compare_all(
        frame=frame,
        clusterings=names,
        features=["y"] if on_data else None,
        measure=measure,
        noise=noise,
    )
    X = pa.table({"y": columns["y"]}).to_pandas() if on_data else None
    expected = compare_all({name: columns[name] for name in names}, X, measure=measure, noise=noise)
    assert found.names == expected.names
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)
    assert found.n_clusters == expected.n_clusters
    same_values(found.compare("km", "third").values, expected.compare("km", "third").values)


def test_two_frames_that_share_no_rows(engine: str) -> None:
    last, this = columns_of(seed=1), columns_of(seed=2, n=40)
    frames_of = [frame_of(engine, pa.table(columns)) for columns in (last, this)]
    binning = Binning(n_bins=6).fit_frames(*frames_of, features=FEATURES)
    found = adco_score(
        DensityProfile.from_frame(frames_of[0], "km", binning=binning),
        DensityProfile.from_frame(frames_of[1], "em", binning=binning),
    )
    both = Binning(n_bins=6).fit(
        pa.concat_tables(
            [pa.table({name: columns[name] for name in FEATURES}) for columns in (last, this)]
        )
    )
    assert both == binning
    expected = adco_score(
        DensityProfile.from_data(features_of(last), last["km"], binning=both),
        DensityProfile.from_data(features_of(this), this["em"], binning=both),
    )
    assert found == expected
    assert 0 < found < 1


def test_options_of_frames_that_do_not_go_together(lazy_engine: str) -> None:
    frame = frame_of(lazy_engine, pa.table({"a": [0, 1], "b": [0, 1]}))
    with pytest.raises(InputError, match="both given"):
        compare("a", "b", [[1.0], [2.0]], frame=frame)
    with pytest.raises(InputError, match="pass its name"):
        compare("a", "b", frame=frame, sample_weight=[1.0, 2.0])
    with pytest.raises(InputError, match="align"):
        compare("a", "b", frame=frame, align="index")
    with pytest.raises(InputError, match="pass X"):
        compare("a", "b", frame=frame, measures=["adco_score"])
    with pytest.raises(InputError, match="pass it as frame"):
        compare([0], [1], features=["x"])
    empty = frame_of(lazy_engine, pa.table({"a": pa.array([], pa.int64())}))
    with pytest.raises(InputError, match="no objects"):
        compare("a", "a", frame=empty)
