"""How large clusters are, and whether a clustering is one that nobody wants."""

from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.summaries.contingency.entropies import entropy

# A clustering is degenerate if its effective number of clusters is nearer to one than this
# share of the way to its nominal number.
_SHARE = 0.1
# The guard against clusters of one or two strange objects: a cluster has at least this share of all
# objects, or this share of an average cluster if that is less, and two objects in any case.
_SHARE_OF_ALL = 0.05
_SHARE_OF_AVERAGE = 0.25
_FEWEST = 2


class Sizes(NamedTuple):
    """Sizes of clusters, largest first.

    ``effective`` is exp of their entropy: K for K equal clusters, hardly more than 1
    for one object against all the rest. ``degenerate`` says that it is below
    1 + (K - 1)/10, which for two clusters is one that holds more than 98 % of the objects; or
    that all objects are in one cluster, but perhaps for some that have one by themselves.
    """

    sizes: tuple[int, ...]
    effective: float
    degenerate: bool


def describe_sizes(labels: Array, times: Array | None = None) -> Sizes:
    """Sizes of a clustering given as codes, of which each may stand for several objects."""
    counts = np.bincount(labels, times).astype(np.int64)
    counts = np.sort(counts[counts > 0])[::-1]
    effective = float(np.exp(entropy(counts)))
    lopsided = effective < 1 + _SHARE * (counts.size - 1)
    degenerate = lopsided or counts.size < 2 or (counts[0] > 1 >= counts[1])
    return Sizes(tuple(counts.tolist()), effective, bool(degenerate))


def guard_size(n: int, clusters: int) -> float:
    """The size that a cluster of n objects must have by default, against strange single ones.

    5 % of the objects, or a quarter of an average cluster if that is less, and at least 2 objects.
    """
    return max(_FEWEST, min(_SHARE_OF_ALL, _SHARE_OF_AVERAGE / max(1, clusters)) * n)
