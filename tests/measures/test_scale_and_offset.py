"""Qualities do not depend on the unit or the origin of the features."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import clusterwise as cw
from clusterwise.measures.quality import QUALITIES

LABELS = np.repeat([0, 1, 2], 8)
# Multiples of 2^-10 below 16, so that X + 2^36 is exact.
X = np.rint(
    2**10 * (np.random.default_rng(0).normal(size=(24, 3)) + 3 * np.eye(3)[LABELS])
) / 2**10  # fmt: skip
OTHER = (X[:, 0] > X[:, 1]).astype(int)
DUNN = {
    f"{between} by {within}": lambda X, between=between, within=within: cw.dunn_score(
        X, LABELS, between=between, within=within
    )
    for between in (
        "single", "complete", "average", "centroid", "average-to-centroids", "hausdorff",
    )
    for within in ("diameter", "average", "centroid")
}  # fmt: skip
METRICS = {
    f"{name} of {metric}": lambda X, name=name, metric=metric: cw.quality_score(
        X, LABELS, name, metric=metric
    )
    for metric in (
        "sqeuclidean", "seuclidean", "mahalanobis", "cityblock", "chebyshev", "minkowski",
    )
    for name in ("dunn", "silhouette")
}  # fmt: skip
ALL = {
    **{name: lambda X, name=name: cw.quality_score(X, LABELS, name) for name in QUALITIES},
    **DUNN,
    **METRICS,
    "DQ": lambda X: cw.dq_score(X, LABELS, OTHER),
    "DQ by canonical": lambda X: cw.dq_score(X, LABELS, OTHER, quality="canonical"),
    "CSS": lambda X: cw.css_distance(LABELS, OTHER, X, normalized=True),
    "ADCO": lambda X: cw.adco_score(LABELS, OTHER, X),
}
every_quality = pytest.mark.parametrize("quality", ALL.values(), ids=ALL)


@given(exponent=st.integers(-1000, 1000))
@every_quality
def test_a_power_of_two_changes_nothing(quality, exponent):
    assert quality(np.ldexp(X, exponent)) == quality(X)


@given(offset=st.integers(-(2**12), 2**12))
@pytest.mark.parametrize("name", sorted(ALL.keys() - {"CSS"}))
def test_an_offset_changes_rounding_only(name, offset):
    # The sums are exact, so the data are the same. (CSS adds feature vectors with their offset.)
    quality = ALL[name]
    assert quality(X + offset * 2.0**24) == pytest.approx(quality(X), rel=1e-12)


@every_quality
def test_an_offset_that_rounds_the_data(quality):
    # At 1e12 floats are 1.2e-4 apart. Each value is rounded by half of that at most, and Dunn's
    # index is the most sensitive: a distance of 0.2 changes by less than a thousandth.
    assert quality(X + 1e12) == pytest.approx(quality(X), rel=2e-3)


@pytest.mark.parametrize("factor", [1e-170, 1e-12, 1e160])
@every_quality
def test_other_factors_change_rounding_only(quality, factor):
    assert quality(X * factor) == pytest.approx(quality(X), rel=1e-11)
