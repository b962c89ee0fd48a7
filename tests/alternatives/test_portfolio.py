"""The portfolio of cluster_again: planted clusterings, the Pareto front, and options."""

import io
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

import clusterwise as cw
from clusterwise import InputError, cluster_again
from clusterwise.alternatives import portfolio
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.given import read_given
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
    found = cluster_again(data.X, data.labels[:, 0], n_alternatives=2, random_state=0)
    assert len(found) == 2
    assert min(recovery(found, data.labels[:, 1:])) >= 0.9


@pytest.mark.slow
def test_the_whole_front_or_a_number_of_alternatives():
    data = make_alternatives(200, (2, 2, 2), separation=8, random_state=0)
    known = data.labels[:, 0]
    (one,) = cluster_again(data.X, known, n_alternatives=1, random_state=0)
    front = cluster_again(data.X, known, random_state=0)
    assert one.labels.tolist() == front[0].labels.tolist()
    assert {o.parameters["n_alternatives"] for o in front} == {1}
    both = cluster_again(data.X, known, n_alternatives=2, random_state=0)
    assert {o.parameters["n_alternatives"] for o in both} == {2}
    assert both[0].dq >= both[1].dq


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
    three = cluster_again(data.X, None, n_clusters=3, random_state=0)
    assert three.given.max() == 2
    assert len(three[0].sizes) == 3


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
    first, *others = cluster_again(X, known, n_clusters=2, random_state=0)
    assert nmi(first.labels, hidden) >= 0.9
    assert first.quality > 0.9
    assert all(one.dq < first.dq for one in others)


# --- what is passed on, and refused


@pytest.mark.slow
@pytest.mark.parametrize("quality", ["silhouette", "dunn_centroids", "davies_bouldin"])
def test_measures_can_be_passed(quality):
    data = make_alternatives(120, (3, 3), separation=5, random_state=0)
    known, measures = data.labels[:, 0], {"quality": quality, "dissimilarity": "rand_score"}
    found = cluster_again(data.X, known, n_alternatives=2, random_state=0, **measures)
    assert len(found) == 2
    scaled = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    for one in found:
        parts = dq_parts(scaled, known, one.labels, **measures)
        assert (one.dissimilarity, one.quality, one.dq) == pytest.approx(tuple(parts))


def test_default_measures():
    data = make_alternatives(120, (3, 3), separation=4, random_state=0)
    known = data.labels[:, 0]
    for one in cluster_again(data.X, known, n_alternatives=3, random_state=0):
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
            "nor method='auto' has a parameter 'omega'; use one of budget, refine",
        ),
        ({"refin": 0.5}, "has a parameter 'refin'; did you mean 'refine'"),
        ({"n_alternative": 2}, "has a parameter 'n_alternative'; did you mean 'n_alternatives'"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer of at least 1"),
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


# --- members that find what they are options to

OBJECTS = 24
X = np.random.default_rng(0).normal(size=(OBJECTS, 2))
GIVEN = np.arange(OBJECTS) % 2


class FixedAlternative(Alternative):
    """A member of the portfolio that returns fixed labels, or raises an error."""

    def __init__(
        self,
        found=(),
        refusal=None,
        n_clusters=None,
        n_alternatives=1,
        min_cluster_size=None,
        random_state=None,
        progress=None,
    ):
        self.found = found
        self.refusal = refusal
        self.n_clusters = n_clusters
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.random_state = random_state
        self.progress = progress

    def fit(self, X, y=None):
        if self.refusal:
            raise InputError(self.refusal)
        warnings.warn("stopped early", UserWarning, stacklevel=2)
        self.given_ = read_given(y, len(X)).codes
        self._store(self.found)
        return self


def member(*found, refusal=None, if_unclear=False):
    options = {"found": [np.array(labels) for labels in found], "refusal": refusal}
    return portfolio._Member(FixedAlternative, options, if_unclear)


@pytest.fixture
def choose(monkeypatch):
    """Replace the members of the portfolio."""

    def replace(*members):
        monkeypatch.setattr(portfolio, "_MEMBERS", members)

    return replace


def halves(seed):
    """Twelve objects against twelve."""
    return np.random.default_rng(seed).permutation(np.arange(OBJECTS) % 2)


def labels_of(found):
    return [one.labels.tolist() for one in found]


class Judge:
    """Qualities and dissimilarities from a table, by the labels."""

    def __init__(self, values):
        self.values = {tuple(labels.tolist()): pair for labels, pair in values}

    def quality(self, X, labels):
        return self.values[tuple(labels.tolist())][0]

    def dissimilarity(self, given, labels):
        return self.values[tuple(labels.tolist())][1]

    def measures(self):
        return {"quality": self.quality, "dissimilarity": self.dissimilarity}


def naive_dq(pair):
    quality, apart = pair
    return 2 * quality * apart / (quality + apart) if quality and apart else 0.0


def naive_choice(candidates):
    """One of each group of similar ones, and which of them are on the front.

    Groups form around the one with the most DQ; the one that is most like all of it stands for it.
    """
    groups = []
    for one in sorted(candidates, key=lambda one: -naive_dq(one[1])):
        for group in groups:
            if nmi(one[0], group[0][0]) > 0.75:
                group.append(one)
                break
        else:
            groups.append([one])
    kept = []
    for group in groups:
        sums = [sum(nmi(one[0], other[0]) for other in group) for one in group]
        kept.append(group[sums.index(max(sums))])
    steps = [tuple(round(value / 0.05) for value in one[1]) for one in kept]
    front = [
        one
        for one, here in zip(kept, steps, strict=True)
        if not any(there != here and there[0] >= here[0] and there[1] >= here[1] for there in steps)
    ]
    return [one[0].tolist() for one in front], [one[0].tolist() for one in kept]


GRADES = st.integers(0, 60).map(lambda i: i / 60)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), GRADES, GRADES), min_size=1, max_size=10
    ),
    st.integers(1, 4),
)
@example([(0, 0, 28 / 60, 35 / 60), (0, 2, 26 / 60, 38 / 60)], 1)
def test_the_front_of_distinct_alternatives(choose, cases, n):
    values = {}
    for seed, flipped, quality, apart in cases:
        labels = halves(seed)
        labels[:flipped] ^= 1
        values.setdefault(tuple(labels.tolist()), (labels, (quality, apart)))
    candidates = list(values.values())
    judge = Judge(candidates)
    choose(*(member(labels) for labels, _ in candidates))
    front, kept = naive_choice(candidates)
    plainly = {**judge.measures(), "refine": False}
    found = cluster_again(X, GIVEN, **plainly)
    (first,) = labels_of(cluster_again(X, GIVEN, n_alternatives=1, **plainly))
    assert naive_dq(judge.values[tuple(first)]) == pytest.approx(
        max(naive_dq(judge.values[tuple(one)]) for one in kept)
    )
    # The one that is first has the largest DQ, whether it is on the front or not.
    assert labels_of(found)[0] == first
    assert sorted(labels_of(found)) == sorted([*(one for one in front if one != first), first])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        everything = cluster_again(X, GIVEN, n_alternatives=10, **plainly)
        some = cluster_again(X, GIVEN, n_alternatives=n, **plainly)
    assert sorted(labels_of(everything)) == sorted(kept)
    assert labels_of(some) == labels_of(everything)[:n]
    for one in everything:
        wanted = judge.quality(X, one.labels), judge.dissimilarity(GIVEN, one.labels)
        assert (one.quality, one.dissimilarity) == wanted
        assert one.dq == pytest.approx(naive_dq(wanted))
    for i, one in enumerate(everything):
        assert all(nmi(one.labels, other.labels) <= 0.9 for other in everything[:i])


