"""Assess k-means on one data set, and record what is said."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from clusterwise._utils.threads import threads
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.stability.assess import assess
from clusterwise.stability.number_assessment import NumberAssessment
from experiments.evidence.noise import Shape

# Apart from the seeds of other studies.
_FIRST_SEED = 9000
RESAMPLES, NULL_SETS, STARTS = 50, 19, 3
NOISE_NUMBERS, PLANTED_NUMBERS = (2, 3, 5), range(2, 8)


class Planted(NamedTuple):
    """Normal clusters of unit variance with centres at a root mean squared distance."""

    n: int
    features: int
    clusters: int
    distance: float

    @property
    def name(self) -> str:
        """The setting in words."""
        return f"{self.clusters} clusters, {self.n} × {self.features}, distance {self.distance:g}"

    def draw(self, random: np.random.Generator) -> tuple[Array, Array]:
        """Return the objects and their clusters."""
        centres = random.normal(size=(self.clusters, self.features))
        centres *= self.distance / np.sqrt(2 * self.features)
        labels = np.arange(self.n) % self.clusters
        return centres[labels] + random.normal(size=(self.n, self.features)), labels


SETTINGS = [
    Planted(300, features, clusters, distance)
    for features in (2, 5, 10)
    for clusters in (3, 5)
    for distance in (5.0, 8.0)
]


class NoiseOutcome(NamedTuple):
    """Whether clusters of noise were stable beyond both null models, and beyond each of them."""

    shape: str
    n_clusters: int
    ari: float
    alarm: bool
    beyond: dict[str, bool]


class PlantedOutcome(NamedTuple):
    """What was said of planted clusters.

    ``stable`` is whether their number is stable beyond chance, ``suggested`` whether it is
    suggested, ``clusters`` the proportion of its clusters that are stable, ``recovered`` the
    adjusted Rand index of k-means with the planted clusters, and ``ari`` that with the resamples.
    """

    setting: str
    stable: bool
    suggested: bool
    clusters: float
    recovered: float
    ari: float
    null_ari: float


def run_noise(shape: Shape, seed: int) -> list[NoiseOutcome]:
    """Assess numbers of clusters of noise."""
    X = shape.draw(np.random.default_rng([_FIRST_SEED, seed]))
    return [
        NoiseOutcome(
            shape.name,
            one.n_clusters,
            one.ari,
            one.stable,
            {name: null.p_value <= 0.05 for name, null in one.nulls.items()},
        )
        for one in _assess(X, NOISE_NUMBERS, seed)
    ]


def run_planted(setting: Planted, seed: int) -> PlantedOutcome:
    """Assess numbers of clusters of planted data."""
    X, labels = setting.draw(np.random.default_rng([_FIRST_SEED, seed]))
    found = _assess(X, PLANTED_NUMBERS, seed)
    one = found[setting.clusters]
    return PlantedOutcome(
        setting.name,
        one.stable,
        found.suggested == setting.clusters,
        float(np.mean([cluster.stable for cluster in one.stability])),
        float(adjusted_rand_score(labels, one.labels)),
        one.ari,
        one.null_ari,
    )


def _assess(X: Array, numbers: range | tuple[int, ...], seed: int) -> NumberAssessment:
    with warnings.catch_warnings(), threadpool_limits(1), threads(1):
        warnings.simplefilter("ignore", UserWarning)
        found = assess(
            X,
            KMeans(n_init=STARTS),
            n_clusters=list(numbers),
            n_resamples=RESAMPLES,
            n_null=NULL_SETS,
            random_state=seed,
            progress=False,
        )
    assert isinstance(found, NumberAssessment)
    return found
