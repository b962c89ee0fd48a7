"""Bin edges of a feature: equal width, equal frequency, or entropy-based (MDL)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.edge_text import format_edges
from clusterwise.inputs.encoding import (
    Array,
    as_names,
    name_order,
    read_only,
    refuse_masked,
    to_array,
)

# Rows are concatenated to at least this many values, so that the range loop is vectorised.
_WIDTH = 64
_BLOCK = 1 << 16
# The largest number of edges or values that are printed in one line.
_SHOWN = 8


@dataclass(frozen=True, eq=False)
class FeatureBins:
    """The bins of one feature: ``edges`` if it is numeric, ``values`` if it is categorical.

    The ``regular`` bins come first. A categorical feature then has a bin for values that were
    not seen when it was fitted; the last bin is for missing values. If ``even``, all bins have the
    same width, so that the bin of a value is computed without a search. If ``date``, edges are days
    since 1970-01-01, which are shown as dates; two bins are equal whether or not they are dates.
    """

    name: str
    edges: Array | None = None
    even: bool = False
    values: Array | None = None
    date: bool = False

    @property
    def regular(self) -> int:
        """The number of bins for values seen when fitting."""
        if self.edges is not None:
            return int(self.edges.size) - 1
        assert self.values is not None
        return len(self.values)

    @property
    def size(self) -> int:
        """The number of bins, with those of unseen and missing values."""
        return self.regular + (1 if self.values is None else 2)

    @property
    def scale(self) -> float:
        """Bins per unit if all widths are equal, else 0."""
        if not self.even:
            return 0.0
        assert self.edges is not None
        return float(self.regular / (self.edges[-1] - self.edges[0]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FeatureBins):
            return NotImplemented
        return (
            self.name == other.name
            and self.even == other.even
            and _equal(self.edges, other.edges)
            and _equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def edge_texts(self) -> list[str]:
        """Return the edges of a numeric feature as they are shown."""
        assert self.edges is not None
        return format_edges(self.edges, date=self.date)

    def bin_names(self) -> list[str]:
        """Return the names of the bins, in order."""
        if self.edges is None:
            assert self.values is not None
            return [*map(_format_value, self.values.tolist()), "(unseen)", "(missing)"]
        edges = self.edge_texts()
        if self.regular == 1 and self.edges[0] == self.edges[1]:
            return [edges[0], "(missing)"]
        names = [f"[{low}, {high})" for low, high in pairwise(edges)]
        return [*names[:-1], names[-1][:-1] + "]", "(missing)"]

    def summary(self) -> str:
        """Return the edges or values in one line, abbreviated if they are many."""
        parts = self.edge_texts() if self.edges is not None else self.bin_names()[:-2]
        if len(parts) > _SHOWN:
            parts = [*parts[: _SHOWN - 2], "…", parts[-1]]
        return " ".join(parts)


def _format_value(value: Any) -> str:
    """Format a value; integral floats have no decimal point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def known_edges(name: str, values: Any) -> Array:
    """Check the edges that the user passed for a feature."""
    refuse_masked(values, f"the list of edges of {name!r}")
    refusal = f"the edges of {name!r} are not a list of at least two numbers."
    edges = to_array(values, refusal)
    if edges.ndim != 1 or edges.size < 2 or edges.dtype.kind not in "iuf":
        raise InputError(refusal)
    edges = edges.astype(np.float64)
    if not (edges[1:] > edges[:-1]).all():
        raise InputError(
            f"the edges of {name!r} are not increasing; sort them and drop repeated ones."
        )
    return edges


def bin_numeric(name: str, edges: Array, *, date: bool = False) -> FeatureBins:
    """Return the bins of a numeric feature, or of dates as days, with these edges."""
    return FeatureBins(name, read_only(edges), has_even_bins(edges), date=date)


def has_even_bins(edges: Array) -> bool:
    """Whether all bins have the same width, by which the bin of a value can be computed."""
    low, high, n_bins = float(edges[0]), float(edges[-1]), edges.size - 1
    # The scale is 0 or infinite if the range is too wide or too narrow for floats.
    scale = n_bins / (high - low) if low < high else 0.0
    return 0 < scale < np.inf and np.array_equal(edges, even_edges(low, high, n_bins))


def bin_categorical(name: str, values: Sequence[Any]) -> FeatureBins:
    """Return the bins of a categorical feature: one for each value, sorted."""
    ordered = as_names([values[i] for i in name_order(values)])
    return FeatureBins(name, values=read_only(ordered))