def test_the_best_comes_first(choose):
    """Of three similar ones the most typical is kept, with its own DQ."""
    random = np.random.default_rng(0)
    typical, other, given = (random.permutation(np.arange(200) % 2) for _ in range(3))
    left, right = typical.copy(), typical.copy()
    left[:3] ^= 1
    right[3:6] ^= 1
    assert nmi(left, right) > 0.75
    grades = [(left, (0.9, 0.9)), (typical, (0.4, 0.9)), (right, (0.3, 0.9)), (other, (0.7, 0.7))]
    judge = Judge(grades)
    choose(member(left, typical, right, other))
    found = cluster_again(
        random.normal(size=(200, 2)), given, n_alternatives=2, refine=False, **judge.measures()
    )
    assert sorted(labels_of(found)) == sorted([other.tolist(), typical.tolist()])
    assert found[0].dq > found[1].dq


def test_nearly_equal_alternatives_count_once(choose):
    truth = np.repeat([0, 1], 100)
    points = truth[:, None] + np.random.default_rng(0).normal(0, 0.1, (200, 1))
    slip, slips = truth.copy(), truth.copy()
    slip[0] ^= 1
    slips[:20] ^= 1
    assert nmi(truth, slip) > 0.9 > nmi(truth, slips)
    given = np.arange(200) % 2
    choose(member(slip), member(slips), member(truth))
    with pytest.warns(UserWarning, match="found 2 of 3"):
        found = cluster_again(points, given, n_alternatives=3, refine=False)
    assert labels_of(found) == [truth.tolist(), slips.tolist()]


def test_a_small_difference_in_quality_does_not_dominate(choose):
    a, b, c = halves(1), halves(2), halves(3)
    judge = Judge([(a, (0.81, 0.80)), (b, (0.776, 0.79)), (c, (0.774, 0.79))])
    choose(member(a, b, c))
    found = cluster_again(X, GIVEN, **judge.measures(), refine=False)
    assert labels_of(found) == [a.tolist(), b.tolist()]


def test_fewer_alternatives_than_requested_are_warned_of(choose):
    choose(member(halves(1)), member(1 - halves(1)))
    with pytest.warns(UserWarning, match="found 1 of 3 alternatives: no others") as caught:
        found = cluster_again(X, GIVEN, n_alternatives=3)
    assert len(found) == 1
    # The warning points to the call; those of the methods are not passed on.
    assert [warning.filename for warning in caught] == [__file__]


