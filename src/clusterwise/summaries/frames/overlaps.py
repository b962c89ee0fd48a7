"""Overlaps of frames of any engine, hard or soft: sums of products, by one scan.

Labels are grouped by, columns of memberships are multiplied row by row and added up.
"""

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    as_eager,
    eager_column,
    partitions,
    require_columns,
    sum_parts,
)
from clusterwise.summaries.frames.labels import (
    refuse_missing_rows,
)
from clusterwise.summaries.frames.products import FrameProducts, Side, columns_of
from clusterwise.summaries.frames.profiles import check_noise, drop_noise
from clusterwise.summaries.overlap.overlap import SoftOverlap


def overlap_frame(
    frame: Any,
    a: Side,
    b: Side,
    features: Sequence[str] | None,
    p: float,
    weights: str | None,
    noise: Noise,
    noise_label: Any,
) -> SoftOverlap:
    """The overlap of two clusterings in a frame; see :meth:`SoftOverlap.from_frame`."""
    eager = as_eager(frame)
    if eager is not None:
        weighing = None if weights is None else np.asarray(eager_column(eager, weights))
        return SoftOverlap.from_memberships(
            _of_eager(eager, a), _of_eager(eager, b),
            None if features is None else _of_eager(eager, features), p=p,
            sample_weight=weighing, noise=noise, noise_label=noise_label,
        )  # fmt: skip
    check_noise(noise)
    columns = [*columns_of(a), *columns_of(b), *(features or ()), *filter(None, [weights])]
    parts = partitions(frame, columns)
    if parts is not None:
        return _overlap_parts(parts, a, b, features, p, weights, noise, noise_label)
    query = FrameProducts(frame, a, b, features, weights, p)
    if noise == "drop":
        hard = [place for place, side in ((0, a), (query.width_a, b)) if isinstance(side, str)]
        query.picked = drop_noise(query.picked, hard, noise_label)
    return query.run()


def _of_eager(eager: Any, side: Side) -> Any:
    if isinstance(side, str):
        return eager_column(eager, side)
    require_columns(eager, side)
    return eager.select(list(side)).to_native()


def _overlap_parts(parts: Sequence[Any], a: Side, b: Side, *options: Any) -> SoftOverlap:
    """The sum of the overlaps that workers make of their own parts, by the kernels."""
    hard = [side for side in (a, b) if isinstance(side, str)]

    def one(part: Any) -> tuple[Array, int, Any]:
        missing = np.array([int(part[name].isna().sum()) for name in hard], np.int64)
        if missing.any() or not len(part):
            return missing, len(part), None
        return missing, len(part), overlap_frame(part, a, b, *options)

    def add(several: list[tuple[Array, int, Any]]) -> tuple[Array, int, Any]:
        missing, rows, found = zip(*several, strict=True)
        there = [each for each in found if each is not None]
        total = reduce(operator.add, there) if there else None
        return sum(missing, np.zeros(len(hard), np.int64)), sum(rows), total

    missing, rows, overlap = sum_parts(parts, one, add)
    for name, count in zip(hard, missing.tolist(), strict=True):
        refuse_missing_rows(name, count, rows)
    return SoftOverlap.from_memberships([], [], p=options[1]) if overlap is None else overlap
