"""COALACat: COALA for categorical features, with entropy in place of distances."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.validation import validate_data

from clusterwise.alternatives.base import (
    check_n_objects,
    resolve_first_n_clusters,
    resolve_n_clusters,
)
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut
from clusterwise.alternatives.coala.entropy_linkage import (
    CategoricalObjects,
    EntropyLinkage,
)
from clusterwise.alternatives.coala.merging import Merges, agglomerate
from clusterwise.alternatives.distinct_objects import (
    count_distinct,
    rows_of,
    warn_of_equal_objects,
)
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array
from clusterwise.measures.internal import MissingValues, entropy_quality_score


class COALACat(Agglomerative):
    r"""COALA for categorical data: another clustering, good and different.

    Merges clusters from single objects by the rule of :class:`COALA`. The distance of two clusters
    :math:`p` and :math:`q` is the increase of their description length in bits if they are merged:

    .. math:: d(p, q) = n_{p \cup q} H(p \cup q) - n_p H(p) - n_q H(q),

    with :math:`H` the entropy of the values in a cluster, summed over features. (The paper's
    Equation 2 leaves out the sizes and the second cluster; this is the cost of ACE [2]_, which it
    refers to.) Two objects have distance 2 for every feature in which they differ; clusters with
    the same proportions of all values have distance 0 for any sizes.

    All features are treated as categorical, also numeric ones, with a category for each distinct
    number: bin measurements first. Costs are computed from integer counts, so that equal costs are
    exactly equal; ties are broken by the smallest first objects.

    Time and memory grow with :math:`n^2`: one table of :math:`n \times n` costs
    (800 MB for 10,000 objects, half of it with ``dtype="float32"``), and the counts.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    omega : float, default=0.6
        The threshold: 0 prefers dissimilar merges while there are any, and more than 1 is plain
        entropy linkage.
    missing_values : {"category", "ignore"}, default="category"
        A missing value is a category of its own. Or it is ignored: for each feature, sizes and
        entropy of a cluster are those of its objects that have a value, so that an object without
        any value has distance 0 from every cluster.
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those before.
        The search stops early, with a warning, if the next one is degenerate, is found without any
        dissimilar merge, or has less than ``quality_floor`` times the first one's quality.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects. The
        tree is cut where ``n_clusters`` clusters are at least that large, and smaller ones join the
        one with the least cost.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.entropy_quality_score`.
    dtype : {"float64", "float32"}, default="float64"
        The type of the table of costs.
    random_state : int, RandomState, Generator or None
        Not used, since the algorithm is deterministic; present for a common interface.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; that of entropy linkage without constraints, if none was
        given.
    merges_ : Merges
        The merges of the first alternative; ``to_linkage`` converts them to SciPy's format.
    n_dissimilar_merges_ : int
        The number of its dissimilar merges.
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
    COALA : The same for numeric features, and for any distances.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62.
       https://doi.org/10.1109/ICDM.2006.37
    .. [2] K. Chen, L. Liu. The "best K" for entropy-based categorical data clustering.
       SSDBM (2005) 253-262.

    Examples
    --------
    Things that are grouped by colour; the alternative is to group them by shape:

    >>> from clusterwise import COALACat
    >>> things = [["red", "round"], ["red", "square"], ["blue", "round"], ["blue", "square"]]
    >>> model = COALACat().fit(things, ["warm", "warm", "cold", "cold"])
    >>> model.labels_
    array([0, 1, 0, 1])
    >>> model.merges_.distances
    array([2., 2., 4.])
    """

    _default_quality = "entropy"
    _unit_free = True

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        omega: float = 0.6,
        missing_values: MissingValues = "category",
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        dtype: Literal["float64", "float32"] = "float64",
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.omega = omega
        self.missing_values = missing_values
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.quality_floor = quality_floor
        self.dtype = dtype
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find alternatives.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects, a column per feature.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns.

        Returns
        -------
        self
        """
        return self._fit(self._read(X, y))

    def _validate(self, X: Any) -> Any:
        features = super()._validate(X)
        self.n_features_in_ = len(features.names)
        if features is not X:
            validate_data(self, X, skip_check_array=True)
        return features

    def _fit(self, problem: AlternativeProblem) -> Self:
        check_n_objects(problem.n)
        objects = CategoricalObjects.read(problem.features, self.missing_values)
        given = self._first_clustering(objects) if problem.given is None else problem.given
        count = resolve_n_clusters(self.n_clusters, given, problem.n)
        warn_of_equal_objects(count_distinct(rows_of(objects.codes.T), count), count)

        def find(given: Given) -> tuple[Merges, Array]:
            merges = self._merge(objects, given.masks(), self.omega)
            return merges, cut(merges, count, self.min_cluster_size, objects.join_small)

        def quality(labels: Array) -> float:
            return entropy_quality_score(
                problem.features, labels, missing_values=self.missing_values
            )

        self._merge_all(given, find, quality)
        return self

    def _first_clustering(self, objects: CategoricalObjects) -> Given:
        """Return a first clustering: entropy linkage without constraints."""
        count = resolve_first_n_clusters(self.n_clusters, objects.n)
        merges = self._merge(objects, np.zeros((objects.n, 1), np.uint64), 0.0)
        return read_given(merges.cut(count), objects.n)

    def _merge(self, objects: CategoricalObjects, masks: Array, omega: float) -> Merges:
        table, linkage = objects.table(self.dtype), EntropyLinkage(objects)
        return agglomerate(table, masks, omega, linkage=linkage, progress=self.progress)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
