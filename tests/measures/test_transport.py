"""The Mallows distance of clusterings: its properties, bounds and transport plans."""

import json

import numpy as np
import ot
import pytest
from hypothesis import assume, given
from scipy import sparse
from scipy.spatial.distance import cdist

import clusterwise as cw
from clusterwise.kernels.transport import solve_transport
from helpers.soft_strategies import one_hot, several
from helpers.strategies import forced, label_pairs, max_examples
from reference import transport as naive

WEIGHTS = pytest.mark.parametrize("weights", ["uniform", "size"])
EXPONENTS = pytest.mark.parametrize("p", [1, 1.5, 2])
TOLERANCE = 1e-9
SOLVERS = {"assignment", "shortest paths", "network simplex"}


def given_of(cases):
    return [case.given for case in cases]


def sorted_columns(case):
    return sorted(map(tuple, zip(*case.matrix, strict=True)))


@pytest.mark.slow
@WEIGHTS
@EXPONENTS
@given(cases=several(3))
def test_metric_axioms(weights, p, cases):
    def distance(first, second):
        return cw.mallows_distance(first.given, second.given, weights=weights, p=p)

    a, b, c = cases
    assert distance(a, b) >= 0
    assert distance(a, a) <= TOLERANCE
    assert distance(a, b) == pytest.approx(distance(b, a), abs=TOLERANCE)
    assert distance(a, c) <= distance(a, b) + distance(b, c) + TOLERANCE
    assert (distance(a, b) <= TOLERANCE) == (sorted_columns(a) == sorted_columns(b))


@WEIGHTS
@EXPONENTS
@max_examples(50)
@given(cases=several(2))
def test_definition(weights, p, cases):
    a, b = cases
    found = cw.mallows_distance(a.given, b.given, weights=weights, p=p)
    assert found == pytest.approx(naive.mallows(a.matrix, b.matrix, weights, p), abs=1e-7)
    if weights == "uniform" and len(a.matrix[0]) == len(b.matrix[0]):
        brute = naive.mallows_of_matchings(a.matrix, b.matrix, p)
        assert found == pytest.approx(brute, abs=1e-12)


@EXPONENTS
@WEIGHTS
@given(cases=several(2))
def test_bounds(weights, p, cases):
    a, b = cases
    n, height, width = len(a.matrix), len(a.matrix[0]), len(b.matrix[0])
    found = cw.mallows_distance(*given_of(cases), weights=weights, p=p)
    assert found**p <= n + TOLERANCE
    normalized = cw.mallows_distance(*given_of(cases), weights=weights, p=p, normalized=True)
    assert normalized == pytest.approx(found / n ** (1 / p), abs=1e-12)
    assert 0 <= normalized <= 1
    if weights == "uniform":
        assert found**p <= n * (1 / height + 1 / width) + TOLERANCE
        if height == width and p == 1:
            assert found <= 2 * n * (height - 1) / height**2 + TOLERANCE


@given(pair=label_pairs(max_size=20))
def test_hard_clusterings_with_as_many_clusters(pair):
    clusters = len(set(pair.a))
    assume(clusters == len(set(pair.b)))
    wanted = 2 * len(pair.a) / clusters * cw.clustering_error(*pair)
    assert cw.mallows_distance(*pair) == pytest.approx(wanted, abs=1e-12)


@WEIGHTS
@pytest.mark.parametrize("route", ["dense", "sparse"])
@given(pair=label_pairs(max_size=20))
def test_against_pot_on_one_hot_matrices(weights, route, pair):
    a, b = (one_hot(side) for side in pair)
    cost = ot.dist(a.T.copy(), b.T.copy(), metric="cityblock")
    sides = [
        np.full(side.shape[1], 1 / side.shape[1]) if weights == "uniform" else side.mean(axis=0)
        for side in (a, b)
    ]
    sides[1] *= sides[0].sum() / sides[1].sum()
    with forced(route):
        found = cw.mallows_distance(*pair, weights=weights)
    assert found == pytest.approx(ot.emd2(*sides, cost), abs=TOLERANCE)


@pytest.mark.parametrize("p", [1.5, 2, 3])
def test_nearly_equal_sparse_memberships_are_at_a_real_distance(p):
    """What rounding leaves of the differences may be below zero; a distance never is."""
    for seed in range(40):
        first = np.random.default_rng(seed).dirichlet([1, 1, 1], 50)
        second = first.copy()
        second[3, 0] += 1e-14
        found = cw.mallows_distance(sparse.csr_array(first), sparse.csr_array(second), p=p)
        assert isinstance(found, float)
        assert 0 <= found < 1e-13 ** (1 / p)


def test_rounding_of_rows_makes_no_negative_distance():
    found = cw.mallows_distance([0, 0], [[1.000005], [1.000005]])
    assert 0 <= found < 2e-5


