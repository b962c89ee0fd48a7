"""COALA: average linkage with constraints from the given clusters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.cluster import KMeans

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_sklearn_seed
from clusterwise.alternatives.base import (
    resolve_first_n_clusters,
    resolve_n_clusters,
    validate_numbers,
)
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut, join_nearest
from clusterwise.alternatives.coala.frame_columns import read_cells
from clusterwise.alternatives.coala.lattice_cells import LatticeCells
from clusterwise.alternatives.coala.merging import Merges, agglomerate
from clusterwise.alternatives.coala.prototypes import (
    PrototypeMixin,
    Prototypes,
    make_prototypes,
    nearest_prototypes,
)
from clusterwise.alternatives.distinct_objects import count_apart, warn_of_equal_objects
from clusterwise.alternatives.given import Given, read_given
from clusterwise.alternatives.methods import MANY_OBJECTS, PROTOTYPES
from clusterwise.alternatives.named_columns import resolve_columns, select_objects_and_given
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.distances import Distances, Metric, read_distances
from clusterwise.inputs.encoding import Array, relabel_by_appearance
from clusterwise.inputs.frames import as_lazy
from clusterwise.measures.internal import dunn_score
from clusterwise.models.kmeans import allow_equal_objects


class COALA(PrototypeMixin, Agglomerative):
    r"""Constrained Orthogonal Average Link Algorithm: another clustering, good and different.

    Average linkage from single objects, with two candidates for every merge: the nearest pair
    of clusters (qualitative), and the nearest pair that joins no two objects of the same given
    cluster (dissimilar). The dissimilar pair is merged if :math:`d_q / d_o \ge
    \omega`, where :math:`d_q` and :math:`d_o` are the distances of the two; otherwise, or if there
    is no such pair, the qualitative one. (The paper's Algorithm 2 has the branches exchanged;
    this follows its text.) Ties are broken by the smallest first objects, so that results are
    deterministic.

    Time and memory grow with :math:`n^2`: one table of :math:`n \times n` distances
    (800 MB for 10,000 objects, half of it with ``dtype="float32"``). With ``prototypes`` they grow
    with :math:`n`.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering (2 if none is given).
    omega : float, default=0.6
        The threshold: 0 prefers dissimilar merges while there are any, and more than 1 is plain
        average linkage.
    metric : str or callable, default="euclidean"
        Any of SciPy's distances, ``"gower"`` for frames with numeric and categorical features and
        missing values, a function of two vectors, or ``"precomputed"`` (``X`` is n × n).
    n_alternatives : int, default=1
        The number of alternatives, each different from the given clusterings and from those before.
        The search stops early, with a warning, if the next one is degenerate, is found without any
        dissimilar merge, or has less than ``quality_floor`` times the first one's quality.
    prototypes : int, optional
        Cluster this many weighted prototypes in place of all objects. They are made by k-means
        inside each combination of given clusters, so that no constraint is lost (Euclidean metric
        only). This is faster, and more robust: one outlying object that is merged early forbids
        its cluster every later dissimilar merge, and prototypes absorb such objects.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects. The
        tree is cut where ``n_clusters`` clusters are at least that large, and smaller ones join the
        nearest. By default single outlying objects, which average linkage tends to leave to the
        end, count as clusters, as published.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`~clusterwise.dunn_score` with mean distances,
        which for more than 10,000 objects are those of the prototypes.
    dtype : {"float64", "float32"}, default="float64"
        The type of the table of distances.
    random_state : int, RandomState, Generator or None
        The seed of prototypes, and of the first clustering, if none is given.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The first alternative.
    alternatives_ : ndarray of shape (n_found, n)
        All alternatives.
    given_ : ndarray of shape (m, n)
        The given clusterings as codes; the clustering made first, if none was given.
    merges_ : Merges
        The merges of the first alternative (of prototypes, if there are any); ``to_linkage``
        converts them to SciPy's format.
    n_dissimilar_merges_ : int
        The number of its dissimilar merges.
    prototypes_ : ndarray of shape (n_prototypes, R)
        The prototypes of the first alternative, if there are any.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Their clusters.
    cells_ : ndarray of shape (n_cells, R)
        For lazy frames only: the means of the cells that are clustered in place of the objects.
    cell_counts_ : ndarray of shape (n_cells,)
        For lazy frames only: the number of objects of each cell.
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
    COALACat : The same for categorical data.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    Four corners of a rectangle, grouped left and right; the alternative is top and bottom:

    >>> from clusterwise import COALA
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> COALA(omega=0.3).fit(X, [0, 0, 1, 1]).labels_
    array([0, 1, 0, 1])

    A lazy frame, here of Polars, from which only sums are fetched. The prototypes then label any
    part of it:

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"x": [0, 0, 3, 3], "y": [0, 1, 0, 1], "side": [0, 0, 1, 1]})
    >>> model = COALA(omega=0.3, prototypes=4, random_state=0).fit(frame, "side")
    >>> model.predict(frame.head(2).collect())
    array([0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        omega: float = 0.6,
        metric: Metric = "euclidean",
        n_alternatives: int = 1,
        prototypes: int | None = None,
        min_cluster_size: float | None = None,
        quality_floor: float = 0.5,
        dtype: Literal["float64", "float32"] = "float64",
        random_state: Any = None,
        progress: bool | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.omega = omega
        self.metric = metric
        self.n_alternatives = n_alternatives
        self.prototypes = prototypes
        self.min_cluster_size = min_cluster_size
        self.quality_floor = quality_floor
        self.dtype = dtype
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None, *, features: Sequence[str] | None = None) -> Self:
        """Find alternatives.

        From a lazy frame (Polars, DuckDB, Ibis, Dask or PySpark) only cells are fetched: its
        objects are counted and summed in the cells of a lattice along their principal axes, and
        prototypes are made from the cells as they would be from objects. That takes three scans,
        and up to five more where few cells are occupied; at most 131,072 cells are fetched.
        ``labels_`` are then those of the cells, and :meth:`predict` labels the objects.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects; distances between them if ``metric="precomputed"``.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several as columns. If ``X`` is a frame: the name of its
            column; if it is a lazy frame also a list of names.
        features : list of str, optional
            If ``X`` is a frame: the columns of the features; all but ``y`` by default.

        Returns
        -------
        self
        """
        if as_lazy(X) is not None:
            return self._fit_lazy(X, y, features)
        return self._fit(self._read(*select_objects_and_given(X, y, features)))

    def _validate(self, X: Any) -> Any:
        if self.metric == "gower":
            features = super()._validate(X)
            self.n_features_in_ = len(features.names)
            return features
        return validate_numbers(self, X)

    def _fit(self, problem: AlternativeProblem) -> Self:
        self._forget()
        return self._search(problem.distances(self.metric), problem.given)

    def _fit_lazy(self, X: Any, y: Any, features: Sequence[str] | None) -> Self:
        self._validate_params()
        self._forget()
        columns = resolve_columns(X, y, features)
        cells, given = read_cells(X, columns, self.prototypes)
        self._keep_cells(cells, columns.features)
        return self._search(read_distances(cells.means), given, cells)

    def _search(
        self, distances: Distances, known: Given | None, cells: LatticeCells | None = None
    ) -> Self:
        units, distances = distances, distances.relative()
        weights = None if cells is None else cells.counts
        n = distances.n if cells is None else int(cells.counts.sum())
        seed = as_sklearn_seed(self.random_state)
        given = self._first_clustering(distances, weights, seed) if known is None else known
        count = resolve_n_clusters(self.n_clusters, given, n)
        warn_of_equal_objects(count_apart(distances, count), count)
        found: list[tuple[Prototypes, Array]] = []

        def find(given: Given) -> tuple[Merges, Array]:
            if self.prototypes is None:
                merges, labels = self._find(distances, given, count)
            else:
                merges, few, codes, labels = self._find_by_prototypes(
                    distances, given, count, cells, units.exponent, seed
                )
                found.append((few, codes))
            heights = units.in_units(merges.distances.astype(np.float64))
            return replace(merges, distances=heights), labels

        def quality(labels: Array) -> float:
            if self.prototypes is None or (cells is None and n <= MANY_OBJECTS):
                return dunn_score(distances, labels, between="average", within="average")
            few = found[-1][0]
            return few.dunn(labels[np.unique(few.of, return_index=True)[1]])

        self._merge_all(given, find, quality, weights)
        if found:
            few, codes = found[0]
            assert units.origin is not None
            self._keep_prototypes(units.origin + units.in_units(few.centres), codes)
        return self

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.prototypes is not None and self.metric != "euclidean":
            raise InputError("prototypes are means, so they need metric='euclidean'.")

    def _first_clustering(self, distances: Distances, weights: Array | None, seed: Any) -> Given:
        """Return a first clustering: k-means, or average linkage of objects without vectors."""
        count = resolve_first_n_clusters(self.n_clusters, distances.n)
        if distances.vectors is not None:
            model = KMeans(count, n_init=10, random_state=seed)
            with allow_equal_objects():
                labels = model.fit(distances.vectors, sample_weight=weights).labels_
            return read_given(labels, distances.n)
        unconstrained = np.zeros((distances.n, 1), np.uint64)
        table = distances.as_table(self.dtype, _remedy(distances.metric))
        merges = agglomerate(table, unconstrained, 0.0, progress=self.progress)
        return read_given(merges.cut(count), distances.n)

    def _find(self, distances: Distances, given: Given, count: int) -> tuple[Merges, Array]:
        table = distances.as_table(self.dtype, _remedy(distances.metric))
        merges = agglomerate(table, given.masks(), self.omega, progress=self.progress)
        return merges, cut(merges, count, self.min_cluster_size, join_nearest(distances))

    def _find_by_prototypes(
        self,
        distances: Distances,
        given: Given,
        count: int,
        cells: LatticeCells | None,
        exponent: int,
        seed: Any,
    ) -> tuple[Merges, Prototypes, Array, Array]:
        """Return merges of prototypes, these, their clusters, and those of objects (or cells).

        The unit of the distances is two to the power of ``exponent``.
        """
        assert distances.vectors is not None
        assert self.prototypes is not None
        statistics = () if cells is None else (cells.counts, np.ldexp(cells.spreads, -2 * exponent))
        few = make_prototypes(
            distances.vectors, given, self.prototypes, seed, self.progress, *statistics
        )
        merges = agglomerate(
            few.sums(self.dtype), few.given.masks(), self.omega, weights=few.weights,
            progress=self.progress,
        )  # fmt: skip
        join = join_nearest(distances.at(few.centres), few.weights)
        codes = cut(merges, count, self.min_cluster_size, join, few.weights)
        of = few.of
        if cells is not None:  # whose objects will be labelled by predict
            of = nearest_prototypes(few.centres, distances.vectors)
        labels = relabel_by_appearance(np.concatenate([codes[of], codes]))
        return merges, few, labels[of.size :], labels[: of.size]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = self.metric == "gower"
        return tags


def _remedy(metric: Metric) -> str:
    """Return what to do if there are too many objects for a table of distances."""
    if metric != "euclidean":
        return "use a sample"
    return f"use prototypes, such as prototypes={PROTOTYPES}, or a sample"
