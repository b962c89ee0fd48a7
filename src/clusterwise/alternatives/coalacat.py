"""COALACat: COALA for objects that are described by names, with entropy in place of distances."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.validation import validate_data

from clusterwise.alternatives.base import Alternative, count_clusters
from clusterwise.alternatives.cutting import _merges_to_make
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.merging import Merges, _plan, _sizes, _State, cut_after, in_order
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.features import Features, read_features
from clusterwise.kernels import coalacat as kernels
from clusterwise.kernels.coala import GONE
from clusterwise.measures.internal import entropy_quality_score
from clusterwise.progress import track

Missing = Literal["category", "ignore"]

_FIRST_CLUSTERS = 2


class COALACat(Alternative):
    r"""COALA for categorical data: another clustering, good and different.

    Merges clusters from single objects as :class:`COALA` does, by the same rule; how far apart two
    clusters :math:`p` and :math:`q` are is what it costs to describe them together, in bits:

    .. math:: d(p, q) = n_{p \cup q} H(p \cup q) - n_p H(p) - n_q H(q),

    with :math:`H` the entropy of the values in a cluster, summed over attributes. (The paper's
    Equation 2 leaves out the sizes and the second cluster; this is the cost of ACE [2]_, which it
    refers to.) Two objects are 2 bits apart for every attribute in which they differ; clusters with
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
        A missing value is a value like others, the same for all objects that lack the attribute.
        Or it is ignored: in each attribute, sizes and entropy of a cluster are those of its
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
    random_state : int, RandomState or None
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

    >>> from clusterwise.alternatives.coalacat import COALACat
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
            The objects, a column per attribute.
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
        values = _Values.read(features, self.missing)
        given = self._first(values) if y is None else read_given(y, values.n)
        count = count_clusters(self.n_clusters, given, values.n)

        def find(given: Given) -> tuple[Merges, Array]:
            merges = self._merge(values, given.masks(), self.omega)
            return merges, self._cut(merges, values, count)

        def quality(labels: Array) -> float:
            return entropy_quality_score(features, labels, missing=self.missing)

        found = find_several(self, find, quality, given)
        self.given_ = given.codes
        self._keep([labels for _, labels in found])
        self.merges_ = found[0][0]
        self.n_dissimilar_merges_ = int(self.merges_.dissimilar.sum())
        return self

    def _check(self) -> None:
        if not self.omega >= 0:
            raise InputError(f"omega={self.omega!r} is no threshold; use 0 or more.")
        if self.n_alternatives < 1:
            raise InputError(f"n_alternatives={self.n_alternatives!r}; ask for at least one.")
        if self.dtype not in ("float64", "float32"):
            raise InputError(f"dtype={self.dtype!r} is unknown; use 'float64' or 'float32'.")
        if self.missing not in ("category", "ignore"):
            raise InputError(f"missing={self.missing!r} is unknown; use 'category' or 'ignore'.")

    def _first(self, values: "_Values") -> Given:
        """A first clustering: entropy linkage that nothing is forbidden to."""
        free = Given(np.zeros((1, values.n), np.int64), (_FIRST_CLUSTERS,))
        count = count_clusters(self.n_clusters, free, values.n)
        merges = self._merge(values, np.zeros((values.n, 1), np.uint64), 0.0)
        return read_given(merges.cut(count), values.n)

    def _merge(self, values: "_Values", masks: Array, omega: float) -> Merges:
        return agglomerate_values(values, masks, omega, dtype=self.dtype, progress=self.progress)

    def _cut(self, merges: Merges, values: "_Values", count: int) -> Array:
        least = self.min_cluster_size
        if least is None:
            return merges.cut(count)
        if 0 < least < 1:
            least *= values.n
        sizes = np.append(np.ones(values.n), merges.sizes)
        labels = cut_after(merges.pairs, _merges_to_make(merges.pairs, sizes, count, least))
        large = np.flatnonzero(np.bincount(labels) >= least)
        return values.join_small(labels, large) if large.size else merges.cut(count)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


