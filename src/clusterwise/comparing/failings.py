"""Known failings of measures, computed for the cluster sizes at hand."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from clusterwise.inputs.encoding import Array
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.permutation import chance_levels
from clusterwise.summaries.contingency.contingency import Contingency

# Clusters are cut into this many parts, to see whether a measure favours many clusters.
PARTS = 10


class Failings(NamedTuple):
    """What a measure says where it should say nothing, and does not say where it should.

    Attributes
    ----------
    by_chance : float
        The expected value for independent clusterings of these cluster sizes.
    by_chance_if_finer : float
        The same, if each cluster of b is cut into ten of equal size.
    if_smallest_lost : float
        The value of a and the same clustering with its smallest cluster joined to its largest; NaN
        with fewer than three clusters.
    """

    by_chance: float
    by_chance_if_finer: float
    if_smallest_lost: float


def find_failings(
    table: Contingency, names: Sequence[str], n_permutations: int, random: np.random.Generator
) -> dict[str, Failings]:
    """Return the failings of measures of labels."""
    rows, columns = (np.asarray(one, np.int64) for one in (table.row_sums, table.column_sums))
    finer = _table_of(rows, np.concatenate([_cut(size) for size in columns.tolist()]))
    levels, finer_levels = (
        chance_levels(one, names, n_permutations, random) for one in (table, finer)
    )
    lost = None if rows.size < 3 else _without_smallest(rows)
    return {
        name: Failings(
            levels[name].expected,
            finer_levels[name].expected,
            float("nan") if lost is None else find_measure(name).function(lost),
        )
        for name in names
    }


def _cut(size: int) -> Array:
    """Return the sizes of the parts of a cluster, none of which is empty."""
    parts = min(size, PARTS)
    return np.full(parts, size // parts) + (np.arange(parts) < size % parts)


def _table_of(rows: Array, columns: Array) -> Contingency:
    """Return a table with these row and column sums, filled from its corner."""
    ends = np.union1d(np.cumsum(rows), np.cumsum(columns))
    starts = np.concatenate([[0], ends[:-1]])
    k = np.searchsorted(np.cumsum(rows), starts, side="right")
    j = np.searchsorted(np.cumsum(columns), starts, side="right")
    shape = rows.size, columns.size
    return Contingency.from_table(sparse.coo_array((ends - starts, (k, j)), shape))


def _without_smallest(sizes: Array) -> Contingency:
    """Return the table of a clustering, and of the same with the smallest cluster lost."""
    target = np.arange(sizes.size)
    target[sizes.argmin()] = sizes.argmax()
    return Contingency.from_table(sparse.coo_array((sizes, (np.arange(sizes.size), target))))
