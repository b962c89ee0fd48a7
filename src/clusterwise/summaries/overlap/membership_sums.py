"""Summing over objects the shares that they have in the clusters of two clusterings.

The rows are walked in fixed parts, whatever the number of threads, so that sums are always
rounded in the same way. Hard labels are never spread out into a matrix.
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
from clusterwise.summaries.overlap.centroid_sums import CentreSums

AnyClustering = Clustering | SoftClustering
# Products of shares that are worth a part of their own.
_WORK = 1 << 22
_MOST_PARTS = 16
# Bytes that the sums of all parts may take, and numbers of a step through the rows.
_BUDGET = 1 << 26
_STEP = 1 << 20


class Shares(NamedTuple):
    """Sums over all objects; ``differences`` is None where they follow from the products.

    ``powers`` are the sums of the shares to the power of the differences' exponent.
    """

    cells: Cells
    differences: Array | None
    masses_a: Array
    masses_b: Array
    powers_a: Array
    powers_b: Array
    own: Array
    centres: CentreSums | None


def sum_shares(pair: Pair[AnyClustering], X: Array | None, exponent: float) -> Shares:
    """Walk over the objects once."""
    a, b = pair.a, pair.b
    if isinstance(a, Clustering) and isinstance(b, Clustering):
        return _count_labels(a.codes.exact(), b.codes.exact(), pair.weights, X)
    if isinstance(b, Clustering):
        return turned(sum_shares(Pair(b, a, pair.weights), X, exponent))
    total = _walk(a, b, pair.weights, X, exponent)
    if _is_sparse(a, b, exponent):
        apart = total.powers_a[:, None] + total.powers_b
        total.differences = np.maximum(0.0, apart - total.differences)
    elif exponent == 1:
        total.powers_a, total.powers_b = total.masses_a, total.masses_b
    return total.shares(implied=isinstance(a, Clustering) and exponent == 1)


def _walk(
    a: AnyClustering, b: SoftClustering, weights: Array | None, X: Array | None, exponent: float
) -> "_Sums":
    """Sums over all rows, in parts."""
    height, width, n = _clusters(a), len(b.memberships.names), len(a)
    parts = _parts(n, height, width)
    cuts = [n * part // parts for part in range(parts + 1)]
    weighing = np.empty(0) if weights is None else weights.astype(np.float64)
    every = [_Sums.empty(height, width, X) for _ in range(parts)]
    errors: list[InputError | None] = [None] * parts
    step = max(kernels.BLOCK, _STEP // (height + width))

    def add(part: int) -> None:
        try:
            for start in range(cuts[part], cuts[part + 1], step):
                stop = min(start + step, cuts[part + 1])
                _add_rows(a, b, weighing, start, stop, exponent, every[part])
                if X is not None:
                    every[part].add_centres(a, b, X, weighing, start, stop)
        except InputError as error:  # the first row that is wrong is named, whatever the threads
            errors[part] = error

    run_parts(add, parts)
    for error in filter(None, errors):
        raise error
    for other in every[1:]:
        every[0].add(other)
    return every[0]


def _parts(n: int, height: int, width: int) -> int:
    """How many parts: as many as are worth it, and as their sums may take memory."""
    room = _BUDGET // (2 * 8 * height * width + 1)
    return max(1, min(_MOST_PARTS, n * height * width // _WORK, room))


@dataclass
class _Sums:
    """What one part of the rows adds up to."""

    products: Array
    differences: Array
    masses_a: Array
    masses_b: Array
    powers_a: Array
    powers_b: Array
    own: Array
    centres: CentreSums | None = field(default=None)

    @classmethod
    def empty(cls, height: int, width: int, X: Array | None) -> "_Sums":
        tables = (np.zeros((height, width)), np.zeros((height, width)))
        sides = (np.zeros(height), np.zeros(width), np.zeros(height), np.zeros(width))
        centres = None if X is None else CentreSums.empty(height, width, X.shape[1])
        return cls(*tables, *sides, np.zeros(3), centres)

    def add(self, other: "_Sums") -> None:
        self.products += other.products
        self.differences += other.differences
        self.masses_a += other.masses_a
        self.masses_b += other.masses_b
        self.powers_a += other.powers_a
        self.powers_b += other.powers_b
        self.own += other.own
        if self.centres is not None and other.centres is not None:
            self.centres = self.centres + other.centres

    def add_centres(
        self, a: AnyClustering, b: AnyClustering, X: Array, weights: Array, start: int, stop: int
    ) -> None:
        assert self.centres is not None
        block = np.ascontiguousarray(X[start:stop], np.float64)
        sides = (_side(a, start, stop), _side(b, start, stop))
        self.centres = self.centres + CentreSums.of(sides, block, weights[start:stop], start)

    def shares(self, *, implied: bool) -> Shares:
        return Shares(
            DenseCells(self.products), None if implied else self.differences, self.masses_a,
            self.masses_b, self.powers_a, self.powers_b, self.own, self.centres,
        )  # fmt: skip


def _add_rows(
    a: AnyClustering,
    b: SoftClustering,
    weights: Array,
    start: int,
    stop: int,
    exponent: float,
    to: _Sums,
) -> None:
    """Add some rows by the loop that suits them."""
    weight = weights[start:stop]
    if _is_sparse(a, b, exponent):
        _check(a, b, start, stop)
        kernels.add_sparse(
            *_compressed(a, start, stop), *_compressed(b, start, stop), read_only(weight),
            float(exponent), to.products, to.differences, to.masses_a, to.masses_b, to.powers_a,
            to.powers_b, to.own,
        )  # fmt: skip
        return
    second = b.memberships.rows(start, stop)
    if isinstance(a, Clustering):
        labels, first = _labels(a.codes, start, stop)
        reached = kernels.add_labelled(
            labels, first, read_only(second), read_only(weight), to.products, to.masses_a,
            to.masses_b, to.own,
        )  # fmt: skip
    else:
        rows = a.memberships.rows(start, stop)
        if rows.dtype != second.dtype:
            rows, second = rows.astype(np.float64), second.astype(np.float64)
        differences = to.differences if exponent == 1 else np.zeros_like(to.differences)
        reached = kernels.add_dense(
            read_only(rows), read_only(second), read_only(weight), 0, stop - start,
            to.products, differences, to.masses_a, to.masses_b, to.own,
        )  # fmt: skip
        if exponent != 1 and reached == stop - start:
            kernels.add_powers(
                read_only(rows), read_only(second), read_only(weight), float(exponent),
                to.differences, to.powers_a, to.powers_b,
            )  # fmt: skip
    if reached < stop - start:
        _check(a, b, start + reached, stop)
        raise AssertionError("a row was refused that has nothing wrong")


def _is_sparse(a: AnyClustering, b: AnyClustering, exponent: float) -> bool:
    """Whether rows are walked share by share, and what clusters save is summed."""
    soft = [one for one in (a, b) if isinstance(one, SoftClustering)]
    return any(one.memberships.is_sparse for one in soft) or (len(soft) < 2 and exponent != 1)


def _check(a: AnyClustering, b: AnyClustering, start: int, stop: int) -> None:
    """Say which row is the first that is wrong, if one is."""
    soft = [one.memberships for one in (a, b) if isinstance(one, SoftClustering)]
    rows = [(memberships.first_bad(start, stop), memberships) for memberships in soft]
    wrong = [(row, memberships) for row, memberships in rows if row is not None]
    if wrong:
        row, memberships = min(wrong, key=lambda one: one[0])
        raise memberships.refusal(row)


def _count_labels(a: Codes, b: Codes, weights: Array | None, X: Array | None) -> Shares:
    """Two hard clusterings: their table says it all."""
    cells = count_cells(a, b, weights)
    own = np.full(3, float(cells.total))
    centres = None
    if X is not None:
        centres = CentreSums.empty(a.size, b.size, X.shape[1])
        step = max(1, _STEP // X.shape[1])
        for start in range(0, len(X), step):
            block = np.ascontiguousarray(X[start : start + step], np.float64)
            stop = start + step
            sides = (*_labels(a, start, stop), a.size), (*_labels(b, start, stop), b.size)
            weight = np.empty(0) if weights is None else weights[start : start + step]
            centres = centres + CentreSums.of(sides, block, weight.astype(np.float64), start)
    masses = cells.row_sums, cells.column_sums
    return Shares(cells, None, *masses, *masses, own, centres)


def turned(shares: Shares) -> Shares:
    """The sums of (b, a)."""
    return Shares(
        shares.cells.transpose(),
        None if shares.differences is None else np.ascontiguousarray(shares.differences.T),
        shares.masses_b,
        shares.masses_a,
        shares.powers_b,
        shares.powers_a,
        shares.own[[0, 2, 1]],
        None if shares.centres is None else shares.centres.turned(),
    )


def _clusters(one: AnyClustering) -> int:
    if isinstance(one, Clustering):
        return one.codes.exact().size
    return len(one.memberships.names)


def _side(one: AnyClustering, start: int, stop: int) -> Any:
    """Labels, their first value and the number of clusters; or shares."""
    if isinstance(one, Clustering):
        return *_labels(one.codes, start, stop), one.codes.exact().size
    return one.memberships.values[start:stop]


def _labels(codes: Codes, start: int, stop: int) -> tuple[Array, np.uint64]:
    codes = codes.exact()
    return codes.values[start:stop], np.uint64(codes.first & 0xFFFFFFFFFFFFFFFF)


def _compressed(one: AnyClustering, start: int, stop: int) -> tuple[Array, Array, Array]:
    """Some rows in compressed form: where each begins, the clusters and the shares."""
    if isinstance(one, Clustering):
        places = one.codes.exact().positions()[start:stop].astype(np.int64)
        return np.arange(places.size + 1), read_only(places), read_only(np.ones(places.size))
    rows = _as_csr(one.memberships, start, stop)
    starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
    return starts, read_only(columns), read_only(rows.data.astype(np.float64))


def _as_csr(memberships: Memberships, start: int, stop: int) -> Any:
    from scipy.sparse import csr_array

    if memberships.is_sparse:
        return memberships.values[start:stop]
    return csr_array(memberships.rows(start, stop))
