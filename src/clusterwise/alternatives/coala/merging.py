"""Agglomeration under constraints, and its history."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from clusterwise._utils.lazy import load_display
from clusterwise._utils.progress import track
from clusterwise.alternatives.base import relabel_by_appearance
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import coala as kernels

# Cells that are looked at between two chances to stop or to show progress.
_WORK = 1 << 27
_FEWEST_STEPS = 8


@dataclass(frozen=True)
class Merges:
    """The history of an agglomeration: which two clusters merged in each step.

    Objects are 0 … n-1, and the cluster of step t is n + t, as in SciPy.

    Attributes
    ----------
    pairs : ndarray of shape (n - 1, 2)
        The two clusters.
    distances : ndarray of shape (n - 1,)
        How far apart they were. Not always rising: a dissimilar merge may be followed by a
        nearer one.
    dissimilar : ndarray of bool of shape (n - 1,)
        Whether the merge was made because it differs from what is given, rather than
        because nothing was nearer.
    sizes : ndarray of shape (n - 1,)
        The objects in the new cluster.
    """

    pairs: Array
    distances: Array
    dissimilar: Array
    sizes: Array

    def __len__(self) -> int:
        return len(self.pairs)

    def to_linkage(self) -> Array:
        """The history as SciPy's dendrograms take it."""
        return np.column_stack([self.pairs, self.distances, self.sizes]).astype(np.float64)

    def cut(self, n_clusters: int) -> Array:
        """Labels after so many merges that this many clusters are left."""
        return cut_after(self.pairs, len(self) + 1 - n_clusters)

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Draw the dendrogram, with dissimilar merges marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            Those of :class:`~clusterwise.plots.DendrogramDisplay` and of its ``plot``.

        Returns
        -------
        DendrogramDisplay
        """
        drawing = {key: options.pop(key) for key in ("height", "last") if key in options}
        return load_display("DendrogramDisplay")(self, **options).plot(ax=ax, **drawing)


def cut_after(pairs: Array, merges: int) -> Array:
    """Labels 0, 1, … in the order of the clusters' first objects, after some of the merges."""
    return relabel_by_appearance(find_tops(pairs, merges)[: len(pairs) + 1])


def find_tops(pairs: Array, merges: int) -> Array:
    """The cluster that each object and each earlier cluster is in, after some of the merges."""
    n = len(pairs) + 1
    cluster = np.arange(n + merges)
    # A later cluster holds earlier ones, so one walk back from the last merge is enough.
    for step in range(merges - 1, -1, -1):
        cluster[pairs[step]] = cluster[n + step]
    return cluster


class Linkage(Protocol):
    """How far apart clusters are once they have merged."""

    def keep(self, left: Array) -> None:
        """Forget what is known of all clusters but these."""

    def merge(self, *stretch: Any) -> None:
        """Make a stretch of merges."""


class Averages:
    """Average linkage: the table is all there is to know."""

    def keep(self, left: Array) -> None:
        """Nothing to forget."""

    def merge(self, *stretch: Any) -> None:
        """Let the kernel do it."""
        kernels.merge_averages(*stretch)


def agglomerate(
    sums: Array,
    masks: Array,
    omega: float,
    *,
    weights: Array | None = None,
    linkage: Linkage | None = None,
    progress: bool | None = None,
) -> Merges:
    """Merge everything, step by step; ``sums`` and ``masks`` are used up.

    Parameters
    ----------
    sums : ndarray of shape (n, n)
        Distances between objects (times both weights, if objects have any).
    masks : ndarray of uint64 of shape (n, words)
        A bit for each given cluster that the object is in.
    omega : float
        How near the nearest pair must come to the dissimilar one for it to be taken.
    weights : ndarray of shape (n,), optional
        How many objects each row stands for.
    linkage : Linkage, optional
        Average linkage by default. For others the table holds what merges of objects cost.
    """
    n = len(sums)
    linkage = linkage or Averages()
    state = _State.start(sums, masks, weights)
    pairs, distances = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    dissimilar = np.zeros(n - 1, np.bool_)
    steps = _plan(n)
    for start, stop in track(steps, len(steps), "merging", progress):
        if 2 * (n - start) <= state.width:
            left = np.flatnonzero(state.born != kernels.GONE)
            state = state.compacted(left)
            linkage.keep(left)
        stretch = (float(omega), n, start, stop, pairs, distances, dissimilar)
        linkage.merge(*state.arrays(), *stretch)
    return Merges(pairs, distances, dissimilar, _sizes(pairs, weights))


@dataclass
class _State:
    """The clusters that are left: their distances, ages, sizes, and who is near."""

    table: Array
    width: int
    born: Array
    sizes: Array
    names: Array
    masks: Array
    near: tuple[Array, Array, Array, Array]

    @classmethod
    def start(cls, sums: Array, masks: Array, weights: Array | None) -> "_State":
        n = len(sums)
        sizes = np.ones(n) if weights is None else weights.astype(np.float64)
        near = (np.empty(n), np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64))
        state = cls(sums.reshape(-1), n, np.arange(n), sizes, np.arange(n), masks, near)
        kernels.search_all(sums, state.born, sizes, masks, *near)
        return state

    def arrays(self) -> list[Any]:
        sums = self.table[: self.width * self.width].reshape(self.width, self.width)
        return [sums, self.born, self.sizes, self.masks, *self.near, self.names]

    def compacted(self, left: Array) -> "_State":
        """Without the rows and columns of clusters that are gone."""
        kernels.compact(self.table, self.width, left)
        # Where a neighbour is now; from the end, where to look for the next one.
        place = np.searchsorted(left, np.arange(self.width + 1))
        place = np.concatenate([place, ~place[::-1]])
        least, near, permitted, near_permitted = (part[left] for part in self.near)
        return _State(
            self.table, left.size, self.born[left], self.sizes[left], self.names[left],
            self.masks[left], (least, place[near], permitted, place[near_permitted]),
        )  # fmt: skip


def _plan(n: int) -> list[tuple[int, int]]:
    """Stretches of merges of about the same work, which end where clusters have halved."""
    stretches = []
    start = 0
    halved = n // 2
    while start < n - 1:
        left = n - start
        stop = min(n - 1, start + max(_FEWEST_STEPS, _WORK // (left * left)))
        while halved >= n - start:
            halved //= 2
        if n - stop < halved:
            stop = n - halved
        stretches.append((start, stop))
        start = stop
    return stretches


def _sizes(pairs: Array, weights: Array | None) -> Array:
    n = len(pairs) + 1
    sizes = np.ones(2 * n - 1) if weights is None else np.append(weights, np.zeros(n - 1))
    for step, (x, y) in enumerate(pairs.tolist()):
        sizes[n + step] = sizes[x] + sizes[y]
    return sizes[n:]
