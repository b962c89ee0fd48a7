"""Deviation of indices from accuracy, for k-means with an increasing number of clusters."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.matching import cluster_accuracy_score
from clusterwise.summaries.contingency.contingency import Contingency
from experiments.irm.published import INDICES, LARGEST

FEWEST = 2
# The number of values of k that count as first or last.
FEW = 5


class Deviations(NamedTuple):
    """Accuracy minus index, mean over seeds: a row for each k from 2 on, a column for each index.

    ``classes`` is the number of true clusters. The methods return absolute deviations.
    """

    n: int
    classes: int
    values: Array

    @property
    def largest(self) -> int:
        """The largest k."""
        return FEWEST + len(self.values) - 1

    @property
    def sizes(self) -> Array:
        """All indices at every k from the true one on."""
        return self.between(self.classes, self.largest)

    @property
    def early(self) -> Array:
        """All indices, mean over the first few k from the true one on."""
        return self.sizes[:FEW].mean(axis=0)

    @property
    def late(self) -> Array:
        """All indices, mean over the last few k."""
        return self.sizes[-FEW:].mean(axis=0)

    def at(self, k: int) -> Array:
        """Return all indices at one k."""
        return np.abs(self.values[k - FEWEST])

    def between(self, first: int, last: int) -> Array:
        """Return all indices at every k from the first to the last."""
        return np.abs(self.values[first - FEWEST : last - FEWEST + 1])

    def of(self, index: str) -> Array:
        """Return one index at every k from the true one on."""
        return self.sizes[:, list(INDICES).index(index)]


def find_deviations(
    data: Dataset, seeds: int, largest: int = LARGEST, progress: bool | None = None
) -> Deviations:
    """Run k-means from random objects, ``seeds`` times for each k, against the true clusters.

    Clusterings are made in several threads; the number of threads does not affect the results.
    """
    points = read_points(data.X).points
    names, truth = np.unique(data.labels.astype(str), return_inverse=True)
    last = min(largest, truth.size)
    rows = [
        _mean_deviations(points, truth, k, seeds)
        for k in track(range(FEWEST, last + 1), last + 1 - FEWEST, data.name, progress)
    ]
    return Deviations(truth.size, names.size, np.array(rows))


def _mean_deviations(points: Array, truth: Array, k: int, seeds: int) -> Array:
    made = make_ensemble(
        points,
        seeds,
        n_clusters=k,
        strategies=("plain",),
        init="random",
        scale=False,
        random_state=k,
        progress=False,
    )
    tables = [Contingency.from_labels(truth, labels) for labels in made.labels.T]
    return np.mean([compare_with_accuracy(table) for table in tables], axis=0)


def compare_with_accuracy(table: Contingency) -> Array:
    """Return accuracy minus each index."""
    values = [find_measure(name).function(table) for name in INDICES.values()]
    return cluster_accuracy_score(table) - np.array(values)


def nearest(off: Array) -> str:
    """Return the index with the smallest deviation."""
    return list(INDICES)[int(off.argmin())]


def select_columns(off: Array, index: str) -> float:
    """Return the value of one index."""
    return float(off[list(INDICES).index(index)])
