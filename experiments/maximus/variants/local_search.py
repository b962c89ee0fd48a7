"""Local search on the Dunn index by mean distances, within the bounds of the program.

The object-level program minimises squared distances to centroids. Answers are often judged by mean
distances between and within clusters, whose optimum is near but not the same.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from clusterwise.alternatives.maximus.multipliers import Move
from clusterwise.alternatives.maximus.object_program import ObjectProgram
from clusterwise.inputs.distances import read_distances
from clusterwise.inputs.encoding import Array
from experiments.maximus.variants import local_search_kernels as kernels

_ROWS = 256
# The least relative gain of a move.
_LEAST_GAIN = 1e-9


def search_locally(
    program: ObjectProgram, labels: Array, time_limit: float = np.inf
) -> tuple[Array, float]:
    """Return labels with a higher index, and their largest deviation divided by its bound.

    In every step one object changes its cluster, or two of the same given clusters swap theirs,
    whichever gains most and keeps all bounds. Labels that violate them are returned as they are.
    """
    end = perf_counter() + time_limit
    groups, constraints = program.groups, program.constrain(program.groups)
    state = _State(program, labels)
    table = groups.crosstab(labels, program.clusters)
    ratio = constraints.violation(table).ratio
    while ratio <= 1.0 and perf_counter() < end:
        for moves in state.candidates():
            after = groups.crosstab_after(table, moves)
            reached = constraints.violation(after).ratio
            if reached <= 1.0:
                break
        else:
            break
        table, ratio = after, reached
        state.make(moves)
    return state.labels, ratio


class _State:
    """Labels, with the sums of distances from which the index follows."""

    def __init__(self, program: ObjectProgram, labels: Array) -> None:
        self.points, self.labels, self.groups = program.points, labels.copy(), program.joint
        members = np.eye(program.clusters)[labels]
        distances = read_distances(program.points)
        self.sums = np.empty(members.shape)
        for start in range(0, len(members), _ROWS):
            rows = slice(start, start + _ROWS)
            self.sums[rows] = distances.between(rows) @ members
        self.pairs = members.T @ self.sums
        self.sizes = members.sum(axis=0)
        shape = int(self.groups.max()) + 1, program.clusters, program.clusters
        self.values, self.movers = np.empty(shape), np.empty(shape, np.int64)

    def candidates(self) -> Iterator[list[Move]]:
        """Return the moves that raise the index, the best first."""
        kernels.find_best_moves(
            self.sums, self.labels, self.groups, self.pairs, self.sizes, self.values, self.movers
        )
        least = kernels.mean_dunn(self.pairs, self.sizes) * (1.0 + _LEAST_GAIN)
        found: list[tuple[float, list[Move]]] = []
        for group, a, b in np.argwhere(self.movers >= 0).tolist():
            there = int(self.movers[group, a, b]), a, b
            found.append((self.values[group, a, b], [there]))
            back = int(self.movers[group, b, a])
            if a < b and back >= 0:
                swap = [there, (back, b, a)]
                found.append((self._index_after(swap), swap))
        found.sort(key=lambda one: -one[0])
        return (moves for value, moves in found if value > least)

    def make(self, moves: list[Move]) -> None:
        """Make the moves."""
        for i, a, b in moves:
            kernels.move_object(self.sums[i], a, b, self.pairs, self.sizes)
            kernels.update_sums(self.points, i, a, b, self.sums)
            self.labels[i] = b

    def _index_after(self, swap: list[Move]) -> float:
        (i, a, b), (j, _, _) = swap
        pairs, sizes = self.pairs.copy(), self.sizes.copy()
        kernels.move_object(self.sums[i], a, b, pairs, sizes)
        distance = float(np.linalg.norm(self.points[i] - self.points[j]))
        later = self.sums[j].copy()
        later[a] -= distance
        later[b] += distance
        kernels.move_object(later, b, a, pairs, sizes)
        return float(kernels.mean_dunn(pairs, sizes))
