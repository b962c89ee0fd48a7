"""Moving objects one by one where kernels agree inside clusters, and given clusterings do not.

The kernel of two objects is the product of their features, less a weight for every given
clustering that has them together. It is never written down: what all objects of a cluster have in
common with one object is a product with the sum of their features, less their weighted counts.
"""

from clusterwise.kernels.jit import jit, jit_sum


@jit_sum
def _product(a, b):
    total = 0.0
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@jit
def tally(features, given, labels, sums, counts, sizes):
    """Sum the features of each cluster, and count its objects in each given cluster.

    ``given`` has a row per object: a place in ``counts`` for each given clustering.
    """
    sums[:] = 0.0
    counts[:] = 0.0
    sizes[:] = 0
    for i in range(labels.size):
        k = labels[i]
        sizes[k] += 1
        for r in range(features.shape[1]):
            sums[k, r] += features[i, r]
        for g in range(given.shape[1]):
            counts[k, given[i, g]] += 1.0


@jit
def _common(features, given, weights, i, sums, counts, k):
    """The kernel of object i and all objects of cluster k, added up."""
    total = _product(features[i], sums[k])
    for g in range(given.shape[1]):
        total -= weights[g] * counts[k, given[i, g]]
    return total


@jit
def sweep(
    features, given, weights, own, order, labels, sums, counts, sizes, inner, fewest, least_gain
):
    """Take objects in turn to the cluster where the objective grows most.

    The objective is the sum of ``inner[k] / sizes[k]``, where ``inner`` is the kernel of all pairs
    in a cluster added up; ``own`` is the kernel of each object with itself. No cluster of
    ``fewest`` objects loses one. Everything that belongs to clusters is kept up to date.

    Returns
    -------
    int
        How many objects moved.
    """
    moved = 0
    clusters = sizes.size
    for place in range(order.size):
        i = order[place]
        here = labels[i]
        if sizes[here] <= fewest:
            continue
        size = sizes[here]
        common_here = _common(features, given, weights, i, sums, counts, here)
        without = inner[here] - 2.0 * common_here + own[i]
        loss = inner[here] / size - without / (size - 1)
        best, best_gain, best_common = here, least_gain, 0.0
        for k in range(clusters):
            if k == here:
                continue
            common = _common(features, given, weights, i, sums, counts, k)
            with_it = inner[k] + 2.0 * common + own[i]
            gain = with_it / (sizes[k] + 1) - inner[k] / sizes[k] - loss
            if gain > best_gain:
                best, best_gain, best_common = k, gain, common
        if best == here:
            continue
        inner[here] = without
        inner[best] += 2.0 * best_common + own[i]
        for r in range(features.shape[1]):
            sums[here, r] -= features[i, r]
            sums[best, r] += features[i, r]
        for g in range(given.shape[1]):
            counts[here, given[i, g]] -= 1.0
            counts[best, given[i, g]] += 1.0
        sizes[here] -= 1
        sizes[best] += 1
        labels[i] = best
        moved += 1
    return moved
