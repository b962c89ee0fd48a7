"""Distances between clusterings, and points in the plane that are about so far apart."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure

_ROUNDS = 500
# Refining ends when the misfit falls by less than this share of it, or of all squared distances.
_STILL, _NOTHING = 1e-5, 1e-16


class Places(NamedTuple):
    """Points, m × 2, and how much of the variance of the distances they account for."""

    points: Array
    share: float


def as_distances(values: Array, measure: str) -> Array:
    """The values of a measure as distances: the same both ways, and 0 to oneself.

    A similarity becomes what the two lack of the mean of their similarities to themselves: of a
    score that is 1 for equal clusterings, 1 minus the score.
    """
    values = (values + values.T) / 2
    if find_measure(measure).direction == "similarity":
        own = np.diag(values)
        values = (own[:, None] + own) / 2 - values
    values = np.maximum(values, 0.0)
    np.fill_diagonal(values, 0.0)
    return values


def name_distance(measure: str) -> str:
    """What :func:`as_distances` is called."""
    found = find_measure(measure)
    if found.direction == "distance":
        return measure
    return f"1 − {measure}" if found.high == "1" else f"lack of {measure}"


def scale_down(distances: Array) -> Places:
    """Points in the plane by their distances: classical scaling, refined by majorisation.

    Refining (SMACOF) never makes the squared misfit larger; nothing is left to chance.

    References
    ----------
    .. [1] I. Borg, P. Groenen. Modern multidimensional scaling. Springer (2005), chapters 8, 12.
    """
    distances = np.asarray(distances, np.float64)
    m = len(distances)
    if distances.shape != (m, m) or not np.isfinite(distances).all():
        raise InputError("distances must be a square table of finite numbers; correct them.")
    total = float((distances**2).sum())
    points = _classical(distances)
    before = np.inf
    for _ in range(_ROUNDS):
        apart = _apart(points)
        misfit = float(((distances - apart) ** 2).sum())
        if before - misfit <= _STILL * misfit + _NOTHING * total:
            break
        before = misfit
        # The Guttman transform, equation 8.29.
        ratios = np.divide(distances, apart, out=np.zeros_like(apart), where=apart > 0)
        points = (ratios.sum(axis=1)[:, None] * points - ratios @ points) / m
    return Places(_turned(points), _share(distances, _apart(points)))


def _share(distances: Array, shown: Array) -> float:
    """The squared correlation of distances and what is shown of them."""
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


def _apart(points: Array) -> Array:
    differences = points[:, None, :] - points[None, :, :]
    found: Array = np.sqrt((differences**2).sum(axis=2))
    return found


def _turned(points: Array) -> Array:
    """The same picture, widest along the first axis, its farthest points at the positive ends."""
    points = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(points.T @ points)
    points = points @ axes[:, ::-1]
    ends = points[np.abs(points).argmax(axis=0), np.arange(points.shape[1])]
    turned: Array = points * np.where(ends < 0, -1.0, 1.0)
    return turned
