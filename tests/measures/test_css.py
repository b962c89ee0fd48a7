"""The cluster similarity sensitive distance: properties that it has, and that it lacks."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy.spatial.distance import cdist

import clusterwise as cw
from helpers.soft_strategies import several
from helpers.strategies import label_pairs, max_examples
from reference import transport as naive

WEIGHTS = pytest.mark.parametrize("weights", ["uniform", "size"])
TOLERANCE = 1e-9


@st.composite
def placed(draw, how_many=2):
    """Clusterings of the same points."""
    cases = draw(several(how_many, largest=6))
    n = len(cases[0].matrix)
    numbers = st.lists(st.integers(-5, 5), min_size=2 * n, max_size=2 * n)
    return cases, np.array(draw(numbers), float).reshape(n, 2)


def centre_distances(a, b, X):
    first, second = (naive.centroids(case.matrix, X, [1] * len(X)) for case in (a, b))
    return [[naive.euclid(x, y) for y in second] for x in first]


@WEIGHTS
@max_examples(60)
@given(case=placed())
def test_definition(weights, case):
    (a, b), X = case
    wanted = naive.css(a.matrix, b.matrix, centre_distances(a, b, X), weights)
    found = cw.css_distance(a.given, b.given, X, weights=weights)
    assert found == pytest.approx(wanted, abs=1e-7)


@WEIGHTS
@given(case=placed(), turn=st.floats(0, 7), shift=st.integers(-9, 9), factor=st.integers(0, 5))
def test_properties(weights, case, turn, shift, factor):
    (a, b), X = case

    def distance(first, second, points, *, normalized=False):
        return cw.css_distance(
            first.given, second.given, points, weights=weights, normalized=normalized
        )

    value, scaled = distance(a, b, X), distance(a, b, X, normalized=True)
    assert value >= 0
    assert 0 <= scaled <= 1
    assert distance(b, a, X) == pytest.approx(value, abs=TOLERANCE)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    assert distance(a, b, X @ rotation + shift) == pytest.approx(value, abs=1e-8)
    assert distance(a, b, factor * X) == pytest.approx(factor * value, abs=1e-8)
    bound = 2 * np.sqrt(len(X) * naive.spread(X, [1] * len(X)))
    assert value <= bound + TOLERANCE
    if bound > 1e-6:
        assert scaled == pytest.approx(value / bound, abs=TOLERANCE)
        assert distance(a, b, 3 * X + 1, normalized=True) == pytest.approx(scaled, abs=1e-8)


@pytest.mark.parametrize("metric", ["cityblock", "sqeuclidean", "chebyshev"])
@given(case=placed())
def test_other_metrics(metric, case):
    (a, b), X = case
    centres = [naive.centroids(side.matrix, X, [1] * len(X)) for side in (a, b)]
    apart = cdist(*centres, metric=metric)
    value = cw.css_distance(a.given, b.given, X, metric=metric)
    assert value == pytest.approx(naive.css(a.matrix, b.matrix, apart), abs=1e-6)
    assert 0 <= cw.css_distance(a.given, b.given, X, metric=metric, normalized=True) <= 1
    by_table = cw.css_distance(a.given, b.given, metric=apart)
    assert by_table == pytest.approx(value, abs=1e-8)
    assert 0 <= cw.css_distance(a.given, b.given, metric=apart, normalized=True) <= 1


@WEIGHTS
@given(pair=label_pairs(max_size=12), seed=st.integers(0, 99))
def test_equal_hard_clusterings(weights, pair, seed):
    X = np.random.default_rng(seed).normal(size=(len(pair.a), 2))
    renamed = [f"cluster {9 - label}" for label in pair.a]
    assert cw.css_distance(pair.a, renamed, X, weights=weights) == pytest.approx(0, abs=TOLERANCE)


def test_a_soft_clustering_is_not_at_distance_zero_from_itself():
    """Six cells hold S = 1/4 between clusters that are apart; a plan matches three of them."""
    soft, X = [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]], [[0.0], [1.0], [5.0]]
    # Centres 5/2, 1/2 and 3: the distances 2, 5/2 and 1/2 occur twice each.
    assert cw.css_distance(soft, soft, X) == pytest.approx((2 + 2.5 + 0.5) / 4, abs=1e-12)


def test_two_soft_clusters_of_the_same_weight_are_the_exception():
    """The plan matches each with the other one, since what is its own costs nothing anyway."""
    soft, X = [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]], [[0.0], [1.0], [2.0]]
    assert cw.css_distance(soft, soft, X) == pytest.approx(0, abs=1e-12)
    assert cw.css_distance(soft, soft, X, weights="size") > 0.01


def test_the_triangle_inequality_fails_for_hard_labels():
    a, b, c, X = [0, 1, 1], [0, 2, 1], [2, 2, 1], [[0.0], [0.0], [3.0]]
    assert cw.css_distance(a, b, X) == pytest.approx(1.2, abs=1e-12)
    assert cw.css_distance(b, c, X) == pytest.approx(0, abs=1e-12)
    assert cw.css_distance(a, c, X) == pytest.approx(1.5, abs=1e-12)


def test_different_clusterings_may_be_at_distance_zero():
    """All clusters have their centre at 2."""
    a, b, X = [0, 0, 0], [0, 1, 1], [[2.0], [3.0], [1.0]]
    assert cw.css_distance(a, b, X) == 0
    assert cw.mallows_distance(a, b) > 0


A, B = list("xxyyz"), list("ppqqq")
X = np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 0.0], [5.0, 2.0], [9.0, 9.0]])
CENTRES = {"x": X[:2].mean(axis=0), "y": X[2:4].mean(axis=0), "z": X[4]}
OTHERS = {"p": X[:2].mean(axis=0), "q": X[2:].mean(axis=0)}


def test_representatives():
    wanted = cw.css_distance(A, B, X)
    in_order = [CENTRES[name] for name in "xyz"], [OTHERS[name] for name in "pq"]
    assert cw.css_distance(A, B, representatives=in_order) == pytest.approx(wanted, abs=1e-12)
    by_name = dict(reversed(CENTRES.items())), dict(reversed(OTHERS.items()))
    assert cw.css_distance(A, B, representatives=by_name) == pytest.approx(wanted, abs=1e-12)
    apart = cdist(*in_order)
    assert cw.css_distance(A, B, metric=apart.tolist()) == pytest.approx(wanted, abs=1e-12)
    far = [[0, 0], [0, 0], [0, 0]], [[0, 0], [0, 7]]
    assert cw.css_distance(A, B, representatives=far) != pytest.approx(wanted, abs=0.1)
    assert 0 <= cw.css_distance(A, B, representatives=by_name, normalized=True) <= 1


def test_callable_metrics_frames_and_ready_overlaps():
    wanted = cw.css_distance(A, B, X)

    def euclid(x, y):
        return float(np.linalg.norm(x - y))

    assert cw.css_distance(A, B, X, metric=euclid) == pytest.approx(wanted, abs=1e-12)
    assert cw.css_distance(A, B, pd.DataFrame(X)) == wanted
    ready = cw.SoftOverlap.from_memberships(A, B, X)
    assert cw.css_distance(ready) == wanted
    assert cw.css_distance(ready, normalized=True) == cw.css_distance(A, B, X, normalized=True)
    parts = cw.SoftOverlap.from_chunks([(A[:3], B[:3], X[:3]), (A[3:], B[3:], X[3:])])
    assert cw.css_distance(parts) == pytest.approx(wanted, abs=1e-12)


def test_weights_repeat_objects():
    times = np.array([1, 3, 0, 2, 1])
    repeated = (np.repeat(side, times, axis=0) for side in (A, B, X))
    found = cw.css_distance(A, B, X, sample_weight=times)
    assert found == pytest.approx(cw.css_distance(*repeated), abs=1e-12)


def test_clusters_without_weight_save_nothing():
    """y, z and q weigh nothing, so every object that is in them counts in full."""
    weights = [1, 0, 0], {"p": 1, "q": 0}
    found = cw.css_distance(A, B, X, weights=weights)
    wanted = 2 * naive.euclid(CENTRES["y"], OTHERS["q"]) + naive.euclid(CENTRES["z"], OTHERS["q"])
    assert found == pytest.approx(wanted, abs=1e-12)


def test_object_costs_add_up():
    plan = cw.transport_plan(A, B, X, measure="css_distance")
    table = cw.SoftOverlap.from_memberships(A, B)
    rows, columns, counts = table.cells.nonzero
    assert float(plan.object_costs @ counts) == pytest.approx(plan.value, abs=1e-12)
    assert plan.value == cw.css_distance(A, B, X)
    apart = [
        naive.euclid([*CENTRES.values()][k], [*OTHERS.values()][j])
        for k, j in zip(rows, columns, strict=True)
    ]
    np.testing.assert_allclose(plan.cost[rows, columns], counts * apart, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "css_distance needs the distances between clusters; pass X"),
        ({"X": X, "metric": "crow"}, "metric='crow' cannot be used"),
        ({"metric": np.zeros((2, 2))}, r"shape \(2, 2\), but there are 3 x 2 clusters"),
        ({"metric": -np.ones((3, 2))}, "distances between clusters must be finite, and not neg"),
        ({"metric": np.full((3, 2), np.nan)}, "distances between clusters must be finite"),
        ({"X": X, "metric": lambda x, y: -1.0}, "the metric gives a distance that is negative"),
        ({"X": X, "metric": lambda x, y: np.nan}, "a distance that is negative or not finite"),
        ({"representatives": [1, 2, 3]}, r"representatives=\[1, 2, 3\]"),
        ({"representatives": ([1, 2, 3], [1, 2])}, r"representatives of a have shape \(3,\)"),
        ({"representatives": (np.ones((2, 2)), np.ones((2, 2)))}, r"of a have shape \(2, 2\)"),
        ({"representatives": (CENTRES, {"p": [0, 0]})}, "of b lack the cluster 'q'; add it"),
        ({"representatives": (np.ones((3, 2)), np.ones((2, 3)))}, "have 2 values in a and 3 in b"),
    ],
)
def test_what_cannot_be_placed(options, message):
    with pytest.raises(cw.InputError, match=message):
        cw.css_distance(A, B, **options)


def test_ready_tables():
    with pytest.raises(cw.InputError, match="a Contingency has no centroids"):
        cw.css_distance(cw.Contingency.from_labels(A, B))
    ready = cw.SoftOverlap.from_memberships(A, B)
    with pytest.raises(cw.InputError, match="leave X out"):
        cw.css_distance(ready, None, X)
    with pytest.raises(cw.InputError, match="pass two clusterings"):
        cw.css_distance(A)
    with pytest.raises(cw.InputError, match="css_distance needs the distances"):
        cw.css_distance(ready)


def test_distances_that_overflow_are_refused():
    X = [[1e308, 0.0], [-1e308, 1.0], [0.0, 2.0]]
    message = "^the distances between clusters, times the weights of objects, overflow; scale X"
    with pytest.raises(cw.InputError, match=message):
        cw.css_distance([0, 1, 2], [0, 0, 1], X)
