"""CIB: clusters that tell of the values of objects what the given clusters do not."""

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.base import (
    Candidate,
    StandaloneAlternative,
    check_n_alternatives,
    check_positive,
    least_size,
    relabel_by_appearance,
    resolve_n_clusters,
)
from clusterwise.alternatives.cib.relations import Choice, read_described
from clusterwise.alternatives.cib.search import Search
from clusterwise.alternatives.given import Given
from clusterwise.inputs.binning.binning import Method
from clusterwise.inputs.encoding import Array
from clusterwise.measures.quality import quality_score

# An alternative tells at least this share of its information beyond what is given.
_NEW = 0.5


class CIB(StandaloneAlternative):
    r"""Conditional information bottleneck: clusters that tell what the given ones do not.

    Each object :math:`x` has a distribution :math:`p(y|x)` over values. Clusters :math:`C` shall
    tell much about the values once the given clusters :math:`Z` are known:

    .. math:: \max_C \; I(C;Y \mid Z) + \gamma \, I(C;Y).

    It is the hard and sequential form: objects are drawn out of their cluster one by one, in an
    order of chance, and put where the objective grows most. To put an object :math:`x` of the
    given cluster :math:`z` into cluster :math:`c` costs :math:`(p(x) + p(c,z)) \,
    JS_\pi(p(y|x), p(y|c,z))` of information, so it goes where that is least.

    With :math:`\gamma = 0` the labels inside each given cluster are arbitrary: exchanging them
    there changes nothing, as :math:`I(C;Y|Z)` is a sum over given clusters. What is found in
    one then need not fit what is found in another. The second term coordinates them [2]_. Two
    steps that are ours help it, unless :math:`\gamma = 0`: after each sweep labels are exchanged
    inside one given cluster after the other so that :math:`I(C;Y)` is largest, which is an
    assignment problem; and the clusters of chance that a search starts from get one sweep without
    the second term and such an exchange. From there on the objective never decreases.

    If nothing is given it is the plain information bottleneck [4]_, :math:`I(C;Y)` alone: what it
    finds first is a clustering like any other, and what comes next are alternatives to that.

    Time grows with :math:`n`: a sweep looks at R numbers per object and cluster, R being the number
    of features (of words in a document).

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    gamma : float, default=1.0
        The weight of :math:`I(C;Y)`; 0 is the method as first published. On planted data (pairs of
        clusterings with 2 to 4 clusters) weights of 1 and 2 did about equally well, and 0.3 often
        left the given clusters uncoordinated. The smaller one is safer where the given
        clustering is strong: it would itself reach :math:`\gamma I(Z;Y)`, another that is
        independent of it :math:`(1 + \gamma) I(C;Y)`.
    relation : {"auto", "bins", "rows"}, default="auto"
        Where :math:`p(y|x)` comes from. ``"bins"``: each feature is cut into bins, and an object
        has one bin of each, all equally likely; for numbers, names and both, with missing values
        in a bin of their own. ``"rows"``: X holds frequencies, such as words in documents,
        and rows are divided by their sums; an empty row has a value of its own. ``"auto"`` reads
        sparse matrices as rows and everything else as bins: measurements may be positive
        without being frequencies.
    binning : {"width", "frequency", "nominal"}, default="width"
        How numbers are cut, see :class:`~clusterwise.Binning`.
    n_bins : int, default=10
        Bins per numeric feature.
    n_init : int, default=10
        How many starts; the one with the largest objective is kept.
    max_iter : int, default=5
        How many sweeps over all objects, as in the comparison of [3]_.
    tol : float, default=1e-6
        Stop when a sweep adds less than this to the objective (in nats).
    n_alternatives : int, default=1
        How many to find, each against what is given and those before (the combinations of their
        clusters are :math:`Z`). It stops early, with a warning, when the next one is
        degenerate, has less than ``quality_floor`` times the first one's quality, or tells little
        that is not known: :math:`I(C;Y|Z)` is less than half of :math:`I(C;Y)`.
    min_cluster_size : int or float, optional
        No object leaves a cluster of this size (or share of the objects below 1); 1 by default.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``, and :math:`I(C;Y)` for rows.
    random_state : int, RandomState, Generator or None
        The source of chance.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; one cluster of all objects, if none was given.
    objective_ : float
        The objective that the first alternative reached, in nats.
    conditional_information_ : float
        The part :math:`I(C;Y|Z)` of it. Where this is near 0, what was given was found again.
    objective_trace_ : ndarray
        The objective at its start and after each sweep.
    n_iter_ : int
        How many sweeps it took.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    CondEns : By the same authors, with any clusterer inside the given clusters.

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
    Things that are grouped by their colour; the other way is by shape:

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
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        described = read_described(self, X, self.relation, self.binning, self.n_bins)
        relation, random = described.relation, as_random_state(self.random_state)
        given = self._given_or_one_cluster(y, relation.n)
        count = resolve_n_clusters(self.n_clusters, given, relation.n)
        least = least_size(self.min_cluster_size, count, relation.n)

        def find(given: Given) -> Candidate:
            search = Search(relation, given.joint, count, self.gamma, least)
            starts = track(range(self.n_init), self.n_init, "moving objects", self.progress)
            runs = [search.run(random, self.max_iter, self.tol) for _ in starts]
            best = max(runs, key=lambda run: run.trace[-1])
            told = search.tell(best.labels)
            known = told.new < _NEW * told.plain
            objection = "tells little that is not known already" if known else None
            return Candidate(relabel_by_appearance(best.labels), (best.trace, told.new), objection)

        def quality(labels: Array) -> float:
            if relation.counted:
                return quality_score(described.points, labels, "dunn_centroids")
            all_one = np.zeros(relation.n, np.int64)
            return Search(relation, all_one, int(labels.max()) + 1, 0.0, 1).tell(labels).plain

        trace, self.conditional_information_ = self._find_all(given, find, quality)[0]
        self.objective_trace_ = np.array(trace)
        self.objective_ = float(trace[-1])
        self.n_iter_ = self.objective_trace_.size - 1
        return self

    def _check(self) -> None:
        check_n_alternatives(self.n_alternatives)
        if not 0 <= self.gamma < np.inf:
            raise InputError(f"gamma={self.gamma!r} is no weight; use a number from 0 on.")
        check_positive(self, "n_init", "max_iter")

    def judged(self, X: Any) -> Any:
        return X if issparse(X) else super().judged(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        bins = self.relation != "rows"
        tags.input_tags.allow_nan = bins
        tags.input_tags.categorical = bins
        tags.input_tags.string = bins
        tags.input_tags.positive_only = not bins
        tags.input_tags.sparse = self.relation != "bins"
        return tags
