"""The overlap of two clusterings, hard or soft: what transport measures need."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Matched,
    Noise,
    Pair,
    read_any_pair,
)
from clusterwise.inputs.encoding import Array, read_only, union_of_names
from clusterwise.inputs.features import read_vectors
from clusterwise.summaries.contingency.cells import Cells, DenseCells, OwnPairs
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.contingency.entropies import Entropies, entropies
from clusterwise.summaries.contingency.matching import Matching, best_matching
from clusterwise.summaries.contingency.text import table_grid
from clusterwise.summaries.overlap.centroid_sums import CentreSums
from clusterwise.summaries.overlap.membership_sums import AnyClustering, Shares, sum_shares
from clusterwise.summaries.overlap.merging import among, merge, select


class SoftOverlap(TableRepr):
    r"""How much the clusters of two clusterings overlap, each object counting by its shares.

    For memberships :math:`p_{ik}` and :math:`q_{ij}` it keeps the products
    :math:`\sum_i p_{ik} q_{ij}`, the differences :math:`\sum_i |p_{ik} - q_{ij}|^p` and
    the clusters' masses, and with the objects' vectors the clusters' centres. It is made in
    one pass, and it adds up: the sum of two is the overlap of all the objects, with clusters
    merged by name. Measures of soft clusterings take it in place of both.

    Either side may be labels, which are counted and never spread out into a matrix, or a
    sparse matrix, of which only the shares that are not zero are looked at.

    Examples
    --------
    Three objects, of which one is in two minds:

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
        self,
        shares: Shares,
        row_names: Array,
        column_names: Array,
        n: int | float,
        *,
        exponent: float = 1.0,
        matched: Matched | None = None,
        library: str | None = None,
    ) -> None:
        self._shares = shares
        self.row_names = row_names
        self.column_names = column_names
        self.n = n
        self.exponent = exponent
        self.matched = matched
        self.library = library

    @classmethod
    def from_memberships(
        cls, a: Any, b: Any, X: Any = None, *, p: float = 1.0, **label_options: Unpack[LabelOptions]
    ) -> "SoftOverlap":
        """Sum over the objects of two clusterings.

        Parameters
        ----------
        a, b : array-like of shape (n, K) and (n, J), or (n,)
            Memberships of the same objects, rows summing to 1, dense or sparse; or labels.
        X : array-like or frame of shape (n, R), optional
            The objects' vectors, for the clusters' centres.
        p : float, default=1.0
            The exponent of the differences, at least 1.
        **label_options
            ``sample_weight``, ``noise``, ``noise_label``, ``align`` and ``missing``, as in every
            measure.
        """
        return cls.from_pair(read_any_pair(a, b, **label_options), X, p=p)

    @classmethod
    def from_pair(
        cls, pair: Pair[AnyClustering], X: Any = None, *, p: float = 1.0
    ) -> "SoftOverlap":
        """The same of two clusterings that are lined up already."""
        check_exponent(p)
        vectors = None if X is None else _vectors_of(pair, X)
        shares = sum_shares(pair, vectors, p)
        names = (_every_name(pair.a), _every_name(pair.b))
        found = cls.from_shares(shares, *names, _weight(pair, shares), p=p)
        found.matched, found.library = pair.matched, pair.a.library or pair.b.library
        return found

    @classmethod
    def from_shares(
        cls, shares: Shares, row_names: Array, column_names: Array, n: int | float, *, p: float
    ) -> "SoftOverlap":
        """Sums that were made, without the clusters that nothing has a share in."""
        rows, columns = np.flatnonzero(shares.masses_a), np.flatnonzero(shares.masses_b)
        some = select(shares, rows, columns)
        return cls(some, row_names[rows], column_names[columns], n, exponent=float(p))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        a: str | Sequence[str],
        b: str | Sequence[str],
        features: Sequence[str] | None = None,
        *,
        p: float = 1.0,
        weights: str | None = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
    ) -> "SoftOverlap":
        """Sum over two clusterings in a frame, where the frame is: one scan by its engine.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy one nothing but the sums leave the engine.
        a, b : str or list of str
            A column of labels, or the columns of memberships, one for each cluster, which
            sum to 1 in each row.
        features : list of str, optional
            The columns with the objects' vectors, for the clusters' centres, which take
            another scan.
        p : float, default=1.0
            The exponent of the differences, at least 1.
        weights : str, optional
            A column that says how many objects each row stands for.
        noise : {"cluster", "drop"}, default="cluster"
            What becomes of objects labelled ``noise_label``.
        noise_label : default=-1
            The label that means noise.

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
        from clusterwise.summaries.frames.overlaps import overlap_frame

        return overlap_frame(frame, a, b, features, check_exponent(p), weights, noise, noise_label)

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Sequence[Any]],
        *,
        p: float = 1.0,
        **label_options: Unpack[LabelOptions],
    ) -> "SoftOverlap":
        """Add up ``(a, b)``, ``(a, b, X)`` or ``(a, b, X, sample_weight)`` chunks."""
        total = None
        for chunk in chunks:
            options = label_options
            if len(chunk) == 4:
                options = {**label_options, "sample_weight": chunk[3]}
            found = cls.from_memberships(*chunk[:3], p=p, **options)
            total = found if total is None else total + found
        return cls.from_memberships([], [], p=p) if total is None else total

    @property
    def shape(self) -> tuple[int, int]:
        """Number of clusters in a and in b."""
        return self._shares.cells.shape

    @property
    def cells(self) -> Cells:
        """The products, dense, or without empty cells for labels of many clusters."""
        return self._shares.cells

    @property
    def row_sums(self) -> Array:
        """Masses of a's clusters."""
        return self._shares.masses_a

    @property
    def column_sums(self) -> Array:
        """Masses of b's clusters."""
        return self._shares.masses_b

    @property
    def own_pairs(self) -> OwnPairs:
        """How often objects agree with themselves."""
        return OwnPairs(*self._shares.own.tolist())

    @property
    def centres(self) -> CentreSums | None:
        """Sums of the clusters' vectors, if ``X`` was given."""
        return self._shares.centres

    @cached_property
    def products(self) -> Array:
        """Σ p q of every pair of clusters, K × J."""
        return self.cells.dense().astype(np.float64)

    @property
    def explicit_differences(self) -> Array | None:
        """The differences where they do not follow from the products: both sides soft."""
        return self._shares.differences

    @cached_property
    def differences(self) -> Array:
        """Σ |p - q|^p of every pair of clusters, K × J."""
        if self._shares.differences is not None:
            return self._shares.differences
        return self.row_sums[:, None] + self.column_sums - 2 * self.products

    @cached_property
    def saved(self) -> Array:
        """How much nearer to each other clusters are than if no object had shares in both.

        Half of Σ p^p + Σ q^p - Σ |p - q|^p: of hard clusterings the objects that they share.
        """
        if self._shares.differences is None:
            return self.products
        apart = self._shares.powers_a[:, None] + self._shares.powers_b
        return np.maximum(0.0, (apart - self.differences) / 2)

    @property
    def shared(self) -> Array:
        """Σ min(p, q) of every pair of clusters, K × J (of the exponent 1)."""
        if self._shares.differences is not None and self.exponent != 1:
            raise InputError("what clusters share follows from differences with p=1; use that.")
        return self.saved

    @property
    def is_hard(self) -> bool:
        """Whether every object has one cluster in both clusterings."""
        return self.own_pairs == (self.n, self.n, self.n)

    @cached_property
    def matching(self) -> Matching:
        """The one-to-one matching of clusters that share the most."""
        return best_matching(DenseCells(self.shared))

    @cached_property
    def entropies(self) -> Entropies:
        """Entropies of both clusterings and the information they share, in nats."""
        return entropies(self.cells)

    @property
    def is_one_to_one(self) -> bool:
        """Whether every cluster overlaps one of the other clustering alone, and back."""
        return self.shape[0] == self.shape[1] == self.cells.filled

    def __add__(self, other: "SoftOverlap") -> "SoftOverlap":
        if not isinstance(other, SoftOverlap):
            return NotImplemented
        return self._merged(other, 1)

    def __sub__(self, other: "SoftOverlap") -> "SoftOverlap":
        if not isinstance(other, SoftOverlap):
            return NotImplemented
        return self._merged(other, -1)

    def _merged(self, other: "SoftOverlap", sign: int) -> "SoftOverlap":
        if self.exponent != other.exponent:
            raise InputError(
                f"the overlaps have different exponents, {self.exponent:g} and {other.exponent:g}; "
                "use one."
            )
        if self.n and other.n and (self.centres is None) != (other.centres is None):
            raise InputError("one overlap has centres and the other has not; pass X to both.")
        rows = union_of_names(self.row_names, other.row_names)
        columns = union_of_names(self.column_names, other.column_names)
        places, size = (rows.positions(), columns.positions()), (rows.size, columns.size)
        cut = len(self.row_names), len(self.column_names)
        shares = merge(
            among(self._explicit(other), places[0][: cut[0]], places[1][: cut[1]], size),
            among(other._explicit(self), places[0][cut[0] :], places[1][cut[1] :], size),
            sign,
        )
        left = np.flatnonzero(shares.masses_a), np.flatnonzero(shares.masses_b)
        return SoftOverlap(
            select(shares, *left),
            rows.names_at(left[0]),
            columns.names_at(left[1]),
            self.n + sign * other.n,
            exponent=self.exponent,
            library=self.library,
        )

    def _explicit(self, other: "SoftOverlap") -> Shares:
        """The sums, with the differences spelt out if the other has to spell its own out."""
        if other.explicit_differences is None:
            return self._shares
        return self._shares._replace(differences=self.differences)

    def text_table(self) -> TextTable:
        """The corner of the products that fits a screen, as texts."""
        return table_grid(self, "SoftOverlap")


