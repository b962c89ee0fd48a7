"""The paper's Algorithm 2: the nearest pair of object and cluster first."""

import numpy as np

from clusterwise.kernels.jit import jit
from clusterwise.kernels.maximus_rounding import region_distances


@jit
def assign_greedily(costs, capacities, labels):
    """Assign the nearest pair of object and cluster first, up to the cluster's capacity."""
    clusters = costs.shape[1]
    left = capacities.copy()
    labels[:] = -1
    waiting = labels.size
    for pair in np.argsort(costs.ravel(), kind="mergesort"):
        i, k = pair // clusters, pair % clusters
        if labels[i] < 0 and left[k] > 0:
            labels[i] = k
            left[k] -= 1
            waiting -= 1
            if waiting == 0:
                break


@jit
def assign_regions_greedily(
    points,
    order,
    starts,
    first,
    last,
    capacities,
    centroids,
    potentials,  # noqa: ARG001
    labels,
    inertias,
):
    """Assign the objects of some regions greedily.

    The signature is that of ``assign_regions`` of the library, which does it exactly.
    """
    for v in range(first, last):
        members = order[starts[v] : starts[v + 1]]
        here = labels[starts[v] : starts[v + 1]]
        costs = np.empty((members.size, len(centroids)))
        region_distances(points, members, centroids, costs)
        assign_greedily(costs, capacities[v], here)
        inertias[v] = 0.0
        for i in range(members.size):
            inertias[v] += costs[i, here[i]]
