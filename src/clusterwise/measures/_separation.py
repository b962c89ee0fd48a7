"""How far clusters are apart and how wide they are, from blocks of distances.

Objects lie cluster by cluster, so that a cluster is a slice. Distances are folded column by
column as they come: what is kept is a number per object, never one per pair of objects, and
it does not depend on how the work is cut or on threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise, as_hard_clustering, read_pair
from clusterwise.inputs.distance_blocks import run_in_parts
from clusterwise.inputs.distances import Distances, Metric, read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import in_use
from clusterwise.kernels.dunn import fold_largest, fold_smallest, fold_sum

Between = Literal["single", "complete", "average", "centroid", "average-to-centroids", "hausdorff"]
Within = Literal["diameter", "average", "centroid"]

# Distances of a block, and the most objects that are its rows.
CELLS = 1 << 16
ROWS = 64


class Fold(NamedTuple):
    """What becomes of the distances of a column: a kernel, and the value to start from."""

    kernel: Callable[..., None]
    start: float


_SMALLEST = Fold(fold_smallest, np.inf)
_LARGEST = Fold(fold_largest, 0.0)
_SUM = Fold(fold_sum, 0.0)


@dataclass(frozen=True)
class Parted:
    """Objects in the order of their clusters; cluster k starts at ``starts[k]``.

    ``starts`` has one more entry, the number of objects.
    """

    distances: Distances
    starts: Array

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Array:
        """The clusters' numbers of objects."""
        return np.diff(self.starts)

    def objects(self, k: int) -> slice:
        """The objects of cluster k."""
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    def behind(self, k: int) -> slice:
        """The objects of the clusters behind it."""
        return slice(int(self.starts[k + 1]), self.distances.n)

    def starts_behind(self, k: int) -> Array:
        """Where these clusters start, counted from the first of their objects."""
        return self.starts[k + 1 : -1] - self.starts[k + 1]

    @cached_property
    def with_centroids(self) -> Distances:
        """The objects, and behind them the centroids of the clusters."""
        vectors = self.distances.vectors
        assert vectors is not None
        sums = np.add.reduceat(vectors, self.starts[:-1], axis=0)
        return self.distances.at(np.vstack([vectors, sums / self.sizes[:, None]]))

    def to_centroids(self, rows: slice, first: int, last: int) -> Array:
        """Sums over some objects of their distances to the centroids first…last."""
        n = self.distances.n
        sums = np.zeros(last - first)
        step = max(1, CELLS // max(1, sums.size))
        for top in range(rows.start, rows.stop, step):
            some = slice(top, min(top + step, rows.stop))
            sums += self.with_centroids.between(some, slice(n + first, n + last)).sum(axis=0)
        return sums

    def fold(self, rows: slice, columns: slice, fold: Fold, *, once: bool = True) -> Array:
        """Fold the distances of rows to each of the columns; with ``once`` each pair once."""
        folded = np.full(columns.stop - columns.start, fold.start)
        height = min(ROWS, rows.stop - rows.start)
        width = max(1, CELLS // height)

        def task(part: int) -> None:
            left = columns.start + part * width
            right = min(left + width, columns.stop)
            mine = folded[left - columns.start : right - columns.start]
            for top in range(rows.start, rows.stop, height):
                if once and top >= right:
                    break
                bottom = min(top + height, rows.stop)
                block = self.distances.between(slice(top, bottom), slice(left, right))
                fold.kernel(block, top - left + 1 if once else -height, mine)

        run_in_parts(task, -(-folded.size // width), self.distances)
        return folded


def read_parted(
    X: Any,
    labels: Any,
    metric: Metric = "euclidean",
    noise: Noise = "cluster",
    noise_label: Any = -1,
) -> Parted:
    """Objects and one label for each of them, sorted into their clusters."""
    distances = read_distances(X, metric)
    codes, kept = read_codes(labels, distances.n, noise, noise_label)
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes))])
    return Parted(distances.take(order if kept is None else kept[order]), starts)


