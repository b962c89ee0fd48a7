"""What represents clusters, and how far representatives are apart."""

from collections.abc import Callable
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import LabelOptions
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import first_changed, read_clusterings, warn_of_matching
from clusterwise.measures.transport_plans import in_order
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

Metric = str | Callable[[Array, Array], float] | Any
# Distances that are worked out in one go.
_CELLS = 1 << 22


def read_centres(a: Any, b: Any, X: Any, options: LabelOptions) -> SoftOverlap:
    """Return the overlap of two clusterings, with centroids if X is given; or the ready one."""
    if isinstance(a, Contingency):
        raise InputError(
            "a Contingency does not know where clusters are; pass labels and X, or a SoftOverlap."
        )
    if isinstance(a, SoftOverlap):
        extra = "b" if b is not None else "X" if X is not None else first_changed(options)
        if extra is not None:
            raise InputError(
                f"a is a ready SoftOverlap that stands for both clusterings; leave {extra} out."
            )
        return a
    if b is None:
        raise InputError("pass two clusterings, or one ready SoftOverlap.")
    pair = read_clusterings(a, b, options)
    warn_of_matching(pair.matched)
    return SoftOverlap.from_pair(pair, X)


def centre_distances(
    table: SoftOverlap, metric: Metric, representatives: tuple[Any, Any] | None
) -> Array:
    """Distances between the clusters of every cell that is not empty."""
    rows, columns, _ = table.cells.nonzero
    if not isinstance(metric, str) and not callable(metric):
        return _ready_distances(metric, table)[rows, columns]
    first, second = _representatives(table, representatives)
    if first.shape[1] != second.shape[1]:
        raise InputError(
            f"representatives have {first.shape[1]} values in a and {second.shape[1]} in b; they "
            "must be vectors of the same space."
        )
    from scipy.spatial.distance import cdist

    apart = np.empty(rows.size)
    step = max(1, _CELLS // max(1, len(second)))
    for start in range(0, len(first), step):
        try:
            block = cdist(first[start : start + step], second, metric=metric)
        except ValueError as error:
            raise InputError(f"metric={metric!r} cannot be used: {error}.") from None
        here = (rows >= start) & (rows < start + step)
        apart[here] = block[rows[here] - start, columns[here]]
    if not (apart >= 0).all() or not np.isfinite(apart).all():
        raise InputError("the metric gives a distance that is negative or not finite; use another.")
    return apart


def css_bound(
    table: SoftOverlap, apart: Array, metric: Metric, representatives: tuple[Any, Any] | None
) -> float:
    """What CSS cannot exceed: by the spread of the data, or else by the largest distance."""
    if isinstance(metric, str) and metric == "euclidean" and representatives is None:
        assert table.centroid_sums is not None
        return 2.0 * float(np.sqrt(table.centroid_sums.weight * table.centroid_sums.spread))
    return float(table.n * apart.max()) if apart.size else 0.0


def _representatives(table: SoftOverlap, given: tuple[Any, Any] | None) -> tuple[Array, Array]:
    if given is None:
        if table.centroid_sums is None:
            raise InputError(
                "CSS compares where clusters are; pass X, representatives, or a metric that is a "
                "table of distances."
            )
        sums = table.centroid_sums
        return sums.sums_a / table.row_sums[:, None], sums.sums_b / table.column_sums[:, None]
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError("representatives must be a pair: those of a's clusters and of b's.")
    return (
        _given_vectors(given[0], table.row_names, "a"),
        _given_vectors(given[1], table.column_names, "b"),
    )


def _given_vectors(vectors: Any, names: Array, where: str) -> Array:
    values = in_order(vectors, names, f"representatives of {where}")
    if values.ndim != 2:
        raise InputError(
            f"the representatives of {where} have shape {values.shape}; pass a vector for each "
            "cluster."
        )
    return values


def _ready_distances(distances: Any, table: SoftOverlap) -> Array:
    values = np.asarray(distances, np.float64)
    if values.shape != table.shape:
        raise InputError(
            f"the distances have shape {values.shape}, but there are {table.shape[0]} x "
            f"{table.shape[1]} clusters; pass one for each pair, in the order of their names."
        )
    if not np.isfinite(values).all() or (values < 0).any():
        raise InputError("the distances between clusters must be finite, and not negative.")
    return values
