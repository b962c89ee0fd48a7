"""Planted clusterings of other sizes, turned, in names, and in names and numbers."""

from math import prod

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.spatial.distance import pdist

import clusterwise as cw
from clusterwise import InputError
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_coala_set,
    make_ds1,
    make_ds2,
    make_mixed_alternatives,
    relabel,
)
from clusterwise.inputs.points import read_points

MAKERS = [make_alternatives, make_categorical_alternatives, make_mixed_alternatives]
IN_NAMES = MAKERS[1:]


def columns_of(data, name):
    return [i for i, feature in enumerate(data.feature_names) if feature.startswith(f"{name}_")]


@given(
    make=st.sampled_from(MAKERS),
    clusterings=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    features=st.integers(1, 3),
    extra=st.integers(0, 2),
    spare=st.integers(0, 30),
    balance=st.sampled_from([1.0, 0.5, 0.01]),
    seed=st.integers(0, 100),
)
def test_every_combination_occurs(make, clusterings, features, extra, spare, balance, seed):
    n = prod(clusterings) + spare
    data = make(
        n, clusterings, features=features, extra_features=extra, balance=balance, random_state=seed
    )
    kinds = 2 if make is make_mixed_alternatives else 1
    width = kinds * (features * len(clusterings) + extra)
    assert data.X.shape == (n, width)
    assert len(data.feature_names) == len(set(data.feature_names)) == width
    assert data.labels.shape == (n, len(clusterings)) == (n, len(data.names))
    assert len(np.unique(data.labels, axis=0)) == prod(clusterings)
    assert (data.labels.max(axis=0) == np.array(clusterings) - 1).all()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("balance", [0.8, 0.3, 0.1])
def test_sizes_fall_by_the_same_factor_and_clusterings_stay_independent(make, balance):
    data = make(20_000, (2, 4), balance=balance, random_state=0)
    first, second = (np.bincount(labels) for labels in data.labels.T)
    assert first[1] / first[0] == pytest.approx(balance, rel=0.01)
    factor = balance ** (1 / 3)
    np.testing.assert_allclose(second[1:] / second[:-1], factor, rtol=0.02)
    assert cw.mutual_info_score(*data.labels.T) < 1e-4


@pytest.mark.parametrize("make", MAKERS)
def test_one_cluster_has_all_objects_whatever_the_balance(make):
    data = make(9, (1, 3), balance=0.5, random_state=0)
    assert (data.labels[:, 0] == 0).all()
    assert np.bincount(data.labels[:, 1]).tolist() == [4, 3, 2]


def test_rotation_keeps_distances_and_mixes_features():
    plain, turned = (
        make_alternatives(100, (2, 3), extra_features=2, rotated=rotated, random_state=0)
        for rotated in (False, True)
    )
    np.testing.assert_array_equal(plain.labels, turned.labels)
    np.testing.assert_allclose(pdist(plain.X), pdist(turned.X))
    assert turned.feature_names == ("x1", "x2", "x3", "x4", "x5", "x6")
    # Each turned feature takes something from every one before.
    shares = np.linalg.lstsq(plain.X, turned.X, rcond=None)[0]
    assert np.abs(shares).min() > 1e-3
    np.testing.assert_allclose(shares.T @ shares, np.eye(6), atol=1e-9)


