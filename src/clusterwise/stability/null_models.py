"""Data without clusters that resemble given data: null models of stability."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from clusterwise.alternatives.evidence.margins import UnimodalDensity, spread_ties
from clusterwise.inputs.encoding import Array

Null = Literal["gaussian", "unimodal", "independent"]
Draw = Callable[[np.random.RandomState], Array]
# What each null model is, in sentences.
WORDS: dict[str, str] = {
    "gaussian": "one Gaussian cluster",
    "unimodal": "one cluster with the skewness and tails of the features",
    "independent": "independent features",
}


def fit_null(name: Null, points: Array, owners: Array, random: np.random.RandomState) -> Draw:
    """Return the function that draws as many objects as there are from a null model.

    ``owners`` are the features that the columns of the points belong to.
    """
    if name == "gaussian":
        return _fit_gaussian(points)
    if name == "unimodal":
        return _fit_unimodal(points, random)
    return lambda random: _permute_features(points, owners, random)


def _fit_gaussian(points: Array) -> Draw:
    """Return draws from the normal distribution with the mean and covariance of the points."""
    mean = points.mean(axis=0)
    factor = _normal_factor(points - mean)
    n = len(points)
    return lambda random: mean + random.normal(size=(n, len(factor))) @ factor


def _fit_unimodal(points: Array, random: np.random.RandomState) -> Draw:
    """Return draws from one cluster with the shapes and the correlations of the columns.

    Each column has the unimodal distribution that fits it best, and their normal scores have the
    correlations of the normal scores of the points (a Gaussian copula).
    """
    n, width = points.shape
    margins = [_Margin.fit(column, random) for column in points.T]
    scores = np.column_stack([margin.scores for margin in margins])
    factor = _normal_factor(scores - scores.mean(axis=0))
    deviations = np.sqrt((factor**2).sum(axis=0))
    factor = factor / np.where(deviations > 0, deviations, 1.0)

    def draw(random: np.random.RandomState) -> Array:
        probabilities = ndtr(random.normal(size=(n, len(factor))) @ factor)
        drawn = np.empty((n, width))
        for r, margin in enumerate(margins):
            drawn[:, r] = margin.quantiles(probabilities[:, r])
        return drawn

    return draw


def _permute_features(points: Array, owners: Array, random: np.random.RandomState) -> Array:
    """Permute each feature; the columns of a categorical one stay together."""
    drawn = np.empty_like(points)
    for owner in np.unique(owners):
        columns = np.flatnonzero(owners == owner)
        drawn[:, columns] = points[np.ix_(random.permutation(len(points)), columns)]
    return drawn


def _normal_factor(centred: Array) -> Array:
    """Return a matrix F such that z F has the covariance of the rows for standard normal z."""
    n, width = centred.shape
    if n <= width:
        return np.asarray(centred / np.sqrt(max(n - 1, 1)))
    values, vectors = np.linalg.eigh(centred.T @ centred / (n - 1))
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))).T)


class _Margin(NamedTuple):
    """The unimodal distribution of a column: values at cumulative probabilities.

    ``scores`` are the normal scores of the column. ``distinct`` are its distinct values if they
    repeat, to which draws are rounded; else None.
    """

    values: Array
    probabilities: Array
    scores: Array
    distinct: Array | None

    @classmethod
    def fit(cls, column: Array, random: np.random.RandomState) -> "_Margin":
        distinct = np.unique(column)
        if distinct.size == 1:
            value = distinct[[0, 0]]
            return cls(value, np.array([0.0, 1.0]), np.zeros(column.size), None)
        spread = spread_ties(column, random)
        ordered = np.sort(spread)
        scores = np.empty(column.size)
        scores[np.argsort(spread, kind="stable")] = ndtri(
            (np.arange(column.size) + 0.5) / column.size
        )
        density = UnimodalDensity.fit(spread)
        edges, masses = density.edges, density.heights * np.diff(density.edges)
        sums = np.concatenate([[0.0], np.cumsum(masses / masses.sum())])
        # Within the first and the last interval the tails are those of the values themselves.
        low = ordered[ordered < edges[1]]
        high = ordered[ordered > edges[-2]]
        values = np.concatenate([low, edges[1:-1], high])
        probabilities = np.concatenate(
            [
                sums[1] * np.arange(low.size) / max(low.size, 1),
                sums[1:-1],
                1.0 - (1.0 - sums[-2]) * np.arange(high.size)[::-1] / max(high.size, 1),
            ]
        )
        repeated = distinct if distinct.size < column.size else None
        return cls(values, probabilities, scores, repeated)

    def quantiles(self, probabilities: Array) -> Array:
        found = np.interp(probabilities, self.probabilities, self.values)
        if self.distinct is None:
            return found
        after = np.clip(np.searchsorted(self.distinct, found), 1, self.distinct.size - 1)
        below, above = self.distinct[after - 1], self.distinct[after]
        return np.asarray(np.where(found - below <= above - found, below, above))
