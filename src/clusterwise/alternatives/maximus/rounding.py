"""From a target profile to labels: assignment within each region, then a majority vote.

These are the second and the third step of the published method.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.threads import parts_for, run_parts
from clusterwise.alternatives.maximus.region_profiles import Regions
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_rounding as kernels

# Iterations end when the inertia decreases by less than this fraction.
_LEAST_GAIN = 1e-6


class RegionMeans(NamedTuple):
    """The means of regions (V × D), and the columns of D that belong to each one (0 or 1)."""

    means: Array
    own: Array

    def centroids(self, profile: Array) -> Array:
        """Return the centroids that a profile implies, K × D; of empty clusters, the mean."""
        means = self.means * self.own
        weights = profile @ self.own
        overall = means.sum(0) / np.maximum(self.own.sum(0), 1)
        return np.where(weights > 0, profile @ means / np.where(weights > 0, weights, 1), overall)


def find_region_means(points: Array, regions: Regions, owners: Array) -> RegionMeans:
    """Return the means of regions; ``owners`` has the feature of each column of the points."""
    own = (regions.features[:, None] == owners).astype(np.float64)
    return RegionMeans(regions.means(points), own)


def round_profile(
    points: Array,
    regions: Regions,
    means: RegionMeans,
    profile: Array,
    random: np.random.RandomState,
    *,
    max_iter: int = 30,
    assign: Callable[..., Any] = kernels.assign_regions,
) -> tuple[Array, float]:
    """Return labels whose profile is near the target, and the fraction of objects that differ.

    The initial centroids are those that the profile implies, the same for all regions: the mean of
    the regions, weighted by the number of their objects in the cluster. So label l denotes the same
    cluster in the profile and in every region, as the vote requires. ``assign`` is the kernel that
    assigns the objects of some regions.
    """
    votes = assign_all_regions(
        points, regions, profile, means.centroids(profile), max_iter=max_iter, assign=assign
    )
    labels = majority_vote(votes, random.random_sample(len(votes)))
    return labels, profile_gap(regions, profile, labels)


def assign_all_regions(
    points: Array,
    regions: Regions,
    profile: Array,
    centroids: Array,
    *,
    max_iter: int = 30,
    assign: Callable[..., Any] = kernels.assign_regions,
) -> Array:
    """Return votes (n × K) by k-means with the profile's capacities in every region.

    The published method draws centroids at random in each region. Label l of one region then need
    not denote the same cluster as label l of another, although votes are counted as if it did. Here
    the centroids are the same for all regions: each is the mean of all objects with its label,
    counted once per feature. So the sum of squares over all regions decreases, subject to the
    capacities of each region.
    """
    order, starts = regions.members()
    labels = np.empty(order.size, np.int32)
    potentials = np.zeros((regions.sizes.size, len(profile)))
    inertias = np.empty(regions.sizes.size)
    capacities = np.ascontiguousarray(profile.T, np.int64)
    parts = parts_for(order.size * centroids.size)
    cuts = np.searchsorted(starts[:-1], order.size * np.arange(parts + 1) // parts)

    def task(part: int) -> None:
        assign(
            points, order, starts, cuts[part], cuts[part + 1], capacities, centroids, potentials,
            labels, inertias,
        )  # fmt: skip

    votes = np.zeros((len(points), len(profile)), np.int32)
    least = np.inf
    for _ in range(max_iter):
        run_parts(task, parts)
        inertia = float(inertias.sum())
        # A greedy assignment may not decrease it.
        if not inertia < least * (1 - _LEAST_GAIN):
            break
        least = inertia
        votes[:] = 0
        kernels.count_votes(order, labels, votes)
        centroids = _update_centroids(points, votes, centroids)
    return votes


def _update_centroids(points: Array, votes: Array, centroids: Array) -> Array:
    """Return the means of the objects by votes; clusters without votes keep their centroid."""
    sums = np.zeros_like(centroids)
    kernels.add_by_votes(points, votes, sums)
    totals = votes.sum(axis=0)[:, None]
    return np.where(totals > 0, sums / np.maximum(totals, 1), centroids)


def majority_vote(votes: Array, draws: Array) -> Array:
    """Return the label that each object got most often; ``draws``, 0 … 1, break ties."""
    labels = np.empty(len(votes), np.int64)
    kernels.majority_vote(votes, draws, labels)
    return labels


def profile_gap(regions: Regions, target: Array, labels: Array) -> float:
    """Return the fraction of objects, over all features, that miss the target profile."""
    reached = regions.profile(labels, len(target))
    return float(np.abs(reached - target).sum() / 2 / regions.sizes.sum())
