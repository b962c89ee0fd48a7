"""Data and log-likelihoods of a mixture model with the given clusters as covariates.

A numeric feature is the sum of effects of the given clusters, an effect of the new cluster, and
normal noise. A categorical feature has a distribution that may depend on both.
"""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import Points


class MixedData(NamedTuple):
    """The numeric features, n × R with mean 0, and the codes of each categorical feature."""

    numeric: Array
    categorical: list[Array]


class LogLikelihoods(NamedTuple):
    """The log-likelihood of each object in each cluster, K × n, up to a constant per object.

    ``penalty`` is minus the sum of these constants, plus the BIC penalty of the parameters.
    """

    values: Array
    penalty: float

    def plus(self, other: "LogLikelihoods") -> "LogLikelihoods":
        """Return the sum with those of other features."""
        return LogLikelihoods(self.values + other.values, self.penalty + other.penalty)


def split_by_type(features: Features, objects: Points) -> MixedData:
    """Separate numeric and categorical features, and drop constant numeric ones.

    ``objects`` are the features as points. A missing number is replaced by the mean, a missing
    category is a value of its own.
    """
    points, owners = objects.points, objects.owners
    nominal = np.array([column.kind == "nominal" for column in features.columns])
    numeric = points[:, ~nominal[owners]]
    numeric = numeric[:, np.ptp(numeric, axis=0) > 0]
    categorical = [points[:, owners == r].argmax(axis=1) for r in np.flatnonzero(nominal)]
    return MixedData(numeric - numeric.mean(axis=0), categorical)
