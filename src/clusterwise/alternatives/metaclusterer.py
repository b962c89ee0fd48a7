"""MetaClusterer: many base clusterings, and the representatives of groups of similar ones."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.random import as_random_state
from clusterwise._utils.threads import run_all
from clusterwise.alternatives.base import (
    Candidate,
    PointAlternative,
    join_small,
)
from clusterwise.alternatives.coala.merging import cut_after
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.kernels.ensemble import sum_squared_overlaps
from clusterwise.measures.dq import harmonic_mean
from clusterwise.measures.pairs import pair_jaccard_score
from clusterwise.models.kmeans import (
    centre,
    draw_weights_and_starts,
    principal_components,
    run_weighted_kmeans,
)

# Without a number of meta-clusters, merging ends at this fraction of the mean distance.
_NEAR = 0.25


class MetaClusterer(PointAlternative):
    r"""Meta clustering: many base clusterings, of which each group of similar ones gives the best.

    Base clusterings come from k-means with one random start each, every time with other weights
    of the features: :math:`1, 2^{-\alpha}, 3^{-\alpha}, …` (Zipf's law) in random order. With
    :math:`\alpha = 0` all features have the same weight; the larger it is, the fewer features
    determine the clusters. Half of the runs weight the principal components in place of the
    features. The distance between two clusterings is 1 - Rand, and average linkage merges them to
    meta-clusters. The given clusterings only determine which meta-clusters are returned first.

    A meta-cluster is represented by its most compact member rather than by its medoid: members are
    much the same clustering from different starts, and the most compact one had the best start.

    The first alternative is the representative with the largest harmonic mean of compactness and
    dissimilarity (1 minus the Jaccard index of pairs) from the given clusterings; each
    further one has to be dissimilar from those before, too.

    Time grows with :math:`n`: that of the base clusterings, and :math:`n m^2 / 2` for the distances
    of :math:`m` of them.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters of each clustering; by default that of the first given one (2 if none
        is given).
    n_base : int, default=100
        The number of base clusterings.
    exponents : sequence of float, default=(0, 0.25, 0.5, 0.75, 1, 1.25, 1.5)
        The :math:`\alpha` of Zipf's law, used in turn.
    pca : bool, default=True
        Whether every second base clustering weights principal components, which explain 95 % of
        the variance.
    scale : bool, default=False
        Whether numeric features are scaled to standard deviation 1 first. By default nothing is
        scaled, so that the unit of a feature acts as a weight. Categorical features are one-hot
        columns, which share the weight of their feature.
    n_meta : int, optional
        The number of meta-clusters. By default merging ends where the distance of the next two
        would be more than a quarter of the mean distance between all base clusterings.
    n_alternatives : int, default=1
        The number of representatives to return. The search stops early, with a warning, if the next
        one is degenerate, is a given clustering, or has less than ``quality_floor`` times the first
        one's quality.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        In base clusterings, objects of smaller clusters are assigned to the nearest centroid of the
        others.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.quality_score` with
        ``"dunn_centroids"``.
    random_state : int, RandomState, Generator or None
        The seed of starts and weights, and of the first clustering, if none is given.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first by k-means, if none was given.
    base_labels_ : ndarray of shape (n_base, n)
        The base clusterings, in small integers.
    base_compactness_ : ndarray of shape (n_base,)
        The proportion of the variance of the (scaled) objects that each explains, from 0 to 1.
    exponents_ : ndarray of shape (n_base,)
        The exponent of each base clustering.
    after_pca_ : ndarray of bool of shape (n_base,)
        Whether principal components were weighted.
    meta_distances_ : ndarray of shape (n_base, n_base)
        1 - Rand between all base clusterings.
    meta_linkage_ : ndarray of shape (n_base - 1, 4)
        Their linkage matrix, as SciPy defines it.
    meta_labels_ : ndarray of shape (n_base,)
        The meta-cluster of each base clustering.
    representatives_ : ndarray of shape (n_meta,)
        The base clustering that represents each meta-cluster.
    difference_ : ndarray of shape (n_meta,)
        The dissimilarity of each representative from the given clustering: 1 minus the Jaccard
        index of pairs; the smallest one, if several are given.
    by_compactness_, by_difference_ : ndarray of shape (n_meta,)
        The representatives in two orders: most compact first, and most different first.
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
    NaiveAlternative : The best of a few runs of k-means.

    Notes
    -----
    Base clusterings need not be exact, since they are meant to differ: their k-means computes in
    single precision (float32), and ends when at most 0.1 % of the objects change their cluster, or
    after 100 iterations.

    References
    ----------
    .. [1] R. Caruana, M. Elhawary, N. Nguyen, C. Smith. Meta clustering. ICDM (2006) 107-118.
       https://doi.org/10.1109/ICDM.2006.103

    Examples
    --------
    Four groups at the corners of a rectangle; left and right are given:

    >>> import numpy as np
    >>> from clusterwise import MetaClusterer
    >>> corners = np.repeat([[0, 0], [0, 7], [9, 0], [9, 7]], 3, axis=0)
    >>> X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    >>> model = MetaClusterer(n_base=20, random_state=0).fit(X, np.repeat(["left", "right"], 6))
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])

    There are two different clusterings among the base clusterings:

    >>> model.representatives_.size
    2
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_base: int = 100,
        exponents: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
        pca: bool = True,
        scale: bool = False,
        n_meta: int | None = None,
        n_alternatives: int = 1,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_base = n_base
        self.exponents = exponents
        self.pca = pca
        self.scale = scale
        self.n_meta = n_meta
        self.n_alternatives = n_alternatives
        self.min_cluster_size = min_cluster_size
        self.quality_floor = quality_floor
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Make base clusterings, group them, and choose alternatives.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects, with numeric or categorical features. Missing numeric values are replaced
            by the mean of the feature; a missing category is a category of its own.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns.

        Returns
        -------
        self
        """
        return self._fit(self._read(X, y))

    def _fit(self, problem: AlternativeProblem) -> Self:
        random = as_random_state(self.random_state)
        known = self._given_or_first(problem, random)
        count = self._resolve_n_clusters(problem, known)
        points = centre(problem.objects, self.scale)
        self._make_base(points, problem.objects.owners, count, random)
        self.base_compactness_ = compactness(points, self.base_labels_)
        self.meta_distances_ = rand_distances(self.base_labels_, self.progress)
        self._group()
        self._order(known)
        self._choose(known, problem)
        return self

    def plot(self, *, ax: Any = None) -> Any:
        """Plot a map of the base clusterings, with the extra ``plots``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.

        Returns
        -------
        ClusteringMapDisplay
            Similar clusterings are near each other, and representatives are outlined.
        """
        return load_display("ClusteringMapDisplay").from_metaclusterer(self).plot(ax=ax)

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.n_meta is not None and self.n_meta > self.n_base:
            raise InputError(
                f"n_meta={self.n_meta!r} for {self.n_base} base clusterings; use a number from 1 "
                f"to {self.n_base}."
            )

    def _make_base(
        self, points: Array, owners: Array, count: int, random: np.random.RandomState
    ) -> None:
        runs = np.arange(self.n_base)
        self.after_pca_ = (runs % 2 == 1) & bool(self.pca)
        # Both runs of a pair, without and with PCA, have the same exponent.
        turn = runs // 2 if self.pca else runs
        self.exponents_ = np.asarray(self.exponents, np.float64)[turn % len(self.exponents)]
        self.base_labels_ = np.empty((self.n_base, len(points)), np.min_scalar_type(count - 1))
        # Half the memory; the random starts matter more than rounding.
        plain = points.astype(np.float32)
        spaces = [(plain, owners)]
        if self.pca:
            scores = principal_components(plain)
            spaces.append((scores, np.arange(scores.shape[1])))
        # All random numbers are drawn here, so that results do not depend on threads.
        draws = []
        for after, exponent in zip(self.after_pca_, self.exponents_, strict=True):
            space, columns = spaces[int(after)]
            weights, starts = draw_weights_and_starts(space, columns, exponent, count, random)
            draws.append((space, weights, starts))

        def make(run: int) -> None:
            labels = relabel_by_appearance(run_weighted_kmeans(*draws[run]))
            self.base_labels_[run] = join_small(points, labels, self.min_cluster_size)

        run_all(make, self.n_base, "clustering", self.progress)

    def _group(self) -> None:
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        distances = squareform(self.meta_distances_, checks=False)
        self.meta_linkage_ = linkage(distances, "average")
        if self.n_meta is None:
            merges = int((self.meta_linkage_[:, 2] <= _NEAR * distances.mean()).sum())
        else:
            merges = self.n_base - self.n_meta
        self.meta_labels_ = cut_after(self.meta_linkage_[:, :2].astype(np.int64), merges)

    def _order(self, known: Given) -> None:
        best_first = np.argsort(-self.base_compactness_, kind="stable")
        _, first = np.unique(self.meta_labels_[best_first], return_index=True)
        found = self.representatives_ = best_first[first]
        self.difference_ = np.array([_difference(self.base_labels_[one], known) for one in found])
        compact = self.base_compactness_[found]
        self.by_compactness_ = found[np.argsort(-compact, kind="stable")]
        self.by_difference_ = found[np.argsort(-self.difference_, kind="stable")]

    def _choose(self, known: Given, problem: AlternativeProblem) -> None:
        def find(given: Given) -> Candidate:
            scores = [
                harmonic_mean(
                    _difference(self.base_labels_[one], given), self.base_compactness_[one]
                )
                for one in self.representatives_
            ]
            best = int(np.argmax(scores))
            labels = self.base_labels_[self.representatives_[best]].astype(np.int64)
            return Candidate(labels, None, None if scores[best] else "is a given clustering")

        self._find_all(known, find, self._centroid_quality(problem))


def _difference(labels: Array, known: Given) -> float:
    return min(1.0 - pair_jaccard_score(labels, codes) for codes in known.codes)


def compactness(points: Array, clusterings: Array) -> Array:
    """Return the proportion of the variance of centred points that each clustering explains."""
    total = float((points**2).sum())
    values = np.ones(len(clusterings))
    if total:
        n = len(points)
        for run, labels in enumerate(clusterings):
            indicators = sparse.csr_array((np.ones(n), labels.astype(np.int64), np.arange(n + 1)))
            sums = indicators.T @ points
            values[run] = float((sums**2 / np.bincount(labels)[:, None]).sum()) / total
    return np.minimum(values, 1.0)


def rand_distances(clusterings: Array, progress: bool | None = None) -> Array:
    """Return 1 - Rand between all pairs of clusterings: m × n codes that start at 0."""
    m, n = clusterings.shape
    size = int(clusterings.max()) + 1
    squares = np.empty((m, m), np.int64)

    def compare(one: int) -> None:
        sum_squared_overlaps(clusterings, one, size, squares)

    run_all(compare, m, "comparing", progress)
    own = np.diag(squares)
    disagreeing = own[:, None] + own - 2 * squares
    pairs = n * (n - 1)
    # The same operations as in rand_score, so that rounding is the same.
    return 1.0 - (pairs - disagreeing) / pairs
