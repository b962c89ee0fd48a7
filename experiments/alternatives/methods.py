"""All methods for alternative clusterings as functions with one signature."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.inputs.encoding import Array
from experiments.alternatives.peers import Peer, find_peers, first_other

AUTO = "auto"
UNREFINED = "auto, not refined"
PROJECT = "project and k-means"
BASELINE = "k-means"
_CATEGORICAL = "COALACat"
_RESTARTS = 10


class Task(NamedTuple):
    """The input of a method.

    ``counts`` are the numbers of clusters of all clusterings: of the given one first, then of the
    alternative.
    """

    X: Any
    points: Array
    given: Array
    counts: Sequence[int]
    seed: int
    categorical: bool


Method = Callable[[Task], Array]


def list_methods(*, peers: bool = True) -> dict[str, Method]:
    """Return all methods by name: ours, the baseline, and installed peers."""
    found: dict[str, Method] = {
        AUTO: _again("auto"),
        UNREFINED: _again("auto", refine=False),
        "COALA": _again("coala", quality="dunn_centroids"),
        _CATEGORICAL: _again("coalacat"),
        "MAXIMUS": _again("maximus", quality="dunn_centroids"),
        "whiten": _again("orthogonal", quality="dunn_centroids"),
        PROJECT: _again(
            "orthogonal", quality="dunn_centroids", approach="project", explained_variance=1.0
        ),
        "CondEns": _again("condens", quality="dunn_centroids"),
        "MinCEntropy": _again("mincentropy", quality="dunn_centroids"),
        "CIB": _again("cib", quality="dunn_centroids"),
        "MetaClusterer": _again("metaclusterer", quality="dunn_centroids"),
        "Naive": _again("naive", quality="dunn_centroids"),
        BASELINE: _run_baseline,
    }
    if peers:
        found |= {name: _choose(peer) for name, peer in find_peers().items()}
    return found


def suits(name: str, *, categorical: bool) -> bool:
    """Return whether a method applies to such data."""
    return categorical or name != _CATEGORICAL


def _again(method: str, **options: Any) -> Method:
    def run(task: Task) -> Array:
        objects = task.points if method in ("coala", "naive") else task.X
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found = cluster_again(
                objects, task.given, method, n_clusters=task.counts[1], random_state=task.seed,
                progress=False, scale=False, **options,
            )  # fmt: skip
        # Recovery counts even if it is not convincing.
        return (found or found.unconvincing)[0].labels

    return run


def _run_baseline(task: Task) -> Array:
    """Run k-means, which ignores the given clustering."""
    model = KMeans(task.counts[1], n_init=_RESTARTS, random_state=task.seed)
    return np.asarray(model.fit(task.points).labels_)


def _choose(peer: Peer) -> Method:
    def run(task: Task) -> Array:
        return first_other(peer(task.points, task.counts, task.seed), task.given)

    return run
