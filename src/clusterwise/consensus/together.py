"""How often objects are together with the clusters of one clustering, by many others."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import Ensemble
from clusterwise.kernels.evidence import sum_together

# Objects times clusters that are looked at at a time, so that little memory is needed.
_CELLS = 1 << 20


class Together(NamedTuple):
    """Objects of each of K clusters, counted in all clusters of an ensemble.

    ``counts`` has a row for each cluster of the ensemble, ``members`` one for each clustering,
    and ``offsets`` say where the clusters of each begin.
    """

    counts: Array
    members: Array
    offsets: Array
    weights: Array

    @classmethod
    def of(
        cls, ensemble: Ensemble, weights: Array, labels: Array, objects: Array | None = None
    ) -> "Together":
        """Count the objects of the clusters ``labels``; those with label -1 are left out.

        ``weights`` are those of the clusterings, and ``objects`` says how many objects each one
        stands for.
        """
        size = int(labels.max()) + 1
        offsets = np.concatenate([[0], np.cumsum(ensemble.sizes)])
        counts = np.zeros((offsets[-1], size))
        for c, codes in enumerate(ensemble.codes):
            both = (codes >= 0) & (labels >= 0)
            cells = codes[both].astype(np.int64) * size + labels[both]
            heavy = None if objects is None else objects[both]
            found = np.bincount(cells, heavy, minlength=ensemble.sizes[c] * size)
            counts[offsets[c] : offsets[c + 1]] = found.reshape(-1, size)
        members = np.add.reduceat(counts, offsets[:-1], axis=0)
        return cls(counts, members, offsets[:-1], weights)

    def blocks(self, codes: Array) -> Iterator[tuple[slice, Array, Array]]:
        """Some objects at a time: where they are, how often they are together, and could be.

        Both tables have a row per object and a column per cluster, in sums of weights.
        """
        size = self.counts.shape[1]
        block = max(1, _CELLS // size)
        for start in range(0, codes.shape[1], block):
            some = np.ascontiguousarray(codes[:, start : start + block])
            together, known = (np.empty((some.shape[1], size)) for _ in range(2))
            sum_together(
                some, self.weights, self.offsets, self.counts, self.members, together, known
            )
            yield slice(start, start + some.shape[1]), together, known
