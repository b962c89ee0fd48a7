"""Agglomeration with two candidates a step: the nearest pair, and the nearest that may merge.

A pair of clusters is kept in the row of the younger one: a merge writes one row and no column. Each
row knows its nearest and its nearest permitted elder. When a neighbour is gone, what a row
knows stays a lower bound, and it is searched again only if it comes first.

For average linkage the table holds sums of distances between the objects of two clusters, so that
a merge adds two rows; the average is that sum divided by both sizes, and equal averages are
equal to the last bit if the distances are whole numbers. Other linkages keep sizes of 1.

Among pairs that are equally near, the one with the smallest first objects is taken.
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
def _search(i, sums, born, sizes, first, masks, least, near, permitted, near_permitted):
    """Find the nearest of a cluster's elders, and the nearest that it may merge with."""
    row = sums[i]
    age, size = born[i], sizes[i]
    best, best_permitted = np.inf, np.inf
    where, where_permitted = UNKNOWN, UNKNOWN
    for j in range(born.size):
        if born[j] >= age:
            continue
        distance = row[j] / (size * sizes[j])
        if distance <= best and (distance < best or first[j] < first[where]):
            best, where = distance, j
        if (
            distance <= best_permitted
            and (distance < best_permitted or first[j] < first[where_permitted])
            and _may_merge(masks, i, j)
        ):
            best_permitted, where_permitted = distance, j
    least[i], near[i] = best, where
    permitted[i], near_permitted[i] = best_permitted, where_permitted


@jit
def search_all(sums, born, sizes, first, masks, least, near, permitted, near_permitted):
    """The same for all clusters, before the first merge."""
    for i in range(born.size):
        _search(i, sums, born, sizes, first, masks, least, near, permitted, near_permitted)


@jit
def _first_pair(
    bounds, others, sums, born, sizes, first, masks, least, near, permitted, near_permitted
):
    """The row with the least bound, once all rows with that bound know whom it is to."""
    while True:
        best = np.inf
        for i in range(bounds.size):
            best = min(best, bounds[i])
        if best == np.inf:
            return UNKNOWN
        found, low, high = UNKNOWN, 0, 0
        searched = False
        for i in range(bounds.size):
            if bounds[i] != best:
                continue
            if others[i] == UNKNOWN:
                _search(i, sums, born, sizes, first, masks, least, near, permitted, near_permitted)
                searched = True
            elif not searched:
                one, other = first[i], first[others[i]]
                lower, higher = min(one, other), max(one, other)
                if found == UNKNOWN or lower < low or (lower == low and higher < high):
                    found, low, high = i, lower, higher
        if not searched:
            return found


@jit
def choose(sums, born, sizes, first, masks, least, near, permitted, near_permitted, omega):
    """The pair to merge: younger and elder cluster, how far apart, and whether it is dissimilar.

    The dissimilar pair is taken if the nearest pair is at least omega times as far apart.
    """
    x = _first_pair(
        least, near, sums, born, sizes, first, masks, least, near, permitted, near_permitted
    )
    other = _first_pair(
        permitted, near_permitted, sums, born, sizes, first, masks, least, near, permitted,
        near_permitted,
    )  # fmt: skip
    if other != UNKNOWN and least[x] >= omega * permitted[other]:
        return other, near_permitted[other], permitted[other], True
    return x, near[x], least[x], False


@jit
def settle(x, y, age, sums, born, sizes, first, masks, least, near, permitted, near_permitted):
    """The younger cluster now holds the elder too, and is the youngest of all."""
    first[x] = min(first[x], first[y])
    for word in range(masks.shape[1]):
        masks[x, word] |= masks[y, word]
    born[x], born[y] = age, GONE
    least[y] = permitted[y] = np.inf
    for k in range(born.size):
        if near[k] == x or near[k] == y:
            near[k] = UNKNOWN
        if near_permitted[k] == x or near_permitted[k] == y:
            near_permitted[k] = UNKNOWN
    near[y] = near_permitted[y] = UNKNOWN
    _search(x, sums, born, sizes, first, masks, least, near, permitted, near_permitted)


@jit
def _join(x, y, sums, born, objects):
    """Add the distances of y to those of x, wherever they are kept."""
    row_x, row_y = sums[x], sums[y]
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
        row_x[k] = to_x + to_y


@jit
def merge_averages(
    sums, born, sizes, first, masks, least, near, permitted, near_permitted, names,
    omega, objects, start, stop, pairs, distances, dissimilar,
):  # fmt: skip
    """Make merges start…stop of average linkage; note who merged, how far apart, in which way."""
    for step in range(start, stop):
        x, y, distances[step], dissimilar[step] = choose(
            sums, born, sizes, first, masks, least, near, permitted, near_permitted, omega
        )
        pairs[step, 0], pairs[step, 1] = min(names[x], names[y]), max(names[x], names[y])
        names[x] = objects + step
        _join(x, y, sums, born, objects)
        sizes[x] += sizes[y]
        settle(
            x, y, objects + step, sums, born, sizes, first, masks, least, near, permitted,
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
