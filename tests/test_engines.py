"""Every engine gives what arrays in memory give: exactly for counts, to rounding for sums."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

from clusterwise import (
    MCLA,
    Binning,
    Contingency,
    DensityProfile,
    EnsembleTable,
    PhiConsensus,
    SoftOverlap,
    VotingConsensus,
    adco_score,
    compare,
    compare_all,
    consensus_objective,
    engine_bins,
)
from clusterwise.engines import as_eager
from clusterwise.errors import InputError
from clusterwise.summaries import spread
from clusterwise.summaries.frames import bins as frame_bins
from clusterwise.summaries.frames import labels as frame_labels
from clusterwise.summaries.frames import profiles as frame_profiles
from engine_frames import EAGER, ENGINES, LAZY, frame_of

_N = 200


def _columns(seed: int = 0, n: int = _N) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    x = random.normal(size=n)
    x[::17] = np.nan
    return {
        "km": random.integers(0, 4, n),
        "em": random.choice(["red", "green", "blue"], n),
        "third": random.integers(-1, 3, n),
        "flag": random.random(n) < 0.3,
        "x": x,
        "y": random.integers(0, 50, n),
        "z": random.exponential(10.0, n).astype(np.float32),
        "colour": random.choice(["a", "b", None], n).tolist(),
        "whole": random.integers(0, 5, n),
        "share": random.random(n),
    }


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=LAZY)
def lazy_engine(request: pytest.FixtureRequest) -> str:
    return request.param


def _cells(table: Contingency) -> dict[tuple[Any, Any], float]:
    rows, columns = table.row_names.tolist(), table.column_names.tolist()
    return {
        (rows[i], columns[j]): count
        for i, j, count in zip(*(part.tolist() for part in table.nonzero), strict=True)
    }


def _same_cells(found: Contingency, expected: Contingency) -> None:
    assert _cells(found).keys() == _cells(expected).keys()
    assert _cells(found) == pytest.approx(_cells(expected), rel=1e-12)


@pytest.mark.parametrize(("a", "b"), [("km", "em"), ("third", "flag"), ("em", "em")])
def test_contingency_counts_exactly(engine: str, a: str, b: str) -> None:
    columns = _columns()
    found = Contingency.from_frame(frame_of(engine, pa.table(columns)), a, b)
    assert found == Contingency.from_labels(columns[a], columns[b])
    assert isinstance(found.n, int)


@pytest.mark.parametrize("noise", ["cluster", "drop", "singletons"])
def test_contingency_knows_noise(engine: str, noise: Any) -> None:
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    found = Contingency.from_frame(frame, "third", "km", noise=noise)
    expected = Contingency.from_labels(columns["third"], columns["km"], noise=noise)
    assert found.n == expected.n
    assert found.shape == expected.shape
    assert sorted(found.row_sums.tolist()) == sorted(expected.row_sums.tolist())
    assert found.cells.sum_of_squares == expected.cells.sum_of_squares


@pytest.mark.parametrize("weights", ["whole", "share", "flag", "z"])
def test_contingency_adds_weights(engine: str, weights: str) -> None:
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    found = Contingency.from_frame(frame, "km", "em", weights=weights)
    expected = Contingency.from_labels(columns["km"], columns["em"], sample_weight=columns[weights])
    _same_cells(found, expected)
    assert type(found.n) is type(expected.n)


def test_contingency_reads_categories(engine: str) -> None:
    columns = _columns()
    coded = pa.array(columns["em"]).dictionary_encode()
    frame = frame_of(engine, pa.table({"a": coded, "b": columns["km"], "c": coded}))
    expected = Contingency.from_labels(columns["em"], columns["km"])
    _same_cells(Contingency.from_frame(frame, "a", "b"), expected)
    both = Contingency.from_labels(columns["em"], columns["em"])
    _same_cells(Contingency.from_frame(frame, "a", "c"), both)


HOSTILE = ["a.b", 'quo"te', "it's", "back`tick", "n", "s", "w", "c0", "group by", "ß ∑", "s0"]


def test_names_of_columns_do_not_matter(engine: str) -> None:
    labels = np.arange(24) % 3
    frame = frame_of(engine, pa.table({name: (labels * i) % 3 for i, name in enumerate(HOSTILE)}))
    for i, name in enumerate(HOSTILE):
        other = HOSTILE[(i + 1) % len(HOSTILE)]
        expected = Contingency.from_labels((labels * i) % 3, (labels * HOSTILE.index(other)) % 3)
        assert Contingency.from_frame(frame, name, other) == expected
        weighted = Contingency.from_frame(frame, "a.b", "n", weights=name)
        assert weighted.n == ((labels * i) % 3).sum()


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


def test_singletons_with_weights_are_refused(lazy_engine: str) -> None:
    frame = frame_of(lazy_engine, pa.table({"a": [0, -1], "w": [1.0, 2.0]}))
    with pytest.raises(InputError, match="collect"):
        Contingency.from_frame(frame, "a", "a", weights="w", noise="singletons")


def test_something_else_is_no_frame() -> None:
    with pytest.raises(InputError, match="not a frame"):
        Contingency.from_frame([1, 2], "a", "b")


def _ensemble_cells(table: EnsembleTable) -> dict[Any, float]:
    columns = [(j, name) for j, names in enumerate(table.column_names) for name in names.tolist()]
    rows = table.row_names.tolist()
    cells = {(rows[k], *columns[c]): v for (k, c), v in np.ndenumerate(table.counts) if v}
    return {**cells, **dict(zip(rows, table.sizes.tolist(), strict=True))}


@pytest.mark.parametrize("weights", [None, "whole", "share"])
@pytest.mark.parametrize("most", [frame_labels.MOST_KINDS, 5])
def test_ensemble_table(
    engine: str, weights: str | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_labels, "MOST_KINDS", most)
    columns = _columns()
    members = ["km", "third", "colour", "flag"]
    frame = frame_of(engine, pa.table(columns))
    found = EnsembleTable.from_frame(frame, "em", members, weights=weights)
    expected = EnsembleTable.from_labels(
        columns["em"],
        {name: columns[name] for name in members},
        sample_weight=None if weights is None else columns[weights],
    )
    cells = _ensemble_cells(expected)
    assert _ensemble_cells(found).keys() == cells.keys()
    assert _ensemble_cells(found) == pytest.approx(cells, rel=1e-12)


FEATURES = ["x", "y", "z", "colour", "flag"]


def _X(columns: dict[str, Any]) -> Any:
    return pa.table({name: columns[name] for name in FEATURES}).to_pandas()


@pytest.mark.parametrize("method", ["width", "frequency", "nominal"])
def test_bins_are_those_of_all_values_in_memory(engine: str, method: Any) -> None:
    columns = _columns()
    expected = Binning(method, 7).fit(_X(columns))
    frame = frame_of(engine, pa.table(columns))
    assert Binning(method, 7).fit_frames(frame, features=FEATURES) == expected


@pytest.mark.parametrize("method", ["width", "frequency", "nominal"])
def test_one_binning_of_two_frames(engine: str, method: Any) -> None:
    columns = _columns()
    expected = Binning(method, 5).fit(_X(columns))
    table = pa.table(columns)
    halves = frame_of(engine, table.slice(0, 70)), frame_of("polars-lazy", table.slice(70))
    assert Binning(method, 5).fit_frames(*halves, features=FEATURES) == expected


@pytest.mark.parametrize("most", [0, 3, 50])
def test_quantiles_are_exact_however_often_cells_are_cut(
    lazy_engine: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_bins, "_MOST_VALUES", most)
    monkeypatch.setattr(engine_bins, "_CELLS", 4)
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
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    found = DensityProfile.from_frame(
        frame, labels, FEATURES, binning=method, n_bins=6, weights=weights
    )
    expected = DensityProfile.from_data(
        _X(columns),
        columns[labels],
        binning=method,
        n_bins=6,
        sample_weight=None if weights is None else columns[weights],
    )
    _same_profile(found, expected)


def _same_profile(found: DensityProfile, expected: DensityProfile) -> None:
    assert found.binning == expected.binning
    assert found.names.tolist() == expected.names.tolist()
    assert found.outside == expected.outside
    if expected.counts.dtype.kind == "i":
        assert found.counts.tolist() == expected.counts.tolist()
    else:
        assert ((found.counts == 0) == (expected.counts == 0)).all()
        np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12)


def test_profile_of_other_data_than_the_binning(engine: str) -> None:
    binning = Binning(n_bins=4).fit(_X(_columns()))
    new = _columns(seed=5)
    new["x"] = new["x"] * 3
    new["colour"] = np.random.default_rng(0).choice(["a", "new", None], _N).tolist()
    new["y"] = new["y"] - 30
    found = DensityProfile.from_frame(frame_of(engine, pa.table(new)), "em", binning=binning)
    expected = DensityProfile.from_data(_X(new), new["em"], binning=binning)
    assert {"x", "y"} <= expected.outside.keys()
    _same_profile(found, expected)


@pytest.mark.parametrize("weights", [None, "share"])
def test_profile_of_many_values_and_many_scans(
    lazy_engine: str, weights: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_bins, "_MOST_VALUES", 2)
    monkeypatch.setattr(frame_profiles, "_MOST_COLUMNS", 10)
    columns = _columns()
    binning = Binning(n_bins=5).fit(_X(columns))
    frame = frame_of(lazy_engine, pa.table(columns))
    found = DensityProfile.from_frame(frame, "km", binning=binning, weights=weights)
    expected = DensityProfile.from_data(
        _X(columns),
        columns["km"],
        binning=binning,
        sample_weight=None if weights is None else columns[weights],
    )
    _same_profile(found, expected)


def test_profile_drops_noise(engine: str) -> None:
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    found = DensityProfile.from_frame(frame, "third", FEATURES, noise="drop")
    expected = DensityProfile.from_data(_X(columns), columns["third"], noise="drop")
    _same_profile(found, expected)
    texts = DensityProfile.from_frame(frame, "em", FEATURES, noise="drop", noise_label="red")
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
    with pytest.raises(InputError, match="holds names, but its bins were made from numbers"):
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


def test_bins_of_nothing_are_refused(engine: str) -> None:
    frame = frame_of(engine, pa.table({"x": pa.array([], pa.float64())}))
    with pytest.raises(InputError, match="no objects"):
        Binning().fit_frames(frame)


def _soft_columns(n: int = 90) -> dict[str, Any]:
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


SIDES: dict[str, tuple[Any, Any]] = {
    "soft": (["p0", "p1", "p2"], ["q0", "q1"]),
    "labels-soft": ("a", ["q0", "q1"]),
    "soft-labels": (["p0", "p1", "p2"], "b"),
    "labels": ("a", "b"),
}


def _side(columns: dict[str, Any], side: Any) -> Any:
    if isinstance(side, str):
        return columns[side]
    return pa.table({name: columns[name] for name in side}).to_pandas()


@pytest.mark.parametrize(
    ("sides", "p", "weights", "features"),
    [
        ("soft", 1.0, None, ["u", "v"]),
        ("soft", 2.0, "w", None),
        ("labels-soft", 1.0, "w", ["u", "v"]),
        ("labels-soft", 1.5, None, None),
        ("soft-labels", 1.0, "i", ["u"]),
        ("soft-labels", 2.0, None, None),
        ("labels", 1.0, None, ["u", "v"]),
        ("labels", 1.0, "w", ["v"]),
    ],
)
def test_overlap(engine: str, sides: str, p: float, weights: Any, features: Any) -> None:
    columns = _soft_columns()
    a, b = SIDES[sides]
    frame = frame_of(engine, pa.table(columns))
    found = SoftOverlap.from_frame(frame, a, b, features, p=p, weights=weights)
    expected = SoftOverlap.from_memberships(
        _side(columns, a),
        _side(columns, b),
        None if features is None else _side(columns, features),
        p=p,
        sample_weight=None if weights is None else columns[weights],
    )
    assert found.row_names.tolist() == expected.row_names.tolist()
    assert found.column_names.tolist() == expected.column_names.tolist()
    assert found.n == pytest.approx(expected.n, rel=1e-12)
    assert tuple(found.own_pairs) == pytest.approx(tuple(expected.own_pairs), rel=1e-12)
    for part in ("products", "differences", "saved", "row_sums", "column_sums"):
        np.testing.assert_allclose(
            getattr(found, part), getattr(expected, part), rtol=1e-12, atol=1e-12
        )
    assert (found.centres is None) == (features is None)
    if found.centres is not None and expected.centres is not None:
        for part in ("sums_a", "sums_b", "weight", "mean", "spread"):
            np.testing.assert_allclose(
                getattr(found.centres, part), getattr(expected.centres, part), rtol=1e-12
            )


def test_overlap_drops_noise(engine: str) -> None:
    columns = _soft_columns()
    frame = frame_of(engine, pa.table(columns))
    found = SoftOverlap.from_frame(frame, "a", "b", ["u"], noise="drop")
    left = columns["a"] != -1
    expected = SoftOverlap.from_memberships(
        columns["a"][left], columns["b"][left], columns["u"][left][:, None]
    )
    assert found.row_names.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.products, expected.products)
    assert found.centres is not None
    assert expected.centres is not None
    np.testing.assert_allclose(found.centres.sums_a, expected.centres.sums_a, rtol=1e-12)


@pytest.mark.parametrize("wrong", [[0.5, 0.4], [1.5, -0.5], [None, 1.0], [float("nan"), 1.0]])
def test_memberships_that_are_none_are_refused(engine: str, wrong: list[Any]) -> None:
    table = pa.table({"p": [1.0, wrong[0]], "q": [0.0, wrong[1]], "b": [0, 1]})
    with pytest.raises(InputError, match=r"sum to|negative|not finite"):
        SoftOverlap.from_frame(frame_of(engine, table), ["p", "q"], "b")


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_centres_need_numbers(engine: str, value: Any) -> None:
    frame = frame_of(engine, pa.table({"a": [0, 1], "x": [1.0, value]}))
    with pytest.raises(InputError, match="a centre needs numbers"):
        SoftOverlap.from_frame(frame, "a", "a", ["x"])
    named = frame_of(engine, pa.table({"a": [0, 1], "x": ["u", "v"]}))
    with pytest.raises(InputError, match="no centre"):
        SoftOverlap.from_frame(named, "a", "a", ["x"])


def _same_values(found: dict[str, float], expected: dict[str, float]) -> None:
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("noise", ["cluster", "drop"])
@pytest.mark.parametrize("weights", [None, "whole"])
def test_compare_columns(engine: str, noise: Any, weights: Any) -> None:
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    options: Any = {"noise": noise, "n_bins": 5}
    found = compare(
        "third", "em", frame=frame, features=["x", "colour"], sample_weight=weights, **options
    )
    expected = compare(
        columns["third"],
        columns["em"],
        _X(columns)[["x", "colour"]],
        sample_weight=None if weights is None else columns[weights],
        **options,
    )
    assert found.names == ("third", "em")
    assert "adco_score" in found.values
    _same_values(found.values, expected.values)
    _same_values(
        compare("third", "em", frame=frame).values, compare(columns["third"], columns["em"]).values
    )


def test_compare_columns_with_centres(engine: str) -> None:
    columns = _soft_columns()
    frame = frame_of(engine, pa.table(columns))
    for a, b in (SIDES["labels"], SIDES["labels-soft"], SIDES["soft"]):
        found = compare(a, b, frame=frame, features=["u", "v"])
        X = _side(columns, ["u", "v"])
        expected = compare(_side(columns, a), _side(columns, b), X)
        assert "css_distance" in found.values
        _same_values(found.values, expected.values)


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
    columns = _columns()
    frame = frame_of(engine, pa.table(columns))
    names = ["km", "em", "third"]
    on_data = measure == "adco_score"
    found = compare_all(
        frame=frame,
        clusterings=names,
        features=["x", "y"] if on_data else None,
        measure=measure,
        noise=noise,
    )
    X = pa.table({name: columns[name] for name in ("x", "y")}).to_pandas() if on_data else None
    expected = compare_all({name: columns[name] for name in names}, X, measure=measure, noise=noise)
    assert found.names == expected.names
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-9)
    assert found.n_clusters == expected.n_clusters
    _same_values(found.compare("km", "em").values, expected.compare("km", "em").values)


def test_two_frames_that_share_no_rows(engine: str) -> None:
    last, this = _columns(seed=1), _columns(seed=2, n=150)
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
        DensityProfile.from_data(_X(last), last["km"], binning=both),
        DensityProfile.from_data(_X(this), this["em"], binning=both),
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


CLUSTERINGS = ["one", "two", "three", "four"]


def _ensemble(n: int = 120) -> pa.Table:
    """Four clusterings of three clusters, with some mistakes and gaps."""
    random = np.random.default_rng(4)
    truth = random.integers(0, 3, n)
    columns = {}
    for name in CLUSTERINGS:
        labels = np.where(random.random(n) < 0.15, random.integers(0, 3, n), truth)
        columns[name] = [None if random.random() < 0.05 else int(one) for one in labels]
    table = pa.table(columns)
    return table.sort_by([(name, "ascending") for name in CLUSTERINGS])


@pytest.mark.parametrize(
    "model",
    [VotingConsensus(), MCLA(3, random_state=0), PhiConsensus(3, random_state=0)],
    ids=lambda model: type(model).__name__,
)
def test_consensus_of_kinds(lazy_engine: str, model: Any) -> None:
    table = _ensemble()
    # Engines keep no order, and missing labels come first among kinds.
    first = table.to_pandas().sort_values(CLUSTERINGS, na_position="first")
    expected = clone(model).fit(first)
    found = clone(model).fit(frame_of(lazy_engine, table))
    kinds = pa.table({name: list(found.kinds_[name]) for name in CLUSTERINGS}).to_pandas()
    assert found.kind_counts_.sum() == len(table)
    assert len(kinds) == len(found.labels_) == len(first.drop_duplicates())
    of = {_row(row): label for row, label in zip(kinds.to_numpy(), found.labels_, strict=True)}
    assert [of[_row(row)] for row in first.to_numpy()] == expected.labels_.tolist()
    assert found.n_features_in_ == 4


def _row(row: Any) -> tuple[Any, ...]:
    return tuple(None if one is None or one != one else int(one) for one in row)


def test_consensus_objective_of_columns(engine: str) -> None:
    table = _ensemble()
    ours = np.arange(len(table)) % 3
    frame = frame_of(engine, table.append_column("ours", pa.array(ours)))
    found = EnsembleTable.from_frame(frame, "ours", CLUSTERINGS)
    expected = consensus_objective(ours, table.to_pandas())
    assert consensus_objective(found) == pytest.approx(expected, rel=1e-12)


def test_too_many_kinds_are_refused(lazy_engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_labels, "MOST_KINDS", 3)
    with pytest.raises(InputError, match="more than 3 kinds"):
        VotingConsensus().fit(frame_of(lazy_engine, _ensemble()))


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
    _same_values(found.values, expected.values)


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
        _same_profile(found, expected)


def test_parts_without_rows_do_not_matter(engine: str) -> None:
    table = pa.table({"a": [0], "b": ["x"], "x": [1.5], "p": [0.25], "q": [0.75]})
    frame = frame_of(engine, table)
    assert Contingency.from_frame(frame, "a", "b").n == 1
    assert DensityProfile.from_frame(frame, "a", ["x"]).n == 1
    assert SoftOverlap.from_frame(frame, "a", ["p", "q"]).products.tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize("engine", EAGER)
def test_columns_of_many_rows_are_counted_like_an_array(engine: str) -> None:
    random = np.random.default_rng(8)
    n = 3 * spread._BLOCK + 17
    X = random.normal(size=(n, 3))
    X[random.random((n, 3)) < 0.01] = np.nan
    labels = random.integers(0, 5, n)
    labels[-1] = 900  # outside the range that the first labels show
    binning = Binning(n_bins=8).fit(X[: n // 3])
    assert spread._even_columns(pa.table({f"x{r}": X[:, r] for r in range(3)}), binning) is not None
    frame = frame_of(engine, pa.table({"a": labels, **{f"x{r}": X[:, r] for r in range(3)}}))
    found = DensityProfile.from_frame(frame, "a", binning=binning)
    _same_profile(found, DensityProfile.from_data(X, labels, binning=binning))
    assert found.outside


@pytest.mark.parametrize("engine", EAGER)
def test_numeric_columns_are_not_copied(engine: str) -> None:
    frame = frame_of(engine, pa.table({"a": np.arange(10_000) % 7, "b": np.arange(10_000) % 3}))
    pair = frame_labels.eager_pair(as_eager(frame), "a", "b", None)
    again = frame_labels.eager_pair(as_eager(frame), "a", "b", None)
    assert np.shares_memory(pair.a.codes.values, again.a.codes.values)
    assert np.shares_memory(pair.b.codes.values, again.b.codes.values)


def test_frames_of_narwhals_are_frames(engine: str) -> None:
    import narwhals as nw

    frame = nw.from_native(frame_of(engine, pa.table({"a": [0, 1], "b": [1, 1]})))
    assert Contingency.from_frame(frame, "a", "b").shape == (2, 1)
