"""Matched clusters of two clusterings, and the groups of objects outside the matching."""

from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import name_list
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap


class Match(NamedTuple):
    """Two clusters that are matched in the best one-to-one matching.

    ``share_of_a`` and ``share_of_b`` are the proportions of each cluster that both share.
    """

    a: Any
    b: Any
    shared: int | float
    share_of_a: float
    share_of_b: float
    jaccard: float


class Move(NamedTuple):
    """A group of objects outside the matching; ``share`` is its proportion of all objects."""

    source: Any
    target: Any
    objects: int | float
    share: float


def find_matches(table: Contingency | SoftOverlap) -> list[Match]:
    """Return the matched clusters, largest overlap first."""
    rows, columns, shared = table.matching
    in_a, in_b = table.row_sums[rows], table.column_sums[columns]
    order = np.argsort(-shared, kind="stable")
    parts = (
        table.row_names[rows],
        table.column_names[columns],
        shared,
        shared / in_a,
        shared / in_b,
        shared / (in_a + in_b - shared),
    )
    return [Match(*row) for row in zip(*(name_list(part[order]) for part in parts), strict=True)]


def find_moves(table: Contingency) -> list[Move]:
    """Return the groups of objects outside the matching, largest first."""
    rows, columns, counts = table.nonzero
    partner = np.full(table.shape[0], -1, np.int64)
    partner[table.matching.rows] = table.matching.columns
    moved = np.flatnonzero(partner[rows] != columns)
    moved = moved[np.argsort(-counts[moved], kind="stable")]
    parts = (
        table.row_names[rows[moved]],
        table.column_names[columns[moved]],
        counts[moved],
        counts[moved] / table.n,
    )
    return [Move(*row) for row in zip(*map(name_list, parts), strict=True)]


def find_unmatched(table: Contingency | SoftOverlap) -> tuple[list[Any], list[Any]]:
    """Return the clusters of a and of b that are not matched."""
    unmatched = []
    for names, used in (
        (table.row_names, table.matching.rows),
        (table.column_names, table.matching.columns),
    ):
        free = np.ones(len(names), bool)
        free[used] = False
        unmatched.append(name_list(names[free]))
    return unmatched[0], unmatched[1]
