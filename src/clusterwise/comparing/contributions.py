"""Contributions of single objects to the CSS distance of two clusterings."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.clusterings import Clustering, Pair
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures.transport import css_plan
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

# The number of memberships in one block.
_BLOCK = 1 << 20


class Contribution(NamedTuple):
    """The contribution of an object to the CSS distance, and its (main) clusters in a and b."""

    object: Any
    a: Any
    b: Any
    value: float
    share: float


def contributions(
    pair: Pair[AnyClustering], overlap: SoftOverlap, count: int
) -> list[Contribution]:
    """Return the objects with the largest positive contributions, largest first."""
    plan = css_plan(overlap)
    assert plan.object_costs is not None
    indices = [_cluster_indices(one, names) for one, names in _sides(pair, overlap)]
    added = _contribution_of_each(pair, overlap, plan.object_costs, indices)
    if pair.weights is not None:
        added = added * pair.weights
    every = np.arange(added.size)
    if pair.kept is not None and added.size:
        # Weighted noise that became singletons is repeated, one copy after the other.
        every = np.flatnonzero(np.diff(pair.kept, prepend=-1))
        added = np.add.reduceat(added, every)
    count = min(count, added.size)
    top = np.argpartition(-added, count - 1)[:count] if count else np.empty(0, np.int64)
    top = top[np.lexsort((top, -added[top]))]
    top = top[added[top] > 0]
    objects = every[top]
    clusters = [
        name_list(names[_main_clusters(one, objects, rows)])
        for (one, names), rows in zip(_sides(pair, overlap), indices, strict=True)
    ]
    values, shares = added[top].tolist(), (added[top] / plan.value).tolist()
    return list(map(Contribution, _object_names(pair, objects), *clusters, values, shares))


def _sides(pair: Pair[AnyClustering], overlap: SoftOverlap) -> list[tuple[AnyClustering, Array]]:
    return [(pair.a, overlap.row_names), (pair.b, overlap.column_names)]


def _cluster_indices(one: AnyClustering, names: Array) -> Array:
    """Return the row (or column) of each cluster in the overlap; -1 for empty clusters."""
    every = one.codes.exact() if isinstance(one, Clustering) else None
    all_names = one.memberships.names if every is None else every.all_names()  # type: ignore[union-attr]
    known = {name: i for i, name in enumerate(name_list(names))}
    return np.array([known.get(name, -1) for name in name_list(all_names)], np.int64)


def _contribution_of_each(
    pair: Pair[AnyClustering], overlap: SoftOverlap, costs: Array, indices: list[Array]
) -> Array:
    """Return the sum over cells of the memberships of each object times the cost of the cell."""
    a, b = pair.a, pair.b
    if isinstance(a, Clustering) and isinstance(b, Clustering):
        rows = indices[0][a.codes.exact().positions()]
        columns = indices[1][b.codes.exact().positions()]
        return costs[overlap.cells.indices(rows, columns)]
    table = overlap.cells.with_counts(costs).dense()
    step = max(1, _BLOCK // sum(table.shape))
    found = [
        np.einsum(
            "ij,ij->i",
            _memberships(a, indices[0], at, at + step) @ table,
            _memberships(b, indices[1], at, at + step),
        )
        for at in range(0, len(a), step)
    ]
    return np.concatenate(found) if found else np.empty(0)


def _memberships(one: AnyClustering, indices: Array, start: int, stop: int) -> Array:
    """Return the memberships of some objects in the clusters that are not empty."""
    width = int(indices.max()) + 1
    if isinstance(one, Clustering):
        return np.eye(width)[indices[one.codes.exact().positions()[start:stop]]]
    return one.memberships.rows(start, stop)[:, indices >= 0]


def _main_clusters(one: AnyClustering, objects: Array, indices: Array) -> Array:
    """Return the cluster of each object in which its membership is largest."""
    if isinstance(one, Clustering):
        return indices[one.codes.exact().positions()[objects]]
    return indices[one.memberships.take(objects).rows(0, objects.size).argmax(axis=1)]


def _object_names(pair: Pair[AnyClustering], objects: Array) -> list[Any]:
    """Return the index labels of the objects, or their positions in the input."""
    if pair.a.index is not None:
        return list(pair.a.index[objects])
    return (objects if pair.kept is None else pair.kept[objects]).tolist()
