"""Data and log-likelihoods of a mixture model with the given clusters as covariates.

A numeric feature is the sum of effects of the given clusters, an effect of the new cluster, and
normal noise. A categorical feature has a distribution that may depend on both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import ClusterEffects
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import Points
from clusterwise.models.principal_axes import find_principal_axes

# A full residual covariance is considered only up to this many numeric features. More are replaced
# by the first principal components of what the given clusters leave: features of images, genes or
# embeddings are correlated.
MOST_FEATURES = 100
_MOST_COMPONENTS = 50
_OBJECTS_PER_COMPONENT = 10
# So are more features than objects allow to estimate a covariance of.
_OBJECTS_PER_FEATURE = 3


def count_values(columns: Sequence[Array]) -> list[int]:
    """Return the number of values of each feature from the codes."""
    return [int(codes.max()) + 1 for codes in columns]


class MixedData(NamedTuple):
    """The numeric features, n × R with mean 0, and the codes of each categorical feature."""

    numeric: Array
    categorical: list[Array]

    @property
    def n_values(self) -> list[int]:
        """The number of values of each categorical feature."""
        return count_values(self.categorical)

    def take(self, rows: Array | slice) -> "MixedData":
        """Return the data of some of the objects."""
        return MixedData(self.numeric[rows], [codes[rows] for codes in self.categorical])


@dataclass(frozen=True, eq=False)
class ModelData:
    """Features and given clusterings, and the sums of them that do not depend on new clusters."""

    features: MixedData
    given: Given

    @cached_property
    def given_overlaps(self) -> Array:
        """The numbers of objects that each two given clusters share."""
        return (self.given.indicators.T @ self.given.indicators).toarray()

    @cached_property
    def given_sums(self) -> Array:
        """The sums of the numeric features over each given cluster."""
        return np.asarray(self.given.indicators.T @ self.features.numeric)

    @cached_property
    def squares(self) -> Array:
        """The sums of products of two numeric features, or of many those of squares only."""
        numeric = self.features.numeric
        if numeric.shape[1] <= MOST_FEATURES:
            return np.asarray(numeric.T @ numeric)
        return np.einsum("ij,ij->j", numeric, numeric)


class LogLikelihoods(NamedTuple):
    """The log-likelihood of each object in each cluster, K × n, up to a constant per object.

    ``penalty`` is minus the sum of these constants, plus the BIC penalty of the parameters.
    """

    values: Array
    penalty: float

    def plus(self, other: "LogLikelihoods") -> "LogLikelihoods":
        """Return the sum with those of other features."""
        return LogLikelihoods(self.values + other.values, self.penalty + other.penalty)


class MixedObjects:
    """Numeric and categorical features of objects, of which some are read at a time.

    Constant numeric features are dropped. A missing number is replaced by the mean, a missing
    category is a value of its own.

    Parameters
    ----------
    features : Features
        The features of the objects.
    objects : Points
        The same as points.
    """

    def __init__(self, features: Features, objects: Points) -> None:
        points, owners = objects.points, objects.owners
        nominal = np.array([column.kind == "nominal" for column in features.columns])
        numeric = ~nominal[owners]
        varies = points.max(axis=0) > points.min(axis=0)
        self._points = points
        self._columns = np.flatnonzero(numeric & varies)
        self._mean = points.mean(axis=0)[self._columns]
        self._nominal = [np.flatnonzero(owners == r) for r in np.flatnonzero(nominal)]
        # The features that the columns of the data belong to.
        self.numeric_features = owners[self._columns]
        self.categorical_features = np.flatnonzero(nominal)

    @property
    def width(self) -> int:
        """The number of numeric features."""
        return self._columns.size

    @property
    def n_values(self) -> list[int]:
        """The number of values of each categorical feature."""
        return [columns.size for columns in self._nominal]

    def take(self, rows: Any = slice(None)) -> MixedData:
        """Return the data of some of the objects, by default of all."""
        points = self._points[rows]
        categorical = [points[:, columns].argmax(axis=1) for columns in self._nominal]
        return MixedData(points[:, self._columns] - self._mean, categorical)


def find_components(data: MixedData, given: Given) -> Array | None:
    """Return axes on which many numeric features are projected, R × components; None for few.

    They are principal axes of the residuals from the effects of the given clusters.
    """
    n, width = data.numeric.shape
    if width <= min(MOST_FEATURES, n // _OBJECTS_PER_FEATURE):
        return None
    effects = ClusterEffects.fit(data.numeric, given)
    axes, _ = find_principal_axes(data.numeric - effects.indicators @ effects.effects)
    count = min(_MOST_COMPONENTS, max(2, n // _OBJECTS_PER_COMPONENT))
    return np.asarray(axes[:, -count:])


def project(data: MixedData, axes: Array | None) -> MixedData:
    """Return the numeric features on these axes; unchanged if there are none."""
    return data if axes is None else data._replace(numeric=data.numeric @ axes)
