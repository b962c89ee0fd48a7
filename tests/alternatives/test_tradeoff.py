"""The trade-off curve: what each threshold finds, the front, and the suggestion."""

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.preprocessing import StandardScaler

import clusterwise as cw
from clusterwise import InputError
from clusterwise.alternatives import tradeoff
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.alternatives.tradeoff import TradeoffCurve, tradeoff_curve
from clusterwise.datasets import make_alternatives
from clusterwise.measures.dq import DQ, dq_parts, dq_score
from helpers.strategies import max_examples

OMEGAS = [0.0, 0.3, 0.6, 0.9, 1.5]


def blurred(seed, n=60):
    """Data on which thresholds make a difference."""
    return make_alternatives(n, (2, 3), separation=3.0, random_state=seed)


def with_outlier():
    """Two planted clusterings of 120 objects, and one object far from all of them."""
    data = make_alternatives(120, (2, 2), separation=15, random_state=0)
    X = np.vstack([data.X, np.full((1, data.X.shape[1]), 500.0)])
    return X, np.vstack([data.labels, [[0, 0]]])


def curve_of(quality, dissimilarity, degenerate, omegas=None):
    """A curve with these values."""
    points = [
        tradeoff._Point(
            np.array([0, 1]),
            0,
            describe_sizes(np.array([0, 1]))._replace(degenerate=bad),
            DQ(d, q, 2 * d * q / (d + q) if d + q else 0.0),
        )
        for q, d, bad in zip(quality, dissimilarity, degenerate, strict=True)
    ]
    places = np.arange(len(points)) / 10 if omegas is None else np.array(omegas)
    return TradeoffCurve(places, points, ("dunn", "jaccard"))


few_values = st.integers(0, 4).map(lambda value: value / 4)
all_points = st.lists(st.tuples(few_values, few_values, st.booleans()), min_size=1, max_size=12)


@pytest.mark.parametrize("least", [None, 5, 0.1])
@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_every_threshold_is_coala_and_its_scores(metric, least):
    data = blurred(1)
    known = data.labels[:, 0]
    options = {"metric": metric, "min_cluster_size": least}
    curve = tradeoff_curve(data.X, known, OMEGAS, n_clusters=3, scale=False, **options)
    np.testing.assert_array_equal(curve.omegas, OMEGAS)
    assert len({labels.tobytes() for labels in curve.labels}) > 1
    for i, omega in enumerate(OMEGAS):
        model = COALA(3, omega=omega, **options).fit(data.X, known)
        np.testing.assert_array_equal(curve.labels[i], model.labels_)
        assert curve.n_dissimilar_merges[i] == model.n_dissimilar_merges_
        assert curve.effective_n_clusters[i] == model.effective_n_clusters_
        assert curve.degenerate[i] == model.degenerate_
        scores = dq_parts(data.X, known, model.labels_, metric=metric)
        assert (curve.dissimilarity[i], curve.quality[i], curve.dq[i]) == scores


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
def test_units_do_not_matter_by_default(metric):
    data = blurred(1)
    X, known = data.X * [1, 1000, 0.001, 7], data.labels[:, 0]
    options = {"n_clusters": 3, "metric": metric}
    curve = tradeoff_curve(X, known, OMEGAS, **options)
    standard = StandardScaler().fit_transform(data.X).round(9)
    same = tradeoff_curve(standard, known, OMEGAS, scale=False, **options)
    np.testing.assert_array_equal(curve.labels, same.labels)
    np.testing.assert_allclose(curve.dq, same.dq, rtol=1e-7)
    assert curve.summary().endswith("Features were scaled to unit variance.")
    other = tradeoff_curve(X, known, OMEGAS, scale=False, **options)
    assert not np.array_equal(curve.labels, other.labels)
    assert other.summary().endswith("Features were not scaled.")
    assert (curve.scaling, other.scaling) == ("standard", "none")


@pytest.mark.parametrize("omega", [0.0, 0.6])
def test_features_are_scaled_as_by_cluster_again(omega):
    data = blurred(3)
    X, known = data.X * [1, 1000, 0.001, 7], data.labels[:, 0]
    for scale in (None, True, False):
        curve = tradeoff_curve(X, known, [omega], scale=scale)
        found = cw.cluster_again(X, known, "coala", omega=omega, guard=False, scale=scale)
        np.testing.assert_array_equal(curve.labels[0], found[0].labels)
        assert curve.quality[0] == pytest.approx(found[0].quality)
        assert curve.scaling == found.scaling


