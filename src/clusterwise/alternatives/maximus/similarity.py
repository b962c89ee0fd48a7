"""How similar a profile is to known ones, and the least that any profile can reach."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from clusterwise.inputs.encoding import Array


def similarity(known: Sequence[Array], profile: Array) -> int:
    """The best matching with each known profile, added up.

    Counted in 64-bit integers: all dot products together are at most n²·R, so that nothing
    overflows below n²·R = 9·10^18. The matching is chosen in floating point, which is exact
    up to n²·R = 9·10^15 (20 million objects with 20 features).
    """
    total = 0
    for one in known:
        table = np.asarray(one, np.int64) @ np.asarray(profile, np.int64).T
        total += int(table[linear_sum_assignment(table, maximize=True)].sum())
    return total


def lower_bound(known: Sequence[Array], sizes: Array, clusters: int) -> float:
    """The least similarity of any split into so many clusters; the even split attains it.

    With w_k the dot product of known cluster k and the regions' sizes, it is the sum of the
    min(K, K') largest w_k, divided by K: the mean over the K cyclic matchings of these with all
    wanted clusters, and no mean is above the largest.
    """
    total = 0
    for one in known:
        weights = np.sort(np.asarray(one, np.int64) @ np.asarray(sizes, np.int64))[::-1]
        total += int(weights[:clusters].sum())
    return total / clusters


def even_split(sizes: Array, clusters: int) -> Array:
    """Every region in equal parts, what is left going to clusters in turn."""
    left = sizes % clusters
    first = np.cumsum(left) - left
    turn = (np.arange(clusters)[:, None] - first) % clusters
    return sizes // clusters + (turn < left)
