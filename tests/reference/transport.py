"""Overlaps, transport distances and IRM straight from their definitions, with plain loops.

Clusterings are membership matrices: a row per object, a column per cluster.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod, sqrt
from typing import Any

import numpy as np
from scipy.optimize import linprog

from reference import measures as naive

Matrix = Sequence[Sequence[Any]]


def columns(matrix: Matrix) -> list[list[Any]]:
    return [list(column) for column in zip(*matrix, strict=True)]


def masses(P: Matrix, weights: Sequence[Any]) -> list[Any]:
    return [sum(w * p for w, p in zip(weights, column, strict=True)) for column in columns(P)]


def products(P: Matrix, Q: Matrix, weights: Sequence[Any]) -> list[list[Any]]:
    return [
        [sum(w * x * y for w, x, y in zip(weights, p, q, strict=True)) for q in columns(Q)]
        for p in columns(P)
    ]


def differences(P: Matrix, Q: Matrix, weights: Sequence[Any], exponent: float = 1) -> list[Any]:
    return [
        [
            sum(w * abs(x - y) ** exponent for w, x, y in zip(weights, p, q, strict=True))
            for q in columns(Q)
        ]
        for p in columns(P)
    ]


def own_pairs(P: Matrix, Q: Matrix, weights: Sequence[Any]) -> list[Any]:
    squares = [[sum(x * x for x in row) for row in side] for side in (P, Q)]
    return [
        sum(w * p * q for w, p, q in zip(weights, *squares, strict=True)),
        *(sum(w * x for w, x in zip(weights, side, strict=True)) for side in squares),
    ]


def centroids(P: Matrix, X: Matrix, weights: Sequence[Any]) -> list[list[float]]:
    found = []
    for column, mass in zip(columns(P), masses(P, weights), strict=True):
        shares = [w * p / mass for w, p in zip(weights, column, strict=True)]
        found.append([sum(s * x for s, x in zip(shares, r, strict=True)) for r in columns(X)])
    return found


def euclid(x: Sequence[float], y: Sequence[float]) -> float:
    return sqrt(sum((s - t) ** 2 for s, t in zip(x, y, strict=True)))


def cluster_weights(P: Matrix, kind: str) -> list[float]:
    sizes = masses(P, [1] * len(P))
    return [1 / len(sizes) if kind == "uniform" else size / sum(sizes) for size in sizes]


def cheapest(alpha: Sequence[float], beta: Sequence[float], cost: Matrix) -> float:
    """The least cost of all plans with these row and column sums, as a linear program."""
    height, width = len(alpha), len(beta)
    cells = list(product(range(height), range(width)))
    sums = [[float(k == row) for k, _ in cells] for row in range(height)]
    sums += [[float(j == column) for _, j in cells] for column in range(width)]
    wanted = [*alpha, *beta]
    # One of the sums follows from the others; rounding must not make the program infeasible.
    found = linprog([cost[k][j] for k, j in cells], A_eq=sums[:-1], b_eq=wanted[:-1])
    assert found.success
    return float(found.fun)


def mallows(P: Matrix, Q: Matrix, weights: str = "uniform", p: float = 1) -> float:
    cost = differences(P, Q, [1] * len(P), p)
    least = cheapest(cluster_weights(P, weights), cluster_weights(Q, weights), cost)
    return max(0.0, least) ** (1 / p)


def mallows_of_matchings(P: Matrix, Q: Matrix, p: float = 1) -> float:
    """As many clusters in both, which weigh the same: try every matching."""
    cost = differences(P, Q, [1] * len(P), p)
    size = len(cost)
    return min(
        sum(cost[k][chosen[k]] for k in range(size)) / size for chosen in permutations(range(size))
    ) ** (1 / p)


def css(P: Matrix, Q: Matrix, apart: Matrix, weights: str = "uniform") -> float:
    alpha, beta = cluster_weights(P, weights), cluster_weights(Q, weights)
    shared = products(P, Q, [1] * len(P))
    moved = [
        [s * d for s, d in zip(*rows, strict=True)] for rows in zip(shared, apart, strict=True)
    ]
    cost = [
        [-2 * moved[k][j] / (alpha[k] + beta[j]) for j in range(len(beta))]
        for k in range(len(alpha))
    ]
    return sum(map(sum, moved)) + cheapest(alpha, beta, cost)


def exact(matrix: Matrix) -> list[list[Fraction]]:
    return [[Fraction(share) for share in row] for row in matrix]


def irm_scores(P: Matrix, Q: Matrix) -> dict[tuple[int, int], Fraction]:
    """What clusters share, of what either has; where they share something."""
    scores = {}
    for k, p in enumerate(columns(exact(P))):
        for j, q in enumerate(columns(exact(Q))):
            pairs = list(zip(p, q, strict=True))
            scores[k, j] = sum(map(min, pairs), Fraction(0)) / sum(map(max, pairs), Fraction(0))
    return {cell: score for cell, score in scores.items() if score}


def irm_in_order(P: Matrix, Q: Matrix) -> Fraction:
    """The published algorithm: all credit that is left to the largest score, and so on."""
    n = len(P)
    rows, columns = (masses(exact(side), [1] * n) for side in (P, Q))
    total = Fraction(0)
    for (k, j), score in sorted(irm_scores(P, Q).items(), key=lambda item: -item[1]):
        credit = min(rows[k], columns[j])
        rows[k] -= credit
        columns[j] -= credit
        total += credit * score
    return total / n


def irm_at_one_pace(P: Matrix, Q: Matrix) -> Fraction:
    """All cells of the largest score grow together, until a row or column of theirs is full."""
    n = len(P)
    left: dict[tuple[str, int], Fraction] = {}
    for side, matrix in (("row", P), ("column", Q)):
        for place, mass in enumerate(masses(exact(matrix), [1] * n)):
            left[side, place] = mass
    scores = irm_scores(P, Q)
    total = Fraction(0)
    while True:
        ends = {cell: (("row", cell[0]), ("column", cell[1])) for cell in scores}
        open_cells = [cell for cell in scores if all(left[end] for end in ends[cell])]
        if not open_cells:
            return total / n
        best = max(scores[cell] for cell in open_cells)
        served = [cell for cell in open_cells if scores[cell] == best]
        takers = {end: sum(end in ends[cell] for cell in served) for end in left}
        time = min(left[end] / count for end, count in takers.items() if count)
        for end, count in takers.items():
            left[end] -= time * count
        total += time * best * len(served)


def irm_optimal(P: Matrix, Q: Matrix) -> float:
    scores = irm_scores(P, Q)
    cost = [[-float(scores.get((k, j), 0)) for j in range(len(Q[0]))] for k in range(len(P[0]))]
    return -cheapest(cluster_weights(P, "size"), cluster_weights(Q, "size"), cost)


def draws(P: Matrix) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every way to draw a label for each object by its memberships, and how likely it is."""
    rows = exact(P)
    for labels in product(range(len(rows[0])), repeat=len(rows)):
        chance = prod(
            (row[label] for row, label in zip(rows, labels, strict=True)), start=Fraction(1)
        )
        if chance:
            yield labels, chance


def expected_pairs(P: Matrix, Q: Matrix) -> list[Fraction]:
    """Unordered pairs in both, in a only, in b only and in neither: their means over all draws."""
    means = [Fraction(0)] * 4
    for (a, in_a), (b, in_b) in product(draws(P), draws(Q)):
        for i, count in enumerate(naive.pair_counts(a, b)):
            means[i] += in_a * in_b * count
    return means


def spread(X: Matrix, weights: Sequence[float]) -> float:
    """Σ w |x - mean|²."""
    points = np.array(X, float)
    mean = np.average(points, axis=0, weights=weights)
    return float(sum(w * euclid(x, mean) ** 2 for w, x in zip(weights, points, strict=True)))
