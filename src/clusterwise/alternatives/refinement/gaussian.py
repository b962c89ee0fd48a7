"""How likely the numbers of each object are in each cluster.

A number is the sum of what the given clusters, the own cluster and chance add to it.
"""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import solve_sums
from clusterwise.alternatives.refinement.likelihoods import Likelihoods
from clusterwise.inputs.encoding import Array

# Numbers have covariances only where they are so many at most.
_WIDEST = 100
# The least variance of chance, as a share of that of the number.
_LEAST = 1e-6


def judge_numbers(numbers: Array, given: Given, shares: Array) -> Likelihoods:
    """A model fitted to objects that have shares of clusters, K × n."""
    n, width = numbers.shape
    clusters = len(shares)
    if not width:
        return Likelihoods(np.zeros((clusters, n)), 0.0)
    added = _find_effects(numbers, given, shares)
    rest = numbers - given.indicators @ added[:-clusters]
    centres = added[-clusters:]
    noise = _find_noise(rest, centres, shares, (numbers**2).mean(axis=0))
    rest, centres = noise.whiten(rest), noise.whiten(centres)
    values = centres @ rest.T
    values -= 0.5 * (centres**2).sum(axis=1, keepdims=True)
    return Likelihoods(values, noise.price + 0.5 * float(np.vdot(rest, rest)))


def _find_effects(numbers: Array, given: Given, shares: Array) -> Array:
    """What each given cluster and then each cluster adds, by least squares."""
    known = given.indicators
    between = known.T @ shares.T
    common = np.block(
        [[(known.T @ known).toarray(), between], [between.T, np.diag(shares.sum(axis=1))]]
    )
    sums = np.vstack([known.T @ numbers, shares @ numbers])
    return solve_sums(common, sums)


class _Noise(NamedTuple):
    """What chance adds to numbers, once factors are applied: a column each, or a matrix for all."""

    factors: Array
    price: float

    def whiten(self, numbers: Array) -> Array:
        """Numbers to which chance adds as much in all directions."""
        apart = self.factors.ndim == 1
        return np.asarray(numbers * self.factors if apart else numbers @ self.factors)


def _find_noise(rest: Array, centres: Array, shares: Array, variances: Array) -> _Noise:
    """Chance is spherical, or has a variance for each number, or covariances, as BIC has it."""
    n, width = rest.shape
    unit, least = 0.5 * np.log(n), _LEAST * variances
    expected, weights = shares.T @ centres, shares.mean(axis=1)
    own = (rest * (rest - 2 * expected)).mean(axis=0) + weights @ centres**2 + least
    kinds = [
        _Noise(each**-0.5, 0.5 * n * float(np.log(each).sum()) + unit * count)
        for each, count in ((np.full(width, own.mean()), 1), (own, width))
    ]
    if width <= _WIDEST:
        both = rest.T @ (rest - expected) - expected.T @ rest
        joint = both / n + centres.T @ (centres * weights[:, None]) + np.diag(least)
        root = linalg.cholesky(joint, lower=True)
        factors = linalg.solve_triangular(root, np.eye(width), lower=True).T
        volume = n * float(np.log(np.diag(root)).sum())
        kinds.append(_Noise(factors, volume + unit * width * (width + 1) / 2))
    return min(kinds, key=lambda kind: kind.price)
