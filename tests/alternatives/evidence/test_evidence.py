"""Evidence for clusters: negative for noise of any shape, positive for what was planted."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.cluster import KMeans

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.refinement.em import m_step
from clusterwise.alternatives.refinement.model import MixedData
from clusterwise.datasets import make_alternatives, make_categorical_alternatives
from helpers.strategies import max_examples

SEEDS = st.integers(0, 10_000)
N = 300


def numbers(X):
    X = np.asarray(X, float)
    return MixedData(X - X.mean(axis=0), [])


def names(columns):
    columns = [np.unique(column, return_inverse=True)[1] for column in columns]
    return MixedData(np.empty((len(columns[0]), 0)), columns)


def one_cluster(n=N):
    return read_given(np.zeros(n, int), n)


def cut(X, clusters, seed=0):
    """Clusters by k-means of scaled features."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    return k_means(scaled, clusters, seed)


def k_means(points, clusters, seed):
    with one_library_thread_if_small(0):
        return KMeans(clusters, n_init=2, random_state=seed).fit_predict(points)


NOISE = {
    "normal": lambda random: random.normal(size=(N, 4)),
    "one normal feature": lambda random: random.normal(size=(N, 1)),
    "uniform": lambda random: random.uniform(size=(N, 3)),
    "lognormal": lambda random: random.lognormal(size=(N, 3)),
    "heavy tails": lambda random: random.standard_t(3, size=(N, 3)),
    "correlated": lambda random: random.normal(size=(N, 1)) + 0.4 * random.normal(size=(N, 4)),
    "correlated and skew": lambda random: np.exp(
        random.normal(size=(N, 1)) + 0.4 * random.normal(size=(N, 3))
    ),
    "binary": lambda random: random.integers(2, size=(N, 4)),
    "counts": lambda random: random.poisson(3, size=(N, 4)),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", NOISE)
def test_noise_is_no_clustering(shape, seed):
    random = np.random.default_rng(seed)
    X = NOISE[shape](random).astype(float)
    for known in (one_cluster(), read_given(random.integers(2, size=N), N)):
        model = EvidenceModel(numbers(X), known)
        for clusters in (2, 3, 5):
            assert model.evidence(cut(X, clusters, seed)) < 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("clusters", [2, 3, 5])
def test_planted_clusters_are_more_than_noise(clusters, seed):
    data = make_alternatives(N, (3, clusters), separation=6, random_state=seed)
    known, truth = data.labels.T
    model = EvidenceModel(numbers(data.X), read_given(known, N))
    assert model.evidence(truth) > 20
    # There is nothing but the planted ones.
    further = EvidenceModel(numbers(data.X), read_given(data.labels, N))
    assert further.evidence(truth) < 0
    assert further.evidence(cut(data.X, 3)) < 0
    assert model.evidence(np.random.default_rng(seed).permutation(truth)) < model.evidence(truth)


@pytest.mark.parametrize("shape", ["lognormal", "heavy tails", "correlated"])
def test_clusters_of_other_shapes(shape):
    random = np.random.default_rng(0)
    labels = np.arange(N) % 2
    X = NOISE[shape](random)
    X = X + 8 * X.std(axis=0) * labels[:, None] * (np.arange(X.shape[1]) == 0)
    assert EvidenceModel(numbers(X), one_cluster()).evidence(labels) > 0


@given(SEEDS)
@max_examples(20)
def test_the_names_of_clusters_do_not_matter(seed):
    random = np.random.default_rng(seed)
    data = make_alternatives(80, (2, 3), separation=3, random_state=seed)
    known, labels = data.labels.T
    turned = random.permutation(3)[labels]
    model = EvidenceModel(numbers(data.X), read_given(known, 80))
    one, other = model.fit(labels), model.fit(turned)
    assert other.evidence == pytest.approx(one.evidence, abs=1e-6)
    renamed = EvidenceModel(numbers(data.X), read_given(1 - known, 80))
    assert renamed.evidence(labels) == pytest.approx(one.evidence, abs=1e-6)


@given(SEEDS, st.floats(1, 8))
@max_examples(20)
def test_icl_is_the_evidence_minus_the_entropy_of_the_clusters(seed, separation):
    data = make_alternatives(80, (2, 3), separation=separation, random_state=seed)
    known, labels = data.labels.T
    model = EvidenceModel(numbers(data.X), read_given(known, 80))
    found = model.fit(labels, max_iter=0, view=0)
    values, _ = m_step(model._views[0].data, np.eye(3)[:, labels])
    weighted = np.exp(values - values.max(axis=0)) * np.bincount(labels)[:, None]
    share = weighted / weighted.sum(axis=0)
    entropy = -sum(p * np.log(p) for p in share.ravel() if p > 0)
    assert found.icl == pytest.approx(found.evidence - entropy, rel=1e-9, abs=1e-9)


@given(SEEDS, st.floats(0.001, 1000), st.floats(-1000, 1000), st.booleans())
@max_examples(20)
def test_neither_the_unit_nor_the_origin_of_a_feature_matters(seed, scale, shift, skewed):
    data = make_alternatives(80, (2, 3), separation=3, random_state=seed)
    known, labels = data.labels.T
    X = np.exp(data.X / 4) if skewed else data.X
    other = X.copy()
    other[:, 0] = scale * other[:, 0] + shift
    here, there = (EvidenceModel(numbers(each), read_given(known, 80)) for each in (X, other))
    # Values that vary by 0.001 around 1,000 have lost 6 of 16 digits.
    assert there.evidence(labels) == pytest.approx(here.evidence(labels), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_coarser_form_of_a_given_clustering_is_nothing_new(seed):
    data = make_alternatives(N, (4, 2), separation=6, random_state=seed)
    known = data.labels[:, 0]
    model = EvidenceModel(numbers(data.X), read_given(known, N))
    for coarse in (known // 2, known % 2, np.minimum(known, 2), known):
        assert model.evidence(coarse) <= 0


def test_a_finer_form_of_a_given_clustering_is_new():
    data = make_alternatives(N, (4, 2), separation=6, random_state=0)
    model = EvidenceModel(numbers(data.X), read_given(data.labels[:, 0] // 2, N))
    assert model.evidence(data.labels[:, 0]) > 0


def test_features_that_the_given_clusters_explain_wholly():
    known, labels = np.arange(80) % 2, np.arange(80) // 40
    noise = np.random.default_rng(0).normal(size=80)
    X = np.column_stack([3.0 * known, 9.0 * labels + noise])
    assert EvidenceModel(numbers(X), read_given(known, 80)).evidence(labels) > 0
    assert EvidenceModel(numbers(X[:, :1]), read_given(known, 80)).evidence(labels) < 0
    # Every object is a given cluster of its own: nothing is left.
    alone = EvidenceModel(numbers(noise[:, None]), read_given(np.arange(80), 80))
    assert alone.evidence(labels) < 0


@pytest.mark.parametrize("seed", range(3))
def test_planted_categories(seed):
    data = make_categorical_alternatives(N, (2, 3), features=6, random_state=seed)
    known, truth = data.labels.T
    model = EvidenceModel(names(data.X.T), read_given(known, N))
    assert model.evidence(truth) > 20
    assert model.evidence(known) < 0
    assert model.evidence(np.random.default_rng(seed).permutation(truth)) < 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("chances", [[0.5, 0.5], [0.25] * 4, [0.6, 0.25, 0.1, 0.05]])
def test_independent_categories_are_no_clustering(chances, seed):
    random, values = np.random.default_rng(seed), len(chances)
    columns = random.choice(values, p=chances, size=(5, N))
    known = read_given(random.integers(2, size=N), N)
    model = EvidenceModel(names(columns), known)
    indicators = np.hstack([np.eye(values)[column] for column in columns])
    for clusters in (2, 3, 5):
        labels = k_means(indicators, clusters, seed)
        assert model.evidence(labels) < 0
    # Nor is one of the features itself.
    assert model.evidence(columns[0]) < 0


@pytest.mark.parametrize("seed", range(3))
def test_names_beside_numbers(seed):
    random = np.random.default_rng(seed)
    labels, known = random.integers(2, size=N), random.integers(2, size=N)
    X = random.normal(size=(N, 2)) + 3 * labels[:, None]
    follows = np.where(random.random(N) < 0.9, labels, 1 - labels)
    given = read_given(known, N)
    evidence = [
        EvidenceModel(MixedData(numbers(X).numeric, columns), given).evidence(labels)
        for columns in ([], [follows], [random.integers(2, size=N)])
    ]
    assert evidence[1] > evidence[0] > 0
    assert evidence[2] <= evidence[0] + 1e-6


def test_the_iterations_do_not_lose_evidence():
    data = make_alternatives(N, (2, 3), separation=4, random_state=0)
    known, truth = data.labels.T
    random = np.random.default_rng(0)
    rough = np.where(random.random(N) < 0.1, random.integers(3, size=N), truth)
    model = EvidenceModel(numbers(data.X), read_given(known, N))
    found = [model.fit(rough, max_iter=steps).evidence for steps in range(4)]
    assert found == sorted(found)
    assert found[-1] > found[0]
    labels = model.fit(rough).labels
    assert (labels != truth).sum() < (rough != truth).sum()
