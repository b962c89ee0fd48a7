"""The six data sets of section 5 as points, and k-means on them."""

from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from clusterwise.datasets.toy import make_ds1, make_ds2
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from experiments.common.experiment import Setup

GENERATED = {"ds1": make_ds1, "ds2": make_ds2}
# Sequoia is in metres; this gives units of 100 km.
_METRES = 1e5
# The quick form takes every n-th of its points.
_EVERY = 10


def load_real(setup: Setup, name: str) -> Array:
    """Load one of the real data sets in two dimensions."""
    X = read_points(setup.load(name).X).points
    if name == "sequoia":
        return X / _METRES if setup.full else X[::_EVERY] / _METRES
    return np.asarray(PCA(2).fit_transform(X))


def find_means(points: Array, clusters: int, seed: int) -> Array:
    """Run k-means, the best of ten starts."""
    with one_thread():
        return np.asarray(KMeans(clusters, n_init=10, random_state=seed).fit_predict(points))


def one_thread() -> Any:
    """Use one thread, so that sums are in a fixed order and seeds give the same digits."""
    return threadpool_limits(1)
