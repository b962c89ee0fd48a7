"""Moves of single objects that lower the distance of a candidate clustering to an ensemble."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clusterwise.kernels.jit import jit

# Relative differences of costs below this are rounding.
_ROUNDING = 1e-12


class EnsembleRows(NamedTuple):
    """The distinct objects of an ensemble.

    ``rows`` are their labels (objects × clusterings, -1 if missing), ``first`` the index of each
    clustering's first cluster, ``weights`` the weights of the objects and ``factors`` those of the
    clusterings.
    """

    rows: NDArray[np.integer]
    first: NDArray[np.int64]
    weights: NDArray[np.float64]
    factors: NDArray[np.float64]


class CandidateCounts(NamedTuple):
    """A candidate clustering and its counts.

    ``table`` has the objects that each cluster of the ensemble shares with each cluster of the
    candidate, ``known`` the objects of the candidate's clusters that each clustering labels,
    ``members`` the number of rows of each cluster.
    """

    labels: NDArray[np.int64]
    table: NDArray[np.float64]
    known: NDArray[np.float64]
    members: NDArray[np.int64]


@jit
def count_candidate(ensemble, candidate):
    """Fill the counts of a candidate; rows with label -1 are in no cluster yet."""
    rows, first, weights, _ = ensemble
    labels, table, known, members = candidate
    for x in range(labels.size):
        if labels[x] >= 0:
            _add_row(rows[x], first, weights[x], labels[x], table, known)
            members[labels[x]] += 1


@jit
def _add_row(row, first, weight, cluster, table, known):
    for i in range(row.size):
        if row[i] >= 0:
            table[first[i] + row[i], cluster] += weight
            known[i, cluster] += weight


@jit
def _costs(row, first, factors, table, known, costs):
    """Compute the cost of adding this row to each cluster; return the weight of its clusterings."""
    costs[:] = 0
    total = 0.0
    for i in range(row.size):
        if row[i] >= 0:
            factor = factors[i]
            total += factor
            same = table[first[i] + row[i]]
            here = known[i]
            for k in range(costs.size):
                costs[k] += factor * (here[k] - 2 * same[k])
    return total


@jit
def move_rows(ensemble, candidate, free, all_rows):
    """Move each row in turn to the cluster of the least cost; return the number of moves.

    If ``free``, clusters may be opened and emptied; else their number stays the same.
    Unless ``all_rows``, only rows that are in no cluster yet are moved.
    """
    rows, first, weights, factors = ensemble
    labels, table, known, members = candidate
    costs = np.empty(members.size)
    moved = 0
    for x in range(labels.size):
        at = labels[x]
        if at >= 0 and (not all_rows or (members[at] == 1 and not free)):
            continue
        weight = weights[x]
        total = _costs(rows[x], first, factors, table, known, costs)
        to = -1
        least = np.inf
        if at >= 0:
            to = at
            costs[at] += weight * total  # the row's own objects cost nothing
            least = costs[at] - _ROUNDING * (abs(costs[at]) + weight * total)
        opened = False
        for k in range(costs.size):
            if members[k] == 0:
                # Empty clusters are equivalent: only the first is tried.
                if opened or not free:
                    continue
                opened = True
            if costs[k] < least:
                to, least = k, costs[k]
        if to != at:
            moved += 1
            if at >= 0:
                _add_row(rows[x], first, -weight, at, table, known)
                members[at] -= 1
            _add_row(rows[x], first, weight, to, table, known)
            members[to] += 1
            labels[x] = to
    return moved


@jit
def _distance_change(row, first, factors, weight, table, known, at, to):
    """Return the change of the distance if this row moves."""
    change = 0.0
    for i in range(row.size):
        if row[i] >= 0:
            cell = first[i] + row[i]
            here = known[i, at] - 2 * table[cell, at]
            there = known[i, to] - 2 * table[cell, to]
            change += factors[i] * (there - here - weight)
    return weight * change


@jit
def distance_changes(ensemble, candidate, picks, targets, found):
    """Compute the change of the distance for each of the proposed moves."""
    rows, first, weights, factors = ensemble
    labels, table, known, _ = candidate
    for s in range(picks.size):
        x = picks[s]
        found[s] = 0.0
        if labels[x] != targets[s]:
            found[s] = _distance_change(
                rows[x], first, factors, weights[x], table, known, labels[x], targets[s]
            )


@jit
def anneal_rows(ensemble, candidate, free, picks, targets, allowed):
    """Make each proposed move that raises the distance by no more than ``allowed``."""
    rows, first, weights, factors = ensemble
    labels, table, known, members = candidate
    for s in range(picks.size):
        x, to = picks[s], targets[s]
        at = labels[x]
        if at == to or (not free and members[at] == 1):
            continue
        weight = weights[x]
        change = _distance_change(rows[x], first, factors, weight, table, known, at, to)
        if change <= allowed[s]:
            _add_row(rows[x], first, -weight, at, table, known)
            _add_row(rows[x], first, weight, to, table, known)
            members[at] -= 1
            members[to] += 1
            labels[x] = to
