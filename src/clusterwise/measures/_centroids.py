"""Representatives of clusters, and the distances between them."""

from collections.abc import Callable
from math import isfinite, sqrt
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.centring import centre_and_scale
from clusterwise.inputs.clusterings import LabelOptions, read_any_pair
from clusterwise.inputs.distances import DEGREES
from clusterwise.inputs.encoding import Array, refuse_masked
from clusterwise.measures._label_options import first_changed, warn_of_matching
from clusterwise.measures.transport_plans import read_values
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

Metric = str | Callable[[Array, Array], float] | Any
# The number of distances that are computed in one block.
_CELLS = 1 << 22


def read_centroids(a: Any, b: Any, X: Any, options: LabelOptions) -> SoftOverlap:
    """Return the overlap of two clusterings, with centroids if X is given; or the ready one."""
    if isinstance(a, Contingency):
        raise InputError(
            "a Contingency has no centroids; pass labels and X, or a SoftOverlap with X."
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
    pair = read_any_pair(a, b, **options)
    warn_of_matching(pair.matched)
    return SoftOverlap.from_pair(pair, X)


def centroid_distances(
    table: SoftOverlap, metric: Metric, representatives: tuple[Any, Any] | None
) -> Array:
    """Return the distance between the clusters of every nonzero cell."""
    rows, columns, _ = table.cells.nonzero
    if not isinstance(metric, str) and not callable(metric):
        return _read_distances(metric, table)[rows, columns]
    first, second = _representatives(table, representatives)
    if first.shape[1] != second.shape[1]:
        raise InputError(
            f"representatives have {first.shape[1]} values in a and {second.shape[1]} in b; pass "
            "vectors of the same length."
        )
    from scipy.spatial.distance import cdist

    exponent = 0
    if isinstance(metric, str) and metric in DEGREES:
        both = centre_and_scale(np.vstack([first, second]))
        first, second = both.values[: len(first)], both.values[len(first) :]
        exponent = DEGREES[metric] * both.exponent
    distances = np.empty(rows.size)
    step = max(1, _CELLS // max(1, len(second)))
    for start in range(0, len(first), step):
        try:
            block = cdist(first[start : start + step], second, metric=metric)
        except ValueError as error:
            raise InputError(f"metric={metric!r} cannot be used: {error}.") from None
        here = (rows >= start) & (rows < start + step)
        distances[here] = np.ldexp(block[rows[here] - start, columns[here]], exponent)
    if not (distances >= 0).all() or not np.isfinite(distances).all():
        raise InputError("the metric gives a distance that is negative or not finite; use another.")
    if distances.size and not isfinite(float(table.n) * float(distances.max())):
        raise InputError(
            "the distances between clusters, times the weights of objects, overflow; scale X or "
            "the weights."
        )
    return distances


def css_bound(
    table: SoftOverlap, distances: Array, metric: Metric, representatives: tuple[Any, Any] | None
) -> float:
    """Return an upper bound of CSS: by the spread of the data, or by the largest distance."""
    if isinstance(metric, str) and metric == "euclidean" and representatives is None:
        assert table.centroid_sums is not None
        return 2.0 * sqrt(table.centroid_sums.weight) * table.centroid_sums.deviation
    return float(table.n * distances.max()) if distances.size else 0.0


def _representatives(table: SoftOverlap, given: tuple[Any, Any] | None) -> tuple[Array, Array]:
    if given is None:
        if table.centroid_sums is None:
            raise InputError(
                "css_distance needs the distances between clusters; pass X, representatives, or a "
                "matrix of distances as metric."
            )
        sums = table.centroid_sums
        return sums.sums_a / table.row_sums[:, None], sums.sums_b / table.column_sums[:, None]
    return (
        _read_vectors(given[0], table.row_names, "a"),
        _read_vectors(given[1], table.column_names, "b"),
    )


def _read_vectors(vectors: Any, names: Array, where: str) -> Array:
    values = read_values(vectors, names, f"representatives of {where}")
    if values.ndim != 2:
        raise InputError(
            f"the representatives of {where} have shape {values.shape}; pass a vector for each "
            "cluster."
        )
    return values


def _read_distances(distances: Any, table: SoftOverlap) -> Array:
    refuse_masked(distances, "the table of distances")
    values = np.asarray(distances, np.float64)
    if values.shape != table.shape:
        raise InputError(
            f"the distances have shape {values.shape}, but there are {table.shape[0]} x "
            f"{table.shape[1]} clusters; pass one for each pair, in the order of their labels."
        )
    if not np.isfinite(values).all() or (values < 0).any():
        raise InputError("the distances between clusters must be finite, and not negative.")
    return values
