"""Entropies of a contingency table, and its expected mutual information."""

from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.summaries.contingency.cells import Cells

# Relative differences of entropies below this are rounding errors.
_ROUNDING = 1e-15
# Smaller fractions of the total weight add less to an entropy than its rounding error.
_NEGLIGIBLE = 1e-300
# The number of distinct sizes on each side of a block of the expected mutual information, which
# takes at most a third of a second; between blocks it can be interrupted.
_SIDE = 64


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
    cells = cells.rescaled
    conditional = conditional_entropies(
        *cells.by_row,
        cells.row_sums.astype(np.float64),
        cells.column_sums.astype(np.float64),
        float(cells.total),
    )
    return Entropies(entropy(cells.row_sums), entropy(cells.column_sums), *conditional)


def entropy(sizes: Array) -> float:
    """Return the entropy of cluster sizes, in nats."""
    total = sizes.sum()
    sizes = sizes[sizes > _NEGLIGIBLE * total]
    if sizes.size <= 1:
        return 0.0
    return float((sizes / total) @ np.log(total / sizes))


def expected_information(cells: Cells) -> float:
    """Return the expected mutual information of random clusterings with the same sizes.

    It depends on the sizes only, so it is summed over pairs of distinct sizes.
    """
    from clusterwise.kernels.expected_mutual_info import expected_information as kernel

    if not cells.has_whole_sizes:
        raise InputError(
            "the expected mutual information counts objects, so sample_weight must be integers; "
            "round the weights."
        )
    n = float(cells.total)
    columns = _distinct_sizes(cells.column_sums)
    blocks = (
        kernel(*rows, *some, n) for rows in _distinct_sizes(cells.row_sums) for some in columns
    )
    return float(sum(blocks))


def _distinct_sizes(sums: Array) -> list[tuple[Array, Array]]:
    """Return blocks of the distinct sizes, and the number of clusters of each size."""
    sizes, times = (found.astype(np.float64) for found in np.unique(sums, return_counts=True))
    starts = range(0, sizes.size, _SIDE)
    return [(sizes[i : i + _SIDE], times[i : i + _SIDE]) for i in starts]
