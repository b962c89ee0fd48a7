"""Variants of MAXIMUS as an estimator."""

import warnings

import numpy as np
import pytest
from experiments.maximus.variants.estimator import VariantMAXIMUS
from hypothesis import given, strategies as st
from sklearn.base import clone

import clusterwise as cw
from clusterwise.datasets import make_alternatives
from clusterwise.inputs.binning.binning import Binning
from helpers.strategies import max_examples
from reference import density as naive_density, maximus as naive

PROGRAMS = ("objects", "profile", "published")
BALANCES = ("membership", "matching", "profile")
each_balance = pytest.mark.parametrize("balance", BALANCES[1:])


def cloud(n=60, seed=0, features=2, clusters=3):
    """Points that a given clustering shifts, so that k-means alone would find it again."""
    random = np.random.default_rng(seed)
    known = random.permutation(np.arange(n) % clusters)
    return random.normal(size=(n, features)) + 3 * known[:, None], known


def fit(X, y=None, **how):
    how.setdefault("random_state", 0)
    return VariantMAXIMUS(**how).fit(X, y)


def ratio_of(model, X, known, clusters):
    """The largest deviation divided by its bound, from labels and bins alone."""
    labels, tolerance = model.labels_, model.tolerance
    if model.balance == "membership":
        return naive.unevenness(naive.memberships(known), labels, clusters, tolerance)
    parts = naive.overlaps(dict(enumerate(model.binning_.bins(X).codes)), known)
    if model.balance == "profile":
        return naive.unevenness(parts, labels, clusters, tolerance)
    ends = np.cumsum([len(set(one)) for one in known])[:-1]
    return naive.overmatching(np.split(parts, ends, axis=1), labels, clusters, tolerance)


def test_the_defaults_are_those_of_the_library():
    mine, theirs = VariantMAXIMUS().get_params(), cw.MAXIMUS().get_params()
    assert theirs.items() <= mine.items()
    X, known = cloud(90)
    for how in ({}, {"program": "published"}, {"subspaces": True, "n_alternatives": 2}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            ours, library = fit(X, known, **how), cw.MAXIMUS(random_state=0, **how).fit(X, known)
        np.testing.assert_array_equal(ours.alternatives_, library.alternatives_)
        assert ours.outcomes_[0].ratio == library.outcomes_[0].ratio
        assert ours.profile_gap_ == library.profile_gap_


def test_programs_on_profiles_find_planted_clusters_in_part():
    """Profiles do not tie features together: "profile" finds a part, "published" next to none."""
    scores = {}
    for program in ("profile", "published"):
        for seed in range(3):
            data = make_alternatives(300, (2, 2), separation=6, random_state=seed)
            known, other = data.labels.T
            model = fit(data.X, known, program=program, n_init=3)
            found = cw.adjusted_rand_score(model.labels_, other)
            assert abs(cw.adjusted_rand_score(model.labels_, known)) < 0.1
            scores.setdefault(program, []).append(found)
            outcome = model.outcomes_[0]
            assert outcome.status == "optimal"
            assert 0 <= outcome.gap < 0.05
            assert 0 < model.profile_gap_ == outcome.profile_gap < 0.5
            assert outcome.ratio is outcome.evaluations is outcome.weights is None
    assert min(scores["profile"]) > 0.5 > max(scores["published"])


@max_examples(25)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(PROGRAMS),
    st.sampled_from(BALANCES),
    st.integers(1, 4),
    st.integers(1, 2),
    st.booleans(),
)
def test_similarity_is_that_of_profiles_and_no_less_than_the_bound(
    seed, program, balance, clusters, count, tied
):
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (16, 2)) if tied else random.normal(size=(16, 2))
    known = [random.permutation(np.arange(16) % size) for size in random.integers(1, 5, count)]
    how = {"program": program, "balance": balance, "tolerance": 0.5, "n_init": 2, "mip_gap": 0.05}
    with warnings.catch_warnings():
        # The bounds may be infeasible.
        warnings.filterwarnings("ignore", "the largest deviation", UserWarning)
        model = fit(X, np.column_stack(known), n_clusters=clusters, n_bins=4, **how)
    profiles = [naive_density.vectors(naive_density.profile(X, one, 4)) for one in known]
    found = naive_density.vectors(naive_density.profile(X, model.labels_, 4))
    assert model.similarity_ == sum(naive_density.similarity(one, found) for one in profiles)
    parts = naive.overlaps(dict(enumerate(model.binning_.bins(X).codes)), known)
    ends = np.cumsum([len(set(one)) for one in known])[:-1]
    blocks = np.split(parts, ends, axis=1)
    assert model.lower_bound_ == pytest.approx(sum(naive.bound_of(b, clusters) for b in blocks))
    assert model.lower_bound_ <= model.similarity_
    if program == "objects":
        assert len(set(model.labels_)) == clusters
        ratio = max(1e-9, ratio_of(model, X, known, clusters))
        assert model.outcomes_[0].ratio >= ratio * (1 - 1e-9)


