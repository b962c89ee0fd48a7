"""The canonical correlations of features and clusters, from sums over blocks of objects."""

import numpy as np
from scipy import sparse

from clusterwise.inputs.encoding import Array
from clusterwise.models.principal_axes import axes_of_covariance, find_principal_axes

# The number of values that are centred at a time.
_BLOCK = 1 << 20


def canonical_score(vectors: Array, codes: Array) -> float:
    """Return the mean adjusted squared canonical correlation, weighted by itself.

    ``codes`` are the clusters of the objects, integers from 0; some may have no object.
    """
    n, counts = len(vectors), np.bincount(codes)
    used = np.flatnonzero(counts)
    sizes = counts[used, None]
    if not 1 < len(sizes) < n:
        return 0.0
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    # Each feature has its own unit, so that the squares of small ones do not underflow.
    unit = -np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    varying = np.flatnonzero(np.ldexp(high, unit) > np.ldexp(low, unit))
    if not varying.size:
        return 0.0
    step = max(1, _BLOCK // vectors.shape[1])
    blocks = [slice(start, start + step) for start in range(0, n, step)]

    def read(rows: slice) -> Array:
        return np.ldexp(vectors[rows][:, varying], unit[varying])

    mean = sum(read(rows).sum(axis=0) for rows in blocks) / n
    sums = np.zeros((counts.size, varying.size))
    wide = varying.size > n
    squares = np.zeros(varying.size if wide else (varying.size, varying.size))
    for rows in blocks:
        centred = read(rows) - mean
        own = codes[rows]
        shape = (own.size, counts.size)
        indicators = sparse.csr_array((np.ones(own.size), own, np.arange(own.size + 1)), shape)
        sums += indicators.T @ centred
        squares += np.einsum("ij,ij->j", centred, centred) if wide else centred.T @ centred
    deviations = np.sqrt((squares if wide else np.diag(squares)) / n)
    if wide:
        axes, variances = find_principal_axes((read(slice(None)) - mean) / deviations)
    else:
        axes, variances = axes_of_covariance(squares / n / np.outer(deviations, deviations), n)
    white = sums[used] / sizes / deviations @ axes / np.sqrt(variances)
    found = np.linalg.svd(np.sqrt(sizes / n) * white, compute_uv=False) ** 2
    expected = variances.size / (n - 1)
    adjusted = np.clip((found - expected) / (1.0 - expected), 0.0, 1.0)
    return float((adjusted**2).sum() / adjusted.sum()) if adjusted.any() else 0.0
