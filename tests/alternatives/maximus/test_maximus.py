"""MAXIMUS as an estimator: its alternatives, their bounds, and its attributes."""

import warnings
from contextlib import nullcontext
from time import perf_counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binning
from helpers.strategies import max_examples
from reference import density as naive_density, maximus as naive

PROGRAMS = ("objects", "published")
each_program = pytest.mark.parametrize("program", PROGRAMS)


def cloud(n=60, seed=0, features=2, clusters=3):
    """Points that a given clustering shifts, so that k-means alone would find it again."""
    random = np.random.default_rng(seed)
    known = random.permutation(np.arange(n) % clusters)
    return random.normal(size=(n, features)) + 3 * known[:, None], known


def fit(X, y=None, **how):
    how.setdefault("random_state", 0)
    return cw.MAXIMUS(**how).fit(X, y)


def ratio_of(model, known, clusters):
    """The largest deviation divided by its bound, from labels alone."""
    parts = naive.memberships(known)
    return naive.unevenness(parts, model.labels_, clusters, model.tolerance)


def is_in_order(labels):
    seen = list(dict.fromkeys(labels.tolist()))
    return seen == list(range(len(seen)))


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [2, 3, 4, 5])
@pytest.mark.parametrize("known", [0, 1])
def test_the_other_of_two_planted_clusterings_is_found(clusters, known):
    for seed in range(5):
        data = make_alternatives(600, (clusters, clusters), separation=6, random_state=seed)
        model = fit(data.X, data.labels[:, known], random_state=seed)
        assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1 - known]) >= 0.95
        assert model.outcomes_[0].status == "feasible"


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "known"), [(2, 0), (2, 1), (2, 2), (3, 1), (4, 2)])
def test_both_others_of_three_planted_clusterings_are_found(clusters, known):
    data = make_alternatives(480, (clusters,) * 3, separation=6, random_state=0)
    model = fit(data.X, data.labels[:, known], n_alternatives=2)
    others = np.delete(data.labels, known, axis=1).T
    scores = [
        [cw.adjusted_rand_score(found, one) for one in others] for found in model.alternatives_
    ]
    assert np.max(scores, axis=0).min() >= 0.95
    assert np.max(scores, axis=1).min() >= 0.95
    # It says which features each one is about.
    for found, outcome in zip(model.alternatives_, model.outcomes_, strict=True):
        planted = [cw.adjusted_rand_score(found, one) for one in data.labels.T]
        own = [name.startswith(data.names[np.argmax(planted)]) for name in data.feature_names]
        assert outcome.weights.shape == (6,)
        if outcome.weights.min() < 1:
            assert outcome.weights[own].min() > outcome.weights[np.logical_not(own)].max()


@pytest.mark.slow
def test_the_published_program_finds_next_to_nothing_of_planted_clusters():
    """Profiles do not tie features together."""
    for seed in range(3):
        data = make_alternatives(300, (2, 2), separation=6, random_state=seed)
        known, other = data.labels.T
        model = fit(data.X, known, program="published")
        assert cw.adjusted_rand_score(model.labels_, other) < 0.5
        assert abs(cw.adjusted_rand_score(model.labels_, known)) < 0.1
        outcome = model.outcomes_[0]
        assert outcome.status == "optimal"
        assert 0 <= outcome.gap < 0.05
        assert 0 < model.profile_gap_ == outcome.profile_gap < 0.5
        assert outcome.ratio is outcome.evaluations is outcome.weights is None


@max_examples(25)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(PROGRAMS),
    st.integers(1, 4),
    st.integers(1, 2),
    st.booleans(),
)
def test_similarity_is_that_of_profiles_and_no_less_than_the_bound(
    seed, program, clusters, count, tied
):
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (16, 2)) if tied else random.normal(size=(16, 2))
    known = [random.permutation(np.arange(16) % size) for size in random.integers(1, 5, count)]
    binning = Binning("width", 4).fit(X)
    how = {"program": program, "tolerance": 0.5, "n_init": 2, "binning": binning}
    with warnings.catch_warnings():
        # The bounds may be infeasible.
        warnings.filterwarnings("ignore", "the largest deviation", UserWarning)
        model = fit(X, np.column_stack(known), n_clusters=clusters, **how)
    profiles = [naive_density.vectors(naive_density.profile(X, one, 4)) for one in known]
    found = naive_density.vectors(naive_density.profile(X, model.labels_, 4))
    assert model.similarity_ == sum(naive_density.similarity(one, found) for one in profiles)
    parts = naive.overlaps(dict(enumerate(model.binning_.bins(X).codes)), known)
    ends = np.cumsum([len(set(one)) for one in known])[:-1]
    blocks = np.split(parts, ends, axis=1)
    assert model.lower_bound_ == pytest.approx(sum(naive.bound_of(b, clusters) for b in blocks))
    assert model.lower_bound_ <= model.similarity_
    assert is_in_order(model.labels_)
    if program == "objects":
        assert len(set(model.labels_)) == clusters
        ratio = max(1e-9, ratio_of(model, known, clusters))
        assert model.outcomes_[0].ratio >= ratio * (1 - 1e-9)