def test_degenerate_alternatives_are_left_out(choose):
    strange = (np.arange(OBJECTS) == 0).astype(int)
    dull = halves(1)
    judge = Judge([(strange, (1.0, 1.0)), (dull, (0.1, 0.1))])
    choose(member(strange, dull))
    for n in (None, 1):
        found = cluster_again(X, GIVEN, n_alternatives=n, **judge.measures())
        assert labels_of(found) == [dull.tolist()]
    with pytest.warns(UserWarning, match="found 1 of 2"):
        assert len(cluster_again(X, GIVEN, n_alternatives=2, **judge.measures())) == 1


def test_only_degenerate_alternatives_are_returned_with_a_warning(choose):
    strange = (np.arange(OBJECTS) == 0).astype(int)
    choose(member(strange))
    with pytest.warns(UserWarning, match="degenerate"):
        found = cluster_again(X, GIVEN)
    assert [one.degenerate for one in found] == [True]


def test_members_that_raise_are_skipped(choose):
    choose(member(refusal="not me"), member(halves(1)), member(refusal="nor me"))
    assert labels_of(cluster_again(X, GIVEN)) == [halves(1).tolist()]
    choose(member(refusal="not me"), member(refusal="nor me"))
    with pytest.raises(InputError, match="nor me"):
        cluster_again(X, GIVEN)


def test_without_time_the_first_member_that_does_not_raise_runs(choose):
    choose(member(refusal="not me"), member(halves(1)), member(halves(2)), member(halves(3)))
    judge = Judge([(halves(i), (0.1 * i, 0.5)) for i in (1, 2, 3)])
    assert labels_of(cluster_again(X, GIVEN, budget=0, **judge.measures())) == [halves(1).tolist()]
    (best,) = cluster_again(X, GIVEN, n_alternatives=1, **judge.measures())
    assert best.labels.tolist() == halves(3).tolist()


@pytest.mark.slow
def test_without_time_the_first_method_runs():
    data = make_alternatives(150, (3, 3, 3), separation=6, random_state=0)
    first = cluster_again(data.X, data.labels[:, 0], n_alternatives=3, budget=0, random_state=0)
    assert {one.method for one in first} == {"OrthogonalAlternative"}
    found = cluster_again(data.X, data.labels[:, 0], n_alternatives=3, random_state=0)
    assert {one.method for one in found} != {"OrthogonalAlternative"}


# Twelve to the left and twelve to the right, half of each at the top, and in front or behind.
CORNERS = np.array(np.unravel_index(np.arange(OBJECTS) % 8, (2, 2, 2)))
PLACES = 9.0 * CORNERS.T + 0.1 * np.random.default_rng(0).normal(size=(OBJECTS, 3))
LEFT, TOP, FRONT = CORNERS
VAGUE = halves(1)


@pytest.mark.parametrize(("first", "runs"), [(TOP, False), (VAGUE, True)])
@pytest.mark.parametrize("quality", ["canonical", "dunn", "silhouette"])
def test_some_members_run_only_where_nothing_clear_was_found(choose, first, runs, quality):
    """Clearness does not depend on the quality that is passed."""
    choose(member(first), member(FRONT, if_unclear=True))
    found = cluster_again(PLACES, LEFT, quality=quality)
    assert (FRONT.tolist() in labels_of(found)) == runs
    # Both are on the front, if both are found.
    choose(member(first), member(FRONT))
    assert FRONT.tolist() in labels_of(cluster_again(PLACES, LEFT, quality=quality))


def test_all_requested_alternatives_must_be_clear(choose):
    choose(member(TOP), member(FRONT, if_unclear=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cluster_again(PLACES, LEFT, n_alternatives=2)
    assert sorted(labels_of(found)) == sorted([TOP.tolist(), FRONT.tolist()])


def test_degenerate_alternatives_are_not_clear(choose):
    places = np.vstack([np.tile(PLACES, (5, 1)), np.full((1, 3), 5000.0)])
    left, front = (np.append(np.tile(labels, 5), 0) for labels in (LEFT, FRONT))
    strange = (np.arange(left.size) == left.size - 1).astype(int)
    choose(member(strange), member(front, if_unclear=True))
    assert labels_of(cluster_again(places, left)) == [front.tolist()]


def test_members_get_the_parameters(choose):
    choose(member(halves(1), halves(2)))
    (one, _) = cluster_again(
        X, GIVEN, n_alternatives=2, n_clusters=4, min_cluster_size=3, random_state=5
    )
    assert one.parameters["n_alternatives"] == 2
    assert one.parameters["n_clusters"] == 4
    assert one.parameters["min_cluster_size"] == 3
    again = cluster_again(X, GIVEN, n_alternatives=2, guard=False, random_state=5)
    assert again[0].parameters["random_state"] == one.parameters["random_state"]
    assert again[0].parameters["min_cluster_size"] is None
    other = cluster_again(X, GIVEN, n_alternatives=2, random_state=6)
    assert other[0].parameters["random_state"] != one.parameters["random_state"]
