"""Kernels over regions: profiles, assignment of objects within capacities, and votes.

A region is a non-empty bin of a feature, and every object lies in one region of each feature. The
objects of a region are assigned to clusters with given capacities at the least cost: a transport
problem with few clusters and many objects. Its residual network has a node per cluster only,
an arc from a to b being the object of a that moves to b at the least cost, which a heap finds.
"""

import heapq

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def count_cells(codes, labels, profile):
    """Add the objects of each cluster to the regions that they lie in."""
    for i in range(len(codes)):
        for r in range(codes.shape[1]):
            profile[labels[i], codes[i, r]] += 1


@jit
def add_points(codes, points, sums):
    """Add each object to the sums of the regions that it lies in."""
    for i in range(len(codes)):
        for r in range(codes.shape[1]):
            for d in range(points.shape[1]):
                sums[codes[i, r], d] += points[i, d]


@jit
def list_members(codes, starts, order):
    """Sort the objects by region: those of region v are ``order[starts[v]:starts[v + 1]]``."""
    at = starts.copy()
    for i in range(len(codes)):
        for r in range(codes.shape[1]):
            order[at[codes[i, r]]] = i
            at[codes[i, r]] += 1


@jit
def _push_moves(heaps, costs, i, k):
    """Add the moves of object i from cluster k to all others."""
    clusters = costs.shape[1]
    for other in range(clusters):
        if other != k:
            heapq.heappush(heaps[k * clusters + other], (costs[i, other] - costs[i, k], i))


@jit
def _cheapest_moves(heaps, labels, clusters, least, mover):
    """Find the object that moves at the least cost between each two clusters."""
    for a in range(clusters):
        for b in range(clusters):
            if a == b:
                continue
            heap = heaps[a * clusters + b]
            while len(heap) > 0 and labels[heap[0][1]] != a:
                heapq.heappop(heap)
            least[a, b] = heap[0][0] if len(heap) > 0 else np.inf
            mover[a, b] = heap[0][1] if len(heap) > 0 else -1


@jit
def _shortest_path(excess, least, potentials, before):
    """Return the cluster below capacity that is nearest to one above; update the potentials.

    Dijkstra's algorithm on reduced costs.
    """
    clusters = excess.size
    distance = np.full(clusters, np.inf)
    visited = np.zeros(clusters, np.bool_)
    for k in range(clusters):
        if excess[k] > 0:
            distance[k] = 0.0
            before[k] = -1
    while True:
        at, best = -1, np.inf
        for k in range(clusters):
            if not visited[k] and distance[k] < best:
                at, best = k, distance[k]
        visited[at] = True
        if excess[at] < 0:
            break
        for k in range(clusters):
            if not visited[k]:
                # Rounding must not make a reduced cost negative.
                step = max(0.0, least[at, k] + potentials[k] - potentials[at])
                if best + step < distance[k]:
                    distance[k] = best + step
                    before[k] = at
    for k in range(clusters):
        potentials[k] -= min(distance[k], best)
    return at


@jit
def _assign_without_capacities(costs, potentials, labels, excess):
    """Assign every object at the least cost plus potential; count the arrivals."""
    for i in range(len(costs)):
        best = 0
        for k in range(1, costs.shape[1]):
            if costs[i, k] + potentials[k] < costs[i, best] + potentials[best]:
                best = k
        labels[i] = best
        excess[best] += 1


@jit
def assign_within_capacities(costs, capacities, potentials, labels):
    """Assign ``capacities[k]`` objects to cluster k at the least total cost.

    The capacities add up to the number of objects. From the assignment without capacities,
    shortest augmenting paths lead from clusters above capacity to those below. ``potentials`` are
    initial values, e.g. the solution of a similar problem, and are replaced by the optimal ones.
    """
    objects, clusters = costs.shape
    excess = -capacities
    _assign_without_capacities(costs, potentials, labels, excess)
    if excess.max() == 0:
        return
    heaps = [[(0.0, 0)] for _ in range(clusters * clusters)]
    for heap in heaps:
        heap.pop()
    for i in range(objects):
        _push_moves(heaps, costs, i, labels[i])
    least = np.full((clusters, clusters), np.inf)
    mover = np.full((clusters, clusters), -1, np.int64)
    before = np.full(clusters, -1, np.int64)
    while excess.max() > 0:
        _cheapest_moves(heaps, labels, clusters, least, mover)
        at = _shortest_path(excess, least, potentials, before)
        excess[at] += 1
        while before[at] >= 0:
            i = mover[before[at], at]
            labels[i] = at
            _push_moves(heaps, costs, i, at)
            at = before[at]
        excess[at] -= 1


@jit
def region_distances(points, members, centroids, costs):
    """Fill in the squared distances between a region's objects and the centroids."""
    for i in range(members.size):
        for k in range(len(centroids)):
            total = 0.0
            for d in range(points.shape[1]):
                step = points[members[i], d] - centroids[k, d]
                total += step * step
            costs[i, k] = total


@jit
def assign_regions(
    points, order, starts, first, last, capacities, centroids, potentials, labels, inertias
):
    """Assign the objects of the regions from ``first`` to before ``last``.

    ``capacities[v, k]`` objects of region v go to cluster k. ``labels`` are in the order of
    ``order``, ``potentials`` (a row per region) are updated, and ``inertias`` gets the cost of each
    region.
    """
    for v in range(first, last):
        members = order[starts[v] : starts[v + 1]]
        here = labels[starts[v] : starts[v + 1]]
        costs = np.empty((members.size, len(centroids)))
        region_distances(points, members, centroids, costs)
        assign_within_capacities(costs, capacities[v], potentials[v], here)
        inertias[v] = 0.0
        for i in range(members.size):
            inertias[v] += costs[i, here[i]]


@jit
def count_votes(order, labels, votes):
    """Count how often each object got each label."""
    for i in range(order.size):
        votes[order[i], labels[i]] += 1


@jit
def add_by_votes(points, votes, sums):
    """Add each object to the sums of its clusters, weighted by votes."""
    for i in range(len(votes)):
        for k in range(votes.shape[1]):
            if votes[i, k] > 0:
                for d in range(points.shape[1]):
                    sums[k, d] += votes[i, k] * points[i, d]


@jit
def majority_vote(votes, draws, labels):
    """Assign the label with most votes; the object's draw, in [0, 1), breaks ties."""
    for i in range(len(votes)):
        most = votes[i].max()
        ties = 0
        for k in range(votes.shape[1]):
            ties += votes[i, k] == most
        chosen = int(draws[i] * ties)
        for k in range(votes.shape[1]):
            if votes[i, k] == most:
                if chosen == 0:
                    labels[i] = k
                    break
                chosen -= 1
