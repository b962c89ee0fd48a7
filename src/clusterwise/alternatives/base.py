"""What all estimators of alternatives share: what is given, and what is found."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.encoding import Array
from clusterwise.errors import InputError


class Alternative(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer that takes known clusterings as ``y`` and finds others."""

    n_clusters: int | None

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives to ``y``; every estimator does it its own way."""

    def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> Array:
        """Fit, and return the labels of the first alternative."""
        labels: Array = self.fit(X, y, **kwargs).labels_
        return labels

    def _keep(self, alternatives: Sequence[Array]) -> None:
        """Note what was found."""
        self.alternatives_ = np.array(alternatives)
        self.labels_ = self.alternatives_[0]
        self.sizes_ = [describe_sizes(labels) for labels in alternatives]
        self.degenerate_ = self.sizes_[0].degenerate
        self.effective_n_clusters_ = self.sizes_[0].effective


def count_clusters(asked: int | None, given: Given, n: int) -> int:
    """How many clusters to find: as asked, or as many as the first given clustering has."""
    count = given.sizes[0] if asked is None else asked
    if not isinstance(count, int | np.integer) or not 1 <= count <= n:
        raise InputError(f"n_clusters={count!r} for {n} objects; use a whole number from 1 to {n}.")
    return int(count)
