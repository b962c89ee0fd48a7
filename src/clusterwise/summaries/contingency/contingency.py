"""The contingency table of two clusterings."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.sums import Summable
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import (
    Align,
    Clustering,
    IndexMatch,
    Missing,
    Noise,
    Pair,
    as_counts,
    read_pair,
)
from clusterwise.inputs.encoding import (
    Array,
    Codes,
    as_names,
    encode_objects,
    is_missing,
    read_only,
    refuse_lazy,
    refuse_masked,
    to_array,
    union_of_names,
)
from clusterwise.summaries.chunks import read_chunks
from clusterwise.summaries.contingency.assignment import Matching, best_matching
from clusterwise.summaries.contingency.cells import (
    Cells,
    Nonzero,
    SelfPairs,
    SparseCells,
    cells_text_table,
    drop_rounding_errors,
)
from clusterwise.summaries.contingency.entropies import Entropies, entropies, expected_information
from clusterwise.summaries.contingency.tabulate import count_cells, drop_empty, tabulate
from clusterwise.summaries.frames.distinct_rows import read_frame_pair

# Kinds of dtypes that hold counts.
_NUMBERS = "iufb"
_NOT_COUNTS = "table must hold finite numbers; pass the counts of a contingency table."


@check_arguments
class Contingency(Summable, TableRepr):
    r"""Contingency table: the number of objects in cluster k of a and cluster j of b.

    Measures of two clusterings follow from this table. It is computed in one pass. Tables of
    disjoint sets of objects can be added and subtracted; clusters are merged by name. Every
    measure that takes labels takes a table in place of both clusterings.

    With many clusters only nonzero cells are stored, so that memory is proportional to the
    number of objects, not to K × J.

    Examples
    --------
    Count two clusterings of five objects:

    >>> import clusterwise as cw
    >>> table = cw.Contingency.from_labels(["x", "x", "y", "y", "y"], [1, 1, 1, 2, 2])
    >>> table
    Contingency: 5 objects, 2 x 2 clusters
       1  2
    x  2  0
    y  1  2
    >>> cw.rand_score(table)
    0.6
    """

    def __init__(
        self,
        cells: Cells,
        row_names: Array,
        column_names: Array,
        *,
        matched: IndexMatch | None = None,
        library: str | None = None,
    ) -> None:
        self.cells = cells
        self.row_names = row_names
        self.column_names = column_names
        self.matched = matched
        self.library = library

    @classmethod
    def from_labels(
        cls,
        a: Any,
        b: Any,
        *,
        sample_weight: Any = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> "Contingency":
        """Count the objects of two clusterings.

        Parameters
        ----------
        a, b : array-like of shape (n,)
            Labels of the same objects, in the same order.
        sample_weight, noise, noise_label, align, missing
            As in every measure, see :func:`~clusterwise.rand_score`.
        """
        pair = read_pair(
            a,
            b,
            sample_weight=sample_weight,
            noise=noise,
            noise_label=noise_label,
            align=align,
            missing=missing,
        )
        return cls.from_pair(pair)

    @classmethod
    def from_pair(cls, pair: Pair[Clustering]) -> "Contingency":
        """Count the objects of two aligned clusterings."""
        return cls(
            *tabulate(pair.a.codes, pair.b.codes, pair.weights),
            matched=pair.matched,
            library=pair.a.library or pair.b.library,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        a: str,
        b: str,
        *,
        weights: str | None = None,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        missing: Missing = "error",
    ) -> "Contingency":
        """Count two columns of labels of a frame, by one group-by of its engine.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy frame only the table is collected.
        a, b : str
            The columns with the labels.
        weights : str, optional
            The column with the weights of the objects.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            The treatment of objects labelled ``noise_label``, as in every measure.
        noise_label : default=-1
            The label of noise.
        missing : {"error", "drop", "label"}, default="error"
            The treatment of rows without a label, as in every measure.

        Examples
        --------
        >>> import polars as pl
        >>> from clusterwise import Contingency
        >>> frame = pl.LazyFrame({"last": ["x", "x", "y"], "this": [1, 2, 2]})
        >>> Contingency.from_frame(frame, "last", "this")
        Contingency: 3 objects, 2 x 2 clusters
           1  2
        x  1  1
        y  0  1
        """
        pair = read_frame_pair(
            frame, a, b, weights, noise=noise, noise_label=noise_label, missing=missing
        )
        return cls.from_pair(pair)

    @classmethod
    def from_table(
        cls,
        table: Any,
        row_names: Sequence[Any] | None = None,
        column_names: Sequence[Any] | None = None,
    ) -> "Contingency":
        """Return the table with these counts, an array or a SciPy sparse matrix.

        Empty clusters are left out.
        """
        if isinstance(table, cls):
            return table
        if hasattr(table, "tocoo"):
            _require_two_dimensions(table.shape)
            coo = table.tocoo()
            shape, rows, columns, counts = coo.shape, coo.row, coo.col, coo.data
        else:
            refuse_masked(table, "table")
            refuse_lazy(table, "table")
            dense = _as_array(table)
            _require_two_dimensions(dense.shape)
            shape, (rows, columns) = dense.shape, np.nonzero(dense)
            counts = dense[rows, columns]
        if counts.dtype.kind not in _NUMBERS or not np.isfinite(counts).all():
            raise InputError(_NOT_COUNTS)
        if counts.size and counts.min() < 0:
            raise InputError(
                f"table holds the negative count {counts.min()}; counts must be at least 0."
            )
        names = []
        for what, given, size in (("row", row_names, shape[0]), ("column", column_names, shape[1])):
            if given is not None and len(given) != size:
                raise InputError(
                    f"{len(given)} {what} names for {size} {what}s; pass one name per {what}."
                )
            names.append(np.arange(size) if given is None else _read_names(given, what))
        counts = as_counts(counts, "the table")
        return cls(
            *tabulate(
                Codes(read_only(rows), 0, shape[0], names[0]),
                Codes(read_only(columns), 0, shape[1], names[1]),
                read_only(counts),
            )
        )

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[Sequence[Any]],
        *,
        noise: Noise = "cluster",
        noise_label: Any = -1,
        align: Align | None = None,
        missing: Missing = "error",
    ) -> "Contingency":
        """Add up ``(a, b)`` or ``(a, b, sample_weight)`` chunks, one at a time."""
        table = cls.from_labels([], [])
        for a, b, weights in read_chunks(chunks, 2, 3, "(a, b) or (a, b, sample_weight)"):
            table = table + cls.from_labels(
                a, b, sample_weight=weights, noise=noise, noise_label=noise_label, align=align,
                missing=missing,
            )  # fmt: skip
        return table

    @property
    def shape(self) -> tuple[int, int]:
        """Number of clusters in a and in b."""
        return self.cells.shape

    @property
    def n(self) -> int | float:
        """Number of objects, or their total weight."""
        return self.cells.total

    @property
    def is_sparse(self) -> bool:
        """Whether only nonzero cells are stored."""
        return self.cells.is_sparse

    @property
    def row_sums(self) -> Array:
        """Sizes of a's clusters."""
        return self.cells.row_sums

    @property
    def column_sums(self) -> Array:
        """Sizes of b's clusters."""
        return self.cells.column_sums

    @property
    def self_pairs(self) -> SelfPairs:
        """Pairs of an object with itself, which pair counts leave out."""
        return SelfPairs(self.n, self.n, self.n)

    @property
    def nonzero(self) -> Nonzero:
        """Rows, columns and counts of the nonzero cells."""
        return self.cells.nonzero

    @cached_property
    def matching(self) -> Matching:
        """The one-to-one matching of clusters with the largest overlap."""
        return best_matching(self.cells)

    @cached_property
    def entropies(self) -> Entropies:
        """Entropies of both clusterings and their mutual information, in nats."""
        return entropies(self.cells)

    @cached_property
    def expected_information(self) -> float:
        """Expected mutual information of random clusterings with these cluster sizes."""
        return expected_information(self.cells)

    @property
    def is_one_to_one(self) -> bool:
        """Whether the clusterings are equal up to the labels of clusters."""
        return self.shape[0] == self.shape[1] == self.cells.filled

    @property
    def T(self) -> "Contingency":  # noqa: N802 (NumPy's name for it)
        """The transposed table, of (b, a)."""
        return Contingency(
            self.cells.transpose(), self.column_names, self.row_names, library=self.library
        )

    def to_array(self) -> Array:
        """Return the table as a K × J array, which may be large if ``is_sparse``."""
        return self.cells.dense()

    def to_sparse(self) -> Any:
        """Return the table as a SciPy CSR array."""
        from scipy.sparse import csr_array

        cells = self.nonzero
        return csr_array((cells.counts, (cells.rows, cells.columns)), shape=self.shape)

    def __add__(self, other: "Contingency") -> "Contingency":
        if not isinstance(other, Contingency):
            return NotImplemented
        rows, columns = self._union(other)
        counts = np.concatenate([self.nonzero.counts, other.nonzero.counts])
        return Contingency(*tabulate(rows, columns, read_only(counts)), library=self.library)

    def __sub__(self, other: "Contingency") -> "Contingency":
        if not isinstance(other, Contingency):
            return NotImplemented
        rows, columns = self._union(other)
        counts = np.concatenate([self.nonzero.counts, -other.nonzero.counts])
        cells = count_cells(rows, columns, read_only(counts))
        drop_rounding_errors(cells.counts, self.n, "table")
        if isinstance(cells, SparseCells):
            cells = cells.without_zeros()
        return Contingency(*drop_empty(cells, rows, columns), library=self.library)

    def _union(self, other: "Contingency") -> tuple[Codes, Codes]:
        """Return the rows and columns of both tables' cells, with common names."""
        ours, theirs = self.nonzero, other.nonzero
        return (
            _union_of_codes(self.row_names, other.row_names, ours.rows, theirs.rows),
            _union_of_codes(self.column_names, other.column_names, ours.columns, theirs.columns),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Contingency):
            return NotImplemented
        return (
            self.row_names.tolist() == other.row_names.tolist()
            and self.column_names.tolist() == other.column_names.tolist()
            and _cell_dict(self) == _cell_dict(other)
        )

    __hash__ = None  # type: ignore[assignment]

    def text_table(self) -> TextTable:
        """Return the first rows and columns of the table as text."""
        return cells_text_table(
            "Contingency", self.cells, self.row_names, self.column_names, self.n
        )

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Plot the table as a heat map in the order of the matching (needs the extra ``plots``)."""
        return load_display("ContingencyDisplay")(self, **options).plot(ax=ax)


def _as_array(table: Any) -> Array:
    """Return the array of a table that is not sparse."""
    ragged = "the rows of table have different lengths; pass one with as many columns in each row."
    dense = to_array(table, _NOT_COUNTS if hasattr(table, "columns") else ragged)
    if dense.dtype.kind not in _NUMBERS:
        raise InputError(_NOT_COUNTS)
    return dense


def _require_two_dimensions(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise InputError(f"table has {len(shape)} dimensions; pass one with 2.")


def _read_names(given: Sequence[Any], what: str) -> Array:
    """Return the names of the rows or columns; refuse missing and repeated ones."""
    names = list(given)
    for position, name in enumerate(names):
        if is_missing(name):
            raise InputError(
                f"{what}_names has no name at position {position}; pass a different name for each "
                f"{what}."
            )
    encode_objects(names, f"{what}_names")  # raises an error for those that are no labels
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(
            f"{what}_names has {twice!r} twice; pass a different name for each {what}."
        )
    return as_names(names)


def _union_of_codes(ours: Array, theirs: Array, our_codes: Array, their_codes: Array) -> Codes:
    if ours.dtype == theirs.dtype and np.array_equal(ours, theirs):
        values = np.concatenate([our_codes, their_codes])
        return Codes(read_only(values), 0, ours.size, ours)
    names = union_of_names(ours, theirs)
    index = names.positions()
    values = np.concatenate([index[: ours.size][our_codes], index[ours.size :][their_codes]])
    return Codes(read_only(values), 0, names.size, names.names)


def _cell_dict(table: Contingency) -> dict[tuple[int, int], float]:
    rows, columns, counts = (part.tolist() for part in table.nonzero)
    return dict(zip(zip(rows, columns, strict=True), counts, strict=True))