def test_similarity_is_the_numerator_of_adco():
    X, known = cloud(200)
    model = fit(X, known)
    a, b = (
        cw.DensityProfile.from_data(X, one, binning=model.binning_)
        for one in (known, model.labels_)
    )
    largest = max(
        naive.best_matching(a.counts @ a.counts.T), naive.best_matching(b.counts @ b.counts.T)
    )
    assert model.similarity_ == naive.best_matching(a.counts @ b.counts.T)
    assert model.similarity_ / largest == pytest.approx(1 - cw.adco_distance(a, b))


def lopsided():
    X, _ = cloud(150, 1)
    known = np.repeat([0, 1, 2], [3, 20, 127])
    return X + 3 * known[:, None], known


def tied():
    random = np.random.default_rng(2)
    X = random.integers(0, 2, (150, 3)).astype(float)
    return X, (X[:, 0] + (random.random(150) < 0.2)).astype(int)


@pytest.mark.parametrize("data", [cloud, lopsided, tied])
@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.5])
def test_bounds_hold(data, tolerance):
    X, known = data()
    model = fit(X, known, tolerance=tolerance, min_cluster_size=0.1, n_init=3)
    clusters = len(set(known))
    assert ratio_of(model, [known], clusters) <= 1 + 1e-9
    assert model.outcomes_[0].status == "feasible"
    sizes = np.bincount(model.labels_)
    assert sizes.size == clusters
    assert sizes.min() >= 0.1 * len(X)


def test_equal_sizes_are_within_bounds():
    """Deviations of exactly one object are allowed, however they are rounded."""
    random = np.random.default_rng(0)
    X, known = random.normal(size=(30, 3)), random.integers(0, 3, 30)
    for size in (10, 1 / 3):
        model = fit(X, known, min_cluster_size=size)
        assert np.bincount(model.labels_).tolist() == [10, 10, 10]
        assert model.outcomes_[0].status == "feasible"


def test_the_time_of_a_search_is_part_of_the_time_of_the_fit():
    X, known = cloud(80)
    began = perf_counter()
    model = fit(X, known)
    assert 0 < model.outcomes_[0].seconds < perf_counter() - began


def test_more_tolerance_reduces_inertia_and_increases_similarity():
    X, known = cloud(200, 3)

    def judge(tolerance):
        model = fit(X, known, tolerance=tolerance)
        means = np.array([X[model.labels_ == k].mean(axis=0) for k in range(3)])
        return ((X - means[model.labels_]) ** 2).sum(), abs(
            cw.adjusted_rand_score(model.labels_, known)
        )

    strict, loose = judge(0.05), judge(5.0)
    assert loose[0] < strict[0]
    assert strict[1] < 0.05 < 0.5 < loose[1]


@each_program
def test_same_seed_same_labels(program):
    X, known = cloud(80)
    how = {"program": program, "n_init": 2}
    first = fit(X, known, **how)
    again = clone(first).fit(X, known)
    np.testing.assert_array_equal(first.labels_, again.labels_)
    assert first.get_params() == again.get_params()
    chance = np.random.RandomState(0)
    np.testing.assert_array_equal(fit(X, known, random_state=chance, **how).labels_, first.labels_)


def test_labels_do_not_depend_on_threads():
    data = make_alternatives(70_000, (3, 3), separation=3, random_state=0)
    labels = []
    for count in (1, 3):
        with cw.threads(count, oversubscribe=True):
            model = fit(data.X, data.labels[:, 0], n_init=1)
        labels.append(model.labels_)
    np.testing.assert_array_equal(*labels)


def test_starts_compete_on_a_sample():
    """Beyond 20,000 objects; one given cluster is so rare that the sample may miss it."""
    data = make_alternatives(21_000, (2, 2), separation=8, random_state=1)
    known = data.labels[:, 0].copy()
    known[:2] = 2
    model = fit(data.X, known, n_clusters=2, n_init=2)
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95
    assert model.outcomes_[0].status == "feasible"
    assert ratio_of(model, [known], 2) <= 1 + 1e-9


