"""Density profiles of frames of any engine."""

import operator
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import Noise, as_hard_clustering
from clusterwise.inputs.encoding import as_names as label_names
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    Weighting,
    as_eager,
    as_names,
    column_names,
    eager_column,
    partitions,
    require_columns,
    select_columns,
    sum_parts,
    without_nan,
)
from clusterwise.summaries.frames.counting import spread_of
from clusterwise.summaries.frames.labels import (
    refuse_missing_rows,
)
from clusterwise.summaries.profile.bin_counts import Spread
from clusterwise.summaries.profile.profile import DensityProfile


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
            found = as_hard_clustering(eager_column(eager, labels), f"column {labels!r}")
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
    picked = select_columns(frame, [*mine, *binning.names], weights)
    if not isinstance(labels, str):
        return DensityProfile.from_spread(_soft_spread(picked, mine, binning), binning)
    if noise == "drop":
        picked = drop_noise(picked, [0], noise_label)
    return DensityProfile.from_spread(spread_of(picked, binning), binning)


def _soft_spread(picked: SelectedColumns, shares: list[str], binning: Binning) -> Spread:
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
        one = SelectedColumns(frame, (name, *binning.names), kinds, Weighting(name, whole=False))
        rows.append(spread_of(one, binning))
    counts = np.vstack([one.counts for one in rows])
    return Spread(counts, label_names(shares), rows[0].below, rows[0].above)


def drop_noise_rows(frame: Any, columns: Sequence[str], noise_label: Any) -> Any:
    """The lazy frame without rows that one of these columns labels as noise."""
    names = column_names(frame)
    picked = select_columns(frame, names)
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
    """The columns with the features: those asked for, of the binning, or all others."""
    if features is not None:
        if isinstance(features, str) or not len(features):
            raise InputError("name the columns of the features as a list of texts.")
        return list(features)
    if isinstance(binning, Binning):
        return binning.names
    return [name for name in column_names(frame) if name not in others]


def drop_noise(picked: SelectedColumns, places: Iterable[int], noise_label: Any) -> SelectedColumns:
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
