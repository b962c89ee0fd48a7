"""What estimators share that see their objects as points."""

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.base import Alternative, count_first
from clusterwise.alternatives.coala.merging import in_order
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points
from clusterwise.measures.quality import quality_score

# Shares of objects that are a little more than whole numbers are these.
_ROUNDING = 1e-9


class PointAlternative(Alternative):
    """An estimator that sees its objects as points, be they numbers, names, or both."""

    def judged(self, X: Any) -> Any:
        return read_points(X).points

    def _known(self, points: Any, y: Any, random: np.random.RandomState) -> Given:
        """What is given, or a first clustering by k-means."""
        if y is None:
            return make_first(points, self.n_clusters, random)
        return read_given(y, points.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


class PlainAlternative(PointAlternative):
    """An estimator that clusters as well if nothing is known: what it finds first is new."""

    random_state: Any

    def _known_or_nothing(self, y: Any, n: int) -> Given:
        """What is given, or all objects in one cluster, which tells nothing."""
        return read_given(np.zeros(n, np.int64) if y is None else y, n)


def make_first(points: Any, n_clusters: int | None, random: Any) -> Given:
    """A first clustering, by k-means."""
    n = points.shape[0]
    model = KMeans(count_first(n_clusters, n), n_init=10, random_state=random)
    with one_library_thread_if_small(n):
        return read_given(model.fit(points).labels_, n)


def read_objects(estimator: Any, X: Any) -> Features:
    """At least two objects with features of any kind, of which values may be missing."""
    plain = np.asarray(X) if isinstance(X, list | tuple) else X
    if sparse.issparse(plain) or getattr(getattr(plain, "dtype", None), "kind", "O") in "biufc":
        # Their words for what is wrong with numbers are those that scikit-learn's users know.
        X = validate_data(
            estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2
        )
        return read_features(X)
    features = read_features(X)
    estimator.n_features_in_ = len(features.names)
    if features is not X:
        validate_data(estimator, X, skip_check_array=True)
    if features.n < 2:
        raise InputError(f"n_samples={features.n} in X; pass at least two objects.")
    return features


def judge_by_centroids(points: Array) -> Callable[[Array], float]:
    """The quality that decides whether one more alternative is worth having: linear in n."""
    return lambda labels: quality_score(points, labels, "dunn_centroids")


def check_positive(estimator: Any, *names: str) -> None:
    """Refuse whole numbers below 1."""
    for name in names:
        value = getattr(estimator, name)
        if value < 1:
            raise InputError(f"{name}={value!r}; use at least 1.")


def least_size(asked: float | None, count: int, n: int) -> int:
    """How many objects a cluster must have: a number, or a share of all below 1."""
    if asked is None:
        return 1
    least = ceil(asked * n - _ROUNDING) if 0 < asked < 1 else int(asked)
    if not 0 <= least <= n // count:
        raise InputError(
            f"min_cluster_size={asked!r} leaves no room for {count} clusters of {n} objects; use a "
            f"size up to {n // count}, or a share."
        )
    return max(1, least)


def join_small(points: Array, labels: Array, least: float | None) -> Array:
    """Objects of clusters below a size, or a share of all objects, join the nearest other one."""
    if least is None:
        return labels
    if 0 < least < 1:
        least = ceil(least * labels.size - _ROUNDING)
    counts = np.bincount(labels)
    large = np.flatnonzero(counts >= least)
    lost = np.flatnonzero(counts[labels] < least)
    if not large.size or not lost.size:
        return labels
    indicators = sparse.csr_array((np.ones(labels.size), labels, np.arange(labels.size + 1)))
    centres = (indicators.T @ points)[large] / counts[large, None]
    joined = labels.copy()
    joined[lost] = large[pairwise_distances_argmin(points[lost], centres)]
    return in_order(joined)
