"""Counts of the objects of each cluster in each bin, by any engine in one scan.

For every bin there is a column that is 1 (or the weight) where the value is in the bin, and the
engine sums these columns for each cluster. For engines that are faster with many rows than with
many columns, numeric values become codes of bins, one row each, by which rows are grouped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    collect_query,
    floats,
    integers,
    prefers_grouping,
)
from clusterwise.summaries.frames.bin_conditions import SIDES, BinnedColumn
from clusterwise.summaries.frames.distinct_rows import (
    as_distinct_rows,
    column_labels,
    refuse_missing_labels,
    totals,
)
from clusterwise.summaries.profile.bin_counts import BinCounts

# The largest number of columns that are counted in one scan.
_MOST_COLUMNS = 1000


def count_selected(selected: SelectedColumns, binning: Binning) -> BinCounts:
    """Count the objects of each cluster in each bin; column 0 has the labels."""
    weighted = selected.weighting is not None
    columns = [
        BinnedColumn(feature, r, selected.dtypes[r + 1])
        for r, feature in enumerate(binning.features)
    ]
    blocks: dict[int, Array] = {}
    outside = np.zeros((2, len(columns)), np.int64)
    names = np.empty(0, object)
    coded = [one for one in columns if one.is_numeric] if prefers_grouping(selected.frame) else []
    if coded:
        names = _add_codes(selected, coded, blocks, outside)
    left = [one for one in columns if one.by_conditions and one.index not in blocks]
    for scan in _scans(left, weighted=weighted):
        groups = _scan(selected, scan, weighted=weighted)
        names = groups.names
        for one in scan:
            tables = [groups.table(f"b{one.index}_{i}") for i in range(one.width(weighted))]
            bins = tables if weighted else one.counted(tables, groups.sizes)
            blocks[one.index] = np.column_stack(bins)
            if one.is_numeric:
                outside[:, one.index] = [groups.rows(f"{end}{one.index}") for end in "lh"]
    for one in columns:
        if not one.by_conditions:
            blocks[one.index], names = _grouped(selected, one)
        elif outside[:, one.index].any():
            _refuse_infinite(selected, one)
    counts = np.hstack([blocks[one.index] for one in columns])
    return BinCounts(counts, names, outside[0], outside[1])


@dataclass(frozen=True)
class _Groups:
    """The result of a scan: groups, and the index of the cluster of each group."""

    found: Any
    clusters: Array
    names: Array
    sizes: Array
    dtype: Any

    def table(self, name: str) -> Array:
        """Return a column of counts or sums for each cluster."""
        column = self.found.get_column(name)
        values = integers(column) if self.dtype == np.int64 else floats(column)
        sums = np.zeros(len(self.names), self.dtype)
        np.add.at(sums, self.clusters, values)
        return sums

    def rows(self, name: str) -> int:
        """Return the sum of a column of counts over all clusters."""
        return int(integers(self.found.get_column(name)).sum())


def _scans(columns: Sequence[BinnedColumn], *, weighted: bool) -> list[list[BinnedColumn]]:
    """Distribute columns over as few scans as possible."""
    scans: list[list[BinnedColumn]] = []
    used = _MOST_COLUMNS
    for one in columns:
        width = one.width(weighted) + 2
        if used + width > _MOST_COLUMNS:
            scans.append([])
            used = 0
        scans[-1].append(one)
        used += width
    return scans


def _scan(selected: SelectedColumns, scan: Sequence[BinnedColumn], *, weighted: bool) -> _Groups:
    import narwhals.stable.v2 as nw

    kept = ["c0", WEIGHT] if weighted else ["c0"]
    weight = nw.col(WEIGHT)
    zero = 0 if selected.weighting is None or selected.weighting.whole else 0.0
    made, sums = [], []
    for one in scan:
        for i, condition in enumerate(one.conditions(weighted)):
            name = f"b{one.index}_{i}"
            if weighted:
                made.append(nw.when(condition).then(weight).otherwise(zero).alias(name))
                sums.append(nw.col(name).sum())
            else:
                made.append(nw.when(condition).then(1).alias(name))
                sums.append(nw.col(name).count())
        if one.is_numeric:
            names = f"l{one.index}", f"h{one.index}"
            for name, beyond in zip(names, one.beyond(), strict=True):
                made.append(nw.when(beyond).then(1).alias(name))
                sums.append(nw.col(name).count())
    values = selected.frame.select(*kept, *(one.value().alias(f"v{one.index}") for one in scan))
    query = values.select(*kept, *made).group_by("c0").agg(*totals(selected), *sums)
    found = collect_query(query)
    return _read_groups(selected, found)


def _read_groups(selected: SelectedColumns, found: Any) -> _Groups:
    """Read groups by the labels in column 0."""
    distinct = as_distinct_rows(selected, found)
    refuse_missing_labels(distinct, selected.names[:1])
    codes = column_labels(distinct, 0, selected.names[0]).codes.exact()
    clusters, names = codes.positions().astype(np.int64), codes.all_names()
    sizes = np.zeros(codes.size, distinct.weights.dtype)
    np.add.at(sizes, clusters, distinct.weights)
    return _Groups(found, clusters, names, sizes, distinct.weights.dtype)


def _add_codes(
    selected: SelectedColumns,
    columns: Sequence[BinnedColumn],
    blocks: dict[int, Array],
    outside: Array,
) -> Array:
    """Count numeric features by codes of bins, one row each; return the names of the clusters."""
    import narwhals.stable.v2 as nw

    kept = ["c0", WEIGHT] if selected.weighting is not None else ["c0"]
    stride = SIDES * max(one.feature.size for one in columns)
    values = selected.frame.select(*kept, *(one.value().alias(f"v{one.index}") for one in columns))
    codes = [(one.code() + i * stride).alias(f"b{one.index}") for i, one in enumerate(columns)]
    rows = values.select(*kept, *codes).unpivot(
        [f"b{one.index}" for one in columns], index=kept, variable_name="of", value_name="code"
    )
    found = collect_query(rows.group_by("c0", "code").agg(*totals(selected)))
    # Every object has a row per feature; errors must count it once.
    _read_groups(selected, found.filter(nw.col("code") < stride))
    groups, distinct = _read_groups(selected, found), as_distinct_rows(selected, found)
    of, rest = np.divmod(integers(found.get_column("code")), stride)
    bins, sides = np.divmod(rest, SIDES)
    for i, one in enumerate(columns):
        here = of == i
        counts = np.zeros((len(groups.names), one.feature.size), groups.dtype)
        np.add.at(counts, (groups.clusters[here], bins[here]), distinct.weights[here])
        blocks[one.index] = counts
        outside[:, one.index] = [distinct.rows[here & (sides == side)].sum() for side in (1, 2)]
    return groups.names


def _grouped(selected: SelectedColumns, one: BinnedColumn) -> tuple[Array, Array]:
    """Count a feature with very many values by grouping by value."""
    kept = ["c0", WEIGHT] if selected.weighting is not None else ["c0"]
    values = selected.frame.select(*kept, one.value().alias("v"))
    found = collect_query(values.group_by("c0", "v").agg(*totals(selected)))
    groups = _read_groups(selected, found)
    known = {value: code for code, value in enumerate(one.values())}
    regular = one.feature.regular
    column = found.get_column("v")
    missing = column.is_null().to_list()
    bins = [
        regular + 1 if is_missing else known.get(value, regular)
        for value, is_missing in zip(column.to_list(), missing, strict=True)
    ]
    counts = np.zeros((len(groups.names), one.feature.size), groups.dtype)
    np.add.at(
        counts,
        (groups.clusters, np.array(bins, np.int64)),
        as_distinct_rows(selected, found).weights,
    )
    return counts, groups.names


def _refuse_infinite(selected: SelectedColumns, one: BinnedColumn) -> None:
    """Refuse infinite values among those outside of the range."""
    import narwhals.stable.v2 as nw

    values = selected.frame.select(one.value().alias("v"))
    found = collect_query(values.select(nw.col("v").min().alias("l"), nw.col("v").max().alias("h")))
    for end in "lh":
        value = floats(found.get_column(end))[0]
        if np.isinf(value):
            raise InputError(
                f"column {one.feature.name!r} of X has the value {value}; replace it by a number, "
                "or by NaN if it is missing."
            )