def test_a_ready_overlap_knows_its_exponent():
    labels, soft = [0, 0, 1], [[0.5, 0.5], [1, 0], [0, 1]]
    for a, b in ((labels, soft), (soft, labels), (soft, soft[::-1])):
        for p in (1, 2):
            ready = cw.SoftOverlap.from_memberships(a, b, p=p)
            assert cw.mallows_distance(ready, p=p) == cw.mallows_distance(a, b, p=p)
        with pytest.raises(cw.InputError, match="the SoftOverlap was computed with p=1"):
            cw.mallows_distance(cw.SoftOverlap.from_memberships(a, b), p=2)
    hard = cw.SoftOverlap.from_memberships(labels, [0, 1, 1])
    assert cw.mallows_distance(hard, p=2) == cw.mallows_distance(labels, [0, 1, 1], p=2)


A, B = list("xxxyyz"), list("ppqqqq")


def test_given_weights():
    in_order = cw.mallows_distance(A, B, weights=([3, 2, 1], [1, 2]))
    assert in_order == pytest.approx(cw.mallows_distance(A, B, weights="size"), abs=1e-12)
    by_name = {"z": 1, "x": 3, "y": 2, "not there": 9}, {"q": 2.0, "p": 1.0}
    assert cw.mallows_distance(A, B, weights=by_name) == in_order
    even = cw.mallows_distance(A, B, weights=[[5, 5, 5], [0.1, 0.1]])
    assert even == pytest.approx(cw.mallows_distance(A, B), abs=1e-12)
    # All weight on x and on p: one object is in x alone.
    assert cw.mallows_distance(A, B, weights=([1, 0, 0], [1, 0])) == 1
    soft = one_hot(A) * 0.5 + 1 / 6
    columns = [np.abs(soft[:, k] - one_hot(B)[:, 1]).sum() for k in (0, 2)]
    found = cw.mallows_distance(soft, B, weights=([1, 0, 1], {"p": 0, "q": 3}))
    assert found == pytest.approx(sum(columns) / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("equal", "weights='equal' is unknown; use 'uniform', 'size' or a pair of values"),
        ([1, 2, 3], r"weights=\[1, 2, 3\] is unknown; use 'uniform', 'size' or a pair"),
        (None, "weights=None is unknown; use 'uniform', 'size' or a pair of values"),
        (([1, 2], [1, 2]), r"the weights of a have shape \(2,\) for 3 clusters; .*'x', 'y', 'z'"),
        (([1, 2, 3], 4), r"the weights of b have shape \(\) for 2 clusters"),
        (({"x": 1, "y": 2}, [1, 1]), "the weights of a lack the cluster 'z'; add it"),
        (([1, 2, 3], [1, -1]), "the weights of b must be numbers of at least 0, and not all 0"),
        (([0, 0, 0], [1, 1]), "the weights of a must be numbers of at least 0, and not all 0"),
        (([1, 2, 3], [1, np.nan]), "the weights of b must be finite"),
        (([[1], [2], [3]], [1, 1]), "the weights of a must be numbers of at least 0"),
    ],
)
def test_weights_that_are_none(weights, message):
    with pytest.raises(cw.InputError, match=message):
        cw.mallows_distance(A, B, weights=weights)


@WEIGHTS
@pytest.mark.parametrize("measure", ["mallows_distance", "css_distance", "irm_score"])
@given(cases=several(2))
def test_plans_move_all_weight(weights, measure, cases):
    a, b = cases
    X = [[float(i), float(i * i)] for i in range(len(a.matrix))]
    points = X if measure == "css_distance" else None
    plan = cw.transport_plan(a.given, b.given, points, measure=measure, weights=weights)
    kind = "size" if measure == "irm_score" else weights
    for axis, case, held in ((1, a, plan.row_weights), (0, b, plan.column_weights)):
        wanted = naive.cluster_weights(case.matrix, kind)
        np.testing.assert_allclose(plan.plan.sum(axis=axis), wanted, atol=1e-9)
        np.testing.assert_allclose(held, wanted, atol=1e-12)
    assert plan.plan.min() >= 0
    assert sum(match.amount for match in plan.matches) == pytest.approx(1, abs=1e-9)
    for match in plan.matches:
        assert 0 < match.share_of_a <= 1 + 1e-9
        assert 0 < match.share_of_b <= 1 + 1e-9
    if measure == "mallows_distance":
        assert plan.value == cw.mallows_distance(a.given, b.given, weights=weights)
        assert (plan.plan * plan.cost).sum() == pytest.approx(plan.value, abs=TOLERANCE)
        assert plan.solver in SOLVERS
    elif measure == "irm_score":
        assert plan.value == cw.irm_score(a.given, b.given)
        assert 1 - (plan.plan * plan.cost).sum() == pytest.approx(plan.value, abs=TOLERANCE)
        assert plan.solver == "greedy"


