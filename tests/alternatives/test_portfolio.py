"""The portfolio of cluster_again: planted clusterings, noise, and options."""

import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterwise as cw
from clusterwise import InputError, cluster_again
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_mixed_alternatives,
)
from clusterwise.inputs.points import read_points
from clusterwise.measures.dq import dq_parts

nmi = cw.normalized_mutual_info_score


def recovery(found, hidden):
    """The largest similarity of an alternative to each hidden clustering."""
    return [max(nmi(one.labels, truth) for one in found) for truth in hidden.T]


def same(found, others):
    assert len(found) == len(others)
    for one, other in zip(found, others, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        assert (one.dq, one.method) == (other.dq, other.method)
        assert (one.evidence, one.found_again) == (other.evidence, other.found_again)


# --- what is planted comes back

SETTINGS = {
    "plain": (make_alternatives, (2, 2), {"separation": 6}),
    "four clusters": (make_alternatives, (4, 4), {"separation": 6}),
    "unbalanced": (make_alternatives, (3, 3), {"separation": 7, "balance": 0.3}),
    "rotated": (make_alternatives, (3, 3), {"separation": 6, "rotated": True}),
    "noise features": (make_alternatives, (3, 3), {"separation": 6, "extra_features": 6}),
    # With four names to go by, even true frequencies leave a tenth or more of it open.
    "names": (make_categorical_alternatives, (3, 3), {"features": 8}),
    "names and numbers": (make_mixed_alternatives, (2, 2), {}),
    "three": (make_alternatives, (3, 3, 3), {"separation": 6}),
    "three, rotated": (make_alternatives, (2, 2, 2), {"separation": 6, "rotated": True}),
}


@pytest.mark.slow
@pytest.mark.parametrize("known", [0, 1])
@pytest.mark.parametrize("name", SETTINGS)
def test_given_one_planted_clustering_the_best_is_another(name, known):
    make, counts, options = SETTINGS[name]
    data = make(300, counts, **options, random_state=1)
    found = cluster_again(data.X, data.labels[:, known], random_state=0)
    hidden = np.delete(data.labels, known, axis=1)
    if name == "three, rotated":
        # In the same features, two clusterings are a grid of clusters, which says the same.
        hidden = np.unique(hidden, axis=0, return_inverse=True)[1][:, None]
        assert found[0].crossed == (2, 2)
    assert max(nmi(found[0].labels, truth) for truth in hidden.T) >= 0.9
    assert nmi(found[0].labels, data.labels[:, known]) < 0.1
    assert not found[0].degenerate
    np.testing.assert_array_equal(found.given, [data.labels[:, known]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "seed"),
    [(2, 0), (2, 1), (3, 0), (3, 1), (3, 4), (3, 5)],
)
@pytest.mark.parametrize("rotated", [False, True])
def test_both_of_two_hidden_clusterings_are_found(clusters, seed, rotated):
    data = make_alternatives(300, (clusters,) * 3, separation=6, rotated=rotated, random_state=seed)
    found = cluster_again(data.X, data.labels[:, 0], n_alternatives=2, random_state=0, budget=3600)
    assert len(found) == 2
    assert min(recovery(found, data.labels[:, 1:])) >= 0.9


@pytest.mark.slow
def test_all_convincing_ones_or_a_number_of_alternatives():
    data = make_alternatives(200, (2, 2, 2), separation=8, random_state=0)
    known = data.labels[:, 0]
    (one,) = cluster_again(data.X, known, n_alternatives=1, random_state=0)
    every = cluster_again(data.X, known, random_state=0)
    assert one.labels.tolist() == every[0].labels.tolist()
    assert len(every) == 2
    assert min(recovery(every, data.labels[:, 1:])) >= 0.9
    assert all(each.convincing for each in every)
    with pytest.warns(UserWarning, match="found 2 of 3 alternatives: no others are convincing"):
        three = cluster_again(data.X, known, n_alternatives=3, random_state=0)
    assert min(recovery(three, data.labels[:, 1:])) >= 0.9


def test_several_given_clusterings():
    data = make_alternatives(300, (2, 2, 2), separation=6, random_state=0)
    for known in ([0, 1], [2, 0]):
        (truth,) = set(range(3)) - set(known)
        found = cluster_again(data.X, data.labels[:, known], random_state=0)
        assert nmi(found[0].labels, data.labels[:, truth]) >= 0.9
        np.testing.assert_array_equal(found.given, data.labels[:, known].T)
        # Each is judged by the given one that it is most like.
        parts = dq_parts(
            data.X, data.labels[:, known], found[0].labels, quality="canonical",
            dissimilarity="adjusted_mutual_info_score",
        )  # fmt: skip
        assert (found[0].quality, found[0].dissimilarity, found[0].dq) == pytest.approx(
            (parts.quality, parts.dissimilarity, parts.dq)
        )


def test_without_a_given_clustering():
    data = make_alternatives(200, (2, 2), separation=8, random_state=0)
    found = cluster_again(data.X, None, random_state=0)
    assert found.given.shape == (1, 200)
    first, other = found.given[0], found[0].labels
    assert nmi(first, other) < 0.1
    scores = [max(nmi(one, truth) for truth in data.labels.T) for one in (first, other)]
    assert min(scores) >= 0.9


@pytest.mark.slow
def test_the_first_clustering_has_the_number_of_clusters_too():
    data = make_alternatives(240, (3, 3), separation=8, random_state=0)
    found = cluster_again(data.X, None, n_clusters=3, random_state=0)
    assert found.given.max() == 2
    every = [*found, *found.unconvincing]
    assert {len(one.sizes) for one in every} == {3}


def test_the_number_of_clusters():
    data = make_alternatives(240, (2, 4), separation=8, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], n_clusters=4, random_state=0)
    assert nmi(found[0].labels, data.labels[:, 1]) >= 0.9
    assert len(found[0].sizes) == 4
    found = cluster_again(data.X, data.labels[:, 1], n_clusters=2, random_state=0)
    assert nmi(found[0].labels, data.labels[:, 0]) >= 0.9
    assert len(found[0].sizes) == 2


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categorical_features_and_missing_values(kind):
    data = make_mixed_alternatives(300, (2, 2), random_state=0)
    columns = dict(zip(data.feature_names, data.X.T.tolist(), strict=True))
    for i, values in enumerate(columns.values()):
        values[i::37] = [None] * len(values[i::37])
    known = np.where(data.labels[:, 0], "high", "low").tolist()
    found = cluster_again(kind(columns), known, random_state=0)
    assert nmi(found[0].labels, data.labels[:, 1]) >= 0.8
    points = read_points(kind(columns)).points
    assert found[0].quality == pytest.approx(cw.quality_score(points, found[0].labels, "canonical"))


