"""Quadratic mutual information with several clusterings, and its maximum."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans

from clusterwise.alternatives.minimum_size import as_n_objects
from clusterwise.inputs.encoding import Array, relabel_by_appearance, relabel_by_value
from clusterwise.kernels import mincentropy as kernels

# A move must add more information than the rounding error.
_ROUNDING = 1e-12


class CombinedLabels(NamedTuple):
    """Labels, and the iterations that k-means took."""

    labels: Array
    n_iter: int


def quadratic_information(labels: Array, ensemble: Array) -> float:
    """Return the summed quadratic mutual information with several clusterings (m × n codes).

    >>> quadratic_information(np.array([0, 0, 1, 1]), np.array([[0, 0, 1, 1], [0, 1, 0, 1]]))
    0.5
    """
    total = 0.0
    sizes = np.bincount(labels)
    for one in ensemble:
        width = int(one.max()) + 1
        counts = np.bincount(labels * width + one, minlength=sizes.size * width)
        table = counts.reshape(sizes.size, width).astype(np.float64)
        total += float(((table**2).sum(axis=1) / np.maximum(sizes, 1)).sum()) / labels.size
        total -= float(((table.sum(axis=0) / labels.size) ** 2).sum())
    return total


def maximize_quadratic_information(
    ensemble: Array, count: int, n_init: int, max_iter: int, random: Any, least: float | None
) -> CombinedLabels:
    """Return a clustering with the most information: k-means on centred one-hot columns.

    Objects with the same labels in all clusterings are one weighted row. Rows of clusters with less
    than ``least`` objects (below 1 a fraction of all) are assigned to the nearest other centroid.
    Then objects move one by one until no move adds information, in at most ``max_iter`` passes.
    """
    of, weights, rows = _distinct(ensemble)
    columns = np.hstack([np.eye(int(codes.max()) + 1)[codes] for codes in rows])
    columns -= np.average(columns, axis=0, weights=weights)
    model = KMeans(
        min(count, len(columns)), n_init=n_init, max_iter=max_iter, tol=0.0, random_state=random
    )
    labels = model.fit(columns, sample_weight=weights).labels_
    fewest = 1 if least is None else max(1, as_n_objects(least, of.size))
    sizes = np.bincount(labels, weights, model.n_clusters)
    large = np.flatnonzero(sizes >= fewest)
    if large.size:
        nearest = large[model.transform(columns)[:, large].argmin(axis=1)]
        labels = np.where(np.isin(labels, large), labels, nearest)
    else:  # all clusters are kept
        fewest = 1
    labels = _move_objects(ensemble, relabel_by_value(labels)[of], fewest, max_iter)
    return CombinedLabels(relabel_by_appearance(labels), model.n_iter_)


def _move_objects(ensemble: Array, labels: Array, fewest: int, max_iter: int) -> Array:
    """Move single objects to other clusters until no move adds information (Hartigan's rule).

    K-means may stop before: it ignores that a cluster's mean moves with the object. Clusters of
    ``fewest`` objects lose none. Moves are those of MinCEntropy with other numbers: the kernel of
    two objects is the number of clusterings that have them in one cluster.
    """
    m, n = ensemble.shape
    begins = np.cumsum([0, *(ensemble[:-1].max(axis=1) + 1)])
    codes = np.ascontiguousarray((ensemble + begins[:, None]).T)
    data = kernels.KernelData(np.empty((n, 0)), codes, np.full(m, -1.0), np.full(n, float(m)))
    count = int(labels.max()) + 1
    sums, counts = np.empty((count, 0)), np.empty((count, int(codes.max()) + 1))
    sizes = np.empty(count, np.int64)
    labels = labels.copy()
    kernels.sum_clusters(data.features, codes, labels, sums, counts, sizes)
    clusters = kernels.ClusterSums(sums, counts, sizes, (counts**2).sum(axis=1))
    order = np.arange(n)
    for _ in range(max_iter):
        if not kernels.move_objects(data, order, labels, clusters, fewest, _ROUNDING * n * m):
            break
    return labels


def _distinct(ensemble: Array) -> tuple[Array, Array, Array]:
    """Return each object's combination of labels, their frequencies, and their codes (m × k)."""
    of = np.zeros(ensemble.shape[1], np.int64)
    for codes in ensemble:
        _, of = np.unique(of * (int(codes.max()) + 1) + codes, return_inverse=True)
    _, first, weights = np.unique(of, return_index=True, return_counts=True)
    return of, weights, ensemble[:, first]
