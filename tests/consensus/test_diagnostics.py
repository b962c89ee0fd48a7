"""Diagnostics of a consensus: against definitions computed pair by pair."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from clusterwise import InputError
from clusterwise.consensus.consensus_matrix import consensus_matrix
from clusterwise.consensus.diagnostics import clustering_agreement, object_agreement
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.consensus.stability import co_association_curve, number_stability
from clusterwise.inputs.ensembles import read_ensemble
from helpers.strategies import max_examples


@st.composite
def cases(draw, missing=True):
    """Labels m × n, NaN where missing, a consensus, and weights."""
    m, n = draw(st.integers(1, 5)), draw(st.integers(2, 12))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = random.integers(0, draw(st.integers(1, 4)), (m, n)).astype(float)
    if missing and draw(st.booleans()):
        labels[random.random(labels.shape) < 0.3] = np.nan
    consensus = random.integers(0, draw(st.integers(1, 4)), n)
    weights = random.uniform(0.01, 2, m)
    assume(not np.isnan(labels).all(axis=1).any())
    return labels, consensus, weights


@max_examples(60)
@given(cases(), st.integers(0, 10**6))
def test_distinct_rows_count_as_often_as_they_occur(case, seed):
    labels, consensus, weights = case
    counts = np.random.default_rng(seed).integers(1, 4, consensus.size)
    of = np.repeat(np.arange(consensus.size), counts)
    kinds = read_ensemble(list(labels))._replace(counts=counts)
    everyone = list(labels[:, of])
    found = object_agreement(consensus, kinds, weights=weights)
    expected = object_agreement(consensus[of], everyone, weights=weights)
    for name in ("labels", "own", "other", "nearest", "margin"):
        np.testing.assert_allclose(getattr(found, name)[of], getattr(expected, name), atol=1e-12)
    assert found.n_ambiguous == expected.n_ambiguous == expected.ambiguous.size
    assert found.text_table().rows == expected.text_table().rows
    assert found.text_table().title == expected.text_table().title
    agreement = clustering_agreement(consensus, kinds)
    expected = clustering_agreement(consensus[of], everyone)
    for name in ("known", "adjusted_rand", "normalized_mutual_info"):
        np.testing.assert_allclose(getattr(agreement, name), getattr(expected, name), atol=1e-12)


def pair(labels, weights, i, j):
    """Weights of the clusterings with i and j in one cluster, and of those that label both."""
    both = ~np.isnan(labels[:, i]) & ~np.isnan(labels[:, j])
    return weights[both & (labels[:, i] == labels[:, j])].sum(), weights[both].sum()


def mean_share(labels, weights, i, others):
    sums = np.array([pair(labels, weights, i, j) for j in others]).reshape(-1, 2).sum(axis=0)
    return sums[0] / sums[1] if sums[1] > 0 else np.nan


@given(case=cases())
def test_agreement_of_objects_is_that_of_the_definition(case):
    labels, consensus, weights = case
    found = object_agreement(consensus, list(labels), weights=weights)
    for i in range(labels.shape[1]):
        if np.isnan(labels[:, i]).all():
            assert np.isnan([found.own[i], found.other[i], found.margin[i]]).all()
            assert found.nearest[i] == consensus[i]
            continue
        mine = [j for j in range(labels.shape[1]) if consensus[j] == consensus[i] and j != i]
        shares = {
            k: mean_share(labels, weights, i, np.flatnonzero(consensus == k))
            for k in set(consensus.tolist()) - {int(consensus[i])}
        }
        shares = {k: share for k, share in shares.items() if not np.isnan(share)}
        other = max(shares.values(), default=0.0)
        own = mean_share(labels, weights, i, mine)
        assert found.other[i] == pytest.approx(other)
        assert found.own[i] == pytest.approx(1 - other if np.isnan(own) else own)
        assert found.margin[i] == found.own[i] - found.other[i]
        if shares:
            assert shares[int(found.nearest[i])] == pytest.approx(other)
        else:
            assert found.nearest[i] == consensus[i]


def test_ambiguous_objects_come_worst_first():
    ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 1, 1]]
    found = object_agreement(list("aaabbb"), ensemble)
    assert found.ambiguous.tolist() == [2]
    assert found.nearest[2] == "b"
    lines = repr(found).splitlines()
    assert lines[0] == "1 ambiguous object of 6"
    assert lines[2].split() == ["a", "3", "0.5556", "0.2593", "-0.2222", "1"]
    assert lines[3].split()[-1] == "0"
    frame = found.to_frame("pandas")
    assert frame["labels"].tolist() == list("aaabbb")
    assert frame["margin"].tolist() == found.margin.tolist()


def test_many_blocks_are_as_one(monkeypatch):
    random = np.random.default_rng(0)
    ensemble, consensus = random.integers(0, 4, (200, 5)), random.integers(0, 3, 200)
    whole = object_agreement(consensus, ensemble)
    monkeypatch.setattr("clusterwise.consensus.co_association._MAX_CELLS", 50)
    parts = object_agreement(consensus, ensemble)
    np.testing.assert_array_equal(parts.margin, whole.margin)
    np.testing.assert_array_equal(parts.nearest, whole.nearest)


@given(case=cases())
def test_agreement_of_clusterings_is_that_of_scikit_learn(case):
    labels, consensus, _ = case
    found = clustering_agreement(consensus, list(labels))
    for i, one in enumerate(labels):
        known = ~np.isnan(one)
        assert found.known[i] == pytest.approx(known.mean())
        assert found.n_clusters[i] == len(set(one[known]))
        both = consensus[known], one[known].astype(int)
        assert found.adjusted_rand[i] == pytest.approx(adjusted_rand_score(*both))
        assert found.normalized_mutual_info[i] == pytest.approx(
            normalized_mutual_info_score(*both), abs=1e-9
        )


def test_clusterings_are_printed_most_agreeing_first():
    ensemble = {"far": [0, 1, 0, 1], "same": [1, 1, 0, 0]}
    found = clustering_agreement([0, 0, 1, 1], ensemble)
    assert [line.split()[0] for line in repr(found).splitlines()[2:]] == ["same", "far"]
    assert found.to_frame("pandas")["clustering"].tolist() == ["far", "same"]


@given(case=cases())
def test_matrix_has_co_associations_cluster_by_cluster(case):
    labels, consensus, weights = case
    found = consensus_matrix(list(labels), consensus, weights=weights)
    n = labels.shape[1]
    assert sorted(found.objects.tolist()) == list(range(n))
    np.testing.assert_array_equal(found.labels, consensus[found.objects])
    assert list(dict.fromkeys(found.labels.tolist())) == list(dict.fromkeys(consensus.tolist()))
    assert np.count_nonzero(np.diff(found.labels)) == len(set(consensus.tolist())) - 1
    for a in range(n):
        assert found.values[a, a] == 1
        for b in range(n):
            if a != b:
                same, both = pair(labels, weights, found.objects[a], found.objects[b])
                assert found.values[a, b] == pytest.approx(same / both if both else 0.0, abs=1e-9)


def test_matrix_orders_co_associated_objects_next_to_each_other():
    # Without a consensus, objects of a block are strewn over the rows but shown together.
    labels = np.tile([0, 1, 2], 10)
    noisy = labels.copy()
    noisy[:3] = [1, 2, 0]
    found = consensus_matrix([labels, labels, noisy])
    assert np.count_nonzero(np.diff(labels[found.objects])) == 2
    assert found.labels.tolist() == [0] * 30


def test_matrix_of_a_sample():
    ensemble = np.random.default_rng(0).integers(0, 3, (100, 4))
    found = consensus_matrix(ensemble, ensemble[:, 0], n_sample=20, random_state=1)
    assert found.values.shape == (20, 20)
    assert len(set(found.objects.tolist())) == 20
    again = consensus_matrix(ensemble, ensemble[:, 0], n_sample=20, random_state=1)
    np.testing.assert_array_equal(again.objects, found.objects)
    other = consensus_matrix(ensemble, ensemble[:, 0], n_sample=20, random_state=2)
    assert set(other.objects.tolist()) != set(found.objects.tolist())
    assert repr(found).startswith("Mean co-association of 20 of 100 objects")


def test_means_of_blocks_leave_out_the_diagonal():
    found = consensus_matrix([[0, 0, 1, 1], [0, 1, 1, 2]], ["x", "x", "x", "y"])
    pairs = {(0, 1): 0.5, (0, 2): 0.0, (1, 2): 0.5}
    np.testing.assert_allclose(
        found.block_means, [[np.mean(list(pairs.values())), 0.5 / 3], [0.5 / 3, np.nan]]
    )
    assert repr(found).splitlines()[2].split() == ["x", "3", "0.3333", "0.1667"]


@given(case=cases())
def test_curve_is_that_of_all_pairs(case):
    labels, _, weights = case
    both = [pair(labels, weights, i, j) for i, j in combinations(range(labels.shape[1]), 2)]
    values = np.array([same / known for same, known in both if known > 0])
    assume(values.size)
    try:
        found = co_association_curve(list(labels), weights=weights, random_state=0, n_pairs=1000)
    except InputError:
        # Chance may have met no pair that is known.
        assume(False)
    assert found.n_pairs == values.size
    assert (np.diff(found.thresholds) > 0).all()
    for threshold, share in zip(found.thresholds, found.proportions, strict=True):
        assert share == pytest.approx((values <= threshold + 1e-9).mean())
    clear = (values <= 0.1 + 1e-9) | (values >= 0.9 - 1e-9)
    assert found.pac == pytest.approx(1 - clear.mean())
    # Under the steps from 0 to 1.
    widths = np.diff(np.append(found.thresholds, 1.0))
    assert found.area == pytest.approx((widths * found.proportions).sum())


def test_identical_members_have_no_ambiguous_pairs():
    found = co_association_curve([[0, 0, 1, 1, 2]] * 5, random_state=0)
    assert found.pac == found.relative_pac == 0
    assert found.expected_pac > 0


def test_independent_members_have_the_expected_pac():
    ensemble = np.random.default_rng(0).integers(0, 3, (2000, 10))
    found = co_association_curve(ensemble, random_state=0)
    assert found.n_pairs == 100_000
    # Neither none of ten nor nine or more: that is what lies above 0.1 and below 0.9.
    third = 1 / 3
    clear = (1 - third) ** 10 + 10 * third * (1 - third) ** 9
    clear += 10 * third**9 * (1 - third) + third**10
    assert found.expected_pac == pytest.approx(1 - clear, abs=0.01)
    assert found.relative_pac == pytest.approx(1, abs=0.02)
    assert "relative to chance" in repr(found)


def test_relative_pac_is_nan_if_the_expected_pac_is_0():
    assert np.isnan(co_association_curve([[0, 0, 1, 1]], random_state=0).relative_pac)


def test_same_seed_same_curve():
    ensemble = np.random.default_rng(0).integers(0, 3, (60, 5))
    first, second = (co_association_curve(ensemble, n_pairs=500, random_state=4) for _ in range(2))
    np.testing.assert_array_equal(first.proportions, second.proportions)
    assert first.expected_pac == second.expected_pac
    assert first.n_pairs == 500


@pytest.mark.slow
@pytest.mark.parametrize("true", [3, 4, 5])
def test_the_planted_number_is_suggested(true):
    X, _ = make_blobs(400, 4, centers=true, cluster_std=0.6, center_box=(-12, 12), random_state=2)
    columns = [
        make_ensemble(X, 12, n_clusters=k, strategies=["subsample"], random_state=k).labels
        for k in range(2, 9)
    ]
    found = number_stability(np.hstack(columns), random_state=0)
    assert [one.n_clusters for one in found.numbers] == list(range(2, 9))
    assert found.suggested == true


def test_stability_of_numbers_is_the_mean_over_pairs():
    random = np.random.default_rng(0)
    two = [random.permutation(np.arange(30) % 2) for _ in range(3)]
    four = [random.permutation(np.arange(30) % 4) for _ in range(2)]
    alone = [np.arange(30) % 7, np.zeros(30, int), np.zeros(30, int)]
    found = number_stability([*two, *four, *alone], random_state=0)
    assert [(one.n_clusters, one.clusterings) for one in found.numbers] == [(2, 3), (4, 2)]
    for one, members in zip(found.numbers, (two, four), strict=True):
        agreement = np.mean([adjusted_rand_score(a, b) for a, b in combinations(members, 2)])
        assert one.agreement == pytest.approx(agreement)
        curve = co_association_curve(members, random_state=0)
        assert (one.pac, one.area) == (curve.pac, curve.area)
    first, second = found.numbers
    assert first.gain == first.area
    assert second.gain == pytest.approx(second.area / first.area - 1)
    assert f"{found.suggested} clusters suggested" in repr(found)
    assert found.to_frame("pandas")["n_clusters"].tolist() == [2, 4]


def test_ties_of_stability_go_to_the_larger_number():
    two, three = [0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2]
    assert number_stability([three, three, two, two], random_state=0).suggested == 3
    moved = [0, 1, 1, 2, 2, 2]
    assert number_stability([three, moved, two, two], random_state=0).suggested == 2


def test_clusterings_of_other_objects_do_not_agree():
    left, right = [0, 0, 1, 1, None, None, None, None], [None, None, None, None, 0, 1, 0, 1]
    with pytest.raises(InputError, match="of the same objects"):
        number_stability([left, right])
    across = [0, 1, 0, 1, 0, 0, 1, 1]
    expected = np.mean([adjusted_rand_score([0, 0, 1, 1], [0, 1, 0, 1])] * 2)
    (found,) = number_stability([left, right, across], random_state=0).numbers
    assert found.agreement == pytest.approx(expected)


LABELS = np.array([[0, 1], [0, 1], [1, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: object_agreement([0, 1], LABELS), "labels are 2, but the ensemble has 3"),
        (lambda: object_agreement([0, None, 1], LABELS), "missing for 1 object"),
        (lambda: object_agreement([0, 0, 1], LABELS, weights=[1]), "weights"),
        (lambda: clustering_agreement([0], LABELS), "labels are 1"),
        (lambda: consensus_matrix(LABELS, n_sample=0), "n_sample=0"),
        (lambda: consensus_matrix(LABELS, [0, 1]), "labels are 2"),
        (lambda: co_association_curve(LABELS, lower=0.9, upper=0.1), "lower=0.9"),
        (lambda: co_association_curve(LABELS, n_pairs=0), "n_pairs=0"),
        (lambda: co_association_curve(LABELS[:1]), "1 object"),
        (lambda: co_association_curve([[0, None], [None, 0]]), "both objects of any pair"),
        (lambda: number_stability([[0, 0, 1], [0, 1, 2]]), "no two clusterings"),
    ],
)
def test_invalid_parameters_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


ENSEMBLE = {"a": [0, 0, 0, 1, 1], "b": [0, 0, 1, 1, 1], "c": [0, 0, 1, 1, None]}


@pytest.mark.parametrize(
    "ensemble",
    [
        ENSEMBLE,
        list(ENSEMBLE.values()),
        pd.DataFrame(ENSEMBLE),
        np.array([ENSEMBLE["a"], ENSEMBLE["b"]]).T,
        read_ensemble(ENSEMBLE),
    ],
)
@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 1], np.array([5, 5, 5, 2, 2]), list("aaabb")])
def test_labels_and_ensemble_may_be_passed_in_either_order(labels, ensemble):
    objects = object_agreement(labels, ensemble)
    np.testing.assert_array_equal(object_agreement(ensemble, labels).margin, objects.margin)
    clusterings = clustering_agreement(labels, ensemble)
    other = clustering_agreement(ensemble, labels)
    np.testing.assert_array_equal(other.adjusted_rand, clusterings.adjusted_rand)
    matrix = consensus_matrix(ensemble, labels)
    np.testing.assert_array_equal(consensus_matrix(labels, ensemble).values, matrix.values)


@pytest.mark.parametrize("labels", [[("a", 1), ("b", 2)], [1, "1"], [("a", 1), "b"]])
def test_clusters_may_have_names_of_any_kind(labels):
    runs = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    plain = [0, 0, 0, 1, 1]
    named = np.empty(5, object)
    named[:] = [labels[i] for i in plain]
    for function in (consensus_matrix, object_agreement):
        found, expected = function(runs, named), function(runs, plain)
        assert found.summary() == expected.summary()
        shown, wanted = found.text_table().rows, expected.text_table().rows
        assert [row[1:] for row in shown] == [row[1:] for row in wanted]
        assert [row[0] for row in shown] == [str(label) for label in labels]


def test_two_clusterings_are_no_ensemble():
    with pytest.raises(InputError, match=r"object_agreement\(labels, ensemble\) got two cluster"):
        object_agreement([0, 0, 1], [0, 1, 1])


def test_numbers_of_clusters_may_be_keys():
    random = np.random.default_rng(0)
    runs = {k: random.integers(0, k, (60, 4)) for k in (2, 3, 4)}
    expected = number_stability(np.hstack(list(runs.values())), random_state=0)
    for given_as in (runs, {k: list(one.T) for k, one in reversed(runs.items())}):
        found = number_stability(given_as, random_state=0)
        assert found.numbers == expected.numbers
    # A key is the number that was asked for, also if a clustering has fewer clusters.
    empty = number_stability({5: runs[4][:, :2], 3: runs[3]}, random_state=0)
    assert [(one.n_clusters, one.clusterings) for one in empty.numbers] == [(3, 4), (5, 2)]
    with pytest.raises(InputError, match="'two' is not a number of clusters"):
        number_stability({"two": runs[2], "three": runs[3]})
    with pytest.raises(InputError, match="60 and 61 objects"):
        number_stability({2: runs[2], 3: random.integers(0, 3, (61, 4))})


def test_summaries():
    objects = object_agreement([0, 0, 0, 1, 1], ENSEMBLE)
    assert objects.summary().startswith(f"{objects.n_ambiguous} of 5 objects")
    assert json.loads(json.dumps(objects.to_dict()))["margin"] == objects.margin.tolist()
    assert object_agreement([0] * 5, ENSEMBLE).summary().startswith("There is one cluster")
    same = object_agreement([0, 0, 1, 1], [[0, 0, 1, 1], [1, 1, 0, 0]])
    assert same.summary().startswith("No object is ambiguous")
    clusterings = clustering_agreement([0, 0, 0, 1, 1], ENSEMBLE)
    assert f"by {clusterings.adjusted_rand.mean():.2f} on average" in clusterings.summary()
    rows = json.loads(json.dumps(clusterings.to_dict()))["clusterings"]
    assert [row["known"] for row in rows] == clusterings.known.tolist()
    curve = co_association_curve(ENSEMBLE, random_state=0)
    assert f"{curve.n_pairs} pairs" in curve.summary()
    assert curve.to_frame("pandas")["thresholds"].tolist() == curve.thresholds.tolist()
    assert json.loads(json.dumps(curve.to_dict()))["pac"] == curve.pac
    numbers = number_stability(ENSEMBLE, random_state=0)
    assert numbers.summary().startswith(f"{numbers.suggested} clusters are suggested, of 2:")
    assert json.loads(json.dumps(numbers.to_dict()))["suggested"] == numbers.suggested
    matrix = consensus_matrix(ENSEMBLE, [0, 0, 0, 1, 1])
    assert f"at most {matrix.block_means[0, 1]:.2f}" in matrix.summary()
    frame = matrix.to_frame("pandas")
    assert frame.index.tolist() == matrix.objects.tolist()
    assert frame.to_numpy().tolist() == matrix.values.tolist()
    assert json.loads(json.dumps(matrix.to_dict()))["values"] == matrix.values.tolist()


def test_scores_in_sentences_are_never_minus_zero():
    random = np.random.default_rng(3)
    found = clustering_agreement(
        random.integers(0, 3, 2000).tolist(), random.integers(0, 3, (2000, 6))
    )
    assert -0.005 < found.adjusted_rand.min() < 0
    text = found.summary()
    assert "(adjusted Rand 0.00 to " in text
    assert "-0.00" not in text
    best = int(found.adjusted_rand.argmax())
    assert f"clustering {best} agrees most, " in text
