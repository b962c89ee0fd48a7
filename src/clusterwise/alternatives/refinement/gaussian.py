"""The model of numeric features: additive effects of given and new clusters, normal residuals."""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import solve_normal_equations
from clusterwise.alternatives.refinement.model import LogLikelihoods
from clusterwise.inputs.encoding import Array

# A full residual covariance is considered only up to this many features.
_MOST_FEATURES = 100
# The least residual variance, as a fraction of the variance of the feature.
_LEAST_VARIANCE = 1e-6


def fit_gaussian(numeric: Array, given: Given, responsibilities: Array) -> LogLikelihoods:
    """Fit the model to responsibilities, K × n."""
    n, width = numeric.shape
    clusters = len(responsibilities)
    if not width:
        return LogLikelihoods(np.zeros((clusters, n)), 0.0)
    effects = _fit_effects(numeric, given, responsibilities)
    rest = numeric - given.indicators @ effects[:-clusters]
    centres = effects[-clusters:]
    residual = _choose_covariance(rest, centres, responsibilities, (numeric**2).mean(axis=0))
    rest, centres = residual.whiten(rest), residual.whiten(centres)
    values = centres @ rest.T
    values -= 0.5 * (centres**2).sum(axis=1, keepdims=True)
    return LogLikelihoods(values, residual.penalty + 0.5 * float(np.vdot(rest, rest)))


def _fit_effects(numeric: Array, given: Given, responsibilities: Array) -> Array:
    """Return the effects of the given clusters and then of the new ones, by least squares."""
    known = given.indicators
    between = known.T @ responsibilities.T
    sizes = np.diag(responsibilities.sum(axis=1))
    gram = np.block([[(known.T @ known).toarray(), between], [between.T, sizes]])
    sums = np.vstack([known.T @ numeric, responsibilities @ numeric])
    return solve_normal_equations(gram, sums)


class _ResidualCovariance(NamedTuple):
    """A whitening transform, a factor per feature or a matrix, with its log-volume and penalty."""

    factors: Array
    penalty: float

    def whiten(self, numeric: Array) -> Array:
        """Return features whose residuals have unit covariance."""
        diagonal = self.factors.ndim == 1
        return np.asarray(numeric * self.factors if diagonal else numeric @ self.factors)


def _choose_covariance(
    rest: Array, centres: Array, responsibilities: Array, variances: Array
) -> _ResidualCovariance:
    """Residual covariance: spherical, diagonal or full, chosen by BIC."""
    n, width = rest.shape
    per_parameter, least = 0.5 * np.log(n), _LEAST_VARIANCE * variances
    expected, weights = responsibilities.T @ centres, responsibilities.mean(axis=1)
    own = (rest * (rest - 2 * expected)).mean(axis=0) + weights @ centres**2 + least
    choices = [
        _ResidualCovariance(each**-0.5, 0.5 * n * float(np.log(each).sum()) + per_parameter * count)
        for each, count in ((np.full(width, own.mean()), 1), (own, width))
    ]
    if width <= _MOST_FEATURES:
        cross = rest.T @ (rest - expected) - expected.T @ rest
        full = cross / n + centres.T @ (centres * weights[:, None]) + np.diag(least)
        root = linalg.cholesky(full, lower=True)
        factors = linalg.solve_triangular(root, np.eye(width), lower=True).T
        volume = n * float(np.log(np.diag(root)).sum())
        penalty = volume + per_parameter * width * (width + 1) / 2
        choices.append(_ResidualCovariance(factors, penalty))
    return min(choices, key=lambda choice: choice.penalty)
