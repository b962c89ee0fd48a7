"""CIB: the objective by definition, invariances, planted clusterings, and invalid input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn.base import clone

from clusterwise import adjusted_rand_score
from clusterwise._utils.errors import InputError
from clusterwise.alternatives.cib.cib import CIB
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binning
from reference.cib import objective


@st.composite
def cases(draw):
    """Rows of a few values, and one or two given clusterings."""
    n = draw(st.integers(3, 14))
    width = draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 3), min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    clusterings = draw(st.lists(labels, min_size=1, max_size=2))
    return np.array(rows), np.array(clusterings).T


def binned(X, n_bins=10):
    """p(y|x) as a full table."""
    binning = Binning(n_bins=n_bins).fit(X)
    table = np.zeros((len(X), binning.total))
    for r, codes in enumerate(binning.bins(X).codes):
        table[np.arange(len(X)), binning.offsets[r] + codes] = 1 / X.shape[1]
    return table


def joint(y):
    return np.unique(y, axis=0, return_inverse=True)[1].reshape(-1)


def documents(n=120, seed=0):
    """Counts of words: the first six follow one clustering, the last six another."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, (n, 2))
    usual = np.where(np.arange(6) < 3, 4.0, 0.3)
    rates = [np.where(labels[:, [i]] == 0, usual, usual[::-1]) for i in range(2)]
    return random.poisson(np.hstack(rates)), labels


also_of_equal_objects = pytest.mark.filterwarnings(
    "ignore:(all|X has . distinct) objects.* by their:UserWarning"
)


@also_of_equal_objects
@pytest.mark.parametrize("gamma", [0.0, 0.4, 1.0])
@given(case=cases(), count=st.integers(1, 3), seed=st.integers(0, 100))
def test_the_objective_is_that_of_the_definition_and_never_decreases(gamma, case, count, seed):
    X, y = case
    model = CIB(count, gamma=gamma, n_init=2, random_state=seed).fit(X, y)
    expected = objective(binned(X), joint(y), model.labels_, gamma)
    assert model.objective_ == pytest.approx(expected, abs=1e-12)
    assert (np.diff(model.objective_trace_) >= -1e-12).all()
    assert model.objective_ == model.objective_trace_[-1]
    assert len(model.objective_trace_) <= 1 + model.max_iter
    assert np.bincount(model.labels_).size == count  # no cluster was emptied


@also_of_equal_objects
@given(case=cases(), seed=st.integers(0, 100))
def test_rows_of_frequencies_have_the_same_laws(case, seed):
    X, y = case
    model = CIB(2, relation="rows", n_init=2, random_state=seed).fit(X, y)
    sums = X.sum(axis=1, keepdims=True)
    table = np.hstack([X / np.maximum(sums, 1), sums == 0])
    expected = objective(table, joint(y), model.labels_, 1.0)
    assert model.objective_ == pytest.approx(expected, abs=1e-12)
    assert (np.diff(model.objective_trace_) >= -1e-12).all()


@given(case=cases(), seed=st.integers(0, 100))
def test_without_gamma_labels_inside_a_given_cluster_are_arbitrary(case, seed):
    X, y = case
    table, groups = binned(X), joint(y)
    labels = np.random.default_rng(seed).integers(0, 3, len(X))
    names = np.random.default_rng(seed + 1).permutation(3)
    renamed = np.where(groups == groups[0], names[labels], labels)
    before, after = (objective(table, groups, one, 0.0) for one in (labels, renamed))
    assert before == pytest.approx(after, abs=1e-12)


def test_gamma_coordinates_the_given_clusters():
    recovered = {0.0: [], 1.0: []}
    for seed in range(5):
        data = make_alternatives(240, (3, 3), separation=15, random_state=seed)
        for gamma, found in recovered.items():
            model = CIB(gamma=gamma, random_state=0).fit(data.X, data.labels[:, 0])
            found.append(adjusted_rand_score(data.labels[:, 1], model.labels_))
    assert np.mean(recovered[1.0]) > np.mean(recovered[0.0]) + 0.3


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_other_planted_clustering_of_categories_is_found(count):
    random = np.random.default_rng(count)
    truth = random.integers(0, count, (300, 2))
    rows = np.repeat(truth, 4, axis=1)
    rows = np.where(random.random(rows.shape) < 0.1, random.integers(0, count, rows.shape), rows)
    frame = pd.DataFrame(rows).astype(str).add_prefix("a")
    for known, other in ((0, 1), (1, 0)):
        model = CIB(random_state=0).fit(frame, truth[:, known])
        assert adjusted_rand_score(truth[:, other], model.labels_) > 0.95
        assert adjusted_rand_score(truth[:, known], model.labels_) < 0.05
        assert not model.degenerate_
        assert model.n_features_in_ == 8
        np.testing.assert_array_equal(
            model.labels_, clone(model).fit_predict(frame, truth[:, known])
        )


