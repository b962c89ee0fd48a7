"""A few steps towards the likeliest labels."""

from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.label_priors import meet_by_chance, settle
from clusterwise.alternatives.refinement.model import Objects, find_likelihoods
from clusterwise.alternatives.results import describe_sizes
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score

_STEPS = 3
# Labels may share as little as this with those before the first step (normalised mutual
# information): what was found is to stay what it is.
_ALIKE = 0.5


class Refined(NamedTuple):
    """Labels, and the logarithm of how likely they make the objects, by a model of its own."""

    labels: Array
    evidence: float


def refine(objects: Objects, given: Given, labels: Array, least: int = 1) -> Refined:
    """Labels anew, each step by a model that is fitted to what the one before made likely.

    No cluster gets fewer objects than ``least``, nor one of them nearly all.
    """
    joint, clusters = given.joint, int(labels.max()) + 1
    shares = np.eye(clusters)[:, labels]
    steps: list[Refined] = []
    while True:
        values, price = find_likelihoods(objects, given, shares)
        steps.append(Refined(labels, meet_by_chance(values, shares).evidence - price))
        if len(steps) > _STEPS:
            break
        shares = settle(values, joint, shares)
        labels = shares.argmax(axis=0)
        small = np.bincount(labels, minlength=clusters).min() < least
        if small or describe_sizes(labels).degenerate:
            break
    first, last = steps[0], steps[-1]
    alike = normalized_mutual_info_score(first.labels, last.labels) >= _ALIKE
    return last if alike else first
