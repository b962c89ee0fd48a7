"""Loops over regions: their tables, sharing out the objects of each one, and the vote of all.

A region is a bin of a feature, and every object lies in one region of each feature. Objects
are shared out by capacity: by greedy choice, or at the least cost. The latter is a transport
problem in which few clusters serve many objects. Its residual network has a node per cluster only,
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
def gather(codes, table, weights):
    """Each object's sum over its regions of ``table``, which has a row per region."""
    for i in range(len(codes)):
        for k in range(table.shape[1]):
            weights[i, k] = 0.0
        for r in range(codes.shape[1]):
            for k in range(table.shape[1]):
                weights[i, k] += table[codes[i, r], k]


@jit
def list_members(codes, starts, order):
    """Region v holds the objects ``order[starts[v]:starts[v + 1]]``, in their own order."""
    at = starts.copy()
    for i in range(len(codes)):
        for r in range(codes.shape[1]):
            order[at[codes[i, r]]] = i
            at[codes[i, r]] += 1


@jit
def share_greedily(costs, room, labels):
    """The nearest pair of object and cluster first, as long as the cluster has room."""
    clusters = costs.shape[1]
    left = room.copy()
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
def _offer(heaps, costs, i, k):
    """Let an object of cluster k be found by all others."""
    clusters = costs.shape[1]
    for other in range(clusters):
        if other != k:
            heapq.heappush(heaps[k * clusters + other], (costs[i, other] - costs[i, k], i))


@jit
def _find_movers(heaps, labels, clusters, least, mover):
    """For each two clusters the object that moves at the least cost."""
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
def _find_way(over, least, prices, before):
    """The nearest cluster with room from any that is too full; prices follow."""
    clusters = over.size
    distance = np.full(clusters, np.inf)
    settled = np.zeros(clusters, np.bool_)
    for k in range(clusters):
        if over[k] > 0:
            distance[k] = 0.0
            before[k] = -1
    while True:
        at, best = -1, np.inf
        for k in range(clusters):
            if not settled[k] and distance[k] < best:
                at, best = k, distance[k]
        settled[at] = True
        if over[at] < 0:
            break
        for k in range(clusters):
            if not settled[k]:
                # Rounding must not make a step shorter than nothing.
                step = max(0.0, least[at, k] + prices[k] - prices[at])
                if best + step < distance[k]:
                    distance[k] = best + step
                    before[k] = at
    for k in range(clusters):
        prices[k] -= min(distance[k], best)
    return at


@jit
def _choose_freely(costs, prices, labels, over):
    """Every object where cost and price are least; ``over`` counts who comes."""
    for i in range(len(costs)):
        best = 0
        for k in range(1, costs.shape[1]):
            if costs[i, k] + prices[k] < costs[i, best] + prices[best]:
                best = k
        labels[i] = best
        over[best] += 1


@jit
def share_exactly(costs, room, prices, labels):
    """The least total cost with ``room[k]`` objects in cluster k; the room is just enough.

    All start where cost and price are least, then chains of moves lead from clusters that are
    too full to those that have room. ``prices`` of a similar problem make a good start, and are
    replaced by those of this one.
    """
    objects, clusters = costs.shape
    over = -room
    _choose_freely(costs, prices, labels, over)
    if over.max() == 0:
        return
    heaps = [[(0.0, 0)] for _ in range(clusters * clusters)]
    for heap in heaps:
        heap.pop()
    for i in range(objects):
        _offer(heaps, costs, i, labels[i])
    least = np.full((clusters, clusters), np.inf)
    mover = np.full((clusters, clusters), -1, np.int64)
    before = np.full(clusters, -1, np.int64)
    while over.max() > 0:
        _find_movers(heaps, labels, clusters, least, mover)
        at = _find_way(over, least, prices, before)
        over[at] += 1
        while before[at] >= 0:
            i = mover[before[at], at]
            labels[i] = at
            _offer(heaps, costs, i, at)
            at = before[at]
        over[at] -= 1


@jit
def _measure(points, members, centroids, costs):
    """Squared distances between a region's objects and the centroids."""
    for i in range(members.size):
        for k in range(len(centroids)):
            total = 0.0
            for d in range(points.shape[1]):
                step = points[members[i], d] - centroids[k, d]
                total += step * step
            costs[i, k] = total


@jit
def share_regions(
    points, order, starts, first, last, room, centroids, prices, exact, labels, spreads
):
    """Labels of the objects of the regions from ``first`` to before ``last``.

    Region v gives ``room[v, k]`` of its objects to cluster k. ``labels`` are in the order of
    ``order``, ``prices`` (a row per region) are kept for the next call, and ``spreads`` gets the
    cost of each region.
    """
    for v in range(first, last):
        members = order[starts[v] : starts[v + 1]]
        here = labels[starts[v] : starts[v + 1]]
        costs = np.empty((members.size, len(centroids)))
        _measure(points, members, centroids, costs)
        if exact:
            share_exactly(costs, room[v], prices[v], here)
        else:
            share_greedily(costs, room[v], here)
        spreads[v] = 0.0
        for i in range(members.size):
            spreads[v] += costs[i, here[i]]


@jit
def count_votes(order, labels, votes):
    """How often each object got each label."""
    for i in range(order.size):
        votes[order[i], labels[i]] += 1


@jit
def add_voters(points, votes, sums):
    """Add each object to the sums of its clusters, as often as it got their label."""
    for i in range(len(votes)):
        for k in range(votes.shape[1]):
            if votes[i, k] > 0:
                for d in range(points.shape[1]):
                    sums[k, d] += votes[i, k] * points[i, d]


@jit
def decide(votes, draws, labels):
    """The label with most votes; of several the one that the object's draw, 0 … 1, falls on."""
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