def read_codes(labels: Any, n: int, noise: Noise, noise_label: Any) -> tuple[Array, Array | None]:
    """Clusters of n objects, counted from zero; and which objects, if noise was dropped."""
    given = as_hard_clustering(labels, "labels")
    if len(given) != n:
        raise InputError(f"labels has {len(given)} labels, but X has {n} objects; pass one each.")
    found = read_pair(given, given, noise=noise, noise_label=noise_label)
    codes = in_use(found.a.codes).codes
    if not codes.size:
        raise InputError("no object is left when noise is dropped; keep it, or cluster again.")
    return codes, found.kept


def least_between(parted: Parted, kind: Between) -> float:
    """The smallest distance between two of several clusters."""
    if kind == "hausdorff":
        return _least_hausdorff(parted)
    return min(float(_BETWEEN[kind](parted, k).min()) for k in range(parted.count - 1))


def largest_within(parted: Parted, kind: Within) -> float:
    """The width of the widest cluster; a single object has none."""
    several = np.flatnonzero(parted.sizes > 1).tolist()
    return max((_WITHIN[kind](parted, k) for k in several), default=0.0)


# The following give the distances of cluster k to the clusters behind it.


def _single(parted: Parted, k: int) -> Array:
    return parted.fold(parted.objects(k), parted.behind(k), _SMALLEST)


def _complete(parted: Parted, k: int) -> Array:
    largest = parted.fold(parted.objects(k), parted.behind(k), _LARGEST)
    return np.maximum.reduceat(largest, parted.starts_behind(k))


def _average(parted: Parted, k: int) -> Array:
    sums = parted.fold(parted.objects(k), parted.behind(k), _SUM)
    sizes = parted.sizes[k] * parted.sizes[k + 1 :]
    return np.add.reduceat(sums, parted.starts_behind(k)) / sizes


def _centroid(parted: Parted, k: int) -> Array:
    own = parted.distances.n + k
    return parted.with_centroids.between(slice(own, own + 1), slice(own + 1, None))


def _average_to_centroids(parted: Parted, k: int) -> Array:
    own = parted.distances.n + k
    here = parted.to_centroids(parted.objects(k), k + 1, parted.count)
    others = parted.with_centroids.between(slice(own, own + 1), parted.behind(k))[0]
    there = np.add.reduceat(others, parted.starts_behind(k))
    return (here + there) / (parted.sizes[k] + parted.sizes[k + 1 :])


_BETWEEN: dict[str, Callable[[Parted, int], Array]] = {
    "single": _single,
    "complete": _complete,
    "average": _average,
    "centroid": _centroid,
    "average-to-centroids": _average_to_centroids,
}


def _least_hausdorff(parted: Parted) -> float:
    """It has two directions, so a number is kept for each two clusters."""
    farthest = np.empty((parted.count, parted.count))
    for k in range(parted.count):
        everyone = slice(0, parted.distances.n)
        nearest = parted.fold(parted.objects(k), everyone, _SMALLEST, once=False)
        farthest[k] = np.maximum.reduceat(nearest, parted.starts[:-1])
    both = np.maximum(farthest, farthest.T)
    np.fill_diagonal(both, np.inf)
    return float(both.min())


# And these the width of a cluster of several objects.


def _diameter(parted: Parted, k: int) -> float:
    objects = parted.objects(k)
    return float(parted.fold(objects, objects, _LARGEST).max())


def _mean_distance(parted: Parted, k: int) -> float:
    objects, size = parted.objects(k), int(parted.sizes[k])
    return float(parted.fold(objects, objects, _SUM).sum()) / (size * (size - 1) / 2)


def _twice_the_radius(parted: Parted, k: int) -> float:
    return 2.0 * float(parted.to_centroids(parted.objects(k), k, k + 1)[0] / parted.sizes[k])


_WITHIN: dict[str, Callable[[Parted, int], float]] = {
    "diameter": _diameter,
    "average": _mean_distance,
    "centroid": _twice_the_radius,
}