@pytest.mark.parametrize("reliability", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("values", [None, 5])
def test_values_follow_clusters_as_reliably_as_asked(reliability, values):
    data = make_categorical_alternatives(
        30_000, (2, 3), features=2, values=values, reliability=reliability, extra_features=1,
        random_state=0,
    )  # fmt: skip
    for i, name in enumerate(data.names):
        size = values or i + 2
        own = reliability + (1 - reliability) / size
        for column in columns_of(data, name):
            leaders = set()
            for cluster in range(i + 2):
                inside = data.X[data.labels[:, i] == cluster, column]
                found, counts = np.unique(inside.astype(str), return_counts=True)
                shares = np.sort(counts / inside.size)[::-1]
                assert shares[0] == pytest.approx(own, abs=0.02)
                np.testing.assert_allclose(shares[1:], (1 - reliability) / size, atol=0.02)
                leaders.add(found[counts.argmax()])
            if reliability:
                assert len(leaders) == i + 2
    extra = data.X[:, columns_of(data, "extra")[0]].astype(str)
    shares = np.unique(extra, return_counts=True)[1] / 30_000
    np.testing.assert_allclose(shares, np.full(values or 3, 1 / (values or 3)), atol=0.02)


@pytest.mark.parametrize("make", IN_NAMES)
def test_names_say_nothing_of_the_other_clustering(make):
    data = make(2000, (3, 3), extra_features=1, random_state=0)
    for column, name in zip(data.X.T, data.feature_names, strict=True):
        if not isinstance(column[0], str):
            continue
        for i, clustering in enumerate(data.names):
            told = cw.mutual_info_score(data.labels[:, i], column.astype(str))
            assert (told > 0.2) == name.startswith(clustering)
            assert told > 0.2 or told < 0.01


def test_clusters_have_other_values_in_other_features():
    data = make_categorical_alternatives(40, (4, 2), features=8, reliability=1, random_state=0)
    rows = data.X[data.labels[:, 0] == 0][:, columns_of(data, "c1")]
    assert len(np.unique(rows.astype(str), axis=0)) == 1
    assert len(set(rows[0])) > 1


def test_mixed_data_hold_numbers_and_names():
    data = make_mixed_alternatives(
        2000, (2, 3), features=(1, 2), separation=6, noise=0.5, extra_features=1, random_state=0
    )
    kinds = [type(value).__name__ for value in data.X[0]]
    assert kinds == ["float", "str", "float", "float", "str", "str", "float", "str"]
    for i, numbers in enumerate([[0], [2, 3]]):
        own = data.X[:, numbers].astype(float)
        centres = [own[data.labels[:, i] == k].mean(axis=0) for k in range(i + 2)]
        assert pdist(centres).min() == pytest.approx(6, rel=0.05)
        for k in range(i + 2):
            spread = own[data.labels[:, i] == k].std(axis=0)
            np.testing.assert_allclose(spread, 0.5, rtol=0.1)
    assert data.X[:, 6].astype(float).std() == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize("make", IN_NAMES)
def test_the_library_reads_them(make):
    data = make(50, (2, 2), random_state=0)
    points, owners = read_points(data.X)
    assert len(points) == 50
    assert owners.max() + 1 == len(data.feature_names)


@pytest.mark.parametrize("make", IN_NAMES)
def test_seeds_decide(make):
    first, same, other = (make(random_state=seed) for seed in (3, np.random.default_rng(3), 4))
    np.testing.assert_array_equal(first.X, same.X)
    np.testing.assert_array_equal(first.labels, same.labels)
    assert not np.array_equal(first.labels, other.labels)
    assert not np.array_equal(make().X, make().X)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusterings": ()}, r"clusterings=\(\); pass a number of clusters for each"),
        ({"clusterings": (2, 0)}, r"clusterings=\(2, 0\)"),
        ({"features": (2, 2, 2)}, r"features=\(2, 2, 2\) for 2 clusterings"),
        ({"n": 3}, "n=3 objects for 4 combinations"),
        ({"extra_features": -1}, "extra_features=-1"),
        ({"balance": 0}, "balance=0; pass a number above 0, and at most 1"),
        ({"balance": 1.5}, "balance=1.5"),
        ({"balance": float("nan")}, "balance=nan"),
    ],
)
def test_impossible_data_is_refused(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


@pytest.mark.parametrize("make", IN_NAMES)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reliability": 1.1}, "reliability=1.1; pass a number from 0 to 1"),
        ({"reliability": float("nan")}, "reliability=nan"),
        ({"values": 2, "clusterings": (2, 3)}, "values=2 for 3 clusters; pass at least one for"),
    ],
)
def test_impossible_names_are_refused(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: make_alternatives(20, random_state=seed).X,
        lambda seed: make_categorical_alternatives(20, random_state=seed).X,
        lambda seed: make_mixed_alternatives(20, random_state=seed).X,
        lambda seed: make_coala_set("A", random_state=seed).X,
        lambda seed: make_ds1(random_state=seed).X,
        lambda seed: make_ds2(random_state=seed).X,
        lambda seed: relabel(["A"] * 20 + ["B"], "A", "B", random_state=seed),
    ],
)
def test_every_kind_of_seed(make):
    for seed in (np.random.default_rng, np.random.RandomState):
        np.testing.assert_array_equal(make(seed(3)), make(seed(3)))
    np.testing.assert_array_equal(make(3), make(np.random.default_rng(3)))
    assert make(None).shape == make(3).shape
    with pytest.raises(InputError, match="random_state='x' is not a seed"):
        make("x")
