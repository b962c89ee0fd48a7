"""The overlap of two clusterings, hard or soft."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.sums import Summable
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import (
    Align,
    IndexMatch,
    Missing,
    Noise,
    Pair,
    read_any_pair,
)
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.chunks import read_chunks
from clusterwise.summaries.contingency.assignment import Matching, best_matching
from clusterwise.summaries.contingency.cells import Cells, DenseCells, SelfPairs, cells_text_table
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.contingency.entropies import Entropies, entropies
from clusterwise.summaries.frames.overlap import read_eager_frame, sum_lazy_frame
from clusterwise.summaries.overlap.centroid_sums import CentroidSums
from clusterwise.summaries.overlap.membership_sums import AnyClustering, MembershipSums
from clusterwise.summaries.overlap.overlap_sums import OverlapSums


@check_arguments
class SoftOverlap(Summable, TableRepr):
    r"""Overlap of the clusters of two clusterings, hard or soft.

    For memberships :math:`p_{ik}` and :math:`q_{ij}` it has the products
    :math:`\sum_i p_{ik} q_{ij}`, the differences :math:`\sum_i |p_{ik} - q_{ij}|^p`, the sizes of
    the clusters, and sums of the objects' feature vectors if ``X`` is given. It is computed in one
    pass. Overlaps of disjoint sets of objects can be added and subtracted; clusters are merged
    by name. Measures of soft clusterings take an overlap in place of both clusterings.

    Either clustering may be given by labels, which are never expanded into a matrix, or by a
    sparse matrix, of which only nonzero memberships are read.

    Examples
    --------
    Three objects; the second belongs to both clusters of a by one half:

    >>> import clusterwise as cw
    >>> P = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    >>> overlap = cw.SoftOverlap.from_memberships(P, ["x", "x", "y"])
    >>> overlap
    SoftOverlap: 3 objects, 2 x 2 clusters
         x  y
    0  1.5  0
    1  0.5  1
    >>> overlap.differences
    array([[0.5, 2.5],
           [2.5, 0.5]])
    """

    def __init__(
        self, sums: OverlapSums, *, matched: IndexMatch | None = None, library: str | None = None
    ) -> None:
        self._named = sums
        self.matched = matched
        self.library = library

    @classmethod
    def from_memberships(
        cls,
        a: Any,
        b: Any,
        X: Any = None,
        *,
        p: float = 1.0,
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> "SoftOverlap":
        """Sum over the objects of two clusterings.

        Parameters
        ----------
        a, b : array-like of shape (n, K) and (n, J), or (n,)
            Memberships of the same objects, rows summing to 1, dense or sparse; or labels.
        X : array-like or frame of shape (n, R), optional
            The objects' feature vectors, for the centroids of the clusters.
        p : float, default=1.0
            The exponent of the differences, at least 1.
        sample_weight, noise, noise_label, align, missing
            As in every measure, see :func:`~clusterwise.rand_score`.
        """
        pair = read_any_pair(
            a,
            b,
            sample_weight=sample_weight,
            noise=noise,
            noise_label=noise_label,
            align=align,
            missing=missing,
        )
        return cls.from_pair(pair, X, p=p)

    @classmethod
    def from_pair(
        cls, pair: Pair[AnyClustering], X: Any = None, *, p: float = 1.0
    ) -> "SoftOverlap":
        """Sum over the objects of two aligned clusterings."""
        library = pair.a.library or pair.b.library
        return cls(OverlapSums.from_pair(pair, X, p=p), matched=pair.matched, library=library)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        a: str | Sequence[str],
        b: str | Sequence[str],
        *,
        features: Sequence[str] | None = None,
        p: float = 1.0,
        weights: str | None = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
    ) -> "SoftOverlap":
        """Sum over two clusterings in a frame, in one scan by its engine.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy frame only the sums are collected.
        a, b : str or list of str
            A column of labels, or the columns of memberships, one for each cluster, which
            sum to 1 in each row.
        features : list of str, optional
            The columns with the objects' feature vectors, for the centroids of the clusters,
            which take another scan.
        p : float, default=1.0
            The exponent of the differences, at least 1.
        weights : str, optional
            The column with the weights of the objects.
        noise : {"cluster", "drop"}, default="cluster"
            Treat objects labelled ``noise_label`` as one cluster, or drop them.
        noise_label : default=-1
            The label of noise.

        Examples
        --------
        >>> import polars as pl
        >>> from clusterwise import SoftOverlap
        >>> frame = pl.LazyFrame({"p": [1.0, 0.5, 0.0], "q": [0.0, 0.5, 1.0], "b": list("xxy")})
        >>> SoftOverlap.from_frame(frame, ["p", "q"], "b")
        SoftOverlap: 3 objects, 2 x 2 clusters
             x  y
        p  1.5  0
        q  0.5  1
        """
        in_memory = read_eager_frame(frame, a, b, features, weights, noise, noise_label)
        if in_memory is not None:
            return cls.from_pair(*in_memory, p=p)
        return cls(sum_lazy_frame(frame, a, b, features, p, weights, noise, noise_label))

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Sequence[Any]],
        *,
        p: float = 1.0,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> "SoftOverlap":
        """Add up ``(a, b)``, ``(a, b, X)`` or ``(a, b, X, sample_weight)`` chunks."""
        total = None
        for a, b, X, weights in read_chunks(
            chunks, 2, 4, "(a, b), (a, b, X) or (a, b, X, sample_weight)"
        ):
            found = cls.from_memberships(
                a, b, X, p=p, sample_weight=weights, noise=noise, noise_label=noise_label,
                align=align, missing=missing,
            )  # fmt: skip
            total = found if total is None else total + found
        return cls.from_memberships([], [], p=p) if total is None else total

    @property
    def _sums(self) -> MembershipSums:
        return self._named.sums

    @property
    def row_names(self) -> Array:
        """Labels of a's clusters."""
        return self._named.row_names

    @property
    def column_names(self) -> Array:
        """Labels of b's clusters."""
        return self._named.column_names

    def rename(self, row_names: Array, column_names: Array) -> "SoftOverlap":
        """Return the overlap with other labels of the clusters."""
        named = self._named._replace(row_names=row_names, column_names=column_names)
        return SoftOverlap(named, matched=self.matched, library=self.library)

    @property
    def n(self) -> int | float:
        """Number of objects, or their total weight."""
        return self._named.n

    @property
    def exponent(self) -> float:
        """The exponent of the differences."""
        return self._named.exponent

    @property
    def shape(self) -> tuple[int, int]:
        """Number of clusters in a and in b."""
        return self._sums.cells.shape

    @property
    def cells(self) -> Cells:
        """The products: dense, or sparse for labels of many clusters."""
        return self._sums.cells

    @property
    def row_sums(self) -> Array:
        """Sizes of a's clusters: the sums of their memberships."""
        return self._sums.sizes_a

    @property
    def column_sums(self) -> Array:
        """Sizes of b's clusters: the sums of their memberships."""
        return self._sums.sizes_b

    @property
    def self_pairs(self) -> SelfPairs:
        """Expected pairs of an object with itself, which pair counts leave out."""
        return SelfPairs(*self._sums.self_products.tolist())

    @property
    def centroid_sums(self) -> CentroidSums | None:
        """Sums of the feature vectors of every cluster, if ``X`` was given."""
        return self._sums.centroids

    @cached_property
    def products(self) -> Array:
        """Σ p q of every pair of clusters, K × J."""
        return self.cells.dense().astype(np.float64)

    @property
    def explicit_differences(self) -> Array | None:
        """The differences, if they do not follow from the products (both clusterings soft)."""
        return self._sums.differences

    @cached_property
    def differences(self) -> Array:
        """Σ |p - q|^p of every pair of clusters, K × J."""
        return self._named.differences

    @cached_property
    def gains(self) -> Array:
        """Half of Σ p^p + Σ q^p - Σ |p - q|^p of every pair of clusters, K × J.

        For hard clusterings this is the number of common objects.
        """
        if self._sums.differences is None:
            return self.products
        bound = self._sums.powers_a[:, None] + self._sums.powers_b
        return np.maximum(0.0, (bound - self.differences) / 2)

    @property
    def minima(self) -> Array:
        """Σ min(p, q) of every pair of clusters, K × J (for the exponent 1)."""
        if self._sums.differences is not None and self.exponent != 1:
            raise InputError("sums of minima follow from differences with p=1; use p=1.")
        return self.gains

    @property
    def is_hard(self) -> bool:
        """Whether every object belongs to one cluster in both clusterings."""
        return self.self_pairs == (self.n, self.n, self.n)

    @cached_property
    def matching(self) -> Matching:
        """The one-to-one matching of clusters with the largest Σ min(p, q)."""
        return best_matching(DenseCells(self.minima))

    @cached_property
    def entropies(self) -> Entropies:
        """Entropies of both clusterings and their mutual information, in nats."""
        return entropies(self.cells)

    @property
    def is_one_to_one(self) -> bool:
        """Whether every cluster overlaps exactly one cluster of the other clustering."""
        return self.shape[0] == self.shape[1] == self.cells.filled

    def __add__(self, other: "SoftOverlap") -> "SoftOverlap":
        if not isinstance(other, SoftOverlap):
            return NotImplemented
        return SoftOverlap(self._named.combine(other._named, 1), library=self.library)

    def __sub__(self, other: "SoftOverlap") -> "SoftOverlap":
        if not isinstance(other, SoftOverlap):
            return NotImplemented
        return SoftOverlap(self._named.combine(other._named, -1), library=self.library)

    def text_table(self) -> TextTable:
        """Return the first rows and columns of the products as text."""
        return cells_text_table(
            "SoftOverlap", self.cells, self.row_names, self.column_names, self.n
        )


def table_of(overlap: SoftOverlap) -> Contingency | SoftOverlap:
    """Return the contingency table of an overlap of hard clusterings, or the overlap itself."""
    if not overlap.is_hard:
        return overlap
    return Contingency(
        overlap.cells,
        overlap.row_names,
        overlap.column_names,
        matched=overlap.matched,
        library=overlap.library,
    )
