"""The base class of the estimators that combine many clusterings into one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.parameters import ConstrainedParameters
from clusterwise._utils.tables import format_count
from clusterwise._utils.warnings import warn_user
from clusterwise.consensus.canonical_order import CanonicalOrder, order_canonically
from clusterwise.inputs.encoding import Array, refuse_masked
from clusterwise.inputs.ensembles import Collapsed, Ensemble, read_ensemble
from clusterwise.inputs.frames import as_lazy
from clusterwise.summaries.frames.distinct_rows import collapse_frame

# Weights of clusterings are rescaled if their largest is above 2^53 or below 2^-53.
_LARGEST_EXPONENT = 53


class FewerClustersWarning(UserWarning):
    """A method found fewer clusters than were asked for."""


class Consensus(ConstrainedParameters, ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer whose ``X`` is an ensemble: n × m labels, one column per clustering.

    Objects with the same labels in all clusterings are combined as one object with a weight. All
    methods work on the ensemble in a canonical order, so that the partition depends neither on the
    names of labels nor on the order of objects and clusterings. Clusters are numbered in the order
    of their first objects. Objects without any label get the label -1.
    """

    n_clusters: int | None
    weights: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_arguments(cls)

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 (scikit-learn passes it)
        """Combine the clusterings.

        Parameters
        ----------
        X : array-like of shape (n, m), frame, list or dict of label arrays, or MadeEnsemble
            The clusterings. Labels may be of any type, and missing. Of a lazy frame (Polars,
            DuckDB, Ibis, Dask or PySpark) only the distinct rows and their counts leave the
            engine, in one group-by. ``labels_`` are then those of the distinct rows:
            ``distinct_rows_`` is an eager frame of them, to be joined with the objects on all its
            columns, and ``distinct_counts_`` are their counts.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        self._validate_params()
        for name in ("distinct_rows_", "distinct_counts_"):
            if hasattr(self, name):
                delattr(self, name)
        if as_lazy(X) is None:
            return self._fit_collapsed(_read(self, X).collapse())
        collapsed, rows = collapse_frame(X)
        self.distinct_rows_, self.distinct_counts_ = rows.to_native(), collapsed.weights
        self.feature_names_in_ = np.array(collapsed.ensemble.names, object)
        return self._fit_collapsed(collapsed)

    def _fit_collapsed(self, collapsed: Collapsed) -> Self:
        """Combine the clusterings of distinct objects."""
        weights = relative_weights(self.weights, collapsed.ensemble.m)
        known = _drop_unlabelled(collapsed)
        count = self._count(collapsed, known.ensemble.n)
        order = order_canonically(known, weights)
        codes = self._combine(order.collapsed, order.weights, count)
        self._restore_order(order)
        self.labels_ = expand(codes, order.collapsed.of)
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.n_features_in_ = collapsed.ensemble.m
        if self.n_clusters is not None and self.n_clusters_ < self.n_clusters:
            warn_user(
                f"{type(self).__name__} found {format_count(self.n_clusters_, 'cluster')}, not "
                f"{self.n_clusters}: no object has its largest association with any other; use "
                "another method, or fewer clusters.",
                FewerClustersWarning,
            )
        return self

    @abstractmethod
    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        """Return a cluster, from 0, for each distinct object.

        The ensemble is in canonical order. ``weights`` are those of the clusterings. ``count`` is
        None only if ``_default_count`` returns None.
        """

    def _restore_order(self, order: CanonicalOrder) -> None:
        """Put attributes of rows, clusters or clusterings into the order that was given."""

    def _default_count(self, ensemble: Ensemble) -> int | None:
        """Return the number of clusters if none is given: the median, rounded down."""
        return int(np.median(ensemble.sizes))

    def _count(self, collapsed: Collapsed, n_distinct: int) -> int | None:
        count = self.n_clusters
        if count is None:
            return self._default_count(collapsed.ensemble)
        objects = int(collapsed.weights.sum())
        if count > objects:
            raise InputError(
                f"n_clusters={count!r} for {objects} objects; use a whole number from 1 to "
                f"{objects}."
            )
        if count > n_distinct:
            raise InputError(
                f"n_clusters={count!r}, but the clusterings have only {n_distinct} distinct rows; "
                f"use at most {n_distinct}."
            )
        return int(count)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def read_weights(weights: Any, m: int) -> Array:
    """Return the weights of ``m`` clusterings; ones if None."""
    if weights is None:
        return np.ones(m)
    refuse_masked(weights, "weights")
    read = np.asarray(weights, np.float64)
    if read.shape != (m,):
        raise InputError(
            f"weights have shape {read.shape}, but there are {m} clusterings; pass one for each."
        )
    if not (np.isfinite(read) & (read > 0)).all():
        raise InputError(
            "weights must be positive numbers; leave out clusterings that should not count."
        )
    return read


def relative_weights(weights: Any, m: int) -> Array:
    """Return the weights of ``m`` clusterings, of which only the ratios matter.

    Very large or small ones are multiplied by a power of two, so that their sums do not overflow;
    all remain positive.
    """
    read = read_weights(weights, m)
    exponent = int(np.frexp(read.max())[1])
    if abs(exponent) <= _LARGEST_EXPONENT:
        return read
    return np.maximum(np.ldexp(read, -exponent), np.finfo(np.float64).tiny)


def draw_sample(counts: Array, size: int, random: np.random.RandomState) -> Array:
    """Draw distinct objects with probabilities proportional to their multiplicities; sorted."""
    return np.sort(random.choice(counts.size, size, replace=False, p=counts / counts.sum()))


def first_ranks(codes: Array, of: Array) -> Array:
    """Return the rank of each cluster in the order of first objects, with -1 appended for -1.

    ``codes`` are the clusters of the distinct objects, and ``of`` is the distinct object of each
    object.
    """
    known = np.flatnonzero(of >= 0)[::-1]
    first = np.full(int(codes.max()) + 1, of.size)
    first[codes[of[known]]] = known
    ranks = np.full(first.size + 1, -1)
    ranks[np.argsort(first, kind="stable")] = np.arange(first.size)
    return ranks


def expand(codes: Array, of: Array) -> Array:
    """Return labels of all objects, numbered by first objects; -1 where ``of`` is -1."""
    ranks = first_ranks(codes, of)
    return np.append(ranks[codes], -1)[of]


def unwrap(ensemble: Any) -> Any:
    """Return the ensemble of a result that has one; anything else as it is."""
    inner = getattr(ensemble, "ensemble", None)
    return inner if isinstance(inner, Ensemble) else ensemble


def labels_first(first: Any, second: Any, function: str) -> tuple[Any, Any]:
    """Return a clustering and an ensemble, whichever of them was passed first.

    ``function`` is the caller's name, for the error message.
    """
    first, second = unwrap(first), unwrap(second)
    if looks_like_ensemble(second):
        return first, second
    if looks_like_ensemble(first):
        return second, first
    raise InputError(
        f"{function} got two clusterings and no ensemble; pass the labels (one per object) and the "
        "ensemble (n × m labels, or a list or dict of clusterings)."
    )


def looks_like_ensemble(value: Any) -> bool:
    """Return whether a value is several clusterings, not one label per object."""
    value = unwrap(value)
    if isinstance(value, Ensemble | Mapping):
        return True
    if isinstance(value, list | tuple):
        return (
            bool(value) and hasattr(value[0], "__len__") and not isinstance(value[0], str | bytes)
        )
    ndim = getattr(value, "ndim", None)
    return hasattr(value, "columns") if ndim is None else ndim == 2


def _read(estimator: Consensus, X: Any) -> Ensemble:
    X = unwrap(X)
    if sparse.issparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind in "biufc"):
        # For numeric arrays, scikit-learn's checks and error messages are the familiar ones.
        X = validate_data(estimator, X, dtype=None, ensure_all_finite="allow-nan")
        return read_ensemble(X)
    ensemble = read_ensemble(X, counted=True)
    if hasattr(X, "columns"):
        validate_data(estimator, X, skip_check_array=True)
    return ensemble


def _drop_unlabelled(collapsed: Collapsed) -> Collapsed:
    """Leave out the distinct object without any label; its objects get -1 in ``of``."""
    few, weights, of = collapsed
    known = (few.codes >= 0).any(axis=0)
    if known.all():
        return collapsed
    ranks = np.where(known, np.cumsum(known) - 1, -1)
    codes = np.ascontiguousarray(few.codes[:, known])
    return Collapsed(few._replace(codes=codes), weights[known], ranks[of])
