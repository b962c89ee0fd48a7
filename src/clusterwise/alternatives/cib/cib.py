"""CIB: the conditional information bottleneck."""

from typing import Any, Self

import numpy as np

from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    StandaloneAlternative,
    resolve_n_clusters,
    validate_numbers,
)
from clusterwise.alternatives.cib.relations import Choice, make_relation, reads_rows
from clusterwise.alternatives.cib.sequential_search import SequentialSearch
from clusterwise.alternatives.distinct_objects import count_distinct, warn_of_equal_objects
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.minimum_size import least_size
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.binning.binning import Method
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.measures.quality import quality_score

# A further alternative is rejected if I(C;Y|Z) is less than this fraction of I(C;Y).
_NEW = 0.5


class CIB(StandaloneAlternative):
    r"""Conditional information bottleneck: clusters informative beyond the given ones.

    Each object :math:`x` has a distribution :math:`p(y|x)` over values. Clusters :math:`C` are to
    be informative about the values if the given clusters :math:`Z` are known:

    .. math:: \max_C \; I(C;Y \mid Z) + \gamma \, I(C;Y).

    This is the hard, sequential form: one object after another, in random order, is taken out of
    its cluster and put where the objective grows most. To put an object :math:`x` of the
    given cluster :math:`z` into cluster :math:`c` costs :math:`(p(x) + p(c,z)) \,
    JS_\pi(p(y|x), p(y|c,z))` of information; it goes where the cost is least.

    With :math:`\gamma = 0` the labels inside each given cluster are arbitrary: permuting them
    there changes nothing, since :math:`I(C;Y|Z)` is a sum over given clusters, and the clusters
    found in one need not match those found in another. The second term coordinates them [2]_. Two
    steps that are not published support it, unless :math:`\gamma = 0`: after each sweep the labels
    inside one given cluster after another are permuted so that :math:`I(C;Y)` is largest, which is
    an assignment problem; and random starts get one sweep without the second term and such a
    permutation. From there on the objective never decreases.

    Without a given clustering this is the information bottleneck [4]_, :math:`I(C;Y)` alone: the
    first result is an ordinary clustering, and the next ones are alternatives to it.

    Time grows with :math:`n`: a sweep takes R operations per object and cluster, with R the number
    of features (of words in a document).

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    gamma : float, default=1.0
        The weight of :math:`I(C;Y)`; 0 is the method as first published. On planted data (pairs of
        clusterings with 2 to 4 clusters) weights of 1 and 2 did about equally well, and 0.3 often
        left the given clusters uncoordinated. The smaller one is safer where the given
        clustering is strong: the objective of the given clustering itself is
        :math:`\gamma I(Z;Y)`, that of an independent one :math:`(1 + \gamma) I(C;Y)`.
    relation : {"auto", "bins", "rows"}, default="auto"
        The source of :math:`p(y|x)`. ``"bins"``: numeric features are cut into bins, and an object
        has one bin or category of each feature, all with the same probability; missing values have
        a bin of their own. ``"rows"``: X holds frequencies, such as words in documents,
        and rows are divided by their sums; an empty row has a value of its own. ``"auto"`` takes
        sparse matrices as rows and everything else as bins, because positive measurements are not
        always frequencies.
    binning : {"width", "auto", "frequency", "nominal"}, default="width"
        How numeric features are cut, see :class:`~clusterwise.Binning`.
    n_bins : int, default=10
        The number of bins of a numeric feature.
    n_init : int, default=10
        The number of random starts; the one with the largest objective is kept.
    max_iter : int, default=5
        The largest number of sweeps over all objects per start, as in the comparison of [3]_.
    tol : float, default=1e-6
        A start ends when a sweep adds less than this to the objective (in nats).
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those before
        (:math:`Z` are the combinations of their clusters). The search stops early, with a warning,
        if the next one is degenerate, has less than ``quality_floor`` times the first one's
        quality, or has a conditional information :math:`I(C;Y|Z)` of less than half of
        :math:`I(C;Y)`.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        No object leaves a cluster of this size, which is 1 by default.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``, and :math:`I(C;Y)` for rows.
    random_state : int, RandomState, Generator or None
        The seed of the starts and of the order of the objects.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; one cluster of all objects, if none was given.
    objective_ : float
        The objective of the first alternative, in nats.
    conditional_information_ : float
        Its part :math:`I(C;Y|Z)`. A value near 0 means that the alternative is a given clustering.
    objective_trace_ : ndarray
        The objective at the start and after each sweep.
    n_iter_ : int
        The number of sweeps.
    n_clusters_ : int
        The number of clusters of the first alternative.
    sizes_ : list of Sizes
        Cluster sizes, effective number of clusters and whether it is degenerate, for each
        alternative.
    degenerate_ : bool
        Whether nearly all objects are in one cluster of the first alternative.
    effective_n_clusters_ : float
        The effective number of clusters of the first alternative.

    See Also
    --------
    CondEns : By the same authors, with any clusterer inside the given clusters.

    Notes
    -----
    Five sweeps are enough where there are clear clusters. On noise they end early: objects still
    move, and the objective still grows. A larger ``max_iter`` continues until it does not.

    References
    ----------
    .. [1] D. Gondek, T. Hofmann. Conditional information bottleneck clustering. ICDM Workshop on
       Clustering Large Data Sets (2003) 36-42.
    .. [2] D. Gondek, T. Hofmann. Non-redundant data clustering. Knowledge and Information Systems
       12 (2007) 1-24. https://doi.org/10.1007/s10115-006-0009-7
    .. [3] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and
       its application to the discovery of alternate clusterings. Data Mining and Knowledge
       Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z
    .. [4] N. Slonim, N. Friedman, N. Tishby. Unsupervised document classification using sequential
       information maximization. SIGIR (2002) 129-136. https://doi.org/10.1145/564376.564401

    Examples
    --------
    Things that are grouped by colour; the alternative is to group them by shape:

    >>> from clusterwise import CIB
    >>> things = [["red", "round"], ["red", "square"], ["blue", "round"], ["blue", "square"]]
    >>> model = CIB(random_state=0).fit(things, ["warm", "warm", "cold", "cold"])
    >>> model.labels_
    array([0, 1, 0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        gamma: float = 1.0,
        relation: Choice = "auto",
        binning: Method = "width",
        n_bins: int = 10,
        n_init: int = 10,
        max_iter: int = 5,
        tol: float = 1e-6,
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.gamma = gamma
        self.relation = relation
        self.binning = binning
        self.n_bins = n_bins
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.quality_floor = quality_floor
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n, R)
            The objects.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns.

        Returns
        -------
        self
        """
        return self._fit(self._read(X, y))

    @property
    def _unit_free(self) -> bool:
        return self.relation == "rows"

    def _validate(self, X: Any) -> Any:
        if not reads_rows(X, self.relation):
            return super()._validate(X)
        return validate_numbers(self, X, accept_sparse="csr")

    def _fit(self, problem: AlternativeProblem) -> Self:
        relation = make_relation(problem, self.relation, self.binning, self.n_bins)
        random = as_random_state(self.random_state)
        given = self._given_or_one_cluster(problem)
        count = resolve_n_clusters(self.n_clusters, given, problem.n)
        found = count_distinct(relation.rows(), count)
        by = "their bins" if relation.counted else "their proportions"
        warn_of_equal_objects(found, count, compared_by=by)
        least = least_size(self.min_cluster_size, count, problem.n)

        def find(given: Given) -> Candidate:
            search = SequentialSearch(relation, given.joint, count, self.gamma, least)
            starts = track(range(self.n_init), self.n_init, "moving objects", self.progress)
            runs = [search.run(random, self.max_iter, self.tol) for _ in starts]
            best = max(runs, key=lambda run: run.trace[-1])
            information = search.information(best.labels)
            redundant = information.conditional < _NEW * information.total
            objection = "has little information beyond the given clusterings" if redundant else None
            labels = relabel_by_appearance(best.labels)
            return Candidate(labels, (best.trace, information.conditional), objection)

        def quality(labels: Array) -> float:
            if relation.counted:
                return quality_score(problem.point_distances, labels, "dunn_centroids")
            one_cluster = np.zeros(problem.n, np.int64)
            search = SequentialSearch(relation, one_cluster, int(labels.max()) + 1, 0.0, 1)
            return search.information(labels).total

        trace, self.conditional_information_ = self._find_all(given, find, quality)[0]
        self.objective_trace_ = np.array(trace)
        self.objective_ = float(trace[-1])
        self.n_iter_ = self.objective_trace_.size - 1
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        bins = self.relation != "rows"
        tags.input_tags.allow_nan = bins
        tags.input_tags.categorical = bins
        tags.input_tags.string = bins
        tags.input_tags.positive_only = not bins
        tags.input_tags.sparse = self.relation != "bins"
        return tags
