"""How likely each object is in each cluster, if what is given has its part in it.

A number of an object is the sum of what its given clusters, its own cluster and chance add to it;
a name has a distribution, which may hang on them too.
"""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.removal import solve_sums
from clusterwise.coordinates import read_coordinates
from clusterwise.encoding import Array
from clusterwise.features import Features

# Numbers have covariances only where they are so many at most.
_WIDEST = 100
# The least variance of chance, as a share of that of the number.
_LEAST = 1e-6
# What each value of a name is seen more often than it was.
_UNSEEN = 0.5


class Objects(NamedTuple):
    """Objects as a model sees them.

    ``numbers``, n × R, have mean 0; ``names`` are codes, an array for each attribute.
    """

    numbers: Array
    names: list[Array]


def split_objects(features: Features) -> Objects:
    """Numbers and names apart; a missing number is the mean, a missing name a value of its own."""
    points, owners = read_coordinates(features)
    nominal = np.array([column.kind == "nominal" for column in features.columns])
    numbers = points[:, ~nominal[owners]]
    numbers = numbers[:, np.ptp(numbers, axis=0) > 0]
    names = [points[:, owners == r].argmax(axis=1) for r in np.flatnonzero(nominal)]
    return Objects(numbers - numbers.mean(axis=0), names)


class Likelihoods(NamedTuple):
    """Logarithms of how likely each object is in each cluster, K × n.

    ``price`` is for all objects together: what they have in common for all clusters, and what
    the parameters of the model cost (BIC).
    """

    values: Array
    price: float


def find_likelihoods(objects: Objects, given: Given, shares: Array) -> Likelihoods:
    """A model fitted to objects that have shares of clusters, K × n."""
    values, price = _of_numbers(objects.numbers, given, shares)
    if objects.names:
        joint = given.joint
        for codes in objects.names:
            more = _of_names(codes, joint, shares)
            values += more.values
            price += more.price
    return Likelihoods(values, price)


def _of_numbers(numbers: Array, given: Given, shares: Array) -> Likelihoods:
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


def _of_names(codes: Array, joint: Array, shares: Array) -> Likelihoods:
    """One attribute: it hangs on nothing, on what is given, on the cluster or on both."""
    n, size, cells = codes.size, int(codes.max()) + 1, int(joint.max()) + 1
    if cells * size > n:
        joint, cells = np.zeros_like(joint), 1
    places = joint * size + codes
    tables = [np.bincount(places, share, minlength=cells * size) for share in shares]
    table = np.stack([each.reshape(cells, size) for each in tables], axis=1)
    guesses = []
    for axes in ((0, 1), (1,), (0,), ()):
        counts = table.sum(axis=axes, keepdims=True) if axes else table
        guess = counts + _UNSEEN
        guess = np.log(guess / guess.sum(axis=2, keepdims=True))
        price = 0.5 * counts.shape[0] * counts.shape[1] * (size - 1) * np.log(n)
        guesses.append((price - float((counts * guess).sum()), price, guess))
    _, price, guess = min(guesses, key=lambda each: each[0])
    values = np.broadcast_to(guess, table.shape)[joint, :, codes].T
    return Likelihoods(values, price)
