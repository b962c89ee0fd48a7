"""The comparisons of the ADCO paper: printed values, arithmetic of claims, small runs."""

import os
from pathlib import Path

import numpy as np
import pytest
from experiments.adco import (
    EXPERIMENTS,
    fig12,
    fig13,
    preprocessing,
    table3,
    table5,
    table7 as kdd,
    tables8_9,
    worked_examples,
)
from experiments.adco.datasets import (
    DATASETS,
    DEFAULT_PREPROCESSING,
    METHODS,
    PREPROCESSINGS,
    Preprocessing,
    cluster,
    make_points,
)
from experiments.adco.published import (
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    TABLE_8,
    TABLE_9,
    Measures,
)
from experiments.adco.shapes import PLANS, make_example
from experiments.common.experiment import Setup
from experiments.running import as_text, run_experiment

import clusterwise as cw
from clusterwise.datasets import Dataset

pytestmark = pytest.mark.slow

FOLDER = os.environ.get("CLUSTERWISE_DATA")
needs_data = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / f"{name}.csv.gz").exists() for name in DATASETS),
    reason="CLUSTERWISE_DATA names no folder with the six data sets",
)


def claim(claims, part):
    found = [one for one in claims if part in one.sentence]
    assert len(found) == 1
    return found[0]


def test_the_experiments_are_named_after_tables_and_figures():
    names = [one.name for one in EXPERIMENTS]
    assert names[:7] == [
        "adco-structure", "adco-table5", "adco-table7", "adco-table8", "adco-table9", "adco-fig12",
        "adco-fig13",
    ]  # fmt: skip
    assert len(names) == len(set(names))


def test_printed_values():
    assert TABLE_3["Fig. 5 (a)-(c)"]["far"] == Measures(0.67, 0.56, 0.55, 0.68, 0.15)
    assert TABLE_5["glass"]["EM"] == Measures(0.79, 0.72, 0.78, 0.48, 1.99)
    assert TABLE_5["vehicle"]["average linkage"] == Measures(0.25, 0.49, 0.66, 0.19, 1.95)
    assert TABLE_4["vehicle"].instances == 946
    assert TABLE_7["DE"] == 0.736
    assert TABLE_8["eucalyptus"]["average linkage"] == 0.68
    assert TABLE_9["ionosphere"]["EM"] == 0.91
    for table in (TABLE_4, TABLE_5, TABLE_8, TABLE_9):
        assert list(table) == list(DATASETS)
    for table in (TABLE_5, TABLE_8, TABLE_9):
        assert all(tuple(each) == METHODS for each in table.values())


def test_printed_jaccard_is_a_function_of_the_rand_index():
    printed = [one for methods in TABLE_5.values() for one in methods.values()]
    assert len(printed) == 18
    assert all(abs(table5.by_rand(one) - one.jaccard) < 0.0055 for one in printed)
    column = claim(table5.print_claims(), "column JI")
    # Only where everything is 1 does it not exceed the Rand index.
    assert (column.holds, column.of) == (1, 18)


def test_sizes_of_the_figures_give_the_printed_memberships():
    for name, plan in PLANS.items():
        one = make_example(plan, 0)
        printed = TABLE_3[name]["near"]
        for moved in (one.near, one.far):
            assert (moved != one.given).sum() == plan.moved
            assert cw.rand_score(one.given, moved) == pytest.approx(printed.rand, abs=0.0051)
            accuracy = cw.cluster_accuracy_score(one.given, moved)
            assert accuracy == pytest.approx(printed.accuracy, abs=0.0051)
    one = make_example(PLANS["Fig. 1"], 0)
    information = cw.variation_of_information(one.given, one.far)
    assert information / np.log(30) == pytest.approx(0.16, abs=0.005)
    assert cw.pair_jaccard_score(one.given, one.near) == pytest.approx(0.59, abs=0.0051)


def test_near_objects_are_nearer_than_far_ones():
    for plan in PLANS.values():
        one = make_example(plan, 1)
        gaps = [
            np.linalg.norm(one.points[labels != one.given] - plan.centres[1], axis=1).mean()
            for labels in (one.near, one.far)
        ]
        assert gaps[0] < gaps[1]


