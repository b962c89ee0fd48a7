"""Equal objects, and too few objects: each method says so in its own words."""

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.distinct_objects import count_apart, count_distinct, rows_of
from clusterwise.inputs.distances import read_distances

METHODS = {
    "CIB": cw.CIB(random_state=0),
    "COALA": cw.COALA(random_state=0),
    "COALA by prototypes": cw.COALA(prototypes=6, random_state=0),
    "COALACat": cw.COALACat(),
    "CondEns": cw.CondEns(random_state=0),
    "MAXIMUS": cw.MAXIMUS(random_state=0),
    "MetaClusterer": cw.MetaClusterer(n_base=4, random_state=0),
    "MinCEntropy": cw.MinCEntropy(random_state=0),
    "NaiveAlternative": cw.NaiveAlternative(random_state=0),
    "OrthogonalAlternative": cw.OrthogonalAlternative(random_state=0),
}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.integers(1, 6))
def test_distinct_rows(values, enough):
    numbers = np.array(values, float)[:, None]
    wanted = min(enough, len(set(values)))
    signed = np.hstack([np.where(numbers == 1, np.nan, numbers), numbers * 0 * (-1) ** numbers])
    assert count_distinct(rows_of(signed), enough) == wanted
    assert count_apart(read_distances(numbers), enough) == wanted
    table = np.abs(numbers - numbers.T)
    assert count_apart(read_distances(table, "precomputed"), enough) == wanted


def test_rows_in_several_blocks():
    wide = np.zeros((5, 100_000))
    wide[3, -1] = 1
    assert count_distinct(rows_of(wide), 9) == 2


@every_method
@pytest.mark.parametrize("y", [np.arange(12) % 2, None], ids=["given", "none given"])
def test_all_objects_are_equal(method, y):
    words = "all objects of X are equal( by their bins)?, so that clusters are arbitrary; pass feat"
    refused = nullcontext()
    if isinstance(method, cw.OrthogonalAlternative):
        refused = pytest.raises(InputError, match="X are equal, so that there is nothing to clust")
    with refused, pytest.warns(UserWarning, match=words) as caught:
        method.fit(np.full((12, 3), 0.1), y)
    assert [one.filename for one in caught] == [__file__]


@every_method
def test_fewer_distinct_objects_than_clusters(method):
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 6, axis=0)
    words = (
        r"X has 2 distinct objects( by their bins)? for 3 clusters, so that equal objects are split"
        " or clusters are missing; use n_clusters=2 or less."
    )
    with pytest.warns(UserWarning, match=words) as caught:
        method.fit(X, np.arange(12) % 3)
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("given", [np.arange(12) % 2, None], ids=["given", "none given"])
def test_one_warning_of_the_whole_portfolio(given):
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clust") as caught:
        cw.cluster_again(np.ones((12, 2)), given, random_state=0)
    assert [one.filename for one in caught] == [__file__]


def test_the_tradeoff_curve_of_equal_objects():
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clust") as caught:
        cw.tradeoff_curve(np.ones((12, 2)), np.arange(12) % 2, [0.6])
    assert [one.filename for one in caught] == [__file__]
    with pytest.raises(InputError, match="n_samples=1 in X; pass at least two objects"):
        cw.tradeoff_curve([[1.0]], [0])


def test_bins_and_proportions_that_are_equal():
    with pytest.warns(UserWarning, match="all objects of X are equal by their bins, so that"):
        cw.CIB(n_bins=1, random_state=0).fit(np.arange(20.0)[:, None], np.arange(20) % 2)
    rows = sparse.csr_array(np.outer([1.0, 3.0, 7.0, 49.0], [0.1, 0.0, 0.7, 1.3]))
    with pytest.warns(UserWarning, match="all objects of X are equal by their proportions, so "):
        cw.CIB(random_state=0).fit(rows, [0, 1, 0, 1])


def test_mixed_features_that_are_equal():
    X = [[1.0, "a"], [1.0, "a"], [1.0, "a"], [1.0, "a"]]
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        cw.COALA(metric="gower").fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        (cw.CondEns(3, random_state=0), "CondEns found 2 of 3 clusters: the local clusterings"),
        (
            cw.OrthogonalAlternative(3, random_state=0),
            "OrthogonalAlternative found 2 of 3 clusters: without the given clusters, no more",
        ),
    ],
    ids=["CondEns", "OrthogonalAlternative"],
)
def test_fewer_clusters_because_the_given_ones_explain_the_rest(method, reason):
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]], 5, axis=0)
    with pytest.warns(UserWarning, match=reason) as caught:
        method.fit(X, np.repeat([0, 1], 10))
    assert [one.filename for one in caught] == [__file__]
    assert method.n_clusters_ == 2


@every_method
def test_two_objects(method):
    """There are no warnings: this is an ordinary input, if a small one."""
    if isinstance(method, cw.CondEns):
        with pytest.raises(InputError, match="no given cluster has more objects than there are"):
            method.fit([[0.0], [1.0]], [0, 0])
        return
    if "prototypes" in method.get_params() and method.prototypes:
        with pytest.raises(InputError, match="prototypes=6 for 2 objects"):
            method.fit([[0.0], [1.0]], [0, 0])
        return
    assert sorted(method.fit([[0.0], [1.0]], [0, 0]).labels_) == [0, 1]


@every_method
def test_a_single_object(method):
    with pytest.raises(ValueError, match=r"n_samples=1|Found array with 1 sample"):
        method.fit([[0.0, 1.0]], [0])
