"""What all estimators share that combine many clusterings into one."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble, read_ensemble
from clusterwise.inputs.frames import as_lazy
from clusterwise.summaries.frames.labels import collapse_frame


class Consensus(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer whose ``X`` is an ensemble: n × m labels, one column per clustering.

    Objects with the same labels in every clustering are combined as one, exactly. Clusters are
    numbered in the order of their first objects. Objects that no clustering knows are
    labelled -1.
    """

    n_clusters: int | None
    weights: Any

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 (scikit-learn passes it)
        """Combine the clusterings ``X``: n × m labels, a frame, a list of label arrays, a dict.

        Labels may be of any kind, and missing where a clustering does not know an object;
        ``y`` is ignored.

        Of a lazy frame (Polars, DuckDB, Ibis, Dask or PySpark) only the different rows and
        their numbers leave the engine, in one group-by. ``labels_`` are then those of the kinds
        of objects: ``kinds_`` is an eager frame of them, to be joined with the objects on all
        its columns, and ``kind_counts_`` are their numbers.
        """
        every = self._collapse(X)
        weights = read_weights(self.weights, every.ensemble.m)
        collapsed = _known(every)
        count = self._count(every, collapsed.ensemble.n)
        codes = self._combine(collapsed, weights, count)
        self.labels_ = expand(codes, collapsed.of)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def _collapse(self, X: Any) -> Collapsed:
        """The different objects of an ensemble; those of a lazy frame by its engine."""
        for name in ("kinds_", "kind_counts_"):
            if hasattr(self, name):
                delattr(self, name)
        if as_lazy(X) is None:
            return _read(self, X).collapse()
        collapsed, kinds = collapse_frame(X)
        self.kinds_, self.kind_counts_ = kinds.to_native(), collapsed.weights
        self.n_features_in_ = collapsed.ensemble.m
        self.feature_names_in_ = np.array(collapsed.ensemble.names, object)
        return collapsed

    @abstractmethod
    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        """A cluster, from zero, for each different object; ``weights`` are those of clusterings.

        ``count`` is None only if the estimator's ``_default_count`` says so.
        """

    def _default_count(self, ensemble: Ensemble) -> int | None:
        """How many clusters if nobody asks: the median of the members', rounded down."""
        return int(np.median(ensemble.sizes))

    def _count(self, every: Collapsed, different: int) -> int | None:
        count = self.n_clusters
        if count is None:
            return self._default_count(every.ensemble)
        objects = int(every.weights.sum())
        if not isinstance(count, int | np.integer) or not 1 <= count <= objects:
            raise InputError(
                f"n_clusters={count!r} for {objects} objects; use a whole number from 1 to "
                f"{objects}."
            )
        if count > different:
            raise InputError(
                f"n_clusters={count!r}, but the clusterings have only {different} distinct rows; "
                f"use at most {different}."
            )
        return int(count)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def read_weights(weights: Any, m: int) -> Array:
    """How much each clustering counts: all the same, or as asked."""
    if weights is None:
        return np.ones(m)
    read = np.asarray(weights, np.float64)
    if read.shape != (m,):
        raise InputError(
            f"weights have shape {read.shape}, but there are {m} clusterings; pass one for each."
        )
    if not (np.isfinite(read) & (read > 0)).all():
        raise InputError(
            "weights hold something that is no positive number; leave out clusterings "
            "that are not to count."
        )
    return read


def first_ranks(codes: Array, of: Array) -> Array:
    """For each cluster its place in the order of first objects; -1 at the end, for -1."""
    known = np.flatnonzero(of >= 0)[::-1]
    first = np.full(int(codes.max()) + 1, of.size)
    first[codes[of[known]]] = known
    ranks = np.full(first.size + 1, -1)
    ranks[np.argsort(first, kind="stable")] = np.arange(first.size)
    return ranks


def expand(codes: Array, of: Array) -> Array:
    """Labels of all objects, in order of first objects; -1 for those that no clustering knows."""
    ranks = first_ranks(codes, of)
    return np.append(ranks[codes], -1)[of]


def _read(estimator: Consensus, X: Any) -> Ensemble:
    if sparse.issparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind in "biufc"):
        # Their words for what is wrong with numbers are those that scikit-learn's users know.
        X = validate_data(estimator, X, dtype=None, ensure_all_finite="allow-nan")
        return read_ensemble(X)
    ensemble = read_ensemble(X, counted=True)
    if hasattr(X, "columns"):
        validate_data(estimator, X, skip_check_array=True)
    estimator.n_features_in_ = ensemble.m
    return ensemble


def _known(collapsed: Collapsed) -> Collapsed:
    """Without what no clustering knows, which is -1 in ``of``."""
    few, weights, of = collapsed
    known = (few.codes >= 0).any(axis=0)
    if known.all():
        return collapsed
    ranks = np.where(known, np.cumsum(known) - 1, -1)
    codes = np.ascontiguousarray(few.codes[:, known])
    return Collapsed(few._replace(codes=codes), weights[known], ranks[of])