def test_the_printed_triple_is_no_counter_example_and_ours_is():
    distances = worked_examples.make_claims()
    assert claim(distances, "breaks the triangle").holds == 0
    printed, ours = (
        worked_examples._excess([worked_examples.profile_of((vector,)) for vector in triple])
        for triple in (worked_examples.PRINTED_TRIPLE, worked_examples.OUR_TRIPLE)
    )
    assert printed == pytest.approx(2 / 3 - 0.48 - 0.24)
    assert ours == pytest.approx(2 / 9)
    assert claim(distances, "2 - ADCO").verdict == "holds"


def test_structure_runs_alike_twice_and_tells_its_choice():
    first, second = (table3.run(Setup(3)) for _ in range(2))
    assert first == second
    assert claim(first.claims, "evenly spread").of == 9
    assert claim(first.claims, "are the same for both").verdict == "holds"
    assert claim(first.claims, "Section 1.1").verdict == "does not hold"
    assert claim(first.claims, "column Jaccard").verdict == "holds on 2 of 3"
    assert "not published" in first.remarks[0]
    assert "chosen" in first.remarks[0]
    assert "VI / log n is 0.16" in repr(first.tables[0])


def found_as(**changes):
    """The printed Table 5, but for some sets and methods."""
    found = {(name, method): TABLE_5[name][method] for name in DATASETS for method in METHODS}
    return found | changes.pop("cells", {})


def test_claims_of_table_5_on_its_printed_values():
    claims = table5.make_claims(found_as())
    assert [one.verdict for one in claims[:4]] == ["holds"] * 4
    # By its own values the variation of information always tells them apart.
    assert claims[4].verdict == "holds on 3 of 4"


def test_claims_of_table_5_can_fail():
    equal = Measures(0.5, 0.9, 0.9, 0.9, 0.1)
    other = Measures(0.9, 0.1, 0.1, 0.1, 2.0)
    cells = {
        ("german", "EM"): equal,
        ("german", "average linkage"): other,
        ("diabetes", "EM"): equal,
        ("diabetes", "average linkage"): other,
    }
    claims = table5.make_claims(found_as(cells=cells))
    assert [one.holds for one in claims[:4]] == [1, 0, 0, 0]
    same = {(name, method): equal for name in DATASETS for method in METHODS}
    assert (
        claim(table5.make_claims(same), "Every membership-based measure").verdict == "does not hold"
    )


def test_a_leak_is_what_only_the_class_explains():
    printed = TABLE_5["diabetes"]["k-means"]
    far = printed._replace(information=0.5)
    within, without = DEFAULT_PREPROCESSING._replace(classes=True), DEFAULT_PREPROCESSING
    key = ("diabetes", "k-means")

    def judged(inside, outside):
        each = [
            preprocessing.measure_gap(within, inside, printed),
            preprocessing.measure_gap(without, outside, printed),
        ]
        return preprocessing.leak_claim({key: each})

    assert judged(printed, far).verdict == "does not hold"
    assert "Diabetes by k-means" in judged(printed, far).why
    assert judged(printed, printed).verdict == "holds"
    assert judged(far, printed).verdict == "holds"
    # A line that nothing reproduces says nothing, and nearer is not enough.
    for inside in (far, printed._replace(information=0.1)):
        assert judged(inside, far).verdict == "cannot be decided"
        assert judged(inside, far).why == "No preprocessing reproduces 1 of 1 lines."


def small_set():
    rng = np.random.default_rng(0)
    X = np.empty((40, 3), object)
    X[:, 0] = rng.normal(size=40) + np.repeat([0.0, 50.0], 20)
    X[:, 1] = rng.normal(size=40)
    X[:, 2] = np.where(np.arange(40) % 2, "a", "b")
    labels = np.repeat(np.array(["x", "y"], object), 20)
    return Dataset("small", X, labels, ("u", "v", "w"), ("numeric", "numeric", "nominal"))


