"""The clusters of an ensemble side by side, which methods that match clusters need."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_parts, thread_count
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble
from clusterwise.kernels.voting import count_shared, count_votes

# A table of so many clusters × clusters takes 0.8 GB.
_MOST = 10_000
_SERIAL_BELOW = 50_000
# Every thread counts into a table of its own, and together they hold at most so many cells.
_CELLS = 2**24


class Overlaps(NamedTuple):
    """How many objects any two of all clusters share, and where each clustering begins."""

    shared: Array
    first: Array

    @property
    def sizes(self) -> Array:
        """How many objects each cluster has."""
        return np.diagonal(self.shared)

    def rows(self, i: int) -> slice:
        """The clusters of clustering ``i``."""
        return slice(int(self.first[i]), int(self.first[i + 1]))


def first_clusters(ensemble: Ensemble) -> Array:
    """The number of the first cluster of each clustering, and of all clusters at the end."""
    return np.concatenate([[0], np.cumsum(ensemble.sizes)])


def count_overlaps(collapsed: Collapsed) -> Overlaps:
    """Count in one pass, whose result does not depend on the number of threads."""
    ensemble, weights, _ = collapsed
    first = first_clusters(ensemble)
    clusters = int(first[-1])
    if clusters > _MOST:
        raise InputError(
            f"the clusterings have {clusters} clusters in all, which is too many to match with "
            f"each other; pass clusterings with at most {_MOST} in all."
        )
    parts = 1
    if ensemble.n * ensemble.m >= _SERIAL_BELOW:
        parts = max(1, min(thread_count(), _CELLS // clusters**2))
    bounds = np.linspace(0, ensemble.n, parts + 1).astype(np.int64)
    tables = np.zeros((parts, clusters, clusters), np.int64)

    def count(part: int) -> None:
        start, stop = bounds[part], bounds[part + 1]
        count_shared(ensemble.codes, first, weights, start, stop, tables[part])

    run_parts(count, parts)
    shared = tables.sum(axis=0, dtype=np.float64)
    shared += np.tril(shared, -1).T
    return Overlaps(shared, first)


def count_ballots(ensemble: Ensemble, joins: Array, weights: Array, count: int) -> Array:
    """Votes for each of ``count`` clusters, objects × clusters.

    ``joins`` is the cluster that each cluster of the ensemble votes for, ``weights`` how much.
    """
    votes = np.zeros((ensemble.n, count))
    count_votes(ensemble.codes, first_clusters(ensemble), joins, weights, votes)
    return votes
