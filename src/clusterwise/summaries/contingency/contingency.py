"""The contingency table of two clusterings, which every membership measure needs."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Matched,
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
    read_only,
    union_of_names,
)
from clusterwise.summaries.contingency.cells import Cells, Nonzero, OwnPairs, SparseCells
from clusterwise.summaries.contingency.entropies import Entropies, entropies, expected_information
from clusterwise.summaries.contingency.matching import Matching, best_matching
from clusterwise.summaries.contingency.tabulate import count_cells, named, tabulate
from clusterwise.summaries.contingency.text import table_grid


class Contingency(TableRepr):
    r"""How many objects are in cluster k of one clustering and j of the other.

    All that membership measures need to know of two clusterings. It is made
    in one pass, and it adds up: ``Contingency.from_labels(a1, b1) +
    Contingency.from_labels(a2, b2)`` is the table of all the objects, with
    clusters merged by name. Every measure that takes labels takes a ready table
    in their place.

    With many clusters only the cells that are not empty are kept, so
    that memory is proportional to the number of objects, not to K × J.

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
        matched: Matched | None = None,
        library: str | None = None,
    ) -> None:
        self.cells = cells
        self.row_names = row_names
        self.column_names = column_names
        self.matched = matched
        self.library = library

    @classmethod
    def from_labels(cls, a: Any, b: Any, **label_options: Unpack[LabelOptions]) -> "Contingency":
        """Count two clusterings of the same objects.

        Parameters
        ----------
        a, b : array-like of shape (n,)
            Labels of the same objects, in the same order.
        **label_options
            ``sample_weight``, ``noise``, ``noise_label`` and ``align``, as in
            every measure.
        """
        return cls.from_pair(read_pair(a, b, **label_options))

    @classmethod
    def from_pair(cls, pair: Pair[Clustering]) -> "Contingency":
        """Count two clusterings that are lined up already."""
        return cls(
            *tabulate(pair.a.codes, pair.b.codes, pair.weights),
            matched=pair.matched,
            library=pair.a.library or pair.b.library,
        )

    @classmethod
    def from_frame(
        cls, frame: Any, a: str, b: str, *, weights: str | None = None, noise: Noise = "cluster",
        noise_label: Any = -1, missing: Missing = "error",
    ) -> "Contingency":  # fmt: skip
        """Count two columns of a frame, where the frame is: one group-by of its engine.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy one nothing but the table leaves the engine.
        a, b : str
            The columns with the labels.
        weights : str, optional
            A column that says how many objects each row stands for.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            What becomes of objects labelled ``noise_label``, as in every measure.
        noise_label : default=-1
            The label that means noise.
        missing : {"error", "drop", "label"}, default="error"
            What becomes of rows without a label, as in every measure.

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
        from clusterwise.summaries.frames.labels import count_pairs

        return count_pairs(
            frame, a, b, weights, noise=noise, noise_label=noise_label, missing=missing
        )

    @classmethod
    def from_table(
        cls,
        table: Any,
        row_names: Sequence[Any] | None = None,
        column_names: Sequence[Any] | None = None,
    ) -> "Contingency":
        """Use counts that are there already: an array, or a SciPy sparse matrix.

        Clusters without objects are left out.
        """
        if isinstance(table, cls):
            return table
        if hasattr(table, "tocoo"):
            _require_two_dimensions(table.shape)
            coo = table.tocoo()
            shape, rows, columns, counts = coo.shape, coo.row, coo.col, coo.data
        else:
            dense = np.asarray(table)
            _require_two_dimensions(dense.shape)
            shape, (rows, columns) = dense.shape, np.nonzero(dense)
            counts = dense[rows, columns]
        if counts.dtype.kind not in "iufb" or not np.isfinite(counts).all():
            raise InputError("a table holds counts; this one holds something else.")
        if counts.size and counts.min() < 0:
            raise InputError(f"a table cannot hold negative counts; this one holds {counts.min()}.")
        names = []
        for what, given, size in (("row", row_names, shape[0]), ("column", column_names, shape[1])):
            if given is not None and len(given) != size:
                raise InputError(f"{len(given)} {what} names for {size} {what}s; pass as many.")
            names.append(np.arange(size) if given is None else as_names(list(given)))
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
        cls, chunks: Iterable[Sequence[Any]], **label_options: Unpack[LabelOptions]
    ) -> "Contingency":
        """Add up ``(a, b)`` or ``(a, b, sample_weight)`` chunks, one at a time."""
        table = cls.from_labels([], [])
        for chunk in chunks:
            options = label_options
            if len(chunk) == 3:
                options = {**label_options, "sample_weight": chunk[2]}
            table = table + cls.from_labels(chunk[0], chunk[1], **options)
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
        """Whether only the cells that are not empty are kept."""
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
    def own_pairs(self) -> OwnPairs:
        """How often objects agree with themselves: always."""
        return OwnPairs(self.n, self.n, self.n)

    @property
    def nonzero(self) -> Nonzero:
        """Rows, columns and counts of the cells that are not empty."""
        return self.cells.nonzero

    @cached_property
    def matching(self) -> Matching:
        """The one-to-one matching of clusters with the largest overlap."""
        return best_matching(self.cells)

    @cached_property
    def entropies(self) -> Entropies:
        """Entropies of both clusterings and the information they share, in nats."""
        return entropies(self.cells)

    @cached_property
    def expected_information(self) -> float:
        """Mean mutual information of random clusterings with these cluster sizes."""
        return expected_information(self.cells)

    @property
    def is_one_to_one(self) -> bool:
        """Whether both clusterings are the same but for the names of clusters."""
        return self.shape[0] == self.shape[1] == self.cells.filled

    @property
    def T(self) -> "Contingency":  # noqa: N802 (NumPy's name for it)
        """The table of (b, a)."""
        return Contingency(
            self.cells.transpose(), self.column_names, self.row_names, library=self.library
        )

    def to_array(self) -> Array:
        """The table as a K × J array (which may be large: see ``is_sparse``)."""
        return self.cells.dense()

    def to_sparse(self) -> Any:
        """The table as a SciPy CSR array."""
        from scipy.sparse import csr_array

        cells = self.nonzero
        return csr_array((cells.counts, (cells.rows, cells.columns)), shape=self.shape)

    def __add__(self, other: "Contingency") -> "Contingency":
        if not isinstance(other, Contingency):
            return NotImplemented
        rows, columns = self._united(other)
        counts = np.concatenate([self.nonzero.counts, other.nonzero.counts])
        return Contingency(*tabulate(rows, columns, read_only(counts)), library=self.library)

    def __sub__(self, other: "Contingency") -> "Contingency":
        if not isinstance(other, Contingency):
            return NotImplemented
        rows, columns = self._united(other)
        counts = np.concatenate([self.nonzero.counts, -other.nonzero.counts])
        cells = count_cells(rows, columns, read_only(counts))
        if cells.weighted:  # what rounding leaves behind is nothing
            cells.counts[np.abs(cells.counts) <= 1e-12 * self.n] = 0
        if cells.counts.size and cells.counts.min() < 0:
            raise InputError("the table to take away holds objects that this table does not.")
        if isinstance(cells, SparseCells):
            cells = cells.without_zeros()
        return Contingency(*named(cells, rows, columns), library=self.library)

    def _united(self, other: "Contingency") -> tuple[Codes, Codes]:
        """Both tables' cells, as codes under one list of names for each side."""
        ours, theirs = self.nonzero, other.nonzero
        return (
            _union(self.row_names, other.row_names, ours.rows, theirs.rows),
            _union(self.column_names, other.column_names, ours.columns, theirs.columns),
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
        """The corner of the table that fits a screen, as texts."""
        return table_grid(self, "Contingency")

    def plot(self, *, ax: Any = None, **options: Any) -> Any:
        """Draw the table as a heat map in the order of the matching (the extra ``plots``)."""
        return load_display("ContingencyDisplay")(self, **options).plot(ax=ax)


def _require_two_dimensions(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise InputError(f"a table has 2 dimensions, but this has {len(shape)}.")


def _union(ours: Array, theirs: Array, our_codes: Array, their_codes: Array) -> Codes:
    if ours.dtype == theirs.dtype and np.array_equal(ours, theirs):
        values = np.concatenate([our_codes, their_codes])
        return Codes(read_only(values), 0, ours.size, ours)
    names = union_of_names(ours, theirs)
    place = names.positions()
    values = np.concatenate([place[: ours.size][our_codes], place[ours.size :][their_codes]])
    return Codes(read_only(values), 0, names.size, names.names)


def _cell_dict(table: Contingency) -> dict[tuple[int, int], float]:
    rows, columns, counts = (part.tolist() for part in table.nonzero)
    return dict(zip(zip(rows, columns, strict=True), counts, strict=True))