def unbalanced():
    X, _ = cloud(150, 1)
    known = np.repeat([0, 1, 2], [3, 20, 127])
    return X + 3 * known[:, None], known


def tied():
    random = np.random.default_rng(2)
    X = random.integers(0, 2, (150, 3)).astype(float)
    return X, (X[:, 0] + (random.random(150) < 0.2)).astype(int)


@each_balance
@pytest.mark.parametrize("data", [cloud, unbalanced, tied])
@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.5])
def test_bounds_hold(balance, data, tolerance):
    X, known = data()
    model = fit(X, known, balance=balance, tolerance=tolerance, min_cluster_size=0.1, n_init=3)
    clusters = len(set(known))
    assert ratio_of(model, X, [known], clusters) <= 1 + 1e-9
    assert model.outcomes_[0].status == "feasible"
    sizes = np.bincount(model.labels_)
    assert sizes.size == clusters
    assert sizes.min() >= 0.1 * len(X)


def test_prescribed_sizes_are_kept():
    X, known = cloud(200, 4)
    for proportions in ([0.7, 0.2, 0.1], np.array([0.05, 0.05, 0.9])):
        model = fit(X, known, size_proportions=proportions, tolerance=0.1)
        sizes = np.sort(np.bincount(model.labels_, minlength=3))
        wanted = 200 * np.sort(proportions)
        assert (sizes >= np.floor(0.9 * wanted)).all()
        assert (sizes <= np.ceil(1.1 * wanted)).all()
        assert ratio_of(model, X, [known], 3) <= 1 + 1e-9


def test_same_seed_same_labels():
    X, known = cloud(80)
    how = {"program": "profile", "n_init": 2, "mip_gap": 0.05}
    first = fit(X, known, **how)
    again = clone(first).fit(X, known)
    np.testing.assert_array_equal(first.labels_, again.labels_)
    assert first.get_params() == again.get_params()


def test_labels_do_not_depend_on_threads():
    data = make_alternatives(70_000, (3, 3), separation=3, random_state=0)
    labels = []
    for count in (1, 3):
        with cw.threads(count, oversubscribe=True):
            model = fit(data.X, data.labels[:, 0], balance="profile", n_init=1, max_iter=5)
        labels.append(model.labels_)
    np.testing.assert_array_equal(*labels)


@each_balance
def test_starts_compete_on_a_sample(balance):
    """Beyond 20,000 objects; one given cluster is so rare that the sample may miss it."""
    data = make_alternatives(21_000, (2, 2), separation=8, random_state=1)
    known = data.labels[:, 0].copy()
    # The profile of two objects that are alike could not be balanced over the clusters.
    if balance != "profile":
        known[:2] = 2
    model = fit(data.X, known, n_clusters=2, balance=balance, n_init=2)
    assert cw.adjusted_rand_score(model.labels_, data.labels[:, 1]) >= 0.95
    assert model.outcomes_[0].status == "feasible"


@each_balance
@pytest.mark.filterwarnings("ignore:(all objects of X are equal|X has 3 distinct objects)")
@pytest.mark.parametrize("clusters", [1, 2, 7, 12])
@pytest.mark.parametrize("kind", ["equal", "few", "apart"])
def test_as_many_clusters_as_asked_for(balance, clusters, kind):
    """Also where there are fewer different objects than clusters."""
    X = {"equal": np.zeros((12, 2)), "few": np.arange(12)[:, None] % 3, "apart": np.eye(12)}[kind]
    known = np.arange(12) // 6
    model = fit(X, known, n_clusters=clusters, balance=balance, n_init=2)
    assert len(set(model.labels_)) == clusters
    assert ratio_of(model, X, [known], clusters) <= 1 + 1e-9


