"""Counts of the objects of each cluster in each bin.

Bins of equal width are computed and counted in one fused pass; other bins are encoded first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import parts_for, run_parts
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.binning.edges import FeatureBins
from clusterwise.inputs.encoding import Array, Codes, read_only, union_of_names
from clusterwise.inputs.features import is_plain, read_features, refuse_infinite, take_rows
from clusterwise.inputs.frames import as_lazy
from clusterwise.inputs.labels import Labels
from clusterwise.kernels import profile as kernels

# Features are repeated up to about this many numbers, so that inner loops are long.
_TILE = 320
# By this scale, any value but the constant of a constant feature lies outside.
_STEEP = 1e300
# Rows that are encoded at a time, to limit the memory of codes.
_ROWS = 1 << 16
# Rows of separate columns that are counted at a time, so that their clusters stay in the cache.
_BLOCK = 1 << 17


@dataclass(frozen=True)
class BinCounts:
    """Counts of clusters × bins, the labels of the clusters, and values outside of the range.

    ``below`` and ``above`` count the values of each feature outside of its fitted range.
    """

    counts: Array
    names: Array
    below: Array
    above: Array

    @classmethod
    def empty(cls, binning: Binning) -> "BinCounts":
        """Return the counts of no objects."""
        outside = np.zeros(len(binning.names), np.int64)
        counts = np.zeros((0, binning.total), np.int64)
        return cls(counts, np.empty(0, object), outside, outside)

    def without_empty(self) -> "BinCounts":
        """Leave out clusters without objects."""
        filled = np.flatnonzero(self.counts.any(axis=1))
        return BinCounts(self.counts[filled], self.names[filled], self.below, self.above)

    def combine(self, other: "BinCounts", sign: int) -> "BinCounts":
        """Add (or with sign -1 subtract) counts of other objects; clusters are merged by name."""
        names = union_of_names(self.names, other.names)
        dtype = np.result_type(self.counts, other.counts)
        counts = np.zeros((names.size, self.counts.shape[1]), dtype)
        index = names.positions()
        counts[index[: len(self.names)]] += self.counts
        counts[index[len(self.names) :]] += sign * other.counts
        return BinCounts(
            counts,
            names.all_names(),
            self.below + sign * other.below,
            self.above + sign * other.above,
        )


def count_bins(X: Any, labels: Labels, binning: Binning) -> BinCounts:
    """Count the objects of every cluster in every bin."""
    if as_lazy(X) is not None:
        read_features(X)  # raises: the objects must be in memory
    n = len(X)
    if labels.n != n:
        raise InputError(f"X has {n} rows but there are {labels.n} labels; pass one label per row.")
    if labels.kept is not None:
        X = take_rows(X, labels.kept)
    if labels.memberships is not None:
        return _add_memberships(X, labels, binning)
    if labels.weights is None:
        if _is_uniform_array(X, binning):
            return _count_uniform(X, labels.codes, binning)
        columns = _uniform_columns(X, binning)
        if columns is not None:
            return _count_uniform(columns, labels.codes, binning)
    return _count_codes(X, labels, binning)


def _is_uniform_array(X: Any, binning: Binning) -> bool:
    """Whether X is a numeric array whose bins all follow by arithmetic."""
    return (
        type(X) is np.ndarray  # not masked, and not a matrix
        and X.ndim == 2
        and is_plain(X.dtype)
        and X.shape[1] == len(binning.names)
        and _has_uniform_bins(binning)
    )


def _has_uniform_bins(binning: Binning) -> bool:
    return (
        binning.total < kernels.MOST_BINS
        and all(map(_by_arithmetic, binning.features))
        and len({feature.regular for feature in binning.features if feature.even}) <= 1
    )


def _uniform_columns(X: Any, binning: Binning) -> list[Array] | None:
    """Return the columns of a numeric frame without a copy; None if bins need encoding."""
    if isinstance(X, np.ndarray) or not _has_uniform_bins(binning):
        return None
    features = binning.read(X)
    if any(column.kind == "nominal" for column in features.columns):
        return None
    return [column.numbers() for column in features.columns]


def _by_arithmetic(feature: FeatureBins) -> bool:
    """Whether bins have equal widths, or there is a single bin (of a constant feature)."""
    if feature.edges is None:
        return False
    return feature.even or (feature.regular == 1 and bool(np.isfinite(feature.edges).all()))


def _count_uniform(X: Array | list[Array], codes: Codes, binning: Binning) -> BinCounts:
    """Count with the codes' range, which may be a guess; count again if it proves wrong.

    Columns of a frame are counted in place, one after the other.
    """
    columns = X if isinstance(X, list) else X.T
    n, features = len(columns[0]), len(columns)
    bins = np.array([float(feature.regular) for feature in binning.features])
    scale = np.array([feature.scale for feature in binning.features])
    edges = [feature.edges for feature in binning.features]
    low, high = (np.array([float(e[end]) for e in edges if e is not None]) for end in (0, -1))
    every_offset = binning.offsets
    offsets, total = every_offset[:-1].astype(np.int32), int(every_offset[-1])
    span = kernels.ClusterRange(codes.kernel_first(), np.uint64(codes.size), np.uint64(total))
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
    # Constant features are probed with a scale that separates every other value.
    probe = np.where(scale > 0, scale, _STEEP)
    limit = bins.max() * (1 - 8 * np.finfo(np.float64).eps)
    low, high, scale, bins, offsets, probe = (
        np.tile(part, tile) for part in (low, high, scale, bins, offsets, probe)
    )
    even = kernels.EvenBins(low, high, scale, bins, offsets, probe, limit)
    found = [kernels.BinCounts(*each) for each in zip(counts, below, above, farthest, strict=True)]
    values = codes.kernel_values()

    def count(part: int) -> None:
        begin, end = cuts[part], cuts[part + 1]
        if flat is not None:
            reached[part] = kernels.count_rows(
                flat, values, begin, end, span, tile, even, found[part]
            )
            return
        bases = np.empty(min(_BLOCK, end - begin), np.uint32)
        for start in range(begin, end, _BLOCK):
            stop = min(start + _BLOCK, end)
            if not kernels.find_bases(values, start, stop, span, bases):
                return
            for r, column in enumerate(columns):
                kernels.count_column(read_only(column), start, stop, bases, r, even, found[part])
        reached[part] = end

    run_parts(count, parts)
    if reached != cuts[1:]:
        return _count_uniform(X, codes.exact(), binning)
    for r in np.flatnonzero(np.isinf(farthest).any(axis=0)):
        refuse_infinite(binning.names[r], columns[r])
    table = counts.sum(axis=0, dtype=np.int64).reshape(codes.size, total)
    names = codes.all_names()
    return BinCounts(table, names, below.sum(axis=0), above.sum(axis=0))


def _count_codes(X: Any, labels: Labels, binning: Binning) -> BinCounts:
    codes = labels.codes.exact()
    first, width = codes.kernel_first(), np.uint64(binning.total)
    dtype = np.int64 if labels.weights is None else labels.weights.dtype
    counts = np.zeros(codes.size * binning.total, dtype)
    values = codes.kernel_values()
    below, above = np.zeros((2, len(binning.features)), np.int64)
    for begin in range(0, len(X), _ROWS):
        rows = slice(begin, begin + _ROWS)
        binned = binning.bins(take_rows(X, rows))
        for bins, offset in zip(binned.codes, binning.offsets[:-1].tolist(), strict=True):
            where = (first, width, np.uint64(offset), counts)
            if labels.weights is None:
                kernels.count_codes(bins, values[rows], *where)
            else:
                kernels.add_codes(bins, values[rows], labels.weights[rows], *where)
        below += binned.below
        above += binned.above
    table = counts.reshape(codes.size, binning.total)
    return BinCounts(table, codes.all_names(), below, above)


def _add_memberships(X: Any, labels: Labels, binning: Binning) -> BinCounts:
    assert labels.memberships is not None
    memberships = labels.memberships
    weights = np.ones(len(memberships)) if labels.weights is None else labels.weights
    sums = np.zeros((binning.total, len(memberships.names)))
    below, above = np.zeros((2, len(binning.features)), np.int64)
    for begin in range(0, len(X), _ROWS):
        rows = slice(begin, begin + _ROWS)
        binned = binning.bins(take_rows(X, rows))
        block = memberships.rows(begin, min(begin + _ROWS, len(X)))
        for bins, offset in zip(binned.codes, binning.offsets[:-1].tolist(), strict=True):
            kernels.add_memberships(bins, block, weights[rows], np.uint64(offset), sums)
        below += binned.below
        above += binned.above
    return BinCounts(np.ascontiguousarray(sums.T), memberships.names, below, above)
