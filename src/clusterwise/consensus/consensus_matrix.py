"""The co-association matrix of a sample of objects, ordered for a heat map."""

from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.export import to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.random import as_random_state
from clusterwise._utils.results import Described
from clusterwise._utils.tables import TableRepr, TextTable, format_number
from clusterwise.consensus.base import looks_like_ensemble, relative_weights, unwrap
from clusterwise.consensus.co_association import co_association_distances, weigh_pairs
from clusterwise.consensus.diagnostics import read_consensus
from clusterwise.consensus.linkage import average_linkage
from clusterwise.inputs.encoding import Array, name_list, rows_by_name
from clusterwise.inputs.ensembles import Ensemble, read_ensemble


class ConsensusMatrix(Described, TableRepr):
    """The result of :func:`consensus_matrix`: prints the means of its blocks.

    Attributes
    ----------
    values : ndarray of shape (s, s)
        Co-associations, from 0 to 1, with rows and columns ordered for a heat map.
    objects : ndarray of shape (s,)
        The object of each row.
    labels : ndarray of shape (s,)
        Its cluster in the consensus; all 0 without a consensus.
    n : int
        The number of objects from which the sample was drawn.
    """

    def __init__(self, values: Array, objects: Array, labels: Array, n: int) -> None:
        self.values, self.objects, self.labels, self.n = values, objects, labels, n

    @property
    def block_means(self) -> Array:
        """Mean co-associations within and between clusters, without the diagonal.

        NaN within a cluster with one object in the sample.
        """
        clusters = rows_by_name(self.labels).values()
        means = np.full((len(clusters),) * 2, np.nan)
        for k, rows in enumerate(clusters):
            for j, columns in enumerate(clusters):
                cells = self.values[np.ix_(rows, columns)]
                if k != j:
                    means[k, j] = cells.mean()
                elif len(cells) > 1:
                    means[k, k] = (cells.sum() - np.trace(cells)) / (cells.size - len(cells))
        return means

    def _sentences(self) -> list[str]:
        """Describe the blocks."""
        means = self.block_means
        inside = np.diagonal(means)[~np.isnan(np.diagonal(means))]
        s = len(self.values)
        sample = f"all {s:,} objects" if s == self.n else f"a sample of {s:,} of {self.n:,} objects"
        if len(means) < 2 or not inside.size:
            return [f"Co-associations of {sample}."]
        between = means[~np.eye(len(means), dtype=bool)]
        return [
            f"In {sample}, the mean co-association within clusters is "
            f"{inside.min():.2f} to {inside.max():.2f}, and between two clusters at most "
            f"{between.max():.2f}."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""
        labels = [one if isinstance(one, int) else str(one) for one in name_list(self.labels)]
        return {
            "n_objects": self.n,
            "objects": self.objects.tolist(),
            "labels": labels,
            "values": self.values.tolist(),
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the matrix as a frame; the index of a pandas frame are the objects."""
        columns = {
            str(i): column.tolist() for i, column in zip(self.objects, self.values.T, strict=True)
        }
        return to_frame(columns, library, index=self.objects.tolist(), index_name="object")

    def text_table(self) -> TextTable:
        """Return the block means."""
        clusters = rows_by_name(self.labels)
        names = [str(label) for label in clusters]
        sizes = [str(len(rows)) for rows in clusters.values()]
        rows = [
            [name, size, *map(format_number, means)]
            for name, size, means in zip(names, sizes, self.block_means, strict=True)
        ]
        title = f"Mean co-association of {len(self.values)} of {self.n} objects"
        return TextTable(["cluster", "objects", *names], rows, title)

    def plot(self, *, ax: Any = None, colours: Any = None) -> Any:
        """Plot the matrix as a heat map.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        colours : list of one Colours, optional
            The colours of the clusters.

        Returns
        -------
        ConsensusDisplay
        """
        return load_display("ConsensusDisplay")(self, colours=colours).plot(ax=ax)


@check_arguments
def consensus_matrix(
    ensemble: Any,
    labels: Any = None,
    *,
    n_sample: int = 500,
    weights: Any = None,
    random_state: Any = None,
) -> ConsensusMatrix:
    """Return the co-association matrix of a sample of objects, ordered for a heat map.

    Clusters of the consensus are in the order of their first objects, and the objects of each in
    the order of the leaves of average linkage. Without a consensus all objects are in that order.

    Parameters
    ----------
    ensemble : array-like of shape (n, m), frame, list or dict of label arrays
        The clusterings.
    labels : array-like of shape (n,), optional
        The consensus. The ensemble and the labels may be passed in either order.
    n_sample : int, default=500
        The number of objects to draw, uniformly; all, if there are not more.
    weights : array-like of shape (m,), optional
        Weights of the clusterings; equal by default.
    random_state : int, RandomState, Generator or None
        The seed of the sample.

    Returns
    -------
    ConsensusMatrix
        ``values``, and the object and cluster of each row.

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
    ensemble, labels = unwrap(ensemble), unwrap(labels)
    if labels is not None and looks_like_ensemble(labels) and not looks_like_ensemble(ensemble):
        ensemble, labels = labels, ensemble
    ensemble = read_ensemble(ensemble)
    weights = relative_weights(weights, ensemble.m)
    codes, values = np.zeros(ensemble.n, np.int64), np.zeros(1, np.int64)
    if labels is not None:
        _, codes, values = read_consensus(labels, ensemble)
    objects = np.arange(ensemble.n)
    if n_sample < ensemble.n:
        random = as_random_state(random_state)
        objects = np.sort(random.choice(ensemble.n, n_sample, replace=False))
    objects = _order(ensemble, weights, codes, objects)
    sampled = np.ascontiguousarray(ensemble.codes[:, objects])
    matrix = 1.0 - co_association_distances(sampled, weigh_pairs(ensemble, weights))
    np.fill_diagonal(matrix, 1.0)
    return ConsensusMatrix(matrix, objects, values[codes[objects]], ensemble.n)


def _order(ensemble: Ensemble, weights: Array, codes: Array, objects: Array) -> Array:
    """Return the objects cluster by cluster, each in the order of a dendrogram."""
    ordered = []
    pair_weights = weigh_pairs(ensemble, weights)
    for cluster in dict.fromkeys(codes[objects].tolist()):
        here = objects[codes[objects] == cluster]
        if here.size > 1:
            some = np.ascontiguousarray(ensemble.codes[:, here])
            linked = average_linkage(some, pair_weights, np.ones(here.size))
            here = here[leaves_list(linked.to_scipy())]
        ordered.append(here)
    return np.concatenate(ordered)
