"""K-means on weighted features, from given objects as initial centres."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.random import sample_without_replacement

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import Points, centre_columns
from clusterwise.kernels.kmeans import assign_to_nearest, find_farthest

# The proportion of the variance that principal components explain.
_EXPLAINED_VARIANCE = 0.95
# A squared distance (of standardised points) that may be rounding.
_ROUNDING = 1e-10
# K-means stops when at most this proportion of labels changes, or after this many iterations.
_MAX_CHANGED = 1e-3
_MAX_ITER = 100


@contextmanager
def allow_equal_objects() -> Iterator[None]:
    """Ignore the warning of scikit-learn's k-means that equal objects make fewer clusters."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Number of distinct clusters", ConvergenceWarning)
        yield


def centre(data: Points, scale: bool) -> Array:
    """Return centred points; with ``scale``, features of one column are standardised."""
    points = centre_columns(data.points)
    spread = points.std(axis=0)
    if scale:
        one_column = (np.bincount(data.owners) == 1)[data.owners] & (spread > 0)
        return points / np.where(one_column, spread, 1.0)
    # A common scale, so that no value is too large for single precision.
    return points / (spread.max() or 1.0)


def principal_components(points: Array) -> Array:
    """Return the scores of the first principal components, which explain 95% of the variance."""
    if not points.any():
        return points[:, :1]
    return np.asarray(PCA(_EXPLAINED_VARIANCE).fit_transform(points), np.float32)


def draw_weights_and_starts(
    points: Array, owners: Array, exponent: float, count: int, random: Any
) -> tuple[Array, Array]:
    """Draw the Zipf weight of each column, and the objects that are the initial centres."""
    ranks = 1.0 + random.permutation(int(owners.max()) + 1)
    starts = sample_without_replacement(len(points), count, random_state=random)
    return (ranks**-exponent)[owners], starts


def run_weighted_kmeans(points: Array, weights: Array, starts: Array) -> Array:
    """Run k-means on weighted columns, with the objects ``starts`` as initial centres."""
    labels = np.full(len(points), -1)
    centres = points[starts].astype(np.float64)
    squares = weights**2
    for _ in range(_MAX_ITER):
        # |w(x - c)|² without |wx|², which is the same for all centres: no weighted copy is made.
        weighted = centres * squares
        offsets = (weighted * centres).sum(axis=1)
        sums, counts = np.zeros_like(centres), np.zeros(len(centres), np.int64)
        changed = assign_to_nearest(
            points, weighted.astype(np.float32), offsets.astype(np.float32), labels, sums, counts
        )
        nonempty = counts > 0
        centres[nonempty] = sums[nonempty] / counts[nonempty, None]
        for empty in np.flatnonzero(~nonempty):
            farthest, distance = find_farthest(points, squares, centres, labels)
            if distance > _ROUNDING * squares.max():
                centres[empty] = points[farthest]
                labels[farthest] = empty
                changed = len(points)
        if changed <= _MAX_CHANGED * len(points):
            break
    return labels
