"""Counting objects into bins: the fused route for equal widths, and the general one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import parts_for, run_parts
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.encoding import Array, Codes, read_only
from clusterwise.inputs.features import refuse_infinite, take_rows
from clusterwise.inputs.labels import Labels
from clusterwise.kernels import profile as kernels

# Features are repeated up to about this many numbers, for inner loops that pay.
_TILE = 320
# Any value but the only one of a constant feature is outside, by this scale.
_STEEP = 1e300
# Rows that are encoded at a time, so that codes never take the memory of the data.
_ROWS = 1 << 16
# Rows of separate columns that are counted at a time, whose clusters the cache holds.
_BLOCK = 1 << 17


@dataclass(frozen=True)
class Spread:
    """Counts of clusters × bins, the clusters' names, and what lay outside the range."""

    counts: Array
    names: Array
    below: Array
    above: Array


def count_bins(X: Any, labels: Labels, binning: Binning) -> Spread:
    """The objects of every cluster in every bin."""
    n = len(X)
    if labels.n != n:
        raise InputError(f"X has {n} rows but there are {labels.n} labels; pass one label per row.")
    if labels.kept is not None:
        X = take_rows(X, labels.kept)
    if labels.memberships is not None:
        return _add_memberships(X, labels, binning)
    if labels.weights is None:
        if _is_even(X, binning):
            return _count_even(X, labels.codes, binning)
        columns = _even_columns(X, binning)
        if columns is not None:
            return _count_even(columns, labels.codes, binning)
    return _count_codes(X, labels, binning)


def _is_even(X: Any, binning: Binning) -> bool:
    """Whether every value's bin follows by arithmetic from a plain array."""
    return (
        isinstance(X, np.ndarray)
        and X.ndim == 2
        and X.dtype.kind in "fiu"
        and X.shape[1] == len(binning.features)
        and _has_even_bins(binning)
    )


def _has_even_bins(binning: Binning) -> bool:
    return (
        binning.total < kernels.MOST_BINS
        and all(map(_by_arithmetic, binning.features))
        and len({feature.regular for feature in binning.features if feature.even}) <= 1
    )


def _even_columns(X: Any, binning: Binning) -> list[Array] | None:
    """The columns of a frame of numbers, each where its library has it."""
    if isinstance(X, np.ndarray) or not _has_even_bins(binning):
        return None
    features = binning.read(X)
    if any(column.kind == "nominal" for column in features.columns):
        return None
    return [column.numbers() for column in features.columns]


def _by_arithmetic(feature: FeatureBins) -> bool:
    """Equal widths, or a single bin (of a constant feature) to which all values belong."""
    if feature.edges is None:
        return False
    return feature.even or (feature.regular == 1 and bool(np.isfinite(feature.edges).all()))


