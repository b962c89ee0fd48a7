"""The matrix of co-associations of a sample, in an order that shows its blocks."""

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.random import as_random_state
from clusterwise._utils.tables import TableRepr, TextTable, format_number
from clusterwise.consensus.base import read_weights
from clusterwise.consensus.diagnostics import read_consensus
from clusterwise.consensus.linking import find_distances, link_averages
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.ensembles import Ensemble, read_ensemble


class ConsensusMatrix(TableRepr):
    """The result of :func:`consensus_matrix`: prints the means of its blocks.

    Attributes
    ----------
    values : ndarray of shape (s, s)
        Co-associations, from 0 to 1, with rows and columns ordered for a heat map.
    objects : ndarray of shape (s,)
        Which object each row is.
    labels : ndarray of shape (s,)
        Its cluster in the consensus; all 0 without one.
    n : int
        How many objects there were to draw from.
    """

    def __init__(self, values: Array, objects: Array, labels: Array, n: int) -> None:
        self.values, self.objects, self.labels, self.n = values, objects, labels, n

    @property
    def block_means(self) -> Array:
        """The mean co-association within and between clusters, without the diagonal.

        NaN within a cluster of which there is one object.
        """
        clusters = [self.labels == label for label in dict.fromkeys(name_list(self.labels))]
        means = np.full((len(clusters),) * 2, np.nan)
        for k, rows in enumerate(clusters):
            for j, columns in enumerate(clusters):
                cells = self.values[np.ix_(rows, columns)]
                if k != j:
                    means[k, j] = cells.mean()
                elif len(cells) > 1:
                    means[k, k] = (cells.sum() - np.trace(cells)) / (cells.size - len(cells))
        return means

    def text_table(self) -> TextTable:
        """Means of the blocks."""
        names = [str(label) for label in dict.fromkeys(name_list(self.labels))]
        rows = [
            [name, str(int((self.labels.astype(str) == name).sum())), *map(format_number, means)]
            for name, means in zip(names, self.block_means, strict=True)
        ]
        title = f"Mean co-association of {len(self.values)} of {self.n} objects"
        return TextTable(["cluster", "objects", *names], rows, title)

    def plot(self, *, ax: Any = None, colours: Any = None) -> Any:
        """Draw the matrix as a heat map.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        colours : list of one Colours, optional
            The colours of the clusters.

        Returns
        -------
        ConsensusDisplay
        """
        return load_display("ConsensusDisplay")(self, colours=colours).plot(ax=ax)


def consensus_matrix(
    ensemble: Any,
    labels: Any = None,
    *,
    n_sample: int = 500,
    weights: Any = None,
    random_state: Any = None,
) -> ConsensusMatrix:
    """How often objects of a sample are together, ordered for a heat map.

    Clusters of the consensus follow each other in the order of their first objects, and within
    each the objects are in the order of the leaves of average linkage. Without a consensus all
    objects are in that order.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    labels : array-like of shape (n,), optional
        The consensus.
    n_sample : int, default=500
        How many objects to draw, evenly; all, if there are not more.
    weights : array-like of shape (m,), optional
        How much each clustering counts; all the same by default.
    random_state : int, RandomState, Generator or None
        For the sample.

    Returns
    -------
    ConsensusMatrix
        ``values`` and which object and cluster each of its rows is.

    Examples
    --------
    >>> from clusterwise import consensus_matrix
    >>> ensemble = [[0, 1, 0, 1], [0, 1, 1, 1]]
    >>> found = consensus_matrix(ensemble, ["x", "y", "x", "y"])
    >>> found.objects
    array([0, 2, 1, 3])
    >>> found.values
    array([[1. , 0.5, 0. , 0. ],
           [0.5, 1. , 0.5, 0.5],
           [0. , 0.5, 1. , 1. ],
           [0. , 0.5, 1. , 1. ]])
    """
    ensemble = read_ensemble(ensemble)
    counting = read_weights(weights, ensemble.m)
    if n_sample < 1:
        raise InputError(f"n_sample={n_sample!r}; draw at least one object.")
    codes, values = np.zeros(ensemble.n, np.int64), np.zeros(1, np.int64)
    if labels is not None:
        _, codes, values = read_consensus(labels, ensemble)
    objects = np.arange(ensemble.n)
    if n_sample < ensemble.n:
        random = as_random_state(random_state)
        objects = np.sort(random.choice(ensemble.n, n_sample, replace=False))
    objects = _order(ensemble, counting, codes, objects)
    shown = 1.0 - find_distances(np.ascontiguousarray(ensemble.codes[:, objects]), counting)
    np.fill_diagonal(shown, 1.0)
    return ConsensusMatrix(shown, objects, values[codes[objects]], ensemble.n)


def _order(ensemble: Ensemble, weights: Array, codes: Array, objects: Array) -> Array:
    """Cluster after cluster, and neighbours beside each other."""
    ordered = []
    for cluster in dict.fromkeys(codes[objects].tolist()):
        here = objects[codes[objects] == cluster]
        if here.size > 1:
            some = np.ascontiguousarray(ensemble.codes[:, here])
            linked = link_averages(some, weights, np.ones(here.size))
            here = here[leaves_list(linked.table())]
        ordered.append(here)
    return np.concatenate(ordered)
