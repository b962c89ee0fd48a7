"""Sums of shares that are cut down to some clusters, placed among more, added or taken away."""

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array, Codes, read_only
from clusterwise.summaries.contingency.cells import SparseCells
from clusterwise.summaries.contingency.tabulate import count_cells
from clusterwise.summaries.overlap.membership_sums import Shares


def select(shares: Shares, rows: Array, columns: Array) -> Shares:
    """The sums of some clusters, which hold all objects."""
    if shares.cells.shape == (rows.size, columns.size):
        return shares
    differences = shares.differences
    return Shares(
        shares.cells.select(rows, columns),
        None if differences is None else differences[np.ix_(rows, columns)],
        shares.masses_a[rows],
        shares.masses_b[columns],
        shares.powers_a[rows],
        shares.powers_b[columns],
        shares.own,
        None if shares.centres is None else shares.centres.select(rows, columns),
    )


def among(shares: Shares, rows: Array, columns: Array, shape: tuple[int, int]) -> Shares:
    """The sums among more clusters, in which no object here has a share."""
    cells = shares.cells.nonzero
    codes = Codes(rows[cells.rows], 0, shape[0]), Codes(columns[cells.columns], 0, shape[1])
    powers_a = _spread_out(shares.powers_a, rows, shape[0])
    powers_b = _spread_out(shares.powers_b, columns, shape[1])
    differences = None
    if shares.differences is not None:
        differences = powers_a[:, None] + powers_b
        differences[np.ix_(rows, columns)] = shares.differences
    return Shares(
        count_cells(*codes, read_only(cells.counts)),
        differences,
        _spread_out(shares.masses_a, rows, shape[0]),
        _spread_out(shares.masses_b, columns, shape[1]),
        powers_a,
        powers_b,
        shares.own,
        None if shares.centres is None else shares.centres.placed(rows, columns, shape),
    )


def merge(ours: Shares, theirs: Shares, sign: int) -> Shares:
    """Two sums over the same clusters: all objects, or (with sign -1) what theirs leave."""
    (height, width), mine, other = ours.cells.shape, ours.cells.nonzero, theirs.cells.nonzero
    counts = np.concatenate([mine.counts, sign * other.counts])
    rows = Codes(np.concatenate([mine.rows, other.rows]), 0, height)
    columns = Codes(np.concatenate([mine.columns, other.columns]), 0, width)
    cells = count_cells(rows, columns, read_only(counts))
    masses_a = ours.masses_a + sign * theirs.masses_a
    masses_b = ours.masses_b + sign * theirs.masses_b
    if sign < 0:
        for sums in (cells.counts, masses_a, masses_b):
            _settle(sums, float(ours.masses_a.sum()))
        cells = cells.without_zeros() if isinstance(cells, SparseCells) else cells
    differences = None
    if ours.differences is not None and theirs.differences is not None:
        differences = np.maximum(0.0, ours.differences + sign * theirs.differences)
    centres = ours.centres or theirs.centres
    if ours.centres is not None and theirs.centres is not None:
        centres = ours.centres + theirs.centres if sign > 0 else ours.centres - theirs.centres
    return Shares(
        cells,
        differences,
        masses_a,
        masses_b,
        ours.powers_a + sign * theirs.powers_a,
        ours.powers_b + sign * theirs.powers_b,
        ours.own + sign * theirs.own,
        centres,
    )


def _spread_out(values: Array, places: Array, size: int) -> Array:
    wide = np.zeros(size, values.dtype)
    wide[places] = values
    return wide


def _settle(sums: Array, n: float) -> None:
    """What rounding leaves behind is nothing; what is below nothing is an error."""
    if sums.dtype.kind == "f":
        sums[np.abs(sums) <= 1e-12 * n] = 0
    if sums.size and sums.min() < 0:
        raise InputError("the overlap to take away holds objects that this one does not.")
