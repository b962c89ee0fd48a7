"""Fit bins in a dataframe engine: ranges, distinct values and exact quantiles."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.edges import (
    FeatureBins,
    bin_categorical,
    bin_numeric,
    even_edges,
    frequency_edges,
    has_even_bins,
    is_skewed,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Kind, unreadable_column_error, used_categories
from clusterwise.inputs.frames import (
    SelectedColumns,
    as_names,
    collect_query,
    floats,
    integers,
    nan_to_null,
    select_columns,
)
from clusterwise.inputs.series import encode_series

# The number of cells that a range is divided into to find quantiles, and the largest number of
# values that are collected.
_CELLS = 4096
_MOST_VALUES = 1 << 20
_SMALLEST = 5e-324


class Range(NamedTuple):
    """The minimum and maximum of a feature; inf and -inf if it has no value."""

    low: float
    high: float


def column_kind(name: str, dtype: Any) -> Kind:
    """Return whether a column is numeric or categorical."""
    import narwhals.stable.v2 as nw

    if dtype.is_numeric():
        return "numeric"
    if isinstance(dtype, nw.Boolean | nw.String | nw.Categorical | nw.Enum | nw.Object):
        return "nominal"
    raise unreadable_column_error(name, str(dtype))


def fit_feature_bins(
    frames: Sequence[Any], features: Sequence[str], method: str, n_bins: int
) -> tuple[FeatureBins, ...]:
    """Fit the bins of these columns to the rows of all frames."""
    if method == "mdl":
        raise InputError(
            "method='mdl' needs all values in memory; fit the binning to a sample, or use 'width' "
            "or 'frequency'."
        )
    parts = [select_columns(frame, features) for frame in frames]
    kinds = [_common_kind(parts, index, name) for index, name in enumerate(features)]
    numeric = [
        index for index, kind in enumerate(kinds) if kind == "numeric" and method != "nominal"
    ]
    ranges = _ranges(parts, numeric)
    fitted = []
    for index, name in enumerate(features):
        if index not in ranges:
            fitted.append(bin_categorical(name, _values(parts, index)))
            continue
        edges = even_edges(*ranges[index], n_bins)
        if method == "frequency" or (method == "auto" and _is_skewed(parts, index, edges)):
            edges = _quantiles(parts, index, ranges[index], n_bins)
        fitted.append(bin_numeric(name, edges))
    return tuple(fitted)


def _common_kind(parts: Sequence[SelectedColumns], index: int, name: str) -> Kind:
    kinds = {column_kind(name, part.dtypes[index]) for part in parts}
    if len(kinds) > 1:
        raise InputError(
            f"column {name!r} is numeric in one frame and categorical in another; convert it to "
            "one type."
        )
    return kinds.pop()


def _ranges(parts: Sequence[SelectedColumns], indices: Sequence[int]) -> dict[int, Range]:
    """Return the ranges of these columns, in one pass over each frame."""
    import narwhals.stable.v2 as nw

    ends = np.tile([[np.inf], [-np.inf]], len(indices))
    objects = 0
    for part in parts:
        numbers = [
            nan_to_null(nw.col(f"c{index}"), part.dtypes[index]).alias(f"v{index}")
            for index in indices
        ]
        made = part.frame.select(*numbers) if numbers else part.frame
        query = made.select(
            *(nw.col(f"v{index}").min().alias(f"l{index}") for index in indices),
            *(nw.col(f"v{index}").max().alias(f"h{index}") for index in indices),
            nw.len().alias("n"),
        )
        found = collect_query(query)
        objects += int(integers(found.get_column("n"))[0])
        for i, index in enumerate(indices):
            low, high = (floats(found.get_column(f"{end}{index}"))[0] for end in "lh")
            if np.isinf(low) or np.isinf(high):
                infinite = low if np.isinf(low) else high
                raise InputError(
                    f"column {part.names[index]!r} of X has the value {infinite}; replace it by a "
                    "number, or by NaN if it is missing."
                )
            ends[0, i], ends[1, i] = np.fmin(ends[0, i], low), np.fmax(ends[1, i], high)
    if not objects:
        raise InputError("X has no objects; pass at least one.")
    return {index: Range(*ends[:, i].tolist()) for i, index in enumerate(indices)}


def _values(parts: Sequence[SelectedColumns], index: int) -> list[Any]:
    """Return the distinct values of a column, without missing values."""
    import narwhals.stable.v2 as nw

    values: dict[Any, None] = {}
    for part in parts:
        column, dtype = nw.col(f"c{index}"), part.dtypes[index]
        if dtype.is_float():
            column = nan_to_null(column, dtype)
        named = part.frame.select(as_names(column, dtype).alias("v"))
        found = collect_query(named.filter(~nw.col("v").is_null()).unique()).get_column("v")
        if len(found):
            codes = encode_series(found.to_native(), f"column {part.names[index]!r} of X")
            assert codes is not None
            values.update(dict.fromkeys(used_categories(codes).values))
    return list(values)


def _is_skewed(parts: Sequence[SelectedColumns], index: int, edges: Array) -> bool:
    """Whether most values are in one of these bins of equal width, in one pass over each frame."""
    import narwhals.stable.v2 as nw

    if not has_even_bins(edges):
        return False
    n_bins = edges.size - 1
    counts = np.zeros(n_bins, np.int64)
    value, scale = nw.col("v"), float(n_bins / (edges[-1] - edges[0]))
    code = ((value - float(edges[0])) * scale).clip(0.0, n_bins - 1.0).floor()
    for part in parts:
        number = nan_to_null(nw.col(f"c{index}"), part.dtypes[index]).alias("v")
        made = part.frame.select(number).filter(~value.is_null())
        made = made.select(code.cast(nw.Int64).alias("bin"))
        table = collect_query(made.group_by("bin").agg(nw.len().alias("n")))
        np.add.at(counts, integers(table.get_column("bin")), integers(table.get_column("n")))
    return is_skewed(counts)


class _Cells(NamedTuple):
    """Cells of a range, in order: the minimum, maximum and number of the values in each."""

    lows: Array
    highs: Array
    counts: Array


def _quantiles(parts: Sequence[SelectedColumns], index: int, ends: Range, n_bins: int) -> Array:
    """Return the exact quantiles of all values, most of which stay in the engine.

    Cells that contain a quantile are divided again until they have few values, which are then
    collected. Of the other cells the minimum and maximum are enough: quantiles outside of the
    selected cells lie between values of different cells.
    """
    if not ends.low < ends.high:
        return even_edges(*ends, n_bins)
    cells = _Cells(np.array([ends.low]), np.array([ends.high]), np.array([_MOST_VALUES + 1]))
    wanted = np.array([True])
    while cells.counts[wanted].sum() > _MOST_VALUES:
        cells = _refine(parts, index, cells, wanted)
        wanted = _contain_quantiles(cells, n_bins)
    values, counts = _collect_values(parts, index, cells, wanted)
    for low, high, count in zip(*(part[~wanted].tolist() for part in cells), strict=True):
        values += [low, high] if low < high else [low]
        counts += [count - 1, 1] if low < high else [count]
    order = np.argsort(values)
    return frequency_edges(np.array(values)[order], np.array(counts, np.int64)[order], n_bins)


def _contain_quantiles(cells: _Cells, n_bins: int) -> Array:
    """Select the cells with several distinct values that contain a quantile."""
    ends = np.cumsum(cells.counts)
    ranks = np.arange(1, n_bins) * int(ends[-1])
    cell = np.searchsorted(ends * n_bins, ranks)
    inside = np.zeros(ends.size, bool)
    inside[cell[ends[cell] * n_bins != ranks]] = True
    return inside & (cells.lows < cells.highs)


def _refine(parts: Sequence[SelectedColumns], index: int, cells: _Cells, wanted: Array) -> _Cells:
    """Divide the selected cells into smaller ones, and keep the others."""
    import narwhals.stable.v2 as nw

    value = nw.col("v")
    code = nw.lit(-1.0)
    for i, (low, high) in enumerate(zip(cells.lows[wanted], cells.highs[wanted], strict=True)):
        step = float(high) / _CELLS - float(low) / _CELLS or _SMALLEST
        within = ((value - float(low)) / step).clip(0.0, _CELLS - 1.0)
        inside = (value >= float(low)) & (value <= float(high))
        code = nw.when(inside).then(within.floor() + float(i * _CELLS)).otherwise(code)
    found: dict[float, tuple[float, float, int]] = {}
    for part in parts:
        number = nan_to_null(nw.col(f"c{index}"), part.dtypes[index]).alias("v")
        made = part.frame.select(number).filter(~value.is_null())
        made = made.select("v", code.cast(nw.Int64).alias("cell")).filter(nw.col("cell") >= 0)
        query = made.group_by("cell").agg(
            value.min().alias("low"), value.max().alias("high"), nw.len().alias("n")
        )
        table = collect_query(query)
        columns = [floats(table.get_column(name)).tolist() for name in ("cell", "low", "high")]
        counts = integers(table.get_column("n")).tolist()
        for cell, low, high, count in zip(*columns, counts, strict=True):
            before = found.get(cell, (np.inf, -np.inf, 0))
            found[cell] = min(before[0], low), max(before[1], high), before[2] + count
    new = [np.array(part) for part in zip(*found.values(), strict=True)]
    merged = [np.concatenate([old[~wanted], part]) for old, part in zip(cells, new, strict=True)]
    order = np.argsort(merged[0])
    return _Cells(*(part[order] for part in merged))


def _collect_values(
    parts: Sequence[SelectedColumns], index: int, cells: _Cells, wanted: Array
) -> tuple[list[float], list[int]]:
    """Return the distinct values in the selected cells, and their counts."""
    import narwhals.stable.v2 as nw

    if not wanted.any():
        return [], []
    value = nw.col("v")
    inside = nw.lit(False)
    for low, high in zip(cells.lows[wanted], cells.highs[wanted], strict=True):
        inside = inside | ((value >= float(low)) & (value <= float(high)))
    found: dict[float, int] = {}
    for part in parts:
        number = nan_to_null(nw.col(f"c{index}"), part.dtypes[index]).alias("v")
        made = part.frame.select(number).filter(~value.is_null()).filter(inside)
        table = collect_query(made.group_by("v").agg(nw.len().alias("n")))
        values, counts = floats(table.get_column("v")), integers(table.get_column("n"))
        for one, count in zip(values.tolist(), counts.tolist(), strict=True):
            found[one] = found.get(one, 0) + count
    return list(found), list(found.values())
