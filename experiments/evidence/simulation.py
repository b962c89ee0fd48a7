"""Run the search on one data set, and record what it says."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from experiments.alternatives.settings import Setting
from experiments.evidence.noise import SHAPES, draw_noise

# Planted data of the study of methods have seeds below this.
_FIRST_SEED = 300


class NoiseOutcome(NamedTuple):
    """Whether noise was convincing, and the largest evidence."""

    shape: str
    given: str
    alarm: bool
    evidence: float


class PlantedOutcome(NamedTuple):
    """What was found of a planted clustering.

    ``ari`` is the adjusted Rand index of the first alternative with the hidden clustering it is
    most like, ``number`` says whether it has as many clusters, ``seeds`` is its adjusted Rand index
    with the first alternative from another seed; all of them None if nothing was found.
    """

    setting: str
    evidence: float
    ari: float | None = None
    number: bool | None = None
    seeds: float | None = None


def run_noise(shape: int, given: str, seed: int) -> NoiseOutcome:
    """Search noise of one shape for an alternative."""
    data = draw_noise(SHAPES[shape], given, seed)
    found = _search(data.X, data.given, seed)
    every = [*found, *found.unconvincing]
    return NoiseOutcome(
        SHAPES[shape].name, given, bool(found), max(one.evidence or -np.inf for one in every)
    )


def run_planted(setting: Setting, seed: int) -> PlantedOutcome:
    """Search planted data for the hidden clustering, from two seeds."""
    planted = setting.draw(_FIRST_SEED + seed)
    given, hidden = planted.labels[:, 0], planted.labels[:, 1:]
    found = _search(planted.X, given, seed)
    evidence = max(one.evidence or -np.inf for one in (*found, *found.unconvincing))
    if not found:
        return PlantedOutcome(setting.title, evidence)
    labels = found[0].labels
    scores = [float(adjusted_rand_score(truth, labels)) for truth in hidden.T]
    again = _search(planted.X, given, seed + 1_000_000)
    return PlantedOutcome(
        setting.title,
        evidence,
        max(scores),
        len(found[0].sizes) == setting.clusterings[1],
        float(adjusted_rand_score(again[0].labels, labels)) if again else None,
    )


def _search(X: Any, given: Array, seed: int) -> FoundClusterings:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", UserWarning)
        return cluster_again(X, given, random_state=seed, progress=False)
