"""Weighted prototypes in place of many objects, each inside one combination of given clusters."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.coala.frame_columns import select_feature_values
from clusterwise.alternatives.coala.lattice_cells import LatticeCells
from clusterwise.alternatives.given import Given
from clusterwise.inputs.centring import centre_and_scale
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.models.kmeans import allow_equal_objects

# The iterations of k-means by which prototypes are made.
_MAX_ITER = 5


class Prototypes(NamedTuple):
    """Centres of prototypes, and the numbers of their objects as weights.

    ``spreads`` are mean squared distances from the centre, ``of`` is the prototype of each object.
    """

    centres: Array
    weights: Array
    spreads: Array
    of: Array
    given: Given

    def sums(self, dtype: Any) -> Array:
        """Return distances between prototypes, multiplied by both weights.

        The distance is the root mean squared distance between their objects, which follows from
        centres and spreads. Distances between centres would underestimate it for near prototypes.
        """
        squares = (self.centres**2).sum(axis=1)
        sums = squares[:, None] + squares - 2 * self.centres @ self.centres.T
        sums = np.maximum(sums, 0.0) + self.spreads[:, None] + self.spreads
        np.sqrt(sums, out=sums)
        sums *= self.weights[:, None] * self.weights
        np.fill_diagonal(sums, 0.0)
        return sums.astype(dtype, copy=False)

    def dunn(self, codes: Array) -> float:
        """Return an estimate of Dunn's index with mean distances for clusters of prototypes.

        Distances are as in :meth:`sums`, also of two objects of one prototype.
        """
        into = np.zeros((codes.size, int(codes.max()) + 1))
        into[np.arange(codes.size), codes] = 1.0
        total = into.T @ self.sums("float64") @ into
        own = np.sqrt(2 * self.spreads * self.weights * np.maximum(self.weights - 1, 0.0))
        total[np.diag_indices_from(total)] += (own * np.sqrt(self.weights)) @ into
        sizes = self.weights @ into
        pairs = sizes[:, None] * sizes - np.diag(sizes)
        means = np.divide(total, pairs, out=np.zeros_like(total), where=pairs > 0)
        between = means[np.triu_indices_from(means, 1)].min(initial=np.inf)
        width = means.diagonal().max()
        if not np.isfinite(between) or not between:
            return 0.0
        return float(between / width) if width else np.inf


def nearest_prototypes(centres: Array, X: Array) -> Array:
    """Return the index of the nearest centre of each object."""
    from sklearn.metrics import pairwise_distances_argmin

    if not len(X):
        return np.empty(0, np.int64)
    # Relative, because squares of large numbers overflow, or leave no digits for distances.
    relative = centre_and_scale(centres)
    objects = np.ldexp(X - relative.origin, -relative.exponent)
    return np.asarray(pairwise_distances_argmin(objects, relative.values), np.int64)


def make_prototypes(
    X: Array,
    given: Given,
    count: int,
    random_state: Any,
    progress: bool | None = None,
    counts: Array | None = None,
    spreads: Array | None = None,
) -> Prototypes:
    """Make about ``count`` prototypes, by k-means within each combination of given clusters.

    A row of ``X`` may be the mean of several objects: then ``counts`` are their numbers and
    ``spreads`` their mean squared distances from it. There are never more prototypes than rows.
    """
    from sklearn.cluster import KMeans

    joint = given.joint
    object_weights = np.ones(len(X)) if counts is None else counts.astype(np.float64)
    rows, sizes = np.bincount(joint), np.bincount(joint, object_weights).astype(np.int64)
    if not sizes.size <= count <= sizes.sum():
        raise InputError(
            f"prototypes={count!r} for {sizes.sum()} objects in {sizes.size} combinations of given "
            f"clusters; use a number from {sizes.size} to {sizes.sum()}."
        )
    allotted = _allot(sizes, rows, count)
    order = np.argsort(joint, kind="stable")
    starts = np.concatenate([[0], np.cumsum(rows)])
    of = np.empty(len(X), np.int64)
    begin = 0
    for cell in track(range(sizes.size), sizes.size, "making prototypes", progress):
        objects = order[starts[cell] : starts[cell + 1]]
        model = KMeans(
            int(allotted[cell]),
            init="random",
            n_init=1,
            max_iter=_MAX_ITER,
            tol=0.0,
            random_state=random_state,
        )
        sample_weight = None if counts is None else object_weights[objects]
        with allow_equal_objects():
            found = model.fit(X[objects], sample_weight=sample_weight).labels_
        found = relabel_by_value(found)
        of[objects] = begin + found
        begin += int(found.max()) + 1
    weights = np.bincount(of, object_weights)
    centres = np.zeros((begin, X.shape[1]))
    np.add.at(centres, of, X if counts is None else X * object_weights[:, None])
    centres /= weights[:, None]
    squared_distances = ((X - centres[of]) ** 2).sum(axis=1) + (0.0 if spreads is None else spreads)
    first = np.unique(of, return_index=True)[1]
    return Prototypes(
        centres,
        weights,
        np.bincount(of, squared_distances * object_weights) / weights,
        of,
        Given(given.codes[:, first], given.sizes),
    )


def _allot(sizes: Array, rows: Array, count: int) -> Array:
    """Return the number of prototypes of each combination, proportional to its objects."""
    allotted = np.maximum(1, np.floor(sizes * (count / sizes.sum())).astype(np.int64))
    while allotted.sum() > count:
        allotted[np.argmax(allotted)] -= 1
    allotted = np.minimum(allotted, rows)
    count = min(count, int(rows.sum()))
    while allotted.sum() < count:
        for cell in np.argsort(allotted / sizes, kind="stable"):
            allotted[cell] += allotted[cell] < rows[cell] and allotted.sum() < count
    return allotted


def _needs_prototypes(estimator: Any) -> bool:
    """Raise an AttributeError unless ``prototypes`` is set, since predict needs them."""
    if estimator.prototypes is None:
        raise AttributeError(
            "predict assigns objects to their nearest prototypes; pass prototypes, such as "
            "prototypes=300, and fit again."
        )
    return True


class PrototypeMixin(BaseEstimator):  # type: ignore[misc]
    """Fitted attributes of prototypes and lattice cells, and ``predict``."""

    prototypes: int | None

    @available_if(_needs_prototypes)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Array:
        """Predict the clusters of the first alternative: those of the nearest prototypes.

        Needs ``prototypes``. A few objects that were fitted in memory may get another label than in
        ``labels_``, for which only prototypes of the object's own given clusters are considered.
        The ``labels_`` of a lazy frame's cells are those that are predicted.
        The fitted estimator is small and can be sent to where the objects are:
        ``ddf.map_partitions(model.predict)``, or in a function for ``mapInPandas`` of Spark.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            Objects in memory. Of a frame only the columns of the fitted features are used.

        Returns
        -------
        ndarray of shape (n,)
            Their clusters.
        """
        check_is_fitted(self, "prototypes_")
        values = select_feature_values(X, getattr(self, "feature_names_in_", None))
        if values.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {values.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        codes: Array = self.prototype_labels_[nearest_prototypes(self.prototypes_, values)]
        return codes

    def _forget(self) -> None:
        """Delete attributes of an earlier fit that this one may not set."""
        for name in ("prototypes_", "prototype_labels_", "cells_", "cell_counts_"):
            if hasattr(self, name):
                delattr(self, name)

    def _keep_prototypes(self, centres: Array, labels: Array) -> None:
        self.prototypes_, self.prototype_labels_ = centres, labels

    def _keep_cells(self, cells: LatticeCells, features: list[str]) -> None:
        self.cells_, self.cell_counts_ = cells.means, cells.counts
        self.n_features_in_ = len(features)
        self.feature_names_in_ = np.array(features, object)