def check_exponent(p: float) -> float:
    """Refuse exponents that give no distance."""
    if not 1 <= p < np.inf:
        raise InputError(f"p={p!r} is no exponent of a distance; use 1 or more.")
    return p


def table_of(overlap: SoftOverlap) -> Contingency | SoftOverlap:
    """The contingency table that an overlap of hard clusterings holds, or the overlap itself."""
    if not overlap.is_hard:
        return overlap
    return Contingency(
        overlap.cells,
        overlap.row_names,
        overlap.column_names,
        matched=overlap.matched,
        library=overlap.library,
    )


def _vectors_of(pair: Pair[AnyClustering], X: Any) -> Array:
    vectors = read_vectors(X)
    if len(vectors) != pair.n:
        raise InputError(
            f"X has {len(vectors)} rows for {pair.n} objects; pass one row per object."
        )
    return vectors if pair.kept is None else read_only(vectors[pair.kept])


def _weight(pair: Pair[AnyClustering], shares: Shares) -> int | float:
    """The number of objects, or their total weight."""
    if isinstance(pair.a, Clustering) and isinstance(pair.b, Clustering):
        return shares.cells.total
    return len(pair.a) if pair.weights is None else pair.weights.sum().item()


def _every_name(one: AnyClustering) -> Array:
    if isinstance(one, Clustering):
        codes = one.codes.exact()
        return codes.names_at(np.arange(codes.size))
    return one.memberships.names