def test_documents_dense_and_sparse():
    words, truth = documents()
    model = CIB(relation="rows", random_state=0).fit(words, truth[:, 0])
    assert adjusted_rand_score(truth[:, 1], model.labels_) > 0.9
    for X in (sparse.csr_matrix(words), sparse.csc_array(words), sparse.coo_array(words)):
        before = X.copy()
        same = CIB(random_state=0).fit(X, truth[:, 0])
        np.testing.assert_array_equal(same.labels_, model.labels_)
        assert (before != X).nnz == 0


def test_without_a_given_clustering_it_is_the_information_bottleneck():
    words, truth = documents()
    model = CIB(n_alternatives=2, random_state=0).fit(sparse.csr_array(words))
    np.testing.assert_array_equal(model.given_, np.zeros((1, 120)))
    frequencies = words / words.sum(axis=1, keepdims=True)
    plain = objective(frequencies, np.zeros(120, int), model.labels_, 0.0)
    assert model.conditional_information_ == pytest.approx(plain, abs=1e-12)
    assert model.objective_ == pytest.approx(2 * plain, abs=1e-12)
    found = [
        [adjusted_rand_score(true, labels) for labels in model.alternatives_] for true in truth.T
    ]
    assert max(np.trace(found), np.trace(np.fliplr(found))) > 1.8


def test_several_alternatives_and_several_given_clusterings():
    data = make_alternatives(400, (2, 2, 2), separation=15, random_state=3)
    model = CIB(n_alternatives=2, random_state=0).fit(data.X, data.labels[:, 0])
    assert model.alternatives_.shape == (2, 400)
    both = [
        max(adjusted_rand_score(data.labels[:, i], labels) for labels in model.alternatives_)
        for i in (1, 2)
    ]
    assert min(both) > 0.9
    third = CIB(random_state=0).fit(data.X, data.labels[:, :2])
    assert adjusted_rand_score(data.labels[:, 2], third.labels_) > 0.9


def test_redundant_or_much_worse_alternatives_are_not_returned():
    words, truth = documents()
    model = CIB(n_alternatives=2, relation="rows", random_state=0)
    stopped = "CIB stopped after 1 of 2 alternatives: the next one"
    with pytest.warns(UserWarning, match=f"{stopped} has little information beyond the given"):
        model.fit(words, truth[:, 0])
    assert model.alternatives_.shape == (1, 120)
    # Here there is always something new, if only noise.
    data = make_alternatives(200, (2, 2), separation=15, random_state=3)
    with pytest.warns(UserWarning, match=f"{stopped} has a quality of"):
        CIB(n_alternatives=2, random_state=0).fit(data.X, data.labels[:, 0])


@also_of_equal_objects
@given(case=cases(), seed=st.integers(0, 100))
def test_the_conditional_information_follows_the_definition(case, seed):
    X, y = case
    model = CIB(2, gamma=0.5, n_init=1, random_state=seed).fit(X, y)
    expected = objective(binned(X), joint(y), model.labels_, 0.0)
    assert model.conditional_information_ == pytest.approx(expected, abs=1e-12)


def test_missing_values_have_a_bin_of_their_own():
    X = np.array([[0.0, 1], [0, np.nan], [9, 1], [9, np.nan]] * 5)
    model = CIB(random_state=0).fit(X, X[:, 0])
    np.testing.assert_array_equal(model.labels_, [0, 1, 0, 1] * 5)


def test_clusters_keep_the_smallest_size():
    X = np.array([[0]] * 17 + [[9]] * 3)
    y = np.arange(20) % 2
    free = CIB(random_state=0).fit(X, y)
    assert free.sizes_[0].sizes == (17, 3)
    for size in (6, 0.3):
        model = CIB(min_cluster_size=size, random_state=0).fit(X, y)
        assert model.sizes_[0].sizes == (14, 6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": -1.0}, "gamma=-1.0; use a number of at least 0"),
        ({"gamma": float("nan")}, "gamma=nan; use a number of at least 0"),
        ({"relation": "words"}, "relation='words' is unknown"),
        ({"binning": "mdl"}, "hides all others"),
        ({"binning": "even"}, "binning='even' is unknown"),
        ({"n_init": 0}, "n_init=0; use an integer from 1 to 100000"),
        ({"max_iter": 0}, "max_iter=0; use an integer of at least 1"),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100"),
        ({"n_clusters": 5}, "n_clusters=5 for 4 objects"),
        ({"min_cluster_size": 3}, "use a size from 1 to 2, or a fraction below 1"),
        ({"min_cluster_size": -1}, "min_cluster_size=-1; use a number of at least 0"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        CIB(**options).fit([[0, 1], [1, 0], [1, 1], [0, 0]], [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[0, 1], [0, -2]], {"relation": "rows"}, "Negative values in data: row 1 of X"),
        (sparse.csr_array([[0.0, 1], [3, -2]]), {}, "Negative values in data: row 1 of X"),
        (sparse.csr_array([[0.0, 1], [3, 2]]), {"relation": "bins"}, "[Ss]parse"),
        ([["a"]], {}, "n_samples=1"),
        ([[1.0], [np.inf]], {}, "contains infinity"),
    ],
)
def test_wrong_data_is_refused(X, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        CIB(**options).fit(X, [0, 1])
