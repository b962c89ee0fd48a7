"""Where the parts of a dendrogram go."""

from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.coala.merging import Merges, find_tops
from clusterwise.inputs.encoding import Array


class Tree(NamedTuple):
    """The last merges of a history, laid out.

    ``leaf_of`` is the leaf of each object, from left to right; ``sizes`` are the objects in each
    leaf, and ``inside`` the share of dissimilar ones among the merges that made it (NaN for single
    objects). ``links`` are the corners of each merge that is shown, 4 × 2, in the order of merges.
    ``floor`` is where the leaves begin: below the first merge that is shown.
    """

    leaf_of: Array
    sizes: Array
    inside: Array
    links: Array
    floor: float


def lay_out(merges: Merges, heights: Array, last: int) -> Tree:
    """Leaves side by side, such that no lines cross."""
    n = len(merges) + 1
    first = max(0, len(merges) - last)
    leaves = _from_left(merges.pairs, first)
    place = np.full(2 * n - 1, -1.0)
    place[leaves] = np.arange(len(leaves))
    tops = find_tops(merges.pairs, first)
    leaf_of = place[tops].astype(np.int64)
    total = np.bincount(leaf_of[n:], minlength=len(leaves))
    marked = np.bincount(leaf_of[n:], merges.dissimilar[:first], len(leaves))
    inside = np.divide(marked, total, out=np.full(len(leaves), np.nan), where=total > 0)
    # What is hidden leaves room for what is shown.
    floor = heights[first - 1] - 0.05 * (heights[-1] - heights[first - 1]) if first else 0.0
    top = np.full(2 * n - 1, floor)
    links = np.empty((len(merges) - first, 4, 2))
    for i, step in enumerate(range(first, len(merges))):
        low, high = sorted(merges.pairs[step].tolist(), key=place.__getitem__)
        node = n + step
        place[node], top[node] = (place[low] + place[high]) / 2, heights[step]
        links[i, :, 0] = place[low], place[low], place[high], place[high]
        links[i, :, 1] = top[low], top[node], top[node], top[high]
    sizes = np.append(np.ones(n), merges.sizes)[leaves]
    return Tree(leaf_of[:n], sizes, inside, links, float(floor))


def _from_left(pairs: Array, first: int) -> Array:
    """Clusters that are there before the merges shown, in the order of the leaves."""
    n = len(pairs) + 1
    leaves, waiting = [], [2 * n - 2]
    while waiting:
        node = waiting.pop()
        if node < n + first:
            leaves.append(node)
        else:
            waiting += pairs[node - n].tolist()[::-1]
    return np.array(leaves)
