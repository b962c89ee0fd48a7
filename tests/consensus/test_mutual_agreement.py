"""The agreement of clusterings with each other, against independent clusterings."""

import re
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.consensus.combine import combine
from clusterwise.consensus.mutual_agreement import MutualAgreement, measure_mutual_agreement
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.inputs.ensembles import read_ensemble
from reference.consensus import columns, ensembles, planted


def measure(labels):
    return measure_mutual_agreement(count_overlaps(read_ensemble(labels).collapse()))


def is_determined(one):
    return len(set(one)) in (1, len(one))


@given(ensembles(objects=12, members=5))
def test_the_mean_is_over_all_pairs_on_common_objects(ensemble):
    expected = []
    for pair in combinations(columns(ensemble), 2):
        both = [labels for labels in zip(*pair, strict=True) if None not in labels]
        a, b = ([labels[i] for labels in both] for i in range(2))
        # A clustering with one cluster, or with single objects only, tells nothing.
        if both and not is_determined(a) and not is_determined(b):
            expected.append(cw.adjusted_rand_score(a, b))
    found = measure(columns(ensemble))
    if expected:
        assert found.mean == pytest.approx(np.mean(expected))
    else:
        assert np.isnan(found.mean)
        assert found.is_common


@given(st.lists(st.integers(0, 2), min_size=4, max_size=6), st.data())
def test_the_deviation_is_that_of_all_permutations(one, data):
    other = data.draw(st.lists(st.integers(0, 2), min_size=len(one), max_size=len(one)))
    if is_determined(one) or is_determined(other):
        return
    scores = [cw.adjusted_rand_score(one, list(order)) for order in permutations(other)]
    found = measure([one, other])
    assert np.mean(scores) == pytest.approx(0, abs=1e-9)
    assert found.deviation == pytest.approx(np.std(scores), abs=1e-9)


@pytest.mark.parametrize("sizes", [(0.25, 0.25, 0.25, 0.25), (0.6, 0.3, 0.1)])
@pytest.mark.parametrize(("n", "m"), [(50, 5), (300, 12)])
def test_independent_clusterings_hold_no_answer(sizes, n, m):
    random = np.random.default_rng(0)
    found = [measure(random.choice(len(sizes), (n, m), p=sizes)) for _ in range(200)]
    assert np.mean([one.mean / one.deviation for one in found]) == pytest.approx(0, abs=0.25)
    assert np.std([one.mean / one.deviation for one in found]) == pytest.approx(1, abs=0.2)
    assert sum(not one.is_common for one in found) >= 196


@pytest.mark.parametrize(("n", "m", "k", "noise"), [(200, 10, 4, 0.6), (1000, 20, 5, 0.7)])
def test_noisy_copies_hold_an_answer(n, m, k, noise):
    for seed in range(20):
        labels, true = planted(n, m, k, noise=noise, seed=seed)
        found = combine(labels, n_clusters=k, random_state=0)
        assert found.mutual_agreement.is_common
        assert cw.adjusted_rand_score(true, found.labels) > 0.4


def test_few_objects_that_agree_are_given_the_benefit():
    assert MutualAgreement(0.2, 0.1).is_common
    assert not MutualAgreement(0.05, 0.02).is_common
    assert MutualAgreement(0.05, 0.01).is_common


def test_the_summary_says_that_there_is_no_common_answer():
    labels = np.random.default_rng(3).integers(0, 4, (200, 10))
    found = combine(labels, random_state=0)
    (sentence,) = [one for one in found.sentences() if "no common answer" in one]
    mean, chance = map(float, re.findall(r"-?\d\.\d\d", sentence))
    pairs = combinations(labels.T, 2)
    assert mean == pytest.approx(
        np.mean([cw.adjusted_rand_score(a, b) for a, b in pairs]), abs=0.0051
    )
    assert chance == pytest.approx(3 * found.mutual_agreement.deviation, abs=0.0051)
    assert found.to_dict()["mutual_agreement"] == found.mutual_agreement.mean


def test_the_summary_does_not_say_so_if_there_is_one():
    labels, _ = planted(200, 10, 4, noise=0.3)
    assert "common answer" not in combine(labels, random_state=0).summary()
    assert "common answer" not in combine([[0, 0, 1, 1]]).summary()
