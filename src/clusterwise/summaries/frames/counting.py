"""The objects of each cluster in each bin, counted by any engine in one scan.

For every bin there is a column that holds 1 (or the weight) where the value is in it, and the
engine counts or adds these up for each cluster. Where an engine is better at many rows than at
many columns, numbers become codes of bins, a row for each, which are grouped by.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import WEIGHT, SelectedColumns, fetch, floats, integers, prefers_rows
from clusterwise.summaries.frames.bins import SIDES, BinnedColumn
from clusterwise.summaries.frames.labels import as_kinds, labels_of, refuse_missing_labels, totals
from clusterwise.summaries.profile.bin_counts import Spread

# Columns that are counted in one scan.
_MOST_COLUMNS = 1000


def spread_of(picked: SelectedColumns, binning: Binning) -> Spread:
    """The objects of each cluster in each bin; column 0 has the labels, the others follow."""
    weighted = picked.weighting is not None
    columns = [
        BinnedColumn(feature, r, picked.dtypes[r + 1]) for r, feature in enumerate(binning.features)
    ]
    blocks: dict[int, Array] = {}
    outside = np.zeros((2, len(columns)), np.int64)
    names = np.empty(0, object)
    coded = [one for one in columns if one.is_numeric] if prefers_rows(picked.frame) else []
    if coded:
        names = _add_codes(picked, coded, blocks, outside)
    left = [one for one in columns if one.by_conditions and one.place not in blocks]
    for scan in _scans(left, weighted=weighted):
        groups = _scan(picked, scan, weighted=weighted)
        names = groups.names
        for one in scan:
            tables = [groups.table(f"b{one.place}_{i}") for i in range(one.width(weighted))]
            bins = tables if weighted else one.counted(tables, groups.sizes)
            blocks[one.place] = np.column_stack(bins)
            if one.is_numeric:
                outside[:, one.place] = [groups.rows(f"{end}{one.place}") for end in "lh"]
    for one in columns:
        if not one.by_conditions:
            blocks[one.place], names = _grouped(picked, one)
        elif outside[:, one.place].any():
            _refuse_infinite(picked, one)
    counts = np.hstack([blocks[one.place] for one in columns])
    return Spread(counts, names, outside[0], outside[1])


@dataclass(frozen=True)
class _Groups:
    """What one scan found: a row per cluster, in the order of ``names``."""

    found: Any
    places: Array
    names: Array
    sizes: Array
    kind: Any

    def table(self, name: str) -> Array:
        """A column of counts or sums, for each cluster."""
        column = self.found.get_column(name)
        values = integers(column) if self.kind == np.int64 else floats(column)
        sums = np.zeros(len(self.names), self.kind)
        np.add.at(sums, self.places, values)
        return sums

    def rows(self, name: str) -> int:
        """A column of counts, of all clusters."""
        return int(integers(self.found.get_column(name)).sum())


def _scans(columns: Sequence[BinnedColumn], *, weighted: bool) -> list[list[BinnedColumn]]:
    """Columns that are counted together, in as few scans as there may be."""
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


def _scan(picked: SelectedColumns, scan: Sequence[BinnedColumn], *, weighted: bool) -> _Groups:
    import narwhals.stable.v2 as nw

    kept = ["c0", WEIGHT] if weighted else ["c0"]
    weight = nw.col(WEIGHT)
    zero = 0 if picked.weighting is None or picked.weighting.whole else 0.0
    made, sums = [], []
    for one in scan:
        for i, condition in enumerate(one.conditions(weighted)):
            name = f"b{one.place}_{i}"
            if weighted:
                made.append(nw.when(condition).then(weight).otherwise(zero).alias(name))
                sums.append(nw.col(name).sum())
            else:
                made.append(nw.when(condition).then(1).alias(name))
                sums.append(nw.col(name).count())
        if one.is_numeric:
            names = f"l{one.place}", f"h{one.place}"
            for name, beyond in zip(names, one.beyond(), strict=True):
                made.append(nw.when(beyond).then(1).alias(name))
                sums.append(nw.col(name).count())
    values = picked.frame.select(*kept, *(one.value().alias(f"v{one.place}") for one in scan))
    query = values.select(*kept, *made).group_by("c0").agg(*totals(picked), *sums)
    found = fetch(query)
    return _read_groups(picked, found)


def _read_groups(picked: SelectedColumns, found: Any) -> _Groups:
    """Groups by the labels in column 0, read like any labels."""
    kinds = as_kinds(picked, found)
    refuse_missing_labels(kinds, picked.names[:1])
    codes = labels_of(kinds, 0, picked.names[0]).codes.exact()
    places, names = codes.positions().astype(np.int64), codes.names_at(np.arange(codes.size))
    sizes = np.zeros(codes.size, kinds.weights.dtype)
    np.add.at(sizes, places, kinds.weights)
    return _Groups(found, places, names, sizes, kinds.weights.dtype)


def _add_codes(
    picked: SelectedColumns,
    columns: Sequence[BinnedColumn],
    blocks: dict[int, Array],
    outside: Array,
) -> Array:
    """Numbers as codes of bins, a row for each, grouped by; the names of the clusters."""
    import narwhals.stable.v2 as nw

    kept = ["c0", WEIGHT] if picked.weighting is not None else ["c0"]
    stride = SIDES * max(one.feature.size for one in columns)
    values = picked.frame.select(*kept, *(one.value().alias(f"v{one.place}") for one in columns))
    codes = [(one.code() + i * stride).alias(f"b{one.place}") for i, one in enumerate(columns)]
    rows = values.select(*kept, *codes).unpivot(
        [f"b{one.place}" for one in columns], index=kept, variable_name="of", value_name="code"
    )
    found = fetch(rows.group_by("c0", "code").agg(*totals(picked)))
    # Each object is there once for each feature; what is said of objects counts them once.
    _read_groups(picked, found.filter(nw.col("code") < stride))
    groups, kinds = _read_groups(picked, found), as_kinds(picked, found)
    of, rest = np.divmod(integers(found.get_column("code")), stride)
    bins, sides = np.divmod(rest, SIDES)
    for i, one in enumerate(columns):
        here = of == i
        counts = np.zeros((len(groups.names), one.feature.size), groups.kind)
        np.add.at(counts, (groups.places[here], bins[here]), kinds.weights[here])
        blocks[one.place] = counts
        outside[:, one.place] = [kinds.rows[here & (sides == side)].sum() for side in (1, 2)]
    return groups.names


def _grouped(picked: SelectedColumns, one: BinnedColumn) -> tuple[Array, Array]:
    """A feature with very many values, grouped by them."""
    kept = ["c0", WEIGHT] if picked.weighting is not None else ["c0"]
    values = picked.frame.select(*kept, one.value().alias("v"))
    found = fetch(values.group_by("c0", "v").agg(*totals(picked)))
    groups = _read_groups(picked, found)
    known = {value: code for code, value in enumerate(one.values())}
    regular = one.feature.regular
    column = found.get_column("v")
    gaps = column.is_null().to_list()
    bins = [
        regular + 1 if gap else known.get(value, regular)
        for value, gap in zip(column.to_list(), gaps, strict=True)
    ]
    counts = np.zeros((len(groups.names), one.feature.size), groups.kind)
    np.add.at(counts, (groups.places, np.array(bins, np.int64)), as_kinds(picked, found).weights)
    return counts, groups.names


def _refuse_infinite(picked: SelectedColumns, one: BinnedColumn) -> None:
    """Say so if what lies outside the range is infinite."""
    import narwhals.stable.v2 as nw

    values = picked.frame.select(one.value().alias("v"))
    found = fetch(values.select(nw.col("v").min().alias("l"), nw.col("v").max().alias("h")))
    for end in "lh":
        value = floats(found.get_column(end))[0]
        if np.isinf(value):
            raise InputError(
                f"column {one.feature.name!r} of X holds {value}; replace it by a number, or by "
                "NaN if it is missing."
            )
