"""The choice by evidence: one alternative after another, factors before their product."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import clusterwise as cw
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.alternatives.portfolio.choice import ChoiceOptions, choose
from clusterwise.alternatives.portfolio.members import Attempt, Deadline
from clusterwise.alternatives.refinement.model import MixedData
from clusterwise.datasets import make_alternatives
from helpers.strategies import max_examples

nmi = cw.normalized_mutual_info_score
N = 240
DATA = make_alternatives(N, (2, 2, 2), separation=6, random_state=0)
KNOWN = read_given(DATA.labels[:, 0], N)
FIRST, SECOND = DATA.labels[:, 1], DATA.labels[:, 2]
PRODUCT = 2 * FIRST + SECOND


def numbers(X):
    return MixedData(X - X.mean(axis=0), [])


def attempts(*labels):
    return [Attempt(np.asarray(one), "Method", {}) for one in labels]


def options(**changes):
    plain = ChoiceOptions(
        adapt=False,
        refine=False,
        least=lambda clusters: guard_size(N, clusters),
        deadline=Deadline.after(3600),
    )
    return plain._replace(**changes)


def are(found, *expected):
    """Whether the clusterings are these, in any order."""
    return len(found) == len(expected) and all(
        max(nmi(one.labels, truth) for one in found) > 0.95 for truth in expected
    )


@pytest.mark.parametrize("refine", [False, True])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_both_factors_are_chosen_and_not_their_product(order, refine):
    tried = np.roll([0, 1, 2], order)
    every = attempts(*([PRODUCT, FIRST, SECOND][i] for i in tried))
    found = choose(
        every, numbers(DATA.X), KNOWN, options(adapt=True, refine=refine),
        lambda *_: attempts(FIRST, SECOND),
    )  # fmt: skip
    assert are(found.convincing, FIRST, SECOND)


@pytest.mark.parametrize("limit", [None, 1, 2])
def test_clusters_on_a_grid_in_the_same_features(limit):
    """Rotated, a grid is one clustering, unless several are asked for."""
    random = np.random.default_rng(0)
    first, second, known = np.arange(N) % 2, np.arange(N) // 2 % 2, random.permutation(N) % 2
    grid = 7.0 * np.column_stack([first, second]) @ np.array([[0.8, -0.6], [0.6, 0.8]])
    X = np.column_stack([grid + random.normal(size=(N, 2)), 6 * known + random.normal(size=N)])
    product = 2 * first + second
    found = choose(
        attempts(product, first, second), numbers(X), read_given(known, N),
        options(adapt=True, limit=limit), lambda *_: attempts(first, second),
    )  # fmt: skip
    if limit == 2:
        assert are(found.convincing, first, second)
    else:
        assert are(found.convincing, product)
        assert found.convincing[0].crossed == (2, 2)


def test_a_product_without_factors_is_chosen():
    """Four clusters in one plane, no half of which is a clustering of its own."""
    random = np.random.default_rng(0)
    labels, known = np.arange(N) % 4, random.permutation(N) % 2
    corners = np.array([[0, 0], [7, 0], [3, 6], [11, 7]])[labels]
    X = np.column_stack([corners + random.normal(size=(N, 2)), 6 * known + random.normal(size=N)])
    found = choose(
        attempts(labels, labels // 2, labels % 2), numbers(X), read_given(known, N),
        options(adapt=True),
    )  # fmt: skip
    assert are(found.convincing, labels)


@pytest.mark.parametrize("adapt", [False, True])
def test_a_merged_form_of_the_first_is_no_second_alternative(adapt):
    data = make_alternatives(N, (2, 4), separation=7, random_state=1)
    known, truth = data.labels.T
    merged = attempts(truth, truth // 2, np.minimum(truth, 2), truth % 3)
    found = choose(merged, numbers(data.X), read_given(known, N), options(adapt=adapt))
    assert are(found.convincing, truth)
    assert all(one.evidence <= 0 for one in found.unconvincing)


def test_the_number_of_clusters_is_adapted():
    data = make_alternatives(N, (2, 3), separation=8, random_state=0)
    known, truth = data.labels.T
    given = read_given(known, N)
    for start in (np.minimum(truth, 1), 2 * truth + np.random.default_rng(0).integers(2, size=N)):
        (found,) = choose(
            attempts(start), numbers(data.X), given, options(adapt=True, refine=True)
        ).convincing
        assert nmi(found.labels, truth) > 0.95
        assert found.evidence >= found.icl[3] == max(found.icl.values())
        assert int(start.max()) + 1 in found.icl


def test_degenerate_attempts_are_left_out_unless_there_are_no_others():
    strange = (np.arange(N) == 0).astype(int)
    noise = np.random.default_rng(0).integers(2, size=N)
    both = choose(attempts(strange, noise), numbers(DATA.X), KNOWN, options())
    assert [one.labels.tolist() for one in both.unconvincing] == [
        (noise if noise[0] == 0 else 1 - noise).tolist()
    ]
    alone = choose(attempts(strange), numbers(DATA.X), KNOWN, options())
    assert np.bincount(alone.unconvincing[0].labels).min() == 1
    # One cluster is no alternative.
    assert choose(attempts(np.zeros(N, int)), numbers(DATA.X), KNOWN, options()) == ([], [])


def test_without_time_there_is_one():
    every = attempts(FIRST, SECOND)
    found = choose(every, numbers(DATA.X), KNOWN, options(deadline=Deadline.after(-1)))
    assert len(found.convincing) == 1
    assert len(choose(every, numbers(DATA.X), KNOWN, options(limit=1)).convincing) == 1


def naive_choice(labels, data, given):
    """Greedily by evidence, at most five, without those that are the same as one before."""
    left = {tuple(one.tolist()): one for one in labels}
    chosen = []
    while left and len(chosen) < 5:
        model = EvidenceModel(data, given)
        scores = {key: model.evidence(one) for key, one in left.items()}
        best = max(scores, key=scores.get)
        if scores[best] <= 0:
            break
        chosen.append((left[best], scores[best]))
        given = given.with_labels(left[best])
        left = {key: one for key, one in left.items() if nmi(one, chosen[-1][0]) <= 0.75}
    return chosen


@given(st.lists(st.tuples(st.sampled_from("fsr"), st.integers(0, 60)), min_size=1, max_size=6))
@example([("s", 31), ("f", 17), ("f", 17), ("f", 13), ("s", 24), ("f", 0)])  # six with evidence
@max_examples(20)
def test_alternatives_are_chosen_one_after_another(cases):
    random = np.random.default_rng(0)
    known = {"f": FIRST, "s": SECOND, "r": random.permutation(FIRST)}
    tried = []
    for name, wrong in cases:
        labels = known[name].copy()
        labels[random.permutation(N)[:wrong]] ^= 1
        tried.append(labels if labels[0] == 0 else 1 - labels)
    expected = naive_choice(tried, numbers(DATA.X), KNOWN)
    found = choose(attempts(*tried), numbers(DATA.X), KNOWN, options())
    assert [one.labels.tolist() for one in found.convincing] == [
        labels.tolist() for labels, _ in expected
    ]
    assert [one.evidence for one in found.convincing] == pytest.approx(
        [evidence for _, evidence in expected]
    )
    rest = [one.evidence for one in found.unconvincing]
    assert rest == sorted(rest, reverse=True)
