"""COALA as an estimator: input, planted clusterings, options and attributes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.cluster.hierarchy import dendrogram, fcluster, is_valid_linkage, linkage
from scipy.spatial.distance import cdist
from sklearn.base import clone

import clusterwise as cw
from clusterwise.alternatives.coala.prototypes import make_prototypes
from clusterwise.alternatives.given import read_given
from clusterwise.datasets import make_alternatives, make_coala_set


def clouds(n=60, seed=0, features=2):
    rng = np.random.default_rng(seed)
    given = rng.integers(0, 3, n)
    return rng.normal(size=(n, features)) + 2 * given[:, None], given


def corners():
    """Four groups of five at the corners of a rectangle; labels of its sides."""
    rng = np.random.default_rng(1)
    spots = np.repeat([[0.0, 0.0], [0.0, 9.0], [10.0, 0.0], [10.0, 9.0]], 5, axis=0)
    X = spots + rng.normal(scale=0.2, size=spots.shape)
    return X, np.repeat([0, 0, 1, 1], 5), np.repeat([0, 1, 0, 1], 5)


def test_each_clustering_leads_to_the_other():
    X, sides, ends = corners()
    model = cw.COALA(omega=0.3)
    assert cw.adjusted_rand_score(model.fit(X, sides).labels_, ends) == 1
    assert cw.adjusted_rand_score(model.fit(X, ends).labels_, sides) == 1


@pytest.mark.parametrize("name", "ABCD")
@pytest.mark.parametrize("known", [0, 1])
def test_planted_clusterings_are_found_both_ways(name, known):
    data = make_coala_set(name, random_state=0)
    given, other = data.labels[:, known], data.labels[:, 1 - known]
    model = cw.COALA(n_clusters=len(np.unique(other))).fit(data.X, given)
    assert cw.adjusted_rand_score(model.labels_, other) >= 0.95


def test_large_thresholds_cut_average_linkage():
    X, given = clouds(80, 3)
    model = cw.COALA(4, omega=100.0).fit(X, given)
    expected = fcluster(linkage(X, "average"), 4, "maxclust")
    assert cw.adjusted_rand_score(model.labels_, expected) == 1
    assert model.n_dissimilar_merges_ == 0
    np.testing.assert_allclose(model.merges_.distances, linkage(X, "average")[:, 2], rtol=1e-12)


def test_merges_make_a_dendrogram():
    X, given = clouds(30)
    merges = cw.COALA().fit(X, given).merges_
    Z = merges.to_linkage()
    assert is_valid_linkage(Z)
    assert sorted(dendrogram(Z, no_plot=True)["leaves"]) == list(range(30))
    assert Z[-1, 3] == 30
    for count in (1, 2, 7, 30):
        assert len(np.unique(merges.cut(count))) == count


def test_labels_count_from_the_first_object():
    X, given = clouds(40)
    labels = cw.COALA(5).fit(X, given).labels_
    seen = list(dict.fromkeys(labels.tolist()))
    assert seen == sorted(seen) == list(range(5))


@pytest.mark.parametrize(
    "form",
    [
        lambda y: y.tolist(),
        lambda y: np.array(["a", "b", "c"])[y],
        lambda y: pd.Series(y, index=np.arange(y.size)[::-1]),
        pl.Series,
        lambda y: y[:, None],
        lambda y: pd.DataFrame({"known": y}),
        lambda y: y * 1000 - 7,
    ],
)
def test_any_labels_can_be_given(form):
    X, given = clouds()
    expected = cw.COALA(omega=0.2).fit(X, given)
    found = cw.COALA(omega=0.2).fit(X, form(given))
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.given_, [given])


def test_several_given_clusterings_are_all_avoided():
    data = make_alternatives(200, (2, 2, 2), features=2, separation=12, random_state=3)
    model = cw.COALA(omega=0.3).fit(data.X, data.labels[:, :2])
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 2]) >= 0.95
    assert model.given_.shape == (2, 200)


def test_more_alternatives_differ_from_all_before():
    data = make_alternatives(200, (2, 2, 2), features=2, separation=12, random_state=3)
    model = cw.COALA(omega=0.3, n_alternatives=2).fit(data.X, data.labels[:, 0])
    assert model.alternatives_.shape == (2, 200)
    found = {
        max((cw.adjusted_rand_score(labels, data.labels[:, k]), k) for k in range(3))[1]
        for labels in model.alternatives_
    }
    assert found == {1, 2}


def test_it_stops_early_and_says_why():
    X, sides, _ = corners()
    with pytest.warns(UserWarning, match="COALA stopped after 2 of 5 alternatives: the next one"):
        model = cw.COALA(omega=0.3, n_alternatives=5).fit(X, sides)
    assert len(model.alternatives_) == len(model.sizes_) == 2


def test_without_a_given_clustering_one_is_made_first():
    X, _, _ = corners()
    model = cw.COALA(2, omega=0.3, random_state=0).fit(X)
    assert model.given_.shape == (1, 20)
    assert cw.adjusted_rand_score(model.given_[0], model.labels_) < 0.1
    apart = cdist(X, X)
    ready = cw.COALA(2, omega=0.3, metric="precomputed").fit(apart)
    assert cw.adjusted_rand_score(ready.given_[0], ready.labels_) < 0.1


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "cosine"])
def test_metrics_are_those_of_precomputed_tables(metric):
    X, given = clouds(40, 5)
    X = np.abs(X) + 1
    table = cdist(X, X, metric)
    direct = cw.COALA(metric=metric).fit(X, given)
    ready = cw.COALA(metric="precomputed").fit((table + table.T) / 2, given)
    np.testing.assert_array_equal(direct.labels_, ready.labels_)


def test_mixed_frames_with_missing_values_by_gower():
    rng = np.random.default_rng(0)
    given = np.repeat([0, 1], 30)
    other = np.tile([0, 1], 30)
    frame = pd.DataFrame(
        {
            "height": 10 * given + rng.normal(size=60),
            "colour": np.array(["red", "blue"])[other],
            "shape": np.array(["round", "flat"])[other],
        }
    )
    frame.loc[3, "height"] = np.nan
    frame.loc[7, "colour"] = None
    model = cw.COALA(metric="gower", omega=0.3).fit(frame, given)
    assert cw.adjusted_rand_score(model.labels_, other) == 1
    assert model.n_features_in_ == 3


def test_small_clusters_join_the_nearest():
    X, sides, ends = corners()
    X = np.vstack([X, [[200.0, 200.0]]])
    known = np.append(sides, 1)
    published = cw.COALA(omega=0.3).fit(X, known)
    assert published.degenerate_
    assert published.sizes_[0].sizes == (20, 1)
    guarded = cw.COALA(omega=0.3, min_cluster_size=3).fit(X, known)
    assert not guarded.degenerate_
    assert cw.adjusted_rand_score(guarded.labels_[:20], ends) == 1
    share = cw.COALA(omega=0.3, min_cluster_size=0.1).fit(X, known)
    np.testing.assert_array_equal(share.labels_, guarded.labels_)


def test_sizes_that_no_cut_has_give_the_most_clusters_there_are():
    X, given = clouds(30)
    model = cw.COALA(3, min_cluster_size=25).fit(X, given)
    assert len(np.unique(model.labels_)) == 1
    assert model.degenerate_


@pytest.mark.slow
def test_half_the_memory_gives_the_same_on_clear_data():
    X, sides, _ = corners()
    double, single = (cw.COALA(omega=0.3, dtype=d).fit(X, sides) for d in ("float64", "float32"))
    np.testing.assert_array_equal(double.labels_, single.labels_)


@pytest.mark.parametrize("count", [4, 10, 19])
def test_prototypes_find_what_all_objects_find(count):
    X, sides, ends = corners()
    model = cw.COALA(omega=0.3, prototypes=count, random_state=0).fit(X, sides)
    assert cw.adjusted_rand_score(model.labels_, ends) == 1
    assert len(model.merges_) < count


def test_prototypes_never_mix_given_clusters():
    X, given = clouds(200, 2)
    known = read_given(np.column_stack([given, np.arange(200) % 2]), 200)
    few = make_prototypes(X, known, 30, 0)
    assert 6 <= len(few.centres) <= 30
    assert few.weights.sum() == 200
    for prototype in range(len(few.centres)):
        members = few.of == prototype
        assert len(np.unique(known.joint[members])) == 1
        np.testing.assert_allclose(few.centres[prototype], X[members].mean(axis=0))
        np.testing.assert_array_equal(
            few.given.codes[:, prototype], known.codes[:, np.argmax(members)]
        )


def test_as_many_prototypes_as_objects_are_the_objects():
    X, given = clouds(50, 4)
    every = cw.COALA(omega=0.5).fit(X, given)
    few = cw.COALA(omega=0.5, prototypes=50, random_state=0).fit(X, given)
    assert cw.adjusted_rand_score(every.labels_, few.labels_) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"omega": -1}, "omega=-1; use a number of at least 0"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"dtype": "int8"}, "dtype='int8' is unknown"),
        ({"n_clusters": 0}, "n_clusters=0; use an integer of at least 1"),
        ({"n_clusters": 61}, "use a whole number from 1 to 60"),
        ({"prototypes": 2}, "prototypes=2 for 60 objects in 3 combinations"),
        ({"prototypes": 10, "metric": "cityblock"}, "prototypes are means"),
        ({"metric": "nonsense"}, "nonsense"),
    ],
)
def test_refusals(options, message):
    X, given = clouds()
    with pytest.raises(cw.InputError, match=message):
        cw.COALA(**options).fit(X, given)


def test_labels_that_do_not_fit_are_refused():
    X, given = clouds()
    with pytest.raises(cw.InputError, match="y has 59 labels for 60 objects"):
        cw.COALA().fit(X, given[:-1])
    with pytest.raises(cw.InputError, match="missing"):
        cw.COALA().fit(X, [None, *given[1:].tolist()])


def test_clones_and_repeated_fits_agree():
    X, given = clouds(70, 9)
    model = cw.COALA(omega=0.4, n_clusters=4)
    first = model.fit_predict(X, given)
    np.testing.assert_array_equal(first, model.fit(X, given).labels_)
    np.testing.assert_array_equal(first, clone(model).fit(X, given).labels_)


def test_further_alternatives_of_many_objects_are_judged_by_prototypes(monkeypatch):
    data = make_alternatives(300, (2, 2, 2), separation=8, random_state=0)
    model = cw.COALA(n_alternatives=2, prototypes=60, omega=0.3, random_state=0)
    exact = model.fit(data.X, data.labels[:, 0]).alternatives_
    assert len(exact) == 2
    monkeypatch.setattr("clusterwise.alternatives.coala.coala.MANY_OBJECTS", 299)
    # It would need the distances of all objects.
    monkeypatch.setattr("clusterwise.alternatives.coala.coala.dunn_score", None)
    np.testing.assert_array_equal(model.fit(data.X, data.labels[:, 0]).alternatives_, exact)
