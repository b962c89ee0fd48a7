"""Matched clusters of two clusterings: by name or by overlap, and never noise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import find_noise
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.summaries.contingency.assignment import Matching, best_matching
from clusterwise.summaries.contingency.cells import Cells, DenseCells
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

MatchBy = Literal["auto", "name", "overlap"]
# Clusterings are matched by name if at least this proportion of the names is in both.
_COMMON = 2 / 3


class Match(NamedTuple):
    """Two matched clusters.

    ``share_of_a`` and ``share_of_b`` are the proportions of each cluster that both share.
    """

    a: Any
    b: Any
    shared: int | float
    share_of_a: float
    share_of_b: float
    jaccard: float


@dataclass(frozen=True)
class ClusterMatching:
    """Matched rows and columns of a table, and the number of objects of each pair.

    Attributes
    ----------
    rows, columns, overlaps : ndarray
        The matched pairs and their common objects; no pair has none.
    by : {"name", "overlap"}
        What the clusters are matched by. With ``"name"``, clusters whose name is in one clustering
        only are matched by overlap.
    noise_rows, noise_columns : ndarray of bool
        Which rows and columns are noise. They are not matched.
    """

    rows: Array
    columns: Array
    overlaps: Array
    by: Literal["name", "overlap"]
    noise_rows: Array
    noise_columns: Array

    @property
    def overlap(self) -> int | float:
        """Total number of objects in matched clusters."""
        return self.overlaps.sum().item()


def match_clusters(
    table: Contingency | SoftOverlap, match: MatchBy = "auto", *, noise_label: Any = -1
) -> ClusterMatching:
    """Match the clusters of two clusterings one to one.

    Parameters
    ----------
    table : Contingency or SoftOverlap
        The overlap of the clusters.
    match : {"auto", "name", "overlap"}, default="auto"
        ``"overlap"`` maximises the number of objects in matched clusters. ``"name"`` matches
        clusters of the same name, and the others by overlap. ``"auto"`` matches by name if at least
        two thirds of the names are in both clusterings, and names are more than numbers: those of
        two runs of an algorithm mean nothing.
    noise_label : default=-1
        The label of noise, which is never matched.
    """
    names = name_list(table.row_names), name_list(table.column_names)
    cells = table.cells if isinstance(table, Contingency) else DenseCells(table.minima)
    return match_cells(names, cells, match, noise_label=noise_label, best=lambda: table.matching)


def match_cells(
    names: tuple[list[Any], list[Any]],
    cells: Cells,
    match: MatchBy,
    *,
    noise_label: Any,
    best: Callable[[], Matching] | None = None,
    keep_names: bool = False,
) -> ClusterMatching:
    """Match clusters by name, or such that their cells have the largest sum.

    ``best`` returns the matching of all cells with the largest sum, if it may be known already.
    With ``keep_names``, clusters of the same name are matched although their cell is zero.
    """
    noise = find_noise(names[0], noise_label), find_noise(names[1], noise_label)
    named = _same_names(names, noise) if match != "overlap" else []
    if match == "auto" and not _mean_something(named, names, noise):
        named = []
    elif match == "name" and not named:
        raise InputError(
            "match='name', but the clusterings have no name of a cluster in common; use "
            "match='overlap'."
        )
    taken = np.array(named, np.int64).reshape(-1, 2).T
    if best is not None and not named and not noise[0].any() and not noise[1].any():
        found = best()
    else:
        found = _best_of_others(cells, taken, noise)
    rows, columns = np.concatenate([taken, [found.rows, found.columns]], axis=1)
    overlaps = cells.at(rows, columns)
    shared = overlaps > 0
    if keep_names:
        shared[: len(named)] = True
    by: Literal["name", "overlap"] = "name" if named else "overlap"
    return ClusterMatching(rows[shared], columns[shared], overlaps[shared], by, *noise)


def find_matches(table: Contingency | SoftOverlap, matching: ClusterMatching) -> list[Match]:
    """Return the matched clusters, largest overlap first."""
    rows, columns, shared = matching.rows, matching.columns, matching.overlaps
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


def find_unmatched(
    table: Contingency | SoftOverlap, matching: ClusterMatching
) -> tuple[list[Any], list[Any]]:
    """Return the clusters of a and of b that are neither matched nor noise."""
    unmatched = []
    for names, used, noise in (
        (table.row_names, matching.rows, matching.noise_rows),
        (table.column_names, matching.columns, matching.noise_columns),
    ):
        free = ~noise
        free[used] = False
        unmatched.append(name_list(names[free]))
    return unmatched[0], unmatched[1]


def _same_names(
    names: tuple[list[Any], list[Any]], noise: tuple[Array, Array]
) -> list[tuple[int, int]]:
    """Return the rows and columns of the clusters whose name is in both clusterings."""
    column_of = {name: j for j, name in enumerate(names[1]) if not noise[1][j]}
    return [
        (i, column_of[name])
        for i, name in enumerate(names[0])
        if not noise[0][i] and name in column_of
    ]


def _mean_something(
    named: list[tuple[int, int]], names: tuple[list[Any], list[Any]], noise: tuple[Array, Array]
) -> bool:
    """Return whether the names are mostly the same, and more than numbers."""
    if all(is_number(names[0][i]) for i, _ in named):
        return False
    most = max(int(np.count_nonzero(~one)) for one in noise)
    return len(named) >= _COMMON * most


def is_number(name: Any) -> bool:
    """Return whether the name of a cluster is just a number, also one in a string."""
    if isinstance(name, bool | np.bool_):
        return False
    if isinstance(name, Number | np.number):
        return True
    try:
        float(name)
    except (TypeError, ValueError):
        return False
    return True


def name_noise(names: Sequence[Any], noise: Array) -> list[Any]:
    """Return the names of clusters, with "noise" for noise whose label is just a number."""
    single = int(np.count_nonzero(noise)) == 1
    return [
        "noise" if single and is_noise and is_number(name) else name
        for name, is_noise in zip(names, noise.tolist(), strict=True)
    ]


def _best_of_others(cells: Cells, taken: Array, noise: tuple[Array, Array]) -> Matching:
    """Return the matching with the largest overlap of the rows and columns that are left."""
    left = []
    for used, is_noise in zip(taken, noise, strict=True):
        free = ~is_noise
        free[used] = False
        left.append(np.flatnonzero(free))
    if not (left[0].size and left[1].size):
        empty = np.empty(0, np.int64)
        return Matching(empty, empty, empty)
    rows, columns, overlaps = best_matching(cells.select(*left))
    return Matching(left[0][rows], left[1][columns], overlaps)
