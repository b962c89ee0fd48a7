"""Read objects as points: numeric features, and one-hot columns of categorical ones."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.centring import centre_and_scale, find_centring, warn_of_rounding
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.inputs.features import Column, Features, read_features, refuse_infinite

# Columns whose values are this many times as large as their range are centred: less than half of
# the digits of a square would be left for distances.
_LARGE_OFFSET = 2.0**16
# Points are scaled if the largest number exceeds 2^100 or is below 2^-16: squares of larger ones
# may overflow, those of smaller ones come close to the tolerances of solvers.
_SMALLEST_EXPONENT, _LARGEST_EXPONENT = -16, 100


class Points(NamedTuple):
    """Points, n × D, and the feature that each of their columns belongs to.

    The features that were read are ``origin + points * 2**exponent``. Both are 0 unless offsets
    are large, or numbers so large or small that squares overflow or vanish.
    """

    points: Array
    owners: Array
    origin: Array
    exponent: int = 0

    def in_units(self) -> Array:
        """Return the points in the units of the features, relative to the origin."""
        return np.ldexp(self.points, self.exponent) if self.exponent else self.points


def read_points(X: Any) -> Points:
    """Read objects as points of Euclidean space.

    If all features are numeric, they are unchanged, up to an offset and a common power of two. If
    some are categorical, numeric features are standardised and categorical ones are one-hot
    encoded: the squared distance of different values is 2, as that of two standardised numbers on
    average. Missing numeric values are replaced by the mean of their feature; a missing category is
    an additional value. Features that vary by rounding errors only become constant, with a warning.

    Raises
    ------
    InputError
        If X cannot be read, or has infinite values.
    """
    features = read_features(X)
    if all(column.kind == "numeric" for column in features.columns):
        return _numeric_points(features)
    widths = [_count_coordinates(column) for column in features.columns]
    owners = np.repeat(np.arange(len(widths)), widths)
    points = np.zeros((features.n, owners.size))
    for column, end, width in zip(features.columns, np.cumsum(widths), widths, strict=True):
        if column.kind == "nominal":
            # Code -1 (missing) selects the last column, if any value is missing.
            codes = column.categories().codes
            points[np.arange(features.n), np.where(codes < 0, end - 1, end - width + codes)] = 1.0
        else:
            points[:, end - 1] = _standardised(column)
    return Points(read_only(points), owners, np.zeros(owners.size))


def standardise(features: Features, *, decimals: int | None = None) -> Array:
    """Return numeric features with mean 0 and variance 1, n × R; constant ones are 0.

    Missing values stay missing. The variance is that with the mean in their place. Numbers are
    rounded to so many decimals, if any.
    """
    scaled = np.empty((features.n, len(features.columns)))
    for r, column in enumerate(features.columns):
        values = _standardised(column)
        if decimals is not None:
            values = values.round(decimals)
        missing = np.isnan(column.numbers())
        scaled[:, r] = np.where(missing, np.nan, values) if missing.any() else values
    return read_only(scaled)


def centre_columns(points: Array) -> Array:
    """Return points with mean 0; columns of equal numbers are exactly 0."""
    # By rounding, the mean of equal numbers may differ from them.
    mean = np.clip(points.mean(axis=0), points.min(axis=0), points.max(axis=0))
    return np.asarray(points - mean)


def _numeric_points(features: Features) -> Points:
    points = None if features.matrix is None else np.asarray(features.matrix, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        complete = points is not None and np.isfinite(points.sum())
    if points is None or not complete:
        points = np.column_stack([_filled(column) for column in features.columns])
    owners = np.arange(points.shape[1])
    centring = find_centring(points, least_offset=_LARGE_OFFSET)
    warn_of_rounding(features.names, centring.rounding)
    exponent = centring.exponent
    if _SMALLEST_EXPONENT <= exponent <= _LARGEST_EXPONENT:
        exponent, centring = 0, centring._replace(exponent=0)
    return Points(read_only(centring.apply(points)), owners, centring.origin, exponent)


def _count_coordinates(column: Column) -> int:
    """Return the number of coordinates of a feature: one, or one for each category."""
    if column.kind == "numeric":
        return 1
    codes, values = column.categories()
    return len(values) + bool((codes < 0).any())


def _standardised(column: Column) -> Array:
    """Return a numeric column with mean 0 and variance 1."""
    centred = centre_and_scale(_filled(column)[:, None])
    warn_of_rounding([column.name], centred.rounding)
    values = centred.values[:, 0]
    if not values.any():
        return np.zeros_like(values)
    deviations = values - values.mean()
    return deviations / (deviations.std() or 1.0)


def _filled(column: Column) -> Array:
    """Return the numbers of a column, with the mean in place of missing values."""
    numbers = np.ascontiguousarray(column.numbers(), np.float64)
    refuse_infinite(column.name, numbers)
    missing = np.isnan(numbers)
    if missing.all():
        return np.zeros_like(numbers)
    if not missing.any():
        return numbers
    present = numbers[~missing]
    scaled = centre_and_scale(present[:, None])
    mean = scaled.origin[0] + np.ldexp(scaled.values.mean(), scaled.exponent)
    # By rounding, the mean of equal numbers may differ from them.
    return np.where(missing, np.clip(mean, present.min(), present.max()), numbers)