@pytest.mark.parametrize("way", PREPROCESSINGS)
def test_points_have_the_requested_scale(way):
    points = make_points(small_set(), way)
    assert points.shape == (40, 4 if way.categories else 2)
    if way.scale == "0 to 1":
        assert np.ptp(points[:, 0]) == pytest.approx(1.0)
    elif way.scale == "standardised":
        assert points[:, 0].std() == pytest.approx(1.0)
    else:
        assert np.ptp(points[:, 0]) > 40
    leaking = make_points(small_set(), way._replace(classes=True))
    assert np.array_equal(leaking[:, -2], np.repeat([1.0, 0.0], 20))


@pytest.mark.parametrize("method", METHODS)
def test_methods_find_what_is_plain_to_see(method):
    data = small_set()
    labels = cluster(make_points(data, Preprocessing("unscaled", categories=False)), 2, method, 0)
    assert cw.rand_score(data.labels, labels) == 1


def test_segments_match_their_mixes_and_do_not_overlap():
    types = np.array(list("aaabbbaaacccaab"))
    mixes = {"one": {"c": 3}, "two": {"a": 2, "b": 1}}
    assert kdd.count_matches(types, mixes["one"], 3).tolist() == [0] * 7 + [1, 2, 3, 2, 1, 0]
    rows = kdd.take_segments(types, mixes, 3, 0)
    assert rows["one"].tolist() == [9, 10, 11]
    assert rows["two"].tolist() == [1, 2, 3]
    assert kdd.take_segments(types, mixes, 3, 1)["one"].tolist() == [8, 9, 10]
    twice = kdd.take_segments(types, {"one": {"c": 3}, "again": {"c": 2, "a": 1}}, 3, 1)
    assert not set(twice["one"]) & set(twice["again"])


def test_first_connections_are_taken_once():
    types = np.array(list("aabab"))
    rows = kdd.take_first(types, {"one": {"a": 1, "b": 1}, "two": {"a": 2}})
    assert {name: each.tolist() for name, each in rows.items()} == {"one": [0, 2], "two": [1, 3]}


def test_readings_of_table_7():
    assert kdd.correct(TABLE_6)["E"] == {"normal": 24, "snmpgetattack": 3, "neptune": 973}
    assert TABLE_6["E"]["warezmaster"] == 973
    assert kdd.printed_as("DF", kdd.BEST) == "DE"
    assert kdd.printed_as("EF", kdd.BEST) == "EF"
    assert kdd.printed_as("DF", kdd.PRINTED) == "DF"
    for other in "ABC":
        assert TABLE_7[f"{other}F"] == TABLE_7[f"{other}D"]


def test_claims_of_table_7_both_ways():
    whole = {name: sum(mix.values()) for name, mix in TABLE_6.items()}
    swapped = {pair: TABLE_7[kdd.printed_as(pair, kdd.BEST)] for pair in TABLE_7}
    found = {kdd.PRINTED: TABLE_7, kdd.BEST: swapped, kdd.EARLIEST: swapped}
    claims = kdd.make_claims(found, whole, 1000)
    failing = [one.sentence for one in claims if one.holds < one.of]
    assert failing == ["C and D have no type in common except normal."]
    wrong = {pair: 1.0 - value for pair, value in TABLE_7.items()}
    claims = kdd.make_claims({**found, kdd.PRINTED: wrong}, {**whole, "E": 153}, 1000)
    assert claim(claims, "most similar").holds == 0
    assert claim(claims, "lower than A and D").holds == 0
    assert claim(claims, "0.998").holds == 0
    assert claim(claims, "segments of the stream").verdict == "holds on 5 of 6"
    assert claim(claims, "values of Table 7").holds < 15


def test_claims_of_tables_8_and_9_both_ways():
    for printed in (TABLE_8, TABLE_9):
        scores = {(name, way): printed[name][way] for name in DATASETS for way in METHODS}
        width = {(name, way): TABLE_5[name][way].adco for name in DATASETS for way in METHODS}
        assert [one.verdict for one in tables8_9.make_claims(scores, width)] == ["holds"] * 2
        near = scores | {("glass", "average linkage"): scores["glass", "EM"] - 0.05}
        apart = tables8_9.make_claims(near, width)[0]
        assert (apart.verdict, apart.why) == ("holds on 2 of 3", "Not on Glass.")
        assert tables8_9.make_claims(width, width)[1].verdict == "does not hold"


