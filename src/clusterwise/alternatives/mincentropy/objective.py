"""What clusters tell of objects and of given clusterings, by kernels and quadratic entropies."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist, pdist

from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import mincentropy as kernels

# Directions in which landmarks differ by no more than this share of the largest are rounding.
_SMALLEST = 1e-12
# A move must raise the objective by more than rounding can.
_ROUNDING = 1e-12
# Distances to landmarks that are computed in one go.
_CELLS = 1 << 21


class Nystroem(NamedTuple):
    """Features whose products are kernels, n × at most as many as landmarks; and the width."""

    features: Array
    width: float


def make_features(
    points: Array, n_landmarks: int, width: float | None, random: np.random.RandomState
) -> Nystroem:
    """Nyström features of the kernel exp(-d²/width²), exact if there are landmarks enough.

    Without a width it is the mean distance between landmarks.
    """
    n = len(points)
    exact = n <= n_landmarks
    landmarks = points if exact else points[random.choice(n, n_landmarks, replace=False)]
    if width is None:
        # If all landmarks are in one place, any width will do.
        width = float(pdist(landmarks).mean() if len(landmarks) > 1 else 0.0) or 1.0
    spread, turn = np.linalg.eigh(_kernel(landmarks, landmarks, width))
    kept = spread > _SMALLEST * spread[-1]
    spread, turn = spread[kept], turn[:, kept]
    if exact:
        return Nystroem(turn * np.sqrt(spread), width)
    features = np.empty((n, spread.size))
    step = max(1, _CELLS // len(landmarks))
    for start in range(0, n, step):
        rows = slice(start, start + step)
        features[rows] = _kernel(points[rows], landmarks, width) @ (turn / np.sqrt(spread))
    return Nystroem(features, width)


def _kernel(a: Array, b: Array, width: float) -> Array:
    return np.exp(-cdist(a / width, b / width, "sqeuclidean"))


class Clusters(NamedTuple):
    """Sums of features, counts of objects in given clusters, sizes, and kernels added up."""

    sums: Array
    counts: Array
    sizes: Array
    inner: Array


class Objective:
    """What clusters tell of the objects, less what they tell of given clusterings.

    ``weights`` are those of the given clusterings: ``penalty`` times what makes any clustering
    that joins given clusters worth nothing.
    """

    def __init__(self, features: Array, given: Given, penalty: float) -> None:
        self.n = len(features)
        self.weights = penalty * np.array([_weight(features, codes) for codes in given.codes])
        self._features = features
        begins = np.cumsum([0, *given.sizes[:-1]])
        self._given = np.ascontiguousarray((given.codes + begins[:, None]).T)
        self._place_weights = np.repeat(self.weights, given.sizes)
        self._own = np.einsum("ij,ij->i", features, features) - self.weights.sum()
        self._base = 0.0
        self._base = self.value(self.tally(np.zeros(self.n, np.int64), 1))

    def tally(self, labels: Array, count: int) -> Clusters:
        """What the objective needs to know of each cluster."""
        sums = np.empty((count, self._features.shape[1]))
        counts = np.empty((count, self._place_weights.size))
        sizes = np.empty(count, np.int64)
        kernels.tally(self._features, self._given, labels, sums, counts, sizes)
        inner = np.einsum("kr,kr->k", sums, sums) - counts**2 @ self._place_weights
        return Clusters(sums, counts, sizes, inner)

    def value(self, clusters: Clusters) -> float:
        """The objective; 0 for a single cluster."""
        return float((clusters.inner / clusters.sizes).sum() / self.n) - self._base

    def sweep(self, order: Array, labels: Array, clusters: Clusters, fewest: int) -> int:
        """Give each object its turn to move, and return how many did."""
        least_gain = _ROUNDING * self.n * (1.0 + self.weights.sum())
        return kernels.sweep(
            self._features, self._given, self.weights, self._own, order, labels, *clusters,
            fewest, least_gain,
        )  # fmt: skip


def _weight(features: Array, codes: Array) -> float:
    """The largest eigenvalue of the products of clusters' mean features, centred."""
    sizes = np.bincount(codes)
    sums = np.empty((sizes.size, features.shape[1]))
    nothing = np.empty((codes.size, 0), np.int64)
    kernels.tally(features, nothing, codes, sums, np.empty((sizes.size, 0)), sizes)
    means = sums / sizes[:, None]
    means -= means.mean(axis=0)
    return float(np.linalg.norm(means, 2) ** 2)
