"""Assessing clusters: planted ones, noise, sentences, seeds and errors."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

import clusterwise as cw
from clusterwise.stability.assessment_sentences import (
    ClusterStability,
    say_clusters,
)
from clusterwise.stability.beyond_null import hardest
from clusterwise.stability.recovery import NOT_DRAWN
from clusterwise.stability.reproducing_rule import NEAREST_CENTROID, NEAREST_NEIGHBOURS

RANDOM = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], 40)
PLANTED = np.array([[0.0, 0, 0, 0], [0, 9, 4, 0], [0, 9, 0, 5]])[TRUTH] + RANDOM.normal(
    size=(120, 4)
)
BLOB = RANDOM.normal(size=(150, 3))
FULL = {"n_resamples": 20, "n_null": 19, "random_state": 0}
QUICK = FULL | {"nulls": ["gaussian"]}
FAST = AgglomerativeClustering(3)


@pytest.fixture(scope="module")
def planted():
    return cw.assess(PLANTED, KMeans(3, n_init=3), **FULL)


@pytest.fixture(scope="module")
def blob():
    return cw.assess(BLOB, KMeans(3, n_init=3), **FULL)


@pytest.fixture(scope="module")
def numbers():
    return cw.assess(PLANTED, AgglomerativeClustering, n_clusters=range(2, 5), **QUICK)


def test_planted_clusters_are_more_stable_than_chance(planted):
    assert planted.stable
    assert planted.ari > planted.null_ari == max(one.ari for one in planted.nulls.values())
    low, high = planted.ari_interval
    assert low <= planted.ari <= high
    assert all(one.reached == 0 for one in planted.nulls.values())
    assert planted.relative_pac < 1


def test_one_blob_is_not(blob):
    assert not blob.stable
    assert blob.null.reached > 0


@pytest.mark.parametrize("shape", ["uniform", "lognormal", "binary"])
def test_noise_of_other_shapes_is_not(shape):
    random = np.random.default_rng(4)
    X = {
        "uniform": random.random((200, 2)),
        "lognormal": random.lognormal(0, 1, (200, 3)),
        "binary": random.integers(0, 2, (200, 6)).astype(float),
    }[shape]
    assert not cw.assess(X, KMeans(4), **FULL).stable


def test_the_frame_has_a_row_per_cluster(planted):
    frame = planted.clusters
    assert list(frame.columns) == [
        "cluster", "size", "jaccard", "low", "high", "recovered", "dissolved", "merges_with",
    ]  # fmt: skip
    assert frame["size"].tolist() == np.bincount(planted.labels).tolist()
    np.testing.assert_allclose(frame["jaccard"], planted.jaccards.mean(axis=1))
    assert (frame["low"] <= frame["jaccard"]).all()
    assert (frame["jaccard"] <= frame["high"]).all()
    assert frame["recovered"].tolist() == (planted.jaccards >= 0.75).sum(axis=1).tolist()
    assert frame["dissolved"].tolist() == (planted.jaccards < 0.5).sum(axis=1).tolist()


def test_frames_come_back_in_the_library_of_the_data():
    X = pl.DataFrame({"x": PLANTED[:, 0], "y": PLANTED[:, 1]})
    found = cw.assess(X, pl.Series(TRUTH), **QUICK)
    assert isinstance(found.clusters, pl.DataFrame)
    named = pd.DataFrame(PLANTED, index=[f"object {i}" for i in range(120)])
    found = cw.assess(named, FAST, **QUICK)
    assert list(found.objects.to_frame("pandas").index) == list(named.index)


def test_objects_on_the_border_are_ambiguous(blob, planted):
    objects = blob.objects
    assert objects.ambiguous.size
    assert objects.copies.max() <= 20
    known = objects.agreement[~np.isnan(objects.agreement)]
    assert ((known >= 0) & (known <= 1)).all()
    assert (objects.agreement[objects.ambiguous] < 2 / 3).all()
    assert (np.diff(objects.agreement[objects.ambiguous]) >= 0).all()
    for i in objects.ambiguous.tolist():
        assert objects.other[i] not in (None, objects.labels[i])
    assert not planted.objects.ambiguous.size


def test_several_numbers_of_clusters(numbers):
    assert list(numbers.assessments) == [2, 3, 4]
    assert [one.n_clusters for one in numbers] == [2, 3, 4]
    assert len(numbers) == 3
    assert set(numbers.stable) == {k for k in (2, 3, 4) if numbers[k].stable}
    assert numbers.suggested in numbers.stable
    frame = numbers.to_frame("pandas")
    assert frame["n_clusters"].tolist() == [2, 3, 4]
    assert frame["stable"].tolist() == [one.stable for one in numbers]
    gains = frame["ari"] - frame["null_ari"]
    assert frame["n_clusters"][gains[frame["stable"]].idxmax()] == numbers.suggested


def test_numbers_get_the_same_resamples(numbers):
    drawn = [one.objects.copies for one in numbers]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    alone = cw.assess(PLANTED, AgglomerativeClustering, n_clusters=[3], **QUICK)
    np.testing.assert_array_equal(alone[3].objects.copies, drawn[0])


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_fewer_clusters_than_asked_for_keep_their_number():
    points = np.repeat([[0.0, 0], [0, 9], [9, 0]], 15, axis=0)
    found = cw.assess(points, KMeans, n_clusters=[3, 4], **QUICK)
    assert list(found.assessments) == [3, 4]
    assert [one.n_clusters for one in found] == [3, 3]
    assert found.to_frame("pandas")["n_clusters"].tolist() == [3, 4]


def test_none_of_several_numbers_is_stable():
    found = cw.assess(BLOB, AgglomerativeClustering, n_clusters=[2, 3, 4], **FULL)
    assert found.stable == ()
    assert found.suggested is None
    assert found.summary().startswith("None of 2, 3 and 4 clusters is more stable than chance.")
    assert found.plot().suggested_ is None


def test_results_do_not_depend_on_the_number_of_threads():
    found = []
    for count in (1, 3):
        with cw.threads(count, oversubscribe=True):
            found.append(cw.assess(PLANTED, KMeans(4), **QUICK).to_dict())
    assert found[0] == found[1]


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample", "noise"])
def test_resampling(resampling):
    found = cw.assess(PLANTED, FAST, resampling=resampling, **QUICK)
    assert found.resampling == resampling
    share = {"bootstrap": 0.63, "subsample": 0.7, "noise": 1.0}[resampling]
    assert found.objects.copies.mean() / 20 == pytest.approx(share, abs=0.03)


def test_null_models_are_those_asked_for():
    found = cw.assess(PLANTED, FAST, **FULL, nulls=["independent"])
    assert list(found.nulls) == ["independent"]
    assert found.null.n_sets == 19
    assert "independent features" in repr(found)


def test_labels_that_k_means_reproduces():
    names = np.array(["low", "mid", "high"])[TRUTH]
    found = cw.assess(PLANTED, names, **QUICK)
    assert found.rule == NEAREST_CENTROID
    assert found.labels.tolist() == names.tolist()
    assert found.clusters["cluster"].tolist() == ["high", "low", "mid"]
    assert "the nearest centroid (k-means), which" in found.summary()
    assert f"{found.reproduces:.2f}" in found.summary()


def test_labels_that_only_neighbours_reproduce():
    X, labels = make_moons(160, noise=0.04, random_state=0)
    found = cw.assess(X, labels, n_resamples=10, n_null=19, nulls=["gaussian"], random_state=0)
    assert found.rule == NEAREST_NEIGHBOURS
    assert found.reproduces > 0.9
    assert found.ari > 0.75


def test_labels_that_nothing_reproduces():
    found = cw.assess(BLOB, np.random.default_rng(1).integers(0, 3, 150), **QUICK)
    assert not found.stable
    assert "which does not reproduce the labels well" in found.summary()
    assert found.summary().endswith("pass the clusterer that made them.")


def test_noise_is_no_cluster():
    labels = np.where(np.arange(120) % 10 == 0, -1, TRUTH)
    found = cw.assess(PLANTED, labels, **QUICK)
    assert found.clusters["cluster"].tolist() == [0, 1, 2]
    assert found.clusters["size"].tolist() == [36, 36, 36]
    assert (found.objects.copies[labels == -1] == 0).all()
    assert np.isnan(found.objects.agreement[labels == -1]).all()
    assert found.labels.tolist() == labels.tolist()
    dense = cw.assess(PLANTED, DBSCAN(eps=1.2, min_samples=4), **QUICK)
    assert -1 in dense.labels
    assert -1 not in dense.clusters["cluster"].tolist()
    assert np.isnan(dense.objects.agreement[dense.labels == -1]).all()
    assert dense.objects.copies[dense.labels == -1].sum() > 0


def test_clusters_do_not_depend_on_units():
    one = cw.assess(PLANTED, AgglomerativeClustering(3), **QUICK)
    other = cw.assess(PLANTED * 1024.0, AgglomerativeClustering(3), **QUICK)
    np.testing.assert_array_equal(one.jaccards, other.jaccards)
    scaled = [cw.assess(X, AgglomerativeClustering(3), scale=True, **QUICK).jaccards
              for X in (PLANTED, PLANTED * [1.0, 64.0, 1.0, 8.0])]  # fmt: skip
    np.testing.assert_allclose(*scaled)


def test_categorical_features():
    frame = pd.DataFrame({"colour": np.array(["red", "green", "blue"])[TRUTH], "x": PLANTED[:, 1]})
    found = cw.assess(frame, FAST, **FULL, nulls=["gaussian", "independent"])
    assert found.ari > 0.9


def test_warnings_are_those_of_the_data_only():
    copies = np.repeat([[0.0, 0.0], [1.0, 1.0]], 20, axis=0)
    with pytest.warns(ConvergenceWarning, match="distinct clusters") as caught:
        cw.assess(copies, KMeans(3), **QUICK)
    assert len(caught) == 1


# Sentences


def test_the_first_sentences_are_those_of_the_tables(planted):
    said = planted.summary()
    rows = {one.cluster: one for one in planted.stability}
    lost = re.findall(r"Cluster (\d) .*? lost in (\d+) of 20(?:, mostly merged into (\d))?", said)
    for name, count, partner in lost:
        assert rows[int(name)].dissolved == int(count)
        assert str(rows[int(name)].merges_with) == (partner or "None")
    stable = re.search(r"^(?:Clusters? )?(.*?) (?:is|are) stable \(Jaccard (.*?) over 20", said)
    named = [int(name) for name in re.findall(r"\d", stable[1])] or list(rows)
    if stable[1].startswith(("All", "Both")):
        named = list(rows)
    assert {one for one, row in rows.items() if row.stable} == set(named)
    scores = [float(score) for score in re.findall(r"\d\.\d\d", stable[2])]
    assert scores == [pytest.approx(rows[name].jaccard, abs=0.005) for name in named]
    overall = re.search(r"adjusted Rand (\S+) against (\S+) for (one [^)]*)\)", said)
    assert float(overall[1]) == pytest.approx(planted.ari, abs=0.005)
    assert float(overall[2]) == pytest.approx(planted.null_ari, abs=0.005)


def test_what_is_not_stable_comes_first(blob):
    said = blob.sentences()
    found = re.fullmatch(
        r"The clustering is not more stable than chance: its adjusted Rand index is (\S+) on "
        r"average, and (\d+) of 19 data sets of one (.*) (?:is|are) as stable \((\S+) on "
        r"average\)\.",
        said[0],
    )
    assert float(found[1]) == pytest.approx(blob.ari, abs=0.005)
    assert int(found[2]) == blob.null.reached
    assert blob.null == hardest(blob.nulls)
    assert " are stable (" not in blob.summary()


def row(name, jaccard, dissolved=0, merges_with=None):
    return ClusterStability(name, 10, jaccard, 0.1, 1.0, 5, dissolved, merges_with)


@pytest.mark.parametrize(
    ("rows", "beyond", "expected"),
    [
        (
            [row(0, 0.96), row(1, 0.4, 63, 0), row(2, 0.91)],
            True,
            "Clusters 0 and 2 are stable (Jaccard 0.96 and 0.91 over 100 resamples). Cluster 1 is "
            "not: it was lost in 63 of 100, mostly merged into 0 (Jaccard 0.40).",
        ),
        (
            [row("a", 0.8), row("b", 0.9)],
            True,
            "Both clusters are stable (Jaccard 0.80 and 0.90 over 100 resamples).",
        ),
        (
            [row("a", 0.8), row("b", 0.6, 20)],
            True,
            "Cluster a is stable (Jaccard 0.80 over 100 resamples). Cluster b is not: it was lost "
            "in 20 of 100 (Jaccard 0.60).",
        ),
        (
            [row(0, 0.3, 90), row(1, 0.4, 80, -1)],
            True,
            "No cluster is stable over 100 resamples. Cluster 0 was lost in 90 of 100 (Jaccard "
            "0.30). Cluster 1 was lost in 80 of 100, mostly merged into -1 (Jaccard 0.40).",
        ),
        (
            [row(0, 0.8), row(1, 0.7, 8)],
            False,
            "Cluster 0 comes back nevertheless (Jaccard 0.80 over 100 resamples), as parts of one "
            "cluster can. Cluster 1 was lost in 8 of 100 (Jaccard 0.70).",
        ),
        (
            [*(row(k, 0.8 + k / 100) for k in range(8)), *(row(k, 0.2) for k in range(8, 13))],
            True,
            "8 of 13 clusters are stable (Jaccard 0.80 to 0.87 over 100 resamples). Cluster 8 is "
            "not: it was lost in 0 of 100 (Jaccard 0.20). Cluster 9 is not: it was lost in 0 of "
            "100 (Jaccard 0.20). Cluster 10 is not: it was lost in 0 of 100 (Jaccard 0.20). 2 "
            "more are not stable: 11 and 12.",
        ),
    ],
)
def test_sentences_on_clusters(rows, beyond, expected):
    assert " ".join(say_clusters(rows, 100, beyond=beyond)) == expected


def test_sentences_on_numbers(numbers):
    best = numbers[numbers.suggested]
    said = numbers.sentences()[0]
    assert said.startswith("Of 2, 3 and 4 clusters, ")
    assert f"adjusted Rand {best.ari:.2f} against {best.null_ari:.2f}" in said


def test_sentences_on_objects(blob, planted):
    found = blob.objects
    said = found.summary()
    assert said.startswith(f"{found.ambiguous.size} of 150 objects (")
    one = planted.objects.summary()
    assert one == "Every object is with its cluster in at least two thirds of the resamples."


# Results


def test_results_survive_pickling_without_data(planted):
    loaded = pickle.loads(pickle.dumps(planted))
    assert loaded.data is None
    assert loaded.summary() == planted.summary()
    with pytest.raises(cw.InputError, match="the assessment has no features"):
        loaded.plot("objects")
    assert loaded.plot("objects", coordinates=PLANTED[:, :2]).ax_ is not None


def test_dictionaries_have_everything(planted, numbers):
    plain = planted.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["clusters"][0]["jaccard"] == planted.stability[0].jaccard
    assert len(plain["objects"]["agreement"]) == 120
    assert numbers.to_dict()["suggested"] == numbers.suggested


# Errors


@pytest.mark.parametrize(
    ("X", "value", "options", "message"),
    [
        (PLANTED, TRUTH[:5], {}, "clusterer_or_labels has 5 labels for 120 objects; pass one"),
        (PLANTED, [0] * 120, {}, "clusterer_or_labels has 1 cluster, so there is nothing"),
        (PLANTED, [-1] * 120, {}, "clusterer_or_labels has no cluster but noise, so there"),
        (PLANTED, KMeans(1), {}, "KMeans finds 1 cluster, so there is nothing to assess; use"),
        (PLANTED, "KMeans", {}, "clusterer_or_labels is one string, not labels; pass"),
        (PLANTED, [None, *[0] * 119], {}, r"clusterer_or_labels .* missing"),
        (PLANTED, TRUTH, {"n_clusters": 3}, "labels have a number of clusters already; leave out"),
        (PLANTED, KMeans, {"n_clusters": [1, 2]}, "n_clusters=1 for 120 objects; use an integer"),
        (PLANTED, KMeans, {"n_clusters": []}, "n_clusters is empty; pass at least one number"),
        (PLANTED, KMeans, {"n_clusters": 121}, "n_clusters=121 for 120 objects; use an integer"),
        (PLANTED, DBSCAN(), {"n_clusters": 2}, "n_clusters=2 has no meaning for a DBSCAN"),
        (PLANTED[:1], KMeans(2), {}, "X has 1 object; pass at least two."),
        (PLANTED[:3], KMeans(3), {}, r"KMeans failed on \d objects? \(n_samples=.*\); pass more"),
        ([[1.0, np.inf]] * 9, KMeans(2), {}, "column 'x1' of X is inf at position 0"),
        (PLANTED, KMeans(3), {"n_null": 18}, "n_null=18; use an integer from 19 to 100000"),
        (PLANTED, KMeans(3), {"nulls": []}, r"nulls=\[\]; use a list of 1 or more values"),
        (PLANTED, KMeans(3), {"nulls": ["none"]}, r"nulls=\['none'\]"),
        (PLANTED, KMeans(3), {"resampling": "jack"}, "resampling='jack'"),
    ],
)
def test_errors_are_one_sentence(X, value, options, message):
    with pytest.raises(cw.InputError, match=f"^{message}") as caught:
        cw.assess(X, value, **QUICK | options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_indexes_are_not_ignored():
    X = pd.DataFrame(PLANTED)
    labels = pd.Series(TRUTH).sample(frac=1, random_state=0)
    with pytest.raises(cw.InputError, match=r"^X and clusterer_or_labels have different indexes"):
        cw.assess(X, labels, **QUICK)


def test_copies_are_the_objects_that_were_drawn():
    assert NOT_DRAWN != -1
    found = cw.assess(PLANTED, FAST, resampling="subsample", object_fraction=1.0, **QUICK)
    assert (found.objects.copies == 20).all()