def curves_of(crossing):
    counts = fig12.list_bins(full=False)
    falling = 0.9 - 0.001 * np.arange(len(counts))
    flat = np.full(len(counts), 0.5)
    third = np.where(np.array(counts) < 5, 0.95, 0.6) if crossing else np.full(len(counts), 0.6)
    return counts, dict(zip(METHODS, (falling, third, flat), strict=True))


def test_claims_of_figure_12_both_ways():
    counts, plain = curves_of(crossing=False)
    _, crossed = curves_of(crossing=True)
    assert fig12.find_crossings(counts, plain) == []
    assert fig12.find_crossings(counts, crossed) == [1, 2, 3, 4]
    curves = {name: crossed if name in ("glass", "vehicle") else plain for name in DATASETS}
    ends = {name: {way: curve[-1] for way, curve in each.items()} for name, each in curves.items()}
    claims = fig12.make_claims(counts, curves, ends)
    assert [one.verdict for one in claims] == ["holds", "holds", "holds on 4 of 5", "holds"]
    assert "Vehicle at 1, 2, 3, 4" in claims[2].why
    # All are equal at the end: a tie is no other order.
    steep = {way: np.linspace(1.0, 0.0, len(counts)) * scale for way, scale in
             zip(METHODS, (1.0, 0.9, 0.8), strict=True)}  # fmt: skip
    far = {name: dict.fromkeys(METHODS, 0.5) for name in DATASETS}
    claims = fig12.make_claims(counts, dict.fromkeys(DATASETS, steep), far)
    assert [one.holds for one in claims[:2]] == [0, 0]
    assert claims[3].verdict == "does not hold"


def test_all_numbers_of_bins_in_the_full_form():
    assert fig12.list_bins(full=True) == list(range(1, 101))
    assert set(fig12._SHOWN) <= set(fig12.list_bins(full=False))


def times_of(power):
    """Made-up times that grow with a power of everything."""

    def grow(sizes):
        return {size: 1e-6 * size**power for size in sizes}

    every = (fig13.ADCO, *fig13.OTHERS)
    return {
        "bins": {fig13.ADCO: grow(fig13._BINS)},
        "features": {fig13.ADCO: grow(fig13._FEATURES)},
        "clusters": {name: grow(fig13._CLUSTERS) for name in every},
        "objects": {name: grow(fig13._OBJECTS) for name in (*every, fig13.PAIRWISE)},
    }


def test_claims_of_figure_13_both_ways():
    assert fig13.find_exponent({10: 1.0, 20: 1.0, 40: 4.0}) == pytest.approx(2.0)
    assert [one.holds for one in fig13.make_claims(times_of(0.4))] == [1, 1, 1, 4, 1, 0]
    assert [one.holds for one in fig13.make_claims(times_of(3.5))] == [0, 0, 0, 4, 0, 4]


def test_the_rand_index_pair_by_pair():
    rng = np.random.default_rng(3)
    a, b = rng.integers(3, size=50), rng.integers(4, size=50)
    assert fig13.rand_by_pairs(a, b) == pytest.approx(cw.rand_score(a, b))


@needs_data
def test_table_8_on_the_data_alike_twice():
    experiment = next(one for one in EXPERIMENTS if one.name == "adco-table8")
    first, second = (run_experiment(experiment, FOLDER, 1) for _ in range(2))
    assert first.outcome == second.outcome
    assert len(first.outcome.tables[0].lines) == 18
    assert "Credit" in as_text([first])


@needs_data
def test_k_means_is_right_about_diabetes_only_with_the_class():
    data = Setup(1, FOLDER).load("diabetes")
    found = preprocessing.try_preprocessings(data, "k-means")
    assert any(one.reached for one in found if one.steps.classes)
    assert not any(one.reached for one in found if not one.steps.classes)
    assert preprocessing.leak_claim({("diabetes", "k-means"): found}).verdict == "does not hold"


@needs_data
def test_sizes_of_the_data_beside_table_4():
    sizes = {name: table5._size(Setup(1, FOLDER).load(name)) for name in DATASETS}
    differing = {name for name in DATASETS if sizes[name] != TABLE_4[name]}
    assert differing == {"german", "glass", "vehicle"}