def test_bins():
    X, known = cloud(40)
    how = {"program": "profile", "n_init": 2, "tolerance": 0.2, "mip_gap": 0.05}
    model = fit(X, known, binning="frequency", n_bins=5, **how)
    fitted = Binning("frequency", 5).fit(X)
    assert model.binning_.bin_names() == fitted.bin_names()
    np.testing.assert_array_equal(fit(X, known, binning=fitted, **how).labels_, model.labels_)


def test_votes_do_not_leave_small_clusters():
    X, known = cloud(60, 5)
    how = {"min_cluster_size": 15, "n_init": 2, "mip_gap": 0.05, "program": "profile"}
    for seed in range(4):
        assert np.bincount(fit(X, known, random_state=seed, **how).labels_).min() >= 15


def test_time_limits():
    X, known = cloud(60)
    model = fit(X, known, program="published", time_limit=0.0)
    assert model.outcomes_[0].status == "time limit"
    with pytest.raises(cw.InputError, match=r"was not found in 0 s; allow more time"):
        fit(X, known, program="profile", time_limit=0.0)
    one, all_of_them = fit(X, known, time_limit=0.0), fit(X, known)
    assert one.outcomes_[0].evaluations < all_of_them.outcomes_[0].evaluations
    assert one.n_iter_ < all_of_them.n_iter_ == all_of_them.outcomes_[0].n_iter


def test_it_warns_if_the_bounds_are_infeasible():
    """Eight clusterings to be independent of, five objects in each cluster."""
    X, known = cloud(40)
    many = np.column_stack([known, *(np.arange(40) % m for m in range(2, 9))])
    with pytest.warns(UserWarning, match=r"is [\d.]+ times its bound; raise the tol"):
        model = fit(
            X, many, n_clusters=8, tolerance=0.0, size_proportions=np.full(8, 0.125), max_iter=1
        )
    assert model.outcomes_[0].status == "infeasible"
    assert model.outcomes_[0].ratio > 1


def test_proportions_and_sizes_may_not_contradict_each_other():
    X, known = cloud(20, clusters=2)
    with pytest.raises(cw.InputError, match="leave less than min_cluster_size=3 for a cluster"):
        fit(X, known, size_proportions=[0.9, 0.1], tolerance=0.0, min_cluster_size=3)


NOT_PROPORTIONS = "pass 3 positive numbers that add up to 1."


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"program": "x"}, "program='x' is unknown; use 'objects', 'profile' or 'published'."),
        ({"balance": "x"}, "balance='x' is unknown; use 'membership', 'matching' or 'profile"),
        ({"assignment": "x"}, "assignment='x' is unknown; use 'exact' or 'greedy'."),
        ({"max_iter": 0}, "max_iter=0; use an integer of at least 1."),
        ({"size_proportions": [0.5, 0.5]}, f"size_proportions=[0.5, 0.5]: {NOT_PROPORTIONS}"),
        (
            {"size_proportions": [0.5, 0.5, 0.0]},
            f"size_proportions=[0.5, 0.5, 0.0]: {NOT_PROPORTIONS}",
        ),
        (
            {"size_proportions": [0.5, 0.5, 0.5]},
            f"size_proportions=[0.5, 0.5, 0.5]: {NOT_PROPORTIONS}",
        ),
        ({"n_bins": 0}, "n_bins=0; use an integer from 1 to 1000000."),
    ],
)
def test_what_is_refused(how, message):
    X, known = cloud(60)
    with pytest.raises(cw.InputError) as caught:
        fit(X, known, **how)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("program", ["profile", "published"])
@pytest.mark.parametrize("how", [{"size_proportions": [0.4, 0.3, 0.3]}, {"local_search": True}])
def test_profiles_have_no_parameters_of_objects(program, how):
    X, known = cloud(60)
    with pytest.raises(cw.InputError) as caught:
        fit(X, known, program=program, **how)
    assert str(caught.value) == (
        f"program='{program}' has no size_proportions and local_search; use program='objects'."
    )