def test_subspaces_of_many_objects():
    """With more than 5,000 objects, pairs of features are ranked on a sample."""
    data = make_alternatives(5_400, (3, 3, 3), separation=6, random_state=0)
    model = fit(data.X, data.labels[:, 0], subspaces=True, n_init=1)
    assert model.labels_.shape == (5_400,)
    assert max(cw.adjusted_rand_score(model.labels_, one) for one in data.labels[:, 1:].T) >= 0.95
    assert ratio_of(model, [data.labels[:, 0]], 3) <= 1 + 1e-9


@each_program
def test_without_a_given_clustering_one_is_made_first(program):
    data = make_alternatives(200, (3, 3), random_state=0)
    model = fit(data.X, program=program, n_clusters=3, n_init=2)
    assert model.given_.shape == (1, 200)
    assert len(set(model.given_[0])) == 3
    assert abs(cw.adjusted_rand_score(model.labels_, model.given_[0])) < 0.2
    assert len(set(fit(data.X[:, :2], n_init=1).given_[0])) == 2


@each_program
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categorical_features_and_missing_values(program, library):
    data = make_alternatives(120, (2, 2), separation=8, random_state=0)
    columns = {name: column.tolist() for name, column in zip("abcd", data.X.T, strict=True)}
    columns["a"][3] = columns["c"][5] = None
    columns["colour"] = [None if i == 7 else ("red", "blue")[i % 2] for i in range(120)]
    columns["flat"] = [0.1] * 120
    frame = library(columns)
    model = fit(frame, data.labels[:, 0], program=program, n_init=2)
    assert model.n_features_in_ == 6
    assert model.binning_.names == ["a", "b", "c", "d", "colour", "flat"]
    assert model.labels_.shape == (120,)
    if program == "objects":
        assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95


def test_missing_values_of_a_constant_feature_are_ignored():
    """The mean of equal numbers has rounding errors, which must not be scaled up."""
    data = make_alternatives(200, (2, 2), random_state=0)
    flat = np.full(200, 0.1)
    flat[np.random.default_rng(0).random(200) < 0.4] = np.nan
    model = fit(np.column_stack([data.X, flat]), data.labels[:, 0], subspaces=True)
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95


@pytest.mark.parametrize("clusters", [1, 2, 7, 12])
@pytest.mark.parametrize("kind", ["equal", "few", "apart"])
def test_the_number_of_clusters_is_exact(clusters, kind):
    """Also if there are fewer distinct objects than clusters, of which only we warn."""
    X = {"equal": np.zeros((12, 2)), "few": np.arange(12)[:, None] % 3, "apart": np.eye(12)}[kind]
    known = np.arange(12) // 6
    distinct = {"equal": 1, "few": 3, "apart": 12}[kind]
    told = "all objects of X are equal" if distinct == 1 else f"X has {distinct} distinct objects"
    few = pytest.warns(UserWarning, match=told) if distinct < clusters else nullcontext()
    with few:
        model = fit(X, known, n_clusters=clusters, n_init=2)
    assert len(set(model.labels_)) == clusters
    assert ratio_of(model, [known], clusters) <= 1 + 1e-9


@pytest.mark.parametrize("known", [np.arange(12), np.zeros(12, int), np.arange(12) % 2, None])
def test_given_clusters_of_one_object_or_all(known):
    X = np.random.default_rng(0).normal(size=(12, 1))
    model = fit(X, known, n_clusters=2)
    assert len(set(model.labels_)) == 2
    assert len(set(fit(X[:2], [0, 1]).labels_)) == 2


@each_program
@pytest.mark.parametrize("binning", ["width", "frequency", "mdl", "nominal"])
def test_binnings(program, binning):
    X, known = cloud(40)
    X = X.round()
    how = {"program": program, "n_init": 2, "tolerance": 0.2}
    model = fit(X, known, binning=binning, **how)
    reference = known if binning == "mdl" else None
    fitted = Binning(binning).fit(X, reference)
    assert model.binning_.bin_names() == fitted.bin_names()
    again = fit(X, known, binning=fitted, **how)
    assert again.binning_ is fitted
    np.testing.assert_array_equal(model.labels_, again.labels_)


