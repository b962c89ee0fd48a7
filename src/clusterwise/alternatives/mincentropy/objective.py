"""The objective of MinCEntropy, by Nyström features and quadratic entropies."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist, pdist

from clusterwise._utils.threads import run_interruptibly
from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import mincentropy as kernels

# Eigenvalues of the landmarks' kernel matrix below this fraction of the largest are rounding.
_SMALLEST = 1e-12
# A move must raise the objective by more than the rounding error.
_ROUNDING = 1e-12
# The number of distances to landmarks that are computed at a time.
_BLOCK = 1 << 21


class Nystroem(NamedTuple):
    """Features whose inner products are kernel values, at most one per landmark; and the width."""

    features: Array
    width: float


def make_nystroem_features(
    points: Array, n_landmarks: int, width: float | None, random: np.random.RandomState
) -> Nystroem:
    """Return Nyström features of the kernel exp(-d²/width²), exact with enough landmarks.

    The default width is the mean distance between landmarks.
    """
    n = len(points)
    exact = n <= n_landmarks
    landmarks = points if exact else points[random.choice(n, n_landmarks, replace=False)]
    if width is None:
        # Any width will do if all landmarks are the same point.
        width = float(pdist(landmarks).mean() if len(landmarks) > 1 else 0.0) or 1.0
    eigenvalues, vectors = np.linalg.eigh(_kernel(landmarks, landmarks, width))
    kept = eigenvalues > _SMALLEST * eigenvalues[-1]
    eigenvalues, vectors = eigenvalues[kept], vectors[:, kept]
    if exact:
        return Nystroem(vectors * np.sqrt(eigenvalues), width)
    features = np.empty((n, eigenvalues.size))
    step = max(1, _BLOCK // len(landmarks))
    for start in range(0, n, step):
        rows = slice(start, start + step)
        features[rows] = _kernel(points[rows], landmarks, width) @ (vectors / np.sqrt(eigenvalues))
    return Nystroem(features, width)


def _kernel(a: Array, b: Array, width: float) -> Array:
    return np.exp(-cdist(a / width, b / width, "sqeuclidean"))


class Objective:
    """The information about the objects, minus the weighted information about given clusterings.

    ``weights`` are those of the given clusterings: ``penalty`` times the smallest weight for which
    no clustering that merges given clusters has a positive objective.
    """

    def __init__(self, features: Array, given: Given, penalty: float) -> None:
        self.n = len(features)
        self.weights = penalty * np.array([_weight(features, codes) for codes in given.codes])
        self._features = features
        begins = np.cumsum([0, *given.sizes[:-1]])
        self._given = np.ascontiguousarray((given.codes + begins[:, None]).T)
        self._cluster_weights = np.repeat(self.weights, given.sizes)
        self._own = np.einsum("ij,ij->i", features, features) - self.weights.sum()
        self._base = 0.0
        self._base = self.value(self.tally(np.zeros(self.n, np.int64), 1))

    def tally(self, labels: Array, count: int) -> kernels.ClusterSums:
        """Return the sums that the objective is computed from."""
        sums = np.empty((count, self._features.shape[1]))
        counts = np.empty((count, self._cluster_weights.size))
        sizes = np.empty(count, np.int64)
        kernels.sum_clusters(self._features, self._given, labels, sums, counts, sizes)
        inner = np.einsum("kr,kr->k", sums, sums) - counts**2 @ self._cluster_weights
        return kernels.ClusterSums(sums, counts, sizes, inner)

    def value(self, clusters: kernels.ClusterSums) -> float:
        """Return the objective; 0 for a single cluster."""
        return float((clusters.inner / clusters.sizes).sum() / self.n) - self._base

    def sweep(self, order: Array, labels: Array, clusters: kernels.ClusterSums, least: int) -> int:
        """Try to move each object in turn, and return the number of moves."""
        least_gain = _ROUNDING * self.n * (1.0 + self.weights.sum())
        data = kernels.KernelData(self._features, self._given, self.weights, self._own)
        steps = float(self._features.size) * clusters.sizes.size
        return run_interruptibly(
            steps, kernels.move_objects, data, order, labels, clusters, least, least_gain
        )


def _weight(features: Array, codes: Array) -> float:
    """Return the largest eigenvalue of the Gram matrix of the clusters' centred mean features."""
    sizes = np.bincount(codes)
    sums = np.empty((sizes.size, features.shape[1]))
    nothing = np.empty((codes.size, 0), np.int64)
    kernels.sum_clusters(features, nothing, codes, sums, np.empty((sizes.size, 0)), sizes)
    means = sums / sizes[:, None]
    means -= means.mean(axis=0)
    return float(np.linalg.norm(means, 2) ** 2)
