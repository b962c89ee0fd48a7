"""Estimators that label any objects by their nearest prototypes."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.coala.frame_columns import take_features
from clusterwise.alternatives.coala.lattice_cells import Cells
from clusterwise.alternatives.coala.prototypes import Prototypes, nearest_prototypes
from clusterwise.inputs.encoding import Array


def _needs_prototypes(estimator: Any) -> bool:
    """Whether there are prototypes, without which no other objects can be labelled."""
    if estimator.prototypes is None:
        raise AttributeError(
            "objects that were not fitted get the labels of their nearest prototypes; pass "
            "prototypes=300, say, and fit again."
        )
    return True


class Prototyped(BaseEstimator):  # type: ignore[misc]
    """What is kept of prototypes, and of the cells of a lazy frame that they were made from."""

    prototypes: int | None

    @available_if(_needs_prototypes)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Array:
        """The clusters of objects by the first alternative: those of their nearest prototypes.

        Needs ``prototypes``. Few objects of an ``X`` fitted in memory may get another label
        here than in ``labels_``, for which only prototypes of an object's own given clusters are
        looked at. The ``labels_`` of a lazy frame's cells are those that are predicted.
        The fitted estimator is small and can be sent to where the objects are:
        ``ddf.map_partitions(model.predict)``, or in what ``mapInPandas`` of Spark calls.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            Objects in memory. Of a frame the columns are taken that the fitted one had as
            features, whatever else it has.

        Returns
        -------
        ndarray of shape (n,)
            Their clusters.
        """
        check_is_fitted(self, "prototypes_")
        values = take_features(X, getattr(self, "feature_names_in_", None))
        if values.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {values.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        codes: Array = self.prototype_labels_[nearest_prototypes(self.prototypes_, values)]
        return codes

    def _forget(self) -> None:
        """Drop what an earlier fit found that this one may not."""
        for name in ("prototypes_", "prototype_labels_", "cells_", "cell_counts_"):
            if hasattr(self, name):
                delattr(self, name)

    def _keep_prototypes(self, few: Prototypes, labels: Array) -> None:
        self.prototypes_, self.prototype_labels_ = few.centres, labels

    def _keep_cells(self, cells: Cells, features: list[str]) -> None:
        self.cells_, self.cell_counts_ = cells.means, cells.counts
        self.n_features_in_ = len(features)
        self.feature_names_in_ = np.array(features, object)
