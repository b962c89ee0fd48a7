"""Principal axes of centred objects, at most half as many as there are objects."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

# Variances below this fraction of the largest are zero, and variances whose relative difference is
# below this are tied.
_SINGULAR = 1e-10
_TIED = 1e-9


class PrincipalAxes(NamedTuple):
    """Orthonormal axes in the columns, and the variance of the objects along each."""

    axes: Array
    variances: Array


def find_principal_axes(centred: Array) -> PrincipalAxes:
    """Return the principal axes of objects with mean 0, in increasing order of variance.

    With nearly as many axes as objects, almost any labels can be predicted from them. So at most
    (n - 1) / 2 axes with the largest variances are kept; of tied ones all or none.
    """
    n, width = centred.shape
    if width <= n:
        return axes_of_covariance(centred.T @ centred / n, n)
    # The smaller Gram matrix has the same eigenvalues; its eigenvectors give the axes.
    variances, vectors = np.linalg.eigh(centred @ centred.T / n)
    kept = _is_kept(variances, n)
    axes = centred.T @ (vectors[:, kept] / np.sqrt(n * variances[kept]))
    return PrincipalAxes(_orthonormal(axes), variances[kept])


def axes_of_covariance(covariance: Array, n: int) -> PrincipalAxes:
    """Return the principal axes of n objects with this covariance, as many as of the objects."""
    variances, axes = np.linalg.eigh(covariance)
    kept = _is_kept(variances, n)
    return PrincipalAxes(axes[:, kept], variances[kept])


def _orthonormal(axes: Array) -> Array:
    """Orthonormalise nearly orthonormal columns, starting from the last: the most accurate."""
    basis, factors = np.linalg.qr(axes[:, ::-1])
    return (basis * np.sign(np.diag(factors)))[:, ::-1]


def _is_kept(variances: Array, n: int) -> Array:
    """Return which axes are kept; their variances are in increasing order."""
    kept = variances > _SINGULAR * variances.max(initial=0.0)
    most = (n - 1) // 2
    if np.count_nonzero(kept) > most:
        kept &= variances > variances[-most - 1] * (1.0 + _TIED)
    return kept
