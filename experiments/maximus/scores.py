"""Scores of many clusterings of the same objects, from one pass over their distances."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.distances import read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import harmonic_mean
from clusterwise.measures.pairs import pair_jaccard_score
from clusterwise.measures.quality import quality_score
from experiments.maximus.pareto import Point

# Three qualities, since each favours some methods; the second one favours k-means.
QUALITIES = {
    "gdi": "GDI",
    "centroids": "Dunn by centroids",
    "silhouette": "silhouette",
}
_ROWS = 256


class Found(NamedTuple):
    """Labels, the group of settings that led to them, and the seconds it took.

    ``feasible`` says whether all constraints hold.
    """

    group: str
    labels: Array
    seconds: float = 0.0
    profile_gap: float | None = None
    feasible: bool = True


class Answer(NamedTuple):
    """Labels with their scores; ``smallest`` is the proportion of the smallest cluster."""

    found: Found
    dissimilarity: float
    gdi: float
    centroids: float
    silhouette: float
    smallest: float
    degenerate: bool

    @property
    def dq(self) -> float:
        """The harmonic mean of dissimilarity and GDI."""
        return harmonic_mean(self.dissimilarity, self.gdi)

    def point(self, quality: str) -> Point:
        """Dissimilarity and one of the qualities."""
        return Point(self.dissimilarity, getattr(self, quality))


def distinct(found: Iterable[Found]) -> list[Found]:
    """Return each answer once, as first found; labels are numbered by first objects."""
    first: dict[bytes, Found] = {}
    for one in found:
        first.setdefault(one.labels.tobytes(), one)
    return list(first.values())


def score_answers(points: Array, given: Array, found: Sequence[Found]) -> list[Answer]:
    """Return the scores of each answer."""
    answers = []
    for one, sums in zip(found, _sum_distances(points, found), strict=True):
        sizes = describe_sizes(one.labels)
        answers.append(
            Answer(
                one,
                1.0 - float(pair_jaccard_score(given, one.labels)),
                generalised_dunn(sums, one.labels),
                float(quality_score(points, one.labels, "dunn_centroids")),
                silhouette(sums, one.labels),
                min(sizes.sizes) / one.labels.size,
                sizes.degenerate,
            )
        )
    return answers


def _sum_distances(points: Array, found: Sequence[Found]) -> list[Array]:
    """Return the sums of distances from every object to every cluster, n × K, for each answer."""
    if not found:
        return []
    members = [np.eye(int(one.labels.max()) + 1)[one.labels] for one in found]
    ends = np.cumsum([member.shape[1] for member in members])
    everything = np.hstack(members)
    distances = read_distances(points)
    sums = np.empty(everything.shape)
    for start in range(0, len(sums), _ROWS):
        rows = slice(start, start + _ROWS)
        sums[rows] = distances.between(rows) @ everything
    return np.split(sums, ends[:-1], axis=1)


def generalised_dunn(sums: Array, labels: Array) -> float:
    """Return the least mean distance between clusters over the largest mean distance within one."""
    sizes = np.bincount(labels)
    if sizes.size < 2:
        return 0.0
    pairs = np.eye(sizes.size)[labels].T @ sums
    apart = pairs / np.outer(sizes, sizes)
    within = pairs.diagonal() / np.maximum(sizes * (sizes - 1.0), 1.0)
    least = float(apart[~np.eye(sizes.size, dtype=bool)].min())
    widest = float(within.max())
    return least / widest if widest else np.inf if least else 0.0


def silhouette(sums: Array, labels: Array) -> float:
    """Return the mean silhouette."""
    sizes = np.bincount(labels)
    if not 1 < sizes.size < labels.size:
        return 0.0
    objects = np.arange(labels.size)
    own = sums[objects, labels] / np.maximum(sizes[labels] - 1, 1)
    others = sums / sizes
    others[objects, labels] = np.inf
    next_one = others.min(axis=1)
    larger = np.maximum(own, next_one)
    counts = (sizes[labels] > 1) & (larger > 0)
    return float(np.where(counts, (next_one - own) / np.where(larger > 0, larger, 1.0), 0.0).mean())
