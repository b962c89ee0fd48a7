"""The agreement of clusterings with each other, compared with independent clusterings."""

from typing import NamedTuple

import numpy as np

from clusterwise.consensus.overlaps import Overlaps, sum_blocks
from clusterwise.inputs.encoding import Array

# Independent clusterings exceed so many standard deviations in one of several hundred ensembles.
_DEVIATIONS = 3.0
# With a larger mean adjusted Rand index the objects are too few to tell, and nothing is said.
_LOW = 0.1


class MutualAgreement(NamedTuple):
    """The mean adjusted Rand index of all pairs of clusterings.

    ``deviation`` is its standard deviation if the clusterings are independent, with clusters of
    the same sizes; its mean is then 0. Both are NaN if no two clusterings tell anything: those with
    one cluster, or with single objects only, do not.
    """

    mean: float
    deviation: float

    @property
    def by_chance(self) -> float:
        """The largest mean that independent clusterings plausibly have."""
        return _DEVIATIONS * self.deviation

    @property
    def is_common(self) -> bool:
        """Whether the clusterings agree by more than independent ones would."""
        return not (self.mean < _LOW and self.mean <= self.by_chance)


def measure_mutual_agreement(overlaps: Overlaps) -> MutualAgreement:
    """Compare all pairs of clusterings, each on the objects that both label.

    Pairs of which one has a single cluster, or single objects only, are left out.
    The moments are those of the permutation model: the number of pairs of objects together in both
    is a sum over pairs, and its square one over two pairs that are the same, share an object, or
    share none. Values of different pairs of clusterings are uncorrelated.
    """
    starts = overlaps.first[:-1]
    shared = overlaps.shared
    both = sum_blocks(_pairs(shared), starts)
    known = np.add.reduceat(shared, starts, axis=1)
    objects = np.add.reduceat(known, starts, axis=0)
    pairs = np.add.reduceat(_pairs(known), starts, axis=0)
    triples = np.add.reduceat(known * (known - 1) * (known - 2), starts, axis=0)
    upper = np.triu_indices(starts.size, 1)
    n, a, b = objects[upper], pairs[upper], pairs.T[upper]
    usable = n > 1
    n, a, b, together = n[usable], a[usable], b[usable], both[upper][usable]
    a2, b2 = triples[upper][usable], triples.T[upper][usable]
    expected = a * b / _pairs(n)
    span = (a + b) / 2 - expected
    square = expected + _ratio(a2 * b2, n * (n - 1) * (n - 2))
    square += _ratio((a * a - a - a2) * (b * b - b - b2), _pairs(n) * _pairs(n - 2))
    # A clustering with one cluster, or with single objects only, is the same if permuted.
    differ = (np.minimum(a, b) > 0) & (np.maximum(a, b) < _pairs(n))
    if not differ.any():
        return MutualAgreement(np.nan, np.nan)
    scores = (together - expected)[differ] / span[differ]
    variances = np.maximum(square - expected * expected, 0)[differ] / span[differ] ** 2
    return MutualAgreement(float(scores.mean()), float(np.sqrt(variances.sum()) / scores.size))


def _pairs(counts: Array) -> Array:
    return np.asarray(counts * (counts - 1) / 2)


def _ratio(one: Array, other: Array) -> Array:
    return np.divide(one, other, out=np.zeros_like(one), where=other > 0)
