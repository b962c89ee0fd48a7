"""Reading two clusterings together: lengths, indexes, noise and weights."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array

import clusterwise as cw
from clusterwise.inputs.clusterings import (
    align_clusterings,
    as_hard_clustering,
    read_any_pair,
    read_pair,
)
from clusterwise.measures.catalogue import CATALOGUE
from clusterwise.measures.density import read_profiles
from helpers.strategies import forced, label_pairs, on_each
from reference import measures as naive

# -1 is noise in both, but not of the same objects.
NOISY_A = [-1, -1, 0, 0, 1, -1]
NOISY_B = [-1, 5, 5, -1, 6, -1]


def measure_names():
    return sorted(name for name, measure in CATALOGUE.items() if not measure.needs_data)


def cells(table):
    rows, columns, counts = table.nonzero
    names = zip(table.row_names[rows].tolist(), table.column_names[columns].tolist(), strict=True)
    return dict(zip(names, counts.tolist(), strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"noise": "ignore"}, "^noise='ignore' is unknown; use 'cluster', 'singletons' or 'drop'"),
        ({"missing": "ignore"}, "^missing='ignore' is unknown; use 'error', 'drop' or 'label'"),
        ({"align": "name"}, "^align='name' is unknown; use 'position', 'index' or None"),
        ({"align": "index"}, "^align='index' needs two pandas series, but a has no index"),
        ({"sample_weight": [1, -2, 1]}, "^sample_weight is -2 at position 1; .* negative"),
        ({"sample_weight": [1, 1, np.nan]}, "^sample_weight is nan at position 2"),
        ({"sample_weight": [np.inf, 1, 1]}, "^sample_weight is inf at position 0"),
        ({"sample_weight": [1, 1]}, "^sample_weight has 2 values for 3 objects"),
        ({"sample_weight": [[1, 1, 1]]}, "^sample_weight must be a 1D array of numbers"),
        ({"sample_weight": ["1", "2", "3"]}, "^sample_weight must be a 1D array of numbers"),
        ({"sample_weight": 2}, "^sample_weight must be a 1D array of numbers"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(cw.InputError, match=message):
        cw.Contingency.from_labels([0, 1, 1], [0, 0, 1], **options)


@pytest.mark.parametrize("hold", [list, np.array, pd.Series, pl.Series])
def test_unequal_lengths(hold):
    message = r"^a and b have inconsistent numbers of samples: \[2, 3\]; pass labels of the same"
    with pytest.raises(cw.InputError, match=message):
        read_pair(hold([0, 1]), hold([0, 1, 1]))


def test_a_clustering_is_read_once():
    clustering = as_hard_clustering(["x", "y"])
    assert as_hard_clustering(clustering) is clustering
    assert cw.rand_score(clustering, [0, 1]) == 1


def test_different_indexes_are_an_error():
    a, b = pd.Series([0, 1, 1]), pd.Series([0, 1, 1], index=[2, 1, 0])
    with pytest.raises(
        cw.InputError, match=r"^a and b are series with different indexes; .*'index'"
    ):
        cw.rand_score(a, b)
    assert cw.rand_score(a, b, align="position") == 1
    assert cw.rand_score(a, b.to_numpy()) == 1
    assert cw.rand_score(a, b, align="index") == pytest.approx(1 / 3)


@given(pair=label_pairs(min_size=2), data=st.data())
def test_matching_by_index_undoes_any_order(pair, data):
    order = data.draw(st.permutations(range(len(pair.a))))
    index = [f"object {i}" for i in range(len(pair.a))]
    a, b = pd.Series(pair.a, index=index), pd.Series(pair.b, index=index).iloc[list(order)]
    table = cw.Contingency.from_labels(a, b, align="index")
    assert cells(table) == naive.contingency(*pair)
    assert (table.matched.common, table.matched.in_a, table.matched.in_b) == (len(a),) * 3


def test_matching_by_index_says_what_was_left_out():
    a = pd.Series(["x", "x", "y", "y"], index=["p", "q", "r", "s"])
    b = pd.Series([1, 2, 2], index=["s", "q", "t"])
    message = r"matched by index: 2 objects in common: 50\.0% of the 4 in a, 66\.7% of the 3 in b"
    with pytest.warns(UserWarning, match=message):
        score = cw.rand_score(a, b, align="index")
    assert score == 1
    table = cw.Contingency.from_labels(a, b, align="index")
    assert cells(table) == {("x", 2): 1, ("y", 1): 1}


def test_matching_by_index_carries_weights_along():
    a = pd.Series(["x", "y", "y"], index=["p", "q", "r"])
    b = pd.Series([1, 2, 2], index=["r", "q", "p"])
    expected = {("x", 2): 1, ("y", 2): 10, ("y", 1): 100}
    by_index = pd.Series([100, 1, 10, 7], index=["r", "p", "q", "unused"])
    for weights in ([1, 10, 100], by_index):
        table = cw.Contingency.from_labels(a, b, align="index", sample_weight=weights)
        assert cells(table) == expected
    with pytest.raises(cw.InputError, match="sample_weight lacks the index value 'r'"):
        cw.rand_score(a, b, align="index", sample_weight=by_index[["p", "q"]])
    with pytest.raises(cw.InputError, match="has 2 values for the 3 objects of a"):
        cw.rand_score(a, b, align="index", sample_weight=[1, 2])


@pytest.mark.parametrize(
    ("index_a", "index_b", "message"),
    [
        ([0, 0, 1], [0, 1, 2], "^the index of a has 0 more than once"),
        (["x", "y", "z"], ["x", "z", "z"], "^the index of b has 'z' more than once"),
        ([0, 1, 2], [3, 4, 5], "^a and b have no index value in common"),
    ],
)
def test_indexes_that_cannot_be_matched(index_a, index_b, message):
    a, b = pd.Series([0, 1, 1], index=index_a), pd.Series([0, 1, 1], index=index_b)
    with pytest.raises(cw.InputError, match=message):
        cw.rand_score(a, b, align="index")


def test_only_one_series_has_an_index():
    with pytest.raises(cw.InputError, match="but b has no index"):
        cw.rand_score(pd.Series([0, 1]), [0, 1], align="index")


def test_noise_as_a_cluster_is_the_default():
    table = cw.Contingency.from_labels(NOISY_A, NOISY_B)
    assert cells(table) == naive.contingency(NOISY_A, NOISY_B)
    assert table == cw.Contingency.from_labels(NOISY_A, NOISY_B, noise="cluster")


@pytest.mark.parametrize(
    "kind", ["int64", "int8", "float64", "object", "strings", "uint8 by label", "text"]
)
def test_noise_of_every_kind(kind):
    a, b, label = NOISY_A, NOISY_B, -1
    if kind == "uint8 by label":
        a, b, label = (np.array(a) % 256).astype("u1"), (np.array(b) % 256).astype("u1"), 255
    elif kind == "text":
        a, b = ([f"{i}" if i >= 0 else "noise" for i in side] for side in (a, b))
        label = "noise"
    elif kind == "strings":  # as NumPy makes of names and -1
        a, b = (np.array(["x", *side])[1:] for side in (a, b))
    else:
        a, b = np.array(a, kind), np.array(b, kind)
    dropped = cw.Contingency.from_labels(a, b, noise="drop", noise_label=label)
    assert dropped.n == 2
    assert dropped.to_array().tolist() == [[1, 0], [0, 1]]
    single = cw.Contingency.from_labels(a, b, noise="singletons", noise_label=label)
    assert single.n == 6
    assert sorted(single.row_sums.tolist()) == [1, 1, 1, 1, 2]
    assert sorted(single.column_sums.tolist()) == [1, 1, 1, 1, 2]
    assert [repr(name) for name in single.row_names[-3:]] == ["noise"] * 3


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
@pytest.mark.parametrize("label", [-1, "noise", 300, None])
def test_no_noise_no_difference(noise, label):
    a, b = np.array([0, 1, 1, 2], np.uint8), ["x", "x", "y", "z"]
    table = cw.Contingency.from_labels(a, b, noise=noise, noise_label=label)
    assert table == cw.Contingency.from_labels(a, b)


@given(pair=label_pairs())
def test_dropping_noise_is_dropping_the_objects(pair):
    """Label 0 is called noise; the objects that either clustering gives it go."""
    kept = [(k, j) for k, j in zip(*pair, strict=True) if k and j]
    table = cw.Contingency.from_labels(*pair, noise="drop", noise_label=0)
    assert cells(table) == naive.contingency([k for k, _ in kept], [j for _, j in kept])


@given(pair=label_pairs())
def test_singletons_are_clusters_of_their_own(pair):
    alone = [[label or f"noise {i}" for i, label in enumerate(side)] for side in pair]
    found = cw.rand_score(*pair, noise="singletons", noise_label=0)
    assert found == naive.rand(*alone)
    assert cw.purity_score(*pair, noise="singletons", noise_label=0) == pytest.approx(
        cw.purity_score(*alone)
    )


def test_noise_and_weights_go_together():
    table = cw.Contingency.from_labels(
        NOISY_A, NOISY_B, noise="drop", sample_weight=[1, 2, 3, 4, 5, 6]
    )
    assert cells(table) == {(0, 5): 3, (1, 6): 5}


def test_a_noise_object_of_weight_two_is_two_singletons():
    a, b, weights = [0, 0, -1], [0, 0, 1], [1, 1, 2]
    found = cw.adjusted_rand_score(a, b, sample_weight=weights, noise="singletons")
    assert found == cw.adjusted_rand_score([*a, -1], [*b, 1], noise="singletons")
    assert found == pytest.approx(4 / 7)
    table = cw.Contingency.from_labels(a, b, sample_weight=weights, noise="singletons")
    assert table.to_array().tolist() == [[2, 0], [0, 1], [0, 1]]


def test_noise_without_weight_is_no_cluster():
    found = cw.Contingency.from_labels(
        [0, 0, -1], [0, 0, 1], sample_weight=[1.5, 1, 0], noise="singletons"
    )
    assert found.to_array().tolist() == [[2.5]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.5, 1, 2.5], r"^sample_weight is 2\.5 at position 3, which is noise, but"),
        ([1, 1, 10**7 + 1], "would make 10000001 clusters of noise, more than 10000000; use"),
        ([1.0, 1.0, 1e300], "clusters of noise, more than 10000000; use noise='cluster' or 'drop'"),
    ],
)
def test_noise_of_fractions_and_of_huge_weights_is_refused(weights, message):
    a, b = ["x", None, "x", "noise"], ["u", "u", "u", "v"]
    weights = [weights[0], 0.5, *weights[1:]]
    with pytest.raises(cw.InputError, match=message):
        cw.rand_score(
            a, b, sample_weight=weights, noise="singletons", noise_label="noise", missing="drop"
        )


def test_all_noise_leaves_nothing():
    table = cw.Contingency.from_labels([-1, -1], [0, 1], noise="drop")
    assert (table.n, table.shape) == (0, (0, 0))


@st.composite
def pairs_with_missing(draw, nothing=None):
    """A pair of labels in which some are missing, and the objects that lack none."""
    pair = draw(label_pairs())
    n = len(pair.a)
    gone = [draw(st.sets(st.integers(0, n - 1))) for _ in pair]
    sides = [
        [nothing if i in out else k for i, k in enumerate(side)]
        for side, out in zip(pair, gone, strict=True)
    ]
    return sides, [i for i in range(n) if i not in gone[0] | gone[1]]


HOLD = {
    "list": (list, None),
    "NaN": (lambda side: np.array(side, float), np.nan),
    "pandas": (lambda side: pd.Series(side, dtype="Int64"), None),
    "Polars": (lambda side: pl.Series(side, dtype=pl.Int64), None),
    "generator": (iter, None),
}  # fmt: skip


@pytest.mark.parametrize("hold", HOLD)
@given(data=st.data())
def test_dropping_missing_labels_is_dropping_the_objects(hold, data):
    make, nothing = HOLD[hold]
    sides, left = data.draw(pairs_with_missing(nothing))
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(sides[0]), max_size=len(sides[0])))
    options = {
        "sample_weight": weights,
        "noise": data.draw(st.sampled_from(["cluster", "drop"])),
        "noise_label": 0,
    }
    found = read_pair(*map(make, sides), missing="drop", **options)
    options["sample_weight"] = [weights[i] for i in left]
    by_hand = read_pair(*([side[i] for i in left] for side in sides), **options)
    assert cells(cw.Contingency.from_pair(found)) == cells(cw.Contingency.from_pair(by_hand))
    kept = np.array(left, int) if by_hand.kept is None else np.array(left, int)[by_hand.kept]
    assert (
        np.arange(len(sides[0])) if found.kept is None else found.kept
    ).tolist() == kept.tolist()
    assert found.n == len(sides[0])


@pytest.mark.parametrize("hold", HOLD)
@given(data=st.data())
def test_missing_labels_can_be_one_cluster(hold, data):
    make, nothing = HOLD[hold]
    sides, _ = data.draw(pairs_with_missing(nothing))
    named = [["(missing)" if k is nothing else k for k in side] for side in sides]
    table = cw.Contingency.from_labels(*map(make, sides), missing="label")
    assert cells(table) == naive.contingency(*named)
    for names in (table.row_names, table.column_names):
        assert "(missing)" not in names[:-1].tolist()


def test_missing_labels_join_a_cluster_of_that_name():
    table = cw.Contingency.from_labels(["(missing)", None, "x"], [0, 0, 1], missing="label")
    assert cells(table) == {("(missing)", 0): 2, ("x", 1): 1}


def test_missing_labels_are_no_noise():
    a, b = [-1, None, 0, 0], [0, 0, -1, 1]
    single = cw.Contingency.from_labels(a, b, noise="singletons", missing="label")
    assert sorted(single.row_sums.tolist()) == [1, 1, 2]
    assert cells(cw.Contingency.from_labels(a, b, noise="drop", missing="drop")) == {(0, 1): 1}
    table = cw.Contingency.from_labels(a, b, noise="singletons", missing="drop")
    assert (table.n, table.shape) == (3, (2, 3))


def test_missing_labels_are_dropped_after_matching_by_index():
    a = pd.Series(["x", None, "y"], index=["p", "q", "r"])
    b = pd.Series([1, 2, None], index=["r", "q", "p"], dtype="Int64")
    table = cw.Contingency.from_labels(a, b, align="index", missing="drop")
    assert cells(table) == {("y", 1): 1}


def test_all_missing_leaves_nothing():
    table = cw.Contingency.from_labels([None, np.nan], [0, 1], missing="drop")
    assert (table.n, table.shape) == (0, (0, 0))
    table = cw.Contingency.from_labels([None, np.nan], [0, 1], missing="label")
    assert table.row_names.tolist() == ["(missing)"]


def test_a_clustering_with_missing_labels_is_refused_where_none_are_expected():
    clustering = as_hard_clustering([0, None, 1], missing="drop")
    with pytest.raises(cw.InputError, match=r"^labels has no label at position 1"):
        as_hard_clustering(clustering)
    with pytest.raises(cw.InputError, match=r"^a has no label at position 1"):
        align_clusterings(clustering, clustering)


def test_rows_of_missing_memberships_are_dropped():
    soft = np.array([[0.5, 0.5], [np.nan, np.nan], [0.0, 1.0]])
    one_hot = np.array([[1.0, 0.0], [0.0, 1.0], [np.nan, 0.0]])
    left = read_any_pair(soft, one_hot, missing="drop")
    assert left.kept.tolist() == [0]
    assert left.a.memberships.values.tolist() == [[0.5, 0.5]]
    assert left.b.codes.values.tolist() == [0]
    table = cw.Contingency.from_labels(one_hot, ["x", None, "y"], missing="drop")
    assert cells(table) == {(0, "x"): 1}
    sparse = read_any_pair(csr_array(soft), [0, 1, 1], missing="drop")
    assert sparse.kept.tolist() == [0, 2]
    with pytest.raises(cw.InputError, match="is not finite at row 1"):
        cw.rand_score(soft, [0, 1, 1], missing="label")


@pytest.mark.parametrize("missing", ["drop", "label"])
def test_missing_labels_beside_features(missing):
    X = np.arange(12.0).reshape(6, 2)
    labels = np.array(["x", None, "y", "y", None, "x"], object)
    named = np.where(labels == None, "(missing)", labels)  # noqa: E711
    known = named != "(missing)"
    binning = cw.Binning("width", 3).fit(X)
    found = cw.DensityProfile.from_data(X, labels, binning=binning, missing=missing)
    kept = known if missing == "drop" else slice(None)
    by_hand = cw.DensityProfile.from_data(X[kept], named[kept].astype(str), binning=binning)
    assert found.names.tolist() in ([*"xy"], [*"xy", "(missing)"])
    order = [found.names.tolist().index(name) for name in by_hand.names.tolist()]
    assert found.counts[order].tolist() == by_hand.counts.tolist()
    for choice in ("width", "mdl"):
        a, b = read_profiles(labels, np.roll(labels, 1), X, binning=choice, missing=missing)
        assert a.n == b.n == (2 if missing == "drop" else 6)


def test_noise_in_long_arrays_whose_range_is_a_guess():
    a = np.arange(20_000) % 4
    a[13] = a[19_998] = -1
    table = cw.Contingency.from_labels(a, a, noise="singletons")
    assert table.shape == (6, 6)
    assert table.is_one_to_one


@pytest.mark.parametrize("route", ["dense", "sparse"])
@given(
    pair=label_pairs(max_size=12),
    numbers=st.lists(st.integers(0, 4), min_size=12, max_size=12),
)
@on_each(name=measure_names())
def test_whole_weights_repeat_objects(name, route, pair, numbers):
    weights = numbers[: len(pair.a)]
    if not any(weights):
        weights[0] = 1
    measure = getattr(cw, name)
    repeated = [np.repeat(side, weights) for side in pair]
    with forced(route):
        found = measure(*pair, sample_weight=weights)
        assert found == pytest.approx(measure(*repeated), abs=1e-12)


@pytest.mark.parametrize("name", measure_names())
def test_weights_may_come_in_any_kind(name):
    a, b = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]
    measure = getattr(cw, name)
    expected = measure(a, b, sample_weight=[2, 1, 3, 1, 2])
    for kind in ("u1", "i4", "f4", "f8"):
        found = measure(a, b, sample_weight=np.array([2, 1, 3, 1, 2], kind))
        assert found == pytest.approx(expected, abs=1e-12)
    ones = measure(a, b, sample_weight=np.ones(5, bool))
    assert ones == pytest.approx(measure(a, b), abs=1e-12)


def test_weights_in_another_order_are_an_error():
    index = ["p", "q", "r"]
    a, b = pd.Series([0, 0, 1], index=index), pd.Series([0, 1, 1], index=index)
    weights = pd.Series([1, 2, 3], index=index[::-1])
    with pytest.raises(cw.InputError, match=r"sample_weight .*index"):
        cw.rand_score(a, b, sample_weight=weights)
    by_index = cw.rand_score(a, b, sample_weight=weights, align="index")
    assert by_index == cw.rand_score(a, b, sample_weight=[3, 2, 1])
    by_position = cw.rand_score(a, b, sample_weight=weights, align="position")
    assert by_position == cw.rand_score(a, b, sample_weight=[1, 2, 3])


def test_masked_weights_are_missing():
    weights = np.ma.array([1, 2, 1], mask=[False, True, False])
    with pytest.raises(cw.InputError, match=r"sample_weight .*position 1"):
        cw.rand_score([0, 0, 1], [0, 1, 1], sample_weight=weights)


@pytest.mark.parametrize(
    "measure", [cw.normalized_mutual_info_score, cw.adjusted_mutual_info_score]
)
@pytest.mark.parametrize("b", [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
def test_unknown_means_are_refused_whatever_the_labels(measure, b):
    with pytest.raises(cw.InputError, match=r"^average_method='mean' is unknown; use 'min'"):
        measure([0, 0, 1], b, average_method="mean")


@pytest.mark.parametrize("name", ["rand_score", "adjusted_rand_score", "pair_jaccard_score"])
def test_weights_that_count_less_than_an_object(name):
    with pytest.raises(cw.InputError, match="weigh less than one each; multiply the weights"):
        getattr(cw, name)([0, 0, 1], [0, 1, 1], sample_weight=[0.1, 0.2, 0.3])


def test_a_ready_table_stands_for_both():
    table = cw.Contingency.from_labels([0, 0, 1], [0, 1, 1])
    assert cw.rand_score(table) == pytest.approx(1 / 3)
    with pytest.raises(cw.InputError, match=r"ready Contingency .* leave the second"):
        cw.rand_score(table, [0, 1, 1])
    with pytest.raises(cw.InputError, match="leave noise out"):
        cw.rand_score(table, noise="drop")
    with pytest.raises(cw.InputError, match="pass two clusterings, or one ready Contingency"):
        cw.rand_score([0, 0, 1])
    with pytest.raises(cw.InputError, match="pass two clusterings, or one ready Contingency"):
        cw.rand_score([0, 0, 1], table)