def even_edges(low: float, high: float, n_bins: int) -> Array:
    """Return the edges of bins of equal width; fewer if some edges coincide by rounding.

    >>> even_edges(0.0, 1.0, 4).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if low > high:  # there are no values: one bin for any value
        return np.array([-np.inf, np.inf])
    if low == high:
        return np.array([low, high])
    fractions = np.arange(n_bins + 1) / n_bins
    if np.isfinite(high - low):
        edges = low + (high - low) * fractions
    else:
        edges = low * (1 - fractions) + high * fractions
    edges[-1] = high
    return edges if (np.diff(edges) > 0).all() else np.unique(edges)


def frequency_edges(values: Array, counts: Array, n_bins: int) -> Array:
    """Return the edges of bins with equal counts, as far as ties allow.

    ``values`` are distinct and increasing, ``counts`` their multiplicities. A cut lies
    halfway between two successive values, where the cumulative count is nearest to the
    quantile; cuts between the same two values become one.

    >>> frequency_edges(np.array([1.0, 2.0, 3.0, 9.0]), np.array([1, 1, 1, 1]), 2).tolist()
    [1.0, 2.5, 9.0]
    >>> frequency_edges(np.array([0.0, 1.0]), np.array([90, 10]), 4).tolist()
    [0.0, 0.5, 1.0]
    """
    if not values.size:
        return even_edges(np.inf, -np.inf, n_bins)
    if values.size == 1:
        return np.array([values[0], values[0]])
    ends = np.cumsum(counts)
    total = int(ends[-1])
    ranks = ends[:-1]
    # Compare multiples of 1/n_bins, so that no proportion is rounded.
    wanted = np.arange(1, n_bins) * total
    after = np.clip(np.searchsorted(ranks * n_bins, wanted), 0, ranks.size - 1)
    before = np.maximum(after - 1, 0)
    nearer_before = wanted - ranks[before] * n_bins <= ranks[after] * n_bins - wanted
    chosen = np.unique(np.where(nearer_before, before, after))
    return _with_ends(values, chosen + 1)


def count_even_bins(values: Array, counts: Array, edges: Array) -> Array:
    """Return the number of values in each of these bins of equal width.

    The bin of a value is computed as in profiles and in the engines of frames.

    >>> count_even_bins(np.array([0.0, 1.0, 4.0]), np.array([5, 2, 1]), np.array([0.0, 2.0, 4.0]))
    array([7, 1])
    """
    n_bins = edges.size - 1
    scaled = (values - edges[0]) * (n_bins / (edges[-1] - edges[0]))
    codes = np.clip(scaled, 0, n_bins - 1).astype(np.int64)
    return np.bincount(codes, counts, minlength=n_bins).astype(np.int64)


def is_skewed(counts: Array) -> bool:
    """Whether bins of equal width, with these counts, show little of a feature.

    The fullest bin has more than half of the values, and more than three times as many as if all
    bins had the same number.

    >>> is_skewed(np.array([97, 1, 1, 1, 0, 0, 0])), is_skewed(np.array([30, 40, 30]))
    (True, False)
    """
    fullest, total = int(counts.max()), int(counts.sum())
    return fullest > total / 2 and fullest * counts.size > 3 * total


def mdl_edges(values: Array, classes: Array, n_classes: int) -> Array:
    """Return the edges of Fayyad and Irani's recursive entropy splits with the MDL criterion.

    ``values`` have no NaN, ``classes`` are codes below ``n_classes``.

    >>> mdl_edges(np.arange(12.0), np.repeat([0, 1], 6), 2).tolist()
    [0.0, 5.5, 11.0]
    """
    from clusterwise._utils.threads import run_interruptibly
    from clusterwise.kernels.binning import mdl_cuts

    if not values.size:
        return even_edges(np.inf, -np.inf, 1)
    order = np.argsort(values, kind="stable")
    ordered = values[order].astype(np.float64)
    cuts = run_interruptibly(
        10.0 * values.size * n_classes, mdl_cuts, read_only(ordered), read_only(classes[order]),
        n_classes,
    )  # fmt: skip
    return _with_ends(ordered, cuts)


def _with_ends(ordered: Array, starts: Array) -> Array:
    """Return the edges, given the positions in the sorted values where bins start."""
    before, after = ordered[starts - 1], ordered[starts]
    middle = before / 2 + after / 2
    # Adjacent floats have no midpoint; the upper one then starts the bin.
    middle = np.where(middle > before, middle, after)
    return np.concatenate([ordered[:1], middle, ordered[-1:]])


def _equal(first: Array | None, second: Array | None) -> bool:
    if first is None or second is None:
        return first is second
    return first.shape == second.shape and bool(np.all(first == second))


def value_ranges(matrix: Array) -> tuple[Array, Array]:
    """Return the minimum and maximum of every column; inf and -inf if it has no value."""
    from clusterwise._utils.threads import parts_for, run_parts
    from clusterwise.kernels.binning import fold_range

    n, width = matrix.shape
    if matrix.dtype.kind == "f":
        least, most = -np.inf, np.inf
    else:
        least, most = np.iinfo(matrix.dtype).min, np.iinfo(matrix.dtype).max
    parts = min(parts_for(matrix.size), max(n, 1))
    low = np.full((parts, width), most, matrix.dtype)
    high = np.full((parts, width), least, matrix.dtype)

    def task(part: int) -> None:
        first, last = n * part // parts, n * (part + 1) // parts
        rows = matrix[first:last]
        if matrix.flags.f_contiguous:
            for r in range(width):
                column = rows[:, r : r + 1]
                _fold(column, low[part, r : r + 1], high[part, r : r + 1], fold_range)
        elif matrix.flags.c_contiguous:
            _fold(rows, low[part], high[part], fold_range)
        else:  # copy blocks of rows, never all rows
            step = max(1, _BLOCK // width)
            for i in range(0, len(rows), step):
                block = np.ascontiguousarray(rows[i : i + step])
                _fold(block, low[part], high[part], fold_range)

    run_parts(task, parts)
    return low.min(axis=0).astype(np.float64), high.max(axis=0).astype(np.float64)


def _fold(rows: Array, low: Array, high: Array, fold_range: Any) -> None:
    """Update the range of each column from contiguous rows."""
    n, width = rows.shape
    times = max(1, _WIDTH // width)
    whole = n // times
    wide_low, wide_high = np.tile(low, times), np.tile(high, times)
    wide = rows[: whole * times].reshape(whole, times * width)
    fold_range(read_only(wide), 0, whole, wide_low, wide_high)
    fold_range(read_only(rows), whole * times, n, low, high)
    np.minimum(low, wide_low.reshape(times, width).min(axis=0), out=low)
    np.maximum(high, wide_high.reshape(times, width).max(axis=0), out=high)
