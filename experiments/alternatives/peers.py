"""Methods of other libraries that find several clusterings, if installed."""

import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score

NRKMEANS = "NrKmeans"
_RESTARTS = 10
# Names in ClustPy, and parameters other than the numbers of clusters and the seed.
_CLUSTPY: dict[str, tuple[str, dict[str, Any]]] = {
    NRKMEANS: ("NrKmeans", {"n_init": _RESTARTS}),
    "Orth1": ("OrthogonalClustering", {}),
    "Orth2": ("ClusteringInOrthogonalSpaces", {}),
}
PEERS = tuple(_CLUSTPY)

Peer = Callable[[Array, Sequence[int], int], Array]


def find_peers() -> dict[str, Peer]:
    """Return the peers by name; none if ClustPy is not installed.

    Each takes points, the number of clusters of every clustering and a seed, and returns a
    column of labels for each clustering.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            library = import_module("clustpy.alternative")
    except ImportError:
        return {}
    return {
        name: _wrap(getattr(library, estimator), options)
        for name, (estimator, options) in _CLUSTPY.items()
    }


def _wrap(estimator: Any, options: dict[str, Any]) -> Peer:
    def run(points: Array, counts: Sequence[int], seed: int) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = estimator(list(counts), random_state=seed, **options).fit(np.array(points))
        return np.asarray(model.labels_).astype(np.int64)

    return run


def first_other(clusterings: Array, given: Array) -> Array:
    """Return the first column other than the one with the highest NMI with the given clustering.

    Not the one with the lowest NMI: planted clusterings are exactly independent, so that would be
    the one with the fewest errors, which cannot be known without the truth.
    """
    shared = [normalized_mutual_info_score(given, labels) for labels in clusterings.T]
    others = np.delete(np.arange(len(shared)), int(np.argmax(shared)))
    return np.asarray(clusterings[:, others[0] if others.size else 0])