def _count_even(X: Array | list[Array], codes: Codes, binning: Binning) -> Spread:
    """Count from the codes' range as it is, which may be a guess; count again if it is wrong.

    Columns of a frame are counted where they lie, one after the other.
    """
    columns = X if isinstance(X, list) else X.T
    n, features = len(columns[0]), len(columns)
    bins = np.array([float(feature.regular) for feature in binning.features])
    scale = np.array([feature.scale for feature in binning.features])
    edges = [feature.edges for feature in binning.features]
    low, high = (np.array([float(e[end]) for e in edges if e is not None]) for end in (0, -1))
    every_offset = binning.offsets
    offsets, total = every_offset[:-1].astype(np.int32), int(every_offset[-1])
    first, clusters = np.uint64(codes.first & 0xFFFFFFFFFFFFFFFF), np.uint64(codes.size)
    width = np.uint64(total)
    parts = parts_for(n * features)
    cuts = [n * part // parts for part in range(parts + 1)]
    counts = np.zeros((parts, codes.size * total), np.uint32)
    below, above = np.zeros((2, parts, features), np.int64)
    farthest = np.zeros((parts, features))
    reached = [0] * parts
    flat = None
    if isinstance(X, np.ndarray) and X.flags.c_contiguous:
        flat = read_only(X.reshape(-1))
    tile = 1 if flat is None else max(1, _TILE // features)
    # Constant features are probed with a scale that tells every other value apart.
    probe = np.where(scale > 0, scale, _STEEP)
    limit = bins.max() * (1 - 8 * np.finfo(np.float64).eps)
    low, high, scale, bins, offsets, probe = (
        np.tile(part, tile) for part in (low, high, scale, bins, offsets, probe)
    )

    def count(part: int) -> None:
        begin, end = cuts[part], cuts[part + 1]
        if flat is not None:
            reached[part] = kernels.count_rows(
                flat, codes.values, begin, end, first, clusters, width, tile,
                low, high, scale, bins, offsets, probe, limit,
                counts[part], below[part], above[part], farthest[part],
            )  # fmt: skip
            return
        bounds = low, high, scale, bins, offsets, probe, limit
        where = counts[part], below[part], above[part], farthest[part]
        bases = np.empty(min(_BLOCK, end - begin), np.uint32)
        for start in range(begin, end, _BLOCK):
            stop = min(start + _BLOCK, end)
            if not kernels.find_bases(codes.values, start, stop, first, clusters, width, bases):
                return
            for r, column in enumerate(columns):
                kernels.count_column(read_only(column), start, stop, bases, r, *bounds, *where)
        reached[part] = end

    run_parts(count, parts)
    if reached != cuts[1:]:
        return _count_even(X, codes.exact(), binning)
    for r in np.flatnonzero(np.isinf(farthest).any(axis=0)):
        refuse_infinite(binning.names[r], columns[r])
    table = counts.sum(axis=0, dtype=np.int64).reshape(codes.size, total)
    names = codes.names_at(np.arange(codes.size))
    return Spread(table, names, below.sum(axis=0), above.sum(axis=0))


def _count_codes(X: Any, labels: Labels, binning: Binning) -> Spread:
    codes = labels.codes.exact()
    first, width = np.uint64(codes.first & 0xFFFFFFFFFFFFFFFF), np.uint64(binning.total)
    kind = np.int64 if labels.weights is None else labels.weights.dtype
    counts = np.zeros(codes.size * binning.total, kind)
    below, above = np.zeros((2, len(binning.features)), np.int64)
    for begin in range(0, len(X), _ROWS):
        rows = slice(begin, begin + _ROWS)
        binned = binning.bins(take_rows(X, rows))
        for bins, offset in zip(binned.codes, binning.offsets[:-1].tolist(), strict=True):
            where = (first, width, np.uint64(offset), counts)
            if labels.weights is None:
                kernels.count_codes(bins, codes.values[rows], *where)
            else:
                kernels.add_codes(bins, codes.values[rows], labels.weights[rows], *where)
        below += binned.below
        above += binned.above
    table = counts.reshape(codes.size, binning.total)
    return Spread(table, codes.names_at(np.arange(codes.size)), below, above)


def _add_memberships(X: Any, labels: Labels, binning: Binning) -> Spread:
    assert labels.memberships is not None
    shares = labels.memberships
    weights = np.ones(len(shares)) if labels.weights is None else labels.weights
    sums = np.zeros((binning.total, len(shares.names)))
    below, above = np.zeros((2, len(binning.features)), np.int64)
    for begin in range(0, len(X), _ROWS):
        rows = slice(begin, begin + _ROWS)
        binned = binning.bins(take_rows(X, rows))
        block = shares.rows(begin, min(begin + _ROWS, len(X)))
        for bins, offset in zip(binned.codes, binning.offsets[:-1].tolist(), strict=True):
            kernels.add_memberships(bins, block, weights[rows], np.uint64(offset), sums)
        below += binned.below
        above += binned.above
    return Spread(np.ascontiguousarray(sums.T), shares.names, below, above)
