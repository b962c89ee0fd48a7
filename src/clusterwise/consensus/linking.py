"""Linkage of objects by how often clusterings put them together."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.threads import run_parts
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import evidence as kernels

# Pairs of objects that are looked at between two chances to stop or to show progress.
_WORK = 1 << 26


class Linkage(NamedTuple):
    """Which clusters merge at which height, in order, and of how many the new one is made."""

    merges: Array
    heights: Array
    sizes: Array

    def table(self) -> Array:
        """As SciPy takes it."""
        return np.column_stack([self.merges, self.heights, self.sizes])

    def cut(self, count: int) -> Array:
        """Labels when so many clusters are left."""
        n = len(self.merges) + 1
        left = n - count
        cluster = np.arange(n + left)
        # A later cluster holds earlier ones, so one walk back from the last merge is enough.
        for step in range(left - 1, -1, -1):
            cluster[self.merges[step]] = cluster[n + step]
        return np.unique(cluster[:n], return_inverse=True)[1]

    def lifetimes(self, most: int) -> dict[int, float]:
        """For 2 … most clusters: over which range of heights there are so many."""
        n = len(self.merges) + 1
        steps = np.diff(self.heights, prepend=0.0)
        return {count: float(steps[n - count]) for count in range(2, min(most, n) + 1)}


def link_averages(codes: Array, weights: Array, sizes: Array) -> Linkage:
    """Average linkage of objects that each stand for some; ``weights`` are those of clusterings."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    apart = find_distances(codes, weights)
    kernels.chain_averages(apart, sizes.astype(np.float64), pairs, heights)
    return _in_order(pairs, heights)


def link_nearest(codes: Array, weights: Array, progress: bool | None = None) -> Linkage:
    """Single linkage, without a table of distances."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    near, least, current = np.zeros(u, np.int64), np.full(u, np.inf), 0
    steps = range(0, u - 1, max(1, _WORK // u))
    for start in track(steps, len(steps), "merging", progress):
        more = min(steps.step, u - 1 - start)
        current = kernels.grow_tree(
            codes, weights, more, near, least, current, pairs, heights, start
        )
    return _in_order(pairs, heights)


def find_distances(codes: Array, weights: Array) -> Array:
    """1 minus the co-association of all pairs of objects, square."""
    u = codes.shape[1]
    table = np.empty((u, u))
    parts = max(1, u * u // _WORK)

    def fill(part: int) -> None:
        kernels.fill_rows(codes, weights, part * u // parts, (part + 1) * u // parts, table)

    run_parts(fill, parts)
    return table


def _in_order(pairs: Array, heights: Array) -> Linkage:
    """Merges from the lowest to the highest."""
    order = np.argsort(heights, kind="stable")
    merges, counts = np.empty_like(pairs), np.empty(len(pairs))
    kernels.join_pairs(pairs[order], merges, counts)
    return Linkage(merges, heights[order], counts)
