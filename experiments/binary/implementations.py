"""Implementations of ICS and ECS: by pairs of objects and by bit vectors as printed."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.summaries.ensemble.packed import pack_ensemble

# Rows of the matrix that are computed, and cells that are summed at a time, to fit into the cache.
_ROWS, _CELLS = 32, 2**18


class Draw(NamedTuple):
    """An ensemble of n × m labels, and a candidate."""

    ensemble: Array
    candidate: Array


def draw(n: int, members: int, clusters: int, seed: int) -> Draw:
    """Draw random labels; the time of all implementations depends on the sizes only."""
    random = np.random.default_rng(seed)
    ensemble = random.integers(0, clusters, (n, members), np.int8)
    return Draw(ensemble, random.integers(0, clusters, n, np.int8))


def count_votes(ensemble: Array) -> Array:
    """Return the co-association matrix: the number of clusterings that join two objects."""
    n, m = ensemble.shape
    members = np.ascontiguousarray(ensemble.T)
    votes = np.empty((n, n), np.int32)
    for start in range(0, n, _ROWS):
        rows = slice(start, start + _ROWS)
        counts = np.zeros(votes[rows].shape, np.min_scalar_type(m))
        for member in members:
            counts += member[rows, None] == member
        votes[rows] = counts
    return votes


def intra_from_votes(votes: Array, labels: Array, *, ordered: bool = False) -> float:
    """ICS from the matrix (Eq. 3).

    As printed, the sum is over ordered pairs, and objects with themselves (``ordered``); else each
    pair of two objects is taken once.
    """
    value = 0.0
    for members in _clusters(labels):
        pairs = _sum(votes, members, members)
        if not ordered:
            pairs = (pairs - int(votes[members, members].sum())) // 2
        value += pairs / members.size**2
    return value


def inter_from_votes(votes: Array, labels: Array) -> float:
    """ECS from the matrix (Eq. 4)."""
    return sum(
        _sum(votes, ours, others) / (ours.size * others.size)
        for ours, others in combinations(_clusters(labels), 2)
    )


def intra_by_bits(words: Array, ours: Array) -> float:
    """ICS by AND and counting bits (Eq. 6)."""
    return sum(
        float(_pairs(words, one).sum()) / size**2
        for one, size in zip(ours, _sizes(ours), strict=True)
    )


def inter_by_bits(words: Array, ours: Array) -> float:
    """ECS by OR, AND and counting bits (Eq. 7): pairs in a union less those in its parts."""
    within = [_pairs(words, one) for one in ours]
    sizes = _sizes(ours)
    return sum(
        float((_pairs(words, ours[k] | ours[j]) - within[k] - within[j]).sum())
        / (sizes[k] * sizes[j])
        for k, j in combinations(range(len(ours)), 2)
    )


def count_cells(labels: Array) -> int:
    """Return the number of cells of the matrix read for ICS and ECS."""
    sizes: list[int] = np.bincount(labels).tolist()
    return sum(size**2 for size in sizes) + sum(a * b for a, b in combinations(sizes, 2))


def count_words(words: Array, ours: Array) -> int:
    """Return the number of words of the ensemble read for ICS and ECS, one pass for each AND."""
    clusters = len(ours)
    return words.size * (2 * clusters + clusters * (clusters - 1) // 2)


def pack_candidate(labels: Array) -> Array:
    """Return a row of bits for each cluster."""
    return pack_ensemble(labels[:, None]).words


def _clusters(labels: Array) -> Iterator[Array]:
    for label in np.unique(labels):
        yield np.flatnonzero(labels == label)


def _sum(votes: Array, rows: Array, columns: Array) -> int:
    some = max(1, _CELLS // columns.size)
    return sum(
        int(votes[np.ix_(rows[start : start + some], columns)].sum(dtype=np.int64))
        for start in range(0, rows.size, some)
    )


def _pairs(words: Array, one: Array) -> Array:
    """Return the number of pairs that a cluster has in common with the ensemble's clusters."""
    shared = np.bitwise_count(words & one).sum(axis=1, dtype=np.int64)
    return shared * (shared - 1) // 2


def _sizes(ours: Array) -> list[int]:
    sizes: list[int] = np.bitwise_count(ours).sum(axis=1, dtype=np.int64).tolist()
    return sizes
