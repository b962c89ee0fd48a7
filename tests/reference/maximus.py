"""What MAXIMUS holds down, its programs and its kernels, as plainly as their definitions."""

from itertools import permutations
from math import exp, log

import numpy as np
from scipy.optimize import linprog


def memberships(given):
    """One column per cluster of each given clustering, 1 where an object is in it."""
    columns = [[float(label == k) for label in one] for one in given for k in sorted(set(one))]
    return np.array(columns).T


def overlaps(bins, given):
    """For each object and given cluster: its objects in the same bins, one feature at a time."""
    n = len(given[0])
    rows = []
    for i in range(n):
        row = []
        for one in given:
            for k in sorted(set(one)):
                inside = [j for j in range(n) if one[j] == k]
                row.append(float(sum(bins[r][j] == bins[r][i] for r in bins for j in inside)))
        rows.append(row)
    return np.array(rows)


def unevenness(parts, labels, clusters, tolerance):
    """The largest deviation of a share from its cluster's size, 1 being what is allowed."""
    n, worst = len(labels), 0.0
    for k in range(parts.shape[1]):
        total = parts[:, k].sum()
        for cluster in range(clusters):
            inside = labels == cluster
            size = inside.sum() / n
            allowed = max(tolerance * size, parts[:, k].max() / total)
            worst = max(worst, abs(parts[inside, k].sum() / total - size) / allowed)
    return worst


def best_matching(table):
    """The largest sum of cells, no two in a row or a column."""
    table = np.asarray(table)
    if table.shape[0] > table.shape[1]:
        table = table.T
    height, width = table.shape
    return max(
        sum(table[k, chosen] for k, chosen in enumerate(order))
        for order in permutations(range(width), height)
    )


def bound_of(parts, clusters):
    """The least matching that any split into so many clusters has."""
    return np.sort(parts.sum(axis=0))[::-1][:clusters].sum() / clusters


def overmatching(blocks, labels, clusters, tolerance):
    """The largest of the matchings with given clusterings, 1 being what is allowed."""
    worst = 0.0
    for parts in blocks:
        table = np.array([parts[labels == cluster].sum(axis=0) for cluster in range(clusters)])
        least = bound_of(parts, clusters)
        one_each = min(clusters, parts.shape[1]) * parts.max()
        worst = max(worst, best_matching(table) / (least + max(tolerance * least, one_each)))
    return worst


def solve_evenly(costs, parts, low, high, bounds):
    """The mean cost of the best shares; ``bounds`` on shares of given clusters, rows × clusters."""
    n, clusters = costs.shape
    rows, limits = [], []
    for cluster in range(clusters):
        for k in range(parts.shape[1]):
            row = np.zeros((n, clusters))
            row[:, cluster] = parts[:, k] / parts[:, k].sum() - 1.0 / n
            rows += [row.ravel(), -row.ravel()]
            limits += [bounds[k, cluster]] * 2
    return _solve(costs, rows, limits, low, high, 0)


def solve_matched(costs, blocks, low, high, ceilings):
    """The same with a ceiling on the largest matching with each given clustering."""
    n, clusters = costs.shape
    extra = sum(parts.shape[1] + clusters for parts in blocks)
    rows, limits, at = [], [], n * clusters
    for parts, ceiling in zip(blocks, ceilings, strict=True):
        given = parts.shape[1]
        for k in range(given):
            for cluster in range(clusters):
                row = np.zeros(n * clusters + extra)
                row[: n * clusters].reshape(n, clusters)[:, cluster] = parts[:, k]
                row[at + k] = row[at + given + cluster] = -1.0
                rows.append(row)
                limits.append(0.0)
        row = np.zeros(n * clusters + extra)
        row[at : at + given + clusters] = 1.0
        rows.append(row)
        limits.append(ceiling)
        at += given + clusters
    return _solve(costs, rows, limits, low, high, extra)


def _solve(costs, rows, limits, low, high, extra):
    n, clusters = costs.shape
    rows = [np.asarray(row) for row in rows]
    for cluster in range(clusters):
        row = np.zeros(n * clusters + extra)
        row[: n * clusters].reshape(n, clusters)[:, cluster] = 1.0
        rows += [row, -row]
        limits = [*limits, high[cluster], -low[cluster]]
    whole = np.hstack([np.kron(np.eye(n), np.ones((1, clusters))), np.zeros((n, extra))])
    aim = np.concatenate([costs.ravel() / n, np.zeros(extra)])
    found = linprog(aim, np.array(rows), limits, whole, np.ones(n))
    return found.fun if found.status == 0 else np.inf


def pay(costs, codes, weights, prices):
    """What each object pays in each cluster."""
    first = len(prices) - weights.shape[1]
    paid = np.array(costs, float)
    for i in range(len(paid)):
        for row in codes[i]:
            paid[i] += prices[row]
        for g in range(weights.shape[1]):
            paid[i] += weights[i, g] * prices[first + g]
    return paid


def soften(row, heat):
    """Shares of the clusters, and the soft minimum."""
    low = min(row)
    parts = [exp((low - cost) / heat) for cost in row]
    return np.array(parts) / sum(parts), low - heat * log(sum(parts))


def table_of(shares, codes, weights, rows):
    """What each cluster holds of each row, objects being shared out."""
    table = np.zeros((rows, shares.shape[1]))
    for i in range(len(shares)):
        for row in codes[i]:
            table[row] += shares[i]
        for g in range(weights.shape[1]):
            table[rows - weights.shape[1] + g] += weights[i, g] * shares[i]
    return table


def explore_moves(paid, codes, weights, slope, labels, full, kinds, barred):
    """Every move that gains, with what it costs for each unit of gain."""
    lost = pay(np.zeros_like(paid), codes, weights, slope)
    moves = {}
    for i, here in enumerate(labels):
        for to in range(paid.shape[1]):
            gain = lost[i, here] - lost[i, to]
            if full[here] and gain > 0 and not barred[kinds[i], here, to]:
                moves[i, to] = (paid[i, to] - paid[i, here]) / gain
    return moves
