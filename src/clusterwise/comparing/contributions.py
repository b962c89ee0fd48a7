"""Which objects make two clusterings differ: what each one adds to the CSS distance."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.clusterings import Clustering, Pair
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures.transport import css_plan
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

# Shares of objects that are multiplied in one go.
_STEP = 1 << 20


class Contribution(NamedTuple):
    """What an object adds to the CSS distance, and its (main) clusters in a and in b."""

    object: Any
    a: Any
    b: Any
    value: float
    share: float


def contributions(
    pair: Pair[AnyClustering], overlap: SoftOverlap, count: int
) -> list[Contribution]:
    """The objects that add most, largest first; objects that add nothing are left out."""
    plan = css_plan(overlap)
    assert plan.object_costs is not None
    used = [_places(one, names) for one, names in _sides(pair, overlap)]
    added = _added(pair, overlap, plan.object_costs, used)
    if pair.weights is not None:
        added = added * pair.weights
    count = min(count, added.size)
    top = np.argpartition(-added, count - 1)[:count] if count else np.empty(0, np.int64)
    top = top[np.lexsort((top, -added[top]))]
    top = top[added[top] > 0]
    clusters = [
        name_list(names[_main(one, top, places)])
        for (one, names), places in zip(_sides(pair, overlap), used, strict=True)
    ]
    values, shares = added[top].tolist(), (added[top] / plan.value).tolist()
    return list(map(Contribution, _objects(pair, top), *clusters, values, shares))


def _sides(pair: Pair[AnyClustering], overlap: SoftOverlap) -> list[tuple[AnyClustering, Array]]:
    return [(pair.a, overlap.row_names), (pair.b, overlap.column_names)]


def _places(one: AnyClustering, names: Array) -> Array:
    """The overlap's row (or column) of each cluster; -1 for those without objects."""
    every = one.codes.exact() if isinstance(one, Clustering) else None
    all_names = one.memberships.names if every is None else every.names_at(np.arange(every.size))  # type: ignore[union-attr]
    known = {name: place for place, name in enumerate(name_list(names))}
    return np.array([known.get(name, -1) for name in name_list(all_names)], np.int64)


def _added(
    pair: Pair[AnyClustering], overlap: SoftOverlap, costs: Array, used: list[Array]
) -> Array:
    """What every object adds: its shares in both clusterings times what their cells cost."""
    a, b = pair.a, pair.b
    if isinstance(a, Clustering) and isinstance(b, Clustering):
        rows, columns = used[0][a.codes.exact().positions()], used[1][b.codes.exact().positions()]
        return costs[overlap.cells.places(rows, columns)]
    table = overlap.cells.with_counts(costs).dense()
    step = max(1, _STEP // sum(table.shape))
    found = [
        _times(_shares(a, used[0], at, at + step) @ table, _shares(b, used[1], at, at + step))
        for at in range(0, len(a), step)
    ]
    return np.concatenate(found) if found else np.empty(0)


def _times(first: Array, second: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", first, second))


def _shares(one: AnyClustering, places: Array, start: int, stop: int) -> Array:
    """Rows of shares in the clusters that have objects."""
    width = int(places.max()) + 1
    if isinstance(one, Clustering):
        return np.eye(width)[places[one.codes.exact().positions()[start:stop]]]
    return one.memberships.rows(start, stop)[:, places >= 0]


def _main(one: AnyClustering, objects: Array, places: Array) -> Array:
    if isinstance(one, Clustering):
        return places[one.codes.exact().positions()[objects]]
    return places[one.memberships.take(objects).rows(0, objects.size).argmax(axis=1)]


def _objects(pair: Pair[AnyClustering], places: Array) -> list[Any]:
    """What the objects are called: by their index, or by their place in the input."""
    if pair.a.index is not None:
        return list(pair.a.index[places])
    return (places if pair.kept is None else pair.kept[places]).tolist()
