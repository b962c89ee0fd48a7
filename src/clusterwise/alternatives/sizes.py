"""The sizes of clusters, and whether nearly all objects are in one of them."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.summaries.contingency.entropies import entropy

# A clustering of K clusters is degenerate if its effective number of clusters is below
# 1 + (K - 1) times this.
_DEGENERATE = 0.1


class Sizes(NamedTuple):
    """Cluster sizes, largest first.

    ``effective`` is the effective number of clusters, the exponential of the entropy of the sizes:
    K for K equal clusters, little more than 1 for one object against all others. ``degenerate``
    says that it is below 1 + (K - 1)/10, which for two clusters means that one has more than 98 %
    of the objects; or that all objects are in one cluster, except for singletons.
    """

    sizes: tuple[int, ...]
    effective: float
    degenerate: bool


def describe_sizes(labels: Array, weights: Array | None = None) -> Sizes:
    """Return the cluster sizes of codes; ``weights`` are the numbers of objects of each code."""
    counts = np.bincount(labels, weights).astype(np.int64)
    counts = np.sort(counts[counts > 0])[::-1]
    effective = float(np.exp(entropy(counts)))
    unbalanced = effective < 1 + _DEGENERATE * (counts.size - 1)
    degenerate = unbalanced or counts.size < 2 or (counts[0] > 1 >= counts[1])
    return Sizes(tuple(counts.tolist()), effective, bool(degenerate))
