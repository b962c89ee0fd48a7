"""How alike many clusterings are, and how compact."""

import numpy as np
from scipy import sparse

from clusterwise._utils.threads import run_all
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.kmeans import sum_squared_overlaps


def compactness(points: Array, clusterings: Array) -> Array:
    """The share of the variance of points (with mean 0) that each of the clusterings explains."""
    total = float((points**2).sum())
    values = np.ones(len(clusterings))
    if total:
        n = len(points)
        for run, labels in enumerate(clusterings):
            indicators = sparse.csr_array((np.ones(n), labels.astype(np.int64), np.arange(n + 1)))
            sums = indicators.T @ points
            values[run] = float((sums**2 / np.bincount(labels)[:, None]).sum()) / total
    return np.minimum(values, 1.0)


def rand_distances(clusterings: Array, progress: bool | None = None) -> Array:
    """1 - Rand between all pairs of clusterings, m × n, which count their clusters from zero."""
    m, n = clusterings.shape
    size = int(clusterings.max()) + 1
    squares = np.empty((m, m), np.int64)

    def compare(one: int) -> None:
        sum_squared_overlaps(clusterings, one, size, squares)

    run_all(compare, m, "comparing", progress)
    own = np.diag(squares)
    apart = own[:, None] + own - 2 * squares
    pairs = n * (n - 1)
    # In the steps of rand_score, so that rounding is the same.
    return 1.0 - (pairs - apart) / pairs