@each_program
def test_a_binning_may_have_the_columns_of_a_frame_in_its_own_order(program):
    data = make_alternatives(120, (2, 2), separation=8, random_state=0)
    frame = pd.DataFrame(data.X, columns=list("abcd"))
    how = {"program": program, "n_init": 2}
    straight = fit(frame, data.labels[:, 0], binning=Binning().fit(frame), **how)
    turned = fit(frame, data.labels[:, 0], binning=Binning().fit(frame[list("dcba")]), **how)
    assert turned.lower_bound_ == straight.lower_bound_
    found, other = (
        cw.adjusted_rand_score(m.labels_, data.labels[:, 1]) for m in (turned, straight)
    )
    if program != "published":
        assert min(found, other) > 0.5
    # Or only some of them; others have no bins, but still a place.
    some = fit(frame, data.labels[:, 0], binning=Binning().fit(frame[["d", "c"]]), **how)
    assert some.lower_bound_ < straight.lower_bound_
    assert np.isfinite(some.similarity_)


def test_small_clusters_after_the_vote_join_the_nearest():
    X, known = cloud(60, 5)
    for seed in range(4):
        model = fit(X, known, program="published", random_state=seed, min_cluster_size=15)
        assert np.bincount(model.labels_).min() >= 15
        assert is_in_order(model.labels_)


def test_it_stops_if_no_alternative_is_left():
    data = make_alternatives(200, (2, 2), random_state=0)
    with pytest.warns(UserWarning, match="MAXIMUS stopped after 1 of 4 alternatives: the next one"):
        model = fit(data.X, data.labels[:, 0], n_alternatives=4)
    assert len(model.alternatives_) == len(model.outcomes_) == len(model.sizes_) == 1
    assert not model.degenerate_
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) == 1


def test_it_warns_if_the_bounds_are_infeasible():
    """Eight given clusterings, five objects in each cluster."""
    X, known = cloud(40)
    many = np.column_stack([known, *(np.arange(40) % m for m in range(2, 9))])
    with pytest.warns(UserWarning, match=r"is [\d.]+ times its bound; raise the tolerance"):
        model = fit(X, many, n_clusters=8, tolerance=0.0, min_cluster_size=5, n_init=1)
    assert model.outcomes_[0].status == "infeasible"
    assert model.outcomes_[0].ratio > 1


OUT_OF_RANGE = (
    "is out of range for 3 clusters of 60 objects; use a size from 1 to 20, or a fraction below 1."
)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"program": "x"}, "program='x' is unknown; use 'objects' or 'published'."),
        ({"n_alternatives": 0}, "n_alternatives=0; use an integer from 1 to 100."),
        ({"tolerance": -0.1}, "tolerance=-0.1; use a number of at least 0."),
        ({"tolerance": np.nan}, "tolerance=nan; use a number of at least 0."),
        ({"tolerance": np.inf}, "tolerance=inf"),
        ({"n_init": 0}, "n_init=0; use an integer from 1 to 100000."),
        ({"min_cluster_size": 21}, f"min_cluster_size=21 {OUT_OF_RANGE}"),
        ({"min_cluster_size": 0.34}, f"min_cluster_size=0.34 {OUT_OF_RANGE}"),
        ({"min_cluster_size": -1}, "min_cluster_size=-1; use a number of at least 0 or None."),
        ({"n_clusters": 61}, "n_clusters=61 for 60 objects; use a whole number from 1 to 60."),
        ({"n_clusters": 2.5}, "n_clusters=2.5; use an integer of at least 1 or None."),
        ({"binning": "x"}, "binning='x' is unknown"),
    ],
)
def test_invalid_parameters_are_refused(how, message):
    X, known = cloud(60)
    with pytest.raises(cw.InputError) as caught:
        fit(X, known, **how)
    assert str(caught.value).startswith(message)


def test_the_published_program_has_no_subspaces():
    X, known = cloud(60)
    with pytest.raises(cw.InputError) as caught:
        fit(X, known, program="published", subspaces=True)
    assert str(caught.value) == "program='published' has no subspaces; use program='objects'."


def test_a_size_that_is_out_of_range_is_refused():
    X, known = cloud(61)
    with pytest.raises(cw.InputError, match="is out of range for 3 clusters of 61 objects"):
        fit(X, known, min_cluster_size=1 / 3)


def test_invalid_objects_are_refused():
    X, known = cloud(20)
    with pytest.raises(ValueError, match=r"1 sample\(s\) .* a minimum of 2 is required by MAXIMUS"):
        fit(X[:1], known[:1])
    with pytest.raises(cw.InputError, match="y has 19 labels for 20 objects"):
        fit(X, known[1:])
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="Input X contains infinity"):
        fit(X, known)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(c="name")
    with pytest.raises(cw.InputError, match="column 'a' of X is inf at position 0"):
        fit(frame, known)
    with pytest.raises(cw.InputError, match="not fitted"):
        fit(cloud(20)[0], known, binning=Binning())
