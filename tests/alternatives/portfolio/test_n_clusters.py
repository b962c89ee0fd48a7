"""The number of clusters of an alternative, chosen by the evidence."""

import numpy as np
import pytest

from clusterwise import adjusted_rand_score, cluster_again
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.alternatives.portfolio.members import Deadline
from clusterwise.alternatives.portfolio.n_clusters import adapt_n_clusters, screen_counts
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.model import MixedObjects
from clusterwise.datasets import make_alternatives

N = 300
LATER = Deadline.after(3600.0)


def read(X, known):
    problem = AlternativeProblem(X, len(X), read_given(known, len(X)))
    data = MixedObjects(problem.features, problem.objects).take()
    return problem, EvidenceModel(data, problem.given)


def least(clusters):
    return guard_size(N, clusters)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("known", "hidden"), [(3, 2), (5, 2), (2, 3), (5, 3), (2, 5), (3, 5)])
def test_the_hidden_number_is_chosen(known, hidden, seed):
    data = make_alternatives(N, (known, hidden), separation=7, random_state=seed)
    found = cluster_again(data.X, data.labels[:, 0], random_state=0)
    assert len(found) == 1
    assert len(found[0].sizes) == hidden
    assert adjusted_rand_score(found[0].labels, data.labels[:, 1]) > 0.9
    counts = found[0].icl_by_n_clusters
    assert max(counts, key=counts.get) == hidden
    assert list(counts) == sorted(counts)
    assert counts[hidden] <= found[0].evidence


@pytest.mark.parametrize("seed", range(2))
def test_uniform_clusters_are_not_cut(seed):
    random = np.random.default_rng(seed)
    known, hidden = random.integers(0, 2, (2, 400))
    X = np.column_stack([3 * known, 3 * hidden, np.zeros(400)]) + random.random((400, 3))
    (found,) = cluster_again(X, known, random_state=seed)
    assert adjusted_rand_score(found.labels, hidden) == 1.0


def test_a_number_that_is_passed_is_kept():
    data = make_alternatives(N, (2, 3), separation=7, random_state=0)
    found = cluster_again(data.X, data.labels[:, 0], n_clusters=2, random_state=0)
    every = [*found, *found.unconvincing]
    assert {len(one.sizes) for one in every} == {2}
    assert {one.icl_by_n_clusters for one in every} == {None}


@pytest.mark.parametrize("hidden", [2, 3, 5])
def test_the_screening_finds_the_number(hidden):
    data = make_alternatives(N, (2, hidden), separation=7, random_state=0)
    problem, model = read(data.X, data.labels[:, 0])
    found = screen_counts(problem, model, least, 0, LATER)
    assert found.counts[0] == hidden
    assert set(range(2, 9)) <= set(found.counts)
    for one in found.attempts:
        assert np.bincount(one.labels).min() >= least(one.parameters["n_clusters"])


def test_nothing_is_left_to_screen():
    known = np.arange(40) % 2
    problem, model = read(9.0 * known[:, None], known)
    assert screen_counts(problem, model, lambda _: 1, 0, LATER) == ([2], [])


def test_few_objects_have_few_clusters():
    X = np.random.default_rng(0).normal(size=(16, 2))
    problem, model = read(X, np.arange(16) % 2)
    assert max(screen_counts(problem, model, lambda _: 1, 0, LATER).counts) <= 3


@pytest.mark.parametrize("start", [2, 5])
def test_clusters_are_merged_or_split(start):
    data = make_alternatives(N, (2, 3), separation=8, random_state=0)
    known, truth = data.labels.T
    _, model = read(data.X, known)
    labels = np.minimum(truth, start - 1)
    if start == 5:
        labels = np.where(truth == 2, truth, 3 * truth + np.arange(N) % 2)
        labels = np.unique(labels, return_inverse=True)[1]
    found = adapt_n_clusters(model, labels, least)
    assert adjusted_rand_score(found.labels, truth) > 0.95
    assert found.evidence == model.evidence(found.labels)
    assert found.icl[3] == model.fit(found.labels).icl == max(found.icl.values())


def test_no_cluster_is_split_below_the_smallest_size():
    data = make_alternatives(N, (2, 5), separation=8, random_state=0)
    known, truth = data.labels.T
    _, model = read(data.X, known)
    found = adapt_n_clusters(model, truth // 3, lambda _: 100)
    assert np.bincount(found.labels).min() >= 100
