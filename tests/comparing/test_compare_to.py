"""``compare_to``: differences on the same objects, against leaving out each of them."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterwise as cw
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.statistics import FORMULAS
from reference import chance as naive

RANDOM = np.random.default_rng(0)
N = 150
TRUTH = RANDOM.integers(0, 3, N)


def noisy(share, k=3, seed=0):
    random = np.random.default_rng(seed)
    return np.where(random.random(N) < share, random.integers(0, k, N), TRUTH)


RUNS = {"near": noisy(0.2), "far": noisy(0.7, seed=1), "also near": noisy(0.2, seed=2)}


@pytest.mark.parametrize(
    "measure", ["adjusted_rand_score", "van_dongen_distance", "wallace_score", "irm_score"]
)
def test_differences_are_those_of_the_jackknife(measure):
    result = cw.compare_to(TRUTH, RUNS, measure=measure)
    function = find_measure(measure).function
    scale = N if measure == "van_dongen_distance" else 1
    for i, a in enumerate(RUNS.values()):
        assert result.values[i] == pytest.approx(function(TRUTH, a))
        for j, b in enumerate(RUNS.values()):
            found = result.differences[i][j]
            assert found.value == pytest.approx(result.values[i] - result.values[j])
            if i == j:
                assert found.p_value == 1
                continue
            without = [naive.without_each(TRUTH.tolist(), one.tolist(), function) for one in (a, b)]
            per_object = (np.subtract(*without)) / (1 if scale == 1 else N - 1)
            error = naive.jackknife_variance(per_object.tolist()) ** 0.5 * scale
            # The quantile of Student's t has many degrees of freedom.
            assert 1.95 < (found.high - found.low) / 2 / error < 2.1
            assert found.low <= found.value <= found.high


def test_information_is_corrected_for_bias():
    """Labels with more clusters share more information by chance."""
    random = np.random.default_rng(1)
    many = random.integers(0, 25, N)
    few = random.integers(0, 2, N)
    result = cw.compare_to(TRUTH, [many, few], measure="mutual_info_score")
    assert result.values[0] > result.values[1] + 0.1
    assert result.differences[0][1].value < 0.5 * (result.values[0] - result.values[1])


def test_ranks_show_ties():
    result = cw.compare_to(TRUTH, RUNS)
    assert result.ranks == [1, 3, 1]
    assert [result.names[i] for i in result.order][-1] == "far"
    assert result.adjusted_p_values[0, 1] <= 0.05 < result.adjusted_p_values[0, 2]
    as_distance = cw.compare_to(TRUTH, RUNS, measure="clustering_error")
    assert as_distance.ranks == [1, 3, 1]


def test_p_values_are_corrected_for_the_number_of_pairs():
    result = cw.compare_to(TRUTH, RUNS)
    p_values, adjusted = result.p_values, result.adjusted_p_values
    assert np.isnan(np.diag(p_values)).all()
    np.testing.assert_allclose(p_values, p_values.T)
    upper = np.triu_indices(3, 1)
    smallest = np.argmin(p_values[upper])
    assert adjusted[upper][smallest] == pytest.approx(3 * p_values[upper][smallest])


def test_tests_of_equally_good_clusterings_keep_their_size():
    """Of 200 tests at 5 %, more than 20 reject with probability 0.1 %."""
    rejected = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 4, 200)
        runs = [np.where(random.random(200) < 0.4, random.integers(0, 4, 200), truth)
                for _ in range(2)]  # fmt: skip
        rejected += cw.compare_to(truth, runs).differences[0][1].p_value <= 0.05
    assert 1 <= rejected <= 20


def test_equal_clusterings_are_tied_and_the_reference_is_closest():
    result = cw.compare_to(TRUTH, {"one": RUNS["near"], "same": RUNS["near"], "truth": TRUTH})
    assert result.ranks == [2, 2, 1]
    assert result.differences[0][1] == (0.0, 0.0, 0.0, 1.0)


def test_a_difference_that_no_object_changes_has_the_error_of_chance():
    truth = [0, 0, 1, 1] * 10
    result = cw.compare_to(truth, {"same": truth, "independent": [0, 1, 0, 1] * 10})
    found = result.differences[0][1]
    assert found.value == pytest.approx(1 + 1 / 39, abs=0.01)
    assert found.p_value < 1e-6
    assert result.ranks == [1, 2]
    nothing = cw.compare_to(truth, {"same": truth, "single": [0] * 40})
    assert nothing.ranks == [1, 2]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_frames(make):
    expected = cw.compare_to(TRUTH, RUNS)
    frame = make({"truth": TRUTH, **RUNS})
    found = cw.compare_to("truth", list(RUNS), frame=frame)
    assert found.reference == "truth"
    assert found.n == N
    np.testing.assert_allclose(found.p_values, expected.p_values, rtol=1e-6)
    np.testing.assert_allclose(found.values, expected.values)
    if make is not pl.LazyFrame:
        again = cw.compare_to(pd.Series(TRUTH, name="truth"), make(RUNS))
        assert again.to_dict() == found.to_dict() | {"objects": N}


def test_weights_are_objects():
    weights = np.random.default_rng(2).integers(0, 4, N)
    weighted = cw.compare_to(TRUTH, RUNS, sample_weight=weights)
    repeated = cw.compare_to(
        np.repeat(TRUTH, weights), {k: np.repeat(v, weights) for k, v in RUNS.items()}
    )
    np.testing.assert_allclose(weighted.p_values, repeated.p_values, rtol=1e-6)
    np.testing.assert_allclose(weighted.values, repeated.values)


def test_objects_left_out_of_one_are_left_out_of_all():
    gaps = {name: [None if i % 10 == shift else int(one) for i, one in enumerate(run)]
            for shift, (name, run) in enumerate(RUNS.items())}  # fmt: skip
    kept = np.arange(N) % 10 > 2
    found = cw.compare_to(TRUTH, gaps, missing="drop")
    expected = cw.compare_to(TRUTH[kept], {name: run[kept] for name, run in RUNS.items()})
    assert found.to_dict() == expected.to_dict()
    noise = {name: np.where(np.arange(N) % 10 == 0, -1, run) for name, run in RUNS.items()}
    assert cw.compare_to(TRUTH, noise, noise="drop").n == N * 9 // 10


def test_series_are_matched_by_index():
    series = {name: pd.Series(run) for name, run in RUNS.items()}
    mixed = {name: run.sample(frac=1, random_state=i) for i, (name, run) in
             enumerate(series.items())}  # fmt: skip
    found = cw.compare_to(pd.Series(TRUTH), mixed, align="index")
    assert found.to_dict() == cw.compare_to(TRUTH, RUNS).to_dict()


def test_sentences():
    two = {"near": RUNS["near"], "far": RUNS["far"]}
    result = cw.compare_to(TRUTH, two)
    said = result.summary()
    assert said.startswith(
        f"near is closest to the reference (adjusted_rand_score {result.values[0]:.4f}, 95% "
    )
    found = result.differences[0][1]
    assert f"differs from that of far by {found.value:.4f} (95% interval {found.low:.4f}" in said
    three = cw.compare_to(TRUTH, RUNS).summary()
    assert "is open: " in three
    assert "far (3)" in three
    assert "(p-values corrected for 3 pairs by Holm)" in three


def test_sentences_without_an_interval():
    same = cw.compare_to(TRUTH, {"one": RUNS["near"], "two": RUNS["near"]}).summary()
    assert same.endswith("Both have the same value, also without any one of the objects.")
    two = {"single": TRUTH * 0, "objects": range(N)}
    trivial = cw.compare_to(TRUTH, two, measure="wallace_score")
    assert trivial.values.tolist() == [1, 0]
    assert np.isnan(trivial.differences[0][1].p_value)
    assert "has no interval: leaving out any object changes nothing." in trivial.summary()


@pytest.mark.parametrize("measure", FORMULAS)
def test_trivial_clusterings(measure):
    three, single, objects = np.arange(12) % 3, np.zeros(12, int), np.arange(12)
    for reference in (three, single, objects):
        result = cw.compare_to(
            reference, {"three": three, "single": single, "objects": objects}, measure=measure
        )
        function = find_measure(measure).function
        expected = [function(reference, one) for one in (three, single, objects)]
        np.testing.assert_allclose(result.values, expected, atol=1e-9)
        assert result.summary()
        assert min(result.ranks) == 1


def test_result():
    result = cw.compare_to(TRUTH, RUNS)
    frame = result.to_frame("pandas")
    assert list(frame) == ["name", "rank", "value", "low", "high"]
    assert frame["rank"].tolist() == [1, 1, 3]
    plain = result.to_dict()
    assert len(plain["differences"]) == 3
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    ranking, differences = result.text_tables()
    assert [row[0] for row in ranking.rows] == ["1", "1", "3"]
    assert differences.header[-1] == "adjusted"


def test_refusals():
    with pytest.raises(cw.InputError, match="got 1 clusterings; pass at least two"):
        cw.compare_to(TRUTH, [TRUTH])
    with pytest.raises(cw.InputError, match="noise='singletons' repeats noise objects"):
        cw.compare_to(TRUTH, RUNS, noise="singletons")
    with pytest.raises(cw.InputError, match="adco_score takes features"):
        cw.compare_to(TRUTH, RUNS, measure="adco_score")
    with pytest.raises(cw.InputError, match="is a soft membership matrix"):
        cw.compare_to(TRUTH, [np.full((N, 2), 0.5), TRUTH])
    with pytest.raises(cw.InputError, match="clusterings is a lazy frame; pass it as frame"):
        cw.compare_to(TRUTH, pl.LazyFrame(RUNS))
    with pytest.raises(cw.InputError, match="must be integers"):
        cw.compare_to(TRUTH, RUNS, sample_weight=np.full(N, 0.7))
    with pytest.raises(cw.InputError, match="at least three objects"):
        cw.compare_to([0, 1], [[0, 1], [1, 1]])
    with pytest.raises(cw.InputError, match="too many to leave out each object"):
        cw.compare_to(np.arange(300), [np.arange(300), np.arange(300) // 2])
    with pytest.raises(cw.InputError, match="no object is in all clusterings"):
        cw.compare_to([0, 1], [[0, None], [None, 1]], missing="drop")
