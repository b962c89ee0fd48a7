"""How likely each object is in each cluster, if what is given has its part in it.

A number of an object is the sum of what its given clusters, its own cluster and chance add to it;
a name has a distribution, which may hang on them too.
"""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.removal import Means
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


def find_likelihoods(objects: Objects, given: Given, labels: Array, clusters: int) -> Likelihoods:
    """A model fitted to labels."""
    values, price = _of_numbers(objects.numbers, given, labels, clusters)
    if objects.names:
        joint = given.joint
        for codes in objects.names:
            more = _of_names(codes, joint, labels, clusters)
            values += more.values
            price += more.price
    return Likelihoods(values, price)


def _of_numbers(numbers: Array, given: Given, labels: Array, clusters: int) -> Likelihoods:
    n, width = numbers.shape
    if not width:
        return Likelihoods(np.zeros((clusters, n)), 0.0)
    added = Means.of(numbers, given.and_also(labels)).effects
    rest = numbers - given.indicators @ added[:-clusters]
    centres = added[-clusters:]
    noise = _find_noise(rest - centres[labels], (numbers**2).mean(axis=0))
    rest, centres = noise.whiten(rest), noise.whiten(centres)
    values = centres @ rest.T
    values -= 0.5 * (centres**2).sum(axis=1, keepdims=True)
    return Likelihoods(values, noise.price + 0.5 * float(np.vdot(rest, rest)))


class _Noise(NamedTuple):
    """What chance adds to numbers, once factors are applied: a column each, or a matrix for all."""

    factors: Array
    price: float

    def whiten(self, numbers: Array) -> Array:
        """Numbers to which chance adds as much in all directions."""
        apart = self.factors.ndim == 1
        return np.asarray(numbers * self.factors if apart else numbers @ self.factors)


def _find_noise(chance: Array, variances: Array) -> _Noise:
    """Chance is spherical, or has a variance for each number, or covariances, as BIC has it."""
    n, width = chance.shape
    unit = 0.5 * np.log(n)
    own = (chance**2).mean(axis=0) + _LEAST * variances
    kinds = [
        _Noise(each**-0.5, 0.5 * n * float(np.log(each).sum()) + unit * count)
        for each, count in ((np.full(width, own.mean()), 1), (own, width))
    ]
    if width <= _WIDEST:
        root = linalg.cholesky(chance.T @ chance / n + np.diag(_LEAST * variances), lower=True)
        factors = linalg.solve_triangular(root, np.eye(width), lower=True).T
        volume = n * float(np.log(np.diag(root)).sum())
        kinds.append(_Noise(factors, volume + unit * width * (width + 1) / 2))
    return min(kinds, key=lambda kind: kind.price)


def _of_names(codes: Array, joint: Array, labels: Array, clusters: int) -> Likelihoods:
    """One attribute: it hangs on nothing, on what is given, on the cluster or on both."""
    n, size, cells = codes.size, int(codes.max()) + 1, int(joint.max()) + 1
    if cells * size > n:
        joint, cells = np.zeros_like(joint), 1
    places = (joint * clusters + labels) * size + codes
    table = np.bincount(places, minlength=cells * clusters * size)
    table = table.reshape(cells, clusters, size)
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
