"""Density profiles over the non-empty bins of all features, and their similarity."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.binning.binning import Binned
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_rounding as kernels
from clusterwise.kernels.assignment import solve_assignment


class Regions(NamedTuple):
    """The V non-empty bins: their sizes, their features, and the n × R region of each object."""

    sizes: Array
    features: Array
    codes: Array

    def profile(self, labels: Array, clusters: int) -> Array:
        """Return the density profile of a clustering: clusters × V counts."""
        profile = np.zeros((clusters, self.sizes.size), np.int64)
        kernels.count_cells(self.codes, labels, profile)
        return profile

    def means(self, points: Array) -> Array:
        """Return the mean of the objects in each region, V × D."""
        sums = np.zeros((self.sizes.size, points.shape[1]))
        kernels.add_points(self.codes, points, sums)
        return sums / self.sizes[:, None]

    def members(self) -> tuple[Array, Array]:
        """Return the objects ordered by region, and the V + 1 offsets of the regions."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        order = np.empty(self.codes.size, np.int32)
        kernels.list_members(self.codes, starts, order)
        return order, starts


def find_regions(binned: Binned) -> Regions:
    """Number the non-empty bins, feature by feature."""
    columns = binned.codes
    codes = np.empty((len(columns[0]), len(columns)), np.int32)
    sizes, features = [], []
    begin = 0
    for r, column in enumerate(columns):
        counts = np.bincount(column)
        filled = counts > 0
        numbers = (begin - 1 + np.cumsum(filled)).astype(np.int32)
        codes[:, r] = numbers[column]
        sizes.append(counts[filled])
        features.append(np.full(sizes[-1].size, r))
        begin += sizes[-1].size
    return Regions(np.concatenate(sizes), np.concatenate(features), codes)


def profile_similarity(given: Sequence[Array], profile: Array) -> int:
    """Return the sum over given profiles of the largest matching of dot products.

    Counted in 64-bit integers: all dot products together are at most n²·R, so that nothing
    overflows below n²·R = 9·10^18. The matching is chosen in floating point, which is exact
    up to n²·R = 9·10^15 (20 million objects with 20 features).
    """
    total = 0
    for one in given:
        table = np.asarray(one, np.int64) @ np.asarray(profile, np.int64).T
        columns = solve_assignment(table)
        rows = np.flatnonzero(columns >= 0)
        total += int(table[rows, columns[rows]].sum())
    return total


def similarity_bound(given: Sequence[Array], sizes: Array, clusters: int) -> float:
    """Return the least similarity of any profile of K clusters; the even split attains it.

    With w_k the dot product of given cluster k and the regions' sizes, it is the sum of the
    min(K, K') largest w_k, divided by K: the mean over the K cyclic matchings of these with all
    new clusters, and no mean is above the largest.
    """
    total = 0
    for one in given:
        weights = np.sort(np.asarray(one, np.int64) @ np.asarray(sizes, np.int64))[::-1]
        total += int(weights[:clusters].sum())
    return total / clusters


def even_split(sizes: Array, clusters: int) -> Array:
    """Return the profile that splits every region evenly; remainders go to clusters in turn."""
    left = sizes % clusters
    first = np.cumsum(left) - left
    turn = (np.arange(clusters)[:, None] - first) % clusters
    return sizes // clusters + (turn < left)
