"""Labels from a history of merges, with as many clusters as are large enough."""

import numpy as np

from clusterwise.alternatives.merging import Merges, cut_after, in_order
from clusterwise.distances import Distances
from clusterwise.encoding import Array

# Distances that are looked at in one go.
_CELLS = 1 << 22


def cut(
    merges: Merges,
    n_clusters: int,
    least: float | None,
    distances: Distances,
    weights: Array | None = None,
) -> Array:
    """Labels with so many clusters, of at least some size (or share of the objects) if asked."""
    if least is None:
        return merges.cut(min(n_clusters, len(merges) + 1))
    if 0 < least < 1:
        least *= float(distances.n if weights is None else weights.sum())
    return cut_substantial(merges, n_clusters, least, distances, weights)


def cut_substantial(
    merges: Merges, n_clusters: int, least: float, distances: Distances, weights: Array | None
) -> Array:
    """Labels of the coarsest cut with so many clusters of at least this size.

    Smaller clusters join the one that is nearest on average. If no cut has enough large
    clusters, the coarsest one with the most of them is taken.
    """
    n = len(merges) + 1
    sizes = np.append(np.ones(n) if weights is None else weights, merges.sizes)
    merged = _merges_to_make(merges.pairs, sizes, n_clusters, least)
    labels = cut_after(merges.pairs, merged)
    share = np.ones(n) if weights is None else weights
    large = np.flatnonzero(np.bincount(labels, share) >= least)
    if not large.size:  # nothing is large enough: the plain cut is all there is
        return merges.cut(n_clusters)
    return _join_small(labels, large, distances, share)


def _merges_to_make(pairs: Array, sizes: Array, n_clusters: int, least: float) -> int:
    """How many merges leave enough large clusters: undo them one by one, from the last."""
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


def _join_small(labels: Array, large: Array, distances: Distances, share: Array) -> Array:
    """Give the objects of small clusters to the nearest large one, cluster by cluster."""
    place = np.full(labels.max() + 1, -1)
    place[large] = np.arange(large.size)
    found = place[labels]
    lost = np.flatnonzero(found < 0)
    if not lost.size:
        return in_order(found)
    into = np.zeros((labels.size, large.size))
    into[found >= 0, found[found >= 0]] = share[found >= 0]
    into /= into.sum(axis=0)
    apart = np.zeros((place.size, large.size))
    step = max(1, _CELLS // labels.size)
    for start in range(0, lost.size, step):
        objects = lost[start : start + step]
        averages = distances.between(objects) @ into
        np.add.at(apart, labels[objects], averages * share[objects, None])
    found[lost] = apart.argmin(axis=1)[labels[lost]]
    return in_order(found)
