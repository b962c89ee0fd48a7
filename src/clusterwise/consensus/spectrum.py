"""The number of clusters that an ensemble holds, by the spectrum of its clusters' overlaps."""

import numpy as np
from scipy.linalg import eigh

from clusterwise._utils.threads import one_library_thread_if_small
from clusterwise.consensus.overlaps import Overlaps
from clusterwise.inputs.encoding import Array

# Larger matrices of clusters × clusters take more than a second.
MAX_CLUSTERS = 2_000
# Gaps are divided by this power of the number of clusters, and compared to this many decimals
# (python -m experiments.consensus.choice).
_POWER = 0.4
_DECIMALS = 6
# Eigenvalues nearer to 1 are 1: their angles would be rounding errors.
_ROUNDING = 1e-12


def suggest_number(overlaps: Overlaps, weights: Array, most: int) -> int:
    """Return the number of clusters, from 2 to ``most``, after which the spectrum has its gap.

    Objects and clusters are the vertices of a bipartite graph. If it consisted of k parts, k
    singular values of its normalised matrix would be 1, and their angles 0; the less the
    clusterings cut k parts, the smaller are these angles. The gap to the next angle, divided by a
    power of k, is largest for the number that is returned.
    """
    angles = spectral_angles(overlaps, weights, most + 1)
    numbers = np.arange(2, most + 1)
    gaps = (angles[2:] - angles[1:-1]) / numbers**_POWER
    return int(numbers[np.argmax(np.round(gaps, _DECIMALS))])


def spectral_angles(overlaps: Overlaps, weights: Array, count: int) -> Array:
    """Return the ``count`` smallest angles, in radians; π/2 where there are fewer clusters.

    ``weights`` are those of the clusterings. Objects count by the labels that they have.
    """
    by_cluster = np.repeat(weights, np.diff(overlaps.first))
    walk = overlaps.shared * by_cluster[:, None] * by_cluster
    inverse = 1.0 / np.sqrt(walk.sum(axis=1))
    walk *= inverse[:, None]
    walk *= inverse
    last = len(walk) - 1
    with one_library_thread_if_small(0):
        values = eigh(walk, eigvals_only=True, subset_by_index=[max(0, last - count + 1), last])
    cosines = np.sqrt(np.clip(values[::-1], 0.0, 1.0))
    cosines[cosines > 1.0 - _ROUNDING] = 1.0
    angles = np.full(count, np.pi / 2)
    angles[: cosines.size] = np.arccos(cosines)
    return angles
