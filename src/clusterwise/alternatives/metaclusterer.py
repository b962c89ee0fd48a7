"""Many clusterings, clustered themselves: the meta level, and what represents it."""

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
    check_n_alternatives,
    join_small,
    judge_by_centroids,
    relabel_by_appearance,
    resolve_n_clusters,
    validate_features,
)
from clusterwise.alternatives.coala.merging import cut_after
from clusterwise.alternatives.given import Given
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from clusterwise.kernels.kmeans import sum_squared_overlaps
from clusterwise.measures.dq import harmonic_mean
from clusterwise.measures.pairs import pair_jaccard_score
from clusterwise.models.kmeans import centre, draw, principal, run_weighted_kmeans

# Without a number of meta-clusters: the share of the mean distance at which merging ends.
_NEAR = 0.25


class MetaClusterer(PointAlternative):
    r"""Many different clusterings, grouped by how alike they are; and the best of each group.

    Base clusterings come from k-means with one random start each, every time with other weights
    of the features: the numbers :math:`1, 2^{-\alpha}, 3^{-\alpha}, …` (Zipf's law) in an order
    of chance. With :math:`\alpha = 0` all weigh the same; the larger it is, the fewer features
    decide. Half of the runs weigh the principal components in place of the features.
    Two clusterings are 1 - Rand apart, and average linkage merges them to meta-clusters. What is
    given plays no part so far: it decides only which of the meta-clusters are shown first.

    A meta-cluster is represented by its most compact member rather than by its medoid: members
    are much the same clustering, reached from other starts, and the most compact one is
    the one whose start was good.

    The first alternative is the representative with the largest harmonic mean of compactness and
    of the dissimilarity (1 minus the Jaccard index of pairs) from what is given; each
    further one has to be dissimilar from those before, too.

    Time grows with :math:`n`: that of the base clusterings, and :math:`n m^2 / 2` for the distances
    of :math:`m` of them.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters each clustering has; as many as the first given one by default (2 if
        nothing is given).
    n_base : int, default=100
        How many base clusterings to make.
    exponents : sequence of float, default=(0, 0.25, 0.5, 0.75, 1, 1.25, 1.5)
        The :math:`\alpha` of Zipf's law, taken in turn.
    pca : bool, default=True
        Make every second base clustering after PCA, of components that hold 95 % of
        the variance.
    scale : bool, default=False
        Give every feature of numbers standard deviation 1 first. By default nothing is scaled,
        so that a unit is another weight. Names are columns of 0 and 1 in any case, and
        those of a feature share its weight.
    n_meta : int, optional
        How many meta-clusters there are. By default merging ends where the next two would be
        farther apart than a quarter of the mean distance between all base clusterings.
    n_alternatives : int, default=1
        How many representatives to return. It stops early, with a warning, when the next one
        is degenerate, is known already, or has less than ``quality_floor`` times the first one's
        quality.
    min_cluster_size : int or float, optional
        In base clusterings, objects of clusters that are smaller (than a share of all objects, if
        below 1) join the nearest centroid of the others.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is ``"dunn_centroids"`` of
        :func:`~clusterwise.quality_score`.
    random_state : int, RandomState, Generator or None
        For starts and weights, and for the first clustering, if none is given.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All of them.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the one made first, if none was given.
    base_labels_ : ndarray of shape (n_base, n)
        The base clusterings, in small integers.
    base_compactness_ : ndarray of shape (n_base,)
        The share of the variance of the (scaled) objects that each explains, from 0 to 1.
    exponents_ : ndarray of shape (n_base,)
        Which exponent each was made with.
    after_pca_ : ndarray of bool of shape (n_base,)
        Whether components were weighted.
    meta_distances_ : ndarray of shape (n_base, n_base)
        1 - Rand between all of them.
    meta_linkage_ : ndarray of shape (n_base - 1, 4)
        How they merge, as SciPy's dendrograms take it.
    meta_labels_ : ndarray of shape (n_base,)
        The meta-cluster of each.
    representatives_ : ndarray of shape (n_meta,)
        The base clustering that stands for each meta-cluster.
    difference_ : ndarray of shape (n_meta,)
        How dissimilar each of these is from what is given: 1 minus the Jaccard index
        of pairs, with the nearest of several.
    by_compactness_, by_difference_ : ndarray of shape (n_meta,)
        The representatives in two orders: most compact first, and most different first.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.
    effective_n_clusters_ : float
        Its effective number of clusters.

    See Also
    --------
    NaiveAlternative : A few runs of k-means, and no meta level.

    References
    ----------
    .. [1] R. Caruana, M. Elhawary, N. Nguyen, C. Smith. Meta clustering. ICDM (2006) 107-118.
       https://doi.org/10.1109/ICDM.2006.103

    Examples
    --------
    Four groups at the corners of a rectangle, known as left and right:

    >>> import numpy as np
    >>> from clusterwise import MetaClusterer
    >>> corners = np.repeat([[0, 0], [0, 7], [9, 0], [9, 7]], 3, axis=0)
    >>> X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    >>> model = MetaClusterer(n_base=20, random_state=0).fit(X, np.repeat(["left", "right"], 6))
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])

    The clusterings found are of two kinds:

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
            The objects: numbers, names or both. A missing number is the mean of its feature, a
            missing name a value of its own.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side.

        Returns
        -------
        self
        """
        self._check()
        read = read_points(validate_features(self, X))
        random = as_random_state(self.random_state)
        known = self._given_or_first(read.points, y, random)
        count = resolve_n_clusters(self.n_clusters, known, len(read.points))
        points = centre(read, self.scale)
        self._make_base(points, read.owners, count, random)
        self.base_compactness_ = compactness(points, self.base_labels_)
        self.meta_distances_ = rand_distances(self.base_labels_, self.progress)
        self._group()
        self._order(known)
        self._choose(known, read.points)
        return self

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the map of the base clusterings, with the extra ``plots``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ClusteringMapDisplay
            Drawn: those alike are near each other, representatives are outlined.
        """
        return load_display("ClusteringMapDisplay").from_metaclusterer(self).plot(ax=ax)

    def _check(self) -> None:
        check_n_alternatives(self.n_alternatives)
        if self.n_base < 2:
            raise InputError(f"n_base={self.n_base!r}; make at least 2 base clusterings.")
        if not len(self.exponents) or not all(0 <= one < np.inf for one in self.exponents):
            raise InputError(
                f"exponents={self.exponents!r}; pass one or more, none of them negative."
            )
        if self.n_meta is not None and not 1 <= self.n_meta <= self.n_base:
            raise InputError(
                f"n_meta={self.n_meta!r} for {self.n_base} base clusterings; use a number from 1 "
                f"to {self.n_base}."
            )

    def _make_base(
        self, points: Array, owners: Array, count: int, random: np.random.RandomState
    ) -> None:
        runs = np.arange(self.n_base)
        self.after_pca_ = (runs % 2 == 1) & bool(self.pca)
        # Both runs of a pair, before and after PCA, have the same exponent.
        turn = runs // 2 if self.pca else runs
        self.exponents_ = np.asarray(self.exponents, np.float64)[turn % len(self.exponents)]
        self.base_labels_ = np.empty((self.n_base, len(points)), np.min_scalar_type(count - 1))
        # Half the memory; chance moves far more objects than rounding.
        plain = points.astype(np.float32)
        spaces = [(plain, owners)]
        if self.pca:
            scores = principal(plain)
            spaces.append((scores, np.arange(scores.shape[1])))
        # All of chance is drawn here, so that threads have no part in it.
        draws = [
            draw(*spaces[int(after)], exponent, count, random)
            for after, exponent in zip(self.after_pca_, self.exponents_, strict=True)
        ]

        def make(run: int) -> None:
            labels = relabel_by_appearance(run_weighted_kmeans(*draws[run]))
            self.base_labels_[run] = join_small(points, labels, self.min_cluster_size)

        run_all(make, self.n_base, "clustering", self.progress)

    def _group(self) -> None:
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        apart = squareform(self.meta_distances_, checks=False)
        self.meta_linkage_ = linkage(apart, "average")
        if self.n_meta is None:
            merges = int((self.meta_linkage_[:, 2] <= _NEAR * apart.mean()).sum())
        else:
            merges = self.n_base - self.n_meta
        self.meta_labels_ = cut_after(self.meta_linkage_[:, :2].astype(np.int64), merges)

    def _order(self, known: Given) -> None:
        best_first = np.argsort(-self.base_compactness_, kind="stable")
        _, first = np.unique(self.meta_labels_[best_first], return_index=True)
        shown = self.representatives_ = best_first[first]
        self.difference_ = np.array([_difference(self.base_labels_[one], known) for one in shown])
        compact = self.base_compactness_[shown]
        self.by_compactness_ = shown[np.argsort(-compact, kind="stable")]
        self.by_difference_ = shown[np.argsort(-self.difference_, kind="stable")]

    def _choose(self, known: Given, points: Array) -> None:
        def find(given: Given) -> Candidate:
            worth = [
                harmonic_mean(
                    _difference(self.base_labels_[one], given), self.base_compactness_[one]
                )
                for one in self.representatives_
            ]
            best = int(np.argmax(worth))
            labels = self.base_labels_[self.representatives_[best]].astype(np.int64)
            return Candidate(labels, None, None if worth[best] else "is known already")

        self._find_all(known, find, judge_by_centroids(points))


def _difference(labels: Array, known: Given) -> float:
    return min(1.0 - pair_jaccard_score(labels, codes) for codes in known.codes)


def compactness(points: Array, clusterings: Array) -> Array:
    """The share of the variance of points (with mean 0) that each of the clusterings explains."""
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
    """1 - Rand between all pairs of clusterings, m × n, which count their clusters from zero."""
    m, n = clusterings.shape
    size = int(clusterings.max()) + 1
    squares = np.empty((m, m), np.int64)

    def compare(one: int) -> None:
        sum_squared_overlaps(clusterings, one, size, squares)

    run_all(compare, m, "comparing", progress)
    own = np.diag(squares)
    apart = own[:, None] + own - 2 * squares
    pairs = n * (n - 1)
    # In the steps of rand_score, so that rounding is the same.
    return 1.0 - (pairs - apart) / pairs
