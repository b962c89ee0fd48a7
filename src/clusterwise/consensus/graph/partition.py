"""Partitions of graphs (METIS) and hypergraphs (Mt-KaHyPar): the libraries of the extra graphs."""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array

# METIS uses 32-bit integers, also for sums of weights.
_MAX_TOTAL = 2**30
# The largest integer weight of an edge, if the total permits it.
_MAX_WEIGHT = 1000
# Graphs with few edges are partitioned several times, and the smallest cut is kept.
_N_CUTS = 10
_FEW_EDGES = 300_000


def partition_graph(
    edges: Any, weights: Array, count: int, imbalance: float, random: np.random.RandomState
) -> Array:
    """Partition a weighted graph into balanced parts by METIS.

    ``edges`` is the symmetric sparse adjacency matrix, ``weights`` are those of the vertices. The
    weight of a part should be at most ``1 + imbalance`` times the mean, but METIS may exceed it and
    leave parts empty.
    """
    pymetis = _import_library("pymetis")
    edges = sparse.csr_array(edges)
    if not edges.nnz:
        return np.arange(weights.size) % count
    options = pymetis.Options(
        ufactor=max(1, round(1000 * float(imbalance))),  # NumPy's small integers overflow
        seed=int(random.randint(2**31)),
        ncuts=_N_CUTS if edges.nnz <= _FEW_EDGES else 1,
        no2hop=1,  # do not match vertices only because they share a hub, such as a large cluster
    )
    found = pymetis.part_graph(
        count,
        pymetis.CSRAdjacency(edges.indptr, edges.indices),
        vweights=as_integers(weights),
        eweights=as_integers(edges.data),
        options=options,
    )
    return np.asarray(found.vertex_part)


def partition_hypergraph(
    edges: list[Array],
    edge_weights: Array,
    weights: Array,
    count: int,
    imbalance: float,
    random: np.random.RandomState,
) -> Array:
    """Partition a weighted hypergraph into balanced parts by Mt-KaHyPar, deterministically."""
    mtkahypar = _import_library("mtkahypar")
    if not edges:
        return np.arange(weights.size) % count
    mtkahypar.set_seed(int(random.randint(2**31)))
    library = _initialize_mtkahypar()
    context = library.context_from_preset(mtkahypar.PresetType.DETERMINISTIC_QUALITY)
    context.logging = False
    context.set_partitioning_parameters(count, imbalance, mtkahypar.Objective.KM1)
    graph = library.create_hypergraph(
        context, weights.size, len(edges), edges, as_integers(weights), as_integers(edge_weights)
    )
    return np.asarray(graph.partition(context).get_partition())


def as_integers(weights: Array) -> Array:
    """Return weights as integers of at least 1, scaled as finely as their total permits."""
    if (weights == np.rint(weights)).all() and weights.sum() <= _MAX_TOTAL:
        return weights.astype(np.int64)
    weights = weights.astype(np.float64)
    largest = min(_MAX_WEIGHT, _MAX_TOTAL * weights.max() / weights.sum())
    return np.maximum(1, np.rint(weights / weights.max() * largest)).astype(np.int64)


def _import_library(name: str) -> ModuleType:
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
def _initialize_mtkahypar() -> Any:
    # The library can be initialised only once in a process.
    return _import_library("mtkahypar").initialize(1, print_warnings=False)
