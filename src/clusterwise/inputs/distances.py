"""Read objects and a metric: vectors, mixed frames or precomputed distances."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.inputs.centring import centre_and_scale, scale, unscaled, warn_of_rounding
from clusterwise.inputs.distance_blocks import (
    Distances,
    EuclideanDistances,
    GowerDistances,
    Metric,
    PrecomputedDistances,
    VectorDistances,
)
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.inputs.features import Features, read_features, refuse_infinite

__all__ = ["DEGREES", "Distances", "Metric", "read_distances"]

# The relative difference that the two triangles of a matrix of distances may have.
ROUNDING = 1e-6
# Rows of such a matrix that are checked at once.
ROWS = 256
# Metrics that do not depend on offsets of the features, and the power of a common factor of all
# features that distances are multiplied by.
DEGREES: dict[Metric, int] = {
    "euclidean": 1,
    "sqeuclidean": 2,
    "seuclidean": 0,
    "mahalanobis": 0,
    "cityblock": 1,
    "chebyshev": 1,
    "minkowski": 1,
}
# Metrics that depend on offsets, but not on a common factor.
_SCALE_FREE = ("cosine", "correlation", "braycurtis", "canberra")


def read_distances(X: Any, metric: Metric = "euclidean") -> Distances:
    r"""Read objects and the metric between them.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), or Distances
        The objects' features; or the distances of all pairs, with ``metric="precomputed"``;
        or distances that were read before, with their own metric.
    metric : str or callable, default="euclidean"
        Any metric of SciPy's ``cdist`` by name, a symmetric function of two vectors, or

        - ``"gower"`` for mixed features: the mean over features of
          :math:`|x_r - y_r| / (\max x_r - \min x_r)` for numeric and of 0 (equal) or 1 for
          categorical ones. A feature that is missing in either object is left out of the mean; two
          objects with no feature in common have distance 1. Constant features add 0.
        - ``"precomputed"``: ``X`` is the matrix of distances.

        ``"seuclidean"`` and ``"mahalanobis"`` use the variances of all objects.

    Returns
    -------
    Distances
        Blocks of distances by ``between(rows, columns)``, a full table by ``fill(out)``.

    Raises
    ------
    InputError
        One sentence that says what is wrong, where, and what to do.

    References
    ----------
    .. [1] J. C. Gower. A general coefficient of similarity and some of its properties.
       Biometrics 27 (1971) 857-871. https://doi.org/10.2307/2528823

    Examples
    --------
    Distances of the first object to all others, where a size is missing:

    >>> from clusterwise.inputs.distances import read_distances
    >>> flowers = [[1.0, "red"], [3.0, "red"], [None, "blue"], [5.0, "blue"]]
    >>> read_distances(flowers, "gower").between(slice(0, 1)).tolist()
    [[0.0, 0.25, 1.0, 1.0]]
    """
    if isinstance(X, Distances):
        return X
    if not isinstance(metric, str) and not callable(metric):
        raise InputError(
            f"metric is {type_words(metric)}; pass a name, or a function of two vectors."
        )
    features = read_features(X)
    if not features.n:
        raise InputError("X has no objects; pass at least one row.")
    if metric == "gower":
        return _read_gower(features)
    if metric == "precomputed":
        return _read_table(features)
    vectors = read_numbers(features, f"metric={metric!r} needs numbers", 'pass metric="gower"')
    if metric in DEGREES:
        centred = centre_and_scale(vectors)
        warn_of_rounding(features.names, centred.rounding)
    else:
        centred = scale(vectors) if metric in _SCALE_FREE else unscaled(vectors)
    place: dict[str, Any] = {
        "vectors": centred.values,
        "origin": centred.origin,
        "exponent": DEGREES.get(metric, 0) * centred.exponent,
    }
    if metric == "euclidean":
        return EuclideanDistances(metric, features.n, **place)
    options = _options(metric, centred.values)
    found = VectorDistances(metric, features.n, **place, options=options)
    _check_metric(found)
    return found


def read_numbers(features: Features, why: str, remedy: str) -> Array:
    """Return the features as one matrix of finite numbers.

    Parameters
    ----------
    features : Features
        The features of objects.
    why : str
        What needs numbers, for errors.
    remedy : str
        What else to do about columns that are categorical or have missing values, for errors.
    """
    for feature in features.columns:
        if feature.kind == "nominal":
            raise InputError(f"column {feature.name!r} of X is categorical, but {why}; {remedy}.")
    vectors = np.ascontiguousarray(features.as_matrix(), np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        total = vectors.sum()
    if not np.isfinite(total):
        missing = np.argwhere(np.isnan(vectors))
        if missing.size:
            row, column = missing[0]
            raise InputError(
                f"column {features.names[column]!r} of X is missing at position {row}, but {why}; "
                f"fill it in, or {remedy}."
            )
        for name, values in zip(features.names, vectors.T, strict=True):
            refuse_infinite(name, values)
    return read_only(vectors)


def _options(metric: Metric, vectors: Array) -> dict[str, Any]:
    """Return the parameters that SciPy would otherwise estimate from each block."""
    if metric not in ("seuclidean", "mahalanobis"):
        return {}
    if len(vectors) < 2:
        raise InputError(f"metric={metric!r} needs variances, but X has one object; pass more.")
    if metric == "seuclidean":
        return {"V": vectors.var(axis=0, ddof=1)}
    covariance = np.atleast_2d(np.cov(vectors.T))
    if np.linalg.matrix_rank(covariance) < len(covariance):
        raise InputError(
            "metric='mahalanobis' needs linearly independent features; leave some out, or pass "
            "more objects."
        )
    return {"VI": np.linalg.inv(covariance)}


def _check_metric(distances: Distances) -> None:
    """Refuse metrics that SciPy does not have."""
    if not isinstance(distances.metric, str):
        return
    try:
        distances.between(slice(0, 1), slice(0, 1))
    except ValueError as error:
        raise InputError(
            f"metric={distances.metric!r} cannot be used ({error}); use a metric of SciPy's cdist, "
            "'gower', 'precomputed', or a function of two vectors."
        ) from None


def _read_gower(features: Features) -> Distances:
    numeric, ranges, codes = [], [], []
    for column in features.columns:
        if column.kind == "nominal":
            codes.append(column.categories().codes)
            continue
        values = column.numbers().astype(np.float64)
        refuse_infinite(column.name, values)
        present = ~np.isnan(values)
        centred = centre_and_scale(values[present, None])
        warn_of_rounding([column.name], centred.rounding)
        values[present] = centred.values[:, 0]
        numeric.append(values)
        ranges.append(np.ptp(centred.values) if present.any() else 0.0)
    n = features.n
    return GowerDistances(
        "gower",
        n,
        numeric=read_only(np.array(numeric, np.float64).reshape(-1, n)),
        ranges=read_only(np.array([each or 1.0 for each in ranges], np.float64)),
        codes=read_only(np.array(codes, np.int64).reshape(-1, n)),
    )


def _read_table(features: Features) -> Distances:
    """Read a matrix of distances, and check it in blocks of rows."""
    n = features.n
    if len(features.names) != n:
        raise InputError(
            f"the distances have shape ({n}, {len(features.names)}); pass a square table, or "
            "leave metric='precomputed' out if these are features."
        )
    if features.matrix is not None and features.matrix.dtype.kind == "f":
        table = features.matrix
    else:
        table = read_numbers(features, "distances are numbers", "pass numbers")
    bands = [slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]
    for rows in bands:
        _refuse(table, rows, ~np.isfinite(table[rows]), "distances must be finite")
        _refuse(table, rows, table[rows] < 0, "distances cannot be negative")
    tolerance = ROUNDING * float(table.max())
    for rows in bands:
        own = (np.arange(n) == np.arange(n)[rows, None]) & (table[rows] > tolerance)
        _refuse(table, rows, own, "the distance of an object from itself is 0")
        mirror = table[:, rows].T
        wrong = np.argwhere(np.abs(table[rows] - mirror) > tolerance)
        if wrong.size:
            i, j = wrong[0][0] + rows.start, wrong[0][1]
            raise InputError(
                f"X is {table[i, j]} at row {i}, column {j}, but {table[j, i]} at row {j}, column "
                f"{i}, and distances are the same both ways; pass (X + X.T) / 2."
            )
    return PrecomputedDistances("precomputed", n, table=read_only(table))


def _refuse(table: Array, rows: slice, wrong: Array, why: str) -> None:
    if wrong.any():
        i, j = np.argwhere(wrong)[0] + (rows.start, 0)
        raise InputError(f"X is {table[i, j]} at row {i}, column {j}, but {why}; correct it.")
