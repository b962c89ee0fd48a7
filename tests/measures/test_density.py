"""ADCO and related measures: values of the paper, properties, options."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.measures._profile_products import sample_profile
from clusterwise.measures.catalogue import CATALOGUE
from reference import density as naive

DENSITY = [measure for measure in CATALOGUE.values() if measure.family == "density"]


def profile_of(vectors, features=1):
    """A profile with these counts: a vector per cluster, features of equal size."""
    counts = np.array(vectors)
    bins = counts.shape[1] // features
    edges = {f"x{r}": list(range(bins + 1)) for r in range(features)}
    binning = cw.Binning.from_edges(edges)
    with_missing = np.zeros((len(counts), features, bins + 1), counts.dtype)
    with_missing[:, :, :bins] = counts.reshape(len(counts), features, bins)
    outside = np.zeros(features, np.int64)
    flat = with_missing.reshape(len(counts), -1)
    return cw.DensityProfile(flat, np.arange(len(counts)), binning, outside, outside)


values = st.floats(-5, 5, allow_nan=False).map(lambda value: round(value, 1))


@st.composite
def data(draw, *, clusterings=2, max_size=12, missing=False):
    n, features = draw(st.integers(1, max_size)), draw(st.integers(1, 3))
    value = st.one_of(values, st.just(float("nan"))) if missing else values
    row = st.lists(value, min_size=features, max_size=features)
    X = draw(st.lists(row, min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return X, *(draw(labels) for _ in range(clusterings))


@st.composite
def profiles(draw, how_many):
    """Profiles of equal numbers of bins, of different numbers of clusters and objects."""
    bins = draw(st.integers(1, 4))
    vector = st.lists(st.integers(0, 6), min_size=bins, max_size=bins).filter(any)
    return [profile_of(draw(st.lists(vector, min_size=1, max_size=3))) for _ in range(how_many)]


def test_figure_3_of_the_paper():
    first = profile_of([[8, 0, 5, 3], [0, 6, 3, 3]], features=2)
    second = profile_of([[5, 2, 2, 5], [3, 4, 6, 1]], features=2)
    assert cw.adco_score(first, second) == 110 / 152
    assert cw.profile_cosine_score(first, second) == pytest.approx(110 / (152 * 120) ** 0.5)


def test_bob_and_alice():
    names = [["Bob"], ["Bob"], ["Alice"], ["Alice"]]
    assert cw.adco_score([1, 2, 1, 2], [2, 1, 1, 2], names) == 1
    assert cw.rand_score([1, 2, 1, 2], [2, 1, 1, 2]) == pytest.approx(1 / 3)


def test_sizes_matter_to_adco_but_not_to_the_cosine():
    few, many = profile_of([[1, 1]]), profile_of([[100, 100]])
    assert cw.adco_score(few, many) == 0.01
    assert cw.profile_cosine_score(few, many) == pytest.approx(1)
    assert cw.adco_score(few, many, size="sample", random_state=0) in (1.0, 0.5)
    for seed in (None, np.random.RandomState(0), np.random.default_rng(0)):
        assert cw.adco_score(few, many, size="sample", random_state=seed) in (1.0, 0.5)
    with pytest.raises(cw.InputError, match="random_state=-1 is not a seed"):
        cw.adco_score(few, many, size="sample", random_state=-1)


def test_one_minus_adco_is_no_metric():
    a, b, c = (profile_of([v]) for v in ([0, 1, 1, 5], [0, 0, 4, 3], [1, 1, 5, 0]))
    direct = cw.adco_distance(a, c)
    detour = cw.adco_distance(a, b) + cw.adco_distance(b, c)
    assert direct - detour == pytest.approx(2 / 9)
    printed = [profile_of([v]) for v in ([3, 0, 0, 4], [3, 3, 0, 1], [1, 0, 2, 4])]
    found = [cw.adco_distance(printed[i], printed[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found == pytest.approx([0.48, 0.24, 2 / 3], abs=1e-12)
    assert found[2] <= found[0] + found[1]


@given(three=profiles(3))
def test_the_other_form_is_a_metric(three):
    a, b, c = three
    ab, bc, ac = (cw.adco_distance(*pair, metric=True) for pair in ((a, b), (b, c), (a, c)))
    assert ac <= ab + bc + 1e-12
    assert (ab == 0) == (sorted(a.counts.tolist()) == sorted(b.counts.tolist()))


@given(case=data(missing=True), n_bins=st.integers(1, 5))
def test_values_follow_the_definition(case, n_bins):
    X, a, b = case
    first, second = (naive.vectors(naive.profile(X, labels, n_bins)) for labels in (a, b))
    assert cw.adco_score(a, b, X, n_bins=n_bins) == pytest.approx(naive.adco(first, second))
    found = cw.profile_cosine_score(a, b, X, n_bins=n_bins)
    assert found == pytest.approx(naive.cosine(first, second))


@pytest.mark.parametrize("measure", DENSITY, ids=lambda measure: measure.name)
@given(two=profiles(2))
def test_range_and_symmetry(measure, two):
    a, b = two
    value = measure.function(a, b)
    assert measure.low <= value <= measure.upper_end(a.n) + 1e-12
    assert measure.symmetric
    assert value == pytest.approx(measure.function(b, a), abs=1e-12)


@pytest.mark.parametrize("measure", DENSITY, ids=lambda measure: measure.name)
@given(case=data(), seed=st.integers(0, 1000))
def test_names_and_order_do_not_matter(measure, case, seed):
    X, a, b = case
    order = np.random.default_rng(seed).permutation(len(a))
    renamed = [f"c{3 - label}" for label in a]
    value = measure.function(a, b, X)
    shuffled = [[part[i] for i in order] for part in (renamed, b, X)]
    assert measure.function(*shuffled) == pytest.approx(value, abs=1e-12)
    best = 0.0 if measure.direction == "distance" else 1.0
    assert measure.function(a, renamed, X) == pytest.approx(best, abs=1e-12)


@given(two=profiles(2))
def test_adco_never_exceeds_the_cosine(two):
    assert cw.adco_score(*two) <= cw.profile_cosine_score(*two) + 1e-12


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", lambda a, b: a @ b.T])
@pytest.mark.parametrize("matching", ["one-to-one", "soft"])
@given(two=profiles(2))
def test_options_keep_range_symmetry_and_identity(kernel, matching, two):
    a, b = two
    options = {"kernel": kernel, "matching": matching}
    value = cw.adco_score(a, b, **options)
    assert -1e-12 <= value <= 1
    assert value == pytest.approx(cw.adco_score(b, a, **options), abs=1e-9)
    assert cw.adco_score(a, a, **options) == pytest.approx(1)


@given(two=profiles(2))
def test_soft_matching_of_equal_numbers_is_one_to_one(two):
    a, b = two
    if len(a.names) == len(b.names):
        soft = cw.adco_score(a, b, matching="soft")
        assert soft == pytest.approx(cw.adco_score(a, b), abs=1e-9)


def test_pairs_depend_on_the_association_of_features():
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 5, float)
    a = [0, 0, 1, 1] * 5  # the same marginals in both clusters, but another association
    b = [0, 1, 0, 1] * 5
    assert cw.adco_score(a, np.zeros(20), X, n_bins=2) == pytest.approx(0.5)
    assert cw.adco_score(a, b, X, n_bins=2, profile="pairs") == pytest.approx(0.5)
    assert cw.adco_score(a, [1, 1, 0, 0] * 5, X, n_bins=2, profile="pairs") == 1


@given(case=data(max_size=10))
def test_pairs_follow_the_definition(case):
    X, a, b = case
    binning = cw.Binning(n_bins=3).fit(X)
    codes = binning.bins(X).codes
    joint = [
        [(s, r, int(codes[s][i]), int(codes[r][i])) for r in range(len(codes)) for s in range(r)]
        for i in range(len(X))
    ]
    sides = []
    for labels in (a, b):
        vectors = {}
        for cells, label in zip(joint, labels, strict=True):
            vector = vectors.setdefault(label, {})
            for cell in cells:
                vector[cell] = vector.get(cell, 0) + 1
        sides.append(list(vectors.values()))
    expected = naive.adco(*sides) if len(codes) > 1 else 1.0
    found = cw.adco_score(a, b, X, binning=binning, profile="pairs")
    assert found == pytest.approx(expected)


@given(two=profiles(1), share=st.floats(0.1, 1))
def test_samples_are_stratified(two, share):
    (profile,) = two
    n = max(1, int(profile.n * share))
    sample = sample_profile(profile, n, 0)
    assert sample.n == n
    assert (sample == sample_profile(profile, n, 0)) is True
    kept = np.searchsorted(profile.names, sample.names)
    assert (sample.counts <= profile.counts[kept]).all()
    assert (np.abs(sample.sizes - profile.sizes[kept] * n / profile.n) < 1).all()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a", "b"), {}, "two clusterings and X, or two ready"),
        (("p", "p", "X"), {}, "leave X out"),
        (("p", "p"), {"noise": "drop"}, "leave noise out"),
        (("p", "b", "X"), {}, "or two ready DensityProfiles"),
        (("p", "other"), {}, "different bins; fit one Binning"),
        (("a", "b", "X"), {"kernel": "cubic"}, "kernel='cubic' is unknown"),
        (("a", "b", "X"), {"matching": "none"}, "matching='none' is unknown"),
        (("a", "b", "X"), {"profile": "triples"}, "profile='triples' is unknown"),
        (("p", "p"), {"profile": "pairs"}, "needs labels and X"),
        (("a", "b", "short"), {}, "1 rows but there are 2 labels"),
        (("p", "q"), {"size": "half"}, "size='half' is unknown"),
        (("a", "b", "X"), {"kernel": lambda a, b: a}, "kernel returned shape"),
    ],
)
def test_refusals(arguments, options, message):
    known = {
        "a": [0, 1], "b": [0, 0], "X": [[0.0], [1.0]], "short": [[0.0]],
        "p": profile_of([[1, 2]]), "q": profile_of([[1, 3]]), "other": profile_of([[1, 2, 3]]),
    }  # fmt: skip
    with pytest.raises(cw.InputError, match=message):
        cw.adco_score(*(known[name] for name in arguments), **options)


@pytest.mark.parametrize("noise_label", [1, 3, -1])
def test_noise_that_is_dropped_takes_its_own_rows_along(noise_label):
    labels = np.array([0, 0, 9, 1, 1, 3, -1, 9])
    X = np.arange(8.0)[:, None]
    kept = labels != noise_label
    whole = cw.Binning(n_bins=4).fit(X)
    options = {"binning": whole, "noise": "drop", "noise_label": noise_label}
    found = cw.DensityProfile.from_data(X, labels, **options)
    assert found == cw.DensityProfile.from_data(X[kept], labels[kept], binning=whole)


def test_series_are_aligned_by_index():
    X = np.array([[0.0], [1.0], [8.0], [9.0]])
    a, b = pd.Series([0, 0, 1, 1], list("pqrs")), pd.Series([1, 1, 0, 0], list("srqp"))
    with pytest.raises(cw.InputError, match="series with different indexes; pass align='index'"):
        cw.adco_score(a, b, X)
    assert cw.adco_score(a, b[["q", "p", "s", "r"]], X, align="index") == 1.0
    assert cw.adco_score(a, b[["p", "s", "q", "r"]], X, align="position") < 1.0
    with pytest.warns(UserWarning, match="matched by index: 3 objects in common") as caught:
        assert cw.adco_score(a, b[:3], X, align="index") == 1.0
    assert caught[0].filename == __file__
