"""Uncorrelated directions of objects, no more of them than say something."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

# A direction with less than this share of the largest variance is none, and variances that differ
# by less than this share of them are the same.
_SINGULAR = 1e-10
_TIED = 1e-9


class PrincipalAxes(NamedTuple):
    """Orthonormal axes in the columns, and the variance of the objects along each."""

    axes: Array
    variances: Array


def find_principal_axes(centred: Array) -> PrincipalAxes:
    """Principal directions of objects with mean 0, the strongest last.

    Where there are more than half as many as objects, any labels would nearly fit them all, so that
    only the strongest stay, up to this number; of those that are equally strong all or none.
    """
    n, width = centred.shape
    if width <= n:
        variances, axes = np.linalg.eigh(centred.T @ centred / n)
        kept = _strong(variances, n)
        return PrincipalAxes(axes[:, kept], variances[kept])
    # The products of objects have the same directions, and there are fewer of them.
    variances, turned = np.linalg.eigh(centred @ centred.T / n)
    kept = _strong(variances, n)
    axes = centred.T @ (turned[:, kept] / np.sqrt(n * variances[kept]))
    return PrincipalAxes(axes, variances[kept])


def _strong(variances: Array, n: int) -> Array:
    """Which of the variances, in rising order, are those of directions to keep."""
    kept = variances > _SINGULAR * variances.max(initial=0.0)
    most = (n - 1) // 2
    if np.count_nonzero(kept) > most:
        kept &= variances > variances[-most - 1] * (1.0 + _TIED)
    return kept