@pytest.mark.slow
def test_many_objects():
    """Nothing here grows with the square of their number: that would take minutes and 3 GB."""
    data = make_alternatives(20_001, (2, 2), separation=6, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], random_state=0)
    assert nmi(found[0].labels, data.labels[:, 1]) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False])
def test_the_same_seed_gives_the_same(known):
    data = make_alternatives(80, (3, 3), separation=3, random_state=0)
    given = data.labels[:, 0] if known else None
    once, twice, with_state = (
        cluster_again(data.X, given, random_state=seed) for seed in (3, 3, np.random.RandomState(3))
    )
    same(once, twice)
    same(once, with_state)
    np.testing.assert_array_equal(once.given, twice.given)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [1e-8, 1e-4, 1e6])
def test_the_unit_of_all_features_together_does_not_matter(unit):
    data = make_alternatives(300, (3, 3, 3), separation=6, random_state=1)
    found = cluster_again(data.X * unit, data.labels[:, 0], random_state=0)
    assert max(recovery(found[:1], data.labels[:, 1:])) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("n", "width"), [(60, 50), (60, 90), (80, 600)])
def test_more_features_than_objects(n, width):
    """Features then separate all objects, but not every clustering has a high quality."""
    random = np.random.default_rng(n + width)
    known, hidden = random.permutation(np.arange(n) % 3), random.permutation(np.arange(n) % 2)
    effects = random.normal(size=(3, width))[known] + random.normal(size=(2, width))[hidden]
    X = effects + random.normal(size=(n, width))
    (first,) = cluster_again(X, known, n_clusters=2, random_state=0)
    assert nmi(first.labels, hidden) >= 0.9
    assert first.quality > 0.9


