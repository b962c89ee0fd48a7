"""Every law that the catalogue claims, checked on random clusterings."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.measures.catalogue import CATALOGUE, UPPER_ENDS, find_measure
from helpers.strategies import on_each

# The properties of measures that need data are tested in test_density.py and test_css.py.
MEASURES = [measure for measure in CATALOGUE.values() if not measure.needs_data]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
TOLERANCE = 1e-9


def measures_that(law):
    """Every measure that claims the law, and no other."""
    return [measure for measure in MEASURES if getattr(measure, law)]


def labels(n: int, clusters: int = 6) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, clusters - 1), min_size=n, max_size=n)


@st.composite
def clusterings(draw: st.DrawFn, how_many: int) -> list[list[int]]:
    n = draw(st.integers(1, 24))
    return [draw(labels(n, draw(st.integers(1, 8)))) for _ in range(how_many)]


def test_every_exported_measure_is_listed() -> None:
    endings = ("_score", "_distance", "_error", "_information")
    homes = {f"clusterwise.measures.{measure.family}" for measure in CATALOGUE.values()}
    exported = {
        name
        for name in cw.__all__
        if name.endswith(endings) and getattr(cw, name).__module__ in homes
    }
    assert exported == set(CATALOGUE)


def test_every_upper_end_is_used() -> None:
    assert set(UPPER_ENDS) == {measure.high for measure in CATALOGUE.values()}


@every_measure
def test_function_is_the_public_one(measure) -> None:
    assert measure.function is getattr(cw, measure.name)


@given(pair=clusterings(2))
@on_each(measure=MEASURES)
def test_range(measure, pair) -> None:
    value = measure.function(*pair)
    assert math.isfinite(value)
    assert measure.low - TOLERANCE <= value <= measure.upper_end(len(pair[0])) + TOLERANCE


@given(pair=clusterings(2))
@on_each(measure=measures_that("symmetric"))
def test_symmetry(measure, pair) -> None:
    a, b = pair
    assert measure.function(a, b) == pytest.approx(measure.function(b, a), abs=TOLERANCE)


@pytest.mark.parametrize(
    "measure", [m for m in MEASURES if not m.symmetric], ids=lambda measure: measure.name
)
def test_asymmetry_is_real(measure) -> None:
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    assert measure.function(a, b) != pytest.approx(measure.function(b, a), abs=1e-3)


@given(pair=clusterings(2), seed=st.integers(0, 2**32 - 1))
@on_each(measure=MEASURES)
def test_names_and_order_do_not_matter(measure, pair, seed) -> None:
    rng = np.random.default_rng(seed)
    a, b = map(np.array, pair)
    order = rng.permutation(a.size)
    renamed = np.array([f"c{i}" for i in rng.permutation(10)])[a[order]]
    other = (rng.permutation(10) * 1000 - 5)[b[order]]
    assert measure.function(renamed, other) == pytest.approx(measure.function(a, b), abs=TOLERANCE)


@given(one=clusterings(1))
@on_each(measure=MEASURES)
def test_identity(measure, one) -> None:
    a = one[0]
    value = measure.function(a, [f"name {label}" for label in a])
    if measure.direction == "distance":
        assert value == 0
    elif measure.name == "mutual_info_score":
        shares = np.unique(a, return_counts=True)[1] / len(a)
        assert value == pytest.approx(-(shares * np.log(shares)).sum(), abs=TOLERANCE)
    elif measure.identity != "always" and len(set(a)) == len(a):
        assert value == 0
    else:
        assert value == 1


@given(pair=clusterings(2))
@on_each(measure=measures_that("metric"))
def test_only_equal_clusterings_have_distance_zero(measure, pair) -> None:
    a, b = pair
    equal = len(set(a)) == len(set(b)) == len(set(zip(a, b, strict=True)))
    assert (measure.function(a, b) <= TOLERANCE) == equal


@pytest.mark.parametrize("noisy", ["a", "b", "both"])
@pytest.mark.parametrize("measure", CATALOGUE.values(), ids=lambda measure: measure.name)
def test_weighted_noise_counts_as_repeated_singletons(measure, noisy) -> None:
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 3, (2, 12))
    X, weights = rng.normal(size=(12, 2)), rng.integers(0, 4, 12)
    weights[[*X.argmin(axis=0), *X.argmax(axis=0)]] = 1  # repeated rows have the same bins
    if noisy != "b":
        a[[1, 4, 5]] = -1
    if noisy != "a":
        b[[0, 4, 7]] = -1
    rows = np.repeat(np.arange(12), weights)
    data, repeated = ((X,), (X[rows],)) if measure.needs_data else ((), ())
    found = measure.function(a, b, *data, sample_weight=weights, noise="singletons")
    expected = measure.function(a[rows], b[rows], *repeated, noise="singletons")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    floats = measure.function(a, b, *data, sample_weight=weights * 1.0, noise="singletons")
    assert floats == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(three=clusterings(3))
@on_each(measure=measures_that("metric"))
def test_triangle_inequality(measure, three) -> None:
    a, b, c = three
    ab, bc, ac = (measure.function(*pair) for pair in ((a, b), (b, c), (a, c)))
    assert ac <= ab + bc + TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adjusted_rand_score", "adjusted_mutual_info_score"])
def test_adjusted_for_chance(name) -> None:
    assert CATALOGUE[name].adjusted
    rng = np.random.default_rng(0)
    a = np.repeat([0, 1, 2], [5, 4, 3])
    values = [find_measure(name).function(a, rng.permutation(a)) for _ in range(4000)]
    error = np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * error


@given(pair=clusterings(2), numbers=st.lists(st.integers(0, 4), min_size=24, max_size=24))
@on_each(measure=MEASURES)
def test_whole_weights_repeat_objects(measure, pair, numbers) -> None:
    a, b = map(np.array, pair)
    weights = np.array(numbers[: a.size])
    repeated = measure.function(np.repeat(a, weights), np.repeat(b, weights))
    for kind in (np.int64, np.float64):
        weighted = measure.function(a, b, sample_weight=weights.astype(kind))
        assert weighted == pytest.approx(repeated, abs=TOLERANCE)


@every_measure
def test_fractional_weights(measure) -> None:
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]
    weights = [1.5, 2.25, 3.0, 1.25]
    if measure.weights == "whole":
        with pytest.raises(cw.InputError, match="must be integers"):
            measure.function(a, b, sample_weight=weights)
    else:
        assert math.isfinite(measure.function(a, b, sample_weight=weights))


@every_measure
def test_no_object_has_a_value(measure) -> None:
    value = measure.function([], [])
    best = 0.0 if measure.direction == "distance" or measure.name == "mutual_info_score" else 1.0
    if measure.name == "fowlkes_mallows_score":
        best = 0.0
    assert value == best


@every_measure
def test_a_ready_table_stands_for_both(measure) -> None:
    a, b = ["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2]
    table = cw.Contingency.from_labels(a, b)
    assert measure.function(table) == measure.function(a, b)
    with pytest.raises(cw.InputError, match="leave the second clustering out"):
        measure.function(table, b)
    with pytest.raises(cw.InputError, match="leave noise out"):
        measure.function(table, noise="drop")


@every_measure
def test_help_spells_the_options_out(measure) -> None:
    import inspect

    doc = inspect.getdoc(measure.function)
    for section in ("Parameters", "Returns", "See Also", "References", "Examples"):
        assert f"{section}\n---" in doc
    for placeholder in ("hard", "hard_or_soft", "label_options"):
        assert "{" + placeholder + "}" not in doc
    assert "noise_label" in doc


def test_unknown_names_get_suggestions() -> None:
    with pytest.raises(cw.InputError, match="did you mean adjusted_rand_score"):
        find_measure("ajusted_rand")
    with pytest.raises(cw.InputError, match="list_measures"):
        find_measure("zzz")


def test_the_list_prints_and_converts() -> None:
    table = cw.list_measures()
    assert len(table) == len(CATALOGUE)
    assert str(table).count("\n") == len(CATALOGUE)
    assert "<table>" in table._repr_html_()
    assert len(json.loads(json.dumps(table.to_dict()))) == len(CATALOGUE)
    assert list(table.to_frame("polars")["name"]) == list(CATALOGUE)
