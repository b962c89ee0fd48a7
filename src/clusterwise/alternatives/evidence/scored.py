"""The evidence for the alternatives of one method."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.alternatives.evidence.evidence import EvidenceModel
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.portfolio.sampling import draw_sample
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.model import MixedObjects, find_components, project
from clusterwise.inputs.encoding import relabel_by_appearance

_SEED = 0


def add_evidence(
    found: Sequence[FoundClustering], problem: AlternativeProblem
) -> list[FoundClustering]:
    """Return alternatives with the evidence for each, in addition to the given clusterings.

    Of many objects, a sample is used.
    """
    given = problem.given
    assert given is not None
    objects = MixedObjects(problem.features, problem.objects)
    rows = draw_sample(given, objects.width, np.random.RandomState(_SEED))
    kept = slice(None) if rows is None else rows
    data = objects.take(kept)
    sampled = given.take(kept).without_empty()
    with one_library_thread_if_small(0):
        model = EvidenceModel(project(data, find_components(data, sampled)), sampled)
        return [
            replace(one, evidence=model.evidence(relabel_by_appearance(one.labels[kept])))
            for one in found
        ]