# --- what is passed on, and refused


@pytest.mark.slow
@pytest.mark.parametrize("quality", ["silhouette", "dunn_centroids", "davies_bouldin"])
def test_measures_can_be_passed(quality):
    data = make_alternatives(150, (3, 3, 3), separation=6, random_state=0)
    known, measures = data.labels[:, 0], {"quality": quality, "dissimilarity": "rand_score"}
    found = cluster_again(data.X, known, n_alternatives=2, random_state=0, **measures)
    assert len(found) == 2
    scaled = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    for one in (*found, *found.unconvincing):
        parts = dq_parts(scaled, known, one.labels, **measures)
        assert (one.dissimilarity, one.quality, one.dq) == pytest.approx(tuple(parts))
    # They do not decide what is found.
    plain = cluster_again(data.X, known, n_alternatives=2, random_state=0)
    assert [one.labels.tolist() for one in found] == [one.labels.tolist() for one in plain]


def test_default_measures():
    data = make_alternatives(120, (3, 3), separation=4, random_state=0)
    known = data.labels[:, 0]
    found = cluster_again(data.X, known, n_clusters=3, random_state=0)
    assert found
    assert found.unconvincing
    for one in (*found, *found.unconvincing):
        parts = dq_parts(
            data.X, known, one.labels, quality="canonical",
            dissimilarity="adjusted_mutual_info_score",
        )  # fmt: skip
        assert (one.dissimilarity, one.quality, one.dq) == pytest.approx(tuple(parts))
        assert one.parameters["min_cluster_size"] == pytest.approx(6)
        assert min(one.sizes) >= 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"omega": 0.5},
            "nor method='auto' has a parameter 'omega'; use one of budget, refine, n_permutations",
        ),
        ({"refin": 0.5}, "has a parameter 'refin'; did you mean 'refine'"),
        ({"n_alternative": 2}, "has a parameter 'n_alternative'; did you mean 'n_alternatives'"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"budget": -1}, "budget=-1; use a number of at least 0"),
        ({"budget": float("nan")}, "budget=nan; use a number of at least 0"),
        ({"n_clusters": 9}, "n_clusters=9 for 4 objects"),
        ({"quality": "done"}, "unknown quality 'done'"),
        ({"dissimilarity": "zzz"}, "unknown dissimilarity 'zzz'"),
        ({"given": [0, 1]}, "2 labels for 4 objects"),
        ({"given": [0, 1, None, 1]}, "no label at position 2"),
        ({"X": [[0], [1], [np.inf], [6]]}, "inf at position 2"),
        ({"X": [0, 1, 5, 6]}, "X must be 2D"),
        ({"X": [[0]], "given": [0]}, "pass at least two objects"),
    ],
)
def test_invalid_parameters_are_refused(options, message):
    wishes = {"X": [[0], [1], [5], [6]], "given": [0, 0, 1, 1], **options}
    with pytest.raises(InputError, match=message):
        cluster_again(**wishes)


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("progress", [None, False])
def test_progress_bars_can_be_turned_off(monkeypatch, progress):
    shown = Terminal()
    monkeypatch.setattr("clusterwise._utils.progress._DELAY", -1.0)
    monkeypatch.setattr("sys.stderr", shown)
    data = make_alternatives(80, (2, 2), random_state=0)
    cluster_again(data.X, data.labels[:, 0], progress=progress, random_state=0)
    assert bool(shown.getvalue()) == (progress is None)


