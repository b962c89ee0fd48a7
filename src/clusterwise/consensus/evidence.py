"""Evidence accumulation: hierarchical clustering by co-association."""

from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_interruptibly
from clusterwise.consensus.base import Consensus, draw_sample
from clusterwise.consensus.canonical_order import CanonicalOrder
from clusterwise.consensus.co_association import ClusterCounts, co_association_distances
from clusterwise.consensus.phi.search import climb
from clusterwise.consensus.phi.state import PhiProblem
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels import evidence as kernels

# Average linkage needs a square matrix (200 MB for 5,000 objects), single linkage only time.
_MAX_OBJECTS = {"average": 5_000, "single": 50_000}
# Lifetimes are compared to this number of decimals.
_DECIMALS = 9
# Sweeps over all objects after the cut; a few are the rule.
_MAX_SWEEPS = 100
# Pairs of objects between two updates of the progress bar.
_PAIRS_PER_STEP = 1 << 26


class EvidenceAccumulation(Consensus):
    r"""Merge objects by linkage on their co-associations.

    The co-association of two objects is the proportion of clusterings that put them into one
    cluster, among those in which both have labels; their distance is 1 minus it, and 1 if no
    clustering labels both. Average or single linkage merges the objects, and the dendrogram is cut
    at the number of clusters with the longest lifetime, i.e. the largest range of heights.

    Objects with the same labels in all clusterings have distance 0 and are merged beforehand, with
    a weight, so that the :math:`n \times n` matrix is never made; this is exact. Single linkage
    needs no matrix, only a spanning tree. Where clusters touch it merges them through a few objects
    in between, the more so the more objects there are.

    If there are more than ``max_objects`` distinct objects, a sample is merged, drawn with
    probabilities proportional to their multiplicities. Every other object joins the cluster with
    the largest mean co-association.

    For a given number of clusters, average linkage often returns a few outliers as clusters of
    their own beside one large cluster. ``refine=True`` then moves objects one by one while the mean
    co-association within clusters increases: this repairs a poor cut and changes little in a good
    one.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters. By default the number with the longest lifetime, from 2 to the
        largest number of clusters of any clustering; the smaller one in case of ties.
    linkage : {"average", "single"}, default="average"
        The distance of two clusters: the mean over all pairs of objects, or the minimum.
    refine : bool, default=False
        Whether to move objects after the cut.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    max_objects : int, optional
        The largest number of distinct objects to merge. By default 5,000 for average linkage,
        which needs 200 MB for them, and 50,000 for single linkage; time is quadratic.
    random_state : int, RandomState, Generator or None
        The seed of the sample.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The consensus; -1 for objects without any label.
    n_clusters_ : int
        The number of clusters.
    linkage_ : ndarray of shape (u - 1, 4)
        The merges of the u distinct objects, in SciPy's format; sizes count distinct objects.
        They are numbered in the order in which they first occur.
    merged_weights_ : ndarray of shape (u,)
        The multiplicities of the distinct objects that were merged, in the same order.
    lifetimes_ : dict of int to float
        The lifetime of each number of clusters, from 2 to the largest number of any clustering.
    n_distinct_ : int
        The number of distinct objects.
    n_merged_ : int
        u, the number of distinct objects that were merged; fewer than ``n_distinct_`` if a sample
        was drawn.
    n_features_in_ : int
        The number of clusterings.

    References
    ----------
    .. [1] A. L. N. Fred, A. K. Jain. Combining multiple clusterings using evidence accumulation.
       IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005) 835-850.
       https://doi.org/10.1109/TPAMI.2005.113

    Examples
    --------
    Three clusterings; the last has no label for the first object:

    >>> from clusterwise import EvidenceAccumulation
    >>> ensemble = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2], [None, "x", "x", "y", "y", "x"]]
    >>> model = EvidenceAccumulation().fit(ensemble)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> {count: round(life, 2) for count, life in model.lifetimes_.items()}
    {2: 0.51, 3: 0.08}
    """

    linkage_: Array
    merged_weights_: Array
    _sample: Array | None

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        linkage: Literal["average", "single"] = "average",
        refine: bool = False,
        weights: Any = None,
        max_objects: int | None = None,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.refine = refine
        self.weights = weights
        self.max_objects = max_objects
        self.random_state = random_state
        self.progress = progress

    def _default_count(self, ensemble: Ensemble) -> int | None:  # noqa: ARG002
        """Return None: lifetimes decide."""
        return None

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        ensemble, sizes, _ = collapsed
        found = self._link(collapsed, weights, self._check_limit(count))
        labels = found.cut(count or _longest(self.lifetimes_))
        if self._sample is not None:
            all_labels = np.full(ensemble.n, -1)
            all_labels[self._sample] = labels
            labels = _assign_others(ensemble, weights, all_labels, sizes)
        return _refine(collapsed, weights, labels) if self.refine else labels

    def _restore_order(self, order: CanonicalOrder) -> None:
        """Number the merged rows, and the leaves of the dendrogram, by their first objects."""
        merged = order.rows if self._sample is None else order.rows[self._sample]
        given = np.argsort(merged)
        self.merged_weights_ = self.merged_weights_[given]
        ends = self.linkage_[:, :2]
        names = np.arange(2.0 * merged.size)
        names[given] = np.arange(merged.size)
        ends[:] = np.sort(names[ends.astype(np.int64)], axis=1)

    def _link(self, collapsed: Collapsed, weights: Array, max_objects: int) -> "Dendrogram":
        """Return the dendrogram of all rows, or of a sample."""
        ensemble, sizes, _ = collapsed
        self.n_distinct_ = ensemble.n
        self.n_merged_ = min(max_objects, ensemble.n)
        some = None
        if self.n_merged_ < ensemble.n:
            some = draw_sample(sizes, self.n_merged_, as_random_state(self.random_state))
        codes = ensemble.codes if some is None else np.ascontiguousarray(ensemble.codes[:, some])
        self.merged_weights_ = sizes if some is None else sizes[some]
        if self.linkage == "single":
            found = single_linkage(codes, weights, self.progress)
        else:
            found = average_linkage(codes, weights, self.merged_weights_)
        self.linkage_ = found.to_scipy()
        self.lifetimes_ = found.lifetimes(max(ensemble.sizes))
        self._sample = some
        return found

    def _check_limit(self, count: int | None) -> int:
        """Return the largest number of objects to merge."""
        limit = _MAX_OBJECTS[self.linkage] if self.max_objects is None else self.max_objects
        if limit < max(2, count or 2):
            raise InputError(
                f"max_objects={limit!r} are too few to merge; use at least 2, and at least "
                "n_clusters."
            )
        return int(limit)


