"""Contingency table of a clustering and all clusterings of an ensemble."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.sums import Summable
from clusterwise._utils.tables import TableRepr, TextTable, format_count, format_objects
from clusterwise.inputs.clusterings import as_hard_clustering, as_weights
from clusterwise.inputs.encoding import Array, as_names, is_missing, union_of_names
from clusterwise.inputs.ensembles import Ensemble, read_ensemble
from clusterwise.inputs.features import used_categories
from clusterwise.summaries.ensemble.packed import PackedEnsemble, Route, count_raw, count_shared
from clusterwise.summaries.frames.distinct_rows import read_frame_ensemble

_SHOWN = 12
# Sums of weights may differ by this proportion.
_ROUNDING = 1e-9


@check_arguments
class EnsembleTable(Summable, TableRepr):
    r"""Counts of the objects in each cluster of a clustering and each cluster of an ensemble.

    The objective of a consensus follows from this table. It is computed in one pass, by bit
    counting or by counting labels, whichever is faster. Tables of disjoint sets of objects can be
    added; clusters are merged by name. Moving an object, merging and splitting clusters change
    one or two rows.

    Attributes
    ----------
    counts : ndarray of shape (K, C)
        The common objects; columns are the clusters of the first clustering, then of the second,
        and so on.
    sizes : ndarray of shape (K,)
        The sizes of the clusters, including objects whose labels in the ensemble are missing.
    row_names : ndarray of shape (K,)
        The labels of the clusters.
    owners : ndarray of shape (C,)
        The index of the clustering of each column.
    column_names : tuple of m ndarrays
        The labels of the clusters of each clustering.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise import EnsembleTable
    >>> ensemble = np.array([[0, 0], [0, 1], [1, 1]])
    >>> table = EnsembleTable.from_labels(["x", "x", "y"], ensemble)
    >>> table
    EnsembleTable: 3 objects, 2 clusters, 2 clusterings
       objects  0:0  0:1  1:0  1:1
    x        2    2    0    1    1
    y        1    0    1    0    1
    """

    def __init__(
        self,
        counts: Array,
        sizes: Array,
        row_names: Array,
        column_names: tuple[Array, ...],
    ) -> None:
        self.counts = counts
        self.sizes = sizes
        self.row_names = row_names
        self.column_names = column_names
        self.owners = np.repeat(np.arange(len(column_names)), [one.size for one in column_names])

    @classmethod
    def from_labels(
        cls,
        labels: Any,
        ensemble: Any,
        *,
        sample_weight: Any = None,
        route: Route | None = None,
    ) -> "EnsembleTable":
        """Count a clustering against an ensemble.

        Parameters
        ----------
        labels : array-like of shape (n,)
            The clustering.
        ensemble : array-like of shape (n, m), frame, list or dict of label arrays, PackedEnsemble
            The clusterings; labels may be missing in them.
        sample_weight : array-like of shape (n,), optional
            Weights of the objects.
        route : {"bits", "labels"}, optional
            The counting algorithm; by default the faster one. Both give the same counts.
        """
        codes = as_hard_clustering(labels).codes.exact()
        positions = codes.positions()
        weights = None if sample_weight is None else as_weights(sample_weight)
        raw = (
            isinstance(ensemble, np.ndarray)
            and not isinstance(ensemble, np.ma.MaskedArray)
            and ensemble.ndim == 2
            and ensemble.flags.c_contiguous
        )
        if raw and ensemble.dtype.kind in "iu" and weights is None and route is None:
            _require_same(positions, len(ensemble))
            found = count_raw(positions, codes.size, ensemble) if ensemble.size else None
            if found is not None:
                counts, owners, values = found
                cuts = np.searchsorted(owners, np.arange(1, ensemble.shape[1]))
                sizes = np.bincount(positions, minlength=codes.size)
                names = codes.all_names()
                return cls(counts, sizes, names, tuple(np.split(values, cuts)))._without_empty()
        read = ensemble if isinstance(ensemble, PackedEnsemble) else read_ensemble(ensemble)
        plain = read.ensemble if isinstance(read, PackedEnsemble) else read
        _require_same(positions, plain.n)
        if weights is not None and weights.shape != positions.shape:
            raise InputError(
                f"sample_weight has shape {weights.shape} for {plain.n} objects; pass one per "
                "object."
            )
        counts, sizes = count_shared(positions, codes.size, read, weights, route)
        names = codes.all_names()
        return cls(counts, sizes, names, _values(plain))._without_empty()

    @classmethod
    def from_frame(
        cls, frame: Any, labels: str, ensemble: Sequence[str], *, weights: str | None = None
    ) -> "EnsembleTable":
        """Count a column of labels against the columns of an ensemble, in the frame's engine.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy. Of a lazy frame only distinct rows and their counts are collected, or
            with very many of them the table of each clustering.
        labels : str
            The column with the clustering; no label may be missing.
        ensemble : list of str
            The columns with the clusterings; labels may be missing in them.
        weights : str, optional
            The column with the weights of the objects.

        Examples
        --------
        >>> import polars as pl
        >>> from clusterwise import EnsembleTable
        >>> frame = pl.LazyFrame({"ours": ["x", "x", "y"], "one": [0, 0, 1], "two": [0, 1, 1]})
        >>> EnsembleTable.from_frame(frame, "ours", ["one", "two"]).counts
        array([[2, 0, 1, 1],
               [0, 1, 0, 1]])
        """
        tables = [
            cls.from_labels(one.labels, one.ensemble, sample_weight=one.weights)
            for one in read_frame_ensemble(frame, labels, ensemble, weights)
        ]
        if len(tables) == 1:
            return tables[0]
        counts = np.hstack([table.counts for table in tables])
        names = tuple(table.column_names[0] for table in tables)
        return cls(counts, tables[0].sizes, tables[0].row_names, names)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of clusters of the clustering and of the ensemble."""
        return self.counts.shape[0], self.counts.shape[1]

    @property
    def m(self) -> int:
        """The number of clusterings in the ensemble."""
        return len(self.column_names)

    @property
    def n(self) -> Any:
        """The number of objects, or their total weight."""
        return self.sizes.sum().item()

    def move(self, source: int, target: int, columns: Array, *, weight: Any = 1) -> None:
        """Move an object in place; ``columns`` are its clusters in the ensemble.

        Parameters
        ----------
        source, target : int
            Indices of the clusters, from 0.
        columns : ndarray of int
            At most one column of each clustering.
        weight : number, default=1
            The weight of the object.
        """
        self._require_clusters(source, target)
        columns = np.asarray(columns if np.size(columns) else np.empty(0, np.int64))
        if (
            columns.dtype.kind not in "iu"
            or columns.ndim != 1
            or (columns.size and not 0 <= columns.min() <= columns.max() < self.shape[1])
        ):
            raise InputError(
                f"columns must be a list of integers from 0 to {self.shape[1] - 1}, one for each "
                "clustering that has a label of the object."
            )
        if np.unique(self.owners[columns]).size < columns.size:
            raise InputError(
                "columns has two clusters of one clustering, but an object is in one of them; "
                "pass at most one per clustering."
            )
        part = np.zeros(self.shape[1], np.asarray(weight).dtype)
        part[columns] = weight
        self._require_objects(source, part, weight)
        self.counts[source] -= part
        self.counts[target] += part
        self.sizes[source] -= weight
        self.sizes[target] += weight

    def merge(self, first: int, second: int) -> None:
        """Merge the second cluster into the first, in place; later clusters move up.

        Parameters
        ----------
        first, second : int
            Indices of two clusters, from 0.
        """
        self._require_clusters(first, second)
        if first == second:
            raise InputError(f"cluster {first} cannot be merged with itself; pass two clusters.")
        self.counts[first] += self.counts[second]
        self.sizes[first] += self.sizes[second]
        self.counts, self.sizes, self.row_names = (
            np.delete(part, second, axis=0) for part in (self.counts, self.sizes, self.row_names)
        )

    def split(self, cluster: int, part: Array, *, size: Any, name: Any) -> None:
        """Move objects of a cluster into a new last cluster, in place.

        Parameters
        ----------
        cluster : int
            The index of the cluster, from 0.
        part : ndarray of shape (C,)
            The counts of these objects in each cluster of the ensemble.
        size : number
            The number of these objects.
        name : object
            The label of the new cluster.
        """
        self._require_clusters(cluster)
        part = np.asarray(part)
        self._require_objects(cluster, part, size)
        names = self.row_names.tolist()
        if is_missing(name) or name in names:
            raise InputError(f"name={name!r} is not a new name; pass one that no cluster has.")
        self.counts[cluster] -= part
        self.sizes[cluster] -= size
        self.counts = np.vstack([self.counts, part.astype(self.counts.dtype)])
        self.sizes = np.append(self.sizes, size).astype(self.sizes.dtype)
        self.row_names = as_names([*names, name])

    def _require_clusters(self, *clusters: int) -> None:
        """Refuse indices of clusters that the table does not have."""
        for one in clusters:
            if not 0 <= one < self.shape[0]:
                raise InputError(
                    f"there is no cluster {one} in a table of {self.shape[0]}; pass an index from "
                    f"0 to {self.shape[0] - 1}."
                )

    def _require_objects(self, cluster: int, part: Array, size: Any) -> None:
        """Refuse counts of objects that a cluster does not have."""
        if part.shape != self.shape[1:] or np.ndim(size):
            raise InputError(
                f"the counts of the objects have shape {part.shape} and their number {size!r}; "
                f"pass {self.shape[1]} counts and one number."
            )
        counts = np.append(part, size)
        if counts.dtype.kind not in "iufb" or not np.isfinite(counts).all():
            raise InputError("the counts of the objects and their number must be finite numbers.")
        if self.counts.dtype.kind != "f" and (counts != np.trunc(counts)).any():
            raise InputError("the table counts objects without weights; pass whole numbers.")
        present = np.append(self.counts[cluster], self.sizes[cluster])
        rounding = _ROUNDING * self.sizes[cluster] if self.counts.dtype.kind == "f" else 0
        if counts.min() < 0 or (counts > present + rounding).any():
            raise InputError(
                f"cluster {cluster} does not have these objects; pass some of its own."
            )

    def __add__(self, other: "EnsembleTable") -> "EnsembleTable":
        if not isinstance(other, EnsembleTable):
            return NotImplemented
        if self.m != other.m:
            raise InputError(
                f"the tables have {self.m} and {other.m} clusterings; add tables of the same "
                "ensemble."
            )
        rows = used_categories(union_of_names(self.row_names, other.row_names))
        columns = [
            used_categories(union_of_names(ours, theirs))
            for ours, theirs in zip(self.column_names, other.column_names, strict=True)
        ]
        starts = np.cumsum([0, *(len(one.values) for one in columns)])
        counts = np.zeros((len(rows.values), starts[-1]), np.result_type(self.counts, other.counts))
        sizes = np.zeros(len(rows.values), counts.dtype)
        height = self.shape[0]
        ours = [
            one.codes[: mine.size] for one, mine in zip(columns, self.column_names, strict=True)
        ]
        theirs = [
            one.codes[mine.size :] for one, mine in zip(columns, self.column_names, strict=True)
        ]
        for table, here, parts in (
            (self, rows.codes[:height], ours),
            (other, rows.codes[height:], theirs),
        ):
            there = np.concatenate(
                [start + part for start, part in zip(starts, parts, strict=False)]
            )
            counts[np.ix_(here, there)] += table.counts
            sizes[here] += table.sizes
        names = tuple(as_names(one.values) for one in columns)
        return EnsembleTable(counts, sizes, as_names(rows.values), names)

    def text_table(self) -> TextTable:
        """Return the first rows and columns of the table as text."""
        height, width = self.shape
        columns = [
            f"{j}:{name}" for j, names in enumerate(self.column_names) for name in names.tolist()
        ]
        more = ["…"] if width > _SHOWN else []
        rows = [
            [str(name), f"{size:g}", *(f"{count:g}" for count in counts[:_SHOWN]), *more]
            for name, size, counts in zip(
                self.row_names[:_SHOWN].tolist(),
                self.sizes[:_SHOWN].tolist(),
                self.counts[:_SHOWN].tolist(),
                strict=True,
            )
        ]
        if height > _SHOWN:
            rows.append(["…"] * (2 + min(width, _SHOWN) + len(more)))
        what = f"{format_count(height, 'cluster')}, {format_count(self.m, 'clustering')}"
        header = ["", "objects", *columns[:_SHOWN], *more]
        return TextTable(header, rows, f"EnsembleTable: {format_objects(self.n)}, {what}")

    def _without_empty(self) -> "EnsembleTable":
        filled = self.sizes > 0
        if filled.all():
            return self
        return EnsembleTable(
            self.counts[filled], self.sizes[filled], self.row_names[filled], self.column_names
        )


def _values(ensemble: Ensemble) -> tuple[Array, ...]:
    return ensemble.values or tuple(np.arange(size) for size in ensemble.sizes)


def _require_same(positions: Array, n: int) -> None:
    if positions.size != n:
        raise InputError(
            f"there are {positions.size} labels, but the ensemble has {n} objects; pass one label "
            "per object."
        )
