"""Agglomeration with two candidates a step: the nearest pair, and the nearest that may merge.

A pair of clusters is kept in the row of the younger one: a merge writes one row and no column. Each
row knows its nearest and its nearest permitted elder. When a neighbour is gone, what a row
knows stays a lower bound, and it is searched again only if it comes first. Elders never
become more, so an equally near one can only come after the one that is gone: the search goes on
from there (~place is kept in place of the neighbour), and equal distances cost no time.

For average linkage the table holds sums of distances between the objects of two clusters, so that
a merge adds two rows; the average is that sum divided by both sizes, and equal averages are
equal to the last bit if the distances are whole numbers. Other linkages keep sizes of 1.

Among pairs that are equally near, the one with the smallest first objects is taken. A merged
cluster stays in the lower place of the two, so places are in the order of first objects.
"""

import numpy as np

from clusterwise.kernels.jit import jit

GONE = np.iinfo(np.int64).max
UNKNOWN = -1


@jit
def _may_merge(masks, i, j):
    """Whether two clusters hold no objects of a common given cluster."""
    for word in range(masks.shape[1]):
        if masks[i, word] & masks[j, word]:
            return False
    return True


@jit
def _search(i, sums, born, sizes, masks, least, near, permitted, near_permitted):
    """Find the nearest of a cluster's elders, and the nearest that it may merge with."""
    row = sums[i]
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
    least[i], near[i] = best, where
    permitted[i], near_permitted[i] = best_permitted, where_permitted


@jit
def search_all(sums, born, sizes, masks, least, near, permitted, near_permitted):
    """The same for all clusters, before the first merge."""
    for i in range(born.size):
        _search(i, sums, born, sizes, masks, least, near, permitted, near_permitted)


@jit
def _go_on(i, sums, born, sizes, masks, bounds, others, constrained):
    """Find the nearest elder after the last one is gone; often the next is as near."""
    row = sums[i]
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
def _first_pair(sums, born, sizes, masks, bounds, others, constrained):
    """The row with the least bound, once all rows with that bound know whom it is to."""
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
                _go_on(i, sums, born, sizes, masks, bounds, others, constrained)
                if bounds[i] != best:
                    continue
            lower, higher = min(i, others[i]), max(i, others[i])
            if found == UNKNOWN or lower < low or (lower == low and higher < high):
                found, low, high = i, lower, higher
        if found != UNKNOWN:
            return found


@jit
def choose(sums, born, sizes, masks, least, near, permitted, near_permitted, omega):
    """The pair to merge: younger and elder cluster, how far apart, and whether it is dissimilar.

    The dissimilar pair is taken if the nearest pair is at least omega times as far apart.
    """
    x = _first_pair(sums, born, sizes, masks, least, near, False)
    other = _first_pair(sums, born, sizes, masks, permitted, near_permitted, True)
    if other != UNKNOWN and least[x] >= omega * permitted[other]:
        return other, near_permitted[other], permitted[other], True
    return x, near[x], least[x], False


@jit
def settle(x, y, age, sums, born, sizes, masks, least, near, permitted, near_permitted):
    """The cluster in the lower place now holds both, and is the youngest of all."""
    x, y = min(x, y), max(x, y)
    for word in range(masks.shape[1]):
        masks[x, word] |= masks[y, word]
    born[x], born[y] = age, GONE
    least[y] = permitted[y] = np.inf
    for k in range(born.size):
        if near[k] == x or near[k] == y:
            near[k] = ~near[k]
        if near_permitted[k] == x or near_permitted[k] == y:
            near_permitted[k] = ~near_permitted[k]
    near[y] = near_permitted[y] = UNKNOWN
    _search(x, sums, born, sizes, masks, least, near, permitted, near_permitted)


@jit
def _join(x, y, sums, born, objects):
    """Add the distances of y to those of x, wherever they are kept."""
    row_x, row_y, row = sums[x], sums[y], sums[min(x, y)]
    age_x, age_y = born[x], born[y]
    for k in range(born.size):
        age = born[k]
        if age == GONE or k == x or k == y:
            continue
        # Between objects that were never merged both rows hold the distance.
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
def merge_averages(
    sums, born, sizes, masks, least, near, permitted, near_permitted, names,
    omega, objects, start, stop, pairs, distances, dissimilar,
):  # fmt: skip
    """Make merges start…stop of average linkage; note who merged, how far apart, in which way."""
    for step in range(start, stop):
        x, y, distances[step], dissimilar[step] = choose(
            sums, born, sizes, masks, least, near, permitted, near_permitted, omega
        )
        pairs[step, 0], pairs[step, 1] = min(names[x], names[y]), max(names[x], names[y])
        names[min(x, y)] = objects + step
        _join(x, y, sums, born, objects)
        sizes[min(x, y)] = sizes[x] + sizes[y]
        settle(
            x, y, objects + step, sums, born, sizes, masks, least, near, permitted,
            near_permitted,
        )  # fmt: skip


@jit
def compact(table, width, left):
    """Move the rows and columns that are left to the front of a flat square table."""
    to = 0
    for i in left:
        base = i * width
        for j in left:
            table[to] = table[base + j]
            to += 1
