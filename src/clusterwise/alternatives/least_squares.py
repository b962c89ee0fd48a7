"""What is left of objects once what given clusters explain is taken out of them."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array

# Directions with less than these shares of the largest variance are rounding: of all that
# there was, and of what is left.
_NOTHING = 1e-24
_ROUNDING = 1e-14
_SINGULAR = 1e-10


class Data(NamedTuple):
    """Objects with mean 0 and their covariance; ``axes`` lead back to D columns, if D > n."""

    centred: Array
    covariance: Array
    axes: Array | None

    @classmethod
    def read(cls, points: Array) -> "Data":
        centred = points - points.mean(axis=0)
        axes = None
        if points.shape[1] > len(points):
            turned, lengths, axes = np.linalg.svd(centred, full_matrices=False)
            centred = turned * lengths
        return cls(centred, centred.T @ centred / len(centred), axes)


class Left(NamedTuple):
    """Principal components of what is left, and the variance of each."""

    scores: Array
    components: Array
    variances: Array


class Means(NamedTuple):
    """Indicators of all given clusters, the sums of their objects, and what each of them adds."""

    indicators: sparse.csr_array
    sums: Array
    effects: Array

    @classmethod
    def of(cls, centred: Array, given: Given) -> "Means":
        """By least squares: each cluster of each given clustering has its own effect."""
        indicators = given.indicators
        sums = indicators.T @ centred
        if len(given.sizes) == 1:
            effects = sums / np.bincount(given.codes[0])[:, None]
        else:
            common = (indicators.T @ indicators).toarray()
            effects = solve_sums(common, sums)
        return cls(indicators, sums, effects)

    @property
    def between(self) -> Array:
        """The covariance that they explain."""
        return np.asarray(self.sums.T @ self.effects / self.indicators.shape[0])


def solve_sums(common: Array, sums: Array) -> Array:
    """Effects of clusters by least squares: from how many objects each two share, and their sums.

    Where they are not certain, the smallest ones.
    """
    return np.asarray(np.linalg.pinv(common, rcond=_SINGULAR, hermitian=True) @ sums)


def remove(data: Data, given: Given, approach: str, share: float = 1.0) -> Left:
    """What is left of the objects without what is given."""
    if approach == "project":
        return _project(data, given, share)
    return _whiten(data, given) if approach == "whiten" else _residual(data, given)


def _whiten(data: Data, given: Given) -> Left:
    within = data.covariance - Means.of(data.centred, given).between
    # In units of the standard deviations, lest small numbers pass for rounding.
    scale = np.sqrt(np.diag(data.covariance))
    scale[scale == 0] = 1.0
    correlation = data.covariance / (scale[:, None] * scale)
    inverse = np.linalg.pinv(correlation, rcond=_SINGULAR, hermitian=True)
    shrink = inverse @ (within / scale[:, None]) / scale[:, None]
    return _components(data, shrink.T @ data.covariance @ shrink, data.centred @ shrink)


def _project(data: Data, given: Given, share: float) -> Left:
    spans = [
        _directions(data, codes, size, share)
        for codes, size in zip(given.codes, given.sizes, strict=True)
    ]
    together = np.vstack(spans)
    _, lengths, axes = np.linalg.svd(together, full_matrices=False)
    taken = axes[lengths > _SINGULAR]
    rest = np.eye(len(data.covariance)) - taken.T @ taken
    left = data.centred @ rest
    return _components(data, left.T @ left / len(left), left)


def _directions(data: Data, codes: Array, size: int, share: float) -> Array:
    """Orthonormal directions that hold so much of the variance of a clustering's means."""
    means = Means.of(data.centred, Given(codes[None, :], (size,))).effects
    weights = np.sqrt(np.bincount(codes))[:, None]
    _, lengths, axes = np.linalg.svd(means * weights, full_matrices=False)
    squares = lengths**2
    before = np.cumsum(squares) - squares
    floor = _NOTHING * np.trace(data.covariance) * len(codes)
    kept = (before < share * squares.sum()) & (squares > floor)
    return axes[kept]


def _residual(data: Data, given: Given) -> Left:
    means = Means.of(data.centred, given)
    left = data.centred - means.indicators @ means.effects
    return _components(data, left.T @ left / len(left), left)


def _components(data: Data, covariance: Array, left: Array) -> Left:
    """What is left in its principal directions, but for those of rounding."""
    variances, axes = np.linalg.eigh((covariance + covariance.T) / 2)
    variances, axes = variances[::-1], axes.T[::-1]
    floor = max(_NOTHING * float(np.trace(data.covariance)), _ROUNDING * float(variances[0]))
    kept = variances > floor
    axes = axes[kept]
    components = axes if data.axes is None else axes @ data.axes
    return Left(left @ axes.T, components, variances[kept])
