"""The rule that stands in for an unknown clusterer: the one that reproduces its labels best."""

from typing import NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering

from clusterwise._utils.random import draw_seed
from clusterwise.inputs.encoding import Array
from clusterwise.stability.clusterers import Clusterer, Clusters
from clusterwise.stability.recovery import measure_agreement
from clusterwise.stability.resamples import take_some

NEAREST_CENTROID = "the nearest centroid (k-means)"
NEAREST_NEIGHBOURS = "the nearest neighbours (spectral clustering of their graph)"
# Starts of k-means, neighbours of the graph, and the objects of which a graph is made at most.
_STARTS, _NEIGHBOURS, _MOST_OBJECTS = 3, 10, 1000


class Rule(NamedTuple):
    """A rule, and the adjusted Rand index of its clusters with the labels."""

    name: str
    reproduces: float
    clusterer: Clusterer


def find_rule(points: Array, clusters: Clusters, random: np.random.RandomState) -> Rule:
    """Return the rule that reproduces the clusters best, with as many clusters."""
    size = clusters.size
    rules = {NEAREST_CENTROID: Clusterer(KMeans(size, n_init=_STARTS))}
    most = min(len(points), _MOST_OBJECTS)
    if size < most:
        graph = SpectralClustering(
            size,
            affinity="nearest_neighbors",
            n_neighbors=min(_NEIGHBOURS, most // 2),
            assign_labels="cluster_qr",
        )
        rules[NEAREST_NEIGHBOURS] = Clusterer(graph, most_objects=_MOST_OBJECTS)
    found = []
    with catch_warnings():
        # Of equal objects, and of graphs that clusters split; the rule is judged by its labels.
        simplefilter("ignore")
        for name, clusterer in rules.items():
            some = take_some(np.arange(len(points)), clusterer.most_objects, random)
            labels = clusterer.cluster(points[some], draw_seed(random)).codes
            found.append(Rule(name, measure_agreement(clusters.codes[some], labels), clusterer))
    return max(found, key=lambda rule: rule.reproduces)
