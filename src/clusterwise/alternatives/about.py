"""What a clustering is about: the features that separate its clusters, or that are its clusters."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Column, read_features
from clusterwise.measures.separating_features import SeparatingFeatures, separating_features

# So many objects are looked at before all are.
_FIRST = 10_000


class SingleFeature(NamedTuple):
    """A feature that alone gives the clusters.

    ``ranges`` are the smallest and largest values of the clusters, in increasing order, if the
    clusters are intervals of a numeric feature; empty if each cluster is one value. If ``date``,
    they are days since 1970-01-01.
    """

    feature: str
    ranges: tuple[tuple[float, float], ...] = ()
    date: bool = False


class About(NamedTuple):
    """The score of every feature, best first, and the features that alone give the clusters."""

    separating: SeparatingFeatures
    single: tuple[SingleFeature, ...] = ()


def find_about(X: Any, codes: Array) -> About:
    """Return what clusters are about.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The features, with their names if they have any.
    codes : ndarray of shape (n,)
        The clusters of the objects, as integers from 0.
    """
    features = read_features(X)
    found = (_find_single(column, codes) for column in features.columns)
    single = tuple(one for one in found if one is not None)
    return About(separating_features(features, codes), single)


def _find_single(column: Column, codes: Array) -> SingleFeature | None:
    """Return the feature if its values, or intervals of them, are the clusters.

    Features with missing values are not, and neither is any if there is only one cluster.
    """
    numeric = column.kind == "numeric"
    values = column.numbers() if numeric else column.categories().codes
    # What rules out a feature among the first objects does so among all.
    if codes.size > _FIRST and _find_intervals(values[:_FIRST], codes[:_FIRST], numeric) is None:
        return None
    found = _find_intervals(values, codes, numeric)
    if found is None or len(found) < 2:
        return None
    if all(low == high for low, high in found):
        return SingleFeature(column.name)
    return SingleFeature(column.name, found, column.date) if numeric else None


def _find_intervals(
    values: Array, codes: Array, numeric: bool
) -> tuple[tuple[float, float], ...] | None:
    """Return the smallest and largest value of each cluster, in increasing order.

    The result is None if they overlap, or values are missing.
    """
    if (np.isnan(values) if numeric else values < 0).any():
        return None
    used = np.flatnonzero(np.bincount(codes))
    low = np.full(used[-1] + 1, values.max())
    high = np.full_like(low, values.min())
    np.minimum.at(low, codes, values)
    np.maximum.at(high, codes, values)
    rank = used[np.argsort(low[used], kind="stable")]
    low, high = low[rank], high[rank]
    if not (high[:-1] < low[1:]).all():
        return None
    return tuple(zip(low.tolist(), high.tolist(), strict=True))
