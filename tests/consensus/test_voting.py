"""Voting: alignment, majorities, and what the consensus estimators have in common."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

import clusterwise as cw
from clusterwise._utils.errors import InputError
from clusterwise.consensus.base import FewerClustersWarning, read_weights
from clusterwise.consensus.evidence import EvidenceAccumulation
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.consensus.voting import VotingConsensus, align_all, assign_rows, nearest_in_size
from clusterwise.inputs.ensembles import read_ensemble
from reference.consensus import (
    agreements,
    clusters,
    columns,
    ensembles,
    most_agreements,
    planted,
    shared as naive_shared,
)


@given(ensembles())
def test_overlaps_are_counted_on_distinct_rows(ensemble):
    overlaps = count_overlaps(read_ensemble(columns(ensemble)).collapse())
    np.testing.assert_array_equal(overlaps.shared, naive_shared(ensemble))


def test_threads_do_not_change_the_table():
    labels, _ = planted(5000, 12, 4)
    collapsed = read_ensemble(labels).collapse()
    with cw.threads(1):
        one = count_overlaps(collapsed).shared
    with cw.threads(3, oversubscribe=True):
        three = count_overlaps(collapsed).shared
    np.testing.assert_array_equal(one, three)


@pytest.mark.parametrize(
    "ensemble",
    [[[0], [1], [1]], [[0, None], [1, None], [None, 0], [None, 1]], [[0, 0], [1, 1], [1, 1]]],
    ids=["one clustering", "no object in common", "equal clusterings"],
)
def test_voting_stops_once_nothing_moves(ensemble):
    read = read_ensemble(columns(ensemble))
    found = align_all(count_overlaps(read.collapse()), np.ones(read.m), 2, 0, 100)
    assert found.n_iter == (1 if read.m == 1 else 2)


def names_of(joins, ensemble):
    names = [{} for _ in ensemble[0]]
    for (j, label, _), cluster in zip(clusters(ensemble), joins, strict=True):
        names[j][label] = cluster
    return names


@given(ensembles(members=3), st.integers(0, 2))
def test_no_realignment_improves_the_agreement(ensemble, reference):
    read = read_ensemble(columns(ensemble))
    count = max(read.sizes)
    reference %= read.m
    found = align_all(count_overlaps(read.collapse()), np.ones(read.m), count, reference, 100)
    agreed = agreements(names_of(found.joins, ensemble), ensemble)
    # Every vote agrees with itself, and with each other one in both directions.
    own = sum(label is not None for row in ensemble for label in row)
    assert found.agreement == own + 2 * agreed
    best = most_agreements(ensemble, count)
    assert agreed <= best
    if read.m == 2:
        assert agreed == best


@given(ensembles(missing=False, members=2))
def test_a_copy_agrees_with_everything(ensemble):
    labels = np.array(ensemble)
    twice = VotingConsensus().fit(np.hstack([labels[:, :1]] * 3))
    assert twice.agreement_ == 1
    assert cw.adjusted_rand_score(twice.labels_, labels[:, 0]) == 1
    np.testing.assert_array_equal(twice.memberships_.max(axis=1), 1)


def test_surplus_rows_join_the_largest_overlap():
    overlap = np.array([[5.0, 0.0], [1.0, 2.0], [0.0, 4.0], [3.0, 0.0]])
    assert assign_rows(overlap).tolist() == [0, 1, 1, 0]
    assert assign_rows(overlap.T.copy()).tolist() == [0, 2]


def test_references_are_nearest_in_size():
    labels = [[0, 1, 2, 3], [0, 0, 1, 1], [0, 1, 2, 2], [0, 1, 1, 1]]
    assert nearest_in_size(read_ensemble(labels), 2) == [1, 3, 2, 0]


def test_classes_are_found_from_noisy_members():
    labels, classes = planted(2000, 15, 6, noise=0.4)
    model = VotingConsensus().fit(labels)
    assert model.n_clusters_ == 6
    members = [cw.adjusted_rand_score(classes, one) for one in labels.T]
    assert max(members) < 0.6
    assert cw.adjusted_rand_score(classes, model.labels_) > 0.99


def test_different_numbers_of_clusters():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 4, 1000)
    finer = classes * 2 + rng.integers(0, 2, 1000)
    coarser = classes // 2
    ensemble = [classes, finer, coarser, (classes + 1) % 4, 3 - classes]
    model = VotingConsensus().fit(ensemble)
    assert model.n_clusters_ == 4
    assert cw.adjusted_rand_score(classes, model.labels_) == 1
    assert VotingConsensus(2).fit(ensemble).n_clusters_ == 2


def test_memberships_are_proportions_of_votes():
    ensemble = [
        ["a", "a", "b", "b", None, None],
        [1, 1, 2, 2, 2, None],
        [5, 7, 7, 7, 7, None],
    ]
    model = VotingConsensus().fit(ensemble)
    assert model.labels_.tolist() == [0, 0, 1, 1, 1, -1]
    expected = [[1, 0], [2 / 3, 1 / 3], [0, 1], [0, 1], [0, 1], [0, 0]]
    np.testing.assert_allclose(model.memberships_, expected)
    assert model.agreement_ == pytest.approx((4 + 2 / 3) / 5)


def test_clusters_without_a_winner_come_last():
    ensemble = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 0]])
    with pytest.warns(FewerClustersWarning, match="VotingConsensus found 2 clusters, not 3"):
        model = VotingConsensus(3).fit(ensemble)
    assert model.n_clusters_ == 2
    assert model.memberships_.shape == (5, 3)
    np.testing.assert_array_equal(model.memberships_.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1)


def test_weights_decide():
    labels = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0]]
    assert VotingConsensus().fit(labels).labels_.tolist() == [0, 0, 1, 1]
    assert VotingConsensus(weights=[1, 1, 9]).fit(labels).labels_.tolist() == [0, 1, 1, 0]


@given(ensembles(), st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_votes_are_weighted(ensemble, weights):
    read = read_ensemble(columns(ensemble))
    weights = np.array(weights[: read.m], float)
    found = align_all(count_overlaps(read.collapse()), weights, max(read.sizes), 0, 100)
    known = [[label is not None for label in row] for row in ensemble]
    own = (np.array(known) @ weights**2).sum()
    agreed = agreements(names_of(found.joins, ensemble), ensemble, weights)
    assert found.agreement == own + 2 * agreed


def test_names_of_clusters_do_not_matter():
    labels, _ = planted(300, 9, 4)
    rng = np.random.default_rng(1)
    renamed = np.array([rng.permutation(4)[one] for one in labels.T]).T
    own, other = VotingConsensus().fit(labels), VotingConsensus().fit(renamed)
    np.testing.assert_array_equal(own.labels_, other.labels_)
    np.testing.assert_allclose(own.memberships_, other.memberships_)


def test_collapsed_objects_vote_like_single_ones():
    labels, _ = planted(60, 5, 3, noise=0.3)
    many = VotingConsensus().fit(np.repeat(labels, 7, axis=0))
    one = VotingConsensus().fit(labels)
    np.testing.assert_array_equal(many.labels_, np.repeat(one.labels_, 7))
    assert many.agreement_ == pytest.approx(one.agreement_)


@given(ensembles())
def test_labels_count_from_the_first_object(ensemble):
    labels = VotingConsensus().fit(columns(ensemble)).labels_.tolist()
    seen = list(dict.fromkeys(label for label in labels if label >= 0))
    assert seen == list(range(len(seen)))
    unknown = [all(label is None for label in row) for row in ensemble]
    assert [label == -1 for label in labels] == unknown


@pytest.mark.parametrize(
    "form",
    [
        lambda labels: labels.astype(np.int8),
        lambda labels: labels.astype(float),
        lambda labels: np.array(list("abcdef"))[labels],
        lambda labels: list(labels.T),
        lambda labels: dict(enumerate(labels.T)),
        lambda labels: pd.DataFrame(labels, columns=[f"c{j}" for j in range(labels.shape[1])]),
        read_ensemble,
    ],
)
def test_any_labels_can_be_given(form):
    labels, _ = planted(200, 7, 3)
    expected = VotingConsensus().fit(labels)
    found = VotingConsensus().fit(form(labels))
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    assert found.n_features_in_ == 7


def test_frames_name_their_clusterings():
    frame = pd.DataFrame({"first": [0, 0, 1], "second": [1, 1, 0]})
    assert VotingConsensus().fit(frame).feature_names_in_.tolist() == ["first", "second"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_clusters": 0}, "n_clusters=0; use an integer of at least 1 or None."),
        ({"n_clusters": 2.5}, "n_clusters=2.5; use an integer"),
        ({"n_clusters": 5}, "n_clusters=5 for 4 objects; use a whole number from 1 to 4."),
        ({"n_clusters": 4}, "have only 3 distinct rows; use at most 3."),
        ({"weights": [1.0]}, r"weights have shape \(1,\), but there are 2 clusterings"),
        ({"weights": [1.0, 0.0]}, "weights must be positive numbers"),
        ({"weights": [1.0, np.nan]}, "weights must be positive numbers"),
        ({"n_init": 0}, "n_init=0; use an integer from 1 to 100000."),
        ({"max_iter": 0}, "max_iter=0; use an integer of at least 1."),
    ],
)
def test_refusals(options, words):
    with pytest.raises(InputError, match=words):
        VotingConsensus(**options).fit([[0, 0, 1, 1], [0, 0, 1, 2]])


def test_too_many_clusters_are_refused():
    labels = np.tile(np.arange(6000)[:, None], (1, 2))
    with pytest.raises(InputError, match="12000 clusters in all, which is too many to match"):
        VotingConsensus().fit(labels)


def test_the_common_number_of_clusters_is_the_default():
    ensemble = np.array([[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2]]).T
    assert VotingConsensus().fit(ensemble).memberships_.shape[1] == 3


def test_evidence_accumulation_decides_if_numbers_differ():
    """Random parts of two classes: the median of the numbers is 5."""
    random = np.random.RandomState(0)
    true = np.repeat([0, 1], 60)
    members = [true * k + random.randint(k, size=120) for k in (1, 2, 2, 3, 4, 4)]
    ensemble = np.array(members).T
    assert np.median([np.unique(one).size for one in members]) == 5
    found = VotingConsensus().fit(ensemble)
    assert found.memberships_.shape[1] == EvidenceAccumulation().fit(ensemble).n_clusters_ == 2
    np.testing.assert_array_equal(found.labels_, true)
    again = VotingConsensus(weights=[2.0] * 6).fit(ensemble)
    np.testing.assert_array_equal(again.labels_, true)


def test_weights_default_to_one():
    np.testing.assert_array_equal(read_weights(None, 3), [1, 1, 1])
    assert clone(VotingConsensus(weights=[1, 2])).weights == [1, 2]


EXPECTED_FAILURES = {
    "check_clustering": "measurements have no value in common, so there is nothing to vote on",
}


def checks():
    for fresh, check in estimator_checks_generator(VotingConsensus()):
        name = getattr(check, "func", check).__name__
        # Other arrays than NumPy's are not supported, and that check only skips.
        if name == "check_array_api_input":
            continue
        failing = EXPECTED_FAILURES.get(name)
        marks = [pytest.mark.xfail(reason=failing)] if failing else []
        yield pytest.param(fresh, check, marks=marks, id=name)


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_scikit_learn_checks(estimator, check):
    check(estimator)
