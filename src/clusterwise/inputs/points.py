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

    If all features are numeric, they are unchanged. If some are categorical, numeric features are
    standardised and categorical ones are one-hot encoded: the squared distance of different values
    is 2, as that of two standardised numbers on average. Missing numeric values are replaced by the
    mean of their feature; a missing category is an additional value.

    Raises
    ------
    InputError
        If X cannot be read, or has infinite values.
    """
    features = read_features(X)
    mixed = any(column.kind == "nominal" for column in features.columns)
    if not mixed and features.matrix is not None:
        return _matrix_points(features, features.matrix)
    blocks = [_column_points(column, mixed) for column in features.columns]
    owners = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    return Points(read_only(np.hstack(blocks)), owners)


def _matrix_points(features: Features, matrix: Array) -> Points:
    points = np.asarray(matrix, np.float64)
    owners = np.arange(matrix.shape[1])
    with np.errstate(invalid="ignore", over="ignore"):
        finite = np.isfinite(points.sum())
    if not finite:
        points = np.hstack([_column_points(column, mixed=False) for column in features.columns])
    return Points(read_only(points), owners)


def _column_points(column: Column, mixed: bool) -> Array:
    if column.kind == "nominal":
        codes, values = column.categories()
        # Code -1 (missing) selects the last column, if any value is missing.
        return np.eye(len(values) + bool((codes < 0).any()))[codes]
    numbers = np.asarray(column.numbers(), np.float64)
    refuse_infinite(column.name, numbers)
    missing = np.isnan(numbers)
    present = numbers[~missing] if not missing.all() else np.zeros(1)
    # By rounding, the mean of equal numbers may differ from them.
    mean = np.clip(present.mean(), present.min(), present.max())
    filled = np.where(missing, mean, numbers)
    if mixed:
        spread = filled.std()
        filled = (filled - mean) / (spread if spread > 0 else 1.0)
    return filled[:, None]