@given(pair=label_pairs(max_size=25))
def test_plans_of_dense_and_sparse_tables(pair):
    for options in (
        {"weights": "uniform"},
        {"weights": "size"},
        {"measure": "irm_score", "matching": "greedy"},
        {"measure": "irm_score", "matching": "optimal"},
    ):
        plans = []
        for route in ("dense", "sparse"):
            with forced(route):
                plans.append(cw.transport_plan(*pair, **options))
        dense, thin = plans
        assert thin.value == pytest.approx(dense.value, abs=TOLERANCE)
        np.testing.assert_allclose(thin.cost, dense.cost, atol=1e-12)
        for axis in (0, 1):
            np.testing.assert_allclose(
                thin.plan.sum(axis=axis), dense.plan.sum(axis=axis), atol=TOLERANCE
            )


@pytest.mark.slow
def test_many_clusters():
    """Past the dense table: 3000 clusters against 2500, most pairs of which share nothing."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3000, 8000), rng.integers(0, 2500, 8000)
    plan = cw.transport_plan(a, b, weights="size")
    assert plan.solver == "network simplex"
    table = cw.Contingency.from_labels(a, b)
    assert table.is_sparse
    np.testing.assert_allclose(
        np.bincount(plan.nonzero.rows, plan.nonzero.amounts), plan.row_weights
    )
    with forced("dense"):
        assert cw.mallows_distance(a, b, weights="size") == pytest.approx(plan.value, abs=1e-9)


def test_solvers_are_named():
    assert cw.transport_plan(A, A).solver == "assignment"
    assert cw.transport_plan(A, B).solver == "shortest paths"
    assert cw.transport_plan(A, A, weights="size").solver in SOLVERS - {"assignment"}
    assert cw.transport_plan(A, B, measure="irm_score").solver == "greedy"
    assert cw.transport_plan(A, B, measure="irm_score", matching="optimal").solver in SOLVERS
    with pytest.raises(cw.InputError, match="measure='rand_score' is unknown; use 'mallows_dist"):
        cw.transport_plan(A, B, measure="rand_score")


def test_plans_say_who_went_where():
    plan = cw.transport_plan(A, B, weights="size")
    assert [str(name) for name in plan.row_names] == ["x", "y", "z"]
    assert plan.sentences() == [
        "66.7% of cluster 'x' went to 'p', 33.3% to 'q'.",
        "100.0% of cluster 'y' went to 'q'.",
        "100.0% of cluster 'z' went to 'q'.",
    ]
    first = plan.matches[0]
    assert (first.a, first.amount, first.share_of_a) in {("x", 1 / 3, 2 / 3), ("y", 1 / 3, 1.0)}
    assert sorted(m.amount for m in plan.matches)[::-1] == [m.amount for m in plan.matches]
    plain = json.loads(json.dumps(plan.to_dict()))
    assert (plain["measure"], plain["value"]) == ("mallows_distance", plan.value)
    assert {(m["a"], m["b"]) for m in plain["matches"]} == {
        ("x", "p"), ("x", "q"), ("y", "q"), ("z", "q")
    }  # fmt: skip
    for library in ("pandas", "polars"):
        frame = plan.to_frame(library)
        assert list(frame["amount"]) == [match.amount for match in plan.matches]
        assert list(frame.columns) == ["a", "b", "amount", "share_of_a", "share_of_b", "cost"]
    assert "Transport plan of mallows_distance" in str(plan)
    assert "<table>" in plan._repr_html_()


def test_plans_of_integers_and_of_no_object_are_plain_too():
    plan = cw.transport_plan([0, 0, 1], np.array([5, 6, 6]), weights="size")
    assert json.loads(json.dumps(plan.to_dict()))["value"] == plan.value
    nothing = cw.transport_plan([], [])
    assert (nothing.value, nothing.matches, nothing.sentences()) == (0, [], [])


@pytest.mark.parametrize("seed", range(5))
def test_shortest_paths_stay_exact_where_costs_are_nearly_sums_of_rows_and_columns(seed):
    # Rounding of prices once broke the order of the search on costs like these.
    rng = np.random.default_rng(seed)
    k = 60
    shares = rng.random(k) / 10 + 0.01
    P, Q = rng.dirichlet(shares, 10 * k), rng.dirichlet(shares, 10 * k)
    costs = cdist(P.T, Q.T, "cityblock")
    supply, demand = P.sum(axis=0), Q.sum(axis=0)
    sent = np.zeros((k, k))
    solve_transport(costs, supply.copy(), demand * (supply.sum() / demand.sum()), sent)
    best = ot.emd2(supply / supply.sum(), demand / demand.sum(), costs)
    assert (sent * costs).sum() / supply.sum() == pytest.approx(best, rel=1e-12)
    assert np.count_nonzero(sent > 1e-12) <= 2 * k - 1


@pytest.mark.parametrize(
    "weights", [([1, -1, 3], [1, 2]), ([3, 2, 1], [-0.5, 2]), ([0, 0, 0], [1, 2])]
)
@pytest.mark.parametrize("call", [cw.mallows_distance, cw.css_distance, cw.transport_plan])
def test_negative_weights_are_refused(call, weights):
    options = {"X": [[i] for i in range(len(A))]} if call is cw.css_distance else {}
    with pytest.raises(cw.InputError, match="must be numbers of at least 0, and not all 0"):
        call(A, B, weights=weights, **options)
