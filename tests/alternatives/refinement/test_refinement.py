"""Refinement: the parts of its model by definition, and what it does to alternatives."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise import cluster_again
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.portfolio import sample_search as search
from clusterwise.alternatives.refinement.em import m_step, refine
from clusterwise.alternatives.refinement.label_priors import (
    average_over_priors,
    find_multipliers,
    posterior_if_independent,
    posterior_in_design,
    posterior_with_sizes,
)
from clusterwise.alternatives.refinement.model import MixedData, MixedObjects, ModelData
from clusterwise.datasets import (
    make_alternatives,
    make_categorical_alternatives,
    make_mixed_alternatives,
)
from clusterwise.inputs.features import read_features
from clusterwise.inputs.points import read_points
from helpers.strategies import max_examples
from reference.refinement import (
    CELL_VARIANCE,
    average_by_definition,
    categorical_by_definition,
    gaussian_by_definition,
    joint_by_definition,
    posterior_by_definition,
)

nmi = cw.normalized_mutual_info_score
SEEDS = st.integers(0, 10_000)
# Newton's method stops where the gradient or the step is at most 1e-6.
SOLVED = 1e-5


def draw(seed, n, counts):
    """Labels of n objects in which every cluster occurs, for each clustering."""
    random = np.random.default_rng(seed)
    return random, [random.permutation(np.arange(n) % count) for count in counts]


def as_responsibilities(labels, doubt=0.0, seed=0):
    """Responsibilities of labels, mixed with random ones."""
    clusters = labels.max() + 1
    anywhere = np.random.default_rng(seed).dirichlet(np.ones(clusters), labels.size).T
    return (1 - doubt) * np.eye(clusters)[:, labels] + doubt * anywhere


def most_likely(values, joint, labels):
    """The labels of largest responsibility after one E-step from labels."""
    return average_over_priors(values, joint, as_responsibilities(labels)).argmax(axis=0)


def see(X):
    features = read_features(X)
    return MixedObjects(features, read_points(features)).take()


def fit_step(data, known, responsibilities):
    return m_step(ModelData(data, known), responsibilities)


# --- log-likelihoods

NOISES = {
    "spherical": np.eye(3),
    "diagonal": np.diag([0.2, 1.0, 5.0]),
    "full": np.array([[1.0, 0.9, 0.0], [0.0, 1.0, 0.9], [0.0, 0.0, 0.3]]),
}


@pytest.mark.slow
@pytest.mark.parametrize("doubt", [0.0, 0.4])
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("known", [(2,), (3,), (2, 3)])
def test_numeric_features_are_effects_plus_residuals(noise, known, doubt):
    random, (*given, labels) = draw(5, 120, (*known, 3))
    numbers = random.normal(size=(120, 3)) @ NOISES[noise]
    for codes in (*given, labels):
        numbers += random.normal(size=(9, 3))[codes]
    numbers -= numbers.mean(axis=0)
    responsibilities = as_responsibilities(labels, doubt)
    likely = fit_step(MixedData(numbers, []), read_given(np.array(given).T, 120), responsibilities)
    values, penalty = gaussian_by_definition(numbers, given, responsibilities)
    # A constant for each object is in the penalty instead.
    np.testing.assert_allclose(
        likely.values - likely.values[0], (values - values[:, :1]).T, atol=1e-8
    )
    own = likely.values[labels, np.arange(120)].sum() - likely.penalty
    expected = values[np.arange(120), labels].sum() - penalty + 0.5 * 120 * 3 * np.log(2 * np.pi)
    assert own == pytest.approx(expected)


@pytest.mark.parametrize("doubt", [0.0, 0.2])
@pytest.mark.parametrize("depends_on", ["nothing", "given", "cluster", "both"])
def test_categorical_features_depend_on_what_bic_says(depends_on, doubt):
    random, (known, labels) = draw(3, 150, (2, 3))
    ways = {
        "nothing": np.zeros(150, int),
        "given": known,
        "cluster": labels,
        "both": (known + labels) % 3,
    }
    names = np.where(random.random(150) < 0.8, ways[depends_on], random.integers(3, size=150))
    responsibilities = as_responsibilities(labels, doubt)
    likely = fit_step(
        MixedData(np.empty((150, 0)), [names]), read_given(known, 150), responsibilities
    )
    values, penalty = categorical_by_definition(names.tolist(), known.tolist(), responsibilities)
    if depends_on == "cluster":
        values, penalty, _ = joint_by_definition([names.tolist()], responsibilities)
    np.testing.assert_allclose(likely.values.T, values)
    assert likely.penalty == pytest.approx(penalty)
    tells = np.ptp(values, axis=1).max() > 0
    assert tells == (depends_on in ("cluster", "both"))


ERRORS = {
    "one": ([0.2, 0.2, 0.2], 1.0),
    "each": ([0.01, 0.1, 0.35], 1.0),
    "own": ([0.2, 0.2, 0.2], 0.0),
}


@pytest.mark.parametrize("doubt", [0.0, 0.2])
@pytest.mark.parametrize("kind", ERRORS)
def test_features_of_the_cluster_alone_share_one_model(kind, doubt):
    random, (known, labels) = draw(3, 300, (2, 3))
    errors, anywhere = ERRORS[kind]
    names = []
    for size, error in zip((3, 3, 4), errors, strict=True):
        other = np.where(random.random(300) < anywhere, random.integers(size, size=300), 0)
        names.append(np.where(random.random(300) < error, other, labels))
        names[-1][:size] = np.arange(size)  # all values occur
    responsibilities = as_responsibilities(labels, doubt)
    likely = fit_step(
        MixedData(np.empty((300, 0)), names), read_given(known, 300), responsibilities
    )
    values, penalty, chosen = joint_by_definition(
        [codes.tolist() for codes in names], responsibilities
    )
    assert doubt or chosen == kind
    np.testing.assert_allclose(likely.values.T, values)
    assert likely.penalty == pytest.approx(penalty)


def test_objects_between_clusters_are_equally_likely_in_both_to_the_last_digit():
    random, (known, labels) = draw(0, 200, (2, 2))
    names = [np.where(random.random(200) < 0.1, 1 - labels, labels) for _ in range(4)]
    objects = MixedData(np.empty((200, 0)), names)
    values = fit_step(objects, read_given(known, 200), as_responsibilities(labels)).values
    between = np.sum(names, axis=0) == 2
    assert 5 < between.sum() < 50
    np.testing.assert_array_equal(values[0] == values[1], between)


def test_features_with_too_many_values_depend_on_no_cell():
    random, (known, labels) = draw(0, 60, (4, 2))
    names = random.permutation(np.arange(60) % 20)
    responsibilities = as_responsibilities(labels)
    likely = fit_step(
        MixedData(np.empty((60, 0)), [names]), read_given(known, 60), responsibilities
    )
    values, penalty = categorical_by_definition(names.tolist(), [0] * 60, responsibilities)
    np.testing.assert_allclose(likely.values.T, values)
    assert likely.penalty == pytest.approx(penalty)


def test_features_add_up():
    random, (known, labels) = draw(1, 80, (2, 2))
    numbers, names = random.normal(size=(80, 2)), random.integers(2, size=80)
    whole, first, second = (
        fit_step(objects, read_given(known, 80), as_responsibilities(labels))
        for objects in (
            MixedData(numbers, [names]),
            MixedData(numbers, []),
            MixedData(np.empty((80, 0)), [names]),
        )
    )
    np.testing.assert_allclose(whole.values, first.values + second.values)
    assert whole.penalty == pytest.approx(first.penalty + second.penalty)


def test_features_are_split_by_type():
    frame = pd.DataFrame(
        {
            "number": [1.0, 2.0, np.nan, 3.0],
            "name": ["b", None, "a", "b"],
            "always": [7, 7, 7, 7],
        }
    )
    data = see(frame)
    assert data.numeric.shape == (4, 1)
    assert data.numeric[:, 0] == pytest.approx([-(2**0.5), 0, 0, 2**0.5])
    (codes,) = data.categorical
    assert codes[0] == codes[3]
    assert len(set(codes)) == 3


# --- label priors


@max_examples(25)
@given(SEEDS, st.sampled_from([(8, 8), (3, 12), (5, 5, 5), (2, 4, 8)]))
def test_the_saddle_point_approximates_the_sum_over_all_labels(seed, wanted):
    random = np.random.default_rng(seed)
    wanted = np.array(wanted, float)
    values = random.normal(0, 2, (wanted.size, int(wanted.sum())))
    met = posterior_with_sizes(values, wanted)
    responsibilities, evidence = posterior_by_definition(values, wanted)
    # The saddle point is an approximation.
    np.testing.assert_allclose(met.responsibilities, responsibilities, atol=0.15)
    assert met.evidence == pytest.approx(evidence, abs=0.1)


@given(SEEDS, st.integers(2, 5), st.floats(0.1, 30))
def test_multipliers_make_expected_sizes_the_wanted_ones(seed, clusters, scale):
    random = np.random.default_rng(seed)
    values = random.normal(0, scale, (clusters, 40))
    wanted = random.dirichlet(np.ones(clusters)) * 40
    met, multipliers = find_multipliers(values, wanted)
    np.testing.assert_allclose(met.responsibilities.sum(axis=0), 1)
    np.testing.assert_allclose(
        met.responsibilities.sum(axis=1), wanted - CELL_VARIANCE * multipliers, atol=SOLVED
    )
    odds = values + multipliers[:, None]
    odds = np.exp(odds - odds.max(axis=0))
    np.testing.assert_allclose(met.responsibilities, odds / odds.sum(axis=0), atol=1e-12)


@given(SEEDS, st.integers(2, 4))
def test_constants_per_object_do_not_matter(seed, clusters):
    random, (joint, labels) = draw(seed, 60, (2, clusters))
    values, responsibilities = random.normal(0, 3, (clusters, 60)), as_responsibilities(labels)
    common = random.normal(0, 100, 60)
    for posterior in (
        lambda values: posterior_if_independent(values, responsibilities),
        lambda values: posterior_in_design(values, joint, np.full(clusters, 1 / clusters)),
    ):
        one, other = posterior(values), posterior(values + common)
        np.testing.assert_allclose(other.responsibilities, one.responsibilities, atol=1e-6)
        assert other.evidence - common.sum() == pytest.approx(one.evidence, abs=1e-6)


@given(SEEDS, st.integers(2, 4))
def test_the_numbering_of_clusters_does_not_matter(seed, clusters):
    random, (joint, labels) = draw(seed, 60, (3, clusters))
    values, responsibilities = (
        random.normal(0, 3, (clusters, 60)),
        as_responsibilities(labels, 0.5, seed),
    )
    turn = random.permutation(clusters)
    turned = average_over_priors(values[turn], joint, responsibilities[turn])
    np.testing.assert_allclose(
        turned, average_over_priors(values, joint, responsibilities)[turn], atol=SOLVED
    )


@given(
    SEEDS, st.integers(2, 3), st.integers(1, 3), st.floats(0.5, 3), st.floats(0, 1), st.floats(0, 1)
)
def test_all_priors_are_averaged(seed, clusters, known, scale, planned, doubt):
    """From random labels to every combination equally often."""
    random = np.random.default_rng(seed)
    joint, labels = np.divmod(np.arange(60) % (known * clusters), clusters)
    moved = np.flatnonzero(random.random(60) > planned)
    labels[moved] = random.permutation(labels[moved])
    values = random.normal(0, 1, (clusters, 60)) + scale * np.eye(clusters)[:, labels]
    responsibilities = as_responsibilities(labels, doubt, seed)
    likely = posterior_if_independent(values, responsibilities).responsibilities.mean(axis=1)
    even = np.full(clusters, 1 / clusters)
    designs = [posterior_in_design(values, joint, each) for each in (even, likely)]
    expected = average_by_definition(values, joint, responsibilities, designs)
    np.testing.assert_allclose(
        average_over_priors(values, joint, responsibilities), expected, atol=1e-9
    )


def test_given_clusters_of_equal_size_are_evidence_for_a_design():
    """Two objects in each given cluster are ambiguous; a design has them in different clusters."""
    seen = {}
    for first in (44, 48, 50):
        joint = np.repeat([0, 1], [first, 100 - first])
        values = np.zeros((2, 100))
        for start, size in ((0, first), (first, 100 - first)):
            half = start + size // 2
            values[1, start:half] = values[0, half : start + size] = -9.0
            values[:, [half - 1, half]] = [[0.0], [-1.5]]
        seen[first] = average_over_priors(values, joint, np.full((2, 100), 0.5))[0, first // 2]
    alone = 1 / (1 + np.exp(-1.5))
    # Nearly equal sizes are evidence for random draws, other sizes for neither.
    assert seen[50] < seen[44] < seen[48] < alone


def test_clusters_have_equal_proportions_unless_they_clearly_differ():
    joint = np.zeros(400, int)
    for small, expected in ((190, 0), (120, 1)):
        labels = (np.arange(400) >= small).astype(int)
        values = np.where(np.eye(2)[labels].T > 0, 0.0, -60.0)
        values[:, 0] = 0.05, 0.0
        assert most_likely(values, joint, labels).tolist() == [expected, *labels[1:]]


def test_unambiguous_labels_stay_under_any_prior():
    """An unbalanced table of unambiguous objects is no design, even if sizes are equal."""
    labels = np.repeat([0, 1], 100)
    joint = np.concatenate([np.arange(100) < 70, np.arange(100) < 20]).astype(int)
    values = np.where(np.eye(2)[labels].T > 0, 0.0, -60.0)
    np.testing.assert_array_equal(most_likely(values, joint, labels), labels)


@pytest.mark.parametrize("proportions", [(0.5, 0.5), (0.8, 0.2)])
def test_a_design_decides_ambiguous_labels(proportions):
    """One object is ambiguous, and slightly more likely in the wrong cluster."""
    sizes = [int(100 * proportion) for proportion in proportions]
    truth = np.tile(np.repeat([0, 1], sizes), 8)
    joint = np.repeat(np.arange(8), 100)
    values = np.where(np.eye(2)[truth].T > 0, 0.0, -60.0)
    fence = np.flatnonzero(truth == 1)[0]
    values[:, fence] = 0.0, -1.0
    seen = truth.copy()
    seen[fence] = 0
    independent = posterior_if_independent(
        values, as_responsibilities(truth)
    ).responsibilities.argmax(axis=0)
    np.testing.assert_array_equal(independent, seen)
    np.testing.assert_array_equal(most_likely(values, joint, truth), truth)
    # Where clusters are independent there is no design.
    uneven = np.random.default_rng(0).permutation(joint)
    np.testing.assert_array_equal(most_likely(values, uneven, truth), seen)


def test_few_objects_make_no_design():
    labels, joint = np.array([0, 1] * 4), np.repeat([0, 1], 4)
    values = np.where(np.eye(2)[labels].T > 0, 0.0, -60.0)
    values[:, 0] = -1.0, 0.0
    assert most_likely(values, joint, labels).tolist() == [1, *labels[1:]]


# --- EM iterations


def test_the_truth_stays_the_truth():
    data = make_alternatives(200, (3, 3), separation=10, random_state=0)
    given, truth = data.labels.T
    refined = refine(see(data.X), read_given(given, 200), truth)
    np.testing.assert_array_equal(refined.labels, truth)


MAKERS = {
    "numbers": lambda seed, crossed: make_alternatives(
        300, (3, 3), separation=5, crossed=crossed, random_state=seed
    ),
    "names": lambda seed, crossed: make_categorical_alternatives(
        300, (3, 3), features=5, crossed=crossed, random_state=seed
    ),
    "both": lambda seed, crossed: make_mixed_alternatives(
        300, (3, 3), separation=4, crossed=crossed, random_state=seed
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("crossed", [True, False])
@pytest.mark.parametrize("kind", MAKERS)
def test_errors_decrease_and_the_likelihood_increases(kind, crossed):
    before, after = [], []
    for seed in range(8):
        data = MAKERS[kind](seed, crossed)
        given, truth = data.labels.T
        random = np.random.default_rng(seed)
        rough = np.where(random.random(300) < 0.1, random.integers(3, size=300), truth)
        known = read_given(given, 300)
        refined = refine(see(data.X), known, rough)
        unrefined = refine(see(data.X), known, rough, least=300)
        np.testing.assert_array_equal(unrefined.labels, rough)
        assert refined.evidence > unrefined.evidence
        before.append(nmi(truth, rough))
        after.append(nmi(truth, refined.labels))
    assert np.mean(after) > np.mean(before) + 0.1


@given(SEEDS, st.floats(0.01, 100), st.floats(-1000, 1000))
@max_examples(20)
def test_neither_units_nor_the_order_of_objects_matters(seed, scale, shift):
    data = make_alternatives(120, (2, 3), separation=3, random_state=seed)
    given, labels = data.labels.T
    refined = refine(see(data.X), read_given(given, 120), labels)
    other = refine(see(data.X * scale + shift), read_given(given, 120), labels)
    np.testing.assert_array_equal(other.labels, refined.labels)
    order = np.random.default_rng(seed).permutation(120)
    turned = refine(see(data.X[order]), read_given(given[order], 120), labels[order])
    np.testing.assert_array_equal(turned.labels, refined.labels[order])
    assert turned.evidence == pytest.approx(refined.evidence)


def test_no_cluster_becomes_too_small():
    data = make_alternatives(200, (2, 2), separation=8, balance=0.1, random_state=0)
    given, truth = data.labels.T
    rough = truth.copy()
    rough[np.flatnonzero(truth == 0)[:6]] = 1
    least = int((truth == 1).sum())
    known = read_given(given, 200)
    assert np.bincount(refine(see(data.X), known, rough, least).labels).min() == least
    kept = refine(see(data.X), known, rough, least + 1).labels
    assert np.bincount(kept).min() > least


def test_labels_that_would_become_another_clustering_are_kept():
    """A clustering that the data hardly support does not become the one that they do."""
    data = make_alternatives(300, (2, 2), separation=8, random_state=0)
    given, truth = data.labels.T
    random = np.random.default_rng(0)
    vague = np.where(random.random(300) < 0.6, random.integers(2, size=300), truth)
    assert 0.05 < nmi(truth, vague) < 0.5
    refined = refine(see(data.X), read_given(given, 300), vague)
    np.testing.assert_array_equal(refined.labels, vague)


STRANGE = {
    "one that never changes": lambda X: np.hstack([X, np.ones((len(X), 1))]),
    "one twice": lambda X: np.hstack([X, X[:, :1]]),
    "a sum": lambda X: np.hstack([X, X.sum(axis=1, keepdims=True)]),
    "one that the cluster tells": lambda X: np.hstack([X, np.sign(X[:, 2:3])]),
    "more than objects": lambda X: np.hstack(
        [X, np.random.default_rng(0).normal(size=(len(X), 300))]
    ),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_unusual_features_are_handled(strange):
    data = make_alternatives(200, (2, 2), separation=8, random_state=2)
    given, truth = data.labels.T
    rough = truth.copy()
    rough[:10] ^= 1
    refined = refine(see(STRANGE[strange](data.X)), read_given(given, 200), rough)
    np.testing.assert_array_equal(refined.labels, truth)


def test_memory_is_not_quadratic_in_the_features():
    random, (known, labels) = draw(0, 40, (2, 2))
    data, given = MixedData(random.normal(size=(40, 5_000)), []), read_given(known, 40)
    tracemalloc.start()
    refine(data, given, labels)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * data.numeric.nbytes < 5_000**2 * 8


def test_uninformative_features_change_nothing():
    labels = np.arange(20) % 2
    nothing = see(np.ones((20, 2)))
    refined = refine(nothing, read_given(np.repeat([0, 1], 10), 20), labels)
    np.testing.assert_array_equal(refined.labels, labels)


# --- in the portfolio


@pytest.mark.slow
def test_refinement_improves_the_alternatives():
    gains = []
    for seed in range(20):
        data = make_alternatives(300, (3, 3), separation=4.5, random_state=seed)
        known, truth = data.labels.T
        plain, refined = (
            cluster_again(data.X, known, random_state=0, refine=how) for how in (False, True)
        )
        # Whether they are convincing is another question.
        before, after = (
            nmi(truth, (*found, *found.unconvincing)[0].labels) for found in (plain, refined)
        )
        gains.append(after - before)
    assert np.mean(gains) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "seed"),
    [({"balance": 0.1, "rotated": True}, 239), ({"balance": 0.3, "crossed": False}, 425)],
)
def test_the_largest_evidence_comes_first(options, seed):
    """A larger DQ due to clusters of equal sizes does not hide the planted clustering."""
    data = make_alternatives(400, (3, 3), separation=5, **options, random_state=1000 + seed)
    known, truth = data.labels.T
    found = cluster_again(data.X, known, random_state=seed)
    assert nmi(truth, found[0].labels) > 0.95
    assert all(nmi(one.labels, found[0].labels) <= 0.75 for one in found[1:])


@pytest.mark.slow
def test_scores_are_those_of_the_labels_that_are_returned():
    data = make_alternatives(300, (2, 2), separation=3, random_state=1)
    known = data.labels[:, 0]
    (plain,) = cluster_again(
        data.X, known, n_alternatives=1, random_state=0, scale=False, refine=False
    )
    (found,) = cluster_again(data.X, known, n_alternatives=1, random_state=0, scale=False)
    assert (found.labels != plain.labels).any()
    expected = cw.dq_score(
        data.X, known, found.labels, quality="canonical",
        dissimilarity="adjusted_mutual_info_score",
    )  # fmt: skip
    assert found.dq == pytest.approx(expected)
    assert sorted(found.sizes) == sorted(np.bincount(found.labels))
    # It says by what it was found.
    model = getattr(cw, found.method)(**found.parameters).fit(data.X, known)
    again = refine(see(data.X), read_given(known, 300), model.labels_, 15).labels
    np.testing.assert_array_equal(found.labels, again)


@pytest.mark.slow
def test_labels_are_not_refined_with_very_many_given_clusters(monkeypatch):
    data = make_alternatives(300, (2, 2), separation=3, random_state=1)
    known = data.labels[:, 0]
    options = {"n_clusters": 2, "random_state": 0, "scale": False}
    plain = cluster_again(data.X, known, refine=False, **options)
    for limit, refined in ((2, True), (1, False)):
        monkeypatch.setattr(f"{search.__name__}._MOST_GIVEN_CLUSTERS", limit)
        found = cluster_again(data.X, known, **options)
        assert ((*found, *found.unconvincing)[0].labels != plain[0].labels).any() == refined
