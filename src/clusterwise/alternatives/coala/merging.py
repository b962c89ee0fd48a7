"""Agglomerative clustering with constraints, and its merges."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from clusterwise._utils.lazy import load_display
from clusterwise._utils.progress import track
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.kernels import coala as kernels

# Table entries that are scanned between two updates of the progress bar.
_WORK = 1 << 27
_FEWEST_STEPS = 8


@dataclass(frozen=True)
class Merges:
    """The merges of an agglomerative clustering.

    Objects are 0 … n-1, and the cluster of step t is n + t, as in SciPy.

    Attributes
    ----------
    pairs : ndarray of shape (n - 1, 2)
        The two clusters of each merge.
    distances : ndarray of shape (n - 1,)
        Their distances. Not always increasing: a dissimilar merge may be followed by one of a
        smaller distance.
    dissimilar : ndarray of bool of shape (n - 1,)
        Whether the pair was merged because it joins no objects of the same given cluster, and was
        not the nearest pair.
    sizes : ndarray of shape (n - 1,)
        The number of objects in the new cluster.
    """

    pairs: Array
    distances: Array
    dissimilar: Array
    sizes: Array

    def __len__(self) -> int:
        return len(self.pairs)

    def to_linkage(self) -> Array:
        """Return the merges as a linkage matrix of SciPy."""
        return np.column_stack([self.pairs, self.distances, self.sizes]).astype(np.float64)

    def cut(self, n_clusters: int) -> Array:
        """Return labels with this number of clusters."""
        return cut_after(self.pairs, len(self) + 1 - n_clusters)

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Plot the dendrogram, with dissimilar merges marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        **options
            Options of :class:`~clusterwise.plots.DendrogramDisplay` and of its ``plot``.

        Returns
        -------
        DendrogramDisplay
        """
        drawing = {key: options.pop(key) for key in ("height", "last") if key in options}
        return load_display("DendrogramDisplay")(self, **options).plot(ax=ax, **drawing)


def cut_after(pairs: Array, merges: int) -> Array:
    """Return labels after some of the merges, in the order of the clusters' first objects."""
    return relabel_by_appearance(find_tops(pairs, merges)[: len(pairs) + 1])


def find_tops(pairs: Array, merges: int) -> Array:
    """Return the cluster of each object and each earlier cluster, after some of the merges."""
    n = len(pairs) + 1
    cluster = np.arange(n + merges)
    # Later clusters contain earlier ones, so that one pass from the last merge is enough.
    for step in range(merges - 1, -1, -1):
        cluster[pairs[step]] = cluster[n + step]
    return cluster


class LinkageUpdate(Protocol):
    """The update of distances when clusters merge."""

    def keep(self, left: Array) -> None:
        """Drop the state of all clusters but these."""

    def merge(self, *part: Any) -> None:
        """Make some merges."""


class AverageLinkage:
    """Average linkage, which needs nothing but the table of distances."""

    def keep(self, left: Array) -> None:
        """Do nothing, since there is no state."""

    def merge(self, *part: Any) -> None:
        """Make some merges."""
        kernels.merge_averages(*part)


def agglomerate(
    sums: Array,
    masks: Array,
    omega: float,
    *,
    weights: Array | None = None,
    linkage: LinkageUpdate | None = None,
    progress: bool | None = None,
) -> Merges:
    """Merge all clusters, step by step; ``sums`` and ``masks`` are overwritten.

    Parameters
    ----------
    sums : ndarray of shape (n, n)
        Distances between objects, multiplied by both weights.
    masks : ndarray of uint64 of shape (n, words)
        The given clusters of each object as bits.
    omega : float
        The ratio of the nearest pair's distance to that of the nearest dissimilar pair from which
        on the dissimilar pair is merged.
    weights : ndarray of shape (n,), optional
        The number of objects of each row.
    linkage : LinkageUpdate, optional
        Average linkage by default. For others, ``sums`` are the costs of merging two objects.
    progress : bool, optional
        Show a progress bar.
    """
    n = len(sums)
    linkage = linkage or AverageLinkage()
    state = _State.start(sums, masks, weights)
    history = kernels.MergeHistory(
        np.empty((n - 1, 2), np.int64), np.empty(n - 1), np.zeros(n - 1, np.bool_)
    )
    steps = _plan(n)
    for start, stop in track(steps, len(steps), "merging", progress):
        if 2 * (n - start) <= state.width:
            left = np.flatnonzero(state.born != kernels.GONE)
            state = state.compacted(left)
            linkage.keep(left)
        linkage.merge(state.clusters(), float(omega), n, start, stop, history)
    return Merges(*history, _sizes(history.pairs, weights))


@dataclass
class _State:
    """The remaining clusters: their distances, first objects, sizes, and nearest neighbours."""

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
        kernels.search_all(state.clusters())
        return state

    def clusters(self) -> kernels.ClusterState:
        sums = self.table[: self.width * self.width].reshape(self.width, self.width)
        return kernels.ClusterState(sums, self.born, self.sizes, self.masks, *self.near, self.names)

    def compacted(self, left: Array) -> "_State":
        """Return the state without the rows and columns of merged clusters."""
        kernels.compact_table(self.table, self.width, left)
        # New positions of neighbours; from the end, positions to continue the search at.
        position = np.searchsorted(left, np.arange(self.width + 1))
        position = np.concatenate([position, ~position[::-1]])
        least, near, permitted, near_permitted = (part[left] for part in self.near)
        return _State(
            self.table, left.size, self.born[left], self.sizes[left], self.names[left],
            self.masks[left], (least, position[near], permitted, position[near_permitted]),
        )  # fmt: skip


def _plan(n: int) -> list[tuple[int, int]]:
    """Split the merges into parts of about the same work, which end where clusters have halved."""
    parts = []
    start = 0
    halved = n // 2
    while start < n - 1:
        left = n - start
        stop = min(n - 1, start + max(_FEWEST_STEPS, _WORK // (left * left)))
        while halved >= n - start:
            halved //= 2
        if n - stop < halved:
            stop = n - halved
        parts.append((start, stop))
        start = stop
    return parts


def _sizes(pairs: Array, weights: Array | None) -> Array:
    n = len(pairs) + 1
    sizes = np.ones(2 * n - 1) if weights is None else np.append(weights, np.zeros(n - 1))
    for step, (x, y) in enumerate(pairs.tolist()):
        sizes[n + step] = sizes[x] + sizes[y]
    return sizes[n:]
