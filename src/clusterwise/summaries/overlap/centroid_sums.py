"""Sums of the feature vectors of every cluster, from which centroids follow."""

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.kernels.overlap import add_moments, add_rows

# Numbers above 2^300 or below 2^-300 are scaled before they are squared.
_LARGEST_EXPONENT = 300


@dataclass(frozen=True)
class CentroidSums:
    """Σ w p x of every cluster of two clusterings, and the moments of all objects.

    ``deviation`` is the square root of Σ w |x - mean|², in the units of x, so that it overflows
    only if these do. Sums of disjoint sets of objects can be added and subtracted.
    """

    sums_a: Array
    sums_b: Array
    weight: float
    mean: Array
    deviation: float

    @classmethod
    def empty(cls, height: int, width: int, features: int) -> "CentroidSums":
        """Return the sums of no objects."""
        sums = np.zeros((height, features)), np.zeros((width, features))
        return cls(*sums, 0.0, np.zeros(features), 0.0)

    @classmethod
    def from_block(
        cls, sides: tuple[Any, Any], X: Array, weights: Array, first: int
    ) -> "CentroidSums":
        """Sum over a block of objects that starts at row ``first``.

        Each of ``sides`` is a tuple of labels, the smallest label and the number of clusters, or
        a membership matrix.
        """
        mean, moments = np.zeros(X.shape[1]), np.zeros(2)
        exponent = _extreme_exponent(X)
        scaled = np.ldexp(X, -exponent) if exponent else X
        row = add_moments(read_only(scaled), read_only(weights), mean, moments)
        if row >= 0:
            column = int(np.argmin(np.isfinite(X[row])))
            raise InputError(
                f"X is {X[row, column]} at row {first + row}, column {column}, but a centroid "
                "needs finite numbers; fill it in, or leave the object out."
            )
        sums_a, sums_b = _sum_vectors(sides[0], X, weights), _sum_vectors(sides[1], X, weights)
        deviation = float(np.ldexp(np.sqrt(moments[1]), exponent))
        return cls(sums_a, sums_b, float(moments[0]), np.ldexp(mean, exponent), deviation)

    def transpose(self) -> "CentroidSums":
        """Return the sums with the clusterings exchanged."""
        return CentroidSums(self.sums_b, self.sums_a, self.weight, self.mean, self.deviation)

    def embed(self, rows: Array, columns: Array, shape: tuple[int, int]) -> "CentroidSums":
        """Return the sums over a larger set of clusters, at these indices in it."""
        sums_a = np.zeros((shape[0], self.sums_a.shape[1]))
        sums_b = np.zeros((shape[1], self.sums_b.shape[1]))
        sums_a[rows], sums_b[columns] = self.sums_a, self.sums_b
        return CentroidSums(sums_a, sums_b, self.weight, self.mean, self.deviation)

    def select(self, rows: Array, columns: Array) -> "CentroidSums":
        """Return the sums of some of the clusters."""
        sums = self.sums_a[rows], self.sums_b[columns]
        return CentroidSums(*sums, self.weight, self.mean, self.deviation)

    def __add__(self, other: "CentroidSums") -> "CentroidSums":
        return self._combine(other, 1)

    def __sub__(self, other: "CentroidSums") -> "CentroidSums":
        return self._combine(other, -1)

    def _combine(self, other: "CentroidSums", sign: int) -> "CentroidSums":
        """Combine moments by the rule of Chan, Golub and LeVeque (1983), without cancellation."""
        sums = self.sums_a + sign * other.sums_a, self.sums_b + sign * other.sums_b
        weight = self.weight + sign * other.weight
        if weight <= 0:
            return CentroidSums(*sums, 0.0, np.zeros_like(self.mean), 0.0)
        difference = other.mean - self.mean
        mean = self.mean + difference * (sign * other.weight / weight)
        # Square roots and hypotenuses, because squares of extreme numbers overflow or vanish.
        apart = hypot(*difference) * sqrt(self.weight / weight) * sqrt(other.weight)
        theirs = hypot(other.deviation, apart)
        if sign > 0:
            deviation = hypot(self.deviation, theirs)
        else:
            deviation = sqrt(max(0.0, self.deviation - theirs)) * sqrt(self.deviation + theirs)
        return CentroidSums(*sums, weight, mean, deviation)


def _extreme_exponent(X: Array) -> int:
    """Return the exponent of the largest number if its square may overflow or vanish, else 0."""
    exponent = int(np.frexp(np.abs(X).max(initial=0.0))[1])
    return exponent if abs(exponent) > _LARGEST_EXPONENT else 0


def _sum_vectors(side: Any, X: Array, weights: Array) -> Array:
    """Return Σ w p x of every cluster of one clustering."""
    if isinstance(side, tuple):
        labels, first, size = side
        sums = np.zeros((size, X.shape[1]))
        add_rows(labels, first, read_only(X), read_only(weights), sums)
        return sums
    weighted = X * weights[:, None] if weights.size else X
    return np.asarray(side.T @ weighted)
