"""Read objects as points: numeric features, and one-hot columns of categorical ones."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array, read_only
from clusterwise.inputs.features import Column, Features, read_features, refuse_infinite


class Points(NamedTuple):
    """Points, n × D, and the feature that each of their columns belongs to."""

    points: Array
    owners: Array


def read_points(X: Any) -> Points:
    """Read objects as points of Euclidean space.

    Numeric features alone stay as they are. Beside categorical ones they are standardised, and a
    categorical feature becomes a column of 0 and 1 for each value: the squared distance of
    different values is 2, that of two standardised numbers on average. A missing number becomes
    the mean of its feature, and a missing category is a value of its own.

    Raises
    ------
    InputError
        If X cannot be read, or holds infinite numbers.
    """
    features = read_features(X)
    mixed = any(column.kind == "nominal" for column in features.columns)
    if not mixed and features.matrix is not None:
        return _of_matrix(features, features.matrix)
    blocks = [_of_column(column, mixed) for column in features.columns]
    owners = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    return Points(read_only(np.hstack(blocks)), owners)


def _of_matrix(features: Features, matrix: Array) -> Points:
    points = np.asarray(matrix, np.float64)
    owners = np.arange(matrix.shape[1])
    with np.errstate(invalid="ignore", over="ignore"):
        finite = np.isfinite(points.sum())
    if not finite:
        points = np.hstack([_of_column(column, mixed=False) for column in features.columns])
    return Points(read_only(points), owners)


def _of_column(column: Column, mixed: bool) -> Array:
    if column.kind == "nominal":
        codes, values = column.categories()
        # Code -1 (missing) selects the last column, if any value is missing.
        return np.eye(len(values) + bool((codes < 0).any()))[codes]
    numbers = np.asarray(column.numbers(), np.float64)
    refuse_infinite(column.name, numbers)
    missing = np.isnan(numbers)
    present = numbers[~missing] if not missing.all() else np.zeros(1)
    # Rounding may put the mean of equal numbers beside them.
    mean = np.clip(present.mean(), present.min(), present.max())
    filled = np.where(missing, mean, numbers)
    if mixed:
        spread = filled.std()
        filled = (filled - mean) / (spread if spread > 0 else 1.0)
    return filled[:, None]
