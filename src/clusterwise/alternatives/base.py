"""The base classes of all estimators of alternatives, and helpers that they share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import validate_data

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.parameters import ConstrainedParameters
from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.distinct_objects import (
    count_distinct,
    rows_of,
    warn_of_equal_objects,
)
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.minimum_size import as_n_objects
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.columns.frame_dates import dates_as_days
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.inputs.features import NOT_NUMBERS, Features, fill_masked, read_features
from clusterwise.inputs.frames import as_lazy
from clusterwise.measures.quality import quality_score
from clusterwise.models.kmeans import allow_equal_objects

# The number of clusters of a first clustering, if there is no given one and no number is passed.
FIRST_CLUSTERS = 2


class Candidate(NamedTuple):
    """A candidate for the next alternative.

    ``details`` say how it was found; ``objection``, if not None, why it is rejected unless it is
    the first one.
    """

    labels: Array
    details: Any = None
    objection: str | None = None


class Alternative(ConstrainedParameters, ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer that takes given clusterings as ``y`` and finds different ones.

    Subclasses define ``fit``. Those of this library validate the objects in ``_validate`` and
    search in ``_fit``, so that several of them can share one :class:`AlternativeProblem`.
    """

    n_clusters: int | None
    n_alternatives: int
    quality_floor: float
    # Whether the measures of quality take the objects as points, or the features as they are.
    _scored_as_points = False
    # The quality that cluster_again scores alternatives by.
    _default_quality = "dunn"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_arguments(cls)

    @property
    def _unit_free(self) -> bool:
        """Whether the objects are given by distances, categories or frequencies, without units."""
        return getattr(self, "metric", None) in ("gower", "precomputed")

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives to ``y``."""

    def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> Array:
        """Fit, and return the labels of the first alternative."""
        labels: Array = self.fit(X, y, **kwargs).labels_
        return labels

    def _read(self, X: Any, y: Any) -> AlternativeProblem:
        """Check the parameters, and read the objects and the given clusterings."""
        self._validate_params()
        validated = self._validate(X)
        n = validated.n if isinstance(validated, Features) else validated.shape[0]
        return AlternativeProblem(X, n, None if y is None else read_given(y, n), validated)

    def _validate(self, X: Any) -> Any:
        """Return the objects as the estimator needs them: features, or a numeric matrix."""
        return read_features(X)

    def _fit(self, problem: AlternativeProblem) -> Self:
        """Find alternatives for input that was read before."""
        return self.fit(problem.X, None if problem.given is None else problem.given.codes.T)

    def _find_all(
        self,
        given: Given,
        find: Callable[[Given], Candidate],
        quality: Callable[[Array], float],
        weights: Array | None = None,
    ) -> list[Any]:
        """Find one alternative after another, until there are enough or the next is rejected.

        Each is different from the given clusterings and from the alternatives before it.
        ``weights`` are the numbers of objects that each label stands for, by default 1. Returns
        the details of all candidates that were accepted.
        """
        self.given_ = given.codes
        found: list[Candidate] = []
        for i in range(self.n_alternatives):
            with one_library_thread_if_small(given.codes.shape[1]):
                candidate = find(given)
            objection = self._object(candidate, quality, found[0].labels, weights) if found else ""
            if objection:
                warn_user(
                    f"{type(self).__name__} stopped after {i} of {self.n_alternatives} "
                    f"alternatives: the next one {objection}.",
                )
                break
            found.append(candidate)
            given = given.with_labels(candidate.labels)
        self._store([candidate.labels for candidate in found], weights)
        return [candidate.details for candidate in found]

    def _object(
        self,
        candidate: Candidate,
        quality: Callable[[Array], float],
        first: Array,
        weights: Array | None,
    ) -> str | None:
        """Return why a further alternative is rejected, or None."""
        if candidate.objection:
            return candidate.objection
        if describe_sizes(candidate.labels, weights).degenerate:
            return "is degenerate"
        here, there = quality(candidate.labels), quality(first)
        if here < self.quality_floor * there:
            return f"has a quality of {here:.3g}, the first one {there:.3g}"
        return None

    def _store(self, alternatives: Sequence[Array], weights: Array | None = None) -> None:
        """Set the fitted attributes that all estimators have."""
        self.alternatives_ = np.array(alternatives)
        self.labels_ = self.alternatives_[0]
        self.sizes_ = [describe_sizes(labels, weights) for labels in alternatives]
        self.n_clusters_ = len(self.sizes_[0].sizes)
        self.degenerate_ = self.sizes_[0].degenerate
        self.effective_n_clusters_ = self.sizes_[0].effective


class PointAlternative(Alternative):
    """An estimator that takes the objects as points; features may be categorical."""

    _scored_as_points = True

    def _validate(self, X: Any) -> Any:
        return validate_features(self, X)

    def _given_or_first(self, problem: AlternativeProblem, random: np.random.RandomState) -> Given:
        """Return the given clusterings, or a first clustering by k-means."""
        if problem.given is not None:
            return problem.given
        return make_first_clustering(problem.points, self.n_clusters, random)

    def _resolve_n_clusters(self, problem: AlternativeProblem, given: Given) -> int:
        """Return the number of clusters to find; warn if there are fewer distinct points."""
        count = resolve_n_clusters(self.n_clusters, given, problem.n)
        found = count_distinct(rows_of(problem.points), count)
        warn_of_equal_objects(found, count)
        return count

    def _warn_of_missing_clusters(
        self, problem: AlternativeProblem, labels: Array, count: int, reason: str
    ) -> None:
        """Warn if there are fewer clusters than both the number to find and distinct points."""
        found = int(labels.max()) + 1
        if found < count and count_distinct(rows_of(problem.points), found + 1) > found:
            warn_user(
                f"{type(self).__name__} found {found} of {count} clusters: {reason}.",
            )

    def _centroid_quality(self, problem: AlternativeProblem) -> Callable[[Array], float]:
        """Return the quality that further alternatives are accepted by, linear in n."""
        return lambda labels: quality_score(problem.point_distances, labels, "dunn_centroids")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


class StandaloneAlternative(PointAlternative):
    """An estimator that also clusters without a given clustering, as an ordinary clusterer."""

    random_state: Any

    def _given_or_one_cluster(self, problem: AlternativeProblem) -> Given:
        """Return the given clusterings, or one cluster of all objects."""
        if problem.given is not None:
            return problem.given
        return Given(np.zeros((1, problem.n), np.int64), (1,))


def make_first_clustering(points: Any, n_clusters: int | None, random_state: Any) -> Given:
    """Return a first clustering by k-means."""
    n = points.shape[0]
    model = KMeans(resolve_first_n_clusters(n_clusters, n), n_init=10, random_state=random_state)
    with one_library_thread_if_small(n), allow_equal_objects():
        return read_given(model.fit(points).labels_, n)


def resolve_n_clusters(n_clusters: int | None, given: Given, n: int) -> int:
    """Return the number of clusters to find; by default that of the first given clustering.

    If that is one cluster of all objects, two clusters are sought.
    """
    count = max(given.sizes[0], min(FIRST_CLUSTERS, n)) if n_clusters is None else n_clusters
    if not 1 <= count <= n:
        raise InputError(f"n_clusters={count!r} for {n} objects; use a whole number from 1 to {n}.")
    return int(count)


def resolve_first_n_clusters(n_clusters: int | None, n: int) -> int:
    """Return the number of clusters of a first clustering, if there is no given one."""
    return resolve_n_clusters(n_clusters, Given(np.zeros((1, n), np.int64), (1,)), n)


def validate_features(estimator: Any, X: Any) -> Features:
    """Read at least two objects with numeric or categorical features and missing values.

    Sets ``n_features_in_`` and ``feature_names_in_`` of the estimator.
    """
    plain = X
    if isinstance(X, list | tuple):
        try:
            plain = np.asarray(X)
        except ValueError:  # rows of different lengths
            read_features(X)
    if sparse.issparse(plain) or getattr(getattr(plain, "dtype", None), "kind", "O") in "biufc":
        # Numeric arrays get the error messages of scikit-learn, which its users know.
        return read_features(validate_numbers(estimator, X, ensure_all_finite="allow-nan"))
    features = read_features(X)
    estimator.n_features_in_ = len(features.names)
    if features is not X:
        validate_data(estimator, X, skip_check_array=True)
    check_n_objects(features.n)
    return features


def validate_numbers(estimator: Any, X: Any, **options: Any) -> Any:
    """Read at least two objects with numeric features, or a sparse matrix if ``options`` say so.

    Dates in frames are read as days.
    Errors are scikit-learn's, which its users know, but for those of other libraries.
    """
    is_time = getattr(getattr(X, "dtype", None), "kind", None) in ("m", "M")
    if is_time or as_lazy(X) is not None:
        read_features(X)  # raises: the objects must be numbers in memory
    X = dates_as_days(fill_masked(X))
    try:
        return validate_data(estimator, X, dtype=np.float64, ensure_min_samples=2, **options)
    except np.exceptions.DTypePromotionError:
        raise InputError(NOT_NUMBERS) from None
    except (TypeError, ValueError, MemoryError):
        raise
    except Exception as error:  # integers that no float holds, types that NumPy does not have
        raise InputError(f"X cannot be read as numbers: {error}.") from None


def check_n_objects(n: int) -> None:
    """Raise an error if there are fewer than two objects."""
    if n < 2:
        raise InputError(f"n_samples={n} in X; pass at least two objects.")


def join_small(points: Array, labels: Array, min_cluster_size: float | None) -> Array:
    """Assign the objects of small clusters to the nearest centroid of the other clusters.

    ``min_cluster_size`` is a number of objects, or below 1 a fraction of all.
    """
    if min_cluster_size is None:
        return labels
    least = as_n_objects(min_cluster_size, labels.size)
    counts = np.bincount(labels)
    large = np.flatnonzero(counts >= least)
    to_assign = np.flatnonzero(counts[labels] < least)
    if not large.size or not to_assign.size:
        return labels
    indicators = sparse.csr_array((np.ones(labels.size), labels, np.arange(labels.size + 1)))
    centres = (indicators.T @ points)[large] / counts[large, None]
    joined = labels.copy()
    joined[to_assign] = large[pairwise_distances_argmin(points[to_assign], centres)]
    return relabel_by_appearance(joined)
