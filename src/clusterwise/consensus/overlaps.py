"""Contingency tables of all pairs of clusterings of an ensemble."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_parts, thread_count
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels.ensemble import count_cluster_overlaps, count_votes

# A table of this many clusters × clusters takes 0.8 GB.
_MAX_CLUSTERS = 10_000
_SERIAL_BELOW = 50_000
# Every thread counts into a table of its own; the total number of cells is at most this.
_MAX_CELLS = 2**24


class Overlaps(NamedTuple):
    """The overlap of each two clusters, and the first cluster of each clustering."""

    shared: Array
    first: Array

    @property
    def sizes(self) -> Array:
        """The number of objects of each cluster."""
        return np.diagonal(self.shared)

    def rows(self, i: int) -> slice:
        """The clusters of clustering ``i``."""
        return slice(int(self.first[i]), int(self.first[i + 1]))


def first_clusters(ensemble: Ensemble) -> Array:
    """Return the index of the first cluster of each clustering, and the total at the end."""
    return np.concatenate([[0], np.cumsum(ensemble.sizes)])


def count_overlaps(collapsed: Collapsed) -> Overlaps:
    """Count the overlaps of all pairs of clusters in one pass over the objects."""
    ensemble, weights, _ = collapsed
    first = first_clusters(ensemble)
    clusters = int(first[-1])
    if clusters > _MAX_CLUSTERS:
        raise InputError(
            f"the clusterings have {clusters} clusters in all, which is too many to match with "
            f"each other; pass clusterings with at most {_MAX_CLUSTERS} in all."
        )
    parts = 1
    if ensemble.n * ensemble.m >= _SERIAL_BELOW:
        parts = max(1, min(thread_count(), _MAX_CELLS // clusters**2))
    bounds = np.linspace(0, ensemble.n, parts + 1).astype(np.int64)
    tables = np.zeros((parts, clusters, clusters), np.int64)

    def count(part: int) -> None:
        start, stop = bounds[part], bounds[part + 1]
        count_cluster_overlaps(ensemble.codes, first, weights, start, stop, tables[part])

    run_parts(count, parts)
    shared = tables.sum(axis=0, dtype=np.float64)
    shared += np.tril(shared, -1).T
    return Overlaps(shared, first)


def sum_blocks(table: Array, starts: Array) -> Array:
    """Sum a table of clusters × clusters over each two clusterings."""
    return np.asarray(np.add.reduceat(np.add.reduceat(table, starts, axis=0), starts, axis=1))


def count_ballots(ensemble: Ensemble, joins: Array, weights: Array, count: int) -> Array:
    """Return the votes for each of ``count`` clusters, objects × clusters.

    ``joins`` is the cluster that each cluster of the ensemble votes for, with its ``weights``.
    """
    votes = np.zeros((ensemble.n, count))
    count_votes(ensemble.codes, first_clusters(ensemble), joins, weights, votes)
    return votes
