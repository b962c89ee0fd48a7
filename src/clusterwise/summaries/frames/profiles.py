"""Density profiles of frames of any engine: one scan that counts by conditions.

For every bin there is a column that holds 1 (or the weight) where the value is in it, and the
engine counts or adds these up for each cluster.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from clusterwise.binning import Binning, Method
from clusterwise.clusterings import Noise, as_clustering
from clusterwise.encoding import Array
from clusterwise.encoding import as_names as label_names
from clusterwise.engines import (
    WEIGHT,
    Picked,
    Weighting,
    as_eager,
    as_names,
    column_names,
    eager_column,
    fetch,
    floats,
    integers,
    partitions,
    pick,
    require_columns,
    sum_parts,
    without_nan,
)
from clusterwise.errors import InputError
from clusterwise.summaries.frames.bins import BinnedColumn
from clusterwise.summaries.frames.labels import (
    as_kinds,
    labels_of,
    refuse_gaps,
    refuse_missing_rows,
    totals,
)
from clusterwise.summaries.profile import DensityProfile
from clusterwise.summaries.spread import Spread

# Columns that are counted in one scan.
_MOST_COLUMNS = 1000


def profile_frame(
    frame: Any,
    labels: str | Sequence[str],
    features: Sequence[str] | None,
    binning: Binning | Method,
    n_bins: int,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> DensityProfile:
    """The profile of a clustering in a frame; see :meth:`DensityProfile.from_frame`."""
    mine = [labels] if isinstance(labels, str) else list(labels)
    columns = choose_features(frame, features, binning, [*mine, weights])
    eager = as_eager(frame)
    if eager is not None:
        require_columns(eager, columns)
        weighing = None if weights is None else np.asarray(eager_column(eager, weights))
        X = eager.select(columns).to_native()
        found: Any
        if isinstance(labels, str):
            found = as_clustering(eager_column(eager, labels), f"column {labels!r}")
            if binning == "mdl":
                binning = Binning("mdl", n_bins).fit(X, found.codes.positions())
        else:
            require_columns(eager, mine)
            found = eager.select(mine).to_native()
        return DensityProfile.from_data(
            X, found, binning=binning, n_bins=n_bins, sample_weight=weighing, noise=noise,
            noise_label=noise_label,
        )  # fmt: skip
    check_noise(noise)
    if not isinstance(binning, Binning):
        binning = Binning(binning, n_bins).fit_frames(frame, features=columns)
    parts = partitions(frame, [*mine, *binning.names, *filter(None, [weights])])
    if parts is not None:
        return _profile_parts(parts, labels, binning, weights, noise, noise_label)
    picked = pick(frame, [*mine, *binning.names], weights)
    if not isinstance(labels, str):
        return DensityProfile.from_spread(_soft_spread(picked, mine, binning), binning)
    if noise == "drop":
        picked = drop_noise(picked, [0], noise_label)
    return DensityProfile.from_spread(spread_of(picked, binning), binning)


def _soft_spread(picked: Picked, shares: list[str], binning: Binning) -> Spread:
    """Expected counts: a scan for each cluster, whose shares are the weights."""
    import narwhals.stable.v2 as nw

    rows = []
    for k, name in enumerate(shares):
        share = without_nan(nw.col(f"c{k}"), picked.dtypes[k])
        weight = share if picked.weighting is None else share * nw.col(WEIGHT)
        others = [
            nw.col(f"c{len(shares) + r}").alias(f"c{r + 1}") for r in range(len(binning.names))
        ]
        frame = picked.frame.select(nw.lit(0).alias("c0"), *others, weight.alias(WEIGHT))
        kinds = (nw.Int64(), *picked.dtypes[len(shares) :])
        one = Picked(frame, (name, *binning.names), kinds, Weighting(name, whole=False))
        rows.append(spread_of(one, binning))
    counts = np.vstack([one.counts for one in rows])
    return Spread(counts, label_names(shares), rows[0].below, rows[0].above)


def drop_noise_rows(frame: Any, columns: Sequence[str], noise_label: Any) -> Any:
    """The lazy frame without rows that one of these columns labels as noise."""
    names = column_names(frame)
    picked = pick(frame, names)
    left = drop_noise(picked, [names.index(name) for name in columns], noise_label).frame
    return left.rename({f"c{i}": name for i, name in enumerate(names)}).to_native()


def _profile_parts(
    parts: Sequence[Any],
    labels: str | Sequence[str],
    binning: Binning,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> DensityProfile:
    """The sum of the profiles that workers make of their own parts, by the kernels."""

    def one(part: Any) -> tuple[int, int, DensityProfile]:
        missing = int(part[labels].isna().sum()) if isinstance(labels, str) else 0
        if missing:
            return missing, len(part), DensityProfile.empty(binning)
        options = (binning, 0, weights, noise, noise_label)
        return 0, len(part), profile_frame(part, labels, None, *options)

    def add(several: list[tuple[int, int, DensityProfile]]) -> tuple[int, int, DensityProfile]:
        missing, rows, profiles = zip(*several, strict=True)
        return sum(missing), sum(rows), reduce(operator.add, profiles)

    missing, rows, profile = sum_parts(parts, one, add)
    refuse_missing_rows(str(labels), missing, rows)
    return profile


def choose_features(
    frame: Any, features: Sequence[str] | None, binning: Any, others: Sequence[str | None]
) -> list[str]:
    """The columns with the attributes: those asked for, of the binning, or all others."""
    if features is not None:
        if isinstance(features, str) or not len(features):
            raise InputError("name the columns of the features as a list of texts.")
        return list(features)
    if isinstance(binning, Binning):
        return binning.names
    return [name for name in column_names(frame) if name not in others]


def drop_noise(picked: Picked, places: Iterable[int], noise_label: Any) -> Picked:
    """The rows that none of these columns labels as noise; those without a label stay."""
    import narwhals.stable.v2 as nw

    frame = picked.frame
    for place in places:
        dtype, label = picked.dtypes[place], noise_label
        if isinstance(dtype, nw.Boolean) and label in (0, 1):
            label = bool(label)
        elif dtype.is_numeric() != isinstance(label, int | float | np.number):
            continue  # names of another kind than the label
        column = as_names(nw.col(f"c{place}"), dtype)
        frame = frame.filter((column != label) | column.is_null())
    return picked.replace_frame(frame)


def check_noise(noise: Noise) -> None:
    """Refuse what sums over clusters cannot do."""
    if noise == "singletons":
        raise InputError(
            "noise='singletons' makes a cluster of each object, which the engine cannot count; "
            "use 'cluster' or 'drop', or collect the frame first."
        )
    if noise not in ("cluster", "drop"):
        raise InputError(f"noise={noise!r} is unknown; use 'cluster', 'singletons' or 'drop'.")


def spread_of(picked: Picked, binning: Binning) -> Spread:
    """The objects of each cluster in each bin; column 0 has the labels, the others follow."""
    weighted = picked.weighting is not None
    columns = [
        BinnedColumn(attribute, r, picked.dtypes[r + 1])
        for r, attribute in enumerate(binning.attributes)
    ]
    blocks: dict[int, Array] = {}
    outside = np.zeros((2, len(columns)), np.int64)
    names = np.empty(0, object)
    for scan in _scans([one for one in columns if one.by_conditions], weighted=weighted):
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


def _scan(picked: Picked, scan: Sequence[BinnedColumn], *, weighted: bool) -> _Groups:
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
            edges = one.attribute.edges
            assert edges is not None
            # Finite ends make infinite values fall outside, where they are found.
            low, high = np.nan_to_num(edges[[0, -1]]).tolist()
            value = nw.col(f"v{one.place}")
            for name, beyond in ((f"l{one.place}", value < low), (f"h{one.place}", value > high)):
                made.append(nw.when(beyond).then(1).alias(name))
                sums.append(nw.col(name).count())
    values = picked.frame.select(*kept, *(one.value().alias(f"v{one.place}") for one in scan))
    query = values.select(*kept, *made).group_by("c0").agg(*totals(picked), *sums)
    found = fetch(query)
    return _read_groups(picked, found)


def _read_groups(picked: Picked, found: Any) -> _Groups:
    """Groups by the labels in column 0, read like any labels."""
    kinds = as_kinds(picked, found)
    refuse_gaps(kinds, picked.names[:1])
    codes = labels_of(kinds, 0, picked.names[0]).codes.exact()
    places, names = codes.positions().astype(np.int64), codes.names_at(np.arange(codes.size))
    sizes = np.zeros(codes.size, kinds.weights.dtype)
    np.add.at(sizes, places, kinds.weights)
    return _Groups(found, places, names, sizes, kinds.weights.dtype)


def _grouped(picked: Picked, one: BinnedColumn) -> tuple[Array, Array]:
    """An attribute with very many values, grouped by them."""
    kept = ["c0", WEIGHT] if picked.weighting is not None else ["c0"]
    values = picked.frame.select(*kept, one.value().alias("v"))
    found = fetch(values.group_by("c0", "v").agg(*totals(picked)))
    groups = _read_groups(picked, found)
    known = {value: code for code, value in enumerate(one.values())}
    regular = one.attribute.regular
    column = found.get_column("v")
    gaps = column.is_null().to_list()
    bins = [
        regular + 1 if gap else known.get(value, regular)
        for value, gap in zip(column.to_list(), gaps, strict=True)
    ]
    counts = np.zeros((len(groups.names), one.attribute.size), groups.kind)
    np.add.at(counts, (groups.places, np.array(bins, np.int64)), as_kinds(picked, found).weights)
    return counts, groups.names


def _refuse_infinite(picked: Picked, one: BinnedColumn) -> None:
    """Say so if what lies outside the range is infinite."""
    import narwhals.stable.v2 as nw

    values = picked.frame.select(one.value().alias("v"))
    found = fetch(values.select(nw.col("v").min().alias("l"), nw.col("v").max().alias("h")))
    for end in "lh":
        value = floats(found.get_column(end))[0]
        if np.isinf(value):
            raise InputError(
                f"column {one.attribute.name!r} of X holds {value}; replace it by a number, or by "
                "NaN if it is missing."
            )
