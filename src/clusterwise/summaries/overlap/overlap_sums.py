"""Membership sums of named clusters, which can be added and subtracted."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Clustering, Pair
from clusterwise.inputs.encoding import Array, Codes, read_only, union_of_names
from clusterwise.inputs.features import read_vectors
from clusterwise.summaries.contingency.cells import SparseCells, drop_rounding_errors
from clusterwise.summaries.contingency.tabulate import count_cells
from clusterwise.summaries.overlap.membership_sums import (
    AnyClustering,
    MembershipSums,
    sum_memberships,
)


class OverlapSums(NamedTuple):
    """Sums over ``n`` objects (or objects of total weight ``n``) for named clusters."""

    sums: MembershipSums
    row_names: Array
    column_names: Array
    n: int | float
    exponent: float

    @classmethod
    def from_pair(
        cls, pair: Pair[AnyClustering], X: Any = None, *, p: float = 1.0
    ) -> "OverlapSums":
        """Sum over the objects of two aligned clusterings."""
        sums = sum_memberships(pair, None if X is None else _vectors(pair, X), p)
        names = _cluster_names(pair.a), _cluster_names(pair.b)
        return cls(sums, *names, _total_weight(pair, sums), float(p)).without_empty()

    def without_empty(self) -> "OverlapSums":
        """Leave out clusters in which no object has a membership."""
        rows, columns = np.flatnonzero(self.sums.sizes_a), np.flatnonzero(self.sums.sizes_b)
        return self._replace(
            sums=_select(self.sums, rows, columns),
            row_names=self.row_names[rows],
            column_names=self.column_names[columns],
        )

    @property
    def differences(self) -> Array:
        """Σ |p - q|^e of every pair of clusters."""
        sums = self.sums
        if sums.differences is not None:
            return sums.differences
        products = sums.cells.dense().astype(np.float64)
        return sums.sizes_a[:, None] + sums.sizes_b - 2 * products

    def combine(self, other: "OverlapSums", sign: int) -> "OverlapSums":
        """Add (or with sign -1 subtract) sums over other objects; clusters are merged by name."""
        if self.exponent != other.exponent:
            raise InputError(
                f"the overlaps have different exponents, {self.exponent:g} and {other.exponent:g}; "
                "use the same p for both."
            )
        lacks_centroids = self.sums.centroids is None, other.sums.centroids is None
        if self.n and other.n and lacks_centroids[0] != lacks_centroids[1]:
            raise InputError("one overlap has centroids and the other has not; pass X to both.")
        rows = union_of_names(self.row_names, other.row_names)
        columns = union_of_names(self.column_names, other.column_names)
        at_rows, at_columns = rows.positions(), columns.positions()
        shape = rows.size, columns.size
        height, width = len(self.row_names), len(self.column_names)
        sums = _merge(
            _embed(self._explicit(other), at_rows[:height], at_columns[:width], shape),
            _embed(other._explicit(self), at_rows[height:], at_columns[width:], shape),
            sign,
        )
        names = rows.all_names(), columns.all_names()
        combined = OverlapSums(sums, *names, self.n + sign * other.n, self.exponent)
        return combined.without_empty()

    def _explicit(self, other: "OverlapSums") -> MembershipSums:
        """Return the sums, with explicit differences if the other sums have them."""
        if other.sums.differences is None:
            return self.sums
        return self.sums._replace(differences=self.differences)


def _select(sums: MembershipSums, rows: Array, columns: Array) -> MembershipSums:
    """Return the sums of some clusters; the others have no objects."""
    if sums.cells.shape == (rows.size, columns.size):
        return sums
    differences = sums.differences
    return MembershipSums(
        sums.cells.select(rows, columns),
        None if differences is None else differences[np.ix_(rows, columns)],
        sums.sizes_a[rows],
        sums.sizes_b[columns],
        sums.powers_a[rows],
        sums.powers_b[columns],
        sums.self_products,
        None if sums.centroids is None else sums.centroids.select(rows, columns),
    )


def _embed(
    sums: MembershipSums, rows: Array, columns: Array, shape: tuple[int, int]
) -> MembershipSums:
    """Return the sums over a larger set of clusters, at these indices in it."""
    cells = sums.cells.nonzero
    codes = Codes(rows[cells.rows], 0, shape[0]), Codes(columns[cells.columns], 0, shape[1])
    powers_a = _scatter(sums.powers_a, rows, shape[0])
    powers_b = _scatter(sums.powers_b, columns, shape[1])
    differences = None
    if sums.differences is not None:
        differences = powers_a[:, None] + powers_b
        differences[np.ix_(rows, columns)] = sums.differences
    return MembershipSums(
        count_cells(*codes, read_only(cells.counts)),
        differences,
        _scatter(sums.sizes_a, rows, shape[0]),
        _scatter(sums.sizes_b, columns, shape[1]),
        powers_a,
        powers_b,
        sums.self_products,
        None if sums.centroids is None else sums.centroids.embed(rows, columns, shape),
    )


def _merge(first: MembershipSums, second: MembershipSums, sign: int) -> MembershipSums:
    """Add (or with sign -1 subtract) sums for the same clusters."""
    (height, width), ours, theirs = first.cells.shape, first.cells.nonzero, second.cells.nonzero
    counts = np.concatenate([ours.counts, sign * theirs.counts])
    rows = Codes(np.concatenate([ours.rows, theirs.rows]), 0, height)
    columns = Codes(np.concatenate([ours.columns, theirs.columns]), 0, width)
    cells = count_cells(rows, columns, read_only(counts))
    sizes_a = first.sizes_a + sign * second.sizes_a
    sizes_b = first.sizes_b + sign * second.sizes_b
    if sign < 0:
        for sums in (cells.counts, sizes_a, sizes_b):
            drop_rounding_errors(sums, float(first.sizes_a.sum()), "overlap")
        cells = cells.without_zeros() if isinstance(cells, SparseCells) else cells
    differences = None
    if first.differences is not None and second.differences is not None:
        differences = np.maximum(0.0, first.differences + sign * second.differences)
    centroids = first.centroids or second.centroids
    if first.centroids is not None and second.centroids is not None:
        if sign > 0:
            centroids = first.centroids + second.centroids
        else:
            centroids = first.centroids - second.centroids
    return MembershipSums(
        cells,
        differences,
        sizes_a,
        sizes_b,
        first.powers_a + sign * second.powers_a,
        first.powers_b + sign * second.powers_b,
        first.self_products + sign * second.self_products,
        centroids,
    )


def _scatter(values: Array, indices: Array, size: int) -> Array:
    wide = np.zeros(size, values.dtype)
    wide[indices] = values
    return wide


def _vectors(pair: Pair[AnyClustering], X: Any) -> Array:
    vectors = read_vectors(X)
    if len(vectors) != pair.n:
        raise InputError(
            f"X has {len(vectors)} rows for {pair.n} objects; pass one row per object."
        )
    return vectors if pair.kept is None else read_only(vectors[pair.kept])


def _total_weight(pair: Pair[AnyClustering], sums: MembershipSums) -> int | float:
    """Return the number of objects, or their total weight."""
    if isinstance(pair.a, Clustering) and isinstance(pair.b, Clustering):
        return sums.cells.total
    return len(pair.a) if pair.weights is None else pair.weights.sum().item()


def _cluster_names(one: AnyClustering) -> Array:
    if isinstance(one, Clustering):
        return one.codes.exact().all_names()
    return one.memberships.names
