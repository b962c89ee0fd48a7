"""Agglomeration with two candidates per step: the nearest pair, and the nearest that may merge.

The distance of two clusters is stored in the row of the one that was formed later (the younger), so
that a merge writes one row and no column. Each row stores its nearest and its nearest permitted
elder. When that neighbour has been merged, the stored distance stays a lower bound, and the row is
searched again only if it is the least. The number of elders never grows, so an equally near one can
only come after the previous one: the search continues from there (~index is stored in place of the
neighbour), and ties cost no time.

For average linkage the table has sums of distances between the objects of two clusters, so that
a merge adds two rows; the average is that sum divided by both sizes, and equal averages are
equal to the last bit if the distances are integers. Other linkages keep sizes of 1.

Among pairs that are equally near, the one with the smallest first objects is taken. A merged
cluster keeps the lower index of the two, so that indices are in the order of first objects.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit

GONE = np.iinfo(np.int64).max
UNKNOWN = -1


class ClusterState(NamedTuple):
    """The clusters that are left.

    ``sums`` are their distances, ``born`` the steps in which they were formed, ``masks`` a bit for
    each given cluster, ``least`` and ``near`` the distance and index of the nearest elder,
    ``permitted`` and ``near_permitted`` those of the nearest elder that it may merge with,
    ``names`` their numbers in the history.
    """

    sums: NDArray[np.floating]
    born: NDArray[np.int64]
    sizes: NDArray[np.float64]
    masks: NDArray[np.uint64]
    least: NDArray[np.float64]
    near: NDArray[np.int64]
    permitted: NDArray[np.float64]
    near_permitted: NDArray[np.int64]
    names: NDArray[np.int64]


class MergeHistory(NamedTuple):
    """For each merge the two clusters, their distance, and whether it was a dissimilar one."""

    pairs: NDArray[np.int64]
    distances: NDArray[np.float64]
    dissimilar: NDArray[np.bool_]


@jit
def _may_merge(masks, i, j):
    """Return whether two clusters have no objects of a common given cluster."""
    for word in range(masks.shape[1]):
        if masks[i, word] & masks[j, word]:
            return False
    return True


@jit
def _search(i, clusters):
    """Find the nearest of a cluster's elders, and the nearest that it may merge with."""
    born, sizes, masks = clusters.born, clusters.sizes, clusters.masks
    row = clusters.sums[i]
    age, size = born[i], sizes[i]
    best, best_permitted = np.inf, np.inf
    where, where_permitted = UNKNOWN, UNKNOWN
    for j in range(born.size):
        if born[j] >= age:
            continue
        distance = row[j] / (size * sizes[j])
        if distance < best:
            best, where = distance, j
        if distance < best_permitted and _may_merge(masks, i, j):
            best_permitted, where_permitted = distance, j
    clusters.least[i], clusters.near[i] = best, where
    clusters.permitted[i], clusters.near_permitted[i] = best_permitted, where_permitted


@jit
def search_all(clusters):
    """Find the nearest elders of all clusters, before the first merge."""
    for i in range(clusters.born.size):
        _search(i, clusters)


@jit
def _search_on(i, clusters, bounds, others, constrained):
    """Find the nearest elder after the last one was merged; often the next is as near."""
    born, sizes, masks = clusters.born, clusters.sizes, clusters.masks
    row = clusters.sums[i]
    age, size = born[i], sizes[i]
    begin, bound = ~others[i], bounds[i]
    best, where = np.inf, UNKNOWN
    for j in range(begin, born.size):
        if born[j] >= age:
            continue
        distance = row[j] / (size * sizes[j])
        if distance < best and (not constrained or _may_merge(masks, i, j)):
            best, where = distance, j
            if distance == bound:
                others[i] = j
                return
    for j in range(begin):
        if born[j] >= age:
            continue
        distance = row[j] / (size * sizes[j])
        if (
            distance <= best
            and (distance < best or where >= begin)
            and (not constrained or _may_merge(masks, i, j))
        ):
            best, where = distance, j
    bounds[i], others[i] = best, where


