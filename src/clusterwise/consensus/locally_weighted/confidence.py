"""The confidence of each cluster of an ensemble, by its entropy in all clusterings."""

import numpy as np
from scipy.special import xlogy

from clusterwise.consensus.overlaps import Overlaps, count_overlaps
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Collapsed

DEFAULT_THETA = 0.4


def cluster_confidence(collapsed: Collapsed, weights: Array, theta: float) -> Array:
    """Return the ensemble-driven cluster index (ECI) of all clusters; 1 is the highest."""
    if theta == np.inf:
        return np.ones(sum(collapsed.ensemble.sizes))
    return weigh_clusters(count_overlaps(collapsed), weights, theta)


def weigh_clusters(overlaps: Overlaps, weights: Array, theta: float) -> Array:
    """Return the ensemble-driven cluster index (ECI) from the overlaps of all clusters.

    The uncertainty of a cluster is the mean, over the clusterings, of the entropy in bits of its
    objects' labels, and its ECI is exp(-uncertainty / ``theta``). A clustering counts by its weight
    and the proportion of the cluster's objects that it labels.
    """
    starts = overlaps.first[:-1]
    known = np.add.reduceat(overlaps.shared, starts, axis=1)
    # Σ p log p over the labels of one clustering is Σ n_c log n_c / n - log n.
    logs = np.add.reduceat(xlogy(overlaps.shared, overlaps.shared), starts, axis=1)
    bits = (xlogy(known, known) - logs) / np.log(2)
    uncertainty = np.maximum(bits, 0) @ weights / (known @ weights)
    return np.asarray(np.exp(-uncertainty / theta))
