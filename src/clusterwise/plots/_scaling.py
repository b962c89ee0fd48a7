"""Distances between clusterings, and their multidimensional scaling."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure

_ROUNDS = 500
# Majorisation ends if the stress decreases by less than these fractions of the stress and of
# the sum of squared distances.
_STILL, _NOTHING = 1e-5, 1e-16


class Embedding(NamedTuple):
    """Points, m × 2, and the proportion of the variance of the distances that they show."""

    points: Array
    share: float


def as_distances(values: Array, measure: str) -> Array:
    """Return the values of a measure as symmetric distances with a zero diagonal.

    A similarity is subtracted from the mean of the self-similarities of the two clusterings: for a
    score that is 1 for equal clusterings, the distance is 1 minus the score.
    """
    values = (values + values.T) / 2
    if find_measure(measure).direction == "similarity":
        own = np.diag(values)
        values = (own[:, None] + own) / 2 - values
    values = np.maximum(values, 0.0)
    np.fill_diagonal(values, 0.0)
    return values


def name_distance(measure: str) -> str:
    """Return the name of the distance of :func:`as_distances`."""
    found = find_measure(measure)
    if found.direction == "distance":
        return measure
    return f"1 − {measure}" if found.high == "1" else f"lack of {measure}"


def scale_down(distances: Array) -> Embedding:
    """Return points in the plane by classical scaling of distances, refined by majorisation.

    The majorisation (SMACOF) never increases the stress; the result is deterministic.

    References
    ----------
    .. [1] I. Borg, P. Groenen. Modern multidimensional scaling. Springer (2005), chapters 8, 12.
    """
    distances = np.asarray(distances, np.float64)
    m = len(distances)
    if distances.shape != (m, m) or not np.isfinite(distances).all():
        raise InputError("distances must be a square matrix of finite numbers; correct them.")
    total = float((distances**2).sum())
    points = _classical(distances)
    before = np.inf
    for _ in range(_ROUNDS):
        shown = _pairwise_distances(points)
        stress = float(((distances - shown) ** 2).sum())
        if before - stress <= _STILL * stress + _NOTHING * total:
            break
        before = stress
        # The Guttman transform, equation 8.29.
        ratios = np.divide(distances, shown, out=np.zeros_like(shown), where=shown > 0)
        points = (ratios.sum(axis=1)[:, None] * points - ratios @ points) / m
    return Embedding(_rotated(points), _share(distances, _pairwise_distances(points)))


def _share(distances: Array, shown: Array) -> float:
    """Return the squared correlation of the distances and those of the points."""
    pairs = np.triu_indices(len(distances), 1)
    distances, shown = distances[pairs], shown[pairs]
    if np.allclose(distances, shown, rtol=1e-6, atol=1e-12):
        return 1.0
    distances, shown = distances - distances.mean(), shown - shown.mean()
    whole = float((distances**2).sum() * (shown**2).sum())
    return float((distances * shown).sum()) ** 2 / whole if whole > 0 else 0.0


def _classical(distances: Array) -> Array:
    squares = distances**2
    means = squares.mean(axis=0)
    inner = (means[:, None] + means - squares - squares.mean()) / 2
    values, vectors = np.linalg.eigh(inner)
    points = np.zeros((len(distances), 2))
    top = min(2, len(distances))
    points[:, :top] = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1][:, :top]
    return points


def _pairwise_distances(points: Array) -> Array:
    differences = points[:, None, :] - points[None, :, :]
    found: Array = np.sqrt((differences**2).sum(axis=2))
    return found


def _rotated(points: Array) -> Array:
    """Rotate the points to be widest along the first axis, with the farthest at positive ends."""
    points = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(points.T @ points)
    points = points @ axes[:, ::-1]
    ends = points[np.abs(points).argmax(axis=0), np.arange(points.shape[1])]
    turned: Array = points * np.where(ends < 0, -1.0, 1.0)
    return turned
