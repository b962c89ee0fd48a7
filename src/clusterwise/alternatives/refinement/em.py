"""A few EM iterations that refine the labels of an alternative."""

from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.categorical import fit_categorical
from clusterwise.alternatives.refinement.gaussian import fit_gaussian
from clusterwise.alternatives.refinement.label_priors import (
    average_over_priors,
    posterior_if_independent,
)
from clusterwise.alternatives.refinement.model import LogLikelihoods, MixedData, ModelData
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score

_MAX_ITER = 3
# Refined labels are kept only if their normalised mutual information with the original ones is at
# least this: the alternative must remain the same clustering.
_LEAST_NMI = 0.5


class Refined(NamedTuple):
    """Labels, and the log evidence of the data under the model fitted to them."""

    labels: Array
    evidence: float


def refine(data: MixedData, given: Given, labels: Array, least: int = 1) -> Refined:
    """Return labels after a few EM iterations from the given ones.

    The iterations stop before a cluster has fewer than ``least`` objects or the clustering becomes
    degenerate. If the labels have become another clustering, the original ones are returned.
    """
    joint, clusters = given.joint, int(labels.max()) + 1
    model_data = ModelData(data, given)
    responsibilities = np.eye(clusters)[:, labels]
    steps: list[Refined] = []
    while True:
        values, penalty = m_step(model_data, responsibilities)
        evidence = posterior_if_independent(values, responsibilities).evidence - penalty
        steps.append(Refined(labels, evidence))
        if len(steps) > _MAX_ITER:
            break
        responsibilities = average_over_priors(values, joint, responsibilities)
        labels = responsibilities.argmax(axis=0)
        small = np.bincount(labels, minlength=clusters).min() < least
        if small or describe_sizes(labels).degenerate:
            break
    first, last = steps[0], steps[-1]
    same = normalized_mutual_info_score(first.labels, last.labels) >= _LEAST_NMI
    return last if same else first


def m_step(data: ModelData, responsibilities: Array) -> LogLikelihoods:
    """Fit the model to responsibilities (K × n); return the log-likelihoods of all objects."""
    found = fit_gaussian(data, responsibilities)
    categorical = data.features.categorical
    if not categorical:
        return found
    return found.plus(fit_categorical(categorical, data.given, responsibilities))
