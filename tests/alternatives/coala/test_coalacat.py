"""COALACat: against a naive version, invariances, and invalid input."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, strategies as st
from scipy.cluster.hierarchy import is_valid_linkage
from sklearn.base import clone

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.coalacat import COALACat
from clusterwise.inputs.features import read_features
from clusterwise.kernels.coalacat import scaled_logs
from reference.alternatives import as_sets, coalacat, may_merge

OMEGAS = [0.0, 0.3, 0.6, 1.0, 5.0]


@st.composite
def cases(draw, *, most=12, gaps=False):
    """Rows of few values, so that there are many ties, and one or two given clusterings."""
    n = draw(st.integers(2, most))
    value = st.sampled_from(["a", "b", "c", None] if gaps else ["a", "b", "c"])
    width = draw(st.integers(1, 4))
    row = st.lists(value, min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return rows, draw(st.lists(labels, min_size=1, max_size=2))


def fit(rows, clusterings, **options):
    return COALACat(**options).fit(rows, np.array(clusterings).T)


def assume_clear(steps, omega):
    """Leave out examples where a ratio equals omega up to rounding of logarithms."""
    for step in steps:
        if step.permitted is not None and omega not in (0.0, 1.0):
            whole = step.nearest.is_integer() and step.permitted.is_integer()
            assume(whole or abs(step.nearest - omega * step.permitted) > 1e-9)


def assert_same(merges, expected):
    assert as_sets(merges) == [(step.one, step.other) for step in expected]
    assert merges.dissimilar.tolist() == [step.dissimilar for step in expected]
    assert merges.sizes.tolist() == [len(step.one | step.other) for step in expected]
    np.testing.assert_allclose(
        merges.distances, [step.distance for step in expected], rtol=1e-12, atol=1e-14
    )


@pytest.mark.parametrize("omega", OMEGAS)
@given(case=cases())
def test_merges_equal_the_naive_rule(omega, case):
    expected = coalacat(*case, omega)
    assume_clear(expected, omega)
    assert_same(fit(*case, omega=omega, n_clusters=1).merges_, expected)


@pytest.mark.parametrize("missing", ["category", "ignore"])
@given(case=cases(most=9, gaps=True), omega=st.sampled_from(OMEGAS))
def test_missing_values_are_a_category_or_ignored(missing, case, omega):
    expected = coalacat(*case, omega, missing)
    assume_clear(expected, omega)
    assert_same(fit(*case, omega=omega, n_clusters=1, missing_values=missing).merges_, expected)


def description(rows):
    """n·H in bits."""
    total = 0.0
    for column in np.asarray(rows).T:
        counts = np.unique(column, return_counts=True)[1]
        total -= (counts * np.log2(counts / counts.sum())).sum()
    return total


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("n", [255, 256, 300])
def test_costs_stay_correct_as_the_table_is_compacted(n, dtype):
    random = np.random.default_rng(n)
    rows = random.integers(0, 5, (n, 6))
    labels = random.integers(0, 3, n)
    merges = COALACat(dtype=dtype).fit(rows, labels).merges_
    assert is_valid_linkage(merges.to_linkage())
    assert 0 < merges.dissimilar.sum() < n - 1
    steps = as_sets(merges)
    expected = [
        description(rows[list(one | other)])
        - description(rows[list(one)])
        - description(rows[list(other)])
        for one, other in steps
    ]
    precision = 1e-9 if dtype == "float64" else 1e-6
    np.testing.assert_allclose(merges.distances, expected, rtol=precision)
    for (one, other), dissimilar in zip(steps, merges.dissimilar, strict=True):
        assert may_merge(one, other, [labels]) or not dissimilar


@given(case=cases(), omega=st.sampled_from(OMEGAS), seed=st.integers(0, 1000))
def test_names_of_categories_and_the_order_of_features_change_nothing(case, omega, seed):
    rows, clusterings = case
    random = np.random.default_rng(seed)
    table = np.array(rows)
    renamed = np.empty(table.shape, object)
    for r in range(table.shape[1]):
        names = dict(zip("abc", random.permutation(["x", "y", "z"]), strict=True))
        renamed[:, r] = [names[value] for value in table[:, r]]
    renamed = renamed[:, random.permutation(table.shape[1])]
    first = fit(rows, clusterings, omega=omega, n_clusters=1).merges_
    second = fit(renamed, clusterings, omega=omega, n_clusters=1).merges_
    np.testing.assert_array_equal(first.pairs, second.pairs)
    np.testing.assert_array_equal(first.distances, second.distances)


def test_logarithms_of_products_are_exact_sums():
    unit = 2.0**40
    table = scaled_logs(500, unit)
    x = np.arange(1, 501)
    np.testing.assert_allclose(table[1:] / unit, x * np.log2(x), rtol=1e-11)
    assert table[0] == 0
    for a in range(1, 23):
        for b in range(1, 23):
            assert table[a * b] == b * table[a] + a * table[b]


def test_clusters_with_the_same_proportions_have_distance_0():
    # Three and six of two kinds in one given cluster, one and two in the other.
    rows = [["a"]] * 3 + [["b"]] * 6 + [["a"], ["b"], ["b"]]
    model = COALACat(1, omega=5.0).fit(rows, [0] * 9 + [1] * 3)
    assert model.merges_.distances[:10].tolist() == [0.0] * 10
    mixed = [["a", "p"], ["b", "p"], ["a", "q"], ["b", "q"]]
    merges = COALACat(1, omega=0.0).fit(mixed, [0, 1, 0, 1]).merges_
    assert merges.distances.tolist() == [2.0, 2.0, 4.0]


def test_an_object_without_values_has_distance_0_if_missing_values_are_ignored():
    rows = [["a", "p"], ["b", "q"], [None, None], ["a", "q"]]
    merges = COALACat(1, missing_values="ignore", omega=5.0).fit(rows, [0, 0, 0, 0]).merges_
    assert as_sets(merges)[0] == (frozenset([0]), frozenset([2]))
    assert merges.distances[0] == 0.0
    with pytest.warns(UserWarning, match="all objects of X are equal, so that clusters are"):
        empty = COALACat(missing_values="ignore").fit([[None, None]] * 3, [0, 1, 1]).merges_
    assert empty.distances.tolist() == [0.0, 0.0]
    # As a category of its own it differs in both features.
    merges = COALACat(1, omega=5.0).fit(rows, [0, 0, 0, 0]).merges_
    assert as_sets(merges)[0] == (frozenset([0]), frozenset([3]))
    assert merges.distances[0] == 2.0


def planted(*sizes, copies=3):
    """Every combination of independent features, each repeated in three columns."""
    cells = np.indices(sizes).reshape(len(sizes), -1).repeat(copies, axis=1)
    return cells, np.repeat(cells, 3, axis=0).T


def test_the_other_planted_clustering_is_found_both_ways():
    truth, rows = planted(2, 3)
    for known, other in ((0, 1), (1, 0)):
        count = int(truth[other].max()) + 1
        model = COALACat(count).fit(rows, truth[known])
        assert not model.degenerate_
        assert set(zip(model.labels_, truth[other], strict=True)) == {(k, k) for k in range(count)}
        assert model.n_dissimilar_merges_ == model.merges_.dissimilar.sum() > 0
        assert model.effective_n_clusters_ == pytest.approx(count)
        np.testing.assert_array_equal(model.given_, [truth[known]])
        np.testing.assert_array_equal(model.labels_, clone(model).fit_predict(rows, truth[known]))


def test_several_alternatives_until_none_is_left():
    truth, rows = planted(2, 2, 2)
    model = COALACat(n_alternatives=2, omega=0.3).fit(rows, truth[0])
    assert model.alternatives_.shape == (2, 24)
    # The first object is in cluster 0 of every clustering.
    found = {tuple(labels) for labels in model.alternatives_}
    assert found == {tuple(truth[1]), tuple(truth[2])}
    assert len(model.sizes_) == 2
    np.testing.assert_array_equal(model.labels_, model.alternatives_[0])
    with pytest.warns(UserWarning, match="COALACat stopped after 2 of 5 alternatives: the next"):
        model = COALACat(n_alternatives=5, omega=0.3).fit(rows, truth[0])
    assert {tuple(labels) for labels in model.alternatives_} == found


def test_the_next_alternative_may_not_be_much_worse():
    truth, rows = planted(2, 2)
    noisy = np.column_stack([rows, np.random.default_rng(0).permutation(12) % 2])
    with pytest.warns(UserWarning, match=r"has a quality of 0\.\d+, the first one 0\.\d+"):
        model = COALACat(n_alternatives=2, omega=0.0).fit(noisy, truth[0])
    np.testing.assert_array_equal(model.alternatives_, [truth[1]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = COALACat(n_alternatives=2, omega=0.0, quality_floor=0.0).fit(noisy, truth[0])
    assert len(model.alternatives_) == 2


def test_several_given_clusterings_are_all_avoided():
    truth, rows = planted(2, 2, 2)
    model = COALACat(omega=0.3).fit(rows, truth[:2].T)
    np.testing.assert_array_equal(model.labels_, truth[2])
    np.testing.assert_array_equal(model.given_, truth[:2])


def test_without_a_given_clustering_entropy_linkage_makes_the_first():
    truth, rows = planted(2, 2)
    rows = rows[:, :5]  # the first feature counts more
    model = COALACat().fit(rows)
    np.testing.assert_array_equal(model.given_, truth[:1])
    np.testing.assert_array_equal(model.labels_, truth[1])
    plain = COALACat(3, omega=5.0).fit(rows, np.zeros(12))
    np.testing.assert_array_equal(COALACat(3).fit(rows).given_[0], plain.labels_)


def test_small_clusters_join_the_one_with_the_least_cost():
    # The two groups of four merge at 8 bits, before any of the odd ones joins them.
    rows = [["a", "pppp"], ["b", "pppp"]] * 4 + [["b", "zzzz"], ["a", "yyyy"]]
    rows = [[first, *rest] for first, rest in sorted(rows[:8]) + rows[8:]]
    labels = [0, 1] * 5
    plain = COALACat(2, omega=5.0).fit(rows, labels)
    assert plain.labels_.tolist() == [0] * 8 + [1, 1]
    model = COALACat(2, omega=5.0, min_cluster_size=3).fit(rows, labels)
    assert model.labels_.tolist() == [0] * 4 + [1] * 4 + [1, 0]
    share = COALACat(2, omega=5.0, min_cluster_size=0.25).fit(rows, labels)
    np.testing.assert_array_equal(share.labels_, model.labels_)
    # Where nothing is that large the plain cut is all there is.
    none = COALACat(2, omega=5.0, min_cluster_size=15).fit(rows, labels)
    np.testing.assert_array_equal(none.labels_, plain.labels_)


def test_frames_and_arrays_of_any_type_are_read_as_categorical():
    columns = {"colour": ["r", "g", "r", "g", "b", "b"], "legs": [2, 2, 4, 4, 2, 4]}
    y = ["u", "v", "u", "v", "u", "v"]
    frame = pd.DataFrame(columns).astype({"colour": "category"})
    model = COALACat().fit(frame, y)
    assert model.n_features_in_ == 2
    assert model.feature_names_in_.tolist() == ["colour", "legs"]
    rows = list(zip(*columns.values(), strict=True))
    texts = np.array([[colour, str(legs)] for colour, legs in rows])
    for X in (pl.DataFrame(columns), rows, read_features(rows), texts, texts.astype(object)):
        other = COALACat().fit(X, y)
        assert other.n_features_in_ == 2
        np.testing.assert_array_equal(other.merges_.pairs, model.merges_.pairs)
        np.testing.assert_array_equal(other.labels_, model.labels_)


@pytest.mark.slow
def test_values_of_single_objects_are_interchangeable():
    random = np.random.default_rng(3)
    rows = random.integers(0, 4, (40, 5)).astype(float)
    rows[:, 0] = random.permutation(40)  # numbers that are all different
    labels = random.integers(0, 2, 40)
    merges = COALACat().fit(rows, labels).merges_
    rest = COALACat().fit(rows[:, 1:], labels).merges_
    assert merges.distances[-1] > rest.distances[-1]
    expected = coalacat(rows.tolist(), [labels], 0.6)
    assert_same(merges, expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"omega": -0.1}, "omega=-0.1; use a number of at least 0"),
        ({"omega": float("nan")}, "omega=nan; use a number of at least 0"),
        ({"missing_values": "drop"}, "missing_values='drop' is unknown"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"dtype": "int8"}, "dtype='int8' is unknown"),
        ({"n_clusters": 0}, "n_clusters=0; use an integer of at least 1"),
        ({"n_clusters": 4}, "n_clusters=4 for 3 objects"),
        ({"n_clusters": 1.5}, "n_clusters=1.5; use an integer of at least 1"),
    ],
)
@pytest.mark.parametrize("y", [None, [0, 1, 1]])
def test_wrong_options_are_refused(options, message, y):
    with pytest.raises(InputError, match=message):
        COALACat(**options).fit([["a"], ["b"], ["c"]], y)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([["a"]], [0], "n_samples=1"),
        ([["a"], ["b"]], [0, 1, 2], "3 labels for 2 objects"),
        ([["a"], ["b"]], [0, None], "missing"),
        (["a", "b"], [0, 1], "must be 2D"),
        ([[1.0], [np.inf]], [0, 1], "is inf at position 1"),
    ],
)
def test_wrong_data_is_refused(X, y, message):
    with pytest.raises(InputError, match=message):
        COALACat().fit(X, y)
