"""The smallest size of a cluster, in every method and in the command."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import join_small
from clusterwise.alternatives.minimum_size import as_n_objects, guard_size, least_size


@pytest.mark.parametrize(
    ("size", "count", "n", "least"),
    [
        (None, 3, 10, 1), (0, 3, 10, 1), (1, 3, 10, 1), (3, 3, 10, 3), (3.0, 3, 10, 3),
        (0.3, 3, 10, 3), (0.21, 3, 10, 3), (0.001, 3, 10, 1), (5, 2, 10, 5), (0.5, 2, 10, 5),
        (1, 10, 10, 1), (None, 20, 10, 1),
    ],
)  # fmt: skip
def test_smallest_sizes(size, count, n, least):
    assert least_size(size, count, n) == least


@pytest.mark.parametrize(
    ("size", "count", "n", "words"),
    [
        (4, 3, 10, "min_cluster_size=4 is out of range for 3 clusters of 10 objects; use a "
         "size from 1 to 3"),
        (0.34, 3, 10, "min_cluster_size=0.34 is out of range"),
        (-1, 3, 10, "min_cluster_size=-1 is out of range"),
        (6, 2, 10, "use a size from 1 to 5"),
    ],
)  # fmt: skip
def test_sizes_out_of_range(size, count, n, words):
    with pytest.raises(InputError, match=words):
        least_size(size, count, n)


@given(st.integers(1, 20), st.integers(1, 400), st.integers(1, 63))
def test_fractions_are_rounded_up(count, n, fraction):
    wanted = -(-fraction * n // 64)
    if wanted <= n // count:
        assert least_size(fraction / 64, count, n) == wanted
    else:
        with pytest.raises(InputError, match="is out of range"):
            least_size(fraction / 64, count, n)


# Products that are larger than the whole number by a rounding error.
FRACTIONS = [(0.07, 100, 7), (0.28, 25, 7), (0.14, 50, 7), (0.07, 10**8, 7_000_000)]


@pytest.mark.parametrize(("fraction", "n", "least"), FRACTIONS)
def test_fractions_of_whole_objects_are_not_rounded_up(fraction, n, least):
    assert fraction * n > least
    assert as_n_objects(fraction, n) == least
    assert as_n_objects(fraction * n, n) == least
    assert least_size(fraction, 2, n) == least
    assert as_n_objects(fraction, n + 1) == least + 1


@pytest.mark.parametrize("size", [6.25, 7, 7.0, np.float64(6.5), np.int64(7)])
def test_sizes_above_1_are_rounded_up_to_whole_objects(size):
    assert as_n_objects(size, 100) == 7


METHODS = {
    "COALA": cw.COALA(2, omega=2),
    "COALA by prototypes": cw.COALA(2, omega=2, prototypes=10, random_state=0),
    "COALACat": cw.COALACat(2, omega=2),
    "CondEns": cw.CondEns(2, random_state=0),
    "CIB": cw.CIB(2, random_state=0),
    "MAXIMUS": cw.MAXIMUS(2, random_state=0, tolerance=1.0),
    "MetaClusterer": cw.MetaClusterer(2, n_base=4, random_state=0),
    "MinCEntropy": cw.MinCEntropy(2, random_state=0),
    "OrthogonalAlternative": cw.OrthogonalAlternative(2, random_state=0),
}


def two_clusters():
    """Clusters of 7 and 18 of 25 points, and a given clustering that is independent of them."""
    labels = np.repeat([0, 1], [7, 18])
    return 9.0 * labels[:, None], labels, np.arange(25) % 2


@pytest.mark.parametrize("name", METHODS)
def test_clusters_of_exactly_the_smallest_size_are_kept(name):
    X, labels, halves = two_clusters()
    model = METHODS[name].set_params(min_cluster_size=0.28).fit(X, halves)
    np.testing.assert_array_equal(model.labels_, labels)


def test_labels_of_exactly_the_smallest_size_are_not_joined():
    X, labels, _ = two_clusters()
    assert join_small(X, labels, 0.28) is labels
    assert not join_small(X, labels, 0.29).any()


def test_the_tradeoff_curve_keeps_clusters_of_exactly_the_smallest_size():
    X, labels, halves = two_clusters()
    curve = cw.tradeoff_curve(X, halves, [2.0], min_cluster_size=0.28)
    np.testing.assert_array_equal(curve.labels[0], labels)


@pytest.mark.parametrize("method", ["coala", "cib", "mincentropy"])
def test_cluster_again_keeps_clusters_of_exactly_the_smallest_size(method):
    X, labels, halves = two_clusters()
    options = {"omega": 2} if method == "coala" else {"random_state": 0}
    found = cw.cluster_again(X, halves, method, n_clusters=2, min_cluster_size=0.28, **options)
    np.testing.assert_array_equal(found[0].labels, labels)


def test_auto_keeps_clusters_of_exactly_the_smallest_size():
    X, labels, halves = two_clusters()
    near = X + 0.1 * np.random.default_rng(0).normal(size=X.shape)
    options = {"n_clusters": 2, "min_cluster_size": 0.28, "random_state": 0}
    (found,) = cw.cluster_again(near, halves, **options)
    np.testing.assert_array_equal(found.labels, labels)
    # Two values of one feature are no clusters.
    none = cw.cluster_again(X, halves, **options)
    assert list(none) == []
    assert all(min(one.sizes) >= 7 for one in none.unconvincing)


@pytest.mark.parametrize(
    ("n", "clusters", "least"),
    [(125, 2, 7), (140, 2, 7), (20, 2, 2), (6, 3, 2), (5, 3, 1), (5, 4, 1), (1, 1, 1)],
)
def test_the_guard_is_a_whole_number_that_all_clusters_can_have(n, clusters, least):
    assert guard_size(n, clusters) == least


@pytest.mark.parametrize("method", ["cib", "maximus"])
def test_the_guard_does_not_refuse_small_clusters_of_few_objects(method):
    X = [[0.0], [2.0], [1.0], [6.0], [9.0]]
    with pytest.warns(UserWarning, match="1 of 1 alternative is degenerate"):
        (found,) = cw.cluster_again(X, [0, 0, 1, 2, 3], method, random_state=0)
    assert found.parameters["min_cluster_size"] == 1
