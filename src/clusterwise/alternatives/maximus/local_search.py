"""Clusters as the program made them, bettered object by object within the same bounds.

The program lowers squared distances to centroids. What is judged in the end are often mean
distances between and within clusters, and the best of these is near by, but not the same.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from clusterwise.alternatives.maximus.direct import Problem
from clusterwise.alternatives.maximus.multipliers import Move, retabulate, tabulate
from clusterwise.inputs.distances import read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_local_search as kernels

_ROWS = 256
# A change by a smaller share is none.
_GAIN = 1e-9


def polish(problem: Problem, labels: Array, time_limit: float = np.inf) -> tuple[Array, float]:
    """Labels of a higher Dunn index by mean distances, and how far they are within bounds.

    In every step one object changes its cluster, or two of the same given clusters change
    places, whichever gains most and keeps everything within bounds. If labels are beyond bounds
    already, they stay as they are.
    """
    end = perf_counter() + time_limit
    holding = problem.hold(problem.links)
    state = _State(problem, labels)
    table = tabulate(problem.links, labels, problem.clusters)
    excess = holding.excess(table).worst
    while excess <= 1.0 and perf_counter() < end:
        for moves in state.candidates():
            after = retabulate(problem.links, table, moves)
            reached = holding.excess(after).worst
            if reached <= 1.0:
                break
        else:
            break
        table, excess = after, reached
        state.make(moves)
    return state.labels, excess


class _State:
    """Labels, with the sums of distances that tell what a move is worth."""

    def __init__(self, problem: Problem, labels: Array) -> None:
        self.points, self.labels, self.groups = problem.points, labels.copy(), problem.joint
        members = np.eye(problem.clusters)[labels]
        distances = read_distances(problem.points)
        self.sums = np.empty(members.shape)
        for start in range(0, len(members), _ROWS):
            rows = slice(start, start + _ROWS)
            self.sums[rows] = distances.between(rows) @ members
        self.pairs = members.T @ self.sums
        self.sizes = members.sum(axis=0)
        shape = int(self.groups.max()) + 1, problem.clusters, problem.clusters
        self.values, self.movers = np.empty(shape), np.empty(shape, np.int64)

    def candidates(self) -> Iterator[list[Move]]:
        """What raises the index, the most first."""
        kernels.find_best(
            self.sums, self.labels, self.groups, self.pairs, self.sizes, self.values, self.movers
        )
        least = kernels.dunn(self.pairs, self.sizes) * (1.0 + _GAIN)
        found: list[tuple[float, list[Move]]] = []
        for group, a, b in np.argwhere(self.movers >= 0).tolist():
            there = int(self.movers[group, a, b]), a, b
            found.append((self.values[group, a, b], [there]))
            back = int(self.movers[group, b, a])
            if a < b and back >= 0:
                swap = [there, (back, b, a)]
                found.append((self._try(swap), swap))
        found.sort(key=lambda one: -one[0])
        return (moves for value, moves in found if value > least)

    def make(self, moves: list[Move]) -> None:
        for i, a, b in moves:
            kernels.shift(self.sums[i], a, b, self.pairs, self.sizes)
            kernels.follow(self.points, i, a, b, self.sums)
            self.labels[i] = b

    def _try(self, swap: list[Move]) -> float:
        (i, a, b), (j, _, _) = swap
        pairs, sizes = self.pairs.copy(), self.sizes.copy()
        kernels.shift(self.sums[i], a, b, pairs, sizes)
        apart = float(np.linalg.norm(self.points[i] - self.points[j]))
        later = self.sums[j].copy()
        later[a] -= apart
        later[b] += apart
        kernels.shift(later, b, a, pairs, sizes)
        return float(kernels.dunn(pairs, sizes))
