"""Overlap sums of two clusterings in a frame of any engine."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from clusterwise.inputs.clusterings import Noise, Pair, align_clusterings, as_clustering
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    as_eager,
    eager_column,
    partitions,
    reduce_parts,
    require_columns,
)
from clusterwise.summaries.frames.distinct_rows import refuse_missing_rows
from clusterwise.summaries.frames.noise import check_noise, drop_noise
from clusterwise.summaries.frames.overlap_query import OverlapQuery, Side, columns_of
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap_sums import OverlapSums


def read_eager_frame(
    frame: Any,
    a: Side,
    b: Side,
    features: Sequence[str] | None,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> tuple[Pair[AnyClustering], Any] | None:
    """Read two clusterings and the features of a frame in memory; return None if it is lazy."""
    eager = as_eager(frame)
    if eager is None:
        return None
    row_weights = None if weights is None else np.asarray(eager_column(eager, weights))
    pair = align_clusterings(
        as_clustering(_native_columns(eager, a), "a"),
        as_clustering(_native_columns(eager, b), "b"),
        sample_weight=row_weights,
        noise=noise,
        noise_label=noise_label,
    )
    return pair, None if features is None else _native_columns(eager, features)


def sum_lazy_frame(
    frame: Any,
    a: Side,
    b: Side,
    features: Sequence[str] | None,
    p: float,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> OverlapSums:
    """Sum over two clusterings in a lazy frame; see :meth:`SoftOverlap.from_frame`."""
    check_noise(noise)
    columns = [*columns_of(a), *columns_of(b), *(features or ()), *filter(None, [weights])]
    parts = partitions(frame, columns)
    if parts is not None:

        def sum_part(part: Any) -> OverlapSums:
            found = read_eager_frame(part, a, b, features, weights, noise, noise_label)
            assert found is not None, "the partitions of a Dask frame are pandas frames"
            return OverlapSums.from_pair(*found, p=p)

        hard = [side for side in (a, b) if isinstance(side, str)]
        return _sum_parts(parts, hard, sum_part, p)
    query = OverlapQuery(frame, a, b, features, weights, p)
    if noise == "drop":
        hard_at = [index for index, side in ((0, a), (query.width_a, b)) if isinstance(side, str)]
        query.selected = drop_noise(query.selected, hard_at, noise_label)
    return query.run()


def _native_columns(eager: Any, side: Side) -> Any:
    if isinstance(side, str):
        return eager_column(eager, side)
    require_columns(eager, side)
    return eager.select(list(side)).to_native()


def _sum_parts(
    parts: Sequence[Any], hard: Sequence[str], sum_part: Callable[[Any], OverlapSums], p: float
) -> OverlapSums:
    """Sum over the partitions of a Dask frame, each computed by the kernels on its worker."""

    def one(part: Any) -> tuple[Array, int, Any]:
        missing = np.array([int(part[name].isna().sum()) for name in hard], np.int64)
        if missing.any() or not len(part):
            return missing, len(part), None
        return missing, len(part), sum_part(part)

    def add(several: list[tuple[Array, int, Any]]) -> tuple[Array, int, Any]:
        missing, rows, found = zip(*several, strict=True)
        sums = [each for each in found if each is not None]
        total = reduce(lambda first, second: first.combine(second, 1), sums) if sums else None
        return sum(missing, np.zeros(len(hard), np.int64)), sum(rows), total

    missing, rows, total = reduce_parts(parts, one, add)
    for name, count in zip(hard, missing.tolist(), strict=True):
        refuse_missing_rows(name, count, rows)
    if total is None:
        nothing = as_clustering([], "a")
        return OverlapSums.from_pair(align_clusterings(nothing, nothing), p=p)
    return total