def test_features_are_not_scaled_where_zero_means_something():
    data = blurred(1)
    X, known = np.abs(data.X) * [1, 1000, 0.001, 7], data.labels[:, 0]
    curve = tradeoff_curve(X, known, [0.6], metric="cosine")
    assert curve.scaling == "none"
    np.testing.assert_array_equal(curve.labels[0], COALA(metric="cosine").fit(X, known).labels_)
    assert tradeoff_curve(X, known, [0.6], metric="cosine", scale=True).scaling == "standard"
    for metric, table in (("gower", X), ("precomputed", np.abs(X[:, :1] - X[:, 0]))):
        curve = tradeoff_curve(table, known, [0.6], metric=metric, scale=True)
        assert curve.scaling is None
        assert "scaled" not in curve.summary()


def test_the_chosen_measures_are_used():
    data = blurred(2)
    known = data.labels[:, 0]
    asked = {"quality": "silhouette", "dissimilarity": "variation_of_information"}
    curve = tradeoff_curve(data.X, known, [0.0, 2.0], scale=False, **asked)
    for labels, dq in zip(curve.labels, curve.dq, strict=True):
        assert dq == pytest.approx(dq_score(data.X, known, labels, **asked))
    assert not np.allclose(curve.dq, tradeoff_curve(data.X, known, [0.0, 2.0], scale=False).dq)
    assert "silhouette" in repr(curve)
    assert "variation_of_information" in repr(curve)


def test_measures_may_be_functions():
    data = blurred(2)
    curve = tradeoff_curve(
        data.X,
        data.labels[:, 0],
        [0.6],
        quality=lambda X, labels: 0.5,
        dissimilarity=lambda a, b: 0.5,
    )
    assert curve.dq.tolist() == [0.5]


@pytest.mark.parametrize("metric", ["precomputed", "gower"])
def test_other_distances_reach_the_merges_and_the_scores(metric):
    data = blurred(3)
    X, known = data.X, data.labels[:, 1]
    if metric == "precomputed":
        X = np.abs(X[:, None] - X).sum(axis=2)
        same = tradeoff_curve(data.X, known, OMEGAS, metric="cityblock", scale=False)
    else:
        X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
        same = tradeoff_curve(X / X.shape[1], known, OMEGAS, metric="cityblock", scale=False)
    curve = tradeoff_curve(X, known, OMEGAS, metric=metric)
    np.testing.assert_array_equal(curve.labels, same.labels)
    np.testing.assert_allclose(curve.dq, same.dq, rtol=1e-9)


def test_several_given_clusterings_are_all_avoided_and_the_nearest_one_counts():
    data = blurred(4)
    curve = tradeoff_curve(data.X, data.labels, [0.0], scale=False)
    model = COALA(omega=0.0).fit(data.X, data.labels)
    np.testing.assert_array_equal(curve.labels[0], model.labels_)
    each = [1 - cw.pair_jaccard_score(known, model.labels_) for known in data.labels.T]
    assert curve.dissimilarity[0] == pytest.approx(min(each))


def test_default_thresholds_go_from_0_to_1_from_dissimilarity_to_quality():
    data = make_alternatives(120, (2, 2), separation=20, random_state=0)
    X = data.X * [1, 1, 0.5, 0.5]  # the second clustering is the tighter one
    curve = tradeoff_curve(X, data.labels[:, 0], scale=False)
    np.testing.assert_allclose(curve.omegas, np.linspace(0, 1, 11))
    assert cw.adjusted_rand_score(curve.labels[4], data.labels[:, 1]) == 1
    assert curve.dissimilarity[0] > curve.dissimilarity[-1]
    assert curve.n_dissimilar_merges[0] > curve.n_dissimilar_merges[-1]


@given(all_points)
def test_the_front_has_the_points_that_no_other_dominates(points):
    quality, dissimilarity, degenerate = zip(*points, strict=True)
    curve = curve_of(quality, dissimilarity, degenerate)
    front = []
    for i, (q, d, bad) in enumerate(points):
        beaten = any(
            not other_bad and other_q >= q and other_d >= d and (other_q, other_d) != (q, d)
            for other_q, other_d, other_bad in points
        )
        if not bad and not beaten:
            front.append(i)
    assert curve.pareto.tolist() == front


