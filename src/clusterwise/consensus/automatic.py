"""The choice of `combine("auto")`: the method, and the number of clusters."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.consensus.locally_weighted.confidence import DEFAULT_THETA, weigh_clusters
from clusterwise.consensus.methods import Method
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.consensus.spectrum import MAX_CLUSTERS, suggest_number
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Collapsed

# The mean confidence from which local weights help, if the clusterings have so many times the
# number of clusters (python -m experiments.consensus.choice). The last decimals of the confidence
# depend on the order of clusters.
CONFIDENT, RATIO = 0.1, 1.5
_DECIMALS = 9
LOCAL: Method = "lwea"
EQUAL: Method = "refined-evidence"


class Choice(NamedTuple):
    """A method, the number of clusters (None: the method decides), and the mean confidence."""

    method: Method
    n_clusters: int | None
    confidence: float


def choose_method(collapsed: Collapsed, weights: Array, n_clusters: int | None) -> Choice:
    """Choose a method by the clusters' sizes and mean confidence, and a number by their overlaps.

    Local weights find clusters of any shape, if the clusterings have more and smaller clusters that
    mostly lie within each other: confidences are then high. If they are low, all clusters cut each
    other, by noise or because real clusters overlap, and weights that differ by orders of magnitude
    follow single clusters. Then, and if the clusterings have few clusters, all count alike. The
    confidence is NaN if there are too many clusters for a table.
    """
    try:
        overlaps = count_overlaps(collapsed)
    except InputError:
        return Choice(EQUAL, n_clusters, np.nan)
    sizes = collapsed.ensemble.sizes
    confidences = weigh_clusters(overlaps, weights, DEFAULT_THETA)
    confidence = float(np.average(confidences, weights=np.repeat(weights, sizes)))
    if n_clusters is None and len(overlaps.shared) <= MAX_CLUSTERS:
        labelled = (collapsed.ensemble.codes != MISSING).any(axis=0)
        most = min(max(sizes), int(labelled.sum()))
        n_clusters = 1 if most == 1 else suggest_number(overlaps, weights, most)
    confident = round(confidence, _DECIMALS) >= CONFIDENT
    many = n_clusters is None or np.median(sizes) >= RATIO * n_clusters
    return Choice(LOCAL if confident and many else EQUAL, n_clusters, confidence)
