"""Margins without clusters: ties are spread, unimodal densities integrate to 1."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from clusterwise.alternatives.evidence.margins import (
    UnimodalDensity,
    fit_margin,
    group_objects,
    spread_ties,
)

SEEDS = st.integers(0, 10_000)
TIED = st.lists(st.integers(-9, 9), min_size=1, max_size=40).map(
    lambda values: np.array(values, float)
)


def spread(values, seed=0):
    return spread_ties(values, np.random.RandomState(seed))


# --- ties


@given(TIED, SEEDS)
def test_the_order_of_distinct_values_is_kept(values, seed):
    order = np.argsort(values, kind="stable")
    before, after = values[order], spread(values, seed)[order]
    for value, following in zip(np.unique(values)[:-1], np.unique(values)[1:], strict=True):
        assert after[before == value].max() <= after[before == following].min()


@given(TIED, SEEDS)
def test_values_that_occur_once_stay(values, seed):
    distinct, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    after = spread(values, seed)
    once = counts[codes] == 1
    np.testing.assert_array_equal(after[once], values[once])
    if distinct.size > 1:
        repeated = after[~once]
        assert np.unique(repeated).size == repeated.size


@given(TIED, SEEDS)
def test_a_gap_remains_a_gap(values, seed):
    """No value moves further than half way to the next one, nor than the nearest one is."""
    distinct, after = np.unique(values), spread(values, seed)
    for before, here in zip(values, after, strict=True):
        others = np.abs(distinct[distinct != before] - before)
        side = distinct[distinct > before] if here > before else distinct[distinct < before]
        if others.size:
            assert abs(here - before) <= others.min() * (1 + 1e-12)
        if side.size:
            assert abs(here - before) <= np.abs(side - before).min() / 2 * (1 + 1e-12)


@pytest.mark.parametrize("values", [[3.0, 3.0, 3.0], [1.0, 2.5, 7.0]])
def test_constants_and_distinct_values_are_not_spread(values):
    assert spread(np.array(values)).tolist() == values


def test_two_values_fill_the_interval_around_them():
    values = np.repeat([0.0, 1.0], 500)
    after = spread(values)
    assert -0.5 <= after.min() < -0.49
    assert 1.49 < after.max() <= 1.5
    histogram, _ = np.histogram(after, bins=10, range=(-0.5, 1.5))
    assert histogram.min() > 70


# --- densities

SHAPES = {
    "normal": lambda random, n: random.normal(size=n),
    "uniform": lambda random, n: random.uniform(size=n),
    "lognormal": lambda random, n: random.lognormal(size=n),
    "t": lambda random, n: random.standard_t(3, size=n),
    "two modes": lambda random, n: random.normal(size=n) + 8 * (np.arange(n) % 2),
}


def density_at(density, value):
    return float(np.exp(density.log_likelihood(np.array([value]))))


@pytest.mark.parametrize("n", [5, 60, 400])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_density_integrates_to_one_with_its_tails(shape, n):
    density = UnimodalDensity.fit(SHAPES[shape](np.random.default_rng(n), n))
    edges = density.edges
    middles, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    inside = sum(density_at(density, x) * w for x, w in zip(middles, widths, strict=True))
    assert inside == pytest.approx(1.0 - 1.0 / n)
    for start, step in ((edges[0], -widths[0]), (edges[-1], widths[-1])):
        # In units of the interval at the edge; further away it is less than e^-40.
        tail, _ = quad(lambda x, a=start, b=step: density_at(density, a + b * x), 0.0, 40.0)
        assert abs(step) * tail == pytest.approx(0.5 / n, rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_log_likelihoods_add_up(shape):
    values = SHAPES[shape](np.random.default_rng(3), 80)
    density = UnimodalDensity.fit(values[:50])
    expected = sum(np.log(density_at(density, x)) for x in values)
    assert density.log_likelihood(values) == pytest.approx(expected)
    assert np.isfinite(density.log_likelihood(np.array([-1e6, 1e6])))


@given(SEEDS, st.sampled_from(sorted(SHAPES)), st.integers(2, 100))
def test_it_is_unimodal(seed, shape, n):
    values = np.sort(SHAPES[shape](np.random.default_rng(seed), n))
    density = UnimodalDensity.fit(values)
    steps = np.diff(density.heights)
    mode = int(density.heights.argmax())
    assert (steps[:mode] >= 0).all()
    assert (steps[mode:] <= 0).all()


# --- the choice of a margin


def margin_of(values, cells=None):
    """The margin of values of the same given cluster, or of several."""
    cells = np.zeros(values.size, int) if cells is None else cells
    means = np.bincount(cells, values) / np.bincount(cells)
    return fit_margin(values, values - means[cells], group_objects(cells), np.random.RandomState(0))


@pytest.mark.parametrize("shape", ["normal", "uniform", "lognormal", "t"])
def test_normal_or_any_unimodal_density(shape):
    values = SHAPES[shape](np.random.default_rng(0), 2_000)
    margin = margin_of(values)
    assert margin.normal == (shape == "normal")
    likelihood = norm.logpdf(values, values.mean(), values.std()).sum()
    assert margin.log_likelihood >= likelihood - 1e-6
    if margin.normal:
        assert margin.log_likelihood == pytest.approx(likelihood)
    assert margin.scores.mean() == pytest.approx(0, abs=1e-9)
    assert margin.scores.std() == pytest.approx(1)
    # Scores are in the order of the values.
    assert (np.diff(margin.scores[np.argsort(values)]) >= 0).all()


@pytest.mark.parametrize("shape", ["uniform", "lognormal", "two modes"])
def test_scores_by_the_unimodal_distribution_keep_gaps(shape):
    """Their likelihood with any mean and variance is larger by the gain."""
    values = SHAPES[shape](np.random.default_rng(0), 400)
    found = fit_margin(
        values, values - values.mean(), [np.arange(400)], np.random.RandomState(0), ranks=False
    )
    assert not found.normal
    scores = norm.ppf(UnimodalDensity.fit(values).probabilities(values))
    np.testing.assert_allclose(found.scores, (scores - scores.mean()) / scores.std())
    own = norm.logpdf(scores, scores.mean(), scores.std()).sum()
    assert found.gain == pytest.approx(own - norm.logpdf(scores).sum())
    assert found.gain >= 0
    if shape == "two modes":
        ordered = np.sort(found.scores)
        ranks = np.sort(margin_of(values).scores)
        assert np.diff(ordered[100:300]).max() > 5 * np.diff(ranks[100:300]).max()


@given(SEEDS, st.sampled_from(sorted(SHAPES)), st.integers(2, 100))
def test_probabilities_are_those_of_the_density(seed, shape, n):
    values = SHAPES[shape](np.random.default_rng(seed), n)
    density = UnimodalDensity.fit(values)
    found = density.probabilities(values)
    assert ((found > 0) & (found < 1)).all()
    assert (np.diff(found[np.argsort(values)]) >= 0).all()
    below = [
        sum(
            height * max(0.0, min(x, end) - start)
            for height, start, end in zip(
                density.heights, density.edges[:-1], density.edges[1:], strict=True
            )
        )
        for x in values
    ]
    np.testing.assert_allclose(found, (np.array(below) * n + 0.5) / (n + 1), atol=1e-6)


def test_few_objects_are_normal():
    values = SHAPES["lognormal"](np.random.default_rng(0), 139)
    assert margin_of(values[:39]).normal
    # So are those of given clusters, if one of them has few.
    assert margin_of(values, (np.arange(139) < 39).astype(int)).normal
    assert group_objects(np.repeat([0, 1], [39, 100])) == []
    assert [rows.size for rows in group_objects(np.repeat([0, 2], [40, 99]))] == [40, 99]


def test_each_given_cluster_has_its_own_distribution():
    random, cells = np.random.default_rng(0), np.arange(800) % 2
    values = np.where(cells, -1.0, 1.0) * random.lognormal(size=800) + 5 * cells
    margin = margin_of(values, cells)
    assert not margin.normal
    for cell in (0, 1):
        here = margin.scores[cells == cell]
        assert (np.diff(here[np.argsort(values[cells == cell])]) > 0).all()
        assert here.mean() == pytest.approx(0, abs=1e-9)
        assert here.std() == pytest.approx(1)


@given(SEEDS, st.sampled_from(sorted(SHAPES)), st.floats(0.01, 100), st.floats(-1000, 1000))
def test_units_do_not_matter(seed, shape, scale, shift):
    values = SHAPES[shape](np.random.default_rng(seed), 60)
    one = margin_of(values)
    other = margin_of(values * scale + shift)
    assert other.normal == one.normal
    expected = one.log_likelihood - 60 * np.log(scale)
    # Values that vary by 0.01 around 1,000 have lost 5 of 16 digits.
    assert other.log_likelihood == pytest.approx(expected, abs=1e-6)
    np.testing.assert_allclose(other.scores, one.scores, atol=1e-7)
