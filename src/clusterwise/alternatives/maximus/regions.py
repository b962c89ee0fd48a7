"""Regions: the bins that hold objects. Profiles are counted, and objects weighed, by them."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.binning.binning import Binned
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_rounding as kernels


class Regions(NamedTuple):
    """The V bins that hold objects: how many, and of which feature; n × R region numbers."""

    sizes: Array
    features: Array
    codes: Array

    @property
    def feature_count(self) -> int:
        """R, the number of features."""
        return self.codes.shape[1]

    def tally(self, labels: Array, clusters: int) -> Array:
        """The profile of a clustering: clusters × V counts."""
        profile = np.zeros((clusters, self.sizes.size), np.int64)
        kernels.count_cells(self.codes, labels, profile)
        return profile

    def means(self, points: Array) -> Array:
        """The mean of the objects of each region: V × D."""
        sums = np.zeros((self.sizes.size, points.shape[1]))
        kernels.add_points(self.codes, points, sums)
        return sums / self.sizes[:, None]

    def weigh(self, profile: Array) -> Array:
        """What each object adds to the dot product with each cluster of a profile: n × K'."""
        table = np.ascontiguousarray(profile.T, np.float64)
        weights = np.empty((len(self.codes), len(profile)))
        kernels.gather(self.codes, table, weights)
        return weights

    def members(self) -> tuple[Array, Array]:
        """Objects region by region, and where each region starts (V + 1 places)."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        order = np.empty(self.codes.size, np.int32)
        kernels.list_members(self.codes, starts, order)
        return order, starts


def find_regions(binned: Binned) -> Regions:
    """Number the bins that hold objects, feature by feature."""
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