@given(all_points)
def test_the_suggestion_has_the_largest_dq_of_nondegenerate_clusterings(points):
    quality, dissimilarity, degenerate = zip(*points, strict=True)
    curve = curve_of(quality, dissimilarity, degenerate)
    wanted = [i for i, bad in enumerate(degenerate) if not bad]
    if not wanted:
        assert curve.suggested is None
        return
    place = curve.omegas.tolist().index(curve.suggested)
    assert place in wanted
    assert curve.dq[place] == max(curve.dq[i] for i in wanted)
    assert any(curve.dq[i] == curve.dq[place] for i in curve.pareto)


@pytest.mark.parametrize(
    ("omegas", "suggested"),
    [([0.0, 0.6, 1.0], 0.6), ([0.0, 0.2], 0.2), ([0.5, 0.7], 0.5), ([1.0, 0.9], 0.9)],
)
def test_of_equal_thresholds_the_one_nearest_to_the_papers_is_suggested(omegas, suggested):
    many = len(omegas)
    curve = curve_of([0.5] * many, [0.5] * many, [False] * many, omegas)
    assert curve.suggested == suggested
    assert curve.pareto.tolist() == list(range(many))


def test_degenerate_clusterings_are_marked_and_not_suggested():
    X, labels = with_outlier()
    published = tradeoff_curve(X, labels[:, 0])
    assert published.degenerate.all()
    assert published.suggested is None
    assert not published.pareto.size
    assert "degenerate" in repr(published)
    guarded = tradeoff_curve(X, labels[:, 0], min_cluster_size=2)
    assert not guarded.degenerate.any()
    assert guarded.suggested == 0.6
    # Which is why it must not be DQ alone that decides.
    assert published.dq.max() > guarded.dq.max()


def test_equal_neighbours_are_scored_once():
    data = blurred(5)
    seen = []

    def count(X, labels):
        seen.append(labels)
        return 1.0

    curve = tradeoff_curve(data.X, data.labels[:, 0], [0.6, 0.6, 2.0, 3.0, 0.6], quality=count)
    assert len({labels.tobytes() for labels in curve.labels}) == 2
    np.testing.assert_array_equal(seen, curve.labels[[0, 2, 4]])


@max_examples(20)
@given(seed=st.integers(0, 50), keep=st.lists(st.sampled_from(OMEGAS), min_size=1, max_size=4))
def test_thresholds_do_not_depend_on_each_other(seed, keep):
    data = blurred(seed, n=24)
    whole = tradeoff_curve(data.X, data.labels[:, 0], OMEGAS)
    part = tradeoff_curve(data.X, data.labels[:, 0], keep)
    places = [OMEGAS.index(omega) for omega in keep]
    np.testing.assert_array_equal(part.labels, whole.labels[places])
    np.testing.assert_array_equal(part.dq, whole.dq[places])


def test_the_curve_becomes_json_a_frame_and_a_table():
    data = blurred(6)
    curve = tradeoff_curve(data.X, data.labels[:, 0], OMEGAS)
    plain = json.loads(json.dumps(curve.to_dict()))
    assert plain["omega"] == OMEGAS
    assert plain["dq"] == curve.dq.tolist()
    assert plain["pareto"] == curve.pareto.tolist()
    assert plain["suggested"] == curve.suggested
    assert plain["quality_measure"] == "dunn"
    assert plain["scaling"] == "standard"
    frame = curve.to_frame("pandas")
    assert frame["quality"].tolist() == curve.quality.tolist()
    assert np.flatnonzero(frame["pareto"]).tolist() == curve.pareto.tolist()
    assert frame.shape == (5, 8)
    lines = repr(curve).splitlines()
    assert len(lines) == 2 + len(OMEGAS)
    marked = [line for line in lines if "suggested" in line]
    assert [float(line.split()[0]) for line in marked] == [curve.suggested]


@pytest.mark.parametrize("omegas", [[], [-0.1], [0.5, float("nan")], [[0.5]], 0.5])
def test_other_thresholds_are_refused(omegas):
    with pytest.raises(InputError, match=r"omegas=.*; use a list of 1 or more values"):
        tradeoff_curve([[0], [1], [2]], [0, 0, 1], omegas)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="n_clusters=9 for 3 objects"):
        tradeoff_curve([[0], [1], [2]], [0, 0, 1], n_clusters=9)
    with pytest.raises(InputError, match="2 labels for 3 objects"):
        tradeoff_curve([[0], [1], [2]], [0, 0])