@pytest.mark.slow
def test_without_time_the_first_method_runs():
    data = make_alternatives(150, (3, 3, 3), separation=6, random_state=0)
    options = {"n_clusters": 3, "random_state": 0}
    with pytest.warns(UserWarning, match="no time to search again"):
        found = cluster_again(data.X, data.labels[:, 0], budget=0, **options)
    assert {one.method for one in (*found, *found.unconvincing)} == {"OrthogonalAlternative"}
    # There is no time to search again either.
    assert {one.found_again for one in found} == {None}


# --- noise


@pytest.fixture(scope="module")
def noise():
    """Noise, a given clustering of it, and what is found."""
    random = np.random.default_rng(0)
    X, given = random.normal(size=(120, 3)), random.integers(2, size=120)
    return X, given, cluster_again(X, given, random_state=0)


def test_noise_has_no_convincing_alternative(noise):
    _, given, found = noise
    assert list(found) == []
    assert 1 <= len(found.unconvincing) <= 3
    for one in found.unconvincing:
        assert one.convincing is False
        assert one.labels.shape == given.shape
        assert one.evidence <= 0 or one.found_again[0] < 3
    evidence = [one.evidence for one in found.unconvincing]
    assert evidence == sorted(evidence, reverse=True)


def test_an_empty_result_says_so(noise):
    _, given, found = noise
    assert found.summary().startswith("No convincing alternative to the given clustering. The best")
    assert found.summary() in repr(found)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["alternatives"] == []
    assert [one["labels"] for one in plain["unconvincing"]] == [
        one.labels.tolist() for one in found.unconvincing
    ]
    assert {one["convincing"] for one in plain["unconvincing"]} == {False}
    assert plain["given"] == [given.tolist()]
    assert list(found.to_frame("pandas").columns) == []
    assert len(found.scores_to_frame("pandas")) == 0
    assert found.adjusted_rand == []
    assert list(found.by_name()) == ["given"]
    attempts = found.attempts()
    assert list(attempts) == found.unconvincing
    assert len(attempts.to_frame("polars")) == 120
    assert list(found[:1]) == []
    assert found[:1].unconvincing == found.unconvincing


def test_an_empty_result_can_be_plotted(noise):
    _, _, found = noise
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for kind in (None, "scatter"):
        found.plot(kind)
        pyplot.close("all")
    # The others compare clusterings, of which there is only the given one.
    for kind in ("map", "front", "flow"):
        with pytest.raises(InputError, match="pass at least"):
            found.plot(kind)
        found.attempts().plot(kind)
        pyplot.close("all")


def test_an_empty_result_can_be_reported(noise, tmp_path):
    _, _, found = noise
    page = found.report(tmp_path / "noise.html").read_text("utf-8")
    assert "No convincing alternative" in page


@pytest.mark.slow
def test_permuted_data_sets():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=90) + 9 * (np.arange(90) % 3), random.normal(size=90)])
    found = cluster_again(X, random.integers(2, size=90), n_permutations=3, random_state=0)
    # One feature alone is as clustered in any order.
    assert list(found) == []
    assert found.unconvincing[0].evidence > 0
    assert found.unconvincing[0].better_than[0] < found.unconvincing[0].better_than[1] == 3
    data = make_alternatives(120, (2, 2), separation=6, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], n_permutations=3, random_state=0)
    assert found[0].better_than == (3, 3)
    assert found[0].convincing
    assert "There is more evidence than in 3 of 3 permuted data sets." in found.summary()
    assert cluster_again(data.X, data.labels[:, 0], random_state=0)[0].better_than is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_more_than_permuted_noise(seed):
    random = np.random.default_rng(seed)
    X, given = random.normal(size=(80, 2)), random.integers(2, size=80)
    found = cluster_again(X, given, n_permutations=2, random_state=seed)
    assert list(found) == []
    assert {one.better_than[1] for one in found.unconvincing} == {2}
