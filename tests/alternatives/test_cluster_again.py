"""cluster_again: planted clusterings, the guard against small clusters, scores and options."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.coala.coalacat import COALACat
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.methods import METHODS
from clusterwise.alternatives.naive import NaiveAlternative
from clusterwise.datasets import make_alternatives, make_coala_set
from clusterwise.measures.dq import dq_parts

SEEDS = range(3)


def far_from(data):
    """The same objects, and one that is far from all of them."""
    X = np.vstack([data.X, np.full((1, data.X.shape[1]), 500.0)])
    return X, np.vstack([data.labels, np.zeros((1, data.labels.shape[1]), int)])


def categories(seed, n=120, wrong=0.02):
    """Twelve features, of which each half follows one of two clusterings, mostly."""
    random = np.random.default_rng(seed)
    labels = np.column_stack(np.unravel_index(random.permutation(n) % 4, (2, 2)))
    values = np.repeat(labels, 6, axis=1)
    values ^= random.random(values.shape) < wrong
    return np.where(values, "yes", "no"), labels


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", "ABCD")
def test_given_one_planted_clustering_coala_finds_the_other(name, seed, turned):
    data = make_coala_set(name, random_state=seed)
    given, other = data.labels.T[::-1] if turned else data.labels.T
    published = COALA().fit(data.X, given).labels_
    assert cw.adjusted_rand_score(other, published) >= 0.95
    (found,) = cluster_again(data.X, given, "coala")
    assert cw.adjusted_rand_score(other, found.labels) >= 0.95
    assert not found.degenerate


@pytest.mark.parametrize("turned", [False, True])
def test_the_other_clustering_may_have_more_or_fewer_clusters(turned):
    data = make_alternatives(240, (2, 4), separation=15, random_state=0)
    given, other = data.labels.T[::-1] if turned else data.labels.T
    (found,) = cluster_again(data.X, given, "coala", n_clusters=other.max() + 1)
    assert cw.adjusted_rand_score(other, found.labels) >= 0.95


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_planted_categories(seed, turned):
    X, labels = categories(seed)
    given, other = labels.T[::-1] if turned else labels.T
    (found,) = cluster_again(X, given, "coalacat")
    assert cw.adjusted_rand_score(other, found.labels) >= 0.95
    assert found.method == "COALACat"
    assert found.quality == dq_parts(X, given, found.labels, quality="entropy").quality


def test_three_planted_clusterings_come_one_after_the_other():
    data = make_alternatives(320, (2, 2, 2), separation=15, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], "coala", n_alternatives=2)
    assert len(found) == 2
    rest = {1, 2}
    for one in found:
        rest -= {i for i in rest if cw.adjusted_rand_score(one.labels, data.labels[:, i]) > 0.95}
    assert not rest
    assert found[0].dq >= found[1].dq


@pytest.mark.parametrize("seed", SEEDS)
def test_one_far_object_does_not_become_a_cluster(seed):
    X, labels = far_from(make_coala_set("A", random_state=seed))
    given, other = labels.T
    (published,) = cluster_again(X, given, "coala", guard=False)
    assert published.sizes == (200, 1)
    assert published.degenerate
    (guarded,) = cluster_again(X, given, "coala")
    assert not guarded.degenerate
    assert cw.adjusted_rand_score(other[:-1], guarded.labels[:-1]) >= 0.95
    # DQ alone would have preferred it.
    assert published.dq > guarded.dq


@pytest.mark.parametrize(
    ("n", "clusters", "least"), [(20, 2, 2), (200, 2, 10), (200, 5, 10), (400, 20, 5), (900, 9, 25)]
)
def test_the_guard_is_a_twentieth_of_all_or_a_quarter_of_an_average_cluster(n, clusters, least):
    data = make_alternatives(n, (clusters, 2), random_state=0)
    (found,) = cluster_again(data.X, data.labels[:, 0], "coala")
    assert found.parameters["min_cluster_size"] == pytest.approx(least)
    assert min(found.sizes) >= least
    (found,) = cluster_again(data.X, data.labels[:, 1], "coala", n_clusters=clusters)
    assert found.parameters["min_cluster_size"] == pytest.approx(least)


def test_a_size_can_be_passed():
    X, labels = far_from(make_coala_set("A", random_state=0))
    for asked in (30, 0.1):
        (found,) = cluster_again(X, labels[:, 0], "coala", min_cluster_size=asked)
        assert found.parameters["min_cluster_size"] == asked
        assert min(found.sizes) >= 20


def test_degenerate_alternatives_are_warned_of():
    X = np.concatenate([np.zeros((199, 2)), [[9.0, 9.0]]])
    given = np.arange(200) % 2
    with pytest.warns(UserWarning, match="1 of 1 alternative is degenerate, with clusters of 200"):
        (found,) = cluster_again(X, given, "coala")
    assert found.degenerate
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (found,) = cluster_again(X, given, "coala", guard=False)
    assert found.degenerate
    assert "degenerate" in repr(found)


def test_scores_are_those_of_the_labels():
    data = make_alternatives(80, (2, 2), separation=4, random_state=0)
    given = data.labels[:, 0]
    wishes = {"n_alternatives": 3, "n_runs": 20, "n_clusters": 3, "random_state": 0}
    measures = {"quality": "silhouette", "dissimilarity": "rand_score"}
    found = cluster_again(data.X, given, "naive", scale=False, **wishes, **measures)
    assert len(found) == 3
    for one in found:
        scores = dq_parts(data.X, given, one.labels, **measures)
        assert (one.dissimilarity, one.quality, one.dq) == scores
        assert sorted(one.sizes) == sorted(np.bincount(one.labels))
        shares = np.array(one.sizes) / 80
        assert one.effective_n_clusters == pytest.approx(np.exp(-(shares * np.log(shares)).sum()))
        assert one.parameters["n_runs"] == 20
        assert one.parameters["n_clusters"] == 3
        assert one.method == "NaiveAlternative"


class Fixed(Alternative):
    """An estimator that returns fixed labels."""

    def __init__(self, found=(), n_clusters=None):
        self.found = found
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        self.given_ = read_given(y, len(X)).codes
        self._store(self.found)
        return self


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_best_comes_first_and_degenerate_ones_last(order):
    X, labels = far_from(make_coala_set("A", random_state=0))
    given, other = labels.T
    strange = (np.arange(201) == 200).astype(int)
    wanted = [other, np.arange(201) % 2, given, strange]
    found = cluster_again(X, given, Fixed([wanted[i] for i in order]), guard=False)
    for one, labels in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.labels, labels)
    assert [one.degenerate for one in found] == [False, False, False, True]
    assert found[3].dq > found[0].dq > found[1].dq > found[2].dq


def test_the_metric_counts_for_the_scores_too():
    data = make_alternatives(80, (2, 2), separation=4, random_state=0)
    (found,) = cluster_again(
        data.X, data.labels[:, 0], "coala", metric="cityblock", omega=0.3, scale=False
    )
    scores = dq_parts(data.X, data.labels[:, 0], found.labels, metric="cityblock")
    assert found.dq == scores.dq
    assert found.dq != dq_parts(data.X, data.labels[:, 0], found.labels).dq
    assert found.parameters["omega"] == 0.3


def test_mixed_frames():
    data = make_alternatives(80, (2, 2), features=1, random_state=0)
    frame = pd.DataFrame(
        {"number": data.X[:, 0], "name": np.where(data.labels[:, 1], "long", "short")}
    )
    given = pd.Series(np.where(data.labels[:, 0], "high", "low"))
    (found,) = cluster_again(frame, given, "coala", metric="gower")
    assert cw.adjusted_rand_score(found.labels, data.labels[:, 1]) == 1


def test_missing_values_count_for_the_scores_as_for_the_method():
    X, labels = categories(0)
    X = X.astype(object)
    X[::7, 0] = None
    (found,) = cluster_again(X, labels[:, 0], "coalacat", missing_values="ignore")
    scores = dq_parts(X, labels[:, 0], found.labels, quality="entropy", missing_values="ignore")
    assert found.quality == scores.quality
    assert found.quality != dq_parts(X, labels[:, 0], found.labels, quality="entropy").quality


def test_without_a_given_clustering():
    data = make_coala_set("A", random_state=0)
    (found,) = cluster_again(data.X, None, "coala", random_state=0)
    model = COALA(random_state=0).fit(data.X)
    np.testing.assert_array_equal(found.labels, model.labels_)
    assert found.dissimilarity == dq_parts(data.X, model.given_[0], found.labels).dissimilarity


def test_several_given_clusterings():
    data = make_alternatives(320, (2, 2, 2), separation=15, random_state=0)
    (found,) = cluster_again(data.X, data.labels[:, :2], "coala")
    assert cw.adjusted_rand_score(found.labels, data.labels[:, 2]) >= 0.95


def test_an_estimator_keeps_its_own_parameters():
    data = make_coala_set("A", random_state=0)
    X, labels = far_from(data)
    mine = COALA(omega=0.4, min_cluster_size=5)
    (found,) = cluster_again(X, labels[:, 0], mine)
    assert found.parameters["omega"] == 0.4
    assert found.parameters["min_cluster_size"] == 5
    assert not hasattr(mine, "labels_")
    (found,) = cluster_again(X, labels[:, 0], mine, min_cluster_size=7, omega=0.5, n_clusters=3)
    changed = {"min_cluster_size": 7, "omega": 0.5, "n_clusters": 3}
    assert changed.items() <= found.parameters.items()
    assert mine.omega == 0.4
    many = NaiveAlternative(n_runs=30, n_alternatives=2, random_state=0)
    blurred = make_alternatives(60, (3, 3), separation=4, random_state=0)
    assert len(cluster_again(blurred.X, blurred.labels[:, 0], many)) == 2
    assert len(cluster_again(blurred.X, blurred.labels[:, 0], many, n_alternatives=3)) == 3


def test_an_estimator_that_is_not_guarded_warns():
    X, labels = far_from(make_coala_set("A", random_state=0))
    with pytest.warns(UserWarning, match=r"degenerate, with clusters of 200, 1 objects"):
        (found,) = cluster_again(X, labels[:, 0], COALA())
    assert found.sizes == (200, 1)


def test_categorical_estimators_are_scored_by_entropy():
    X, labels = categories(1)
    (found,) = cluster_again(X, labels[:, 0], COALACat(min_cluster_size=2))
    assert found.quality == dq_parts(X, labels[:, 0], found.labels, quality="entropy").quality


def test_seeds_decide():
    data = make_alternatives(60, (3, 3), separation=3, random_state=0)
    found = [
        cluster_again(data.X, data.labels[:, 0], "naive", n_runs=1, random_state=seed)[0].labels
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_results_are_plain_values_and_tables():
    data = make_alternatives(80, (3, 3), separation=4, random_state=0)
    found = cluster_again(
        data.X,
        data.labels[:, 0],
        "naive",
        n_alternatives=2,
        n_runs=20,
        random_state=0,
        n_clusters=8,
    )
    plain = json.loads(json.dumps([one.to_dict() for one in found]))
    assert [one["labels"] for one in plain] == [one.labels.tolist() for one in found]
    assert plain[0]["dq"] == found[0].dq
    assert plain[0]["sizes"] == list(found[0].sizes)
    lines = repr(found).splitlines()
    assert lines[0] == "2 alternatives to the given clustering"
    assert lines[4:6] == [
        "",
        "Features that separate the clusters best, with scores from 0 (chance) to 1",
    ]
    assert lines[-1] == found.summary()
    assert f"{found[0].dq:.4f}" in lines[2]
    assert "…" in lines[2]  # eight sizes are too many to show
    assert "<table>" in found._repr_html_()
    assert f"{found[1].quality:.4f}" in repr(found[1])
    assert isinstance(found, list)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"method": "koala"},
            "method='koala' is unknown; use 'auto', 'cib', 'coala', .* or an Alternative estimator",
        ),
        ({"method": 3}, "method=3 is unknown"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"omegas": 0.5}, "nor COALA has a parameter 'omegas'; did you mean 'omega'"),
        ({"method": "naive", "min_cluster_size": 3}, "NaiveAlternative has no .*min_cluster_size"),
        ({"n": 2}, "neither cluster_again nor COALA has a parameter 'n'; use one of"),
        ({"n_clusters": 9}, "n_clusters=9 for 4 objects"),
        ({"quality": "done"}, "unknown quality 'done'"),
        ({"given": [0, 1]}, "2 labels for 4 objects"),
    ],
)
def test_invalid_parameters_are_refused(options, message):
    wishes = {"X": [[0], [1], [5], [6]], "given": [0, 0, 1, 1], "method": "coala", **options}
    with pytest.raises(InputError, match=message):
        cluster_again(**wishes)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("coala", "COALA"),
        ("naive", "NaiveAlternative"),
        (COALA(metric="cosine"), "COALA"),
    ],
)
def test_what_is_no_number_is_said_where_numbers_are_needed(method, name):
    given = np.arange(8) % 2
    X = pd.DataFrame({"age": np.arange(8.0), "town": ["Oslo", "Rome"] * 4})
    needs = f"but {name} needs numbers; "
    message = rf"^column 'town' of X is categorical, {needs}use method=\"auto\"\.$"
    with pytest.raises(InputError, match=message):
        cluster_again(X, given, method)
    X["age"] = [0, 1, None, *range(5)]
    message = rf"^column 'age' of X is missing at position 2, {needs}fill it in, or use method="
    with pytest.raises(InputError, match=message):
        cluster_again(X[["age"]], given, method)
    X["age"] = [0, 1, np.inf, *range(5)]
    with pytest.raises(InputError, match=r"^column 'age' of X is inf at position 2; replace it"):
        cluster_again(X[["age"]], given, method)


def test_distances_that_are_missing_are_said_to_be_so():
    table = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    table[0, 1] = np.nan
    with pytest.raises(InputError, match=r"^X cannot be clustered: Input X contains NaN\.$"):
        cluster_again(table, [0, 0, 1, 1], COALA(metric="precomputed"))


@pytest.mark.slow
def test_very_many_objects_are_not_compared_with_each_other():
    data = make_alternatives(10_001, (2, 2), features=3, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], "coala", random_state=0, scale=False)[0]
    assert found.parameters["prototypes"] == 1000
    assert cw.adjusted_rand_score(found.labels, data.labels[:, 1]) >= 0.95
    expected = dq_parts(data.X, data.labels[:, 0], found.labels, quality="dunn_centroids")
    assert found.quality == pytest.approx(expected.quality)
    asked = cluster_again(data.X, data.labels[:, 0], "coala", prototypes=50)[0]
    assert asked.parameters["prototypes"] == 50


def test_the_clustering_that_was_made_first_is_kept():
    data = make_alternatives(100, (2, 2), separation=12, random_state=0)
    found = cluster_again(data.X, None, "coala", n_clusters=2, random_state=0)
    assert found.given.shape == (1, 100)
    assert cw.adjusted_rand_score(found.given[0], found[0].labels) < 0.1
    np.testing.assert_array_equal(cluster_again(data.X, data.labels, "coala").given, data.labels.T)


@pytest.mark.parametrize("method", [cw.CIB, cw.MinCEntropy])
def test_standalone_methods_get_a_first_clustering_too(method):
    data = make_alternatives(200, (2, 2), separation=12, random_state=0)
    X = data.X * [2, 2, 1, 1]
    found = cluster_again(X, None, method(random_state=0))
    assert cw.adjusted_rand_score(found.given[0], data.labels[:, 0]) == 1
    model = method(random_state=0).fit(X, found.given[0])
    np.testing.assert_array_equal(found[0].labels, model.labels_)


@pytest.mark.parametrize(
    "method",
    ["auto", "cib", "coala", "condens", "maximus", "metaclusterer", "mincentropy", "orthogonal"],
)
def test_the_alternative_to_one_cluster_has_two(method):
    X = np.repeat([[0.0], [9.0]], 10, axis=0) + np.tile(np.arange(10.0) / 10, 2)[:, None]
    found = cluster_again(X, np.zeros(20), method)[0]
    np.testing.assert_array_equal(found.labels, np.repeat([0, 1], 10))


def test_the_naive_method_chooses_by_the_quality_passed():
    data = make_alternatives(60, (2, 2), separation=4.0, random_state=1)
    options = {"method": "naive", "n_runs": 5, "random_state": 0}
    found = cluster_again(data.X, data.labels[:, 0], quality="silhouette", **options)
    assert found[0].parameters["quality"] == "silhouette"


@pytest.mark.parametrize("method", [name for name in METHODS if name != "coalacat"])
def test_neither_the_unit_nor_the_origin_of_the_features_matters(method):
    """Multiples of 1/1024 plus 2^30 are exact, so that the objects are the same."""
    random = np.random.default_rng(0)
    corners = np.repeat([[0, 0, 0], [0, 4, 0], [5, 0, 1], [5, 4, 1]], 12, axis=0)
    X = np.rint(1024 * (corners + 0.3 * random.normal(size=(48, 3)))) / 1024
    given = np.repeat([0, 0, 1, 1], 12)

    def find(X):
        return cluster_again(X, given, method, random_state=0)

    expected = find(X)
    for other in (X * 2.0**-560, X * 2.0**-40, X * 2.0**530, X + 2.0**30):
        found = find(other)
        assert [one.labels.tolist() for one in found] == [one.labels.tolist() for one in expected]
        assert found[0].dq == pytest.approx(expected[0].dq, rel=1e-9)


@pytest.mark.parametrize("exponent", [-560, 530])
def test_what_has_a_unit_is_in_that_of_the_features(exponent):
    X = np.array([[0.0, 0], [0, 1], [3, 0], [3, 1], [7, 0], [7, 1.5]])
    given, large = [0, 0, 1, 1, 2, 2], np.ldexp(X, exponent)
    few, scaled = (COALA(2, prototypes=5, random_state=0).fit(each, given) for each in (X, large))
    np.testing.assert_array_equal(scaled.prototypes_, np.ldexp(few.prototypes_, exponent))
    np.testing.assert_array_equal(
        scaled.merges_.distances, np.ldexp(few.merges_.distances, exponent)
    )
    assert scaled.predict(large).tolist() == few.predict(X).tolist()
    plain, scaled = (COALA(2).fit(each, given).merges_ for each in (X, large))
    np.testing.assert_array_equal(scaled.distances, np.ldexp(plain.distances, exponent))
    width = cw.MinCEntropy(random_state=0).fit(X, given).width_
    for option in ({}, {"width": width * 2.0**exponent}):
        found = cw.MinCEntropy(random_state=0, **option).fit(large, given)
        assert found.width_ == pytest.approx(width * 2.0**exponent, rel=1e-14)
