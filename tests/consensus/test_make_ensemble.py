"""make_ensemble: strategies, starts, samples, and invalid parameters."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import make_blobs

import clusterwise as cw
from clusterwise import InputError
from clusterwise.consensus.make_ensemble import STRATEGIES, make_ensemble
from clusterwise.inputs.ensembles import read_ensemble
from clusterwise.inputs.points import read_points
from clusterwise.models.kmeans import centre
from helpers.strategies import max_examples


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(300, 4, centers=3, cluster_std=0.5, random_state=1)


@max_examples(30)
@given(
    n=st.integers(2, 30),
    width=st.integers(1, 4),
    m=st.integers(1, 9),
    unsampled=st.sampled_from(["nearest", "missing"]),
    init=st.sampled_from(["k-means++", "random"]),
    seed=st.integers(0, 1000),
)
def test_codes_are_counted_in_order_of_first_objects(n, width, m, unsampled, init, seed):
    # Few values, so that clusters run empty.
    X = np.random.default_rng(seed).integers(0, 3, (n, width))
    made = make_ensemble(X, m, random_state=seed, unsampled=unsampled, init=init)
    codes, sizes, names, values, counts = made.ensemble
    assert counts is None
    assert codes.shape == (m, n)
    assert names == tuple(map(str, range(m)))
    assert [one.tolist() for one in values] == [list(range(size)) for size in sizes]
    for one, size, member in zip(codes, sizes, made.members, strict=True):
        known = one[one >= 0].tolist()
        assert list(dict.fromkeys(known)) == list(range(size))
        assert member.n_clusters == size
        assert len(known) == (round(member.object_fraction * n) if unsampled == "missing" else n)


def test_strategies_take_turns(blobs):
    made = make_ensemble(blobs[0], 9, random_state=0)
    assert [one.strategy for one in made.members] == [*STRATEGIES, *STRATEGIES, STRATEGIES[0]]
    twice = make_ensemble(blobs[0], 3, strategies=["zipf", "plain", "zipf"], random_state=0)
    assert [one.strategy for one in twice.members] == ["zipf", "plain", "zipf"]


def test_members_describe_their_data(blobs):
    made = make_ensemble(
        blobs[0], 8, object_fraction=0.4, feature_fraction=0.5, exponents=[2.0], random_state=0
    )
    for member in made.members:
        assert member.object_fraction == (0.4 if member.strategy == "subsample" else 1.0)
        assert len(member.features) == (2 if member.strategy == "subspace" else 4)
        assert member.exponent == (2.0 if member.strategy == "zipf" else 0.0)
    subspaces = {one.features for one in made.members if one.strategy == "subspace"}
    assert all(list(one) == sorted(set(one)) for one in subspaces)


def test_results_depend_on_the_seed_and_not_on_threads(blobs):
    def labels(seed, threads):
        with cw.threads(threads, oversubscribe=True):
            return make_ensemble(blobs[0], 10, random_state=seed).labels

    np.testing.assert_array_equal(labels(3, 1), labels(3, 3))
    assert (labels(3, 1) != labels(4, 1)).any()


def test_kmeans_plus_plus_has_fewer_errors():
    X, true = make_blobs(300, 3, centers=6, cluster_std=0.3, random_state=0)

    def agreement(starts):
        made = make_ensemble(X, 20, n_clusters=6, strategies=["plain"], init=starts, random_state=0)
        return np.mean([cw.adjusted_rand_score(true, one) for one in made.labels.T])

    assert agreement("k-means++") > 0.95 > agreement("random") + 0.05


def test_starts_are_chosen_in_a_sample(blobs, monkeypatch):
    monkeypatch.setattr(import_module("clusterwise.consensus.make_ensemble"), "_MAX_SEEDED", 20)
    made = make_ensemble(blobs[0], 8, n_clusters=25, random_state=0)
    assert set(made.ensemble.sizes) == {25}


def test_members_differ_and_find_the_clusters(blobs):
    X, true = blobs
    made = make_ensemble(X, 20, n_clusters=3, init="random", random_state=0)
    assert set(made.ensemble.sizes) == {3}
    assert len({tuple(one) for one in made.ensemble.codes.tolist()}) > 3
    assert max(cw.adjusted_rand_score(true, one) for one in made.labels.T) == 1


@pytest.mark.parametrize("bounds", [[3, 6], np.array([3, 6]), pd.Series([3, 6], ["low", "high"])])
def test_the_range_may_be_any_sequence(blobs, bounds):
    drawn = make_ensemble(blobs[0], 5, n_clusters=bounds, random_state=0).labels
    expected = make_ensemble(blobs[0], 5, n_clusters=(3, 6), random_state=0).labels
    np.testing.assert_array_equal(drawn, expected)


@pytest.mark.slow
def test_numbers_of_clusters_are_drawn_from_the_range(blobs):
    made = make_ensemble(blobs[0], 60, n_clusters=(3, 6), random_state=0)
    assert set(made.ensemble.sizes) == {3, 4, 5, 6}
    # By default up to the root of n.
    assert set(make_ensemble(blobs[0], 200, random_state=0).ensemble.sizes) == set(range(2, 18))


def test_objects_outside_a_sample_join_the_nearest_centroid(blobs):
    X = blobs[0]
    kwargs = {
        "n_clusterings": 4,
        "n_clusters": 5,
        "strategies": ["subsample"],
        "object_fraction": 0.3,
    }
    sampled = make_ensemble(X, **kwargs, unsampled="missing", random_state=7).ensemble.codes
    joined = make_ensemble(X, **kwargs, unsampled="nearest", random_state=7).ensemble.codes
    points = centre(read_points(X), scale=False)
    for some, everyone in zip(sampled, joined, strict=True):
        seen = some >= 0
        assert seen.sum() == 90
        assert cw.adjusted_rand_score(some[seen], everyone[seen]) == 1
        centres = np.array([points[seen & (everyone == k)].mean(axis=0) for k in range(5)])
        apart = ((points[~seen, None] - centres) ** 2).sum(axis=2)
        taken = apart[np.arange(len(apart)), everyone[~seen]]
        # The nearest centre, up to the digits of float32, in which k-means computes.
        np.testing.assert_allclose(taken, apart.min(axis=1), rtol=1e-5, atol=1e-6)


def test_subspaces_hide_the_other_features():
    random = np.random.default_rng(0)
    telling = np.repeat([0.0, 10.0], 50)
    X = np.column_stack([telling, random.normal(size=100)])
    made = make_ensemble(
        X, 12, n_clusters=2, strategies=["subspace"], feature_fraction=0.5, random_state=0
    )
    for member, labels in zip(made.members, made.labels.T, strict=True):
        found = cw.adjusted_rand_score(telling, labels)
        assert found == 1 if member.features == (0,) else found < 0.1


def test_missing_labels_are_nan_and_read_back(blobs):
    made = make_ensemble(blobs[0], 4, unsampled="missing", random_state=0)
    assert np.isnan(made.labels).sum() == 90
    again = read_ensemble(made.labels)
    assert again.sizes == made.ensemble.sizes
    np.testing.assert_array_equal(again.codes < 0, made.ensemble.codes < 0)
    whole = make_ensemble(blobs[0], 4, random_state=0)
    assert whole.labels.dtype.kind == "i"
    np.testing.assert_array_equal(read_ensemble(whole.labels).codes, whole.ensemble.codes)


def test_columns_of_a_categorical_feature_stay_together():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"colour": list("rgbrgb"), "size": [1, 2, 3, 1, 2, 3.5]})
    made = make_ensemble(frame, 12, n_clusters=3, random_state=0)
    assert {len(one.features) for one in made.members if one.strategy == "subspace"} == {1}
    by_colour = [i for i, one in enumerate(made.members) if one.features == (0,)]
    for i in by_colour:
        assert made.ensemble.codes[i].tolist() == [0, 1, 2, 0, 1, 2]
    assert by_colour


def test_scale_decides_whether_units_matter():
    random = np.random.default_rng(0)
    telling = np.repeat([0.0, 1.0], 50)
    X = np.column_stack([telling, 100 * random.normal(size=100)])
    kwargs = {"n_clusterings": 5, "n_clusters": 2, "strategies": ["plain"], "random_state": 0}
    plain = make_ensemble(X, **kwargs).labels.T
    assert max(cw.adjusted_rand_score(telling, one) for one in plain) < 0.2
    scaled = make_ensemble(X, **kwargs, scale=True).labels.T
    assert max(cw.adjusted_rand_score(telling, one) for one in scaled) > 0.8


def test_it_prints_how_it_was_made(blobs):
    made = make_ensemble(blobs[0], 8, n_clusters=(2, 5), object_fraction=0.5, random_state=0)
    lines = repr(made).splitlines()
    assert lines[0] == "8 clusterings of 300 objects"
    assert [line.split()[:2] for line in lines[2:]] == [[strategy, "2"] for strategy in STRATEGIES]
    assert "50.0%" in lines[3]
    frame = made.to_frame("pandas")
    assert frame["strategy"].tolist() == [one.strategy for one in made.members]
    assert frame["features"].tolist() == [len(one.features) for one in made.members]
    fewest, most = (pick(one.n_clusters for one in made.members) for pick in (min, max))
    assert made.summary() == (
        f"8 k-means clusterings of 300 objects with {fewest} to {most} clusters "
        "(plain, subsample, subspace, zipf)."
    )
    written = json.loads(json.dumps(made.to_dict()))
    assert written["members"][1]["object_fraction"] == 0.5


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"n_clusterings": 0}, "n_clusterings=0"),
        ({"n_clusterings": 2.5}, "n_clusterings=2.5"),
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"n_clusters": (3, 2)}, "smallest, largest"),
        ({"n_clusters": 5}, "n_clusters=5 for 4 objects"),
        ({"n_clusters": np.array([3, 2])}, "smallest, largest"),
        ({"n_clusters": (1, 2, 3)}, r"a pair \(each an integer of at least 1\)"),
        ({"strategies": []}, "strategies="),
        ({"strategies": "zipf"}, "use a list"),
        ({"strategies": ["kmeans"]}, "each 'plain', 'subsample', 'subspace' or 'zipf'"),
        ({"object_fraction": 0}, "object_fraction=0"),
        ({"feature_fraction": 1.5}, "feature_fraction=1.5"),
        ({"exponents": []}, "exponents="),
        ({"exponents": [-1.0]}, "exponents="),
        ({"init": "pca"}, "'k-means\\+\\+' or 'random'"),
        ({"unsampled": "noise"}, "'nearest' or 'missing'"),
    ],
)
def test_invalid_parameters_are_refused(kwargs, message):
    with pytest.raises(InputError, match=message):
        make_ensemble(np.arange(8.0).reshape(4, 2), **kwargs)


def test_one_object_is_too_few():
    with pytest.raises(InputError, match="at least two"):
        make_ensemble([[1.0, 2.0]])


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("unit", [1e160, 1e-170])
def test_units_do_not_matter_and_do_not_warn(unit, scale):
    X = np.random.default_rng(0).random((40, 3))
    one, other = (make_ensemble(part, 8, scale=scale, random_state=0) for part in (X, X * unit))
    np.testing.assert_array_equal(one.labels, other.labels)
