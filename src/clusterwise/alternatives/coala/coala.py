"""COALA: average linkage that avoids what is given already."""

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils.validation import validate_data

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import (
    relabel_by_appearance,
    resolve_first_n_clusters,
    resolve_n_clusters,
)
from clusterwise.alternatives.coala.agglomerative import Agglomerative
from clusterwise.alternatives.coala.cutting import cut, join_nearest
from clusterwise.alternatives.coala.frame_columns import (
    name_columns,
    read_cells,
    take_columns,
)
from clusterwise.alternatives.coala.lattice_cells import Cells
from clusterwise.alternatives.coala.merging import Merges, agglomerate
from clusterwise.alternatives.coala.prototyped import Prototyped
from clusterwise.alternatives.coala.prototypes import (
    Prototypes,
    make_prototypes,
    nearest_prototypes,
)
from clusterwise.alternatives.given import Given, read_given
from clusterwise.inputs.distances import Distances, Metric, read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import read_features
from clusterwise.inputs.frames import as_lazy
from clusterwise.measures.internal import dunn_score


class COALA(Prototyped, Agglomerative):
    r"""Constrained Orthogonal Average Link Algorithm: another clustering, good and different.

    Average linkage from single objects, with two candidates for every merge: the nearest pair
    of clusters (qualitative), and the nearest pair that brings no two objects of a given
    cluster together (dissimilar). The dissimilar pair is merged if :math:`d_q / d_o \ge
    \omega`, where :math:`d_q` and :math:`d_o` are the distances of the two; else, or if no such
    pair is left, the qualitative one. (The paper's Algorithm 2 has the branches exchanged;
    its text is what is done here.) Among equally near pairs the one with the smallest
    first objects is taken, so results are the same in every run.

    Time grows with :math:`n^2`, and so does memory: one table of :math:`n \times n` distances
    (800 MB for 10,000 objects, half of it with ``dtype="float32"``). With ``prototypes`` it grows
    with :math:`n`.

    Parameters
    ----------
    n_clusters : int, optional
        How many clusters to find; as many as the first given clustering has by default (2 if
        nothing is given).
    omega : float, default=0.6
        From 0, which prefers dissimilar merges while there are any, to 1 and above: more than 1
        is plain average linkage.
    metric : str or callable, default="euclidean"
        Any of SciPy's distances, ``"gower"`` for mixed frames with numbers, names and
        missing values, a function of two vectors, or ``"precomputed"`` (``X`` is n × n).
    n_alternatives : int, default=1
        How many to find, each different from what is given and from those before. It
        stops early, with a warning, when the next one is degenerate, is found without any
        dissimilar merge, or has less than ``quality_floor`` times the first one's
        quality.
    prototypes : int, optional
        Cluster this many weighted prototypes in place of all objects. They are made by k-means
        inside each given cluster, so that no constraint is lost (Euclidean metric only). Not
        only faster: one stray object that is merged early forbids its cluster every later
        dissimilar merge, and prototypes take such objects in.
    min_cluster_size : int or float, optional
        Average linkage splits off single outlying objects, and as published they count as
        clusters. With a size (or a share of the objects below 1) the cut is taken where
        ``n_clusters`` clusters are at least that large, and smaller ones join their nearest.
    quality_floor : float, default=0.5
        See ``n_alternatives``; quality is :func:`dunn_score` with mean distances.
    dtype : {"float64", "float32"}, default="float64"
        The table of distances.
    random_state : int, RandomState, Generator or None
        For the first clustering, if none is given, and for prototypes.
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
    merges_ : Merges
        The history of the first alternative (of prototypes, if there are any); ``to_linkage``
        makes it one of SciPy's.
    n_dissimilar_merges_ : int
        How many of its merges were dissimilar ones.
    prototypes_ : ndarray of shape (n_prototypes, R)
        The prototypes of the first alternative, if there are any.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Their clusters.
    cells_ : ndarray of shape (n_cells, R)
        Means of the cells that stand for the objects of a lazy frame, in place of which they
        are labelled; only if there was one.
    cell_counts_ : ndarray of shape (n_cells,)
        The objects in them.
    sizes_ : list of Sizes
        Sizes, effective number of clusters and whether it is degenerate, for each alternative.
    degenerate_ : bool
        Whether the first alternative is one that nobody wants, such as one object
        against all the rest.

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
    Four corners of a rectangle, grouped left and right; the other way is top and bottom:

    >>> from clusterwise import COALA
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1]]
    >>> COALA(omega=0.3).fit(X, [0, 0, 1, 1]).labels_
    array([0, 1, 0, 1])

    A table that stays in its engine, here that of Polars. Prototypes are found from sums, and
    label any part of it:

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

        Of a lazy frame (Polars, DuckDB, Ibis, Dask or PySpark) only cells leave the engine: its
        objects are counted and added up in the cells of a lattice along their principal axes, and
        prototypes are made from the cells as they would be from objects. That takes three scans,
        and up to five more where few cells are occupied; 131,072 cells at most are fetched.
        ``labels_`` are then those of the cells, and :meth:`predict` labels the objects.

        Parameters
        ----------
        X : array-like or frame of shape (n, R)
            The objects; distances between them if ``metric="precomputed"``.
        y : array-like of shape (n,) or (n, m), optional
            The given clustering, or several side by side. If ``X`` is a frame: the name of its
            column; of a lazy frame also a list of names.
        features : list of str, optional
            If ``X`` is a frame: the columns that describe the objects; all but ``y`` by default.
        """
        self._check()
        self._forget()
        cells: Cells | None = None
        if as_lazy(X) is not None:
            columns = name_columns(X, y, features)
            cells, known = read_cells(X, columns, self.prototypes)
            self._keep_cells(cells, columns.features)
            distances, n = read_distances(cells.means), int(cells.counts.sum())
        else:
            X, y = take_columns(X, y, features)
            distances = self._read(X)
            n = distances.n
            known = None if y is None else read_given(y, n)
        times = None if cells is None else cells.counts
        given = self._first(distances, times) if known is None else known
        count = resolve_n_clusters(self.n_clusters, given, n)
        found: list[tuple[Prototypes, Array]] = []

        def find(given: Given) -> tuple[Merges, Array]:
            if self.prototypes is None:
                return self._find(distances, given, count)
            merges, few, codes, labels = self._find_by_prototypes(distances, given, count, cells)
            found.append((few, codes))
            return merges, labels

        def quality(labels: Array) -> float:
            if cells is None:
                return dunn_score(distances, labels, between="average", within="average")
            few = found[-1][0]
            return few.dunn(labels[np.unique(few.of, return_index=True)[1]])

        self._merge_all(given, find, quality, times)
        if found:
            self._keep_prototypes(*found[0])
        return self

    def _check(self) -> None:
        super()._check()
        if self.prototypes is not None and self.metric != "euclidean":
            raise InputError("prototypes are means, so they need metric='euclidean'.")

    def _read(self, X: Any) -> Distances:
        if self.metric == "gower":
            self.n_features_in_ = len(read_features(X).names)
            return read_distances(X, "gower")
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        return read_distances(values, self.metric)

    def _first(self, distances: Distances, times: Array | None) -> Given:
        """A first clustering: k-means, or plain average linkage of objects without vectors."""
        count = resolve_first_n_clusters(self.n_clusters, distances.n)
        if distances.vectors is not None:
            model = KMeans(count, n_init=10, random_state=self.random_state)
            labels = model.fit(distances.vectors, sample_weight=times).labels_
            return read_given(labels, distances.n)
        free = np.zeros((distances.n, 1), np.uint64)
        merges = agglomerate(distances.as_table(self.dtype), free, 0.0, progress=self.progress)
        return read_given(merges.cut(count), distances.n)

    def _find(self, distances: Distances, given: Given, count: int) -> tuple[Merges, Array]:
        table = distances.as_table(self.dtype)
        merges = agglomerate(table, given.masks(), self.omega, progress=self.progress)
        return merges, cut(merges, count, self.min_cluster_size, join_nearest(distances))

    def _find_by_prototypes(
        self, distances: Distances, given: Given, count: int, cells: Cells | None
    ) -> tuple[Merges, Prototypes, Array, Array]:
        """The merges of prototypes, these, their clusters, and those of all objects (or cells)."""
        assert distances.vectors is not None
        assert self.prototypes is not None
        weighing = () if cells is None else (cells.counts, cells.spreads)
        few = make_prototypes(
            distances.vectors, given, self.prototypes, self.random_state, self.progress, *weighing
        )
        merges = agglomerate(
            few.sums(self.dtype), few.given.masks(), self.omega, weights=few.weights,
            progress=self.progress,
        )  # fmt: skip
        join = join_nearest(distances.at(few.centres), few.weights)
        codes = cut(merges, count, self.min_cluster_size, join, few.weights)
        of = few.of
        if cells is not None:  # whose objects will be labelled by predict
            of = nearest_prototypes(few.centres, cells.means)
        labels = relabel_by_appearance(np.concatenate([codes[of], codes]))
        return merges, few, labels[of.size :], labels[: of.size]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = self.metric == "gower"
        return tags
