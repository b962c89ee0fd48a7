"""K-means with weights of the features, from given starts."""

from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils.random import sample_without_replacement

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import Points
from clusterwise.kernels.kmeans import assign_to_nearest, find_farthest

# The proportion of the variance that principal components keep.
_VARIANCE = 0.95
# A squared distance (of standardised points) that may be rounding.
_ROUNDING = 1e-10
# K-means stops when at most this proportion of objects moves, or after this many iterations.
_MOVING = 1e-3
_ROUNDS = 100


def centre(read: Points, scale: bool) -> Array:
    """Return centred points; with ``scale``, features of one column are standardised."""
    points = read.points - read.points.mean(axis=0)
    spread = points.std(axis=0)
    if scale:
        alone = (np.bincount(read.owners) == 1)[read.owners] & (spread > 0)
        return points / np.where(alone, spread, 1.0)
    # One unit for all, so that no number is too large for single precision.
    return points / (spread.max() or 1.0)


def principal(points: Array) -> Array:
    """Return the principal components with most of the variance."""
    if not points.any():
        return points[:, :1]
    return np.asarray(PCA(_VARIANCE).fit_transform(points), np.float32)


def draw(
    space: Array, owners: Array, exponent: float, count: int, random: Any
) -> tuple[Array, Array, Array]:
    """Draw Zipf weights of the columns of a space, and the objects that clusters start from."""
    ranks = 1.0 + random.permutation(int(owners.max()) + 1)
    starts = sample_without_replacement(len(space), count, random_state=random)
    return space, (ranks**-exponent)[owners], starts


def run_weighted_kmeans(points: Array, weights: Array, starts: Array) -> Array:
    """K-means on weighted columns, from the objects ``starts``."""
    labels = np.full(len(points), -1)
    centres = points[starts].astype(np.float64)
    squares = weights**2
    for _ in range(_ROUNDS):
        # |w(x - c)|² without |wx|², which is the same for all centres: no weighted copy is made.
        weighted = centres * squares
        offsets = (weighted * centres).sum(axis=1)
        sums, counts = np.zeros_like(centres), np.zeros(len(centres), np.int64)
        moved = assign_to_nearest(
            points, weighted.astype(np.float32), offsets.astype(np.float32), labels, sums, counts
        )
        filled = counts > 0
        centres[filled] = sums[filled] / counts[filled, None]
        for empty in np.flatnonzero(~filled):
            farthest, apart = find_farthest(points, squares, centres, labels)
            if apart > _ROUNDING * squares.max():
                centres[empty] = points[farthest]
                labels[farthest] = empty
                moved = len(points)
        if moved <= _MOVING * len(points):
            break
    return labels
