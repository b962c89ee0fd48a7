"""Sums over objects of products and differences of their memberships in two clusterings.

Rows are processed in parts that do not depend on the number of threads, so that sums are always
rounded in the same way. Hard labels are never expanded into a membership matrix.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_parts
from clusterwise.inputs.clusterings import Clustering, Pair, SoftClustering
from clusterwise.inputs.encoding import Array, Codes, read_only
from clusterwise.inputs.memberships import Memberships
from clusterwise.kernels import overlap as kernels
from clusterwise.summaries.contingency.cells import Cells, DenseCells
from clusterwise.summaries.contingency.tabulate import count_cells
from clusterwise.summaries.overlap.centroid_sums import CentroidSums

AnyClustering = Clustering | SoftClustering
# The number of products of memberships per part, at least.
_WORK = 1 << 22
_MAX_PARTS = 16
# Bytes that the sums of all parts may take, and numbers read in one step.
_BUDGET = 1 << 26
_STEP = 1 << 20


class MembershipSums(NamedTuple):
    """Sums over all objects, for clusters of a (rows) and b (columns).

    ``cells`` are Σ w p q, ``differences`` Σ w |p - q|^e (None where they follow from the cells),
    ``sizes`` Σ w p, ``powers`` Σ w p^e, and ``self_products`` Σ w |p|²|q|², Σ w |p|², Σ w |q|².
    """

    cells: Cells
    differences: Array | None
    sizes_a: Array
    sizes_b: Array
    powers_a: Array
    powers_b: Array
    self_products: Array
    centroids: CentroidSums | None

    def transpose(self) -> "MembershipSums":
        """Return the sums with the clusterings exchanged."""
        return MembershipSums(
            self.cells.transpose(),
            None if self.differences is None else np.ascontiguousarray(self.differences.T),
            self.sizes_b,
            self.sizes_a,
            self.powers_b,
            self.powers_a,
            self.self_products[[0, 2, 1]],
            None if self.centroids is None else self.centroids.transpose(),
        )


def sum_memberships(pair: Pair[AnyClustering], X: Array | None, exponent: float) -> MembershipSums:
    """Sum over the objects of two clusterings in one pass."""
    a, b = pair.a, pair.b
    if isinstance(a, Clustering) and isinstance(b, Clustering):
        return _count_labels(a.codes.exact(), b.codes.exact(), pair.weights, X)
    if isinstance(b, Clustering):
        return sum_memberships(Pair(b, a, pair.weights), X, exponent).transpose()
    total = _sum_in_parts(a, b, pair.weights, X, exponent)
    if _is_sparse(a, b, exponent):
        bound = total.powers_a[:, None] + total.powers_b
        total.differences = np.maximum(0.0, bound - total.differences)
    elif exponent == 1:
        total.powers_a, total.powers_b = total.sizes_a, total.sizes_b
    return total.result(implied_differences=isinstance(a, Clustering) and exponent == 1)


def _sum_in_parts(
    a: AnyClustering, b: SoftClustering, weights: Array | None, X: Array | None, exponent: float
) -> "_PartialSums":
    """Sum over all rows, part by part."""
    height, width, n = _n_clusters(a), len(b.memberships.names), len(a)
    parts = _n_parts(n, height, width)
    cuts = [n * part // parts for part in range(parts + 1)]
    row_weights = np.empty(0) if weights is None else weights.astype(np.float64)
    sums = [_PartialSums.empty(height, width, X) for _ in range(parts)]
    errors: list[InputError | None] = [None] * parts
    step = max(kernels.BLOCK, _STEP // (height + width))

    def add(part: int) -> None:
        try:
            for start in range(cuts[part], cuts[part + 1], step):
                stop = min(start + step, cuts[part + 1])
                _add_rows(a, b, row_weights, start, stop, exponent, sums[part])
                if X is not None:
                    sums[part].add_centroids(a, b, X, row_weights, start, stop)
        except InputError as error:  # the first invalid row is reported, with any number of threads
            errors[part] = error

    run_parts(add, parts)
    for error in filter(None, errors):
        raise error
    for other in sums[1:]:
        sums[0].add(other)
    return sums[0]


def _n_parts(n: int, height: int, width: int) -> int:
    """Return the number of parts, limited by the work and by the memory of their sums."""
    most = _BUDGET // (2 * 8 * height * width + 1)
    return max(1, min(_MAX_PARTS, n * height * width // _WORK, most))


@dataclass
class _PartialSums:
    """The sums over one part of the rows."""

    products: Array
    differences: Array
    sizes_a: Array
    sizes_b: Array
    powers_a: Array
    powers_b: Array
    self_products: Array
    centroids: CentroidSums | None = field(default=None)

    @classmethod
    def empty(cls, height: int, width: int, X: Array | None) -> "_PartialSums":
        tables = (np.zeros((height, width)), np.zeros((height, width)))
        sides = (np.zeros(height), np.zeros(width), np.zeros(height), np.zeros(width))
        centroids = None if X is None else CentroidSums.empty(height, width, X.shape[1])
        return cls(*tables, *sides, np.zeros(3), centroids)

    def add(self, other: "_PartialSums") -> None:
        self.products += other.products
        self.differences += other.differences
        self.sizes_a += other.sizes_a
        self.sizes_b += other.sizes_b
        self.powers_a += other.powers_a
        self.powers_b += other.powers_b
        self.self_products += other.self_products
        if self.centroids is not None and other.centroids is not None:
            self.centroids = self.centroids + other.centroids

    def add_centroids(
        self, a: AnyClustering, b: AnyClustering, X: Array, weights: Array, start: int, stop: int
    ) -> None:
        assert self.centroids is not None
        block = np.ascontiguousarray(X[start:stop], np.float64)
        sides = (_rows_of(a, start, stop), _rows_of(b, start, stop))
        found = CentroidSums.from_block(sides, block, weights[start:stop], start)
        self.centroids = self.centroids + found

    def result(self, *, implied_differences: bool) -> MembershipSums:
        return MembershipSums(
            DenseCells(self.products), None if implied_differences else self.differences,
            self.sizes_a, self.sizes_b, self.powers_a, self.powers_b, self.self_products,
            self.centroids,
        )  # fmt: skip


def _add_rows(
    a: AnyClustering,
    b: SoftClustering,
    weights: Array,
    start: int,
    stop: int,
    exponent: float,
    sums: _PartialSums,
) -> None:
    """Add a block of rows by the kernel for their storage."""
    weight = weights[start:stop]
    if _is_sparse(a, b, exponent):
        _check_rows(a, b, start, stop)
        totals = kernels.SparseSums(
            sums.products, sums.differences, sums.sizes_a, sums.sizes_b, sums.powers_a,
            sums.powers_b, sums.self_products,
        )  # fmt: skip
        kernels.add_sparse(
            _compressed(a, start, stop), _compressed(b, start, stop), read_only(weight),
            float(exponent), totals,
        )  # fmt: skip
        return
    second = b.memberships.rows(start, stop)
    if isinstance(a, Clustering):
        labels, first = _label_slice(a.codes, start, stop)
        reached = kernels.add_labelled(
            labels, first, read_only(second), read_only(weight), sums.products, sums.sizes_a,
            sums.sizes_b, sums.self_products,
        )  # fmt: skip
    else:
        rows = a.memberships.rows(start, stop)
        if rows.dtype != second.dtype:
            rows, second = rows.astype(np.float64), second.astype(np.float64)
        differences = sums.differences if exponent == 1 else np.zeros_like(sums.differences)
        reached = kernels.add_dense(
            read_only(rows), read_only(second), read_only(weight), 0, stop - start,
            sums.products, differences, sums.sizes_a, sums.sizes_b, sums.self_products,
        )  # fmt: skip
        if exponent != 1 and reached == stop - start:
            kernels.add_powers(
                read_only(rows), read_only(second), read_only(weight), float(exponent),
                sums.differences, sums.powers_a, sums.powers_b,
            )  # fmt: skip
    if reached < stop - start:
        _check_rows(a, b, start + reached, stop)
        raise AssertionError("a kernel refused a valid row")


def _is_sparse(a: AnyClustering, b: AnyClustering, exponent: float) -> bool:
    """Whether only nonzero memberships are visited, which sums p^e + q^e - |p - q|^e."""
    soft = [one for one in (a, b) if isinstance(one, SoftClustering)]
    return any(one.memberships.is_sparse for one in soft) or (len(soft) < 2 and exponent != 1)


def _check_rows(a: AnyClustering, b: AnyClustering, start: int, stop: int) -> None:
    """Raise the error of the first invalid row, if any."""
    soft = [one.memberships for one in (a, b) if isinstance(one, SoftClustering)]
    rows = [(memberships.first_invalid_row(start, stop), memberships) for memberships in soft]
    invalid = [(row, memberships) for row, memberships in rows if row is not None]
    if invalid:
        row, memberships = min(invalid, key=lambda one: one[0])
        raise memberships.invalid_row_error(row)


def _count_labels(a: Codes, b: Codes, weights: Array | None, X: Array | None) -> MembershipSums:
    """Return the sums of two hard clusterings, which follow from their contingency table."""
    cells = count_cells(a, b, weights)
    self_products = np.full(3, float(cells.total))
    centroids = None
    if X is not None:
        centroids = CentroidSums.empty(a.size, b.size, X.shape[1])
        step = max(1, _STEP // X.shape[1])
        for start in range(0, len(X), step):
            stop = start + step
            block = np.ascontiguousarray(X[start:stop], np.float64)
            sides = (
                (*_label_slice(a, start, stop), a.size),
                (*_label_slice(b, start, stop), b.size),
            )
            weight = np.empty(0) if weights is None else weights[start:stop].astype(np.float64)
            centroids = centroids + CentroidSums.from_block(sides, block, weight, start)
    sizes = cells.row_sums, cells.column_sums
    return MembershipSums(cells, None, *sizes, *sizes, self_products, centroids)


def _n_clusters(one: AnyClustering) -> int:
    if isinstance(one, Clustering):
        return one.codes.exact().size
    return len(one.memberships.names)


def _rows_of(one: AnyClustering, start: int, stop: int) -> Any:
    """Return labels, the smallest label and the number of clusters; or memberships."""
    if isinstance(one, Clustering):
        return *_label_slice(one.codes, start, stop), one.codes.exact().size
    return one.memberships.values[start:stop]


def _label_slice(codes: Codes, start: int, stop: int) -> tuple[Array, np.uint64]:
    codes = codes.exact()
    return codes.values[start:stop], codes.kernel_first()


def _compressed(one: AnyClustering, start: int, stop: int) -> kernels.SparseRows:
    """Return rows in CSR form: row starts, clusters and memberships."""
    if isinstance(one, Clustering):
        positions = one.codes.exact().positions()[start:stop].astype(np.int64)
        ones = read_only(np.ones(positions.size))
        return kernels.SparseRows(np.arange(positions.size + 1), read_only(positions), ones)
    rows = _as_csr(one.memberships, start, stop)
    starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
    values = read_only(rows.data.astype(np.float64))
    return kernels.SparseRows(starts, read_only(columns), values)


def _as_csr(memberships: Memberships, start: int, stop: int) -> Any:
    from scipy.sparse import csr_array

    if memberships.is_sparse:
        return memberships.values[start:stop]
    return csr_array(memberships.rows(start, stop))
