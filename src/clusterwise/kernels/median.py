"""Moves of single objects between clusters of a clustering that is to be near to all others.

``rows`` are the objects' labels, objects × clusterings, -1 if missing; ``first`` the number of each
clustering's first cluster; ``shares`` how much the clusterings count. ``table`` holds how many
objects each cluster of the ensemble shares with each cluster of the candidate, ``known`` how many
of the candidate's clusters each clustering knows, ``members`` how many rows each cluster has.
"""

import numpy as np

from clusterwise.kernels.jit import jit

# What rounding can make of equal costs.
_ROUNDING = 1e-12


@jit
def fill(rows, first, weights, labels, table, known, members):
    """Count a candidate; rows with label -1 are in no cluster yet."""
    for x in range(labels.size):
        if labels[x] >= 0:
            _add(rows[x], first, weights[x], labels[x], table, known)
            members[labels[x]] += 1


@jit
def _add(row, first, weight, cluster, table, known):
    for i in range(row.size):
        if row[i] >= 0:
            table[first[i] + row[i], cluster] += weight
            known[i, cluster] += weight


@jit
def _costs(row, first, shares, table, known, costs):
    """What one more of this row costs in each cluster; return how much its clusterings count."""
    costs[:] = 0
    total = 0.0
    for i in range(row.size):
        if row[i] >= 0:
            share = shares[i]
            total += share
            same = table[first[i] + row[i]]
            here = known[i]
            for k in range(costs.size):
                costs[k] += share * (here[k] - 2 * same[k])
    return total


@jit
def sweep(rows, first, weights, shares, labels, table, known, members, free, placed):
    """Let each object in turn join the cluster where it costs least; return how many moved.

    If ``free``, clusters may be opened and given up; else there are as many after it as before.
    Unless ``placed``, only objects that are in no cluster yet do.
    """
    costs = np.empty(members.size)
    moved = 0
    for x in range(labels.size):
        at = labels[x]
        if at >= 0 and (not placed or (members[at] == 1 and not free)):
            continue
        weight = weights[x]
        total = _costs(rows[x], first, shares, table, known, costs)
        to = -1
        least = np.inf
        if at >= 0:
            to = at
            costs[at] += weight * total  # its own objects cost it nothing
            least = costs[at] - _ROUNDING * (abs(costs[at]) + weight * total)
        opened = False
        for k in range(costs.size):
            if members[k] == 0:
                # All empty clusters are the same.
                if opened or not free:
                    continue
                opened = True
            if costs[k] < least:
                to, least = k, costs[k]
        if to != at:
            moved += 1
            if at >= 0:
                _add(rows[x], first, -weight, at, table, known)
                members[at] -= 1
            _add(rows[x], first, weight, to, table, known)
            members[to] += 1
            labels[x] = to
    return moved


@jit
def _change(row, first, shares, weight, table, known, at, to):
    """By how much the distance grows if this row moves."""
    change = 0.0
    for i in range(row.size):
        if row[i] >= 0:
            cell = first[i] + row[i]
            here = known[i, at] - 2 * table[cell, at]
            there = known[i, to] - 2 * table[cell, to]
            change += shares[i] * (there - here - weight)
    return weight * change


@jit
def changes(rows, first, weights, shares, labels, table, known, picks, targets, found):
    """By how much the distance grows for each of some moves."""
    for s in range(picks.size):
        x = picks[s]
        found[s] = 0.0
        if labels[x] != targets[s]:
            found[s] = _change(
                rows[x], first, shares, weights[x], table, known, labels[x], targets[s]
            )


@jit
def shake(
    rows, first, weights, shares, labels, table, known, members, free, picks, targets, patience
):
    """Try some moves; each is made if the distance grows by no more than its ``patience``."""
    for s in range(picks.size):
        x, to = picks[s], targets[s]
        at = labels[x]
        if at == to or (not free and members[at] == 1):
            continue
        weight = weights[x]
        if _change(rows[x], first, shares, weight, table, known, at, to) <= patience[s]:
            _add(rows[x], first, -weight, at, table, known)
            _add(rows[x], first, weight, to, table, known)
            members[at] -= 1
            members[to] += 1
            labels[x] = to
