"""Partitions of graphs and hypergraphs, by the libraries of the extra ``graphs``."""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array

# METIS counts in 32 bits, and adds weights up.
_MOST = 2**30
# Weights of edges become whole numbers of at most this, as long as their sum allows it.
_FINEST = 1000
# Graphs with few edges are parted several times, and the best parts kept.
_TRIES = 10
_FEW = 300_000


def part_graph(
    edges: Any, weights: Array, count: int, imbalance: float, random: np.random.RandomState
) -> Array:
    """Part a weighted graph, given as a symmetric sparse matrix, into balanced parts by METIS.

    Parts weigh up to ``1 + imbalance`` times the same, and the edges that are cut as little as is
    found.
    """
    pymetis = _library("pymetis")
    edges = sparse.csr_array(edges)
    if not edges.nnz:  # nothing to keep together
        return np.arange(weights.size) % count
    options = pymetis.Options(
        ufactor=max(1, round(1000 * imbalance)),
        seed=int(random.randint(2**31)),
        ncuts=_TRIES if edges.nnz <= _FEW else 1,
        no2hop=1,  # vertices that only share a hub, as a large cluster is, have little in common
    )
    found = pymetis.part_graph(
        count,
        pymetis.CSRAdjacency(edges.indptr, edges.indices),
        vweights=whole(weights),
        eweights=whole(edges.data),
        options=options,
    )
    return np.asarray(found.vertex_part)


def part_hypergraph(
    edges: list[Array],
    edge_weights: Array,
    weights: Array,
    count: int,
    imbalance: float,
    random: np.random.RandomState,
) -> Array:
    """Part a weighted hypergraph into balanced parts by Mt-KaHyPar, the same in every run."""
    mtkahypar = _library("mtkahypar")
    if not edges:  # nothing to keep together
        return np.arange(weights.size) % count
    mtkahypar.set_seed(int(random.randint(2**31)))
    started = _start()
    context = started.context_from_preset(mtkahypar.PresetType.DETERMINISTIC_QUALITY)
    context.logging = False
    context.set_partitioning_parameters(count, imbalance, mtkahypar.Objective.KM1)
    graph = started.create_hypergraph(
        context, weights.size, len(edges), edges, whole(weights), whole(edge_weights)
    )
    return np.asarray(graph.partition(context).get_partition())


def whole(weights: Array) -> Array:
    """Weights as whole numbers from 1, as exactly as their sum allows."""
    if (weights == np.rint(weights)).all() and weights.sum() <= _MOST:
        return weights.astype(np.int64)
    weights = weights.astype(np.float64)
    finest = min(_FINEST, _MOST * weights.max() / weights.sum())
    return np.maximum(1, np.rint(weights * (finest / weights.max()))).astype(np.int64)


def _library(name: str) -> ModuleType:
    try:
        if name == "pymetis":
            import pymetis

            return pymetis
        import mtkahypar
    except ImportError:
        raise InputError(
            f"this method needs {name}, which is not installed; install clusterwise[graphs]."
        ) from None
    return mtkahypar


@cache
def _start() -> Any:
    # Once in a process is all that the library allows.
    return _library("mtkahypar").initialize(1, print_warnings=False)
