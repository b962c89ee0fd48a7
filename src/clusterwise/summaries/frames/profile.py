"""Bin counts of the clusters in a frame of any engine."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import Noise, as_hard_clustering
from clusterwise.inputs.encoding import as_names
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    Weighting,
    as_eager,
    column_names,
    eager_column,
    nan_to_null,
    partitions,
    reduce_parts,
    require_columns,
    select_columns,
)
from clusterwise.inputs.labels import read_labels
from clusterwise.summaries.frames.bin_counting import count_selected
from clusterwise.summaries.frames.distinct_rows import refuse_missing_rows
from clusterwise.summaries.frames.noise import check_noise, drop_noise
from clusterwise.summaries.profile.bin_counts import BinCounts, count_bins


def count_frame(
    frame: Any,
    labels: str | Sequence[str],
    features: Sequence[str] | None,
    binning: Binning | Method,
    n_bins: int,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> tuple[BinCounts, Binning]:
    """Count the bins of each cluster in a frame; see :meth:`DensityProfile.from_frame`."""
    label_columns = [labels] if isinstance(labels, str) else list(labels)
    columns = _feature_columns(frame, features, binning, [*label_columns, weights])
    eager = as_eager(frame)
    if eager is not None:
        require_columns(eager, columns)
        row_weights = None if weights is None else np.asarray(eager_column(eager, weights))
        X = eager.select(columns).to_native()
        clustering: Any
        if isinstance(labels, str):
            clustering = as_hard_clustering(eager_column(eager, labels), f"column {labels!r}")
            classes = clustering.codes.positions()
        else:
            require_columns(eager, label_columns)
            clustering = classes = eager.select(label_columns).to_native()
        if not isinstance(binning, Binning):
            binning = Binning(binning, n_bins).fit(X, classes if binning == "mdl" else None)
        read = read_labels(
            clustering, sample_weight=row_weights, noise=noise, noise_label=noise_label
        )
        return count_bins(X, read, binning), binning
    check_noise(noise)
    if not isinstance(binning, Binning):
        binning = Binning(binning, n_bins).fit_frames(frame, features=columns)
    parts = partitions(frame, [*label_columns, *binning.names, *filter(None, [weights])])
    if parts is not None:
        return _count_parts(parts, labels, binning, weights, noise, noise_label), binning
    selected = select_columns(frame, [*label_columns, *binning.names], weights)
    if not isinstance(labels, str):
        return _add_memberships(selected, label_columns, binning), binning
    if noise == "drop":
        selected = drop_noise(selected, [0], noise_label)
    return count_selected(selected, binning), binning


def _feature_columns(
    frame: Any, features: Sequence[str] | None, binning: Any, others: Sequence[str | None]
) -> list[str]:
    """Return the feature columns: the given ones, those of the binning, or all but the others."""
    if features is not None:
        if isinstance(features, str) or not len(features):
            raise InputError("name the columns of the features as a list of strings.")
        return list(features)
    if isinstance(binning, Binning):
        return binning.names
    return [name for name in column_names(frame) if name not in others]


def _add_memberships(
    selected: SelectedColumns, memberships: list[str], binning: Binning
) -> BinCounts:
    """Return expected counts: a scan for each cluster, with its memberships as the weights."""
    import narwhals.stable.v2 as nw

    rows = []
    for k, name in enumerate(memberships):
        membership = nan_to_null(nw.col(f"c{k}"), selected.dtypes[k])
        weight = membership if selected.weighting is None else membership * nw.col(WEIGHT)
        others = [
            nw.col(f"c{len(memberships) + r}").alias(f"c{r + 1}") for r in range(len(binning.names))
        ]
        frame = selected.frame.select(nw.lit(0).alias("c0"), *others, weight.alias(WEIGHT))
        dtypes = (nw.Int64(), *selected.dtypes[len(memberships) :])
        weighting = Weighting(name, whole=False)
        one = SelectedColumns(frame, (name, *binning.names), dtypes, weighting)
        rows.append(count_selected(one, binning))
    counts = np.vstack([one.counts for one in rows])
    return BinCounts(counts, as_names(memberships), rows[0].below, rows[0].above)


def _count_parts(
    parts: Sequence[Any],
    labels: str | Sequence[str],
    binning: Binning,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> BinCounts:
    """Sum over the partitions of a Dask frame, each counted by the kernels on its worker."""

    def one(part: Any) -> tuple[int, int, BinCounts]:
        missing = int(part[labels].isna().sum()) if isinstance(labels, str) else 0
        if missing:
            return missing, len(part), BinCounts.empty(binning)
        options = (binning, 0, weights, noise, noise_label)
        return 0, len(part), count_frame(part, labels, None, *options)[0]

    def add(several: list[tuple[int, int, BinCounts]]) -> tuple[int, int, BinCounts]:
        missing, rows, counts = zip(*several, strict=True)
        total = reduce(lambda first, second: first.combine(second, 1), counts)
        return sum(missing), sum(rows), total

    missing, rows, total = reduce_parts(parts, one, add)
    refuse_missing_rows(str(labels), missing, rows)
    return total
