"""The constraints of MAXIMUS, its programs and its kernels, by definition."""

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
    """The largest deviation of a proportion from its cluster's, divided by its bound."""
    n, worst = len(labels), 0.0
    for k in range(parts.shape[1]):
        total = parts[:, k].sum()
        for cluster in range(clusters):
            inside = labels == cluster
            size = inside.sum() / n
            bound = max(tolerance * size, parts[:, k].max() / total)
            worst = max(worst, abs(parts[inside, k].sum() / total - size) / bound)
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
    """The least matching of any split into as many clusters."""
    return np.sort(parts.sum(axis=0))[::-1][:clusters].sum() / clusters


def overmatching(blocks, labels, clusters, tolerance):
    """The largest of the matchings with given clusterings, divided by its bound."""
    worst = 0.0
    for parts in blocks:
        table = np.array([parts[labels == cluster].sum(axis=0) for cluster in range(clusters)])
        least = bound_of(parts, clusters)
        one_each = min(clusters, parts.shape[1]) * parts.max()
        worst = max(worst, best_matching(table) / (least + max(tolerance * least, one_each)))
    return worst


def solve_evenly(costs, parts, low, high, bounds):
    """The mean cost of the best memberships; ``bounds`` on proportions, given × new clusters."""
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


def penalised_costs(costs, codes, weights, multipliers):
    """The cost of each object in each cluster plus the multipliers of its groups."""
    first = len(multipliers) - weights.shape[1]
    penalised = np.array(costs, float)
    for i in range(len(penalised)):
        for row in codes[i]:
            penalised[i] += multipliers[row]
        for g in range(weights.shape[1]):
            penalised[i] += weights[i, g] * multipliers[first + g]
    return penalised


def softmin(row, temperature):
    """Memberships, and the soft minimum."""
    low = min(row)
    parts = [exp((low - cost) / temperature) for cost in row]
    return np.array(parts) / sum(parts), low - temperature * log(sum(parts))


def expected_crosstab(soft, codes, weights, groups):
    """The group × cluster table of memberships, n × K."""
    table = np.zeros((groups, soft.shape[1]))
    for i in range(len(soft)):
        for row in codes[i]:
            table[row] += soft[i]
        for g in range(weights.shape[1]):
            table[groups - weights.shape[1] + g] += weights[i, g] * soft[i]
    return table


def list_moves(penalised, codes, weights, gradient, labels, can_leave, patterns, tabu):
    """Every move that improves, with its cost per unit of improvement."""
    lost = penalised_costs(np.zeros_like(penalised), codes, weights, gradient)
    moves = {}
    for i, here in enumerate(labels):
        for to in range(penalised.shape[1]):
            gain = lost[i, here] - lost[i, to]
            if can_leave[here] and gain > 0 and not tabu[patterns[i], here, to]:
                moves[i, to] = (penalised[i, to] - penalised[i, here]) / gain
    return moves
