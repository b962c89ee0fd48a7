"""Evidence accumulation: hierarchical clustering by co-association."""

from typing import Any, Literal

from clusterwise.consensus.linkage import (
    MAX_AVERAGED,
    Dendrogram,
    LinkageConsensus,
    average_linkage,
    single_linkage,
)
from clusterwise.consensus.phi.search import climb
from clusterwise.consensus.phi.state import PhiProblem
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed
from clusterwise.kernels.evidence import PairWeights

# Single linkage needs no matrix, only time.
_MAX_OBJECTS = {"average": MAX_AVERAGED, "single": 50_000}
# Sweeps over all objects after the cut; a few are the rule.
_MAX_SWEEPS = 100


class EvidenceAccumulation(LinkageConsensus):
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

    def _confidence(self, collapsed: Collapsed, weights: Array) -> Array | None:  # noqa: ARG002
        """Return None: all clusters count alike."""
        return None

    def _merge(self, codes: Array, weights: PairWeights, sizes: Array) -> Dendrogram:
        if self.linkage == "single":
            return single_linkage(codes, weights, self.progress)
        return average_linkage(codes, weights, sizes)

    def _default_limit(self) -> int:
        return _MAX_OBJECTS[self.linkage]

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        labels = super()._combine(collapsed, weights, count)
        return _refine(collapsed, weights, labels) if self.refine else labels


def _refine(collapsed: Collapsed, weights: Array, labels: Array) -> Array:
    """Move objects while the mean co-association within clusters increases: φ without ECS."""
    ensemble, counts, _ = collapsed
    problem = PhiProblem(ensemble, counts, weights, k1=1.0, k2=0.0, by_objects=True)
    return climb(problem, problem.state(labels, int(labels.max()) + 1), _MAX_SWEEPS).labels
