"""The ranking of clusterings without a reference: against definitions computed pair by pair."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from clusterwise import InputError, rank_clusterings
from clusterwise.inputs.ensembles import read_ensemble
from helpers.strategies import max_examples


@st.composite
def ensembles(draw, missing=False):
    """Labels m × n, NaN where missing."""
    m, n = draw(st.integers(2, 5)), draw(st.integers(2, 12))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = random.integers(0, draw(st.integers(1, 5)), (m, n)).astype(float)
    if missing:
        labels[random.random(labels.shape) < 0.3] = np.nan
        labels[:, 0] = 0.0
    return labels


def connectivity(labels):
    return np.array([float(labels[i] == labels[j]) for i, j in combinations(range(len(labels)), 2)])


@given(ensembles())
def test_distance_is_that_from_the_consensus_matrix(labels):
    consensus = np.mean([connectivity(one) for one in labels], axis=0)
    expected = [np.abs(connectivity(one) - consensus).mean() for one in labels]
    np.testing.assert_allclose(rank_clusterings(list(labels)).distance, expected, atol=1e-12)


@max_examples(60)
@given(ensembles(missing=True))
def test_pairs_of_clusterings_are_compared_on_the_objects_with_both_labels(labels):
    found = rank_clusterings(list(labels))
    for t, one in enumerate(labels):
        distances, apart, chance = [], 0.0, 0.0
        for s, other in enumerate(labels):
            both = ~np.isnan(one) & ~np.isnan(other)
            a, b = connectivity(one[both]), connectivity(other[both])
            if not a.size:
                continue
            distances.append(np.abs(a - b).mean())
            apart += distances[-1]
            chance += 0 if s == t else a.mean() + b.mean() - 2 * a.mean() * b.mean()
        own = connectivity(one[~np.isnan(one)])
        fixed = own.all() or not own.any()
        assert found.distance[t] == pytest.approx(np.mean(distances or [0]), abs=1e-12)
        expected = 0.0 if fixed else 1 - apart / chance if chance else 0.0
        assert found.agreement[t] == pytest.approx(expected, abs=1e-9)


def test_independent_clusterings_have_no_agreement():
    random = np.random.default_rng(0)
    labels = random.integers(0, [2, 3, 5, 8], (400, 4))
    means = np.mean(
        [rank_clusterings(random.permuted(labels, axis=0)).agreement for _ in range(50)], axis=0
    )
    assert np.abs(means).max() < 0.001


@given(ensembles(), st.integers(0, 10**6))
def test_names_of_labels_and_order_of_objects_do_not_matter(labels, seed):
    random = np.random.default_rng(seed)
    names = random.permutation(5)
    shuffled = [names[one.astype(int)] for one in labels[:, random.permutation(labels.shape[1])]]
    found, other = rank_clusterings(list(labels)), rank_clusterings(shuffled)
    np.testing.assert_allclose(found.agreement, other.agreement, atol=1e-12)
    assert found.rank.tolist() == other.rank.tolist()


@pytest.mark.parametrize("extra", ["single objects", "one cluster", "random parts"])
def test_many_small_clusters_and_few_large_ones_are_not_favoured(extra):
    random = np.random.default_rng(1)
    true = random.integers(0, 8, 400)
    noise = np.linspace(0.1, 0.8, 8)
    runs = [np.where(random.random(400) < q, random.integers(0, 8, 400), true) for q in noise]
    runs.append({
        "single objects": np.arange(400),
        "one cluster": np.zeros(400, int),
        "random parts": 3 * runs[0] + random.integers(0, 3, 400),
    }[extra])  # fmt: skip
    found = rank_clusterings(runs)
    assert found.rank[:8].tolist() == sorted(found.rank[:8].tolist())
    assert found.rank[0] == 1
    if extra != "random parts":
        assert found.agreement[-1] == 0
    # The distance alone prefers the small clusters.
    assert (found.distance.argmin() == 8) == (extra != "one cluster")


def test_ties_share_a_rank():
    found = rank_clusterings({"a": [0, 0, 1, 1, 1], "b": [5, 5, 4, 4, 4], "c": [0, 1, 0, 1, 1]})
    assert found.rank.tolist() == [1, 1, 3]
    # 0, 6 and 6 of 10 pairs differ, with 4 in clusters of each: 4.8 by chance.
    assert found.summary() == (
        "a and b agree most with all clusterings together (0.38; 0 is chance, 1 is identical), "
        "c least (-0.25)."
    )


def test_equal_clusterings():
    found = rank_clusterings({"a": [0, 0, 1], "b": [1, 1, 0]})
    assert found.agreement.tolist() == [1.0, 1.0]
    assert found.summary() == "The 2 clusterings are the same."
    halves = rank_clusterings([[0, 0, 1, 1], [0, 1, 0, 1]])
    assert halves.summary() == "The 2 clusterings agree equally with the others (-0.50)."


def test_low_agreement_is_said():
    labels = np.random.default_rng(0).integers(0, 3, (300, 4))
    assert (
        rank_clusterings(labels)
        .summary()
        .endswith("The agreement is low, so the order says little.")
    )


def test_distinct_rows_count_as_often_as_they_occur():
    labels = np.random.default_rng(0).integers(0, 3, (3, 20))
    counts = np.arange(20) % 4 + 1
    found = rank_clusterings(read_ensemble(list(labels))._replace(counts=counts))
    expected = rank_clusterings(list(np.repeat(labels, counts, axis=1)))
    np.testing.assert_allclose(found.agreement, expected.agreement, atol=1e-12)


def test_frame_and_dict():
    found = rank_clusterings({"x": [0, 0, 1, 1], "y": [0, 0, 1, 2], "z": [0, 1, 0, 1]})
    frame = found.to_frame("pandas")
    assert list(frame) == ["clustering", "n_clusters", "distance", "agreement", "rank"]
    assert frame["clustering"].tolist() == ["x", "y", "z"]
    assert json.loads(json.dumps(found.to_dict()))["clusterings"][1]["n_clusters"] == 3
    assert [row[1] for row in found.text_table().rows] == frame.sort_values("rank", kind="stable")[
        "clustering"
    ].tolist()


def test_one_clustering_is_refused():
    with pytest.raises(InputError, match="got one clustering; pass at least two"):
        rank_clusterings([[0, 1]])
