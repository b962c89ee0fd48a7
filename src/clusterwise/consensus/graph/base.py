"""The base of the four methods that partition a graph: CSPA, HGPA, MCLA and HBGF."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.consensus.base import Consensus, draw_sample
from clusterwise.consensus.co_association import ClusterCounts
from clusterwise.consensus.overlaps import first_clusters
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed, Ensemble


class GraphConsensus(Consensus):
    """A consensus from a balanced partition of a graph.

    Subclasses build the graph and partition it in ``_partition``.
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        weights: Any = None,
        imbalance: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weights = weights
        self.imbalance = imbalance
        self.random_state = random_state

    def _combine(self, collapsed: Collapsed, weights: Array, count: int | None) -> Array:
        assert count is not None
        if count == 1:
            return np.zeros(collapsed.ensemble.n, np.int64)
        return self._partition(collapsed, weights, count, as_random_state(self.random_state))

    @abstractmethod
    def _partition(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        """Return the part of each distinct object."""


class SampledConsensus(GraphConsensus):
    """A balanced partition of the distinct objects, or of a sample that the others then join."""

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        weights: Any = None,
        imbalance: float = 0.05,
        max_objects: int = 2000,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_clusters, weights=weights, imbalance=imbalance, random_state=random_state
        )
        self.max_objects = max_objects

    def _partition(
        self, collapsed: Collapsed, weights: Array, count: int, random: np.random.RandomState
    ) -> Array:
        if self.max_objects < count:
            raise InputError(
                f"max_objects={self.max_objects!r} for {count} clusters; use at least {count}."
            )
        ensemble = collapsed.ensemble
        if ensemble.n <= self.max_objects:
            return self._fill(ensemble, collapsed.weights, weights, count, random)
        sample = draw_sample(collapsed.weights, self.max_objects, random)
        few = ensemble._replace(codes=np.ascontiguousarray(ensemble.codes[:, sample]))
        parts = self._fill(few, collapsed.weights[sample], weights, count, random)
        codes = nearest_parts(ensemble, weights, sample, parts, count)
        codes[sample] = parts
        return codes

    def _fill(
        self,
        ensemble: Ensemble,
        sizes: Array,
        weights: Array,
        count: int,
        random: np.random.RandomState,
    ) -> Array:
        """Partition these objects into parts of which none is empty."""
        parts = self._partition_objects(ensemble, sizes, weights, count, random)
        return fill_empty_parts(ensemble, sizes, weights, parts, count)

    @abstractmethod
    def _partition_objects(
        self,
        ensemble: Ensemble,
        sizes: Array,
        weights: Array,
        count: int,
        random: np.random.RandomState,
    ) -> Array:
        """Partition these objects; ``sizes`` are their multiplicities."""


def fill_empty_parts(
    ensemble: Ensemble, sizes: Array, weights: Array, parts: Array, count: int
) -> Array:
    """Give each empty part the object that is least connected with the heaviest part.

    Partitioners leave parts empty if few objects have most of the weight. ``sizes`` are the
    multiplicities of the objects, of which there must be at least ``count``.
    """
    parts = parts.copy()
    for empty in np.flatnonzero(np.bincount(parts, minlength=count) == 0):
        several = np.bincount(parts, minlength=count) > 1
        heaviest = np.where(several, np.bincount(parts, sizes, count), -1).argmax()
        inside = np.flatnonzero(parts == heaviest)
        codes, counts = ensemble.codes[:, inside], sizes[inside].astype(np.float64)
        one_part = np.zeros(inside.size, np.int64)
        whole = ClusterCounts.from_labels(ensemble._replace(codes=codes), weights, one_part, counts)
        connection = np.empty(inside.size)
        for some, together, _ in whole.blocks(codes):
            connection[some] = together[:, 0]
        connection -= counts * (weights @ (codes >= 0))  # with objects of the same labels
        parts[inside[(counts * connection).argmin()]] = empty
    return parts


def nearest_parts(
    ensemble: Ensemble, weights: Array, sample: Array, parts: Array, count: int
) -> Array:
    """Return the part with whose sampled objects each object has the largest mean co-association.

    ``parts`` are those of the objects ``sample``.
    """
    sizes = np.bincount(parts, minlength=count)
    scores = np.zeros((ensemble.n, count))
    for codes, size, weight in zip(ensemble.codes, ensemble.sizes, weights, strict=True):
        known = codes[sample] >= 0
        cells = codes[sample][known].astype(np.int64) * count + parts[known]
        table = np.bincount(cells, minlength=size * count).reshape(size, count)
        # The last row, of zeros, is for missing labels (code -1).
        proportions = np.vstack([table / np.maximum(sizes, 1), np.zeros(count)])
        scores += weight * proportions[codes]
    return scores.argmax(axis=1)


def indicators(ensemble: Ensemble, weights: Array) -> Any:
    """Return the sparse objects × clusters matrix of the weights of the clusterings."""
    known = ensemble.codes.T >= 0
    columns = ensemble.codes.T + first_clusters(ensemble)[:-1]
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    data = np.broadcast_to(weights, known.shape)[known]
    return sparse.csr_array((data, columns[known], ends), (ensemble.n, int(sum(ensemble.sizes))))