class Dendrogram(NamedTuple):
    """The merges of a hierarchical clustering by height, and the sizes of the merged clusters."""

    merges: Array
    heights: Array
    sizes: Array

    def to_scipy(self) -> Array:
        """Return the linkage matrix in SciPy's format."""
        return np.column_stack([self.merges, self.heights, self.sizes])

    def cut(self, count: int) -> Array:
        """Return the labels of ``count`` clusters."""
        n = len(self.merges) + 1
        left = n - count
        cluster = np.arange(n + left)
        # A later cluster contains earlier ones, so one pass back from the last merge suffices.
        for step in range(left - 1, -1, -1):
            cluster[self.merges[step]] = cluster[n + step]
        return relabel_by_value(cluster[:n])

    def lifetimes(self, most: int) -> dict[int, float]:
        """Return the range of heights of each number of clusters from 2 to ``most``."""
        n = len(self.merges) + 1
        steps = np.diff(self.heights, prepend=0.0)
        return {count: float(steps[n - count]) for count in range(2, min(most, n) + 1)}


def average_linkage(codes: Array, weights: Array, sizes: Array) -> Dendrogram:
    """Average linkage of objects with multiplicities; ``weights`` are those of the clusterings."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    distances = co_association_distances(codes, weights)
    run_interruptibly(
        10.0 * u * u, kernels.chain_averages, distances, sizes.astype(np.float64), pairs, heights
    )
    return _sort_merges(pairs, heights)


def single_linkage(codes: Array, weights: Array, progress: bool | None = None) -> Dendrogram:
    """Single linkage by a minimum spanning tree, without a matrix of distances."""
    u = codes.shape[1]
    pairs, heights = np.zeros((u - 1, 2), np.int64), np.zeros(u - 1)
    near, least, current = np.zeros(u, np.int64), np.full(u, np.inf), 0
    steps = range(0, u - 1, max(1, _PAIRS_PER_STEP // u))
    for start in track(steps, len(steps), "merging", progress):
        more = min(steps.step, u - 1 - start)
        current = kernels.grow_tree(
            codes, weights, more, near, least, current, pairs, heights, start
        )
    return _sort_merges(pairs, heights)


def longest_lived(collapsed: Collapsed, weights: Array) -> int:
    """Return the number of clusters that average linkage finds, deterministically."""
    model = EvidenceAccumulation(random_state=0, progress=False)
    model._link(collapsed, weights, _MAX_OBJECTS[model.linkage])
    return _longest(model.lifetimes_)


def _sort_merges(pairs: Array, heights: Array) -> Dendrogram:
    order = np.argsort(heights, kind="stable")
    merges, counts = np.empty_like(pairs), np.empty(len(pairs))
    kernels.join_pairs(pairs[order], merges, counts)
    return Dendrogram(merges, heights[order], counts)


def _longest(lifetimes: dict[int, float]) -> int:
    """Return the number with the longest lifetime; 1 if there is none."""
    return max(lifetimes, key=lambda one: (round(lifetimes[one], _DECIMALS), -one), default=1)


def _assign_others(ensemble: Ensemble, weights: Array, labels: Array, sizes: Array) -> Array:
    """Assign objects without a label to the cluster with the largest mean co-association."""
    counts = ClusterCounts.from_labels(ensemble, weights, labels, sizes)
    others = np.flatnonzero(labels < 0)
    for some, together, known in counts.blocks(ensemble.codes[:, others]):
        means = np.divide(together, known, out=np.zeros_like(known), where=known > 0)
        labels[others[some]] = means.argmax(axis=1)
    return labels


def _refine(collapsed: Collapsed, weights: Array, labels: Array) -> Array:
    """Move objects while the mean co-association within clusters increases: φ without ECS."""
    ensemble, counts, _ = collapsed
    problem = PhiProblem(ensemble, counts, weights, k1=1.0, k2=0.0, by_objects=True)
    return climb(problem, problem.state(labels, int(labels.max()) + 1), _MAX_SWEEPS).labels
