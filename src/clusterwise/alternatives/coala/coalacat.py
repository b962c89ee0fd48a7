"""COALACat: COALA for objects that are described by names, with entropy in place of distances."""

from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import resolve_first_n_clusters, resolve_n_clusters
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut
from clusterwise.alternatives.coala.entropy_linkage import Entropies, Missing, Values
from clusterwise.alternatives.coala.merging import Merges, agglomerate
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import read_features
from clusterwise.measures.internal import entropy_quality_score


class COALACat(Agglomerative):
    r"""COALA for categorical data: another clustering, good and different.

    Merges clusters from single objects as :class:`COALA` does, by the same rule; how far apart two
    clusters :math:`p` and :math:`q` are is what it costs to describe them together, in bits:

    .. math:: d(p, q) = n_{p \cup q} H(p \cup q) - n_p H(p) - n_q H(q),

    with :math:`H` the entropy of the values in a cluster, summed over features. (The paper's
    Equation 2 leaves out the sizes and the second cluster; this is the cost of ACE [2]_, which it
    refers to.) Two objects are 2 bits apart for every feature in which they differ; clusters with
    the same shares of all values are 0 apart, whatever their sizes.

    Every column is read as names: numbers too, each distinct one being a value of its own, so
    measurements should be binned first. Costs are found from whole counts and are equal exactly
    where they should be; of equally near pairs the one with the smallest first objects is merged.

    Time grows with :math:`n^2`, and so does memory: one table of :math:`n \times n` costs
    (800 MB for 10,000 objects, half of it with ``dtype="float32"``), and the counts.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    omega : float, default=0.6
        From 0, which prefers dissimilar merges while there are any, to 1 and above: more than 1
        is plain entropy linkage.
    missing : {"category", "ignore"}, default="category"
        A missing value is a value like others, the same for all objects that lack the feature.
        Or it is ignored: in each feature, sizes and entropy of a cluster are those of its
        objects that have it. So an object without any value is 0 from every cluster.
    n_alternatives : int, default=1
        How many to find, each different from what is given and from those before. It
        stops early, with a warning, when the next one is degenerate, is found without any
        dissimilar merge, or has less than ``quality_floor`` times the first one's
        quality.
    min_cluster_size : int or float, optional
        With a size (or a share of the objects below 1) the cut is taken where ``n_clusters``
        clusters are at least that large, and smaller ones join the one with the least cost.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is
        :func:`~clusterwise.measures.internal.entropy_quality_score`.
    dtype : {"float64", "float32"}, default="float64"
        The table of costs.
    random_state : int, RandomState, Generator or None
        Not used, as nothing is left to chance; here for a common interface.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; if none was given, the one that plain entropy linkage made.
    merges_ : Merges
        The history of the first alternative; ``to_linkage`` makes it one of SciPy's.
    n_dissimilar_merges_ : int
        How many of its merges were dissimilar ones.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    COALA : The same for numbers, and for anything that has distances.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62.
       https://doi.org/10.1109/ICDM.2006.37
    .. [2] K. Chen, L. Liu. The "best K" for entropy-based categorical data clustering.
       SSDBM (2005) 253-262.

    Examples
    --------
    Things that are grouped by their colour; the other way is by shape:

    >>> from clusterwise import COALACat
    >>> things = [["red", "round"], ["red", "square"], ["blue", "round"], ["blue", "square"]]
    >>> model = COALACat().fit(things, ["warm", "warm", "cold", "cold"])
    >>> model.labels_
    array([0, 1, 0, 1])
    >>> model.merges_.distances
    array([2., 2., 4.])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        omega: float = 0.6,
        missing: Missing = "category",
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        dtype: Literal["float64", "float32"] = "float64",
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.omega = omega
        self.missing = missing
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
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        features = read_features(X)
        self.n_features_in_ = len(features.names)
        if features is not X:
            validate_data(self, X, skip_check_array=True)
        if features.n < 2:
            raise InputError(f"n_samples={features.n} in X; pass at least two objects to merge.")
        values = Values.read(features, self.missing)
        given = self._first(values) if y is None else read_given(y, values.n)
        count = resolve_n_clusters(self.n_clusters, given, values.n)

        def find(given: Given) -> tuple[Merges, Array]:
            merges = self._merge(values, given.masks(), self.omega)
            return merges, cut(merges, count, self.min_cluster_size, values.join_small)

        def quality(labels: Array) -> float:
            return entropy_quality_score(features, labels, missing=self.missing)

        self._merge_all(given, find, quality)
        return self

    def _check(self) -> None:
        super()._check()
        if self.missing not in ("category", "ignore"):
            raise InputError(f"missing={self.missing!r} is unknown; use 'category' or 'ignore'.")

    def _first(self, values: Values) -> Given:
        """A first clustering: entropy linkage that nothing is forbidden to."""
        count = resolve_first_n_clusters(self.n_clusters, values.n)
        merges = self._merge(values, np.zeros((values.n, 1), np.uint64), 0.0)
        return read_given(merges.cut(count), values.n)

    def _merge(self, values: Values, masks: Array, omega: float) -> Merges:
        table = values.table(self.dtype)
        return agglomerate(table, masks, omega, linkage=Entropies(values), progress=self.progress)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