@jit
def _first_pair(clusters, bounds, others, constrained):
    """Return the row with the least distance, after updating the rows with the least bound."""
    while True:
        best = np.inf
        for i in range(bounds.size):
            best = min(best, bounds[i])
        if best == np.inf:
            return UNKNOWN
        found, low, high = UNKNOWN, 0, 0
        for i in range(bounds.size):
            if bounds[i] != best:
                continue
            if others[i] < 0:
                _search_on(i, clusters, bounds, others, constrained)
                if bounds[i] != best:
                    continue
            lower, higher = min(i, others[i]), max(i, others[i])
            if found == UNKNOWN or lower < low or (lower == low and higher < high):
                found, low, high = i, lower, higher
        if found != UNKNOWN:
            return found


@jit
def choose_pair(clusters, omega):
    """Return the pair to merge, its distance, and whether it is dissimilar.

    The dissimilar pair is chosen if the distance of the nearest pair is at least ``omega`` times
    the distance of the dissimilar one.
    """
    least, near = clusters.least, clusters.near
    permitted, near_permitted = clusters.permitted, clusters.near_permitted
    x = _first_pair(clusters, least, near, False)
    other = _first_pair(clusters, permitted, near_permitted, True)
    if other != UNKNOWN and least[x] >= omega * permitted[other]:
        return other, near_permitted[other], permitted[other], True
    return x, near[x], least[x], False


@jit
def update_after_merge(x, y, age, clusters):
    """Make the cluster with the lower index the union of both, and the youngest of all."""
    born, masks, near = clusters.born, clusters.masks, clusters.near
    near_permitted = clusters.near_permitted
    x, y = min(x, y), max(x, y)
    for word in range(masks.shape[1]):
        masks[x, word] |= masks[y, word]
    born[x], born[y] = age, GONE
    clusters.least[y] = clusters.permitted[y] = np.inf
    for k in range(born.size):
        if near[k] == x or near[k] == y:
            near[k] = ~near[k]
        if near_permitted[k] == x or near_permitted[k] == y:
            near_permitted[k] = ~near_permitted[k]
    near[y] = near_permitted[y] = UNKNOWN
    _search(x, clusters)


@jit
def _add_rows(x, y, clusters, objects):
    """Add the distances of y to those of x; each is stored in the younger cluster's row."""
    sums, born = clusters.sums, clusters.born
    row_x, row_y, row = sums[x], sums[y], sums[min(x, y)]
    age_x, age_y = born[x], born[y]
    for k in range(born.size):
        age = born[k]
        if age == GONE or k == x or k == y:
            continue
        # Between objects that were never merged both rows have the distance.
        if age < age_x or (age < objects and age_x < objects):
            to_x = row_x[k]
        else:
            to_x = sums[k, x]
        if age < age_y or (age < objects and age_y < objects):
            to_y = row_y[k]
        else:
            to_y = sums[k, y]
        row[k] = to_x + to_y


@jit
def record_merge(step, x, y, clusters, objects, history):
    """Record which clusters merge in a step, and give the union its number."""
    names = clusters.names
    history.pairs[step, 0] = min(names[x], names[y])
    history.pairs[step, 1] = max(names[x], names[y])
    names[min(x, y)] = objects + step


@jit
def merge_averages(clusters, omega, objects, start, stop, history):
    """Make the merges start…stop of average linkage."""
    sizes = clusters.sizes
    for step in range(start, stop):
        x, y, history.distances[step], history.dissimilar[step] = choose_pair(clusters, omega)
        record_merge(step, x, y, clusters, objects, history)
        _add_rows(x, y, clusters, objects)
        sizes[min(x, y)] = sizes[x] + sizes[y]
        update_after_merge(x, y, objects + step, clusters)


@jit
def compact_table(table, width, left):
    """Move the rows and columns that are left to the front of a flat square table."""
    to = 0
    for i in left:
        base = i * width
        for j in left:
            table[to] = table[base + j]
            to += 1
