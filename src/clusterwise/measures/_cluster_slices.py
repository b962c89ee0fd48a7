"""Distances between clusters and widths of clusters, from blocks of distances.

Objects are sorted by cluster, so that a cluster is a slice. Distances are reduced column by
column as they are computed: memory is a number per object, never one per pair of objects, and
results depend neither on the size of blocks nor on the number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise, as_hard_clustering, read_pair
from clusterwise.inputs.distance_blocks import run_distance_parts
from clusterwise.inputs.distances import Distances, Metric, read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import used_categories
from clusterwise.kernels.dunn import fold_largest, fold_smallest, fold_sum

Between = Literal["single", "complete", "average", "centroid", "average-to-centroids", "hausdorff"]
Within = Literal["diameter", "average", "centroid"]

# The largest numbers of distances and of rows of a block.
CELLS = 1 << 16
ROWS = 64


class Reduction(NamedTuple):
    """A reduction of the distances of a column: its kernel and its initial value."""

    kernel: Callable[..., None]
    initial: float


_SMALLEST = Reduction(fold_smallest, np.inf)
_LARGEST = Reduction(fold_largest, 0.0)
_SUM = Reduction(fold_sum, 0.0)


@dataclass(frozen=True)
class ClusterSlices:
    """Objects sorted by cluster; cluster k is the slice from ``starts[k]`` to ``starts[k + 1]``."""

    distances: Distances
    starts: Array

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Array:
        """The sizes of the clusters."""
        return np.diff(self.starts)

    def objects(self, k: int) -> slice:
        """Return the slice of cluster k."""
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    def after(self, k: int) -> slice:
        """Return the slice of all clusters after cluster k."""
        return slice(int(self.starts[k + 1]), self.distances.n)

    def starts_after(self, k: int) -> Array:
        """Return the starts of the clusters after cluster k, relative to the first of them."""
        return self.starts[k + 1 : -1] - self.starts[k + 1]

    @cached_property
    def with_centroids(self) -> Distances:
        """The objects, followed by the centroids of the clusters."""
        vectors = self.distances.vectors
        assert vectors is not None
        sums = np.add.reduceat(vectors, self.starts[:-1], axis=0)
        return self.distances.at(np.vstack([vectors, sums / self.sizes[:, None]]))

    def sum_to_centroids(self, rows: slice, first: int, last: int) -> Array:
        """Sum the distances of some objects to each of the centroids first, …, last - 1."""
        n = self.distances.n
        sums = np.zeros(last - first)
        step = max(1, CELLS // max(1, sums.size))
        for top in range(rows.start, rows.stop, step):
            block = slice(top, min(top + step, rows.stop))
            sums += self.with_centroids.between(block, slice(n + first, n + last)).sum(axis=0)
        return sums

    def reduce(
        self, rows: slice, columns: slice, reduction: Reduction, *, once: bool = True
    ) -> Array:
        """Reduce the distances of rows to each of the columns; ``once`` visits each pair once."""
        reduced = np.full(columns.stop - columns.start, reduction.initial)
        height = min(ROWS, rows.stop - rows.start)
        width = max(1, CELLS // height)

        def task(part: int) -> None:
            left = columns.start + part * width
            right = min(left + width, columns.stop)
            target = reduced[left - columns.start : right - columns.start]
            for top in range(rows.start, rows.stop, height):
                if once and top >= right:
                    break
                bottom = min(top + height, rows.stop)
                block = self.distances.between(slice(top, bottom), slice(left, right))
                reduction.kernel(block, top - left + 1 if once else -height, target)

        run_distance_parts(task, -(-reduced.size // width), self.distances)
        return reduced


def read_slices(
    X: Any,
    labels: Any,
    metric: Metric = "euclidean",
    noise: Noise = "cluster",
    noise_label: Any = -1,
) -> ClusterSlices:
    """Read objects and their labels, and sort the objects by cluster."""
    distances = read_distances(X, metric).relative()  # all qualities are ratios of distances
    codes, kept = read_codes(labels, distances.n, noise, noise_label)
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes))])
    return ClusterSlices(distances.take(order if kept is None else kept[order]), starts)


def read_codes(labels: Any, n: int, noise: Noise, noise_label: Any) -> tuple[Array, Array | None]:
    """Read labels as codes from zero; also return the objects that are kept if noise is dropped."""
    one = as_hard_clustering(labels, "labels")
    if len(one) != n:
        raise InputError(f"labels has {len(one)} labels, but X has {n} objects; pass one each.")
    found = read_pair(one, one, noise=noise, noise_label=noise_label)
    codes = used_categories(found.a.codes).codes
    if not codes.size:
        raise InputError("noise='drop' leaves no object; use noise='cluster', or other labels.")
    return codes, found.kept


def least_between(slices: ClusterSlices, kind: Between) -> float:
    """Return the smallest distance between two clusters."""
    if kind == "hausdorff":
        return _least_hausdorff(slices)
    return min(float(_BETWEEN[kind](slices, k).min()) for k in range(slices.count - 1))


def largest_within(slices: ClusterSlices, kind: Within) -> float:
    """Return the width of the widest cluster; singletons have width 0."""
    several = np.flatnonzero(slices.sizes > 1).tolist()
    return max((_WITHIN[kind](slices, k) for k in several), default=0.0)


# Distances of cluster k to the clusters after it.


def _single(slices: ClusterSlices, k: int) -> Array:
    return slices.reduce(slices.objects(k), slices.after(k), _SMALLEST)


def _complete(slices: ClusterSlices, k: int) -> Array:
    largest = slices.reduce(slices.objects(k), slices.after(k), _LARGEST)
    return np.maximum.reduceat(largest, slices.starts_after(k))


def _average(slices: ClusterSlices, k: int) -> Array:
    sums = slices.reduce(slices.objects(k), slices.after(k), _SUM)
    sizes = slices.sizes[k] * slices.sizes[k + 1 :]
    return np.add.reduceat(sums, slices.starts_after(k)) / sizes


def _centroid(slices: ClusterSlices, k: int) -> Array:
    own = slices.distances.n + k
    return slices.with_centroids.between(slice(own, own + 1), slice(own + 1, None))


def _average_to_centroids(slices: ClusterSlices, k: int) -> Array:
    own = slices.distances.n + k
    to_others = slices.sum_to_centroids(slices.objects(k), k + 1, slices.count)
    distances = slices.with_centroids.between(slice(own, own + 1), slices.after(k))[0]
    to_own = np.add.reduceat(distances, slices.starts_after(k))
    return (to_others + to_own) / (slices.sizes[k] + slices.sizes[k + 1 :])


_BETWEEN: dict[str, Callable[[ClusterSlices, int], Array]] = {
    "single": _single,
    "complete": _complete,
    "average": _average,
    "centroid": _centroid,
    "average-to-centroids": _average_to_centroids,
}


def _least_hausdorff(slices: ClusterSlices) -> float:
    """Return the smallest Hausdorff distance, from directed distances of all pairs of clusters."""
    farthest = np.empty((slices.count, slices.count))
    for k in range(slices.count):
        all_objects = slice(0, slices.distances.n)
        nearest = slices.reduce(slices.objects(k), all_objects, _SMALLEST, once=False)
        farthest[k] = np.maximum.reduceat(nearest, slices.starts[:-1])
    both = np.maximum(farthest, farthest.T)
    np.fill_diagonal(both, np.inf)
    return float(both.min())


# Widths of clusters of several objects.


def _diameter(slices: ClusterSlices, k: int) -> float:
    objects = slices.objects(k)
    return float(slices.reduce(objects, objects, _LARGEST).max())


def _mean_distance(slices: ClusterSlices, k: int) -> float:
    objects, size = slices.objects(k), int(slices.sizes[k])
    return float(slices.reduce(objects, objects, _SUM).sum()) / (size * (size - 1) / 2)


def _twice_mean_radius(slices: ClusterSlices, k: int) -> float:
    return 2.0 * float(slices.sum_to_centroids(slices.objects(k), k, k + 1)[0] / slices.sizes[k])


_WITHIN: dict[str, Callable[[ClusterSlices, int], float]] = {
    "diameter": _diameter,
    "average": _mean_distance,
    "centroid": _twice_mean_radius,
}
