"""Linear models of objects by given clusters: cluster effects, and what they leave of the data."""

from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import centre_columns

# How given clusterings are removed.
Approach = Literal["whiten", "project", "residual"]
# Variances below these fractions are rounding errors: of the total variance of the data, and of the
# largest variance that is left.
_ROUNDING_OF_DATA = 1e-24
_ROUNDING_OF_REST = 1e-14
_SINGULAR = 1e-10


class CentredData(NamedTuple):
    """Objects with mean 0 and their covariance.

    If there are more coordinates D than objects, they are principal components, and ``axes`` are
    those of the D coordinates.
    """

    centred: Array
    covariance: Array
    axes: Array | None

    @classmethod
    def read(cls, points: Array) -> "CentredData":
        """Centre points."""
        centred = centre_columns(points)
        axes = None
        if points.shape[1] > len(points):
            left, lengths, axes = np.linalg.svd(centred, full_matrices=False)
            centred = left * lengths
        return cls(centred, centred.T @ centred / len(centred), axes)


class Rest(NamedTuple):
    """Principal components of what is left of the data: scores, axes and variances."""

    scores: Array
    components: Array
    variances: Array

    def select(self, n_components: int | None = None, *, scaled: bool = False) -> "Rest":
        """Return the first components, all by default; ``scaled`` scores have unit variance."""
        scores, components, variances = (
            self.scores[:, :n_components], self.components[:n_components],
            self.variances[:n_components],
        )  # fmt: skip
        if scaled:
            scores = scores / scores.std(axis=0)
        return Rest(scores, components, variances)


class ClusterEffects(NamedTuple):
    """Indicators of all given clusters, the sums of their objects, and their effects."""

    indicators: sparse.csr_array
    sums: Array
    effects: Array

    @classmethod
    def fit(cls, centred: Array, given: Given) -> "ClusterEffects":
        """Fit an additive model by least squares: an effect for each given cluster."""
        indicators = given.indicators
        sums = indicators.T @ centred
        if len(given.sizes) == 1:
            effects = sums / np.bincount(given.codes[0])[:, None]
        else:
            overlaps = (indicators.T @ indicators).toarray()
            effects = solve_normal_equations(overlaps, sums)
        return cls(indicators, sums, effects)

    @property
    def between(self) -> Array:
        """The covariance that the clusters explain."""
        return np.asarray(self.sums.T @ self.effects / self.indicators.shape[0])


def solve_normal_equations(overlaps: Array, sums: Array) -> Array:
    """Return cluster effects by least squares, of minimum norm where they are not unique.

    ``overlaps`` are the numbers of objects that each two clusters share, ``sums`` the sums of the
    objects of each cluster.
    """
    values, vectors = np.linalg.eigh(overlaps)
    kept = values > _SINGULAR * values[-1]
    axes = vectors[:, kept]
    return np.asarray(axes @ ((axes.T @ sums) / values[kept, None]))


def remove(
    data: CentredData, given: Given, approach: Approach, explained_variance: float = 1.0
) -> Rest:
    """Return what is left of the data once the given clusterings are removed."""
    if approach == "project":
        return _project(data, given, explained_variance)
    return _whiten(data, given) if approach == "whiten" else _residual(data, given)


def _whiten(data: CentredData, given: Given) -> Rest:
    within = data.covariance - ClusterEffects.fit(data.centred, given).between
    # Correlations, so that a feature of small numbers is not taken for rounding errors.
    scale = np.sqrt(np.diag(data.covariance))
    scale[scale == 0] = 1.0
    correlation = data.covariance / (scale[:, None] * scale)
    inverse = np.linalg.pinv(correlation, rcond=_SINGULAR, hermitian=True)
    shrink = inverse @ (within / scale[:, None]) / scale[:, None]
    return _components(data, shrink.T @ data.covariance @ shrink, data.centred @ shrink)


def _project(data: CentredData, given: Given, explained_variance: float) -> Rest:
    spans = [
        _directions(data, codes, size, explained_variance)
        for codes, size in zip(given.codes, given.sizes, strict=True)
    ]
    _, lengths, axes = np.linalg.svd(np.vstack(spans), full_matrices=False)
    removed = axes[lengths > _SINGULAR]
    complement = np.eye(len(data.covariance)) - removed.T @ removed
    left = data.centred @ complement
    return _components(data, left.T @ left / len(left), left)


def _directions(data: CentredData, codes: Array, size: int, explained_variance: float) -> Array:
    """Return orthonormal directions that explain this proportion of the variance of the means."""
    means = ClusterEffects.fit(data.centred, Given(codes[None, :], (size,))).effects
    weights = np.sqrt(np.bincount(codes))[:, None]
    _, lengths, axes = np.linalg.svd(means * weights, full_matrices=False)
    squares = lengths**2
    before = np.cumsum(squares) - squares
    floor = _ROUNDING_OF_DATA * np.trace(data.covariance) * len(codes)
    kept = (before < explained_variance * squares.sum()) & (squares > floor)
    return axes[kept]


def _residual(data: CentredData, given: Given) -> Rest:
    model = ClusterEffects.fit(data.centred, given)
    left = data.centred - model.indicators @ model.effects
    return _components(data, left.T @ left / len(left), left)


def _components(data: CentredData, covariance: Array, left: Array) -> Rest:
    """Return the principal components, without those whose variance is a rounding error."""
    variances, axes = np.linalg.eigh((covariance + covariance.T) / 2)
    variances, axes = variances[::-1], axes.T[::-1]
    floor = max(
        _ROUNDING_OF_DATA * float(np.trace(data.covariance)),
        _ROUNDING_OF_REST * float(variances[0]),
    )
    kept = variances > floor
    axes = axes[kept]
    components = axes if data.axes is None else axes @ data.axes
    return Rest(left @ axes.T, components, variances[kept])
