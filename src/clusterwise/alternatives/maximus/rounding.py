"""From a target profile to labels: the objects of each region by capacity, then a vote."""

from typing import Literal

import numpy as np

from clusterwise._utils.threads import parts_for, run_parts
from clusterwise.alternatives.maximus.regions import Regions
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_rounding as kernels

Assignment = Literal["exact", "greedy"]

# A round that gains less than this share is the last.
_GAIN = 1e-6


def share_out(
    points: Array,
    regions: Regions,
    profile: Array,
    centroids: Array,
    *,
    assignment: Assignment = "exact",
    rounds: int = 30,
) -> Array:
    """Votes (n × K) by distribution-constrained k-means in every region, centroids being shared.

    The published method draws centroids in each region by chance, and then label l of one
    region need not mean what it means in another, although votes are counted as if it did. Here
    all regions share the centroids: each is the mean of all objects that got its label, counted
    once per feature. That makes one sum of squares for all regions to lower, under capacities
    that hold in each of them.
    """
    order, starts = regions.members()
    labels = np.empty(order.size, np.int32)
    prices = np.zeros((regions.sizes.size, len(profile)))
    spreads = np.empty(regions.sizes.size)
    room = np.ascontiguousarray(profile.T, np.int64)
    parts = parts_for(order.size * centroids.size)
    cuts = np.searchsorted(starts[:-1], order.size * np.arange(parts + 1) // parts)

    def task(part: int) -> None:
        kernels.share_regions(
            points, order, starts, cuts[part], cuts[part + 1], room, centroids, prices,
            assignment == "exact", labels, spreads,
        )  # fmt: skip

    votes = np.zeros((len(points), len(profile)), np.int32)
    least = np.inf
    for _ in range(rounds):
        run_parts(task, parts)
        spread = float(spreads.sum())
        # Greedy choice may go in circles, and lose.
        if not spread < least * (1 - _GAIN):
            break
        least = spread
        votes[:] = 0
        kernels.count_votes(order, labels, votes)
        centroids = _move(points, votes, centroids)
    return votes


def _move(points: Array, votes: Array, centroids: Array) -> Array:
    """Means of the objects by their votes; clusters that got none stay where they are."""
    sums = np.zeros_like(centroids)
    kernels.add_voters(points, votes, sums)
    totals = votes.sum(axis=0)[:, None]
    return np.where(totals > 0, sums / np.maximum(totals, 1), centroids)


def vote(votes: Array, draws: Array) -> Array:
    """The label that each object got most often; ``draws``, 0 … 1, decide ties."""
    labels = np.empty(len(votes), np.int64)
    kernels.decide(votes, draws, labels)
    return labels


def profile_gap(regions: Regions, asked: Array, labels: Array) -> float:
    """The share of objects, over all features, that lie in another cluster than asked for."""
    reached = regions.tally(labels, len(asked))
    return float(np.abs(reached - asked).sum() / 2 / regions.sizes.sum())
