"""Soft assignment of objects to clusters by distances and Lagrange multipliers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

import numpy as np

from clusterwise._utils.threads import run_parts
from clusterwise.inputs.encoding import Array
from clusterwise.kernels import maximus_multipliers as kernels

Part = TypeVar("Part")
# An object, the cluster that it leaves and the cluster that it joins.
Move = tuple[int, int, int]

# Sums are accumulated over blocks of this many objects, so that results do not depend on threads.
_BLOCK = 1 << 15


@dataclass(frozen=True)
class Groups:
    """The groups of each object: the rows of a group × cluster table.

    Object i belongs to the groups ``codes[i]``. Group 0 has all objects, so that row 0 of the
    table has the cluster sizes; the others are the clusters of the given clusterings.
    """

    codes: Array
    count: int

    @property
    def patterns(self) -> Array:
        """The index of each object's distinct combination of groups."""
        return np.unique(self.codes, axis=0, return_inverse=True)[1].ravel()

    @property
    def sizes(self) -> Array:
        """The number of objects in each group."""
        return np.bincount(self.codes.ravel(), minlength=self.count).astype(np.float64)

    def take(self, objects: Array) -> "Groups":
        """Return the groups of some objects."""
        return Groups(self.codes[objects], self.count)

    def crosstab(self, labels: Array, clusters: int) -> Array:
        """Return the group × cluster table of a clustering."""
        cells = self.codes * clusters + labels[:, None]
        table = np.bincount(cells.ravel(), minlength=self.count * clusters)
        return table.reshape(self.count, clusters).astype(np.float64)

    def crosstab_after(self, table: Array, moves: Sequence[Move]) -> Array:
        """Return the table after some objects have changed their cluster."""
        after = table.copy()
        for i, here, there in moves:
            after[self.codes[i], here] -= 1.0
            after[self.codes[i], there] += 1.0
        return after

    def soft_assignment(
        self, costs: Array, multipliers: Array, temperature: float
    ) -> "SoftAssignment":
        """Return the memberships at these costs and multipliers."""
        return SoftAssignment(costs, self, multipliers, temperature)


def group_by_given(given: Array, sizes: tuple[int, ...]) -> Groups:
    """Return the groups of the given clusterings (codes, m × n)."""
    first = 1 + np.concatenate([[0], np.cumsum(sizes)])
    codes = np.zeros((given.shape[1], 1 + len(sizes)), np.int32)
    codes[:, 1:] = given.T + first[:-1]
    return Groups(codes, int(first[-1]))


def squared_distances(points: Array, centroids: Array) -> tuple[Array, float]:
    """Return the squared distances, n × K, and the mean over objects of their range."""
    n = len(points)
    costs = np.empty((n, len(centroids)))
    ranges = by_blocks(
        n, lambda begin, end: kernels.squared_distances(points, centroids, begin, end, costs)
    )
    return costs, sum(ranges) / n


class SoftAssignment(NamedTuple):
    """Memberships of objects in clusters: the softmin of costs (n × K) plus multipliers."""

    costs: Array
    groups: Groups
    multipliers: Array
    temperature: float

    def expected_crosstab(self) -> tuple[float, Array]:
        """Return the mean soft minimum and the expected group × cluster table."""

        def work(begin: int, end: int) -> tuple[float, Array]:
            table = np.zeros(self.multipliers.shape)
            value = kernels.add_expected_counts(
                self.costs, self.groups.codes, self.multipliers, self.temperature, begin, end, table
            )
            return value, table

        done = by_blocks(len(self.costs), work)
        tables = [table for _, table in done]
        return sum(value for value, _ in done) / len(self.costs), sum(tables[1:], tables[0])

    def centroids(self, points: Array) -> tuple[Array, float]:
        """Return the centroids by membership, and the mean expected cost."""

        def work(begin: int, end: int) -> tuple[Array, Array, float]:
            sums, sizes = np.zeros((clusters, points.shape[1])), np.zeros(clusters)
            inertia = kernels.add_to_centroids(
                points, self.costs, self.groups.codes, self.multipliers, self.temperature, begin,
                end, sums, sizes,
            )  # fmt: skip
            return sums, sizes, inertia

        clusters = self.costs.shape[1]
        done = by_blocks(len(self.costs), work)
        return mean_of_blocks(done, len(points))

    def round(self, noise: Array) -> Array:
        """Return one label for each object; noise breaks near ties."""
        labels = np.empty(len(self.costs), np.int64)
        scaled = noise * self.temperature

        def work(begin: int, end: int) -> None:
            kernels.assign_cheapest(
                self.costs, self.groups.codes, self.multipliers, scaled, begin, end, labels
            )

        by_blocks(len(self.costs), work)
        return labels

    def find_move(
        self, gradient: Array, labels: Array, can_leave: Array, patterns: Array, tabu: Array
    ) -> tuple[int, int]:
        """Return the best single move that reduces the constraint violation (see the kernel)."""
        return kernels.find_move(
            self.costs, self.groups.codes, self.multipliers, gradient, labels, can_leave, patterns,
            tabu,
        )  # fmt: skip


def mean_of_blocks(blocks: Sequence[tuple[Array, Array, float]], n: int) -> tuple[Array, float]:
    """Return centroids and mean cost from the sums, sizes and costs of all blocks."""
    sums, sizes, inertia = (sum(parts[1:], parts[0]) for parts in zip(*blocks, strict=True))
    return sums / np.maximum(sizes, 1e-9)[:, None], float(inertia) / n


def by_blocks(n: int, work: Callable[[int, int], Part]) -> list[Part]:
    """Return the results of ``work(begin, end)`` for all blocks, in order."""
    blocks = -(-n // _BLOCK)
    done: list[Part | None] = [None] * blocks

    def task(block: int) -> None:
        done[block] = work(n * block // blocks, n * (block + 1) // blocks)

    run_parts(task, blocks)
    return cast("list[Part]", done)
