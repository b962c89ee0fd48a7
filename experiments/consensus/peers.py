"""What others make of points or of an ensemble: pyckmeans, and methods by the book."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

PYCKMEANS = "pyckmeans"
# Weights of edges must be whole numbers.
_FINEST = 1000


class Peer(NamedTuple):
    """Labels, and those of the members that they are from, n × m."""

    labels: Array
    members: Array


def run_pyckmeans(points: Array, count: int, members: int, seed: int) -> Peer | None:
    """What pyckmeans finds; None if it is not installed."""
    try:
        library = import_module(PYCKMEANS)
    except ImportError:
        return None
    # It draws from NumPy's global source of chance.
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = library.CKmeans(count, n_rep=members, metrics=(), random_state=seed)
            model.fit(points)
            found = model.predict(points, return_cls=True)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return Peer(np.asarray(found.cl), np.asarray(found.km_cls).T)


def part_objects(members: Array, count: int, seed: int) -> Array:
    """CSPA: the graph of all pairs of objects, weighted by the clusters they share."""
    inside = _indicators(members)
    return _part(inside @ inside.T, count, seed)


def part_clusters(members: Array, count: int, seed: int) -> Array:
    """MCLA: the graph of clusters by Jaccard's measure; objects join the group they are most in."""
    inside = _indicators(members)
    return _join_groups(inside, _part(_jaccard(inside), count, seed, inside.sum(axis=0)))


def part_clusters_alike(members: Array, count: int, seed: int) -> Array:
    """The same, but small clusters weigh as much as large ones: groups need not be as large."""
    inside = _indicators(members)
    return _join_groups(inside, _part(_jaccard(inside), count, seed))


def part_both(members: Array, count: int, seed: int) -> Array:
    """HBGF: the graph of objects and the clusters that they are in."""
    inside = _indicators(members)
    n, clusters = inside.shape
    edges = np.block([[np.zeros((n, n)), inside], [inside.T, np.zeros((clusters, clusters))]])
    return _part(edges, count, seed)[:n]


_BY_THE_BOOK: Mapping[str, Callable[[Array, int, int], Array]] = {
    "MCLA by the book": part_clusters,
    "MCLA, clusters alike": part_clusters_alike,
    "HBGF by the book": part_both,
    "CSPA by the book": part_objects,
}
PEERS = (PYCKMEANS, *_BY_THE_BOOK)


def run_by_the_book(members: Array, count: int, seed: int) -> dict[str, Array]:
    """The labels of each method for an ensemble; none if METIS is not installed."""
    if find_spec("pymetis") is None:
        return {}
    return {name: part(members, count, seed) for name, part in _BY_THE_BOOK.items()}


def _indicators(members: Array) -> Array:
    """Which clusters each object is in, objects × all clusters."""
    columns = [
        member == cluster for member in members.T for cluster in np.unique(member[member == member])
    ]
    return np.column_stack(columns).astype(np.float64)


def _jaccard(inside: Array) -> Array:
    both, sizes = inside.T @ inside, inside.sum(axis=0)
    alike: Array = both / (sizes[:, None] + sizes - both)
    return alike


def _join_groups(inside: Array, groups: Array) -> Array:
    held = [inside[:, groups == group].mean(axis=1) for group in np.unique(groups)]
    return np.argmax(held, axis=0)


def _part(edges: Array, count: int, seed: int, weights: Array | None = None) -> Array:
    """Parts of a graph by METIS as it comes; vertices weigh the same unless told."""
    metis: Any = import_module("pymetis")
    whole = np.rint(edges * (_FINEST / edges.max())).astype(np.int64)
    np.fill_diagonal(whole, 0)
    neighbours = [np.flatnonzero(row) for row in whole]
    graph = metis.CSRAdjacency(
        np.cumsum([0, *(one.size for one in neighbours)]), np.concatenate(neighbours)
    )
    found = metis.part_graph(
        count,
        graph,
        vweights=None if weights is None else weights.astype(np.int64),
        eweights=whole[whole != 0],
        options=metis.Options(seed=seed),
    )
    return np.asarray(found.vertex_part)
