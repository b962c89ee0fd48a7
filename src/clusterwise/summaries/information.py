"""Entropies of a contingency table, and what mutual information chance gives."""

from typing import NamedTuple

import numpy as np

from clusterwise.encoding import Array
from clusterwise.errors import InputError
from clusterwise.summaries.cells import Cells


class Entropies(NamedTuple):
    """In nats. Each is a sum of terms of one sign, or nearly so: digits are kept."""

    a: float
    b: float
    a_given_b: float
    b_given_a: float
    mutual: float


def entropies(cells: Cells) -> Entropies:
    """All entropies from one walk over the cells."""
    from clusterwise.kernels.rows import entropy_sums

    if not cells.total:
        return Entropies(0.0, 0.0, 0.0, 0.0, 0.0)
    a_given_b, b_given_a, mutual = entropy_sums(
        *cells.by_row,
        cells.row_sums.astype(np.float64),
        cells.column_sums.astype(np.float64),
        float(cells.total),
    )
    entropy_a, entropy_b = entropy(cells.row_sums), entropy(cells.column_sums)
    mutual = min(max(mutual, 0.0), entropy_a, entropy_b)
    return Entropies(entropy_a, entropy_b, max(a_given_b, 0.0), max(b_given_a, 0.0), mutual)


def entropy(sizes: Array) -> float:
    """Entropy of cluster sizes, in nats."""
    sizes = sizes[sizes > 0]
    if sizes.size <= 1:
        return 0.0
    total = sizes.sum()
    return float((sizes / total) @ np.log(total / sizes))


def expected_information(cells: Cells) -> float:
    """Mean mutual information over all clusterings with the same sizes.

    It depends on the sizes only, so equal sizes are worked on once.
    """
    from clusterwise.kernels.expected import expected_information as kernel

    if cells.weighted:
        whole = [np.rint(sums) for sums in (cells.row_sums, cells.column_sums)]
        if not (
            np.array_equal(whole[0], cells.row_sums) and np.array_equal(whole[1], cells.column_sums)
        ):
            raise InputError(
                "chance correction of mutual information counts objects, so sample_weight must "
                "be whole numbers; round the weights."
            )
    sizes_a, times_a = np.unique(cells.row_sums, return_counts=True)
    sizes_b, times_b = np.unique(cells.column_sums, return_counts=True)
    return float(
        kernel(
            sizes_a.astype(np.float64), times_a.astype(np.float64),
            sizes_b.astype(np.float64), times_b.astype(np.float64), float(cells.total),
        )
    )  # fmt: skip
