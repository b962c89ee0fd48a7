"""Peers: pyckmeans, and reference implementations of the graph-based methods."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array

PYCKMEANS = "pyckmeans"
# METIS needs integer edge weights; they are scaled to this maximum.
_LARGEST_WEIGHT = 1000


class Peer(NamedTuple):
    """Consensus labels, and the labels of the members, n × m."""

    labels: Array
    members: Array


def run_pyckmeans(points: Array, count: int, members: int, seed: int) -> Peer | None:
    """Run pyckmeans; return None if it is not installed."""
    try:
        library = import_module(PYCKMEANS)
    except ImportError:
        return None
    # It uses NumPy's global random state.
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
    """CSPA: partition the graph of all objects, weighted by their number of common clusters."""
    inside = _indicators(members)
    return _part(inside @ inside.T, count, seed)


def part_clusters(members: Array, count: int, seed: int) -> Array:
    """MCLA: partition the graph of clusters, weighted by Jaccard similarity."""
    inside = _indicators(members)
    return _join_groups(inside, _part(_jaccard(inside), count, seed, inside.sum(axis=0)))


def part_clusters_equally(members: Array, count: int, seed: int) -> Array:
    """MCLA with the same vertex weight for small and large clusters."""
    inside = _indicators(members)
    return _join_groups(inside, _part(_jaccard(inside), count, seed))


def part_both(members: Array, count: int, seed: int) -> Array:
    """HBGF: partition the bipartite graph of objects and clusters."""
    inside = _indicators(members)
    n, clusters = inside.shape
    edges = np.block([[np.zeros((n, n)), inside], [inside.T, np.zeros((clusters, clusters))]])
    return _part(edges, count, seed)[:n]


_REFERENCES: Mapping[str, Callable[[Array, int, int], Array]] = {
    "MCLA, reference": part_clusters,
    "MCLA, equal weights": part_clusters_equally,
    "HBGF, reference": part_both,
    "CSPA, reference": part_objects,
}
PEERS = (PYCKMEANS, *_REFERENCES)


def run_references(members: Array, count: int, seed: int) -> dict[str, Array]:
    """Return the labels of each reference method; none if METIS is not installed."""
    if find_spec("pymetis") is None:
        return {}
    return {name: part(members, count, seed) for name, part in _REFERENCES.items()}


def _indicators(members: Array) -> Array:
    """Return the indicator matrix, objects × all clusters of all members."""
    columns = [
        member == cluster for member in members.T for cluster in np.unique(member[member == member])
    ]
    return np.column_stack(columns).astype(np.float64)


def _jaccard(inside: Array) -> Array:
    both, sizes = inside.T @ inside, inside.sum(axis=0)
    alike: Array = both / (sizes[:, None] + sizes - both)
    return alike


def _join_groups(inside: Array, groups: Array) -> Array:
    memberships = [inside[:, groups == group].mean(axis=1) for group in np.unique(groups)]
    return np.argmax(memberships, axis=0)


def _part(edges: Array, count: int, seed: int, weights: Array | None = None) -> Array:
    """Partition a graph by METIS with its defaults; vertices have equal weights by default."""
    metis: Any = import_module("pymetis")
    whole = np.rint(edges * (_LARGEST_WEIGHT / edges.max())).astype(np.int64)
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
