"""Where clusters lie: sums of their objects' vectors, and how far all objects spread."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.kernels.overlap import add_moments, add_rows


@dataclass(frozen=True)
class CentreSums:
    """Σ w p x of every cluster of two clusterings, and the moments of all objects.

    ``spread`` is Σ w |x - mean|². Sums add up, and leave by ``-``.
    """

    sums_a: Array
    sums_b: Array
    weight: float
    mean: Array
    spread: float

    @classmethod
    def empty(cls, height: int, width: int, features: int) -> "CentreSums":
        """The sums of no object."""
        sums = np.zeros((height, features)), np.zeros((width, features))
        return cls(*sums, 0.0, np.zeros(features), 0.0)

    @classmethod
    def of(cls, sides: tuple[Any, Any], X: Array, weights: Array, first: int) -> "CentreSums":
        """The sums of a block of objects; sides are labels with their first value, or shares."""
        mean, moments = np.zeros(X.shape[1]), np.zeros(2)
        row = add_moments(read_only(X), read_only(weights), mean, moments)
        if row >= 0:
            column = int(np.argmin(np.isfinite(X[row])))
            raise InputError(
                f"X is {X[row, column]} at row {first + row}, column {column}, but a centre needs "
                "numbers; fill it in, or leave the object out."
            )
        sums_a, sums_b = _sums(sides[0], X, weights), _sums(sides[1], X, weights)
        return cls(sums_a, sums_b, float(moments[0]), mean, float(moments[1]))

    def turned(self) -> "CentreSums":
        """The sums of (b, a)."""
        return CentreSums(self.sums_b, self.sums_a, self.weight, self.mean, self.spread)

    def placed(self, rows: Array, columns: Array, shape: tuple[int, int]) -> "CentreSums":
        """The same among more clusters: each one's sums are moved to its new place."""
        sums_a = np.zeros((shape[0], self.sums_a.shape[1]))
        sums_b = np.zeros((shape[1], self.sums_b.shape[1]))
        sums_a[rows], sums_b[columns] = self.sums_a, self.sums_b
        return CentreSums(sums_a, sums_b, self.weight, self.mean, self.spread)

    def select(self, rows: Array, columns: Array) -> "CentreSums":
        """The sums of some of the clusters."""
        sums = self.sums_a[rows], self.sums_b[columns]
        return CentreSums(*sums, self.weight, self.mean, self.spread)

    def __add__(self, other: "CentreSums") -> "CentreSums":
        return self._merged(other, 1)

    def __sub__(self, other: "CentreSums") -> "CentreSums":
        return self._merged(other, -1)

    def _merged(self, other: "CentreSums", sign: int) -> "CentreSums":
        """Moments by the rule of Chan, Golub and LeVeque (1983), which does not cancel."""
        sums = self.sums_a + sign * other.sums_a, self.sums_b + sign * other.sums_b
        weight = self.weight + sign * other.weight
        if weight <= 0:
            return CentreSums(*sums, 0.0, np.zeros_like(self.mean), 0.0)
        apart = other.mean - self.mean
        mean = self.mean + apart * (sign * other.weight / weight)
        between = float(apart @ apart) * self.weight * other.weight / weight
        spread = max(0.0, self.spread + sign * (other.spread + between))
        return CentreSums(*sums, weight, mean, spread)


def _sums(side: Any, X: Array, weights: Array) -> Array:
    """Σ w p x of every cluster of one side."""
    if isinstance(side, tuple):
        labels, first, size = side
        sums = np.zeros((size, X.shape[1]))
        add_rows(labels, first, read_only(X), read_only(weights), sums)
        return sums
    weighted = X * weights[:, None] if weights.size else X
    return np.asarray(side.T @ weighted)
