"""The crossed view: each axis separates one of two clusterings."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.points import centre_columns
from clusterwise.plots import ScatterPairDisplay
from clusterwise.plots._crossed import Groups, contributions, crossed_axes, discriminant, explained


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def view(a, b, X, **options):
    """The positions and the two labels, on one line each."""
    display = ScatterPairDisplay.from_clusterings(
        a, b, X, axes="crossed", names=("first", "second"), **options
    )
    labels = [" ".join(label.split()) for label in display.projection.labels]
    return display.projection.points, labels


@pytest.fixture
def grid():
    """Two independent clusterings, in two features each of six, with large other features."""
    random = np.random.default_rng(0)
    a, b = random.integers(0, 2, 200), random.integers(0, 2, 200)
    X = random.normal(size=(200, 6))
    X[:, 1] += 6 * a
    X[:, 4] += 6 * b
    X[:, [0, 5]] = X[:, [5]] + 0.01 * X[:, [0, 5]]  # collinear
    return a, b, pd.DataFrame(X * [1, 1, 1000, 1, 1, 1], columns=list("pqrstu"))


def test_independent_clusterings_are_a_grid(grid):
    a, b, X = grid
    points, labels = view(a, b, X)
    assert labels[0].startswith("separates first best: q, ")
    assert labels[1].startswith("separates second best: t, ")
    # Both clusterings are separated on their own axis, and by chance only on the other one.
    assert explained(points[:, 0], a) > 0.85
    assert explained(points[:, 1], b) > 0.85
    assert explained(points[:, 0], b) < 0.05
    assert explained(points[:, 1], a) < 0.05
    np.testing.assert_allclose(points.std(axis=0), 1)
    assert abs(np.corrcoef(points.T)[0, 1]) < 1e-9
    # The axes grow with the first feature of their labels.
    assert np.corrcoef(points[:, 0], X["q"])[0, 1] > 0
    assert np.corrcoef(points[:, 1], X["t"])[0, 1] > 0


def test_planted_clusterings_show_where_principal_components_do_not():
    planted = make_alternatives(300, (3, 2), extra_features=4, rotated=True, random_state=0)
    a, b = planted.labels.T
    points, _ = view(a, b, planted.X)
    plain = ScatterPairDisplay.from_clusterings(a, b, planted.X).projection.points
    for axis, labels in enumerate((a, b)):
        _, codes = np.unique(labels, return_inverse=True)
        best = max(explained(plain[:, i], codes) for i in range(2))
        assert explained(points[:, axis], codes) > best


def test_the_discriminant_is_that_of_scikit_learn():
    random = np.random.default_rng(3)
    X = centre_columns(random.normal(size=(4000, 5)) @ random.normal(size=(5, 5)))
    codes = random.integers(0, 3, 4000)
    X = centre_columns(X + random.normal(size=(3, 5))[codes])
    model = LinearDiscriminantAnalysis(solver="eigen").fit(X, codes)
    expected = model.scalings_[:, 0] / np.linalg.norm(model.scalings_[:, 0])
    # But for a little shrinkage.
    assert abs(discriminant(X, codes) @ expected) > 0.999


def test_noise_does_not_count(grid):
    a, b, X = grid
    noisy = a.copy()
    noisy[:50] = -1
    X = X.to_numpy().copy()
    X[:50, 0] += 1e3
    far, labels = view(noisy, b, X)
    assert labels[0].startswith("separates first best: x1")
    kept, _ = view(noisy, b, X, noise="drop")
    assert len(kept) == 150
    assert explained(far[50:, 0], a[50:]) > 0.8


def test_more_features_than_objects_and_it_says_so():
    random = np.random.default_rng(0)
    a, b = random.integers(0, 2, 40), random.integers(0, 2, 40)
    X = random.normal(size=(40, 300))
    X[:, 7] += 30 * a
    X[:, 9] += 30 * b
    points, labels = view(a, b, X)
    assert np.isfinite(points).all()
    assert labels[0].startswith("separates first best: x7, ")
    assert labels[0].endswith("(300 columns for 40 objects: looks more separated than it is)")
    assert "looks more" not in labels[1]
    few = np.random.default_rng(0).normal(size=(40, 3))
    assert "looks more" not in "".join(view(a, b, few)[1])


def test_categorical_features_and_missing_values():
    random = np.random.default_rng(0)
    a, b = random.integers(0, 3, 120), random.integers(0, 2, 120)
    X = pd.DataFrame(
        {
            "kind": np.array(["u", "v", "w"], object)[a],
            "size": random.normal(size=120) + 8 * b,
            "other": random.normal(size=120),
        }
    )
    X.loc[:5, "size"] = None
    X.loc[6:9, "kind"] = None
    points, labels = view(a, b, X)
    assert np.isfinite(points).all()
    assert labels[0].startswith("separates first best: kind, ")
    assert labels[1].startswith("separates second best: size, ")


def test_clusterings_that_coincide_fall_back_and_say_so(grid):
    a, b, X = grid
    points, labels = view(a, 1 - a, X)
    assert labels[1].startswith("first principal component of the rest: ")
    assert labels[1].endswith("(x separates second as well as can be)")
    assert explained(points[:, 1], a) < 0.05
    # Three clusters have a second direction, of which the label says what it is.
    three = a + (a == 1) * b
    points, labels = view(three, three * 2, X)
    assert labels[1].startswith("separates second best, uncorrelated with x: ")
    assert abs(np.corrcoef(points.T)[0, 1]) < 1e-9


@pytest.mark.parametrize(
    ("first", "second", "x", "y"),
    [
        (False, True, "of the rest: .* (first has one cluster)", "separates second best: t"),
        (True, False, "separates first best: q", "of the rest: .* (second has one cluster)"),
        (
            False,
            False,
            "first principal component: .* (first has one cluster; second has one cluster)",
            "first principal component of the rest: ",
        ),
    ],
)
def test_a_single_cluster_falls_back_and_says_so(grid, first, second, x, y):
    a, b, X = grid
    points, labels = view(a * first, b * second, X)
    for said, words in zip(labels, (x, y), strict=True):
        for part in words.split(".*"):
            assert part in said
    assert abs(np.corrcoef(points.T)[0, 1]) < 1e-9


def test_all_objects_of_a_clustering_may_be_noise(grid):
    a, b, X = grid
    _, labels = view(np.full(a.size, -1), b, X)
    assert labels[0].endswith("(first has no cluster)")


@pytest.mark.parametrize("X", [[[1.0], [2.0], [3.0], [7.0]], np.ones((4, 3))])
def test_one_feature_or_none_that_varies_is_as_for_principal_components(X):
    points, labels = view([0, 0, 1, 1], [0, 1, 0, 1], X)
    plain = ScatterPairDisplay.from_clusterings([0, 0, 1, 1], [0, 1, 0, 1], X).projection
    assert points.tolist() == plain.points.tolist()
    assert labels == list(plain.labels)


def test_collinear_features_have_one_direction():
    points, labels = view([0, 0, 1, 1], [0, 1, 0, 1], np.outer([1, 2, 6, 7], [1, 2, 3]))
    assert labels[1] == "nothing else varies"
    assert np.isfinite(points).all()


def test_a_comparison_and_one_clustering_alone(grid):
    a, b, X = grid
    points, _ = view(a, b, X)
    display = cw.compare(a, b, X).plot("scatter", axes="crossed")
    np.testing.assert_allclose(display.projection.points, points)
    assert display.axes_[0, 0].get_xlabel().startswith("separates a best: q")
    three = ScatterPairDisplay.from_clusterings({"only": a + 2 * b}, X=X, axes="crossed")
    assert three.projection.labels[1].startswith("separates only best, uncorrelated with x:")
    with pytest.raises(cw.InputError, match="positions of 199 objects, but labels of 200"):
        ScatterPairDisplay.from_clusterings(a, b, X[1:], axes="crossed")
    with pytest.raises(cw.InputError, match="axes cannot be combined with coordinates"):
        ScatterPairDisplay.from_clusterings(a, b, axes="crossed", coordinates=np.zeros((200, 2)))


def test_contributions_are_the_spread_of_what_each_feature_adds():
    points = centre_columns(np.random.default_rng(0).normal(size=(50, 3)))
    weights = np.array([2.0, -1.0, 0.5])
    found = contributions(points, weights, np.array([0, 1, 1]))
    expected = [(points[:, 0] * 2).std(), (points[:, 1:] @ weights[1:]).std()]
    np.testing.assert_allclose(found, expected)


def test_the_axes_of_many_columns_are_in_the_columns():
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, 200)
    points = random.normal(size=(200, 150))
    points[:, 3] += 9 * codes
    points = centre_columns(points)
    x, y = crossed_axes(points, Groups("a", codes), Groups("b", random.integers(0, 2, 200)))
    assert x.weights.shape == (150,)
    assert np.abs(x.weights).argmax() == 3
    assert abs((points @ x.weights) @ (points @ y.weights)) < 1e-6