@dataclass(frozen=True)
class _Values:
    """What the objects are like: which of their values count where.

    A cluster's row of counts has a column for every value that several objects have (one of a
    single object changes no cost), then columns for how many objects have an attribute: one for
    all attributes that every object has, and one for each of the others. The description of a
    cluster, n·H, is the sum of weight · x·log2 x over its row.
    """

    codes: Array
    columns: Array
    weights: Array
    unit: float
    logs: Array

    @classmethod
    def read(cls, features: Features, missing: Missing) -> "_Values":
        codes = np.empty((len(features.names), features.n), np.int32)
        columns = np.empty_like(codes)
        width = 0
        for r, column in enumerate(features.columns):
            named = column.named()
            codes[r] = named.codes
            if missing == "category":
                codes[r, named.codes < 0] = len(named.values)
            shared = np.bincount(codes[r] + 1, minlength=1)[1:] > 1
            place = np.append(np.where(shared, width + np.cumsum(shared) - 1, -1), -1)
            columns[r] = place[codes[r]]
            width += int(shared.sum())
        whole = (codes >= 0).all(axis=1)
        _, some, times = np.unique(
            np.where(whole, -1, np.arange(whole.size)), return_index=True, return_counts=True
        )
        present = np.where(codes[some] < 0, -1, width + np.arange(some.size)[:, None])
        weights = np.concatenate([np.full(width, -1), times])
        n = features.n
        # No description takes more bits than this, so sums of parts stay below 2^62.
        unit = 2.0 ** (62 - np.ceil(np.log2(max(2, codes.size * np.log2(n)))))
        logs = kernels.scaled_logs(n, unit)
        return cls(codes, np.vstack([columns, present]), weights, unit, logs)

    @property
    def n(self) -> int:
        return self.codes.shape[1]

    def table(self, dtype: Any) -> Array:
        """The costs of merging two single objects, in the row of the later one."""
        table = np.empty((self.n, self.n), dtype)
        kernels.fill_differences(self.codes, table)
        return table

    def counts(self, labels: Array) -> Array:
        """Counts of clusters."""
        shape = (int(labels.max()) + 1, self.weights.size)
        counts = np.zeros(shape, np.uint16 if self.n < 1 << 16 else np.uint32)
        for column in self.columns:
            here = column >= 0
            np.add.at(counts, (labels[here], column[here]), 1)
        return counts

    def join_small(self, labels: Array, large: Array) -> Array:
        """Labels with every cluster that is not large in the large one of the least cost."""
        counts = self.counts(labels)
        into = np.empty(len(counts), np.int64)
        into[large] = np.arange(large.size)
        costs, alive = np.empty(large.size), np.zeros(large.size, np.int64)
        for small in np.setdiff1d(np.arange(len(counts)), large):
            own = counts[small]
            kernels.walk_costs(
                own, np.flatnonzero(own), counts[large], alive, self.weights, self.logs,
                self.unit, costs,
            )  # fmt: skip
            into[small] = costs.argmin()
        return in_order(into[labels])


def agglomerate_values(
    values: _Values, masks: Array, omega: float, *, dtype: Any, progress: bool | None = None
) -> Merges:
    """Merge everything by entropy linkage, step by step; ``masks`` are used up."""
    n = values.n
    state = _State.start(values.table(dtype), masks, None)
    counts = values.counts(np.arange(n))
    history = (np.empty((n - 1, 2), np.int64), np.empty(n - 1), np.zeros(n - 1, np.bool_))
    steps = _plan(n)
    for start, stop in track(steps, len(steps), "merging", progress):
        if 2 * (n - start) <= state.width:
            counts = counts[state.born != GONE]
            state = state.compacted()
        state.merge(
            kernels.merge_entropies, float(omega), n, start, stop, *history,
            counts, values.weights, values.logs, values.unit,
        )  # fmt: skip
    return Merges(*history, _sizes(history[0], None))


def find_several(
    how: Any,
    find: Callable[[Given], tuple[Merges, Array]],
    quality: Callable[[Array], float],
    given: Given,
) -> list[tuple[Merges, Array]]:
    """One alternative after the other, until there are enough or the next is not worth having."""
    found: list[tuple[Merges, Array]] = []
    for i in range(how.n_alternatives):
        merges, labels = find(given)
        why = _why_stop(how, merges, labels, quality, found[0][1]) if found else None
        if why:
            warnings.warn(
                f"{type(how).__name__} stopped after {i} of {how.n_alternatives} alternatives: "
                f"the next one {why}.",
                UserWarning,
                stacklevel=3,
            )
            break
        found.append((merges, labels))
        given = given.and_also(labels)
    return found


def _why_stop(
    how: Any, merges: Merges, labels: Array, quality: Callable[[Array], float], first: Array
) -> str | None:
    if not merges.dissimilar.any():
        return "is found without any dissimilar merge"
    if describe_sizes(labels).degenerate:
        return "is degenerate"
    here, there = quality(labels), quality(first)
    if here < how.quality_floor * there:
        return f"has a quality of {here:.3g}, the first one {there:.3g}"
    return None
