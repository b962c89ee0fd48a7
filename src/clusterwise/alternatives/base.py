"""What all estimators of alternatives share: what is given, and what is found."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.results import describe_sizes
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points
from clusterwise.measures.quality import quality_score

FIRST_CLUSTERS = 2


class Candidate(NamedTuple):
    """An alternative, how it was found, and what speaks against it unless it is the first one."""

    labels: Array
    how: Any = None
    objection: str | None = None


class Alternative(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer that takes known clusterings as ``y`` and finds others."""

    n_clusters: int | None
    n_alternatives: int
    quality_floor: float

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives to ``y``; every estimator does it its own way."""

    def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> Array:
        """Fit, and return the labels of the first alternative."""
        labels: Array = self.fit(X, y, **kwargs).labels_
        return labels

    def judged(self, X: Any) -> Any:
        """The objects as measures of quality are to see them: as they are, or as points."""
        return X

    def _find_all(
        self,
        given: Given,
        find: Callable[[Given], Candidate],
        quality: Callable[[Array], float],
        times: Array | None = None,
    ) -> list[Any]:
        """One alternative after the other, until there are enough or the next is not worth it.

        ``times`` are the objects that each label stands for, if not one. Returns how each
        alternative was found.
        """
        self.given_ = given.codes
        found: list[Candidate] = []
        for i in range(self.n_alternatives):
            with one_library_thread_if_small(given.codes.shape[1]):
                one = find(given)
            why = self._why_stop(one, quality, found[0].labels, times) if found else None
            if why:
                warnings.warn(
                    f"{type(self).__name__} stopped after {i} of {self.n_alternatives} "
                    f"alternatives: the next one {why}.",
                    UserWarning,
                    stacklevel=3,
                )
                break
            found.append(one)
            given = given.with_labels(one.labels)
        self._store([one.labels for one in found], times)
        return [one.how for one in found]

    def _why_stop(
        self,
        one: Candidate,
        quality: Callable[[Array], float],
        first: Array,
        times: Array | None,
    ) -> str | None:
        if one.objection:
            return one.objection
        if describe_sizes(one.labels, times).degenerate:
            return "is degenerate"
        here, there = quality(one.labels), quality(first)
        if here < self.quality_floor * there:
            return f"has a quality of {here:.3g}, the first one {there:.3g}"
        return None

    def _store(self, alternatives: Sequence[Array], times: Array | None = None) -> None:
        """Note what was found."""
        self.alternatives_ = np.array(alternatives)
        self.labels_ = self.alternatives_[0]
        self.sizes_ = [describe_sizes(labels, times) for labels in alternatives]
        self.degenerate_ = self.sizes_[0].degenerate
        self.effective_n_clusters_ = self.sizes_[0].effective


def resolve_n_clusters(asked: int | None, given: Given, n: int) -> int:
    """How many clusters to find: as asked, or as many as the first given clustering has.

    If that is one cluster of all objects, more are found, or nothing would be.
    """
    count = max(given.sizes[0], min(FIRST_CLUSTERS, n)) if asked is None else asked
    if not isinstance(count, int | np.integer) or not 1 <= count <= n:
        raise InputError(f"n_clusters={count!r} for {n} objects; use a whole number from 1 to {n}.")
    return int(count)


def resolve_first_n_clusters(asked: int | None, n: int) -> int:
    """How many clusters a first clustering gets, if none is given."""
    return resolve_n_clusters(asked, Given(np.zeros((1, n), np.int64), (1,)), n)


def check_n_alternatives(n_alternatives: int) -> None:
    """Refuse to find no alternative at all."""
    if n_alternatives < 1:
        raise InputError(f"n_alternatives={n_alternatives!r}; ask for at least one.")


def relabel_by_appearance(labels: Array) -> Array:
    """Labels 0, 1, … in the order of the clusters' first objects."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[codes]


# Shares of objects that are a little more than whole numbers are these.
_ROUNDING = 1e-9


class PointAlternative(Alternative):
    """An estimator that sees its objects as points, be they numbers, names, or both."""

    def judged(self, X: Any) -> Any:
        return read_points(X).points

    def _given_or_first(self, points: Any, y: Any, random: np.random.RandomState) -> Given:
        """What is given, or a first clustering by k-means."""
        if y is None:
            return make_first_clustering(points, self.n_clusters, random)
        return read_given(y, points.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


class StandaloneAlternative(PointAlternative):
    """An estimator that clusters as well if nothing is known: what it finds first is new."""

    random_state: Any

    def _given_or_one_cluster(self, y: Any, n: int) -> Given:
        """What is given, or all objects in one cluster, which tells nothing."""
        return read_given(np.zeros(n, np.int64) if y is None else y, n)


def make_first_clustering(points: Any, n_clusters: int | None, random: Any) -> Given:
    """A first clustering, by k-means."""
    n = points.shape[0]
    model = KMeans(resolve_first_n_clusters(n_clusters, n), n_init=10, random_state=random)
    with one_library_thread_if_small(n):
        return read_given(model.fit(points).labels_, n)


def validate_features(estimator: Any, X: Any) -> Features:
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
    return relabel_by_appearance(joined)
