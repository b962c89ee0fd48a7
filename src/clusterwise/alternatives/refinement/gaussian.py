"""The model of numeric features: additive effects of given and new clusters, normal residuals."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import linalg

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import solve_normal_equations
from clusterwise.alternatives.refinement.model import LogLikelihoods, ModelData
from clusterwise.inputs.encoding import Array

# The least residual variance, as a fraction of the variance of the feature.
_LEAST_VARIANCE = 1e-6


def fit_gaussian(data: ModelData, responsibilities: Array) -> LogLikelihoods:
    """Fit the model to responsibilities, K × n."""
    n, width = data.features.numeric.shape
    if not width:
        return LogLikelihoods(np.zeros((len(responsibilities), n)), 0.0)
    model = GaussianSums.of(data, responsibilities).fit()
    return LogLikelihoods(model.log_likelihoods(data.features.numeric, data.given), model.penalty)


@dataclass(frozen=True)
class GaussianSums:
    """Sums over objects from which the model is fitted; those of parts of the data add up.

    ``overlaps`` are the expected numbers of objects that each two clusters share, of the given
    clusters and then of the new ones; ``sums`` are the sums of their objects, and ``squares`` the
    sums of products of two features, or of many features those of squares only.
    """

    n: int
    clusters: int
    overlaps: Array
    sums: Array
    squares: Array

    @classmethod
    def of(cls, data: ModelData, responsibilities: Array) -> "GaussianSums":
        """Sum over objects with these responsibilities, K × n."""
        numeric = data.features.numeric
        between = data.given.indicators.T @ responsibilities.T
        sizes = np.diag(responsibilities.sum(axis=1))
        overlaps = np.block([[data.given_overlaps, between], [between.T, sizes]])
        sums = np.vstack([data.given_sums, responsibilities @ numeric])
        return cls(len(numeric), len(responsibilities), overlaps, sums, data.squares)

    def __add__(self, other: "GaussianSums") -> "GaussianSums":
        return GaussianSums(
            self.n + other.n,
            self.clusters,
            self.overlaps + other.overlaps,
            self.sums + other.sums,
            self.squares + other.squares,
        )

    def fit(self) -> "GaussianModel":
        """Return the effects of all clusters by least squares, and the residual covariance."""
        effects = solve_normal_equations(self.overlaps, self.sums)
        covariance = _choose_covariance(
            self._products(self.sums, effects) / self.n,
            _LEAST_VARIANCE * _diagonal(self.squares) / self.n,
            self.n,
        )
        # What is left of the squares once the effects of the given clusters are removed, by which
        # the likelihoods of all clusters differ from their values.
        given = effects[: -self.clusters]
        known = self.overlaps[: -self.clusters, : -self.clusters]
        rest = self._products(2 * self.sums[: -self.clusters] - known @ given, given)
        penalty = covariance.penalty + 0.5 * covariance.trace(rest)
        return GaussianModel(given, effects[-self.clusters :], covariance, penalty)

    def _products(self, sums: Array, effects: Array) -> Array:
        """Return the squares minus the products of sums and effects, symmetric."""
        if self.squares.ndim == 1:
            return np.asarray(self.squares - np.einsum("ij,ij->j", sums, effects))
        removed = sums.T @ effects
        return np.asarray(self.squares - (removed + removed.T) / 2)


def _diagonal(squares: Array) -> Array:
    return np.diag(squares) if squares.ndim == 2 else squares


class ResidualCovariance(NamedTuple):
    """The inverse of the covariance, or of its diagonal, with its log-volume and penalty."""

    inverse: Array
    penalty: float

    def scale(self, centres: Array) -> Array:
        """Return centres times the inverse of the covariance."""
        diagonal = self.inverse.ndim == 1
        return np.asarray(centres * self.inverse if diagonal else centres @ self.inverse)

    def trace(self, squares: Array) -> float:
        """Return the sum of squared distances by this covariance, from sums of products."""
        if self.inverse.ndim == 1:
            return float(self.inverse @ _diagonal(squares))
        return float(np.vdot(self.inverse, squares))


class GaussianModel(NamedTuple):
    """The effects of given and new clusters, and the residual covariance.

    ``penalty`` is minus the part of the log-likelihood that is the same for all clusters, plus the
    BIC penalty of the covariance.
    """

    given_effects: Array
    centres: Array
    covariance: ResidualCovariance
    penalty: float

    def log_likelihoods(self, numeric: Array, given: Given) -> Array:
        """Return the log-likelihoods of objects in the new clusters, up to a part in common."""
        scaled = self.covariance.scale(self.centres)
        values = scaled @ numeric.T
        values -= (given.indicators @ (self.given_effects @ scaled.T)).T
        values -= 0.5 * (scaled * self.centres).sum(axis=1, keepdims=True)
        return np.asarray(values)


def _choose_covariance(residual: Array, least: Array, n: int) -> ResidualCovariance:
    """Residual covariance: spherical, diagonal or full, chosen by BIC.

    ``residual`` is the full covariance, or its diagonal if only that is known.
    """
    width, per_parameter = len(residual), 0.5 * np.log(n)
    own = np.maximum(_diagonal(residual), 0.0) + least
    choices = [
        ResidualCovariance(1.0 / each, 0.5 * n * float(np.log(each).sum()) + per_parameter * count)
        for each, count in ((np.full(width, own.mean()), 1), (own, width))
    ]
    if residual.ndim == 2:
        try:
            root = linalg.cholesky(residual + np.diag(least), lower=True)
        except linalg.LinAlgError:  # by rounding errors, if features are nearly dependent
            return min(choices, key=lambda choice: choice.penalty)
        inverse = linalg.cho_solve((root, True), np.eye(width))
        volume = n * float(np.log(np.diag(root)).sum())
        penalty = volume + per_parameter * width * (width + 1) / 2
        choices.append(ResidualCovariance(inverse, penalty))
    return min(choices, key=lambda choice: choice.penalty)
