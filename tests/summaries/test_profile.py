"""Density profiles: every route counts the same, and profiles add up."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from reference import density as naive

NAN = float("nan")


def some_data(n=500, features=4, clusters=3, *, missing=0.0, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, features))
    X[random.random(X.shape) < missing] = NAN
    return X, random.integers(0, clusters, n)


def as_dict(profile):
    """Counts by (cluster, feature, bin), zeros left out."""
    offsets = profile.binning.offsets
    found = {}
    for k, name in enumerate(profile.names.tolist()):
        for r in range(len(offsets) - 1):
            for i, count in enumerate(profile.feature(r)[k].tolist()):
                if count:
                    found[name, r, i] = count
    return found


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("kind", ["C", "F", "float32", "strided", "list", "pandas", "polars"])
def test_every_kind_of_data_gives_the_definition(kind, missing):
    X, labels = some_data(missing=missing)
    X = X.astype(np.float32).astype(np.float64)
    make = {
        "C": np.ascontiguousarray,
        "F": np.asfortranarray,
        "float32": lambda X: X.astype(np.float32),
        "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        "list": np.ndarray.tolist,
        "pandas": pd.DataFrame,
        "polars": lambda X: pl.DataFrame(X, nan_to_null=True),
    }[kind]
    profile = cw.DensityProfile.from_data(make(X), labels, n_bins=5)
    assert as_dict(profile) == naive.profile(X.tolist(), labels.tolist(), 5)
    assert profile.n == 500
    assert profile.sizes.tolist() == np.bincount(labels).tolist()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n", [1, 7, 5000, 40_000])
def test_threads_and_blocks_do_not_matter(order, n, monkeypatch):
    X, labels = some_data(n, 7, missing=0.001)
    X = np.asarray(X, order=order)
    alone = cw.DensityProfile.from_data(X, labels)
    monkeypatch.setattr("clusterwise._utils.threads.SERIAL_BELOW", 1)
    with cw.threads(3, oversubscribe=True):
        together = cw.DensityProfile.from_data(X, labels)
    assert alone == together


@given(
    cuts=st.lists(st.integers(0, 60), max_size=3),
    seed=st.integers(0, 1000),
    weights=st.sampled_from(["none", "whole", "fractional"]),
)
def test_chunks_add_up_to_the_whole(cuts, seed, weights):
    X, labels = some_data(60, 2, seed=seed, missing=0.1)
    weight = {
        "none": None,
        "whole": np.arange(60) % 4,
        "fractional": np.linspace(0.5, 2, 60),
    }[weights]
    binning = cw.Binning(n_bins=4).fit(X)
    whole = cw.DensityProfile.from_data(X, labels, binning=binning, sample_weight=weight)
    ends = [0, *sorted(cuts), 60]
    chunks = [
        (X[i:j], labels[i:j], None if weight is None else weight[i:j]) for i, j in pairwise(ends)
    ]
    summed = cw.DensityProfile.from_chunks(chunks, binning)
    assert summed.names.tolist() == whole.names.tolist()
    assert summed.counts == pytest.approx(whole.counts)
    first = cw.DensityProfile.from_data(*chunks[0][:2], binning=binning, sample_weight=chunks[0][2])
    rest = cw.DensityProfile.from_chunks(chunks[1:], binning)
    left = summed - first
    assert left.names.tolist() == rest.names.tolist()
    assert left.counts == pytest.approx(rest.counts)


def test_whole_weights_repeat_objects():
    X, labels = some_data(50, 3, missing=0.1)
    weights = np.arange(50) % 3
    binning = cw.Binning().fit(X)
    weighted = cw.DensityProfile.from_data(X, labels, binning=binning, sample_weight=weights)
    repeated = cw.DensityProfile.from_data(
        np.repeat(X, weights, axis=0), np.repeat(labels, weights), binning=binning
    )
    assert weighted == repeated


def test_soft_memberships_give_expected_counts():
    X, labels = some_data(80, 3, missing=0.1)
    hard = cw.DensityProfile.from_data(X, labels)
    one_hot = cw.DensityProfile.from_data(X, np.eye(3)[labels], binning=hard.binning)
    assert (one_hot.counts == hard.counts).all()
    shares = np.random.default_rng(1).dirichlet(np.ones(3), 80)
    soft = cw.DensityProfile.from_data(X, shares, binning=hard.binning)
    assert soft.sizes == pytest.approx(shares.sum(axis=0))
    bins = hard.binning.bins(X).codes[0]
    expected = [shares[bins == i, 1].sum() for i in range(11)]
    assert soft.feature(0)[1] == pytest.approx(expected)
    assert cw.adco_score(shares, shares, X) == pytest.approx(1)


def test_noise_and_values_outside_the_range():
    X = np.array([[0.0], [10.0], [99.0], [-5.0]])
    binning = cw.Binning(n_bins=2).fit(X[:2])
    for data in (X, X.tolist()):
        profile = cw.DensityProfile.from_data(data, [0, 0, 0, 1], binning=binning)
        assert profile.counts.tolist() == [[1, 2, 0], [1, 0, 0]]
        assert profile.outside == {"x0": 2}
    left = cw.DensityProfile.from_data(X, [-1, 0, 0, 1], binning=binning, noise="drop")
    assert left.counts.tolist() == [[0, 2, 0], [1, 0, 0]]
    alone = cw.DensityProfile.from_data(X, [-1, 0, -1, 1], binning=binning, noise="singletons")
    assert alone.counts.sum(axis=1).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinite_values_are_refused(infinity):
    binning = cw.Binning().fit([[0.0], [1.0]])
    for data in (np.array([[0.5], [infinity]]), [[0.5], [infinity]]):
        with pytest.raises(cw.InputError, match=r"is -?inf at position 1"):
            cw.DensityProfile.from_data(data, [0, 1], binning=binning)


def test_constant_features_and_single_objects():
    profile = cw.DensityProfile.from_data(np.full((3, 2), 7.0), [0, 1, 1])
    assert profile.counts.tolist() == [[1, 0, 1, 0], [2, 0, 2, 0]]
    assert cw.adco_score([0, 1, 1], [0, 0, 0], np.full((3, 2), 7.0)) == pytest.approx(2 / 3)


def test_profiles_with_other_bins_do_not_add():
    X, labels = some_data(30)
    first = cw.DensityProfile.from_data(X, labels, n_bins=3)
    second = cw.DensityProfile.from_data(X, labels, n_bins=4)
    with pytest.raises(cw.InputError, match="different bins"):
        first + second
    with pytest.raises(cw.InputError, match="the second profile has objects that"):
        first - (first + first)
    with pytest.raises(TypeError, match=r"for \+: 'DensityProfile' and 'int'"):
        first + 1


def test_a_profile_says_where_clusters_are_dense():
    X = pd.DataFrame({"age": [20.0, 21, 22, 80, 81, 82], "city": list("aabbbb")})
    profile = cw.DensityProfile.from_data(X, ["young"] * 3 + ["old"] * 3, n_bins=2)
    text = repr(profile)
    assert "6 objects, 2 clusters, 2 features" in text
    young = next(line for line in text.splitlines() if line.startswith("young"))
    assert "age" in young
    assert "2.0 times" in young
    frame = profile.to_frame("polars")
    assert frame.columns == ["cluster", "feature", "bin", "count"]
    assert frame["count"].sum() == 12


def test_regions_that_differ():
    binning = cw.Binning.from_edges({"age": [0, 30, 60, 90]})
    make = cw.DensityProfile.from_data
    last = make([[20], [25], [70], [80]], list("xxyy"), binning=binning)
    this = make([[22], [27], [50], [75]], list("ppqq"), binning=binning)
    found = cw.compare_profiles(last, this, names=("last", "this"))
    assert found.adco == cw.adco_score(last, this)
    assert found.cosine == pytest.approx(cw.profile_cosine_score(last, this))
    assert [(m.a, m.b) for m in found.matches] == [("x", "p"), ("y", "q")]
    assert sum(m.share for m in found.matches) == pytest.approx(1)
    assert found.feature_proportions == {"age": 1.0}
    assert {(r.a, r.b, r.bin, r.difference) for r in found.regions} == {
        ("y", "q", "[30, 60)", 0.5),
        ("y", "q", "[60, 90]", -0.5),
    }
    assert "Where last and this differ (ADCO" in repr(found)
    assert len(found.to_frame("pandas")) == 2


def test_compare_includes_density_where_there_is_data():
    X, a = some_data(60)
    b = np.roll(a, 5)
    comparison = cw.compare(a, b, X)
    assert comparison.values["adco_score"] == cw.adco_score(a, b, X)
    assert comparison.values["profile_cosine_score"] == cw.profile_cosine_score(a, b, X)
    assert comparison.density.adco == comparison.values["adco_score"]
    assert "adco_score" not in cw.compare(a, b).values
    with pytest.raises(cw.InputError, match="adco_score needs the features of the objects; pass X"):
        cw.compare(a, b, measures=["adco_score"])
    with pytest.raises(cw.InputError, match="pass X to compare"):
        _ = cw.compare(a, b).density
    matrix = cw.compare_all({"a": a, "b": b, "c": a}, X, measure="adco_score")
    assert matrix.values[0, 1] == comparison.values["adco_score"]
    assert matrix.values[0, 2] == 1
    with pytest.raises(cw.InputError, match="adco_score needs the features"):
        cw.compare_all({"a": a, "b": b}, measure="adco_score")


def test_what_either_calls_noise_is_left_out_of_both():
    X, a, b = np.arange(4.0)[:, None], [-1, 0, 0, 1], [0, 0, 1, -1]
    comparison = cw.compare(a, b, X, noise="drop")
    assert comparison.table.n == 2
    assert [profile.n for profile in comparison.profiles] == [2, 2]
    weighted = cw.compare(a, b, X, noise="drop", sample_weight=[1, 2, 3, 4])
    assert [profile.n for profile in weighted.profiles] == [5, 5]
    shares = np.array([[0.5, 0.5]] * 4)
    assert cw.adco_score(a, shares, X, noise="drop") == cw.adco_score(
        [0, 0, 1], shares[1:], X[1:], binning=cw.Binning().fit(X)
    )


def test_clusterings_of_different_lengths_are_refused():
    with pytest.raises(cw.InputError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        cw.adco_score([0, 1], [0, 1, 1], [[0.0], [1.0], [2.0]])


@pytest.mark.parametrize("order", ["C", "F"])
def test_constant_columns_and_the_ends_of_the_range(order):
    X = np.array([[-1.1950264231087628, 3.0], [0.9619851398787281, 3.0]])
    binning = cw.Binning().fit(X)
    above = np.nextafter(X[1, 0], 9)
    new = np.asarray([[above, 2.0], [X[1, 0], 3.0], [X[0, 0], 4.0], [NAN, NAN]], order=order)
    fused = cw.DensityProfile.from_data(new, [0, 0, 0, 0], binning=binning)
    plain = cw.DensityProfile.from_data(new.tolist(), [0, 0, 0, 0], binning=binning)
    assert fused == plain
    assert fused.outside == plain.outside == {"x0": 1, "x1": 2}
    with pytest.raises(cw.InputError, match="column 'x1' of X is inf at position 1"):
        cw.DensityProfile.from_data(np.array([[0, 3.0], [0, np.inf]]), [0, 0], binning=binning)


def test_even_bins_of_different_numbers():
    binning = cw.Binning.from_edges({"x": [0, 1, 2], "y": [0, 1, 2, 3]})
    X = np.array([[0.5, 2.5], [1.5, 0.5], [9.0, NAN]])
    profile = cw.DensityProfile.from_data(X, [0, 0, 0], binning=binning)
    assert profile.counts.tolist() == [[1, 2, 0, 1, 0, 1, 1]]
    assert profile.outside == {"x": 1}


@pytest.mark.slow
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("late", [-3, 50, 10**12])
def test_a_late_label_outside_the_sampled_range(order, late):
    X, labels = some_data(30_000, 2)
    labels[20_001] = late
    profile = cw.DensityProfile.from_data(np.asarray(X, order=order), labels)
    assert profile.n == 30_000
    assert profile.sizes[profile.names.tolist().index(late)] == 1
