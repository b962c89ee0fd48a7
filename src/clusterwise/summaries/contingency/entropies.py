"""Entropies of a contingency table, and its expected mutual information."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.contingency.cells import Cells

# Relative differences of entropies below this are rounding errors.
_ROUNDING = 1e-15


class Entropies(NamedTuple):
    """Entropies in nats; conditional entropies are summed directly, without cancellation."""

    a: float
    b: float
    a_given_b: float
    b_given_a: float

    @property
    def mutual(self) -> float:
        """Mutual information: the mean of H(a) - H(a|b) and H(b) - H(b|a)."""
        shared = (self.a - self.a_given_b + self.b - self.b_given_a) / 2
        return shared if shared > _ROUNDING * (self.a + self.b) else 0.0


def entropies(cells: Cells) -> Entropies:
    """Compute all entropies in one pass over the cells."""
    from clusterwise.kernels.table_rows import conditional_entropies

    if not cells.total:
        return Entropies(0.0, 0.0, 0.0, 0.0)
    conditional = conditional_entropies(
        *cells.by_row,
        cells.row_sums.astype(np.float64),
        cells.column_sums.astype(np.float64),
        float(cells.total),
    )
    return Entropies(entropy(cells.row_sums), entropy(cells.column_sums), *conditional)


def entropy(sizes: Array) -> float:
    """Return the entropy of cluster sizes, in nats."""
    sizes = sizes[sizes > 0]
    if sizes.size <= 1:
        return 0.0
    total = sizes.sum()
    return float((sizes / total) @ np.log(total / sizes))


def expected_information(cells: Cells) -> float:
    """Return the expected mutual information of random clusterings with the same sizes.

    It depends on the sizes only, so it is summed over pairs of distinct sizes.
    """
    from clusterwise.kernels.expected_mutual_info import expected_information as kernel

    if cells.weighted:
        whole = [np.rint(sums) for sums in (cells.row_sums, cells.column_sums)]
        if not (
            np.array_equal(whole[0], cells.row_sums) and np.array_equal(whole[1], cells.column_sums)
        ):
            raise InputError(
                "the expected mutual information counts objects, so sample_weight must be "
                "integers; round the weights."
            )
    sizes_a, times_a = np.unique(cells.row_sums, return_counts=True)
    sizes_b, times_b = np.unique(cells.column_sums, return_counts=True)
    return float(
        kernel(
            sizes_a.astype(np.float64), times_a.astype(np.float64),
            sizes_b.astype(np.float64), times_b.astype(np.float64), float(cells.total),
        )
    )  # fmt: skip
