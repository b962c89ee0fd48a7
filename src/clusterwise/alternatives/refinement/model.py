"""A model of objects in which what is given has its part.

A number of an object is the sum of what its given clusters, its own cluster and chance add to it;
a name has a distribution, which may hang on them too.
"""

from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.categorical import judge_names
from clusterwise.alternatives.refinement.gaussian import judge_numbers
from clusterwise.alternatives.refinement.likelihoods import Likelihoods
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features
from clusterwise.inputs.points import read_points


class Objects(NamedTuple):
    """Objects as a model sees them.

    ``numbers``, n × R, have mean 0; ``names`` are codes, an array for each feature.
    """

    numbers: Array
    names: list[Array]


def split_objects(features: Features) -> Objects:
    """Numbers and names apart; a missing number is the mean, a missing name a value of its own."""
    points, owners = read_points(features)
    nominal = np.array([column.kind == "nominal" for column in features.columns])
    numbers = points[:, ~nominal[owners]]
    numbers = numbers[:, np.ptp(numbers, axis=0) > 0]
    names = [points[:, owners == r].argmax(axis=1) for r in np.flatnonzero(nominal)]
    return Objects(numbers - numbers.mean(axis=0), names)


def find_likelihoods(objects: Objects, given: Given, shares: Array) -> Likelihoods:
    """A model fitted to objects that have shares of clusters, K × n."""
    found = judge_numbers(objects.numbers, given, shares)
    return found.plus(judge_names(objects.names, given, shares)) if objects.names else found
