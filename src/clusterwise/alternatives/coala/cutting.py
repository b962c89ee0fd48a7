"""Labels from merges: cuts of the tree with clusters of a minimum size."""

from collections.abc import Callable

import numpy as np

from clusterwise.alternatives.coala.merging import Merges, cut_after
from clusterwise.alternatives.minimum_size import as_n_objects
from clusterwise.inputs.distances import Distances
from clusterwise.inputs.encoding import Array, relabel_by_appearance

# A function of labels and the large clusters that joins all other clusters to one of these.
Join = Callable[[Array, Array], Array]
# The number of distances that are computed at a time.
_BLOCK = 1 << 22


def cut(
    merges: Merges,
    n_clusters: int,
    least: float | None,
    join: Join,
    weights: Array | None = None,
) -> Array:
    """Cut the tree into ``n_clusters`` clusters of at least ``least`` objects.

    It is the coarsest cut with this many clusters that large, and smaller ones join one of them. If
    no cut has enough large clusters, it is the coarsest one with the most of them. Below 1,
    ``least`` is a fraction of all objects; None accepts clusters of any size.
    """
    n = len(merges) + 1
    if least is None:
        return merges.cut(min(n_clusters, n))
    object_weights = np.ones(n) if weights is None else weights
    least = as_n_objects(least, object_weights.sum())
    sizes = np.append(object_weights, merges.sizes)
    labels = cut_after(merges.pairs, _merges_to_make(merges.pairs, sizes, n_clusters, least))
    large = np.flatnonzero(np.bincount(labels, object_weights) >= least)
    # If no cluster is large enough, all are kept.
    return join(labels, large) if large.size else merges.cut(min(n_clusters, n))


def join_nearest(distances: Distances, weights: Array | None = None) -> Join:
    """Return a function that joins small clusters to the large one of least mean distance."""

    def join(labels: Array, large: Array) -> Array:
        code = np.full(labels.max() + 1, -1)
        code[large] = np.arange(large.size)
        found = code[labels]
        small = np.flatnonzero(found < 0)
        if small.size:
            object_weights = np.ones(labels.size) if weights is None else weights
            found[small] = _nearest(labels, found, small, distances, object_weights)
        return relabel_by_appearance(found)

    return join


def _nearest(
    labels: Array, found: Array, small: Array, distances: Distances, object_weights: Array
) -> Array:
    """Return the large cluster with the least mean distance from the cluster of each object.

    ``small`` are the objects of small clusters, ``found`` the large clusters of the others.
    """
    kept = np.flatnonzero(found >= 0)
    into = np.zeros((labels.size, int(found.max()) + 1))
    into[kept, found[kept]] = object_weights[kept]
    into /= into.sum(axis=0)
    sums = np.zeros((int(labels.max()) + 1, into.shape[1]))
    step = max(1, _BLOCK // labels.size)
    for start in range(0, small.size, step):
        objects = small[start : start + step]
        averages = distances.between(objects) @ into
        np.add.at(sums, labels[objects], averages * object_weights[objects, None])
    return np.asarray(sums.argmin(axis=1)[labels[small]])


def _merges_to_make(pairs: Array, sizes: Array, n_clusters: int, least: float) -> int:
    """Return the number of merges that leaves enough large clusters, undoing them from the last."""
    n = len(pairs) + 1
    large = int(sizes[-1] >= least)
    best, merged = large, n - 1
    for step in range(n - 2, -1, -1):
        if best >= n_clusters:
            break
        x, y = pairs[step]
        large += int(sizes[x] >= least) + int(sizes[y] >= least) - int(sizes[n + step] >= least)
        if large > best:
            best, merged = large, step
    return merged
